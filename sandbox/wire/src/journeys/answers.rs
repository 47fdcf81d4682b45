//! What a customer fills in, as a script sends it: steps, their fields, one value or several.
//!
//! A form has texts only, so a number counts as its digits and a boolean as `yes` or `no`. Absent on purpose: which
//! fields a step has, which the world decides.

use crate::json::Node;
use crate::rows::fields::Cursor;
use crate::rows::shape::Schemas;
use crate::words::Word;
use sim::records::{Answers, JourneyStep};
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};

/// `{step: {field: value or values}}`
pub fn answers_by_step(cursor: Cursor<'_, '_>) -> Option<Vec<(JourneyStep, Answers)>> {
    cursor.entries(|name, cursor| {
        let step = JourneyStep::of(name)
            .or_else(|| cursor.wrong(format_args!("is not a step; steps are {}", JourneyStep::choices())));
        let answers = answers(cursor);
        Some((step?, answers?))
    })
}

/// `{field: value or values}`
pub fn answers(cursor: Cursor<'_, '_>) -> Option<Answers> {
    let given = cursor.entries(|name, cursor| {
        let values = match cursor.node() {
            Node::Null => Some(Vec::new()),
            Node::List(_) => cursor.list(text),
            _ => text(cursor).map(|text| vec![text]),
        };
        values.map(|values| (Arc::from(name), values))
    });
    given.map(Answers)
}

/// The schema of answers by step.
pub fn schema_of_steps(known: &mut Schemas) -> RefOr<Schema> {
    let of_step = schema_of_answers(known);
    let steps = JourneyStep::WORDS.iter().map(|row| row.0);
    steps
        .fold(ObjectBuilder::new().schema_type(Type::Object), |object, step| object.property(step, of_step.clone()))
        .into()
}

/// The schema of answers by field: texts, numbers as their digits, booleans as `yes` or `no`; one or several.
pub fn schema_of_answers(_: &mut Schemas) -> RefOr<Schema> {
    let scalar = |kinds: &[Type]| ObjectBuilder::new().schema_type(SchemaType::Array(kinds.to_vec()));
    let one = scalar(&[Type::String, Type::Number, Type::Boolean, Type::Null]);
    let several = ArrayBuilder::new().items(scalar(&[Type::String, Type::Number, Type::Boolean]));
    let values: RefOr<Schema> = OneOfBuilder::new().item(one).item(several).into();
    ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(values)).into()
}

fn text(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    match cursor.node() {
        Node::Text(text) => Some(text.as_ref().into()),
        Node::Number(digits) => Some(Arc::from(*digits)),
        Node::Bool(flag) => Some(Arc::from(if *flag { "yes" } else { "no" })),
        other => cursor.wrong(format_args!("must be a string, or an array of strings, not {}", other.kind())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::fields::{Unknown, read};
    use crate::rows::shape::by;

    fn given(value: &str) -> Result<Vec<String>, String> {
        let body = format!(r#"{{"answers":{{"field":{value}}}}}"#);
        let node = Node::parse(body.as_bytes()).expect("a body");
        let read = read(&node, Unknown::Ignored, |fields| fields.required("answers", by(answers)));
        let Answers(fields) = read.map_err(|refused| refused.description)?;
        Ok(fields.into_iter().flat_map(|(_, values)| values).map(|value| value.to_string()).collect())
    }

    #[test]
    fn a_field_is_answered_with_one_value_several_or_none() {
        for (value, expected) in [
            (r#""salary""#, &["salary"][..]),
            ("1.50", &["1.50"]),
            ("true", &["yes"]),
            ("false", &["no"]),
            (r#"["salary",2,true]"#, &["salary", "2", "yes"]),
            ("[]", &[]),
            ("null", &[]),
        ] {
            assert_eq!(given(value).expect("answers"), expected, "{value}");
        }
    }

    #[test]
    fn a_wrong_value_of_a_form_is_named_by_its_path() {
        let problem = "must be a string, or an array of strings, not";
        for (value, expected) in [
            ("{}", format!("answers.field {problem} an object")),
            (r#"["salary",null]"#, format!("answers.field[1] {problem} null")),
            ("[[]]", format!("answers.field[0] {problem} an array")),
        ] {
            assert_eq!(given(value), Err(expected), "{value}");
        }
    }
}
