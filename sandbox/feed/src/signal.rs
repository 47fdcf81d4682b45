//! A flag that is raised once and wakes everyone who waits for it.
//!
//! Invariant: waiters wake in the order in which they began to wait (tokio's `watch` wakes them in a random order, which
//! would show in a simulated network). Absent on purpose: lowering it again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A one-way flag. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Signal {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    raised: AtomicBool,
    notify: Notify,
}

impl Signal {
    /// Raises the flag; doing it again changes nothing.
    pub fn raise(&self) {
        self.shared.raised.store(true, Ordering::Release);
        self.shared.notify.notify_waiters();
    }

    /// Whether it is up.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.shared.raised.load(Ordering::Acquire)
    }

    /// Waits until it is up.
    pub async fn raised(&self) {
        let mut notified = std::pin::pin!(self.shared.notify.notified());
        notified.as_mut().enable();
        if !self.is_raised() {
            notified.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn those_who_wait_and_those_who_come_later_both_see_it() {
        let signal = Signal::default();
        let early = tokio::spawn({
            let signal = signal.clone();
            async move { signal.raised().await }
        });
        tokio::task::yield_now().await;
        signal.raise();
        early.await.expect("the waiter ends");
        signal.raised().await;
        assert!(signal.is_raised());
    }
}
