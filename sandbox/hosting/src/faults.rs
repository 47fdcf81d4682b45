//! Fault rules: the first rule that matches a request, an event on a socket or an attempt to deliver, and does not let it
//! pass, decides what becomes of it (rule: events/fault-rules).
//!
//! Invariant: with the same rules, the same requests and the same seed, the same ones are hit; a rule of a partner hits
//! what is that partner's and nothing else. Without rules each of them pays for one look at a flag. Absent on purpose: faults of the simulated network, which are turmoil's.

pub mod bundles;
pub mod pattern;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sim::ids::PartnerId;
use sim::rng::{Seed, Stream};

pub use self::pattern::{EventPattern, Pattern};
use deliveries::fault::{DeliveryFault, DueAttempt};
use feed::sockets::Ending;

/// Rules that each owner may have at once in a world.
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
    /// Type of the event that is sent.
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
pub enum FaultEffect {
    /// Answer so without doing anything, with `Retry-After` in seconds where given.
    Answer(#[serde(with = "status")] StatusCode, Option<u32>),
    /// Do it later.
    Delay(Duration),
    /// Break the connection before anything is done.
    DropBefore,
    /// Do it, then break the connection instead of answering.
    DropAfter,
    /// End sockets: where the rule names events, the socket that is about to send one; otherwise do what the request
    /// asks for and end all sockets of the world.
    Sockets(Ending),
    /// No request is hit, but what is delivered.
    Deliveries(DeliveryFault),
}

/// A rule in force.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its number, from 1.
    pub id: u64,
    /// The partner whose requests, sockets and deliveries it is about; `None` means everybody's.
    pub owner: Option<PartnerId>,
    /// Which requests.
    pub on: Match,
    /// What becomes of them.
    pub verdict: FaultEffect,
    /// Those that it was tried on and that fitted its names.
    pub seen: u64,
    /// Those that were hit.
    pub hits: u64,
    dice: Stream,
}

/// What a rule has decided for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What becomes of it.
    pub verdict: FaultEffect,
    /// Whose the rule is.
    pub owner: Option<PartnerId>,
}

/// The rules of one world.
#[derive(Debug, Default)]
pub struct Faults {
    armed: AtomicBool,
    rules: Mutex<Rules>,
    notes: JudgedNotes,
}

/// Where it is noted that a rule was tried on something that fits it: the rule's number, and how often counters had begun anew.
type JudgedNote = dyn Fn(u64, u64) + Send + Sync;

#[derive(Default)]
struct JudgedNotes(OnceLock<Box<JudgedNote>>);

impl fmt::Debug for JudgedNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JudgedNotes").field(&self.0.get().is_some()).finish()
    }
}

#[derive(Debug, Default)]
struct Rules {
    last: u64,
    /// How often the counters of all rules have begun anew.
    era: u64,
    standing: IndexMap<u64, Rule, FxBuildHasher>,
}

impl Faults {
    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What becomes of a request that `partner` makes, if it is known; `None` lets it pass.
    #[must_use]
    pub fn judge(&self, partner: Option<PartnerId>, method: &Method, path: &str) -> Option<Hit> {
        self.first(partner, &Subject::Request { method, path })
    }

    /// How the socket of `partner` ends that is about to send an event; `None` lets it send.
    #[must_use]
    pub fn socket_fault(&self, partner: Option<PartnerId>, event_type: &str) -> Option<Ending> {
        match self.first(partner, &Subject::Event { event_type })?.verdict {
            FaultEffect::Sockets(ending) => Some(ending),
            _ => None,
        }
    }

    /// What becomes of an attempt to deliver; `None` lets it pass.
    #[must_use]
    pub fn delivery_fault(&self, attempt: &DueAttempt<'_>) -> Option<DeliveryFault> {
        match self.first(attempt.partner, &Subject::Delivery(attempt))?.verdict {
            FaultEffect::Deliveries(fault) => Some(fault),
            _ => None,
        }
    }

    fn first(&self, partner: Option<PartnerId>, subject: &Subject<'_>) -> Option<Hit> {
        if !self.are_any() {
            return None;
        }
        let mut rules = self.rules();
        let era = rules.era;
        let mut about = rules.standing.values_mut().filter(|rule| rule.owner.is_none() || rule.owner == partner);
        about.find_map(|rule| {
            if !rule.is_about(subject) || !rule.fits(subject) {
                return None;
            }
            if let Some(note) = self.notes.0.get() {
                note(rule.id, era);
            }
            rule.judge()
        })
    }

    /// Notes with `note`, from now on, what changes the counters of rules. Once.
    pub fn note_judged(&self, note: Box<JudgedNote>) {
        self.notes.0.get_or_init(|| note);
    }

    /// A journal has noted that the rule of this number was tried on something that fits it.
    pub fn redo_judged(&self, id: u64, era: u64) {
        let mut rules = self.rules();
        // What was noted before counters began anew, or a rule was removed, and comes after it, counts for nothing.
        if rules.era == era
            && let Some(rule) = rules.standing.get_mut(&id)
        {
            rule.judge();
        }
    }

    /// Adds rules of `owner` behind the others and answers their numbers; `None`, and no change, when there would be too
    /// many.
    pub fn add(
        &self,
        seed: Seed,
        owner: Option<PartnerId>,
        added: impl IntoIterator<Item = (Match, FaultEffect)>,
    ) -> Option<Vec<u64>> {
        let added: Vec<_> = added.into_iter().collect();
        let mut rules = self.rules();
        let has = rules.standing.values().filter(|rule| rule.owner == owner).count();
        if has + added.len() > MOST_RULES {
            return None;
        }
        let mut numbers = Vec::new();
        for (on, verdict) in added {
            rules.last += 1;
            let id = rules.last;
            let dice = seed.child("fault", id);
            rules.standing.insert(id, Rule { id, owner, on, verdict, seen: 0, hits: 0, dice });
            numbers.push(id);
        }
        self.armed.store(!rules.standing.is_empty(), Ordering::Release);
        Some(numbers)
    }

    /// Removes the rules of `owner`; all of them when it is `None`.
    pub fn clear(&self, owner: Option<PartnerId>) {
        let mut rules = self.rules();
        rules.standing.retain(|_, rule| owner.is_some() && rule.owner != owner);
        self.settle(&mut rules);
    }

    /// Removes a rule; `false` when there is no such rule.
    pub fn remove(&self, id: u64) -> bool {
        let mut rules = self.rules();
        let removed = rules.standing.shift_remove(&id).is_some();
        self.settle(&mut rules);
        removed
    }

    /// Numbers begin anew when there is no rule: later rules draw as if none had been added before.
    fn settle(&self, rules: &mut Rules) {
        if rules.standing.is_empty() {
            rules.last = 0;
            rules.era += 1;
        }
        self.armed.store(!rules.standing.is_empty(), Ordering::Release);
    }

    /// Puts the rules back to how they were when they were added: nothing seen, nothing hit, nothing drawn.
    pub fn begin_anew(&self, seed: Seed) {
        let mut rules = self.rules();
        rules.era += 1;
        for rule in rules.standing.values_mut() {
            (rule.seen, rule.hits, rule.dice) = (0, 0, seed.child("fault", rule.id));
        }
    }

    /// Whether there is any rule.
    #[must_use]
    pub fn are_any(&self) -> bool {
        self.armed.load(Ordering::Acquire)
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
    /// A socket is about to send an event.
    Event { event_type: &'a str },
    /// An attempt to deliver is to be made.
    Delivery(&'a DueAttempt<'a>),
}

impl Rule {
    /// Whether the rule is about such a thing at all.
    const fn is_about(&self, subject: &Subject<'_>) -> bool {
        match (self.verdict, subject) {
            (
                FaultEffect::Deliveries(DeliveryFault::Delay(_) | DeliveryFault::Reorder(_)),
                Subject::Delivery(attempt),
            ) => !attempt.was_put_off,
            (FaultEffect::Deliveries(_), subject) => matches!(subject, Subject::Delivery(_)),
            (FaultEffect::Sockets(_), subject) if self.on.event.is_some() => matches!(subject, Subject::Event { .. }),
            (_, subject) => matches!(subject, Subject::Request { .. }),
        }
    }

    fn fits(&self, subject: &Subject<'_>) -> bool {
        let method_fits = |method| self.on.method.as_ref().is_none_or(|wanted| wanted == method);
        let path_fits = |path| self.on.path.as_ref().is_none_or(|pattern| pattern.matches(path));
        let event_fits = |kind| self.on.event.as_ref().is_none_or(|pattern| pattern.matches(kind));
        match subject {
            Subject::Request { method, path } => method_fits(*method) && path_fits(path),
            Subject::Event { event_type } => event_fits(event_type),
            Subject::Delivery(attempt) => {
                method_fits(&Method::POST) && path_fits(attempt.path) && event_fits(attempt.event_type)
            }
        }
    }

    /// It is tried on something that fits it.
    fn judge(&mut self) -> Option<Hit> {
        self.seen += 1;
        let hit = self.on.times.is_none_or(|times| self.hits < times)
            && self.on.nth.is_none_or(|nth| self.seen == nth)
            && self.on.chance.is_none_or(|chance| self.dice.below(CERTAIN) < chance);
        self.hits += u64::from(hit);
        hit.then_some(Hit { verdict: self.verdict, owner: self.owner })
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

    const BUSY: FaultEffect = FaultEffect::Answer(StatusCode::SERVICE_UNAVAILABLE, None);

    fn one(faults: &Faults, on: Match, verdict: FaultEffect) -> u64 {
        faults.add(Seed(1), None, [(on, verdict)]).expect("room")[0]
    }

    fn hits(on: Match, requests: usize) -> Vec<usize> {
        let faults = Faults::default();
        one(&faults, on, BUSY);
        (1..=requests).filter(|_| faults.judge(None, &Method::GET, "/ping").is_some()).collect()
    }

    fn judge(faults: &Faults, path: &str) -> Option<FaultEffect> {
        faults.judge(None, &Method::POST, path).map(|hit| hit.verdict)
    }

    fn attempt<'a>(path: &'a str, event_type: &'a str) -> DueAttempt<'a> {
        DueAttempt { partner: None, path, event_type, was_put_off: false }
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
        let first = one(&faults, Match { nth: Some(1), ..Match::default() }, FaultEffect::DropBefore);
        let second = one(&faults, Match::default(), BUSY);
        assert_eq!((first, second), (1, 2));
        let judge = || faults.judge(None, &Method::GET, "/").map(|hit| hit.verdict);
        assert_eq!(judge(), Some(FaultEffect::DropBefore));
        assert_eq!(judge(), Some(BUSY));
        assert!(faults.remove(2) && !faults.remove(2));
        assert_eq!(judge(), None);
        assert_eq!(faults.list().iter().map(|rule| (rule.id, rule.seen, rule.hits)).collect::<Vec<_>>(), [(1, 3, 1)]);
        faults.clear(None);
        assert!(faults.list().is_empty());
    }

    /// (rule: events/fault-rules)
    #[test]
    fn rules_about_deliveries_sockets_and_requests_leave_each_other_alone() {
        let faults = Faults::default();
        let at = |path| Match { times: Some(1), path: Some(Pattern::new(path)), ..Match::default() };
        let of = |kind| Match { event: EventPattern::read(kind), ..Match::default() };
        one(&faults, at("/cb"), FaultEffect::Deliveries(DeliveryFault::Refuse));
        one(&faults, Match { nth: Some(2), ..Match::default() }, FaultEffect::Deliveries(DeliveryFault::Fail));
        one(&faults, of("order.*"), FaultEffect::Sockets(Ending::Cut));
        let deliver = |kind| faults.delivery_fault(&attempt("/cb", kind));
        assert_eq!((judge(&faults, "/cb"), faults.socket_fault(None, "account.create")), (None, None));
        assert_eq!(faults.socket_fault(None, "order.update"), Some(Ending::Cut));
        one(&faults, Match::default(), FaultEffect::Sockets(Ending::Stall));
        let outcomes: Vec<_> = ["order.create"; 4].map(deliver).into();
        assert_eq!(outcomes, [Some(DeliveryFault::Refuse), None, Some(DeliveryFault::Fail), None]);
        assert_eq!(judge(&faults, "/cb"), Some(FaultEffect::Sockets(Ending::Stall)));
        assert_eq!(faults.socket_fault(None, "account.create"), None);
    }

    #[test]
    fn a_delivery_is_put_off_once_and_other_rules_still_hold_for_it() {
        let faults = Faults::default();
        let late = DeliveryFault::Reorder(Duration::from_secs(5));
        one(&faults, Match::default(), FaultEffect::Deliveries(late));
        one(&faults, Match::default(), FaultEffect::Deliveries(DeliveryFault::Duplicate));
        let deliver = |was_put_off| faults.delivery_fault(&DueAttempt { was_put_off, ..attempt("/", "order.create") });
        assert_eq!((deliver(false), deliver(true)), (Some(late), Some(DeliveryFault::Duplicate)));
    }

    /// (rule: events/fault-rules)
    #[test]
    fn a_rule_of_a_partner_hits_what_is_its_own_and_leaves_the_others_rules_alone() {
        let faults = Faults::default();
        let [one, other] = [1, 2].map(PartnerId::from_u128);
        let all = |owner, verdict| faults.add(Seed(1), owner, [(Match::default(), verdict)]).expect("room")[0];
        all(Some(one), BUSY);
        let hit = |partner| faults.judge(partner, &Method::GET, "/").map(|hit| hit.owner);
        assert_eq!((hit(Some(one)), hit(Some(other)), hit(None)), (Some(Some(one)), None, None));
        let drop = FaultEffect::Deliveries(DeliveryFault::Drop);
        all(Some(other), drop);
        let silenced =
            |partner| faults.delivery_fault(&DueAttempt { partner, ..attempt("/", "order.create") }).is_some();
        assert_eq!((silenced(Some(one)), silenced(Some(other))), (false, true));
        all(None, FaultEffect::DropBefore);
        assert_eq!((hit(Some(other)), hit(None)), (Some(None), Some(None)), "the operator's is about everybody");
        faults.clear(Some(other));
        assert_eq!(faults.list().iter().map(|rule| rule.id).collect::<Vec<_>>(), [1, 3]);
        faults.clear(None);
        assert!(faults.list().is_empty());
    }

    /// (rule: events/fault-rules)
    #[test]
    fn rules_that_begin_anew_and_rules_that_are_added_after_all_were_removed_hit_the_same_again() {
        let faults = Faults::default();
        let half = || Match { chance: Some(CERTAIN / 2), ..Match::default() };
        let hits = || (0..50).map(|_| judge(&faults, "/").is_some()).collect::<Vec<_>>();
        one(&faults, half(), BUSY);
        let first = hits();
        assert_ne!(hits(), first, "the draws go on");
        faults.begin_anew(Seed(1));
        assert_eq!((faults.list()[0].seen, faults.list()[0].hits), (0, 0));
        assert_eq!(hits(), first);
        faults.clear(None);
        assert_eq!(one(&faults, half(), BUSY), 1);
        assert_eq!(hits(), first);
        assert!(faults.remove(1));
        assert_eq!((one(&faults, half(), BUSY), hits()), (1, first));
    }

    #[test]
    fn the_number_of_rules_is_bounded_and_a_bundle_that_does_not_fit_changes_nothing() {
        let faults = Faults::default();
        let most = vec![(Match::default(), BUSY); MOST_RULES - 1];
        assert_eq!(faults.add(Seed(1), None, most).map(|added| added.len()), Some(MOST_RULES - 1));
        assert_eq!(faults.add(Seed(1), None, vec![(Match::default(), BUSY); 2]), None);
        assert_eq!(faults.add(Seed(1), None, [(Match::default(), BUSY)]).map(|added| added.len()), Some(1));
        assert_eq!(faults.list().len(), MOST_RULES);
    }
}
