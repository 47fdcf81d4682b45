//! One generated step: what is done, to what, with which numbers.
//!
//! Invariant: a step names what it uses by the step that made it, never by position, so that removing steps leaves the
//! meaning of the others as it was; a step whose named thing was never made does nothing. Small and `Copy`: a run is a
//! plain list of these. Absent on purpose: ids, instants and prices, which only a world can tell.

/// Name of an account: the number its opening step carries.
pub type AccountName = u16;
/// Name of an order: the number its placing step carries.
pub type OrderName = u32;
/// A fund by its place in the setup.
pub type FundNo = u8;
/// A client by its place in the setup, counted over all partners.
pub type ClientNo = u8;

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An account at once.
    Open(Open),
    /// The partner subscribes.
    Buy(Buy),
    /// The partner redeems.
    Sell(Sell),
    /// The partner cancels.
    Cancel(OrderName),
    /// The back office parks an order.
    Hold(OrderName),
    /// The back office lets a parked order go on.
    Release(OrderName),
    /// The fund company refuses an order.
    Reject(OrderName),
    /// The bank sends back the payout that an order ended in.
    Bounce(OrderName),
    /// The fund company sets a price.
    Price(SetPrice),
    /// The fund company opens or closes trading.
    Trading(Trading),
    /// The fund company publishes its next price late.
    Late {
        /// Which fund.
        fund: FundNo,
        /// How late; 0 is refused.
        bank_days: u8,
    },
    /// A partner asks for what is not its own.
    CrossTenantRead(OrderName),
    /// The partner closes an account.
    Close(AccountName),
    /// The clock moves.
    Wait(Wait),
}

/// An account at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Open {
    /// How later steps call it.
    pub name: AccountName,
    /// Under which client.
    pub client: ClientNo,
    /// 0 for somebody new, otherwise one of a few people who may own several accounts.
    pub owner: u8,
    /// What kind of owner and account.
    pub kind: Kind,
    /// Opening cash in ore.
    pub ore: u64,
    /// Opening positions.
    pub holdings: Holdings,
    /// The owner's bank account.
    pub bank: Bank,
}

/// Kinds of account that orders treat differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Retail, with the appropriateness question answered.
    Retail,
    /// Retail, without that answer.
    Unaware,
    /// Professional.
    Pro,
    /// A company with two signatories.
    Company,
    /// A company that asks for an account only people may have: refused.
    CompanyIsk,
}

/// Equal opening positions in a few funds side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holdings {
    /// First fund.
    pub from: FundNo,
    /// How many funds.
    pub count: u8,
    /// Units in each, in steps of 10^-7.
    pub steps: u64,
}

/// Bank accounts by what they can be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bank {
    /// None.
    None,
    /// Validated.
    Good,
    /// Validated; payouts come back.
    Bounces,
    /// Not validated.
    Unchecked,
}

/// A subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buy {
    /// How later steps call the order.
    pub name: OrderName,
    /// For which account.
    pub account: AccountName,
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
}

/// A redemption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sell {
    /// How later steps call the order.
    pub name: OrderName,
    /// For which account.
    pub account: AccountName,
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
}

/// What becomes of a redemption's cash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proceeds {
    /// It stays.
    Keep,
    /// It is paid out to the account's first bank account.
    PayOut,
    /// It moves to another account.
    Transfer(AccountName),
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
    Stranger,
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

/// A move of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// So many milliseconds.
    Ms(u32),
    /// To a fund's next cut-off, and so many milliseconds on (or back).
    CutOff {
        /// Which fund.
        fund: FundNo,
        /// Milliseconds from the cut-off.
        offset_ms: i32,
    },
    /// To whatever is due next.
    Next,
    /// So many calendar days, to the same local time of day.
    Days(u16),
    /// So many bank days, to the same local time of day.
    BankDays(u16),
}
