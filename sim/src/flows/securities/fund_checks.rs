//! Whether a lever can move a fund: it must be known, must not have ended, and may have to be free of corporate actions
//! (rule: securities/corporate-action-day, securities/ended-funds).

use crate::identity::InstrumentId;
use crate::money::{Units, product};
use crate::records::CorporateAct;
use crate::refusal::{Class, Fault, Refusal};
use crate::world::World;
use rust_decimal::Decimal;

/// Units worth this much are not booked: 10^15 SEK.
const MOST_WORTH: Decimal = Decimal::from_parts(2_764_472_320, 232_830, 0, false, 0);

/// A lever names a fund that there is.
pub(crate) fn known(world: &World, instrument: InstrumentId) -> Result<(), Refusal> {
    match world.market.quote(instrument) {
        Some(_) => Ok(()),
        None => Err(Refusal::one(Class::Unknown, "instrumentId", Fault::NotFound)),
    }
}

/// Whether the worth of units is small enough for the API.
pub(crate) fn fits_api(world: &World, instrument: InstrumentId, units: Units) -> bool {
    let close = world.market.close_in_sek(instrument, world.now);
    close.is_some_and(|close| product(units.get(), close) < MOST_WORTH)
}

/// Refuses units of a lever whose worth is too large for the API.
pub(crate) fn check_fits_api(
    world: &World,
    instrument: InstrumentId,
    units: Units,
    field: &str,
) -> Result<(), Refusal> {
    if fits_api(world, instrument, units) {
        return Ok(());
    }
    let because = "units worth less than 10^15 SEK are expected";
    Err(Refusal::one(Class::OutsideLimits, field.to_owned(), Fault::Invalid { because }))
}

/// Refuses a fund that has ended.
pub(crate) fn check_not_ended(world: &World, instrument: InstrumentId, field: &'static str) -> Result<(), Refusal> {
    match world.market.known(instrument).ended {
        None => Ok(()),
        Some(ended) => refuse_in_state(field, if ended.into.is_some() { "merged" } else { "liquidated" }),
    }
}

/// Refuses a fund that has ended, or that an announced corporate action concerns.
pub(crate) fn check_not_in_action(world: &World, instrument: InstrumentId, field: &'static str) -> Result<(), Refusal> {
    check_not_ended(world, instrument, field)?;
    let Some(action) = world.market.known(instrument).action else { return Ok(()) };
    let status = match world.corporate_actions.known(action).act {
        CorporateAct::Split { .. } => "in a split",
        CorporateAct::Merge { .. } => "in a merger",
        CorporateAct::Liquidate { .. } => "in a liquidation",
    };
    refuse_in_state(field, status)
}

fn refuse_in_state(field: &'static str, status: &'static str) -> Result<(), Refusal> {
    Err(Refusal::conflict(field, Fault::NotPossibleIn { status }, status, Vec::new()))
}
