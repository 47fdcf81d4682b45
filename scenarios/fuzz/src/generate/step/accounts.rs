//! Steps of accounts, their plans and their clients, and of what is forgotten.

use super::{ClientNo, FundNo, Name, OrderName};

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
    pub kind: HolderKind,
    /// Opening cash in ore.
    pub ore: u64,
    /// Opening positions.
    pub holdings: Holdings,
    /// The owner's bank account.
    pub bank: Bank,
}

/// Kinds of account that orders treat differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HolderKind {
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

/// What a partner does to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanChange {
    /// Other shares, by a number that decides the split; 0 does not add up.
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
    /// Only what is ignored.
    Ignored,
    /// Its organisation number, which never changes.
    Crn,
    /// No fee account any more.
    NoBankAccounts,
    /// A fee account for partner fees and one for its own.
    BankAccounts,
    /// Other terms of the partner's fee, by a number: its mode, and its rate.
    PartnerFee(u8),
    /// Other terms of its own fee.
    ClientFee(u8),
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
