//! A world as its deliveries see it.

use axum::extract::ws::Utf8Bytes;
use sim::canary::Canary;

use super::WorldHandle;
use crate::deliveries::delivery::Delivery;
use crate::deliveries::host::Host;
use crate::faults::{DeliveryFault, DueAttempt};
use crate::feed::log::{EventEntry, Log};
use crate::transport::{TransportClock, TransportTime};

impl Host for WorldHandle {
    fn is_gone(&self) -> bool {
        self.is_dropped()
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
