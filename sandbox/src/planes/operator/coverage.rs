//! What partners have met of a world, and what never: group by group, with what makes the rest happen (rule: wire/coverage).
//!
//! Invariant: what can be met comes from the rows of the partner API, the state tables and the closed lists of codes, so that what is
//! added there is to be met here. Absent on purpose: counting, which is `hosting::coverage`'s.

mod tries;

use serde::Serialize;
use serde_json::Value;
use sim::calendar::days_later;
use sim::identity::InstrumentId;
use sim::ids::PartnerId;
use sim::machines::{MACHINES, Machine, payment, suspense};
use sim::records::{MobilePaymentError, MobilePaymentRefusal, PaymentReason};
use sim::refusal::CLASSES;
use sim::time::Date;
use sim::{World, query};

use self::tries::{SpecialFunds, Try};
use super::request::{Bearer, HandlerResult, Target, bad};
use crate::planes::responses::json;
use feed::event_types::{CALLBACK, TEST};
use hosting::coverage::{Counts, DELIVERIES, REASONS, RequestFault, SENT, SocketEnd, SpecialDay};
use surface::auth::TOKEN_PATH;
use surface::extract::Query;
use surface::route::Route;
use utoipa::ToSchema;
use wire::error::ApiError;
use wire::query::Parameters;
use wire::values::text::{Id, Timestamp};

/// The routes of all planes.
pub(super) type Rows = fn() -> Vec<&'static Route>;

/// What has been met of a world, and what never.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Coverage {
    /// Time of the world's clock.
    at: Timestamp,
    /// The partners whose integrations are counted.
    partners: Vec<Id>,
    /// The mean of the groups' shares, in whole percent, rounded down.
    share: u64,
    /// Rows that have been met, in all groups.
    met: usize,
    /// Rows that can be met, in all groups.
    rows: usize,
    groups: Vec<CoverageGroup>,
}

/// One kind of what can be met.
#[derive(Serialize, ToSchema)]
struct CoverageGroup {
    /// Its name.
    #[schema(value_type = String)]
    name: &'static str,
    /// What it counts.
    #[schema(value_type = String)]
    about: &'static str,
    /// How many of its rows have been met, in whole percent, rounded down.
    share: u64,
    /// What was never met.
    never: Vec<NeverMet>,
    /// What was met, in the order of its table.
    met: Vec<Met>,
}

/// Something that was never met.
#[derive(Serialize, ToSchema)]
struct NeverMet {
    /// What it is a part of: an operation, a resource, a way of sending.
    of: String,
    /// What it is: a status, a state, a row of a state table, a code.
    what: String,
    /// More about it: what a code means, or what came nearest to a row of a state table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about: Option<String>,
    /// What makes it happen: these requests, in this order. A row of a state table is taken from its first state.
    r#try: Vec<CoverageTry>,
}

/// A request that helps to meet something.
#[derive(Serialize, ToSchema)]
struct CoverageTry {
    /// The operation, as the description of the server calls it.
    #[schema(value_type = String)]
    operation: &'static str,
    #[schema(value_type = String)]
    method: String,
    /// Its path, with names in braces for ids.
    #[schema(value_type = String)]
    path: &'static str,
    /// What the operation does.
    about: String,
    /// The fields that matter here, where particular ones do, with names in braces for ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = serde_json::Value, required = false)]
    body: Option<Value>,
}

/// Something that was met.
#[derive(Serialize, ToSchema)]
struct Met {
    /// As in what was never met.
    of: String,
    what: String,
    /// How often.
    count: u64,
    /// More about it: what a code means, or by which ways an event was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about: Option<String>,
}

/// Whose coverage is wanted; nobody's in particular where it is left out.
pub(crate) fn wanted(query: &mut Parameters<'_>) -> Option<PartnerId> {
    query.id("partner", "Only this partner's. A partner is shown its own in any case.")
}

/// Whose coverage the bearer is shown: that of the partner that is wanted, or of all that it sees.
pub(super) fn counted_partners(target: &Target, wanted: Option<PartnerId>) -> Result<Vec<PartnerId>, ApiError> {
    let known: Vec<PartnerId> = target.world.identity.credentials().iter().map(|known| known.partner).collect();
    Ok(match (&target.bearer, wanted) {
        (_, Some(partner)) if known.contains(&partner) && target.sees(partner) => vec![partner],
        (_, Some(_)) => return Err(bad("partner", "names no partner of this world")),
        (Bearer::Partner(caller), None) => vec![caller.partner],
        (Bearer::Operator, None) => known,
    })
}

/// `GET /_sandbox/worlds/{worldId}/coverage`
pub(super) async fn show(rows: Rows, target: Target, query: Query) -> HandlerResult {
    let wanted = query.read(wanted)?;
    let counted = counted_partners(&target, wanted)?;
    let (now, funds) = target.world.read(|world| (world.now(), special_funds(world, &counted)))?;
    let counts = target.world.coverage.counts(now, |partner| counted.contains(&partner));
    let operations = rows();
    let groups = groups(&operations, &counts, now.local_date(), funds);
    let (met, all) = groups.iter().fold((0, 0), |(met, all), group| (met + group.met(), all + group.rows.len()));
    // In hundredths of a percent, so that the mean is rounded once.
    let shares = groups.iter().map(|group| percent(group.met() * 100, group.rows.len())).sum::<u64>();
    Ok(json(&Coverage {
        at: Timestamp(now),
        partners: counted.into_iter().map(|partner| Id(partner.as_uuid())).collect(),
        share: shares / 100 / groups.len() as u64,
        met,
        rows: all,
        groups: groups.into_iter().map(|group| group.shown(&operations)).collect(),
    }))
}

/// Funds of the world that orders of these partners' clients are refused or parked for.
fn special_funds(world: &World, partners: &[PartnerId]) -> SpecialFunds {
    let funds = query::instruments(world, None);
    let is_left_out = |fund: &InstrumentId| {
        let mut clients = partners.iter().flat_map(|partner| query::clients_of(world, *partner));
        clients.any(|client| !client.universe.contains(*fund))
    };
    SpecialFunds {
        outside_universe: funds.iter().map(|fund| fund.record.id).find(is_left_out),
        professional: funds.iter().find(|fund| fund.record.is_raif).map(|fund| fund.record.id),
        complex: funds.iter().find(|fund| fund.record.is_complex && !fund.record.is_raif).map(|fund| fund.record.id),
    }
}

/// A group before it is shown.
struct Group {
    name: &'static str,
    about: &'static str,
    rows: Vec<Row>,
}

/// Something that can be met.
struct Row {
    of: String,
    what: String,
    count: u64,
    about: Option<String>,
    tries: Vec<Try>,
    /// Whether an integration need not meet it: it counts for nothing while it is not met.
    is_extra: bool,
}

impl Row {
    fn new(of: impl Into<String>, what: impl Into<String>, count: u64, tries: Vec<Try>) -> Self {
        // What nothing in this world makes happen need not be met.
        let is_extra = tries.is_empty();
        Self { of: of.into(), what: what.into(), count, about: None, tries, is_extra }
    }
}

/// A whole percentage, rounded down; all of nothing is all.
fn percent(met: usize, all: usize) -> u64 {
    (met * 100).checked_div(all).unwrap_or(100) as u64
}

impl Group {
    fn new(name: &'static str, about: &'static str, rows: impl IntoIterator<Item = Row>) -> Self {
        let rows = rows.into_iter().filter(|row| row.count > 0 || !row.is_extra).collect();
        Self { name, about, rows }
    }

    fn met(&self) -> usize {
        self.rows.iter().filter(|row| row.count > 0).count()
    }

    fn shown(self, operations: &[&'static Route]) -> CoverageGroup {
        let share = percent(self.met(), self.rows.len());
        let (met, never): (Vec<_>, Vec<_>) = self.rows.into_iter().partition(|row| row.count > 0);
        let found = |one: Try| {
            let row = operations.iter().find(|row| row.operation_id() == Some(one.operation))?;
            let summary = row.operation.as_ref().and_then(|operation| operation.built.summary.clone());
            Some(CoverageTry {
                operation: one.operation,
                method: row.method.to_string(),
                path: row.path,
                about: summary.unwrap_or_default(),
                body: one.body.and_then(|body| serde_json::from_str(&body).ok()),
            })
        };
        let never = never.into_iter().map(|row| NeverMet {
            of: row.of,
            what: row.what,
            about: row.about,
            r#try: row.tries.into_iter().filter_map(found).collect(),
        });
        let met = met.into_iter().map(|row| Met { of: row.of, what: row.what, count: row.count, about: row.about });
        CoverageGroup { name: self.name, about: self.about, share, never: never.collect(), met: met.collect() }
    }
}

/// Everything that can be met, with how often it was.
fn groups(rows: &[&'static Route], counts: &Counts, today: Date, funds: SpecialFunds) -> Vec<Group> {
    vec![
        Group::new(
            "answers",
            "Statuses with which operations of the partner API have answered.",
            answers(rows, counts),
        ),
        Group::new("failures", "Failures that any request can meet.", failures(counts)),
        Group::new("refusals", "Classes in which the partner's requests were refused.", refusals(counts, funds)),
        Group::new("states", "States that the partner's resources were in.", states(counts)),
        Group::new("moves", "Rows of state tables that the partner's resources took.", moves(counts)),
        Group::new("reasons", "Reason codes that the partner's resources were given.", reasons(counts, funds)),
        Group::new("events", "Types of events and callbacks that the partner was sent.", events(counts)),
        Group::new("sockets", "How the partner's event sockets have ended.", sockets(counts)),
        Group::new("deliveries", "How attempts to deliver to the partner have ended.", deliveries(counts)),
        Group::new("days", "Days that are no usual bank days and that the clock has passed.", days(counts, today)),
    ]
}

/// Whether an integration that uses the operation has to know the status.
fn is_asked_of(row: &Route, status: &str) -> bool {
    // Others can come from every operation, and are `failures`.
    let is_own = row.operation.as_ref().is_some_and(|operation| {
        operation.built.responses.responses.contains_key(status) || operation.failures.contains(&status)
    });
    let is_good = status.starts_with('2') || status == "101";
    // Who asks for a token wrongly is not known, and a socket is opened by a library.
    let is_somebodys = row.path != TOKEN_PATH && !row.path.ends_with("/subscribe");
    is_own && (is_good || status == "400" && is_somebodys)
}

fn answers(rows: &[&'static Route], counts: &Counts) -> Vec<Row> {
    let mut all = Vec::new();
    for row in rows.iter().copied() {
        let (Some(place), Some(operation)) = (row.counted, row.operation_id()) else { continue };
        let of = format!("{} {}", row.method, row.path);
        for (status, count) in counts.answers(usize::from(place)) {
            let what = status.map_or_else(|| "another status".to_owned(), |status| status.to_string());
            let is_extra = !is_asked_of(row, &what);
            all.push(Row { is_extra, ..Row::new(&of, what, count, vec![Try { operation, body: None }]) });
        }
    }
    all
}

/// Statuses that any request can be answered with.
const COMMON: [(u16, &str); 4] =
    [(401, "the token has ended"), (403, "out of scope"), (500, "the server failed"), (503, "not available now")];

fn failures(counts: &Counts) -> Vec<Row> {
    let statuses = COMMON.map(|(status, about)| {
        Row::new("any operation", format!("{status}, {about}"), counts.answered(status), tries::of_status(status))
    });
    let faults = RequestFault::ALL
        .map(|fault| Row::new("any operation", fault.name(), counts.of_fault(fault), tries::of_fault(fault)));
    statuses.into_iter().chain(faults).collect()
}

fn refusals(counts: &Counts, funds: SpecialFunds) -> Vec<Row> {
    let classes = CLASSES.iter().map(|class| {
        let tries = tries::of_refusal(*class, funds);
        let row = Row::new("any operation", format!("{class:?}"), counts.refusals(*class), tries);
        Row { about: Some(class.about().to_owned()), ..row }
    });
    let repeated = Row::new("payments", "clientRef used twice", counts.repeats, tries::of_repetition());
    classes.chain([repeated]).collect()
}

/// The machines of partners' resources, with their counts.
pub(super) fn lives(counts: &Counts) -> impl Iterator<Item = (&'static dyn Machine, &(Vec<u64>, Vec<u64>))> {
    // What becomes of money in suspense is the operator's.
    MACHINES.iter().copied().zip(&counts.lives).filter(|(machine, _)| machine.name() != suspense::TABLE.name)
}

fn states(counts: &Counts) -> Vec<Row> {
    let mut all = Vec::new();
    for (machine, (states, _)) in lives(counts) {
        let rows = machine.rows();
        for (state, count) in machine.states().into_iter().zip(states) {
            let leads = rows.iter().find(|[from, _, to, _]| *to == state && *from != state);
            let tries = match leads {
                Some([from, on, ..]) => tries::of_move(machine.name(), from, on),
                None => tries::of_beginning(machine.name()),
            };
            all.push(Row::new(machine.name(), state, *count, tries));
        }
    }
    all
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn moves(counts: &Counts) -> Vec<Row> {
    let mut all = Vec::new();
    for (machine, (states, counted)) in lives(counts) {
        let rows = machine.rows();
        for ([from, on, to, _], count) in rows.iter().zip(counted) {
            let entered = machine.states().iter().position(|state| state == from).map_or(0, |place| states[place]);
            let left: Vec<String> = rows
                .iter()
                .zip(counted)
                .filter(|([other, ..], count)| other == from && **count > 0)
                .map(|([_, on, ..], count)| format!("{on} ({count})"))
                .collect();
            let near = match (entered, left.is_empty()) {
                (0, _) => format!("{from} was never entered"),
                (entered, true) => format!("{from} was entered {} and never left", times(entered)),
                (entered, false) => format!("{from} was entered {} and left on {}", times(entered), left.join(", ")),
            };
            let about = (*count == 0).then_some(near);
            let what = format!("{from} on {on} -> {to}");
            all.push(Row { about, ..Row::new(machine.name(), what, *count, tries::of_move(machine.name(), from, on)) });
        }
    }
    all
}

/// What a code of a bank means; other codes are words.
fn meaning(machine: &str, code: &str) -> Option<&'static str> {
    if machine == payment::TABLE.name {
        return PaymentReason::all().find(|reason| reason.code() == code).map(PaymentReason::about);
    }
    let refusal = MobilePaymentRefusal::ALL.into_iter().find(|refusal| refusal.name() == code);
    let error = MobilePaymentError::ALL.into_iter().find(|error| error.name() == code);
    refusal.map(MobilePaymentRefusal::about).or(error.map(MobilePaymentError::about))
}

fn reasons(counts: &Counts, funds: SpecialFunds) -> Vec<Row> {
    let row = |((machine, code), count): (&(&'static str, &'static str), &u64)| {
        let about = meaning(machine, code).map(str::to_owned);
        let row = Row::new(*machine, *code, *count, tries::of_reason(machine, code, funds));
        Row { about, ..row }
    };
    REASONS.iter().zip(&counts.reasons).map(row).collect()
}

fn events(counts: &Counts) -> Vec<Row> {
    let row = |(event_type, [sockets, posts]): (&&'static str, &[u64; 2])| {
        let of = if [CALLBACK, TEST].contains(event_type) { "receivers" } else { "subscribers" };
        let about = format!("{sockets} over sockets, {posts} to receivers");
        let count = sockets + posts;
        Row { about: (count > 0).then_some(about), ..Row::new(of, *event_type, count, tries::of_event(event_type)) }
    };
    SENT.iter().zip(&counts.sent).map(row).collect()
}

fn sockets(counts: &Counts) -> Vec<Row> {
    let row = |(end, count): (SocketEnd, u64)| {
        // What the client does by itself it need not do.
        let is_extra = matches!(end, SocketEnd::Left | SocketEnd::Broken);
        Row { is_extra, ..Row::new("sockets", end.name(), count, tries::of_socket(end)) }
    };
    SocketEnd::ALL.into_iter().zip(counts.sockets).map(row).collect()
}

/// What a receiver does, where that decides how an attempt ends.
fn answer_of_receiver(outcome: &str) -> Option<&'static str> {
    match outcome {
        "received" => Some("the receiver answers 2xx"),
        "refused" => Some("the receiver answers 400"),
        "gone" => Some("the receiver answers 410, and is sent nothing more"),
        _ => None,
    }
}

fn deliveries(counts: &Counts) -> Vec<Row> {
    let row = |(outcome, count)| {
        let about = answer_of_receiver(outcome).map(str::to_owned);
        Row { about, ..Row::new("attempts", outcome, count, tries::of_delivery(outcome)) }
    };
    DELIVERIES.into_iter().zip(counts.deliveries).map(row).collect()
}

fn days(counts: &Counts, today: Date) -> Vec<Row> {
    let row = |day: SpecialDay| {
        let next = (1..=400).map(|days| days_later(today, days)).find(|date| SpecialDay::of(*date) == Some(day));
        Row::new("calendar", day.name(), counts.days(day), next.map(tries::of_day).unwrap_or_default())
    };
    SpecialDay::ALL.map(row).into_iter().collect()
}

#[cfg(test)]
mod tests;
