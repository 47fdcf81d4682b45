//! Query parameters: read like fields, all problems told at once (rule: wire/start, wire/limit, wire/modified-from,
//! wire/ssn-filter, wire/price-range, wire/order-filters, wire/transaction-filters).
//!
//! Invariant: a parameter that is known is read strictly, one that is not known is ignored (rule: wire/unknown-fields).
//! An empty value is a value. Absent on purpose: meaning of the filters, which is the world's.

use super::json::shortened;
use super::words::Word;
use crate::wire::error::ApiError;
use sim::identity::InstrumentId;
use sim::store::Window;
use sim::time::{Date, Instant, parse_date};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The parameters of one request.
pub struct Parameters<'a> {
    given: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    problems: Vec<String>,
}

impl<'a> Parameters<'a> {
    /// Splits the query part of an address.
    #[must_use]
    pub fn of(query: Option<&'a str>) -> Self {
        let given = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect();
        Self { given, problems: Vec::new() }
    }

    /// All is read.
    ///
    /// # Errors
    /// 400 with all problems.
    pub fn finish(self) -> Result<(), ApiError> {
        if self.problems.is_empty() { Ok(()) } else { Err(ApiError::invalid_request(self.problems.join("; "))) }
    }

    /// Notes a problem of the parameter `name`.
    pub fn problem(&mut self, name: &str, problem: impl fmt::Display) {
        self.problems.push(format!("{name} {problem}"));
    }

    /// The text of `name`, which may be given once.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        let mut values = self.given.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let value = values.next().map(|value| value.clone().into_owned());
        if values.next().is_some() {
            self.problem(name, "is given more than once");
            return None;
        }
        value
    }

    /// Reads `name` by `parse`, which answers `None` to what is not `what`.
    pub fn read<T>(&mut self, name: &'static str, what: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = self.text(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.problem(name, format_args!("must be {what}, not `{}`", shortened(&text)));
        }
        value
    }

    /// A UUID.
    pub fn id<T: FromStr>(&mut self, name: &'static str) -> Option<T> {
        self.read(name, "a UUID", |text| text.parse().ok())
    }

    /// One of a closed list of words.
    pub fn word<W: Word>(&mut self, name: &'static str) -> Option<W> {
        self.read(name, &format!("one of {}", W::choices()), W::of)
    }

    /// An instrument id.
    pub fn instrument(&mut self, name: &'static str) -> Option<InstrumentId> {
        self.read(name, "an ISIN with its check digit, followed by a currency code", |text| {
            InstrumentId::parse(text).ok()
        })
    }

    /// A calendar day.
    pub fn date(&mut self, name: &'static str) -> Option<Date> {
        self.read(name, "a date in the form YYYY-MM-DD", |text| parse_date(text).ok())
    }

    /// A timestamp. A `+` that was sent bare arrives as a blank, which no timestamp has: it is taken for the sign.
    pub fn instant(&mut self, name: &'static str) -> Option<Instant> {
        self.read(name, "an RFC 3339 timestamp", |text| Instant::parse(&text.replace(' ', "+")).ok())
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &'static str) -> bool {
        let parse = |text: &str| match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        self.read(name, "`true` or `false`", parse).unwrap_or(false)
    }

    /// How many at most. More than can be counted is more than there is.
    pub fn limit(&mut self) -> Option<usize> {
        self.read("limit", "a positive whole number", |text| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let limit = if digits { text.parse().unwrap_or(usize::MAX) } else { 0 };
            (limit > 0).then_some(limit)
        })
    }

    /// `start`, `limit` and `modifiedFrom`.
    pub fn window(&mut self) -> Window {
        Window {
            start: self.read("start", "a sortedId", |text| text.parse().ok()),
            limit: self.limit(),
            modified_from: self.instant("modifiedFrom"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(query: &str) -> Result<Window, String> {
        let mut parameters = Parameters::of(Some(query));
        let window = parameters.window();
        parameters.finish().map(|()| window).map_err(|error| error.description)
    }

    #[test]
    fn a_window_is_read_from_its_parameters_and_others_are_ignored() {
        assert_eq!(window(""), Ok(Window::default()));
        assert_eq!(window("cursor=7&&x"), Ok(Window::default()));
        let read = window("limit=2&start=01KJNV6G00000000000000000A&modifiedFrom=2026-03-02T08:00:00%2B01:00")
            .expect("a window");
        assert_eq!(read.limit, Some(2));
        assert_eq!(read.start.expect("a start").to_string(), "01KJNV6G00000000000000000A");
        assert_eq!(read.modified_from.expect("an instant").to_string(), "2026-03-02T07:00:00.000Z");
    }

    #[test]
    fn a_bare_plus_in_a_timestamp_is_its_sign() {
        assert_eq!(window("modifiedFrom=2026-03-02T08:00:00+01:00"), window("modifiedFrom=2026-03-02T07:00:00Z"));
    }

    /// (rule: wire/limit, wire/error-body)
    #[test]
    fn each_bad_parameter_is_told_with_its_value() {
        for (query, problem) in [
            ("limit=0", "limit must be a positive whole number, not `0`"),
            ("limit=-1", "limit must be a positive whole number, not `-1`"),
            ("limit=%2B1", "limit must be a positive whole number, not `+1`"),
            ("limit=1.5", "limit must be a positive whole number, not `1.5`"),
            ("limit=", "limit must be a positive whole number, not ``"),
            ("limit=1&limit=2", "limit is given more than once"),
            ("start=1", "start must be a sortedId, not `1`"),
            ("modifiedFrom=2026-03-02", "modifiedFrom must be an RFC 3339 timestamp, not `2026-03-02`"),
            ("limit=x&start=y", "start must be a sortedId, not `y`; limit must be a positive whole number, not `x`"),
        ] {
            assert_eq!(window(query), Err(problem.to_owned()), "{query}");
        }
    }

    #[test]
    fn a_limit_beyond_counting_is_no_limit() {
        assert_eq!(window("limit=99999999999999999999").expect("a window").limit, Some(usize::MAX));
    }
}
