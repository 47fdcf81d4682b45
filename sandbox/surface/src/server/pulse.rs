//! What a connection is doing, and for how long it may.
//!
//! Owns: the phases of a connection and the watchdog that ends it when a phase lasts too long.
//! Invariant: a connection that makes no progress is closed within twice the header bound, or the bound of its phase
//! plus the header bound. Noting a phase costs one store: nothing on a request's path reads a clock or sets a timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use feed::transport::Limits;

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Reading the header of a request.
    Header,
    /// A handler works, its own bounds apply.
    Busy,
    /// Sending a response.
    Writing,
    /// Kept alive, without a request.
    Idle,
}

const PHASES: [Phase; 4] = [Phase::Header, Phase::Busy, Phase::Writing, Phase::Idle];

/// The phase of one connection and a count that moves with every change and every bit of progress.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    word: AtomicU64,
    unread: AtomicBool,
    breaks: AtomicBool,
    input_ended: AtomicBool,
}

impl Pulse {
    /// A new connection is expected to send a header.
    pub(super) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Begins `phase`, or notes progress within it.
    pub(super) fn enter(&self, phase: Phase) {
        let count = self.word.load(Ordering::Relaxed) >> 2;
        self.word.store((count + 1) << 2 | phase as u64, Ordering::Relaxed);
    }

    /// The present phase.
    pub(super) fn phase(&self) -> Phase {
        PHASES[(self.word.load(Ordering::Relaxed) & 3) as usize]
    }

    /// Notes that a request's body was not read to its end: the connection ends after the answer.
    pub(super) fn leave_unread(&self) {
        self.unread.store(true, Ordering::Relaxed);
    }

    /// The next bytes written are cut off in the middle, and the connection with them.
    pub(super) fn break_next_write(&self) {
        self.breaks.store(true, Ordering::Relaxed);
    }

    /// Whether the next bytes are to be cut off.
    pub(super) fn breaks(&self) -> bool {
        self.breaks.load(Ordering::Relaxed)
    }

    /// Notes that nothing comes any more.
    pub(super) fn end_input(&self) {
        self.input_ended.store(true, Ordering::Relaxed);
    }

    /// Whether the other side has ended.
    pub(super) fn has_input_ended(&self) -> bool {
        self.input_ended.load(Ordering::Relaxed)
    }

    /// Whether a body was left unread.
    pub(super) fn has_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed)
    }
}

/// Looks at a pulse now and then.
pub(super) struct Watchdog {
    seen: u64,
    since: Instant,
}

impl Watchdog {
    /// Starts to watch now.
    pub(super) fn new(pulse: &Pulse) -> Self {
        Self { seen: pulse.word.load(Ordering::Relaxed), since: Instant::now() }
    }

    /// When to look next; `None` when the connection has been in its phase for too long.
    pub(super) fn look(&mut self, pulse: &Pulse, limits: &Limits) -> Option<Instant> {
        let now = Instant::now();
        let seen = pulse.word.load(Ordering::Relaxed);
        if seen != self.seen {
            (self.seen, self.since) = (seen, now);
        }
        let Some(bound) = bound(pulse.phase(), limits) else { return Some(now + limits.header) };
        let end = self.since + bound;
        (end > now).then(|| end.min(now + limits.header))
    }
}

const fn bound(phase: Phase, limits: &Limits) -> Option<Duration> {
    match phase {
        Phase::Header => Some(limits.header),
        Phase::Busy => None,
        Phase::Writing => Some(limits.write),
        Phase::Idle => Some(limits.idle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_phase_without_progress_ends_after_its_bound() {
        for (phase, bound) in [(Phase::Header, 10), (Phase::Writing, 30), (Phase::Idle, 75)] {
            let pulse = Pulse::new();
            pulse.enter(phase);
            let start = Instant::now();
            let mut watchdog = Watchdog::new(&pulse);
            while let Some(next) = watchdog.look(&pulse, &Limits::default()) {
                tokio::time::sleep_until(next).await;
            }
            assert_eq!(start.elapsed(), Duration::from_secs(bound), "{phase:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn progress_and_work_are_left_alone() {
        let (pulse, limits) = (Pulse::new(), Limits::default());
        let mut watchdog = Watchdog::new(&pulse);
        for phase in [Phase::Writing, Phase::Writing, Phase::Busy, Phase::Busy].repeat(10) {
            if phase == Phase::Writing {
                pulse.enter(phase);
            }
            let next = watchdog.look(&pulse, &limits).expect("still alive");
            tokio::time::sleep_until(next).await;
        }
    }
}
