//! Keeping a copy true: over sockets, or from webhooks.
//!
//! Invariant: a socket is opened before anything is read, so nothing falls between the two; one that is silent is as good
//! as broken; the next is open before the hour of the last is over. A reader that is told to come back later does.
//! Absent on purpose: how requests are sent and secrets are kept (`Service`), and when to stop: drop the future.

use super::copy::Copy;
use futures_util::FutureExt as _;
use futures_util::future::select_all;
use sandbox::hosting::deliveries::signature::SigningKey;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;

/// An answer of the service.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// How long it wants to be left alone.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Json,
}

/// What a socket brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A message.
    Message(Json),
    /// The end, with a close frame or without.
    Ended,
}

/// An open event socket.
pub trait Feed {
    /// The next frame; nothing is lost when the future is dropped before it is ready.
    fn next(&mut self) -> impl Future<Output = Frame>;
}

/// The service, as far as a consumer needs it.
pub trait Service {
    /// Its event sockets.
    type Feed: Feed;

    /// Reads what is at `path` below the client; `None` when there was no answer.
    fn read(&mut self, path: &str) -> impl Future<Output = Option<Answer>>;

    /// Opens an event socket of the client; `None` when that failed.
    fn open(&mut self) -> impl Future<Output = Option<Self::Feed>>;
}

/// How a consumer times itself.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// When the next socket is opened beside one: shortly before the hour at which the service closes it.
    pub renew: Duration,
    /// How long a socket may be silent, heartbeats included.
    pub silence: Duration,
    /// How long it waits after something that failed, unless the service says for how long.
    pub retry: Duration,
    /// How often everything is read that may have been missed, where only webhooks tell of changes.
    pub reconcile: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let minutes = |count: u64| Duration::from_secs(count * 60);
        let seconds = Duration::from_secs;
        Self { renew: minutes(55), silence: seconds(65), retry: seconds(1), reconcile: minutes(10) }
    }
}

/// A socket with the moments that matter.
struct Open<F> {
    feed: F,
    renew: Instant,
    heard: Instant,
}

impl<F> Open<F> {
    fn new(feed: F, pace: &Pace) -> Self {
        let now = Instant::now();
        Self { feed, renew: now + pace.renew, heard: now }
    }
}

/// What comes first.
enum Next {
    Frame(usize, Frame),
    Silent(usize),
    Renew,
    Retry,
}

/// Keeps `copy` true over sockets, for as long as it is polled.
pub async fn by_sockets<S: Service>(copy: &RefCell<Copy>, service: &mut S, pace: Pace) -> std::convert::Infallible {
    let mut sockets: Vec<Open<S::Feed>> = Vec::new();
    let mut not_before = Instant::now();
    loop {
        if sockets.is_empty() {
            match service.open().await {
                Some(feed) => {
                    sockets.push(Open::new(feed, &pace));
                    copy.borrow_mut().reconcile();
                }
                None => {
                    tokio::time::sleep(pace.retry).await;
                    continue;
                }
            }
        }
        if Instant::now() >= not_before
            && let Err(wait) = read_all(copy, service, pace.retry).await
        {
            not_before = Instant::now() + wait;
        }
        let retry = copy.borrow().is_asking().then_some(not_before);
        match next(&mut sockets, retry, &pace).await {
            Next::Frame(at, Frame::Message(message)) => {
                sockets[at].heard = Instant::now();
                if message["eventType"] == "server_closing" {
                    sockets[at].renew = Instant::now();
                }
                tell(copy, &message);
            }
            // Another socket may be open already, and yet have been opened a moment after this one had told its last.
            Next::Frame(at, Frame::Ended) | Next::Silent(at) => {
                sockets.remove(at);
                copy.borrow_mut().reconcile();
            }
            Next::Renew => match service.open().await {
                // Both tell the same for a while; the older one ends by itself, or here when there is a third.
                Some(feed) => {
                    sockets.iter_mut().for_each(|socket| socket.renew = Instant::now() + pace.renew);
                    sockets.push(Open::new(feed, &pace));
                }
                None => {
                    let later = Instant::now() + pace.retry;
                    sockets.iter_mut().for_each(|socket| socket.renew = socket.renew.max(later));
                }
            },
            Next::Retry => {}
        }
    }
}

/// An event of a socket; control messages have no id.
fn tell(copy: &RefCell<Copy>, message: &Json) {
    let text = |name: &str| message.get(name).and_then(Json::as_str);
    if let (Some(event_type), Some(id), Some(payload)) = (text("eventType"), text("eventId"), message.get("payload")) {
        copy.borrow_mut().told(event_type, id, payload);
    }
}

async fn next<F: Feed>(sockets: &mut [Open<F>], retry: Option<Instant>, pace: &Pace) -> Next {
    let renew = sockets.iter().map(|socket| socket.renew).max();
    let silent = sockets.iter().map(|socket| socket.heard + pace.silence).enumerate().min_by_key(|(_, at)| *at);
    let frames = select_all(sockets.iter_mut().map(|socket| socket.feed.next().boxed_local()));
    tokio::select! {
        biased;
        (frame, at, _) = frames => Next::Frame(at, frame),
        () = reach(retry) => Next::Retry,
        () = reach(renew) => Next::Renew,
        () = reach(silent.map(|(_, at)| at)) => Next::Silent(silent.map_or(0, |(at, _)| at)),
    }
}

async fn reach(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Reads all that the copy asks for; how long to wait before the rest where the service is not well.
async fn read_all<S: Service>(copy: &RefCell<Copy>, service: &mut S, retry: Duration) -> Result<(), Duration> {
    loop {
        let Some(ask) = copy.borrow_mut().next_ask() else { return Ok(()) };
        match service.read(&ask.path()).await {
            Some(Answer { status: status @ (200 | 400 | 404), body, .. }) => {
                copy.borrow_mut().answered(&ask, status, body);
            }
            answer => {
                copy.borrow_mut().ask_again(ask);
                return Err(answer.and_then(|answer| answer.retry_after).unwrap_or(retry));
            }
        }
    }
}

/// One post to the partner's own server.
#[derive(Clone, Debug)]
pub struct Post {
    /// `webhook-id`: the event's id.
    pub id: String,
    /// `webhook-timestamp`, in seconds.
    pub timestamp: u64,
    /// `webhook-signature`: one or several, with spaces between them.
    pub signatures: String,
    /// `event-type`.
    pub event_type: String,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

impl Post {
    /// Whether one of `keys` has signed it (Standard Webhooks); a receiver answers 401 where none has.
    #[must_use]
    pub fn is_signed(&self, keys: &[SigningKey]) -> bool {
        let by = |key: &SigningKey| key.sign(&self.id, self.timestamp, &self.body);
        keys.iter().any(|key| self.signatures.split(' ').any(|signature| signature == by(key)))
    }
}

/// Keeps `copy` true from webhooks, for as long as it is polled. `posts` gives what has come and is signed.
pub async fn by_webhooks<S: Service>(
    copy: &RefCell<Copy>,
    service: &mut S,
    pace: Pace,
    mut posts: impl AsyncFnMut() -> Vec<Post>,
) -> std::convert::Infallible {
    let mut reconcile = Instant::now();
    let mut not_before = reconcile;
    loop {
        if Instant::now() >= reconcile {
            copy.borrow_mut().reconcile();
            reconcile = Instant::now() + pace.reconcile;
        }
        if Instant::now() >= not_before
            && let Err(wait) = read_all(copy, service, pace.retry).await
        {
            not_before = Instant::now() + wait;
        }
        // Now and then it looks up: somebody may have asked for a record meanwhile.
        let pause = reconcile.min(Instant::now() + pace.retry);
        let posts = tokio::select! {
            biased;
            posts = posts() => posts,
            () = tokio::time::sleep_until(pause) => Vec::new(),
        };
        for post in posts {
            // A test message, or what is no JSON, tells of nothing that is held.
            let payload = serde_json::from_slice(&post.body).unwrap_or_default();
            copy.borrow_mut().told(&post.event_type, &post.id, &payload);
        }
    }
}
