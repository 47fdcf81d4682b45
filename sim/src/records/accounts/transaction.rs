//! Cash and fund transactions: the facts of the ledger.
//!
//! Invariant: a settled transaction never changes; corrections are new transactions (invariant 26). An aborted one keeps
//! its place and counts for nothing.

use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, SortedId};
use crate::money::{Amount, Price, Units};
use crate::records::{CashBooking, CashRefType, CashType, FundRefType, FundType, PlatformAccount, Stamp};
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
    /// Why it was made; type, `ref_type` and the platform's side follow from it.
    pub booking: CashBooking,
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
