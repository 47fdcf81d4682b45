//! A world whose past is in a journal: what is written there, and how it is done again.
//!
//! Invariant: what is done again goes the way on which it went first, apart from being written and answered. Absent on
//! purpose: the order over several worlds.

use super::turns::Appended;
use super::{Failure, WorldHandle};
use crate::clock::{Clock, Mode};
use crate::decision::HostDecision;
use crate::journal::{What, Writer, unreadable};
use deliveries::change::Change;
use feed::input_log::{About, Position};
use feed::transport::TransportTime;
use sim::Input;
use sim::time::Instant;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use wire::error::ApiError;

impl WorldHandle {
    /// Writes into a journal from now on all that it can be made again from. Once.
    pub(in crate::worlds) fn keep_in(&self, writer: &Writer) {
        let world = self.identity.id();
        self.log.keep_with(writer.keeper(world));
        let number = world.number();
        let judged = writer.clone();
        self.edge.faults.note_judged(Box::new(move |rule, era| {
            // Counters go on without being waited for: a crash takes the last of them back, and the requests that they counted.
            drop(judged.append(What::Judged { world: number, rule, era }));
        }));
        let changed = writer.clone();
        let note = move |change| changed.append(What::Delivery(number, change));
        self.subscribers.deliveries.note_changes(Box::new(note));
    }

    /// Appends an input again that the journal has, and carries it out. A world that fails now fails as it did before.
    ///
    /// # Errors
    /// When it is not the next one of the log.
    pub(in crate::worlds) fn redo_input(
        self: &Arc<Self>,
        position: Position,
        input: Input,
        about: About,
    ) -> Result<(), String> {
        if self.is_unreadable() {
            return Ok(());
        }
        if input.format != Input::FORMAT {
            return Err(format!("it has an input of format {}, and this build knows {}", input.format, Input::FORMAT));
        }
        HostDecision::of(&input).map_err(|error| error.to_string())?;
        let mut core = self.core();
        if core.position.next() != position {
            return Err(format!("input {} comes after input {}", position.0, core.position.0));
        }
        let appended = Appended::append_about(&**self, &mut core, input, about).map_err(|error| error.description)?;
        // A world that fails now failed there before.
        drop(appended.carry_out(&mut core, None));
        let replaced = std::mem::take(&mut core.replaced);
        let now = self.delivery_time(about.received, &core.world);
        drop(core);
        drop(replaced);
        // What it led to is queued before anything else happens, as it was then.
        self.subscribers.deliveries.catch_up(&**self, now);
        Ok(())
    }

    /// Does again what happened to its deliveries.
    pub(in crate::worlds) fn redo_delivery(&self, change: Change) {
        if self.is_unreadable() {
            return;
        }
        self.subscribers.deliveries.redo(self, change);
    }

    /// Its clock begins to go at this transport time.
    pub(in crate::worlds) fn begins_at(&self, at: TransportTime) {
        let mut core = self.core();
        core.clock = Clock::anchored(core.clock.mode(), core.world.now(), at);
        core.received = at;
    }

    /// What its clock shows at this transport time; none where it stands.
    pub(in crate::worlds) fn shown(&self, at: TransportTime) -> Option<Instant> {
        self.core().clock.shows(at)
    }

    /// Its clock showed this at `at`.
    pub(in crate::worlds) fn shows(&self, shown: Option<Instant>, at: TransportTime) {
        let mut core = self.core();
        if let Some(shown) = shown {
            core.clock = Clock::anchored(core.clock.mode(), shown.max(core.world.now()), at);
        }
    }

    /// Its clock is frozen from now on.
    pub(in crate::worlds) fn freeze(&self) {
        let mut core = self.core();
        core.clock = Clock::anchored(Mode::Frozen, core.world.now(), core.received);
    }

    /// Its clock stood since `before`, and goes on at `now`, where it is paced by another factor than 1.
    pub(in crate::worlds) fn stood(&self, before: TransportTime, now: TransportTime) {
        let mut core = self.core();
        let mode = core.clock.mode();
        if mode != Mode::REAL
            && let Some(shown) = core.clock.shows(before)
        {
            core.clock = Clock::anchored(mode, shown.max(core.world.now()), now);
        }
    }

    /// Does `f` while the world takes inputs, and before anything that ends that.
    ///
    /// # Errors
    /// 503 when it takes none.
    pub(in crate::worlds) fn while_open<R>(&self, f: impl FnOnce() -> R) -> Result<R, ApiError> {
        let _core = self.core();
        if self.is_sealed() { Err(ApiError::try_again("the world is being dropped", 2)) } else { Ok(f()) }
    }

    /// It could not be made again from here on: it answers nothing, delivers nothing and takes no inputs, for good.
    pub(in crate::worlds) fn cannot_go_on(&self, why: &str) {
        let mut core = self.core();
        let why = self.unreadable.get_or_init(|| why.into());
        let message = format!("it cannot be made again: {why}");
        core.failure = Some(Failure { at: core.world.now(), message, command: None });
    }

    /// # Errors
    /// 503 when it could not be made again.
    pub(in crate::worlds) fn check_readable(&self) -> Result<(), ApiError> {
        self.unreadable.get().map_or(Ok(()), |why| Err(unreadable(why)))
    }

    /// Whether it could not be made again.
    pub(in crate::worlds) fn is_unreadable(&self) -> bool {
        self.unreadable.get().is_some()
    }

    /// Takes inputs again, and lets time pass.
    pub(in crate::worlds) fn unseal(self: &Arc<Self>) {
        if !self.is_unreadable() {
            self.sealed.store(false, Ordering::Release);
            self.changed();
        }
    }
}
