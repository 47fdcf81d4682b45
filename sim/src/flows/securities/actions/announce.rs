//! An action is announced: what can be announced, and what it stops at once.

use super::concerned::{concerned, stop_orders};
use super::merger;
use super::waiting::next_look;
use crate::event::Change;
use crate::flows::securities::fund_checks;
use crate::identity::InstrumentId;
use crate::money::Ratio;
use crate::records::{CorporateAct, CorporateAction, Trading};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::timers::Timer;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// The smallest factor of a split, and ratio of a merger: one thousandth.
const LEAST: Decimal = Decimal::from_parts(1, 0, 0, false, 3);
/// The largest.
const MOST: Decimal = Decimal::ONE_THOUSAND;

/// `Announce`: trading stops, orders that the cut-off has not taken are canceled, the rest is waited for.
pub(crate) fn announce(world: &mut World, instrument: InstrumentId, act: CorporateAct) -> Result<Reply, Refusal> {
    check_figures(instrument, act)?;
    fund_checks::known(world, instrument)?;
    if act.successor().is_some_and(|into| world.market.quote(into).is_none()) {
        return Err(Refusal::one(Class::Unknown, "into", Fault::NotFound));
    }
    fund_checks::check_not_ended(world, instrument, "instrumentId")?;
    act.successor().map_or(Ok(()), |into| fund_checks::check_not_ended(world, into, "into"))?;
    check_prices(world, instrument, act)?;
    fund_checks::check_not_in_action(world, instrument, "instrumentId")?;
    act.successor().map_or(Ok(()), |into| fund_checks::check_not_in_action(world, into, "into"))?;
    // Nothing below can fail.
    let now = world.now;
    let trading_before = world.market.known(instrument).instrument.trading();
    let id = world.corporate_actions.insert_new(|id| CorporateAction {
        id,
        instrument,
        act,
        announced: now,
        trading_before,
        carried_out: None,
    });
    concerned(world, id).into_iter().for_each(|fund| world.market.change(fund).action = Some(id));
    let quote = world.market.change(instrument);
    Arc::make_mut(&mut quote.instrument).set_trading(Trading::STOPPED);
    quote.touch(now);
    stop_orders(world, instrument);
    world.timers.set(next_look(now), Timer::CarryOut(id));
    world.emit(None, Change::InstrumentsReloaded(Arc::from([instrument])));
    Ok(Reply::Instrument(instrument))
}

fn check_figures(instrument: InstrumentId, act: CorporateAct) -> Result<(), Refusal> {
    let within = |field, ratio: Ratio| match ratio {
        _ if !ratio.is_positive() => Err(Refusal::one(Class::Malformed, field, Fault::NotPositive)),
        _ if is_possible(ratio) => Ok(()),
        _ => {
            let because = "from 0.001 to 1000 is possible";
            Err(Refusal::one(Class::Malformed, field, Fault::Invalid { because }))
        }
    };
    match act {
        CorporateAct::Split { factor } if factor.get() == Decimal::ONE => {
            let because = "one unit stays one unit";
            Err(Refusal::one(Class::Malformed, "factor", Fault::Invalid { because }))
        }
        CorporateAct::Split { factor } => within("factor", factor),
        CorporateAct::Merge { into, .. } if into == instrument => {
            let because = "a fund is merged into another";
            Err(Refusal::one(Class::Malformed, "into", Fault::Invalid { because }))
        }
        CorporateAct::Merge { ratio, .. } => ratio.map_or(Ok(()), |ratio| within("ratio", ratio)),
        CorporateAct::Liquidate { price } if price.is_some_and(|price| !price.is_positive()) => {
            Err(Refusal::one(Class::Malformed, "price", Fault::NotPositive))
        }
        CorporateAct::Liquidate { .. } => Ok(()),
    }
}

/// Whether one unit can become so many.
fn is_possible(ratio: Ratio) -> bool {
    (LEAST..=MOST).contains(&ratio.get())
}

/// Both funds have a price; what follows from prices is possible, and a price that is given moves as prices may
/// (rule: securities/price-bounds).
fn check_prices(world: &World, instrument: InstrumentId, act: CorporateAct) -> Result<(), Refusal> {
    let quote = world.market.known(instrument);
    let no_price = |field| Err(Refusal::one(Class::OutsideLimits, field, Fault::NoPriceYet));
    if quote.close(world.now).is_none() {
        return no_price("instrumentId");
    }
    match act {
        CorporateAct::Merge { into, .. } if world.market.known(into).close(world.now).is_none() => no_price("into"),
        CorporateAct::Merge { into, ratio: None } if !is_possible(merger::ratio_of(world, instrument, into)) => {
            let because = "the prices of the funds make a ratio that is not from 0.001 to 1000";
            Err(Refusal::one(Class::OutsideLimits, "ratio", Fault::Invalid { because }))
        }
        CorporateAct::Split { factor } if !quote.bears(factor, world.now) => {
            let because = "a price of the fund would leave the bounds of prices after a split, 0.01 and 10^14";
            Err(Refusal::one(Class::OutsideLimits, "factor", Fault::Invalid { because }))
        }
        CorporateAct::Liquidate { price: Some(price) } => {
            let (low, high) = quote.bounds(quote.next_cut_off(world.now).0, world.now);
            if low <= price && price <= high {
                return Ok(());
            }
            Err(Refusal::one(Class::OutsideLimits, "price", Fault::OutsideWalk { low, high }))
        }
        _ => Ok(()),
    }
}
