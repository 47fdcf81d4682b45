//! Settings as JSON: read over others, and shown, row by row.

use crate::rows::fields::{self, Cursor, FieldRow, Fields};
use crate::rows::shape::{self, Schemas, plain};
use serde_json::{Map, Value as Json};
use sim::settings::{self, SettingType, Value};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};

/// Reads settings; what is left out stays as in `base`.
pub fn over<S: Clone>(given: &mut Fields<'_, '_>, rows: &'static [settings::SettingRow<S>], base: &S) -> Option<S> {
    let mut read = base.clone();
    let mut is_right = true;
    for row in rows {
        match given.optional(FieldRow { name: row.name, about: row.about }, row.kind) {
            Some(Some(value)) => (row.set)(&mut read, value),
            Some(None) => {}
            None => is_right = false,
        }
    }
    is_right.then_some(read)
}

/// Settings as a setup has them.
#[must_use]
pub fn shown<S>(rows: &[settings::SettingRow<S>], settings: &S) -> Map<String, Json> {
    rows.iter().map(|row| (row.name.to_owned(), value((row.get)(settings)))).collect()
}

/// The schema of each setting, with its sentence, as a JSON Schema has properties.
#[must_use]
pub fn schema<S>(rows: &[settings::SettingRow<S>]) -> Map<String, Json> {
    let schemas = properties(rows, &mut Schemas::new());
    schemas.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect()
}

/// The same as parts of an object.
pub fn properties<S>(rows: &[settings::SettingRow<S>], known: &mut Schemas) -> Vec<(String, RefOr<Schema>)> {
    let of = |row: &settings::SettingRow<S>| {
        let mut schema = shape::FieldType::schema(&row.kind, known);
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            // The rule that it cites is for readers of the code.
            object.description = row.about.trim().split(" (rule").next().map(str::to_owned);
        }
        (row.name.to_owned(), schema)
    };
    rows.iter().map(of).collect()
}

/// A value as JSON.
#[must_use]
pub fn value(value: Value) -> Json {
    match value {
        Value::Flag(flag) => flag.into(),
        Value::Whole(number) => number.into(),
        Value::Amount(amount) => amount.to_string().parse().map_or(Json::Null, Json::Number),
        Value::Percent(percent) => percent.to_string().parse().map_or(Json::Null, Json::Number),
    }
}

impl shape::FieldType for SettingType {
    type Value = Value;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Value> {
        match *self {
            Self::Flag => fields::flag(cursor).map(Value::Flag),
            Self::Whole(least, most) => fields::integer(least..=most)(cursor).map(Value::Whole),
            Self::OneOf(choices) => fields::choice(choices)(cursor).map(Value::Whole),
            Self::Amount => match fields::amount(cursor)? {
                amount if amount.is_negative() => cursor.wrong("must not be negative"),
                amount => Some(Value::Amount(amount)),
            },
            Self::Percent(most) => match fields::percent(cursor)? {
                percent if percent.is_negative() || percent.get() > most.into() => {
                    cursor.wrong(format_args!("must be from 0 to {most}"))
                }
                percent => Some(Value::Percent(percent)),
            },
        }
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        match *self {
            Self::Flag => plain(Type::Boolean).into(),
            Self::Whole(least, most) => plain(Type::Integer).minimum(Some(least)).maximum(Some(most)).into(),
            Self::OneOf(choices) => plain(Type::Integer).enum_values(Some(choices.iter().copied())).into(),
            Self::Amount => plain(Type::Number).minimum(Some(0)).into(),
            Self::Percent(most) => plain(Type::Number).minimum(Some(0)).maximum(Some(most)).into(),
        }
    }
}
