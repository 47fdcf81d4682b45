//! What a worker of deliveries needs from the world that it delivers for.

use axum::extract::ws::Utf8Bytes;
use sim::canary::Canary;
use tracing::Span;
use uuid::Uuid;

use super::delivery::Delivery;
use crate::fault::{DeliveryFault, DueAttempt};
use crate::signature::SigningKey;
use feed::log::{EventEntry, Log};
use feed::transport::{TransportClock, TransportTime};

/// A hosted world, as its deliveries see it.
pub trait Host: Send + Sync {
    /// The span in which its deliveries are made.
    fn span(&self) -> Span;
    /// The id of the webhook that is registered as this number.
    fn webhook_id(&self, number: u64) -> Uuid;
    /// The key of this number, which nobody can guess, for a webhook that comes without one.
    fn webhook_key(&self, number: u64) -> SigningKey;
    /// Whether it was dropped, or continues no more.
    fn is_gone(&self) -> bool;
    /// The transport clock.
    fn clock(&self) -> &TransportClock;
    /// The time that retries go by.
    fn time(&self) -> TransportTime;
    /// When that time will be `at`, by the transport clock; `None` when nobody knows.
    fn reaches(&self, at: TransportTime) -> Option<TransportTime>;
    /// What a fault rule does to an attempt that is about to be made.
    fn fault(&self, attempt: &DueAttempt<'_>) -> Option<DeliveryFault>;
    /// Whether a test has planted this fault.
    fn is_planted(&self, canary: Canary) -> bool;
    /// Logs and counts an attempt to deliver that has ended.
    fn record_attempt(&self, delivery: &Delivery);
    /// Its events.
    fn events(&self) -> &Log;
    /// The socket message of an event; `None` when the world has failed.
    fn message(&self, entry: &EventEntry) -> Option<Utf8Bytes>;
}
