//! The request that is being answered, for those who note what it causes.
//!
//! Invariant: nothing that is decided looks at it. Absent on purpose: everything else about the request.

use std::cell::Cell;
use std::pin::pin;

tokio::task_local! {
    static CURRENT: Current;
}

struct Current {
    id: u64,
    route: Cell<Option<&'static str>>,
}

/// Carries `answering` out as request `id`; answers also the route that was noted on the way.
pub async fn within<F: Future>(id: u64, answering: F) -> (F::Output, Option<&'static str>) {
    let mut scoped = pin!(CURRENT.scope(Current { id, route: Cell::new(None) }, answering));
    let answer = scoped.as_mut().await;
    (answer, scoped.take_value().and_then(|current| current.route.get()))
}

/// `work` for a task of its own, on behalf of the same request.
pub fn inherit<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let current = request();
    async move {
        match current {
            Some((id, route)) => CURRENT.scope(Current { id, route: Cell::new(route) }, work).await,
            None => work.await,
        }
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

/// Notes the route that answers the request: its pattern.
pub fn note_route(pattern: &'static str) {
    // Without a request nobody asks for it.
    CURRENT.try_with(|current| current.route.set(Some(pattern))).unwrap_or_default();
}
