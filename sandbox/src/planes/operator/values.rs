//! How the machinery reads and writes instants, modes of a clock, and the window of a list.

use std::sync::Arc;

use sim::World;
use sim::time::{Instant, TimeError};

use super::request::bad;
use feed::transport::TransportTime;
use hosting::clock::Mode;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use wire::error::ApiError;
use wire::json::{Node, shortened};
use wire::query::Parameters;
use wire::rows::fields::{self, Cursor};
use wire::rows::shape::{Schemas, plain};
use wire::values::number::Number;
use wire::values::text::Timestamp;

/// Lines in an answer, unless the request says how many.
const USUAL: usize = 100;

/// Most lines in an answer.
const MOST: usize = 1_000;

pub(super) fn moment(at: TransportTime) -> Timestamp {
    Timestamp(Instant::from_ms(i64::try_from(at.0).unwrap_or(i64::MAX)))
}

/// How many lines are asked for.
pub(crate) fn limit(query: &mut Parameters<'_>) -> usize {
    let about = "How many at most; 100 when left out.";
    let schema = || plain(Type::Integer).minimum(Some(1)).maximum(Some(MOST)).into();
    let form = (format!("1 to {MOST}"), schema);
    let read = |text: &str| text.parse().ok().filter(|limit| (1..=MOST).contains(limit));
    query.read("limit", about, form, read).unwrap_or(USUAL)
}

/// The number of the first line that is asked for.
pub(crate) fn start(query: &mut Parameters<'_>) -> Option<u64> {
    let about = "The number to start from; the last ones when left out.";
    let schema = || plain(Type::Integer).minimum(Some(0)).into();
    query.read("start", about, ("a whole number", schema), |text| text.parse().ok())
}

/// An instant that a world may reach.
pub(super) fn instant(field: &str, text: &str) -> Result<Instant, ApiError> {
    let limits = || bad(field, format!("must lie between {} and {}", Instant::MIN, World::END));
    match Instant::parse(text) {
        Ok(instant) if instant <= World::END => Ok(instant),
        Ok(_) | Err(TimeError::OutOfRange) => Err(limits()),
        Err(TimeError::Malformed) => {
            Err(bad(field, format!("must be {}, not `{}`", fields::TIMESTAMP, shortened(text))))
        }
    }
}

/// A text, or the digits of a number.
pub(super) fn text_or_number(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    match cursor.node() {
        Node::Text(text) => Some(text.as_ref().into()),
        Node::Number(digits) => Some(Arc::from(*digits)),
        other => cursor.wrong(format_args!("must be a string or a number, not {}", other.kind())),
    }
}

/// The schema of such a text.
pub(super) fn schema_of_text_or_number(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).schema_type(SchemaType::Array(vec![Type::String, Type::Number])).into()
}

/// `frozen`, `real`, or a factor.
pub(super) fn mode(text: &str) -> Result<Mode, ApiError> {
    text.parse().map_err(|error| bad("clock", error))
}

/// How time passes: one word that `--clock` takes too, and that word's name and factor, null when frozen.
pub(super) struct Timing {
    pub(super) clock: String,
    pub(super) mode: &'static str,
    pub(super) factor: Option<Number>,
}

impl Timing {
    /// The words of `mode`.
    pub(super) fn of(mode: Mode) -> Self {
        let factor = mode.factor().map(|factor| Number(factor.decimal()));
        Self { clock: mode.to_string(), mode: mode.name(), factor }
    }
}
