//! The branches of a world's log as they are shown: what began each, when, and how long it is.
//!
//! Invariant: nothing that is decided looks at it. Absent on purpose: branches that lead to nothing that is kept, which the lineage
//! has forgotten, and those that a fork has from its world, which that one shows.

use super::WorldHandle;
use crate::decision::HostDecision;
use feed::input_log::{Position, at_once};
use feed::lineage::RestoreTarget;
use sim::input::Act;
use sim::time::Instant;

/// What began a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchBegin {
    /// The world's start.
    Start,
    /// The fork that the world is.
    Fork,
    /// A file or a capsule that the world was made from.
    Import,
    /// A reset.
    Reset,
    /// A rewind.
    Rewind,
    /// A snapshot that was restored.
    Restore,
}

impl BranchBegin {
    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Fork => "fork",
            Self::Import => "import",
            Self::Reset => "reset",
            Self::Rewind => "rewind",
            Self::Restore => "restore",
        }
    }
}

/// A part of a world's log that goes on from where the world was put back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldBranch {
    /// What began it.
    pub begin: BranchBegin,
    /// The input that began it; 0 at the world's start.
    pub at: u64,
    /// The input that it continues from: of the world itself, or of the world that it is a fork of.
    pub continues: Option<u64>,
    /// What the clock showed where it begins.
    pub from: Instant,
    /// What the clock showed when the world was put back, or shows now.
    pub to: Instant,
    /// How many inputs it has, as far as they are kept.
    pub inputs: u64,
}

impl WorldHandle {
    /// The branches that are the world's own, in order: the world is on the last one.
    pub fn own_branches(&self) -> Vec<WorldBranch> {
        let (now, last) = {
            let core = self.core();
            (core.world.now(), core.position.0)
        };
        let first = self.identity.fork_of().map(|fork| fork.input);
        let known: Vec<_> = self.lineage().begun_after(Position(first.unwrap_or(0))).to_vec();
        let start = WorldBranch {
            begin: BranchBegin::Start,
            at: 0,
            continues: None,
            from: self.identity.origin().start,
            to: now,
            inputs: 0,
        };
        let mut own: Vec<WorldBranch> = Vec::new();
        own.extend(first.is_none().then_some(start));
        for branch in known {
            let decided = at_once(self.log().input(branch.at)).ok().flatten();
            if let (Some(before), Some(decision)) = (own.last_mut(), &decided) {
                before.to = decision.at;
            }
            let begin = match (branch.restored.to, decided.as_ref().map(|input| &input.act)) {
                _ if first.is_some() && own.is_empty() => BranchBegin::Fork,
                (RestoreTarget::Imported, None) => BranchBegin::Import,
                (_, Some(Act::Surface(words))) => match HostDecision::name(words).as_str() {
                    "Restore" => BranchBegin::Restore,
                    "Reset" => BranchBegin::Reset,
                    _ => BranchBegin::Rewind,
                },
                (RestoreTarget::Start, _) => BranchBegin::Reset,
                (RestoreTarget::Imported | RestoreTarget::Point(_), _) => BranchBegin::Restore,
            };
            own.push(WorldBranch {
                begin,
                at: branch.at.0,
                continues: branch.restored.to.point().map(|point| point.input.0),
                from: branch.restored.now,
                to: now,
                inputs: 0,
            });
        }
        let kept = self.past_begins();
        let mut end = last;
        for branch in own.iter_mut().rev() {
            branch.inputs = end.saturating_sub(branch.at.max(kept));
            end = branch.at.saturating_sub(1);
        }
        own
    }
}
