//! The partner's own server, to which callbacks and webhooks are posted.
//!
//! Owns: how it answers over a connection: well, or in all the ways in which receivers behave badly. The same receiver
//! answers on a simulated network (a host of its own), over memory (in process) and over TCP (live).
//! Invariant: a post is noted (`state`) before it is answered, and of its body no more is taken than fits.
//! Absent on purpose: checking signatures, which a story does with the secret that it knows.

mod answer;
mod state;

pub use state::{Behaviour, HOST, Post, PostToAnswer, Receiver};

use answer::{Closed, FLOOD, ReceiverBody};
use deliveries::connector::{Connector, Pending, Stream};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use state::Noted;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Its port on a simulated network.
pub const PORT: u16 = 80;
/// Bytes of a post's body that are taken.
const MOST_BODY: usize = 4 * 1024 * 1024;

impl Receiver {
    /// Answers what comes over one connection.
    pub async fn converse(self, io: impl AsyncRead + AsyncWrite + Unpin) {
        if self.is_down() {
            return;
        }
        let service = service_fn(|request| self.clone().receive(request));
        let mut server = hyper::server::conn::http1::Builder::new();
        let conversation = server.auto_date_header(false).serve_connection(TokioIo::new(io), service);
        // How it ends is the sender's concern.
        drop(conversation.await);
    }

    async fn receive(self, request: Request<Incoming>) -> Result<Response<ReceiverBody>, Closed> {
        let answering = self.begin();
        let (head, body) = request.into_parts();
        let body = Limited::new(body, MOST_BODY).collect().await.map_err(|_| Closed)?.to_bytes();
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let behaviour = match self.note(path, head.headers, body) {
            Noted::Behaviour(behaviour) => behaviour,
            Noted::Asked(status) => status.await.map_or(Behaviour::Close, Behaviour::Status),
        };
        let (status, answer) = match behaviour {
            Behaviour::Status(status) => (status, ReceiverBody::Empty),
            Behaviour::Slow(status, wait) => {
                tokio::time::sleep(wait).await;
                (status, ReceiverBody::Empty)
            }
            Behaviour::Redirect => (302, ReceiverBody::Empty),
            Behaviour::Hang => std::future::pending().await,
            // Down since the connection was opened.
            Behaviour::Close | Behaviour::Down => return Err(Closed),
            Behaviour::Dribble => (200, ReceiverBody::Dribble(answering, Box::pin(tokio::time::sleep(Duration::ZERO)))),
            Behaviour::Flood => {
                (200, ReceiverBody::Flood(answering, FLOOD, Box::pin(tokio::time::sleep(Duration::ZERO))))
            }
        };
        let mut response = Response::new(answer);
        *response.status_mut() = StatusCode::from_u16(status).map_err(|_| Closed)?;
        if status == 302 {
            let there = hyper::header::HeaderValue::from_static("/elsewhere");
            response.headers_mut().insert(hyper::header::LOCATION, there);
        }
        Ok(response)
    }

    /// Answers over TCP on a port of this machine, until the runtime ends.
    ///
    /// # Errors
    /// When there is no port.
    pub async fn listen(&self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        self.state().base = format!("http://{}", listener.local_addr()?);
        let receiver = self.clone();
        tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => drop(tokio::spawn(receiver.clone().converse(stream))),
                    Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Ok(())
    }

    /// Answers as a host of a simulated network.
    ///
    /// # Errors
    /// When the simulation offers no port.
    pub async fn host(self) -> ::turmoil::Result {
        let listener = ::turmoil::net::TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => drop(tokio::spawn(self.clone().converse(stream))),
                Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
            }
        }
    }
}

/// Over memory: whatever is dialled leads to the receiver.
impl Connector for Receiver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        Box::pin(async move {
            let known = host == HOST;
            if known {
                Ok(vec![SocketAddr::from((Ipv4Addr::LOCALHOST, port))])
            } else {
                Err(io::ErrorKind::NotFound.into())
            }
        })
    }

    fn dial(&self, _: SocketAddr) -> Pending<'_, Stream> {
        let receiver = self.clone();
        Box::pin(async move {
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            tokio::spawn(receiver.converse(theirs));
            Ok(Stream::new(ours))
        })
    }
}

/// The simulated network, as deliveries leave by it.
#[derive(Clone, Copy, Debug)]
pub struct Simulated;

impl Connector for Simulated {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        Box::pin(async move { Ok(vec![SocketAddr::new(::turmoil::lookup(host), port)]) })
    }

    fn dial(&self, address: SocketAddr) -> Pending<'_, Stream> {
        Box::pin(async move { Ok(Stream::new(::turmoil::net::TcpStream::connect(address).await?)) })
    }
}

#[cfg(test)]
mod tests;
