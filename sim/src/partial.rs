//! Requests of which only a part could be read.
//!
//! Owns: beside each type of a request a second one of the same fields, each of them `None` where it could not be read.
//! A rule looks at the second one only: it is judged by what is known, and `None` breaks no rule. Invariant: what a whole
//! request is taken apart into makes the same request again. Absent on purpose: reading, which is the surface's.

use crate::identity::{Iban, InstrumentId, OrganisationNumber, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, ClientId, CustodianId, PartnerId, SubmissionId};
use crate::money::{Amount, Percent, Units};
use std::sync::Arc;

/// A value that may be known in part.
pub trait Whole: Sized {
    /// As much of it as is known.
    type Partial;

    /// What is known when all is.
    fn partial(&self) -> Self::Partial;

    /// The value; `None` when a part of it is not known.
    fn whole(partial: Self::Partial) -> Option<Self>;
}

impl<T: Whole> Whole for Option<T> {
    type Partial = Option<T::Partial>;

    fn partial(&self) -> Self::Partial {
        self.as_ref().map(T::partial)
    }

    fn whole(partial: Self::Partial) -> Option<Self> {
        partial.map_or(Some(None), |given| T::whole(given).map(Some))
    }
}

impl<T: Whole> Whole for Vec<T> {
    type Partial = Vec<Option<T::Partial>>;

    fn partial(&self) -> Self::Partial {
        self.iter().map(|item| Some(item.partial())).collect()
    }

    fn whole(partial: Self::Partial) -> Option<Self> {
        partial.into_iter().map(|item| T::whole(item?)).collect()
    }
}

/// Values that are known or not.
macro_rules! undivided {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::partial::Whole for $type {
            type Partial = Self;

            fn partial(&self) -> Self {
                self.clone()
            }

            fn whole(partial: Self) -> Option<Self> {
                Some(partial)
            }
        }
    )*};
}

undivided! {
    bool, Arc<str>, Iban, InstrumentId, OrganisationNumber, PersonalNumber, AccountId, BankAccountId, ClientId, CustodianId,
    PartnerId, SubmissionId, Amount, Percent, Units,
}

/// A struct, and the same with parts that may not be known.
macro_rules! partly {
    ($($(#[$meta:meta])* pub struct $name:ident or $partial:ident {
        $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        #[doc = concat!("[`", stringify!($name), "`], as far as it is known.")]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $partial {
            $($(#[$field_meta])* pub $field: Option<<$type as $crate::partial::Whole>::Partial>,)*
        }

        impl $crate::partial::Whole for $name {
            type Partial = $partial;

            fn partial(&self) -> $partial {
                $partial { $($field: Some($crate::partial::Whole::partial(&self.$field)),)* }
            }

            fn whole(partial: $partial) -> Option<Self> {
                Some(Self { $($field: $crate::partial::Whole::whole(partial.$field?)?,)* })
            }
        }
    )*};
}

pub(crate) use {partly, undivided};
