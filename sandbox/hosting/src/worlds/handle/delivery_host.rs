//! A world as its deliveries see it.

use axum::extract::ws::Utf8Bytes;
use sim::canary::Canary;
use std::sync::atomic::Ordering;
use tracing::Span;
use uuid::Uuid;

use super::WorldHandle;
use crate::log::DELIVERIES;
use deliveries::delivery::Delivery;
use deliveries::fault::{DeliveryFault, DueAttempt};
use deliveries::host::Host;
use deliveries::signature::SigningKey;
use feed::log::{EventEntry, Log};
use feed::transport::{TransportClock, TransportTime};

impl Host for WorldHandle {
    fn span(&self) -> Span {
        tracing::info_span!(target: DELIVERIES, parent: None, "deliveries", world = %self.identity.id())
    }

    fn webhook_id(&self, number: u64) -> Uuid {
        self.identity.key().webhook_id(self.identity.id(), number)
    }

    fn webhook_key(&self, number: u64) -> SigningKey {
        self.identity.key().webhook_key(self.identity.id(), number)
    }

    fn is_gone(&self) -> bool {
        self.is_dropped() || self.is_unreadable() || self.delivers_no_more.load(Ordering::Acquire)
    }

    fn clock(&self) -> &TransportClock {
        self.transport_clock()
    }

    fn time(&self) -> TransportTime {
        self.feed_time(&self.edge.settings())
    }

    fn reaches(&self, at: TransportTime) -> Option<TransportTime> {
        self.feed_reaches(at, &self.edge.settings())
    }

    fn fault(&self, attempt: &DueAttempt<'_>) -> Option<DeliveryFault> {
        self.edge.faults.delivery_fault(attempt)
    }

    fn is_planted(&self, canary: Canary) -> bool {
        self.identity.is_planted(canary)
    }

    fn record_attempt(&self, delivery: &Delivery) {
        let partner = delivery.notification.partner.or_else(|| self.owner_of(delivery.notification.client));
        if let Some(partner) = partner {
            self.coverage.attempted(partner, delivery);
        }
        if let Some(telemetry) = self.server.telemetry.get() {
            telemetry.attempted(self.identity.id(), delivery);
        }
    }

    fn events(&self) -> &Log {
        self.subscribers.feed.log()
    }

    fn message(&self, entry: &EventEntry) -> Option<Utf8Bytes> {
        self.read(|world| entry.message(|event| self.message(world, event))).ok()
    }
}
