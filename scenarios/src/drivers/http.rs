//! HTTP/1.1 over one kept-alive connection.
//!
//! Invariant: a request is sent once; a broken connection is replaced before the next request, never in the middle of
//! one. Absent on purpose: redirects, pools, retries.

use super::{NoAnswer, Request, Response, Stream};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::time::Duration;

/// Answers larger than this are cut off; no answer of the service comes near.
pub(super) const LARGEST_ANSWER: usize = 64 << 20;

/// A connection that is opened when it is needed.
#[derive(Default)]
pub(super) struct Connection {
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Connection {
    /// Sends `request` to `host` and waits for its answer no longer than `patience`.
    pub(super) async fn call<D, F>(
        &mut self,
        request: Request,
        host: &str,
        patience: Duration,
        dial: D,
    ) -> Result<Response, NoAnswer>
    where
        D: FnOnce() -> F,
        F: Future<Output = io::Result<Box<dyn Stream>>>,
    {
        let outcome = tokio::time::timeout(patience, self.exchange(request, host, dial)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(NoAnswer(format!("no answer within {} s", patience.as_secs()))));
        if outcome.is_err() {
            self.sender = None;
        }
        outcome
    }

    async fn exchange<D, F>(&mut self, request: Request, host: &str, dial: D) -> Result<Response, NoAnswer>
    where
        D: FnOnce() -> F,
        F: Future<Output = io::Result<Box<dyn Stream>>>,
    {
        let mut sender = match self.sender.take().filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => open(dial).await?,
        };
        sender.ready().await.map_err(broken)?;
        let answer = sender.send_request(message(request, host)?).await.map_err(broken)?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await.map_err(|error| NoAnswer(error.to_string()))?;
        self.sender = Some(sender);
        Ok(Response { status: head.status.as_u16(), headers: head.headers, body: body.to_bytes() })
    }
}

async fn open<D, F>(dial: D) -> Result<SendRequest<Full<Bytes>>, NoAnswer>
where
    D: FnOnce() -> F,
    F: Future<Output = io::Result<Box<dyn Stream>>>,
{
    let stream = dial().await.map_err(|error| NoAnswer(format!("cannot connect: {error}")))?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    tokio::spawn(async move {
        // The task that waits for an answer learns of the end through the sender.
        drop(connection.await);
    });
    Ok(sender)
}

fn message(request: Request, host: &str) -> Result<hyper::Request<Full<Bytes>>, NoAnswer> {
    let mut message = hyper::Request::builder().method(request.method).uri(request.path).header("host", host);
    if let Some(headers) = message.headers_mut() {
        headers.extend(request.headers);
    }
    message.body(Full::new(request.body)).map_err(|error| NoAnswer(format!("this cannot be sent: {error}")))
}

fn broken(error: hyper::Error) -> NoAnswer {
    NoAnswer(format!("the connection broke: {error}"))
}
