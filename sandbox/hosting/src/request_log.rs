//! The latest requests to a world with their answers, for looking back.
//!
//! Invariant: bounded in lines and in bytes for each partner, so that none pushes another's out. No secret leaves the log: no headers are kept, targets
//! are as `log::target_of` has them, and a body is shown as JSON with masks (`redaction`). Bodies are kept as they were sent and masked when they
//! are read, since most are never read. A line keeps no piece of a connection's buffer, which would keep the whole buffer alive.
//! Absent on purpose: pages and documents, which are not JSON, and requests of whom no token was shown.

mod redaction;

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::Method;
use bytes::Bytes;
use sim::ids::PartnerId;

use feed::transport::{SurfaceSettings, TransportTime};

/// One request with its answer's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// The `request-id` of the answer.
    pub id: u64,
    /// Whose token it showed, if it showed one.
    pub partner: Option<PartnerId>,
    /// Transport time of the answer.
    pub at: TransportTime,
    /// Method.
    pub method: Method,
    /// Path and query, without secrets.
    pub target: Box<str>,
    /// Status of the answer; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// How long the answer took, by the transport clock.
    pub took: Duration,
    /// What was sent.
    pub sent: Option<KeptBody>,
    /// What was answered.
    pub answered: Option<KeptBody>,
}

/// A body as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptBody {
    /// Its beginning, with its secrets.
    bytes: Bytes,
    length: u64,
}

impl KeptBody {
    /// An answer's body, of which no more than `most` bytes are kept; nothing of one without bytes.
    #[must_use]
    pub fn of(body: Bytes, most: usize) -> Option<Self> {
        let length = body.len() as u64;
        let bytes = if body.len() > most { Bytes::copy_from_slice(&body[..most]) } else { body };
        (length > 0).then_some(Self { bytes, length })
    }

    /// Its beginning, with masks in the place of secrets.
    #[must_use]
    pub fn text(&self) -> Box<str> {
        redaction::redacted(&String::from_utf8_lossy(&self.bytes))
    }

    /// How long it was, in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Whether all of it is kept.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.length
    }
}

impl fmt::Debug for KeptBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptBody").field("text", &self.text()).field("length", &self.length).finish()
    }
}

/// The first bytes of a body, as they came.
#[derive(Clone, Debug, Default)]
pub struct BodyPrefix {
    bytes: Vec<u8>,
    length: u64,
}

impl BodyPrefix {
    /// Adds what came next, as long as no more than `most` bytes are kept.
    pub fn add(&mut self, bytes: &[u8], most: usize) {
        let room = most.saturating_sub(self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..room]);
        self.length += bytes.len() as u64;
    }

    /// All of it; nothing of a body that was cut off, or without bytes.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        (self.length > 0 && !self.is_cut()).then_some(&self.bytes)
    }

    /// Whether there was more than is kept.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.bytes.len() as u64 != self.length
    }

    /// The same with no more than `most` bytes.
    #[must_use]
    pub fn shortened(mut self, most: usize) -> Self {
        self.bytes.truncate(most);
        self
    }

    /// What is kept of it; nothing of a body without bytes.
    #[must_use]
    pub fn kept(self) -> Option<KeptBody> {
        (self.length > 0).then(|| KeptBody { bytes: self.bytes.into(), length: self.length })
    }
}

impl LoggedRequest {
    /// Bytes of its bodies.
    fn weight(&self) -> usize {
        self.sent.iter().chain(&self.answered).map(|body| body.bytes.len()).sum()
    }
}

/// How much a request log keeps of each partner, and of requests that are nobody's (rule: auth/quotas).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Requests.
    pub requests: usize,
    /// Bytes of all bodies; older bodies go first, their lines stay.
    pub bytes: usize,
}

impl Bounds {
    /// As a world's settings have them.
    #[must_use]
    pub const fn of(settings: &SurfaceSettings) -> Self {
        Self { requests: settings.requests_kept, bytes: settings.request_bodies_bytes }
    }
}

/// The last requests of a world.
#[derive(Debug)]
pub struct RequestLog {
    pages: Mutex<Pages>,
}

#[derive(Debug)]
struct Pages {
    bounds: Bounds,
    total: u64,
    by_partner: BTreeMap<Option<PartnerId>, Lines>,
}

/// The last requests of one partner.
#[derive(Debug, Default)]
struct Lines {
    bytes: usize,
    /// Lines from the oldest on that have no bodies any more.
    bare: usize,
    /// Each with its number among all.
    lines: VecDeque<(u64, LoggedRequest)>,
    /// Number of the last line that is no longer kept; 0 while all are.
    forgotten: u64,
}

/// A part of a request log, read onwards.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    /// Requests in the order of their answers, each with its number.
    pub lines: Vec<(u64, LoggedRequest)>,
    /// How many there have been.
    pub total: u64,
    /// Number of the request to continue with.
    pub next: u64,
    /// Whether all from its beginning on are still kept, of all partners that are read.
    pub is_whole: bool,
}

impl RequestLog {
    /// An empty request log.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self { pages: Mutex::new(Pages { bounds, total: 0, by_partner: BTreeMap::new() }) }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request.
    pub fn note(&self, request: LoggedRequest) {
        let mut pages = self.pages();
        pages.total += 1;
        let (number, bounds) = (pages.total, pages.bounds);
        let own = pages.by_partner.entry(request.partner).or_default();
        own.bytes += request.weight();
        own.lines.push_back((number, request));
        own.trim(bounds);
    }

    /// Changes how much is kept.
    pub fn keep(&self, bounds: Bounds) {
        let mut pages = self.pages();
        pages.bounds = bounds;
        pages.by_partner.values_mut().for_each(|own| own.trim(bounds));
    }

    /// How many there have been, and the last `most` of those that `which` picks, newest first.
    #[must_use]
    pub fn last(&self, most: usize, which: impl Fn(&LoggedRequest) -> bool) -> (u64, Vec<LoggedRequest>) {
        let pages = self.pages();
        let picked = |own| Lines::latest(own).filter(|(_, line)| which(line)).take(most);
        let mut found: Vec<_> = pages.by_partner.values().flat_map(picked).collect();
        found.sort_unstable_by_key(|(number, _)| Reverse(*number));
        (pages.total, found.into_iter().take(most).map(|(_, line)| line.clone()).collect())
    }

    /// The first `most` requests from number `start` on that `which` picks, of the partners that `sees` names.
    #[must_use]
    pub fn from(
        &self,
        start: u64,
        most: usize,
        sees: impl Fn(Option<PartnerId>) -> bool,
        which: impl Fn(&LoggedRequest) -> bool,
    ) -> Reading {
        let pages = self.pages();
        let seen: Vec<_> = pages.by_partner.iter().filter(|(partner, _)| sees(**partner)).map(|(_, own)| own).collect();
        let picked = |own: &&Lines| {
            let from = own.lines.partition_point(|(number, _)| *number < start);
            own.lines.range(from..).filter(|(_, line)| which(line)).take(most).cloned().collect::<Vec<_>>()
        };
        let mut lines: Vec<_> = seen.iter().flat_map(picked).collect();
        lines.sort_unstable_by_key(|(number, _)| *number);
        let is_more = lines.len() >= most;
        lines.truncate(most);
        let last = lines.last().map(|(number, _)| *number).filter(|_| is_more);
        let is_whole = seen.iter().all(|own| own.forgotten < start.max(1));
        Reading { total: pages.total, next: last.unwrap_or(pages.total) + 1, lines, is_whole }
    }
}

impl Lines {
    /// The lines, newest first.
    fn latest(&self) -> impl Iterator<Item = &(u64, LoggedRequest)> {
        self.lines.iter().rev()
    }

    fn trim(&mut self, bounds: Bounds) {
        while self.lines.len() > bounds.requests {
            if let Some((number, gone)) = self.lines.pop_front() {
                self.forgotten = number;
                self.bytes -= gone.weight();
                self.bare = self.bare.saturating_sub(1);
            }
        }
        while self.bytes > bounds.bytes {
            let Some((_, line)) = self.lines.get_mut(self.bare) else { return };
            self.bytes -= line.weight();
            (line.sent, line.answered) = (None, None);
            self.bare += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: u64, sent: &str) -> LoggedRequest {
        let mut beginning = BodyPrefix::default();
        beginning.add(sent.as_bytes(), 10);
        LoggedRequest {
            id,
            partner: None,
            at: TransportTime(0),
            method: Method::GET,
            target: Box::from("/ping"),
            status: Some(200),
            took: Duration::ZERO,
            sent: beginning.kept(),
            answered: None,
        }
    }

    fn ids(log: &RequestLog) -> (u64, Vec<(u64, bool)>) {
        let (total, lines) = log.last(10, |_| true);
        (total, lines.iter().map(|line| (line.id, line.sent.is_some())).collect())
    }

    #[test]
    fn the_newest_requests_are_kept_with_the_newest_bodies_and_all_are_counted() {
        let log = RequestLog::new(Bounds { requests: 3, bytes: 20 });
        for id in 1..=4 {
            log.note(request(id, "0123456789abcdef"));
        }
        assert_eq!(ids(&log), (4, vec![(4, true), (3, true), (2, false)]), "ten bytes each, twenty in all");
        assert_eq!(log.last(1, |line| line.id < 4).1[0].id, 3);
        log.note(request(5, ""));
        assert_eq!(ids(&log), (5, vec![(5, false), (4, true), (3, true)]));
        log.keep(Bounds { requests: 2, bytes: 9 });
        assert_eq!(ids(&log), (5, vec![(5, false), (4, false)]));
        log.keep(Bounds { requests: 0, bytes: 9 });
        assert_eq!(ids(&log), (5, vec![]));
        log.note(request(6, "a"));
        log.keep(Bounds { requests: 9, bytes: 9 });
        log.note(request(7, "a"));
        assert_eq!(ids(&log), (7, vec![(7, true)]));
    }

    /// (rule: auth/quotas)
    #[test]
    fn a_partner_that_asks_much_pushes_no_other_partners_requests_out() {
        let log = RequestLog::new(Bounds { requests: 2, bytes: 20 });
        let by = |partner, id| LoggedRequest { partner, ..request(id, "0123456789") };
        let [one, other] = [1, 2].map(|number| Some(PartnerId::from_u128(number)));
        log.note(by(other, 1));
        for id in 2..=9 {
            log.note(by(one, id));
            log.note(by(None, id + 100));
        }
        assert_eq!(
            ids(&log),
            (17, vec![(109, true), (9, true), (108, true), (8, true), (1, true)]),
            "the newest of each, in order"
        );
    }

    #[test]
    fn of_a_long_body_its_beginning_is_kept() {
        let kept = request(1, "0123456789abcdef").sent.expect("a body");
        assert_eq!((&*kept.text(), kept.length(), kept.is_whole()), ("0123456789", 16, false));
        let kept = request(1, "0123").sent.expect("a body");
        assert_eq!((&*kept.text(), kept.length(), kept.is_whole()), ("0123", 4, true));
        let answer = |body: &'static str| KeptBody::of(Bytes::from_static(body.as_bytes()), 10);
        let kept = answer("0123456789abcdef").expect("a body");
        assert_eq!((&*kept.text(), kept.length(), kept.is_whole()), ("0123456789", 16, false));
        assert_eq!(answer(""), None);
    }

    #[test]
    fn a_kept_body_shows_no_secret_however_it_is_read() {
        let body = Bytes::from_static(br#"{"access_token":"s3cr3t"}"#);
        for most in [20, 100] {
            let kept = KeptBody::of(body.clone(), most).expect("a body");
            for shown in [kept.text().into_string(), format!("{kept:?}")] {
                assert!(shown.contains("***") && !shown.contains("s3c"), "{shown}");
            }
        }
    }

    /// (rule: wire/request-log)
    #[test]
    fn a_reader_that_continues_where_it_was_misses_no_slow_answer_and_learns_of_a_gap() {
        let log = RequestLog::new(Bounds { requests: 3, bytes: 100 });
        let sees = |_: Option<PartnerId>| true;
        let read = |start, most| {
            let Reading { lines, next, is_whole, .. } = log.from(start, most, sees, |line| line.id != 4);
            (lines.into_iter().map(|(_, line)| line.id).collect::<Vec<_>>(), next, is_whole)
        };
        assert_eq!(read(0, 10), (vec![], 1, true));
        // The request with the id 1 is answered last.
        for id in [2, 3] {
            log.note(request(id, ""));
        }
        assert_eq!(read(0, 10), (vec![2, 3], 3, true));
        log.note(request(1, ""));
        assert_eq!(read(3, 10), (vec![1], 4, true));
        assert_eq!(read(0, 2), (vec![2, 3], 3, true));
        log.note(request(4, ""));
        assert_eq!(read(2, 10), (vec![3, 1], 5, true));
        assert_eq!(read(0, 10), (vec![3, 1], 5, false), "the first is no longer kept");
        assert_eq!(log.from(0, 10, |partner| partner.is_some(), |_| true).lines, []);
    }
}
