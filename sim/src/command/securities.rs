//! What fund companies and custodians do.

use crate::identity::InstrumentId;
use crate::money::Price;
use crate::time::Date;
use serde::{Deserialize, Serialize};

/// A price by lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetPrice {
    /// Which fund.
    pub instrument: InstrumentId,
    /// In the fund's currency; within half and double of the price before (rule: securities/price-bounds).
    pub close_price: Price,
    /// Its dealing day: a published day without executions is corrected, a coming one is set in advance and published
    /// at its time. Without it, the latest published day.
    pub price_date: Option<Date>,
}

/// How late a price may be made, in bank days (rule: calendar/price-publication).
pub const MAX_LATE_BANK_DAYS: u32 = 30;

/// Trading flags by lever; `None` leaves a flag as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetTrading {
    /// Which fund.
    pub instrument: InstrumentId,
    /// Open for subscriptions.
    pub is_buyable: Option<bool>,
    /// Open for redemptions.
    pub is_sellable: Option<bool>,
    /// Not suspended. `false` closes both sides.
    pub is_tradable: Option<bool>,
}

/// What a ceding custodian does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CustodianAct {
    /// Agrees.
    Accept,
    /// Refuses.
    Reject,
    /// Delivers.
    Complete,
}
