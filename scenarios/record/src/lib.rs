//! What a world has seen, written as a scenario file.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `requests.rs` `sent.rs` | what was sent, and the word whose row sends just that |
//! | `browsers.rs` `pages.rs` | which pages belong to one person, and what she did on them |
//! | `names.rs` | names for ids |
//! | `answers.rs` | what is expected of an answer |
//! | `hidden.rs` | what is left out, and how a text is written that would mean something else |
//!
//! Invariant: played with the world's seed, start and setup, the story asks the same of the same world at the same instants, so
//! that it is answered the same; what cannot be written is counted in its `about`, and every step is read as it was written.
//! No secret is written: links, tokens and keys are left out of what is expected, and masked in what is sent. It never knows
//! how exchanges are kept (`hosting::recording`), nor how a story is carried out.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! browsers, hidden, sent
//! names, pages
//! answers
//! requests
//! ```

mod answers;
mod browsers;
mod hidden;
mod names;
mod pages;
mod requests;
mod sent;

#[cfg(test)]
mod tests;

use browsers::Browsers;
use hosting::recording::{Exchange, Requester, Session};
use language::ast::{Actor, DEFAULT_START, Expect, Expected, Move, Scenario, StoryStep, WorldBlock};
use language::diagnostic::Source;
use language::lint;
use language::parse::parse_knowing;
use language::template::is_name_character;
use language::write::write;
use names::Names;
use serde_json::{Value as Json, json};
use sim::time::Instant;
use std::collections::BTreeMap;
use std::pin::Pin;

/// Steps that are written between two turns of others.
const STEPS_AT_ONCE: usize = 50;

const MISSING_BYTES: &str = "sent bytes that are not text and are missing";

/// The session as the text of a scenario file. Others have their turn after every exchange.
#[must_use]
pub fn file(session: Session) -> Pin<Box<dyn Future<Output = String> + Send>> {
    Box::pin(async move {
        let mut teller = ScenarioExporter::of(&session);
        for exchange in &session.exchanges {
            teller.add_exchange(exchange);
            tokio::task::yield_now().await;
        }
        written(teller.story()).await
    })
}

/// As `write`, a few steps at a time.
async fn written(mut story: Scenario) -> String {
    let mut rest = std::mem::take(&mut story.steps).into_iter();
    story.steps = rest.by_ref().take(STEPS_AT_ONCE).collect();
    let mut text = write(&story);
    while rest.len() > 0 {
        tokio::task::yield_now().await;
        let part = Scenario { steps: rest.by_ref().take(STEPS_AT_ONCE).collect(), ..Scenario::default() };
        let part = write(&part);
        text.push_str(part.split_once("\nsteps:\n").map_or("", |(_, steps)| steps));
    }
    text
}

/// Whether the world's clock moved by itself: moves of it then lead to instants only.
fn is_paced(session: &Session) -> bool {
    let mut now = session.start;
    session.exchanges.iter().any(|exchange| {
        let before = now;
        now = now.max(exchange.turn.now);
        !exchange.is_advance() && exchange.turn.now > before
    })
}

fn needs_https(session: &Session) -> bool {
    const SETTING: &str = "httpsCallbacksOnly";
    let at_first = session.setup.as_ref().is_some_and(|setup| setup["settings"][SETTING] == true);
    let sets = |exchange: &Exchange| {
        exchange.machinery() == Some("settings") && body(exchange.sent.as_deref()).get(SETTING) == Some(&json!(true))
    };
    at_first || session.exchanges.iter().any(|exchange| sets(exchange))
}

/// A session while it is being written.
struct ScenarioExporter<'s> {
    session: &'s Session,
    is_paced: bool,
    /// Whether callbacks go to https addresses only: the story's partner has none, so that the address stays as it was.
    needs_https: bool,
    now: Instant,
    names: Names,
    browsers: Browsers,
    steps: Vec<StoryStep>,
    left_out: BTreeMap<&'static str, u64>,
    /// Whether fault rules count requests, so that none may be missing.
    has_rules: bool,
    /// Whether something is missing that the rest may need.
    is_incomplete: bool,
}

impl<'s> ScenarioExporter<'s> {
    fn of(session: &'s Session) -> Self {
        Self {
            session,
            is_paced: is_paced(session),
            needs_https: needs_https(session),
            now: session.start,
            names: Names::of(session),
            browsers: Browsers::default(),
            steps: Vec::new(),
            left_out: BTreeMap::new(),
            has_rules: false,
            is_incomplete: session.left_out.has_effect,
        }
    }

    /// All steps so far, as a story.
    fn story(mut self) -> Scenario {
        if !self.steps.iter().any(lint::asserts) {
            self.steps.push(StoryStep::from(Expect::Clock(Expected::Is(json!(self.now.to_string())))));
        }
        let session = self.session;
        let name: String = session.name.chars().filter(|letter| is_name_character(*letter)).collect();
        let start = session.start != Instant::parse(DEFAULT_START).unwrap_or(Instant::MIN);
        Scenario {
            title: format!("What {name} has seen"),
            about: Some(self.about()),
            incomplete: self.incomplete(),
            tags: vec!["recorded".to_owned()],
            world: WorldBlock {
                seed: Some(session.seed),
                start: start.then(|| session.start.to_string()),
                setup: session.setup.as_deref().map(setup),
                settings: Vec::new(),
            },
            steps: self.steps,
            ..Scenario::default()
        }
    }

    /// What a reader of the file has to know.
    fn about(&self) -> String {
        let session = self.session;
        let mut notes = vec!["A recorded session; links, tokens and secrets are left out".to_owned()];
        if session.part_of.is_some() {
            let part = "one partner's part of a shared world: what is drawn from the seed, such as ids, names and persons, may be \
                        other than it was";
            notes.push(part.to_owned());
        }
        notes.extend(session.notes.iter().map(|note| (*note).to_owned()));
        let left_out = session.left_out;
        let counted = [("belong to another partner and are missing", left_out.foreign)];
        for (what, count) in counted.into_iter().chain(self.left_out.iter().map(|(what, count)| (*what, *count))) {
            if count > 0 {
                notes.push(format!("{count} requests {what}"));
            }
        }
        if self.is_incomplete {
            notes.push("what follows what is missing may not pass".to_owned());
        }
        notes.join("; ") + "."
    }

    /// What is missing of the session itself: its beginning, or its end.
    fn incomplete(&self) -> Option<String> {
        let session = self.session;
        let begins = session.gap.map(|gap| format!("it does not begin with the world, since {gap}"));
        let ends = match session.left_out.no_room {
            0 => None,
            1 => Some("1 request found no room in the recording and is missing at the end".to_owned()),
            many => Some(format!("{many} requests found no room in the recording and are missing at the end")),
        };
        let notes: Vec<_> = begins.into_iter().chain(ends).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    fn add_exchange(&mut self, exchange: &Exchange) {
        if exchange.is_advance() {
            return self.advance(exchange);
        }
        if exchange.turn.now > self.now {
            self.steps.push(StoryStep::advance(Move::to(exchange.turn.now)));
            self.now = exchange.turn.now;
        }
        match exchange.by {
            Requester::Person(_, journey) => self.browse(exchange, journey),
            Requester::Partner(_) | Requester::Operator => self.request(exchange),
            Requester::Payer(_, payment) => self.pay(exchange, payment),
        }
    }

    /// Something that the language has no words for.
    fn leave_out(&mut self, exchange: &Exchange, why: &'static str) {
        *self.left_out.entry(why).or_default() += 1;
        self.is_incomplete |= exchange.has_effect() || (self.has_rules && exchange.machinery().is_none());
    }

    /// A move of the clock, and what it shows then.
    fn advance(&mut self, exchange: &Exchange) {
        let answer = body(exchange.answered.as_deref());
        let now = answer.get("now").and_then(Json::as_str).and_then(|text| Instant::parse(text).ok());
        let (true, Some(now)) = (exchange.is_good(), now) else { return self.request(exchange) };
        // Others have moved it as only they can say.
        let is_own = self.session.part_of.is_none_or(|own| exchange.by.partner() == Some(own));
        let how = self.way(&body(exchange.sent.as_deref())).filter(|_| !self.is_paced && is_own);
        let actor = self.actor(exchange);
        let step = |how| StoryStep { actor, ..StoryStep::advance(how) };
        let recorded = how.map(step).filter(|step| self.fits(step));
        self.steps.push(recorded.unwrap_or_else(|| StoryStep::advance(Move::to(now))));
        let shown = answer.get("now").cloned().unwrap_or_default();
        self.steps.push(StoryStep::from(Expect::Clock(Expected::Is(shown))));
        self.now = now;
    }

    /// Who asks.
    fn actor(&self, exchange: &Exchange) -> Actor {
        let partner =
            exchange.by.partner().and_then(|id| self.session.partners.iter().position(|(known, _)| *known == id));
        Actor::Client { partner: partner.unwrap_or_default() + 1, client: 1 }
    }

    /// How a request has moved the clock.
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

    /// Whether a step is read as it was written. One that is not is written in another way.
    fn fits(&self, step: &StoryStep) -> bool {
        let story = Scenario { title: "A step".to_owned(), steps: vec![step.clone()], ..Scenario::default() };
        let source = Source::new("recorded.yaml", write(&story));
        let is_saved = |name: &str| self.names.has_saved(name);
        parse_knowing(&source, &is_saved)
            .is_ok_and(|read| lint::lost(&read, &source).is_empty() && read.without_places().steps == story.steps)
    }
}

/// A setup whose texts stand for themselves, and which lets the story's own clients in from wherever they are.
fn setup(given: &Json) -> Json {
    let mut recorded = as_they_stand(given);
    if let Some(settings) = recorded.get_mut("settings").and_then(Json::as_object_mut) {
        settings.shift_remove(ALLOWLIST);
    }
    recorded
}

fn as_they_stand(value: &Json) -> Json {
    match value {
        Json::String(text) => Json::String(hidden::literal(text)),
        Json::Array(items) => items.iter().map(as_they_stand).collect(),
        Json::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), as_they_stand(value))).collect(),
        other => other.clone(),
    }
}

/// The setting that says who is let in.
const ALLOWLIST: &str = "allowlist";

/// A body as JSON; null where it is none.
fn body(bytes: Option<&[u8]>) -> Json {
    bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or(json!(null))
}
