//! The doors to a world: one lock, through which everybody reads and changes it.
//!
//! Invariant: events are in the feed before the lock is let go; whoever panics inside while changing closes the world.
//! Absent on purpose: waiting inside the lock.

use super::{Core, Failure, SLICE, WorldHandle};
use crate::hosting::clock::Mode;
use crate::hosting::transport::TransportTime;
use crate::wire::error::ApiError;
use sim::canary::Canary;
use sim::query::{self, OrderFilter};
use sim::store::Window;
use sim::time::Instant;
use sim::{Command, Refusal, Reply, World};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

impl WorldHandle {
    pub(super) fn core(&self) -> MutexGuard<'_, Core> {
        // Panics inside are caught before the guard is dropped, so the lock itself is never poisoned.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(&self) -> Result<MutexGuard<'_, Core>, ApiError> {
        let core = self.core();
        if core.failure.is_none() { Ok(core) } else { Err(closed()) }
    }

    /// Reads the world as of its clock's present.
    ///
    /// # Errors
    /// 503 when the world has failed; 500 when `f` panics, which leaves the world as it was.
    pub fn read<R>(&self, f: impl FnOnce(&World) -> R) -> Result<R, ApiError> {
        let mut core = self.open()?;
        self.bring_up(&mut core)?;
        catch_unwind(AssertUnwindSafe(|| f(&core.world))).map_err(|_| mishap())
    }

    /// Carries `command` out at the clock's present and renders the reply under the same hold of the lock.
    ///
    /// # Errors
    /// The refusal; 503 when the world has failed or fails now; 500 when `render` panics.
    pub fn submit<R>(&self, command: Command, render: impl FnOnce(&World, Reply) -> R) -> Result<R, ApiError> {
        self.attempt(command, render)?.map_err(|refusal| self.refusal(refusal))
    }

    /// A refusal as this world answers it.
    #[must_use]
    pub fn refusal(&self, refusal: Refusal) -> ApiError {
        ApiError::of(refusal, self.settings().unknown_resource)
    }

    /// As `submit`, with the refusal itself, for those who word it in their own way.
    ///
    /// # Errors
    /// As `submit`, apart from the refusal.
    pub fn attempt<R>(
        &self,
        command: Command,
        render: impl FnOnce(&World, Reply) -> R,
    ) -> Result<Result<R, Refusal>, ApiError> {
        let mut core = self.open()?;
        let now = self.bring_up(&mut core)?;
        let kept = command.clone();
        let forgets = forgets(&core.world, &command);
        let outcome = self.change(&mut core, |world| world.apply(now, command));
        let outcome = outcome.inspect_err(|_| {
            if let Some(failure) = &mut core.failure {
                failure.command = Some(kept);
            }
        })?;
        let reply = match outcome {
            Ok(reply) => reply,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.hasten(&core);
        let rendered = catch_unwind(AssertUnwindSafe(|| render(&core.world, reply))).map(Ok).map_err(|_| mishap());
        if let Some(before) = forgets {
            core.world = before;
        }
        rendered
    }

    /// Changes the world and hands its events to the feed; a panic closes the world.
    pub(super) fn change<R>(&self, core: &mut Core, f: impl FnOnce(&mut World) -> R) -> Result<R, ApiError> {
        let Core { world, failure, .. } = core;
        let changed = catch_unwind(AssertUnwindSafe(|| {
            let result = f(world);
            self.feed.publish(world, |world, event| self.message(world, event));
            self.deliveries.collect(world, |world| self.delivery_time(world));
            result
        }));
        changed.map_err(|panic| {
            *failure = Some(Failure { at: world.now(), message: words(&*panic), command: None });
            closed()
        })
    }

    /// `feed_time` for whoever holds the lock.
    fn delivery_time(&self, world: &World) -> TransportTime {
        if self.settings().virtual_transport {
            TransportTime(world.now().ms().unsigned_abs())
        } else {
            self.transport.now()
        }
    }

    /// Brings a paced world up to its clock, at most a slice at a time, and answers where it stands.
    pub(super) fn bring_up(&self, core: &mut Core) -> Result<Instant, ApiError> {
        let goal = match core.clock.mode() {
            Mode::Frozen => None,
            Mode::Paced(_) => core.clock.shows(self.transport.now()).filter(|goal| *goal > core.world.now()),
        };
        if let Some(goal) = goal {
            self.change(core, |world| world.advance_slice(goal, SLICE, &mut Vec::new()))?;
        }
        Ok(core.world.now())
    }

    /// A paced world's driver sleeps until the next timer; wakes it when a command has set an earlier one.
    pub(super) fn hasten(&self, core: &Core) {
        let due = core.world.next_timer().and_then(|(due, _)| core.clock.reaches(due));
        if due.is_some_and(|due| due.0 < self.waking.load(Ordering::Relaxed)) {
            self.changes.notify_waiters();
        }
    }
}

fn closed() -> ApiError {
    ApiError::unavailable("this world has failed and is kept for inspection; reset it or make another")
}

fn mishap() -> ApiError {
    ApiError::server_error("the answer could not be made; nothing was changed by making it")
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

/// A planted fault of tests: the world to fall back to after an order that is acknowledged all the same.
fn forgets(world: &World, command: &Command) -> Option<World> {
    let Command::PlaceOrder(place) = command else { return None };
    let planted = world.is_planted(Canary::AcknowledgedAndForgotten);
    let one = Window { limit: Some(1), ..Window::default() };
    let another = || !query::orders(world, place.scope.client, &one, &OrderFilter::default()).is_empty();
    (planted && another()).then(|| world.clone())
}
