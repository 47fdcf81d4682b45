//! Event sockets: opened, read up to the present, closed.
//!
//! Invariant: after every step each open socket has shown all events that the step caused, so that a transcript's lines are
//! always in the same order.

use super::state::Session;
use super::watched::{Arrived, Watched, label};
use crate::drivers::{Ended, NoAnswer, Socket, value_of};
use crate::run::awaited::{LONGEST_WAIT_FOR_OTHERS, LOOK, mentions};
use crate::run::frames::FrameKind;
use crate::run::outcome::{Failure, StepResult, Trouble};
use crate::run::received_frames::ReceivedFrames;
use futures_util::future::join_all;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderValue};
use language::ast::{Actor, SocketAct};
use language::matching::Mismatch;
use serde_json::{Value as Json, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The header of a token.
fn bearing(token: &str) -> Result<HeaderMap, NoAnswer> {
    let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| NoAnswer(error.to_string()))?;
    Ok(HeaderMap::from_iter([(AUTHORIZATION, value)]))
}

impl Session {
    pub(super) async fn socket(&mut self, actor: Actor, act: &SocketAct) -> StepResult {
        let Actor::Client { partner, client } = actor else {
            return Err(Trouble::new("the caller `nobody` has no socket"));
        };
        let find = |sockets: &[Watched], name: &Option<String>| {
            let is_its = |it: &Watched| (it.partner, it.client) == (partner, client) && it.name == *name;
            sockets.iter().position(|it| is_its(it) && !it.is_second)
        };
        match act {
            SocketAct::Open(name) => {
                if let Some(at) = find(&self.sockets, name) {
                    self.sockets.remove(at).socket.close(Duration::from_secs(5)).await;
                }
                let opened = self.open_socket(partner, client, name.clone()).await;
                opened.map_err(|error| Trouble::new(error.to_string()))?;
                self.catch_up().await
            }
            SocketAct::Close(name) => {
                let at = find(&self.sockets, name).ok_or_else(|| Trouble::new("there is no such socket"))?;
                self.sockets.remove(at).socket.close(Duration::from_secs(5)).await;
                Ok(())
            }
            SocketAct::Closed { name, code } => {
                let at = find(&self.sockets, name).ok_or_else(|| Trouble::new("there is no such socket"))?;
                self.expect_closed(at, *code).await
            }
        }
    }

    async fn expect_closed(&mut self, at: usize, code: Option<u16>) -> StepResult {
        let patience = self.driver.patience();
        let frames = self.sockets[at].socket.until_closed(patience).await;
        let frames = frames.map_err(|error| Trouble::new(error.to_string()))?;
        self.arrived(at, frames);
        let ended = self.sockets[at].socket.ended();
        match (code, ended) {
            (Some(code), Some(Ended::Closed(got))) if got != code => {
                Err(Trouble::new(format!("the socket was closed with {got}, expected {code}")))
            }
            (Some(code), Some(Ended::Cut)) => {
                Err(Trouble::new(format!("the socket was cut without a close frame, expected code {code}")))
            }
            _ => Ok(()),
        }
    }

    pub(super) async fn open_socket(
        &mut self,
        partner: usize,
        client: usize,
        name: Option<String>,
    ) -> Result<(), NoAnswer> {
        let token = self.token(partner).await?;
        let mut headers = bearing(&token)?;
        let path = format!("{}/subscribe", self.client_path(Actor::Client { partner, client }));
        let socket = match self.driver.open_socket(&path, headers.clone()).await {
            Err(error) if error.0.ends_with("refused with 401") => {
                let Some(value) = Box::pin(self.renewed(partner)).await else { return Err(error) };
                headers.insert(AUTHORIZATION, value);
                self.driver.open_socket(&path, headers).await?
            }
            opened => opened?,
        };
        self.watch(partner, client, name, socket);
        Ok(())
    }

    fn watch(&mut self, partner: usize, client: usize, name: Option<String>, socket: Socket) {
        let received = ReceivedFrames::default();
        self.sockets.push(Watched { partner, client, name, socket, unproven: false, is_second: false, received });
    }

    /// Opens a further socket of a client with this token instead of the partner's own; one of that name is closed before.
    pub(in crate::run) async fn open_socket_with(&mut self, actor: Actor, name: &str, token: &str) -> StepResult {
        let Actor::Client { partner, client } = actor else {
            return Err(Trouble::new("the caller `nobody` has no socket"));
        };
        if let Some(at) = self.sockets.iter().position(|it| it.name.as_deref() == Some(name)) {
            self.sockets.remove(at).socket.close(Duration::from_secs(5)).await;
        }
        let path = format!("{}/subscribe", self.client_path(actor));
        let opened = match bearing(token) {
            Ok(headers) => self.driver.open_socket(&path, headers).await,
            Err(error) => Err(error),
        };
        let socket = opened.map_err(|error| Trouble::new(error.to_string()))?;
        self.watch(partner, client, Some(name.to_owned()), socket);
        self.catch_up().await
    }

    /// Opens a further socket beside the one that was opened last, to be compared with it.
    pub(super) async fn open_second(&mut self, partner: usize, client: usize) -> Result<(), NoAnswer> {
        self.open_socket(partner, client, None).await?;
        self.sockets.last_mut().expect("it was opened").is_second = true;
        Ok(())
    }

    /// What the first socket of a client has received about the story's own resources and the second has not received alike,
    /// of all clients; waited for while it may still come.
    pub(in crate::run) async fn check_events_of_both_sockets(&mut self) -> Result<(), Box<Failure>> {
        let Some(own) = self.own_ids() else { return Ok(()) };
        let deadline = tokio::time::Instant::now() + LONGEST_WAIT_FOR_OTHERS;
        loop {
            let read = self.catch_up().await;
            let found = self.not_alike(|received| mentions(received, &own));
            let may_come = found.as_ref().is_some_and(|(_, may_come)| *may_come);
            if may_come && read.is_ok() && tokio::time::Instant::now() < deadline {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let faults = self.event_faults(found.map(|(mismatch, _)| mismatch));
            return faults.map_err(|trouble| Box::new(self.at_the_end(trouble)));
        }
    }

    fn not_alike(&self, is_own: impl Fn(&Json) -> bool) -> Option<(Mismatch, bool)> {
        let lives = |it: &&Watched| it.socket.ended().is_none();
        self.sockets.iter().filter(|second| second.is_second).filter(lives).find_map(|second| {
            let is_first = |it: &&Watched| {
                (it.partner, it.client, &it.name) == (second.partner, second.client, &None) && !it.is_second
            };
            self.sockets.iter().find(is_first)?.received.event_missing_on(&second.received, &is_own)
        })
    }

    /// Reads every socket up to the present, all at once.
    pub(in crate::run) async fn catch_up(&mut self) -> StepResult {
        if self.offline {
            return Ok(());
        }
        let patience = self.driver.patience();
        let live: Vec<usize> =
            (0..self.sockets.len()).filter(|&at| self.sockets[at].socket.ended().is_none()).collect();
        let watched = self.sockets.iter_mut().filter(|watched| watched.socket.ended().is_none());
        let read = join_all(watched.map(|watched| watched.catch_up(patience))).await;
        for (at, frames) in live.into_iter().zip(read) {
            self.arrived(at, frames?);
        }
        Ok(())
    }

    /// How many sockets the story has open.
    pub(in crate::run) fn open_sockets(&self) -> usize {
        self.sockets.iter().filter(|watched| watched.socket.ended().is_none()).count()
    }

    fn arrived(&mut self, at: usize, frames: Vec<Utf8Bytes>) {
        let (partner, client, name) = {
            let socket = &self.sockets[at];
            (socket.partner, socket.client, socket.name.clone())
        };
        let label = label(partner, client, name.as_deref());
        for text in frames {
            if let Some(frames) = &mut self.frames {
                let kind = FrameKind::of((partner, client), text.clone());
                if !matches!(kind, FrameKind::Heartbeat) {
                    self.transcript.frame_unread(&text);
                }
                if let FrameKind::Event(frame) = kind {
                    frames.push(name.as_deref(), frame);
                }
                continue;
            }
            let mut frame = value_of(&text);
            if let Some(foreign) = &mut self.foreign {
                foreign.references.take_in(&mut frame);
                foreign.event_faults.extend(self.sockets[at].received.receive(&frame));
            }
            self.mask_secrets(&frame);
            if self.sockets[at].is_second {
                continue;
            }
            // Heartbeats follow transport time, so transcripts leave them out.
            if frame.get("eventType").and_then(Json::as_str) != Some("heartbeat") {
                self.transcript.frame(&self.now, &label, &frame);
            }
            self.keep(partner, client, name.as_ref(), frame);
        }
        if self.sockets[at].is_second {
            return;
        }
        let code = match self.sockets[at].socket.ended() {
            Some(Ended::Closed(code)) => {
                self.transcript.ended(&label, &format!("closed with {code}"));
                Some(Json::from(code))
            }
            Some(Ended::Cut) => {
                self.transcript.ended(&label, "cut");
                Some(Json::Null)
            }
            None => None,
        };
        if let Some(code) = code
            && self.frames.is_none()
        {
            self.keep(partner, client, name.as_ref(), json!({ "eventType": "closed", "code": code }));
        }
    }

    fn keep(&mut self, partner: usize, client: usize, socket: Option<&String>, frame: Json) {
        let is_control = frame.get("eventId").is_none();
        let socket = socket.cloned();
        self.inbox.push(Arrived { partner, client, socket, frame, is_control, claimed: false, forgotten: false });
    }
}
