//! What an order holds of its account before its cut-off: a reservation, then the transaction of its first leg.
//!
//! Invariant: an order has the one or the other or neither, never both (`machines::order::State::books`).

use crate::canary::Canary;
use crate::ledger::{NewCash, NewFund};
use crate::machines::order::State;
use crate::records::{AbortReason, CashRefType, CashType, FundRefType, FundType, Order, PlatformAccount, Side};
use crate::world::World;
use rust_decimal::Decimal;

pub(super) fn reserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved += order.amount.expect("a subscription has an amount"),
        Side::Redemption => {
            let units = order.units.expect("a redemption has units");
            account.position_mut(order.instrument).reserved += units;
        }
    }
}

pub(super) fn unreserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved -= order.amount.expect("a subscription has an amount"),
        Side::Redemption => {
            let units = order.units.expect("a redemption has units");
            account.position_mut(order.instrument).reserved -= units;
        }
    }
}

/// The reservation becomes a transaction: cash out of the balance, or units out of the position.
pub(super) fn book_first_leg(world: &mut World, order: &Order) {
    let dropped = order.state == State::HoldUnbooked && world.planted.is(Canary::HoldDropsReservation);
    if !dropped {
        unreserve(world, order);
    }
    let reference = Some(order.id.text());
    world.change_account(order.account, |world| match order.side {
        Side::Subscription => {
            let cash = world.book_cash(NewCash {
                account: order.account,
                kind: CashType::Subscription,
                against: PlatformAccount::FundOrders,
                amount: order.amount.expect("a subscription has an amount"),
                reference,
                ref_type: CashRefType::Order,
                client_ref: order.client_ref.clone(),
                executor: order.executor,
                text: None,
                settlement: None,
                payout_to: None,
            });
            world.orders.change(order.id).cash_transaction = Some(cash);
        }
        Side::Redemption => {
            let fund = world.book_fund(NewFund {
                account: order.account,
                kind: FundType::Redemption,
                instrument: order.instrument,
                units: order.units.expect("a redemption has units"),
                reference,
                ref_type: FundRefType::Order,
                client_ref: order.client_ref.clone(),
                executor: order.executor,
                trade: None,
                settlement: None,
                cost: Decimal::ZERO,
            });
            world.orders.change(order.id).fund_transaction = Some(fund);
        }
    });
}

pub(super) fn abort_first_leg(world: &mut World, order: &Order) {
    world.change_account(order.account, |world| match order.side {
        Side::Subscription => {
            let cash = order.cash_transaction.expect("a booked subscription has its cash transaction");
            world.abort_cash(cash, AbortReason::ReferencedOrderCanceled);
        }
        Side::Redemption => {
            let fund = order.fund_transaction.expect("a booked redemption has its fund transaction");
            world.abort_fund(fund, AbortReason::ReferencedOrderCanceled);
        }
    });
}
