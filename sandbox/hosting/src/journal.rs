//! The journal of a server: all that its worlds can be made again from, in the order in which it happened.
//!
//! Invariant: everything that can change an answer later is an entry, with its instants, ids and counts in it, so that doing
//! the entries again, in order, makes the same worlds; an entry holds no secret but what an operator has written into a webhook.
//! Absent on purpose: where entries are kept (`fundsim serve --data` hands in a file), and doing them again, which is
//! `worlds/recovery.rs`. Not in it, so lost with the process: the request log, the recording, metrics, open sockets.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sim::Input;
use sim::ids::PartnerId;
use sim::setup::Setup;
use sim::time::Instant;

use crate::clock::Mode;
use crate::credentials::Kept;
use crate::setup::SurfaceSetup;
use crate::world_id::WorldId;
use deliveries::change::Change;
use feed::input_log::{About, Keeper, LogError, Pending, Position};
use feed::lineage::Point;
use feed::transport::{TransportClock, TransportTime};
use wire::error::ApiError;

/// Keeps entries outside of the process.
pub trait Journal: Send + Sync {
    /// Takes an entry when this is called; the order of calls is the order of the journal. Answers when the entry is kept, whether
    /// that is waited for or not.
    fn append(&self, entry: Vec<u8>) -> Pending<'static, ()>;

    /// Why it keeps nothing more, if it has failed.
    fn failure(&self) -> Option<String>;
}

/// How entries are written: another form has another number.
pub const FORMAT: u16 = 1;

/// One entry.
#[derive(Serialize, Deserialize)]
pub struct Entry<'a> {
    /// When it was made, by transport time.
    pub at: TransportTime,
    /// What happened.
    #[serde(borrow)]
    pub what: What<'a>,
}

/// What happened.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What<'a> {
    /// A server began to work with the journal.
    Started {
        /// The rules of its build. Each world has rules of its own, which are in its setup.
        rules: u32,
        /// Whether paced clocks had stopped since the entry before it.
        clocks_stood: bool,
    },
    /// A server has ended as it should.
    Stopped,
    /// A world was made.
    #[serde(borrow)]
    Made(Box<MadeEntry<'a>>),
    /// A world was made as a fork.
    Forked(Box<ForkedEntry>),
    /// A world was dropped: its number.
    Dropped(u64),
    /// The log of a world has another input.
    #[serde(borrow)]
    Input(InputEntry<'a>),
    /// A partner of a world was given a token. The token is made of its count.
    Issued {
        /// The world's number.
        world: u64,
        /// The partner.
        partner: PartnerId,
        /// The count.
        count: u64,
        /// What it may do.
        rights: u32,
        /// When it ends.
        expires: TransportTime,
        /// Whether that is by the world's clock.
        by_world: bool,
    },
    /// A fault rule was tried on something that fits it.
    Judged {
        /// The world's number.
        world: u64,
        /// The rule's.
        rule: u64,
        /// How often the counters of rules had begun anew.
        era: u64,
    },
    /// Something happened to the deliveries of a world.
    Delivery(u64, Change),
    /// A world as it was after what is before this: a build of other rules can begin with that.
    #[serde(borrow)]
    Snapshot(Box<SnapshotEntry<'a>>),
    /// A world continues from its last snapshot, by other rules.
    Adopted {
        /// The world's number.
        world: u64,
        /// The rules.
        rules: u32,
    },
    /// Worlds were left out that had been dropped.
    Numbered {
        /// The highest of their numbers.
        last: u64,
        /// How many had been made.
        made: u64,
        /// The last request that they had an input of.
        requests: u64,
        /// Numbers of other worlds whose secrets they had.
        brought: Vec<u64>,
    },
}

impl What<'_> {
    fn into_owned(self) -> What<'static> {
        match self {
            Self::Made(made) => What::Made(Box::new(made.into_owned())),
            Self::Snapshot(snapshot) => {
                let SnapshotEntry { made, shows, counts } = *snapshot;
                What::Snapshot(Box::new(SnapshotEntry { made: made.into_owned(), shows, counts }))
            }
            Self::Input(InputEntry { world, position, request, route: pattern, input }) => What::Input(InputEntry {
                world,
                position,
                request,
                route: pattern.map(|pattern| Cow::Borrowed(route(&pattern))),
                input: Cow::Owned(input.into_owned()),
            }),
            Self::Started { rules, clocks_stood } => What::Started { rules, clocks_stood },
            Self::Stopped => What::Stopped,
            Self::Forked(forked) => What::Forked(forked),
            Self::Dropped(world) => What::Dropped(world),
            Self::Issued { world, partner, count, rights, expires, by_world } => {
                What::Issued { world, partner, count, rights, expires, by_world }
            }
            Self::Judged { world, rule, era } => What::Judged { world, rule, era },
            Self::Delivery(world, change) => What::Delivery(world, change),
            Self::Adopted { world, rules } => What::Adopted { world, rules },
            Self::Numbered { last, made, requests, brought } => What::Numbered { last, made, requests, brought },
        }
    }

    /// The number of the world that it happened to; none when it is about the server.
    #[must_use]
    pub fn world(&self) -> Option<u64> {
        match self {
            Self::Started { .. } | Self::Stopped | Self::Numbered { .. } => None,
            Self::Made(made) => Some(made.world),
            Self::Snapshot(snapshot) => Some(snapshot.made.world),
            Self::Forked(fork) => Some(fork.world),
            Self::Input(InputEntry { world, .. })
            | Self::Dropped(world)
            | Self::Issued { world, .. }
            | Self::Judged { world, .. }
            | Self::Delivery(world, _)
            | Self::Adopted { world, .. } => Some(*world),
        }
    }
}

/// What is known of an entry that this build cannot read, as far as it says that as all entries do.
#[derive(Debug, Default)]
pub struct Unreadable {
    /// When it was made.
    pub at: Option<TransportTime>,
    /// What happened, by its word.
    pub what: String,
    /// The number of the world that it is about.
    pub world: Option<u64>,
    /// The number of the request that caused it.
    pub request: Option<u64>,
}

impl Unreadable {
    /// Reads what can be read.
    #[must_use]
    pub fn of(entry: &[u8]) -> Self {
        let Ok(Value::Object(entry)) = serde_json::from_slice(entry) else { return Self::default() };
        let at = entry.get("at").and_then(Value::as_u64).map(TransportTime);
        let Some((what, about)) = entry.get("what").and_then(Value::as_object).and_then(|what| what.iter().next())
        else {
            return Self { at, ..Self::default() };
        };
        let world = match about {
            Value::Array(parts) => parts.first(),
            Value::Object(fields) => fields.get("world").or_else(|| fields.get("made")?.get("world")),
            number => Some(number),
        };
        let request = about.get("request").and_then(Value::as_u64);
        Self { at, what: what.clone(), world: world.and_then(Value::as_u64), request }
    }
}

/// A world as it was made.
#[derive(Serialize, Deserialize)]
pub struct MadeEntry<'a> {
    /// Its number.
    pub world: u64,
    /// Its name.
    pub name: Arc<str>,
    /// Its seed.
    pub seed: u64,
    /// Where its clock began.
    pub start: Instant,
    /// Its setup.
    #[serde(with = "written")]
    pub setup: Arc<Setup>,
    /// How its time passes.
    pub mode: Mode,
    /// What the surface before it starts with.
    pub surface: SurfaceSetup,
    /// What its partners' credentials are made from.
    pub credentials: Kept,
    /// Of a fork that continues from a snapshot: the partner that made it, and the number of the world that it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maker: Option<(u64, PartnerId)>,
    /// The snapshot file that it was taken in from, where it did not begin at its start.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Cow<'a, RawValue>>,
}

impl MadeEntry<'_> {
    fn into_owned(self) -> MadeEntry<'static> {
        let Self { world, name, seed, start, setup, mode, surface, credentials, maker, snapshot } = self;
        let snapshot = snapshot.map(|file| Cow::Owned(file.into_owned()));
        MadeEntry { world, name, seed, start, setup, mode, surface, credentials, maker, snapshot }
    }
}

/// A world as it was at a moment.
#[derive(Serialize, Deserialize)]
pub struct SnapshotEntry<'a> {
    /// As if it had been made so.
    #[serde(borrow)]
    pub made: MadeEntry<'a>,
    /// What its clock showed, where that was paced.
    pub shows: Option<Instant>,
    /// How much had been made of the server's key, which makes nothing twice.
    pub counts: Counts,
}

/// How much a world has made of the server's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Tokens.
    pub tokens: u64,
    /// Webhooks and their keys.
    pub webhooks: u64,
    /// Test messages.
    pub tests: u64,
}

/// A world as it was forked.
#[derive(Serialize, Deserialize)]
pub struct ForkedEntry {
    /// Its number.
    pub world: u64,
    /// Its name.
    pub name: Arc<str>,
    /// The number of the world that it was forked from.
    pub of: u64,
    /// The point of that one's past that it began from.
    pub point: Point,
    /// How its time passes.
    pub mode: Mode,
    /// What the surface before it starts with.
    pub surface: SurfaceSetup,
    /// The partner that made it, and the number of the world that this one was made in.
    pub maker: Option<(u64, PartnerId)>,
}

/// An input with its place.
#[derive(Serialize, Deserialize)]
pub struct InputEntry<'a> {
    /// The world's number.
    pub world: u64,
    /// The place.
    pub position: Position,
    /// The number of the request that caused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u64>,
    /// The pattern of the route that answered that.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub route: Option<Cow<'a, str>>,
    /// The input.
    pub input: Cow<'a, Input>,
}

impl Entry<'_> {
    /// An entry as the journal keeps it, with a copy of all that it has.
    ///
    /// # Errors
    /// When it is no entry that this build knows.
    pub fn read(entry: &[u8]) -> serde_json::Result<Entry<'static>> {
        let Entry { at, what } = serde_json::from_slice(entry)?;
        Ok(Entry { at, what: what.into_owned() })
    }

    /// As the journal keeps it.
    ///
    /// # Panics
    /// When JSON refuses it: a bug.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data with texts for keys is JSON")
    }
}

/// Says what happened, to the journal of a server that has one.
#[derive(Clone)]
pub struct Writer {
    journal: Arc<dyn Journal>,
    clock: TransportClock,
}

impl Writer {
    /// Writes to `journal`, by `clock`.
    #[must_use]
    pub fn new(journal: Arc<dyn Journal>, clock: TransportClock) -> Self {
        Self { journal, clock }
    }

    /// Appends what happens now.
    pub fn append(&self, what: What<'_>) -> Pending<'static, ()> {
        self.append_at(self.clock.now(), what)
    }

    /// Appends what happened at `at`.
    pub(crate) fn append_at(&self, at: TransportTime, what: What<'_>) -> Pending<'static, ()> {
        self.journal.append(Entry { at, what }.write())
    }

    /// Why nothing more is kept, if the journal has failed.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.journal.failure()
    }

    /// Keeps the inputs of a world.
    #[must_use]
    pub fn keeper(&self, world: WorldId) -> Arc<dyn Keeper> {
        Arc::new(WorldKeeper { writer: self.clone(), world: world.number() })
    }
}

struct WorldKeeper {
    writer: Writer,
    world: u64,
}

impl Keeper for WorldKeeper {
    fn keep(&self, position: Position, input: &Input, about: About) -> Pending<'static, ()> {
        let About { received, request } = about;
        let (request, route) = request.unzip();
        let entry = InputEntry {
            world: self.world,
            position,
            request,
            route: route.flatten().map(Cow::Borrowed),
            input: Cow::Borrowed(input),
        };
        self.writer.append_at(received, What::Input(entry))
    }
}

/// The pattern of a route that a journal names; patterns are few, and each is kept once for good.
#[must_use]
pub fn route(pattern: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    match known.get(pattern) {
        Some(known) => known,
        None => {
            let pattern: &'static str = Box::leak(pattern.into());
            known.insert(pattern);
            pattern
        }
    }
}

/// The answer of a server whose log or journal does not keep what a request asks for.
pub fn not_kept(fault: LogError) -> ApiError {
    ApiError::unavailable(format!("the world accepts no input: {fault}"))
}

/// The answer of a world that cannot be made again from what the journal has of it.
#[must_use]
pub fn unreadable(why: &str) -> ApiError {
    ApiError::unavailable(format!("this world cannot be made again from what is kept of it: {why}"))
}

/// How long a caller waits for a journal.
pub const PATIENCE: Duration = Duration::from_secs(5);
