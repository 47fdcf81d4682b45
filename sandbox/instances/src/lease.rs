//! How long an instance may believe that it leads.
//!
//! Invariant: it ends before any other instance takes the next term, as far as clocks of machines run equally fast: it is counted from before a
//! sign of life was sent, and others count from after they have seen that, and longer. Absent on purpose: the log.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// The silence after which another instance takes the next term.
pub const SILENCE: Duration = Duration::from_secs(3);

/// How long a leader believes in its term after a sign of life.
pub const LEASE: Duration = Duration::from_millis(2_500);

/// How often a leader that has nothing to append gives a sign of life.
pub const BEAT: Duration = Duration::from_millis(500);

/// How much more the wall clock may have moved than the machine's own: a machine that was suspended or moved counts too little by itself.
const LEAP: Duration = Duration::from_millis(500);

/// A wall clock: time since 1970.
pub type Wall = fn() -> Duration;

/// The belief of one term.
#[derive(Debug)]
pub struct Lease {
    base: Instant,
    wall: Wall,
    /// Milliseconds after `base`, and by the wall clock.
    until: AtomicU64,
    until_by_wall: AtomicU64,
}

impl Lease {
    /// One that has not begun.
    #[must_use]
    pub fn new(wall: Wall) -> Self {
        Self { base: Instant::now(), wall, until: AtomicU64::new(0), until_by_wall: AtomicU64::new(0) }
    }

    /// The log has accepted a sign of life that was sent at `sent`.
    pub fn renew(&self, sent: Instant) {
        let by_wall = (self.wall)().saturating_sub(sent.elapsed()) + LEASE + LEAP;
        self.until_by_wall.store(millis(by_wall), Ordering::Release);
        let until = sent.saturating_duration_since(self.base) + LEASE;
        self.until.fetch_max(millis(until), Ordering::AcqRel);
    }

    /// The term is over.
    pub fn end(&self) {
        self.until.store(0, Ordering::Release);
    }

    /// Whether nobody else can lead now.
    #[must_use]
    pub fn holds(&self) -> bool {
        #[cfg(test)]
        if crate::planted::Planted::LeadsForEver.is_here() {
            return self.until.load(Ordering::Acquire) > 0;
        }
        millis(self.base.elapsed()) < self.until.load(Ordering::Acquire)
            && millis((self.wall)()) < self.until_by_wall.load(Ordering::Acquire)
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_lease_ends_before_another_instance_may_lead() {
        let lease = Lease::new(|| Duration::ZERO);
        assert!(!lease.holds(), "nothing was accepted yet");
        let sent = Instant::now();
        lease.renew(sent);
        tokio::time::advance(LEASE - Duration::from_millis(1)).await;
        assert!(lease.holds());
        lease.renew(sent);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!lease.holds(), "an old sign of life renews nothing");
        assert!(LEASE < SILENCE);
        lease.renew(Instant::now());
        lease.end();
        assert!(!lease.holds());
    }

    #[tokio::test(start_paused = true)]
    async fn a_machine_that_was_suspended_believes_in_nothing_from_before() {
        static WALL: AtomicU64 = AtomicU64::new(1_000);
        let lease = Lease::new(|| Duration::from_millis(WALL.load(Ordering::Relaxed)));
        lease.renew(Instant::now());
        assert!(lease.holds());
        // Its own clock has stood.
        WALL.fetch_add(60_000, Ordering::Relaxed);
        assert!(!lease.holds());
        lease.renew(Instant::now());
        assert!(lease.holds(), "until the next sign of life");
    }
}
