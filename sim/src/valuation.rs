//! What accounts are worth now (rule: money/value, money/converted-prices).
//!
//! Invariant: units are valued at the price that positions show, so what is shown adds up (invariant 44). Absent on purpose:
//! executions, which are carried out at the exact product of price and rate.

use crate::identity::InstrumentId;
use crate::market::Market;
use crate::money::{Amount, round_half_up};
use crate::records::Account;
use crate::time::Instant;
use crate::world::World;
use rust_decimal::Decimal;

/// Decimals of `gav` and of a converted close price (rule: money/decimals, money/converted-prices).
pub(crate) const PRICE_SCALE: u32 = 6;

/// The last published price of a fund in SEK, as known at `at`.
pub(crate) fn close_price(market: &Market, instrument: InstrumentId, at: Instant) -> Option<Decimal> {
    market.close_in_sek(instrument, at).map(|close| round_half_up(close, PRICE_SCALE))
}

/// Total market value (rule: money/value): balance, settled positions, and subscriptions under way.
#[must_use]
pub fn value(world: &World, account: &Account) -> Amount {
    let held = account.positions.iter().filter_map(|position| {
        let close = close_price(&world.market, position.instrument, world.now)?;
        Some(Amount::from_units(position.settled, close))
    });
    account.balance + account.subscribed + held.sum()
}
