//! A world at a glance: what its accounts are worth, its orders, failing requests, webhooks, and what comes next.
//!
//! Invariant: a bearer's requests, deliveries and timers are those that it reads in their lists. Absent on purpose: what is drawn, and how
//! (`drawing::world`).

use std::collections::BTreeMap;
use std::sync::Arc;

use deliveries::machine::Status;
use drawing::world::{Facts, FailingRequest, HookHealth, Requests, WorldFacts};
use uuid::Uuid;

use super::super::advance::Sight;
use super::super::deliveries::is_seen;
use super::super::request::Target;
use super::refused::{MOST_REQUESTS, has_failed};
use wire::error::ApiError;

/// What is drawn of a world, as far as the bearer may know.
pub(super) async fn facts(target: Target) -> Result<Facts, ApiError> {
    let (requests, webhooks) = (requests(&target), webhooks(&target)?);
    let (handle, partner) = (Arc::clone(&target.world), target.one_among_others());
    let clients = target.clients()?.filter(|_| partner.is_some());
    let name = target.world.identity.name().to_string();
    let of_world = handle
        .read_apart(move |world| {
            let sight = Sight::of(world, partner);
            let sees = |client| clients.as_ref().is_none_or(|clients| clients.contains(&client));
            WorldFacts::of(world, sees, |timer| sight.has(world, timer))
        })
        .await?;
    Ok(Facts { name, world: of_world, requests, webhooks })
}

/// The newest requests that failed, the most frequent first.
fn requests(target: &Target) -> Requests {
    let (total, lines) = target.world.edge.request_log.last(MOST_REQUESTS, |line| target.sees_request_of(line.partner));
    let mut failing: BTreeMap<(String, String, u16), usize> = BTreeMap::new();
    for line in lines.iter().filter(|line| has_failed(line)) {
        let key = (line.method.to_string(), pattern(&line.target), line.status.unwrap_or(0));
        *failing.entry(key).or_default() += 1;
    }
    let mut failing: Vec<_> = failing
        .into_iter()
        .map(|((method, path, status), count)| FailingRequest {
            method,
            path,
            status: (status > 0).then_some(status),
            count,
        })
        .collect();
    failing.sort_by_key(|row| std::cmp::Reverse(row.count));
    Requests { total, looked_at: lines.len(), failing }
}

/// A path with a name in the place of each id, without what every path of a client begins with.
fn pattern(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let path = path.strip_prefix("/v2/partner").unwrap_or(path);
    let parts = path.split('/').map(|part| if Uuid::try_parse(part).is_ok() { "{id}" } else { part });
    let path = parts.collect::<Vec<_>>().join("/");
    path.strip_prefix("/client/{id}").map(str::to_owned).unwrap_or(path)
}

/// Webhooks, and callbacks together, with how their deliveries ended.
fn webhooks(target: &Target) -> Result<Vec<HookHealth>, ApiError> {
    let clients = target.clients()?;
    let hooks = target.world.subscribers.deliveries.webhooks();
    let hooks = hooks.into_iter().filter(|hook| clients.as_ref().is_none_or(|own| own.contains(&hook.client)));
    let mut found: BTreeMap<Option<Uuid>, HookHealth> =
        hooks.map(|hook| (Some(hook.id), HookHealth::new(hook.url.to_string(), hook.disabled.is_none()))).collect();
    target.world.subscribers.deliveries.look(|queue| {
        for row in queue.rows().filter(|row| is_seen(clients.as_deref(), row)) {
            let key = row.notification.ordering_key.webhook;
            let health = found.entry(key).or_insert_with(|| {
                let name = if key.is_none() { "callbacks of journeys" } else { "a webhook that was removed" };
                HookHealth::new(name.to_owned(), true)
            });
            match *row.status {
                Status::Delivered => health.delivered += 1,
                Status::Queued => health.queued += 1,
                Status::Refused => health.refused += 1,
                Status::DeadLetter => health.dead_letters += 1,
            }
        }
    });
    Ok(found.into_values().collect())
}
