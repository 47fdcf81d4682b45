//! The requests to a world and its answers since its start, for writing them as a scenario.
//!
//! Invariant: what is kept is a whole beginning, in the order in which it was carried out: once the bound is reached nothing more
//! is kept, and the rest is counted. Bodies are as they were, since a story has to send them again; the writer of the scenario leaves
//! secrets out. Absent on purpose: reads of the machinery, which change nothing and are part of no session; requests for
//! tokens; the language of scenarios, which a server is given with its configuration (`ScenarioWriter`).
//!
//! Exchanges have the order in which they had their turn at the world's lock (`current` notes it), and `recordingBytes` bounds
//! them. `surface::service::listener` decides what is part of a session. When a world is put back, its recording forgets what is undone; a
//! fork begins with the exchanges that led to it.

pub mod masks;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::Method;
use bytes::Bytes;
use serde_json::Value;
use sim::ids::{ClientId, JourneyId, MobilePaymentId, PartnerId};
use sim::setup::Setup;
use sim::time::Instant;

use self::masks::{GivenOut, Masks};
use crate::current::Turn;
use feed::input_log::Position;
use feed::lineage::{Branch, Lineage, RestoreTarget};

/// Writes what was seen as a scenario file. It lets others have their turn on the way.
pub type ScenarioWriter = fn(Session) -> Pin<Box<dyn Future<Output = String> + Send>>;

/// One request with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The `request-id` of the answer.
    pub id: u64,
    /// When the world was asked.
    pub turn: Turn,
    /// Who sent a request.
    pub by: Requester,
    /// Method.
    pub method: Method,
    /// Path and query.
    pub target: Box<str>,
    /// The content type that the request declared.
    pub content_type: Option<Box<str>>,
    /// What was sent.
    pub sent: Option<Bytes>,
    /// Whether more was sent than is kept of a body.
    pub is_cut: bool,
    /// Status of the answer; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// What was answered, where it is text and not too long.
    pub answered: Option<Bytes>,
    /// Where the answer leads.
    pub location: Option<Box<str>>,
}

/// Who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A caller with a token of this partner.
    Partner(PartnerId),
    /// A person on the pages of a journey of this partner.
    Person(PartnerId, JourneyId),
    /// A payer on the page of a mobile payment of this partner.
    Payer(PartnerId, MobilePaymentId),
    /// The operator, or a caller without a token.
    Operator,
}

impl Requester {
    /// Whose business it is; the operator's is everybody's.
    #[must_use]
    pub const fn partner(self) -> Option<PartnerId> {
        match self {
            Self::Partner(partner) | Self::Person(partner, _) | Self::Payer(partner, _) => Some(partner),
            Self::Operator => None,
        }
    }
}

impl Exchange {
    fn weight(&self) -> usize {
        let bodies = self.sent.iter().chain(&self.answered).map(Bytes::len).sum::<usize>();
        let words = [&self.content_type, &self.location].into_iter().flatten().map(|text| text.len()).sum::<usize>();
        size_of::<Self>() + self.target.len() + bodies + words
    }

    /// Whose room it takes: time passes for everybody, so moves of the clock are nobody's.
    fn takes_room_of(&self) -> Option<PartnerId> {
        self.by.partner().filter(|_| !self.is_advance())
    }

    /// What of a world's machinery it is about, such as `clock/advance`.
    #[must_use]
    pub fn machinery(&self) -> Option<&str> {
        let rest = self.target.strip_prefix("/_sandbox/worlds/")?;
        rest.split(['?', '#']).next()?.split_once('/').map(|(_, what)| what)
    }

    /// Whether it moves the clock.
    #[must_use]
    pub fn is_advance(&self) -> bool {
        self.machinery() == Some("clock/advance")
    }

    /// Whether the answer is a good one.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// Whether it has changed something: the world, or the server's parts for it.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.turn.is_own && !self.status.is_some_and(|status| (400..500).contains(&status))
    }

    fn is_about(&self, noun: &str) -> bool {
        self.machinery().is_some_and(|what| what.split('/').next() == Some(noun))
    }

    /// Whether it is about the server's parts for the world, and stays when the world is put back.
    fn is_of_surroundings(&self) -> bool {
        SURROUNDINGS.iter().any(|noun| self.is_about(noun))
    }

    /// Whether it adds rules that count what they see.
    fn counts(&self) -> bool {
        const COUNTING: [&str; 4] = ["\"nth\"", "\"times\"", "\"probability\"", "\"name\""];
        let sent = self.sent.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        self.is_about(FAULTS) && self.is_good() && COUNTING.iter().any(|word| sent.contains(word))
    }
}

const FAULTS: &str = "faults";
const WEBHOOKS: &str = "webhooks";
/// What stays as it is when a world is put back, and what a fork begins without.
const SURROUNDINGS: [&str; 2] = [FAULTS, WEBHOOKS];

/// All that is known of a session.
#[derive(Clone, Debug)]
pub struct Session {
    /// The world's name.
    pub name: Arc<str>,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// The setup as it was given, as far as the caller may see it; `None` is the demo world.
    pub setup: Option<Arc<Value>>,
    /// The partners with their clients, in the order of the setup.
    pub partners: Vec<(PartnerId, Vec<ClientId>)>,
    /// In the order in which they were carried out.
    pub exchanges: Vec<Arc<Exchange>>,
    /// How many more there were.
    pub left_out: LeftOut,
    /// Why the recording does not begin with the world.
    pub gap: Option<&'static str>,
    /// What else a reader has to know.
    pub notes: Vec<&'static str>,
    /// Whose part of a shared world it is; all of it where nobody is named.
    pub part_of: Option<PartnerId>,
    /// Whether some of the machinery is refused to partners, who in a story may do everything.
    pub is_shared: bool,
    /// What the world has given out that nobody else may read.
    pub masks: Masks,
}

/// How many exchanges are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// They came when there was no more room.
    pub no_room: u64,
    /// They are another partner's.
    pub foreign: u64,
    /// Whether one of those has changed something.
    pub has_effect: bool,
}

/// The exchanges of a world.
#[derive(Debug, Default)]
pub struct Recording {
    kept: Mutex<Kept>,
    /// Held while the recording is written: by one caller at a time.
    pub telling: tokio::sync::Mutex<()>,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    setup: Option<Arc<Value>>,
    exchanges: Vec<Arc<Exchange>>,
    /// How much room each partner has taken, and callers that are none.
    shares: BTreeMap<Option<PartnerId>, Share>,
    gap: Option<&'static str>,
    notes: Vec<&'static str>,
    /// The worlds that this one was forked from.
    given_out: Vec<GivenOut>,
}

/// What a partner has taken of its room: one that takes all of it leaves the others theirs (rule: auth/quotas).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    bytes: usize,
    /// Exchanges that found no room: the input that the first came after, and how many.
    rest: Option<(u64, u64)>,
}

/// How far a world has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The last input that led there; time may have passed after it, or stopped within it.
    pub input: u64,
    /// What the clock shows.
    pub now: Instant,
}

/// Where a fork leaves its world.
#[derive(Clone, Copy, Debug)]
pub struct Forked {
    /// How far the world had come there.
    pub at: Reached,
    /// Whether that is on a branch which the world had left.
    pub is_abandoned: bool,
    /// The input after which the fork continues.
    pub continues_after: u64,
}

impl Reached {
    /// Where a world was put back to, if it was to a point that it had passed.
    fn by(branch: &Branch) -> Option<Self> {
        let now = branch.restored.now;
        branch.restored.to.point().map(|point| Self { input: point.input.0, now })
    }

    /// Whether a turn was no later than this.
    fn has_seen(self, turn: Turn) -> bool {
        turn.input <= self.input && turn.now <= self.now
    }
}

/// The world was not made here.
const TAKEN_IN: &str = "the world was imported with its present state";
/// Where it was put back to is on a way that was left before.
const OTHER_WAY: &str = "the world was restored to a branch that an earlier rewind had left";
/// The setup is that of the parts.
const KNOWN_BY_PARTS: &str = "its setup is known by its parts only";
/// Rules that stay begin to count anew, and those of a story do not.
const COUNTED: &str =
    "fault rules that stayed count anew since the world was put back, so that what they hit may not pass";
/// Nobody knows whether it set rules that stay.
const UNKNOWN_RULES: &str = "what found no room before the world was put back may have set fault rules or webhooks";
/// The setup of others is left out.
const PART_OF_SETUP: &str = "the setup's other partners are left out";
impl Recording {
    /// Of a world as it is after this input.
    #[must_use]
    pub fn since(input: u64) -> Self {
        let gap = (input > 0).then_some(TAKEN_IN);
        Self { kept: Mutex::new(Kept { gap, ..Kept::default() }), telling: tokio::sync::Mutex::new(()) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world was made from this setup. Credentials that it names are left out: a story that is played again has its own, and
    /// a secret is nobody's to read (rule: auth/named-credentials).
    pub fn begins_with(&self, setup: Option<Value>) {
        self.kept().setup = setup.map(crate::setup::without_credentials).map(Arc::new);
    }

    /// The world is a fork of another; it has no fault rules and no webhooks.
    pub fn go_on_from(&self, other: &Self, from: Forked, given_out: impl IntoIterator<Item = GivenOut>) {
        let Forked { at: place, is_abandoned, continues_after } = from;
        let mut kept = other.kept().clone();
        if is_abandoned {
            kept.gap = Some(OTHER_WAY);
        }
        kept.exchanges.retain(|exchange| place.has_seen(exchange.turn));
        kept.shares.values_mut().for_each(|share| share.end_at(Some(place)));
        kept.begin_without_surroundings(place);
        kept.count_on_from(continues_after);
        kept.weigh();
        kept.given_out.extend(given_out);
        *self.kept() = kept;
    }

    /// How many exchanges are kept, and how many found no room.
    #[must_use]
    pub fn extent(&self) -> (usize, u64) {
        let kept = self.kept();
        (kept.exchanges.len(), kept.shares.values().filter_map(|share| share.rest).map(|(_, count)| count).sum())
    }

    /// How many bytes of a body are worth keeping, with at most so many for all of a partner's.
    #[must_use]
    pub fn room(&self, partner: Option<PartnerId>, most: usize) -> usize {
        let share = self.kept().shares.get(&partner).copied().unwrap_or_default();
        if share.rest.is_some() { 0 } else { most.saturating_sub(share.bytes) }
    }

    /// Notes an exchange, with at most so many bytes for all of a partner's. The world may have been put back since its turn.
    pub fn note(&self, exchange: Exchange, most: usize, lineage: &Lineage) {
        let mut kept = self.kept();
        let since = lineage.begun_after(Position(exchange.turn.input));
        let Some(exchange) = since.iter().try_fold(Arc::new(exchange), put_back) else { return };
        let weight = exchange.weight();
        let share = kept.shares.entry(exchange.takes_room_of()).or_default();
        if let Some((_, count)) = &mut share.rest {
            *count += 1;
        } else if share.bytes + weight > most {
            share.rest = Some((exchange.turn.input, 1));
        } else {
            share.bytes += weight;
            kept.exchanges.push(exchange);
        }
    }

    /// The world was put back: by the present branch of its lineage.
    pub fn restored(&self, lineage: &Lineage) {
        let Some(branch) = lineage.present() else { return };
        let mut kept = self.kept();
        if kept.exchanges.iter().any(|exchange| exchange.counts()) {
            kept.say(COUNTED);
        }
        match branch.restored.to {
            RestoreTarget::Start | RestoreTarget::Imported => kept.gap = None,
            RestoreTarget::Point(_) if branch.is_abandoned => kept.gap = Some(OTHER_WAY),
            RestoreTarget::Point(_) => {}
        }
        let exchanges = std::mem::take(&mut kept.exchanges).into_iter();
        kept.exchanges = exchanges.filter_map(|exchange| put_back(exchange, branch)).collect();
        let before = kept.shares.clone();
        kept.shares.values_mut().for_each(|share| share.end_at(Reached::by(branch)));
        if kept.shares != before {
            kept.say(UNKNOWN_RULES);
        }
        kept.weigh();
    }

    /// The world is one that was made elsewhere.
    pub fn is_imported(&self) {
        self.kept().gap = Some(TAKEN_IN);
    }

    /// The worlds that this one was forked from, and what they had given out by then.
    #[must_use]
    pub fn given_out(&self) -> Vec<GivenOut> {
        self.kept().given_out.clone()
    }

    /// The recording as the caller may see it, in the order of execution.
    #[must_use]
    pub fn session(&self, recorded: RecordedWorld<'_>) -> Session {
        let kept = self.kept().clone();
        let Kept { setup, mut exchanges, shares, gap, mut notes, .. } = kept;
        let RecordedWorld { name, seed, start, setup: made_from, mut partners, part_of, is_shared, masks } = recorded;
        let mut left_out = LeftOut::default();
        exchanges.retain(|exchange| {
            // Time passes for everybody.
            let is_seen = part_of.is_none_or(|own| exchange.by.partner() == Some(own))
                || (exchange.is_advance() && exchange.is_good());
            left_out.foreign += u64::from(!is_seen);
            left_out.has_effect |= !is_seen && exchange.has_effect();
            is_seen
        });
        for (whose, share) in shares {
            let Some((end, count)) = share.rest.filter(|_| part_of.is_none() || whose.is_none() || whose == part_of)
            else {
                continue;
            };
            let before = exchanges.len();
            // A story goes as far as all of it is kept.
            exchanges.retain(|exchange| exchange.takes_room_of() == whose || exchange.turn.input < end);
            left_out.no_room += count + (before - exchanges.len()) as u64;
        }
        in_order(&mut exchanges);
        let is_known = setup.is_some() || *made_from == crate::setup::demo();
        let gap = gap.or_else(|| (!is_known).then_some(KNOWN_BY_PARTS));
        let own = part_of.and_then(|own| partners.iter().position(|(partner, _)| *partner == own));
        let setup = setup.map(|setup| match own.and_then(|own| without_others(&setup, own)) {
            Some(part) => {
                partners.retain(|(partner, _)| Some(*partner) == part_of);
                notes.push(PART_OF_SETUP);
                Arc::new(part)
            }
            None => setup,
        });
        Session {
            name: Arc::clone(name),
            seed,
            start,
            setup,
            partners,
            exchanges,
            left_out,
            gap,
            notes,
            part_of,
            is_shared,
            masks,
        }
    }
}

/// As they were carried out: those that change nothing have seen what the input before them has made.
fn in_order(exchanges: &mut [Arc<Exchange>]) {
    exchanges.sort_by_key(|exchange| (exchange.turn.input, !exchange.turn.is_own));
}

/// A setup with one of its partners only; `None` where it has no other.
fn without_others(setup: &Value, own: usize) -> Option<Value> {
    let partners = setup.get("partners")?.as_array().filter(|partners| partners.len() > 1)?;
    let only = partners.get(own)?.clone();
    let mut part = setup.clone();
    part["partners"] = Value::Array(vec![only]);
    Some(part)
}

/// What remains of an exchange when the world is put back: what was seen there, and what is about its surroundings.
fn put_back(exchange: Arc<Exchange>, branch: &Branch) -> Option<Arc<Exchange>> {
    if Reached::by(branch).is_some_and(|reached| reached.has_seen(exchange.turn)) {
        return Some(exchange);
    }
    let stays = exchange.is_of_surroundings() && exchange.is_good();
    stays.then(|| {
        let mut moved = Arc::unwrap_or_clone(exchange);
        moved.turn.now = moved.turn.now.min(branch.restored.now);
        Arc::new(moved)
    })
}

/// The facts of the world, and the partner that asks.
#[derive(Clone, Debug)]
pub struct RecordedWorld<'w> {
    /// Its name.
    pub name: &'w Arc<str>,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// What it was made from.
    pub setup: &'w Setup,
    /// Its partners with their clients, in the order of the setup.
    pub partners: Vec<(PartnerId, Vec<ClientId>)>,
    /// The partner that is given its own part of a shared world.
    pub part_of: Option<PartnerId>,
    /// Whether some of the machinery is refused to partners.
    pub is_shared: bool,
    /// What the world has given out that nobody else may read.
    pub masks: Masks,
}

impl Share {
    /// What found no room is forgotten where it came after a place that the world is put back to, or its start.
    fn end_at(&mut self, place: Option<Reached>) {
        self.rest = self.rest.filter(|(first, _)| place.is_some_and(|place| *first <= place.input));
    }
}

impl Kept {
    fn weigh(&mut self) {
        self.shares.values_mut().for_each(|share| share.bytes = 0);
        for exchange in &self.exchanges {
            self.shares.entry(exchange.takes_room_of()).or_default().bytes += exchange.weight();
        }
    }

    fn say(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Numbers what inputs beyond `last` have made as what came right behind that.
    fn count_on_from(&mut self, last: u64) {
        in_order(&mut self.exchanges);
        for exchange in self.exchanges.iter_mut().filter(|exchange| exchange.turn.input > last) {
            let exchange = Arc::make_mut(exchange);
            (exchange.turn.input, exchange.turn.is_own) = (last, false);
        }
    }

    /// What a fork is not given is taken away where it begins.
    fn begin_without_surroundings(&mut self, place: Reached) {
        for noun in SURROUNDINGS {
            let has_some =
                self.exchanges.iter().any(|it| it.is_about(noun) && it.method == Method::POST && it.is_good());
            if has_some {
                self.exchanges.push(Arc::new(Exchange {
                    id: 0,
                    turn: Turn { input: place.input, is_own: false, now: place.now },
                    by: Requester::Operator,
                    method: Method::DELETE,
                    target: format!("/_sandbox/worlds/current/{noun}").into(),
                    content_type: None,
                    sent: None,
                    is_cut: false,
                    status: Some(200),
                    answered: None,
                    location: None,
                }));
            }
        }
    }
}

/// Largest form of a page that is kept.
const LARGEST_FORM: usize = 65_536;
/// What of the machinery is part of a session when it changes something; all else moves the whole world or only looks.
const PLAYED: [&str; 6] = ["clock", "settings", "faults", "webhooks", "deliveries", "suspense"];

/// Which world and partner a request may belong to, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOwner<'p> {
    /// Of no session.
    None,
    /// Of the world that its token leads to.
    OfBearer,
    /// Of the world that this names, or of the one that its token leads to.
    OfWorld(&'p str),
    /// Of a person on the pages of a journey, whose link holds this.
    OfPerson(&'p str),
    /// Of a payer who decides on a mobile payment: its token, and the world that it is in.
    OfPayer(&'p str, &'p str),
}

impl<'p> PathOwner<'p> {
    /// What a request is.
    #[must_use]
    pub fn of(method: &Method, path: &'p str) -> Self {
        if let Some(rest) = path.strip_prefix("/journey/") {
            return Self::OfPerson(rest.split('/').next().unwrap_or_default());
        }
        if let Some(rest) = path.strip_prefix("/pay/").filter(|_| *method == Method::POST) {
            let (token, world) = rest.split_once('/').unwrap_or((rest, ""));
            return Self::OfPayer(token, world);
        }
        if path.starts_with("/simulations/") || path.starts_with("/v2/") {
            let is_apart = path.ends_with("/auth/token") || path.ends_with("/subscribe");
            return if is_apart { Self::None } else { Self::OfBearer };
        }
        let Some(rest) = path.strip_prefix("/_sandbox/worlds/").filter(|_| *method != Method::GET) else {
            return Self::None;
        };
        let (world, what) = rest.split_once('/').unwrap_or((rest, ""));
        let is_mode = *method == Method::PATCH && what == "clock";
        let is_played = PLAYED.contains(&what.split('/').next().unwrap_or_default());
        if is_played && !is_mode { Self::OfWorld(world) } else { Self::None }
    }

    /// How much of a body is kept, where there is so much room.
    #[must_use]
    pub fn most(self, room: usize) -> usize {
        match self {
            Self::None => 0,
            Self::OfPerson(_) | Self::OfPayer(..) => room.min(LARGEST_FORM),
            Self::OfBearer | Self::OfWorld(_) => room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feed::lineage::{Point, Restored};
    use std::ops::Deref;

    /// A recording with the lineage of its world.
    #[derive(Default)]
    struct Recorded {
        recording: Recording,
        lineage: Lineage,
    }

    impl Deref for Recorded {
        type Target = Recording;

        fn deref(&self) -> &Recording {
            &self.recording
        }
    }

    impl Recorded {
        fn note(&self, exchange: Exchange, most: usize) {
            self.recording.note(exchange, most, &self.lineage);
        }

        /// The input at `at` puts the world back to after the input `to`, or to its start; the clock shows `ms` there.
        fn put_back(&mut self, at: u64, to: Option<u64>, ms: i64) {
            let point = |input| RestoreTarget::Point(Point::after(Position(input)));
            let to = to.map_or(RestoreTarget::Start, point);
            self.lineage.branch(Position(at), Restored { to, now: Instant::from_ms(ms), events: 0 });
            self.recording.restored(&self.lineage);
        }

        /// A fork of the world after an input, when the clock showed `ms`.
        fn fork(&self, input: u64, ms: i64) -> Self {
            let (fork, now) = (Self::default(), Instant::from_ms(ms));
            let point = Point::after(Position(input));
            let is_abandoned = self.lineage.has_left(point);
            let from = Forked { at: Reached { input, now }, is_abandoned, continues_after: input };
            fork.recording.go_on_from(&self.recording, from, []);
            Self { lineage: self.lineage.fork(point, Position(input + 1), now, 0), ..fork }
        }
    }

    const PLENTY: usize = 1 << 20;
    const MIN: i64 = i64::MIN;

    fn exchange(input: u64, is_own: bool) -> Exchange {
        Exchange {
            id: 100 - input,
            turn: Turn { input, is_own, now: Instant::MIN },
            by: Requester::Operator,
            method: Method::POST,
            target: Box::from("/x"),
            content_type: None,
            sent: None,
            is_cut: false,
            status: Some(200),
            answered: None,
            location: None,
        }
    }

    fn replayed_inputs(recording: &Recording) -> (Vec<u64>, u64, Option<&'static str>) {
        let session = session(recording, None);
        let inputs = session.exchanges.iter().map(|exchange| exchange.turn.input).collect();
        (inputs, session.left_out.no_room, session.gap)
    }

    fn session(recording: &Recording, part_of: Option<PartnerId>) -> Session {
        let setup = crate::setup::demo();
        recording.session(RecordedWorld {
            name: &Arc::from("world"),
            seed: 1,
            start: Instant::MIN,
            setup: &setup,
            partners: [1, 2].map(|id| (PartnerId::from_u128(id), Vec::new())).to_vec(),
            part_of,
            is_shared: part_of.is_some(),
            masks: Masks::new([], |_| false),
        })
    }

    fn at(input: u64, ms: i64) -> Exchange {
        let turn = Turn { input, is_own: true, now: Instant::from_ms(ms) };
        Exchange { turn, ..exchange(input, true) }
    }

    fn of_rules(exchange: Exchange) -> Exchange {
        Exchange { target: Box::from("/_sandbox/worlds/world-1/faults"), ..exchange }
    }

    #[test]
    fn exchanges_are_recorded_in_the_order_of_their_execution() {
        let recording = Recorded::default();
        for (input, is_own) in [(2, false), (3, true), (2, true), (1, true), (1, false)] {
            recording.note(exchange(input, is_own), PLENTY);
        }
        assert_eq!(replayed_inputs(&recording), (vec![1, 1, 2, 2, 3], 0, None));
    }

    #[test]
    fn what_finds_no_room_is_counted_and_nothing_later_is_kept() {
        let mut recording = Recorded::default();
        let most = 2 * exchange(1, true).weight();
        (1..=5).for_each(|input| recording.note(exchange(input, true), most));
        assert_eq!((replayed_inputs(&recording), recording.room(None, most)), ((vec![1, 2], 3, None), 0));
        recording.put_back(5, Some(1), MIN);
        recording.note(at(7, MIN), most);
        assert_eq!(replayed_inputs(&recording), (vec![1, 7], 0, None));
        assert_eq!(session(&recording, None).notes, [UNKNOWN_RULES]);
    }

    /// (rule: auth/quotas)
    #[test]
    fn a_partner_without_room_takes_no_other_partners() {
        let [one, other] = [1, 2].map(PartnerId::from_u128);
        let by = |input, partner| Exchange { by: Requester::Partner(partner), ..exchange(input, true) };
        let recording = Recorded::default();
        let most = 2 * exchange(1, true).weight();
        (1..=5).for_each(|input| recording.note(by(input, one), most));
        assert_eq!((recording.room(Some(one), most), recording.room(Some(other), most)), (0, most));
        (6..=7).for_each(|input| recording.note(by(input, other), most));
        let inputs = |part_of| {
            let recorded = session(&recording, part_of);
            let inputs = recorded.exchanges.iter().map(|exchange| exchange.turn.input).collect::<Vec<_>>();
            (inputs, recorded.left_out.no_room)
        };
        assert_eq!(inputs(Some(one)), (vec![1, 2], 3));
        assert_eq!(inputs(Some(other)), (vec![6, 7], 0));
        assert_eq!(inputs(None), (vec![1, 2], 5), "all of the world is listed as far as all of it is kept");
    }

    #[test]
    fn all_that_is_kept_is_weighed() {
        let recording = Recorded::default();
        let long = || Some("x".repeat(10_000).into_boxed_str());
        for kept in
            [Exchange { location: long(), ..exchange(1, true) }, Exchange { content_type: long(), ..exchange(1, true) }]
        {
            recording.note(kept, 5_000);
        }
        assert_eq!(replayed_inputs(&recording), (vec![], 2, None));
    }

    #[test]
    fn a_world_that_is_put_back_forgets_what_is_undone_and_says_what_it_no_longer_knows() {
        let mut recording = Recorded::default();
        (1..=5).for_each(|input| recording.note(exchange(input, true), PLENTY));
        recording.put_back(6, Some(2), MIN);
        // It was asked before the world was put back.
        recording.note(exchange(4, true), PLENTY);
        recording.note(at(7, MIN), PLENTY);
        assert_eq!(replayed_inputs(&recording), (vec![1, 2, 7], 0, None));
        let imported = Recorded { recording: Recording::since(2), ..Recorded::default() };
        assert_eq!(replayed_inputs(&imported), (vec![], 0, Some(TAKEN_IN)));
        let mut fork = recording.fork(2, MIN);
        assert_eq!(replayed_inputs(&fork), (vec![1, 2], 0, None));
        assert_eq!(replayed_inputs(&recording.fork(4, MIN)).2, Some(OTHER_WAY));
        fork.put_back(8, Some(1), MIN);
        assert_eq!(replayed_inputs(&fork), (vec![1], 0, None));
        let mut fork = recording.fork(7, MIN);
        fork.put_back(9, Some(4), MIN);
        assert_eq!(replayed_inputs(&fork).2, Some(OTHER_WAY), "its world had undone that before");
        recording.put_back(8, Some(4), MIN);
        assert_eq!(replayed_inputs(&recording).2, Some(OTHER_WAY));
        recording.put_back(9, None, MIN);
        assert_eq!(replayed_inputs(&recording), (vec![], 0, None));
    }

    #[test]
    fn reads_after_the_world_was_put_back_are_recorded() {
        let mut recording = Recorded::default();
        (1..=5).for_each(|input| recording.note(at(input, 0), PLENTY));
        recording.put_back(6, Some(2), 0);
        let read = |input| Exchange { turn: Turn { is_own: false, ..at(input, 0).turn }, ..exchange(input, false) };
        recording.note(read(6), PLENTY);
        recording.note(read(5), PLENTY);
        assert_eq!(replayed_inputs(&recording).0, [1, 2, 6]);
    }

    #[test]
    fn a_fork_of_a_moment_in_the_middle_of_an_advance_has_not_seen_its_end() {
        let mut recording = Recorded::default();
        for (input, ms) in [(1, 0), (2, 500), (2, 900)] {
            recording.note(at(input, ms), PLENTY);
        }
        let fork = recording.fork(2, 600);
        assert_eq!(replayed_inputs(&fork).0, [1, 2]);
        recording.put_back(3, Some(2), 400);
        assert_eq!(replayed_inputs(&recording).0, [1]);
    }

    #[test]
    fn exchanges_outside_the_world_stay_when_it_is_put_back_and_are_not_in_a_fork() {
        let mut recording = Recorded::default();
        recording.note(at(1, 0), PLENTY);
        recording.note(of_rules(at(2, 500)), PLENTY);
        recording.note(at(3, 500), PLENTY);
        recording.put_back(4, Some(1), 0);
        recording.note(at(5, 0), PLENTY);
        let kept: Vec<_> =
            session(&recording, None).exchanges.iter().map(|it| (it.turn.input, it.turn.now.ms())).collect();
        assert_eq!(kept, [(1, 0), (2, 0), (5, 0)]);
        let fork = recording.fork(5, 0);
        let methods: Vec<_> = session(&fork, None).exchanges.iter().map(|it| it.method.clone()).collect();
        assert_eq!(methods, [Method::POST, Method::POST, Method::POST, Method::DELETE]);
        recording.put_back(6, None, MIN);
        assert_eq!(replayed_inputs(&recording).0, [2]);
    }

    #[test]
    fn a_fork_of_a_world_that_was_put_back_records_all_its_requests() {
        let mut recording = Recorded::default();
        (1..=8).for_each(|input| recording.note(at(input, 0), PLENTY));
        recording.put_back(9, None, 0);
        let fork = recording.fork(0, 0);
        (1..=12).for_each(|input| fork.note(at(input, 0), PLENTY));
        assert_eq!(replayed_inputs(&fork).0.len(), 12);
    }

    /// (rule: auth/named-credentials)
    #[test]
    fn credentials_that_a_setup_names_are_in_no_recording() {
        let recording = Recorded::default();
        let partners = serde_json::json!([{ "name": "a", "clientId": "i", "clientSecret": "s" }, { "name": "b" }]);
        recording.begins_with(Some(serde_json::json!({ "name": "w", "partners": partners })));
        let setup = session(&recording, None).setup;
        let expected = serde_json::json!({ "name": "w", "partners": [{ "name": "a" }, { "name": "b" }] });
        assert_eq!(setup.as_deref(), Some(&expected));
    }

    #[test]
    fn a_partner_of_a_shared_world_reads_its_own_part() {
        let recording = Recorded::default();
        recording.begins_with(Some(serde_json::json!({ "name": "w", "partners": [{ "name": "a" }, { "name": "b" }] })));
        let by = |input, id| Exchange { by: Requester::Partner(PartnerId::from_u128(id)), ..at(input, 0) };
        let moves = |input, status| Exchange {
            target: Box::from("/_sandbox/worlds/world-1/clock/advance?x"),
            status: Some(status),
            ..by(input, 1)
        };
        for exchange in [by(1, 1), by(2, 2), moves(3, 200), moves(3, 403)] {
            recording.note(exchange, PLENTY);
        }
        let session = session(&recording, Some(PartnerId::from_u128(2)));
        let inputs: Vec<_> = session.exchanges.iter().map(|exchange| exchange.turn.input).collect();
        assert_eq!((inputs, session.left_out.foreign, session.left_out.has_effect), (vec![2, 3], 2, true));
        let setup = serde_json::json!({ "name": "w", "partners": [{ "name": "b" }] });
        assert_eq!((session.setup.as_deref(), session.partners.len()), (Some(&setup), 1));
        assert_eq!(session.notes, [PART_OF_SETUP]);
    }

    #[test]
    fn only_what_is_played_again_is_kept() {
        for (method, path, kind) in [
            (Method::GET, "/v2/partner/client", PathOwner::OfBearer),
            (Method::POST, "/v2/partner/auth/token", PathOwner::None),
            (Method::POST, "/simulations/account", PathOwner::OfBearer),
            (Method::GET, "/journey/abc/kyc", PathOwner::OfPerson("abc")),
            (Method::GET, "/pay/abc/world-1", PathOwner::None),
            (Method::POST, "/pay/abc/world-1", PathOwner::OfPayer("abc", "world-1")),
            (Method::GET, "/_sandbox/worlds/world-1/clock", PathOwner::None),
            (Method::PATCH, "/_sandbox/worlds/world-1/clock", PathOwner::None),
            (Method::POST, "/_sandbox/worlds/world-1/clock/advance", PathOwner::OfWorld("world-1")),
            (Method::POST, "/_sandbox/worlds/world-1/reset", PathOwner::None),
            (Method::DELETE, "/_sandbox/worlds/world-1", PathOwner::None),
            (Method::GET, "/ping", PathOwner::None),
        ] {
            assert_eq!(PathOwner::of(&method, path), kind, "{method} {path}");
        }
    }
}
