//! The router called directly, sockets over memory: no network, and the fastest.
//!
//! Owns: the runtime of a run: one thread, and tokio's clock standing still unless everybody waits. Invariant: no wait
//! takes real time.

use super::receiver::Receiver;
use super::{Doing, Driver, NoAnswer, Request, Response, Socket, http};
use axum::body::Body;
use http_body_util::{BodyExt as _, Limited};
use hyper::HeaderMap;
use std::future::Future;
use std::io;
use surface::Surface;
use surface::server::memory::{Dialer, memory};

/// A server without a network.
pub struct InProcess {
    surface: Surface,
    dialer: Dialer,
    receiver: Receiver,
}

/// Runs `story` with a driver of this kind.
///
/// # Errors
/// When the runtime cannot be built.
pub fn run<T, F>(story: impl FnOnce(InProcess) -> F) -> io::Result<T>
where
    F: Future<Output = T>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let local = tokio::task::LocalSet::new();
    Ok(local.block_on(&runtime, async {
        let receiver = Receiver::default();
        let clock = feed::transport::TransportClock::starting_at(super::turmoil::EPOCH);
        let surface = super::turmoil::surface(clock, receiver.clone());
        let (dialer, listener) = memory();
        tokio::task::spawn_local(surface::serve(listener, surface.clone(), std::future::pending()));
        story(InProcess { surface, dialer, receiver }).await
    }))
}

impl Driver for InProcess {
    fn call(&mut self, request: Request) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(async move {
            let patience = self.patience();
            let mut message =
                hyper::Request::builder().method(request.method).uri(request.path).header("host", "sandbox");
            if let Some(headers) = message.headers_mut() {
                headers.extend(request.headers);
            }
            if !request.body.is_empty() {
                message = message.header("content-length", request.body.len());
            }
            let message = message
                .body(Body::from(request.body))
                .map_err(|error| NoAnswer(format!("this cannot be sent: {error}")))?;
            let exchange = async {
                let answer =
                    self.surface.handle(message, None).await.map_err(|dropped| NoAnswer(dropped.to_string()))?;
                let (head, body) = answer.into_parts();
                let body = Limited::new(body, http::LARGEST_ANSWER).collect().await;
                let body = body.map_err(|error| NoAnswer(error.to_string()))?.to_bytes();
                Ok(Response { status: head.status.as_u16(), headers: head.headers, body })
            };
            tokio::time::timeout(patience, exchange)
                .await
                .unwrap_or_else(|_| Err(NoAnswer("no answer in time".to_owned())))
        })
    }

    fn open_socket<'d>(&'d mut self, path: &'d str, headers: HeaderMap) -> Doing<'d, Result<Socket, NoAnswer>> {
        Box::pin(async move {
            let stream = self.dialer.dial().map_err(|error| NoAnswer(format!("cannot connect: {error}")))?;
            Socket::open(Box::new(stream), "sandbox", path, headers, self.patience()).await
        })
    }

    fn name(&self) -> &'static str {
        "in-process"
    }

    fn receiver(&self) -> &Receiver {
        &self.receiver
    }
}
