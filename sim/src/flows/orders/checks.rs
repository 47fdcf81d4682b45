//! All checks of a new order, in order of precedence.
//!
//! Invariant: pure; the first class that fails is answered with all its problems (rule: orders/precedence). Absent on purpose:
//! rules that park an order instead of refusing it, which are `parking`.

use super::currency_fee::after_fee;
use crate::command::{PartialOrder, PlaceOrder};
use crate::flows::{bank, screening};
use crate::identity::InstrumentId;
use crate::market::Quote;
use crate::money::{Amount, Units};
use crate::partial::Whole as _;
use crate::records::{Account, Category, FundTransaction, FundType, Order, Proceeds, Side};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::world::World;
use std::sync::Arc;

/// Longest `clientRef` (rule: orders/order-client-ref).
const MAX_CLIENT_REF: usize = 255;

/// All checks of an order, in order of precedence (rule: orders/precedence). Pure.
pub(crate) fn check(world: &World, place: &PlaceOrder) -> Result<(), Refusal> {
    let pays_out = matches!(place.proceeds, Proceeds::PayOut(_));
    let client = world.client_that_may(place.scope, |permissions| permissions.withdrawals || !pays_out)?;
    Refusal::unless_empty(Class::Malformed, problems(&place.partial()))?;
    let account = world.account_in_scope(place.scope, place.account, "account")?;
    let destination = match place.proceeds {
        Proceeds::Transfer(id) => Some(world.account_in_scope(place.scope, id, "destinationAccount")?),
        _ => None,
    };
    check_accounts(account, destination)?;
    check_executor(account, place)?;
    let Some(quote) = world.market.quote(place.instrument) else {
        return Err(Refusal::one(Class::InstrumentUnknown, "instrument", Fault::NotFound));
    };
    check_instrument(world, account, quote, place)?;
    check_limits(world, account, quote, place)?;
    check_target(account, destination, place)?;
    if pays_out {
        screening::check_payout(world, account)?;
    }
    check_funds(account, place)?;
    if pays_out { bank::payouts::check_grant(world, client, account.id) } else { Ok(()) }
}

/// Everything that is known to be wrong with an order by itself.
#[must_use]
pub fn problems(order: &PartialOrder) -> Vec<Problem> {
    let mut problems = Vec::new();
    let amount = ("amount", order.amount.map(|amount| amount.map(Amount::is_positive)));
    let units = ("units", order.units.map(|units| units.map(Units::is_positive)));
    match order.side {
        Some(Side::Subscription) => check_size(amount, units, "a subscription is ordered by amount", &mut problems),
        Some(Side::Redemption) => check_size(units, amount, "a redemption is ordered by units", &mut problems),
        None => {}
    }
    problems.extend(client_ref_problem(order.client_ref.as_ref()));
    let has_proceeds = order.proceeds.is_some_and(|proceeds| proceeds != Proceeds::Keep);
    if has_proceeds && order.side == Some(Side::Subscription) {
        problems.push(Problem::new("orderType", Fault::Invalid { because: "only a redemption has proceeds" }));
    }
    // A payout names the person who orders it (rule: orders/executor).
    if matches!(order.proceeds, Some(Proceeds::PayOut(_))) && order.executor == Some(None) {
        problems.push(Problem::new("executorRef", Fault::Missing));
    }
    problems
}

/// What is wrong with a `clientRef`, as far as it is known.
pub(crate) fn client_ref_problem(client_ref: Option<&Option<Arc<str>>>) -> Option<Problem> {
    let text = client_ref?.as_ref()?;
    let too_long = text.chars().count() > MAX_CLIENT_REF;
    too_long.then(|| Problem::new("clientRef", Fault::TooLong { max: MAX_CLIENT_REF }))
}

/// A field, and whether its value is greater than zero.
type Size = (&'static str, Option<Option<bool>>);

/// An order says how much in one of two fields.
fn check_size(wanted: Size, other: Size, because: &'static str, problems: &mut Vec<Problem>) {
    match wanted.1 {
        Some(None) => problems.push(Problem::new(wanted.0, Fault::Missing)),
        Some(Some(false)) => problems.push(Problem::new(wanted.0, Fault::NotPositive)),
        Some(Some(true)) | None => {}
    }
    if matches!(other.1, Some(Some(_))) {
        problems.push(Problem::new(other.0, Fault::Forbidden { because }));
    }
}

fn check_accounts(account: &Account, destination: Option<&Arc<Account>>) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    if !account.is_active() {
        problems.push(Problem::new("account", Fault::NotActive { status: account.state.name() }));
    }
    if let Some(destination) = destination.filter(|destination| !destination.is_active()) {
        let status = destination.state.name();
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

fn check_instrument(world: &World, account: &Account, quote: &Quote, place: &PlaceOrder) -> Result<(), Refusal> {
    let (fund, side) = (&quote.instrument, place.side);
    if !world.clients[&account.client].universe.contains(fund.id) {
        return Err(Refusal::one(Class::NotInUniverse, "instrument", Fault::NotInUniverse));
    }
    let closed = match side {
        _ if !fund.is_tradable => Some(Fault::Suspended),
        Side::Subscription if !fund.is_buyable => Some(Fault::ClosedForSubscription),
        Side::Redemption if !fund.is_sellable => Some(Fault::ClosedForRedemption),
        _ if quote.refuses_orders(world.now) => Some(Fault::TakesOverAnother),
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
            let specific = if has_bought(world, account, fund.id) { fund.min_subsequent } else { fund.min_initial };
            let min = specific.unwrap_or(fund.min_investment);
            if amount < min {
                problems.push(Problem::new("amount", Fault::BelowMinimum { min }));
            } else if Units::bought_for(after_fee(world, fund.id, amount), close, fund.decimals_units).is_zero() {
                problems.push(Problem::new("amount", Fault::WorthNothing));
            }
        }
        Side::Redemption => {
            let units = place.units.unwrap_or(Units::ZERO);
            let everything = account.position(fund.id).is_some_and(|position| position.sellable() == units);
            if units.decimals() > fund.decimals_units && !everything {
                problems.push(Problem::new("units", Fault::TooManyDecimals { max: fund.decimals_units }));
            } else if Amount::from_units(units, close).is_zero() {
                problems.push(Problem::new("units", Fault::WorthNothing));
            }
            if matches!(place.proceeds, Proceeds::PayOut(_)) {
                problems.extend(bank::withdrawal_limits::check_sale(world, account, fund.id, units));
            }
        }
    }
    Refusal::unless_empty(Class::OutsideLimits, problems)
}

/// Whether units of a fund have ever come to an account, or an order of it has bought or is buying some
/// (rule: orders/minimums).
pub(crate) fn has_bought(world: &World, account: &Account, fund: InstrumentId) -> bool {
    let holds = account.position(fund).is_some();
    let brings = |units: &Arc<FundTransaction>| {
        units.instrument == fund && units.kind == FundType::Subscription && units.aborted.is_none()
    };
    let buys =
        |order: &Arc<Order>| order.instrument == fund && order.side == Side::Subscription && order.canceled.is_none();
    holds || world.orders.of_account(account.id, None).any(buys) || world.funds.of_account(account.id, None).any(brings)
}

fn check_target(account: &Account, destination: Option<&Arc<Account>>, place: &PlaceOrder) -> Result<(), Refusal> {
    match (place.proceeds, destination) {
        (Proceeds::PayOut(target), _) => bank::payouts::check_target(account, target),
        (Proceeds::Transfer(_), Some(destination)) if destination.id == account.id => {
            Err(Refusal::one(Class::BadTarget, "destinationAccount", Fault::SameAccount))
        }
        (Proceeds::Transfer(_), Some(destination)) if destination.owner.key() != account.owner.key() => {
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
