//! Steps of funds: their prices and trading, corporate actions, and what the back office books.

use super::{FundNo, OrderName, Share};

/// A corporate action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A split, by the place of its factor.
    Split(u8),
    /// A merger into another fund, by the place of its ratio; 0 is that of the prices.
    Merge(FundNo, u8),
    /// A liquidation at so many ten-thousandths of the last price; 0 gives none.
    Liquidate(u16),
}

/// What the back office books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Booked {
    /// Cash, by the place of its kind; one past the last is refused.
    Cash(u8, u64),
    /// Units, by the place of their kind, with what they cost where that is given.
    Units {
        /// The place of their kind; one past the last is refused.
        kind: u8,
        /// In which fund.
        fund: FundNo,
        /// How many.
        share: Share,
        /// Ore of their cost.
        cost: Option<u32>,
    },
}

/// A price by lever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetPrice {
    /// Which fund.
    pub fund: FundNo,
    /// For which day.
    pub day: PriceDay,
    /// Ten-thousandths of the last published price; 0 is refused.
    pub of_close: u16,
}

/// The day that a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PriceDay {
    /// The latest published one.
    Latest,
    /// The dealing day of the next cut-off.
    Next,
    /// The bank day before that.
    Last,
    /// A day on which no fund deals.
    Sunday,
    /// Two years ahead.
    FarAhead,
    /// The dealing day of an order, once it has one.
    Dealt(OrderName),
}

/// Trading flags by lever: `None` leaves one as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trading {
    /// Which fund; one past the last does not exist.
    pub fund: FundNo,
    /// Open for subscriptions.
    pub buyable: Option<bool>,
    /// Open for redemptions.
    pub sellable: Option<bool>,
    /// Not suspended.
    pub tradable: Option<bool>,
}
