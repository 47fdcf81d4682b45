//! The writer of answers against `serde_json`, on the bodies that are read most: an account, an order, a list of a hundred orders.
//!
//! Both write the shapes of the same records of a world, to the same bytes. Pairs are interleaved and the median of their
//! ratios counts. `cargo bench --bench serialise`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;
#[path = "served.rs"]
mod served;

use hosting::transport::TransportClock;
use load::median;
use serde::Serialize;
use served::Sides;
use sim::ids::ClientId;
use sim::query::{self, OrderFilter};
use sim::store::Window;
use std::hint::black_box;
use std::time::{Duration, Instant};
use wire::account::Account;
use wire::order::Order;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pairs a figure is the median of.
const PAIRS: usize = 15;
/// How long each side of a pair writes.
const TIME: Duration = Duration::from_millis(100);

/// Bodies per second.
fn rate<T>(write: impl Fn() -> T) -> f64 {
    let (begin, mut written) = (Instant::now(), 0);
    while begin.elapsed() < TIME {
        for _ in 0..16 {
            black_box(write());
        }
        written += 16;
    }
    f64::from(written) / begin.elapsed().as_secs_f64()
}

fn compare<T: Serialize>(what: &str, shape: &T) {
    let theirs = || {
        let mut text = Vec::with_capacity(1_024);
        serde_json::to_writer(&mut text, shape).expect("JSON");
        text
    };
    let ours = || wire::to_json(shape);
    let bytes = theirs();
    assert_eq!(bytes, ours(), "{what}");
    let pairs: Vec<_> = (0..PAIRS).map(|_| (rate(theirs), rate(ours))).collect();
    println!(
        "{what:<18} {:>6} bytes   serde_json {:>9.0}/s   ours {:>9.0}/s   ratio {:.2}",
        bytes.len(),
        median(pairs.iter().map(|pair| pair.0).collect()),
        median(pairs.iter().map(|pair| pair.1).collect()),
        median(pairs.iter().map(|pair| pair.1 / pair.0).collect()),
    );
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let sides = Sides::new(TransportClock::starting_at(Duration::from_secs(1_772_400_000))).await;
    for _ in 1..100 {
        sides.place_order().await;
    }
    let client = ClientId::parse(&sides.client).expect("an id");
    let world = sides.surface.app().worlds.all().remove(0);
    let compared = world.read(|world| {
        let account = query::accounts(world, client, &Window::default(), None).remove(0);
        let positions = query::positions(world, &account, world.now());
        compare("account", &Account::of(&account, &positions));
        let settings = &world.setup().settings;
        let orders = query::orders(world, client, &Window::default(), &OrderFilter::default());
        let orders: Vec<_> = orders.iter().map(|order| Order::of(order, settings)).collect();
        compare("order", &orders[0]);
        compare(&format!("list of {} orders", orders.len()), &orders);
    });
    compared.expect("the world is sound");
}
