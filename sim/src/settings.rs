//! Every tunable of the register of decisions, with its default, in one table.
//!
//! Only what the world itself decides by is here; transport periods belong to the surface.

use crate::money::Amount;
use crate::time::Millis;
use serde::{Deserialize, Serialize};

/// Tunables of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Settings {
    /// From `received` to the first check (`decisions 3.3`).
    pub acceptance_delay: Millis,
    /// From the cut-off to the answer of the routing intermediary (`decisions 2.10`).
    pub routing_delay: Millis,
    /// From the publication of a price to the confirmation (`decisions 3.3`).
    pub confirmation_delay: Millis,
    /// From the publication of a late price to the posting (`decisions 2.2`).
    pub late_posting_delay: Millis,
    /// Orders above this go to `hold` (`decisions 1.6/93`).
    pub hold_above: Amount,
    /// Bank days on hold after which an order is canceled (`decisions 1.6/93`).
    pub hold_bank_days: u32,
    /// Whether organisation numbers must pass Luhn (`decisions 1.3/39`).
    pub strict_identifiers: bool,
    /// Years that KYC answers hold (`decisions 2.14`).
    pub kyc_years: u32,
    /// Whether an order whose price is known shows as `confirmed` until it settles (`decisions 1.6/92`).
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
    /// Life of a journey's link (`decisions 1.5/54`).
    pub journey_life: Millis,
    /// Days that the link of a journey with several signatories lives, until 09:00 local.
    pub long_journey_days: u32,
    /// Whether callbacks must be https, as in production (`decisions 1.5/57`).
    pub https_callbacks_only: bool,
    /// From `pending` to the approval of an account (`decisions 3.2`).
    pub approval_delay: Millis,
    /// Days that an account waits in `confirm`, until 09:00 local.
    pub confirm_days: u32,
    /// From the connection of a bank account to the result of its check (`decisions 3.5`).
    pub account_check_delay: Millis,
    /// Bank days until a bank answers on a mandate, at 08:00 local (`decisions 2.5`).
    pub mandate_bank_days: u32,
    /// Bank days until a mandate without an answer is removed.
    pub mandate_silence_bank_days: u32,
    /// Bank days until a transfer is sent, at 09:00 local (`decisions 3.9`).
    pub transfer_send_bank_days: u32,
    /// Bank days from there to the answer of the ceding custodian.
    pub transfer_accept_bank_days: u32,
    /// Bank days from there to the delivery.
    pub transfer_complete_bank_days: u32,
    /// How long a signed withdrawal may be asked for (`decisions 2.14`).
    pub withdrawal_grant: Millis,
    /// Whether a journey's result names the id of the account it opened (`decisions 1.5/79`).
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
