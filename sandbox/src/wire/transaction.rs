//! Cash and fund transactions as the partner sees them.
//!
//! Amounts and units are positive; direction is debit and credit (rule: money/double-entry, money/positive-amounts).
//! `settlementDate`, `price` and `tradeDate` are always there, null until known; an aborted transaction never settles.

use super::number::{Money, Number};
use super::text::{Currency, Day, Id, InstrumentId, Isin, SortedId, Ssn, Timestamp};
use super::words::{AbortedReason, CashRefType, CashTransactionType, FundRefType, FundTransactionType};
use serde::Serialize;
use sim::records::{self, LedgerAccount, PlatformAccount, Stamp};
use utoipa::ToSchema;
use uuid::Uuid;

/// A movement of cash between an investor's account and one of the platform's own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashTransaction<'a> {
    id: Id,
    sorted_id: SortedId,
    transaction_type: CashTransactionType,
    /// Whether the transaction was undone before it settled and counts for nothing.
    aborted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    aborted_reason: Option<AbortedReason>,
    /// Id of what `refType` names, or free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    r#ref: Option<&'a str>,
    ref_type: CashRefType,
    /// The partner's own reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    executor_ref: Option<Ssn>,
    /// The account that pays.
    debit_account: Id,
    /// The account that receives.
    credit_account: Id,
    amount: Money,
    currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    text: Option<&'a str>,
    created_date: Timestamp,
    modified_date: Timestamp,
    /// Day of settlement; null while it is pending, and for ever when it was aborted.
    #[schema(required = true)]
    settlement_date: Option<Day>,
}

/// A movement of units into or out of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FundTransaction<'a> {
    id: Id,
    sorted_id: SortedId,
    transaction_type: FundTransactionType,
    /// Whether the transaction was undone before it settled and counts for nothing.
    aborted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    aborted_reason: Option<AbortedReason>,
    /// Id of what `refType` names, or free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    r#ref: Option<&'a str>,
    ref_type: FundRefType,
    /// The partner's own reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    executor_ref: Option<Ssn>,
    account: Id,
    instrument: InstrumentId,
    /// The instrument's ISIN.
    identifier: Isin,
    units: Number,
    /// Executed price in `currency`; null until it is known.
    #[schema(required = true)]
    price: Option<Number>,
    currency: Currency,
    created_date: Timestamp,
    modified_date: Timestamp,
    /// Day whose price was used; null until it is known.
    #[schema(required = true)]
    trade_date: Option<Day>,
    /// Day of settlement; null while it is pending, and for ever when it was aborted.
    #[schema(required = true)]
    settlement_date: Option<Day>,
}

impl<'a> CashTransaction<'a> {
    /// The public shape of `transaction`.
    #[must_use]
    pub fn of(transaction: &'a records::CashTransaction) -> Self {
        let records::CashTransaction {
            id,
            sorted_id,
            client: _,
            account: _,
            booking: _,
            kind,
            reference,
            ref_type,
            client_ref,
            executor,
            debit,
            credit,
            amount,
            text,
            settlement,
            aborted,
            payout_to: _,
            stamp: Stamp { created, modified, revision: _ },
        } = transaction;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            transaction_type: CashTransactionType(*kind),
            aborted: aborted.is_some(),
            aborted_reason: aborted.map(AbortedReason),
            r#ref: reference.as_deref(),
            ref_type: CashRefType(*ref_type),
            client_ref: client_ref.as_deref(),
            executor_ref: executor.map(Ssn),
            debit_account: ledger_account(*debit),
            credit_account: ledger_account(*credit),
            amount: Money(*amount),
            currency: Currency(sim::identity::Currency::SEK),
            text: text.as_deref(),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            settlement_date: settlement.map(Day),
        }
    }
}

impl<'a> FundTransaction<'a> {
    /// The public shape of `transaction`.
    #[must_use]
    pub fn of(transaction: &'a records::FundTransaction) -> Self {
        let records::FundTransaction {
            id,
            sorted_id,
            client: _,
            account,
            kind,
            reference,
            ref_type,
            client_ref,
            executor,
            instrument,
            units,
            price,
            trade,
            settlement,
            aborted,
            stamp: Stamp { created, modified, revision: _ },
        } = transaction;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            transaction_type: FundTransactionType(*kind),
            aborted: aborted.is_some(),
            aborted_reason: aborted.map(AbortedReason),
            r#ref: reference.as_deref(),
            ref_type: FundRefType(*ref_type),
            client_ref: client_ref.as_deref(),
            executor_ref: executor.map(Ssn),
            account: Id(account.as_uuid()),
            instrument: InstrumentId(*instrument),
            identifier: Isin(instrument.isin()),
            units: Number::from(*units),
            price: price.map(Number::from),
            currency: Currency(instrument.currency()),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            trade_date: trade.map(Day),
            settlement_date: settlement.map(Day),
        }
    }
}

fn ledger_account(account: LedgerAccount) -> Id {
    match account {
        LedgerAccount::Investor(account) => Id(account.as_uuid()),
        LedgerAccount::Platform(role) => Id(Uuid::from_u128(PLATFORM + u128::from(number_of(role)))),
    }
}

/// The platform's own accounts differ in their last digits (rule: money/double-entry): one constant id a role, in every
/// world.
const PLATFORM: u128 = 0x0000_0000_0000_4000_8000_0000_0000_0000;

const fn number_of(role: PlatformAccount) -> u8 {
    match role {
        PlatformAccount::Bank => 1,
        PlatformAccount::FundOrders => 2,
        PlatformAccount::Fees => 3,
        PlatformAccount::PartnerFees => 4,
        PlatformAccount::Insurer => 5,
        PlatformAccount::InternalTransfers => 6,
        PlatformAccount::Suspense => 7,
        PlatformAccount::Opening => 8,
    }
}
