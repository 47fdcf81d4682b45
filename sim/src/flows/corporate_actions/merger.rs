//! A fund becomes another (rule: payments/merger).

use super::booked::{end, end_units, explained, holders, pay};
use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ledger::NewFund;
use crate::money::{Amount, Ratio, Units, product, round_down, round_half_up};
use crate::records::{CorporateAction, FundBooking, Universe};
use crate::time::stockholm;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// The highest ratio that prices make: they may move on while an announced merger waits.
const HIGHEST_RATIO: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// All units of the fund become units of another, and the fraction becomes cash.
pub(super) fn carry_out(world: &mut World, action: &CorporateAction, into: InstrumentId, ratio: Option<Ratio>) {
    let now = world.now;
    let close = |world: &World, fund| *world.market.known(fund).close().expect("checked: it has a price");
    let (left, joined) = (close(world, action.instrument), close(world, into));
    let worth = in_sek(world, into);
    let ratio = ratio.unwrap_or_else(|| ratio_of(world, action.instrument, into));
    let decimals = world.market.known(into).instrument.decimals_units;
    for (account, held) in holders(world, action.instrument) {
        let exact = held.units.times(ratio);
        let units = Units::from_decimal_exact(round_down(exact, decimals)).expect("rounded to the fund's decimals");
        let fraction = product(exact - units.get(), worth).min(Amount::most(false).get());
        let fraction = round_half_up(fraction, Amount::MAX_DECIMALS);
        let fraction = Amount::from_decimal_exact(fraction).expect("rounded to 2 decimals");
        let cost = if world.planted.is(Canary::MergerLosesCost) { Decimal::ZERO } else { held.cost };
        world.change_account(account, |world| {
            pay(world, action, account, fraction);
            end_units(world, action, account, &held, &left);
            if units.is_positive() {
                let trade = (joined.price, joined.day);
                let new = explained(action, trade, NewFund::new(account, FundBooking::MergedIn, into, units));
                world.book_fund(NewFund { cost, ..new });
            }
        });
    }
    for client in world.clients.values_mut() {
        if !client.universe.contains(action.instrument) || client.universe.contains(into) {
            continue;
        }
        if let Universe::Only(funds) = &mut Arc::make_mut(client).universe {
            funds.insert(into);
        }
    }
    let midnight = stockholm(now.local_date().tomorrow().expect("dates stay within the calendar"), 0, 0);
    world.market.change(into).refuses_until = Some(midnight);
    end(world, action.instrument, Some(into));
}

/// Units of one fund for a unit of another, by their prices in SEK (rule: payments/merger).
pub(super) fn ratio_of(world: &World, left: InstrumentId, joined: InstrumentId) -> Ratio {
    let ratio = in_sek(world, left).checked_div(in_sek(world, joined)).unwrap_or(HIGHEST_RATIO);
    let ratio = round_half_up(ratio.min(HIGHEST_RATIO), Ratio::MAX_DECIMALS);
    Ratio::from_decimal_exact(ratio).expect("rounded to 10 decimals")
}

fn in_sek(world: &World, fund: InstrumentId) -> Decimal {
    world.market.close_in_sek(fund, world.now).expect("a fund with a price has one in SEK")
}
