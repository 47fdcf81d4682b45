//! The world without a surface: commands a second, with and without checkers, a year's advance, and ten years of performance.
//!
//! Owns: the figures of the fuzzer's level. Every figure is beside a baseline measured in the same run, pairs
//! interleaved, medians shown; times are of this thread's processor, so that a busy machine does not blur them. Absent on
//! purpose: any bound that would make a run fail.
//!
//! `cargo bench --bench world` prints everything; a number as argument sets the rounds (7 unless given).

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

use fuzz::generate::{Generator, Profile, Step};
use fuzz::{Coverage, Prepared, RunSetup, Watch, play};
use sim::World;
use sim::identity::{Currency, InstrumentId, PersonalNumber};
use sim::ids::{Drawn as _, OrderId};
use sim::money::{Amount, Units};
use sim::query;
use sim::records::{AccountType, Category, NaturalPerson, Owner, ServiceType};
use sim::rng::Seed;
use sim::setup::AccountSetup;
use sim::store::{Map, Window};
use sim::time::{Instant, Millis};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Steps of a run: an account sees about a hundred orders.
const STEPS: usize = 20_000;
/// Accounts of a busy world.
const ACCOUNTS: u16 = 150;
/// Accounts of a large one.
const MANY: usize = 10_000;

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(7_u64);
    commands(rounds);
    year(rounds.min(3));
    performance(rounds);
}

/// Processor time of this thread so far; wall time where the system does not have it.
#[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
fn clock() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedstat.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = clock();
    let done = black_box(work());
    (done, clock() - begin)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn per_second(count: u64, took: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / took.as_secs_f64()
}

/// One round of one seed at all levels.
struct Round {
    generated_ns: f64,
    bare: f64,
    blind: f64,
    watched: f64,
    full: f64,
}

fn commands(rounds: u64) {
    let mut coverage = Coverage::default();
    let mut simulated = 0;
    let rounds: Vec<Round> = (0..rounds)
        .map(|seed| {
            let prepared = RunSetup::generated(seed).prepare();
            let draw = || Generator::new(seed, Profile::busy(ACCOUNTS)).take(STEPS).collect::<Vec<Step>>();
            let (steps, took) = timed(draw);
            let generated_ns = took.as_secs_f64() * 1e9 / STEPS as f64;
            let (blind, commands) = level(&prepared, &steps, Watch::Blind, &mut coverage, &mut simulated);
            let (watched, _) = level(&prepared, &steps, Watch::Steps, &mut Coverage::default(), &mut 0);
            let (full, _) = level(&prepared, &steps, Watch::Full, &mut Coverage::default(), &mut 0);
            Round { generated_ns, bare: bare(commands), blind, watched, full }
        })
        .collect();
    let of = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
    let (bare, blind) = (of(|round| round.bare), of(|round| round.blind));
    let (watched, full) = (of(|round| round.watched), of(|round| round.full));
    let accepted = 100.0 * coverage.accepted() as f64 / coverage.tried() as f64;
    println!("world of {ACCOUNTS} accounts, {} commands, {accepted:.1} % accepted, {simulated} days", coverage.tried());
    for table in coverage.tables() {
        println!("  rows of the {} table visited          {} of {}", table.machine, table.visited, table.rows);
    }
    println!("  generating a step                      {:>12.0} ns", of(|round| round.generated_ns));
    println!("  bare table, timer and record           {bare:>12.0} commands/s");
    println!("  without checkers, timers included      {blind:>12.0} commands/s   {:.2} of bare", blind / bare);
    println!("  with per-step checkers and sweeps      {watched:>12.0} commands/s   {:.2} of without", watched / blind);
    println!("  and the laws of whole worlds           {full:>12.0} commands/s   {:.2} of without", full / blind);
}

fn level(prepared: &Prepared, steps: &[Step], watch: Watch, coverage: &mut Coverage, days: &mut i64) -> (f64, u64) {
    let prepared = prepared.clone();
    let (played, took) = timed(|| play(prepared, steps.iter().copied(), watch));
    let outcome = played.outcome();
    assert!(outcome.violations.is_empty(), "{:?}", outcome.violations);
    coverage.add(&outcome.coverage);
    *days += outcome.simulated.0 / 86_400_000;
    (per_second(outcome.coverage.tried(), took), outcome.coverage.tried())
}

/// What any such engine does for a command at the least: an id, a record in a table, a timer set and taken.
fn bare(commands: u64) -> f64 {
    let mut stream = Seed(1).stream("bare");
    let mut table: Map<OrderId, Arc<[u8; 256]>> = Map::default();
    let mut timers: BTreeMap<(u64, u64), OrderId> = BTreeMap::new();
    let ((), took) = timed(|| {
        for at in 0..commands {
            let id = OrderId::draw(&mut stream);
            table.insert(id, Arc::new([0; 256]));
            timers.insert((at + stream.below(1_000), at), id);
            if let Some(first) = timers.first_entry().filter(|first| first.key().0 <= at) {
                let due = first.remove();
                Arc::make_mut(&mut table[&due])[0] = 1;
            }
        }
        black_box((&table, &timers));
    });
    per_second(commands, took)
}

/// A year of the calendar over a large world, beside the same year over an empty one.
fn year(rounds: u64) {
    let start = Instant::parse("2026-03-02T08:00:00+01:00").expect("a constant");
    let end = start.plus(Millis::days(365));
    let mut setup = hosting::setup::demo();
    setup.partners.iter_mut().flat_map(|partner| &mut partner.clients).for_each(|client| client.accounts.clear());
    let empty = World::new(&setup, Seed(1), start).expect("the demo setup without accounts");
    let funds: Vec<_> = setup.instruments.iter().map(|fund| fund.id).collect();
    let three = |at: usize| (0..3).map(|k| (funds[(at + k * 7) % funds.len()], units("100.5"))).collect();
    setup.partners[0].clients[0].accounts = (0..MANY).map(|at| account(three(at))).collect();
    let (large, opening) = timed(|| World::new(&setup, Seed(1), start).expect("the demo setup with many accounts"));
    let pairs: Vec<(f64, f64)> = (0..rounds).map(|_| (advance(&empty, end), advance(&large, end))).collect();
    let (none, many) = (median(pairs.iter().map(|p| p.0).collect()), median(pairs.iter().map(|p| p.1).collect()));
    println!("a year of {} funds", funds.len());
    println!("  opening {MANY} accounts of three funds   {:>12.1} ms", opening.as_secs_f64() * 1e3);
    println!("  advance without accounts               {none:>12.1} ms");
    println!("  advance with {MANY} accounts            {many:>12.1} ms           {:.2} of without", many / none);
}

fn advance(world: &World, to: Instant) -> f64 {
    let mut world = world.clone();
    let (happened, took) = timed(|| world.advance(to).len());
    assert!(happened > 10_000, "a year has its cut-offs and prices");
    took.as_secs_f64() * 1e3
}

/// Ten years of daily returns of one account and of an owner with twenty, each of five funds, beside the products of units
/// and prices that such years cannot do without.
fn performance(rounds: u64) {
    let start = Instant::parse("2026-03-02T08:00:00+01:00").expect("a constant");
    let mut setup = hosting::setup::demo();
    let funds: Vec<_> =
        setup.instruments.iter().filter(|fund| fund.id.currency() == Currency::SEK).map(|it| it.id).collect();
    let held = |at: usize| (0..5).map(|k| (funds[(at + k * 3) % funds.len()], units("100.5"))).collect::<Vec<_>>();
    let owner = Owner::NaturalPerson(NaturalPerson {
        first_name: Arc::from("Vera"),
        last_name: Arc::from("Provsson"),
        ssn: PersonalNumber::parse("198112189876").expect("a constant"),
    });
    setup.partners.iter_mut().flat_map(|partner| &mut partner.clients).for_each(|client| client.accounts.clear());
    let owned = |at| AccountSetup { owner: Some(owner.clone()), ..account(held(at)) };
    setup.partners[0].clients[0].accounts = (0..20).map(owned).collect();
    let mut world = World::new(&setup, Seed(1), start).expect("the demo setup with an owner");
    world.advance(Instant::parse("2036-03-02T08:00:00+01:00").expect("a constant"));
    let client = query::clients(&world).next().expect("a client").id;
    let first = query::accounts(&world, client, &Window::default(), None)[0].id;
    let ms = |took: Duration| took.as_secs_f64() * 1e3;
    let round = |_| {
        let (sum, bare) = timed(|| products(&world, &held(0)));
        let (one, account) = timed(|| query::account_performance(&world, first, None));
        let (all, owner) = timed(|| query::owner_performance(&world, client, owner.key(), None));
        assert!(sum.is_positive() && one.len() > 3_650 && all.len() == one.len());
        (ms(bare), ms(account), ms(owner))
    };
    let figures: Vec<(f64, f64, f64)> = (0..rounds).map(round).collect();
    let of = |figure: fn(&(f64, f64, f64)) -> f64| median(figures.iter().map(figure).collect());
    let (bare, account, owner) = (of(|it| it.0), of(|it| it.1), of(|it| it.2));
    println!("ten years of performance, five funds an account");
    println!("  bare products of units and prices      {bare:>12.2} ms");
    println!("  one account                            {account:>12.2} ms           {:.2} of bare", account / bare);
    println!(
        "  an owner of 20 accounts                {owner:>12.2} ms           {:.2} of 20 bare",
        owner / bare / 20.0
    );
}

/// The least that ten years of an account need: each published price of a fund times the units held.
fn products(world: &World, held: &[(InstrumentId, Units)]) -> Amount {
    let of = |&(fund, units): &(InstrumentId, Units)| {
        let prices = query::prices(world, fund, world.start().local_date(), world.now().local_date());
        prices.iter().map(|(_, price)| Amount::from_units(units, price.get())).sum::<Amount>()
    };
    held.iter().map(of).sum()
}

fn units(text: &str) -> Units {
    Units::parse(text).expect("a constant")
}

fn account(positions: Vec<(InstrumentId, Units)>) -> AccountSetup {
    AccountSetup {
        account_type: AccountType::Isk,
        owner: None,
        name: None,
        service_type: ServiceType::ExecutionOnly,
        category: Category::Retail,
        cash: Amount::from_ore(1_000_000),
        positions,
        bank_accounts: Vec::new(),
        fund_knowledge: true,
    }
}
