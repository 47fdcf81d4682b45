//! What happens to the deliveries of a world beside its inputs, so that it can be done again from a journal.
//!
//! Invariant: a change names deliveries and webhooks by their ids, and every instant that it needs; done again in the order in
//! which the changes were noted, among the same inputs, it leads to the same queue. Absent on purpose: what inputs do to it
//! (callbacks, events, webhooks), which their world does again by itself, and attempts that have not ended: they are made again.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sim::time::Instant;
use uuid::Uuid;

use super::delivery::Delivery;
use super::outcome::{AttemptOutcome, Ended};
use super::webhooks::Replay;
use crate::fault::DeliveryFault;
use feed::input_log::{Pending, ready};
use feed::log::Cursor;
use feed::transport::TransportTime;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// An attempt has ended.
    Attempted {
        /// The delivery.
        id: Uuid,
        /// When the delivery was queued.
        queued: TransportTime,
        /// When the attempt began.
        began: TransportTime,
        /// When it ended.
        ended: TransportTime,
        /// Its outcome.
        outcome: AttemptOutcome,
        /// How long the receiver wants to be left alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<Duration>,
        /// What a rule did to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<DeliveryFault>,
        /// For which moment it was signed, in unix seconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signed_at: Option<u64>,
        /// Where it went, when its webhook has another address by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        went_to: Option<Arc<str>>,
        /// Whether its webhook has changed since it began, so that the outcome says nothing of it.
        #[serde(default)]
        is_stale: bool,
        /// Whether it was to be sent once more, for which it has its place already.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// A rule has put a delivery off that was about to be attempted.
    PutOff {
        /// The delivery.
        id: Uuid,
        /// When.
        at: TransportTime,
        /// What it did.
        by: DeliveryFault,
    },
    /// A delivery is sent again.
    Replayed {
        /// The delivery.
        id: Uuid,
        /// When that was asked for.
        at: TransportTime,
    },
    /// The events of a webhook are sent again.
    Resent {
        /// The webhook.
        webhook: Uuid,
        /// What happened from this instant on.
        since: Instant,
        /// Of that, what has this number or a later one.
        from: Option<u64>,
        /// When that was asked for.
        at: TransportTime,
    },
    /// A webhook is sent a message by which its owner sees that it works.
    Tested {
        /// The webhook.
        webhook: Uuid,
        /// What the world's clock showed.
        occurred: Instant,
        /// When that was asked for.
        at: TransportTime,
    },
}

impl Change {
    /// An attempt that is under way has ended.
    pub(super) fn attempted(of: &Delivery, at: TransportTime, how: Ended) -> Self {
        let Ended { outcome, retry_after, fault, signed_at } = how;
        let (id, queued, is_stale) = (of.notification.id, of.queued, of.is_stale);
        let went_to = (of.bound_for != of.notification.url).then(|| Arc::clone(&of.bound_for));
        let began = of.under_way.unwrap_or(at);
        let again = of.again_as.is_some();
        Self::Attempted {
            id,
            queued,
            began,
            ended: at,
            outcome,
            retry_after,
            fault,
            signed_at,
            went_to,
            is_stale,
            again,
        }
    }

    /// The events of `webhook` that `wanted` names are sent again.
    pub(super) fn resent(webhook: Uuid, wanted: Replay, at: TransportTime) -> Self {
        let Replay { since, from } = wanted;
        Self::Resent { webhook, since, from: from.map(|Cursor(number)| number), at }
    }
}

/// Notes a change when it is called, and answers when it is kept.
pub type Note = dyn Fn(Change) -> Pending<'static, ()> + Send + Sync;

/// Where changes are noted; nowhere until it is said. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<OnceLock<Box<Note>>>);

impl Notes {
    /// Notes changes with `note` from now on, once.
    pub fn begin(&self, note: Box<Note>) {
        self.0.get_or_init(|| note);
    }

    /// Notes a change; the answer comes when it is kept, whether it is waited for or not.
    pub fn note(&self, change: impl FnOnce() -> Change) -> Pending<'static, ()> {
        match self.0.get() {
            Some(note) => note(change()),
            None => ready(Ok(())),
        }
    }
}
