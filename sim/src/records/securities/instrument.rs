//! A mutual fund: what does not change from day to day. Prices and cut-offs live in the market.

use crate::calendar::ForeignCalendar;
use crate::identity::InstrumentId;
use crate::money::{Amount, Price};
use crate::records::Trading;
use crate::time::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which days a fund deals on, its closed days aside.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DealingDays {
    /// Every fund day.
    Daily,
    /// One day a week (1 = Monday), or the next fund day when that one is closed.
    Weekly(i8),
    /// One day of the month, or the next fund day when that one is closed.
    Monthly(i8),
}

/// A key information document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KeyDocument {
    /// ISO 639-1.
    pub language: Arc<str>,
    /// Address of the document.
    pub url: Arc<str>,
}

/// Cost breakdown in percent a year or an event (rule: securities/fund-costs).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cost {
    /// One-off, at purchase.
    #[serde(with = "crate::money::exact")]
    pub entry_fee: Decimal,
    /// One-off, at sale.
    #[serde(with = "crate::money::exact")]
    pub exit_fee: Decimal,
    /// A year, inside the price.
    #[serde(with = "crate::money::exact")]
    pub ongoing_fee: Decimal,
    /// A year, inside the price.
    #[serde(with = "crate::money::exact")]
    pub transaction_fee: Decimal,
    /// A year, inside the price.
    #[serde(with = "crate::money::exact")]
    pub performance_fee: Decimal,
}

/// A mutual fund.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instrument {
    /// ISIN and currency.
    pub id: InstrumentId,
    /// Fund name.
    pub name: Arc<str>,
    /// Price when the world starts, in the fund's currency.
    pub first_price: Price,
    /// Daily volatility of the price walk in basis points.
    pub volatility_bp: u32,
    /// `HH:MM` local.
    pub cut_off_hour: i8,
    /// Minutes of `cutOffTime`.
    pub cut_off_minute: i8,
    /// Bank days from trade to settlement of a subscription: 1 or 2.
    pub subscription_settlement_days: u32,
    /// Bank days from trade to settlement of a redemption: 1 or 2.
    pub redemption_settlement_days: u32,
    /// 0: the price of T is published on T at 18:30; 1: on the next bank day at 10:00
    /// (rule: calendar/price-publication).
    pub nav_lag_days: u32,
    /// Dealing frequency.
    pub dealing: DealingDays,
    /// Markets whose holidays close the fund.
    pub calendars: Vec<ForeignCalendar>,
    /// Further days on which the fund is closed.
    pub closed_days: Vec<Date>,
    /// Decimals of units, 0-7.
    pub decimals_units: u32,
    /// General minimum.
    pub min_investment: Amount,
    /// Minimum of a first purchase; falls back to the general one.
    pub min_initial: Option<Amount>,
    /// Minimum of later purchases; falls back to the general one.
    pub min_subsequent: Option<Amount>,
    /// Needs an appropriateness answer (rule: securities/complex-funds).
    pub is_complex: bool,
    /// Only for professional clients (rule: securities/raif).
    pub is_raif: bool,
    /// Open for subscriptions.
    pub is_buyable: bool,
    /// Open for redemptions.
    pub is_sellable: bool,
    /// Listed, priced and not suspended.
    pub is_tradable: bool,
    /// Annual basis points of holding value that come back to the customer (rule: securities/rebate).
    #[serde(with = "crate::money::exact")]
    pub rebate: Decimal,
    /// Costs.
    pub cost: Cost,
    /// Key documents.
    pub kiid: Vec<KeyDocument>,
}

impl Instrument {
    /// Which sides are open.
    #[must_use]
    pub const fn trading(&self) -> Trading {
        Trading { is_buyable: self.is_buyable, is_sellable: self.is_sellable, is_tradable: self.is_tradable }
    }

    /// Opens and closes both sides.
    pub const fn set_trading(&mut self, to: Trading) {
        Trading { is_buyable: self.is_buyable, is_sellable: self.is_sellable, is_tradable: self.is_tradable } = to;
    }

    /// Whether subscriptions are open.
    #[must_use]
    pub const fn open_for_subscription(&self) -> bool {
        self.is_tradable && self.is_buyable
    }

    /// Whether redemptions are open.
    #[must_use]
    pub const fn open_for_redemption(&self) -> bool {
        self.is_tradable && self.is_sellable
    }
}
