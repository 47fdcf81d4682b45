//! Requests read field by field, all problems told at once.
//!
//! Owns: the way from a `Node` to typed values, and what a field can hold (`Kind`). Each reader below takes the `Spot` where a value stands and either reads
//! it or says what is wrong there; `read` and `read_whole` answer with every problem, each beginning with the path of its field
//! (rule: wire/error-body). Unknown fields are ignored unless the world is strict (rule: wire/unknown-fields).
//! Absent on purpose: rules that need the world, which are the world's.

use super::json::{Node, shortened};
use crate::error::ApiError;
use rust_decimal::Decimal;
use sim::Problem;
use sim::command::Patch;
use sim::identity::{Currency, Iban, InstrumentId, OrganisationNumber, PersonalNumber, is_country};
use sim::money::{Amount, NumberFault, Percent, Price, Ratio, Units, parse_decimal};
use sim::partial::Whole;
use sim::time::{Date, Instant, parse_date};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Object, RefOr, Schema};

/// An answer names so many problems and counts the rest, so that it stays small.
const MOST_PROBLEMS: usize = 100;

/// Whether fields that no row names are problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are ignored.
    Ignored,
    /// They are refused.
    Refused,
}

/// Reads an object by `shape`, which names every field it knows and then builds its value from them.
///
/// # Errors
/// 400 with all problems.
pub fn read<T>(
    node: &Node<'_>,
    unknown: Unknown,
    shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>,
) -> Result<T, ApiError> {
    match read_partly(node, unknown, shape) {
        (Some(value), problems) if problems.is_empty() => Ok(value),
        (_, problems) => Err(refused(problems.iter().map(String::as_str))),
    }
}

/// Reads a command's request by `shape`; where something cannot be read, `judge` says what is wrong with the rest, so that
/// one answer tells everything.
///
/// # Errors
/// 400 with all problems, or what keeps `judge` from judging.
pub fn read_whole<T: Whole>(
    node: &Node<'_>,
    unknown: Unknown,
    shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T::Partial>,
    judge: impl FnOnce(&T::Partial) -> Result<Vec<Problem>, ApiError>,
) -> Result<T, ApiError> {
    let (partial, problems) = read_partly(node, unknown, shape);
    match partial {
        Some(partial) if problems.is_empty() => {
            // Whatever a reader leaves out it has told.
            T::whole(partial).ok_or_else(|| ApiError::server_error("a request lacks a part that nobody missed"))
        }
        partial => {
            let rules = partial.as_ref().map_or_else(|| Ok(Vec::new()), judge)?;
            let rules: Vec<_> = rules.iter().map(ToString::to_string).collect();
            Err(refused(problems.iter().chain(&rules).map(String::as_str)))
        }
    }
}

fn read_partly<T>(
    node: &Node<'_>,
    unknown: Unknown,
    shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>,
) -> (Option<T>, Vec<String>) {
    let reader = Reader { unknown, problems: RefCell::default() };
    let value = Spot { node, path: &Path::Root, reader: &reader }.object(shape);
    (value, reader.problems.into_inner())
}

/// 400 with problems joined to one description.
fn refused<'t>(problems: impl Iterator<Item = &'t str> + Clone) -> ApiError {
    let surplus = problems.clone().count().saturating_sub(MOST_PROBLEMS);
    let mut text = problems.take(MOST_PROBLEMS).collect::<Vec<_>>().join("; ");
    if surplus > 0 {
        text.push_str(&format!("; and {surplus} more problems"));
    }
    ApiError::invalid_request(text)
}

struct Reader {
    unknown: Unknown,
    problems: RefCell<Vec<String>>,
}

/// Where a value stands, from the outermost object inwards.
enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("body"),
            Self::Field(Self::Root, name) => f.write_str(&shortened(name)),
            Self::Field(outer, name) => write!(f, "{outer}.{}", shortened(name)),
            Self::Item(outer, at) => write!(f, "{outer}[{at}]"),
        }
    }
}

/// A value and its place.
#[derive(Clone, Copy)]
pub struct Spot<'n, 'p> {
    node: &'n Node<'n>,
    path: &'p Path<'p>,
    reader: &'p Reader,
}

impl<'n> Spot<'n, '_> {
    /// The value itself.
    #[must_use]
    pub const fn node(&self) -> &'n Node<'n> {
        self.node
    }

    /// Notes what is wrong here; always `None`, so that a reader can end with it.
    pub fn wrong<T>(&self, problem: impl fmt::Display) -> Option<T> {
        self.reader.problems.borrow_mut().push(format!("{} {problem}", self.path));
        None
    }

    /// Reads by `read`, and adds `more` to the last problem that it notes, if it notes one.
    pub fn with_more<T>(self, more: impl fmt::Display, read: impl FnOnce(Self) -> Option<T>) -> Option<T> {
        let problems = || self.reader.problems.borrow_mut();
        let before = problems().len();
        let value = read(self);
        if let Some(problem) = problems().get_mut(before..).and_then(<[String]>::last_mut) {
            problem.push_str(&more.to_string());
        }
        value
    }

    fn expected<T>(&self, what: impl fmt::Display) -> Option<T> {
        self.wrong(format_args!("must be {what}, not {}", self.node.kind()))
    }

    /// Reads an object by `shape`.
    pub fn object<T>(self, shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>) -> Option<T> {
        let Node::Object(entries) = self.node else { return self.expected("an object") };
        let mut fields = Fields { source: Source::Read(entries, self), read: Vec::with_capacity(8) };
        let value = shape(&mut fields);
        fields.refuse_unknown();
        value
    }

    /// Reads every item of a list.
    pub fn list<T>(self, item: impl Fn(Spot<'_, '_>) -> Option<T>) -> Option<Vec<T>> {
        let Node::List(items) = self.node else { return self.expected("an array") };
        let read = |(at, node)| item(Spot { node, path: &Path::Item(self.path, at), reader: self.reader });
        // Every item is read before the first failure counts, so that all their problems are told.
        let values: Vec<Option<T>> = items.iter().enumerate().map(read).collect();
        values.into_iter().collect()
    }

    /// Reads an object whose keys nobody knows beforehand, entry by entry.
    pub fn entries<T>(self, entry: impl Fn(&'n str, Spot<'n, '_>) -> Option<T>) -> Option<Vec<T>> {
        let Node::Object(entries) = self.node else { return self.expected("an object") };
        let read = |(key, node): &'n (Cow<'n, str>, Node<'n>)| {
            entry(key, Spot { node, path: &Path::Field(self.path, key), reader: self.reader })
        };
        let values: Vec<Option<T>> = entries.iter().map(read).collect();
        values.into_iter().collect()
    }

    /// Reads a text by `parse`, which answers `None` to what is not `what`.
    pub fn text_as<T>(self, what: impl fmt::Display, parse: impl FnOnce(&'n str) -> Option<T>) -> Option<T> {
        match self.node {
            Node::Text(text) => parse(text).or_else(|| self.wrong(format_args!("must be {what}"))),
            _ => self.expected(what),
        }
    }

    /// Reads a number by `parse`.
    pub fn number_as<T>(self, parse: impl FnOnce(&'n str) -> Result<T, NumberFault>) -> Option<T> {
        let Node::Number(text) = self.node else { return self.expected("a number") };
        match parse(text) {
            Ok(number) => Some(number),
            Err(NumberFault::NotANumber) => self.wrong("must be a number"),
            Err(NumberFault::TooManyDecimals { max: 0 }) => self.wrong("must be a whole number"),
            Err(NumberFault::TooManyDecimals { max }) => self.wrong(format_args!("must have at most {max} decimals")),
            Err(NumberFault::TooLarge) => self.wrong("is too large"),
        }
    }
}

/// Named schemas that a description refers to.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// What a field can hold.
pub trait Kind {
    /// What it is read as.
    type Value;

    /// Reads the value that stands at `spot`; `None` when a problem was told.
    fn read(&self, spot: Spot<'_, '_>) -> Option<Self::Value>;

    /// Describes it; schemas that the description names are added to `known`.
    fn schema(&self, known: &mut Schemas) -> RefOr<Schema>;
}

/// Takes every value and keeps none.
pub struct Anything;

impl Kind for Anything {
    type Value = ();

    fn read(&self, _: Spot<'_, '_>) -> Option<()> {
        Some(())
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::AnyValue).into()
    }
}

/// A field by its name, and what the description of the API says about it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its sentence; may be empty.
    pub about: &'static str,
}

impl From<&'static str> for Row {
    fn from(name: &'static str) -> Self {
        Self { name, about: "" }
    }
}

/// The fields of one object, named one by one: to read them, or to describe the object.
pub struct Fields<'n, 'p> {
    source: Source<'n, 'p>,
    read: Vec<&'static str>,
}

enum Source<'n, 'p> {
    Read(&'n [(Cow<'n, str>, Node<'n>)], Spot<'n, 'p>),
    Described(Box<(Object, Schemas)>),
}

/// What may be left out, and what may be null.
#[derive(Clone, Copy)]
enum Presence {
    Required,
    Nullable,
    Optional,
    Patched,
    Hidden,
}

impl<'n> Fields<'n, '_> {
    /// Fields that are written into `object`, and schemas that they refer to into `known`.
    pub(super) fn describing(object: Object, known: Schemas) -> Self {
        Self { source: Source::Described(Box::new((object, known))), read: Vec::new() }
    }

    /// What was written.
    pub(super) fn described(self) -> (Object, Schemas) {
        match self.source {
            Source::Described(written) => *written,
            Source::Read(..) => Default::default(),
        }
    }

    /// A field that must be there.
    pub fn required<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<K::Value> {
        let row = row.into();
        match self.find(row, Presence::Required, &kind) {
            Some(node) => self.at(row.name, node, &kind),
            None => {
                self.problem(row.name, "is required");
                None
            }
        }
    }

    /// As `required`, for a field that can only say `value`.
    pub fn fixed<T, K: Kind>(&mut self, row: impl Into<Row>, value: T, kind: K) -> Option<T> {
        self.required(row, kind);
        Some(value)
    }

    /// As `required`, for a field that other requests of the same command may leave out.
    pub fn demanded<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Option<K::Value>> {
        self.required(row, kind).map(Some)
    }

    /// A field that may be left out or null; then it is `Some(None)`. `None` tells a problem.
    pub fn optional<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Optional, &kind)
    }

    /// As `optional`, and described as required: the judge of the rest says so.
    pub fn expected<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Required, &kind)
    }

    /// As `optional`, and not described: it is read to be refused, or for nothing.
    pub fn hidden<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Hidden, &kind)
    }

    /// A field that must be there and may be null; then it is `Some(None)`. `None` tells a problem.
    pub fn nullable<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Option<K::Value>> {
        let row = row.into();
        match self.find(row, Presence::Nullable, &kind) {
            Some(Node::Null) => Some(None),
            Some(node) => self.at(row.name, node, &kind).map(Some),
            None => {
                self.problem(row.name, "is required; it may be null");
                None
            }
        }
    }

    /// A field of a merge patch (RFC 7396): left out, null or given. `None` tells a problem.
    pub fn patch<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Patch<K::Value>> {
        self.patched(row.into(), Presence::Patched, &kind)
    }

    /// As `patch`, and described as such that null removes something.
    pub fn patch_or_null<K: Kind>(&mut self, row: impl Into<Row>, kind: K) -> Option<Patch<K::Value>> {
        self.patched(row.into(), Presence::Optional, &kind)
    }

    /// Whether a field is there at all, null or not; it is not described.
    pub fn names(&mut self, name: &'static str) -> bool {
        self.find(name.into(), Presence::Hidden, &Anything).is_some()
    }

    /// As `names`, for rows.
    pub fn named(&mut self, row: Row, _: impl Kind) -> Option<bool> {
        Some(self.names(row.name))
    }

    /// Whether there is any field besides those that were named before; `row` may be one. It is not described.
    pub fn besides(&mut self, row: Row, _: impl Kind) -> Option<bool> {
        let before = self.read.len();
        self.names(row.name);
        let Source::Read(entries, _) = &self.source else { return Some(false) };
        Some(entries.iter().any(|(key, _)| !self.read[..before].iter().any(|name| name == key)))
    }

    /// A field with a value to fall back on.
    pub fn or<K: Kind>(&mut self, row: impl Into<Row>, fallback: K::Value, kind: K) -> Option<K::Value> {
        self.optional(row, kind).map(|value| value.unwrap_or(fallback))
    }

    /// Notes a problem of the field `name`.
    pub fn problem(&self, name: &str, problem: impl fmt::Display) {
        if let Source::Read(_, spot) = &self.source {
            let path = Path::Field(spot.path, name);
            spot.reader.problems.borrow_mut().push(format!("{path} {problem}"));
        }
    }

    fn unless_null<K: Kind>(&mut self, row: Row, presence: Presence, kind: &K) -> Option<Option<K::Value>> {
        match self.find(row, presence, kind) {
            None | Some(Node::Null) => Some(None),
            Some(node) => self.at(row.name, node, kind).map(Some),
        }
    }

    fn patched<K: Kind>(&mut self, row: Row, presence: Presence, kind: &K) -> Option<Patch<K::Value>> {
        match self.find(row, presence, kind) {
            None => Some(Patch::Keep),
            Some(Node::Null) => Some(Patch::Clear),
            Some(node) => self.at(row.name, node, kind).map(Patch::Set),
        }
    }

    fn find(&mut self, row: Row, presence: Presence, kind: &impl Kind) -> Option<&'n Node<'n>> {
        match &mut self.source {
            Source::Read(entries, _) => {
                self.read.push(row.name);
                entries.iter().find(|(key, _)| key == row.name).map(|(_, node)| node)
            }
            Source::Described(written) => {
                let (object, known) = &mut **written;
                describe_field(object, row, presence, || kind.schema(known));
                None
            }
        }
    }

    fn at<K: Kind>(&self, name: &'static str, node: &'n Node<'n>, kind: &K) -> Option<K::Value> {
        let Source::Read(_, spot) = &self.source else { return None };
        kind.read(Spot { node, path: &Path::Field(spot.path, name), reader: spot.reader })
    }

    fn refuse_unknown(&self) {
        let Source::Read(entries, spot) = &self.source else { return };
        if spot.reader.unknown == Unknown::Ignored {
            return;
        }
        for (key, _) in *entries {
            if !self.read.iter().any(|name| name == key) {
                self.problem(key, "is not a known field");
            }
        }
    }
}

fn describe_field(object: &mut Object, row: Row, presence: Presence, schema: impl FnOnce() -> RefOr<Schema>) {
    let mut schema = match presence {
        Presence::Hidden => return,
        _ => schema(),
    };
    let about = Some(row.about.trim()).filter(|about| !about.is_empty()).map(str::to_owned);
    if let Some(about) = about {
        match &mut schema {
            RefOr::Ref(reference) => reference.description = about,
            RefOr::T(Schema::Object(object)) => object.description = Some(about),
            RefOr::T(Schema::Array(array)) => array.description = Some(about),
            RefOr::T(Schema::OneOf(one_of)) => one_of.description = Some(about),
            RefOr::T(_) => {}
        }
    }
    if matches!(presence, Presence::Nullable | Presence::Optional) {
        schema = or_null(schema);
    }
    if matches!(presence, Presence::Required | Presence::Nullable) {
        object.required.push(row.name.to_owned());
    }
    object.properties.insert(row.name.to_owned(), schema);
}

/// A schema that allows null beside what `schema` allows.
fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let widen = |kind: &mut SchemaType| match kind {
        SchemaType::Type(one) => *kind = SchemaType::Array(vec![one.clone(), Type::Null]),
        SchemaType::Array(several) => several.push(Type::Null),
        SchemaType::AnyValue => {}
    };
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            widen(&mut object.schema_type);
            object.enum_values.iter_mut().for_each(|values| values.push(serde_json::Value::Null));
            object.into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            widen(&mut array.schema_type);
            Schema::Array(array).into()
        }
        RefOr::Ref(mut reference) => {
            let about = Some(std::mem::take(&mut reference.description)).filter(|about| !about.is_empty());
            let null = ObjectBuilder::new().schema_type(Type::Null);
            OneOfBuilder::new().item(reference).item(null).description(about).into()
        }
        other => OneOfBuilder::new().item(other).item(ObjectBuilder::new().schema_type(Type::Null)).into(),
    }
}

/// `true` or `false`.
pub fn flag(spot: Spot<'_, '_>) -> Option<bool> {
    match spot.node {
        Node::Bool(flag) => Some(*flag),
        _ => spot.expected("a boolean"),
    }
}

/// A UUID.
pub fn id<T: FromStr>(spot: Spot<'_, '_>) -> Option<T> {
    spot.text_as("a UUID", |text| text.parse().ok())
}

/// Any text at all.
pub fn free_text(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    spot.text_as("a string", |text| Some(text.into()))
}

/// A text of 1 to 255 characters without controls.
pub fn text(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    match spot.node {
        Node::Text(text) if text.is_empty() => spot.wrong("must not be empty"),
        Node::Text(text) if text.chars().nth(255).is_some() => spot.wrong("must be at most 255 characters long"),
        Node::Text(text) if text.contains(char::is_control) => spot.wrong("must not contain control characters"),
        Node::Text(text) => Some(text.as_ref().into()),
        _ => spot.expected("a string"),
    }
}

/// What is expected of a country.
const COUNTRY: &str = "a country code of ISO 3166-1, two upper-case letters";

/// A country: ISO 3166-1 alpha-2.
pub fn country(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    spot.text_as(COUNTRY, |text| is_country(text).then(|| text.into()))
}

/// An ISIN followed by a currency code.
pub fn instrument(spot: Spot<'_, '_>) -> Option<InstrumentId> {
    spot.text_as("an ISIN with its check digit, followed by a currency code", |text| InstrumentId::parse(text).ok())
}

/// A currency code.
pub fn currency(spot: Spot<'_, '_>) -> Option<Currency> {
    spot.text_as("a currency code of three upper-case letters", |text| Currency::parse(text).ok())
}

/// An IBAN without spaces.
pub fn iban(spot: Spot<'_, '_>) -> Option<Iban> {
    spot.text_as("an IBAN with right check digits, without spaces", |text| Iban::parse(text).ok())
}

/// A personal number of twelve digits.
pub fn personal_number(spot: Spot<'_, '_>) -> Option<PersonalNumber> {
    spot.text_as("a personal number of twelve digits with its check digit", |text| PersonalNumber::parse(text).ok())
}

/// A company registration number of ten digits.
pub fn organisation_number(spot: Spot<'_, '_>) -> Option<OrganisationNumber> {
    spot.text_as("a company registration number of ten digits", |text| OrganisationNumber::parse(text).ok())
}

/// A calendar day.
pub fn date(spot: Spot<'_, '_>) -> Option<Date> {
    spot.text_as("a date in the form YYYY-MM-DD", |text| parse_date(text).ok())
}

/// What is expected of a timestamp (rule: wire/timestamps).
pub const TIMESTAMP: &str = "an RFC 3339 timestamp such as 2026-03-02T07:00:00Z";

/// A timestamp.
pub fn instant(spot: Spot<'_, '_>) -> Option<Instant> {
    spot.text_as(TIMESTAMP, |text| Instant::parse(text).ok())
}

/// An amount of money.
pub fn amount(spot: Spot<'_, '_>) -> Option<Amount> {
    spot.number_as(Amount::parse)
}

/// A share in percent.
pub fn percent(spot: Spot<'_, '_>) -> Option<Percent> {
    spot.number_as(Percent::parse)
}

/// Fund units.
pub fn units(spot: Spot<'_, '_>) -> Option<Units> {
    spot.number_as(Units::parse)
}

/// A price.
pub fn price(spot: Spot<'_, '_>) -> Option<Price> {
    spot.number_as(Price::parse)
}

/// How many units one becomes: at most 10 decimals.
pub fn ratio(spot: Spot<'_, '_>) -> Option<Ratio> {
    spot.number_as(Ratio::parse)
}

/// A number with at most `decimals` decimals.
pub fn decimal(decimals: u32) -> impl Fn(Spot<'_, '_>) -> Option<Decimal> {
    move |spot| spot.number_as(|text| parse_decimal(text, decimals))
}

/// One of a few whole numbers.
pub fn choice(choices: &[i64]) -> impl Fn(Spot<'_, '_>) -> Option<i64> {
    move |spot| {
        let number = spot.number_as(|text| parse_decimal(text, 0))?;
        let known = choices.iter().copied().find(|choice| i128::from(*choice) == number.mantissa());
        let all = || choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        known.or_else(|| spot.wrong(format_args!("must be one of {}", all())))
    }
}

/// A whole number within `range`.
pub fn integer<T>(range: RangeInclusive<T>) -> impl Fn(Spot<'_, '_>) -> Option<T>
where
    T: Copy + PartialOrd + fmt::Display + TryFrom<i128>,
{
    move |spot| {
        let number = spot.number_as(|text| parse_decimal(text, 0))?;
        // A parsed number without decimals has scale 0, so its mantissa is its value.
        match T::try_from(number.mantissa()) {
            Ok(number) if range.contains(&number) => Some(number),
            _ => spot.wrong(format_args!("must lie between {} and {}", range.start(), range.end())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::by;

    /// What `reader` makes of the only field of a body, or the problem that is told.
    fn told<T: fmt::Debug>(reader: impl Fn(Spot<'_, '_>) -> Option<T>, value: &str) -> String {
        let body = format!(r#"{{"it":{value}}}"#);
        let node = Node::parse(body.as_bytes()).expect("a body");
        let value = read(&node, Unknown::Ignored, |fields| fields.required("it", by(reader)));
        value.map_or_else(|refused| refused.description, |value| format!("{value:?}"))
    }

    #[test]
    fn a_line_has_1_to_255_characters_and_no_controls() {
        let (most, more) = (format!("\"{}\"", "å".repeat(255)), format!("\"{}\"", "å".repeat(256)));
        for (value, expected) in [
            (r#""x""#, r#""x""#),
            (&most, &most),
            (&more, "it must be at most 255 characters long"),
            (r#""""#, "it must not be empty"),
            (r#""a\nb""#, "it must not contain control characters"),
            (r#""\u0085""#, "it must not contain control characters"),
            ("1", "it must be a string, not a number"),
        ] {
            assert_eq!(told(text, value), expected, "{value}");
        }
    }

    #[test]
    fn a_country_is_a_code_of_the_standard() {
        assert_eq!(told(country, r#""SE""#), r#""SE""#);
        for value in ["", "S", "SWE", "se", "S1", "Å", "XX", "UK"] {
            let problem = format!("it must be {COUNTRY}");
            assert_eq!(told(country, &format!("\"{value}\"")), problem, "{value}");
        }
    }

    #[test]
    fn a_whole_number_lies_within_its_bounds_and_a_choice_among_its_numbers() {
        for (value, within, chosen) in [
            ("1", "1", "it must be one of 4, 7"),
            ("4", "4", "4"),
            ("7", "it must lie between 1 and 5", "7"),
            ("5", "5", "it must be one of 4, 7"),
            ("0", "it must lie between 1 and 5", "it must be one of 4, 7"),
            ("-4", "it must lie between 1 and 5", "it must be one of 4, 7"),
            ("256", "it must lie between 1 and 5", "it must be one of 4, 7"),
            ("4.5", "it must be a whole number", "it must be a whole number"),
            ("true", "it must be a number, not a boolean", "it must be a number, not a boolean"),
        ] {
            let told = (told(integer(1_u8..=5), value), told(choice(&[4, 7]), value));
            assert_eq!((told.0.as_str(), told.1.as_str()), (within, chosen), "{value}");
        }
    }
}
