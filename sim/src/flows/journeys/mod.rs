//! Journeys: creation, the customer's drive, levers, effects.

use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;

/// Until the flows land.
pub(crate) fn unavailable() -> Result<Reply, Refusal> {
    Err(Refusal::one(Class::NotAllowedNow, "journey", Fault::Invalid { because: "this world does not do it yet" }))
}
