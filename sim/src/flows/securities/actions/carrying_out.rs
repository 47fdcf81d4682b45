//! An action is carried out: its funds at once, then the orders and the accounts with their plans that it concerns, in slices
//! (rule: calendar/slices).
//!
//! Invariants: the funds change first, so that every event has the price that holds afterwards; an account with its
//! plans goes from before to after in one piece, in its turn or earlier, where a command is about to change it; so nobody sees
//! half of an action on one account. However it is divided, the result is the same (invariant 48). Absent on purpose: when an
//! action is carried out.

use super::concerned::{accounts, concerned, orders_to_stop, stop};
use super::{liquidation, merger, split};
use crate::event::Change;
use crate::flows::plans;
use crate::ids::{AccountId, CorporateActionId};
use crate::input::Origin;
use crate::records::{CorporateAct, CorporateAction, Order};
use crate::timers::{Timer, TimerProgress};
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
pub(super) fn begin(world: &mut World, action: &CorporateAction) -> TimerProgress {
    let fund = action.instrument;
    let mut underway = TimerProgress::new(Timer::CarryOut(action.id), 0);
    // Orders that were parked after the cut-off had taken them.
    underway.orders = orders_to_stop(world, fund);
    match action.act {
        CorporateAct::Split { factor } => split::begin(world, fund, factor),
        CorporateAct::Merge { into, .. } => merger::begin(world, fund, into),
        CorporateAct::Liquidate { .. } => liquidation::begin(world, fund),
    }
    underway.accounts = accounts(world, fund);
    underway.all = underway.orders.len() + underway.accounts.len();
    underway
}

/// Continues with the records whose places are in `part`: orders first, then accounts.
pub(crate) fn go_on(world: &mut World, underway: &TimerProgress, id: CorporateActionId, part: Range<usize>) {
    let action = **world.corporate_actions.known(id);
    let terms = Terms::of(world, &action);
    let orders = underway.orders.len();
    let of_orders = part.start.min(orders)..part.end.min(orders);
    underway.orders[of_orders].iter().for_each(|order| stop(world, *order));
    let of_accounts = part.start.max(orders) - orders..part.end.max(orders) - orders;
    for &account in &underway.accounts[of_accounts] {
        if !underway.early.contains(&account) {
            carry_out(world, &action, &terms, account);
        }
    }
}

/// One account, with its plans.
fn carry_out(world: &mut World, action: &CorporateAction, terms: &Terms, account: AccountId) {
    if let Some(held) = world.accounts.known(account).position(action.instrument).cloned() {
        assert!(held.units == held.settled && held.reserved.is_zero(), "an action waits for what is on its way");
        match terms {
            Terms::Split(terms) => split::carry_out(world, action, terms, account, &held),
            Terms::Merge(terms) => merger::carry_out(world, action, terms, account, &held),
            Terms::Liquidate(terms) => liquidation::carry_out(world, action, terms, account, &held),
        }
    }
    if world.market.known(action.instrument).ended.is_some() {
        plans::changes::follow_of(world, account, action.instrument);
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
