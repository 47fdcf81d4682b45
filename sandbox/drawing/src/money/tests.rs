//! The picture of money, read back: what is drawn is what the books say.

use super::{Facts, Period};
use crate::frame::{Picture as _, Width};
use hosting::testing::Hosted;
use serde_json::Value;
use sim::World;
use sim::query::books;
use sim::time::{Instant, Millis, parse_date};
use std::collections::BTreeMap;
use testing::Now as _;

/// A world with accounts that have cash, bought, and waited for a week.
fn world() -> World {
    let hosted = Hosted::new();
    for _ in 0..12 {
        let account = hosted.account(0);
        hosted.subscribe(0, account);
    }
    hosted.account(1);
    let goal = hosted.world.last_now().plus(Millis::days(7));
    while !hosted.world.jump(goal, &mut Vec::new()).now().expect("a jump") {}
    hosted.world.copy().expect("a world")
}

fn facts(world: &World, days: [Option<&str>; 2]) -> Facts {
    let [from, to] = days.map(|day| day.map(|day| parse_date(day).expect("a date")));
    Facts::of(world, Period::of_days(from, to), |_| true, true)
}

/// Öre of a number or a figure: `1 234.50` is 123450.
fn ore(figure: &str) -> i64 {
    let digits = figure.replace(['\u{a0}', ' '], "").replace('−', "-");
    let (whole, rest) = digits.split_once('.').unwrap_or((&digits, "00"));
    format!("{whole}{rest:0<2}").parse().expect("a figure")
}

fn amount(value: &Value) -> i64 {
    ore(&value.to_string())
}

fn list<'j>(json: &'j Value, name: &str) -> &'j Vec<Value> {
    json[name].as_array().expect("a list")
}

#[test]
fn the_ledger_of_the_picture_is_that_of_the_books() {
    let world = world();
    let json = serde_json::to_value(facts(&world, [None, None])).expect("JSON");
    let books = books(&world, |_| true, true);
    let rows = books.platform.iter().map(|(role, entry)| (role.name(), *entry));
    let investors = [("investors", books.of_investors())];
    let mut seen = 0;
    for (account, entry) in rows.chain(investors) {
        let line = list(&json, "ledger").iter().find(|line| line["account"] == account).expect("every one");
        let [received, paid, after] = ["received", "paid", "after"].map(|name| amount(&line[name]));
        let expected = [entry.credit, entry.debit, entry.balance()].map(|sum| ore(&sum.to_string()));
        assert_eq!([received, paid, after], expected, "{account}");
        seen += received;
    }
    assert!(seen > 0, "there is money");
}

#[test]
fn what_comes_into_a_node_is_what_leaves_it_in_every_period() {
    let world = world();
    for days in
        [[None, None], [Some("2026-03-03"), None], [None, Some("2026-03-02")], [Some("2026-03-04"), Some("2026-03-05")]]
    {
        let json = serde_json::to_value(facts(&world, days)).expect("JSON");
        let mut sums: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
        for flow in list(&json, "flows") {
            sums.entry(flow["from"].as_str().expect("an id")).or_default()[1] += amount(&flow["amount"]);
            sums.entry(flow["to"].as_str().expect("an id")).or_default()[0] += amount(&flow["amount"]);
        }
        assert!(!list(&json, "nodes").is_empty(), "{days:?}");
        for node in list(&json, "nodes") {
            let [came, went] = sums[node["id"].as_str().expect("an id")];
            let drawn = amount(&node["amount"]);
            assert_eq!(came.max(went), drawn, "{days:?} {node}");
            if node["column"] == 2 {
                assert_eq!(came, went, "{days:?} {node}");
            }
        }
    }
}

#[test]
fn periods_that_follow_each_other_sum_up_to_the_whole() {
    let world = world();
    let sums = |days| {
        let json = serde_json::to_value(facts(&world, days)).expect("JSON");
        let line = list(&json, "ledger").iter().find(|line| line["account"] == "fundOrders").expect("one").clone();
        ["before", "received", "after"].map(|name| amount(&line[name]))
    };
    let [_, first, middle] = sums([None, Some("2026-03-03")]);
    let [before, second, end] = sums([Some("2026-03-04"), None]);
    let [nothing, all, after] = sums([None, None]);
    assert_eq!((middle, end, nothing, first + second), (before, after, 0, all));
}

/// The places of a picture that say what they are: their heights and their words.
fn spots(svg: &str) -> Vec<(i64, String)> {
    let number = |rect: &str| {
        let rest = rect.split_once("height=\"")?.1;
        rest.split_once('"')?.0.parse::<i64>().ok()
    };
    let spot = |part: &str| {
        let (rect, rest) = part.split_once("><title>")?;
        Some((number(rect)?, rest.split_once("</title>")?.0.to_owned()))
    };
    svg.split("<rect ").filter_map(spot).collect()
}

#[test]
fn every_flow_is_drawn_as_high_as_its_amount_and_says_it() {
    let world = world();
    let facts = facts(&world, [None, None]);
    let json = serde_json::to_value(&facts).expect("JSON");
    let spots = spots(&facts.svg(Width::USUAL));
    let amount_in = |words: &str| {
        let (_, figure) = words.split_once(": ").expect("an amount");
        ore(figure.split_once(" SEK").expect("SEK").0)
    };
    let most = spots.iter().map(|(_, words)| amount_in(words)).max().expect("spots");
    let highest = spots.iter().map(|(high, _)| *high).max().expect("spots");
    for (high, words) in &spots {
        let expected = i128::from(amount_in(words)) * i128::from(highest) / i128::from(most);
        assert!((i128::from(*high) - expected).abs() <= 2, "{words} is {high} high, not {expected}");
    }
    let names: BTreeMap<_, _> = list(&json, "nodes").iter().map(|node| (node["id"].as_str(), &node["name"])).collect();
    for flow in list(&json, "flows") {
        let ends = ["from", "to"].map(|end| names[&flow[end].as_str()].as_str().expect("a name"));
        let words = format!("{} to {}: ", ends[0], ends[1]);
        let found: Vec<_> = spots.iter().filter(|(_, spot)| spot.starts_with(&words)).collect();
        assert_eq!(found.len(), 2, "{words}");
        assert!(found.iter().all(|(_, spot)| amount_in(spot) == amount(&flow["amount"])), "{words}");
    }
}

#[test]
fn accounts_beyond_the_most_share_a_node_and_that_is_written() {
    let facts = facts(&world(), [None, None]);
    for words in [facts.svg(Width::USUAL), facts.text()] {
        assert!(words.contains("3 accounts summed up as others"), "{words}");
    }
    assert!(facts.svg(Width::PHONE).contains("13 accounts"), "a phone has one node for all of them");
}

#[test]
fn a_text_has_every_amount_and_no_line_is_longer_than_a_hundred_columns() {
    let facts = facts(&world(), [None, None]);
    let json = serde_json::to_value(&facts).expect("JSON");
    let text = facts.text();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let written: Vec<i64> = text
        .lines()
        .filter_map(|line| line.rsplit_once("  "))
        .filter(|(_, figure)| figure.contains('.'))
        .map(|(_, figure)| ore(figure))
        .collect();
    for flow in list(&json, "flows") {
        assert!(written.contains(&amount(&flow["amount"])), "{flow} in {text}");
    }
}

#[test]
fn a_world_without_money_says_so() {
    let hosted = Hosted::new();
    let world = hosted.world.copy().expect("a world");
    let facts = Facts::of(&world, Period::of_days(None, None), |_| false, false);
    assert!(facts.svg(Width::PHONE).contains("Nothing to draw"));
    assert!(world.now() > Instant::MIN);
}
