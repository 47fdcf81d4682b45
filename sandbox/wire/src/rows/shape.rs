//! Shapes of JSON bodies: one table of fields gives the value, the reader and the schema.
//!
//! Owns: the usual field type of a Rust type (`Readable`), the other field types, and shapes of objects (`Shape`). The same
//! rows read a body and describe it, so the schema and the reader cannot differ.
//! Absent on purpose: how a field is looked up and how problems are noted, which is `fields`.

use crate::rows::fields::{self, Cursor, Fields};
pub use crate::rows::fields::{Anything, FieldType, Schemas};
use sim::identity::{Currency, Iban, InstrumentId, OrganisationNumber, PersonalNumber};
use sim::ids::{AccountId, BankAccountId, ClientId, CustodianId, OrderId, SubmissionId};
use sim::money::{Amount, Percent, Price, Ratio, Units};
use sim::time::{Date, Instant};
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Object, Ref, RefOr};

/// A Rust type with a usual field type.
pub trait Readable: Sized {
    /// Reads the value at `cursor`; `None` after a problem.
    fn read(cursor: Cursor<'_, '_>) -> Option<Self>;

    /// Describes it; schemas that the description names are added to `known`.
    fn schema(known: &mut Schemas) -> RefOr<Schema>;
}

/// An object with known fields.
pub trait Shape {
    /// What it is read as.
    type Value;
    /// Name of its schema.
    const NAME: &'static str;
    /// Its sentence.
    const ABOUT: &'static str;

    /// Walks the rows. The answer has a meaning only when a body is read.
    fn rows(fields: &mut Fields<'_, '_>) -> Option<Self::Value>;
}

/// The schema of a shape as a reference; the schema itself is added to `known`.
pub fn describe<S: Shape + ?Sized>(known: &mut Schemas) -> RefOr<Schema> {
    if !known.iter().any(|(name, _)| name == S::NAME) {
        let mut object = Object::new();
        object.description = Some(S::ABOUT.trim().to_owned());
        let mut fields = Fields::describing(object, std::mem::take(known));
        S::rows(&mut fields);
        let (object, schemas) = fields.described();
        *known = schemas;
        known.push((S::NAME.to_owned(), object.into()));
    }
    Ref::from_schema_name(S::NAME).into()
}

/// Makes a JSON schema, and the schemas within it, allow only the listed fields.
pub fn close(schema: &mut serde_json::Value) {
    match schema {
        serde_json::Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.get("properties").is_some_and(serde_json::Value::is_object) {
                members.insert("additionalProperties".to_owned(), false.into());
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The names of the fields that the description of a shape shows.
#[must_use]
pub fn names<S: Shape>() -> Vec<String> {
    let mut fields = Fields::describing(Object::new(), Schemas::new());
    S::rows(&mut fields);
    fields.described().0.properties.into_keys().collect()
}

/// A reference to the schema of `T`; the schema itself is added to `known`.
pub fn reference<T: ToSchema>(known: &mut Schemas) -> RefOr<Schema> {
    known.push((T::name().into_owned(), T::schema()));
    T::schemas(known);
    Ref::from_schema_name(T::name()).into()
}

/// A schema of one JSON type.
pub fn plain(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(kind)
}

/// The usual field type of `T`.
pub struct Of<T>(PhantomData<fn() -> T>);

/// The usual field type of `T`.
#[must_use]
pub const fn of<T: Readable>() -> Of<T> {
    Of(PhantomData)
}

impl<T: Readable> FieldType for Of<T> {
    type Value = T;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<T> {
        T::read(cursor)
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        T::schema(known)
    }
}

/// A field type with a function that reads it and a function that describes it.
pub struct ReadBy<R> {
    read: R,
    schema: fn(&mut Schemas) -> RefOr<Schema>,
}

/// A field type read by `read`; described as any value.
pub fn by<T, R: Fn(Cursor<'_, '_>) -> Option<T>>(read: R) -> ReadBy<R> {
    ReadBy { read, schema: |_| ObjectBuilder::new().schema_type(SchemaType::AnyValue).into() }
}

/// A text of one line, 1 to 255 characters.
pub fn line() -> impl FieldType<Value = Arc<str>> {
    described(fields::text, |_| plain(Type::String).min_length(Some(1)).max_length(Some(255)).into())
}

/// A field type read by `read` and described by `schema`.
pub fn described<T, R: Fn(Cursor<'_, '_>) -> Option<T>>(
    read: R,
    schema: fn(&mut Schemas) -> RefOr<Schema>,
) -> ReadBy<R> {
    ReadBy { read, schema }
}

impl<T, R: Fn(Cursor<'_, '_>) -> Option<T>> FieldType for ReadBy<R> {
    type Value = T;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<T> {
        (self.read)(cursor)
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        (self.schema)(known)
    }
}

/// An object of the shape `S`.
pub struct ObjectOf<S>(PhantomData<fn() -> S>);

/// An object of the shape `S`.
#[must_use]
pub const fn object<S: Shape>() -> ObjectOf<S> {
    ObjectOf(PhantomData)
}

impl<S: Shape> FieldType for ObjectOf<S> {
    type Value = S::Value;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<S::Value> {
        cursor.object(S::rows)
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        describe::<S>(known)
    }
}

/// As `K`, for a record whose field is an `Option` since other requests leave it out.
pub struct InSome<K>(K);

/// As `field_type`, in `Some`.
pub const fn in_some<K: FieldType>(field_type: K) -> InSome<K> {
    InSome(field_type)
}

impl<K: FieldType> FieldType for InSome<K> {
    type Value = Option<K::Value>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        self.0.read(cursor).map(Some)
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        self.0.schema(known)
    }
}

/// A list of `K`.
pub struct Each<K>(K);

/// A list whose items must all be readable.
pub const fn each<K: FieldType>(item: K) -> Each<K> {
    Each(item)
}

impl<K: FieldType> FieldType for Each<K> {
    type Value = Vec<K::Value>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        cursor.list(|item| self.0.read(item))
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        ArrayBuilder::new().items(self.0.schema(known)).into()
    }
}

/// As `K`, and `Some(None)` after a problem, so that the fields around it can still be checked.
pub struct AsFarAsKnown<K>(K);

/// A list with `None` for items that cannot be read.
pub const fn each_known<K: FieldType>(item: K) -> Each<AsFarAsKnown<K>> {
    Each(AsFarAsKnown(item))
}

impl<K: FieldType> FieldType for AsFarAsKnown<K> {
    type Value = Option<K::Value>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        Some(self.0.read(cursor))
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        self.0.schema(known)
    }
}

/// As `K`; the refusal of a value shows an example.
pub struct WithExample<K> {
    example: &'static str,
    field_type: K,
}

/// As `field_type`, whose refusals show `example`.
pub const fn with_example<K: FieldType>(example: &'static str, field_type: K) -> WithExample<K> {
    WithExample { example, field_type }
}

impl<K: FieldType> FieldType for WithExample<K> {
    type Value = K::Value;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        cursor.with_more(format_args!(", as in {}", self.example), |cursor| self.field_type.read(cursor))
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        self.field_type.schema(known)
    }
}

/// A whole number within bounds.
pub struct Integer<T>(RangeInclusive<T>);

/// A whole number within `range`.
pub const fn integer<T>(range: RangeInclusive<T>) -> Integer<T> {
    Integer(range)
}

impl<T> FieldType for Integer<T>
where
    T: Copy + PartialOrd + fmt::Display + TryFrom<i128> + TryInto<i64>,
{
    type Value = T;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<T> {
        fields::integer(self.0.clone())(cursor)
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        let bound = |bound: T| bound.try_into().ok();
        plain(Type::Integer).minimum(bound(*self.0.start())).maximum(bound(*self.0.end())).into()
    }
}

/// Any text; the world checks its length.
pub struct Text {
    max: usize,
}

/// Any text, described as at most `max` characters long.
#[must_use]
pub const fn text_of(max: usize) -> Text {
    Text { max }
}

impl FieldType for Text {
    type Value = Arc<str>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
        fields::free_text(cursor)
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        plain(Type::String).max_length(Some(self.max)).into()
    }
}

impl<T: Readable> Readable for Vec<T> {
    fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
        cursor.list(T::read)
    }

    fn schema(known: &mut Schemas) -> RefOr<Schema> {
        ArrayBuilder::new().items(T::schema(known)).into()
    }
}

/// `None` where it cannot be read.
impl<T: Readable> Readable for Option<T> {
    fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
        Some(T::read(cursor))
    }

    fn schema(known: &mut Schemas) -> RefOr<Schema> {
        T::schema(known)
    }
}

macro_rules! readable {
    ($($($type:ty),+ => $read:path, $schema:expr;)*) => {$($(
        impl Readable for $type {
            fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
                $read(cursor)
            }

            fn schema(known: &mut Schemas) -> RefOr<Schema> {
                let schema: fn(&mut Schemas) -> RefOr<Schema> = $schema;
                schema(known)
            }
        }
    )+)*};
}

readable! {
    bool => fields::flag, |_| plain(Type::Boolean).into();
    Arc<str> => fields::free_text, |_| plain(Type::String).into();
    AccountId, BankAccountId, ClientId, OrderId, SubmissionId => fields::id, reference::<crate::values::text::Id>;
    CustodianId => custodian, |_| plain(Type::String).into();
    InstrumentId => fields::instrument, reference::<crate::values::text::InstrumentId>;
    Currency => fields::currency, reference::<crate::values::text::Currency>;
    Iban => fields::iban, reference::<crate::values::text::Iban>;
    PersonalNumber => fields::personal_number, reference::<crate::values::text::Ssn>;
    OrganisationNumber => fields::organisation_number, reference::<crate::values::text::Crn>;
    Date => fields::date, reference::<crate::values::text::CalendarDate>;
    Instant => fields::instant, reference::<crate::values::text::Timestamp>;
    Amount => fields::amount, reference::<crate::values::number::Money>;
    Percent => fields::percent, reference::<crate::values::number::Number>;
    Units => fields::units, reference::<crate::values::number::Number>;
    Price => fields::price, reference::<crate::values::number::Number>;
    Ratio => fields::ratio, reference::<crate::values::number::Number>;
}

fn custodian(cursor: Cursor<'_, '_>) -> Option<CustodianId> {
    cursor.text_as("a custodian's id", |text| text.parse().ok())
}

/// A shape from its rows: `field = presence "name"`, then `as` and a field type where it is not the usual one. The
/// presences are methods of `Fields`. It fills a new struct (`struct`), or an existing one: `whole` ones need
/// every field, `partial` ones hold `None` for what cannot be read.
#[macro_export]
macro_rules! shape {
    ($(#[doc = $about:literal])* $vis:vis struct $name:ident {$(
        $(#[doc = $doc:literal])*
        $field:ident: $type:ty = $presence:ident $(($default:expr))? $wire:literal $(as $field_type:expr)?;
    )*}) => {
        $(#[doc = $about])*
        $vis struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        $crate::rows::shape::shape! {
            $(#[doc = $about])*
            whole $name as $name {$(
                $(#[doc = $doc])*
                $field = $presence $(($default))? $wire $(as $field_type)?;
            )*}
        }
    };
    ($(#[doc = $about:literal])* $vis:vis $how:ident $shape:ident of $value:ident $rows:tt) => {
        $(#[doc = $about])*
        $vis struct $shape;

        $crate::rows::shape::shape! { @impl [$($about)*] $how $shape $shape $value $rows }
    };
    ($(#[doc = $about:literal])* $how:ident $value:ident as $name:ident $rows:tt) => {
        $crate::rows::shape::shape! { @impl [$($about)*] $how $value $name $value $rows }

        impl $crate::rows::shape::Readable for $value {
            fn read(cursor: $crate::rows::fields::Cursor<'_, '_>) -> Option<Self> {
                cursor.object(<Self as $crate::rows::shape::Shape>::rows)
            }

            fn schema(known: &mut $crate::rows::shape::Schemas) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::rows::shape::describe::<Self>(known)
            }
        }
    };
    (@impl [$($about:literal)*] $how:ident $shape:ident $name:ident $value:ident {
        $(
            $(#[doc = $doc:literal])*
            $field:ident = $presence:ident $(($default:expr))? $wire:literal $(as $field_type:expr)?;
        )*
        $(.. also {$($(#[doc = $also_doc:literal])* $also:ident $also_wire:literal $(as $also_kind:expr)?;)*})?
        $(.. with {$($given:ident: $given_value:expr,)*})?
    }) => {
        impl $crate::rows::shape::Shape for $shape {
            type Value = $value;
            const NAME: &'static str = stringify!($name);
            const ABOUT: &'static str = concat!($($about),*);

            fn rows(fields: &mut $crate::rows::fields::Fields<'_, '_>) -> Option<$value> {
                $(let $field = fields.$presence(
                    $crate::rows::fields::FieldRow { name: $wire, about: concat!($($doc),*) },
                    $($default,)?
                    $crate::rows::shape::shape!(@type $($field_type)?),
                );)*
                $($(fields.$also(
                    $crate::rows::fields::FieldRow { name: $also_wire, about: concat!($($also_doc),*) },
                    $crate::rows::shape::shape!(@type $($also_kind)?),
                );)*)?
                $crate::rows::shape::shape!(@$how $value [$($field)*] [$($($given: $given_value,)*)?])
            }
        }
    };
    (@type) => { $crate::rows::shape::of() };
    (@type $field_type:expr) => { $field_type };
    (@whole $value:ident [$($field:ident)*] [$($given:ident: $given_value:expr,)*]) => {
        Some($value { $($field: $field?,)* $($given: $given_value,)* })
    };
    (@partial $value:ident [$($field:ident)*] [$($given:ident: $given_value:expr,)*]) => {{
        #[allow(clippy::needless_update, reason = "some shapes have a row for every field")]
        Some($value { $($field,)* $($given: Some($given_value),)* ..$value::default() })
    }};
}

/// An object with one field, read as that field's value.
#[macro_export]
macro_rules! wrapped {
    ($($(#[doc = $about:literal])* $vis:vis $shape:ident as $name:ident of $value:ty {
        $(#[doc = $doc:literal])*
        $wire:literal
        $(, ignores $ignored:literal)?
    })*) => {$(
        $(#[doc = $about])*
        $vis struct $shape;

        impl $crate::rows::shape::Shape for $shape {
            type Value = $value;
            const NAME: &'static str = stringify!($name);
            const ABOUT: &'static str = concat!($($about),*);

            fn rows(fields: &mut $crate::rows::fields::Fields<'_, '_>) -> Option<$value> {
                $(fields.has_field($ignored);)?
                fields.required(
                    $crate::rows::fields::FieldRow { name: $wire, about: concat!($($doc),*) },
                    $crate::rows::shape::of(),
                )
            }
        }
    )*};
}

pub use {shape, wrapped};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::fields::FieldRow;
    use serde_json::json;

    struct Line;

    impl Shape for Line {
        type Value = ();
        const NAME: &'static str = "Line";
        const ABOUT: &'static str = "A line.";

        fn rows(fields: &mut Fields<'_, '_>) -> Option<()> {
            fields.required("fund", of::<CustodianId>());
            fields.optional(FieldRow { name: "note", about: " For people. " }, of::<Arc<str>>());
            fields.hidden("ticket", Anything);
            fields.nullable(FieldRow { name: "several", about: "Whether there are more." }, of::<bool>());
            Some(())
        }
    }

    #[test]
    fn a_shape_names_every_field_that_its_description_shows() {
        assert_eq!(names::<Line>(), ["fund", "note", "several"]);
    }

    #[test]
    fn a_description_lists_each_field_with_its_sentence_once_a_shape() {
        let mut known = Schemas::new();
        for _ in 0..2 {
            let reference = serde_json::to_value(describe::<Line>(&mut known)).expect("JSON");
            assert_eq!(reference, json!({ "$ref": "#/components/schemas/Line" }));
        }
        let described = json!([["Line", {
            "type": "object",
            "description": "A line.",
            "required": ["fund", "several"],
            "properties": {
                "fund": { "type": "string" },
                "note": { "type": ["string", "null"], "description": "For people." },
                "several": { "type": ["boolean", "null"], "description": "Whether there are more." },
            },
        }]]);
        assert_eq!(serde_json::to_value(known).expect("JSON"), described);
    }
}
