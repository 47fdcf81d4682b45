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
use tokio::time::Instant;

/// Answers larger than this are cut off; no answer of the service comes near.
pub(super) const LARGEST_ANSWER: usize = 64 << 20;

/// A connection that is opened when it is needed.
#[derive(Default)]
pub(super) struct Connection {
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Connection {
    /// Sends `request` to `host` and waits for its whole answer no longer than `patience`, however little comes at a time.
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
        let deadline = Deadline { at: Instant::now() + patience, patience };
        let mut sender = match self.sender.take().filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => deadline.bound("nothing accepted the connection", open(dial)).await?,
        };
        let answer = async {
            sender.ready().await.map_err(broken)?;
            sender.send_request(message(request, host)?).await.map_err(broken)
        };
        let (head, body) = deadline.bound("no answer came", answer).await?.into_parts();
        let body = async {
            let whole = Limited::new(body, LARGEST_ANSWER).collect().await;
            whole.map_err(|error| NoAnswer(format!("the answer broke off: {error}")))
        };
        let body = deadline.bound("the answer was not complete", body).await?;
        self.sender = Some(sender);
        Ok(Response { status: head.status.as_u16(), headers: head.headers, body: body.to_bytes() })
    }
}

/// When all of an exchange must be over.
struct Deadline {
    at: Instant,
    patience: Duration,
}

impl Deadline {
    async fn bound<T>(&self, late: &str, work: impl Future<Output = Result<T, NoAnswer>>) -> Result<T, NoAnswer> {
        let outcome = tokio::time::timeout_at(self.at, work).await;
        outcome.unwrap_or_else(|_| Err(NoAnswer(format!("{late} within {:?}", self.patience))))
    }
}

pub(super) async fn open<D, F>(dial: D) -> Result<SendRequest<Full<Bytes>>, NoAnswer>
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

pub(super) fn message(request: Request, host: &str) -> Result<hyper::Request<Full<Bytes>>, NoAnswer> {
    let mut message = hyper::Request::builder().method(request.method).uri(request.path).header("host", host);
    if let Some(headers) = message.headers_mut() {
        headers.extend(request.headers);
    }
    message.body(Full::new(request.body)).map_err(|error| NoAnswer(format!("this cannot be sent: {error}")))
}

pub(super) fn broken(error: hyper::Error) -> NoAnswer {
    NoAnswer(format!("the connection broke: {error}"))
}
