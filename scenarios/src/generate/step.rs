//! One generated step: what is done, to what, with which numbers.
//!
//! Owns: every step of every generated run, of orders, journeys and all else alike.
//!
//! Invariant: a step names what it uses by the step that made it, never by position, so that removing steps leaves the
//! meaning of the others as it was; a step whose named thing was never made does nothing. Small and `Copy`: a run is a
//! plain list of these. Absent on purpose: ids, instants and prices, which only a world can tell.

mod journeys;

pub use journeys::{Journey, Start, options};

use sim::command::{CustodianAct, Decision, ScreeningHit};

/// Name of an account, and of a journey and the account that it opens: the number of the step that made it.
pub type Name = u16;
/// Name of an order: the number its placing step carries.
pub type OrderName = u32;
/// Name of a mobile payment: the number its asking step carries.
pub type PaymentName = u16;
/// A fund by its place in the setup.
pub type FundNo = u8;
/// A client by its place in the setup, counted over all partners; clients made in the run come after those.
pub type ClientNo = u8;
/// A person by its place among those who come again.
pub type PersonNo = u8;

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
    /// The partner takes cash out of an account.
    Withdraw(Withdraw),
    /// The bank sends back the newest withdrawal of an account.
    SendBack(Name),
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
    /// The fund company announces a corporate action.
    Action(FundNo, Action),
    /// The back office books something on an account.
    Book(Name, Booked),
    /// The partner closes an account.
    Close(Name),
    /// The partner starts a journey.
    Start(Start),
    /// Something happens to a journey.
    Journey(Name, Journey),
    /// The platform decides about an account that waits.
    Decide(Name, Decision),
    /// The bank checks the newest bank account of an account: whether it passes.
    Check(Name, bool),
    /// The bank advises of its mandate, by the place of the code.
    Advise(Name, u8),
    /// A custodian moves a transfer of an account that is under way.
    Custodian(Name, CustodianAct),
    /// An owner is found on a list, or cleared.
    Screen(PersonNo, ScreeningHit),
    /// The partner changes or deletes a plan of an account.
    Plan(Name, PlanChange),
    /// A partner creates a client.
    NewClient(NewClient),
    /// A partner changes a client.
    ChangeClient(ClientNo, ClientChange),
    /// The platform forgets something.
    Purge(Forgotten),
    /// The partner asks a payer for a mobile payment.
    Ask(Ask),
    /// Something happens to a mobile payment.
    Payment(PaymentName, PaymentAct),
    /// Money comes in, or what brings it is stopped or undone.
    Money(Money),
    /// The clock moves.
    Wait(Wait),
}

/// A request for a mobile payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// How later steps call it.
    pub name: PaymentName,
    /// For which account.
    pub account: Name,
    /// How much.
    pub ore: u64,
    /// Where the payer's app is.
    pub device: Device,
}

/// Where a payer's app is, and how it gets to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Device {
    /// On the same device.
    Same,
    /// On the same device, and yet a code is asked for: refused.
    SameWithCode,
    /// On another device, whose code has no named form.
    Other,
    /// On another device, whose code is a drawing.
    OtherBySvg,
}

/// What happens to a mobile payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentAct {
    /// The payer looks at it.
    Open,
    /// It is paid.
    Pay,
    /// The payer declines.
    Decline,
    /// It fails, by the place of the code.
    Fail(u8),
}

/// Name of an instruction: the number its step carries.
pub type InstructionName = u16;

/// Something about money that comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Money {
    /// A partner gives an instruction.
    Instruct(Instruct),
    /// Somebody pays so many ore over bankgiro with the reference of an account.
    Bankgiro(Name, u32),
    /// Somebody pays so many ore over bankgiro with a reference that nobody has.
    Nobodys(u32),
    /// The payer of an instruction sends its total, or an ore more.
    Send(InstructionName, bool),
    /// The bank refuses the first payment of an instruction, by the place of the code.
    Fail(InstructionName, u8),
    /// The payer wants its last payment back; whether it was never authorised.
    Refund(InstructionName, bool),
    /// The operator gives the oldest open money in suspense to an account.
    Allocate(Name),
    /// The operator sends it back.
    Return,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruct {
    /// How later steps call it.
    pub name: InstructionName,
    /// Into which account.
    pub account: Name,
    /// How many payments.
    pub count: u8,
    /// How much each, in ore.
    pub ore: u32,
    /// Whether the payer sends the total.
    pub transfer: bool,
    /// Whether its references were used before.
    pub again: bool,
}

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
    /// Units, by the place of their kind, with what they cost where that is said.
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

/// What a partner does to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanChange {
    /// Other shares, by a number that stands for the split; 0 does not add up.
    Shares(u8),
    /// Paid from the account's newest bank account.
    Paid,
    /// No longer paid by the bank.
    Unpaid,
    /// The allocation plan goes.
    DeleteAllocation,
    /// The savings plan goes.
    DeleteSavings,
}

/// A client to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NewClient {
    /// The client whose partner creates it.
    pub beside: ClientNo,
    /// Its place among the clients of the run.
    pub number: ClientNo,
    /// What is odd about the request.
    pub flaw: ClientFlaw,
}

/// What is odd about a client to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientFlaw {
    /// Nothing.
    None,
    /// Its organisation number is that of the client beside it.
    TakenCrn,
    /// Its name is empty.
    EmptyName,
    /// One investment service is named twice.
    ServiceTwice,
}

/// A change of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientChange {
    /// Another name, by its number.
    Name(u8),
    /// A country, as a number; 0 is no country.
    Country(u8),
    /// Nothing at all.
    Nothing,
    /// Its organisation number, which never changes.
    Crn,
    /// No fee account any more.
    NoBankAccounts,
}

/// What the platform is to forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forgotten {
    /// An order.
    Order(OrderName),
    /// The newest cash transaction of an order.
    Cash(OrderName),
    /// The newest fund transaction of an order.
    Units(OrderName),
    /// A journey.
    Journey(Name),
    /// An account.
    Account(Name),
    /// A client.
    Client(ClientNo),
}

/// An account at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Open {
    /// How later steps call it.
    pub name: Name,
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
    /// Retail, an endowment insurance.
    Insured,
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
    /// Validated, with an active mandate; charges are paid.
    Pays,
    /// The same; no charge is ever paid.
    Poor,
    /// The same; the first charge is not paid.
    PoorAtFirst,
    /// The same; the mandate is revoked after the first paid charge.
    Revokes,
}

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

/// Cash that a partner takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Withdraw {
    /// Out of which account.
    pub account: Name,
    /// How much.
    pub sum: Taken,
    /// What is odd about the request.
    pub slip: WithdrawalSlip,
}

/// How much is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    /// So many ore.
    Ore(u64),
    /// So many sixty-fourths of what can be spent.
    Part(u8),
    /// All that can be spent, without saying how much.
    Full,
    /// The least that the limits allow.
    Least,
    /// An ore less.
    TooLittle,
    /// The most that the limits allow.
    Most,
    /// An ore more.
    TooMuch,
}

/// What is odd about a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithdrawalSlip {
    /// Nothing.
    None,
    /// It carries a reference.
    Referenced,
    /// Its reference has 256 characters.
    LongReference,
    /// It goes to a bank account that is nobody's.
    ForeignBank,
    /// Somebody else asks.
    Stranger,
    /// It comes from another partner.
    OtherPartner,
    /// It names an account that does not exist.
    UnknownAccount,
    /// It does not say how much.
    NoAmount,
    /// It says how much in two ways.
    Twice,
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
    /// So many calendar days, to the same local time of day.
    Days(u16),
    /// So many bank days, to the same local time of day.
    BankDays(u16),
    /// To an instant at which something changes, and so many milliseconds on (or back).
    To(Edge, i32),
}

/// An instant at which something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    /// A fund's next cut-off.
    CutOff(FundNo),
    /// Whatever is due next.
    Due,
    /// The next noon in Stockholm.
    Noon,
    /// The next new year in Stockholm.
    Year,
    /// The day after the answers of an account's owner expire.
    Kyc(Name),
    /// The end of a journey's link.
    Expiry(Name),
    /// The next time that something of the year comes.
    Season(Season),
}

/// What comes again every quarter or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Season {
    /// The midnight that ends a quarter.
    QuarterEnd,
    /// Charges fall due.
    Charges,
    /// Retrocessions are paid.
    Retrocessions,
    /// Noon of Christmas Eve.
    Christmas,
    /// The midnight that begins 29 February.
    LeapDay,
    /// Clocks are put forward.
    Forward,
    /// Clocks are put back.
    Back,
}
