//! Acts on an order that exists: the partner cancels; the back office holds and releases.
//!
//! Invariant: what the table does not allow is refused and changes nothing; a partner gets the reason in words, a lever what
//! it could do instead.

use super::{is_closed, park, step_order};
use crate::command::Scope;
use crate::ids::{OrderId, PartnerId};
use crate::machines::order::{State, Trigger};
use crate::records::{Order, ParkingCheck, PlacedBy, Side};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::timers::Cut;
use crate::world::World;
use std::sync::Arc;

/// `CancelOrder`: until the cut-off takes the order; a second cancel is harmless (rule: orders/cancel-window,
/// accounts/system-orders).
pub(crate) fn cancel(world: &mut World, scope: Scope, id: OrderId) -> Result<Reply, Refusal> {
    world.client_in_scope(scope)?;
    let found = scope::order(world, scope.client, id).map(Arc::clone);
    let order = found.ok_or_else(|| Refusal::one(Class::Unknown, "orderId", Fault::NotFound))?;
    if matches!(*order.state, State::CanceledBooked | State::CanceledUnbooked) {
        return Ok(Reply::Order(order));
    }
    if order.placed_by == PlacedBy::Platform {
        let because = "the platform placed this order, and it is not the partner's to cancel";
        return Err(Refusal::one(Class::NotAllowedNow, "orderId", Fault::Invalid { because }));
    }
    if !order.state.allows(Trigger::Cancel) || is_being_cut_off(world, &order) {
        let status = match *order.state {
            State::Aggregated | State::Received | State::Pending => "already taken by the cut-off",
            other => other.shown(&world.setup.settings),
        };
        return Err(Refusal::one(Class::NotAllowedNow, "orderId", Fault::TooLate { status }));
    }
    step_order(world, id, Trigger::Cancel);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// Whether the cut-off of this instant takes the order, and has only not come to it (rule: calendar/slices).
fn is_being_cut_off(world: &World, order: &Order) -> bool {
    let is_late = |cut: &Cut| cut.late.iter().any(|(_, late)| *late == order.id);
    matches!(*order.state, State::Received | State::Pending)
        && world.is_cutting_off(order.instrument)
        && !world.cut.as_ref().is_some_and(is_late)
}

/// Why a lever cannot move an order, with the levers that could.
pub(crate) fn refuse_lever(world: &World, order: &Order) -> Refusal {
    let levers = [("hold", Trigger::Park), ("release", Trigger::Release), ("reject", Trigger::Stop)];
    let mut allowed: Vec<&'static str> =
        levers.iter().filter(|(_, on)| order.state.allows(*on)).map(|&(name, _)| name).collect();
    if order.state.allows(Trigger::Refuse) {
        allowed.push("reject");
    }
    let status = order.state.shown(&world.setup.settings);
    Refusal::conflict("orderId", Fault::NotPossibleIn { status }, status, allowed)
}

/// `HoldOrder`.
pub(crate) fn hold(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = world.order_of_partner(partner, id)?;
    if !order.state.allows(Trigger::Park) {
        return Err(refuse_lever(world, &order));
    }
    park(world, id, [ParkingCheck::BackOffice]);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// `ReleaseOrder`: on to the next cut-off, unless the fund is closed on that side.
pub(crate) fn release(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = world.order_of_partner(partner, id)?;
    if !order.state.allows(Trigger::Release) {
        return Err(refuse_lever(world, &order));
    }
    if is_closed(world.market.known(order.instrument), order.side) {
        let fault = match order.side {
            Side::Subscription => Fault::ClosedForSubscription,
            Side::Redemption => Fault::ClosedForRedemption,
        };
        return Err(Refusal::conflict("instrument", fault, order.state.name(), vec!["reject"]));
    }
    step_order(world, id, Trigger::Release);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}
