//! What the partner's own server got: callbacks and webhooks, each post taken once.
//!
//! Invariant: a post that was taken is never open again. Absent on purpose: waiting for posts, and checking their
//! signatures (`posts`).

use super::Trouble;
use crate::drivers::receiver::{Behaviour, Post};
use deliveries::signature::SigningKey;
use feed::event_types::CALLBACK;
use language::ast::{Act, Expect, ReceiverBehaviour, Scenario, StoryStep};
use language::matching::{self, Mismatch};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::Duration;

/// What the partner's server got, and which of it was expected.
pub(super) struct ReceivedPosts {
    /// Posts looked at so far, by number from the first.
    pub(super) taken: Vec<bool>,
    /// The id of the first post about each journey.
    pub(super) ids: BTreeMap<String, String>,
    /// Webhooks by their id, each with its path and its present secret.
    pub(super) webhooks: BTreeMap<String, (String, String)>,
    /// Whether the story speaks of posts at all.
    is_read: bool,
}

impl ReceivedPosts {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let is_read = scenario.all_steps().into_iter().any(concerns_posts);
        Self { taken: Vec::new(), ids: BTreeMap::new(), webhooks: BTreeMap::new(), is_read }
    }

    /// Whether the story speaks of posts at all; one that does not need not wait for them.
    pub(super) const fn is_read(&self) -> bool {
        self.is_read
    }

    /// The post was expected.
    pub(super) fn take(&mut self, open: &Open) {
        self.taken[open.number] = true;
    }

    /// Remembers what a webhook's posts are signed with.
    pub(super) fn learn(&mut self, webhook: &Json) {
        let text = |key: &str| webhook.get(key).and_then(Json::as_str).unwrap_or_default();
        let address = text("url").split_once("://").map_or("", |(_, rest)| rest);
        let path = address.find('/').map_or("/", |at| &address[at..]);
        // Some callers get it masked; what was known before still holds then.
        if let Ok(key) = SigningKey::parse(text("secret")) {
            self.webhooks.insert(text("id").to_owned(), (path.to_owned(), key.reveal()));
        }
    }
}

fn concerns_posts(step: &StoryStep) -> bool {
    match &step.act {
        Act::Receiver(_) | Act::Browse(_) => true,
        Act::Deferred(late) => matches!(late.word.as_str(), "receiver" | "identify" | "sign"),
        Act::Request(request) => request.word.sends().is_some_and(|sends| {
            ["/journey", "/simulations/journey", "/_sandbox"].iter().any(|prefix| sends.path.starts_with(prefix))
        }),
        Act::Expect(expect) => matches!(
            expect,
            Expect::Callback(..)
                | Expect::NoCallback(_)
                | Expect::Delivery(..)
                | Expect::Webhooks(_)
                | Expect::NoWebhook
        ),
        _ => false,
    }
}

/// How the receiver behaves, in its own terms.
pub(super) fn behaviours(behaviours: &[ReceiverBehaviour]) -> Vec<Behaviour> {
    let behaviour = |behaviour: &ReceiverBehaviour| match *behaviour {
        ReceiverBehaviour::Down => Behaviour::Down,
        ReceiverBehaviour::Answers(status) => Behaviour::Status(status),
        ReceiverBehaviour::Slow(status, ms) => Behaviour::Slow(status, Duration::from_millis(u64::from(ms))),
        ReceiverBehaviour::Redirects => Behaviour::Redirect,
        ReceiverBehaviour::Hangs => Behaviour::Hang,
        ReceiverBehaviour::Closes => Behaviour::Close,
        ReceiverBehaviour::Dribbles => Behaviour::Dribble,
        ReceiverBehaviour::Floods => Behaviour::Flood,
    };
    behaviours.iter().map(behaviour).collect()
}

/// A post that came and was not taken yet.
pub(super) struct Open {
    pub(super) number: usize,
    pub(super) post: Post,
    pub(super) body: Json,
}

impl Open {
    pub(super) fn header(&self, name: &str) -> &str {
        self.post.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// What it is about: a type of event, or `journey.callback`.
    pub(super) fn kind(&self) -> &str {
        self.header("event-type")
    }

    pub(super) fn is_callback(&self) -> bool {
        self.kind() == CALLBACK
    }
}

/// More or other posts than expected.
pub(super) fn unexpected(expected: &str, open: &[Open], what: &str) -> Trouble {
    let got: Vec<_> = open.iter().map(|open| format!("{}: {}", open.kind(), matching::show(&open.body))).collect();
    let mismatch = Mismatch { path: "posts".to_owned(), expected: expected.to_owned(), got: got.join("\n") };
    Trouble::compared(what.to_owned(), vec![mismatch])
}
