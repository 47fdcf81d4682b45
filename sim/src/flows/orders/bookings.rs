//! What an order does to money and units, from the reservation to the posting.
//!
//! Invariant: an order has a reservation, or transactions, or neither, never both (`machines::order::State::books`).
//! Absent on purpose: when it happens.

use super::currency_fee;
use crate::canary::Canary;
use crate::flows::bank;
use crate::ids::{AccountId, CashTransactionId, FundTransactionId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::order::State;
use crate::money::{Amount, Units};
use crate::records::{AbortReason, CashBooking, FundBooking, Order, Proceeds, Side, Trade};
use crate::time::Date;
use crate::world::World;
use std::sync::Arc;

/// What the price of its dealing day makes of an order.
pub(crate) struct Execution {
    pub(crate) amount: Amount,
    pub(crate) units: Units,
    pub(crate) trade: Trade,
}

fn amount_of(order: &Order) -> Amount {
    order.amount.expect("a subscription has an amount, and an executed order")
}

fn units_of(order: &Order) -> Units {
    order.units.expect("a redemption has units, and an executed order")
}

pub(super) fn reserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved += amount_of(order),
        Side::Redemption => account.position_mut(order.instrument).reserved += units_of(order),
    }
}

pub(super) fn unreserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved -= amount_of(order),
        Side::Redemption => account.position_mut(order.instrument).reserved -= units_of(order),
    }
}

/// A cash transaction of an order.
fn cash(order: &Order, account: AccountId, booking: CashBooking) -> NewCash {
    NewCash {
        reference: Some(order.id.text()),
        client_ref: order.client_ref.clone(),
        executor: order.executor,
        ..NewCash::new(account, booking, amount_of(order))
    }
}

/// A fund transaction of an order, with the text of the order's id.
fn fund(order: &Order, booking: FundBooking, text: Option<Arc<str>>) -> NewFund {
    NewFund {
        reference: text,
        client_ref: order.client_ref.clone(),
        executor: order.executor,
        ..NewFund::new(order.account, booking, order.instrument, units_of(order))
    }
}

fn cash_of(order: &Order) -> CashTransactionId {
    order.cash_transaction.expect("a booked subscription has its cash transaction")
}

fn fund_of(order: &Order) -> FundTransactionId {
    order.fund_transaction.expect("a booked redemption has its fund transaction")
}

/// The reservation becomes a transaction: cash out of the balance, or units out of the position.
pub(super) fn book(world: &mut World, order: &Order) {
    let dropped = order.state == State::HoldUnbooked && world.planted.is(Canary::HoldDropsReservation);
    if !dropped {
        unreserve(world, order);
    }
    world.change_account(order.account, |world| match order.side {
        Side::Subscription => {
            let amount = currency_fee::after_fee(world, order.instrument, amount_of(order));
            let purchase = cash(order, order.account, CashBooking::Purchase);
            let booked = world.book_cash(NewCash { amount, ..purchase });
            let fee = take_fee(world, order, CashBooking::PurchaseFxFee);
            let order = world.orders.change(order.id);
            (order.cash_transaction, order.fee_transaction) = (Some(booked), fee);
        }
        Side::Redemption => {
            let booked = world.book_fund(fund(order, FundBooking::Sale, Some(order.id.text())));
            world.orders.change(order.id).fund_transaction = Some(booked);
        }
    });
}

/// Debits what changing money costs, if anything (rule: fees/currency-fee).
fn take_fee(world: &mut World, order: &Order, booking: CashBooking) -> Option<CashTransactionId> {
    let amount = currency_fee::of(world, order.instrument, amount_of(order));
    amount.is_positive().then(|| world.book_cash(NewCash { amount, ..cash(order, order.account, booking) }))
}

/// That transaction is aborted, and what was debited for changing money with it.
pub(super) fn abort(world: &mut World, order: &Order) {
    world.change_account(order.account, |world| match order.side {
        Side::Subscription => {
            for booked in std::iter::once(cash_of(order)).chain(order.fee_transaction) {
                world.abort_cash(booked, AbortReason::ReferencedOrderCanceled);
            }
        }
        Side::Redemption => world.abort_fund(fund_of(order), AbortReason::ReferencedOrderCanceled),
    });
}

/// Fills in price, trade date and the missing figure.
pub(super) fn execute(world: &mut World, order: &Order, execution: Execution) {
    let Execution { amount, units, trade } = execution;
    if let Some(fund) = order.fund_transaction {
        world.price_fund(fund, trade.price, trade.date);
    }
    let order = world.orders.change(order.id);
    (order.amount, order.units, order.trade) = (Some(amount), Some(units), Some(trade));
}

/// The transaction is settled and its counterpart created, settled; a redemption's cash goes where the order says.
pub(super) fn post(world: &mut World, order: &Order) {
    let trade = order.trade.expect("a confirmed order has a trade");
    // The planned day, or today when the price came late.
    let day = trade.settlement.max(world.now.local_date());
    match order.side {
        Side::Subscription => {
            let units = world.change_account(order.account, |world| {
                for booked in std::iter::once(cash_of(order)).chain(order.fee_transaction) {
                    world.settle_cash(booked, day);
                }
                let paid = world.cash.known(cash_of(order));
                let (cost, text) = (paid.amount.get(), paid.reference.clone());
                let trade = Some((trade.price, trade.date));
                world.book_fund(NewFund { trade, cost, ..fund(order, FundBooking::Purchase, text) })
            });
            world.orders.change(order.id).fund_transaction = Some(units);
        }
        Side::Redemption => post_redemption(world, order, day),
    }
}

fn post_redemption(world: &mut World, order: &Order, day: Date) {
    let destination = match order.proceeds {
        Proceeds::Transfer(destination) => open_destination(world, destination),
        Proceeds::Keep | Proceeds::PayOut(_) => None,
    };
    let before = destination.map(|destination| Arc::clone(world.accounts.known(destination)));
    let (paid, fee) = world.change_account(order.account, |world| {
        let paid = world.book_cash(cash(order, order.account, CashBooking::Sale));
        let fee = take_fee(world, order, CashBooking::SaleFxFee);
        pass_on(world, order, destination);
        world.settle_fund(fund_of(order), day);
        (paid, fee)
    });
    if let Some(before) = before {
        world.account_changed(before);
    }
    let order = world.orders.change(order.id);
    (order.cash_transaction, order.fee_transaction) = (Some(paid), fee);
}

/// What remains of a sale moves on, whole.
fn pass_on(world: &mut World, order: &Order, destination: Option<AccountId>) {
    let amount = currency_fee::after_fee(world, order.instrument, amount_of(order));
    if let Proceeds::PayOut(bank) = order.proceeds {
        let payout = cash(order, order.account, CashBooking::SalePayout);
        let payout = world.book_cash(NewCash { amount, payout_to: Some(bank), ..payout });
        bank::payouts::plan(world, payout);
    }
    if let Some(destination) = destination {
        world.book_cash(NewCash { amount, ..cash(order, order.account, CashBooking::SaleMovedOut) });
        world.book_cash(NewCash { amount, ..cash(order, destination, CashBooking::SaleMovedIn) });
    }
}

/// The destination, if it still takes money; otherwise the cash stays on the source (rule: orders/redemption-transfer).
fn open_destination(world: &World, destination: AccountId) -> Option<AccountId> {
    world.accounts.known(destination).is_active().then_some(destination)
}
