//! Expectations of webhooks: events that are posted instead of sent over a socket.
//!
//! Invariant: each post is taken once. Posts about one resource come in their order; between resources there is none, so
//! posts are looked at resource by resource and a story means the same however they overtook each other.

use super::outcome::{StepResult, Trouble};
use super::received_posts::{Open, unexpected};
use super::session::Session;
use language::ast::{Actor, EventPattern};
use language::matching::{self, Mismatch};
use serde_json::Value as Json;

/// The resource that a webhook is about.
fn resource(open: &Open) -> &str {
    let id = open.body.pointer("/current/id").or_else(|| open.body.pointer("/previous/id"));
    id.and_then(Json::as_str).unwrap_or_default()
}

impl Session {
    /// Posts about these events, each another one; answers the one body, or a list.
    pub(super) async fn expect_webhooks(&mut self, actor: Actor, events: &[EventPattern]) -> StepResult<Json> {
        self.settle(actor).await?;
        let mut bodies = Vec::new();
        for pattern in events {
            let mut found = None;
            let open = self.open_webhooks();
            for (at, candidate) in open.iter().enumerate() {
                if matching::like(&pattern.kind, candidate.kind())
                    && matching::matches(&pattern.frame, Some(&candidate.body), &self.names)?
                {
                    found = Some(at);
                    break;
                }
            }
            let Some(found) = found.map(|at| &open[at]) else { return Err(missing(pattern, &open)) };
            self.check_signature(actor, found)?;
            self.received_posts.take(found);
            self.transcript.posted(&self.now, &found.post.path, found.kind(), &found.body);
            bodies.push(found.body.clone());
        }
        Ok(if bodies.len() == 1 { bodies.remove(0) } else { Json::Array(bodies) })
    }

    /// No new post about any event.
    pub(super) async fn expect_no_webhook(&mut self, actor: Actor) -> StepResult {
        self.settle(actor).await?;
        let open = self.open_webhooks();
        if open.is_empty() { Ok(()) } else { Err(unexpected("no webhook", &open, "a webhook came")) }
    }

    fn open_webhooks(&self) -> Vec<Open> {
        let mut open: Vec<_> = self.open_posts().into_iter().filter(|open| !open.is_callback()).collect();
        open.sort_by(|one, other| resource(one).cmp(resource(other)));
        open
    }
}

fn missing(pattern: &EventPattern, open: &[Open]) -> Trouble {
    let got: Vec<_> = open.iter().map(|open| format!("{}: {}", open.kind(), matching::show(&open.body))).collect();
    let got = if got.is_empty() { "nothing new".to_owned() } else { got.join("\n") };
    let expected = format!("{}: {}", pattern.kind, matching::describe(&pattern.frame));
    let mismatch = Mismatch { path: "webhooks".to_owned(), expected, got };
    Trouble::compared("no such webhook came".to_owned(), vec![mismatch])
}
