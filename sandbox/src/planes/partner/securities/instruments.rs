//! Instruments and prices.

use crate::planes::responses::{HandlerResult, json, unknown};
use sim::identity::InstrumentId;
use sim::ids::ClientId;
use sim::query;
use sim::time::{Date, Instant};
use std::time::Duration;
use surface::auth::Caller;
use surface::extract::{Ids, Query};
use wire::query::Parameters;
use wire::securities::instruments::{HistoricalPrice, Shown};

/// Longest range of prices, from the first day to the last: 365 days (rule: wire/price-range).
const LONGEST_RANGE: Duration = Duration::from_secs(365 * 24 * 3_600);

/// `GET /v2/partner/instrument`
pub async fn list(caller: Caller, query: Query) -> HandlerResult {
    listed(&caller, None, &query)
}

/// `GET /v2/partner/instrument/{instrumentId}`
pub async fn read(caller: Caller, Ids(instrument): Ids<InstrumentId>) -> HandlerResult {
    let shown = caller.world.read(|world| query::instrument(world, instrument).as_ref().map(Shown::of))?;
    Ok(json(&shown.ok_or_else(|| unknown(&caller, "instrumentId"))?.shape()))
}

/// `GET /v2/partner/client/{clientId}/instrument`
pub async fn universe(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    listed(&caller, Some(scope.client), &query)
}

/// `GET /v2/partner/client/{clientId}/instrument/{instrumentId}/prices`
pub async fn prices(
    caller: Caller,
    Ids((client, instrument)): Ids<(ClientId, InstrumentId)>,
    query: Query,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let given = query.read(range)?;
    let prices = caller.world.read(|world| {
        let offered = query::client(world, scope.client).is_some_and(|client| client.universe.contains(instrument));
        if !offered || query::instrument(world, instrument).is_none() {
            return None;
        }
        let (from, to) = given.unwrap_or_else(|| year_to(world.now().local_date()));
        Some(query::prices(world, instrument, from, to))
    })?;
    let prices = prices.ok_or_else(|| unknown(&caller, "instrumentId"))?;
    Ok(json(&prices.iter().map(HistoricalPrice::of).collect::<Vec<_>>()))
}

/// Where to start, how many, and how recently changed; instruments are ordered by their id (rule: wire/start).
pub(crate) struct Slice {
    start: Option<InstrumentId>,
    limit: Option<usize>,
    modified_from: Option<Instant>,
}

/// The parameters of a listing.
pub(crate) fn slice(query: &mut Parameters<'_>) -> Slice {
    Slice {
        start: query.instrument("start", "The id to start from, inclusive."),
        limit: query.limit(),
        modified_from: query.modified_from(),
    }
}

fn listed(caller: &Caller, client: Option<ClientId>, query: &Query) -> HandlerResult {
    let Slice { start, limit, modified_from } = query.read(slice)?;
    let shown: Vec<Shown> = caller.world.read(|world| {
        query::instruments(world, client)
            .iter()
            .filter(|view| start.is_none_or(|start| view.record.id >= start))
            .filter(|view| modified_from.is_none_or(|from| view.modified >= from))
            .take(limit.unwrap_or(usize::MAX))
            .map(Shown::of)
            .collect()
    })?;
    Ok(json(&shown.iter().map(Shown::shape).collect::<Vec<_>>()))
}

/// The parameters of prices: `start` and `end`, both or neither.
pub(crate) fn range(query: &mut Parameters<'_>) -> Option<(Date, Date)> {
    let given = (query.has("start"), query.has("end"));
    let start = query.date("start", "First day; needs `end`.");
    let end = query.date("end", "Last day, at most 365 days after `start`.");
    match (start, end) {
        (Some(start), Some(end)) if start > end => query.problem("start", "must not be after end"),
        (Some(start), Some(end)) if year_to(end).0 > start => {
            query.problem("end", "must be at most 365 days after start");
        }
        _ if given == (true, false) => query.problem("end", "is required when start is given"),
        _ if given == (false, true) => query.problem("start", "is required when end is given"),
        _ => {}
    }
    start.zip(end)
}

/// The longest range that ends on `day`.
fn year_to(day: Date) -> (Date, Date) {
    (day.saturating_sub(LONGEST_RANGE), day)
}
