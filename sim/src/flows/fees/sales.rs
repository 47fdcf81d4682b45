//! Selling units for what the cash does not reach: charges, and money that payers have back (rule:
//! fees/forced-redemption).
//!
//! Invariant: each sale lowers what is needed by its worth, exactly; a canceled one raises it again, and its fund is
//! not tried twice. Absent on purpose: booking what the sales are for.

use crate::flows::orders::sell_for_platform;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::{Amount, Units, round_up};
use crate::records::{Account, FeeSale, Sales};
use crate::valuation::close_price;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Places sales, from the largest position down, until what is needed is covered or nothing is left to sell.
pub(crate) fn sell(world: &mut World, id: AccountId, sales: &mut Sales) {
    let account = Arc::clone(world.accounts.known(id));
    for (instrument, units, close) in sellable(world, &account, sales) {
        if sales.need <= Decimal::ZERO {
            return;
        }
        let decimals = world.market.known(instrument).instrument.decimals_units;
        let enough = sales.need.checked_div(close).map(|units| round_up(units, decimals));
        let enough = enough.and_then(Units::from_decimal_exact).unwrap_or(units);
        let units = enough.min(units);
        if Amount::from_units(units, close).is_zero() {
            continue;
        }
        let worth = units.get().checked_mul(close).unwrap_or(sales.need);
        sales.need -= worth;
        let order = sell_for_platform(world, &account, instrument, units);
        sales.placed.push(FeeSale { order: order.id, worth });
    }
}

/// What can be sold, the largest first; a fund that was tried is passed over.
fn sellable(world: &World, account: &Account, sales: &Sales) -> Vec<(InstrumentId, Units, Decimal)> {
    let tried: Vec<InstrumentId> = sales.placed.iter().map(|sale| world.orders.known(sale.order).instrument).collect();
    let is_open = |fund| {
        let quote = world.market.known(fund);
        quote.instrument.open_for_redemption() && !quote.refuses_orders(world.now)
    };
    let mut found: Vec<(Amount, InstrumentId, Units, Decimal)> = account
        .positions
        .iter()
        .filter(|position| position.sellable().is_positive() && !tried.contains(&position.instrument))
        .filter(|position| is_open(position.instrument))
        .filter_map(|position| {
            let close = close_price(&world.market, position.instrument, world.now)?;
            let worth = Amount::from_units(position.units, close);
            (!close.is_zero()).then_some((worth, position.instrument, position.sellable(), close))
        })
        .collect();
    // Positions are ordered by their fund's id, so a stable sort leaves ties in that order.
    found.sort_by_key(|found| std::cmp::Reverse(found.0));
    found.into_iter().map(|(_, instrument, units, close)| (instrument, units, close)).collect()
}

/// Raises what is needed by the sales that were canceled, and places others for it while the account is active. Whether none
/// is under way any more.
pub(crate) fn go_on(world: &mut World, id: AccountId, sales: &mut Sales) -> bool {
    let mut fell = false;
    for sale in sales.placed.iter_mut().filter(|sale| world.orders.known(sale.order).canceled.is_some()) {
        fell |= !sale.worth.is_zero();
        sales.need += std::mem::take(&mut sale.worth);
    }
    if fell && world.accounts.known(id).is_active() {
        sell(world, id, sales);
    }
    sales.placed.iter().all(|sale| world.orders.known(sale.order).state.is_terminal())
}
