//! The picture of a difference, read back.

use super::{DifferenceFact, DifferenceKind, Facts, TopicCount, WorldSide};
use crate::frame::{Picture as _, Width};
use sim::time::{Instant, Millis};

fn hour(hours: i64) -> Instant {
    Instant::parse("2026-03-02T07:00:00Z").expect("an instant").plus(Millis::minutes(60 * hours))
}

fn side(name: &str, now: Instant) -> WorldSide {
    WorldSide { id: name.to_owned(), name: name.to_owned(), now }
}

fn facts() -> Facts {
    let one = |id: &str, kind, hours: Option<i64>| DifferenceFact {
        resource: "order",
        id: id.to_owned(),
        kind,
        at: hours.map(hour),
        fields: if kind == DifferenceKind::Changed { vec!["status".to_owned()] } else { Vec::new() },
    };
    let topics = vec![
        TopicCount { resource: "order", alike: 4, only_here: 3, only_there: 1, changed: 2 },
        TopicCount { resource: "client", alike: 3, only_here: 0, only_there: 0, changed: 0 },
    ];
    let all = vec![
        one("late", DifferenceKind::OnlyHere, Some(300)),
        one("near", DifferenceKind::OnlyHere, Some(301)),
        one("undated", DifferenceKind::OnlyHere, None),
        one("there", DifferenceKind::OnlyThere, Some(100)),
        one("first", DifferenceKind::Changed, Some(2)),
        one("second", DifferenceKind::Changed, Some(200)),
    ];
    Facts::of(side("present", hour(400)), side("fork", hour(90)), topics, all)
}

#[test]
fn differences_are_listed_by_their_first_instant_and_counted_by_kind() {
    let text = facts().text();
    let order: Vec<_> =
        ["first", "there", "second", "late", "near", "undated"].map(|id| text.find(&format!("order {id},"))).to_vec();
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{text}");
    assert!(text.contains("not known when"), "{text}");
    assert!(text.lines().any(|line| line.split_whitespace().eq(["order", "3", "1", "2", "4"])), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn marks_have_their_instants_and_near_ones_are_one_with_their_number() {
    for width in [Width::USUAL, Width::PHONE] {
        let svg = facts().svg(width);
        for words in [
            "2 Mar 2026 10:00:00: order first, changed: status",
            "6 Mar 2026 12:00:00: order there, only there",
            "14 Mar 2026 20:00:00: order late, only here; order near, only here",
        ] {
            assert!(svg.contains(&format!("<title>{words}</title>")), "{words} in {svg}");
        }
        for count in ["3 only here", "1 only there", "2 changed"] {
            assert!(svg.contains(count), "{count}");
        }
        assert!(!svg.contains(">\nclient"), "a kind that does not differ has no lane");
    }
}

#[test]
fn worlds_without_a_difference_say_so() {
    let facts = Facts::of(side("one", hour(1)), side("other", hour(1)), Vec::new(), Vec::new());
    assert!(facts.svg(Width::PHONE).contains("No resource differs."));
}
