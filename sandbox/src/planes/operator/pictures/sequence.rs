//! The sequence of what happened to a resource, or last in a world, from the changes that `why` explains.
//!
//! Invariant: what is drawn is what `why` and the list of requests answer to the same bearer. Absent on purpose: which requests were
//! refused (`refused`), and how steps are drawn (`drawing::sequence`).

use drawing::sequence::{Change, Facts, Lane, Step, StepKind};
use rust_decimal::prelude::ToPrimitive as _;
use uuid::Uuid;

use super::super::request::Target;
use super::super::why::{self, BookingShown, ChangeShown, EventShown, RequestShown, ShownDelivery};
use super::lanes::{SHORT, lane_of_account, lane_of_route, lanes_of_timer, method_and_path};
use super::refused;
use wire::error::ApiError;

/// Changes, unless the request says how many.
const USUAL: usize = 40;
/// Changes at most.
pub(super) const MOST: usize = 200;

/// What is drawn of a resource, or of the whole world where none is named.
pub(super) async fn facts(target: &Target, id: Option<Uuid>, limit: Option<usize>) -> Result<Facts, ApiError> {
    let most = limit.unwrap_or(USUAL);
    let (about, total, forgotten, found) = match id {
        Some(id) => {
            let why = why::explain(target, id, most).await?;
            (why.what.to_owned(), why.total, why.forgotten, why.changes)
        }
        None => {
            let latest = why::latest(target, most).await?;
            ("the last changes of the world".to_owned(), latest.total, latest.forgotten, latest.changes)
        }
    };
    let left_out = total - found.len();
    let changes = found.iter().map(change).collect();
    let (refused, refused_left_out) = refused::requests(target, id, &found, left_out > 0);
    let changes = refused::merged(changes, refused);
    let id = id.map(|id| id.to_string());
    Ok(Facts { about, id, changes, left_out, refused_left_out, forgotten, steps_left_out: 0 }.bounded())
}

fn change(shown: &ChangeShown) -> Change {
    let cause = match (shown.timer, &shown.command, &shown.act) {
        (Some(timer), ..) => timer.to_owned(),
        (None, Some(command), _) => in_words(command),
        (None, None, Some(act)) => act.clone(),
        (None, None, None) => "a cause that is no longer kept".to_owned(),
    };
    let mut steps: Vec<Step> = Vec::new();
    // A timer fires by itself: the request that moved the clock did not ask for it.
    let request = shown.request.as_ref().filter(|_| shown.timer.is_none());
    match (shown.timer, request) {
        (Some(timer), _) => {
            let (from, to) = lanes_of_timer(timer);
            steps.push(Step::new(StepKind::Timer, from, to, timer.to_owned()));
        }
        (None, Some(request)) => {
            let lane = lane_of_route(request.route.unwrap_or_default());
            steps.push(Step::new(StepKind::Request, lane, Lane::Platform, words_of_request(request)));
        }
        (None, None) => steps.push(Step::new(StepKind::Request, Lane::Platform, Lane::Platform, cause.clone())),
    }
    steps.extend(shown.bookings.iter().map(booking));
    let is_booked =
        |event: &&EventShown| shown.bookings.iter().any(|booking| booking.transaction.0 == event.resource.0);
    steps.extend(shown.events.iter().filter(|event| !is_booked(event)).map(event));
    if let Some((request, status)) = request.and_then(|it| Some((it, it.logged.as_ref()?.status))) {
        let lane = lane_of_route(request.route.unwrap_or_default());
        if lane != Lane::Platform {
            let outcome = status.map_or("dropped".to_owned(), |status| status.to_string());
            steps.push(Step {
                outcome: Some(outcome),
                ..Step::new(StepKind::Answer, Lane::Platform, lane, "answer".to_owned())
            });
        }
    }
    let deliveries = shown.events.iter().flat_map(|event| event.deliveries.iter().map(move |one| (event, one)));
    steps.extend(deliveries.map(|(event, one)| delivery(event, one)));
    Change { at: shown.at.0, cause, input: shown.input, steps }
}

fn words_of_request(request: &RequestShown) -> String {
    match &request.logged {
        Some(logged) => method_and_path(&logged.method, &logged.path),
        None => request.route.unwrap_or("a request").to_owned(),
    }
}

fn booking(booking: &BookingShown) -> Step {
    let name = |account: &Option<String>| match account.as_deref() {
        None => "fund".to_owned(),
        Some(text) if Uuid::try_parse(text).is_ok() => {
            format!("account {}", text.chars().take(SHORT).collect::<String>())
        }
        Some(text) => in_words(text),
    };
    let lane = |account: &Option<String>| account.as_deref().map_or(Lane::Fund, lane_of_account);
    let (from, to) = (lane(&booking.debit), lane(&booking.credit));
    let ways = format!("{} → {}", name(&booking.debit), name(&booking.credit));
    let outcome = Some(booking.state.to_owned());
    match (&booking.amount, &booking.units) {
        (Some(amount), _) => {
            let ore = (amount.0.get() * rust_decimal::Decimal::ONE_HUNDRED).to_i64();
            Step { outcome, ore, ..Step::new(StepKind::Money, from, to, ways) }
        }
        (None, units) => {
            let units = units.as_ref().map(|units| units.0.normalize().to_string()).unwrap_or_default();
            let fund = booking.instrument.as_deref().unwrap_or_default();
            Step { outcome, ..Step::new(StepKind::Units, from, to, format!("{units} units of {fund}")) }
        }
    }
}

fn event(event: &EventShown) -> Step {
    let noun = event.event_type.split('.').next().unwrap_or_default();
    let id: String = event.resource.0.to_string().chars().take(SHORT).collect();
    let text = |value: &Option<serde_json::Value>| value.as_ref().and_then(|it| it.as_str().map(str::to_owned));
    let moves: Vec<_> = event.moves.iter().collect();
    let states = match (moves.first(), moves.last(), text(&event.previous_status), text(&event.status)) {
        (Some(first), Some(last), ..) => format!("{} → {}", in_words(&first.from), in_words(&last.to)),
        (_, _, Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (_, _, None, Some(after)) => after,
        _ => event.event_type.rsplit('.').next().unwrap_or_default().to_owned(),
    };
    Step::new(StepKind::Event, Lane::Platform, Lane::Platform, format!("{} {id} {states}", in_words(noun)))
}

fn delivery(event: &EventShown, one: &ShownDelivery) -> Step {
    let says = if one.is_callback { "callback".to_owned() } else { format!("webhook {}", event.event_type) };
    let tries = if one.attempts_made > 1 { format!(", {} attempts", one.attempts_made) } else { String::new() };
    let outcome = Some(format!("{}{tries}", one.status));
    Step { outcome, ..Step::new(StepKind::Delivery, Lane::Platform, Lane::Partner, says) }
}

/// `PlaceOrder` as `place order`.
fn in_words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
