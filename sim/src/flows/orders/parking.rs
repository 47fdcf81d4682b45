//! Which orders the system parks, and for how long (rule: orders/hold-reasons, orders/hold-lapses).

use super::{park, step_order};
use crate::flows::screening;
use crate::ids::OrderId;
use crate::machines::order::Trigger;
use crate::market::Quote;
use crate::records::{Order, ParkedBy, ParkingCheck, PlacedBy, Side};
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// The checks that the order does not pass (rule: orders/hold-reasons, accounts/system-orders).
fn failed_checks(world: &World, order: &Order) -> ParkedBy {
    let account = world.accounts.known(order.account);
    let quote = world.market.known(order.instrument);
    let fails = |check: &ParkingCheck| match check {
        ParkingCheck::Sanctions => screening::parks_orders(world, account),
        ParkingCheck::ClosedFund => is_closed(quote, order.side),
        // The platform's own orders are stopped by nothing else.
        _ if order.placed_by == PlacedBy::Platform => false,
        ParkingCheck::ExpiredKyc => world.now.local_date() > account.kyc_valid_until,
        ParkingCheck::LargeOrder => estimate(world, order) > world.setup.settings.hold_above.get(),
        ParkingCheck::FundKnowledge => {
            order.side == Side::Subscription && quote.instrument.is_complex && !account.fund_knowledge
        }
        ParkingCheck::BackOffice => false,
    };
    ParkingCheck::ALL.into_iter().filter(fails).collect()
}

/// What the order is worth, at the last price where it names units.
fn estimate(world: &World, order: &Order) -> Decimal {
    match (order.amount, order.units) {
        (Some(amount), _) => amount.get(),
        (None, Some(units)) => {
            let close = world.market.close_in_sek(order.instrument, world.now).unwrap_or(Decimal::ZERO);
            units.get().checked_mul(close).unwrap_or(Decimal::MAX)
        }
        (None, None) => Decimal::ZERO,
    }
}

/// Whether the fund takes no orders on that side.
pub(crate) fn is_closed(quote: &Quote, side: Side) -> bool {
    match side {
        Side::Subscription => !quote.instrument.open_for_subscription(),
        Side::Redemption => !quote.instrument.open_for_redemption(),
    }
}

/// Timer: a second after arrival the order is accepted or parked.
pub(crate) fn first_check(world: &mut World, id: OrderId) {
    let order = Arc::clone(world.orders.known(id));
    let failed = failed_checks(world, &order);
    if failed.is_empty() {
        step_order(world, id, Trigger::Accept);
    } else {
        park(world, id, failed.checks());
    }
}

/// Timer: five bank days on hold end in a cancel.
pub(crate) fn lapse(world: &mut World, id: OrderId) {
    step_order(world, id, Trigger::Lapse);
}
