//! The service as the consumer of a run reaches it: from the partner's host, over connections of its own.
//!
//! Invariant: nothing but what a partner has: its credentials, requests and sockets. Absent on purpose: the operator's
//! plane.

use super::recorder::Recorder;
use consumer::follow::{Answer, Feed, Frame, Service};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Method, StatusCode};
use runner::drivers::turmoil::SideConnection;
use runner::drivers::{From, Request, Response, Socket};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The service for one client of a partner.
pub(super) struct PartnerConnection {
    line: SideConnection,
    client: String,
    form: String,
    token: Option<HeaderValue>,
    recorder: Rc<RefCell<Recorder>>,
}

impl PartnerConnection {
    /// For `client` of the partner that gets tokens by `form`.
    pub(super) fn new(client: String, form: String, recorder: Rc<RefCell<Recorder>>) -> Self {
        Self { line: SideConnection::default(), client, form, token: None, recorder }
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

impl Service for PartnerConnection {
    type Feed = EventSocket;

    async fn read(&mut self, path: &str) -> Option<Answer> {
        let mut answer = self.get(path.to_owned()).await?;
        if answer.status == StatusCode::UNAUTHORIZED {
            self.token = None;
            answer = self.get(path.to_owned()).await?;
        }
        self.recorder.borrow_mut().note_read(path, answer.status);
        let seconds = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let body = serde_json::from_slice(&answer.body).ok()?;
        Some(Answer { status: answer.status, retry_after: seconds.map(Duration::from_secs), body })
    }

    async fn open(&mut self) -> Option<EventSocket> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.token().await?);
        let path = format!("/v2/partner/client/{}/subscribe", self.client);
        let Ok(socket) = self.line.open_socket(&path, headers).await else {
            // It may be the token.
            self.token = None;
            return None;
        };
        self.recorder.borrow_mut().opened();
        Some(EventSocket { socket, recorder: Rc::clone(&self.recorder) })
    }
}

/// One socket, whose events are noted as they come.
pub(super) struct EventSocket {
    socket: Socket,
    recorder: Rc<RefCell<Recorder>>,
}

impl Drop for EventSocket {
    fn drop(&mut self) {
        self.recorder.borrow_mut().closed();
    }
}

impl Feed for EventSocket {
    async fn next(&mut self) -> Frame {
        match self.socket.next().await {
            Ok(message) => {
                self.recorder.borrow_mut().note_message(&message);
                Frame::Message(message)
            }
            Err(_) => Frame::Ended,
        }
    }
}
