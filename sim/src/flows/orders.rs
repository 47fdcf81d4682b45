//! Orders between their arrival and their cut-off: placing, the first check, parking, releasing, canceling.
//!
//! Invariant: an order in a reserving state has its amount or units in `reserved` of its account, any other has not
//! (`machines::order::State::reserves`). Absent on purpose: what happens from the cut-off on, which is `dealing`.

use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::command::{AskedProceeds, PlaceOrder, Scope};
use crate::event::{Change, Delta};
use crate::flows::{dealing, payouts, screening};
use crate::ids::{OrderId, PartnerId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::order::{Effect, State, Trigger, step};
use crate::market::Quote;
use crate::money::{Amount, Units, round_down, round_half_up};
use crate::query;
use crate::records::{
    AbortReason, Account, AccountStatus, CashRefType, CashType, Category, Client, FundRefType, FundType, Order,
    PlatformAccount, Proceeds, Side, Stamp,
};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::time::stockholm;
use crate::timers::Timer;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Longest `clientRef` (`decisions 1.6/84`).
const MAX_CLIENT_REF: usize = 255;

/// All checks of an order, in order of precedence (`decisions 1.6/86`). Pure.
fn check(world: &World, place: &PlaceOrder) -> Result<(), Refusal> {
    let client = world.client_in_scope(place.scope)?;
    check_shape(place)?;
    let account = world.account_in_scope(place.scope, place.account, "account")?;
    let destination = match place.proceeds {
        AskedProceeds::Transfer(id) => Some(world.account_in_scope(place.scope, id, "destinationAccount")?),
        _ => None,
    };
    check_accounts(account, destination)?;
    check_executor(account, place)?;
    let Some(quote) = world.market.quote(place.instrument) else {
        return Err(Refusal::one(Class::InstrumentUnknown, "instrument", Fault::NotFound));
    };
    check_instrument(client, account, quote, place.side)?;
    check_limits(world, account, quote, place)?;
    check_target(account, destination, place)?;
    screening::check_proceeds(world, account, place.proceeds)?;
    check_funds(account, place)?;
    match place.proceeds {
        AskedProceeds::PayOut(_) => payouts::check_grant(world, client, account.id),
        AskedProceeds::Keep | AskedProceeds::Transfer(_) => Ok(()),
    }
}

fn check_shape(place: &PlaceOrder) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    let (wanted, other) = match place.side {
        Side::Subscription => ("amount", "units"),
        Side::Redemption => ("units", "amount"),
    };
    let (has_wanted, has_other, positive) = match place.side {
        Side::Subscription => {
            (place.amount.is_some(), place.units.is_some(), place.amount.is_none_or(|amount| amount.is_positive()))
        }
        Side::Redemption => {
            (place.units.is_some(), place.amount.is_some(), place.units.is_none_or(|units| units.is_positive()))
        }
    };
    if !has_wanted {
        problems.push(Problem::new(wanted, Fault::Missing));
    } else if !positive {
        problems.push(Problem::new(wanted, Fault::NotPositive));
    }
    if has_other {
        let because = match place.side {
            Side::Subscription => "a subscription is ordered by amount",
            Side::Redemption => "a redemption is ordered by units",
        };
        problems.push(Problem::new(other, Fault::Forbidden { because }));
    }
    if place.client_ref.as_ref().is_some_and(|text| text.chars().count() > MAX_CLIENT_REF) {
        problems.push(Problem::new("clientRef", Fault::TooLong { max: MAX_CLIENT_REF }));
    }
    if place.proceeds != AskedProceeds::Keep {
        if place.side == Side::Subscription {
            let because = "only a redemption has proceeds";
            problems.push(Problem::new("orderType", Fault::Invalid { because }));
        }
        if place.executor.is_none() {
            problems.push(Problem::new("executorRef", Fault::Missing));
        }
    }
    Refusal::unless_empty(Class::Malformed, problems)
}

fn check_accounts(account: &Account, destination: Option<&Arc<Account>>) -> Result<(), Refusal> {
    let inactive = |account: &Account| account.status != AccountStatus::Active || account.deleted.is_some();
    let mut problems = Vec::new();
    if inactive(account) {
        problems.push(Problem::new("account", Fault::NotActive { status: query::account_status(account.status) }));
    }
    if let Some(destination) = destination.filter(|destination| inactive(destination)) {
        let status = query::account_status(destination.status);
        problems.push(Problem::new("destinationAccount", Fault::NotActive { status }));
    }
    Refusal::unless_empty(Class::AccountNotActive, problems)
}

fn check_executor(account: &Account, place: &PlaceOrder) -> Result<(), Refusal> {
    match place.executor {
        Some(executor) if !account.owner.may_be_executed_by(executor) => {
            Err(Refusal::one(Class::ExecutorMismatch, "executorRef", Fault::NotTheOwner))
        }
        _ => Ok(()),
    }
}

fn check_instrument(client: &Client, account: &Account, quote: &Quote, side: Side) -> Result<(), Refusal> {
    let fund = &quote.instrument;
    if !client.universe.contains(fund.id) {
        return Err(Refusal::one(Class::NotInUniverse, "instrument", Fault::NotInUniverse));
    }
    let closed = match side {
        _ if !fund.is_tradable => Some(Fault::Suspended),
        Side::Subscription if !fund.is_buyable => Some(Fault::ClosedForSubscription),
        Side::Redemption if !fund.is_sellable => Some(Fault::ClosedForRedemption),
        _ => None,
    };
    if let Some(fault) = closed {
        return Err(Refusal::one(Class::NotTradable, "instrument", fault));
    }
    if side == Side::Subscription && fund.is_raif && account.category != Category::Pro {
        return Err(Refusal::one(Class::NotEligible, "instrument", Fault::OnlyForProfessionals));
    }
    Ok(())
}

fn check_limits(world: &World, account: &Account, quote: &Quote, place: &PlaceOrder) -> Result<(), Refusal> {
    let fund = &quote.instrument;
    let mut problems = Vec::new();
    let Some(close) = world.market.close_in_sek(fund.id, world.now) else {
        return Err(Refusal::one(Class::OutsideLimits, "instrument", Fault::NoPriceYet));
    };
    match place.side {
        Side::Subscription => {
            let amount = place.amount.unwrap_or(Amount::ZERO);
            let held = account.position(fund.id).is_some_and(|position| !position.units.is_zero());
            let specific = if held { fund.min_subsequent } else { fund.min_initial };
            let min = specific.unwrap_or(fund.min_investment);
            if amount < min {
                problems.push(Problem::new("amount", Fault::BelowMinimum { min }));
            } else if units_for(amount, close, fund.decimals_units).is_zero() {
                problems.push(Problem::new("amount", Fault::WorthNothing));
            }
        }
        Side::Redemption => {
            let units = place.units.unwrap_or(Units::ZERO);
            let everything = account.position(fund.id).is_some_and(|position| position.sellable() == units);
            if units.decimals() > fund.decimals_units && !everything {
                problems.push(Problem::new("units", Fault::TooManyDecimals { max: fund.decimals_units }));
            } else if amount_for(units, close).is_zero() {
                problems.push(Problem::new("units", Fault::WorthNothing));
            }
        }
    }
    Refusal::unless_empty(Class::OutsideLimits, problems)
}

fn check_target(account: &Account, destination: Option<&Arc<Account>>, place: &PlaceOrder) -> Result<(), Refusal> {
    match (place.proceeds, destination) {
        (AskedProceeds::PayOut(target), _) => {
            let usable = account.bank_accounts.iter().any(|bank| bank.id == target && bank.validated);
            if usable {
                return Ok(());
            }
            Err(Refusal::one(Class::BadTarget, "bankAccount", Fault::BankAccountNotValidated))
        }
        (AskedProceeds::Transfer(_), Some(destination)) if destination.id == account.id => {
            Err(Refusal::one(Class::BadTarget, "destinationAccount", Fault::SameAccount))
        }
        (AskedProceeds::Transfer(_), Some(destination)) if destination.owner.key() != account.owner.key() => {
            Err(Refusal::one(Class::BadTarget, "destinationAccount", Fault::DifferentOwner))
        }
        _ => Ok(()),
    }
}

fn check_funds(account: &Account, place: &PlaceOrder) -> Result<(), Refusal> {
    if let Some(amount) = place.amount.filter(|&amount| amount > account.spendable()) {
        debug_assert!(amount.is_positive());
        let available = account.spendable();
        return Err(Refusal::one(Class::Insufficient, "amount", Fault::NotEnoughCash { available }));
    }
    if let Some(units) = place.units {
        let available = account.position(place.instrument).map_or(Units::ZERO, |position| position.sellable());
        if units > available {
            return Err(Refusal::one(Class::Insufficient, "units", Fault::NotEnoughUnits { available }));
        }
    }
    Ok(())
}

/// Units that `amount` SEK buys at `price` SEK, rounded down (`decisions 2.10`). Decimal division rounds its 28th digit
/// to nearest, so a quotient just below a step may arrive on it; the step too many is taken back.
pub(crate) fn units_for(amount: Amount, price: Decimal, decimals: u32) -> Units {
    let mut units = round_down(amount.get() / price, decimals);
    if units * price > amount.get() {
        units -= Decimal::new(1, decimals);
    }
    Units::from_decimal_exact(units).expect("rounded to at most 7 decimals")
}

/// SEK for `units` at `price` SEK, rounded half up (`decisions 2.10`).
pub(crate) fn amount_for(units: Units, price: Decimal) -> Amount {
    Amount::from_decimal_exact(round_half_up(units.get() * price, 2)).expect("rounded to 2 decimals")
}

/// `ValidateOrder`: every check, nothing created.
pub(crate) fn validate(world: &World, place: &PlaceOrder) -> Result<Reply, Refusal> {
    check(world, place).map(|()| Reply::Valid)
}

/// `PlaceOrder`: a new order in `Received`, its cash or units reserved.
pub(crate) fn place(world: &mut World, place: PlaceOrder) -> Result<Reply, Refusal> {
    check(world, &place)?;
    // Nothing below can fail.
    if matches!(place.proceeds, AskedProceeds::PayOut(_)) {
        payouts::use_grant(world, place.scope.client, place.account);
    }
    Ok(Reply::Order(accept(world, place)))
}

/// A new order that has been checked, or that the system places itself.
pub(crate) fn accept(world: &mut World, place: PlaceOrder) -> Arc<Order> {
    let now = world.now;
    let (id, sorted_id) = world.mint.order(now);
    let timer = world.timers.set(now.plus(world.setup.settings.acceptance_delay), Timer::AcceptOrder(id));
    let order = Arc::new(Order {
        id,
        sorted_id,
        client: place.scope.client,
        account: place.account,
        side: place.side,
        instrument: place.instrument,
        amount: place.amount,
        units: place.units,
        proceeds: match place.proceeds {
            AskedProceeds::Keep => Proceeds::Keep,
            AskedProceeds::PayOut(bank_account) => Proceeds::PayOut(bank_account),
            AskedProceeds::Transfer(account) => Proceeds::Transfer(account),
        },
        client_ref: place.client_ref,
        executor: place.executor,
        state: State::Received,
        stamp: Stamp::new(now),
        canceled: None,
        ready_since: now,
        aggregate: None,
        trade: None,
        cash_transaction: None,
        fund_transaction: None,
        timer: Some(timer),
    });
    reserve(world, &order);
    world.orders.add(Arc::clone(&order));
    world.market.change(order.instrument).waiting.push(id);
    world.emit(Some(order.client), Change::Order(Delta::Created(Arc::clone(&order))));
    order
}

fn reserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved += order.amount.expect("a subscription has an amount"),
        Side::Redemption => {
            let units = order.units.expect("a redemption has units");
            account.position_mut(order.instrument).reserved += units;
        }
    }
}

fn unreserve(world: &mut World, order: &Order) {
    let account = world.accounts.change(order.account);
    match order.side {
        Side::Subscription => account.reserved -= order.amount.expect("a subscription has an amount"),
        Side::Redemption => {
            let units = order.units.expect("a redemption has units");
            account.position_mut(order.instrument).reserved -= units;
        }
    }
}

/// `CancelOrder`: until the cut-off takes the order; a second cancel is harmless (`decisions 1.6/91`).
pub(crate) fn cancel(world: &mut World, scope: Scope, id: OrderId) -> Result<Reply, Refusal> {
    world.client_in_scope(scope)?;
    let order = match world.orders.get(id) {
        Some(order) if order.client == scope.client => Arc::clone(order),
        _ => return Err(Refusal::one(Class::Unknown, "orderId", Fault::NotFound)),
    };
    if matches!(order.state, State::CanceledBooked | State::CanceledUnbooked) {
        return Ok(Reply::Order(order));
    }
    if step(order.state, Trigger::Cancel).is_none() {
        let status = match order.state {
            State::Aggregated => "already taken by the cut-off",
            other => query::order_status(other),
        };
        return Err(Refusal::one(Class::NotAllowedNow, "orderId", Fault::TooLate { status }));
    }
    move_order(world, id, Trigger::Cancel);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// Whether a rule parks the order (`decisions 1.6/93`, `2.14`).
fn must_park(world: &World, order: &Order) -> bool {
    let account = world.accounts.known(order.account);
    let quote = world.market.known(order.instrument);
    let estimate = match (order.amount, order.units) {
        (Some(amount), _) => amount.get(),
        (None, Some(units)) => {
            let close = world.market.close_in_sek(order.instrument, world.now).unwrap_or(Decimal::ZERO);
            units.get() * close
        }
        (None, None) => Decimal::ZERO,
    };
    world.now.local_date() > account.kyc_valid_until
        || screening::parks_orders(world, account)
        || estimate > world.setup.settings.hold_above.get()
        || (order.side == Side::Subscription && quote.instrument.is_complex && !account.fund_knowledge)
        || is_closed(quote, order.side)
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
    move_order(world, id, trigger);
}

/// Timer: five bank days on hold end in a cancel.
pub(crate) fn lapse(world: &mut World, id: OrderId) {
    move_order(world, id, Trigger::Lapse);
}

/// The order of a lever's own partner, with what the levers could do to it.
fn order_of_partner(world: &World, partner: PartnerId, id: OrderId) -> Result<Arc<Order>, Refusal> {
    match world.orders.get(id) {
        Some(order) if world.clients[&order.client].partner == partner => Ok(Arc::clone(order)),
        _ => Err(Refusal::one(Class::Unknown, "orderId", Fault::NotFound)),
    }
}

fn refuse_lever(order: &Order) -> Refusal {
    let levers = [("hold", Trigger::Park), ("release", Trigger::Release), ("reject", Trigger::Stop)];
    let mut allowed: Vec<&'static str> =
        levers.iter().filter(|(_, on)| step(order.state, *on).is_some()).map(|&(name, _)| name).collect();
    if step(order.state, Trigger::Refuse).is_some() {
        allowed.push("reject");
    }
    let status = query::order_status(order.state);
    Refusal::conflict("orderId", Fault::NotPossibleIn { status }, status, allowed)
}

/// `HoldOrder`.
pub(crate) fn hold(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = order_of_partner(world, partner, id)?;
    if step(order.state, Trigger::Park).is_none() {
        return Err(refuse_lever(&order));
    }
    move_order(world, id, Trigger::Park);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// `ReleaseOrder`: on to the next cut-off, unless the fund is closed on that side.
pub(crate) fn release(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = order_of_partner(world, partner, id)?;
    if step(order.state, Trigger::Release).is_none() {
        return Err(refuse_lever(&order));
    }
    if is_closed(world.market.known(order.instrument), order.side) {
        let fault = match order.side {
            Side::Subscription => Fault::ClosedForSubscription,
            Side::Redemption => Fault::ClosedForRedemption,
        };
        return Err(Refusal::conflict("instrument", fault, query::order_status(order.state), vec!["reject"]));
    }
    move_order(world, id, Trigger::Release);
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// `RejectOrder`: after the cut-off the whole aggregated order falls, before it the order alone.
pub(crate) fn reject(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = order_of_partner(world, partner, id)?;
    if step(order.state, Trigger::Refuse).is_some() {
        let aggregate = order.aggregate.expect("an aggregated order knows its aggregate");
        dealing::refuse(world, aggregate);
    } else if step(order.state, Trigger::Stop).is_some() {
        move_order(world, id, Trigger::Stop);
    } else {
        return Err(refuse_lever(&order));
    }
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// Takes the table's row for `on`, with its effect on money and units, and tells what a partner can see of it.
///
/// # Panics
/// When the table has no row: callers have asked it before, or are timers that only live while it has.
pub(crate) fn move_order(world: &mut World, id: OrderId, on: Trigger) {
    let previous = Arc::clone(world.orders.known(id));
    let (row, to, effect) = step(previous.state, on).expect("the table allows what a flow does");
    world.note_row(row);
    let forgets = effect == Effect::Unreserve && world.planted.is(Canary::ReservationForgottenOnCancel);
    match effect {
        Effect::Book => book_first_leg(world, &previous),
        Effect::Unreserve if !forgets => unreserve(world, &previous),
        Effect::Abort => abort_first_leg(world, &previous),
        Effect::Unreserve | Effect::Nothing | Effect::Execute | Effect::Post => {}
    }
    if on == Trigger::Park && previous.state.reserves() && world.planted.is(Canary::HoldDropsReservation) {
        unreserve(world, &previous);
    }
    enter(world, id, to, on);
    tell(world, previous);
}

/// Puts the order into its new state, with the timer, dates and queue that belong to it.
fn enter(world: &mut World, id: OrderId, to: State, on: Trigger) {
    let now = world.now;
    let order = world.orders.change(id);
    order.state = to;
    if let Some(key) = order.timer.take() {
        world.timers.cancel(key);
    }
    match to {
        State::CanceledBooked | State::CanceledUnbooked => order.canceled = Some(now),
        State::HoldBooked | State::HoldUnbooked => {
            order.aggregate = None;
            let until = stockholm(add_bank_days(now.local_date(), world.setup.settings.hold_bank_days), 9, 0);
            order.timer = Some(world.timers.set(until, Timer::LapseOrder(id)));
        }
        State::Pending if on == Trigger::Release => {
            order.ready_since = now;
            let instrument = order.instrument;
            world.market.change(instrument).waiting.push(id);
        }
        _ => {}
    }
}

/// Stamps and tells an order's change since `previous`, if a partner can see one.
pub(crate) fn tell(world: &mut World, previous: Arc<Order>) {
    let order = world.orders.known(previous.id);
    let visible = query::order_status(order.state) != query::order_status(previous.state)
        || (order.amount, order.units) != (previous.amount, previous.units);
    if !visible {
        return;
    }
    let now = world.now;
    world.orders.change(previous.id).stamp.touch(now);
    let current = Arc::clone(world.orders.known(previous.id));
    let client = Some(current.client);
    let change = Change::Order(Delta::Updated { previous, current });
    if world.planted.is(Canary::EventSentTwice) {
        world.emit(client, change.clone());
    }
    world.emit(client, change);
}

/// The reservation becomes a transaction: cash out of the balance, or units out of the position.
fn book_first_leg(world: &mut World, order: &Order) {
    let dropped = order.state == State::HoldUnbooked && world.planted.is(Canary::HoldDropsReservation);
    if !dropped {
        unreserve(world, order);
    }
    let reference = Some(Arc::from(order.id.to_string()));
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

fn abort_first_leg(world: &mut World, order: &Order) {
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
