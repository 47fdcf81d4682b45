//! Daily returns of accounts and of owners (rule: accounts/performance-query).

use crate::planes::responses::{HandlerResult, json};
use sim::ids::{AccountId, ClientId};
use sim::query::{self, DailyReturn, Range};
use sim::records::OwnerKey;
use surface::auth::Caller;
use surface::extract::{Ids, Query};
use wire::accounts::performance::PerformanceEntry;
use wire::error::ApiError;
use wire::query::Parameters;

/// `GET /v2/partner/client/{clientId}/performance`
pub async fn of_owner(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    let (owner, range) = query.read(owner_and_range)?;
    let entries = caller.world.read(|world| {
        owner.map_or_else(Vec::new, |owner| query::owner_performance(world, scope.client, owner, range))
    })?;
    Ok(shown(&entries))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/performance`: the one operation whose unknown account is 404,
/// whatever is set for others (rule: accounts/performance-entries).
pub async fn of_account(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let range = query.read(range)?;
    let entries = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|_| query::account_performance(world, account, range))
    })?;
    Ok(shown(&entries.ok_or_else(|| ApiError::not_found("accountId is not known"))?))
}

fn shown(entries: &[DailyReturn]) -> axum::response::Response {
    json(&entries.iter().map(PerformanceEntry::of).collect::<Vec<_>>())
}

/// The parameters of an owner's returns: whose, and the range. Without an owner there was a problem.
pub(crate) fn owner_and_range(query: &mut Parameters<'_>) -> (Option<OwnerKey>, Range) {
    let given = (query.has("ssn"), query.has("crn"));
    let ssn = query.personal_number("ssn", "The owner, a natural person; or `crn`.");
    let crn = query.organisation_number("crn", "The owner, an organisation; or `ssn`.");
    match given {
        (true, true) => query.problem("crn", "must not be given together with ssn"),
        (false, false) => query.problem("ssn", "or crn is required"),
        (true, false) | (false, true) => {}
    }
    (ssn.map(OwnerKey::Ssn).or(crn.map(OwnerKey::Crn)), range(query))
}

/// `start` and `end`, both or neither.
pub(crate) fn range(query: &mut Parameters<'_>) -> Range {
    let given = (query.has("start"), query.has("end"));
    let start = query.date("start", "First day; needs `end`.");
    let end = query.date("end", "Last day; days that are not over are left out.");
    match (start, end) {
        (Some(start), Some(end)) if start > end => query.problem("start", "must not be after end"),
        _ if given == (true, false) => query.problem("end", "is required when start is given"),
        _ if given == (false, true) => query.problem("start", "is required when end is given"),
        _ => {}
    }
    start.zip(end)
}
