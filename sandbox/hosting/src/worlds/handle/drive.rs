//! A world and time: how its clock moves, who drives it, and which time feeds and tokens go by.
//!
//! Invariant: a clock that is set or jumped continues from the world's present. All waits are
//! tokio's. Absent on purpose: the clocks themselves.

use super::submit::slice;
use super::turns::Appended;
use super::waiting::Taken;
use super::{Core, SLICE, WorldHandle};
use crate::clock::Mode;
use crate::current;
use crate::decision::HostDecision;
use crate::log::WORLDS;
use feed::transport::{SurfaceSettings, TransportTime};
use parking_lot::MutexGuard;
use rare::Point;
use sim::input::InputOutcome;
use sim::time::Instant;
use sim::timers::Happening;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tracing::Instrument as _;
use wire::error::ApiError;

/// How long the driver of a clock waits after the log has refused an input.
const AFTER_REFUSAL: Duration = Duration::from_secs(1);

/// How late the driver of a clock is where that is rare.
const LATE: Duration = Duration::from_millis(500);

impl WorldHandle {
    /// Brings a paced world up to its clock by one slice; `false` when there is more to do. Never fails: a failed world
    /// has nothing to do.
    pub(crate) fn catch_up(&self) -> bool {
        let Ok(mut core) = self.open() else { return true };
        let goal = core.clock.shows(self.server.clock.now()).filter(|_| !self.is_sealed());
        match self.bring_up(&mut core) {
            Ok(_) => goal.is_none_or(|goal| core.has_reached(goal)) || self.may_grow(&core).is_err(),
            Err(_) => true,
        }
    }

    /// As `catch_up`, where the log has to be waited for. A log that refuses is asked again after a while.
    async fn catch_up_kept(self: &Arc<Self>) -> bool {
        let Some(goal) = self.open().ok().and_then(|core| self.goal(&core)) else { return true };
        if self.pass(goal, SLICE).await.is_err() {
            let clock = self.transport_clock();
            clock.until(clock.now().plus(AFTER_REFUSAL)).await;
            return true;
        }
        self.open().map_or(true, |core| core.has_reached(goal))
    }

    /// When the driver of a paced world has to wake up; `None` when nothing is due ever, or the clock is frozen.
    pub(crate) fn wake_at(&self) -> Option<TransportTime> {
        let core = self.open().ok().filter(|_| !self.is_sealed())?;
        let due = core.world.next_happening().and_then(|(due, _)| core.clock.reaches(due));
        self.waking.store(due.map_or(u64::MAX, |due| due.0), Ordering::Relaxed);
        due
    }

    pub(crate) fn changes(&self) -> Arc<Notify> {
        Arc::clone(&self.changes)
    }

    /// Starts the task that drives a paced clock, when there is a runtime and none is running.
    pub fn start_driving(self: &Arc<Self>) {
        // A world that is made again takes no inputs yet; its clock is driven once it does.
        if self.is_sealed() || self.mode() == Mode::Frozen || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        if !self.driven.swap(true, Ordering::AcqRel) {
            let resting = Resting(Arc::downgrade(self));
            let driving = async move {
                drive(resting.0.clone()).await;
                drop(resting);
            };
            let span = tracing::info_span!(target: WORLDS, parent: None, "clock", world = %self.identity.id());
            tokio::spawn(driving.instrument(span));
        }
    }

    /// Something has changed: drivers and workers look again, and one is started for a clock that has none.
    pub(super) fn changed(&self) {
        self.changes.notify_waiters();
        if let Some(world) = self.me.upgrade() {
            world.start_driving();
        }
        self.subscribers.deliveries.resume();
    }

    /// How time passes.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.core().clock.mode()
    }

    /// Changes how time passes, from the present on.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub async fn set_mode(self: &Arc<Self>, mode: Mode) -> Result<(), ApiError> {
        drop(self.open()?);
        self.decide(&HostDecision::Clock(mode)).await.map(drop)
    }

    /// One slice of a jump to `goal`: does at most `SLICE` pieces of work, where long work is done, and adds the timers that fired to
    /// `happened`; `true` when there. A paced clock continues from the world's present.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub async fn jump(self: &Arc<Self>, goal: Instant, happened: &mut Vec<Happening>) -> Result<bool, ApiError> {
        self.jump_by(SLICE, goal, happened).await
    }

    /// As `jump`, with at most so much work.
    pub(in crate::worlds) async fn jump_by(
        self: &Arc<Self>,
        most: usize,
        goal: Instant,
        happened: &mut Vec<Happening>,
    ) -> Result<bool, ApiError> {
        let (there, fired) = self.pass(goal, most).await?;
        happened.extend(fired);
        self.changes.notify_waiters();
        self.subscribers.feed.log().nudge();
        self.subscribers.deliveries.resume();
        Ok(there)
    }

    /// Appends a slice of the way to `goal` and carries it out where long work is done: whether the world is there, and the
    /// timers that fired.
    async fn pass(self: &Arc<Self>, goal: Instant, most: usize) -> Result<(bool, Vec<Happening>), ApiError> {
        let begin = {
            let world = Arc::clone(self);
            move |core: &mut Core| {
                world.may_grow(core)?;
                Appended::append(world, core, slice(goal, most))
            }
        };
        let world = Arc::clone(self);
        if self.log.answers_at_once() {
            let at_once = move || {
                let mut core = world.open()?;
                let appended = begin(&mut core)?;
                world.passed(core, appended, goal)
            };
            return self.work().take_turn(current::carried(at_once)).await;
        }
        let mut appended = begin(&mut *self.open()?)?;
        appended.its_turn().await?;
        let in_turn = move || {
            let core = world.core();
            world.passed(core, appended, goal)
        };
        self.work().take_turn(current::carried(in_turn)).await
    }

    /// Carries a slice of the way to `goal` out.
    fn passed(
        &self,
        mut core: MutexGuard<'_, Core>,
        slice: Appended<Arc<Self>>,
        goal: Instant,
    ) -> Result<(bool, Vec<Happening>), ApiError> {
        let taken = slice.carry_out(&mut core, None);
        let others = self.go_on(&mut core);
        let there = core.has_reached(goal);
        // Who waits for the world has it before the next slice.
        MutexGuard::unlock_fair(core);
        self.settle(others);
        match taken? {
            Taken::World(InputOutcome::Advanced(fired)) => Ok((there, fired)),
            other => unreachable!("a slice of time is answered by {other:?}"),
        }
    }

    /// The time that feeds and tokens go by: transport time, or the world's own with `virtualTransport`.
    #[must_use]
    pub fn feed_time(&self, settings: &SurfaceSettings) -> TransportTime {
        if settings.virtual_transport { self.world_time() } else { self.server.clock.now() }
    }

    /// The world's clock, read as a transport time.
    #[must_use]
    pub(crate) fn world_time(&self) -> TransportTime {
        let core = self.core();
        let now = core.clock.shows(self.server.clock.now()).map_or(core.world.now(), |now| now.max(core.world.now()));
        TransportTime(now.ms().unsigned_abs())
    }

    /// When feed time will show `at`, by transport time; `None` when nobody knows, because the clock is frozen.
    #[must_use]
    pub fn feed_reaches(&self, at: TransportTime, settings: &SurfaceSettings) -> Option<TransportTime> {
        if settings.virtual_transport {
            let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
            self.core().clock.reaches(Instant::from_ms(ms))
        } else {
            Some(at)
        }
    }
}

/// Keeps a paced world up to its clock, firing timers when they are due, until the world is dropped. A frozen world costs
/// nothing: the task sleeps until the clock is changed.
async fn drive(world: Weak<WorldHandle>) {
    while let Some((handle, changed)) = world.upgrade().map(|handle| (Arc::clone(&handle), handle.changes())) {
        let mut changed = std::pin::pin!(changed.notified());
        changed.as_mut().enable();
        if handle.is_dropped() {
            return;
        }
        let wake = handle.wake_at();
        let clock = handle.transport_clock().clone();
        drop(handle);
        if wake.is_some() && rare::happens(Point::ClockWokenEarly) {
            tokio::task::yield_now().await;
            continue;
        }
        let due = async {
            match wake {
                Some(at) if rare::happens(Point::ClockWokenLate) => clock.until(at.plus(LATE)).await,
                Some(at) => clock.until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = changed => {}
            () = due => {
                let Some(handle) = world.upgrade() else { return };
                let mut is_there = handle.catch_up();
                while !is_there {
                    let behind = Arc::clone(&handle);
                    is_there = if handle.log.answers_at_once() {
                        handle.work().take_turn(move || behind.catch_up()).await
                    } else {
                        behind.catch_up_kept().await
                    };
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}

/// Lets another driver start when this one ends, also when its runtime is torn down under it.
struct Resting(Weak<WorldHandle>);

impl Drop for Resting {
    fn drop(&mut self) {
        if let Some(handle) = self.0.upgrade() {
            handle.driven.store(false, Ordering::Release);
        }
    }
}
