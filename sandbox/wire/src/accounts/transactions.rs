//! Cash and fund transactions as the partner sees them.
//!
//! Amounts and units are positive; direction is debit and credit (rule: money/double-entry, money/positive-amounts).
//! `settlementDate`, `price` and `tradeDate` are always there, null until known; an aborted transaction never settles.

use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::shows::Shows;
use crate::values::text::{Currency, Day, Id, InstrumentId, Isin, SortedId, Ssn};
use crate::words::{AbortedReason, CashRefType, CashTransactionType, FundRefType, FundTransactionType};
use sim::records::{self, LedgerAccount, PlatformAccount};
use uuid::Uuid;

shown! {
    /// A movement of cash between an investor's account and one of the platform's own.
    pub CashTransaction<'a> of records::CashTransaction {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        kind: CashTransactionType = "transactionType";
        /// Whether the transaction was undone before it settled and counts for nothing.
        also is_aborted: bool = "aborted" by aborted.is_some();
        aborted: AbortedReason = optional "abortedReason";
        /// Id of what `refType` names, or free text.
        #[schema(max_length = 255)]
        reference: &'a str = optional "ref";
        ref_type: CashRefType = "refType";
        /// The partner's own reference.
        #[schema(max_length = 255)]
        client_ref: &'a str = optional "clientRef";
        executor: Ssn = optional "executorRef";
        /// The account that pays.
        debit: Id = "debitAccount";
        /// The account that receives.
        credit: Id = "creditAccount";
        amount: Money = "amount";
        also currency: Currency = "currency" by Currency(sim::identity::Currency::SEK);
        text: &'a str = optional "text";
        stamped;
        /// Day of settlement; null while the transaction is pending or if it was aborted.
        settlement: Day = nullable "settlementDate";
        hidden client, account, booking, payout_to;
    }
}

shown! {
    /// A movement of units into or out of an account.
    pub FundTransaction<'a> of records::FundTransaction {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        kind: FundTransactionType = "transactionType";
        /// Whether the transaction was undone before it settled and counts for nothing.
        also is_aborted: bool = "aborted" by aborted.is_some();
        aborted: AbortedReason = optional "abortedReason";
        /// Id of what `refType` names, or free text.
        #[schema(max_length = 255)]
        reference: &'a str = optional "ref";
        ref_type: FundRefType = "refType";
        /// The partner's own reference.
        #[schema(max_length = 255)]
        client_ref: &'a str = optional "clientRef";
        executor: Ssn = optional "executorRef";
        account: Id = "account";
        instrument: InstrumentId = "instrument";
        /// The instrument's ISIN.
        also identifier: Isin = "identifier" by Isin(instrument.isin());
        units: Number = "units";
        /// Executed price in `currency`; null until it is known.
        price: Number = nullable "price";
        also currency: Currency = "currency" by Currency(instrument.currency());
        stamped;
        /// Day whose price was used; null until it is known.
        trade: Day = nullable "tradeDate";
        /// Day of settlement; null while the transaction is pending or if it was aborted.
        settlement: Day = nullable "settlementDate";
        hidden client;
    }
}

impl Shows<'_, LedgerAccount> for Id {
    fn shown(account: &LedgerAccount) -> Self {
        match account {
            LedgerAccount::Investor(account) => Self(account.as_uuid()),
            LedgerAccount::Platform(role) => Self(Uuid::from_u128(PLATFORM + u128::from(number_of(*role)))),
        }
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
