//! Fault rules: the first rule that matches a request, an event on a socket or an attempt to deliver, and does not let it
//! pass, decides what becomes of it (rule: events/fault-rules).
//!
//! Invariant: with the same rules, the same requests and the same seed, the same ones are hit. Without rules each of them
//! pays for one look at a flag. Absent on purpose: faults of the simulated network, which are turmoil's.

pub mod bundles;
pub mod pattern;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sim::rng::{Seed, Stream};

pub use self::pattern::{EventPattern, Pattern};
use crate::hosting::feed::Ending;

/// Rules that may stand at once in a world.
pub const MOST_RULES: usize = 100;

/// Probabilities are counted in millionths.
pub const CERTAIN: u64 = 1_000_000;

/// What a rule hits. What is left out matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Method.
    #[serde(with = "method")]
    pub method: Option<Method>,
    /// Path of the request, or of the receiver that is delivered to.
    pub path: Option<Pattern>,
    /// Type of the event that is told.
    pub event: Option<EventPattern>,
    /// Only the one of this number among those that match so far, from 1.
    pub nth: Option<u64>,
    /// Chance in millionths, drawn from the world's seed and the rule's number.
    pub chance: Option<u64>,
    /// Stop after so many hits.
    pub times: Option<u64>,
}

/// What becomes of what is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Answer so without doing anything, with `Retry-After` in seconds where given.
    Answer(#[serde(with = "status")] StatusCode, Option<u32>),
    /// Do it later.
    Delay(Duration),
    /// Break the connection before anything is done.
    DropBefore,
    /// Do it, then break the connection instead of answering.
    DropAfter,
    /// End sockets: where the rule names events, the socket that is about to tell of one; otherwise do what the request
    /// asks for and end all sockets of the world.
    Sockets(Ending),
    /// No request is hit, but what is delivered.
    Deliveries(DeliveryFault),
}

/// What becomes of an attempt to deliver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeliveryFault {
    /// It is not sent, as if the receiver had answered 400.
    Refuse,
    /// It is not sent, as if there had been no answer.
    Fail,
    /// It is not sent and counts as received: something before the receiver has taken it and lost it.
    Drop,
    /// It is sent twice.
    Duplicate,
    /// It is sent so much later, and what comes behind it waits.
    Delay(Duration),
    /// It is sent so much later, and what comes behind it may overtake it.
    Reorder(Duration),
    /// It is sent with a signature that is not its own.
    CorruptSignature,
}

impl DeliveryFault {
    /// As rules name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Fail => "fail",
            Self::Drop => "drop",
            Self::Duplicate => "duplicate",
            Self::Delay(_) => "delay",
            Self::Reorder(_) => "reorder",
            Self::CorruptSignature => "corruptSignature",
        }
    }
}

/// A rule that stands.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its number, from 1.
    pub id: u64,
    /// Which requests.
    pub on: Match,
    /// What becomes of them.
    pub verdict: Verdict,
    /// Those that it was tried on and that fitted its names.
    pub seen: u64,
    /// Those that were hit.
    pub hits: u64,
    dice: Stream,
}

/// The rules of one world.
#[derive(Debug, Default)]
pub struct Faults {
    armed: AtomicBool,
    rules: Mutex<Rules>,
}

#[derive(Debug, Default)]
struct Rules {
    last: u64,
    standing: IndexMap<u64, Rule, FxBuildHasher>,
}

impl Faults {
    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What becomes of a request; `None` lets it pass.
    #[must_use]
    pub fn judge(&self, method: &Method, path: &str) -> Option<Verdict> {
        self.first(&Subject::Request { method, path })
    }

    /// What becomes of the socket that is about to tell of an event; `None` lets it be told.
    #[must_use]
    pub fn socket_fault(&self, event_type: &str) -> Option<Ending> {
        match self.first(&Subject::Told { event_type })? {
            Verdict::Sockets(ending) => Some(ending),
            _ => None,
        }
    }

    /// What becomes of an attempt to deliver an event to the receiver's `path`; `None` lets it pass. `again` when the same
    /// delivery was put off by a rule before: it is not put off twice.
    #[must_use]
    pub fn delivery_fault(&self, path: &str, event_type: &str, again: bool) -> Option<DeliveryFault> {
        match self.first(&Subject::Delivery { path, event_type, again })? {
            Verdict::Deliveries(fault) => Some(fault),
            _ => None,
        }
    }

    fn first(&self, subject: &Subject<'_>) -> Option<Verdict> {
        if !self.armed.load(Ordering::Acquire) {
            return None;
        }
        self.rules().standing.values_mut().find_map(|rule| rule.judge(subject))
    }

    /// Adds rules behind the others and answers their numbers; `None`, and no change, when there would be too many.
    pub fn add(&self, seed: Seed, added: impl IntoIterator<Item = (Match, Verdict)>) -> Option<Vec<u64>> {
        let added: Vec<_> = added.into_iter().collect();
        let mut rules = self.rules();
        if rules.standing.len() + added.len() > MOST_RULES {
            return None;
        }
        let mut numbers = Vec::new();
        for (on, verdict) in added {
            rules.last += 1;
            let id = rules.last;
            rules.standing.insert(id, Rule { id, on, verdict, seen: 0, hits: 0, dice: seed.child("fault", id) });
            numbers.push(id);
        }
        self.armed.store(!rules.standing.is_empty(), Ordering::Release);
        Some(numbers)
    }

    /// Removes all rules.
    pub fn clear(&self) {
        let mut rules = self.rules();
        rules.standing.clear();
        self.armed.store(false, Ordering::Release);
    }

    /// Removes a rule; `false` when there is no such rule.
    pub fn remove(&self, id: u64) -> bool {
        let mut rules = self.rules();
        let removed = rules.standing.shift_remove(&id).is_some();
        self.armed.store(!rules.standing.is_empty(), Ordering::Release);
        removed
    }

    /// The rules in the order in which they are tried.
    #[must_use]
    pub fn list(&self) -> Vec<Rule> {
        self.rules().standing.values().cloned().collect()
    }
}

/// What is about to happen.
enum Subject<'a> {
    /// A request is to be worked on.
    Request { method: &'a Method, path: &'a str },
    /// A socket is to tell of an event.
    Told { event_type: &'a str },
    /// An attempt to deliver is to be made.
    Delivery { path: &'a str, event_type: &'a str, again: bool },
}

impl Rule {
    /// Whether the rule is about such a thing at all.
    const fn is_about(&self, subject: &Subject<'_>) -> bool {
        match (self.verdict, subject) {
            (
                Verdict::Deliveries(DeliveryFault::Delay(_) | DeliveryFault::Reorder(_)),
                Subject::Delivery { again, .. },
            ) => !*again,
            (Verdict::Deliveries(_), subject) => matches!(subject, Subject::Delivery { .. }),
            (Verdict::Sockets(_), subject) if self.on.event.is_some() => matches!(subject, Subject::Told { .. }),
            (_, subject) => matches!(subject, Subject::Request { .. }),
        }
    }

    fn fits(&self, subject: &Subject<'_>) -> bool {
        let method_fits = |method| self.on.method.as_ref().is_none_or(|wanted| wanted == method);
        let path_fits = |path| self.on.path.as_ref().is_none_or(|pattern| pattern.matches(path));
        let event_fits = |kind| self.on.event.as_ref().is_none_or(|pattern| pattern.matches(kind));
        match subject {
            Subject::Request { method, path } => method_fits(*method) && path_fits(path),
            Subject::Told { event_type } => event_fits(event_type),
            Subject::Delivery { path, event_type, .. } => {
                method_fits(&Method::POST) && path_fits(path) && event_fits(event_type)
            }
        }
    }

    fn judge(&mut self, subject: &Subject<'_>) -> Option<Verdict> {
        if !self.is_about(subject) || !self.fits(subject) {
            return None;
        }
        self.seen += 1;
        let hit = self.on.times.is_none_or(|times| self.hits < times)
            && self.on.nth.is_none_or(|nth| self.seen == nth)
            && self.on.chance.is_none_or(|chance| self.dice.below(CERTAIN) < chance);
        self.hits += u64::from(hit);
        hit.then_some(self.verdict)
    }
}

/// A method as records keep it.
mod method {
    use super::{Deserialize, Method, Serialize};
    use serde::{Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(method: &Option<Method>, to: S) -> Result<S::Ok, S::Error> {
        method.as_ref().map(Method::as_str).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Method>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

/// A status as records keep it.
mod status {
    use super::{Deserialize, Serialize, StatusCode};
    use serde::{Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
        status.as_u16().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StatusCode, D::Error> {
        StatusCode::from_u16(u16::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSY: Verdict = Verdict::Answer(StatusCode::SERVICE_UNAVAILABLE, None);

    fn one(faults: &Faults, on: Match, verdict: Verdict) -> u64 {
        faults.add(Seed(1), [(on, verdict)]).expect("room")[0]
    }

    fn hits(on: Match, requests: usize) -> Vec<usize> {
        let faults = Faults::default();
        one(&faults, on, BUSY);
        (1..=requests).filter(|_| faults.judge(&Method::GET, "/ping").is_some()).collect()
    }

    #[test]
    fn rules_count_what_matches_them() {
        let get = || Match { method: Some(Method::GET), ..Match::default() };
        assert_eq!(hits(Match::default(), 3), [1, 2, 3]);
        assert_eq!(hits(Match { nth: Some(2), ..get() }, 4), [2]);
        assert_eq!(hits(Match { times: Some(2), ..get() }, 4), [1, 2]);
        assert_eq!(hits(Match { method: Some(Method::POST), ..Match::default() }, 3), [0; 0]);
        assert_eq!(hits(Match { path: Some(Pattern::new("/pong")), ..get() }, 3), [0; 0]);
        assert_eq!(hits(Match { chance: Some(0), ..get() }, 100), [0; 0]);
        assert_eq!(hits(Match { chance: Some(CERTAIN), ..get() }, 3), [1, 2, 3]);
    }

    #[test]
    fn chance_comes_from_the_seed() {
        let half = || Match { chance: Some(CERTAIN / 2), ..Match::default() };
        let first = hits(half(), 1_000);
        assert_eq!(first, hits(half(), 1_000));
        assert!((300..700).contains(&first.len()), "{}", first.len());
    }

    #[test]
    fn the_first_rule_that_hits_decides_and_rules_can_be_removed() {
        let faults = Faults::default();
        let first = one(&faults, Match { nth: Some(1), ..Match::default() }, Verdict::DropBefore);
        let second = one(&faults, Match::default(), BUSY);
        assert_eq!((first, second), (1, 2));
        assert_eq!(faults.judge(&Method::GET, "/"), Some(Verdict::DropBefore));
        assert_eq!(faults.judge(&Method::GET, "/"), Some(BUSY));
        assert!(faults.remove(2) && !faults.remove(2));
        assert_eq!(faults.judge(&Method::GET, "/"), None);
        assert_eq!(faults.list().iter().map(|rule| (rule.id, rule.seen, rule.hits)).collect::<Vec<_>>(), [(1, 3, 1)]);
        faults.clear();
        assert!(faults.list().is_empty());
    }

    /// (rule: events/fault-rules)
    #[test]
    fn rules_about_deliveries_sockets_and_requests_leave_each_other_alone() {
        let faults = Faults::default();
        let at = |path| Match { times: Some(1), path: Some(Pattern::new(path)), ..Match::default() };
        let of = |kind| Match { event: EventPattern::read(kind), ..Match::default() };
        one(&faults, at("/cb"), Verdict::Deliveries(DeliveryFault::Refuse));
        one(&faults, Match { nth: Some(2), ..Match::default() }, Verdict::Deliveries(DeliveryFault::Fail));
        one(&faults, of("order.*"), Verdict::Sockets(Ending::Cut));
        let deliver = |kind| faults.delivery_fault("/cb", kind, false);
        assert_eq!((faults.judge(&Method::POST, "/cb"), faults.socket_fault("account.create")), (None, None));
        assert_eq!(faults.socket_fault("order.update"), Some(Ending::Cut));
        one(&faults, Match::default(), Verdict::Sockets(Ending::Stall));
        let told: Vec<_> = ["order.create"; 4].map(deliver).into();
        assert_eq!(told, [Some(DeliveryFault::Refuse), None, Some(DeliveryFault::Fail), None]);
        assert_eq!(faults.judge(&Method::POST, "/cb"), Some(Verdict::Sockets(Ending::Stall)));
        assert_eq!(faults.socket_fault("account.create"), None);
    }

    #[test]
    fn a_delivery_is_put_off_once_and_other_rules_still_hold_for_it() {
        let faults = Faults::default();
        let late = DeliveryFault::Reorder(Duration::from_secs(5));
        one(&faults, Match::default(), Verdict::Deliveries(late));
        one(&faults, Match::default(), Verdict::Deliveries(DeliveryFault::Duplicate));
        let deliver = |again| faults.delivery_fault("/", "order.create", again);
        assert_eq!((deliver(false), deliver(true)), (Some(late), Some(DeliveryFault::Duplicate)));
    }

    #[test]
    fn the_number_of_rules_is_bounded_and_a_bundle_that_does_not_fit_changes_nothing() {
        let faults = Faults::default();
        let most = vec![(Match::default(), BUSY); MOST_RULES - 1];
        assert_eq!(faults.add(Seed(1), most).map(|added| added.len()), Some(MOST_RULES - 1));
        assert_eq!(faults.add(Seed(1), vec![(Match::default(), BUSY); 2]), None);
        assert_eq!(faults.add(Seed(1), [(Match::default(), BUSY)]).map(|added| added.len()), Some(1));
        assert_eq!(faults.list().len(), MOST_RULES);
    }
}
