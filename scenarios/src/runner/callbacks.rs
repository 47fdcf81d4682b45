//! What the partner's own server got: journey callbacks, each taken once.
//!
//! Invariant: before anything is said about callbacks, the server has made every attempt that is due; so a callback that is
//! missing was not late, and one that is not expected cannot still be on its way. Every post that is taken was signed by
//! the Standard Webhooks scheme, and all posts of a journey carry one id. Absent on purpose: waiting for a time of day.

use super::session::{Session, Tell};
use super::{Outcome, Trouble};
use crate::ast::{Act, Actor, Ask, Conduct, Expect, Expected, Scenario, Step};
use crate::drivers::Driver;
use crate::drivers::receiver::{Manner, Post};
use crate::matching::{self, Mismatch};
use crate::template::fill_ref;
use sandbox::deliveries::CALLBACK;
use sandbox::deliveries::signature::SigningKey;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Between two looks at what is still on its way.
const LOOK: Duration = Duration::from_millis(5);
/// No two looks are further apart than so many times `LOOK`.
const RAREST_LOOK: u32 = 40;
/// Looks after which it is given up: some two minutes, while a receiver that hangs costs ten seconds an attempt.
const MOST_LOOKS: u32 = 640;

/// What the partner's server got, and which of it was expected.
pub(super) struct Mail {
    /// Posts looked at so far, by number from the first.
    taken: Vec<bool>,
    /// The id under which each journey was told of first.
    ids: BTreeMap<String, String>,
    /// Whether the story speaks of callbacks at all.
    is_read: bool,
}

impl Mail {
    pub(super) fn of(scenario: &Scenario) -> Self {
        Self { taken: Vec::new(), ids: BTreeMap::new(), is_read: scenario.all_steps().any(concerns_callbacks) }
    }
}

fn concerns_callbacks(step: &Step) -> bool {
    matches!(
        &step.act,
        Act::Receiver(_)
            | Act::Browse(_)
            | Act::Ask(Ask::StartJourney(_) | Ask::Journey { .. } | Ask::ReplayCallback(_))
            | Act::Expect(Expect::Callback(..) | Expect::NoCallback(_) | Expect::Delivery(..))
    )
}

/// How the receiver behaves, in its own terms.
pub(super) fn manners(conducts: &[Conduct]) -> Vec<Manner> {
    let manner = |conduct: &Conduct| match *conduct {
        Conduct::Down => Manner::Down,
        Conduct::Answers(status) => Manner::Status(status),
        Conduct::Slow(status, ms) => Manner::Slow(status, Duration::from_millis(u64::from(ms))),
        Conduct::Redirects => Manner::Redirect,
        Conduct::Hangs => Manner::Hang,
        Conduct::Closes => Manner::Close,
        Conduct::Dribbles => Manner::Dribble,
        Conduct::Floods => Manner::Flood,
    };
    conducts.iter().map(manner).collect()
}

/// A callback that came and was not taken yet.
struct Open {
    number: usize,
    post: Post,
    body: Json,
}

impl Open {
    fn journey(&self) -> &str {
        self.body.get("id").and_then(Json::as_str).unwrap_or_default()
    }

    fn brief(&self) -> String {
        format!("{} {}", self.post.path, self.body)
    }

    fn header(&self, name: &str) -> &str {
        self.post.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl<D: Driver> Session<D> {
    /// Exactly one new post that tells of the journey.
    pub(super) async fn expect_callback(&mut self, actor: Actor, journey: &str, expected: &Expected) -> Outcome {
        let id = fill_ref(journey, &self.names)?;
        self.settle(actor).await?;
        let mut open: Vec<_> = self.open_callbacks().into_iter().filter(|open| open.journey() == id).collect();
        let only = match open.len() {
            1 => open.remove(0),
            0 => return Err(self.missing_callback(actor, journey, expected).await?),
            _ => return Err(too_many("one callback that is new", &open, "more than one callback came")),
        };
        self.check_signature(actor, &only)?;
        let first = self.mail.ids.entry(id).or_insert_with(|| only.header("webhook-id").to_owned());
        if first != only.header("webhook-id") {
            let path = "webhook-id".to_owned();
            let got = only.header("webhook-id").to_owned();
            let mismatch = Mismatch { path, expected: format!("{first}, as before"), got };
            return Err(Trouble {
                what: "the journey was told of twice, not once again".to_owned(),
                mismatches: vec![mismatch],
            });
        }
        self.mail.taken[only.number] = true;
        self.transcript.posted(&self.now, &only.post.path, &only.body);
        self.expect_resource("the callback", expected, &only.body)
    }

    /// No new post: about this journey, or about any.
    pub(super) async fn expect_no_callback(&mut self, actor: Actor, journey: Option<&str>) -> Outcome {
        let id = journey.map(|journey| fill_ref(journey, &self.names)).transpose()?;
        self.settle(actor).await?;
        let open = self.open_callbacks();
        let open: Vec<_> = open.into_iter().filter(|open| id.as_ref().is_none_or(|id| open.journey() == id)).collect();
        if open.is_empty() { Ok(()) } else { Err(too_many("no callback", &open, "a callback came")) }
    }

    /// As part of `nothing else happens`, in stories that speak of journeys.
    pub(super) async fn expect_no_other_callback(&mut self, actor: Actor) -> Outcome {
        if self.mail.is_read { self.expect_no_callback(actor, None).await } else { Ok(()) }
    }

    /// The log row of the journey's callback.
    pub(super) async fn expect_delivery(&mut self, actor: Actor, journey: &str, expected: &Expected) -> Outcome {
        self.settle(actor).await?;
        let rows = self.deliveries(actor, journey).await?;
        let row = rows.first().cloned().unwrap_or_else(|| json!({ "status": null }));
        self.transcript.note(&format!("  delivery {}", steady(&row)));
        self.expect_resource("the delivery", expected, &row)
    }

    /// Has everything that is due delivered before the clock or the receiver changes, in stories that speak of journeys;
    /// so what an attempt meets does not depend on how fast it is.
    pub(super) async fn deliver(&mut self, actor: Actor) -> Outcome {
        let reachable = !self.is_offline();
        if self.mail.is_read && reachable { self.settle(actor).await } else { Ok(()) }
    }

    /// Waits until every attempt that is due has been made.
    async fn settle(&mut self, actor: Actor) -> Outcome {
        let actor = if actor == Actor::Nobody { Actor::default() } else { actor };
        let path = "/_sandbox/worlds/current/deliveries?status=queued&limit=1000";
        for look in 1..=MOST_LOOKS {
            let log = self.read(actor, path.to_owned(), Tell::Nothing).await?;
            let rows = log.get("deliveries").and_then(Json::as_array).cloned().unwrap_or_default();
            // Newest first: the last one seen of each line is the one whose turn it is.
            let lines: BTreeMap<String, &Json> = rows.iter().map(|row| (line(row), row)).collect();
            let is = |row: &Json, key: &str| {
                row.get(key).is_some_and(|value| *value != Json::Null && *value != json!(false))
            };
            if !lines.values().any(|row| is(row, "due") || is(row, "underWaySince")) {
                let came = self.driver.receiver().count();
                self.mail.taken.resize(came.max(self.mail.taken.len()), false);
                return Ok(());
            }
            tokio::time::sleep(LOOK * look.min(RAREST_LOOK)).await;
        }
        Err(Trouble::new("the server does not get its deliveries away, however long one waits"))
    }

    /// Callbacks that came and were not expected yet.
    fn open_callbacks(&self) -> Vec<Open> {
        let (forgotten, posts) = self.driver.receiver().posts();
        let numbered = posts.into_iter().enumerate().map(|(at, post)| (forgotten + at, post));
        let open = numbered.filter(|(number, _)| self.mail.taken.get(*number) == Some(&false));
        let open = open.map(|(number, post)| {
            let body = serde_json::from_slice(&post.body).unwrap_or_default();
            Open { number, post, body }
        });
        open.filter(|open| open.header("event-type") == CALLBACK).collect()
    }

    /// That the post was signed for the partner, by the Standard Webhooks scheme.
    fn check_signature(&self, actor: Actor, open: &Open) -> Outcome {
        let partner = if let Actor::Client { partner, .. } = actor { partner } else { 1 };
        let key = SigningKey::parse(self.callback_secret(partner));
        let key = key.map_err(|_| Trouble::new("the world has told no secret to check callbacks with"))?;
        let moment = open.header("webhook-timestamp").parse::<u64>();
        let moment = moment.map_err(|_| Trouble::new("the callback has no `webhook-timestamp`"))?;
        let right = key.sign(open.header("webhook-id"), moment, &open.post.body);
        let signatures = open.header("webhook-signature");
        if signatures.split(' ').any(|signature| signature == right) {
            return Ok(());
        }
        let mismatch = Mismatch {
            path: "webhook-signature".to_owned(),
            expected: "a signature by the partner's secret over id, timestamp and body".to_owned(),
            got: if signatures.is_empty() { "none".to_owned() } else { signatures.to_owned() },
        };
        Err(Trouble { what: "the callback is not signed as it should be".to_owned(), mismatches: vec![mismatch] })
    }

    async fn missing_callback(&mut self, actor: Actor, journey: &str, expected: &Expected) -> Outcome<Trouble> {
        let mut got: Vec<_> =
            self.open_callbacks().iter().map(|open| format!("of another journey: {}", open.brief())).collect();
        match self.deliveries(actor, journey).await?.first() {
            Some(row) => got.push(attempts_in_words(row)),
            None => got.push("nothing, and nothing is to be delivered: no callback is due unless a journey ended canceled, in error or complete".to_owned()),
        }
        let wanted = matching::describe(expected);
        let mismatch = Mismatch { path: "callback".to_owned(), expected: wanted, got: got.join("\n") };
        Ok(Trouble { what: "no new callback came".to_owned(), mismatches: vec![mismatch] })
    }
}

/// What must not overtake each other.
fn line(row: &Json) -> String {
    let of = |key: &str| row.get(key).and_then(Json::as_str).unwrap_or_default();
    format!("{} {}{}", of("webhook"), of("journey"), of("resource"))
}

fn too_many(expected: &str, open: &[Open], what: &str) -> Trouble {
    let got: Vec<_> = open.iter().map(Open::brief).collect();
    let mismatch = Mismatch { path: "callback".to_owned(), expected: expected.to_owned(), got: got.join("\n") };
    Trouble { what: what.to_owned(), mismatches: vec![mismatch] }
}

/// What of a row is the same on every network.
fn steady(row: &Json) -> Json {
    let attempts = row.get("attempts").and_then(Json::as_array).cloned().unwrap_or_default();
    let came: Vec<_> = attempts.iter().map(|attempt| json!(outcome(attempt))).collect();
    json!({ "status": row.get("status"), "attemptsMade": row.get("attemptsMade"), "attempts": came })
}

fn outcome(attempt: &Json) -> String {
    match attempt.get("status").filter(|status| !status.is_null()) {
        Some(status) => format!("answered {status}"),
        None => attempt.get("error").and_then(Json::as_str).unwrap_or("failed").to_owned(),
    }
}

fn attempts_in_words(row: &Json) -> String {
    let text = |key: &str| row.get(key).and_then(Json::as_str).unwrap_or_default();
    let made: Vec<_> = row.get("attempts").and_then(Json::as_array).into_iter().flatten().map(outcome).collect();
    let made = if made.is_empty() { "no attempt yet".to_owned() } else { made.join(", ") };
    let next = if text("status") == "queued" {
        format!("; the next attempt is at {}", text("nextAttempt"))
    } else {
        String::new()
    };
    format!("nothing new; the delivery is {}: {made}{next}", text("status"))
}
