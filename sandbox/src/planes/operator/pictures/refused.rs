//! Refused requests for the sequence: which the log of requests has, and where among the changes of a world they belong.
//!
//! Invariant: a bearer sees those that it reads in the list of requests, and none of a branch that the present does not come from. Absent
//! on purpose: reads of the operator's plane, which watch a world and are no part of what happened in it.

use axum::http::Method;
use drawing::sequence::{Change, Lane, Step, StepKind};
use hosting::request_log::LoggedRequest;
use serde_json::Value;
use uuid::Uuid;

use super::super::request::Target;
use super::super::why::ChangeShown;
use super::lanes::{lane_of_route, method_and_path};

/// Requests that are looked at, the newest.
pub(super) const MOST_REQUESTS: usize = 1_000;
/// Refused requests that are shown at most, the newest.
pub(super) const MOST_REFUSED: usize = 60;
/// Letters of the reason of one.
const MOST_LETTERS: usize = 200;

/// A refused request, with the last input before it.
type Placed = (u64, Change);

/// Whether a request got an error for an answer, or none.
pub(super) fn has_failed(line: &LoggedRequest) -> bool {
    line.status.is_none_or(|status| status >= 400)
}

/// The refused requests between the changes that are shown, of a resource where one is named, oldest first; and how many are not shown.
/// With `begins_late`, those before the first change are not.
pub(super) fn requests(
    target: &Target,
    id: Option<Uuid>,
    shown: &[ChangeShown],
    begins_late: bool,
) -> (Vec<Placed>, usize) {
    let is_meant = |line: &LoggedRequest| {
        has_failed(line)
            && target.sees_request_of(line.partner)
            && !(line.target.starts_with("/_sandbox") && matches!(line.method, Method::GET | Method::HEAD))
            && id.is_none_or(|id| is_about(line, id))
    };
    let (_, mut lines) = target.world.edge.request_log.last(MOST_REQUESTS, is_meant);
    lines.reverse();
    let numbers: Vec<u64> = lines.iter().map(|line| line.id).collect();
    let places = target.world.places_of_requests(&numbers);
    let first = shown.first().and_then(|change| change.input).filter(|_| begins_late).unwrap_or(0);
    let placed = lines.iter().zip(places).filter_map(|(line, place)| Some((line, place?)));
    let mut found: Vec<Placed> = placed.map(|(line, place)| (place.after, change(line, place.at))).collect();
    let all = found.len();
    found.retain(|(after, _)| *after >= first);
    found.drain(..found.len().saturating_sub(MOST_REFUSED));
    let left_out = all - found.len();
    (found, left_out)
}

/// Changes with refused requests among them, each after the changes of the inputs before it.
pub(super) fn merged(changes: Vec<Change>, refused: Vec<Placed>) -> Vec<Change> {
    let mut last = 0;
    let mut all: Vec<Placed> = Vec::with_capacity(changes.len() + refused.len());
    for change in changes {
        last = last.max(change.input.unwrap_or(last));
        all.push((last, change));
    }
    all.extend(refused);
    // Those of one input stay in this order.
    all.sort_by_key(|(input, _)| *input);
    all.into_iter().map(|(_, change)| change).collect()
}

/// Whether a request names an id, in its path or its body.
fn is_about(line: &LoggedRequest, id: Uuid) -> bool {
    let is_it = |part: &str| Uuid::try_parse(part).is_ok_and(|named| named == id);
    line.target.split(['/', '?', '&', '=']).any(is_it)
        || line.sent.as_ref().is_some_and(|body| body.text().contains(&id.to_string()))
}

fn change(line: &LoggedRequest, at: sim::time::Instant) -> Change {
    let answer = line.answered.as_ref().and_then(|body| serde_json::from_str::<Value>(&body.text()).ok());
    let text = |key: &str| answer.as_ref().and_then(|answer| answer[key].as_str());
    let outcome = match (line.status, text("error")) {
        (Some(status), Some(error)) => format!("{status} {error}"),
        (Some(status), None) => status.to_string(),
        (None, _) => "dropped".to_owned(),
    };
    let cause = match (line.status, text("error_description")) {
        (_, Some(why)) => format!("refused: {}", why.chars().take(MOST_LETTERS).collect::<String>()),
        (Some(_), None) => "refused".to_owned(),
        (None, None) => "the connection was dropped".to_owned(),
    };
    let lane = lane_of_route(&line.target);
    let says = method_and_path(line.method.as_str(), &line.target);
    let steps = vec![Step { outcome: Some(outcome), ..Step::new(StepKind::Refused, lane, Lane::Platform, says) }];
    Change { at, cause, input: None, steps }
}
