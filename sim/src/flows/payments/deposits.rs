//! Money that comes in over banks, whatever the way: booked on its account, or put into suspense
//! (rule: payments/deposit-or-suspense).
//!
//! Invariant: money that has come is booked once, as one deposit or as one suspense item (invariant 9). Absent on purpose:
//! how it was paid, which the flows of mobile payments, bankgiro and instructions know.

use crate::flows::plans;
use crate::ids::{AccountId, CashTransactionId};
use crate::ledger::NewCash;
use crate::machines::Current;
use crate::machines::suspense::State;
use crate::money::Amount;
use crate::records::{CashBooking, Stamp, SuspenseItem, SuspenseReason};
use crate::world::World;
use std::sync::Arc;

/// Money that has come in for an account.
pub(crate) struct Payment {
    /// Whose.
    pub(crate) account: AccountId,
    /// By which way; its row says how the deposit looks.
    pub(crate) booking: CashBooking,
    /// How much.
    pub(crate) amount: Amount,
    /// The payment that it comes from; for bankgiro the item.
    pub(crate) reference: Arc<str>,
    /// Copied from the payment.
    pub(crate) client_ref: Option<Arc<str>>,
    /// Free text: the OCR reference of bankgiro.
    pub(crate) text: Option<Arc<str>>,
    /// Whether the allocation plan of the account runs on it (rule: plans/allocation-run).
    pub(crate) runs_plan: bool,
}

impl Payment {
    /// A payment that carries nothing else, and on which the plan runs.
    pub(crate) const fn new(account: AccountId, booking: CashBooking, amount: Amount, reference: Arc<str>) -> Self {
        Self { account, booking, amount, reference, client_ref: None, text: None, runs_plan: true }
    }
}

/// Books money that has come in: an active account gets a settled deposit and its allocation plan runs; for any other it
/// is put into suspense, and there is no deposit.
pub(crate) fn receive(world: &mut World, payment: Payment) -> Option<CashTransactionId> {
    if !world.accounts.known(payment.account).is_active() {
        let Payment { account, amount, reference, text, .. } = payment;
        let reference = text.unwrap_or(reference);
        suspend(world, reference, amount, SuspenseReason::AccountNotActive, Some(account));
        return None;
    }
    let Payment { account, booking, amount, reference, client_ref, text, runs_plan } = payment;
    let deposit = world.change_account(account, |world| {
        let cash = NewCash::new(account, booking, amount);
        world.book_cash(NewCash { reference: Some(reference), client_ref, text, ..cash })
    });
    if runs_plan {
        plans::allocation_runs::deposited(world, account, amount);
    }
    Some(deposit)
}

/// Puts money into suspense.
pub(crate) fn suspend(
    world: &mut World,
    reference: Arc<str>,
    amount: Amount,
    reason: SuspenseReason,
    meant_for: Option<AccountId>,
) {
    let now = world.now;
    world.suspense.insert_new(|id| SuspenseItem {
        id,
        reference,
        amount,
        day: now.local_date(),
        reason,
        meant_for,
        deposit: None,
        state: Current::first(State::Open),
        stamp: Stamp::new(now),
    });
}
