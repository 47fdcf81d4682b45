//! Public shapes: one file a resource, with the conversion from the world's record and the reading of its requests.
//!
//! Wire types are not the world's types. A conversion names every field of the record it shows, so that a new field
//! breaks the build until somebody decides whether it is public. The description of the API comes from the same types.
//! Absent on purpose: decisions. Nothing here knows whether a request is acceptable, only whether it can be read.
//!
//! serde_json writes the shapes. `benches/serialise.rs` has sonic-rs at 1.5 times its pace on an account (1.5 us against 1.0),
//! 1.9 on an order and 1.6 on a list. An account read over loopback takes some 30 us, so half a microsecond of it is no reason
//! for a second JSON library, which reads and writes numbers in a form of its own.

pub mod fields;
pub mod json;
pub mod number;
pub mod query;
pub mod shape;
pub(crate) mod shown;
pub mod text;
pub mod words;

pub mod account;
pub mod answers;
pub mod callback;
pub mod client;
pub mod configuration;
pub mod error;
pub mod event;
pub mod instruction;
pub mod instrument;
pub mod journey;
pub mod journey_result;
pub mod link;
pub mod mobile_payment;
pub mod opening;
pub mod order;
pub mod performance;
pub mod period;
pub mod ping;
pub mod plan;
pub mod standing;
pub mod step;
pub mod transaction;
pub mod transfer;
pub mod withdrawal;

use bytes::Bytes;
use serde::Serialize;

/// Enough for most resources, so that a buffer seldom grows.
const USUAL_SIZE: usize = 1_024;

/// `shape` as JSON text.
#[must_use]
pub fn to_json<T: Serialize>(shape: &T) -> Bytes {
    let mut text = Vec::with_capacity(USUAL_SIZE);
    // A shape has text keys only and writes to memory: there is nothing that could fail.
    serde_json::to_writer(&mut text, shape).expect("a wire shape is JSON");
    text.into()
}
