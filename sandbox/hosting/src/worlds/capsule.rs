//! A world with all that led to it, as one file that another process opens: to see what was there when something failed.
//!
//! Invariant: what is opened is the world that was written, and continues for its reader alone: its clock is frozen and nothing is delivered.
//! No secret of the server, of a partner or of a webhook is in the file. Absent on purpose: what else a report of a failure has to say, which
//! the runner adds (`run`).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::Method;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use sim::Input;
use sim::ids::PartnerId;
use sim::input::{Act, RulesVersion};
use sim::time::Instant;

use super::{InputOrigin, InputRequest, WorldHandle, Worlds, made_entry};
use crate::clock::Mode;
use crate::decision::HostDecision;
use crate::journal::{Entry, InputEntry, Journal, MadeEntry, What, Writer};
use crate::request_log::{KeptBody, LoggedRequest};
use crate::snapshot_file::{self, Head, unwritable};
use feed::input_log::{Pending, Position, at_once, ready};
use feed::lineage::Point;
use feed::transport::TransportTime;
use wire::error::ApiError;

/// What the file says that it is.
const KIND: &str = "fundsim capsule";
/// The only format there is.
const FORMAT: u16 = 1;

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capsule {
    kind: String,
    format: u16,
    /// The version of fundsim that has written it.
    pub version: String,
    /// The rules that the world follows.
    pub rules: RulesVersion,
    /// What the world's clock showed.
    pub now: Instant,
    /// The fingerprint of the world.
    pub digest: String,
    /// What was run when it was written, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// All that led to the world, as a journal has it.
    entries: Vec<Box<RawValue>>,
    /// The last requests, oldest first.
    requests: Vec<Request>,
}

/// What was run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Run {
    /// The story, or the test.
    pub name: String,
    /// Why it has failed, in words.
    pub failure: String,
    /// The story as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub story: Option<String>,
    /// The command that repeats it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    /// What happened, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// A request, with masks in the place of secrets.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    id: u64,
    partner: Option<PartnerId>,
    at: TransportTime,
    method: String,
    target: Box<str>,
    status: Option<u16>,
    milliseconds: u64,
    sent: Option<Box<str>>,
    answered: Option<Box<str>>,
}

impl Request {
    fn of(line: &LoggedRequest) -> Self {
        let text = |body: &Option<KeptBody>| body.as_ref().map(KeptBody::text);
        Self {
            id: line.id,
            partner: line.partner,
            at: line.at,
            method: line.method.to_string(),
            target: line.target.clone(),
            status: line.status,
            milliseconds: u64::try_from(line.took.as_millis()).unwrap_or(u64::MAX),
            sent: text(&line.sent),
            answered: text(&line.answered),
        }
    }

    fn logged(self) -> Result<LoggedRequest, String> {
        let kept =
            |body: Option<Box<str>>| body.and_then(|body| KeptBody::of(Bytes::from(String::from(body)), usize::MAX));
        Ok(LoggedRequest {
            id: self.id,
            partner: self.partner,
            at: self.at,
            method: Method::from_bytes(self.method.as_bytes()).map_err(|error| error.to_string())?,
            target: self.target,
            status: self.status,
            took: Duration::from_millis(self.milliseconds),
            sent: kept(self.sent),
            answered: kept(self.answered),
        })
    }
}

impl WorldHandle {
    /// This world with all that led to it, as far back as its log goes.
    ///
    /// # Errors
    /// 503 when it could not be made again from what is kept of it.
    pub fn capsule(&self) -> Result<Capsule, ApiError> {
        self.check_readable()?;
        let (world, Point { input: last, at }, received) = self.last_state()?;
        let begin = at_once(self.log().begin()).map_err(unwritable)?;
        let line = |what| to_raw_value(&Entry { at: received, what }).map_err(unwritable);
        let number = self.identity.id().number();
        let entry = |position, input, request: Option<InputRequest>| {
            let (request, route) = request.map(|it| (it.request, it.route.map(Cow::Borrowed))).unzip();
            let input = Cow::Owned(without_keys(input)?);
            line(What::Input(InputEntry { world: number, position, request, route: route.flatten(), input }))
        };
        let mut entries = vec![line(self.beginning(begin)?)?];
        for position in begin.0 + 1..=last.0 {
            let InputOrigin { input, request, .. } =
                self.own_input(position).ok_or_else(|| unwritable("its log has lost an input"))?;
            entries.push(entry(Position(position), Input::clone(&input), request)?);
        }
        // Time has passed since then, and nothing has happened.
        if let Some(at) = at {
            entries.push(entry(last.next(), Input::new(at, Act::Advance), None)?);
        }
        let (_, requests) = self.edge.request_log.last(usize::MAX, |_| true);
        Ok(Capsule {
            kind: KIND.to_owned(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: world.setup().rules,
            now: world.now(),
            digest: world.digest().to_string(),
            run: None,
            entries,
            requests: requests.iter().rev().map(Request::of).collect(),
        })
    }

    /// How the world was, after which the log goes on.
    fn beginning(&self, begin: Position) -> Result<What<'static>, ApiError> {
        let file = match begin {
            Position(0) => None,
            _ => {
                let snapshot = at_once(self.log().snapshot(begin)).map_err(unwritable)?;
                let (_, world) = snapshot.ok_or_else(|| unwritable("its log has lost its beginning"))?;
                Some(snapshot_file::write(self.identity.origin(), &world, None)?)
            }
        };
        let made = made_entry(self, file.as_deref())?;
        let surface = self.surface_at(begin);
        Ok(What::Made(Box::new(MadeEntry { mode: Mode::Frozen, surface, maker: None, ..made })))
    }
}

/// An input without the keys that an owner of webhooks has written into it.
fn without_keys(input: Input) -> Result<Input, ApiError> {
    let decision = match HostDecision::of(&input).map_err(unwritable)? {
        Some(HostDecision::Register { client, url, key: Some(_), events }) => {
            HostDecision::Register { client, url, key: None, events }
        }
        Some(HostDecision::Rotate { webhook, key: Some(_), overlap }) => {
            HostDecision::Rotate { webhook, key: None, overlap }
        }
        _ => return Ok(input),
    };
    Ok(Input { act: decision.act(), ..input })
}

impl Capsule {
    /// What a file holds.
    ///
    /// # Errors
    /// Why it is of no use, in words.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let head: Head = serde_json::from_slice(file).map_err(|error| format!("it is no capsule: {error}"))?;
        if head.kind != KIND {
            return Err(format!("it is no capsule: its kind is not `{KIND}`"));
        }
        if head.format != FORMAT {
            return Err(format!("its format is {}, and {FORMAT} is what this version reads", head.format));
        }
        serde_json::from_slice(file).map_err(|error| format!("it is no whole capsule: {error}"))
    }

    /// As a file.
    ///
    /// # Errors
    /// When JSON refuses it: a bug.
    pub fn write(&self) -> Result<Vec<u8>, ApiError> {
        serde_json::to_vec(self).map_err(unwritable)
    }

    /// Makes its world in `worlds`, which have none. Its clock is frozen, and nothing is delivered.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub async fn open(self, worlds: &Worlds) -> Result<Arc<WorldHandle>, String> {
        let mut recovery = worlds.recover(BTreeSet::new());
        for entry in &self.entries {
            recovery.redo(entry.get().as_bytes()).map_err(|error| error.to_string())?;
        }
        let world = worlds.all().into_iter().next().ok_or("it has no world")?;
        if let Err(why) = world.check_readable() {
            return Err(why.description);
        }
        world.freeze();
        worlds.end_deliveries();
        let writer = Writer::new(Arc::new(Unkept), worlds.clock().clone());
        recovery.end(writer, false).await;
        // No request that comes has the number of one that was.
        let last = self.requests.iter().map(|request| request.id).max().unwrap_or(0);
        worlds.shared.requests.fetch_max(last, Ordering::Relaxed);
        for request in self.requests {
            world.edge.request_log.note(request.logged()?);
        }
        Ok(world)
    }
}

/// Keeps nothing: an opened world ends with its process.
struct Unkept;

impl Journal for Unkept {
    fn append(&self, _: Vec<u8>) -> Pending<'static, ()> {
        ready::<()>(Ok(()))
    }

    fn failure(&self) -> Option<String> {
        None
    }
}
