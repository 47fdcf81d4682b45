//! A world written down and read back: the same digest, the same life; and nothing in it that the digest does not see.

use crate::clock::{busy, events_without_input};
use crate::common::{Bench, DAILY, id, setup, tree, units, written_and_read};
use crate::journeys::START;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use sim::command::SetClientFees;
use sim::digest::Digest;
use sim::identity::Iban;
use sim::query;
use sim::records::{ClientBankAccount, ClientFees, FeeMode, FeeTerms, FeeType};
use sim::rng::Seed;
use sim::setup::Setup;
use sim::store::Window;
use sim::time::Millis;
use sim::{Command, World, time::Instant};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use written::Written;

fn read<T: Written>(tree: &Value) -> serde_json::Result<T> {
    T::read(&to_raw_value(tree)?)
}

/// Worlds of a few seeds, some days on, so that prices, executions and bookings are in them.
fn worlds() -> impl Iterator<Item = World> {
    (0..6).map(|seed| {
        let mut draw = Seed(seed).stream("written worlds");
        let mut world = busy(seed, &mut draw);
        world.advance(world.now().plus(Millis(draw.between(0, 12 * 86_400_000))));
        world
    })
}

/// A world in which the charges of one account wait for a sale, and those of another do not.
fn charged() -> World {
    let mut setup = setup();
    let client = &mut setup.partners[0].clients[0];
    let iban = Iban::parse("SE5950000000050000000027").expect("an iban");
    client.bank_accounts = vec![ClientBankAccount { fee_type: FeeType::PartnerFee, iban }];
    let terms = FeeTerms { basis_points: 100, mode: FeeMode::Withdrawn };
    client.fees = ClientFees { partner: terms, client: terms };
    let mut bench = Bench::of(&setup, 1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("1000"))];
    bench.account(open);
    bench.account(bench.open("1000"));
    bench.to("2026-04-01T06:00:00+02:00");
    bench.world
}

/// A world in which terms were changed between a quarter's end and its fee day, for one account of two.
fn renegotiated() -> World {
    let mut bench = Bench::of(&setup(), 1, START);
    bench.account(bench.open("1000"));
    bench.to("2027-01-03T12:00:00+01:00");
    let terms = FeeTerms { basis_points: 100, mode: FeeMode::Withdrawn };
    let set = SetClientFees { scope: bench.scope, partner: Some(terms), client: None };
    bench.world.apply(bench.world.now(), Command::SetClientFees(set)).expect("set");
    bench.account(bench.open("1000"));
    bench.world
}

#[test]
fn a_world_read_back_has_the_same_digest_and_continues_equally() {
    for mut world in worlds() {
        let mut again = written_and_read(&world);
        assert_eq!(again.digest(), world.digest());
        assert_eq!((again.events(), again.callbacks()), (world.events(), world.callbacks()));
        assert_eq!(again.last_input(), world.last_input());
        let later = world.now().plus(Millis::days(40));
        assert_eq!(again.advance(later), world.advance(later));
        assert_eq!(again.digest(), world.digest());
        assert_eq!(events_without_input(&mut again), events_without_input(&mut world));
    }
}

/// Who asks early has movements kept up by every booking since; who asks after reading has them gathered anew.
#[test]
fn returns_do_not_depend_on_when_they_are_read() {
    let returns = |world: &World| -> Vec<_> {
        let accounts =
            query::clients(world).flat_map(|client| query::accounts(world, client.id, &Window::default(), None));
        accounts.map(|account| (account.id, query::account_performance(world, account.id, None))).collect()
    };
    let mut days = 0;
    for mut world in worlds().chain([charged(), renegotiated()]) {
        returns(&world);
        world.advance(world.now().plus(Millis::days(100)));
        let early = returns(&world);
        assert_eq!(early, returns(&written_and_read(&world)));
        days += early.iter().map(|(_, entries)| entries.len()).sum::<usize>();
    }
    assert!(days > 1_000, "only {days} days were compared");
}

#[test]
fn a_setup_that_asks_for_unknown_rules_is_not_read() {
    let mut tree = tree(&setup());
    assert_eq!(read::<Setup>(&tree).expect("a setup"), setup());
    tree["rules"] = 2_000_000.into();
    let fault = read::<Setup>(&tree).expect_err("unknown rules").to_string();
    assert!(fault.contains("rules of version 2000000 are not known here"), "{fault}");
}

/// What the digest leaves out on purpose: how inputs were cut, and events that were not yet taken.
const OUTSIDE: &[&str] = &["cause.", "events[]", "callbacks[]"];

/// What has one value only: the rules known here, and parts that no such world fills.
const ONE_VALUE: &[&str] = &[
    "accounts.records[].owner.LegalEntity.contact_person",
    "journeys.records[].result.account",
    "journeys.records[].result.allocation_plan",
    "savings_plans.records[].last_run",
    "setup.rules",
    "submissions.records[][].entity.contact_person",
];

/// A place in a tree: keys and indexes.
type Path = Vec<usize>;

/// All leaves of a tree, by the names on the way to them; places in lists count as one name.
fn leaves(tree: &Value, name: &str, path: &mut Path, found: &mut BTreeMap<String, Vec<Path>>) {
    let below: Vec<(String, &Value)> = match tree {
        Value::Object(entries) => entries.iter().map(|(key, value)| (format!("{name}.{key}"), value)).collect(),
        Value::Array(items) => items.iter().map(|item| (format!("{name}[]"), item)).collect(),
        _ => return found.entry(name.trim_start_matches('.').to_owned()).or_default().push(path.clone()),
    };
    for (at, (name, value)) in below.into_iter().enumerate() {
        path.push(at);
        leaves(value, &name, path, found);
        path.pop();
    }
}

fn at<'a>(tree: &'a mut Value, path: &[usize]) -> &'a mut Value {
    path.iter().fold(tree, |tree, &step| match tree {
        Value::Object(entries) => entries.values_mut().nth(step).expect("an entry"),
        Value::Array(items) => &mut items[step],
        _ => unreachable!("a path leads through maps and lists"),
    })
}

/// All values of a tree by the name they have there, three of each: what another place of that name might have instead.
fn by_name(tree: &Value, name: &str, found: &mut BTreeMap<String, Vec<Value>>) {
    let known = found.entry(name.to_owned()).or_default();
    if known.len() < 3 && *tree != Value::Null && !known.contains(tree) {
        known.push(tree.clone());
    }
    match tree {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| by_name(value, key, found)),
        Value::Array(items) => items.iter().for_each(|item| by_name(item, name, found)),
        _ => {}
    }
}

/// Values that a leaf might have instead: near ones, none, and some of every kind.
fn others(leaf: &Value) -> Vec<Value> {
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::from(*text)).collect::<Vec<_>>();
    let some = texts(&["x", "00000000-0000-4000-8000-000000000001", START, "SE8150000000050000000019", "198001011231"]);
    match leaf {
        Value::Number(number) => {
            let number =
                i128::from(number.as_i64().unwrap_or_default()).max(number.as_u64().unwrap_or_default().into());
            let near = [number + 1, number - 1].map(|near| u64::try_from(near).map(Value::from));
            near.into_iter().flatten().collect()
        }
        Value::Bool(truth) => vec![Value::Bool(!truth)],
        Value::String(text) => [near_texts(text), some, vec![Value::Null]].concat(),
        Value::Null => {
            let timer = json!({ "at": START, "sequence": 1 });
            let history = json!({ "accounts": 1, "days": 1 });
            [vec![json!(1), json!([]), timer, history], some].concat()
        }
        _ => Vec::new(),
    }
}

/// The text with its last digit or letter changed, or one further ahead, and with a letter more.
fn near_texts(text: &str) -> Vec<Value> {
    let near = |c: char| match c {
        '0'..='8' | 'a'..='e' | 'A'..='Y' => char::from_u32(c as u32 + 1),
        '9' => Some('0'),
        _ => None,
    };
    let changed = text.char_indices().rev().filter_map(|(at, c)| {
        let mut other = text.to_owned();
        other.replace_range(at..at + c.len_utf8(), near(c)?.encode_utf8(&mut [0; 4]));
        Some(other)
    });
    changed.take(4).chain([format!("{text}x")]).map(Value::String).collect()
}

/// What a reader says it would have taken instead: words of a choice, bare or with something in them.
fn offered(fault: &str, leaf: &Value) -> Vec<Value> {
    let Some((_, expected)) = fault.split_once("unknown variant").and_then(|(_, rest)| rest.split_once("expected"))
    else {
        return Vec::new();
    };
    let inside = [json!(2), json!([]), json!(START)];
    let inside = [&inside[..], &others(&json!("00000000-0000-4000-8000-000000000001"))].concat();
    let words: Vec<&str> = expected.split('`').skip(1).step_by(2).filter(|word| leaf != word).collect();
    let with = |word: &str| inside.iter().map(|inside| json!({ word: inside })).collect();
    let filled: Vec<Value> = words.iter().flat_map(|word| -> Vec<Value> { with(word) }).collect();
    [words.into_iter().map(Value::from).collect(), filled].concat()
}

/// Whether another value in one place makes another digest; none when no other can be read there. Texts of one number,
/// such as `0` and `0.00`, are not other values, so all are tried.
fn counts(work: &mut Value, path: &[usize], known: &[Value], digest: Digest) -> Option<bool> {
    let leaf = at(work, path).clone();
    let known = known.iter().filter(|other| **other != leaf).cloned();
    let mut others: VecDeque<Value> = known.chain(others(&leaf)).collect();
    let (mut counts, mut asked) = (None, false);
    while let Some(other) = others.pop_front() {
        *at(work, path) = other;
        match read::<World>(work) {
            Ok(world) => {
                counts = Some(world.digest() != digest);
                if counts == Some(true) {
                    break;
                }
            }
            Err(fault) if !asked => {
                let offered = offered(&fault.to_string(), &leaf);
                asked = !offered.is_empty();
                offered.into_iter().rev().for_each(|other| others.push_front(other));
            }
            Err(_) => {}
        }
    }
    *at(work, path) = leaf;
    counts
}

/// Keeps two of each entry of the market's long histories: a shorter world is read faster.
fn shorten(tree: &mut Value) {
    match tree {
        Value::Object(entries) => entries.values_mut().for_each(shorten),
        Value::Array(items) => {
            items.drain(..items.len().saturating_sub(if items.len() > 100 { 2 } else { 100 }));
            items.iter_mut().for_each(shorten);
        }
        _ => {}
    }
}

#[test]
fn every_field_of_a_world_counts_in_its_digest() {
    let (mut unseen, mut stuck, mut changed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for world in worlds().take(2).chain([charged(), renegotiated()]) {
        let mut work = tree(&world);
        shorten(&mut work);
        let digest = read::<World>(&work).expect("a shorter world").digest();
        let (mut found, mut known) = (BTreeMap::new(), BTreeMap::new());
        leaves(&work, "", &mut Vec::new(), &mut found);
        by_name(&work, "", &mut known);
        for (name, paths) in found {
            let outside = OUTSIDE.iter().any(|outside| name.starts_with(outside));
            if outside || ONE_VALUE.contains(&&*name) || changed.contains(&name) {
                continue;
            }
            let last = paths.last().expect("a name has a place");
            let own = name.trim_end_matches("[]").rsplit('.').next().unwrap_or_default();
            match counts(&mut work, last, known.get(own).map_or(&[], Vec::as_slice), digest) {
                None => stuck.insert(name),
                Some(false) => unseen.insert(name),
                Some(true) => changed.insert(name),
            };
        }
    }
    stuck.retain(|name| !changed.contains(name));
    assert!(unseen.is_empty(), "the digest does not see {unseen:#?}");
    assert!(stuck.is_empty(), "no other value could be read for {stuck:#?}");
    assert!(changed.len() > 300, "only {} fields were tried", changed.len());
}

#[test]
fn worlds_of_this_test_are_not_empty() {
    let world = worlds().next().expect("a world");
    assert!(world.now() > Instant::parse(START).expect("a constant") && !world.events().is_empty());
}
