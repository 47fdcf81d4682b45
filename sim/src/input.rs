//! The one way in: what can change a world, as the log of its inputs keeps it.
//!
//! Invariant: (setup, seed, start, inputs in order) is a world, to the last bit, in every process and build that knows
//! its rules. Absent on purpose: the log itself, and what the words of a host's decision mean.

use crate::command::Command;
use crate::digest::{Digest, digest_of};
use crate::ids::{ClientId, RequestId};
use crate::records::Permissions;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::settings::Settings;
use crate::store::Map;
use crate::time::Instant;
use crate::timers::{Happening, Timer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// How the rest is to be read: [`Input::FORMAT`].
    pub format: u16,
    /// The request: one that is repeated gets the answer that it got before.
    pub request: Option<RequestId>,
    /// When; the world's now where that is later.
    pub at: Instant,
    /// What is to happen.
    pub act: Act,
}

/// What is to happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Act {
    /// A command.
    Apply(Box<Command>),
    /// Time passes.
    Advance,
    /// Time passes, until so much work is done at the most: a long way in short pieces (rule: calendar/slices). A timer is one
    /// piece of work, and so is each record of a timer that concerns many.
    AdvanceBy(u32),
    /// The world follows other settings from now on.
    Configure(Arc<Settings>),
    /// A client may do other things from now on (rule: clients/client-permissions).
    Permit(ClientId, Box<Permissions>),
    /// Whether a client's partner may only instruct withdrawals that the customer has signed, from now on
    /// (rule: journeys/sign-withdrawal).
    RequireSignatures(ClientId, bool),
    /// The host has decided something for the world, in its own words. The world only takes note of the instant.
    Surface(Arc<str>),
}

impl Input {
    /// The only format there is.
    pub const FORMAT: u16 = 1;

    /// An input of the present format that nobody repeats.
    #[must_use]
    pub const fn new(at: Instant, act: Act) -> Self {
        Self { format: Self::FORMAT, request: None, at, act }
    }
}

/// The outcome of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOutcome {
    /// A command's answer; the one given before where the request was taken before.
    Applied(Result<Reply, Refusal>),
    /// What happened while time passed.
    Advanced(Vec<Happening>),
    /// Settings or permissions changed, or a decision was noted.
    Noted,
    /// The format is not known here; nothing has changed.
    Unreadable,
}

/// The cause of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cause {
    /// Number of the input in the log; 0 is the opening of the world.
    pub input: u64,
    /// What in it.
    pub by: Origin,
}

/// What in an input caused an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// The input's own act, with its request if it names one.
    Request(Option<RequestId>),
    /// A timer that fired when the input moved the clock.
    Timer(Timer),
}

impl Cause {
    /// The opening of a world.
    pub const OPENING: Self = Self { input: 0, by: Origin::Request(None) };
}

/// The rules by which a world decides. A world that was begun by rules of another version would continue differently, so
/// a build makes and continues worlds of its own rules alone (`Setup::check`), and only reads what was made by earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct RulesVersion(u32);

impl RulesVersion {
    /// The rules of this build.
    pub const CURRENT: Self = Self(1);
    /// The rules of builds that are older than the first that was released.
    pub const BEFORE_THE_FIRST: Self = Self(0);
}

impl TryFrom<u32> for RulesVersion {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, String> {
        if version <= Self::CURRENT.0 {
            Ok(Self(version))
        } else {
            Err(format!("rules of version {version} are not known here"))
        }
    }
}

impl From<RulesVersion> for u32 {
    fn from(version: RulesVersion) -> Self {
        version.0
    }
}

/// How many answered requests a world remembers.
pub const REMEMBERED: usize = 256;

/// The last accepted requests with their answers, oldest first. Refused ones are not remembered, since a refusal changes
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct RememberedAnswers {
    order: VecDeque<(RequestKey, Reply)>,
    /// Position of each, counted from the first that was ever remembered.
    places: Map<RequestKey, u64>,
    forgotten: u64,
}

/// A request and what it asked: the same id with another command is another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct RequestKey {
    request: RequestId,
    command: Digest,
}

impl RequestKey {
    pub(crate) fn new(request: RequestId, command: &Command) -> Self {
        Self { request, command: digest_of(command) }
    }
}

impl RememberedAnswers {
    pub(crate) fn get(&self, asked: RequestKey) -> Option<&Reply> {
        let place = self.places.get(&asked)? - self.forgotten;
        self.order.get(usize::try_from(place).ok()?).map(|(_, reply)| reply)
    }

    pub(crate) fn remember(&mut self, asked: RequestKey, reply: Reply) {
        self.places.insert(asked, self.forgotten + self.order.len() as u64);
        self.order.push_back((asked, reply));
        if self.order.len() > REMEMBERED
            && let Some((oldest, _)) = self.order.pop_front()
        {
            self.forgotten += 1;
            self.places.swap_remove(&oldest);
        }
    }
}

impl Hash for RememberedAnswers {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Places follow from the order; how many were forgotten changes no answer.
        let Self { order, places: _, forgotten: _ } = self;
        order.hash(state);
    }
}

impl Serialize for RememberedAnswers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.order.serialize(to)
    }
}

impl<'de> Deserialize<'de> for RememberedAnswers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut answered = Self::default();
        for (asked, reply) in Vec::deserialize(from)? {
            answered.remember(asked, reply);
        }
        Ok(answered)
    }
}
