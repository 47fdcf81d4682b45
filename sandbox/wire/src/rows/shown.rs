//! An answer declared once: its fields in rows, from which come the struct, its schema, how it is made from a record and how it is
//! written.
//!
//! Invariant: the rows name every field of their record, those that nobody is shown as `hidden`: a field that is added to a record
//! does not compile until it is shown or hidden. Absent on purpose: how one value is shown (`shows`); requests, which have
//! rows of their own (`shape`).

/// Declares an answer by rows.
///
/// A row is `field: Type = "json";` with the record's own name of the field. The JSON name follows a presence: none (always
/// there), `optional` (left out where there is nothing) or `nullable` (null there). `by EXPRESSION` says how the value is made
/// where `Shows` does not; it may use the fields of the record, the arguments after `with`, and the record itself by its name after `as`. `also` begins a row that is no
/// field of the record. `stamped;` shows when the record was made and changed. `hidden a, b;` names what is not shown, `used a, b;`
/// what only expressions use.
macro_rules! shown {
    // The end: everything that the rows have collected.
    (@rows $head:tt $field:tt $pattern:tt $value:tt) => {
        $crate::rows::shown::shown!(@emit $head $field $pattern $value);
    };
    (@rows $head:tt $field:tt [$($pattern:tt)*] $value:tt hidden $($hidden:ident),+; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field [$($pattern)* $($hidden: _,)+] $value $($rest)*);
    };
    (@rows $head:tt $field:tt [$($pattern:tt)*] $value:tt used $($used:ident),+; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field [$($pattern)* $($used,)+] $value $($rest)*);
    };
    (@rows $head:tt [$($field:tt)*] [$($pattern:tt)*] [[$($value:tt)*] [$($row:tt)*]] stamped; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head
            [$($field)*
                #[schema(rename = "createdDate")]
                created: $crate::values::text::Timestamp,
                #[schema(rename = "modifiedDate")]
                modified: $crate::values::text::Timestamp,]
            [$($pattern)* stamp: sim::records::Stamp { created, modified, revision: _ },]
            [[$($value)*
                created: $crate::values::text::Timestamp(*created),
                modified: $crate::values::text::Timestamp(*modified),]
            [$($row)* [created "createdDate"] [modified "modifiedDate"]]]
            $($rest)*);
    };
    // A row that is no field of the record.
    (@rows $head:tt [$($field:tt)*] $pattern:tt [[$($value:tt)*] [$($row:tt)*]]
        $(#[$about:meta])* also $name:ident: $type:ty = $json:tt by $made:expr; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head
            [$($field)* $(#[$about])* #[schema(rename = $json)] $name: $type,]
            $pattern [[$($value)* $name: $made,] [$($row)* [$name $json]]] $($rest)*);
    };
    (@rows $head:tt [$($field:tt)*] $pattern:tt [[$($value:tt)*] [$($row:tt)*]]
        $(#[$about:meta])* also $name:ident: $type:ty = nullable $json:tt by $made:expr; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head
            [$($field)* $(#[$about])* #[schema(rename = $json, required = true)] $name: Option<$type>,]
            $pattern [[$($value)* $name: $made,] [$($row)* [$name $json]]] $($rest)*);
    };
    (@rows $head:tt [$($field:tt)*] $pattern:tt [[$($value:tt)*] [$($row:tt)*]]
        $(#[$about:meta])* also $name:ident: $type:ty = optional $json:tt by $made:expr; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head
            [$($field)* $(#[$about])* #[schema(rename = $json, nullable = false)] $name: Option<$type>,]
            $pattern [[$($value)* $name: $made,] [$($row)* [optional $name $json]]] $($rest)*);
    };
    // A field of the record, made by an expression: as above, with its name in the pattern.
    (@rows $head:tt $field:tt [$($pattern:tt)*] $value:tt
        $(#[$about:meta])* $name:ident: $type:ty = $json:tt by $made:expr; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field [$($pattern)* $name,] $value
            $(#[$about])* also $name: $type = $json by $made; $($rest)*);
    };
    (@rows $head:tt $field:tt [$($pattern:tt)*] $value:tt
        $(#[$about:meta])* $name:ident: $type:ty = $presence:ident $json:tt by $made:expr; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field [$($pattern)* $name,] $value
            $(#[$about])* also $name: $type = $presence $json by $made; $($rest)*);
    };
    // A field of the record that is shown as it is.
    (@rows $head:tt $field:tt $pattern:tt $value:tt
        $(#[$about:meta])* $name:ident: $type:ty = $json:tt; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field $pattern $value
            $(#[$about])* $name: $type = $json by $crate::values::shows::Shows::shown($name); $($rest)*);
    };
    (@rows $head:tt $field:tt $pattern:tt $value:tt
        $(#[$about:meta])* $name:ident: $type:ty = $presence:ident $json:tt; $($rest:tt)*) => {
        $crate::rows::shown::shown!(@rows $head $field $pattern $value
            $(#[$about])* $name: $type = $presence $json by $crate::values::shows::Shows::shown($name); $($rest)*);
    };
    (@emit [[$($about:tt)*] [$vis:vis $name:ident] [$($life:lifetime)?] [$($record:tt)+] [$given:ident] [$($arg:ident: $of:ty),*]]
        [$($field:tt)*] [$($pattern:tt)*] [[$($value:tt)*] [$($row:tt)*]]) => {
        #[derive(utoipa::ToSchema)]
        $($about)*
        $vis struct $name $(<$life>)? { $($field)* }

        impl $(<$life>)? $name $(<$life>)? {
            /// What the record looks like.
            #[must_use]
            $vis fn of($given: &$($life)? $($record)+ $(, $arg: $of)*) -> Self {
                let $($record)+ { $($pattern)* } = $given;
                Self { $($value)* }
            }

            fn write(&self, object: &mut $crate::rows::object::ObjectWriter<'_>) -> serde_json::Result<()> {
                let shape = self;
                $($crate::rows::shown::shown!(@write shape object $row);)*
                Ok(())
            }
        }

        impl $(<$life>)? serde::Serialize for $name $(<$life>)? {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::rows::object::object(to, |object| self.write(object))
            }
        }

        $crate::rows::shown::shown!(@shows $name [$($life)?] [$($record)+] [$($arg)*]);
    };
    (@write $shape:ident $object:ident [$name:ident $json:tt]) => {
        $object.key(concat!(",\"", $json, "\":"));
        $object.value(&$shape.$name)?;
    };
    (@write $shape:ident $object:ident [optional $name:ident $json:tt]) => {
        if let Some(value) = &$shape.$name {
            $object.key(concat!(",\"", $json, "\":"));
            $object.value(value)?;
        }
    };
    (@shows $name:ident [$life:lifetime] [$($record:tt)+] []) => {
        impl<$life> $crate::values::shows::Shows<$life, $($record)+> for $name<$life> {
            fn shown(value: &$life $($record)+) -> Self {
                Self::of(value)
            }
        }
    };
    (@shows $name:ident [] [$($record:tt)+] []) => {
        impl $crate::values::shows::Shows<'_, $($record)+> for $name {
            fn shown(value: &$($record)+) -> Self {
                Self::of(value)
            }
        }
    };
    (@shows $name:ident $life:tt $record:tt [$($arg:ident)+]) => {};
    ($(#[$about:meta])* $vis:vis $name:ident $(<$life:lifetime>)? of $($record:ident)::+
        $(, with $($arg:ident: $of:ty),+)? { $($rows:tt)* }) => {
        $crate::rows::shown::shown!(
            $(#[$about])* $vis $name $(<$life>)? of $($record)::+ as record $(, with $($arg: $of),+)? { $($rows)* }
        );
    };
    ($(#[$about:meta])* $vis:vis $name:ident $(<$life:lifetime>)? of $($record:ident)::+ as $given:ident
        $(, with $($arg:ident: $of:ty),+)? { $($rows:tt)* }) => {
        $crate::rows::shown::shown!(
            @rows [[$(#[$about])*] [$vis $name] [$($life)?] [$($record)::+] [$given] [$($($arg: $of),+)?]] [] [] [[] []] $($rows)*
        );
    };
}
pub(crate) use shown;
