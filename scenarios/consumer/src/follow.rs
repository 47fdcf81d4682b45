//! Keeping a copy true: over sockets, or from webhooks.
//!
//! Invariant: a socket is opened before anything is read, so nothing falls between the two; one that is silent is as good
//! as broken; the next is open before the hour of the last is over, and never more than two are kept. A reader waits as long
//! as an answer asks it to. Absent on purpose: how requests are sent (`Service`), posts (`webhook`), and when to stop: drop
//! the future.

use super::copy::Copy;
use futures_util::FutureExt as _;
use futures_util::future::select_all;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

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

/// An open event socket; it is closed by being dropped.
pub trait Feed {
    /// The next frame; nothing is lost when the future is dropped before it is ready.
    fn next(&mut self) -> impl Future<Output = Frame>;
}

/// The service, as far as a consumer needs it.
pub trait Service {
    /// Its event sockets.
    type Feed: Feed;

    /// Reads what is at `path`; `None` when there was no answer.
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
    /// How often what has changed is read, where only webhooks report changes.
    pub reconcile: Duration,
    /// How often everything is read, which alone shows a deletion whose event was lost.
    pub everything: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let minutes = |count: u64| Duration::from_secs(count * 60);
        let seconds = Duration::from_secs;
        Self {
            renew: minutes(55),
            silence: seconds(65),
            retry: seconds(1),
            reconcile: minutes(10),
            everything: minutes(24 * 60),
        }
    }
}

/// A socket with the moments that matter.
struct Open<F> {
    feed: F,
    renew: Instant,
    last_received: Instant,
}

impl<F> Open<F> {
    fn new(feed: F, pace: &Pace) -> Self {
        let now = Instant::now();
        Self { feed, renew: now + pace.renew, last_received: now }
    }
}

/// What comes first.
enum Next {
    Frame(usize, Frame),
    Silent(usize),
    Renew,
    Read,
}

/// Keeps `copy` true over sockets, for as long as it is polled.
pub async fn by_sockets<S: Service>(copy: &RefCell<Copy>, service: &mut S, pace: Pace) -> Infallible {
    let mut sockets: Vec<Open<S::Feed>> = Vec::new();
    let mut reader = Reader::new(&pace);
    loop {
        if sockets.is_empty() {
            let Some(feed) = service.open().await else {
                sleep(pace.retry).await;
                continue;
            };
            sockets.push(Open::new(feed, &pace));
            // What has changed meanwhile comes first; what was deleted meanwhile only a list of everything shows.
            copy.borrow_mut().reconcile();
            copy.borrow_mut().read_everything();
        }
        reader.read(copy, service).await;
        match next(&mut sockets, reader.due(copy), &pace).await {
            Next::Frame(at, Frame::Message(message)) => {
                sockets[at].last_received = Instant::now();
                if message["eventType"] == "server_closing" {
                    sockets[at].renew = Instant::now();
                }
                take_frame(copy, &message);
            }
            // Another socket may be open already, and yet have been opened a moment after this one had sent its last event.
            Next::Frame(at, Frame::Ended) | Next::Silent(at) => {
                sockets.remove(at);
                copy.borrow_mut().reconcile();
            }
            Next::Renew => renew(&mut sockets, service, &pace).await,
            Next::Read => {}
        }
    }
}

/// Opens the next socket beside the newest. Both send the same events until the older one ends; one that has not ended by the
/// time of a third is closed.
async fn renew<S: Service>(sockets: &mut Vec<Open<S::Feed>>, service: &mut S, pace: &Pace) {
    match service.open().await {
        Some(feed) => {
            sockets.drain(..sockets.len().saturating_sub(1));
            sockets.push(Open::new(feed, pace));
        }
        None => {
            let later = Instant::now() + pace.retry;
            sockets.iter_mut().for_each(|socket| socket.renew = socket.renew.max(later));
        }
    }
}

/// An event of a socket; control messages have no id.
fn take_frame(copy: &RefCell<Copy>, message: &Json) {
    let text = |name: &str| message.get(name).and_then(Json::as_str);
    if let (Some(event_type), Some(id), Some(payload)) = (text("eventType"), text("eventId"), message.get("payload")) {
        copy.borrow_mut().take_event(event_type, id, payload);
    }
}

async fn next<F: Feed>(sockets: &mut [Open<F>], read: Instant, pace: &Pace) -> Next {
    let far = read + pace.renew;
    // The newest decides: what is older has one beside it already.
    let renew = sockets.last().map_or(far, |socket| socket.renew);
    let silent = sockets.iter().map(|socket| socket.last_received + pace.silence).enumerate().min_by_key(|(_, at)| *at);
    let (silent, at) = silent.map_or((0, far), |silent| silent);
    let frames = select_all(sockets.iter_mut().map(|socket| socket.feed.next().boxed_local()));
    tokio::select! {
        biased;
        (frame, at, _) = frames => Next::Frame(at, frame),
        () = sleep_until(read) => Next::Read,
        () = sleep_until(renew) => Next::Renew,
        () = sleep_until(at) => Next::Silent(silent),
    }
}

/// Keeps `copy` true beside webhooks (`webhook::receive`), for as long as it is polled.
pub async fn by_webhooks<S: Service>(copy: &RefCell<Copy>, service: &mut S, pace: Pace) -> Infallible {
    let mut reader = Reader::new(&pace);
    copy.borrow_mut().read_everything();
    let mut reconcile = Instant::now();
    loop {
        if Instant::now() >= reconcile {
            copy.borrow_mut().reconcile();
            reconcile = Instant::now() + pace.reconcile;
        }
        reader.read(copy, service).await;
        // Now and then it looks up: a post, or the partner itself, may have asked for a record meanwhile.
        sleep_until(reader.due(copy).min(reconcile).min(Instant::now() + pace.retry)).await;
    }
}

/// Reads what the copy asks for, and everything from time to time.
struct Reader<'a> {
    pace: &'a Pace,
    not_before: Instant,
    everything: Instant,
}

impl<'a> Reader<'a> {
    fn new(pace: &'a Pace) -> Self {
        let now = Instant::now();
        Self { pace, not_before: now, everything: now + pace.everything }
    }

    /// When there is something to read.
    fn due(&self, copy: &RefCell<Copy>) -> Instant {
        if copy.borrow().is_asking() { self.not_before.min(self.everything) } else { self.everything }
    }

    async fn read<S: Service>(&mut self, copy: &RefCell<Copy>, service: &mut S) {
        if Instant::now() >= self.everything {
            copy.borrow_mut().read_everything();
            self.everything = Instant::now() + self.pace.everything;
        }
        if Instant::now() >= self.not_before
            && let Err(wait) = self.read_all(copy, service).await
        {
            self.not_before = Instant::now() + wait;
        }
    }

    /// Reads all that is asked for; how long to wait before the rest where the service is not well.
    async fn read_all<S: Service>(&self, copy: &RefCell<Copy>, service: &mut S) -> Result<(), Duration> {
        loop {
            let ask = copy.borrow_mut().next_ask();
            let Some(ask) = ask else { return Ok(()) };
            let path = ask.path(copy.borrow().client());
            let Some(Answer { status, retry_after, body }) = service.read(&path).await else {
                copy.borrow_mut().ask_again(ask);
                return Err(self.pace.retry);
            };
            if !copy.borrow_mut().answered(ask, status, body) {
                return Err(retry_after.unwrap_or(self.pace.retry));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A service without a cap: its sockets send nothing but heartbeats, and end when they are dropped.
    #[derive(Default)]
    struct Endless {
        open: Rc<Cell<usize>>,
        most: usize,
        opened: usize,
    }

    struct Heartbeats {
        open: Rc<Cell<usize>>,
        next: Instant,
    }

    impl Drop for Heartbeats {
        fn drop(&mut self) {
            self.open.set(self.open.get() - 1);
        }
    }

    impl Feed for Heartbeats {
        async fn next(&mut self) -> Frame {
            sleep_until(self.next).await;
            self.next += Duration::from_secs(30);
            Frame::Message(serde_json::json!({ "eventType": "heartbeat" }))
        }
    }

    impl Service for Endless {
        type Feed = Heartbeats;

        async fn read(&mut self, path: &str) -> Option<Answer> {
            let is_list = path != "/v2/partner/client/c";
            let body = if is_list { serde_json::json!([]) } else { serde_json::json!({ "id": "c" }) };
            Some(Answer { status: 200, retry_after: None, body })
        }

        async fn open(&mut self) -> Option<Heartbeats> {
            self.open.set(self.open.get() + 1);
            self.opened += 1;
            self.most = self.most.max(self.open.get());
            Some(Heartbeats { open: Rc::clone(&self.open), next: Instant::now() + Duration::from_secs(30) })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sockets_of_a_server_that_never_ends_them_do_not_pile_up() {
        let (copy, mut service) = (RefCell::new(Copy::of("c")), Endless::default());
        let day = Duration::from_secs(24 * 3_600 + 60);
        tokio::time::timeout(day, by_sockets(&copy, &mut service, Pace::default())).await.expect_err("it goes on");
        assert!(service.opened > 24, "{}", service.opened);
        assert_eq!((service.most, service.open.get()), (3, 0), "a third for the moment in which the oldest is closed");
    }
}
