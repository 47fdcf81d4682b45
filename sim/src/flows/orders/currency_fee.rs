//! What it costs to change money for a fund of another currency (rule: fees/currency-fee).
//!
//! Invariant: the fee is less than the amount, since its setting is. Absent on purpose: booking it.

use crate::identity::{Currency, InstrumentId};
use crate::money::{Amount, round_half_up};
use crate::world::World;
use rust_decimal::Decimal;

/// The fee on `amount`; nothing in the accounts' own currency.
pub(crate) fn of(world: &World, instrument: InstrumentId, amount: Amount) -> Amount {
    let percent = world.setup.settings.fx_fee;
    if percent.is_zero() || instrument.currency() == Currency::SEK {
        return Amount::ZERO;
    }
    let exact = amount.get().checked_mul(percent.get() / Decimal::ONE_HUNDRED).unwrap_or(Decimal::ZERO);
    Amount::from_decimal_exact(round_half_up(exact, Amount::MAX_DECIMALS)).expect("rounded to 2 decimals")
}

/// What is left of `amount` to buy for, or to pass on.
pub(crate) fn after_fee(world: &World, instrument: InstrumentId, amount: Amount) -> Amount {
    amount - of(world, instrument, amount)
}
