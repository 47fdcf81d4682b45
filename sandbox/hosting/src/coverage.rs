//! What partners have met of a world: answers, refusals, states, reasons, events, ends of sockets, deliveries and days.
//!
//! Invariant: nothing that decides an answer reads it. Every count is of a closed set, so its memory is bounded for each partner; a
//! request is counted without a hash, and without memory once its route was met. Absent on purpose: what there is to be met beside
//! these sets, such as routes, and what helps to meet it, which the operator's plane says; a restart, over which only what follows from
//! inputs is counted again.

use std::array::from_fn;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock};

use parking_lot::{Mutex, RwLock};

use deliveries::delivery::Delivery;
use deliveries::outcome::{AttemptOutcome, DeliveryVerdict};
use feed::event_types::{CALLBACK, EVENT_TYPES, TEST};
use feed::session::Close;
use jiff::civil::Weekday;
use sim::calendar::{days_later, is_bank_day, is_half_day};
use sim::ids::PartnerId;
use sim::machines::{MACHINES, Machine, Noted};
use sim::refusal::{CLASSES, Class};
use sim::time::{Date, Instant};

/// Most routes of the partner API that are counted; a test of the planes holds their number against it.
pub const MOST_ROUTES: usize = 128;

/// Statuses that have a place of their own, those first that are met the most. All others share the last place.
pub const STATUSES: [u16; 20] =
    [200, 400, 204, 101, 401, 403, 404, 409, 503, 500, 429, 201, 202, 405, 408, 413, 421, 422, 502, 504];

const STATUS_PLACES: usize = STATUSES.len() + 1;

/// What a fault rule has done to a request besides answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestFault {
    /// The answer came late.
    Late,
    /// The connection broke before the request was carried out.
    DroppedBefore,
    /// The connection broke after the request was carried out.
    DroppedAfter,
}

impl RequestFault {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Late, Self::DroppedBefore, Self::DroppedAfter];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Late => "late answer",
            Self::DroppedBefore => "connection lost before the request",
            Self::DroppedAfter => "connection lost after the request",
        }
    }
}

/// How a socket has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketEnd {
    /// The client closed it, or went away.
    Left,
    /// The client broke the protocol.
    Broken,
    /// The server closed it.
    Closed(Close),
    /// The connection was cut without a close frame.
    Cut,
    /// It stayed open and fell silent, until the client went away.
    Stalled,
}

impl SocketEnd {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Closed(Close::Cap),
        Self::Closed(Close::GoingAway),
        Self::Closed(Close::TooSlow),
        Self::Cut,
        Self::Stalled,
        Self::Left,
        Self::Broken,
    ];

    /// The close code, where there is one, and the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed(Close::Cap) => "1000, the connection has reached its hour",
            Self::Closed(Close::GoingAway) => "1001, the server is closing",
            Self::Closed(Close::TooSlow) => "1013, the connection does not keep up",
            Self::Cut => "cut without a close frame",
            Self::Stalled => "stalled, open and silent",
            Self::Left => "closed by the client",
            Self::Broken => "the client broke the protocol",
        }
    }

    fn place(self) -> usize {
        Self::ALL.iter().position(|known| *known == self).unwrap_or_default()
    }
}

/// By which way an event is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A socket.
    Socket,
    /// A webhook, or the callback of a journey.
    Delivery,
}

/// What is sent: the types of events, the callback and the test message.
pub static SENT: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| EVENT_TYPES.into_iter().chain([CALLBACK, TEST]).collect());

/// What becomes of an attempt to deliver.
pub const DELIVERIES: [&str; 10] = [
    "received",
    "received after a failure",
    "refused",
    "gone",
    "failed",
    "duplicate",
    "delay",
    "reorder",
    "drop",
    "corruptSignature",
];

/// Reasons that are given to resources: the machine's name, and the code.
pub static REASONS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    use sim::machines::{journey, mobile_payment, order, payment};
    use sim::records::{ErrorCode, MobilePaymentError, MobilePaymentRefusal, ParkingCheck, PaymentReason};
    let orders = ParkingCheck::ALL.map(|check| (order::TABLE.name, check.name()));
    let journeys = ErrorCode::ALL.map(|code| (journey::TABLE.name, code.name()));
    let payments = PaymentReason::all().map(|reason| (payment::TABLE.name, reason.code()));
    let refusals = MobilePaymentRefusal::ALL.map(|refusal| (mobile_payment::TABLE.name, refusal.name()));
    let errors = MobilePaymentError::ALL.map(|error| (mobile_payment::TABLE.name, error.name()));
    orders.into_iter().chain(journeys).chain(payments).chain(refusals).chain(errors).collect()
});

/// What the clock can pass that is no usual bank day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialDay {
    /// A Saturday or Sunday.
    Weekend,
    /// Another day on which banks do not settle (rule: calendar/bank-day).
    Closed,
    /// A bank day that ends early (rule: calendar/half-day).
    Half,
}

impl SpecialDay {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Closed, Self::Half, Self::Weekend];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weekend => "weekend",
            Self::Closed => "closed day",
            Self::Half => "half-day",
        }
    }

    /// What `day` is, unless it is a usual bank day.
    #[must_use]
    pub fn of(day: Date) -> Option<Self> {
        match day.weekday() {
            Weekday::Saturday | Weekday::Sunday => Some(Self::Weekend),
            _ if !is_bank_day(day) => Some(Self::Closed),
            _ => is_half_day(day).then_some(Self::Half),
        }
    }
}

/// A partner's request as it is counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedRequest {
    /// The place of its route among those of the partner API.
    pub route: u16,
    /// Its status; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// Why it was refused, where the world or the surface has refused it.
    pub refusal: Option<Class>,
    /// Whether it repeated a `clientRef` that must be used once.
    pub repeats: bool,
    /// What a fault rule has done to it.
    pub fault: Option<RequestFault>,
}

/// Counts of a closed set.
type Tally<const N: usize> = [AtomicU64; N];

fn tally<const N: usize>() -> Tally<N> {
    from_fn(|_| AtomicU64::new(0))
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Of a machine: by state, and by row.
type LifeTally = (Box<[AtomicU64]>, Box<[AtomicU64]>);

/// What one partner has met.
struct PartnerTally {
    partner: PartnerId,
    /// By route, once it was met: by status.
    answers: Box<[OnceLock<Box<Tally<STATUS_PLACES>>>]>,
    faults: Tally<{ RequestFault::ALL.len() }>,
    refusals: Box<Tally<{ CLASSES.len() }>>,
    repeats: AtomicU64,
    /// By machine.
    lives: Box<[LifeTally]>,
    reasons: Box<[AtomicU64]>,
    /// By what is sent: over sockets, and to receivers.
    sent: Box<[Tally<2>]>,
    deliveries: Tally<{ DELIVERIES.len() }>,
    sockets: Tally<{ SocketEnd::ALL.len() }>,
}

/// Each machine's states, and the states before and after each of its rows, by their places.
static LIVES: LazyLock<Vec<Life>> = LazyLock::new(|| MACHINES.iter().map(|machine| Life::of(*machine)).collect());

/// A machine as it is counted.
struct Life {
    name: &'static str,
    states: usize,
    /// Place of the state after each row.
    leads_to: Vec<usize>,
}

impl Life {
    fn of(machine: &dyn Machine) -> Self {
        let states = machine.states();
        let place = |wanted: &String| states.iter().position(|state| state == wanted).unwrap_or_default();
        let leads_to = machine.rows().iter().map(|[_, _, to, _]| place(to)).collect();
        Self { name: machine.name(), states: states.len(), leads_to }
    }
}

fn zeros(count: usize) -> Box<[AtomicU64]> {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

impl PartnerTally {
    fn new(partner: PartnerId) -> Self {
        Self {
            partner,
            answers: (0..MOST_ROUTES).map(|_| OnceLock::new()).collect(),
            faults: tally(),
            refusals: Box::new(tally()),
            repeats: AtomicU64::new(0),
            lives: LIVES.iter().map(|life| (zeros(life.states), zeros(life.leads_to.len()))).collect(),
            reasons: zeros(REASONS.len()),
            sent: SENT.iter().map(|_| tally()).collect(),
            deliveries: tally(),
            sockets: tally(),
        }
    }

    fn answered(&self, request: CountedRequest) {
        let CountedRequest { route, status, refusal, repeats, fault } = request;
        if let (Some(status), Some(answers)) = (status, self.answers.get(usize::from(route))) {
            let answers = answers.get_or_init(|| Box::new(tally()));
            let place = STATUSES.iter().position(|known| *known == status);
            count(&answers[place.unwrap_or(STATUSES.len())]);
        }
        if let Some(class) = refusal {
            count(&self.refusals[class as usize]);
        }
        if repeats {
            count(&self.repeats);
        }
        if let Some(fault) = fault {
            count(&self.faults[fault as usize]);
        }
    }

    fn noted(&self, noted: Noted) {
        let place = |name| LIVES.iter().position(|life| life.name == name);
        match noted {
            Noted::State(name, state) => {
                let found = place(name).and_then(|at| self.lives[at].0.get(usize::from(state)));
                found.into_iter().for_each(count);
            }
            Noted::Row(name, row) => {
                let Some(at) = place(name) else { return };
                let (states, rows) = &self.lives[at];
                let to = LIVES[at].leads_to.get(usize::from(row)).and_then(|state| states.get(*state));
                rows.get(usize::from(row)).into_iter().chain(to).for_each(count);
            }
            Noted::Reason(name, code) => {
                let found = REASONS.iter().position(|known| *known == (name, code));
                found.into_iter().for_each(|at| count(&self.reasons[at]));
            }
        }
    }

    fn attempted(&self, delivery: &Delivery) {
        let Some((last, earlier)) = delivery.attempts.split_last() else { return };
        let verdict = last.outcome.verdict();
        let fault = last.fault.or(last.put_off).map(|fault| fault.word());
        // What a rule has dropped was not received, although the sender believes it.
        let is_lost = fault == Some("drop");
        let has_failed = earlier.iter().any(|attempt| attempt.outcome.verdict() == DeliveryVerdict::Failed);
        let recovered = verdict == DeliveryVerdict::Received && has_failed && !is_lost;
        let words = [(!is_lost).then_some(verdict.word()), recovered.then_some("received after a failure"), fault];
        let places = words.into_iter().flatten().filter_map(|word| DELIVERIES.iter().position(|known| *known == word));
        places.for_each(|at| count(&self.deliveries[at]));
        let is_fetched = last.outcome == AttemptOutcome::Left;
        if is_fetched || last.outcome.status().is_some() {
            self.sent(delivery.notification.event_type, Channel::Delivery);
        }
    }

    fn sent(&self, event_type: &str, channel: Channel) {
        if let Some(at) = SENT.iter().position(|known| *known == event_type) {
            count(&self.sent[at][channel as usize]);
        }
    }
}

/// Which days the clock has passed.
struct Days {
    /// The day at which the present branch of the world's history began here.
    since: Date,
    /// What earlier branches have passed, by `SpecialDay`.
    earlier: [u64; SpecialDay::ALL.len()],
}

impl Days {
    /// What was passed until `today`, that included.
    fn until(&self, today: Date) -> [u64; SpecialDay::ALL.len()] {
        let mut counts = self.earlier;
        let mut day = self.since;
        while day <= today {
            if let Some(special) = SpecialDay::of(day) {
                counts[special as usize] += 1;
            }
            day = days_later(day, 1);
        }
        counts
    }
}

/// What the partners of one world have met since its server began to host it.
pub struct Coverage {
    partners: RwLock<Vec<PartnerTally>>,
    days: Mutex<Days>,
}

impl Coverage {
    /// Of a world whose clock shows `now`.
    pub(crate) fn new(now: Instant) -> Self {
        let days = Days { since: now.local_date(), earlier: Default::default() };
        Self { partners: RwLock::default(), days: Mutex::new(days) }
    }

    fn of(&self, partner: PartnerId, f: impl FnOnce(&PartnerTally)) {
        let partners = self.partners.read();
        if let Some(known) = partners.iter().find(|known| known.partner == partner) {
            return f(known);
        }
        drop(partners);
        let mut partners = self.partners.write();
        let place = partners.iter().position(|known| known.partner == partner);
        let place = place.unwrap_or_else(|| {
            partners.push(PartnerTally::new(partner));
            partners.len() - 1
        });
        f(&partners[place]);
    }

    /// Counts a request of `partner`.
    pub fn answered(&self, partner: PartnerId, request: CountedRequest) {
        self.of(partner, |tally| tally.answered(request));
    }

    /// Counts what has happened to a record of `partner`'s.
    pub(crate) fn noted(&self, partner: PartnerId, noted: Noted) {
        self.of(partner, |tally| tally.noted(noted));
    }

    /// Counts the newest attempt of a delivery.
    pub(crate) fn attempted(&self, partner: PartnerId, delivery: &Delivery) {
        self.of(partner, |tally| tally.attempted(delivery));
    }

    /// Counts an event that a socket of `partner`'s is sent.
    pub fn sent_by_socket(&self, partner: PartnerId, event_type: &str) {
        self.of(partner, |tally| tally.sent(event_type, Channel::Socket));
    }

    /// Counts the end of a socket of `partner`'s.
    pub fn socket_ended(&self, partner: PartnerId, end: SocketEnd) {
        self.of(partner, |tally| count(&tally.sockets[end.place()]));
    }

    /// The world was at `left`, and is put back to `now`: the days that it has passed stay counted.
    pub(crate) fn put_back(&self, left: Instant, now: Instant) {
        let mut days = self.days.lock();
        let earlier = days.until(left.local_date());
        *days = Days { since: now.local_date(), earlier };
    }

    /// What those partners have met whom `counts_for` picks, in a world whose clock shows `now`.
    #[must_use]
    pub fn counts(&self, now: Instant, counts_for: impl Fn(PartnerId) -> bool) -> Counts {
        let mut counts = Counts {
            answers: (0..MOST_ROUTES).map(|_| [0; STATUS_PLACES]).collect(),
            faults: Default::default(),
            refusals: Default::default(),
            repeats: 0,
            lives: LIVES.iter().map(|life| (vec![0; life.states], vec![0; life.leads_to.len()])).collect(),
            reasons: vec![0; REASONS.len()],
            sent: vec![[0; 2]; SENT.len()],
            deliveries: Default::default(),
            sockets: Default::default(),
            days: self.days.lock().until(now.local_date()),
        };
        for met in self.partners.read().iter().filter(|met| counts_for(met.partner)) {
            for (sum, answers) in counts.answers.iter_mut().zip(&met.answers) {
                answers.get().into_iter().for_each(|answers| add(sum, &**answers));
            }
            add(&mut counts.faults, &met.faults);
            add(&mut counts.refusals, &*met.refusals);
            counts.repeats += met.repeats.load(Ordering::Relaxed);
            for (sum, (states, rows)) in counts.lives.iter_mut().zip(&met.lives) {
                add(&mut sum.0, states);
                add(&mut sum.1, rows);
            }
            add(&mut counts.reasons, &met.reasons);
            for (sum, sent) in counts.sent.iter_mut().zip(&met.sent) {
                add(sum, sent);
            }
            add(&mut counts.deliveries, &met.deliveries);
            add(&mut counts.sockets, &met.sockets);
        }
        counts
    }
}

fn add(sum: &mut [u64], more: &[AtomicU64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more.load(Ordering::Relaxed));
}

impl fmt::Debug for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Coverage")
    }
}

/// What was met, as it can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// By route: by the places of `STATUSES`, and last all other statuses.
    answers: Vec<[u64; STATUS_PLACES]>,
    faults: [u64; RequestFault::ALL.len()],
    refusals: [u64; CLASSES.len()],
    /// Requests that repeated a `clientRef` that must be used once.
    pub repeats: u64,
    /// By machine, in the order of `MACHINES`: how often each state was entered, and each row taken.
    pub lives: Vec<(Vec<u64>, Vec<u64>)>,
    /// In the order of `REASONS`.
    pub reasons: Vec<u64>,
    /// In the order of `SENT`: over sockets, and to receivers.
    pub sent: Vec<[u64; 2]>,
    /// In the order of `DELIVERIES`.
    pub deliveries: [u64; DELIVERIES.len()],
    /// In the order of `SocketEnd::ALL`.
    pub sockets: [u64; SocketEnd::ALL.len()],
    days: [u64; SpecialDay::ALL.len()],
}

impl Counts {
    /// How often the route at that place was answered with each status, other ones last, as `None`.
    pub fn answers(&self, route: usize) -> impl Iterator<Item = (Option<u16>, u64)> {
        let statuses = STATUSES.into_iter().map(Some).chain([None]);
        statuses.zip(self.answers.get(route).copied().unwrap_or([0; STATUS_PLACES]))
    }

    /// How often any route was answered with this status.
    #[must_use]
    pub fn answered(&self, status: u16) -> u64 {
        let place = STATUSES.iter().position(|known| *known == status);
        place.map_or(0, |place| self.answers.iter().map(|answers| answers[place]).sum())
    }

    /// How often a fault rule did this.
    #[must_use]
    pub const fn of_fault(&self, fault: RequestFault) -> u64 {
        self.faults[fault as usize]
    }

    /// How often a request was refused so.
    #[must_use]
    pub const fn refusals(&self, class: Class) -> u64 {
        self.refusals[class as usize]
    }

    /// How often the clock has shown such a day.
    #[must_use]
    pub const fn days(&self, day: SpecialDay) -> u64 {
        self.days[day as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::machines::order;

    const PARTNER: PartnerId = PartnerId::from_u128(1);

    fn at(text: &str) -> Instant {
        Instant::parse(text).expect("an instant")
    }

    fn request(route: u16, status: Option<u16>) -> CountedRequest {
        CountedRequest { route, status, refusal: None, repeats: false, fault: None }
    }

    #[test]
    fn every_status_is_counted_once_and_those_without_a_place_of_their_own_share_one() {
        let coverage = Coverage::new(at("2026-03-02T07:00:00Z"));
        for status in [Some(200), Some(200), Some(418), Some(451), None] {
            coverage.answered(PARTNER, request(3, status));
        }
        coverage.answered(PARTNER, request(u16::MAX, Some(200)));
        let counts = coverage.counts(at("2026-03-02T07:00:00Z"), |_| true);
        let met: Vec<_> = counts.answers(3).filter(|(_, count)| *count > 0).collect();
        assert_eq!(met, [(Some(200), 2), (None, 2)]);
        assert_eq!(counts.answered(200), 2, "a route that has no place is not counted");
        let others = coverage.counts(at("2026-03-02T07:00:00Z"), |partner| partner != PARTNER);
        assert_eq!(others.answered(200), 0, "what another partner has met is left out");
    }

    #[test]
    fn a_partner_that_has_met_nothing_takes_no_memory_and_one_that_has_takes_its_own() {
        let coverage = Coverage::new(Instant::MIN);
        assert!(coverage.partners.read().is_empty());
        for _ in 0..3 {
            coverage.answered(PARTNER, request(0, Some(200)));
            coverage.answered(PartnerId::from_u128(2), request(1, Some(200)));
        }
        let partners = coverage.partners.read();
        assert_eq!(partners.len(), 2);
        let met = |tally: &PartnerTally| tally.answers.iter().filter(|answers| answers.get().is_some()).count();
        assert!(partners.iter().all(|tally| met(tally) == 1), "a route takes memory once it is met");
    }

    #[test]
    fn days_are_those_that_the_clock_has_shown_and_stay_when_the_world_is_put_back() {
        // A Monday, and the Monday after the Easter of that year.
        let (begin, end) = (at("2026-03-30T07:00:00Z"), at("2026-04-06T07:00:00Z"));
        let coverage = Coverage::new(begin);
        let days = |now| SpecialDay::ALL.map(|day| coverage.counts(now, |_| true).days(day));
        assert_eq!(days(begin), [0, 0, 0]);
        assert_eq!(days(end), [2, 1, 2], "Good Friday and Easter Monday, the day before, a weekend");
        coverage.put_back(end, begin);
        assert_eq!(days(begin), [2, 1, 2]);
        assert_eq!(days(end), [4, 2, 4], "they are met again");
    }

    #[test]
    fn a_state_counts_when_a_record_begins_in_it_and_when_a_row_leads_to_it() {
        let coverage = Coverage::new(Instant::MIN);
        let row = order::TABLE.rows.iter().position(|row| row.to == order::State::HoldUnbooked).expect("a row");
        let row = u16::try_from(row).expect("few rows");
        for noted in [Noted::State("order", 0), Noted::Row("order", row), Noted::Reason("order", "sanctions")] {
            coverage.noted(PARTNER, noted);
        }
        // What this build does not know is left out.
        for noted in [Noted::State("nothing", 0), Noted::Row("order", 999), Noted::Reason("order", "whim")] {
            coverage.noted(PARTNER, noted);
        }
        let counts = coverage.counts(Instant::MIN, |_| true);
        let (states, rows) = &counts.lives[0];
        assert_eq!((states[0], states[1], rows[usize::from(row)]), (1, 1, 1));
        assert_eq!(states.iter().chain(rows).sum::<u64>(), 3);
        assert_eq!(counts.reasons.iter().sum::<u64>(), 1);
    }

    #[test]
    fn names_in_each_closed_set_differ() {
        let differ = |names: &[String]| names.iter().collect::<std::collections::BTreeSet<_>>().len() == names.len();
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(differ(&owned(&SENT)) && differ(&owned(&DELIVERIES)));
        assert!(differ(&REASONS.iter().map(|(machine, code)| format!("{machine} {code}")).collect::<Vec<_>>()));
        assert!(differ(&STATUSES.iter().map(u16::to_string).collect::<Vec<_>>()));
        assert!(differ(&owned(&SocketEnd::ALL.map(SocketEnd::name))));
    }
}
