//! Query parameters: read like fields, all problems reported at once (rule: wire/start, wire/limit, wire/modified-from,
//! wire/ssn-filter, wire/price-range, wire/order-filters, wire/transaction-filters).
//!
//! Owns: the one walk over the parameters of a request, which reads them or describes them. Invariant: a parameter that is
//! known is read strictly, one that is not known is ignored (rule: wire/unknown-fields). An empty value is a value.
//! Absent on purpose: meaning of the filters, which is the world's.

use crate::error::ApiError;
use crate::json::shortened;
use crate::rows::fields;
use crate::values::text;
use crate::words::{Word, schema_of};
use sim::identity::{InstrumentId, OrganisationNumber, PersonalNumber};
use sim::store::Window;
use sim::time::{Date, Instant, parse_date};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, Required};

/// The parameters of one request, or their description.
pub struct Parameters<'a> {
    source: Source<'a>,
    problems: Vec<String>,
}

enum Source<'a> {
    Read(Vec<(Cow<'a, str>, Cow<'a, str>)>),
    /// The names of all, and the description of those that have a sentence.
    Described(Vec<&'static str>, Vec<Parameter>),
}

/// Reads the query part of an address by `rows`, which names every parameter that it knows.
///
/// # Errors
/// 400 with all problems.
pub fn read<T>(query: Option<&str>, rows: impl FnOnce(&mut Parameters<'_>) -> T) -> Result<T, ApiError> {
    let given = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect();
    let mut parameters = Parameters { source: Source::Read(given), problems: Vec::new() };
    let value = rows(&mut parameters);
    let problems = parameters.problems;
    if problems.is_empty() { Ok(value) } else { Err(ApiError::invalid_request(problems.join("; "))) }
}

/// The parameters that `rows` reads: the names of all, and the description of those that have a sentence.
pub fn describe<T>(rows: impl FnOnce(&mut Parameters<'_>) -> T) -> (Vec<&'static str>, Vec<Parameter>) {
    let source = Source::Described(Vec::new(), Vec::new());
    let mut parameters = Parameters { source, problems: Vec::new() };
    rows(&mut parameters);
    match parameters.source {
        Source::Described(names, written) => (names, written),
        Source::Read(_) => (Vec::new(), Vec::new()),
    }
}

/// Refuses a query part with parameters that are none of `known` (rule: wire/unknown-fields).
///
/// # Errors
/// 400 with each of them.
pub fn refuse_unknown(query: &str, known: &[&'static str]) -> Result<(), ApiError> {
    let names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    let unknown: Vec<_> = names.filter(|name| !known.contains(&name.as_ref())).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let problem = |name: &Cow<'_, str>| format!("{} is not a known parameter", shortened(name));
    Err(ApiError::invalid_request(unknown.iter().map(problem).collect::<Vec<_>>().join("; ")))
}

/// Each reader takes the parameter's name and its sentence; without a sentence it is read and not described.
impl Parameters<'_> {
    /// Notes a problem of the parameter `name`.
    pub fn problem(&mut self, name: &str, problem: impl fmt::Display) {
        self.problems.push(format!("{name} {problem}"));
    }

    /// Whether `name` is given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        matches!(&self.source, Source::Read(given) if given.iter().any(|(key, _)| key == name))
    }

    /// Any text.
    pub fn text(&mut self, name: &'static str, about: &'static str) -> Option<String> {
        self.value(name, about, || plain(Type::String).into())
    }

    /// Reads `name` by `parse`, which answers `None` to what is not `what`.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        about: &'static str,
        (what, schema): (impl fmt::Display, impl FnOnce() -> RefOr<Schema>),
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.value(name, about, schema)?;
        let value = parse(&text);
        if value.is_none() {
            // A person's number is not repeated, not even a wrong one.
            match name {
                "ssn" => self.problem(name, format_args!("must be {what}")),
                _ => self.problem(name, format_args!("must be {what}, not `{}`", shortened(&text))),
            }
        }
        value
    }

    /// The text of a parameter, which may be given once.
    fn value(
        &mut self,
        name: &'static str,
        about: &'static str,
        schema: impl FnOnce() -> RefOr<Schema>,
    ) -> Option<String> {
        let given = match &mut self.source {
            Source::Read(given) => given,
            Source::Described(names, written) => {
                names.push(name);
                if !about.is_empty() {
                    written.push(described(name, about, schema()));
                }
                return None;
            }
        };
        let mut values = given.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let value = values.next().map(|value| value.clone().into_owned());
        if values.next().is_some() {
            self.problem(name, "is given more than once");
            return None;
        }
        value
    }

    /// A UUID.
    pub fn id<T: FromStr>(&mut self, name: &'static str, about: &'static str) -> Option<T> {
        self.read(name, about, ("a UUID", text::Id::schema), |text| text.parse().ok())
    }

    /// One of a closed list of words.
    pub fn word<W: Word>(&mut self, name: &'static str, about: &'static str) -> Option<W> {
        let choices = fmt::from_fn(|f| write!(f, "one of {}", W::choices()));
        self.read(name, about, (choices, || schema_of(W::WORDS.iter().map(|row| row.0))), W::of)
    }

    /// An instrument id.
    pub fn instrument(&mut self, name: &'static str, about: &'static str) -> Option<InstrumentId> {
        let form = "an ISIN with its check digit, followed by a currency code";
        self.read(name, about, (form, text::InstrumentId::schema), |text| InstrumentId::parse(text).ok())
    }

    /// A personal number.
    pub fn personal_number(&mut self, name: &'static str, about: &'static str) -> Option<PersonalNumber> {
        let form = "a personal number of twelve digits with its check digit";
        self.read(name, about, (form, text::Ssn::schema), |text| PersonalNumber::parse(text).ok())
    }

    /// A person who is looked for: nobody, where the digits are no number that anybody can have (rule: wire/ssn-filter).
    pub fn person(&mut self, name: &'static str, about: &'static str) -> Option<Option<PersonalNumber>> {
        let looks_right = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
        let form = "a personal number of twelve digits";
        self.read(name, about, (form, text::Ssn::schema), |text| {
            looks_right(text).then(|| PersonalNumber::parse(text).ok())
        })
    }

    /// A company registration number.
    pub fn organisation_number(&mut self, name: &'static str, about: &'static str) -> Option<OrganisationNumber> {
        let form = "a company registration number of ten digits";
        self.read(name, about, (form, text::Crn::schema), |text| OrganisationNumber::parse(text).ok())
    }

    /// A calendar day.
    pub fn date(&mut self, name: &'static str, about: &'static str) -> Option<Date> {
        let form = "a date in the form YYYY-MM-DD";
        self.read(name, about, (form, text::CalendarDate::schema), |text| parse_date(text).ok())
    }

    /// A timestamp. A `+` that was sent bare arrives as a blank, which no timestamp has: it is taken for the sign.
    pub fn instant(&mut self, name: &'static str, about: &'static str) -> Option<Instant> {
        let parse = |text: &str| Instant::parse(&text.replace(' ', "+")).ok();
        self.read(name, about, (fields::TIMESTAMP, text::Timestamp::schema), parse)
    }

    /// `true` or `false`; false when it is left out.
    pub fn flag(&mut self, name: &'static str, about: &'static str) -> bool {
        let parse = |text: &str| match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        self.read(name, about, ("`true` or `false`", || plain(Type::Boolean).into()), parse).unwrap_or(false)
    }

    /// How many at most. More than can be counted is more than there is.
    pub fn limit(&mut self) -> Option<usize> {
        let schema = || plain(Type::Integer).minimum(Some(1_u32)).into();
        let about = "How many to list at most; all when left out.";
        self.read("limit", about, ("a positive whole number", schema), |text| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let limit = if digits { text.parse().unwrap_or(usize::MAX) } else { 0 };
            (limit > 0).then_some(limit)
        })
    }

    /// `modifiedFrom`.
    pub fn modified_from(&mut self) -> Option<Instant> {
        self.instant("modifiedFrom", "Only what was modified at this moment or later.")
    }
}

/// `start`, `limit` and `modifiedFrom`.
pub fn window(query: &mut Parameters<'_>) -> Window {
    let about = "The `sortedId` to start from, inclusive.";
    Window {
        start: query.read("start", about, ("a sortedId", text::SortedId::schema), |text| text.parse().ok()),
        limit: query.limit(),
        modified_from: query.modified_from(),
    }
}

fn plain(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(kind)
}

fn described(name: &str, about: &str, schema: RefOr<Schema>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(about))
        .schema(Some(schema))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn window(query: &str) -> Result<Window, String> {
        read(Some(query), super::window).map_err(|error| error.description)
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
    fn each_bad_parameter_is_named_with_its_value() {
        for (query, problem) in [
            ("limit=0", "limit must be a positive whole number, not `0`"),
            ("limit=-1", "limit must be a positive whole number, not `-1`"),
            ("limit=%2B1", "limit must be a positive whole number, not `+1`"),
            ("limit=1.5", "limit must be a positive whole number, not `1.5`"),
            ("limit=", "limit must be a positive whole number, not ``"),
            ("limit=1&limit=2", "limit is given more than once"),
            ("start=1", "start must be a sortedId, not `1`"),
            (
                "modifiedFrom=2026-03-02",
                "modifiedFrom must be an RFC 3339 timestamp such as 2026-03-02T07:00:00Z, not `2026-03-02`",
            ),
            ("limit=x&start=y", "start must be a sortedId, not `y`; limit must be a positive whole number, not `x`"),
        ] {
            assert_eq!(window(query), Err(problem.to_owned()), "{query}");
        }
    }

    #[test]
    fn a_limit_beyond_counting_is_no_limit() {
        assert_eq!(window("limit=99999999999999999999").expect("a window").limit, Some(usize::MAX));
    }

    #[test]
    fn a_parameter_is_described_by_its_sentence_and_without_one_not_at_all() {
        let (names, described) = describe(|query| {
            query.flag("validate-only", "Only check.");
            query.flag("quietly", "");
        });
        assert_eq!(names, ["validate-only", "quietly"]);
        let parameter = json!({
            "name": "validate-only",
            "in": "query",
            "description": "Only check.",
            "required": false,
            "schema": { "type": "boolean" },
        });
        assert_eq!(serde_json::to_value(described).expect("JSON"), json!([parameter]));
    }
}
