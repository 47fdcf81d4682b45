//! Where all that happens is logged and counted: events of `tracing` and the figures, side by side.
//!
//! Invariant: no world, and nothing that decides an answer, can read what is here. Absent on purpose: both of them.

use std::time::Duration;

use axum::http::Method;
use sim::Event;
use sim::ids::PartnerId;
use sim::input::Origin;
use tracing::{Level, debug, error, info, warn};

use crate::current;
use crate::log::{DELIVERIES, EVENTS, REQUESTS, bare};
use crate::metrics::Metrics;
use crate::world_id::WorldId;
use deliveries::delivery::Delivery;
use deliveries::fault::DeliveryFault;
use deliveries::outcome::DeliveryVerdict;
use deliveries::webhooks::resource;

/// A request that has its answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The `request-id` of the answer.
    pub id: u64,
    /// Method of the request.
    pub method: &'a Method,
    /// Path and query, without secrets.
    pub target: &'a str,
    /// The pattern of the route that answered it, or what stands for it.
    pub route: &'static str,
    /// Whether it was of those who look after the server.
    pub is_watching: bool,
    /// The world that it was about, where that is known.
    pub world: Option<WorldId>,
    /// Whose token it showed.
    pub partner: Option<PartnerId>,
    /// Its status; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// From the end of the request's header to here.
    pub took: Duration,
}

/// An event of `tracing` at a level that is known only when it happens.
macro_rules! emit {
    ($level:expr, $($event:tt)*) => {
        match $level {
            Level::ERROR => error!($($event)*),
            Level::WARN => warn!($($event)*),
            Level::INFO => info!($($event)*),
            _ => debug!($($event)*),
        }
    };
}

/// The figures of a process, beside which everything is logged. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Telemetry {
    /// Figures.
    pub metrics: Metrics,
}

impl Telemetry {
    /// A request has its answer.
    pub fn answered(&self, answer: &Answer<'_>) {
        let Answer { id, method, target, route, is_watching, world, partner, status, took } = *answer;
        self.metrics.answered(method, route, status, took);
        let level = match status {
            Some(500..) => Level::ERROR,
            _ if is_watching => Level::DEBUG,
            None => Level::WARN,
            Some(_) => Level::INFO,
        };
        emit!(
            level,
            target: REQUESTS,
            request_id = id,
            method = method.as_str(),
            path = target,
            status,
            ms = millis(took),
            world = world.map(WorldId::number),
            partner = partner.map(|partner| partner.as_uuid().as_u128()),
        );
    }

    /// A request was refused before it was read, with the answer of this number and status.
    pub fn refused_unread(&self, id: u64, status: u16, why: &str) {
        self.metrics.refused_unread(status);
        warn!(target: REQUESTS, request_id = id, status, "{status} to a request that was not read: {why}  request-id={id}");
    }

    /// Something happened in `world`. To be called under its lock.
    pub(crate) fn happened(&self, world: WorldId, event: &Event) {
        self.metrics.happened(event.kind());
        info!(
            target: EVENTS,
            event = event.kind(),
            resource = resource(event).as_u128(),
            occurred = event.at.ms(),
            world = world.number(),
            client = event.client.map(|client| client.as_uuid().as_u128()),
            request_id = current::request_id(),
            timer = match event.cause.by {
                Origin::Timer(timer) => Some(timer.what()),
                Origin::Request(_) => None,
            },
        );
    }

    /// The newest attempt of `delivery` has ended.
    pub(crate) fn attempted(&self, world: WorldId, delivery: &Delivery) {
        let Some(attempt) = delivery.attempts.last() else { return };
        let took = attempt.ended.since(attempt.began);
        self.metrics.attempted(attempt.outcome, took);
        let level = if attempt.outcome.verdict() == DeliveryVerdict::Received { Level::INFO } else { Level::WARN };
        emit!(
            level,
            target: DELIVERIES,
            delivery = delivery.notification.id.as_u128(),
            event = delivery.notification.event_type,
            url = bare(&delivery.notification.url),
            attempt = delivery.made,
            outcome = attempt.outcome.verdict().word(),
            answer = attempt.outcome.status(),
            failure = attempt.outcome.failure(),
            fault = attempt.fault.or(attempt.put_off).map(DeliveryFault::word),
            status = delivery.status.name(),
            ms = millis(took),
            world = world.number(),
            client = delivery.notification.client.as_uuid().as_u128(),
        );
    }
}

/// Milliseconds, exact to the microsecond.
fn millis(took: Duration) -> f64 {
    took.as_micros() as f64 / 1_000.0
}
