//! What partners may do to a world that they share: acts that change it for all of them (rule: auth/shared-worlds).
//!
//! Invariant: each act is one row here, and a route that does one names it. Absent on purpose: whether a world is shared,
//! which its host and its server say.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One act that changes a world for everybody in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorldAct {
    /// Dropping the world.
    Drop,
    /// Putting it back to its start.
    Reset,
    /// Putting it back to where it stood.
    Rewind,
    /// Putting it back to a snapshot.
    Restore,
    /// Saying how its time passes.
    Clock,
    /// Letting its time pass.
    Advance,
    /// Changing what it, and the surface before it, decide by.
    Settings,
    /// Keeping, listing and restoring the operator's snapshots.
    Snapshots,
}

/// Every act with its word and what it is.
#[rustfmt::skip]
pub const WORLD_ACTS: [(WorldAct, &str, &str); 8] = [
    (WorldAct::Drop,      "drop",      "drop the world"),
    (WorldAct::Reset,     "reset",     "put the world back to its start"),
    (WorldAct::Rewind,    "rewind",    "rewind the world"),
    (WorldAct::Restore,   "restore",   "put the world back to a snapshot"),
    (WorldAct::Clock,     "clock",     "change how time passes in the world"),
    (WorldAct::Advance,   "advance",   "let time pass in the world"),
    (WorldAct::Settings,  "settings",  "change the settings of the world and of its surface"),
    (WorldAct::Snapshots, "snapshots", "use the operator's snapshots"),
];

impl WorldAct {
    const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// What it is, in words.
    #[must_use]
    pub fn about(self) -> &'static str {
        WORLD_ACTS.iter().find(|(act, ..)| *act == self).map_or("", |(.., about)| about)
    }
}

impl fmt::Display for WorldAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORLD_ACTS.iter().find(|(act, ..)| act == self).map_or("", |(_, word, _)| word))
    }
}

/// Some of the acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<WorldAct>", into = "Vec<WorldAct>")]
pub struct WorldActs(u16);

impl WorldActs {
    /// Whether `act` is one of them.
    #[must_use]
    pub const fn contains(self, act: WorldAct) -> bool {
        self.0 & act.bit() != 0
    }

    /// The acts, in the order of the rows.
    pub fn iter(self) -> impl Iterator<Item = WorldAct> {
        WORLD_ACTS.into_iter().map(|(act, ..)| act).filter(move |act| self.contains(*act))
    }
}

impl FromIterator<WorldAct> for WorldActs {
    fn from_iter<I: IntoIterator<Item = WorldAct>>(acts: I) -> Self {
        Self(acts.into_iter().fold(0, |all, act| all | act.bit()))
    }
}

impl From<Vec<WorldAct>> for WorldActs {
    fn from(acts: Vec<WorldAct>) -> Self {
        acts.into_iter().collect()
    }
}

impl From<WorldActs> for Vec<WorldAct> {
    fn from(acts: WorldActs) -> Self {
        acts.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_read_as_they_are_written_each_once() {
        let all: WorldActs = WORLD_ACTS.into_iter().map(|(act, ..)| act).collect();
        assert_eq!(all.iter().count(), WORLD_ACTS.len());
        for (act, word, about) in WORLD_ACTS {
            assert_eq!((act.to_string().as_str(), act.about()), (word, about));
            let one = WorldActs::from(vec![act, act]);
            assert_eq!(serde_json::to_string(&one).expect("JSON"), format!("[\"{word}\"]"));
            assert_eq!(serde_json::from_str::<WorldActs>(&format!("[\"{word}\"]")).expect("acts"), one);
            assert!(all.contains(act) && !WorldActs::default().contains(act));
        }
    }
}
