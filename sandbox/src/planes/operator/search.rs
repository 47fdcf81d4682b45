//! Events found by their words (rule: events/search).
//!
//! Invariant: one search looks at a bounded number of events, from the newest back, a few at a time, so that others have their
//! turn; what it looks at is not kept. Absent on purpose: how events are shown (`inspect`).

use sim::World;
use sim::ids::ClientId;

use super::request::Target;
use feed::log::{Cursor, Numbered};
use utoipa::openapi::schema::Type;
use wire::error::ApiError;
use wire::query::Parameters;
use wire::rows::shape::plain;

/// Events that one search looks at.
const MOST_LOOKED_AT: usize = 20_000;

/// Events looked at before others have their turn.
const PIECE: u64 = 200;

/// Longest text that is searched for, in characters.
const LONGEST: usize = 200;

/// What is searched for, and where.
pub(crate) struct Sought {
    words: Vec<String>,
    before: Option<u64>,
}

/// The parameters of a search.
pub(crate) fn sought(query: &mut Parameters<'_>) -> Option<Sought> {
    let text = || plain(Type::String).max_length(Some(LONGEST)).into();
    let words = query.read(
        "search",
        "Only events that contain all of these words, ignoring case; the latest ones.",
        (format!("a text of at most {LONGEST} characters"), text),
        |text| (text.chars().count() <= LONGEST).then(|| split(text)),
    );
    let number = || plain(Type::Integer).minimum(Some(0)).into();
    let before =
        query.read("before", "With `search`: only events before this number.", ("a whole number", number), |text| {
            text.parse().ok()
        });
    words.filter(|words| !words.is_empty()).map(|words| Sought { words, before })
}

fn split(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// What a search has found.
pub(super) struct Found {
    /// Oldest first.
    pub events: Vec<Numbered>,
    /// The number from which on events were looked at.
    pub from: u64,
}

/// The last events, at most `limit`, that hold the words and that the bearer may see.
pub(super) async fn find(target: &Target, sought: &Sought, limit: usize) -> Result<Found, ApiError> {
    let log = target.world.subscribers.feed.log();
    let extent = log.extent();
    let clients = target.clients()?;
    let is_seen = |client: Option<ClientId>| match (&clients, client) {
        (Some(clients), Some(client)) => clients.contains(&client),
        _ => true,
    };
    let mut from = sought.before.map_or(extent.end.0, |before| before.min(extent.end.0));
    let (mut looked_at, mut found) = (0, Vec::new());
    while from > extent.first.0 && looked_at < MOST_LOOKED_AT && found.len() < limit {
        let start = from.saturating_sub(PIECE).max(extent.first.0);
        let mut piece = log.look_back(Cursor(start), usize::try_from(from - start).unwrap_or(usize::MAX));
        piece.retain(|(number, entry)| *number < from && is_seen(entry.event.client));
        looked_at += piece.len();
        let holds = |state: &World, (_, entry): &Numbered| {
            let message = target.world.message(state, &entry.event).to_lowercase();
            sought.words.iter().all(|word| message.contains(word))
        };
        let mut matching = target.world.read(|state| {
            let newest_first = piece.iter().rev().filter(|one| holds(state, one)).cloned();
            newest_first.take(limit - found.len()).collect::<Vec<_>>()
        })?;
        found.append(&mut matching);
        from = if found.len() < limit { start } else { found.last().map_or(start, |(number, _)| *number) };
        tokio::task::yield_now().await;
    }
    found.reverse();
    Ok(Found { events: found, from })
}
