//! Double entry: the only writer of cash and fund transactions, balances and positions.
//!
//! Invariant: after every function here `balance` is settled credits minus non-aborted debits, and a position's `units`
//! and `settled` are the sums over its fund transactions (invariants 2 and 10). Every function emits the transaction's
//! event; the account's own event is the caller's (`World::change_account`). Absent on purpose: why something is booked.

use crate::canary::Canary;
use crate::event::{Change, Delta};
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, CashTransactionId, FundTransactionId};
use crate::money::{Amount, Price, Units, round_half_up};
use crate::records::{
    AbortReason, Account, BookedCost as Cost, Born, CashBooking, CashTransaction, Counts, FundBooking, FundTransaction,
    FundType, LedgerAccount, Stamp,
};
use crate::time::Date;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Decimals kept of acquisition costs.
const COST_SCALE: u32 = 12;

/// A cash transaction to be booked.
#[derive(Clone, Debug)]
pub struct NewCash {
    /// The investor's account.
    pub account: AccountId,
    /// Why; all that follows is its row.
    pub booking: CashBooking,
    /// Positive amount.
    pub amount: Amount,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// Copied from the cause.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the cause.
    pub executor: Option<PersonalNumber>,
    /// Target of a payout.
    pub payout_to: Option<BankAccountId>,
    /// Free text.
    pub text: Option<Arc<str>>,
}

impl NewCash {
    /// A cash transaction that explains itself.
    #[must_use]
    pub const fn new(account: AccountId, booking: CashBooking, amount: Amount) -> Self {
        Self {
            account,
            booking,
            amount,
            reference: None,
            client_ref: None,
            executor: None,
            payout_to: None,
            text: None,
        }
    }
}

/// A fund transaction to be booked.
#[derive(Clone, Debug)]
pub struct NewFund {
    /// The account.
    pub account: AccountId,
    /// Why; all that follows is its row.
    pub booking: FundBooking,
    /// The fund.
    pub instrument: InstrumentId,
    /// Positive units.
    pub units: Units,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// Copied from the cause.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the cause.
    pub executor: Option<PersonalNumber>,
    /// Price and trade date, when known.
    pub trade: Option<(Price, Date)>,
    /// Acquisition cost in SEK that units bring along when they come.
    pub cost: Decimal,
}

impl NewFund {
    /// A fund transaction that explains itself.
    #[must_use]
    pub const fn new(account: AccountId, booking: FundBooking, instrument: InstrumentId, units: Units) -> Self {
        Self {
            account,
            booking,
            instrument,
            units,
            reference: None,
            client_ref: None,
            executor: None,
            trade: None,
            cost: Decimal::ZERO,
        }
    }
}

impl World {
    /// The day of settlement of what is booked now.
    fn settlement(&self, born: Born) -> Option<Date> {
        match born {
            Born::Pending => None,
            Born::Settled => Some(self.now.local_date()),
        }
    }

    /// Books a cash transaction and its effect on the account.
    pub(crate) fn book_cash(&mut self, new: NewCash) -> CashTransactionId {
        assert!(new.amount.is_positive(), "a cash transaction moves a positive amount");
        let terms = new.booking.terms();
        let settlement = self.settlement(terms.born);
        let (investor, platform) = (LedgerAccount::Investor(new.account), LedgerAccount::Platform(terms.against));
        let (debit, credit) = if terms.kind.is_credit() { (platform, investor) } else { (investor, platform) };
        let account = self.accounts.change(new.account);
        let transaction = self.cash.insert_new(self.now, |id, sorted_id| CashTransaction {
            id,
            sorted_id,
            client: account.client,
            account: account.id,
            booking: new.booking,
            kind: terms.kind,
            reference: new.reference,
            ref_type: terms.ref_type,
            client_ref: new.client_ref,
            executor: new.executor,
            debit,
            credit,
            amount: new.amount,
            text: new.text,
            settlement,
            aborted: None,
            payout_to: new.payout_to,
            stamp: Stamp::new(self.now),
        });
        cash_created(account, &transaction);
        self.movements.cash_created(&transaction, &self.planted);
        if settlement.is_some() {
            cash_settled(account, &transaction);
            self.movements.cash_settled(&transaction, &self.planted);
        }
        assert!(account.balance >= account.reserved, "cash that orders have reserved is never spent");
        let (id, client) = (transaction.id, transaction.client);
        self.emit(Some(client), Change::CashTransaction(Delta::Created(transaction)));
        id
    }

    /// Settles a pending cash transaction on `day`.
    pub(crate) fn settle_cash(&mut self, id: CashTransactionId, day: Date) {
        let transaction = self.change_cash(id, |transaction| transaction.settlement = Some(day));
        cash_settled(self.accounts.change(transaction.account), &transaction);
        self.movements.cash_settled(&transaction, &self.planted);
    }

    /// Aborts a pending cash transaction: it never counted.
    pub(crate) fn abort_cash(&mut self, id: CashTransactionId, reason: AbortReason) {
        let transaction = self.change_cash(id, |transaction| transaction.aborted = Some(reason));
        self.movements.cash_aborted(&transaction, &self.planted);
        let still_counts = self.planted.is(Canary::AbortedStillCounts);
        let account = self.accounts.change(transaction.account);
        if !transaction.kind.is_credit() && !still_counts {
            account.balance += transaction.amount;
        }
        match transaction.booking.terms().counts {
            Counts::OnItsWay => account.subscribed -= transaction.amount,
            Counts::Withdrawn => account.withdrawn -= transaction.amount,
            Counts::Nowhere | Counts::Deposited | Counts::Unwithdrawn => {}
        }
    }

    fn change_cash(&mut self, id: CashTransactionId, f: impl FnOnce(&mut CashTransaction)) -> Arc<CashTransaction> {
        let previous = Arc::clone(self.cash.known(id));
        assert!(previous.settlement.is_none() && previous.aborted.is_none(), "only a pending transaction changes");
        let now = self.now;
        let transaction = self.cash.change(id);
        f(transaction);
        transaction.stamp.touch(now);
        let current = Arc::clone(self.cash.known(id));
        let change = Delta::Updated { previous, current: Arc::clone(&current) };
        self.emit(Some(current.client), Change::CashTransaction(change));
        current
    }

    /// Books a fund transaction and its effect on the position.
    pub(crate) fn book_fund(&mut self, new: NewFund) -> FundTransactionId {
        assert!(new.units.is_positive(), "a fund transaction moves positive units");
        let terms = new.booking.terms();
        let settlement = self.settlement(terms.born);
        let account = self.accounts.change(new.account);
        let (client, found) = (account.client, account.id);
        let position = account.position_mut(new.instrument);
        match terms.kind {
            FundType::Subscription => {
                position.units += new.units;
                position.settled += new.units;
                position.cost = round_half_up(position.cost + new.cost, COST_SCALE);
            }
            FundType::Redemption => {
                position.units -= new.units;
                if settlement.is_some() {
                    units_gone(account, new.instrument, new.units, terms.cost);
                }
            }
        }
        let transaction = self.funds.insert_new(self.now, |id, sorted_id| FundTransaction {
            id,
            sorted_id,
            client,
            account: found,
            kind: terms.kind,
            reference: new.reference,
            ref_type: terms.ref_type,
            client_ref: new.client_ref,
            executor: new.executor,
            instrument: new.instrument,
            units: new.units,
            price: new.trade.map(|(price, _)| price),
            trade: new.trade.map(|(_, date)| date),
            settlement,
            aborted: None,
            stamp: Stamp::new(self.now),
        });
        if settlement.is_some() {
            self.movements.units_settled(&transaction);
        }
        let id = transaction.id;
        self.emit(Some(client), Change::FundTransaction(Delta::Created(transaction)));
        id
    }

    /// Fills in the price and trade date of a pending fund transaction.
    pub(crate) fn price_fund(&mut self, id: FundTransactionId, price: Price, trade: Date) {
        self.change_fund(id, |transaction| {
            transaction.price = Some(price);
            transaction.trade = Some(trade);
        });
    }

    /// Settles pending units out on `day`.
    pub(crate) fn settle_fund(&mut self, id: FundTransactionId, day: Date) {
        let transaction = self.change_fund(id, |transaction| transaction.settlement = Some(day));
        self.movements.units_settled(&transaction);
        let account = self.accounts.change(transaction.account);
        units_gone(account, transaction.instrument, transaction.units, Cost::Share);
    }

    /// Aborts pending units out: they come back.
    pub(crate) fn abort_fund(&mut self, id: FundTransactionId, reason: AbortReason) {
        let transaction = self.change_fund(id, |transaction| transaction.aborted = Some(reason));
        if self.planted.is(Canary::AbortedStillCounts) {
            return;
        }
        self.accounts.change(transaction.account).position_mut(transaction.instrument).units += transaction.units;
    }

    fn change_fund(&mut self, id: FundTransactionId, f: impl FnOnce(&mut FundTransaction)) -> Arc<FundTransaction> {
        let previous = Arc::clone(self.funds.known(id));
        assert!(previous.settlement.is_none() && previous.aborted.is_none(), "only a pending transaction changes");
        let now = self.now;
        let transaction = self.funds.change(id);
        f(transaction);
        transaction.stamp.touch(now);
        let current = Arc::clone(self.funds.known(id));
        let change = Delta::Updated { previous, current: Arc::clone(&current) };
        self.emit(Some(current.client), Change::FundTransaction(change));
        current
    }
}

/// What cash does to its account when its transaction is made: debits count at once (rule: money/balance).
fn cash_created(account: &mut Account, transaction: &CashTransaction) {
    if !transaction.kind.is_credit() {
        account.balance -= transaction.amount;
    }
    match transaction.booking.terms().counts {
        Counts::OnItsWay => account.subscribed += transaction.amount,
        Counts::Withdrawn => account.withdrawn += transaction.amount,
        Counts::Nowhere | Counts::Deposited | Counts::Unwithdrawn => {}
    }
}

/// What cash does to its account when it is settled: credits count from now on (rule: money/balance).
fn cash_settled(account: &mut Account, transaction: &CashTransaction) {
    if transaction.kind.is_credit() {
        account.balance += transaction.amount;
    }
    match transaction.booking.terms().counts {
        Counts::OnItsWay => account.subscribed -= transaction.amount,
        Counts::Deposited => account.deposited += transaction.amount,
        Counts::Unwithdrawn => account.withdrawn -= transaction.amount,
        Counts::Nowhere | Counts::Withdrawn => {}
    }
}

/// The part of `cost` that belongs to `left` of `all` units; of numbers too large to be multiplied, by what one unit has cost.
fn share(cost: Decimal, left: Units, all: Units) -> Decimal {
    let product = cost.checked_mul(left.get()).map(|product| product / all.get());
    product.unwrap_or_else(|| cost / all.get() * left.get())
}

/// Units that went are settled; the average acquisition value stays (rule: money/average-acquisition-value).
fn units_gone(account: &mut Account, instrument: InstrumentId, units: Units, cost: Cost) {
    let position = account.position_mut(instrument);
    let left = position.settled - units;
    position.cost = match cost {
        _ if left.is_zero() => Decimal::ZERO,
        Cost::Share => round_half_up(share(position.cost, left, position.settled), COST_SCALE),
        Cost::Nothing => position.cost,
    };
    position.settled = left;
    if position.is_empty() {
        account.positions.retain(|position| position.instrument != instrument);
    }
}
