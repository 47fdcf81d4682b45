//! Funds as the public sees them, and transfers from custodians.

use crate::identity::{Currency, InstrumentId};
use crate::ids::{AccountId, ClientId, TransferId};
use crate::market::Quote;
use crate::money::Price;
use crate::records::{Instrument, Transfer};
use crate::setup::Custodian;
use crate::store::Window;
use crate::time::{Date, Instant};
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// A fund with what is known of it at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstrumentView<'a> {
    /// The fund.
    pub record: &'a Arc<Instrument>,
    /// Last published price in the fund's currency.
    pub close_price: Option<Price>,
    /// The dealing day of that price.
    pub price_date: Option<Date>,
    /// Next cut-off for subscriptions; none when they are closed (rule: calendar/next-cut-off-shown).
    pub cut_off_sub: Option<Instant>,
    /// Next cut-off for redemptions; none when they are closed.
    pub cut_off_red: Option<Instant>,
    /// Last change of the fund or its price.
    pub modified: Instant,
}

fn view(quote: &Quote, now: Instant) -> InstrumentView<'_> {
    let close = quote.close(now);
    let fund = &quote.instrument;
    InstrumentView {
        record: fund,
        close_price: close.map(|close| close.price),
        price_date: close.map(|close| close.day),
        cut_off_sub: fund.open_for_subscription().then_some(quote.next_cut_off(now).1),
        cut_off_red: fund.open_for_redemption().then_some(quote.next_cut_off(now).1),
        modified: quote.modified(now),
    }
}

/// One fund.
#[must_use]
pub fn instrument(world: &World, instrument: InstrumentId) -> Option<InstrumentView<'_>> {
    world.market.quote(instrument).map(|quote| view(quote, world.now))
}

/// Percent that the last price of a fund is above, or below, the last one of a year before, with one decimal and for the same units;
/// none where there is no such price.
#[must_use]
pub fn year_return(world: &World, instrument: InstrumentId) -> Option<Decimal> {
    world.market.quote(instrument)?.year_return(world.now)
}

/// All funds, or those in a client's universe, ordered by id.
#[must_use]
pub fn instruments(world: &World, client: Option<ClientId>) -> Vec<InstrumentView<'_>> {
    let universe = client.and_then(|client| world.clients.get(&client)).map(|client| &client.universe);
    let mut views: Vec<_> = world
        .market
        .quotes()
        .filter(|quote| universe.is_none_or(|universe| universe.contains(quote.instrument.id)))
        .map(|quote| view(quote, world.now))
        .collect();
    views.sort_by_key(|view| view.record.id);
    views
}

/// Published prices of a fund from `from` to `to`, both inclusive, ascending; days without a price are left out.
#[must_use]
pub fn prices(world: &World, instrument: InstrumentId, from: Date, to: Date) -> Vec<(Date, Price)> {
    let Some(quote) = world.market.quote(instrument) else { return Vec::new() };
    quote.published(from, to, world.now).iter().map(|nav| (nav.day, nav.price)).collect()
}

/// SEK for one unit of `currency` as published by `at`; 1 for SEK itself.
#[must_use]
pub fn rate(world: &World, currency: Currency, at: Instant) -> Decimal {
    world.market.rate_at(currency, at)
}

/// SEK for one unit of `currency` on `day`, or the last one before it: the rate of that day's executions.
#[must_use]
pub fn rate_of_day(world: &World, currency: Currency, day: Date) -> Decimal {
    world.market.rate_of(currency, day)
}

/// The price of a fund on a dealing day, once it is published.
#[must_use]
pub fn price_of_day(world: &World, instrument: InstrumentId, day: Date) -> Option<Price> {
    let nav = world.market.quote(instrument)?.nav(day, world.now)?;
    nav.published.map(|_| nav.price)
}

/// The transfers to an account.
#[must_use]
pub fn transfers(world: &World, account: AccountId, window: &Window) -> Vec<Arc<Transfer>> {
    window.of_account(&world.transfers, account, |_| true)
}

/// A transfer of `client`; none when it is unknown or another client's.
#[must_use]
pub fn transfer(world: &World, client: ClientId, id: TransferId) -> Option<&Arc<Transfer>> {
    world.transfers.get(id).filter(|transfer| transfer.client == client)
}

/// Custodians that transfers can come from.
#[must_use]
pub fn custodians(world: &World) -> &[Custodian] {
    &world.setup().custodians
}
