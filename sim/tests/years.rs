//! Years of money in one jump, in random pieces, and once more from the log: always the same world.

use crate::clock::{busy, events_without_input};
use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, id};
use sim::command::Scope;
use sim::input::Act;
use sim::money::Ratio;
use sim::records::{CorporateAct, InstructionType};
use sim::rng::{Seed, Stream};
use sim::store::Window;
use sim::time::{Instant, Millis};
use sim::{Command, Input, World, query};

/// Worlds tried.
const RUNS: u64 = 4;
/// How many years each of them runs.
const YEARS: i64 = 3;
/// How many commands each gets in that time.
const ASKED: usize = 24;

fn first_seed() -> u64 {
    std::env::var("FUNDSIM_TEST_SEED").map_or(700, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"))
}

/// Payments, orders, withdrawals of plans and corporate actions, at any time of the years, in order.
fn asked(bench: &Bench, draw: &mut Stream, end: Instant) -> Vec<(Instant, Command)> {
    let accounts = query::accounts(&bench.world, bench.scope.client, &Window::default(), None);
    let span = end.ms() - bench.world.now().ms();
    let mut instants: Vec<Instant> =
        (0..ASKED).map(|_| bench.world.now().plus(Millis(draw.between(0, span)))).collect();
    instants.sort();
    let command = |(at, instant): (usize, Instant)| {
        let account = draw.pick(&accounts).clone();
        let fund = *draw.pick(&[DAILY, T_PLUS_ONE, GLOBAL, WEEKLY, COMPLEX]);
        let command = match draw.below(6) {
            0 | 1 => {
                let sum = format!("{}.50", 100 + draw.below(5_000));
                let client_ref = format!("payment {at}");
                let payments = [(sum.as_str(), client_ref.as_str())];
                Command::CreateInstruction(bench.asked_to_pay(InstructionType::Autogiro, &account, &payments))
            }
            2 => Command::PlaceOrder(bench.buy(&account, fund, "750.25")),
            3 => Command::PlaceOrder(bench.sell(&account, fund, "0.75")),
            4 => Command::Announce {
                instrument: id(fund),
                act: CorporateAct::Split { factor: Ratio::parse("2").expect("a ratio") },
            },
            _ => Command::Announce { instrument: id(fund), act: CorporateAct::Merge { into: id(DAILY), ratio: None } },
        };
        (instant, command)
    };
    instants.into_iter().enumerate().map(command).collect()
}

/// The world after all that was asked, and how much of it was accepted; `pause` moves the clock in between as it likes.
fn after(
    mut world: World,
    asked: &[(Instant, Command)],
    end: Instant,
    mut pause: impl FnMut(&mut World, Instant),
) -> (World, usize) {
    let mut accepted = 0;
    for (at, command) in asked {
        pause(&mut world, *at);
        accepted += usize::from(world.apply(*at, command.clone()).is_ok());
    }
    pause(&mut world, end);
    world.advance(end);
    (world, accepted)
}

/// (rule: calendar/virtual-clock, calendar/inputs)
#[test]
fn years_of_plans_fees_payments_and_corporate_actions_are_the_sum_of_their_parts_and_of_their_log() {
    let first = first_seed();
    let mut accepted = 0;
    for seed in first..first + RUNS {
        let repeat =
            format!("seed {seed}; repeat with: FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sim years_of_plans");
        let mut draw = Seed(seed).stream("years in pieces");
        let world = busy(seed, &mut draw);
        let client = query::clients(&world).next().expect("one client");
        let scope = Scope { partner: client.partner, client: client.id };
        let bench = Bench { world, scope };
        let end = bench.world.now().plus(Millis::days(365 * YEARS));
        let asked = asked(&bench, &mut draw, end);

        let (mut whole, taken) = after(bench.world.clone(), &asked, end, |_, _| {});
        accepted += taken;
        let (mut pieces, _) = after(bench.world.clone(), &asked, end, |world, until| {
            for _ in 0..draw.below(6) {
                let left = until.ms() - world.now().ms();
                world.advance(world.now().plus(Millis(draw.between(0, left.max(0)))));
            }
        });
        assert_eq!(pieces.digest(), whole.digest(), "{repeat}");
        assert!(events_without_input(&mut pieces) == events_without_input(&mut whole), "{repeat}");

        let inputs = asked.iter().map(|(at, command)| Input::new(*at, Act::Apply(Box::new(command.clone()))));
        let inputs: Vec<Input> = inputs.chain([Input::new(end, Act::Advance)]).collect();
        let mut replayed = bench.world.clone();
        let next = replayed.last_input() + 1;
        replayed.replay((next..).zip(&inputs));
        assert_eq!(replayed.digest(), whole.digest(), "{repeat}");
    }
    assert!(accepted > ASKED, "only {accepted} were accepted: the worlds are too quiet to show anything");
}
