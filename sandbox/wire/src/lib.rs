//! Public shapes by topic: each with the conversion from the world's record and the reading of its requests.
//!
//! Wire types are not the world's types. A conversion names every field of the record it shows, so that a new field
//! breaks the build until it is shown or hidden here. The description of the API comes from the same types.
//! Absent on purpose: decisions. Nothing here knows whether a request is acceptable, only whether it can be read.
//!
//! serde_json writes the shapes. A library that is half as fast again (`benches/serialise.rs`) reads and writes numbers in a form of its
//! own, and a writer of our own was quicker for lists and slower for one account. Keys of rows are known when this is compiled, so
//! serde_json is given them as text that is ready (`rows/object.rs`).
//!
//! # What goes in and out
//!
//! A body is read into a tree (`json.rs`, strict about repeats, depth and digits), then field by field (`rows/fields.rs`) by the rows of its
//! shape (`rows/shape.rs`): one walk over the rows reads the value, another makes its schema. The partner API, the levers, `/_sandbox` and setups are read
//! this way; all but the partner API refuse unknown fields. Where a field of a command cannot be read it is `None` in the command's partial
//! form (`sim::partial`), and the world's own checks judge that form (`query::{journey,order,client}_problems`): so one answer names everything
//! that is wrong, once. Whether a request is acceptable is the world's to say; nothing here knows a rule.
//!
//! A setting is one row (`sim/src/settings.rs`, `feed/src/transport.rs`): setups, `/_sandbox/worlds/{id}/settings` and `explain settings` walk
//! the rows.
//!
//! Answers have rows, too (`rows/shown.rs`): a row names a field of a record, its JSON name and whether it is optional or nullable, and makes the
//! struct, its schema and its value. A field that a record gains does not compile until a row shows or hides it.
//!
//! # Topics
//!
//! The nine topics of `sim/src/flows/mod.rs` have a file or a folder each: the body of an order is in `orders.rs`, an account in
//! `accounts/mod.rs`. Common to all: single values (`values`), rows (`rows`), closed vocabularies (`words`), parameters (`query`), errors.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! buffer, error, json, period, values
//! ping, rows
//! fees, plans, words
//! bank, clients, journeys, orders, payments, query, securities
//! accounts
//! event, setup
//! ```

pub mod accounts;
pub mod bank;
pub mod clients;
pub mod fees;
pub mod journeys;
pub mod orders;
pub mod payments;
pub mod plans;
pub mod securities;

mod buffer;
pub mod error;
pub mod event;
pub mod json;
pub mod period;
pub mod ping;
pub mod query;
pub mod rows;
pub mod setup;
pub mod values;
pub mod words;

use bytes::Bytes;
use serde::Serialize;

/// `shape` as JSON text.
#[must_use]
pub fn to_json<T: Serialize>(shape: &T) -> Bytes {
    buffer::with(|text| {
        // A shape has text keys only and writes to memory: there is nothing that could fail.
        serde_json::to_writer(&mut *text, shape).expect("a wire shape is JSON");
        if text.len() > buffer::LARGEST {
            return std::mem::take(text).into();
        }
        // Answers are kept for looking back, so they take no more room than they need.
        Bytes::copy_from_slice(text)
    })
}
