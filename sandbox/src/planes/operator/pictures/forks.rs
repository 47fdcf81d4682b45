//! The family of a world: what it is a fork of, its forks, and the branches of each.
//!
//! Invariant: a partner sees its own world, and snapshots that it may use. Absent on purpose: how they are drawn (`drawing::forks`).

use drawing::forks::{BranchFact, Facts, SnapshotFact, WorldFact};
use hosting::worlds::WorldHandle;

use super::super::request::{Bearer, Target};
use surface::App;

/// The family of the world, or the world alone where a partner asks.
pub(super) fn facts(app: &App, target: &Target) -> Facts {
    let own = target.world.identity.id();
    let seen = match target.bearer {
        Bearer::Operator => app.worlds.all(),
        Bearer::Partner(_) => vec![std::sync::Arc::clone(&target.world)],
    };
    Facts::of(&own.to_string(), seen.iter().map(|world| shown(world, target)).collect())
}

fn shown(world: &WorldHandle, target: &Target) -> WorldFact {
    let branches = world.own_branches();
    let last = branches.len();
    let branch = |(at, branch): (usize, hosting::worlds::WorldBranch)| BranchFact {
        begin: branch.begin.name(),
        input: branch.at,
        continues: branch.continues,
        from: branch.from,
        to: branch.to,
        inputs: branch.inputs,
        present: at + 1 == last,
    };
    let snapshots = world.snapshots.list().into_iter().filter(|(name, _)| target.sees_snapshot(name));
    let snapshot = |(name, at): (hosting::snapshot_name::SnapshotName, sim::time::Instant)| SnapshotFact {
        input: world.snapshots.get(&name).and_then(|kept| kept.origin).map(|(position, _)| position.0),
        name: target.name_of_snapshot(&name),
        at,
    };
    WorldFact {
        id: world.identity.id().to_string(),
        name: world.identity.name().to_string(),
        fork_of: world.identity.fork_of().map(|fork| fork.world.to_string()),
        branches: branches.into_iter().enumerate().map(branch).collect(),
        snapshots: snapshots.map(snapshot).collect(),
    }
}
