//! The request that is being answered, for those who note what it causes.
//!
//! Invariant: nothing that is decided looks at it. Absent on purpose: everything else about the request.

use std::cell::Cell;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use sim::Class;
use sim::time::Instant;

tokio::task_local! {
    static CURRENT: Current;
}

struct Current {
    id: u64,
    route: Cell<Option<&'static str>>,
    counted: Cell<Option<u16>>,
    refusal: Cell<Option<NotedRefusal>>,
    turn: Arc<Mutex<Option<Turn>>>,
}

impl Current {
    fn again(&self) -> Self {
        Self {
            id: self.id,
            route: self.route.clone(),
            counted: self.counted.clone(),
            refusal: self.refusal.clone(),
            turn: Arc::clone(&self.turn),
        }
    }
}

/// When a request had its turn at the world: the order of turns is that in which requests were carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The last input that the world had carried out by then, its own included.
    pub input: u64,
    /// Whether that was its own.
    pub is_own: bool,
    /// What the world's clock showed.
    pub now: Instant,
}

/// Why the world has refused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedRefusal {
    /// The class of the refusal.
    pub class: Class,
    /// Whether it repeats a `clientRef` that must be used once (rule: payments/payment-client-ref).
    pub repeats: bool,
}

/// What was noted of a request on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The pattern of the route that answered it.
    pub route: Option<&'static str>,
    /// The place of that route among those whose answers are counted for the partner.
    pub counted: Option<u16>,
    /// Why the world has refused it.
    pub refusal: Option<NotedRefusal>,
    /// Its turn: the last at which it changed the world, or looked at it where it changed nothing.
    pub turn: Option<Turn>,
}

/// Carries `answering` out as request `id`; answers also what was noted on the way.
pub async fn within<F: Future>(id: u64, answering: F) -> (F::Output, Notes) {
    let (route, counted, refusal) = Default::default();
    let current = Current { id, route, counted, refusal, turn: Arc::default() };
    let mut scoped = pin!(CURRENT.scope(current, answering));
    let answer = scoped.as_mut().await;
    let notes = scoped.take_value().map(|current| Notes {
        route: current.route.get(),
        counted: current.counted.get(),
        refusal: current.refusal.get(),
        turn: *turn_of(&current),
    });
    (answer, notes.unwrap_or_default())
}

fn turn_of(current: &Current) -> std::sync::MutexGuard<'_, Option<Turn>> {
    current.turn.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that the request has its turn at the world. The caller holds the world's lock.
pub fn note_turn(turn: Turn) {
    // What changed the world counts, whatever is read afterwards.
    let note = |current: &Current| {
        let mut known = turn_of(current);
        if turn.is_own || known.is_none_or(|known| !known.is_own) {
            *known = Some(turn);
        }
    };
    // Without a request nobody asks for it.
    CURRENT.try_with(note).unwrap_or_default();
}

/// `work` for a thread of its own, on behalf of the same request.
pub fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let current = CURRENT.try_with(Current::again);
    move || match current {
        Ok(current) => CURRENT.sync_scope(current, work),
        Err(_) => work(),
    }
}

/// The request, if there is one: its number, and the pattern of the route that answers it.
#[must_use]
pub fn request() -> Option<(u64, Option<&'static str>)> {
    CURRENT.try_with(|current| (current.id, current.route.get())).ok()
}

/// The number of the request, if there is one.
#[must_use]
pub fn request_id() -> Option<u64> {
    request().map(|(id, _)| id)
}

/// Notes the route that answers the request: its pattern, and its place among those whose answers are counted.
pub fn note_route(pattern: &'static str, counted: Option<u16>) {
    let note = |current: &Current| {
        current.route.set(Some(pattern));
        current.counted.set(counted);
    };
    // Without a request nobody asks for it.
    CURRENT.try_with(note).unwrap_or_default();
}

/// Notes why the world has refused the request.
pub(crate) fn note_refusal(refusal: NotedRefusal) {
    // Without a request nobody asks for it.
    CURRENT.try_with(|current| current.refusal.set(Some(refusal))).unwrap_or_default();
}
