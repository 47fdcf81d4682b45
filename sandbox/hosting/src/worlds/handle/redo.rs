//! A world whose past is in a journal: what is written there, and how it is done again.
//!
//! Invariant: what is done again goes the way on which it went first, apart from being written and answered. Absent on
//! purpose: the order over several worlds.

use super::WorldHandle;
use super::turns::Appended;
use crate::clock::{Clock, Mode};
use crate::journal::{What, Writer};
use deliveries::change::Change;
use feed::input_log::{About, Position};
use feed::transport::TransportTime;
use sim::Input;
use sim::input::Act;
use std::sync::Arc;

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
        if matches!(input.act, Act::Surface(_)) {
            // What events led to is queued before webhooks are changed.
            self.subscribers.deliveries.catch_up(&**self, about.received);
        }
        let mut core = self.core();
        if core.position.next() != position {
            return Err(format!("input {} comes after input {}", position.0, core.position.0));
        }
        let appended = Appended::append_about(&**self, &mut core, input, about).map_err(|error| error.description)?;
        drop(appended.carry_out(&mut core, None));
        let replaced = std::mem::take(&mut core.replaced);
        drop(core);
        drop(replaced);
        Ok(())
    }

    /// Does again what happened to its deliveries.
    pub(in crate::worlds) fn redo_delivery(&self, change: Change) {
        self.subscribers.deliveries.redo(self, change);
    }

    /// Its clock begins to go at this transport time.
    pub(in crate::worlds) fn begins_at(&self, at: TransportTime) {
        let mut core = self.core();
        core.clock = Clock::anchored(core.clock.mode(), core.world.now(), at);
        core.received = at;
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

    /// Takes inputs again, and lets time pass.
    pub(in crate::worlds) fn unseal(self: &Arc<Self>) {
        self.sealed.store(false, std::sync::atomic::Ordering::Release);
        self.start_driving();
        self.subscribers.deliveries.resume();
    }
}
