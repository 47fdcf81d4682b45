//! Where all that happens is told and counted: the log and the figures, side by side.
//!
//! Invariant: nothing here can be read by a world or by whoever decides an answer. Absent on purpose: both of them.

use std::time::Duration;

use axum::http::Method;
use sim::Event;
use sim::input::Origin;

use crate::current;
use crate::deliveries::delivery::Delivery;
use crate::deliveries::outcome::DeliveryVerdict;
use crate::deliveries::webhooks::resource;
use crate::faults::DeliveryFault;
use crate::log::{DeliveryTold, EventTold, Level, Log, RequestTold, What};
use crate::metrics::Metrics;
use crate::world_id::WorldId;

/// What counts of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// Method of the request.
    pub method: &'a Method,
    /// Its status; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// From the end of the request's header to here.
    pub took: Duration,
}

/// The log and the figures of a process. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Telemetry {
    /// Lines.
    pub log: Log,
    /// Figures.
    pub metrics: Metrics,
}

impl Telemetry {
    /// A request has its answer, which `make` tells.
    pub fn answered(
        &self,
        route: &'static str,
        is_watching: bool,
        answer: &Answer<'_>,
        make: impl FnOnce() -> RequestTold,
    ) {
        self.metrics.answered(answer.method, route, answer.status, answer.took);
        let level = match answer.status {
            Some(500..) => Level::Error,
            _ if is_watching => Level::Debug,
            None => Level::Warn,
            Some(_) => Level::Info,
        };
        self.log.tell(level, || What::Request(make()));
    }

    /// A request was refused before it was read, with the answer of this number and status.
    pub fn refused_unread(&self, id: u64, status: u16, why: &str) {
        self.metrics.refused_unread(status);
        self.log.say(Level::Warn, format_args!("{status} to a request that was not read: {why}  request-id={id}"));
    }

    /// Something happened in `world`. To be called under its lock.
    pub(crate) fn happened(&self, world: WorldId, event: &Event) {
        self.metrics.happened(event.kind());
        self.log.tell(Level::Info, || {
            What::Event(EventTold {
                world,
                kind: event.kind(),
                resource: resource(event),
                client: event.client,
                occurred: event.at,
                timer: match event.cause.by {
                    Origin::Timer(timer) => Some(timer.what()),
                    Origin::Request(_) => None,
                },
                request: current::request_id(),
            })
        });
    }

    /// The newest attempt of `delivery` has ended.
    pub(crate) fn attempted(&self, world: WorldId, delivery: &Delivery) {
        let Some(attempt) = delivery.attempts.last() else { return };
        let took: Duration = attempt.ended.since(attempt.began);
        self.metrics.attempted(attempt.outcome, took);
        let level = if attempt.outcome.verdict() == DeliveryVerdict::Received { Level::Info } else { Level::Warn };
        self.log.tell(level, || {
            What::Delivery(Box::new(DeliveryTold {
                world,
                id: delivery.notification.id,
                kind: delivery.notification.event_type,
                client: delivery.notification.client,
                url: delivery.notification.url.clone(),
                fault: attempt.fault.or(attempt.put_off).map(DeliveryFault::word),
                attempt: delivery.made,
                outcome: attempt.outcome,
                status: delivery.status.name(),
                took,
            }))
        });
    }
}
