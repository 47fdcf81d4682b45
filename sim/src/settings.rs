//! Every tunable of the register of decisions, with its default, in one table.
//!
//! Only what the world itself decides by is here; transport periods belong to the surface.

use crate::money::Amount;
use crate::time::Millis;

/// Tunables of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        }
    }
}
