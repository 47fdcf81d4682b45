//! Schemas by name, and all that they refer to.

use utoipa::ToSchema;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};

/// A reference to the schema of `T`.
pub(super) fn reference<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name().as_ref()).into()
}

/// The schema of `T` and all that it refers to.
pub(super) fn collect<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}
