//! When an appended input has its turn: once the log keeps it and everything before it has been carried out.
//!
//! Invariant: inputs are carried out in the order of the log, each exactly once, and none before the log keeps it, so that
//! nothing is shown that a crash takes back. A log that keeps inputs at once, as one in memory does, lets nobody wait: an input
//! is appended and carried out under one hold of the lock. An input whose caller no longer waits is carried out in its turn all
//! the same, without an answer. Absent on purpose: what carrying out means.

use super::waiting::{Caller, Taken, Turn};
use super::{Core, WorldHandle};
use crate::current;
use crate::decision::HostDecision;
use crate::journal::{PATIENCE, not_kept};
use crate::worlds::input_origin::InputRequest;
use feed::input_log::{About, Pending, Position, at_once, if_ready};
use parking_lot::MutexGuard;
use sim::{Input, World};
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Notify;
use wire::error::ApiError;

/// An input that its world's log has, and that is not carried out yet. When it is dropped, it is carried out without an answer.
pub(super) struct Appended<W: Deref<Target = WorldHandle>> {
    world: W,
    own: Position,
    wait: Wait,
    is_over: bool,
}

/// What an input waits for.
enum Wait {
    /// That the log keeps it, and then its turn.
    Log(Pending<'static, Position>, Arc<Notify>),
    /// That everything before it is carried out, which wakes it.
    Turn(Arc<Notify>),
    /// Nothing: it is its turn.
    Nothing,
}

impl<W: Deref<Target = WorldHandle>> Appended<W> {
    /// Appends `input` to the log of `world`, whose lock the caller holds.
    ///
    /// # Errors
    /// 503 when the server is closing or the log does not take it.
    pub(super) fn append(world: W, core: &mut Core, input: Input) -> Result<Self, ApiError> {
        world.check_readable()?;
        if world.is_sealed() {
            return Err(ApiError::try_again("the server is closing", 2));
        }
        let about = About { received: world.transport_clock().now(), request: current::request() };
        Self::append_about(world, core, input, about)
    }

    /// As `append`, of an input of which this is known.
    pub(super) fn append_about(world: W, core: &mut Core, input: Input, about: About) -> Result<Self, ApiError> {
        let About { received, request } = about;
        let mut kept = world.log().append(input, about);
        let (own, wait) = match if_ready(kept.as_mut()) {
            Some(own) => {
                let own = own.map_err(not_kept)?;
                // It may be kept while one before it has not had its turn.
                (own, if core.comes_next(own) { Wait::Nothing } else { Wait::Turn(Arc::default()) })
            }
            None => (at_once(world.log().head()).map_err(not_kept)?, Wait::Log(kept, Arc::default())),
        };
        match &wait {
            Wait::Nothing => core.received = received,
            Wait::Log(_, caller) | Wait::Turn(caller) => {
                core.turns.insert(own, Turn { received, caller: Caller::Waits(Arc::clone(caller)) });
            }
        }
        if let Some((request, route)) = request {
            core.requests.push_back((own, InputRequest { request, route, about: None, at: core.world.now() }));
        }
        Ok(Self { world, own, wait, is_over: false })
    }

    /// Whether it can be carried out under the hold of the lock under which it was appended.
    pub(super) const fn is_next(&self) -> bool {
        matches!(self.wait, Wait::Nothing)
    }

    /// Waits until it is its turn. Nobody else goes before it from then on.
    ///
    /// # Errors
    /// 503 when the log does not keep it, or takes so long that the caller should ask again; it may be carried out then.
    pub(super) async fn its_turn(&mut self) -> Result<(), ApiError> {
        let Self { world, own, wait, .. } = self;
        let waiting = async {
            if let Wait::Log(kept, caller) = wait {
                kept.await?;
                *wait = Wait::Turn(Arc::clone(caller));
            }
            if let Wait::Turn(caller) = wait {
                while !world.core().comes_next(*own) {
                    caller.notified().await;
                }
            }
            *wait = Wait::Nothing;
            Ok(())
        };
        match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => {
                // A log that has failed keeps nothing after it, either: the world stays where it is.
                self.is_over = true;
                self.world.core().turns.remove(&self.own);
                Err(not_kept(fault))
            }
            Err(_) => Err(ApiError::try_again("the log of the world takes long; the request may be carried out", 2)),
        }
    }

    /// Carries it out; it is its turn. The caller then goes on (`go_on`) with those that nobody waits for.
    ///
    /// # Errors
    /// 503 when the world has failed or fails now.
    pub(super) fn carry_out(mut self, core: &mut Core, known: Option<&HostDecision>) -> Result<Taken, ApiError> {
        self.is_over = true;
        assert!(core.comes_next(self.own), "{:?} is carried out before its turn", self.own);
        self.world.carry_out_next(core, known)
    }
}

impl<W: Deref<Target = WorldHandle>> Drop for Appended<W> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let mut core = self.world.core();
        match std::mem::replace(&mut self.wait, Wait::Nothing) {
            Wait::Log(kept, _) => self.world.leave(&mut core, self.own, kept),
            Wait::Turn(_) | Wait::Nothing => WorldHandle::leave_kept(&mut core, self.own),
        }
        let others = self.world.go_on(&mut core);
        drop(core);
        self.world.settle(others);
    }
}

/// What was carried out without a caller, and what is left to do once the lock is let go.
#[derive(Default)]
pub(super) struct Others {
    any: bool,
    /// What worlds that were put back have given up: large ones take long to drop.
    replaced: Vec<Arc<World>>,
}

impl Core {
    /// Whether an input that waits for its turn may put the world back to a moment of its past.
    pub(super) fn may_go_back(&self) -> bool {
        self.goes_back.is_some_and(|position| position > self.position)
    }

    /// Whether the input at `position` is the next that is carried out.
    fn comes_next(&self, position: Position) -> bool {
        self.position.next() == position
    }
}

impl WorldHandle {
    /// Appends the input that `begin` makes under the lock when this is called, and carries it out when it is its turn; `then` is called
    /// under the same hold of the lock. An input whose turn it is at once is carried out before this returns.
    ///
    /// # Errors
    /// Those of `begin`; 503 when the world has failed, or its log does not keep the input.
    pub(super) fn enter<'w, R: 'w>(
        &'w self,
        begin: impl FnOnce(&mut Core) -> Result<Input, ApiError> + 'w,
        known: Option<&'w HostDecision>,
        then: impl FnOnce(&mut Core, Taken) -> R + 'w,
    ) -> impl Future<Output = Result<R, ApiError>> + 'w {
        let mut core = self.core();
        let appended = begin(&mut core).and_then(|input| Appended::append(self, &mut core, input));
        if let (Ok(appended), Some(decision)) = (&appended, known)
            && decision.goes_back()
        {
            core.goes_back = Some(appended.own);
        }
        let begun = match appended {
            Ok(appended) if appended.is_next() => Err(self.carried_out(core, appended, known, then)),
            Ok(appended) => {
                drop(core);
                Ok((appended, then))
            }
            Err(refused) => Err(Err(refused)),
        };
        async move {
            match begun {
                Err(answer) => answer,
                Ok((mut appended, then)) => {
                    appended.its_turn().await?;
                    self.carried_out(self.core(), appended, known, then)
                }
            }
        }
    }

    fn carried_out<R>(
        &self,
        mut core: MutexGuard<'_, Core>,
        appended: Appended<&Self>,
        known: Option<&HostDecision>,
        then: impl FnOnce(&mut Core, Taken) -> R,
    ) -> Result<R, ApiError> {
        let answer = appended.carry_out(&mut core, known).map(|taken| then(&mut core, taken));
        // Those that nobody waits for come after the answer, which is of the state that this one led to.
        let others = self.go_on(&mut core);
        drop(core);
        self.settle(others);
        answer
    }

    /// Nobody waits any more for the answer to the input at `own`, which is carried out once the log keeps it.
    fn leave(&self, core: &mut Core, own: Position, kept: Pending<'static, Position>) {
        if let Some(turn) = core.turns.get_mut(&own) {
            turn.caller = Caller::Left;
        }
        // Without a runtime the process is about to end, and the next one reads the log.
        let (Some(world), Ok(runtime)) = (self.me.upgrade(), tokio::runtime::Handle::try_current()) else { return };
        runtime.spawn(async move {
            let is_kept = kept.await.is_ok();
            let others = {
                let mut core = world.core();
                if is_kept {
                    Self::leave_kept(&mut core, own);
                } else {
                    core.turns.remove(&own);
                }
                world.go_on(&mut core)
            };
            world.settle(others);
        });
    }

    /// Nobody waits any more for the answer to the input at `own`, which the log keeps.
    fn leave_kept(core: &mut Core, own: Position) {
        if let Some(turn) = core.turns.get_mut(&own) {
            turn.caller = Caller::LeftAndKept;
        }
    }

    /// Carries out the inputs whose turn it is and whose callers do not wait for an answer.
    pub(super) fn go_on(&self, core: &mut Core) -> Others {
        let mut others = Others::default();
        while let Some(Turn { caller: Caller::LeftAndKept, .. }) = core.turns.get(&core.position.next()) {
            drop(self.carry_out_next(core, None));
            others.any = true;
            others.replaced.append(&mut core.replaced);
        }
        others
    }

    /// After the lock is let go: wakes those who wait for what was carried out without a caller.
    pub(super) fn settle(&self, others: Others) {
        let Others { any, replaced } = others;
        drop(replaced);
        if any {
            self.changed();
            self.subscribers.feed.log().nudge();
        }
    }

    /// Carries out the next input of the log, which is kept, and wakes the caller of the one after it.
    fn carry_out_next(&self, core: &mut Core, known: Option<&HostDecision>) -> Result<Taken, ApiError> {
        let own = core.position.next();
        if let Some(turn) = core.turns.remove(&own) {
            core.received = turn.received;
        }
        let input = at_once(self.log().input(own)).map_err(not_kept)?.ok_or_else(closed)?;
        let taken = self.carry_out_at(core, own, &input, known);
        if let Some(Turn { caller: Caller::Waits(caller), .. }) = core.turns.get(&own.next()) {
            caller.notify_one();
        }
        taken
    }
}

pub(super) fn closed() -> ApiError {
    ApiError::unavailable("this world has failed and is kept for inspection; reset it or make another")
}
