//! Cash and fund transactions: the facts of the ledger.
//!
//! Invariant: a settled transaction never changes; corrections are new transactions (invariant 26). An aborted one keeps
//! its place and counts for nothing.

use super::Stamp;
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, SortedId};
use crate::money::{Amount, Price, Units};
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Kinds of cash transaction (rule: money/cash-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum CashType {
    Deposit,
    Withdrawal,
    Subscription,
    Redemption,
    TransferIn,
    TransferOut,
    Fee,
    Retrocession,
    FxFee,
    Settlement,
}

/// What a cash transaction refers to (rule: money/cash-ref-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum CashRefType {
    ClientFee,
    Correction,
    Gift,
    Compensations,
    Inheritance,
    Dividend,
    Donation,
    Endowment101,
    PartnerFee,
    ServiceFee,
    InsuranceTax,
    InsuranceFee,
    RiskpremiaFee,
    Transfer,
    Text,
    Order,
    Payment,
    Ca,
    Internal,
    External,
}

/// Kinds of fund transaction: units in, units out (rule: money/units-without-orders).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FundType {
    /// Units in.
    Subscription,
    /// Units out.
    Redemption,
}

/// What a fund transaction refers to (rule: money/fund-ref-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum FundRefType {
    Text,
    Correction,
    Transfer,
    Order,
    Ca,
    Internal,
    External,
    Gift,
    Compensations,
    Inheritance,
    Dividend,
    Endowment101,
}

/// The platform's own accounts, the other side of every investor posting (rule: money/double-entry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlatformAccount {
    /// Money at banks.
    Bank,
    /// Money on its way to and from fund companies.
    FundOrders,
    /// Fees of the platform.
    Fees,
    /// Fees of partners and clients.
    PartnerFees,
    /// The insurer.
    Insurer,
    /// Clearing of transfers between two investor accounts.
    InternalTransfers,
    /// Money whose owner is not known.
    Suspense,
    /// What accounts held before the world began.
    Opening,
}

/// One side of a cash transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LedgerAccount {
    /// An investor's account.
    Investor(AccountId),
    /// One of the platform's own.
    Platform(PlatformAccount),
}

/// A movement of cash. The debit account pays, the credit account receives.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CashTransaction {
    /// Public id.
    pub id: CashTransactionId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client of the investor account.
    pub client: ClientId,
    /// The investor account.
    pub account: AccountId,
    /// Kind.
    pub kind: CashType,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// What `reference` is.
    pub ref_type: CashRefType,
    /// Copied from the order, payment or withdrawal.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the order or withdrawal.
    pub executor: Option<PersonalNumber>,
    /// Who pays.
    pub debit: LedgerAccount,
    /// Who receives.
    pub credit: LedgerAccount,
    /// Always positive, SEK.
    pub amount: Amount,
    /// Free text.
    pub text: Option<Arc<str>>,
    /// Day of settlement; none while pending and for ever when aborted.
    pub settlement: Option<Date>,
    /// Why it counts for nothing, if so.
    pub aborted: Option<AbortReason>,
    /// Target of a payout; not public.
    pub payout_to: Option<BankAccountId>,
    /// Creation and change.
    pub stamp: Stamp,
}

/// A movement of units in or out of one account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FundTransaction {
    /// Public id.
    pub id: FundTransactionId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client of the account.
    pub client: ClientId,
    /// The account.
    pub account: AccountId,
    /// In or out.
    pub kind: FundType,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// What `reference` is.
    pub ref_type: FundRefType,
    /// Copied from the order.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the order.
    pub executor: Option<PersonalNumber>,
    /// The fund.
    pub instrument: InstrumentId,
    /// Always positive.
    pub units: Units,
    /// Executed price in the fund's currency, once known.
    pub price: Option<Price>,
    /// Day whose price was used, once known.
    pub trade: Option<Date>,
    /// Day of settlement; none while pending and for ever when aborted.
    pub settlement: Option<Date>,
    /// Why it counts for nothing, if so.
    pub aborted: Option<AbortReason>,
    /// Creation and change.
    pub stamp: Stamp,
}

/// Why a transaction was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AbortReason {
    /// Its order was canceled (rule: money/aborted).
    ReferencedOrderCanceled,
}
