//! One step in a world that runs on a server: sent as a story sends it, and handed back instead of judged.
//!
//! Invariant: what is sent for a step is what `play` would send for it. Nothing else changes the world: no socket is opened, no setting
//! is set. Absent on purpose: what becomes of the answer.

pub use super::caller::Caller;

use super::session::{Session, ShownPart};
use crate::drivers::live;
use crate::drivers::target::Target;
use language::ast::{Act, StoryStep};
use serde_json::Value as Json;
use std::time::Duration;

/// The world that a step is sent to, and by whom.
#[derive(Clone)]
pub struct Visit {
    /// Where the server is.
    pub server: Target,
    /// How long it may take for an answer.
    pub patience: Duration,
    /// The operator's token, where the server asks for one.
    pub operator_token: Option<String>,
    /// By whom.
    pub caller: Caller,
    /// The world, by id or name; without one, the caller's own, or the server's first.
    pub world: Option<String>,
}

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// HTTP method.
    pub method: String,
    /// Path with query.
    pub path: String,
    /// What was sent, where anything was.
    pub sent: Option<String>,
    /// Status of the answer.
    pub status: u16,
    /// Body of the answer: null where there is none, a text where it is no JSON.
    pub answer: Json,
}

impl Visit {
    /// Sends what a step asks.
    ///
    /// # Errors
    /// Why it was not sent, or not answered, in one line.
    pub fn send(&self, step: &StoryStep) -> Result<Exchange, String> {
        let (visit, step) = (self.clone(), step.clone());
        let sent = live::run(&self.server, self.operator_token.as_deref(), self.patience, |driver| async move {
            let mut session = Session::visiting(Box::new(driver), visit.world.as_deref(), &visit.caller).await?;
            session.exchange(&step).await
        });
        sent.map_err(|error| error.to_string())?
    }
}

impl Session {
    /// The request of a step, and its answer.
    async fn exchange(&mut self, step: &StoryStep) -> Result<Exchange, String> {
        let outgoing = match &step.act {
            Act::Request(request) => self.prepare(step.actor, request).await,
            Act::Call(call) => self.prepare_call(step.actor, call),
            _ => return Err("the step sends no request".to_owned()),
        };
        let outgoing = outgoing.map_err(|trouble| trouble.what)?;
        let (method, path) = (outgoing.method.clone(), outgoing.path.clone());
        let sent = outgoing.body.as_ref().map(|(_, text)| text.clone());
        let answer = self.send(step.actor, outgoing, ShownPart::Nothing).await.map_err(|trouble| trouble.what)?;
        let answer = answer.ok_or_else(|| format!("{method} {path}: {}", self.silence()))?;
        Ok(Exchange { method, path, sent, status: answer.status, answer: answer.body })
    }
}
