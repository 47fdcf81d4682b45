//! Callbacks: what the world sends to a partner's server.
//!
//! Invariant: a journey causes exactly one callback if it ended canceled, in error or complete, and none otherwise
//! (invariant 28). Absent on purpose: delivery, signatures and retries, which are the surface's and outside the digest.

use crate::ids::{ClientId, JourneyId};
use crate::records::Journey;
use crate::rng::Seed;
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

/// A callback to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callback {
    /// Stable id of the notification: the same for every attempt, and for every run of the same seed.
    pub id: Uuid,
    /// When it became due.
    pub at: Instant,
    /// Client of the journey.
    pub client: ClientId,
    /// The journey.
    pub journey: JourneyId,
    /// Where to.
    pub url: Arc<str>,
    /// The journey as it was at its end: status, context, error code, scope and result of the body.
    pub body: Arc<Journey>,
}

impl Callback {
    /// The callback of a journey that has just ended.
    #[must_use]
    pub fn of(seed: Seed, at: Instant, journey: &Arc<Journey>) -> Self {
        Self {
            id: crate::ids::event_id(seed, "journey.callback", &journey.id.as_uuid(), 0),
            at,
            client: journey.client,
            journey: journey.id,
            url: Arc::clone(&journey.callback_url),
            body: Arc::clone(journey),
        }
    }
}
