//! An action is carried out: its funds at once, then the orders, accounts and plans that it concerns, in slices
//! (rule: calendar/slices).
//!
//! Invariants: the funds change first, so that every event is told with the price that holds afterwards; an account with its
//! plans goes from before to after in one piece, in its turn or earlier, where a command is about to change it; so nobody sees
//! half of an action on one account. However it is divided, the same comes of it (invariant 48). Absent on purpose: when an
//! action is carried out.

use super::booked::holders;
use super::concerned::{concerned, orders_to_stop, stop};
use super::{liquidation, merger, split};
use crate::command::{Book, Booked, Command};
use crate::event::Change;
use crate::flows::plans;
use crate::ids::{AccountId, CorporateActionId};
use crate::input::Origin;
use crate::records::{CorporateAct, CorporateAction, Order};
use crate::timers::{Timer, Underway};
use crate::world::World;
use std::ops::Range;
use std::sync::Arc;

/// What is done to each account, which is the same for all of them.
enum Terms {
    Split(split::Terms),
    Merge(merger::Terms),
    Liquidate(liquidation::Terms),
}

impl Terms {
    fn of(world: &World, action: &CorporateAction) -> Self {
        match action.act {
            CorporateAct::Split { factor } => Self::Split(split::Terms::of(world, factor)),
            CorporateAct::Merge { into, ratio } => {
                Self::Merge(merger::Terms::of(world, action.instrument, into, ratio))
            }
            CorporateAct::Liquidate { price } => {
                Self::Liquidate(liquidation::Terms::of(world, action.instrument, price))
            }
        }
    }
}

/// Changes the funds, and finds out whom else it concerns.
pub(super) fn begin(world: &mut World, action: &CorporateAction) -> Underway {
    let fund = action.instrument;
    let mut underway = Underway::new(Timer::CarryOut(action.id), 0);
    // Orders that were parked after the cut-off had taken them.
    underway.orders = orders_to_stop(world, fund);
    underway.accounts = holders(world, fund);
    match action.act {
        CorporateAct::Split { factor } => split::begin(world, fund, factor),
        CorporateAct::Merge { into, .. } => merger::begin(world, fund, into),
        CorporateAct::Liquidate { .. } => liquidation::begin(world, fund),
    }
    if world.market.known(fund).ended.is_some() {
        underway.allocation_plans = plans::allocation_plans_with(world, fund);
        underway.savings_plans = plans::savings_plans_with(world, fund);
    }
    underway.all = underway.orders.len()
        + underway.accounts.len()
        + underway.allocation_plans.len()
        + underway.savings_plans.len();
    underway
}

/// Goes on with what has its place in `part`: orders, then accounts, then plans of accounts that held nothing.
pub(crate) fn go_on(world: &mut World, underway: &Underway, id: CorporateActionId, part: Range<usize>) {
    let action = **world.corporate_actions.known(id);
    let terms = Terms::of(world, &action);
    let [orders, accounts, allocations, savings] = parts(underway, &part);
    underway.orders[orders].iter().for_each(|order| stop(world, *order));
    for &account in &underway.accounts[accounts] {
        if !underway.early.contains(&account) {
            carry_out(world, &action, &terms, account);
        }
    }
    let fund = action.instrument;
    underway.allocation_plans[allocations].iter().for_each(|plan| plans::follow_allocation(world, *plan, fund));
    underway.savings_plans[savings].iter().for_each(|plan| plans::follow_savings(world, *plan, fund));
}

/// What of each list, one after the other, lies in `part`.
fn parts(underway: &Underway, part: &Range<usize>) -> [Range<usize>; 4] {
    let Underway { orders, accounts, allocation_plans, savings_plans, .. } = underway;
    let mut begin = 0;
    [orders.len(), accounts.len(), allocation_plans.len(), savings_plans.len()].map(|len| {
        let within = |at: usize| at.clamp(begin, begin + len) - begin;
        let found = within(part.start)..within(part.end);
        begin += len;
        found
    })
}

/// One account, with its plans.
fn carry_out(world: &mut World, action: &CorporateAction, terms: &Terms, account: AccountId) {
    if let Some(held) = world.accounts.known(account).position(action.instrument).cloned() {
        debug_assert!(held.units == held.settled && held.reserved.is_zero());
        match terms {
            Terms::Split(terms) => split::carry_out(world, action, terms, account, &held),
            Terms::Merge(terms) => merger::carry_out(world, action, terms, account, &held),
            Terms::Liquidate(terms) => liquidation::carry_out(world, action, terms, account, &held),
        }
    }
    if world.market.known(action.instrument).ended.is_some() {
        plans::follow_of(world, account, action.instrument);
    }
}

/// All have had their turn.
pub(crate) fn end(world: &mut World, id: CorporateActionId) {
    let (now, action) = (world.now, **world.corporate_actions.known(id));
    if matches!(action.act, CorporateAct::Split { .. }) {
        let quote = world.market.change(action.instrument);
        Arc::make_mut(&mut quote.instrument).set_trading(action.trading_before);
    }
    let funds = concerned(world, id);
    funds.iter().for_each(|fund| world.market.change(*fund).action = None);
    world.corporate_actions.change(id).carried_out = Some(now);
    world.emit(None, Change::InstrumentsReloaded(Arc::from(funds)));
}

/// An account that waits for its turn has it now: something else is about to change it.
pub(crate) fn catch_up(world: &mut World, account: AccountId) {
    let Some(id) = world.action_underway().filter(|_| world.awaits_its_turn(account)) else { return };
    let mut underway = world.cut.as_mut().and_then(|cut| cut.underway.take()).expect("an action is under way");
    let by = std::mem::replace(&mut world.cause.by, Origin::Timer(underway.timer));
    let action = **world.corporate_actions.known(id);
    let concerns = |order: &&Arc<Order>| order.instrument == action.instrument;
    let orders: Vec<_> = world.orders.of_account(account, None).filter(concerns).map(|order| order.id).collect();
    orders.into_iter().for_each(|order| stop(world, order));
    let terms = Terms::of(world, &action);
    carry_out(world, &action, &terms, account);
    underway.early.insert(account);
    world.cause.by = by;
    world.cut.get_or_insert_default().underway = Some(underway);
}

/// Whether it books units of a fund that is in the middle of an action: it has to find all accounts in one state.
pub(crate) fn is_in_the_way_of(world: &World, command: &Command) -> bool {
    let Command::Book(book) = command else { return false };
    let Book { what: Booked::Units { instrument, .. }, .. } = **book else { return false };
    world.action_underway().is_some_and(|id| concerned(world, id).contains(&instrument))
}
