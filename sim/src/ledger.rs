//! Double entry: the only writer of cash and fund transactions, balances and positions.
//!
//! Invariant: after every function here `balance` is settled credits minus non-aborted debits, and a position's `units`
//! and `settled` are the sums over its fund transactions (invariants 2 and 10). Every function tells the transaction's
//! event; the account's own event is the caller's (`World::change_account`). Absent on purpose: why something is booked.

use crate::canary::Canary;
use crate::event::{Change, Delta};
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, CashTransactionId, FundTransactionId};
use crate::money::{Amount, Price, Units, round_half_up};
use crate::records::{
    AbortReason, Account, CashRefType, CashTransaction, CashType, FundRefType, FundTransaction, FundType,
    LedgerAccount, PlatformAccount, Stamp,
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
    /// Kind; it decides the direction.
    pub kind: CashType,
    /// The platform's side.
    pub against: PlatformAccount,
    /// Positive amount.
    pub amount: Amount,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// What `reference` is.
    pub ref_type: CashRefType,
    /// Copied from the cause.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the cause.
    pub executor: Option<PersonalNumber>,
    /// Free text.
    pub text: Option<Arc<str>>,
    /// Day of settlement when it is born settled.
    pub settlement: Option<Date>,
    /// Target of a payout.
    pub payout_to: Option<BankAccountId>,
}

/// A fund transaction to be booked.
#[derive(Clone, Debug)]
pub struct NewFund {
    /// The account.
    pub account: AccountId,
    /// In or out.
    pub kind: FundType,
    /// The fund.
    pub instrument: InstrumentId,
    /// Positive units.
    pub units: Units,
    /// Id or text that explains it.
    pub reference: Option<Arc<str>>,
    /// What `reference` is.
    pub ref_type: FundRefType,
    /// Copied from the cause.
    pub client_ref: Option<Arc<str>>,
    /// Copied from the cause.
    pub executor: Option<PersonalNumber>,
    /// Price and trade date, when known.
    pub trade: Option<(Price, Date)>,
    /// Day of settlement when it is born settled.
    pub settlement: Option<Date>,
    /// Acquisition cost in SEK that units born settled bring along.
    pub cost: Decimal,
}

impl CashType {
    /// Whether the investor receives.
    #[must_use]
    pub const fn is_credit(self) -> bool {
        matches!(self, Self::Deposit | Self::Redemption | Self::TransferIn | Self::Retrocession | Self::Settlement)
    }
}

impl World {
    /// Books a cash transaction and its effect on the account.
    pub(crate) fn book_cash(&mut self, new: NewCash) -> CashTransactionId {
        assert!(new.amount.is_positive(), "a cash transaction moves a positive amount");
        let (id, sorted_id) = self.id_sources.cash(self.now);
        let (investor, platform) = (LedgerAccount::Investor(new.account), LedgerAccount::Platform(new.against));
        let (debit, credit) = if new.kind.is_credit() { (platform, investor) } else { (investor, platform) };
        let account = self.accounts.change(new.account);
        let transaction = CashTransaction {
            id,
            sorted_id,
            client: account.client,
            account: new.account,
            kind: new.kind,
            reference: new.reference,
            ref_type: new.ref_type,
            client_ref: new.client_ref,
            executor: new.executor,
            debit,
            credit,
            amount: new.amount,
            text: new.text,
            settlement: new.settlement,
            aborted: None,
            payout_to: new.payout_to,
            stamp: Stamp::new(self.now),
        };
        cash_created(account, &transaction);
        let client = account.client;
        let transaction = Arc::new(transaction);
        self.cash.add(Arc::clone(&transaction));
        self.emit(Some(client), Change::CashTransaction(Delta::Created(transaction)));
        id
    }

    /// Settles a pending cash transaction on `day`.
    pub(crate) fn settle_cash(&mut self, id: CashTransactionId, day: Date) {
        let transaction = self.change_cash(id, |transaction| transaction.settlement = Some(day));
        let account = self.accounts.change(transaction.account);
        if transaction.kind == CashType::Subscription {
            account.subscribed -= transaction.amount;
        }
        if transaction.kind.is_credit() {
            account.balance += transaction.amount;
        }
    }

    /// Aborts a pending cash transaction: it never counted.
    pub(crate) fn abort_cash(&mut self, id: CashTransactionId, reason: AbortReason) {
        let transaction = self.change_cash(id, |transaction| transaction.aborted = Some(reason));
        let still_counts = self.planted.is(Canary::AbortedStillCounts);
        let account = self.accounts.change(transaction.account);
        if transaction.kind == CashType::Subscription {
            account.subscribed -= transaction.amount;
        }
        if !transaction.kind.is_credit() && !still_counts {
            account.balance += transaction.amount;
        }
        if matches!(transaction.kind, CashType::Withdrawal | CashType::TransferOut) {
            account.withdrawn -= transaction.amount;
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

    /// Books a fund transaction and its effect on the position. Units in are born settled; units out may be pending.
    pub(crate) fn book_fund(&mut self, new: NewFund) -> FundTransactionId {
        assert!(new.units.is_positive(), "a fund transaction moves positive units");
        let (id, sorted_id) = self.id_sources.fund(self.now);
        let account = self.accounts.change(new.account);
        let client = account.client;
        let position = account.position_mut(new.instrument);
        match (new.kind, new.settlement) {
            (FundType::Subscription, Some(_)) => {
                position.units += new.units;
                position.settled += new.units;
                position.cost = round_half_up(position.cost + new.cost, COST_SCALE);
            }
            (FundType::Redemption, None) => position.units -= new.units,
            (FundType::Subscription, None) | (FundType::Redemption, Some(_)) => {
                unreachable!("units in are born settled and units out are born pending")
            }
        }
        let transaction = Arc::new(FundTransaction {
            id,
            sorted_id,
            client,
            account: new.account,
            kind: new.kind,
            reference: new.reference,
            ref_type: new.ref_type,
            client_ref: new.client_ref,
            executor: new.executor,
            instrument: new.instrument,
            units: new.units,
            price: new.trade.map(|(price, _)| price),
            trade: new.trade.map(|(_, date)| date),
            settlement: new.settlement,
            aborted: None,
            stamp: Stamp::new(self.now),
        });
        self.funds.add(Arc::clone(&transaction));
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

    /// Settles pending units out on `day`. The average acquisition value stays (rule: money/average-acquisition-value).
    pub(crate) fn settle_fund(&mut self, id: FundTransactionId, day: Date) {
        let transaction = self.change_fund(id, |transaction| transaction.settlement = Some(day));
        let account = self.accounts.change(transaction.account);
        let position = account.position_mut(transaction.instrument);
        let left = position.settled - transaction.units;
        position.cost = if left.is_zero() {
            Decimal::ZERO
        } else {
            round_half_up(position.cost * left.get() / position.settled.get(), COST_SCALE)
        };
        position.settled = left;
        if position.is_empty() {
            account.positions.retain(|position| position.instrument != transaction.instrument);
        }
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

/// What a new cash transaction does to its account: debits count at once, credits once settled (rule: money/balance).
fn cash_created(account: &mut Account, transaction: &CashTransaction) {
    let settled = transaction.settlement.is_some();
    if !transaction.kind.is_credit() {
        account.balance -= transaction.amount;
    } else if settled {
        account.balance += transaction.amount;
    }
    match transaction.kind {
        CashType::Subscription if !settled => account.subscribed += transaction.amount,
        CashType::Deposit if transaction.ref_type == CashRefType::Correction => account.withdrawn -= transaction.amount,
        CashType::Deposit | CashType::TransferIn if settled => account.deposited += transaction.amount,
        CashType::Withdrawal | CashType::TransferOut => account.withdrawn += transaction.amount,
        _ => {}
    }
    assert!(account.balance >= account.reserved, "cash that orders have reserved is never spent");
}
