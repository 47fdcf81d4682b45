//! Steps against a server that is no fundsim: which of them it can be asked, and what its answers must be like beside what the
//! story expects.
//!
//! Invariant: what is judged does not depend on anything that was skipped; a step that was not asked is counted with its
//! reason. Absent on purpose: the counts themselves, and the description of the API (`foreign`).

use super::foreign_run::ForeignRun;
use super::outcome::{Failure, StepResult, Trouble};
use super::session::{JsonResponse, Session};
use crate::drivers::{From, Request};
use crate::foreign::{Foreign, Reason, Tally, chapter_of_request, wrong_with};
use bytes::Bytes;
use hyper::{HeaderMap, Method};
use language::ast::{Act, Actor, Expect, Expected, Noun, Scenario, StoryStep, When};
use language::matching::{self, Mismatch};
use language::parse::block::SETTINGS;
use language::path;
use language::routes;
use language::write;
use regex_lite::Regex;
use serde_json::Value as Json;
use sim::time::Instant;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Statuses by which a server says that it has no such lever.
const NO_SUCH: &[u16] = &[404, 405, 501];

/// Lists of a client in which all runs leave something, unless a query names whose part is meant.
const SHARED_LISTS: &[&str] = &[
    "/account",
    "/order",
    "/transaction/cash",
    "/transaction/fund",
    "/allocationplan",
    "/performance",
    "/v2/partner/client",
];

/// Words by which a query of such a list keeps to what the story has made.
const NARROWING: &[&str] = &["account", "ref", "clientRef"];

/// Beginnings of levers on the market, customers and clients, whose effects outlive a run.
const SHARED_LEVERS: &[&str] =
    &["/simulations/instrument/", "/simulations/screening", "/simulations/death", "/simulations/client/"];

/// The lever that says what a fund company's next price is.
const PRICE: &str = "/simulations/instrument/{instrument}/price";

/// What begins a journey.
const START_JOURNEY: &str = "/journey";

static A_DATE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[12]\d{3}-[01]\d-[0-3]\d").unwrap_or_else(|error| unreachable!("{error}")));

/// Why the server cannot be asked any of a story; `None` where it can be asked some.
pub(crate) fn unaskable_whole(scenario: &Scenario) -> Option<Reason> {
    let is_demo = scenario.world.setup.as_ref().is_none_or(|setup| setup.as_str() == Some("demo"));
    if scenario.needs_simulated_network() {
        return Some(Reason::Outage);
    }
    (!is_demo || !scenario.world.settings.is_empty()).then_some(Reason::World)
}

/// The steps of a story that is skipped as a whole, counted.
pub(crate) fn skipped(scenario: &Scenario, reason: Reason) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..scenario.examples.len().max(1) {
        scenario.given.iter().chain(&scenario.steps).for_each(|step| tally.skipped(chapter(&step.act), reason));
    }
    tally
}

impl Session {
    /// Meets the partners that the server's file names, and looks what time it is there.
    pub(super) async fn meet_foreign(&mut self, foreign: &Foreign) -> Result<(), String> {
        let mut run = ForeignRun::new(foreign);
        for (at, partner) in foreign.partners.iter().enumerate() {
            self.meet(at + 1, partner);
        }
        let request = Request {
            from: From::Elsewhere,
            method: Method::GET,
            path: "/ping".to_owned(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        let answer = self.driver.call(request).await.map_err(|error| format!("/ping: {error}"))?;
        if let Some(now) = answer.headers.get("date").and_then(|date| date.to_str().ok()).and_then(instant) {
            self.now_is(now);
            run.missing.retain(|name| name == "world");
        }
        self.foreign = Some(run);
        Ok(())
    }

    /// Names of a row of examples that speak of the story's own calendar.
    pub(super) fn mark_dates_as_missing(&mut self, name: &str, value: &Json) {
        if let Some(run) = self.foreign.as_mut().filter(|_| A_DATE.is_match(&value.to_string())) {
            run.missing.insert(name.to_owned());
        }
    }

    /// Whether the events of a client can be read.
    pub(super) fn is_watched(&self, partner: usize, client: usize) -> bool {
        let Some(run) = &self.foreign else { return true };
        self.check_actor(partner, client).is_ok() && !run.without.iter().any(|chapter| chapter == "Events")
    }

    /// Ids of the resources that the story has named, where others may have some, too.
    pub(super) fn own_ids(&self) -> Option<BTreeSet<String>> {
        self.foreign.as_ref()?;
        Some(self.names.resources().map(|(_, id)| id).collect())
    }

    /// Whether a step is not for this server; then it is counted.
    pub(super) fn skips(&mut self, step: &StoryStep) -> bool {
        let reason = self.reason(step);
        let Some(reason) = reason else { return false };
        self.skip(step, reason);
        true
    }

    fn reason(&self, step: &StoryStep) -> Option<Reason> {
        let run = self.foreign.as_ref()?;
        let (partner, client) = match step.actor {
            Actor::Client { partner, client } => (partner, client),
            Actor::Nobody => (1, 1),
        };
        if let Some(reason) = of_act(&step.act) {
            return Some(reason);
        }
        if run.has_moved {
            return Some(Reason::Later);
        }
        if self.check_actor(partner, client).is_err() {
            return Some(Reason::Nobody);
        }
        if run.levers.are_none() && is_lever(&step.act) {
            return Some(Reason::Lever);
        }
        if chapter(&step.act).is_some_and(|chapter| run.without.iter().any(|without| without == chapter)) {
            return Some(Reason::Without);
        }
        let text = write::write_step(step);
        if run.missing.iter().any(|name| speaks_of(&text, name)) {
            return Some(Reason::Unknown);
        }
        if run.unclaimed && matches!(step.act, Act::Expect(Expect::NothingElse(_))) {
            return Some(Reason::Unknown);
        }
        if A_DATE.is_match(&text) {
            return Some(Reason::Date);
        }
        is_shared_list(step).then_some(Reason::SharedList)
    }

    fn skip(&mut self, step: &StoryStep, reason: Reason) {
        let Some(run) = &mut self.foreign else { return };
        run.tally.skipped(chapter(&step.act), reason);
        run.has_moved |= would_move(step);
        run.unclaimed |= matches!(step.act, Act::Expect(Expect::Events { .. }));
        run.missing.extend(step.save.iter().map(|save| save.name.clone()));
        if let Act::Let(values) = &step.act {
            run.missing.extend(values.iter().map(|(name, _)| name.clone()));
        }
        self.transcript.step(&self.now, &write::write_step(step));
        self.transcript.note(&format!("skipped: it {}", reason.words()));
    }

    /// A response as it came in: held to the description of the API.
    pub(super) fn hold_to_description(&mut self, method: &str, path: &str, response: &JsonResponse) {
        let Some(run) = &mut self.foreign else { return };
        run.status = Some(response.status);
        // The levers are fundsim's own, whatever levers another server may have.
        if path.starts_with("/simulations") || path.starts_with("/_sandbox") {
            return;
        }
        let faults = wrong_with(method, path, response.status, &response.body);
        run.faults.extend(faults.into_iter().map(|(place, expected)| {
            let got = if place == "status" {
                response.status.to_string()
            } else {
                let place = place.trim_start_matches("body").trim_start_matches('.');
                let part = if place.is_empty() { None } else { path::find(&response.body, place) };
                matching::show(part.as_deref().unwrap_or(&response.body))
            };
            Mismatch { path: place, expected, got }
        }));
    }

    /// Counts the outcome of a step that was asked.
    pub(super) fn concluded(&mut self, step: &StoryStep, outcome: StepResult) -> StepResult {
        let Some(run) = &mut self.foreign else { return outcome };
        let (status, faults) = (run.status.take(), std::mem::take(&mut run.faults));
        if let (Some(lever), Some(status)) = (lever(&step.act), status) {
            let is_there = !NO_SUCH.contains(&status);
            if is_there {
                run.levers.answered(&lever);
            } else if outcome.is_err() && !run.levers.has(&lever) {
                self.skip(step, Reason::Lever);
                return Ok(());
            }
        }
        let outcome = outcome.and_then(|()| {
            let what = "the answer is not as the API describes it".to_owned();
            if faults.is_empty() { Ok(()) } else { Err(Trouble::compared(what, faults)) }
        });
        let of_step = chapter(&step.act);
        let (outcome, chapter) = match outcome {
            Ok(()) => match self.event_faults(None) {
                Ok(()) => (Ok(()), of_step),
                Err(trouble) => (Err(trouble), Some("Events")),
            },
            broken => (broken, of_step),
        };
        if let Some(run) = &mut self.foreign {
            run.tally.asked(chapter, outcome.is_ok());
        }
        outcome
    }

    /// That nothing is wrong with the events that came, nor `found` with them.
    pub(super) fn event_faults(&mut self, found: Option<Mismatch>) -> StepResult {
        let faults = self.foreign.as_mut().map(|run| std::mem::take(&mut run.event_faults));
        let mismatches: Vec<_> = faults.into_iter().flatten().chain(found).collect();
        let what = "messages on sockets are not as the API describes them".to_owned();
        if mismatches.is_empty() { Ok(()) } else { Err(Trouble::compared(what, mismatches)) }
    }

    /// A failure that shows after the last step.
    pub(super) fn at_the_end(&mut self, trouble: Trouble) -> Failure {
        if let Some(run) = &mut self.foreign {
            run.tally.asked(Some("Events"), false);
        }
        Failure { history: self.history(), ..trouble.into_failure("the sockets at the end") }
    }
}

/// What no such server can be asked, whatever it is.
fn of_act(act: &Act) -> Option<Reason> {
    match act {
        Act::Advance(_) | Act::Expect(Expect::Clock(_)) => Some(Reason::Clock),
        Act::Browse(_) | Act::Expect(Expect::Page(_)) => Some(Reason::Page),
        Act::Receiver(_)
        | Act::Expect(
            Expect::Callback(..)
            | Expect::NoCallback(_)
            | Expect::Webhooks(_)
            | Expect::NoWebhook
            | Expect::Delivery(..),
        ) => Some(Reason::Post),
        Act::Network(_) | Act::Server(_) => Some(Reason::Outage),
        Act::When(When { conditions, .. }) if conditions.iter().any(|(name, _)| is_setting(name)) => {
            Some(Reason::Machinery)
        }
        _ => request(act).and_then(|(method, path)| of_request(method, path)),
    }
}

fn of_request(method: &str, path: &str) -> Option<Reason> {
    if path.starts_with("/_sandbox") {
        return Some(Reason::Machinery);
    }
    let of_all = SHARED_LEVERS.iter().any(|lever| path.starts_with(lever));
    let of_client = method != "GET" && chapter_of_request(method, &routes::whole(path)) == Some("Clients");
    (of_all || of_client).then_some(Reason::SharedWorld)
}

fn is_setting(name: &str) -> bool {
    name.split('.').next() == Some(SETTINGS)
}

/// Method and path of a step that is a request.
fn request(act: &Act) -> Option<(&str, &str)> {
    match act {
        Act::Request(request) => request.word.sends().map(|sends| (sends.method, sends.path)),
        Act::Call(call) => Some((&call.method, &call.path)),
        _ => None,
    }
}

fn is_lever(act: &Act) -> bool {
    lever(act).is_some()
}

/// The lever that a step is.
fn lever(act: &Act) -> Option<String> {
    let (method, path) = request(act).filter(|(_, path)| path.starts_with("/simulations"))?;
    Some(format!("{method} {path}"))
}

/// Whether a step would have changed the world, had it been carried out.
fn would_move(step: &StoryStep) -> bool {
    match &step.act {
        Act::Advance(_) | Act::Browse(_) | Act::Network(_) | Act::Server(_) | Act::Repeat(_) | Act::When(_) => true,
        Act::Deferred(_) | Act::Socket(_) => true,
        // A price is worth something once it is struck, for which the clock must move; a journey, once somebody takes it.
        act => {
            let moves = |(method, path): (&str, &str)| method != "GET" && path != PRICE && path != START_JOURNEY;
            request(act).is_some_and(moves) && !expects_refusal(step)
        }
    }
}

fn expects_refusal(step: &StoryStep) -> bool {
    let refusal = |text: &str| text.starts_with('4');
    match step.expect.as_ref().and_then(|expected| expected.status.as_ref()) {
        Some(Expected::Is(status)) => refusal(status.to_string().trim_matches('"')),
        Some(Expected::Like(status)) => refusal(status),
        _ => false,
    }
}

/// Whether a step says something about a list in which other runs have left something, too.
fn is_shared_list(step: &StoryStep) -> bool {
    let Act::Call(call) = &step.act else { return false };
    let (path, query) = call.path.split_once('?').unwrap_or((&call.path, ""));
    let in_path = query.split('&').filter_map(|pair| pair.split('=').next());
    let mut names = call.query.iter().map(|(name, _)| name.as_str()).chain(in_path);
    let is_judged = step.expect.as_ref().is_some_and(|expected| expected.body.is_some()) || !step.save.is_empty();
    call.method == "GET" && is_judged && SHARED_LISTS.contains(&path) && !names.any(|name| NARROWING.contains(&name))
}

/// The chapter of the API that a step belongs to.
fn chapter(act: &Act) -> Option<&'static str> {
    match act {
        Act::Advance(_) | Act::Expect(Expect::Clock(_)) => Some("Machinery: clock"),
        Act::Socket(_) | Act::ForgetEvents => Some("Events"),
        Act::Browse(_) => Some("Journeys"),
        Act::Expect(expect) => match expect {
            Expect::Order(..) => Some("Orders"),
            Expect::Account(..) | Expect::Cash(..) | Expect::Units { .. } | Expect::Position { .. } => Some("Accounts"),
            Expect::Instrument(..) => Some("Instruments"),
            Expect::Transactions { noun: Noun::Account, .. } => Some("Accounts"),
            Expect::Transactions { .. } => Some("Transactions"),
            Expect::Journey(..) | Expect::Page(_) => Some("Journeys"),
            Expect::Value(..) => None,
            _ => Some("Events"),
        },
        act => request(act).and_then(|(method, path)| chapter_of_request(method, &routes::whole(path))),
    }
}

/// Whether a text names something as a whole word.
fn speaks_of(text: &str, name: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let ends = |at: usize| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next());
    text.match_indices(name).any(|(at, _)| ends(at))
}

/// The instant of an HTTP date, as RFC 3339.
fn instant(date: &str) -> Option<String> {
    let date: SystemTime = httpdate::parse_http_date(date).ok()?;
    let ms = i64::try_from(date.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?;
    Some(Instant::from_ms(ms).to_string())
}
