//! Laws of cash transactions: what may be booked, what may change, and where the money comes from and goes.

use super::movements::Movement;
use super::{Acts, Claim, Fact, Items, Judge, Law};
use crate::model::figures::{self, Ore};
use crate::model::outcomes;
use crate::model::words::{Word as _, or_none, side_of};
use crate::model::{Payout, Status};
use sim::World;
use sim::command::Purgeable;
use sim::event::{Delta, Event};
use sim::ids::{AccountId, CashTransactionId, OrderId};
use sim::records::{CashRefType, CashTransaction, CashType, LedgerAccount, Proceeds, Side, Stamp};
use sim::time::{Date, Instant};
use std::sync::Arc;

impl Judge {
    pub(super) fn on_cash(&mut self, world: &World, event: &Event, delta: &Delta<CashTransaction>) {
        match delta {
            Delta::Created(cash) => self.cash_created(world, event, cash),
            Delta::Updated { previous, current } => self.cash_updated(event, previous, current),
            Delta::Deleted(cash) => {
                let asked = cash.aborted.is_some() && self.acts == Acts::Purges(Purgeable::CashTransaction(cash.id));
                self.ensure(asked, Law::NoMutation, event.at, || format!("cash {} was deleted", cash.id));
                self.model.cash.entry(cash.id).and_modify(|file| file.purged = true);
            }
        }
    }

    fn cash_created(&mut self, world: &World, event: &Event, cash: &Arc<CashTransaction>) {
        let (at, id) = (event.at, cash.id);
        self.created_now(at, &cash.stamp, || format!("cash {id}"));
        self.next_sorted(2, cash.sorted_id, at);
        self.met.note_if(Law::PositiveAmounts, figures::ore(cash.amount) < 100);
        self.ensure(cash.amount.is_positive(), Law::PositiveAmounts, at, || format!("cash {id} moves {}", cash.amount));
        self.ensure(two_sides(cash), Law::PositiveAmounts, at, || {
            format!("cash {id} goes from {} to {}", side_of(cash.debit), side_of(cash.credit))
        });
        let owner = self.model.accounts.get(&cash.account).map(|account| account.last.client);
        let same_client = event.client == Some(cash.client) && owner == Some(cash.client);
        self.ensure(same_client, Law::Isolation, at, || format!("cash {id} belongs to two clients"));
        self.ensure(cash.aborted.is_none(), Law::AbortedMeansUnsettled, at, || {
            format!("cash {id} was aborted at birth")
        });
        self.ensure(!self.model.cash.contains_key(&id), Law::Identity, at, || {
            format!("two cash transactions have the id {id}")
        });
        let of_fees =
            matches!(cash.kind, CashType::Fee | CashType::Retrocession) && !matches!(self.acts, Acts::Books(_));
        let back = (cash.ref_type, cash.kind) == (CashRefType::Correction, CashType::Withdrawal);
        if of_fees || back || (cash.ref_type, cash.kind) == (CashRefType::Text, CashType::Withdrawal) {
            self.model.before_fees(at, cash);
        }
        self.model.book_cash(cash);
        self.touch_account(cash.account);
        self.note_movement(Movement::Cash(cash.kind, cash.ref_type), cash.account);
        match (cash.ref_type, cash.kind) {
            _ if matches!(self.acts, Acts::Books(_)) => {}
            _ if of_fees || back => self.fee_taken(at, cash),
            (CashRefType::Ca, CashType::Settlement) => self.action_pays(at, cash),
            (CashRefType::Order, _) => self.leg_created(at, cash),
            (CashRefType::Transfer, CashType::TransferIn) => self.cash_transferred(world, at, cash),
            (CashRefType::Text, CashType::Deposit) if self.acts == Acts::Opens => {}
            (CashRefType::Payment, CashType::Deposit) if self.model.is_mobile(cash) => {
                self.mobile_payment_booked(world, at, cash);
            }
            (CashRefType::Payment, CashType::Deposit) => self.money_booked(world, at, cash),
            (CashRefType::Endowment101, CashType::Deposit) if self.acts == Acts::Dies => self.endowed(at, cash),
            _ if Self::is_for_heirs(cash) => self.heirs_paid(at, cash),
            (CashRefType::Correction, CashType::Deposit) => self.payout_returned(at, cash),
            (CashRefType::Text, CashType::Withdrawal) if self.acts == Acts::Withdraws(cash.account) => {
                self.withdrawn(at, cash);
            }
            (_, CashType::Withdrawal) => self.paid_out_whole(at, cash),
            (ref_type, kind) => {
                let what = || format!("cash {id} is booked unasked: `{}` of `{}`", kind.word(), ref_type.word());
                self.fail(Law::DepositOnce, at, what, None);
            }
        }
    }

    /// A closing account is paid out to the last ore, to the bank account that takes it, and no other account without an
    /// order (law 31).
    fn paid_out_whole(&mut self, at: Instant, cash: &CashTransaction) {
        let account = self.model.accounts.get(&cash.account);
        let whole = account.is_some_and(|account| account.is_closing() && account.spendable() == 0);
        let taker = self.model.taker(cash.account);
        self.ensure(taker.is_some() && cash.payout_to == taker, Law::ActiveAccountsOnly, at, || {
            let due = taker.map_or("none can take it".to_owned(), |taker| taker.to_string());
            let (id, account, got) = (cash.id, cash.account, or_none(cash.payout_to));
            format!("cash {id} of the closing account {account} goes to bank account: {got}; expected: {due}")
        });
        let in_time = self.model.closing_is_paid(at, cash.account, Some(cash.id));
        self.ensure(in_time, Law::ActiveAccountsOnly, at, || {
            format!("account {} is paid out again before its time", cash.account)
        });
        self.ensure(whole, Law::ActiveAccountsOnly, at, || {
            format!("cash {} is paid out of account {} unasked", cash.id, cash.account)
        });
        self.model.outside.to_be_paid += figures::ore(cash.amount);
        let payout = Payout::asked_at(at, self.bounces(cash));
        self.model.payouts.insert(cash.id, payout);
        self.model.expect_payout(cash.id);
    }

    /// A transaction that an order has made.
    fn leg_created(&mut self, at: Instant, cash: &CashTransaction) {
        let id = cash.id;
        let order = self.model.cash.get(&id).and_then(|cash| cash.order);
        let Some((order, file)) = order.and_then(|order| Some((order, self.model.orders.get(&order)?.clone()))) else {
            return self.fail(Law::OneTransactionOfEachKind, at, || format!("cash {id} refers to no order"), None);
        };
        let Some(fund) = self.model.funds.get(&file.last.instrument) else { return };
        let settles = Some(file.settlement(fund, &self.model.settings).date);
        let amount = figures::ore(cash.amount);
        let proceeds = file.last.proceeds;
        let fee = self.model.fee_of(&file);
        let (fits, settlement, expected) = match cash.kind {
            CashType::Subscription => {
                let reserving = matches!(file.status, Status::Received | Status::Hold) && file.cash.is_none();
                (reserving, None, file.last.amount.map_or(0, figures::ore) - fee)
            }
            CashType::FxFee => match file.last.side {
                Side::Subscription => {
                    let reserving = matches!(file.status, Status::Received | Status::Hold) && file.cash.is_some();
                    (reserving && file.fee.is_none(), None, fee)
                }
                Side::Redemption => (file.status == Status::Sent && file.fee.is_none(), settles, fee),
            },
            CashType::Redemption => (file.status == Status::Sent && file.cash.is_none(), settles, file.figures.0),
            CashType::Withdrawal => (matches!(proceeds, Proceeds::PayOut(_)), None, file.figures.0 - fee),
            CashType::TransferOut | CashType::TransferIn => {
                (matches!(proceeds, Proceeds::Transfer(_)), settles, file.figures.0 - fee)
            }
            _ => (false, None, amount),
        };
        let place = match (cash.kind, proceeds) {
            (CashType::TransferIn, Proceeds::Transfer(destination)) => destination,
            _ => file.last.account,
        };
        self.ensure(fits && cash.account == place, Law::OneTransactionOfEachKind, at, || {
            format!("order {order} made cash {id}, `{}`, while it was {}", cash.kind.word(), file.status.word())
        });
        if cash.settlement != settlement {
            let what = || {
                let [shown, due] = [cash.settlement, settlement].map(or_none);
                format!("cash {id} of order {order} has the settlement date: {shown}; expected: {due}")
            };
            self.fail(Law::DateOrder, at, what, Some(settles_claim(cash.account, Items::Cash, id, cash.settlement)));
        }
        self.ensure(amount == expected, Law::OneTransactionOfEachKind, at, || {
            let due = figures::amount(expected);
            format!("cash {id}, `{}` of order {order}, is over {}, not {due}", cash.kind.word(), cash.amount)
        });
        let copied = cash.client_ref == file.last.client_ref && cash.executor == file.last.executor;
        self.ensure(copied, Law::OneTransactionOfEachKind, at, || {
            format!("cash {id} does not carry its order's references")
        });
        self.attach(at, order, cash);
        self.touch_transactions(order);
    }

    fn attach(&mut self, at: Instant, order: OrderId, cash: &CashTransaction) {
        let Some(file) = self.model.orders.get_mut(&order) else { return };
        match cash.kind {
            CashType::Subscription => {
                file.cash = Some(cash.id);
                self.model.outside.on_its_way += figures::ore(cash.amount);
            }
            CashType::Redemption => file.cash = Some(cash.id),
            CashType::FxFee => {
                file.fee = Some(cash.id);
                self.model.outside.fees += figures::ore(cash.amount);
            }
            CashType::Withdrawal => {
                file.payouts_and_transfers[0] += 1;
                let payout = Payout::asked_at(at, self.bounces(cash));
                self.model.payouts.insert(cash.id, payout);
                self.model.expect_payout(cash.id);
            }
            CashType::TransferOut => file.payouts_and_transfers[1] += 1,
            CashType::TransferIn => file.payouts_and_transfers[2] += 1,
            _ => {}
        }
    }

    /// Whether the bank that a payout goes to sends it back.
    pub(super) fn bounces(&self, cash: &CashTransaction) -> bool {
        self.model.accounts.get(&cash.account).is_some_and(|account| {
            let banks = &account.last.bank_accounts;
            let target = banks.iter().find(|bank| Some(bank.id) == cash.payout_to);
            target.is_some_and(|bank| outcomes::bounces(&bank.iban))
        })
    }

    /// The correction of a payout that came back: once, and over the same amount (laws 5 and 9).
    fn payout_returned(&mut self, at: Instant, cash: &CashTransaction) {
        let payout = cash.reference.as_deref().and_then(|text| CashTransactionId::parse(text).ok());
        let amount = payout.and_then(|payout| self.model.cash.get(&payout)).map(|paid| paid.last.amount);
        self.ensure(amount == Some(cash.amount), Law::DepositedAndWithdrawn, at, || {
            format!("cash {} corrects another amount", cash.id)
        });
        self.ensure(cash.settlement == Some(at.local_date()), Law::DateOrder, at, || {
            format!("cash {} is not settled today", cash.id)
        });
        let Some(file) = payout.and_then(|payout| self.model.payouts.get_mut(&payout)) else {
            return self.fail(Law::DepositOnce, at, || format!("cash {} corrects no transaction", cash.id), None);
        };
        let first = file.paid && !std::mem::replace(&mut file.returned, true);
        self.met.note_if(Law::DepositedAndWithdrawn, first);
        if let Some(payout) = payout {
            self.model.closing_payout_returned(at, payout);
        }
        self.model.outside.paid_out -= figures::ore(cash.amount);
        if !first {
            let what = || format!("cash {} corrects a payout that had come back", cash.id);
            self.fail(Law::DepositOnce, at, what, Some(Claim::not_booked(cash)));
        }
    }

    fn cash_updated(&mut self, event: &Event, previous: &Arc<CashTransaction>, current: &Arc<CashTransaction>) {
        let (at, id) = (event.at, current.id);
        let Some(file) = self.model.cash.get_mut(&id) else {
            return self.fail(
                Law::EventCorrespondence,
                at,
                || format!("cash {id} changed before its creation event"),
                None,
            );
        };
        let known = std::mem::replace(&mut file.last, Arc::clone(current));
        let order = file.order;
        let continues = Arc::ptr_eq(previous, &known) || **previous == *known;
        self.ensure(continues, Law::EventCorrespondence, at, || {
            format!("cash {id}: an update began where no update had ended")
        });
        self.changed_now(at, &previous.stamp, &current.stamp, || format!("cash {id}"));
        let was_pending = previous.settlement.is_none() && previous.aborted.is_none();
        let stamp = current.stamp;
        let expected =
            CashTransaction { settlement: current.settlement, aborted: current.aborted, stamp, ..(**previous).clone() };
        self.ensure(was_pending && expected == **current, Law::NoMutation, at, || format!("cash {id} was altered"));
        let both = current.settlement.is_some() == current.aborted.is_some();
        self.ensure(!both, Law::AbortedMeansUnsettled, at, || {
            format!("cash {id} is neither settled nor aborted, or both")
        });
        self.close(at, current, order);
        self.touch_account(current.account);
        if let Some(order) = order {
            self.touch_transactions(order);
        }
    }

    /// A pending transaction has come to its end.
    fn close(&mut self, at: Instant, cash: &CashTransaction, order: Option<OrderId>) {
        let ore: Ore = figures::ore(cash.amount);
        self.met.note_if(Law::AbortedMeansUnsettled, cash.aborted.is_some());
        let is_debit = !crate::model::is_credit(cash.kind);
        self.met.note_if(Law::BalanceIdentity, cash.aborted.is_some() && is_debit);
        if let Some(account) = self.model.accounts.get_mut(&cash.account) {
            let credit = crate::model::is_credit(cash.kind);
            match (cash.settlement.is_some(), credit) {
                (true, true) => account.balance += ore,
                (false, false) => account.balance += ore,
                (true, false) | (false, true) => {}
            }
            if cash.kind == CashType::Subscription {
                account.subscribed -= ore;
            }
            if cash.aborted.is_some() && matches!(cash.kind, CashType::Withdrawal | CashType::TransferOut) {
                account.withdrawn -= ore;
            }
        }
        match (cash.kind, cash.settlement) {
            (CashType::Subscription | CashType::FxFee, Some(day)) => self.settled_in_time(at, cash.id, order, day),
            (CashType::Subscription, None) => self.model.outside.on_its_way -= ore,
            (CashType::FxFee, None) => self.model.outside.fees -= ore,
            (CashType::Withdrawal, Some(day)) => self.paid_in_time(at, cash, day),
            _ => {}
        }
    }

    pub(super) fn settled_in_time(&mut self, at: Instant, id: CashTransactionId, order: Option<OrderId>, day: Date) {
        let Some(file) = order.and_then(|order| self.model.orders.get(&order)) else { return };
        let Some(fund) = self.model.funds.get(&file.last.instrument) else { return };
        let expected = file.settlement(fund, &self.model.settings).date;
        let order = file.last.id;
        let account = self.model.cash.get(&id).map(|file| file.last.account);
        if day != expected {
            let claim = account.map(|account| settles_claim(account, Items::Cash, id, Some(day)));
            self.fail(
                Law::DateOrder,
                at,
                || format!("cash {id} of order {order} settles {day}, not {expected}"),
                claim,
            );
        }
    }

    fn paid_in_time(&mut self, at: Instant, cash: &CashTransaction, day: Date) {
        let id = cash.id;
        let Some(payout) = self.model.payouts.get_mut(&id) else { return };
        let planned = payout.pay_at;
        payout.paid = true;
        self.model.outside.paid_out += figures::ore(cash.amount);
        self.model.outside.to_be_paid -= figures::ore(cash.amount);
        let fits = at == planned && day == planned.local_date();
        self.ensure(fits, Law::DateOrder, at, || format!("payout {id} was paid at {at}, not {planned}"));
        self.model.expect_payout(id);
    }

    /// A new record is stamped with the present (law 38).
    pub(super) fn created_now(&mut self, at: Instant, stamp: &Stamp, which: impl FnOnce() -> String) {
        let fits = stamp.created == at && stamp.modified == at && stamp.revision == 0;
        self.ensure(fits, Law::ModifiedDate, at, || format!("{} is made now and {}", which(), stamped(stamp)));
    }

    /// A changed record is stamped with the present, once (law 38).
    pub(super) fn changed_now(&mut self, at: Instant, before: &Stamp, now: &Stamp, which: impl FnOnce() -> String) {
        self.met.note_if(Law::ModifiedDate, before.revision > 0 && before.modified == at);
        let fits = now.created == before.created && now.modified == at && now.revision == before.revision + 1;
        self.ensure(fits, Law::ModifiedDate, at, || {
            format!("{} changes now and {}, before: {}", which(), stamped(now), stamped(before))
        });
    }

    /// Sorted ids only increase (law 37).
    pub(super) fn next_sorted(&mut self, collection: usize, id: sim::ids::SortedId, at: Instant) {
        let newest = self.model.newest[collection].replace(id);
        let before = std::mem::replace(&mut self.made_at[collection], at);
        self.met.note_if(Law::Identity, before == at);
        self.ensure(newest < Some(id), Law::Identity, at, || format!("sorted id {id} came after {}", or_none(newest)));
    }
}

/// A transaction does not settle on this day, which is wrong: by then it may not even be there.
pub(super) fn settles_claim(account: AccountId, items: Items, id: impl ToString, wrong: Option<Date>) -> Claim {
    Claim::ListsNot(account, items, vec![("id", Fact::text(id)), ("settlementDate", Fact::day(wrong))])
}

/// When a record was made and changed, in words.
fn stamped(stamp: &Stamp) -> String {
    format!("says: made {}, modified {}, {} changes", stamp.created, stamp.modified, stamp.revision)
}

/// One investor account and one of the platform's, in the direction of the kind (law 4).
fn two_sides(cash: &CashTransaction) -> bool {
    let (payer, receiver) = (cash.debit, cash.credit);
    let own = LedgerAccount::Investor(cash.account);
    match (payer, receiver) {
        (LedgerAccount::Platform(_), LedgerAccount::Investor(_)) => {
            receiver == own && crate::model::is_credit(cash.kind)
        }
        (LedgerAccount::Investor(_), LedgerAccount::Platform(_)) => payer == own && !crate::model::is_credit(cash.kind),
        _ => false,
    }
}
