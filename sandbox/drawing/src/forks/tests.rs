//! The picture of forks, read back.

use super::{BranchFact, Facts, SnapshotFact, WorldFact};
use crate::frame::{Picture as _, Width};
use sim::time::{Instant, Millis};

fn day(days: i64) -> Instant {
    Instant::parse("2026-03-02T07:00:00Z").expect("an instant").plus(Millis::days(days))
}

fn branch(begin: &'static str, input: u64, continues: Option<u64>, days: [i64; 2], inputs: u64) -> BranchFact {
    BranchFact { begin, input, continues, from: day(days[0]), to: day(days[1]), inputs, present: false }
}

fn world(id: &str, fork_of: Option<&str>, mut branches: Vec<BranchFact>) -> WorldFact {
    branches.last_mut().expect("a branch").present = true;
    let fork_of = fork_of.map(str::to_owned);
    WorldFact { id: id.to_owned(), name: format!("the {id}"), fork_of, branches, snapshots: Vec::new() }
}

fn family() -> Vec<WorldFact> {
    let start = vec![
        branch("start", 0, None, [0, 5], 10),
        branch("rewind", 11, Some(4), [2, 6], 3),
        branch("reset", 15, None, [0, 1], 2),
    ];
    let mut first = world("world-1", None, start);
    first.snapshots.push(SnapshotFact { name: "monday".to_owned(), input: Some(12), at: day(3) });
    vec![
        world("world-9", None, vec![branch("start", 0, None, [0, 1], 1)]),
        world("world-3", Some("world-2"), vec![branch("fork", 8, Some(7), [4, 4], 0)]),
        first,
        world("world-2", Some("world-1"), vec![branch("fork", 6, Some(5), [3, 7], 4)]),
    ]
}

#[test]
fn the_family_of_each_of_its_worlds_is_the_same_and_begins_with_the_first() {
    for of in ["world-1", "world-2", "world-3"] {
        let facts = Facts::of(of, family());
        let ids: Vec<_> = facts.worlds.iter().map(|world| world.id.as_str()).collect();
        assert_eq!(ids, ["world-1", "world-2", "world-3"], "{of}");
    }
    let alone = Facts::of("world-9", family());
    assert_eq!(alone.worlds.len(), 1, "another family is left out");
}

#[test]
fn a_branch_continues_from_the_one_that_its_input_is_on() {
    let facts = Facts::of("world-1", family());
    let continued: Vec<_> = facts.lanes().map(|(world, branch)| facts.continued(world, branch)).collect();
    // The start, its rewind, the reset; the fork of the start, and its fork.
    assert_eq!(continued, [None, Some(0), Some(0), Some(0), Some(3)]);
    let kept = &facts.worlds[0].snapshots[0];
    assert_eq!(facts.branch_of(&facts.worlds[0], kept).map(|branch| branch.input), Some(11));
}

#[test]
fn every_branch_is_drawn_from_its_first_instant_to_its_last_with_its_inputs() {
    let facts = Facts::of("world-2", family());
    for width in [Width::USUAL, Width::PHONE] {
        let svg = facts.svg(width);
        for words in [
            "the world-1: start, 2 Mar 2026 08:00:00, 10 inputs since, until 7 Mar 2026 08:00:00, left",
            "the world-1: rewind from input 4, 4 Mar 2026 08:00:00, 3 inputs since, until 8 Mar 2026 08:00:00, left",
            "the world-2: fork from input 5, 5 Mar 2026 08:00:00, 4 inputs since, until 9 Mar 2026 08:00:00",
            "snapshot monday, 5 Mar 2026 08:00:00",
        ] {
            assert!(svg.contains(&format!("<title>{words}</title>")), "{words} in {svg}");
        }
    }
    let text = facts.text();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("snapshot monday") && text.contains("a fork of world-1"), "{text}");
}

#[test]
fn more_branches_than_can_be_drawn_are_counted() {
    let branches = (0..40).map(|at| branch("rewind", at * 2, (at > 0).then_some(at), [0, 1], 1)).collect();
    let facts = Facts::of("world-1", vec![world("world-1", None, branches)]);
    let drawn = facts.lanes().count();
    assert!(facts.subtitle().ends_with(&format!("{} branches not shown", 40 - drawn)), "{}", facts.subtitle());
    assert!(facts.lanes().last().is_some_and(|(_, last)| last.present), "the present one is drawn");
}
