//! What subscribers are sent: one bounded log for each world, and the sockets that read it.
//!
//! Invariant: an event is published under the world's lock, after its change can be read; its message is made at most
//! once, then, for those who listen at that moment. A slow reader is bounded and closed, never waited for.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sim::ids::{ClientId, PartnerId};
use sim::{Change, Event, World};

use crate::log::{Cursor, Log, ReadResult};
use crate::rights::{Access, Resource, Right, Rights};
use crate::signal::Signal;
use crate::transport::{SurfaceSettings, TransportTime};
use wire::error::ApiError;

/// An open socket as its world knows it.
#[derive(Debug)]
pub struct SocketRecord {
    /// Number in the world, from 1.
    pub id: u64,
    /// Whose token opened it.
    pub partner: PartnerId,
    /// Whose events it gets.
    pub client: ClientId,
    /// Which of them its token may read.
    pub rights: Rights,
    /// Transport time of the upgrade.
    pub opened: TransportTime,
    /// Messages sent, control messages included.
    pub sent: AtomicU64,
    /// Number of the first event that its reader may not have taken yet.
    untaken: AtomicU64,
    /// Transport time at which its reader took something last.
    took: AtomicU64,
    /// Raised once its connection has ended.
    pub gone: Signal,
    /// Raised to close it with a notice.
    pub closing: Signal,
    /// Raised to cut it off without a word.
    pub cut: Signal,
    /// While set, nothing is sent, heartbeats included.
    pub stalled: AtomicBool,
    /// Raised to cut it off in the middle of the next frame.
    pub cut_in_frame: Signal,
    /// Raised to close it as if its hour were over.
    pub capped: Signal,
}

impl SocketRecord {
    /// Whether it is sent an event.
    #[must_use]
    pub fn concerns(&self, event: &Event) -> bool {
        event.client.is_none_or(|client| client == self.client)
            && self.rights.allow(Right { resource: resource(&event.change), access: Access::Read })
    }

    /// Its reader has taken a whole message; every event before `next` was sent, or does not concern it.
    pub fn took(&self, next: Cursor, now: TransportTime) {
        self.untaken.store(next.0, Ordering::Relaxed);
        self.took.store(now.0, Ordering::Relaxed);
    }

    /// How long its reader has taken nothing.
    #[must_use]
    pub fn idle(&self, now: TransportTime) -> Duration {
        now.since(TransportTime(self.took.load(Ordering::Relaxed)))
    }

    /// Ends the socket in this way.
    pub fn end(&self, ending: Ending) {
        match ending {
            Ending::Graceful => self.closing.raise(),
            Ending::Cut => self.cut.raise(),
            Ending::CutInFrame => self.cut_in_frame.raise(),
            Ending::Stall => self.stalled.store(true, Ordering::Relaxed),
            Ending::Cap => self.capped.raise(),
        }
    }
}

/// How a socket is ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// `server_closing`, the notice, close with 1001.
    Graceful,
    /// The connection breaks without a close frame.
    Cut,
    /// The same, in the middle of the next frame that is sent.
    CutInFrame,
    /// Close with 1000, as after an hour.
    Cap,
    /// The connection stays open and falls silent.
    Stall,
}

#[derive(Debug, Default)]
struct Sockets {
    last: u64,
    open: IndexMap<u64, Arc<SocketRecord>, FxBuildHasher>,
}

/// The feed of one world.
#[derive(Debug)]
pub struct Feed {
    log: Log,
    sockets: Mutex<Sockets>,
    listening: AtomicUsize,
}

impl Feed {
    /// An empty feed that keeps as many events as `settings` say.
    #[must_use]
    pub fn new(settings: &SurfaceSettings) -> Self {
        Self { log: Log::new(settings.events_kept), sockets: Mutex::default(), listening: AtomicUsize::new(0) }
    }

    /// The events.
    #[must_use]
    pub const fn log(&self) -> &Log {
        &self.log
    }

    fn sockets(&self) -> MutexGuard<'_, Sockets> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the world's new events to the log, after `see` has seen each, with their messages by `render` where a socket
    /// listens. To be called under the world's lock.
    pub fn publish(&self, world: &mut World, see: impl Fn(&Event), render: impl Fn(&World, &Event) -> Utf8Bytes) {
        let let_go = world.events_let_go();
        let events = world.take_events();
        if events.is_empty() {
            return;
        }
        events.iter().for_each(see);
        if self.listening.load(Ordering::Acquire) == 0 {
            return self.log.append(let_go, events, |_| ());
        }
        let listeners: Vec<ClientId> = self.sockets().open.values().map(|socket| socket.client).collect();
        self.log.append(let_go, events, |entry| {
            if entry.event.client.is_none_or(|client| listeners.contains(&client)) {
                entry.message(|event| render(world, event));
            }
        });
    }

    /// Registers a socket.
    ///
    /// # Errors
    /// 503 when the client or the partner has as many as it may have.
    pub fn enter(
        &self,
        partner: PartnerId,
        client: ClientId,
        opened: TransportTime,
        rights: Rights,
        settings: &SurfaceSettings,
    ) -> Result<Arc<SocketRecord>, ApiError> {
        let mut sockets = self.sockets();
        let of_client = sockets.open.values().filter(|socket| socket.client == client).count();
        let of_partner = sockets.open.values().filter(|socket| socket.partner == partner).count();
        if of_client >= settings.sockets_per_client || of_partner >= settings.sockets_per_partner {
            return Err(ApiError::unavailable("too many sockets are open"));
        }
        sockets.last += 1;
        let record = Arc::new(SocketRecord {
            id: sockets.last,
            partner,
            client,
            rights,
            opened,
            sent: AtomicU64::new(0),
            untaken: AtomicU64::new(self.log.end().0),
            took: AtomicU64::new(opened.0),
            gone: Signal::default(),
            closing: Signal::default(),
            cut: Signal::default(),
            stalled: AtomicBool::new(false),
            cut_in_frame: Signal::default(),
            capped: Signal::default(),
        });
        sockets.open.insert(record.id, Arc::clone(&record));
        self.listening.store(sockets.open.len(), Ordering::Release);
        Ok(record)
    }

    /// Forgets a socket that has ended.
    pub fn leave(&self, id: u64) {
        let mut sockets = self.sockets();
        sockets.open.shift_remove(&id);
        self.listening.store(sockets.open.len(), Ordering::Release);
    }

    /// The open sockets, oldest first.
    #[must_use]
    pub fn open_sockets(&self) -> Vec<Arc<SocketRecord>> {
        self.sockets().open.values().cloned().collect()
    }

    /// How many events were not yet sent to an open socket; none where a rule stalls it.
    #[must_use]
    pub fn unsent_events(&self, socket: &SocketRecord) -> usize {
        if socket.stalled.load(Ordering::Relaxed) || socket.cut.is_raised() {
            return 0;
        }
        match self.log.read(Cursor(socket.untaken.load(Ordering::Relaxed)), usize::MAX) {
            ReadResult::Some(entries) => entries.iter().filter(|entry| socket.concerns(&entry.event)).count(),
            ReadResult::Nothing | ReadResult::Gone => 0,
        }
    }

    /// Ends the sockets that `which` picks; answers how many.
    pub fn end(&self, ending: Ending, which: impl Fn(&SocketRecord) -> bool) -> usize {
        let picked: Vec<_> = self.open_sockets().into_iter().filter(|socket| which(socket)).collect();
        picked.iter().for_each(|socket| socket.end(ending));
        picked.len()
    }

    /// Ends every socket gracefully: the server is closing.
    pub fn close_all(&self) {
        self.end(Ending::Graceful, |_| true);
    }
}

/// The right that lets a token read a change.
const fn resource(change: &Change) -> Resource {
    match change {
        Change::Account(_) => Resource::Account,
        Change::CashTransaction(_) | Change::FundTransaction(_) => Resource::Transaction,
        Change::Order(_) => Resource::Order,
        Change::Journey(_) => Resource::Journey,
        Change::Client(_) => Resource::Client,
        Change::InstrumentsReloaded(_) => Resource::Instrument,
    }
}
