//! Values that travel as text: ids, moments, days and the numbers that name things.
//!
//! Each is a newtype over the world's own value, so that a wire shape says what its strings are and the description of
//! the API knows their form. Absent on purpose: reading, which is `fields`.

use crate::values::raw;
use crate::values::shows::{Shows, wrapped};
use serde::ser::{Serialize, Serializer};
use sim::identity;
use sim::time::{Date, Instant};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

/// A UUID, lower-case with hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(pub Uuid);

wrapped! {
    /// A calendar day inside a resource, written as that day's midnight UTC (rule: wire/days-in-resources).
    Day(Date)
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::text(self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()), to)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Timestamp(Instant::at_utc_midnight(self.0)).serialize(to)
    }
}

wrapped! {
    /// A moment, always with milliseconds and `Z` (rule: wire/timestamps).
    Timestamp(Instant)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::text(std::str::from_utf8(&self.0.text()).unwrap_or_default(), to)
    }
}

wrapped! {
    /// Position in listings: a ULID.
    SortedId(sim::ids::SortedId)
}

impl Serialize for SortedId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::text(self.0.write_to(&mut Default::default()), to)
    }
}

macro_rules! ids {
    ($($id:ident),* $(,)?) => {$(
        impl Shows<'_, sim::ids::$id> for Id {
            fn shown(value: &sim::ids::$id) -> Self {
                Self(value.as_uuid())
            }
        }
    )*};
}

ids! {
    AccountId, AllocationPlanId, BankAccountId, BankgiroItemId, CashTransactionId, ClientId, FundTransactionId, InstructionId, JourneyId,
    MobilePaymentId, OrderId, PaymentId, SavingsPlanId, SubmissionId, SuspenseItemId, TransferId,
}

macro_rules! displayed {
    ($($(#[$doc:meta])* $name:ident($value:ty);)*) => {$(
        wrapped! { $(#[$doc])* $name($value) }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                raw::displayed(self.0, to)
            }
        }
    )*};
}

macro_rules! as_text {
    ($($(#[$doc:meta])* $name:ident($value:ty);)*) => {$(
        wrapped! { $(#[$doc])* $name($value) }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                raw::text(self.0.as_str(), to)
            }
        }
    )*};
}

displayed! {
    /// A calendar day, `YYYY-MM-DD` (rule: wire/dates).
    CalendarDate(Date);
    /// An account number that serves as OCR reference.
    AccountRef(identity::AccountRef);
    /// A reference that a payer has written.
    Ocr(identity::Ocr);
    /// A personal number of twelve digits.
    Ssn(identity::PersonalNumber);
    /// A company registration number of ten digits.
    Crn(identity::OrganisationNumber);
}

as_text! {
    /// An ISIN followed by a currency code.
    InstrumentId(identity::InstrumentId);
    /// An ISIN.
    Isin(identity::Isin);
    /// A currency code.
    Currency(identity::Currency);
    /// An international bank account number.
    Iban(identity::Iban);
}

macro_rules! schemas {
    ($($name:ident: $description:literal, $example:literal $(, format $format:literal)? $(, pattern $pattern:literal)?;)*) => {$(
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let schema = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some($description))
                    .examples([$example]);
                $(let schema = schema.format(Some(utoipa::openapi::SchemaFormat::Custom($format.to_owned())));)?
                $(let schema = schema.pattern(Some($pattern));)?
                schema.into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

schemas! {
    Id: "A UUID.", "0b5b3c1e-5f0a-4d0e-9b56-3f3f5a0d6c11", format "uuid";
    Day: "A calendar day, written as its midnight UTC.", "2026-03-04T00:00:00.000Z", format "date-time";
    Timestamp: "A moment in UTC with milliseconds.", "2026-03-02T13:00:00.000Z", format "date-time";
    CalendarDate: "A calendar day.", "2026-03-02", format "date";
    SortedId: "Position in listings: a ULID, increasing with creation.", "01KJNV6G00SANDB0X000000000", pattern "^[0-7][0-9A-HJKMNP-TV-Z]{25}$";
    AccountRef: "Account number, usable as OCR reference of a bankgiro payment.", "160367146695159", pattern "^[0-9]{3,20}$";
    Ocr: "OCR reference of a payment: 2 to 25 digits, the last a check digit, the one before it the last of their number.", "160367146695159", pattern "^[0-9]{2,25}$";
    InstrumentId: "An ISIN followed by a currency code.", "SE0SBX000016SEK", pattern "^[A-Z]{2}[A-Z0-9]{9}[0-9][A-Z]{3}$";
    Isin: "An ISIN (ISO 6166).", "SE0SBX000016", pattern "^[A-Z]{2}[A-Z0-9]{9}[0-9]$";
    Currency: "A currency code (ISO 4217).", "SEK", pattern "^[A-Z]{3}$";
    Ssn: "A personal or coordination number of twelve digits.", "199001012385", pattern "^(19|20)[0-9]{10}$";
    Crn: "A company registration number of ten digits.", "5599900007", pattern "^[0-9]{10}$";
    Iban: "An IBAN (ISO 13616) without spaces.", "SE8150000000050000000019", pattern "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/days-in-resources, wire/dates)
    #[test]
    fn a_day_is_its_midnight_in_utc_and_a_date_is_ten_characters() {
        let day = sim::time::parse_date("2026-03-04").expect("a day");
        assert_eq!(serde_json::to_string(&Day(day)).expect("text"), "\"2026-03-04T00:00:00.000Z\"");
        assert_eq!(serde_json::to_string(&CalendarDate(day)).expect("text"), "\"2026-03-04\"");
    }

    /// (rule: wire/ids)
    #[test]
    fn an_id_is_lower_case_with_hyphens() {
        let id = Id(Uuid::from_u128(0xABCD));
        assert_eq!(serde_json::to_string(&id).expect("text"), "\"00000000-0000-0000-0000-00000000abcd\"");
    }
}
