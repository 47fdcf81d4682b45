//! What a ping is answered with.

use crate::values::text::Timestamp;
use serde::Serialize;
use sim::time::Instant;
use utoipa::ToSchema;

/// The answer to a ping.
#[derive(Serialize, ToSchema)]
pub struct Pong {
    /// The present time of the caller's world, or of the sandbox's first one for callers without a token.
    pong: Timestamp,
}

impl Pong {
    /// The answer at `now`.
    #[must_use]
    pub const fn at(now: Instant) -> Self {
        Self { pong: Timestamp(now) }
    }
}
