//! One reader of a world's feed: a session, a cursor, and the events of one client that its token may read.
//!
//! Invariant: events come in the order of the log, each once, from the moment of opening on. Absent on purpose: the
//! socket; a driver without a network reads a subscription directly.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::Utf8Bytes;
use rare::Point;
use sim::canary::Canary;
use sim::ids::ClientId;
use tokio::time::Duration;
use uuid::Uuid;

use feed::log::{Cursor, EventEntry, ReadResult};
use feed::session::{Close, Output, Periods, Session, Times};
use feed::sockets::SocketRecord;
use feed::transport::{SurfaceSettings, TransportTime};
use hosting::coverage::SocketEnd;
use hosting::worlds::WorldHandle;
use surface::auth::{Caller, Resource};
use wire::error::ApiError;

/// Events fetched from the log at a time.
const BATCH: usize = 64;

/// What a reader gets next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A message.
    Send(Utf8Bytes),
    /// Nothing before that moment of transport time; `None` when only news can bring something.
    Wait(Option<TransportTime>),
    /// The end.
    Close(Close),
}

/// A reader of one client's events.
#[derive(Debug)]
pub struct Subscription {
    world: Arc<WorldHandle>,
    record: Arc<SocketRecord>,
    settings: SurfaceSettings,
    session: Session,
    cursor: Cursor,
    batch: VecDeque<Arc<EventEntry>>,
    closing: bool,
    /// Whether the last step was a message.
    sending: bool,
    /// How it ends, once that is known.
    end: Option<SocketEnd>,
}

impl Subscription {
    /// Opens a reader for `client`, whose right to it has been checked; `notice` is the process's notice of closing.
    ///
    /// # Errors
    /// 503 when too many are open.
    pub fn open(caller: &Caller, client: ClientId, notice: Duration) -> Result<Self, ApiError> {
        let world = Arc::clone(&caller.world);
        let settings = world.edge.settings();
        let now = times(&world, &settings);
        let record = world.subscribers.feed.enter(caller.partner, client, now.transport, caller.rights, &settings)?;
        let session = Session::open(world.identity.instance_id(), Periods::of(&settings, notice), now);
        // After registration, so that every event from here on has its message.
        let mut cursor = world.subscribers.feed.log().end();
        if record.id > 1 && world.identity.is_planted(Canary::EventDroppedAtReconnect) {
            cursor = Cursor(cursor.0 + 1);
        }
        let batch = VecDeque::new();
        Ok(Self { world, record, settings, session, cursor, batch, closing: false, sending: false, end: None })
    }

    /// What to do now: the message before has been taken, unless the reader was given up.
    pub fn step(&mut self) -> Next {
        if std::mem::take(&mut self.sending) {
            let next = Cursor(self.cursor.0 - self.batch.len() as u64);
            self.record.took(next, self.world.transport_clock().now());
        }
        let next = self.next();
        self.sending = matches!(next, Next::Send(_));
        if let Next::Close(close) = next {
            self.end = Some(SocketEnd::Closed(close));
        }
        next
    }

    /// The reader breaks the protocol, and is closed for it.
    pub const fn is_broken(&mut self) {
        self.end = Some(SocketEnd::Broken);
    }

    /// How it ends: nobody has closed it where that is not known by now.
    fn ending(&self) -> SocketEnd {
        let is_cut = self.record.cut.is_raised() || self.record.cut_in_frame.is_raised();
        self.end.unwrap_or(match (is_cut, self.is_stalled()) {
            (true, _) => SocketEnd::Cut,
            (false, true) => SocketEnd::Stalled,
            (false, false) => SocketEnd::Left,
        })
    }

    fn next(&mut self) -> Next {
        if self.record.closing.is_raised() && !self.closing {
            self.closing = true;
            self.session.begin_closing();
        }
        if self.is_silent() {
            return Next::Wait(None);
        }
        let now = times(&self.world, &self.settings);
        if self.record.capped.is_raised() {
            self.session.end_hour(now);
        }
        let next = match self.session.next(now) {
            Output::Send(message) => Next::Send(message),
            // Events from before the server closes are sent first; their number is finite, since the worlds are sealed.
            Output::Close(Close::GoingAway) => match self.event() {
                Ok(Some(message)) if !self.is_silent() => Next::Send(message),
                _ => Next::Close(Close::GoingAway),
            },
            Output::Close(close) => Next::Close(close),
            Output::Pass(until) => match self.event() {
                Ok(Some(_)) if self.is_silent() => Next::Wait(None),
                Ok(Some(message)) => Next::Send(message),
                Ok(None) => {
                    let feed = self.world.feed_reaches(until.feed, &self.settings);
                    Next::Wait(feed.into_iter().chain(until.transport).min())
                }
                Err(EventGone) => {
                    self.session.give_up();
                    Next::Close(Close::TooSlow)
                }
            },
        };
        if matches!(next, Next::Send(_)) {
            self.record.sent.fetch_add(1, Ordering::Relaxed);
        }
        next
    }

    /// The reader takes nothing: the next step closes it.
    pub const fn give_up(&mut self) {
        self.sending = false;
        self.session.give_up();
    }

    /// Whether a fault rule stalls it: it stays open and sends nothing.
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        self.record.stalled.load(Ordering::Relaxed)
    }

    /// Whether it has nothing more to say: silent, or cut already.
    fn is_silent(&self) -> bool {
        self.is_stalled() || self.record.cut.is_raised()
    }

    /// How long the reader may take for one message.
    #[must_use]
    pub const fn patience(&self) -> Duration {
        self.settings.socket_stall
    }

    /// Its record in the world.
    #[must_use]
    pub const fn record(&self) -> &Arc<SocketRecord> {
        &self.record
    }

    /// Waits until `until`, or until there may be something to do.
    pub async fn wait(&self, until: Option<TransportTime>) {
        let log = self.world.subscribers.feed.log();
        let mut news = pin!(log.news());
        news.as_mut().enable();
        if log.end() > self.cursor && !self.is_silent() {
            return;
        }
        if rare::happens(Point::SocketWokenEarly) {
            return;
        }
        let due = async {
            match until {
                Some(at) => self.world.transport_clock().until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.record.closing.raised(), if !self.closing => {}
            () = self.record.capped.raised(), if !self.is_silent() => {}
            () = news => {}
            () = due => {}
        }
    }

    /// The next event that concerns this reader.
    fn event(&mut self) -> Result<Option<Utf8Bytes>, EventGone> {
        loop {
            while let Some(entry) = self.batch.pop_front() {
                if self.record.concerns(&entry.event) {
                    if let Some(ending) =
                        self.world.edge.faults.socket_fault(Some(self.record.partner), entry.event.kind())
                    {
                        self.record.end(ending);
                    }
                    self.world.coverage.sent_by_socket(self.record.partner, entry.event.kind());
                    return Ok(Some(self.renamed(self.message(&entry))));
                }
            }
            match self.world.subscribers.feed.log().read(self.cursor, BATCH) {
                ReadResult::Some(entries) => {
                    self.cursor = Cursor(self.cursor.0 + entries.len() as u64);
                    self.batch = entries.into();
                }
                ReadResult::Nothing => return Ok(None),
                ReadResult::Gone => return Err(EventGone),
            }
        }
    }

    fn message(&self, entry: &EventEntry) -> Utf8Bytes {
        match entry.made() {
            Some(message) => message.clone(),
            None => {
                let made = self.world.read(|world| entry.message(|event| self.world.message(world, event)));
                made.unwrap_or_else(|_| Utf8Bytes::from_static(r#"{"eventType":"server_error"}"#))
            }
        }
    }
}

impl Subscription {
    /// The message as it is, or with an id of this socket where a test has planted that.
    fn renamed(&self, message: Utf8Bytes) -> Utf8Bytes {
        if !self.world.identity.is_planted(Canary::EventIdByConnection) {
            return message;
        }
        let Some((before, after)) = message.split_once(r#""eventId":""#) else { return message };
        let Some((id, rest)) = after.split_once('"') else { return message };
        let id = Uuid::new_v5(&Uuid::parse_str(id).unwrap_or_default(), &self.record.id.to_be_bytes());
        format!(r#"{before}"eventId":"{id}"{rest}"#).into()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.world.coverage.socket_ended(self.record.partner, self.ending());
        self.world.subscribers.feed.leave(self.record.id);
    }
}

/// The reader's next event is no longer kept.
struct EventGone;

fn times(world: &WorldHandle, settings: &SurfaceSettings) -> Times {
    Times { feed: world.feed_time(settings), transport: world.transport_clock().now() }
}

/// Resources of a client that a socket sends events of; a token that may read none of them opens none (rule: auth/token-scope).
pub const RESOURCES_OF_A_CLIENT: &[Resource] =
    &[Resource::Account, Resource::Client, Resource::Journey, Resource::Order, Resource::Transaction];
