//! What the picture of forks shows: worlds of one family, each with the branches of its log and its snapshots.
//!
//! Invariant: a world is right after the world that it is a fork of, and its other forks; a branch after the one that it continues
//! from was left. Absent on purpose: how branches are found, which is the server's.

use crate::frame::time_axis::in_words;
use serde::Serialize;
use sim::time::Instant;

/// Most worlds, and most branches of one world, that are drawn: the last ones of it.
const MOST_WORLDS: usize = 24;
const MOST_BRANCHES: usize = 10;

/// A branch of a world's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BranchFact {
    /// What began it, in a word.
    pub begin: &'static str,
    /// The input that began it; 0 at a start.
    pub input: u64,
    /// The input that it continues from, of its own world or of the world that it is a fork of.
    pub continues: Option<u64>,
    /// What the clock showed at its beginning.
    pub from: Instant,
    /// What it showed when the world left it, or shows now.
    pub to: Instant,
    /// How many inputs it has.
    pub inputs: u64,
    /// Whether the world is on it.
    pub present: bool,
}

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotFact {
    /// Its name.
    pub name: String,
    /// The input after which it was kept; none where it came from elsewhere.
    pub input: Option<u64>,
    /// What its clock shows.
    pub at: Instant,
}

/// A world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorldFact {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The world that it is a fork of.
    pub fork_of: Option<String>,
    /// In order; the world is on the last one.
    pub branches: Vec<BranchFact>,
    /// In the order in which they were kept.
    pub snapshots: Vec<SnapshotFact>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The world whose family it is.
    world: String,
    pub(super) worlds: Vec<WorldFact>,
    /// Worlds of the family that are not shown.
    worlds_left_out: usize,
    /// Branches of shown worlds that are not shown.
    branches_left_out: usize,
}

impl Facts {
    /// The family of the world with that id among `all`, in which every id is once: itself, what it is a fork of, and their forks.
    #[must_use]
    pub fn of(world: &str, all: Vec<WorldFact>) -> Self {
        let parent = |of: &str| {
            let own = all.iter().find(|known| known.id == of)?.fork_of.as_deref()?;
            all.iter().find(|known| known.id == own).map(|known| known.id.as_str())
        };
        // A world is made after the world that it is a fork of, so this ends.
        let mut root = world;
        while let Some(before) = parent(root) {
            root = before;
        }
        let mut worlds = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let mut forks: Vec<_> = all.iter().filter(|known| known.fork_of.as_deref() == Some(id)).collect();
            forks.sort_by_key(|fork| std::cmp::Reverse(fork.branches.first().and_then(|begin| begin.continues)));
            open.extend(forks.into_iter().map(|fork| fork.id.as_str()));
            worlds.extend(all.iter().find(|known| known.id == id).cloned());
        }
        let worlds_left_out = worlds.len().saturating_sub(MOST_WORLDS);
        worlds.truncate(MOST_WORLDS);
        let mut branches_left_out = 0;
        for world in &mut worlds {
            let more = world.branches.len().saturating_sub(MOST_BRANCHES);
            // The first one is where others begin.
            world.branches.drain(1..(1 + more).min(world.branches.len().max(1)));
            branches_left_out += more;
        }
        Self { world: world.to_owned(), worlds, worlds_left_out, branches_left_out }
    }

    /// Every branch, with its world.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (&WorldFact, &BranchFact)> {
        self.worlds.iter().flat_map(|world| world.branches.iter().map(move |branch| (world, branch)))
    }

    /// The place among `lanes` of the branch that one continues from, if it is shown.
    pub(super) fn continued(&self, world: &WorldFact, branch: &BranchFact) -> Option<usize> {
        let is_first = world.branches.first().is_some_and(|first| first.input == branch.input);
        let place = |id: &str, before: u64, point: u64| {
            let own = self
                .lanes()
                .enumerate()
                .filter(|(_, (world, it))| world.id == id && it.input <= point && it.input < before);
            own.last().map(|(at, _)| at)
        };
        match (branch.continues, world.fork_of.as_deref()) {
            (None, _) if is_first => None,
            (None, _) => place(&world.id, branch.input, 0).or_else(|| place(&world.id, branch.input, u64::MAX)),
            (Some(point), Some(parent)) if is_first => place(parent, u64::MAX, point),
            (Some(point), parent) => place(&world.id, branch.input, point).or_else(|| place(parent?, u64::MAX, point)),
        }
    }

    /// The branch of its world that a snapshot was kept on.
    pub(super) fn branch_of<'f>(&self, world: &'f WorldFact, snapshot: &SnapshotFact) -> Option<&'f BranchFact> {
        let input = snapshot.input?;
        world.branches.iter().rev().find(|branch| branch.input <= input)
    }

    pub(super) fn title(&self) -> String {
        let own = self.worlds.iter().find(|known| known.id == self.world);
        format!("Forks and branches of {}", own.map_or(self.world.as_str(), |own| &own.name))
    }

    pub(super) fn subtitle(&self) -> String {
        let many = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        let snapshots = self.worlds.iter().map(|world| world.snapshots.len()).sum();
        let mut parts = vec![
            many(self.worlds.len(), "world", "worlds"),
            many(self.lanes().count(), "branch", "branches"),
            many(snapshots, "snapshot", "snapshots"),
        ];
        if self.worlds_left_out + self.branches_left_out > 0 {
            let worlds = many(self.worlds_left_out, "world", "worlds");
            parts.push(format!("{worlds} and {} not shown", many(self.branches_left_out, "branch", "branches")));
        }
        parts.join("  ·  ")
    }

    /// What the picture shows, for those who do not see it.
    pub(super) fn description(&self) -> String {
        let mut text = format!("{}.", self.subtitle());
        for (world, branch) in self.lanes() {
            text.push_str(&format!(" {}: {}.", world.name, branch_in_words(branch)));
        }
        text
    }
}

/// When something was, to the minute of the day.
pub(super) fn when(at: Instant) -> String {
    format!("{} {}", in_words(at.local_date()), crate::frame::time_axis::clock(at))
}

/// A branch: what began it, from where, and how long it is.
pub(super) fn branch_in_words(branch: &BranchFact) -> String {
    let from = branch.continues.map(|input| format!(" from input {input}")).unwrap_or_default();
    let inputs = if branch.inputs == 1 { "1 input".to_owned() } else { format!("{} inputs", branch.inputs) };
    let left = if branch.present { "" } else { ", left" };
    format!("{}{from}, {}, {inputs} since, until {}{left}", branch.begin, when(branch.from), when(branch.to))
}
