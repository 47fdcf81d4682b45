//! Every tunable of the rules, with its default, in one table.
//!
//! Only what the world itself decides by is here; transport periods belong to the surface.

use crate::money::Amount;
use crate::time::Millis;
use serde::{Deserialize, Serialize};

/// Tunables of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Settings {
    /// From `received` to the first check (rule: orders/acceptance).
    pub acceptance_delay: Millis,
    /// From the cut-off to the answer of the routing intermediary (rule: orders/aggregation).
    pub routing_delay: Millis,
    /// From the publication of a price to the confirmation (rule: orders/confirmed-is-inside-sent).
    pub confirmation_delay: Millis,
    /// From the publication of a late price to the posting (rule: calendar/settlement-day).
    pub late_posting_delay: Millis,
    /// Orders above this go to `hold` (rule: orders/hold-reasons).
    pub hold_above: Amount,
    /// Bank days on hold after which an order is canceled (rule: orders/hold-lapses).
    pub hold_bank_days: u32,
    /// Whether organisation numbers must pass Luhn (rule: money/organisation-number).
    pub strict_identifiers: bool,
    /// Years that KYC answers hold (rule: accounts/kyc-renewal).
    pub kyc_years: u32,
    /// Whether an order whose price is known shows as `confirmed` until it settles
    /// (rule: orders/confirmed-is-inside-sent).
    pub expose_confirmed: bool,
    /// Journeys and what they set in motion.
    pub journeys: JourneySettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            acceptance_delay: Millis::SECOND,
            routing_delay: Millis::MINUTE,
            confirmation_delay: Millis::minutes(5),
            late_posting_delay: Millis::minutes(10),
            hold_above: Amount::parse("5000000").expect("a constant"),
            hold_bank_days: 5,
            strict_identifiers: false,
            kyc_years: 3,
            expose_confirmed: false,
            journeys: JourneySettings::default(),
        }
    }
}

/// Tunables of journeys, and of the accounts, mandates and transfers that come from them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JourneySettings {
    /// Years that KYC answers of a politically exposed person hold.
    pub kyc_high_risk_years: u32,
    /// Days before the end in which KYC is `expiring`.
    pub kyc_expiring_days: u32,
    /// Life of a journey's link (rule: journeys/journey-life).
    pub journey_life: Millis,
    /// Days that the link of a journey with several signatories lives, until 09:00 local.
    pub long_journey_days: u32,
    /// Whether callbacks must be https, as in production (rule: journeys/callback-url).
    pub https_callbacks_only: bool,
    /// From `pending` to the approval of an account (rule: accounts/approval).
    pub approval_delay: Millis,
    /// Days that an account waits in `confirm`, until 09:00 local.
    pub confirm_days: u32,
    /// From the connection of a bank account to the result of its check (rule: payments/bank-account-check).
    pub account_check_delay: Millis,
    /// Bank days until a bank answers on a mandate, at 08:00 local (rule: payments/mandate-answer).
    pub mandate_bank_days: u32,
    /// Bank days until a mandate without an answer is removed.
    pub mandate_silence_bank_days: u32,
    /// Bank days until a transfer is sent, at 09:00 local (rule: journeys/transfer-timing).
    pub transfer_send_bank_days: u32,
    /// Bank days from there to the answer of the ceding custodian.
    pub transfer_accept_bank_days: u32,
    /// Bank days from there to the delivery.
    pub transfer_complete_bank_days: u32,
    /// How long a signed withdrawal may be asked for (rule: journeys/sign-withdrawal).
    pub withdrawal_grant: Millis,
    /// Whether a journey's result names the id of the account it opened (rule: journeys/result-account-id).
    pub result_account_id: bool,
}

impl Default for JourneySettings {
    fn default() -> Self {
        Self {
            kyc_high_risk_years: 1,
            kyc_expiring_days: 60,
            journey_life: Millis::DAY,
            long_journey_days: 14,
            https_callbacks_only: false,
            approval_delay: Millis::seconds(5),
            confirm_days: 14,
            account_check_delay: Millis::seconds(30),
            mandate_bank_days: 3,
            mandate_silence_bank_days: 6,
            transfer_send_bank_days: 1,
            transfer_accept_bank_days: 3,
            transfer_complete_bank_days: 10,
            withdrawal_grant: Millis::DAY,
            result_account_id: true,
        }
    }
}
