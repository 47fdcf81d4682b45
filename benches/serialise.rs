//! `serde_json` against `sonic-rs` on the bodies that are read most: an account, an order, a list of accounts.
//!
//! The shapes hand their numbers over as digits, in a form that only serde_json takes. So both write the same tree, in which
//! numbers have the form that each of them takes as it is. Pairs are interleaved and the median of their ratios counts.
//! `cargo bench --bench serialise`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;
#[path = "served.rs"]
mod served;

use feed::transport::TransportClock;
use load::median;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use served::Sides;
use sonic_rs::RawNumber;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pairs a figure is the median of.
const PAIRS: usize = 15;
/// How long each side of a pair writes.
const TIME: Duration = Duration::from_millis(100);

/// A body; `N` is a number as its serialiser takes it.
enum Tree<N> {
    Null,
    Bool(bool),
    Number(N),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl<N> Tree<N> {
    fn of(value: &Value, number: &impl Fn(&str) -> N) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(digits) => Self::Number(number(digits.as_str())),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(|item| Self::of(item, number)).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, member)| (name.clone(), Self::of(member, number))).collect())
            }
        }
    }
}

impl<N: Serialize> Serialize for Tree<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_unit(),
            Self::Bool(flag) => to.serialize_bool(*flag),
            Self::Number(number) => number.serialize(to),
            Self::Text(text) => to.serialize_str(text),
            Self::List(items) => to.collect_seq(items),
            Self::Object(members) => {
                let mut map = to.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(name, member)| map.serialize_entry(name, member))?;
                map.end()
            }
        }
    }
}

/// Bodies per second.
fn rate(write: &impl Fn() -> Vec<u8>) -> f64 {
    let (begin, mut written) = (Instant::now(), 0);
    while begin.elapsed() < TIME {
        for _ in 0..64 {
            black_box(write());
        }
        written += 64;
    }
    f64::from(written) / begin.elapsed().as_secs_f64()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let sides = Sides::new(TransportClock::starting_at(Duration::from_secs(1_772_400_000))).await;
    let (accounts, _) = sides.read("account").await;
    let (orders, _) = sides.read("order").await;
    for (what, body) in [("account", &accounts[0]), ("order", &orders[0]), ("list of accounts", &accounts)] {
        let digits = |text: &str| RawValue::from_string(text.to_owned()).expect("digits");
        let ours = Tree::of(body, &digits);
        let theirs = Tree::of(body, &|text: &str| sonic_rs::from_str::<RawNumber>(text).expect("digits"));
        let write_ours = || {
            let mut text = Vec::with_capacity(1_024);
            serde_json::to_writer(&mut text, &ours).expect("JSON");
            text
        };
        let write_theirs = || {
            let mut text = Vec::with_capacity(1_024);
            sonic_rs::to_writer(&mut text, &theirs).expect("JSON");
            text
        };
        let bytes = write_ours();
        assert_eq!(bytes, write_theirs(), "{what}");
        let pairs: Vec<_> = (0..PAIRS).map(|_| (rate(&write_ours), rate(&write_theirs))).collect();
        println!(
            "{what:<17} {:>6} bytes   serde_json {:>9.0}/s   sonic-rs {:>9.0}/s   ratio {:.2}",
            bytes.len(),
            median(pairs.iter().map(|pair| pair.0).collect()),
            median(pairs.iter().map(|pair| pair.1).collect()),
            median(pairs.iter().map(|pair| pair.1 / pair.0).collect()),
        );
    }
}
