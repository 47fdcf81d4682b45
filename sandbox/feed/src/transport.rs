//! Transport time and the periods and bounds that go by it.
//!
//! Owns: the clock that token lives, heartbeats, the hourly cap and the `Date` header are measured on.
//! Invariant: never mixed with a world's business clock; both readings and waits follow the clock that was handed in, so
//! that a simulated network can drive them. Absent on purpose: reading the host's wall clock.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use axum::http::HeaderValue;
use serde::{Deserialize, Serialize};
use sim::settings::SettingType;

use wire::error::UnknownResource;

/// A moment of transport time: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TransportTime(pub u64);

impl TransportTime {
    /// The moment `span` later, stopping at the end of the range.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(millis(span)))
    }

    /// How long it is from `earlier` to here; zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// Whole milliseconds of `span`, stopping at the end of the range.
#[must_use]
pub fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

fn signed(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// The transport clock. Clones read the same clock.
#[derive(Clone)]
pub struct TransportClock {
    source: Source,
    /// Milliseconds that it shows beyond its source, so that it goes on from what another clock has shown.
    ahead: Arc<AtomicI64>,
    date: Arc<Mutex<Option<(u64, HeaderValue)>>>,
}

#[derive(Clone)]
enum Source {
    Tokio { epoch: TransportTime, base: tokio::time::Instant },
    Given { now: Arc<dyn Fn() -> Duration + Send + Sync>, waits: Waits },
}

/// The moments that tasks wait for, with how many wait for each.
type Waits = Arc<Mutex<BTreeMap<TransportTime, usize>>>;

impl TransportClock {
    /// A clock that shows `epoch` (time since 1970) now and advances with tokio's time.
    #[must_use]
    pub fn starting_at(epoch: Duration) -> Self {
        let epoch = TransportTime(millis(epoch));
        Self::from_source(Source::Tokio { epoch, base: tokio::time::Instant::now() })
    }

    /// A clock read from outside: `now` answers the time since 1970 and never goes back. For simulated hosts whose tokio
    /// clock starts over after a crash.
    #[must_use]
    pub fn given(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self::from_source(Source::Given { now: Arc::new(now), waits: Waits::default() })
    }

    fn from_source(source: Source) -> Self {
        Self { source, ahead: Arc::default(), date: Arc::default() }
    }

    /// Shows nothing before `at` from now on: clocks of earlier processes, or of other machines, have shown that already. Answers how far
    /// it was behind.
    pub fn not_before(&self, at: TransportTime) -> Duration {
        let behind = at.since(self.now());
        self.ahead.fetch_add(signed(millis(behind)), Ordering::Relaxed);
        behind
    }

    /// Shows `at` now, as another clock does that it goes on for. Nobody goes by it yet.
    pub fn show(&self, at: TransportTime) {
        self.ahead.fetch_add(signed(at.0) - signed(self.now().0), Ordering::Relaxed);
    }

    /// What the clock shows.
    #[must_use]
    pub fn now(&self) -> TransportTime {
        let TransportTime(shown) = match &self.source {
            Source::Tokio { epoch, base } => epoch.plus(base.elapsed()),
            Source::Given { now, .. } => TransportTime(millis(now())),
        };
        TransportTime(shown.saturating_add_signed(self.ahead.load(Ordering::Relaxed)))
    }

    /// The value of the `Date` header now.
    #[must_use]
    pub fn date(&self) -> HeaderValue {
        self.date_at(self.now())
    }

    /// The value of the `Date` header at `now`; the last one is remembered.
    #[must_use]
    pub fn date_at(&self, now: TransportTime) -> HeaderValue {
        let second = now.0 / 1_000;
        let mut memo = self.date.lock().unwrap_or_else(PoisonError::into_inner);
        match &*memo {
            Some((at, value)) if *at == second => value.clone(),
            _ => memo.insert((second, date_of(second))).1.clone(),
        }
    }

    /// Waits until the clock shows `at` or later; waits are tokio's.
    pub async fn until(&self, at: TransportTime) {
        let _noted = match &self.source {
            Source::Tokio { .. } => None,
            Source::Given { waits, .. } => Some(Wait::note(waits, at)),
        };
        loop {
            let left = at.since(self.now());
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    /// The earliest moment that a task waits for with [`Self::until`]. A clock that advances with tokio's time keeps no
    /// account of it: only a driver of the clock asks.
    #[must_use]
    pub fn next_wait(&self) -> Option<TransportTime> {
        match &self.source {
            Source::Tokio { .. } => None,
            Source::Given { waits, .. } => locked(waits).first_key_value().map(|(at, _)| *at),
        }
    }
}

/// One task that waits, for as long as it does.
struct Wait {
    waits: Waits,
    at: TransportTime,
}

impl Wait {
    fn note(waits: &Waits, at: TransportTime) -> Self {
        *locked(waits).entry(at).or_default() += 1;
        Self { waits: Arc::clone(waits), at }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut waits = locked(&self.waits);
        if let Some(count) = waits.get_mut(&self.at) {
            *count -= 1;
            if *count == 0 {
                waits.remove(&self.at);
            }
        }
    }
}

fn locked(waits: &Waits) -> std::sync::MutexGuard<'_, BTreeMap<TransportTime, usize>> {
    waits.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for TransportClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TransportClock").field(&self.now()).finish()
    }
}

/// HTTP dates end with the year 9999; so does this clock's text.
const LAST_SECOND: u64 = 253_402_300_799;

fn date_of(second: u64) -> HeaderValue {
    let text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second.min(LAST_SECOND)));
    HeaderValue::from_str(&text).expect("an HTTP date is a header value")
}

/// Bounds and periods of connections; the same for all worlds of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once.
    pub connections: usize,
    /// Further ones, which may ask the operator's plane and get a 503 otherwise; those beyond wait in the listener's queue.
    pub reserved: usize,
    /// From the first byte of a request to the end of its header.
    pub header: Duration,
    /// From the end of the header to the end of the body.
    pub body: Duration,
    /// A kept-alive connection without a request.
    pub idle: Duration,
    /// A response of which the other side takes no byte.
    pub write: Duration,
    /// Largest header of a request, in bytes.
    pub header_bytes: usize,
    /// Largest body of a request, in bytes (rule: wire/content-type).
    pub body_bytes: usize,
    /// How long and how much is read away after a refused body, so that the answer is not lost to a reset.
    pub linger: Duration,
    /// See `linger`.
    pub linger_bytes: usize,
    /// From `server_closing` to the close of every socket.
    pub closing_notice: Duration,
    /// What a graceful stop waits for after the notice: close frames are on their way.
    pub drain: Duration,
    /// What a graceful stop takes at most, while there are sockets whose readers lag and still take events.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            reserved: 8,
            header: Duration::from_secs(10),
            body: Duration::from_secs(20),
            idle: Duration::from_secs(75),
            write: Duration::from_secs(30),
            header_bytes: 32 * 1024,
            body_bytes: 1024 * 1024,
            linger: Duration::from_secs(2),
            linger_bytes: 8 * 1024 * 1024,
            closing_notice: Duration::from_millis(1_700),
            drain: Duration::from_millis(200),
            // Supervisors kill what has not ended half a minute after they asked for it.
            stop: Duration::from_secs(25),
        }
    }
}

/// Seconds, at most a year.
pub const SECONDS: SettingType = SettingType::Whole(1, 366 * 86_400);
/// More than fits into memory is no bound.
const COUNT: SettingType = SettingType::Whole(1, 10_000_000);

sim::settings! {
    /// Tunables of the surface for one world (rule: wire/unknown-fields, auth/token-life, events/heartbeat,
/// events/socket-end).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    SurfaceSettings {
        /// Seconds between two heartbeats on a socket.
        heartbeat: Duration = Duration::from_secs(30), "heartbeatSeconds", SECONDS;
        /// Lifetime of a socket in seconds.
        socket_cap: Duration = Duration::from_secs(3_600), "socketCapSeconds", SECONDS;
        /// Seconds after which a socket whose client reads nothing is closed.
        socket_stall: Duration = Duration::from_secs(30), "socketStallSeconds", SECONDS;
        /// Lifetime of an access token in seconds.
        token_life: Duration = Duration::from_secs(3_600), "tokenLifeSeconds", SECONDS;
        /// Whether tokens and sockets go by the world's clock instead of transport time.
        virtual_transport: bool = false, "virtualTransport", SettingType::Flag;
        /// Whether only the operator may use levers that act on the whole world (funds, screening, deaths) (rule: auth/market-levers).
        operator_market: bool = false, "operatorMarket", SettingType::Flag;
        /// Number of events kept.
        events_kept: usize = 1_000_000, "eventsKept", COUNT;
        /// Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before
        /// them.
        inputs_kept: usize = 200_000, "inputsKept", COUNT;
        /// Number of requests kept for each partner.
        requests_kept: usize = 1_000, "requestsKept", COUNT;
        /// Bytes kept of each body, of requests and of their answers; 0 keeps none.
        request_body_bytes: usize = 4_096, "requestBodyBytes", SettingType::Whole(0, 1_048_576);
        /// Bytes kept of all bodies of each partner; the oldest go first.
        request_bodies_bytes: usize = 4_194_304, "requestBodiesBytes", SettingType::Whole(0, 1_073_741_824);
        /// Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none.
        recording_bytes: usize = 4_194_304, "recordingBytes", SettingType::Whole(0, 1_073_741_824);
        /// Open sockets for one client at the same time.
        sockets_per_client: usize = 100, "socketsPerClient", COUNT;
        /// Open sockets for one partner at the same time.
        sockets_per_partner: usize = 1_000, "socketsPerPartner", COUNT;
        /// Valid access tokens for one partner at the same time. The oldest token expires first.
        tokens_per_partner: usize = 100_000, "tokensPerPartner", COUNT;
        /// Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them.
        strict_bodies: bool = false, "strictBodies", SettingType::Flag;
        /// Status of the answer to an unknown id.
        unknown_resource: UnknownResource = UnknownResource::default(), "unknownResourceStatus", SettingType::OneOf(&[400, 403, 404]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_clock_starts_at_its_epoch_and_runs_with_tokio() {
        let clock = TransportClock::starting_at(Duration::from_secs(1_772_434_800));
        assert_eq!(clock.date(), "Mon, 02 Mar 2026 07:00:00 GMT");
        clock.until(clock.now().plus(Duration::from_millis(1_500))).await;
        assert_eq!(clock.now(), TransportTime(1_772_434_801_500));
        assert_eq!(clock.date(), "Mon, 02 Mar 2026 07:00:01 GMT");
    }

    #[test]
    fn a_given_clock_shows_what_it_is_given() {
        let clock = TransportClock::given(|| Duration::from_millis(42));
        assert_eq!(clock.now(), TransportTime(42));
        assert_eq!(clock.date(), "Thu, 01 Jan 1970 00:00:00 GMT");
    }

    #[tokio::test(start_paused = true)]
    async fn a_given_clock_knows_what_is_waited_for_next_and_forgets_who_waits_no_more() {
        let clock = TransportClock::given(|| Duration::ZERO);
        assert_eq!(clock.next_wait(), None);
        {
            let (mut late, mut early) =
                (Box::pin(clock.until(TransportTime(90))), Box::pin(clock.until(TransportTime(70))));
            let at_once = Duration::ZERO;
            tokio::time::timeout(at_once, &mut late).await.expect_err("it is not that late");
            assert_eq!(clock.next_wait(), Some(TransportTime(90)));
            tokio::time::timeout(at_once, &mut early).await.expect_err("it is not that late");
            assert_eq!(clock.next_wait(), Some(TransportTime(70)));
            drop(early);
            assert_eq!(clock.next_wait(), Some(TransportTime(90)));
        }
        assert_eq!(clock.next_wait(), None);
    }

    #[test]
    fn no_date_is_later_than_the_last_that_http_can_write() {
        assert_eq!(date_of(u64::MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
    }
}
