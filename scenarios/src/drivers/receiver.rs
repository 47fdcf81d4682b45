//! The partner's own server, to which callbacks and webhooks are posted.
//!
//! Owns: what it got, in order, and how it behaves: well, or in all the ways in which receivers behave badly. The same
//! receiver answers on a simulated network (a host of its own), over memory (in process) and over TCP (live).
//! Invariant: what it got is noted before it answers, and its memory is bounded whatever is posted.
//! Absent on purpose: checking signatures, which a story does with the secret it was told.

mod answer;

use answer::{Answer, Closed, FLOOD};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use sandbox::hosting::deliveries::connector::{Connector, Pending, Stream};
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::Instant;

/// The host on a simulated network, and the name over memory.
pub const HOST: &str = "receiver";
/// Its port there.
pub const PORT: u16 = 80;
/// Posts that are kept for a look back; older ones are forgotten.
const MOST_POSTS: usize = 100_000;
/// Bytes of a post's body that are taken.
const MOST_BODY: usize = 4 * 1024 * 1024;
/// How a post is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// With this status and an empty body.
    Status(u16),
    /// With this status after so long.
    Slow(u16, Duration),
    /// 302, to a place that would note a second post.
    Redirect,
    /// Not at all, while the connection stays open.
    Hang,
    /// The connection closes instead.
    Close,
    /// 200, and a body that comes a byte a second without end.
    Dribble,
    /// It is not there: the connection ends before anything is read, and no post is noted.
    Down,
    /// 200, and one gibibyte, 16 KiB a millisecond: a simulated network has no windows that would slow it down.
    Flood,
}

/// One post as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// How long after the receiver was made, of its driver's time.
    pub at: Duration,
    /// Path and query.
    pub path: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// A receiver. Clones share it.
#[derive(Clone, Debug)]
pub struct Receiver {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Debug)]
struct State {
    start: Option<Instant>,
    base: String,
    posts: VecDeque<Post>,
    forgotten: usize,
    next: VecDeque<Manner>,
    usual: Manner,
    connections: usize,
    sent: u64,
}

impl Default for Receiver {
    fn default() -> Self {
        let state = State {
            start: None,
            base: format!("http://{HOST}"),
            posts: VecDeque::new(),
            forgotten: 0,
            next: VecDeque::new(),
            usual: Manner::Status(200),
            connections: 0,
            sent: 0,
        };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), news: Notify::new() }) }
    }
}

impl Receiver {
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What its URLs begin with, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> String {
        self.state().base.clone()
    }

    /// Answers so from now on, except where `answer_next` says otherwise.
    pub fn answer(&self, usual: Manner) {
        self.state().usual = usual;
    }

    /// Answers the next posts so, one after the other.
    pub fn answer_next(&self, manners: impl IntoIterator<Item = Manner>) {
        self.state().next.extend(manners);
    }

    /// From here on each of `manners` answers one post, and the last one all others; what was ordered before is void.
    pub fn behave(&self, manners: &[Manner]) {
        let mut state = self.state();
        if let Some((last, first)) = manners.split_last() {
            state.next = first.iter().copied().collect();
            state.usual = *last;
        }
    }

    /// Whether it is down for the connection that comes now.
    fn is_down(&self) -> bool {
        let mut state = self.state();
        state.connections += 1;
        match state.next.front() {
            Some(Manner::Down) => state.next.pop_front().is_some(),
            Some(_) => false,
            None => state.usual == Manner::Down,
        }
    }

    /// Everything kept, oldest first, with how many came before.
    #[must_use]
    pub fn posts(&self) -> (usize, Vec<Post>) {
        let state = self.state();
        (state.forgotten, state.posts.iter().cloned().collect())
    }

    /// How many posts have come.
    #[must_use]
    pub fn count(&self) -> usize {
        let state = self.state();
        state.forgotten + state.posts.len()
    }

    /// Connections that were opened, and bytes of endless bodies that were taken from it.
    #[must_use]
    pub fn cost(&self) -> (usize, u64) {
        let state = self.state();
        (state.connections, state.sent)
    }

    /// Waits until more than `seen` posts have come, or until `patience` ends.
    pub async fn more_than(&self, seen: usize, patience: Duration) -> bool {
        let news = async {
            loop {
                let mut notified = std::pin::pin!(self.shared.news.notified());
                notified.as_mut().enable();
                if self.count() > seen {
                    return;
                }
                notified.await;
            }
        };
        tokio::time::timeout(patience, news).await.is_ok()
    }

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

    async fn receive(self, request: Request<Incoming>) -> Result<Response<Answer>, Closed> {
        let (head, body) = request.into_parts();
        let body = Limited::new(body, MOST_BODY).collect().await.map_err(|_| Closed)?.to_bytes();
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let (status, answer) = match self.note(path, head.headers, body) {
            Manner::Status(status) => (status, Answer::Empty),
            Manner::Slow(status, wait) => {
                tokio::time::sleep(wait).await;
                (status, Answer::Empty)
            }
            Manner::Redirect => (302, Answer::Empty),
            Manner::Hang => std::future::pending().await,
            // Down since the connection was opened.
            Manner::Close | Manner::Down => return Err(Closed),
            Manner::Dribble => (200, Answer::Dribble(self.clone(), Box::pin(tokio::time::sleep(Duration::ZERO)))),
            Manner::Flood => (200, Answer::Flood(self.clone(), FLOOD, Box::pin(tokio::time::sleep(Duration::ZERO)))),
        };
        let mut response = Response::new(answer);
        *response.status_mut() = StatusCode::from_u16(status).map_err(|_| Closed)?;
        if status == 302 {
            let there = hyper::header::HeaderValue::from_static("/elsewhere");
            response.headers_mut().insert(hyper::header::LOCATION, there);
        }
        Ok(response)
    }

    fn note(&self, path: String, headers: HeaderMap, body: Bytes) -> Manner {
        let mut state = self.state();
        let start = *state.start.get_or_insert_with(Instant::now);
        state.posts.push_back(Post { at: start.elapsed(), path, headers, body });
        if state.posts.len() > MOST_POSTS {
            state.posts.pop_front();
            state.forgotten += 1;
        }
        let manner = state.next.pop_front().unwrap_or(state.usual);
        drop(state);
        self.shared.news.notify_waiters();
        manner
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
