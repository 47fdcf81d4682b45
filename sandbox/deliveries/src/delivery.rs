//! One delivery as the log keeps it: what is sent, its status, its attempts.
//!
//! Absent on purpose: when it is its turn, which is the queue's.

use std::sync::Arc;
use std::time::Duration;

use super::machine::Status;
use super::notification::{Notification, OrderingKey};
use super::outcome::AttemptOutcome;
use super::positions::{DeliveryCursor, Position};
use crate::fault::DeliveryFault;
use feed::transport::TransportTime;
use sim::machines::Current;
use uuid::Uuid;

/// Names one delivery within one queue; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub(super) u64);

/// One attempt that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub began: TransportTime,
    /// When it ended.
    pub ended: TransportTime,
    /// Its outcome.
    pub outcome: AttemptOutcome,
    /// How long the receiver wanted to be left alone.
    pub retry_after: Option<Duration>,
    /// What a rule did to it.
    pub fault: Option<DeliveryFault>,
    /// The rule's delay that it came after.
    pub put_off: Option<DeliveryFault>,
    /// For which moment it was signed, in unix seconds; none where nothing was.
    pub signed_at: Option<u64>,
}

/// A delivery as logged.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Body of the delivery.
    pub notification: Notification,
    /// Its status.
    pub status: Current<Status>,
    /// When it came.
    pub queued: TransportTime,
    /// When it is next tried, if it is its ordering key's turn then; meaningless unless queued.
    pub(super) due: TransportTime,
    /// When the attempt under way began.
    pub under_way: Option<TransportTime>,
    /// Where that attempt goes.
    pub(super) bound_for: Arc<str>,
    /// Whether its webhook has another address, or was enabled once more, since that attempt began.
    pub(super) is_stale: bool,
    /// The place that it takes when that attempt has ended, whatever its outcome.
    pub(super) again_as: Option<Number>,
    /// Attempts that ended, those of earlier rounds included.
    pub made: u32,
    /// The newest of them, oldest first.
    pub attempts: Vec<Attempt>,
    /// Attempts of the present round that failed.
    pub(super) failed: usize,
    /// Whether a rule has put it off in the present round: once is enough.
    pub(super) was_put_off: bool,
    /// What puts the next attempt off.
    pub put_off: Option<DeliveryFault>,
    /// Whether a rule lets those behind it overtake it.
    pub is_overtaken: bool,
    /// The places that it has had in the order in which deliveries came, the newest ones, oldest first.
    pub(super) positions: Vec<Position>,
}

impl Delivery {
    /// What it must not overtake, and must not be overtaken by.
    pub(super) const fn place(&self) -> OrderingKey {
        let OrderingKey { webhook, resource } = self.notification.ordering_key;
        OrderingKey { webhook, resource: if self.is_overtaken { self.notification.id } else { resource } }
    }

    /// When it is next tried, if it is its ordering key's turn then; `None` when it has ended or is under way.
    #[must_use]
    pub fn next_attempt(&self) -> Option<TransportTime> {
        (self.status == Status::Queued && self.under_way.is_none()).then_some(self.due)
    }

    /// The cursor of a reader of all deliveries, or of those of its partner, who has read up to this one.
    #[must_use]
    pub fn cursor(&self, reads_all: bool) -> DeliveryCursor {
        let id = self.notification.id;
        self.positions.last().map_or_else(DeliveryCursor::default, |position| position.cursor(id, reads_all))
    }

    /// How often it was sent again.
    #[must_use]
    pub fn sent_again(&self) -> u32 {
        self.positions.last().map_or(0, |position| position.count())
    }

    /// What a rule did to it last, or does now.
    #[must_use]
    pub fn fault(&self) -> Option<DeliveryFault> {
        self.put_off.or_else(|| self.attempts.iter().rev().find_map(|attempt| attempt.fault.or(attempt.put_off)))
    }

    /// Whose wish to be left alone it has to respect.
    pub(super) fn owner(&self) -> Uuid {
        self.notification.ordering_key.webhook.unwrap_or_else(|| self.notification.client.as_uuid())
    }

    pub(super) fn note(&mut self, attempt: Attempt, keep: usize) {
        self.made += 1;
        self.attempts.push(attempt);
        let surplus = self.attempts.len().saturating_sub(keep.max(1));
        self.attempts.drain(..surplus);
    }
}
