//! Ways of carrying requests and frames: in process, over a simulated network, over real TCP.
//!
//! Owns: the trait of all drivers, and the plain request, answer and socket that all drivers share. Invariant: a story means the same
//! on every driver; what a driver cannot do it refuses by name and never pretends. Every wait has an end. A driver is used as
//! `dyn Driver`, so that what carries a story out is compiled once; a request costs one boxed future.

pub mod application;
pub mod in_process;
pub mod live;
#[cfg(feature = "canaries")]
pub mod planted;
pub mod probe;
pub mod receiver;
pub mod target;
pub mod turmoil;

mod http;
mod socket;

pub(crate) use socket::value_of;
pub use socket::{Ended, Socket};

use crate::foreign::Foreign;
use bytes::Bytes;
use hyper::{HeaderMap, Method};
use language::ast::{Network, Server};
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Which of the three a run uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The router is called directly; sockets run over memory.
    InProcess,
    /// Hosts `sandbox`, `partner`, `customer` and `receiver` on a simulated network.
    Turmoil,
    /// A running server.
    Live {
        /// Where it is.
        server: target::Target,
        /// Opens its operator plane, where it asks for a token.
        operator_token: Option<String>,
        /// How long it may take for a whole response.
        timeout: Duration,
        /// What it is when it is no fundsim.
        foreign: Option<Foreign>,
        /// The application under test that uses it, where there is one.
        application: Option<Box<application::ApplicationTarget>>,
    },
}

impl Choice {
    /// The server that is no fundsim, where it is one.
    #[must_use]
    pub const fn foreign(&self) -> Option<&Foreign> {
        match self {
            Self::Live { foreign, .. } => foreign.as_ref(),
            Self::InProcess | Self::Turmoil => None,
        }
    }

    /// The application under test, where there is one.
    #[must_use]
    pub fn application(&self) -> Option<&application::ApplicationTarget> {
        match self {
            Self::Live { application, .. } => application.as_deref(),
            Self::InProcess | Self::Turmoil => None,
        }
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::InProcess => "in-process",
            Self::Turmoil => "turmoil",
            Self::Live { .. } => "live",
        }
    }
}

/// From where a request is sent. Only a simulated network knows the difference: outages between `partner` and `sandbox`
/// leaves the customer, the banks and the operator alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The partner's backend.
    Partner,
    /// Everybody else.
    Elsewhere,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Request {
    /// From where it is sent.
    pub from: From,
    /// HTTP method.
    pub method: Method,
    /// Path and query, from the server's root.
    pub path: String,
    /// Headers beside `host` and `content-length`.
    pub headers: HeaderMap,
    /// Body, perhaps empty.
    pub body: Bytes,
}

/// One answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// Why there was no answer: the reason is for people and differs between networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer(pub String);

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoAnswer {}

/// A stream of bytes in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// What a driver does while it is waited for.
pub type Doing<'d, T> = Pin<Box<dyn Future<Output = T> + 'd>>;

/// Carries requests and frames.
pub trait Driver {
    /// Sends a request and waits, within bounds, for its answer.
    fn call(&mut self, request: Request) -> Doing<'_, Result<Response, NoAnswer>>;

    /// Opens the event socket at `path` with these headers.
    fn open_socket<'d>(&'d mut self, path: &'d str, headers: HeaderMap) -> Doing<'d, Result<Socket, NoAnswer>>;

    /// Changes the network.
    ///
    /// # Errors
    /// What this driver cannot do.
    fn set_network(&mut self, _: Network) -> Doing<'_, Result<(), String>> {
        Box::pin(ready(Err(without_network(self.name()))))
    }

    /// Crashes or restarts the server.
    ///
    /// # Errors
    /// What this driver cannot do.
    fn server(&mut self, _: Server) -> Doing<'_, Result<(), String>> {
        Box::pin(ready(Err(without_network(self.name()))))
    }

    /// Sends requests at once, each after its pause and over a connection of its own. No file can ask for that; a driver
    /// without a simulated network sends none of them.
    fn call_at_once(&mut self, requests: Vec<(Duration, Request)>) -> Doing<'_, Vec<Result<Response, NoAnswer>>> {
        let refusal = without_network(self.name());
        Box::pin(ready(requests.iter().map(|_| Err(NoAnswer(refusal.clone()))).collect()))
    }

    /// Sends a request, and has `outage` strike after a pause, whether or not there is an answer by then. No file can ask for
    /// that.
    ///
    /// # Errors
    /// When it cannot strike.
    fn call_struck(
        &mut self,
        _request: Request,
        _outage: Outage,
        _pause: Duration,
    ) -> Doing<'_, Result<Result<Response, NoAnswer>, String>> {
        Box::pin(ready(Err(without_network(self.name()))))
    }

    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// The partner's own server, to which callbacks and webhooks are posted.
    fn receiver(&self) -> &receiver::Receiver;

    /// The application under test, which uses the server beside the story.
    fn application(&mut self) -> Option<&mut application::Application> {
        None
    }

    /// Sends a request to that application over a connection of its own, and waits for its answer no longer than `patience`.
    fn call_application(&mut self, _request: Request, _patience: Duration) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(ready(Err(NoAnswer("no application is named".to_owned()))))
    }

    /// Opens the operator plane, where the server asks for a token.
    fn operator_token(&self) -> Option<&str> {
        None
    }

    /// Lets transport time pass.
    fn pass(&mut self, span: Duration) -> Doing<'_, ()> {
        Box::pin(tokio::time::sleep(span))
    }

    /// How long a request may take, of this driver's time.
    fn patience(&self) -> Duration {
        Duration::from_secs(10)
    }
}

/// What strikes while a request is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// Nothing gets through between partner and sandbox.
    Cut,
    /// Everything waits between partner and sandbox.
    Held,
    /// The server is gone.
    Crash,
}

/// What a driver without a simulated network says of it.
fn without_network(driver: &str) -> String {
    format!("the {driver} driver has no simulated network and no crashes; run this story with `--driver turmoil`")
}
