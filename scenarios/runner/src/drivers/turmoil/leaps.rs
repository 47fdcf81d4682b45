//! Time in which nothing happens, passed in one tick instead of many.
//!
//! Owns: when a simulation may leap, how far, and what its hosts do then. A tick costs the same whether anything happens in
//! it or not, so that an hour of them is dear; while a story waits, the clocks of all hosts jump to shortly before the next
//! moment that somebody waits for, and ticks continue from there. Invariant: what happens in a run, and when, is the same as
//! without leaps: there is none while a message is on its way, a post is being answered or somebody's turn has come. Absent
//! on purpose: the timers by which the server watches its connections; no leap is longer than they can be late.

use crate::drivers::receiver::Receiver;
use feed::transport::{TransportClock, millis};
use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// Transport time begins here on every simulated run: 2026-01-01T00:00:00Z.
pub const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// The host of the server.
pub const HOST: &str = "sandbox";

/// The server looks after its connections every ten seconds, and is late by this much at most.
const LONGEST: Duration = Duration::from_secs(5);

/// Ticks before the moment at which something is due: from there on everything has its usual order.
const MARGIN: u32 = 2;

/// The leaps of one simulation.
pub(super) struct Leaps {
    tick: Duration,
    /// Milliseconds that leaps were longer than the ticks in which they took place.
    gained: Arc<AtomicU64>,
    /// What the leap of the coming tick will add to that.
    coming: Cell<Duration>,
    /// Until when the story waits, since the start of the simulation.
    goal: Cell<Option<Duration>>,
    /// Whether messages between the partner and the server are held.
    held: Cell<bool>,
    ordered: watch::Sender<Duration>,
}

impl Leaps {
    pub(super) fn new(tick: Duration) -> Self {
        Self {
            tick,
            gained: Arc::default(),
            coming: Cell::default(),
            goal: Cell::default(),
            held: Cell::default(),
            ordered: watch::Sender::default(),
        }
    }

    /// The clock of the server, which moves on while it is down.
    pub(super) fn clock(&self) -> TransportClock {
        let gained = Arc::clone(&self.gained);
        TransportClock::given(move || EPOCH + since_start(&gained))
    }

    /// The work of a host, whose clock leaps with those of all others.
    pub(super) fn carried<T, F: Future<Output = T>>(leaps: &Rc<Self>, work: F) -> impl Future<Output = T> + use<T, F> {
        let leaps = Rc::clone(leaps);
        async move { leaps.carry(work).await }
    }

    async fn carry<T>(&self, work: impl Future<Output = T>) -> T {
        let mut ordered = self.ordered.subscribe();
        let leap = async {
            while ordered.changed().await.is_ok() {
                let span = *ordered.borrow_and_update();
                tokio::time::advance(span).await;
            }
            std::future::pending().await
        };
        tokio::select! {
            biased;
            done = leap => done,
            done = work => done,
        }
    }

    /// Lets time pass for the story, which does nothing else meanwhile.
    pub(super) async fn pass(&self, span: Duration) {
        self.goal.set(Some(since_start(&self.gained) + span));
        tokio::time::sleep(span).await;
        self.goal.set(None);
    }

    /// Notes whether messages between the partner and the server are held: those do not arrive by themselves.
    pub(super) fn hold(&self, held: bool) {
        self.held.set(held);
    }

    /// Called after every tick: has the hosts leap in the next one, where nothing is to happen for a while.
    pub(super) fn plan(&self, simulation: &::turmoil::Sim<'_>, clock: &TransportClock, receiver: &Receiver) {
        self.gained.fetch_add(millis(self.coming.take()), Ordering::Relaxed);
        let Some(goal) = self.goal.get() else { return };
        if receiver.is_answering() || self.is_message_under_way(simulation) {
            return;
        }
        let now = simulation.elapsed() + Duration::from_millis(self.gained.load(Ordering::Relaxed));
        let due = clock.next_wait().map(|at| Duration::from_millis(at.0).saturating_sub(EPOCH));
        let until = due.map_or(goal, |due| due.min(goal)).min(now + LONGEST);
        let span = until.saturating_sub(now).saturating_sub(self.tick * MARGIN);
        let span = Duration::from_millis(millis(span));
        if span > self.tick {
            self.coming.set(span - self.tick);
            self.ordered.send_replace(span);
        }
    }

    fn is_message_under_way(&self, simulation: &::turmoil::Sim<'_>) -> bool {
        let ends = (simulation.lookup("partner"), simulation.lookup(HOST));
        let is_held = |pair| self.held.get() && (pair == ends || pair == (ends.1, ends.0));
        let mut found = false;
        simulation.links(|links| {
            for link in links {
                found |= !is_held(link.pair()) && link.count() > 0;
            }
        });
        found
    }
}

/// How long the simulation has run, seen from one of its hosts.
fn since_start(gained: &AtomicU64) -> Duration {
    let ticks = ::turmoil::sim_elapsed().unwrap_or_default();
    ticks + Duration::from_millis(gained.load(Ordering::Relaxed))
}
