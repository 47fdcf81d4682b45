//! What it costs to go back: forks, restores and earlier moments of a world with 1,000 accounts and 100,000 inputs, against
//! carrying all inputs out again.
//!
//! Every fifth input is an order, the others let a minute pass; sides are interleaved and medians count. `cargo bench --bench past`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;

use feed::input_log::{Position, at_once};
use feed::lineage::Moment;
use feed::transport::TransportClock;
use hosting::decision::HostDecision;
use hosting::replay::replay;
use hosting::secrets::ServerKey;
use hosting::setup::demo;
use hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use load::median;
use sim::command::{OpenAccount, PlaceOrder, Scope};
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::money::Amount;
use sim::records::{AccountType, Category, Proceeds, ServiceType, Side};
use sim::rng::Seed;
use sim::time::{Instant, Millis};
use sim::{Command, Reply, World, query};
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};
use testing::Now as _;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ACCOUNTS: usize = 1_000;
const INPUTS: u64 = 100_000;
/// Rounds that a figure is the median of.
const ROUNDS: usize = 9;
/// A Monday morning.
const START: &str = "2026-03-02T08:00:00+01:00";
const FUND: &str = "SE0SBX000016SEK";

fn main() {
    let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::given(|| Duration::ZERO));
    let origin =
        WorldOrigin { setup: Arc::new(demo()), seed: Seed(7), start: Instant::parse(START).expect("an instant") };
    let new = NewWorld::frozen(origin);
    let world = worlds.make(new).now().expect("a world");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let scope = world.read(first_client).expect("a client");
    let accounts: Vec<AccountId> = (0..ACCOUNTS).map(|_| account(&world, scope)).collect();
    let mut number = 0;
    while world.last_input() < INPUTS {
        number += 1;
        if number % 5 == 0 {
            order(&world, scope, accounts[number % ACCOUNTS]);
        } else {
            minute(&world);
        }
    }
    println!("{} inputs, {} accounts, clock at {}", world.last_input(), ACCOUNTS, world.last_now());

    let fork = || {
        let fork = worlds.fork(&world, None).now().expect("a fork");
        worlds.remove(fork.identity.id()).now().expect("no journal");
    };
    #[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
    let restore = || {
        let fork = worlds.fork(&world, None).now().expect("a fork");
        fork.decide(&HostDecision::Keep("here".into())).now().expect("kept");
        let begin = Clock::now();
        fork.decide(&HostDecision::Restore("here".into())).now().expect("restored");
        let took = begin.elapsed();
        worlds.remove(fork.identity.id()).now().expect("no journal");
        took
    };
    let start = world.identity.origin().start;
    let way = world.last_now().ms() - start.ms();
    let moments = |part: i64| Moment::Instant(start.plus(Millis(way / 20 * part)));
    let stood = |moment| drop(runtime.block_on(world.stood_at(moment)).expect("a past"));
    let whole = || {
        let mut entries = Vec::new();
        while (entries.len() as u64) < INPUTS {
            entries.extend(at_once(world.log().after(Position(entries.len() as u64))).expect("inputs"));
        }
        replay(world.identity.origin(), None, &entries).expect("a world")
    };
    assert_eq!(whole().digest(), world.read(World::digest).expect("a digest"), "the log makes the world");

    let mut figures: [Vec<f64>; 4] = Default::default();
    let mut worst: f64 = 0.0;
    for round in 0..ROUNDS {
        figures[0].push(milliseconds(timed(fork)));
        figures[1].push(milliseconds(restore()));
        let part = i64::try_from(round).unwrap_or(0) * 2 + 2;
        let took = milliseconds(timed(|| stood(moments(part))));
        worst = worst.max(took);
        figures[2].push(took);
        if round % 4 == 0 {
            figures[3].push(milliseconds(timed(whole)));
        }
    }
    let [fork, restore, stood, whole] = figures.map(median);
    println!("fork as it is             {fork:8.2} ms");
    println!("restore                   {restore:8.2} ms");
    println!("as it stood, {ROUNDS} instants  {stood:8.2} ms, at most {worst:.2} ms");
    println!("all inputs again          {whole:8.2} ms, {:.1} times as long", whole / stood);
}

#[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
fn timed<R>(work: impl FnOnce() -> R) -> Duration {
    let begin = Clock::now();
    drop(work());
    begin.elapsed()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn first_client(world: &World) -> Scope {
    let client = query::clients(world).next().expect("a client");
    Scope { partner: client.partner, client: client.id }
}

fn account(world: &Arc<WorldHandle>, scope: Scope) -> AccountId {
    let open = OpenAccount {
        scope,
        account_type: AccountType::Isk,
        owner: None,
        name: None,
        service_type: ServiceType::ExecutionOnly,
        category: Category::Retail,
        cash: Amount::parse("100000").expect("an amount"),
        positions: Vec::new(),
        bank_accounts: Vec::new(),
        fund_knowledge: true,
    };
    world
        .submit(Command::OpenAccount(open), |_, reply| match reply {
            Reply::Account(account) => account.id,
            other => unreachable!("an opening is answered by {other:?}"),
        })
        .now()
        .expect("an account")
}

fn minute(world: &Arc<WorldHandle>) {
    let to = world.last_now().plus(Millis(60_000));
    while !world.jump(to, &mut Vec::new()).now().expect("a jump") {}
}

fn order(world: &Arc<WorldHandle>, scope: Scope, account: AccountId) {
    let order = PlaceOrder {
        scope,
        account,
        side: Side::Subscription,
        instrument: InstrumentId::parse(FUND).expect("a fund"),
        amount: Some(Amount::parse("100").expect("an amount")),
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    };
    world.submit(Command::PlaceOrder(order), |_, _| ()).now().expect("an order");
}
