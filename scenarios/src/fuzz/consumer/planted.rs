//! Faults between service and consumer that only tests can plant, to prove that the judge can fail.
//!
//! Invariant: the service and the consumer know nothing of them. Absent on purpose: faults of the world.

use crate::consumer::follow::Post;
use serde_json::{Value as Json, json};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// The first cash transaction that a socket would tell of is not told.
    FirstTransactionOfASocketLost,
    /// The id of an event depends on the connection that it comes by.
    IdDiffersByConnection,
    /// An event tells of a change that is not kept.
    ToldBeforeItIsKept,
    /// The first post after one that came late is lost, and the sender does not know.
    PostLost,
    /// Posts that come a second time are signed with a secret that is no longer good.
    ReplaySignedWithTheOldSecret,
}

static BY_SEED: Mutex<Vec<(u64, Planted)>> = Mutex::new(Vec::new());

fn by_seed() -> MutexGuard<'static, Vec<(u64, Planted)>> {
    BY_SEED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plants `fault` in runs of `seed`, until the guard is dropped.
#[must_use]
pub fn plant_in_runs_of(seed: u64, fault: Planted) -> Guard {
    by_seed().push((seed, fault));
    Guard(seed)
}

/// Ends a planting.
#[derive(Debug)]
pub struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        by_seed().retain(|(seed, _)| *seed != self.0);
    }
}

/// What is planted in runs of `seed`.
pub(super) fn of(seed: u64) -> Option<Planted> {
    by_seed().iter().find(|(planted, _)| *planted == seed).map(|(_, fault)| *fault)
}

impl Planted {
    /// The fault on the socket of this number, from 1.
    pub(super) const fn on(self, socket: u32) -> OnSocket {
        OnSocket { fault: self, socket, events: 0, has_lost: false }
    }

    /// What is left of posts, of which so many came before.
    pub(super) fn spoil_posts(self, before: usize, posts: Vec<Post>) -> Vec<Post> {
        let numbered = (before..).zip(posts);
        match self {
            Self::PostLost => numbered.filter(|(number, _)| number % 5 != 4).map(|(_, post)| post).collect(),
            Self::ReplaySignedWithTheOldSecret => numbered
                .map(|(number, post)| {
                    let signatures = if number % 5 == 4 { "v1,b2xk".to_owned() } else { post.signatures.clone() };
                    Post { signatures, ..post }
                })
                .collect(),
            _ => numbered.map(|(_, post)| post).collect(),
        }
    }
}

/// A fault on one socket.
#[derive(Debug)]
pub(super) struct OnSocket {
    fault: Planted,
    socket: u32,
    events: u32,
    has_lost: bool,
}

impl OnSocket {
    /// What is left of a message; `None` when nothing is.
    pub(super) fn spoil(&mut self, mut message: Json) -> Option<Json> {
        let Some(id) = message.get("eventId").and_then(Json::as_str).map(str::to_owned) else { return Some(message) };
        self.events += 1;
        match self.fault {
            Planted::FirstTransactionOfASocketLost
                if message["eventType"] == "cashTransaction.create" && !self.has_lost =>
            {
                self.has_lost = true;
                return None;
            }
            Planted::IdDiffersByConnection => message["eventId"] = json!(format!("{id}-{}", self.socket)),
            Planted::ToldBeforeItIsKept if self.events == 3 && message["eventType"] == "order.create" => {
                message["payload"]["current"]["id"] = json!("00000000-0000-4000-8000-000000000000");
            }
            _ => {}
        }
        Some(message)
    }
}
