//! Steps of orders: what is bought and sold, and what is odd about it.

use super::{FundNo, Name, OrderName};

/// A subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buy {
    /// How later steps call the order.
    pub name: OrderName,
    /// For which account.
    pub account: Name,
    /// In which fund.
    pub fund: FundNo,
    /// How much.
    pub sum: Sum,
    /// What is odd about the request.
    pub slip: Slip,
}

/// Cash of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// So many ore.
    Ore(u64),
    /// So many sixty-fourths of what can be spent.
    Part(u8),
    /// All that can be spent.
    Everything,
    /// One ore more than can be spent.
    TooMuch,
    /// So many ore more or less than a limit.
    Near(Limit, i8),
}

/// An amount of a subscription at which something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The least of a first purchase of the fund.
    FirstPurchase,
    /// The least of a later one.
    LaterPurchase,
    /// The most that passes the first check.
    Large,
    /// All that can be spent.
    Cash,
}

/// A redemption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sell {
    /// How later steps call the order.
    pub name: OrderName,
    /// For which account.
    pub account: Name,
    /// In which fund.
    pub fund: FundNo,
    /// How much.
    pub share: Share,
    /// What becomes of the cash.
    pub proceeds: Proceeds,
    /// What is odd about the request.
    pub slip: Slip,
}

/// Units of a redemption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Share {
    /// So many steps of 10^-7.
    Steps(u64),
    /// So many sixty-fourths of what can be sold.
    Part(u8),
    /// The least that is worth anything at the last price.
    Least,
    /// All that can be sold.
    Everything,
    /// 10^-7 more than can be sold.
    TooMuch,
    /// The smallest part that the fund deals in less than can be sold.
    AllBut,
    /// The smallest part that the fund deals in less than the least that is worth anything.
    TooFew,
}

/// What becomes of a redemption's cash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proceeds {
    /// It stays.
    Keep,
    /// It is paid out to the account's first bank account.
    PayOut,
    /// It moves to another account.
    Transfer(Name),
}

/// What is odd about an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slip {
    /// Nothing.
    None,
    /// It is only to be validated.
    Dry,
    /// It carries a reference and the right executor.
    Signed,
    /// Somebody else gives it.
    OtherClient,
    /// It comes from another partner.
    OtherPartner,
    /// It names an account that does not exist.
    UnknownAccount,
    /// It names a fund that does not exist.
    UnknownFund,
    /// It lacks its amount or units.
    NoQuantity,
    /// It has both amount and units.
    BothQuantities,
    /// Its amount or units are zero.
    Zero,
    /// Its amount or units are negative.
    Negative,
    /// Its reference has 256 characters.
    LongReference,
}
