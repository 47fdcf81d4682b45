//! The books of the model: all it keeps of a world, and what must happen by when.
//!
//! Invariant: everything is kept by its id, in maps whose order does not depend on a run. Absent on purpose: how the books
//! are kept, which is written beside the commands and events that change them.

use super::calendar;
use super::counterparties::CounterpartyBooks;
use super::fee_files::Fees;
use super::figures::Ore;
use super::files::{AccountFile, CashFile, OrderFile, Payout, UnitsFile};
use super::fund::Fund;
use super::journey_files::{BankFile, JourneyFile, TransferFile};
use super::legs::Action;
use super::mobile_payment_files::MobilePaymentFile;
use super::money_files::MoneyIn;
use super::prices::Rates;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use sim::identity::{Currency, InstrumentId, PersonalNumber};
use sim::ids::{
    AccountId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId, MobilePaymentId, OrderId,
    PartnerId, SortedId, SuspenseItemId, TransferId,
};
use sim::records::{Client, OwnerKey, Side};
use sim::settings::Settings;
use sim::store::Map;
use sim::time::Instant;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// What the model keeps.
#[derive(Clone, Debug)]
pub struct Model {
    /// Delays and limits of the world.
    pub settings: Settings,
    /// Clients as they are.
    pub clients: Map<ClientId, Arc<Client>>,
    /// Clients that partners were made to forget.
    pub forgotten: BTreeSet<ClientId>,
    /// Items that have left suspense.
    pub released: BTreeSet<SuspenseItemId>,
    /// Funds.
    pub funds: Map<InstrumentId, Fund>,
    /// Rates of foreign currencies.
    pub rates: Map<Currency, Rates>,
    /// Accounts.
    pub accounts: Map<AccountId, AccountFile>,
    /// Orders.
    pub orders: Map<OrderId, OrderFile>,
    /// Cash transactions.
    pub cash: Map<CashTransactionId, CashFile>,
    /// Fund transactions.
    pub units: Map<FundTransactionId, UnitsFile>,
    /// Payouts that are not over.
    pub payouts: Map<CashTransactionId, Payout>,
    /// What the insurer must add now, by account.
    pub endowments: Map<AccountId, Ore>,
    /// Journeys.
    pub journeys: Map<JourneyId, JourneyFile>,
    /// Bank accounts of owners.
    pub banks: Map<BankAccountId, BankFile>,
    /// Transfers that have not ended.
    pub transfers: Map<TransferId, TransferFile>,
    /// Mobile payments.
    pub mobile_payments: Map<MobilePaymentId, MobilePaymentFile>,
    /// Those of which something may still come.
    pub open_mobile_payments: BTreeSet<MobilePaymentId>,
    /// Accounts whose payers the banks refuse.
    pub refused_payers: BTreeSet<AccountId>,
    /// When customers have signed withdrawals that were not made yet, by account, oldest first.
    pub grants: Map<AccountId, Vec<Instant>>,
    /// The people of companies, as journeys established them: the board, those who sign, the beneficial owners.
    pub companies: Map<AccountId, Vec<PersonalNumber>>,
    /// Owners who were screened or are found by their number: politically exposed, sanctioned.
    pub screened: Map<OwnerKey, (bool, bool)>,
    /// When the orders of a partner, fund, side and dealing day were sent.
    pub sent: Map<(PartnerId, InstrumentId, Side, calendar::Day), Instant>,
    /// Money on its way in.
    pub money_in: MoneyIn,
    /// Corporate actions that were announced and are not carried out.
    pub actions: Vec<Action>,
    /// Fees and retrocessions: what happens next.
    pub fees: Fees,
    /// Banks and fund companies, as they would keep their own books.
    pub outside: CounterpartyBooks,
    /// The newest `sortedId` of accounts, orders, cash and fund transactions, journeys.
    pub newest: [Option<SortedId>; 5],
    /// The order that settled last, and when.
    pub settled_last: Option<(Instant, SortedId)>,
    pub(super) swept: IndexSet<OrderId, FxBuildHasher>,
    pub(super) agenda: BinaryHeap<Reverse<(Instant, Item)>>,
    pub(super) next_event: Instant,
    pub(super) faults: Vec<String>,
}

/// Something that must have happened by a certain instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// An order moves on.
    Order(OrderId),
    /// A payout is paid or comes back.
    Payout(CashTransactionId),
    /// The time of a journey is up.
    Journey(JourneyId),
    /// An account has waited long enough.
    Account(AccountId),
    /// The check of a bank account ends.
    Check(BankAccountId),
    /// A bank answers on a mandate.
    Mandate(BankAccountId),
    /// A closing whose payout has come back is paid again.
    PaidAgain(AccountId),
}
