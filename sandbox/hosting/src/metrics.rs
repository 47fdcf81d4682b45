//! Figures about the process, for those who watch it: counted as things happen, written out on request.
//!
//! Invariant: labels are closed sets (patterns of routes, methods that are known, words of outcomes), never anything that a
//! caller chooses, so memory is bounded. Counting takes no lock that anybody waits under. Absent on purpose: figures that follow
//! from the state of worlds, which are read when the figures are written.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use rustc_hash::FxBuildHasher;

use deliveries::outcome::AttemptOutcome;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: &'static str,
    route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Attempted {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EventLabel {
    event: &'static str,
}

/// Upper ends of the buckets of durations, in seconds.
const SECONDS: [f64; 9] = [0.000_25, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0, 60.0];

fn durations() -> Histogram {
    Histogram::new(SECONDS)
}

/// The figures of a process. Clones count together.
#[derive(Clone)]
pub struct Metrics(Arc<Figures>);

struct Figures {
    met_answers: Met<Answered, (Counter, Histogram)>,
    met_events: Met<&'static str, Counter>,
    answered: Family<Answered, Counter>,
    took: Family<Route, Histogram, fn() -> Histogram>,
    events: Family<EventLabel, Counter>,
    attempts: Family<Attempted, Counter>,
    attempt_took: Histogram,
    connections: Gauge,
    left_out: Counter,
}

/// The figures that there have been: they are found in a family by a slow hash.
struct Met<K, V>(RwLock<HashMap<K, V, FxBuildHasher>>);

impl<K, V> Default for Met<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash, V> Met<K, V> {
    /// Calls `count` with the figures of `key`, which `make` makes where there are none.
    fn of(&self, key: K, make: impl FnOnce(&K) -> V, count: impl Fn(&V)) {
        let met = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(figures) = met.get(&key) {
            return count(figures);
        }
        drop(met);
        let made = make(&key);
        count(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made));
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self(Arc::new(Figures {
            met_answers: Met::default(),
            met_events: Met::default(),
            answered: Family::default(),
            took: Family::new_with_constructor(durations),
            events: Family::default(),
            attempts: Family::default(),
            attempt_took: durations(),
            connections: Gauge::default(),
            left_out: Counter::default(),
        }))
    }
}

impl Metrics {
    /// Counts an answer; a dropped connection has status 0.
    pub fn answered(&self, method: &Method, route: &'static str, status: Option<u16>, took: Duration) {
        let answered = Answered { method: known(method), route, status: status.unwrap_or_default() };
        let figures = &*self.0;
        let make = |answered: &Answered| {
            let count = figures.answered.get_or_create(answered).clone();
            let durations = figures.took.get_or_create(&Route { method: answered.method, route }).clone();
            (count, durations)
        };
        figures.met_answers.of(answered, make, |(count, durations)| {
            count.inc();
            durations.observe(took.as_secs_f64());
        });
    }

    /// Counts a request that was refused before it was read: what it asks for is not known.
    pub fn refused_unread(&self, status: u16) {
        self.0.answered.get_or_create(&Answered { method: OTHER, route: UNREAD, status }).inc();
    }

    /// Counts an event.
    pub fn happened(&self, event: &'static str) {
        let figures = &*self.0;
        let make = |event: &&'static str| figures.events.get_or_create(&EventLabel { event }).clone();
        figures.met_events.of(event, make, |count| {
            count.inc();
        });
    }

    /// Counts an attempt to deliver.
    pub fn attempted(&self, outcome: AttemptOutcome, took: Duration) {
        let outcome = outcome.verdict().word();
        self.0.attempts.get_or_create(&Attempted { outcome }).inc();
        self.0.attempt_took.observe(took.as_secs_f64());
    }

    /// Counts a line that the log has left out.
    pub fn left_out(&self) {
        self.0.left_out.inc();
    }

    /// Counts a connection for as long as the answer lives.
    #[must_use]
    pub fn connected(&self) -> Connected {
        self.0.connections.inc();
        Connected(self.0.connections.clone())
    }

    /// Enters all figures in `registry`.
    pub fn enter(&self, registry: &mut Registry) {
        let figures = &*self.0;
        registry.register("requests", "Requests answered; status 0 is a dropped connection", figures.answered.clone());
        registry.register("request_duration_seconds", "From a request's header to its answer", figures.took.clone());
        registry.register("events", "Events by type", figures.events.clone());
        registry.register("delivery_attempts", "Attempts to deliver callbacks and webhooks", figures.attempts.clone());
        registry.register("delivery_duration_seconds", "Of an attempt to deliver", figures.attempt_took.clone());
        registry.register("connections", "Connections open", figures.connections.clone());
        registry.register("log_left_out", "Lines left out because standard error was slow", figures.left_out.clone());
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// An open connection, counted.
#[derive(Debug)]
pub struct Connected(Gauge);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A method by a word of ours: callers may make up their own.
/// In place of methods that no route has, or of requests that were not read.
const OTHER: &str = "other";

/// In place of the route of a request that was not read.
const UNREAD: &str = "unread";

fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "PATCH" => "PATCH",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        _ => OTHER,
    }
}
