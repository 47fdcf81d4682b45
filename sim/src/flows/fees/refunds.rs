//! Money that a payer has back from an account: what can be spent at once, and the rest as sales and later cash allow
//! (rule: payments/payment-refund).
//!
//! Invariant: what is booked, waits for sales and is in arrears adds up to what was paid back. Absent on purpose: whether a
//! payer may have it back, which is `payments::charges`.

use super::sales;
use crate::ids::{AccountId, CashTransactionId, PaymentId};
use crate::ledger::NewCash;
use crate::money::Amount;
use crate::records::{CashBooking, DueRefund, Payment, Sales};
use crate::world::World;
use std::sync::Arc;

/// Takes back what a payment brought; the first booking, where there is cash for one.
pub(crate) fn take_back(world: &mut World, payment: &Payment) -> Option<CashTransactionId> {
    let id = payment.account;
    let spendable = world.accounts.known(id).spendable();
    let at_once = payment.amount.min(spendable);
    let booked = at_once.is_positive().then(|| world.change_account(id, |world| book_part(world, payment.id, at_once)));
    let left = payment.amount - at_once;
    if left.is_positive() {
        let mut sales = Sales::new(left);
        if world.accounts.known(id).is_active() {
            sales::sell(world, id, &mut sales);
        }
        let is_arrears = sales.placed.is_empty();
        world.fee_file_mut(id).refunds.push(DueRefund { payment: payment.id, left, sales, is_arrears });
    }
    booked
}

/// Books a part of what a payer has back; the caller emits the account's event.
pub(crate) fn book_part(world: &mut World, payment: PaymentId, amount: Amount) -> CashTransactionId {
    let payment = Arc::clone(world.payments.known(payment));
    world.book_cash(NewCash {
        reference: Some(payment.id.text()),
        client_ref: payment.client_ref.clone(),
        ..NewCash::new(payment.account, CashBooking::ChargeRefunded, amount)
    })
}

/// A sale of the account has ended. Refunds that wait for sales continue; once their sales are through, each is booked as far
/// as the account's cash reaches.
pub(crate) fn sale_ended(world: &mut World, id: AccountId) {
    let mut refunds = std::mem::take(&mut world.fee_file_mut(id).refunds);
    for refund in refunds.iter_mut().filter(|refund| !refund.is_arrears) {
        if !sales::go_on(world, id, &mut refund.sales) {
            continue;
        }
        refund.is_arrears = true;
        let part = refund.left.min(world.accounts.known(id).spendable());
        if part.is_positive() {
            refund.left -= part;
            let payment = refund.payment;
            world.change_account(id, |world| book_part(world, payment, part));
        }
    }
    refunds.retain(|refund| refund.left.is_positive());
    world.fee_file_mut(id).refunds = refunds;
}

/// Takes out what is in arrears, to be asked for with the fees.
pub(crate) fn arrears(world: &mut World, id: AccountId) -> Vec<(PaymentId, Amount)> {
    let file = world.fee_file_mut(id);
    let asked = file.refunds.iter().filter(|refund| refund.is_arrears);
    let asked = asked.map(|refund| (refund.payment, refund.left)).collect();
    file.refunds.retain(|refund| !refund.is_arrears);
    asked
}

/// Puts back what the cash did not reach.
pub(crate) fn keep(world: &mut World, id: AccountId, payment: PaymentId, left: Amount) {
    world.fee_file_mut(id).refunds.push(DueRefund { payment, left, sales: Sales::default(), is_arrears: true });
}
