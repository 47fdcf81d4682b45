//! How the machinery reads and writes instants, modes of a clock, and the window of a list.

use std::str::FromStr as _;
use std::sync::Arc;

use serde_json::{Number, Value};
use sim::World;
use sim::time::{Instant, TimeError};

use super::request::bad;
use crate::hosting::clock::Mode;
use crate::hosting::transport::TransportTime;
use crate::http::auth::form::Parameters;
use crate::wire::error::ApiError;
use crate::wire::fields::Spot;
use crate::wire::json::Node;

/// Lines in an answer, unless the request says how many.
const USUAL: usize = 100;

/// Most lines in an answer.
const MOST: usize = 1_000;

pub(super) fn moment(at: TransportTime) -> String {
    Instant::from_ms(i64::try_from(at.0).unwrap_or(i64::MAX)).to_string()
}

/// Reads `start` and `limit` of a query.
pub(super) fn window(query: Option<&str>) -> Result<(Option<u64>, usize), ApiError> {
    let parameters = Parameters::from_form(query.unwrap_or_default().as_bytes()).map_err(ApiError::invalid_request)?;
    let number = |name: &str| match parameters.get(name).map(str::parse::<u64>) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(bad(name, "must be a whole number")),
    };
    let limit = number("limit")?.map_or(USUAL, |limit| usize::try_from(limit).unwrap_or(MOST));
    if limit == 0 || limit > MOST {
        Err(bad("limit", format!("must be 1 to {MOST}")))
    } else {
        Ok((number("start")?, limit))
    }
}

/// An instant that a world may reach.
pub(super) fn instant(field: &str, text: &str) -> Result<Instant, ApiError> {
    let limits = || bad(field, format!("must lie between {} and {}", Instant::MIN, World::END));
    match Instant::parse(text) {
        Ok(instant) if instant <= World::END => Ok(instant),
        Ok(_) | Err(TimeError::OutOfRange) => Err(limits()),
        Err(error @ TimeError::Malformed) => Err(bad(field, format!("is {error}"))),
    }
}

/// A text, or the digits of a number.
pub(super) fn text_or_number(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    match spot.node() {
        Node::Text(text) => Some(text.as_ref().into()),
        Node::Number(digits) => Some(Arc::from(*digits)),
        other => spot.wrong(format_args!("must be a string or a number, not {}", other.kind())),
    }
}

/// `frozen`, `real`, or a factor.
pub(super) fn mode(text: &str) -> Result<Mode, ApiError> {
    text.parse().map_err(|error| bad("clock", error))
}

/// How time passes, as `shown` tells it: one word that `--clock` takes too, and that word's name and factor, null when frozen.
pub(super) fn tell_mode(shown: &mut Value, mode: Mode) {
    let factor = mode.factor().and_then(|factor| Number::from_str(&factor.decimal().to_string()).ok());
    shown["clock"] = mode.to_string().into();
    shown["mode"] = mode.name().into();
    shown["factor"] = factor.map_or(Value::Null, Value::Number);
}
