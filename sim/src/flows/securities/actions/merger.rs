//! A fund becomes another (rule: securities/merger).

use super::booked::{end_fund, end_units, explained, pay};
use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewFund;
use crate::market::Close;
use crate::money::{Amount, Ratio, Units, product, round_down, round_half_up};
use crate::records::{CorporateAction, FundBooking, Position, Universe};
use crate::time::stockholm;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// The highest ratio that prices make: they may move on while an announced merger waits.
const HIGHEST_RATIO: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// What every account gets.
pub(super) struct Terms {
    into: InstrumentId,
    ratio: Ratio,
    /// Decimals of units of the fund that remains.
    decimals: u32,
    /// What one of them is worth.
    worth: Decimal,
    left: Close,
    joined: Close,
    loses_cost: bool,
}

impl Terms {
    pub(super) fn of(world: &World, left: InstrumentId, into: InstrumentId, ratio: Option<Ratio>) -> Self {
        let close = |fund| world.market.known(fund).close(world.now).expect("checked: it has a price");
        Self {
            into,
            ratio: ratio.unwrap_or_else(|| ratio_of(world, left, into)),
            decimals: world.market.known(into).instrument.decimals_units,
            worth: in_sek(world, into),
            left: close(left),
            joined: close(into),
            loses_cost: world.planted.is(Canary::MergerLosesCost),
        }
    }
}

/// The fund ends, and the other takes its place in universes and no orders for the rest of the day.
pub(super) fn begin(world: &mut World, fund: InstrumentId, into: InstrumentId) {
    for client in world.clients.values_mut() {
        if !client.universe.contains(fund) || client.universe.contains(into) {
            continue;
        }
        if let Universe::Only(funds) = &mut Arc::make_mut(client).universe {
            funds.insert(into);
        }
    }
    let midnight = stockholm(world.now.local_date().tomorrow().expect("dates stay within the calendar"), 0, 0);
    world.market.change(into).refuses_until = Some(midnight);
    end_fund(world, fund, Some(into));
}

/// All units of the fund become units of another, and the fraction becomes cash.
pub(super) fn carry_out(
    world: &mut World,
    action: &CorporateAction,
    terms: &Terms,
    account: AccountId,
    held: &Position,
) {
    let exact = held.units.times(terms.ratio);
    let units = Units::from_decimal_exact(round_down(exact, terms.decimals)).expect("rounded to the fund's decimals");
    let fraction = product(exact - units.get(), terms.worth).min(Amount::most(false).get());
    let fraction = round_half_up(fraction, Amount::MAX_DECIMALS);
    let fraction = Amount::from_decimal_exact(fraction).expect("rounded to 2 decimals");
    let cost = if terms.loses_cost { Decimal::ZERO } else { held.cost };
    world.change_account(account, |world| {
        pay(world, action, account, fraction);
        end_units(world, action, account, held, &terms.left);
        if units.is_positive() {
            let trade = (terms.joined.price, terms.joined.day);
            let new = explained(action, trade, NewFund::new(account, FundBooking::MergedIn, terms.into, units));
            world.book_fund(NewFund { cost, ..new });
        }
    });
}

/// Units of one fund for a unit of another, by their prices in SEK (rule: securities/merger).
pub(super) fn ratio_of(world: &World, left: InstrumentId, joined: InstrumentId) -> Ratio {
    let ratio = in_sek(world, left).checked_div(in_sek(world, joined)).unwrap_or(HIGHEST_RATIO);
    let ratio = round_half_up(ratio.min(HIGHEST_RATIO), Ratio::MAX_DECIMALS);
    Ratio::from_decimal_exact(ratio).expect("rounded to 10 decimals")
}

fn in_sek(world: &World, fund: InstrumentId) -> Decimal {
    world.market.close_in_sek(fund, world.now).expect("a fund with a price has one in SEK")
}
