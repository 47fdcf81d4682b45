//! Settings as JSON: read over others, and shown, row by row.

use crate::wire::fields::{self, Fields, Row, Spot};
use crate::wire::shape::{self, Schemas, plain};
use serde_json::{Map, Value as Json};
use sim::settings::{self, Kind, Value};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};

/// Reads settings; what is left out stays as in `base`.
pub fn over<S: Clone>(given: &mut Fields<'_, '_>, rows: &'static [settings::Row<S>], base: &S) -> Option<S> {
    let mut read = base.clone();
    let mut is_right = true;
    for row in rows {
        match given.optional(Row { name: row.name, about: row.about }, row.kind) {
            Some(Some(value)) => (row.set)(&mut read, value),
            Some(None) => {}
            None => is_right = false,
        }
    }
    is_right.then_some(read)
}

/// Settings as a setup has them.
#[must_use]
pub fn shown<S>(rows: &[settings::Row<S>], settings: &S) -> Map<String, Json> {
    rows.iter().map(|row| (row.name.to_owned(), value((row.get)(settings)))).collect()
}

/// The schema of each setting, with its sentence, as a JSON Schema has properties.
#[must_use]
pub fn schema<S>(rows: &[settings::Row<S>]) -> Map<String, Json> {
    let schemas = properties(rows, &mut Schemas::new());
    schemas.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect()
}

/// The same as parts of an object.
pub fn properties<S>(rows: &[settings::Row<S>], known: &mut Schemas) -> Vec<(String, RefOr<Schema>)> {
    let of = |row: &settings::Row<S>| {
        let mut schema = shape::Kind::schema(&row.kind, known);
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            // Which rule stands behind it is for readers of the code.
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

impl shape::Kind for Kind {
    type Value = Value;

    fn read(&self, spot: Spot<'_, '_>) -> Option<Value> {
        match *self {
            Self::Flag => fields::flag(spot).map(Value::Flag),
            Self::Whole(least, most) => fields::integer(least..=most)(spot).map(Value::Whole),
            Self::OneOf(choices) => fields::choice(choices)(spot).map(Value::Whole),
            Self::Amount => match fields::amount(spot)? {
                amount if amount.is_negative() => spot.wrong("must not be negative"),
                amount => Some(Value::Amount(amount)),
            },
            Self::Percent(most) => match fields::percent(spot)? {
                percent if percent.is_negative() || percent.get() > most.into() => {
                    spot.wrong(format_args!("must be from 0 to {most}"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosting::transport::SurfaceSettings;
    use crate::wire::fields::Unknown;
    use crate::wire::json::Node;
    use serde_json::json;
    use sim::settings::Settings;
    use std::fmt::Debug;

    fn read<S: Clone + Default>(rows: &'static [settings::Row<S>], given: &Json) -> Result<S, String> {
        let read = fields::read(&Node::of(given), Unknown::Refused, |given| over(given, rows, &S::default()));
        read.map_err(|error| error.description)
    }

    /// A value of the kind that differs from `usual`, and one outside its bounds.
    fn other_and_wrong(kind: Kind, usual: Value) -> (Json, Json) {
        match (kind, usual) {
            (Kind::Flag, Value::Flag(flag)) => ((!flag).into(), 1.into()),
            (Kind::Whole(least, most), usual) => {
                (if usual == Value::Whole(least) { most } else { least }.into(), (most + 1).into())
            }
            (Kind::OneOf(choices), usual) => {
                let other = choices.iter().find(|choice| Value::Whole(**choice) != usual);
                (other.copied().into(), (choices.iter().sum::<i64>()).into())
            }
            (Kind::Amount, _) => (7.into(), "7".into()),
            (Kind::Percent(most), _) => (json!(0.25), (most + 1).into()),
            (kind, usual) => panic!("{usual:?} is no {kind:?}"),
        }
    }

    fn every_row<S: Clone + Default + PartialEq + Debug>(rows: &'static [settings::Row<S>]) {
        assert_eq!(read(rows, &Json::Object(Map::new())), Ok(S::default()));
        assert_eq!(read(rows, &shown(rows, &S::default()).into()), Ok(S::default()));
        for row in rows {
            let usual = (row.get)(&S::default());
            let (other, wrong) = other_and_wrong(row.kind, usual);
            let one = |value: &Json| Json::Object(Map::from_iter([(row.name.to_owned(), value.clone())]));
            let changed = read(rows, &one(&other)).expect(row.name);
            let back = shown(rows, &changed);
            assert_eq!(
                (super::value((row.get)(&changed)).to_string().parse::<f64>().ok(), back.len()),
                (other.to_string().parse().ok(), rows.len())
            );
            assert_ne!((row.get)(&changed), usual, "{}", row.name);
            assert_eq!(read(rows, &back.into()), Ok(changed), "{}", row.name);
            let refusal = read(rows, &one(&wrong)).expect_err(row.name);
            assert!(refusal.starts_with(&format!("{} must ", row.name)), "{refusal}");
        }
    }

    #[test]
    fn every_setting_reads_back_as_it_is_shown_has_its_default_and_refuses_what_lies_outside_its_bounds() {
        every_row(Settings::ROWS);
        every_row(SurfaceSettings::ROWS);
        assert_eq!((Settings::ROWS.len(), SurfaceSettings::ROWS.len()), (37, 17));
    }
}
