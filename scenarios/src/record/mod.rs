//! What a world has seen, told as a scenario file.
//!
//! Invariant: played with the world's seed, start and setup, the story asks the same of the same world at the same instants, so
//! that it is answered the same; what cannot be told is counted in its `about`. No secret is written: links, tokens and keys are
//! left out of what is expected, and masked in what is sent. Absent on purpose: keeping exchanges (`sandbox::hosting::recording`).

mod answers;
mod browsers;
mod names;
mod pages;
mod requests;

#[cfg(test)]
mod tests;

use crate::ast::{DEFAULT_START, Expect, Expected, Move, Scenario, StoryStep, WorldBlock};
use crate::diagnostic::Source;
use crate::parse::{OnDisk, parse};
use crate::template::is_name_character;
use crate::write::write;
use browsers::Browsers;
use names::Names;
use sandbox::hosting::recording::{By, Exchange, Session};
use serde_json::{Value as Json, json};
use sim::time::Instant;
use std::collections::BTreeMap;

/// The session as the text of a scenario file.
#[must_use]
pub fn file(session: &Session) -> String {
    write(&scenario(session))
}

/// The session as a story.
#[must_use]
pub fn scenario(session: &Session) -> Scenario {
    let mut teller = Teller {
        session,
        is_paced: is_paced(session),
        needs_https: needs_https(session),
        now: session.start,
        names: Names::of(session),
        browsers: Browsers::default(),
        steps: Vec::new(),
        untold: BTreeMap::new(),
    };
    session.exchanges.iter().for_each(|exchange| teller.tell(exchange));
    let Teller { steps, untold, .. } = teller;
    let name: String = session.name.chars().filter(|letter| is_name_character(*letter)).collect();
    let start = session.start != Instant::parse(DEFAULT_START).unwrap_or(Instant::MIN);
    Scenario {
        title: format!("What {name} has seen"),
        about: Some(about(session, &untold)),
        tags: vec!["recorded".to_owned()],
        world: WorldBlock {
            seed: Some(session.seed),
            start: start.then(|| session.start.to_string()),
            setup: session.setup.as_deref().cloned(),
            settings: Vec::new(),
        },
        steps,
        ..Scenario::default()
    }
}

/// What whoever reads the file has to know.
fn about(session: &Session, untold: &BTreeMap<&'static str, u64>) -> String {
    let mut said = vec!["A recorded session; links, tokens and secrets are left out".to_owned()];
    if let Some(gap) = session.gap {
        said.push(format!("it does not begin with the world, since {gap}"));
    }
    let left_out = session.left_out;
    let counted = [("found no room in the recording and are missing at the end", left_out.no_room)];
    let foreign = [("are another partner's and are missing", left_out.foreign)];
    for (what, count) in counted.into_iter().chain(foreign).chain(untold.iter().map(|(what, count)| (*what, *count))) {
        if count > 0 {
            said.push(format!("{count} requests {what}"));
        }
    }
    said.join("; ") + "."
}

/// Whether the world's clock went on by itself: moves of it then lead to instants only.
fn is_paced(session: &Session) -> bool {
    let mut now = session.start;
    session.exchanges.iter().any(|exchange| {
        let before = now;
        now = now.max(exchange.turn.now);
        !is_advance(exchange) && exchange.turn.now > before
    })
}

fn needs_https(session: &Session) -> bool {
    const SETTING: &str = "httpsCallbacksOnly";
    let at_first = session.setup.as_ref().is_some_and(|setup| setup["settings"][SETTING] == true);
    let sets = |exchange: &Exchange| {
        exchange.target.ends_with("/settings") && body(exchange.sent.as_deref()).get(SETTING) == Some(&json!(true))
    };
    at_first || session.exchanges.iter().any(|exchange| sets(exchange))
}

fn is_advance(exchange: &Exchange) -> bool {
    exchange.target.starts_with("/_sandbox/") && exchange.target.ends_with("/clock/advance")
}

/// A session as it is being told.
struct Teller<'s> {
    session: &'s Session,
    is_paced: bool,
    /// Whether callbacks go to https addresses only: the story's partner has none, so that the address stays as it was.
    needs_https: bool,
    now: Instant,
    names: Names,
    browsers: Browsers,
    steps: Vec<StoryStep>,
    untold: BTreeMap<&'static str, u64>,
}

impl Teller<'_> {
    fn tell(&mut self, exchange: &Exchange) {
        if is_advance(exchange) {
            return self.advance(exchange);
        }
        if exchange.turn.now > self.now {
            self.steps.push(StoryStep::advance(Move::to(exchange.turn.now)));
            self.now = exchange.turn.now;
        }
        match exchange.by {
            By::Person(_, journey) => self.browse(exchange, journey),
            By::Partner(_) | By::Operator => self.request(exchange),
            By::Payer => self.leave_out("on pages of payments cannot be told and are missing"),
        }
    }

    /// Something that the language has no words for.
    fn leave_out(&mut self, why: &'static str) {
        *self.untold.entry(why).or_default() += 1;
    }

    /// A move of the clock, and what it shows then.
    fn advance(&mut self, exchange: &Exchange) {
        let answer = body(exchange.answered.as_deref());
        let now = answer.get("now").and_then(Json::as_str).and_then(|text| Instant::parse(text).ok());
        let (Some(200), Some(now)) = (exchange.status, now) else { return self.request(exchange) };
        let how = self.way(&body(exchange.sent.as_deref())).filter(|_| !self.is_paced);
        let step = StoryStep::advance(how.unwrap_or_else(|| Move::to(now)));
        let step = if fits(&step) { step } else { StoryStep::advance(Move::to(now)) };
        self.steps.push(step);
        let shown = answer.get("now").cloned().unwrap_or_default();
        self.steps.push(StoryStep::from(Expect::Clock(Expected::Is(shown))));
        self.now = now;
    }

    /// How the clock was told to move.
    fn way(&mut self, sent: &Json) -> Option<Move> {
        let text = |key: &str| sent.get(key).and_then(Json::as_str);
        match (text("by"), text("to"), text("until")) {
            (Some(period), None, None) => Some(Move::By(period.to_owned())),
            (None, Some(to), None) => Instant::parse(to).ok().map(Move::to),
            (None, None, Some("next")) => Some(Move::Next),
            // That of an order's fund has no words: the instant it comes at says the same.
            (None, None, Some("cutOff")) if sent.get("order").is_none_or(Json::is_null) => {
                let instrument = text("instrument").map(str::to_owned);
                Some(Move::CutOff { instrument, offset_ms: 0 })
            }
            (None, None, Some("settlement")) => {
                let order = text("order")?.to_owned();
                let named = self.names.reference(&order, &mut self.steps);
                Some(Move::Settlement(named.map_or(order, |named| format!("{{{named}}}"))))
            }
            _ => None,
        }
    }
}

/// Whether a step reads as it is written: what does not is told in another way.
fn fits(step: &StoryStep) -> bool {
    // Names that others have saved are known in a fragment.
    let story =
        Scenario { title: "A step".to_owned(), fragment: true, steps: vec![step.clone()], ..Scenario::default() };
    let read = parse(&Source::new("recorded.yaml", write(&story)), &OnDisk);
    read.is_ok_and(|read| read.without_places().steps == story.steps)
}

/// A body as JSON; null where it is none.
fn body(bytes: Option<&[u8]>) -> Json {
    bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or(json!(null))
}
