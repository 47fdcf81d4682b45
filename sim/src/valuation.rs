//! What accounts are worth now, and what they were worth at every local midnight (rule: money/value,
//! money/converted-prices, accounts/daily-value).
//!
//! Owns: the value of now. Invariant: a day's end is reckoned from what happened and was known before the midnight that ends
//! it, so no later correction changes it; what was purged still counts. Absent on purpose: any record of past values, returns
//! and fees.

mod closings;
mod history;

pub(crate) use closings::Closings;
pub(crate) use history::MovementHistory;

use crate::identity::InstrumentId;
use crate::ids::AccountId;
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

/// As `close_price`, for the units that the account holds: those of before a split have the price of before it
/// (rule: calendar/slices).
pub(crate) fn price_held(world: &World, account: AccountId, instrument: InstrumentId, at: Instant) -> Option<Decimal> {
    if at < world.now || !world.awaits_split(account, instrument) {
        return close_price(&world.market, instrument, at);
    }
    world.market.undivided_in_sek(instrument, at).map(|close| round_half_up(close, PRICE_SCALE))
}

/// Total market value (rule: money/value): balance, settled positions, and subscriptions under way.
#[must_use]
pub fn value(world: &World, account: &Account) -> Amount {
    let held = account.positions.iter().filter_map(|position| {
        let close = price_held(world, account.id, position.instrument, world.now)?;
        Some(Amount::from_units(position.settled, close))
    });
    account.balance + account.subscribed + held.sum()
}
