//! Reads requests field by field and reports all their problems at once.
//!
//! Owns: the reading of a `Node` into typed values, and what a field can hold (`FieldType`). A reader takes the `Cursor` of a
//! value and either reads it or notes a problem there. `read` and `read_whole` answer with every problem, each with the path
//! of its field (rule: wire/error-body). Unknown fields are ignored unless the world is strict (rule: wire/unknown-fields).
//! Absent on purpose: rules that need the world; `sim` has them.

use crate::error::ApiError;
use crate::json::{Node, shortened};
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

/// The most problems that an answer lists. It counts the rest.
const MOST_PROBLEMS: usize = 100;

/// Whether fields that no row names are problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are ignored.
    Ignored,
    /// They are refused.
    Refused,
}

/// Reads an object by `shape`, which names every known field and builds the value from them.
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

/// Reads a command's request by `shape`. Where something cannot be read, `judge` checks the rest, so that one answer lists
/// all problems.
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
            // A reader that leaves a part out has noted a problem.
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
    let value = Cursor { node, path: &Path::Root, reader: &reader }.object(shape);
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

/// The path of a value, from the outermost object inwards.
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

/// A value of a body, and its path.
#[derive(Clone, Copy)]
pub struct Cursor<'n, 'p> {
    node: &'n Node<'n>,
    path: &'p Path<'p>,
    reader: &'p Reader,
}

impl<'n> Cursor<'n, '_> {
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

    fn wrong_type<T>(&self, what: impl fmt::Display) -> Option<T> {
        self.wrong(format_args!("must be {what}, not {}", self.node.kind()))
    }

    /// Reads an object by `shape`.
    pub fn object<T>(self, shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>) -> Option<T> {
        let Node::Object(entries) = self.node else { return self.wrong_type("an object") };
        let mut fields = Fields { source: Source::Read(entries, self), read: Vec::with_capacity(8) };
        let value = shape(&mut fields);
        fields.refuse_unknown();
        value
    }

    /// Reads every item of a list.
    pub fn list<T>(self, item: impl Fn(Cursor<'_, '_>) -> Option<T>) -> Option<Vec<T>> {
        let Node::List(items) = self.node else { return self.wrong_type("an array") };
        let read = |(at, node)| item(Cursor { node, path: &Path::Item(self.path, at), reader: self.reader });
        // Every item is read before the first failure counts, so that all problems are noted.
        let values: Vec<Option<T>> = items.iter().enumerate().map(read).collect();
        values.into_iter().collect()
    }

    /// Reads an object with arbitrary keys, entry by entry.
    pub fn entries<T>(self, entry: impl Fn(&'n str, Cursor<'n, '_>) -> Option<T>) -> Option<Vec<T>> {
        let Node::Object(entries) = self.node else { return self.wrong_type("an object") };
        let read = |(key, node): &'n (Cow<'n, str>, Node<'n>)| {
            entry(key, Cursor { node, path: &Path::Field(self.path, key), reader: self.reader })
        };
        let values: Vec<Option<T>> = entries.iter().map(read).collect();
        values.into_iter().collect()
    }

    /// Reads a text by `parse`, which answers `None` to what is not `what`.
    pub fn text_as<T>(self, what: impl fmt::Display, parse: impl FnOnce(&'n str) -> Option<T>) -> Option<T> {
        match self.node {
            Node::Text(text) => parse(text).or_else(|| self.wrong(format_args!("must be {what}"))),
            _ => self.wrong_type(what),
        }
    }

    /// Reads a number by `parse`.
    pub fn number_as<T>(self, parse: impl FnOnce(&'n str) -> Result<T, NumberFault>) -> Option<T> {
        let Node::Number(text) = self.node else { return self.wrong_type("a number") };
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
pub trait FieldType {
    /// What it is read as.
    type Value;

    /// Reads the value at `cursor`; `None` after a problem.
    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value>;

    /// Describes it; schemas that the description names are added to `known`.
    fn schema(&self, known: &mut Schemas) -> RefOr<Schema>;
}

/// Accepts every value and keeps none.
pub struct Anything;

impl FieldType for Anything {
    type Value = ();

    fn read(&self, _: Cursor<'_, '_>) -> Option<()> {
        Some(())
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::AnyValue).into()
    }
}

/// A field by its name, and what the description of the API says about it.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    /// Its name.
    pub name: &'static str,
    /// Its sentence; may be empty.
    pub about: &'static str,
}

impl From<&'static str> for FieldRow {
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
    Read(&'n [(Cow<'n, str>, Node<'n>)], Cursor<'n, 'p>),
    Described(Box<(Object, Schemas)>),
}

/// What may be left out, and what may be null.
#[derive(Clone, Copy)]
enum Presence {
    Required,
    Nullable,
    Optional,
    Patch,
    Hidden,
}

impl<'n> Fields<'n, '_> {
    /// Fields that are written into `object`, and schemas that they refer to into `known`.
    pub(super) fn describing(object: Object, known: Schemas) -> Self {
        Self { source: Source::Described(Box::new((object, known))), read: Vec::new() }
    }

    /// The described object and its schemas.
    pub(super) fn described(self) -> (Object, Schemas) {
        match self.source {
            Source::Described(written) => *written,
            Source::Read(..) => Default::default(),
        }
    }

    /// A field that must be there.
    pub fn required<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<K::Value> {
        let row = row.into();
        match self.find(row, Presence::Required, &field_type) {
            Some(node) => self.at(row.name, node, &field_type),
            None => {
                self.problem(row.name, "is required");
                None
            }
        }
    }

    /// As `required`, for a field with one possible value. The answer is `value` even after a problem.
    pub fn fixed<T, K: FieldType>(&mut self, row: impl Into<FieldRow>, value: T, field_type: K) -> Option<T> {
        self.required(row, field_type);
        Some(value)
    }

    /// A field that may be left out or null; then it is `Some(None)`. `None` means a problem.
    pub fn optional<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Optional, &field_type)
    }

    /// As `optional`, and described as required: the world's rules refuse a request without it.
    pub fn required_by_rule<K: FieldType>(
        &mut self,
        row: impl Into<FieldRow>,
        field_type: K,
    ) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Required, &field_type)
    }

    /// As `optional`, and not described: it is read to be refused or ignored.
    pub fn hidden<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<Option<K::Value>> {
        self.unless_null(row.into(), Presence::Hidden, &field_type)
    }

    /// A field that must be there and may be null; then it is `Some(None)`. `None` means a problem.
    pub fn nullable<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<Option<K::Value>> {
        let row = row.into();
        match self.find(row, Presence::Nullable, &field_type) {
            Some(Node::Null) => Some(None),
            Some(node) => self.at(row.name, node, &field_type).map(Some),
            None => {
                self.problem(row.name, "is required; it may be null");
                None
            }
        }
    }

    /// A field of a merge patch (RFC 7396): left out, null or given. `None` means a problem.
    pub fn patch<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<Patch<K::Value>> {
        self.patched(row.into(), Presence::Patch, &field_type)
    }

    /// As `patch`, and described as nullable: null removes the value.
    pub fn nullable_patch<K: FieldType>(&mut self, row: impl Into<FieldRow>, field_type: K) -> Option<Patch<K::Value>> {
        self.patched(row.into(), Presence::Optional, &field_type)
    }

    /// Whether the body has this field, null or not. The field is not described.
    pub fn has_field(&mut self, name: &'static str) -> bool {
        self.find(name.into(), Presence::Hidden, &Anything).is_some()
    }

    /// As `has_field`, for rows.
    pub fn is_present(&mut self, row: FieldRow, _: impl FieldType) -> Option<bool> {
        Some(self.has_field(row.name))
    }

    /// Whether the body has any field that no earlier row names; the field of `row` counts. It is not described.
    pub fn has_other_fields(&mut self, row: FieldRow, _: impl FieldType) -> Option<bool> {
        let before = self.read.len();
        self.has_field(row.name);
        let Source::Read(entries, _) = &self.source else { return Some(false) };
        Some(entries.iter().any(|(key, _)| !self.read[..before].iter().any(|name| name == key)))
    }

    /// A field with a value to fall back on.
    pub fn or<K: FieldType>(
        &mut self,
        row: impl Into<FieldRow>,
        fallback: K::Value,
        field_type: K,
    ) -> Option<K::Value> {
        self.optional(row, field_type).map(|value| value.unwrap_or(fallback))
    }

    /// Notes a problem of the field `name`.
    pub fn problem(&self, name: &str, problem: impl fmt::Display) {
        if let Source::Read(_, cursor) = &self.source {
            let path = Path::Field(cursor.path, name);
            cursor.reader.problems.borrow_mut().push(format!("{path} {problem}"));
        }
    }

    fn unless_null<K: FieldType>(
        &mut self,
        row: FieldRow,
        presence: Presence,
        field_type: &K,
    ) -> Option<Option<K::Value>> {
        match self.find(row, presence, field_type) {
            None | Some(Node::Null) => Some(None),
            Some(node) => self.at(row.name, node, field_type).map(Some),
        }
    }

    fn patched<K: FieldType>(&mut self, row: FieldRow, presence: Presence, field_type: &K) -> Option<Patch<K::Value>> {
        match self.find(row, presence, field_type) {
            None => Some(Patch::Keep),
            Some(Node::Null) => Some(Patch::Clear),
            Some(node) => self.at(row.name, node, field_type).map(Patch::Set),
        }
    }

    fn find(&mut self, row: FieldRow, presence: Presence, field_type: &impl FieldType) -> Option<&'n Node<'n>> {
        match &mut self.source {
            Source::Read(entries, _) => {
                self.read.push(row.name);
                entries.iter().find(|(key, _)| key == row.name).map(|(_, node)| node)
            }
            Source::Described(written) => {
                let (object, known) = &mut **written;
                describe_field(object, row, presence, || field_type.schema(known));
                None
            }
        }
    }

    fn at<K: FieldType>(&self, name: &'static str, node: &'n Node<'n>, field_type: &K) -> Option<K::Value> {
        let Source::Read(_, cursor) = &self.source else { return None };
        field_type.read(Cursor { node, path: &Path::Field(cursor.path, name), reader: cursor.reader })
    }

    fn refuse_unknown(&self) {
        let Source::Read(entries, cursor) = &self.source else { return };
        if cursor.reader.unknown == Unknown::Ignored {
            return;
        }
        for (key, _) in *entries {
            if !self.read.iter().any(|name| name == key) {
                self.problem(key, "is not a known field");
            }
        }
    }
}

fn describe_field(object: &mut Object, row: FieldRow, presence: Presence, schema: impl FnOnce() -> RefOr<Schema>) {
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
pub fn flag(cursor: Cursor<'_, '_>) -> Option<bool> {
    match cursor.node {
        Node::Bool(flag) => Some(*flag),
        _ => cursor.wrong_type("a boolean"),
    }
}

/// A UUID.
pub fn id<T: FromStr>(cursor: Cursor<'_, '_>) -> Option<T> {
    cursor.text_as("a UUID", |text| text.parse().ok())
}

/// Any text at all.
pub fn free_text(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    cursor.text_as("a string", |text| Some(text.into()))
}

/// A text of 1 to 255 characters without controls.
pub fn text(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    match cursor.node {
        Node::Text(text) if text.is_empty() => cursor.wrong("must not be empty"),
        Node::Text(text) if text.chars().nth(255).is_some() => cursor.wrong("must be at most 255 characters long"),
        Node::Text(text) if text.contains(char::is_control) => cursor.wrong("must not contain control characters"),
        Node::Text(text) => Some(text.as_ref().into()),
        _ => cursor.wrong_type("a string"),
    }
}

/// What is expected of a country.
const COUNTRY: &str = "a country code of ISO 3166-1, two upper-case letters";

/// A country: ISO 3166-1 alpha-2.
pub fn country(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    cursor.text_as(COUNTRY, |text| is_country(text).then(|| text.into()))
}

/// An ISIN followed by a currency code.
pub fn instrument(cursor: Cursor<'_, '_>) -> Option<InstrumentId> {
    cursor.text_as("an ISIN with its check digit, followed by a currency code", |text| InstrumentId::parse(text).ok())
}

/// A currency code.
pub fn currency(cursor: Cursor<'_, '_>) -> Option<Currency> {
    cursor.text_as("a currency code of three upper-case letters", |text| Currency::parse(text).ok())
}

/// An IBAN without spaces.
pub fn iban(cursor: Cursor<'_, '_>) -> Option<Iban> {
    cursor.text_as("an IBAN with right check digits, without spaces", |text| Iban::parse(text).ok())
}

/// A personal number of twelve digits.
pub fn personal_number(cursor: Cursor<'_, '_>) -> Option<PersonalNumber> {
    cursor.text_as("a personal number of twelve digits with its check digit", |text| PersonalNumber::parse(text).ok())
}

/// A company registration number of ten digits.
pub fn organisation_number(cursor: Cursor<'_, '_>) -> Option<OrganisationNumber> {
    cursor.text_as("a company registration number of ten digits", |text| OrganisationNumber::parse(text).ok())
}

/// A calendar day.
pub fn date(cursor: Cursor<'_, '_>) -> Option<Date> {
    cursor.text_as("a date in the form YYYY-MM-DD", |text| parse_date(text).ok())
}

/// What is expected of a timestamp (rule: wire/timestamps).
pub const TIMESTAMP: &str = "an RFC 3339 timestamp such as 2026-03-02T07:00:00Z";

/// A timestamp.
pub fn instant(cursor: Cursor<'_, '_>) -> Option<Instant> {
    cursor.text_as(TIMESTAMP, |text| Instant::parse(text).ok())
}

/// An amount of money.
pub fn amount(cursor: Cursor<'_, '_>) -> Option<Amount> {
    cursor.number_as(Amount::parse)
}

/// A share in percent.
pub fn percent(cursor: Cursor<'_, '_>) -> Option<Percent> {
    cursor.number_as(Percent::parse)
}

/// Fund units.
pub fn units(cursor: Cursor<'_, '_>) -> Option<Units> {
    cursor.number_as(Units::parse)
}

/// A price.
pub fn price(cursor: Cursor<'_, '_>) -> Option<Price> {
    cursor.number_as(Price::parse)
}

/// How many units one becomes: at most 10 decimals.
pub fn ratio(cursor: Cursor<'_, '_>) -> Option<Ratio> {
    cursor.number_as(Ratio::parse)
}

/// A number with at most `decimals` decimals.
pub fn decimal(decimals: u32) -> impl Fn(Cursor<'_, '_>) -> Option<Decimal> {
    move |cursor| cursor.number_as(|text| parse_decimal(text, decimals))
}

/// One of a few whole numbers.
pub fn choice(choices: &[i64]) -> impl Fn(Cursor<'_, '_>) -> Option<i64> {
    move |cursor| {
        let number = cursor.number_as(|text| parse_decimal(text, 0))?;
        let known = choices.iter().copied().find(|choice| i128::from(*choice) == number.mantissa());
        let all = || choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        known.or_else(|| cursor.wrong(format_args!("must be one of {}", all())))
    }
}

/// A whole number within `range`.
pub fn integer<T>(range: RangeInclusive<T>) -> impl Fn(Cursor<'_, '_>) -> Option<T>
where
    T: Copy + PartialOrd + fmt::Display + TryFrom<i128>,
{
    move |cursor| {
        let number = cursor.number_as(|text| parse_decimal(text, 0))?;
        // A parsed number without decimals has scale 0, so its mantissa is its value.
        match T::try_from(number.mantissa()) {
            Ok(number) if range.contains(&number) => Some(number),
            _ => cursor.wrong(format_args!("must lie between {} and {}", range.start(), range.end())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::shape::by;

    /// What `reader` reads from the only field of a body, or the problem.
    fn read_field<T: fmt::Debug>(reader: impl Fn(Cursor<'_, '_>) -> Option<T>, value: &str) -> String {
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
            assert_eq!(read_field(text, value), expected, "{value}");
        }
    }

    #[test]
    fn a_country_is_a_code_of_the_standard() {
        assert_eq!(read_field(country, r#""SE""#), r#""SE""#);
        for value in ["", "S", "SWE", "se", "S1", "Å", "XX", "UK"] {
            let problem = format!("it must be {COUNTRY}");
            assert_eq!(read_field(country, &format!("\"{value}\"")), problem, "{value}");
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
            let read = (read_field(integer(1_u8..=5), value), read_field(choice(&[4, 7]), value));
            assert_eq!((read.0.as_str(), read.1.as_str()), (within, chosen), "{value}");
        }
    }
}
