//! One jump of the clock is worth any number of smaller ones: `advance(a); advance(b)` leaves the world of `advance(a + b)`,
//! and emits the same events on the way.

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, amount, id, units};
use crate::journeys::{START, entity_opening, moving, opening, transfer_of};
use crate::payments;
use sim::command::{CreateMobilePayment, OpenAccount};
use sim::digest::Digest;
use sim::input::Cause;
use sim::money::Ratio;
use sim::records::{
    AccountType, Autogiro, AutogiroEnforce, Configuration, CorporateAct, MobilePaymentRefusal, MobilePaymentType,
};
use sim::rng::{Seed, Stream};
use sim::time::{Instant, Millis};
use sim::timers::Happening;
use sim::{Command, Event, World};

/// Worlds tried.
const RUNS: u64 = 60;
/// Longest jump: past every timer of a journey, an order, a transfer and a closing.
const LONGEST: i64 = 45 * 24 * 3_600_000;

const IBAN: &str = "SE8150000000050000000019";

fn first_seed() -> u64 {
    std::env::var("FUNDSIM_TEST_SEED").map_or(9_000, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"))
}

/// A world in which everything that has timers is under way, a little differently for every seed.
pub fn busy(seed: u64, draw: &mut Stream) -> World {
    let mut bench = Bench::new(seed, START);
    for open in [bench.open("900000"), bench.open("50000")] {
        let held = vec![(id(DAILY), units("40")), (id(GLOBAL), units("7.5"))];
        let banks = vec![bench.bank(IBAN)];
        let account = bench.account(OpenAccount { positions: held, bank_accounts: banks, ..open });
        for _ in 0..draw.below(8) {
            let fund = *draw.pick(&[DAILY, T_PLUS_ONE, GLOBAL, WEEKLY, COMPLEX]);
            let sells = draw.chance(1, 3) && [DAILY, GLOBAL].contains(&fund);
            let place = if sells { bench.sell(&account, fund, "0.5") } else { bench.buy(&account, fund, "1500.55") };
            bench.order(place);
        }
        for text in ["70", "70.08", "70.09"] {
            let create = CreateMobilePayment {
                scope: bench.scope,
                account: account.id,
                kind: MobilePaymentType::OtherDevice,
                amount: amount(text),
                qr_format: None,
            };
            bench.does(Command::CreateMobilePayment(create)).expect("a mobile payment can be asked for");
        }
        let (partner, refusal) = (bench.scope.partner, Some(MobilePaymentRefusal::Rp06));
        bench.does(Command::RefusePayers { partner, account: account.id, refusal }).expect("an active account");
        if draw.chance(1, 2) {
            bench.does(Command::CloseAccount { scope: bench.scope, account: account.id }).expect("it can be closed");
        }
    }
    payments::under_way(&mut bench);
    let autogiro = Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account: false });
    let transfer = Some(transfer_of(vec![moving(AccountType::Isk)]));
    bench.walk(Configuration { transfer, autogiro, ..opening(AccountType::Isk) }, &[]);
    bench.walk(entity_opening(), &[]);
    bench.opened(opening(AccountType::Depot));
    bench.journey(opening(AccountType::Insurance));
    for (fund, act) in [
        (WEEKLY, CorporateAct::Split { factor: Ratio::parse("2.5").expect("a ratio") }),
        (COMPLEX, CorporateAct::Merge { into: id(T_PLUS_ONE), ratio: None }),
    ] {
        bench.does(Command::Announce { instrument: id(fund), act }).expect("it can be announced");
    }
    bench.world
}

/// Where a jump to `end` is interrupted: anywhere, on a timer, or a millisecond beside one.
fn cuts(draw: &mut Stream, world: &World, end: Instant) -> Vec<Instant> {
    let due: Vec<Instant> = world.timers().map(|(at, _)| at).filter(|at| *at <= end).collect();
    let span = end.ms() - world.now().ms();
    let mut cuts: Vec<Instant> = (0..1 + draw.below(9))
        .map(|_| {
            let anywhere = world.now().plus(Millis(draw.between(0, span)));
            if due.is_empty() || draw.chance(1, 2) {
                return anywhere;
            }
            draw.pick(&due).plus(Millis(draw.between(-1, 1))).min(end)
        })
        .collect();
    cuts.sort();
    cuts.push(end);
    cuts
}

/// The digest, happenings and events of a world after jumps to each of `stops`.
fn after(mut world: World, stops: &[Instant]) -> (Digest, Vec<Happening>, Vec<Event>) {
    let happened = stops.iter().flat_map(|stop| world.advance(*stop)).collect();
    (world.digest(), happened, events_without_input(&mut world))
}

/// The events of a world, whichever of the jumps caused them: every other part is the same however a jump is cut.
pub fn events_without_input(world: &mut World) -> Vec<Event> {
    let one = |event: Event| Event { cause: Cause { input: 0, ..event.cause }, ..event };
    world.take_events().into_iter().map(one).collect()
}

/// (rule: calendar/virtual-clock)
#[test]
fn a_jump_is_the_sum_of_its_parts() {
    let first = first_seed();
    let mut fired = 0;
    for seed in first..first + RUNS {
        let mut draw = Seed(seed).stream("splits of a jump");
        let world = busy(seed, &mut draw);
        let end = world.now().plus(Millis(draw.between(1, LONGEST)));
        let whole = after(world.clone(), &[end]);
        let parts = cuts(&mut draw, &world, end);
        let repeat = format!("FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sim a_jump_is_the_sum");
        assert!(after(world, &parts) == whole, "seed {seed}, to {end} by way of {parts:?}; repeat with: {repeat}");
        fired += whole.1.len();
    }
    assert!(fired as u64 > 100 * RUNS, "only {fired} timers fired: the worlds are too quiet to show anything");
}

#[test]
fn a_jump_is_the_sum_of_its_slices() {
    let first = first_seed();
    for seed in first..first + RUNS / 3 {
        let mut draw = Seed(seed).stream("slices of a jump");
        let world = busy(seed, &mut draw);
        let end = world.now().plus(Millis(draw.between(1, LONGEST)));
        let whole = after(world.clone(), &[end]);
        let (mut sliced, mut happened) = (world, Vec::new());
        while !sliced.advance_slice(end, 1 + usize::try_from(draw.below(7)).expect("a small number"), &mut happened) {}
        let repeat = format!("FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sim a_jump_is_the_sum");
        assert!(
            (sliced.digest(), happened, events_without_input(&mut sliced)) == whole,
            "seed {seed}; repeat with: {repeat}"
        );
    }
}

#[test]
fn a_jump_that_nobody_has_reported_is_the_same_jump() {
    let first = first_seed();
    for seed in first..first + RUNS / 3 {
        let mut draw = Seed(seed).stream("jumps that nobody has reported");
        let world = busy(seed, &mut draw);
        let end = world.now().plus(Millis(draw.between(1, LONGEST)));
        let (digest, _, events) = after(world.clone(), &[end]);
        let mut unreported = world;
        unreported.advance_unreported(end);
        assert!((unreported.digest(), events_without_input(&mut unreported)) == (digest, events), "seed {seed}");
    }
}
