//! The service as the consumer of a run reaches it: from the partner's host, over connections of its own.
//!
//! Invariant: nothing but what a partner has: its credentials, requests and sockets. Absent on purpose: the operator's
//! plane.

#[cfg(feature = "canaries")]
use super::planted;
use crate::consumer::follow::{Answer, Feed, Frame, Post, Service};
use crate::drivers::turmoil::Line;
use crate::drivers::{From, Request, Response, Socket};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Method, StatusCode};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// What was told, each event with the content it came with first.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Events, those that came again not counted.
    pub(super) events: u64,
    /// Events that came again.
    pub(super) again: u64,
    /// Reads that were answered.
    pub(super) reads: u64,
    /// What came again under another id.
    pub(super) renamed: Option<String>,
    /// The id of each (type, payload).
    ids: BTreeMap<(String, String), String>,
}

impl Told {
    /// Notes an event; the same change has the same id on every connection. Prices are told of in general, again and again.
    fn note(&mut self, kind: &str, id: &str, payload: &Json) {
        // A change that shows nothing may come twice within an instant.
        let shows_nothing = payload.get("current") == payload.get("previous");
        if id.is_empty() || shows_nothing || kind.starts_with("instrument.") {
            return;
        }
        let mut is_new = false;
        let first = self.ids.entry((kind.to_owned(), payload.to_string())).or_insert_with(|| {
            is_new = true;
            id.to_owned()
        });
        if *first != id {
            self.renamed.get_or_insert(format!("{kind} came as {first} and again as {id}"));
        }
        *(if is_new { &mut self.events } else { &mut self.again }) += 1;
    }

    pub(super) fn note_frame(&mut self, message: &Json) {
        let text = |name: &str| message.get(name).and_then(Json::as_str).unwrap_or_default();
        let payload = message.get("payload").cloned().unwrap_or_default();
        self.note(text("eventType"), text("eventId"), &payload);
    }

    pub(super) fn note_post(&mut self, post: &Post) {
        let payload = serde_json::from_slice(&post.body).unwrap_or_default();
        self.note(&post.event_type, &post.id, &payload);
    }
}

/// The service for one client of a partner.
pub(super) struct Reached {
    pub(super) line: Line,
    pub(super) client: String,
    pub(super) form: String,
    token: Option<HeaderValue>,
    told: Rc<RefCell<Told>>,
    #[cfg(feature = "canaries")]
    planted: Option<planted::Planted>,
    #[cfg(feature = "canaries")]
    opened: u32,
}

impl Reached {
    pub(super) fn new(line: Line, client: String, form: String, told: Rc<RefCell<Told>>, seed: u64) -> Self {
        #[cfg(not(feature = "canaries"))]
        let _ = seed;
        Self {
            line,
            client,
            form,
            token: None,
            told,
            #[cfg(feature = "canaries")]
            planted: planted::of(seed),
            #[cfg(feature = "canaries")]
            opened: 0,
        }
    }

    /// A token: the one there is, or a new one.
    async fn token(&mut self) -> Option<HeaderValue> {
        if self.token.is_none() {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
            let (path, body) = ("/v2/partner/auth/token".to_owned(), self.form.clone().into());
            let request = Request { from: From::Partner, method: Method::POST, path, headers, body };
            let answer = self.line.call(request).await.ok()?;
            let body: Json = serde_json::from_slice(&answer.body).ok()?;
            self.token = HeaderValue::from_str(&format!("Bearer {}", body.get("access_token")?.as_str()?)).ok();
        }
        self.token.clone()
    }

    async fn get(&mut self, path: String) -> Option<Response> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.token().await?);
        let request = Request { from: From::Partner, method: Method::GET, path, headers, body: Default::default() };
        self.line.call(request).await.ok()
    }
}

impl Service for Reached {
    type Feed = Socketed;

    async fn read(&mut self, path: &str) -> Option<Answer> {
        let path = format!("/v2/partner/client/{}/{path}", self.client);
        let mut answer = self.get(path.clone()).await?;
        if answer.status == StatusCode::UNAUTHORIZED {
            self.token = None;
            answer = self.get(path).await?;
        }
        self.told.borrow_mut().reads += 1;
        let seconds = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let body = serde_json::from_slice(&answer.body).ok()?;
        Some(Answer { status: answer.status, retry_after: seconds.map(Duration::from_secs), body })
    }

    async fn open(&mut self) -> Option<Socketed> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.token().await?);
        let path = format!("/v2/partner/client/{}/subscribe", self.client);
        match self.line.open_socket(&path, headers).await {
            Ok(socket) => {
                #[cfg(feature = "canaries")]
                {
                    self.opened += 1;
                }
                Some(Socketed {
                    socket,
                    told: Rc::clone(&self.told),
                    #[cfg(feature = "canaries")]
                    planted: self.planted.map(|planted| planted.on(self.opened)),
                })
            }
            Err(_) => {
                // It may be the token.
                self.token = None;
                None
            }
        }
    }
}

/// One socket, whose events are noted as they come.
pub(super) struct Socketed {
    socket: Socket,
    told: Rc<RefCell<Told>>,
    #[cfg(feature = "canaries")]
    planted: Option<planted::OnSocket>,
}

impl Feed for Socketed {
    async fn next(&mut self) -> Frame {
        loop {
            let frame = self.socket.next().await;
            let message = match frame {
                Ok(message) => message,
                Err(_) => return Frame::Ended,
            };
            #[cfg(feature = "canaries")]
            let Some(message) = (match &mut self.planted {
                Some(planted) => planted.spoil(message),
                None => Some(message),
            }) else {
                continue;
            };
            self.told.borrow_mut().note_frame(&message);
            return Frame::Message(message);
        }
    }
}
