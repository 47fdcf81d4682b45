//! A new order: checked, made, its cash or units reserved.

use super::bookings::reserve;
use super::checks::check;
use crate::command::{PlaceOrder, Scope};
use crate::event::{Change, Delta};
use crate::flows::bank;
use crate::identity::InstrumentId;
use crate::machines::Current;
use crate::machines::order::State;
use crate::money::Units;
use crate::records::{Account, Order, ParkedBy, PlacedBy, Proceeds, Side, Stamp};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// `ValidateOrder`: every check, nothing created.
pub(crate) fn validate(world: &World, place: &PlaceOrder) -> Result<Reply, Refusal> {
    check(world, place).map(|()| Reply::Valid)
}

/// `PlaceOrder`: a new order in `Received`, its cash or units reserved.
pub(crate) fn place(world: &mut World, place: PlaceOrder) -> Result<Reply, Refusal> {
    check(world, &place)?;
    // Nothing below can fail.
    if matches!(place.proceeds, Proceeds::PayOut(_)) {
        bank::payouts::use_grant(world, place.scope.client, place.account);
    }
    Ok(Reply::Order(accept(world, place, PlacedBy::Partner)))
}

/// The platform sells units of an account, whose cash stays there.
pub(crate) fn sell_for_platform(
    world: &mut World,
    account: &Account,
    instrument: InstrumentId,
    units: Units,
) -> Arc<Order> {
    let scope = Scope { partner: world.clients[&account.client].partner, client: account.client };
    let sale = PlaceOrder {
        scope,
        account: account.id,
        side: Side::Redemption,
        instrument,
        amount: None,
        units: Some(units),
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    };
    accept(world, sale, PlacedBy::Platform)
}

/// A new order that has been checked, or that the system places itself.
pub(crate) fn accept(world: &mut World, place: PlaceOrder, placed_by: PlacedBy) -> Arc<Order> {
    let now = world.now;
    let check = now.plus(world.setup.settings.acceptance_delay);
    let account = world.accounts.known(place.account).id;
    let order = world.orders.insert_new(now, |id, sorted_id| Order {
        id,
        sorted_id,
        client: place.scope.client,
        account,
        side: place.side,
        instrument: place.instrument,
        amount: place.amount,
        units: place.units,
        proceeds: place.proceeds,
        client_ref: place.client_ref,
        executor: place.executor,
        placed_by,
        state: Current::first(State::Received),
        stamp: Stamp::new(now),
        canceled: None,
        canceled_on: None,
        parked_by: ParkedBy::default(),
        ready_since: now,
        aggregate: None,
        trade: None,
        cash_transaction: None,
        fund_transaction: None,
        fee_transaction: None,
        timer: Some(world.timers.set(check, Timer::AcceptOrder(id))),
    });
    world.visits.begun(order.client, *order.state);
    reserve(world, &order);
    world.wait_for_cut_off(order.instrument, order.id);
    world.emit(Some(order.client), Change::Order(Delta::Created(Arc::clone(&order))));
    order
}
