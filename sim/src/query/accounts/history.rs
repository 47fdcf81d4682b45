//! What has become of an account, day by day and fact by fact, for those who draw or print it.
//!
//! Invariant: the values are those that returns are reckoned from, and like them never change once their day is over; what
//! was purged still counts. Absent on purpose: today, which is not over, and any sum over days.

use crate::ids::AccountId;
use crate::money::Amount;
use crate::records::{Account, CashTransaction, CorporateAction, Order};
use crate::time::{Date, Instant, stockholm};
use crate::valuation::{Closings, MovementHistory as Movements};
use crate::world::World;
use std::sync::Arc;

/// One day of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryDay {
    /// The local day.
    pub date: Date,
    /// Value at the midnight that ends it (rule: accounts/daily-value).
    pub value: Amount,
    /// Balance at that midnight (rule: money/balance).
    pub balance: Amount,
    /// What came from outside less what went there (rule: accounts/external-flows).
    pub flow: Amount,
}

/// An account with all that happened to it.
#[derive(Clone, Debug)]
pub struct AccountHistory {
    /// The account as it is now.
    pub account: Arc<Account>,
    /// Its days that are over, from its first movement on, to the day of its deletion if there was one.
    pub days: Vec<HistoryDay>,
    /// Its cash transactions, oldest first.
    pub cash: Vec<Arc<CashTransaction>>,
    /// Its orders, oldest first.
    pub orders: Vec<Arc<Order>>,
    /// The corporate actions that changed what it holds, oldest first.
    pub actions: Vec<CorporateAction>,
}

/// The history of an account; none when it is unknown.
#[must_use]
pub fn history(world: &World, account: AccountId) -> Option<AccountHistory> {
    let known = world.accounts.get(account)?;
    let yesterday = world.now.local_date().yesterday().ok();
    let deleted = known.deleted.map(|at| at.local_date());
    let last = yesterday.map(|yesterday| deleted.map_or(yesterday, |deleted| deleted.min(yesterday)));
    let cash: Vec<_> = world.cash.of_account(account, None).cloned().collect();
    let balances = balances(&cash);
    let (past, mut closings) = (Movements::of(world, account), Closings::default());
    if let Some((first, last)) = past.begin().zip(last) {
        closings.cover(first, last);
    }
    let values = past.values(world, &mut closings);
    let flows = past.flows(world, &mut closings);
    let days = closings.days().zip(values.into_iter().zip(flows).skip(1)).map(|(date, (value, flow))| HistoryDay {
        date,
        value: Amount::from_steps(value),
        balance: before(&balances, date.tomorrow().map_or(world.now, |next| stockholm(next, 0, 0))),
        flow: Amount::from_steps(flow),
    });
    Some(AccountHistory {
        account: Arc::clone(known),
        days: days.collect(),
        orders: world.orders.of_account(account, None).cloned().collect(),
        actions: actions(world, account),
        cash,
    })
}

/// The balance after each change of it, in order of time.
fn balances(cash: &[Arc<CashTransaction>]) -> Vec<(Instant, Amount)> {
    let mut changes = Vec::new();
    for cash in cash {
        let (made, ended) = (cash.stamp.created, cash.stamp.modified);
        if !cash.kind.is_credit() {
            changes.push((made, -cash.amount));
            changes.extend(cash.aborted.map(|_| (ended, cash.amount)));
        } else if cash.settlement.is_some() {
            changes.push((ended, cash.amount));
        }
    }
    changes.sort_by_key(|&(at, _)| at);
    let mut balance = Amount::ZERO;
    for (_, change) in &mut changes {
        balance += *change;
        *change = balance;
    }
    changes
}

fn before(balances: &[(Instant, Amount)], end: Instant) -> Amount {
    let known = balances.partition_point(|&(at, _)| at < end);
    known.checked_sub(1).map_or(Amount::ZERO, |last| balances[last].1)
}

/// The actions by which units of the account were booked.
fn actions(world: &World, account: AccountId) -> Vec<CorporateAction> {
    let references: Vec<_> = world.funds.of_account(account, None).map(|booked| booked.reference.clone()).collect();
    let booked = |action: &CorporateAction| references.contains(&Some(action.id.text()));
    let all = world.corporate_actions.iter().map(|action| **action);
    all.filter(|action| action.carried_out.is_some() && booked(action)).collect()
}
