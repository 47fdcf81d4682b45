//! Expectations of journey callbacks, and of the log of their delivery.
//!
//! Invariant: all posts about a journey carry one id, so that a partner recognises a repetition.

use super::outcome::{StepResult, Trouble};
use super::received_posts::{Open, unexpected};
use super::session::Session;
use language::ast::{Actor, Expected};
use language::matching::{self, Mismatch};
use language::template::fill_ref;
use serde_json::{Value as Json, json};

/// The journey that a callback is about.
fn journey(open: &Open) -> &str {
    open.body.get("id").and_then(Json::as_str).unwrap_or_default()
}

impl Session {
    /// Exactly one new post about the journey.
    pub(super) async fn expect_callback(&mut self, actor: Actor, of: &str, expected: &Expected) -> StepResult<Json> {
        let id = fill_ref(of, &self.names)?;
        self.settle(actor).await?;
        let mut open = self.open_callbacks();
        open.retain(|open| journey(open) == id);
        let only = match open.len() {
            1 => open.remove(0),
            0 => return Err(self.missing_callback(actor, of, expected).await?),
            _ => return Err(unexpected("one callback that is new", &open, "more than one callback came")),
        };
        self.check_signature(actor, &only)?;
        let first = self.received_posts.ids.entry(id).or_insert_with(|| only.header("webhook-id").to_owned());
        if first != only.header("webhook-id") {
            let path = "webhook-id".to_owned();
            let got = only.header("webhook-id").to_owned();
            let mismatches = vec![Mismatch { path, expected: format!("{first}, as before"), got }];
            return Err(Trouble::compared(
                "two callbacks of the journey arrived instead of one".to_owned(),
                mismatches,
            ));
        }
        self.received_posts.take(&only);
        self.transcript.posted(&self.now, &only.post.path, "", &only.body);
        self.expect_resource("the callback", expected, &only.body)
    }

    fn open_callbacks(&self) -> Vec<Open> {
        self.open_posts().into_iter().filter(Open::is_callback).collect()
    }

    /// No new post: about this journey, or about any.
    pub(super) async fn expect_no_callback(&mut self, actor: Actor, of: Option<&str>) -> StepResult {
        let id = of.map(|of| fill_ref(of, &self.names)).transpose()?;
        self.settle(actor).await?;
        let mut open = self.open_callbacks();
        open.retain(|open| id.as_ref().is_none_or(|id| journey(open) == id));
        if open.is_empty() { Ok(()) } else { Err(unexpected("no callback", &open, "a callback came")) }
    }

    /// As part of `nothing else happens`, in stories that speak of posts.
    pub(super) async fn expect_no_other_callback(&mut self, actor: Actor) -> StepResult {
        if self.received_posts.is_read() { self.expect_no_callback(actor, None).await } else { Ok(()) }
    }

    /// The log row of the journey's callback.
    pub(super) async fn expect_delivery(&mut self, actor: Actor, of: &str, expected: &Expected) -> StepResult<Json> {
        self.settle(actor).await?;
        let rows = self.deliveries(actor, of).await?;
        let row = rows.first().cloned().unwrap_or_else(|| json!({ "status": null }));
        self.transcript.note(&format!("delivery {}", steady(&row)));
        self.expect_resource("the delivery", expected, &row)
    }

    async fn missing_callback(&mut self, actor: Actor, of: &str, expected: &Expected) -> StepResult<Trouble> {
        let others = self.open_callbacks();
        let mut got: Vec<_> = others.iter().map(|open| format!("of another journey: {}", open.body)).collect();
        got.push(match self.deliveries(actor, of).await?.first() {
            Some(row) => attempts_in_words(row),
            None => "no callback, and none is due: the journey is not canceled, in error or complete".to_owned(),
        });
        let wanted = matching::describe(expected);
        let mismatch = Mismatch { path: "callback".to_owned(), expected: wanted, got: got.join("\n") };
        Ok(Trouble::compared("no new callback came".to_owned(), vec![mismatch]))
    }
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
    let next = match text("status") {
        "queued" => format!("; the next attempt is at {}", text("nextAttempt")),
        _ => String::new(),
    };
    format!("nothing new; the delivery is {}: {made}{next}", text("status"))
}
