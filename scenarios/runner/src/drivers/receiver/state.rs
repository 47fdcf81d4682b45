//! What a receiver keeps, shared by all who hold it: the posts it got, and how it is to answer.
//!
//! Invariant: posts are kept in the order in which they came, and no more of them are kept than fit. Absent on purpose:
//! connections and the bodies of answers.

use bytes::Bytes;
use hyper::HeaderMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

/// The host on a simulated network, and the name over memory.
pub const HOST: &str = "receiver";
/// Posts that are kept for a look back; older ones are forgotten.
const MOST_POSTS: usize = 100_000;

/// How a post is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
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

/// A post whose status somebody else decides.
pub type PostToAnswer = (Post, oneshot::Sender<u16>);

/// What is to become of a post that has come.
pub(super) enum Noted {
    /// It is answered so.
    Behaviour(Behaviour),
    /// It is answered with the status that the asked side gives; not at all when it gives none.
    Asked(oneshot::Receiver<u16>),
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
pub(super) struct State {
    start: Option<Instant>,
    pub(super) base: String,
    posts: VecDeque<Post>,
    forgotten: usize,
    next: VecDeque<Behaviour>,
    usual: Behaviour,
    asked: Option<mpsc::UnboundedSender<PostToAnswer>>,
    connections: usize,
    answering: usize,
    pub(super) sent: u64,
}

/// A receiver that answers a post.
pub(super) struct Answering(pub(super) Receiver);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.state().answering -= 1;
    }
}

impl Default for Receiver {
    fn default() -> Self {
        let state = State {
            start: None,
            base: format!("http://{HOST}"),
            posts: VecDeque::new(),
            forgotten: 0,
            next: VecDeque::new(),
            usual: Behaviour::Status(200),
            asked: None,
            connections: 0,
            answering: 0,
            sent: 0,
        };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), news: Notify::new() }) }
    }
}

impl Receiver {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What its URLs begin with, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> String {
        self.state().base.clone()
    }

    /// Answers so from now on, except where `answer_next` says otherwise.
    pub fn answer(&self, usual: Behaviour) {
        self.state().usual = usual;
    }

    /// Answers the next posts so, one after the other.
    pub fn answer_next(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.state().next.extend(behaviours);
    }

    /// From here on each of `behaviours` answers one post, and the last one all others; what was ordered before is void.
    pub fn behave(&self, behaviours: &[Behaviour]) {
        let mut state = self.state();
        if let Some((last, first)) = behaviours.split_last() {
            state.next = first.iter().copied().collect();
            state.usual = *last;
        }
    }

    /// From here on the reader of the returned channel decides how posts are answered, except where `answer_next` says
    /// otherwise.
    pub fn ask(&self) -> mpsc::UnboundedReceiver<PostToAnswer> {
        let (asked, posts) = mpsc::unbounded_channel();
        self.state().asked = Some(asked);
        posts
    }

    /// Whether it is down for the connection that comes now.
    pub(super) fn is_down(&self) -> bool {
        let mut state = self.state();
        state.connections += 1;
        match state.next.front() {
            Some(Behaviour::Down) => state.next.pop_front().is_some(),
            Some(_) => false,
            None => state.usual == Behaviour::Down,
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

    /// Whether a post has come whose answer is not complete.
    #[must_use]
    pub fn is_answering(&self) -> bool {
        self.state().answering > 0
    }

    /// From here on a post is being answered, until what is returned is dropped.
    pub(super) fn begin(&self) -> Answering {
        self.state().answering += 1;
        Answering(self.clone())
    }

    pub(super) fn note(&self, path: String, headers: HeaderMap, body: Bytes) -> Noted {
        let mut state = self.state();
        let start = *state.start.get_or_insert_with(Instant::now);
        let post = Post { at: start.elapsed(), path, headers, body };
        state.posts.push_back(post.clone());
        if state.posts.len() > MOST_POSTS {
            state.posts.pop_front();
            state.forgotten += 1;
        }
        let noted = match (state.next.pop_front(), &state.asked) {
            (Some(behaviour), _) => Noted::Behaviour(behaviour),
            (None, None) => Noted::Behaviour(state.usual),
            (None, Some(asked)) => {
                let (answer, status) = oneshot::channel();
                // Where nobody reads any more, nobody answers.
                asked.send((post, answer)).ok();
                Noted::Asked(status)
            }
        };
        drop(state);
        self.shared.news.notify_waiters();
        noted
    }
}
