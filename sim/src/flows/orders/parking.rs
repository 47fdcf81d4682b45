//! Which orders the system parks, and for how long (rule: orders/hold-reasons, orders/hold-lapses).

use super::step_order;
use crate::flows::screening;
use crate::ids::OrderId;
use crate::machines::order::Trigger;
use crate::market::Quote;
use crate::records::{Order, PlacedBy, Side};
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Whether a rule parks the order (rule: orders/hold-reasons, accounts/system-orders).
fn must_park(world: &World, order: &Order) -> bool {
    let account = world.accounts.known(order.account);
    let quote = world.market.known(order.instrument);
    let stopped = screening::parks_orders(world, account) || is_closed(quote, order.side);
    if order.placed_by == PlacedBy::Platform {
        return stopped;
    }
    let estimate = match (order.amount, order.units) {
        (Some(amount), _) => amount.get(),
        (None, Some(units)) => {
            let close = world.market.close_in_sek(order.instrument, world.now).unwrap_or(Decimal::ZERO);
            units.get().checked_mul(close).unwrap_or(Decimal::MAX)
        }
        (None, None) => Decimal::ZERO,
    };
    stopped
        || world.now.local_date() > account.kyc_valid_until
        || estimate > world.setup.settings.hold_above.get()
        || (order.side == Side::Subscription && quote.instrument.is_complex && !account.fund_knowledge)
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
    let trigger = if must_park(world, &order) { Trigger::Park } else { Trigger::Accept };
    step_order(world, id, trigger);
}

/// Timer: five bank days on hold end in a cancel.
pub(crate) fn lapse(world: &mut World, id: OrderId) {
    step_order(world, id, Trigger::Lapse);
}
