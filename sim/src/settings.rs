//! Every tunable of the rules, each declared in one row: name, type, default, public name and bounds.
//! Any may change in a running world (rule: calendar/settings-change).
//!
//! Settings are read, shown and explained by walking the rows. Only what the world itself decides by is here; a host
//! declares its own in rows of the same form. Absent on purpose: JSON.

use crate::money::{Amount, Percent};
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A value of any setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number; of milliseconds or seconds where the name says so.
    Whole(i64),
    /// SEK.
    Amount(Amount),
    /// A share.
    Percent(Percent),
}

/// What a setting can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingType {
    /// `true` or `false`.
    Flag,
    /// A whole number from the one to the other.
    Whole(i64, i64),
    /// One of these.
    OneOf(&'static [i64]),
    /// SEK, nothing or more.
    Amount,
    /// Percent with at most two decimals, from nothing to this many.
    Percent(i64),
}

impl SettingType {
    /// Whether a value is of this kind and within its bounds.
    #[must_use]
    pub fn holds(&self, value: Value) -> bool {
        match (*self, value) {
            (Self::Flag, Value::Flag(_)) => true,
            (Self::Whole(least, most), Value::Whole(number)) => (least..=most).contains(&number),
            (Self::OneOf(choices), Value::Whole(number)) => choices.contains(&number),
            (Self::Amount, Value::Amount(amount)) => !amount.is_negative(),
            (Self::Percent(most), Value::Percent(percent)) => !percent.is_negative() && percent.get() <= most.into(),
            _ => false,
        }
    }
}

/// A setting of `S`.
#[derive(Debug)]
pub struct SettingRow<S> {
    /// Public name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it can be.
    pub kind: SettingType,
    /// Reads it.
    pub get: fn(&S) -> Value,
    /// Writes it; a value of another kind changes nothing.
    pub set: fn(&mut S, Value),
}

/// A type that settings can have.
pub trait Setting {
    /// As any setting's value.
    fn value(&self) -> Value;

    /// Takes a value of its kind.
    fn take(&mut self, value: Value);
}

impl Setting for Percent {
    fn value(&self) -> Value {
        Value::Percent(*self)
    }

    fn take(&mut self, value: Value) {
        if let Value::Percent(percent) = value {
            *self = percent;
        }
    }
}

macro_rules! numbers {
    ($($type:ty: |$read:ident| $whole:expr, |$written:ident| $made:expr;)*) => {$(
        impl Setting for $type {
            fn value(&self) -> Value {
                let $read = *self;
                Value::Whole($whole)
            }

            fn take(&mut self, value: Value) {
                if let Value::Whole($written) = value
                    && let Some(made) = $made
                {
                    *self = made;
                }
            }
        }
    )*};
}

numbers! {
    u32: |number| i64::from(number), |whole| Self::try_from(whole).ok();
    usize: |number| i64::try_from(number).unwrap_or(i64::MAX), |whole| Self::try_from(whole).ok();
    Millis: |period| period.0, |whole| Some(Self(whole));
    Duration: |period| i64::try_from(period.as_secs()).unwrap_or(i64::MAX), |whole| u64::try_from(whole).ok().map(Self::from_secs);
}

impl Setting for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }

    fn take(&mut self, value: Value) {
        if let Value::Flag(flag) = value {
            *self = flag;
        }
    }
}

impl Setting for Amount {
    fn value(&self) -> Value {
        Value::Amount(*self)
    }

    fn take(&mut self, value: Value) {
        if let Value::Amount(amount) = value {
            *self = amount;
        }
    }
}

/// A struct of settings from its rows, with defaults and `ROWS`; parts of them may be in structs of their own.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* $name:ident {
        $($(#[doc = $about:literal])* $field:ident: $type:ty = $default:expr, $wire:literal, $kind:expr;)*
    } $(and $part:ident: $(#[$part_meta:meta])* $part_name:ident {$(
        $(#[doc = $part_about:literal])*
        $part_field:ident: $part_type:ty = $part_default:expr, $part_wire:literal, $part_kind:expr;
    )*})*) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[doc = $about])* pub $field: $type,)*
            $(
                /// See there.
                pub $part: $part_name,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($part: $part_name::default(),)* }
            }
        }

        $(
            $(#[$part_meta])*
            pub struct $part_name {
                $($(#[doc = $part_about])* pub $part_field: $part_type,)*
            }

            impl Default for $part_name {
                fn default() -> Self {
                    Self { $($part_field: $part_default,)* }
                }
            }
        )*

        impl $name {
            /// Every setting, in order.
            pub const ROWS: &'static [$crate::settings::SettingRow<Self>] = &[
                $($crate::settings::SettingRow {
                    name: $wire,
                    about: concat!($($about),*),
                    kind: $kind,
                    get: |settings| $crate::settings::Setting::value(&settings.$field),
                    set: |settings, value| $crate::settings::Setting::take(&mut settings.$field, value),
                },)*
                $($($crate::settings::SettingRow {
                    name: $part_wire,
                    about: concat!($($part_about),*),
                    kind: $part_kind,
                    get: |settings| $crate::settings::Setting::value(&settings.$part.$part_field),
                    set: |settings, value| $crate::settings::Setting::take(&mut settings.$part.$part_field, value),
                },)*)*
            ];
        }
    };
}

/// Milliseconds, at most a year.
const PERIOD: SettingType = SettingType::Whole(0, 366 * 24 * 3_600_000);
/// As far as calendars are sure to reach.
const BANK_DAYS: SettingType = SettingType::Whole(1, 250);

settings! {
    /// Tunables of a world.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    Settings {
        /// From `received` to the first check (rule: orders/acceptance).
        acceptance_delay: Millis = Millis::SECOND, "acceptanceDelayMs", PERIOD;
        /// From the cut-off to the answer of the routing intermediary (rule: orders/aggregation).
        routing_delay: Millis = Millis::MINUTE, "routingDelayMs", PERIOD;
        /// From the publication of a price to the confirmation (rule: orders/confirmed-is-inside-sent).
        confirmation_delay: Millis = Millis::minutes(5), "confirmationDelayMs", PERIOD;
        /// From the publication of a late price to the posting (rule: calendar/settlement-day).
        late_posting_delay: Millis = Millis::minutes(10), "latePostingDelayMs", PERIOD;
        /// Orders above this go to `hold` (rule: orders/hold-reasons).
        hold_above: Amount = Amount::parse("5000000").expect("a constant"), "holdAbove", SettingType::Amount;
        /// Bank days on hold after which an order is canceled (rule: orders/hold-lapses).
        hold_bank_days: u32 = 5, "holdBankDays", BANK_DAYS;
        /// Whether organisation numbers must pass Luhn (rule: money/organisation-number).
        strict_identifiers: bool = false, "strictIdentifiers", SettingType::Flag;
        /// Years for which KYC answers are valid (rule: accounts/kyc-renewal).
        kyc_years: u32 = 3, "kycYears", SettingType::Whole(1, 100);
        /// Whether an order whose price is known shows as `confirmed` until it settles (rule: orders/confirmed-is-inside-sent).
        expose_confirmed: bool = false, "exposeConfirmed", SettingType::Flag;
        /// Distribution fee in basis points of the value a year (rule: fees/distribution-fee).
        distribution_fee: u32 = 15, "distributionFeeBp", SettingType::Whole(0, 10_000);
        /// The insurer's fee in basis points a year (rule: fees/insurance-charges).
        insurance_fee: u32 = 10, "insuranceFeeBp", SettingType::Whole(0, 10_000);
        /// Risk premium of an insurer for persons of 65 years or more, in basis points a year.
        risk_premium: u32 = 1, "riskPremiumBp", SettingType::Whole(0, 10_000);
        /// The government loan rate of 30 November in basis points, by which insurers are taxed.
        government_loan_rate: u32 = 255, "governmentLoanRateBp", SettingType::Whole(0, 10_000);
        /// Percent of the yield of an insurance that is tax.
        insurance_tax_share: u32 = 30, "insuranceTaxPercent", SettingType::Whole(0, 100);
        /// Smallest lack of cash for charges, in SEK, for which units are sold (rule: fees/smallest-forced-sale).
        smallest_forced_sale: Amount = Amount::parse("10").expect("a constant"), "smallestForcedSale", SettingType::Amount;
        /// Currency exchange fee, in percent of an order in a fund of another currency (rule: fees/currency-fee).
        fx_fee: Percent = Percent::ZERO, "fxFee", SettingType::Percent(10);
    } and journeys:
    /// Tunables of journeys, and of the accounts, mandates and transfers that come from them.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    JourneySettings {
        /// Years for which KYC answers of a politically exposed person are valid.
        kyc_high_risk_years: u32 = 1, "kycHighRiskYears", SettingType::Whole(1, 100);
        /// Days before the expiry date from which KYC is `expiring`.
        kyc_expiring_days: u32 = 60, "kycExpiringDays", SettingType::Whole(1, 366);
        /// Lifetime of a journey's link (rule: journeys/journey-life).
        journey_life: Millis = Millis::DAY, "journeyLifeMs", PERIOD;
        /// Lifetime of the link of a journey with several signatories: days, until 09:00 local time.
        long_journey_days: u32 = 14, "longJourneyDays", SettingType::Whole(1, 366);
        /// Whether callbacks must be https, as in production (rule: journeys/callback-url).
        https_callbacks_only: bool = false, "httpsCallbacksOnly", SettingType::Flag;
        /// From `pending` to the approval of an account (rule: accounts/approval).
        approval_delay: Millis = Millis::seconds(5), "approvalDelayMs", PERIOD;
        /// Days for which an account waits in `confirm`, until 09:00 local time.
        confirm_days: u32 = 14, "confirmDays", SettingType::Whole(1, 366);
        /// From the connection of a bank account to the result of its check (rule: bank/bank-account-check).
        account_check_delay: Millis = Millis::seconds(30), "accountCheckDelayMs", PERIOD;
        /// Bank days until a bank answers on a mandate, at 08:00 local (rule: bank/mandate-answer).
        mandate_bank_days: u32 = 3, "mandateBankDays", BANK_DAYS;
        /// Bank days until a mandate without an answer is removed.
        mandate_silence_bank_days: u32 = 6, "mandateSilenceBankDays", BANK_DAYS;
        /// Bank days until a transfer is sent, at 09:00 local (rule: securities/transfer-timing).
        transfer_send_bank_days: u32 = 1, "transferSendBankDays", BANK_DAYS;
        /// Bank days from there to the answer of the ceding custodian.
        transfer_accept_bank_days: u32 = 3, "transferAcceptBankDays", BANK_DAYS;
        /// Bank days from there to the delivery.
        transfer_complete_bank_days: u32 = 10, "transferCompleteBankDays", BANK_DAYS;
        /// How long after signing a withdrawal may be requested (rule: journeys/sign-withdrawal).
        withdrawal_grant: Millis = Millis::DAY, "withdrawalGrantMs", PERIOD;
        /// Whether a journey's result has the id of the account that it opened (rule: journeys/result-account-id).
        result_account_id: bool = true, "resultAccountId", SettingType::Flag;
    } and mobile_payments:
    /// Tunables of mobile payments (rule: payments/mobile-payment-outcomes).
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    MobilePaymentSettings {
        /// Whether mobile payments are paid automatically.
        auto_pay: bool = true, "autoPay", SettingType::Flag;
        /// Whether the ore of an amount determines the outcome of a mobile payment.
        magic_amounts: bool = true, "magicAmounts", SettingType::Flag;
        /// From the request for a mobile payment to its automatic outcome.
        answer_delay: Millis = Millis::seconds(4), "mobilePaymentAnswerDelayMs", PERIOD;
        /// How long a mobile payment waits for the payer (rule: payments/mobile-payment-states).
        life: Millis = Millis::seconds(180), "mobilePaymentLifeMs", PERIOD;
        /// From an unknown outcome to the banks' late answer.
        late_delay: Millis = Millis::MINUTE, "mobilePaymentLateDelayMs", PERIOD;
        /// Whether a mobile payment that has failed shows as `error` (rule: payments/mobile-payment-states).
        expose_error: bool = false, "exposeMobilePaymentError", SettingType::Flag;
    }
}
