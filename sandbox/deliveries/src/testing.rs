//! A receiver in memory, for tests: it takes posts, answers as it was set up to, and remembers what it got and when.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::time::Instant;

use super::connector::{Connector, Pending, Stream};
use super::egress::Egress;
use super::egress_client::EgressClient;

/// How one post is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// With this status.
    Status(u16),
    /// With this status, and how long to be left alone.
    After(u16, &'static str),
    /// With this status, after so many seconds.
    Late(u16, u64),
    /// Not at all; the connection stays open.
    Silence,
}

/// One post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// Seconds since the receiver was made.
    pub second: u64,
    /// Its path.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl Post {
    /// A header; empty when it is not there.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

/// The receiver; whatever name or address is dialled leads to it. Clones share it.
#[derive(Clone)]
pub struct Inbox {
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    start: Instant,
    posts: Vec<Post>,
    /// Answers to the next posts; after them, `usual`.
    next: VecDeque<Reply>,
    usual: Reply,
    /// Answers to posts at a path, whatever the other answers are.
    at: Vec<(String, Reply)>,
}

impl Default for Inbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Inbox {
    /// One that answers 200.
    #[must_use]
    pub fn new() -> Self {
        let (start, usual) = (Instant::now(), Reply::Status(200));
        let shared = Shared { start, posts: Vec::new(), next: VecDeque::new(), usual, at: Vec::new() };
        Self { shared: Arc::new(Mutex::new(shared)) }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("unpoisoned")
    }

    /// The way out that leads here.
    #[must_use]
    pub fn egress_client(&self) -> EgressClient {
        EgressClient::new(Arc::new(self.clone()), Egress::open())
    }

    /// Answers so from now on.
    pub fn answer(&self, usual: Reply) {
        self.shared().usual = usual;
    }

    /// Answers the next posts so, before what is usual.
    pub fn answer_next(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared().next.extend(replies);
    }

    /// Answers posts at `path` so.
    pub fn answer_at(&self, path: &str, reply: Reply) {
        self.shared().at.push((path.to_owned(), reply));
    }

    /// What came since the last look.
    #[must_use]
    pub fn take(&self) -> Vec<Post> {
        std::mem::take(&mut self.shared().posts)
    }

    fn note(&self, path: &str, headers: HeaderMap, body: Bytes) -> Reply {
        let mut shared = self.shared();
        let second = shared.start.elapsed().as_secs();
        shared.posts.push(Post { second, path: path.to_owned(), headers, body });
        let fixed = shared.at.iter().find(|(known, _)| known == path).map(|(_, reply)| *reply);
        fixed.unwrap_or_else(|| shared.next.pop_front().unwrap_or(shared.usual))
    }

    async fn receive(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
        assert_eq!(request.method(), Method::POST);
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let (status, wait) = match self.note(head.uri.path(), head.headers, body) {
            Reply::Status(status) => (status, None),
            Reply::After(status, wait) => (status, Some(wait)),
            Reply::Late(status, seconds) => {
                tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
                (status, None)
            }
            Reply::Silence => return std::future::pending().await,
        };
        let mut response = Response::new(Full::default());
        if let Some(wait) = wait {
            response.headers_mut().insert("retry-after", HeaderValue::from_static(wait));
        }
        *response.status_mut() = StatusCode::from_u16(status).expect("a status");
        Ok(response)
    }
}

impl Connector for Inbox {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        Box::pin(async move { Ok(vec![SocketAddr::from(([192, 168, 0, 1], port))]) })
    }

    fn dial(&self, _: SocketAddr) -> Pending<'_, Stream> {
        let inbox = self.clone();
        Box::pin(async move {
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            let service = service_fn(move |request| inbox.clone().receive(request));
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(theirs), service));
            Ok(Stream::new(ours))
        })
    }
}
