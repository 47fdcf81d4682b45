//! The sequence of what happened to a resource, or last in a world, from the changes that `why` explains.
//!
//! Invariant: what is drawn is what `why` answers to the same bearer. Absent on purpose: requests that changed nothing, which have no
//! instant of the world's clock, and how steps are drawn (`drawing::sequence`).

use drawing::sequence::{Change, Facts, Lane, Step, StepKind};
use rust_decimal::prelude::ToPrimitive as _;
use sim::records::PlatformAccount;
use uuid::Uuid;

use super::super::request::Target;
use super::super::why::{self, BookingShown, ChangeShown, EventShown, RequestShown, ShownDelivery};
use wire::error::ApiError;

/// Changes, unless the request says how many.
const USUAL: usize = 40;
/// Changes at most.
pub(super) const MOST: usize = 200;
/// Letters of an id that distinguish it from its neighbours.
const SHORT: usize = 8;

/// What is drawn of a resource, or of the whole world where none is named.
pub(super) async fn facts(target: &Target, id: Option<Uuid>, limit: Option<usize>) -> Result<Facts, ApiError> {
    let most = limit.unwrap_or(USUAL);
    let (about, id, total, forgotten, found) = match id {
        Some(id) => {
            let why = why::explain(target, id, most).await?;
            (why.what.to_owned(), Some(id.to_string()), why.total, why.forgotten, why.changes)
        }
        None => {
            let latest = why::latest(target, most).await?;
            ("the last changes of the world".to_owned(), None, latest.total, latest.forgotten, latest.changes)
        }
    };
    let left_out = total - found.len();
    let changes = found.iter().map(change).collect();
    Ok(Facts { about, id, changes, left_out, forgotten, steps_left_out: 0 }.bounded())
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
            steps.push(step(StepKind::Timer, from, to, timer.to_owned()));
        }
        (None, Some(request)) => {
            let lane = lane_of_route(request.route.unwrap_or_default());
            steps.push(step(StepKind::Request, lane, Lane::Platform, words_of_request(request)));
        }
        (None, None) => steps.push(step(StepKind::Request, Lane::Platform, Lane::Platform, cause.clone())),
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
                ..step(StepKind::Answer, Lane::Platform, lane, "answer".to_owned())
            });
        }
    }
    let deliveries = shown.events.iter().flat_map(|event| event.deliveries.iter().map(move |one| (event, one)));
    steps.extend(deliveries.map(|(event, one)| delivery(event, one)));
    Change { at: shown.at.0, cause, input: shown.input, steps }
}

const fn step(kind: StepKind, from: Lane, to: Lane, says: String) -> Step {
    Step { kind, from, to, says, outcome: None, ore: None }
}

/// Method and path, without what every path of a client begins with, ids shortened.
fn words_of_request(request: &RequestShown) -> String {
    let Some(logged) = &request.logged else { return request.route.unwrap_or("a request").to_owned() };
    let path = logged.path.split('?').next().unwrap_or_default();
    let short = |part: &str| match Uuid::try_parse(part) {
        Ok(_) => part.chars().take(SHORT).collect(),
        Err(_) => part.to_owned(),
    };
    let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(short).collect();
    let skipped = match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["v2", "partner", "client", _, _, ..] => 4,
        ["v2", "partner", ..] => 2,
        ["_sandbox", "worlds", _, ..] => 3,
        _ => 0,
    };
    format!("{} /{}", logged.method, parts[skipped..].join("/"))
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
            Step { outcome, ore, ..step(StepKind::Money, from, to, ways) }
        }
        (None, units) => {
            let units = units.as_ref().map(|units| units.0.normalize().to_string()).unwrap_or_default();
            let fund = booking.instrument.as_deref().unwrap_or_default();
            Step { outcome, ..step(StepKind::Units, from, to, format!("{units} units of {fund}")) }
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
    step(StepKind::Event, Lane::Platform, Lane::Platform, format!("{} {id} {states}", in_words(noun)))
}

fn delivery(event: &EventShown, one: &ShownDelivery) -> Step {
    let says = if one.is_callback { "callback".to_owned() } else { format!("webhook {}", event.event_type) };
    let tries = if one.attempts_made > 1 { format!(", {} attempts", one.attempts_made) } else { String::new() };
    let outcome = Some(format!("{}{tries}", one.status));
    Step { outcome, ..step(StepKind::Delivery, Lane::Platform, Lane::Partner, says) }
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

/// Whose account of the ledger it is.
fn lane_of_account(name: &str) -> Lane {
    match PlatformAccount::ALL.into_iter().find(|role| role.name() == name) {
        Some(PlatformAccount::Bank) => Lane::Bank,
        Some(PlatformAccount::FundOrders) => Lane::Fund,
        Some(PlatformAccount::PartnerFees) => Lane::Partner,
        Some(_) | None => Lane::Platform,
    }
}

/// Who calls a route: customers the hosted pages, outsiders the levers, partners the rest of their API.
fn lane_of_route(route: &str) -> Lane {
    let Some((_, lever)) = route.split_once("/simulations/") else {
        return if route.starts_with("/v2/partner") {
            Lane::Partner
        } else if route.starts_with("/_sandbox") {
            Lane::Platform
        } else {
            Lane::Customer
        };
    };
    match lever.split('/').next().unwrap_or_default() {
        "journey" | "mobilepay" => Lane::Customer,
        "bankaccount" | "bankgiro" | "payment" | "withdrawal" | "transfer" => Lane::Bank,
        "instrument" => Lane::Fund,
        _ => Lane::Platform,
    }
}

/// Who acts when a timer fires, and who is reached; the platform itself where a kind has no row.
const LANES_OF_TIMERS: &[(&str, Lane, Lane)] = &[
    ("aggregated order routed", Lane::Platform, Lane::Fund),
    ("price published", Lane::Fund, Lane::Platform),
    ("executions confirmed", Lane::Fund, Lane::Platform),
    ("subscriptions settled", Lane::Platform, Lane::Fund),
    ("redemptions settled", Lane::Fund, Lane::Platform),
    ("exchange rate published", Lane::Bank, Lane::Platform),
    ("payout sent", Lane::Platform, Lane::Bank),
    ("payout returned", Lane::Bank, Lane::Platform),
    ("bank account checked", Lane::Bank, Lane::Platform),
    ("mandate answered", Lane::Bank, Lane::Platform),
    ("transfer sent", Lane::Platform, Lane::Bank),
    ("transfer answered", Lane::Bank, Lane::Platform),
    ("transfer completed", Lane::Bank, Lane::Platform),
    ("retrocessions paid", Lane::Fund, Lane::Platform),
    ("mobile payment answered", Lane::Customer, Lane::Platform),
    ("bankgiro payment booked", Lane::Bank, Lane::Platform),
    ("payment file closed", Lane::Platform, Lane::Bank),
    ("payment charged", Lane::Bank, Lane::Platform),
];

fn lanes_of_timer(what: &str) -> (Lane, Lane) {
    let found = LANES_OF_TIMERS.iter().find(|(word, ..)| *word == what);
    found.map_or((Lane::Platform, Lane::Platform), |&(_, from, to)| (from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::timers::Timer;

    #[test]
    fn every_row_of_lanes_is_a_kind_of_timer() {
        for (what, ..) in LANES_OF_TIMERS {
            assert!(Timer::ALL_WHAT.contains(what), "{what}");
        }
    }

    #[test]
    fn a_route_is_called_from_the_lane_of_its_caller() {
        for (route, lane) in [
            ("/v2/partner/client/{clientId}/order", Lane::Partner),
            ("/simulations/bankgiro", Lane::Bank),
            ("/simulations/journey/{journeyId}/sign", Lane::Customer),
            ("/simulations/instrument/{instrumentId}/price", Lane::Fund),
            ("/simulations/account/{accountId}/approve", Lane::Platform),
            ("/_sandbox/worlds/{worldId}/clock/advance", Lane::Platform),
            ("/journey/{token}/{page}", Lane::Customer),
        ] {
            assert_eq!(lane_of_route(route), lane, "{route}");
        }
    }
}
