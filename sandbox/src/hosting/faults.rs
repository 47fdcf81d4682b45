//! Fault rules: the first rule that matches a request and does not pass decides what becomes of it.
//!
//! Invariant: with the same rules, the same requests and the same seed, the same requests are hit. Without rules a
//! request pays for one look at a flag. Absent on purpose: faults of the simulated network, which are turmoil's.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sim::rng::{Seed, Stream};

/// Rules that may stand at once in a world.
pub const MOST_RULES: usize = 100;

/// Probabilities are counted in millionths.
pub const CERTAIN: u64 = 1_000_000;

/// A path with wildcards: `*` or `{name}` stands for one segment, a last `**` for any rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern from its text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether `path` matches whole.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let mut segments = path.split('/');
        for pattern in self.0.split('/') {
            if pattern == "**" {
                return true;
            }
            let wild = pattern == "*" || (pattern.starts_with('{') && pattern.ends_with('}'));
            match segments.next() {
                Some(segment) if segment == pattern || (wild && !segment.is_empty()) => {}
                _ => return false,
            }
        }
        segments.next().is_none()
    }
}

/// Which requests a rule hits. What is left out matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Method.
    #[serde(with = "method")]
    pub method: Option<Method>,
    /// Path.
    pub path: Option<Pattern>,
    /// Only the request of this number among those that match method and path, from 1.
    pub nth: Option<u64>,
    /// Chance in millionths, drawn from the world's seed and the rule's number.
    pub chance: Option<u64>,
    /// Stop after so many hits.
    pub times: Option<u64>,
}

/// What becomes of a request.
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
    /// Do it, and cut the world's sockets.
    CutSockets,
    /// Do it, and let the world's sockets fall silent.
    StallSockets,
    /// No request is hit, but what is delivered to the receiver at this path.
    Deliveries(DeliveryFault),
}

/// What becomes of an attempt to deliver, instead of making it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeliveryFault {
    /// As if the receiver had answered 400.
    Refuse,
    /// As if there had been no answer.
    Fail,
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
    /// Requests that matched method and path.
    pub seen: u64,
    /// Requests that were hit.
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
        if !self.armed.load(Ordering::Acquire) {
            return None;
        }
        let mut rules = self.rules();
        let mut of_requests = rules.standing.values_mut().filter(|rule| rule.delivery_fault().is_none());
        of_requests.find_map(|rule| rule.judge(method, path))
    }

    /// What becomes of an attempt to deliver to the receiver's `path`; `None` lets it pass.
    #[must_use]
    pub fn delivery_fault(&self, path: &str) -> Option<DeliveryFault> {
        if !self.armed.load(Ordering::Acquire) {
            return None;
        }
        let mut rules = self.rules();
        let mut of_deliveries =
            rules.standing.values_mut().filter_map(|rule| rule.delivery_fault().map(|fault| (rule, fault)));
        of_deliveries.find_map(|(rule, fault)| rule.judge(&Method::POST, path).map(|_| fault))
    }

    /// Adds a rule behind the others and answers its number; `None` when there are too many.
    pub fn add(&self, seed: Seed, on: Match, verdict: Verdict) -> Option<u64> {
        let mut rules = self.rules();
        if rules.standing.len() >= MOST_RULES {
            return None;
        }
        rules.last += 1;
        let id = rules.last;
        let dice = seed.child("fault", id);
        rules.standing.insert(id, Rule { id, on, verdict, seen: 0, hits: 0, dice });
        self.armed.store(true, Ordering::Release);
        Some(id)
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

impl Rule {
    const fn delivery_fault(&self) -> Option<DeliveryFault> {
        match self.verdict {
            Verdict::Deliveries(fault) => Some(fault),
            _ => None,
        }
    }

    fn judge(&mut self, method: &Method, path: &str) -> Option<Verdict> {
        let matches = self.on.method.as_ref().is_none_or(|wanted| wanted == method)
            && self.on.path.as_ref().is_none_or(|pattern| pattern.matches(path));
        if !matches {
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

    #[test]
    fn patterns_match_segment_by_segment() {
        for (pattern, path, matches) in [
            ("/ping", "/ping", true),
            ("/ping", "/ping/", false),
            ("/ping", "/", false),
            ("/a/*/c", "/a/b/c", true),
            ("/a/{id}/c", "/a/b/c", true),
            ("/a/*/c", "/a//c", false),
            ("/a/*", "/a/b/c", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**", "/b/b/c", false),
            ("/**", "/", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(path), matches, "{pattern} {path}");
        }
    }

    fn hits(on: Match, requests: usize) -> Vec<usize> {
        let faults = Faults::default();
        faults.add(Seed(1), on, BUSY).expect("room");
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
        let first = faults.add(Seed(1), Match { nth: Some(1), ..Match::default() }, Verdict::DropBefore);
        let second = faults.add(Seed(1), Match::default(), BUSY);
        assert_eq!((first, second), (Some(1), Some(2)));
        assert_eq!(faults.judge(&Method::GET, "/"), Some(Verdict::DropBefore));
        assert_eq!(faults.judge(&Method::GET, "/"), Some(BUSY));
        assert!(faults.remove(2) && !faults.remove(2));
        assert_eq!(faults.judge(&Method::GET, "/"), None);
        assert_eq!(faults.list().iter().map(|rule| (rule.id, rule.seen, rule.hits)).collect::<Vec<_>>(), [(1, 3, 1)]);
    }

    #[test]
    fn rules_about_deliveries_and_about_requests_leave_each_other_alone() {
        let faults = Faults::default();
        let once = Match { times: Some(1), path: Some(Pattern::new("/cb")), ..Match::default() };
        faults.add(Seed(1), once, Verdict::Deliveries(DeliveryFault::Refuse)).expect("room");
        faults
            .add(Seed(1), Match { nth: Some(2), ..Match::default() }, Verdict::Deliveries(DeliveryFault::Fail))
            .expect("room");
        assert_eq!(faults.judge(&Method::POST, "/cb"), None);
        faults.add(Seed(1), Match::default(), BUSY).expect("room");
        let told: Vec<_> = ["/cb", "/cb", "/cb", "/cb"].map(|path| faults.delivery_fault(path)).into();
        assert_eq!(told, [Some(DeliveryFault::Refuse), None, Some(DeliveryFault::Fail), None]);
        assert_eq!(faults.judge(&Method::POST, "/cb"), Some(BUSY));
    }

    #[test]
    fn the_number_of_rules_is_bounded() {
        let faults = Faults::default();
        let added = (0..=MOST_RULES).filter(|_| faults.add(Seed(1), Match::default(), BUSY).is_some()).count();
        assert_eq!(added, MOST_RULES);
    }
}
