//! A lock at which a test switches between threads, so that they are tried in many orders.
//!
//! Invariant: outside such a test it is the lock of the standard library. Absent on purpose: which orders are tried, which `shuttle` draws.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, PoisonError};

thread_local! {
    /// All threads of such a test are one thread of the system.
    static IS_EXPLORED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` so many times, each time in another order of its threads.
pub(crate) fn in_orders(times: usize, f: fn()) {
    IS_EXPLORED.set(true);
    shuttle::check_random(f, times);
    IS_EXPLORED.set(false);
}

fn switch() {
    if IS_EXPLORED.get() && !std::thread::panicking() {
        shuttle::thread::yield_now();
    }
}

#[derive(Default)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        switch();
        let guard = |inner| MutexGuard(Some(inner));
        self.0.lock().map(guard).map_err(|poisoned| PoisonError::new(guard(poisoned.into_inner())))
    }
}

/// It is never held while threads are switched, so none waits for it.
pub(crate) struct MutexGuard<'m, T>(Option<std::sync::MutexGuard<'m, T>>);

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is not dropped yet")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is not dropped yet")
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.0 = None;
        switch();
    }
}
