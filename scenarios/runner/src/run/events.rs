//! Expectations of events, and of what a socket says of itself: `hello`, `heartbeat`, `server_closing` and its end.
//!
//! Invariant: every event is claimed by one expectation; words of the connection need not be, since they follow transport
//! time. A word of the connection that has not come is waited for; an event is not, since all there are have been read.

use super::awaited::{LONGEST_WAIT_FOR_OTHERS, LOOK, mentions};
use super::outcome::{StepResult, Trouble};
use super::session::{Arrived, Session};
use crate::transcript::brief;
use language::ast::{Actor, EventPattern};
use language::matching::{self, Mismatch};
use language::template::fill_text;
use serde_json::Value as Json;
use std::time::Duration;

/// Events that a failed expectation shows.
const SHOWN: usize = 6;
/// How long a word of the connection is waited for: longer than the time between two heartbeats.
const LONGEST_WAIT: Duration = Duration::from_secs(40);

/// Whose socket is looked at.
#[derive(Clone, Copy)]
struct Listener<'a> {
    actor: Actor,
    socket: Option<&'a str>,
}

impl Listener<'_> {
    fn hears(&self, event: &Arrived) -> bool {
        let Actor::Client { partner, client } = self.actor else { return false };
        (event.partner, event.client) == (partner, client) && event.socket.as_deref() == self.socket
    }
}

impl Session {
    /// Events that came, each later than the one before where the order matters; answers the one, or a list.
    pub(super) async fn expect_events(
        &mut self,
        actor: Actor,
        events: &[EventPattern],
        in_order: bool,
        socket: Option<&str>,
    ) -> StepResult<Json> {
        let socket = socket.map(|socket| fill_text(socket, &self.names)).transpose()?;
        let listener = Listener { actor, socket: socket.as_deref() };
        let (mut from, mut frames) = (0, Vec::new());
        for (number, pattern) in events.iter().enumerate() {
            let pattern = EventPattern { kind: fill_text(&pattern.kind, &self.names)?, frame: pattern.frame.clone() };
            let start = if in_order { from } else { 0 };
            match self.awaited(&pattern, listener, start).await? {
                Some(at) => {
                    self.inbox[at].claimed = true;
                    frames.push(self.inbox[at].frame.clone());
                    from = at + 1;
                }
                None => return Err(self.missing(&pattern, number, events.len(), listener, start)),
            }
        }
        Ok(if frames.len() == 1 { frames.remove(0) } else { Json::Array(frames) })
    }

    /// The place of the first open event of the pattern.
    async fn awaited(
        &mut self,
        pattern: &EventPattern,
        listener: Listener<'_>,
        start: usize,
    ) -> StepResult<Option<usize>> {
        let is_late = self.foreign.is_some();
        let longest = if is_late { LONGEST_WAIT_FOR_OTHERS } else { LONGEST_WAIT };
        let deadline = tokio::time::Instant::now() + longest;
        loop {
            let found = self.find(pattern, listener, start)?;
            let can_come = (is_late || is_of_connection(&pattern.kind)) && !self.is_offline();
            let waits = can_come && tokio::time::Instant::now() < deadline;
            if found.is_some() || !waits {
                return Ok(found);
            }
            tokio::time::sleep(LOOK).await;
            self.catch_up().await?;
        }
    }

    fn find(&self, pattern: &EventPattern, listener: Listener<'_>, start: usize) -> StepResult<Option<usize>> {
        for (at, event) in self.inbox.iter().enumerate().skip(start) {
            if is_open(event, &pattern.kind) && listener.hears(event) && self.fits(pattern, &event.frame)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn fits(&self, pattern: &EventPattern, frame: &Json) -> StepResult<bool> {
        Ok(matching::like(&pattern.kind, kind(frame)) && matching::matches(&pattern.frame, Some(frame), &self.names)?)
    }

    fn missing(
        &self,
        pattern: &EventPattern,
        number: usize,
        of: usize,
        listener: Listener<'_>,
        start: usize,
    ) -> Trouble {
        let which = if of > 1 { format!(" ({} of {of})", number + 1) } else { String::new() };
        let later = self.inbox.iter().skip(start);
        let open: Vec<_> = later.filter(|event| is_open(event, &pattern.kind) && listener.hears(event)).collect();
        let shown: Vec<_> = open.iter().rev().take(SHOWN).rev().map(|event| brief(&event.frame)).collect();
        let got = if shown.is_empty() { "no event that is still open".to_owned() } else { shown.join("\n") };
        let mismatch = Mismatch {
            path: "events".to_owned(),
            expected: format!("{}: {}", pattern.kind, matching::describe(&pattern.frame)),
            got,
        };
        Trouble::compared(format!("no such event came{which}"), vec![mismatch])
    }

    /// No open event but those that no pattern names.
    pub(super) fn expect_nothing_else(&self, actor: Actor, only: &[String]) -> StepResult {
        let listener = Listener { actor, socket: None };
        let is_meant = |event: &&Arrived| match only {
            [] => is_open(event, ""),
            only => only.iter().any(|pattern| is_open(event, pattern) && matching::like(pattern, kind(&event.frame))),
        };
        let own = self.own_ids();
        let is_own = |event: &&Arrived| own.as_ref().is_none_or(|ids| mentions(&event.frame, ids));
        let received = self.inbox.iter().filter(|event| listener.hears(event));
        let open: Vec<_> = received.filter(is_meant).filter(is_own).collect();
        if open.is_empty() {
            return Ok(());
        }
        let expected =
            if only.is_empty() { "nothing else".to_owned() } else { format!("no other {}", only.join(", ")) };
        let got: Vec<_> = open.iter().map(|event| brief(&event.frame)).collect();
        let mismatch = Mismatch { path: "events".to_owned(), expected, got: got.join("\n") };
        Err(Trouble::compared("something else happened".to_owned(), vec![mismatch]))
    }
}

fn kind(frame: &Json) -> &str {
    frame.get("eventType").and_then(Json::as_str).unwrap_or_default()
}

/// Whether a pattern names a word of the connection itself.
fn is_of_connection(pattern: &str) -> bool {
    matches!(pattern, "hello" | "heartbeat" | "server_closing" | "closed")
}

/// Whether nobody has expected it yet. Words of the connection are only there for who names them.
fn is_open(event: &Arrived, pattern: &str) -> bool {
    !event.claimed && !event.forgotten && (!event.is_control || is_of_connection(pattern))
}
