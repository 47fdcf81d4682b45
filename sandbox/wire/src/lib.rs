//! Public shapes: one file a resource, with the conversion from the world's record and the reading of its requests.
//!
//! Wire types are not the world's types. A conversion names every field of the record it shows, so that a new field
//! breaks the build until it is shown or hidden here. The description of the API comes from the same types.
//! Absent on purpose: decisions. Nothing here knows whether a request is acceptable, only whether it can be read.
//!
//! serde_json writes the shapes. A library that is half as fast again (`benches/serialise.rs`) reads and writes numbers in a form of its
//! own, and a writer of our own was quicker for lists and slower for one account.
//!
//! # What goes in and out
//!
//! A body is read into a tree (`json.rs`, strict about repeats, depth and digits), then field by field (`fields.rs`) by the rows of its shape
//! (`shape.rs`): one walk over the rows reads the value, another makes its schema. The partner API, the levers, `/_sandbox` and setups are read
//! this way; all but the partner API refuse unknown fields. Where a field of a command cannot be read it is `None` in the command's partial
//! form (`sim::partial`), and the world's own checks judge that form (`query::{journey,order,client}_problems`): so one answer names everything
//! that is wrong, once. Whether a request is acceptable is the world's to say; nothing here knows a rule.
//!
//! A setting is one row (`sim/src/settings.rs`, `hosting/src/transport.rs`): setups, `/_sandbox/worlds/{id}/settings` and `explain settings` walk
//! the rows.
//!
//! Answers have rows, too (`shown.rs`): a row names a field of a record, its JSON name and whether it is optional or nullable, and makes the
//! struct, its schema and its value. A field that a record gains does not compile until a row shows or hides it.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! error, json, link, period, raw, shows
//! fields, number, text
//! ping, shape, shown
//! instrument, performance, plan, withdrawal, words
//! account, answers, client, configuration, instruction, journey_result, mobile_payment, opening, order, query, standing, step, transaction, transfer
//! callback, journey, setup
//! event
//! ```

pub mod fields;
pub mod json;
pub mod number;
pub mod query;
pub(crate) mod raw;
pub mod shape;
pub mod shown;
pub(crate) mod shows;
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
pub mod setup;
pub mod standing;
pub mod step;
pub mod transaction;
pub mod transfer;
pub mod withdrawal;

use std::cell::Cell;

use bytes::Bytes;
use serde::Serialize;

/// The largest buffer that a thread keeps for what it writes next.
const LARGEST_KEPT: usize = 256 * 1_024;

thread_local! {
    /// What a thread writes into: a buffer of the size that answers have by now need not grow.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// `shape` as JSON text.
#[must_use]
pub fn to_json<T: Serialize>(shape: &T) -> Bytes {
    let mut text = BUFFER.take();
    text.clear();
    // A shape has text keys only and writes to memory: there is nothing that could fail.
    serde_json::to_writer(&mut text, shape).expect("a wire shape is JSON");
    if text.len() > LARGEST_KEPT {
        return text.into();
    }
    // Answers are kept for looking back, so they take no more room than they need.
    let written = Bytes::copy_from_slice(&text);
    BUFFER.set(text);
    written
}
