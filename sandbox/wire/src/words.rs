//! The closed vocabularies of the API, each written once.
//!
//! Owns: the word of each value of the world, for writing, reading and the description of the API alike.
//! Invariant: every value has exactly one word (an exhaustive match), and a word reads back as its value.
//! Absent on purpose: order states, whose public words are the world's (`sim::machines::order::State::shown`).

use crate::rows::fields::{Cursor, FieldType};
use crate::rows::shape::{Readable, Schemas, reference};
use crate::values::raw;
use crate::values::shows::wrapped;
use serde::ser::{Serialize, Serializer};
use sim::records;
use std::fmt;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A value of the world that has a word on the wire.
pub trait Word: Copy + 'static {
    /// Every word with its value.
    const WORDS: &'static [(&'static str, Self)];

    /// Its word.
    fn word(self) -> &'static str;

    /// The value of a word.
    #[must_use]
    fn of(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|row| row.0 == word).map(|row| row.1)
    }

    /// All words as a list for people: "`a`, `b` or `c`".
    #[must_use]
    fn choices() -> String {
        choices(Self::WORDS.iter().map(|row| row.0))
    }
}

/// Words as a list for people: "`a`, `b` or `c`".
pub fn choices(words: impl DoubleEndedIterator<Item = &'static str>) -> String {
    let mut words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    match words.pop() {
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} or {last}", words.join(", ")),
        None => String::new(),
    }
}

/// The schema of a few words.
pub fn schema_of(words: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into()
}

/// One of a few words, each with its value; described by the words.
pub struct OneOf<T>(Vec<(&'static str, T)>);

/// One of `words`, each with its value.
pub fn of_words<T>(words: impl IntoIterator<Item = (&'static str, T)>) -> OneOf<T> {
    OneOf(words.into_iter().collect())
}

impl<T: Clone> FieldType for OneOf<T> {
    type Value = T;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<T> {
        let known = |text: &str| self.0.iter().find(|row| row.0 == text).map(|row| row.1.clone());
        cursor.text_as(fmt::from_fn(|f| write!(f, "one of {}", choices(self.0.iter().map(|row| row.0)))), known)
    }

    fn schema(&self, _: &mut Schemas) -> RefOr<Schema> {
        schema_of(self.0.iter().map(|row| row.0))
    }
}

/// Reads a word.
pub fn word<W: Word>(cursor: Cursor<'_, '_>) -> Option<W> {
    // Only put into words when something is wrong.
    cursor.text_as(fmt::from_fn(|f| write!(f, "one of {}", W::choices())), W::of)
}

/// A word with a capital letter first.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident for $value:path { $($word:literal = $variant:ident),* $(,)? })*) => {$(
        wrapped! { $(#[$doc])* $name($value) }

        impl Word for $value {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, <$value>::$variant)),*];

            fn word(self) -> &'static str {
                match self {
                    $(<$value>::$variant => $word),*
                }
            }
        }

        impl From<$value> for $name {
            fn from(value: $value) -> Self {
                Self(value)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                raw::json(
                    match self.0 {
                        $(<$value>::$variant => concat!("\"", $word, "\"")),*
                    },
                    to,
                )
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema_of([$($word),*])
            }
        }

        impl ToSchema for $name {}

        impl Readable for $value {
            fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
                word(cursor)
            }

            fn schema(known: &mut Schemas) -> RefOr<Schema> {
                reference::<$name>(known)
            }
        }
    )*};
}

words! {
    /// Kind of account.
    AccountType for records::AccountType { "isk" = Isk, "depot" = Depot, "insurance" = Insurance }

    /// Life of an account.
    AccountStatus for records::AccountStatus {
        "pending" = Pending, "active" = Active, "rejected" = Rejected, "confirm" = Confirm, "closing" = Closing,
    }

    /// Investment service.
    ServiceType for records::ServiceType {
        "portfolioManagement" = PortfolioManagement, "investmentAdvise" = InvestmentAdvise,
        "executionOnly" = ExecutionOnly,
    }

    /// MiFID II classification.
    Category for records::Category { "retail" = Retail, "pro" = Pro }

    /// Kind of owner.
    OwnerType for records::OwnerType { "natural_person" = NaturalPerson, "legal_entity" = LegalEntity }

    /// State of an autogiro mandate.
    MandateStatus for records::MandateStatus {
        "missing" = Missing, "invalid" = Invalid, "pending" = Pending, "active" = Active,
    }

    /// Fees that have a receiving bank account.
    FeeType for records::FeeType {
        "client_fee" = ClientFee, "partner_fee" = PartnerFee, "service_fee" = ServiceFee,
    }

    /// What becomes of a client's own fee on the day of fees.
    FeeMode for records::FeeMode { "none" = None, "calculated" = Calculated, "withdrawn" = Withdrawn }

    /// Buying or selling.
    OrderType for records::Side { "subscription" = Subscription, "redemption" = Redemption }

    /// How much a withdrawal takes.
    WithdrawalType for sim::command::WithdrawalType { "amount" = Amount, "full" = Full }

    /// Kinds of cash transaction.
    CashTransactionType for records::CashType {
        "deposit" = Deposit, "withdrawal" = Withdrawal, "subscription" = Subscription, "redemption" = Redemption,
        "transfer_in" = TransferIn, "transfer_out" = TransferOut, "fee" = Fee, "retrocession" = Retrocession,
        "fxFee" = FxFee, "settlement" = Settlement,
    }

    /// What a cash transaction refers to.
    CashRefType for records::CashRefType {
        "client_fee" = ClientFee, "correction" = Correction, "gift" = Gift, "compensations" = Compensations,
        "inheritance" = Inheritance, "dividend" = Dividend, "donation" = Donation, "endowment_101" = Endowment101,
        "partner_fee" = PartnerFee, "service_fee" = ServiceFee, "insurance_tax" = InsuranceTax,
        "insurance_fee" = InsuranceFee, "riskpremia_fee" = RiskpremiaFee, "transfer" = Transfer, "text" = Text,
        "order" = Order, "payment" = Payment, "ca" = Ca, "internal" = Internal, "external" = External,
    }

    /// Units in or units out.
    FundTransactionType for records::FundType { "subscription" = Subscription, "redemption" = Redemption }

    /// What a fund transaction refers to.
    FundRefType for records::FundRefType {
        "text" = Text, "correction" = Correction, "transfer" = Transfer, "order" = Order, "ca" = Ca,
        "internal" = Internal, "external" = External, "gift" = Gift, "compensations" = Compensations,
        "inheritance" = Inheritance, "dividend" = Dividend, "endowment_101" = Endowment101,
    }

    /// State of a journey.
    JourneyStatus for sim::machines::journey::State {
        "new" = New, "pending" = Pending, "canceled" = Canceled, "error" = Error, "complete" = Complete,
        "expired" = Expired,
    }

    /// State of a transfer from another custodian.
    TransferStatus for sim::machines::transfer::State {
        "new" = New, "sent" = Sent, "accepted" = Accepted, "completed" = Completed, "rejected" = Rejected,
        "canceled" = Canceled,
    }

    /// State of a payment instruction.
    InstructionStatus for sim::machines::instruction::State {
        "new" = New, "processing" = Processing, "completed" = Completed,
    }

    /// State of the knowledge of a customer.
    KycStatus for records::KycStatus {
        "valid" = Valid, "expiring" = Expiring, "expired" = Expired, "pending" = Pending,
    }

    /// Kind of agreement.
    AgreementKey for records::AgreementType {
        "account" = Account, "power_of_attorney" = PowerOfAttorney, "insurance" = Insurance, "autogiro" = Autogiro,
    }

    /// Whether a journey asks for an autogiro mandate.
    AutogiroEnforce for records::AutogiroEnforce { "required" = Required, "optional" = Optional, "none" = None }

    /// Whether the transfer step may be skipped.
    TransferEnforce for records::TransferEnforce { "required" = Required, "optional" = Optional }

    /// What a first page explains.
    WelcomeScreen for records::WelcomeScreen { "transfer" = Transfer }

    /// What screening finds about an owner.
    ScreeningHit for sim::command::ScreeningHit { "pep" = Pep, "sanctions" = Sanctions, "clear" = Clear }

    /// How the use of an electronic identity ends.
    SignOutcome for sim::command::SignOutcome { "sign" = Sign, "abort" = Abort, "fail" = Fail, "refuse" = Refuse }

    /// Where the payer's app is.
    MobilePaymentType for records::MobilePaymentType { "same_device" = SameDevice, "other_device" = OtherDevice }

    /// Form of a QR code.
    QrFormat for records::QrFormat { "png" = Png, "jpg" = Jpg, "svg" = Svg }

    /// Why a transaction counts for nothing.
    AbortedReason for records::AbortReason { "referenced_order_canceled" = ReferencedOrderCanceled }
}

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident for $value:path;)*) => {$(
        wrapped! { $(#[$doc])* $name($value) }

        impl Word for $value {
            const WORDS: &'static [(&'static str, Self)] = &{
                let mut words = [("", <$value>::ALL[0]); <$value>::ALL.len()];
                let mut at = 0;
                while at < words.len() {
                    words[at] = (<$value>::ALL[at].name(), <$value>::ALL[at]);
                    at += 1;
                }
                words
            };

            fn word(self) -> &'static str {
                self.name()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.0.word())
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema_of(<$value>::WORDS.iter().map(|row| row.0))
            }
        }

        impl ToSchema for $name {}

        impl Readable for $value {
            fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
                word(cursor)
            }

            fn schema(known: &mut Schemas) -> RefOr<Schema> {
                reference::<$name>(known)
            }
        }
    )*};
}

// The world names these itself: they are the `context` of an exit, or are in permissions.
named! {
    /// Kind of journey.
    JourneyType for records::JourneyType;
    /// A step of a journey.
    JourneyStep for records::JourneyStep;
    /// Why a journey ended without completing.
    ErrorCode for records::ErrorCode;
    /// Why a mobile payment is not paid.
    MobilePaymentErrorCode for records::MobilePaymentError;
    /// Where the money of an allocation plan comes from.
    DepositType for records::DepositType;
    /// How often money is expected.
    Periodicity for records::Periodicity;
    /// What becomes of holdings or cash at a ceding custodian.
    Output for records::Output;
    /// How the money of an instruction comes.
    InstructionType for records::InstructionType;
}

/// The words of a list of values.
pub(super) fn each<V: Copy, W: From<V>>(values: &[V]) -> Vec<W> {
    values.iter().copied().map(W::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_back<W: Word + PartialEq + std::fmt::Debug>() {
        for &(word, value) in W::WORDS {
            assert_eq!((W::of(word), value.word()), (Some(value), word));
        }
        assert_eq!(W::of(""), None);
    }

    #[test]
    fn a_word_reads_back_as_its_value_and_no_two_values_share_one() {
        reads_back::<records::AccountType>();
        reads_back::<records::AccountStatus>();
        reads_back::<records::ServiceType>();
        reads_back::<records::Category>();
        reads_back::<records::OwnerType>();
        reads_back::<records::MandateStatus>();
        reads_back::<records::FeeType>();
        reads_back::<records::FeeMode>();
        reads_back::<records::Side>();
        reads_back::<records::CashType>();
        reads_back::<records::CashRefType>();
        reads_back::<records::FundType>();
        reads_back::<records::FundRefType>();
        reads_back::<records::AbortReason>();
        reads_back::<records::JourneyType>();
        reads_back::<records::JourneyStep>();
        reads_back::<records::ErrorCode>();
        reads_back::<records::DepositType>();
        reads_back::<records::Periodicity>();
        reads_back::<records::Output>();
        reads_back::<records::AutogiroEnforce>();
        reads_back::<records::TransferEnforce>();
        reads_back::<records::WelcomeScreen>();
        reads_back::<records::KycStatus>();
        reads_back::<records::AgreementType>();
        reads_back::<sim::machines::journey::State>();
        reads_back::<sim::machines::transfer::State>();
        reads_back::<sim::command::ScreeningHit>();
        reads_back::<sim::command::SignOutcome>();
        reads_back::<records::MobilePaymentType>();
        reads_back::<records::QrFormat>();
        reads_back::<records::MobilePaymentError>();
    }

    #[test]
    fn refusals_quote_the_words_that_the_api_shows() {
        let journeys = sim::machines::journey::TABLE.states.iter().map(|state| (state.word(), state.name()));
        let transfers = sim::machines::transfer::TABLE.states.iter().map(|state| (state.word(), state.name()));
        let kyc = records::KycStatus::WORDS.iter().map(|row| (row.0, row.1.name()));
        for (shown, quoted) in journeys.chain(transfers).chain(kyc) {
            assert_eq!(shown, quoted);
        }
    }

    #[test]
    fn choices_read_like_a_sentence() {
        assert_eq!(records::AccountType::choices(), "`isk`, `depot` or `insurance`");
        assert_eq!(records::AbortReason::choices(), "`referenced_order_canceled`");
    }
}
