//! Access to a world: one lock, through which everybody reads and changes it.
//!
//! Invariant: events are in the feed before the lock is let go; a panic inside a change closes the world.
//! Absent on purpose: waiting inside the lock.

use super::super::input_origin::resource_of;
use super::super::snapshots::Snapshot;
use super::turns::{Appended, closed};
use super::waiting::Taken;
use super::{Core, Failure, SLICE, WorldHandle};
use crate::clock::{Clock, Mode};
use crate::current::{self, NotedRefusal, Turn};
use crate::decision::{Carried, HostDecision};
use crate::journal::not_kept;
use crate::memory;
use crate::panics::words;
use deliveries::signature::SigningKey;
use deliveries::webhooks::Webhook;
use feed::event_types::event_types;
use feed::input_log::{LogError, Position, at_once};
use feed::lineage::{Point, RestoreTarget};
use feed::transport::TransportTime;
use parking_lot::MutexGuard;
use sim::canary::Canary;
use sim::ids::ClientId;
use sim::input::{Act, InputOutcome};
use sim::records::Permissions;
use sim::settings::Settings;
use sim::time::{Instant, Millis};
use sim::{Command, Event, Fault, Input, Problem, Refusal, Reply, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use wire::error::ApiError;

/// Records of a world that take long to look at all together: some hundredths of a second.
const MANY_RECORDS: u64 = 20_000;

impl WorldHandle {
    pub(super) fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock()
    }

    pub(super) fn open(&self) -> Result<MutexGuard<'_, Core>, ApiError> {
        let core = self.core();
        self.check_open(&core)?;
        Ok(core)
    }

    /// Reads the world as of its clock's present, or as far on the way there as one slice goes.
    ///
    /// # Errors
    /// 503 when the world has failed; 500 when `f` panics, which leaves the world as it was.
    pub fn read<R>(&self, f: impl FnOnce(&World) -> R) -> Result<R, ApiError> {
        let mut core = self.open()?;
        let now = self.bring_up(&mut core)?;
        current::note_turn(Turn { input: core.position.0, is_own: false, now });
        let shown = core.behind.as_deref().unwrap_or(&core.world);
        catch_unwind(AssertUnwindSafe(|| f(shown))).map_err(|_| internal_error())
    }

    /// As `read`, for what looks at all records. Of a large world, `f` reads a copy, where long work is done, so that others reach
    /// the world meanwhile; a small one is read at once, since long work may have to wait for that of other worlds.
    ///
    /// # Errors
    /// As `read`; but a panic of `f` over a large world continues in the caller.
    pub async fn read_apart<R: Send + 'static>(
        &self,
        f: impl FnOnce(&World) -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        match self.read(|world| (world.records() >= MANY_RECORDS).then(|| world.clone()))? {
            Some(copy) => Ok(self.work().carry_out(move || f(&copy)).await),
            None => self.read(f),
        }
    }

    /// Carries `command` out at the clock's present, as `read` has it, and renders the reply under the same hold of
    /// the lock.
    ///
    /// # Errors
    /// The refusal; 503 when the world has failed or fails now; 500 when `render` panics.
    pub async fn submit<R>(&self, command: Command, render: impl FnOnce(&World, Reply) -> R) -> Result<R, ApiError> {
        self.attempt(command, render).await?.map_err(|refusal| self.refusal(refusal))
    }

    /// Gives the world other settings from its clock's present on.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub async fn configure(&self, settings: Settings) -> Result<(), ApiError> {
        self.act(Act::Configure(Arc::new(settings))).await
    }

    /// Lets a client do other things from the clock's present on.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub async fn permit(&self, client: ClientId, permissions: Permissions) -> Result<(), ApiError> {
        self.act(Act::Permit(client, Box::new(permissions))).await
    }

    /// Has the withdrawals of a client need the customer's signature from the clock's present on, or no longer.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub async fn require_signatures(&self, client: ClientId, is_required: bool) -> Result<(), ApiError> {
        self.act(Act::RequireSignatures(client, is_required)).await
    }

    async fn act(&self, act: Act) -> Result<(), ApiError> {
        self.come_up().await?;
        let begin = |core: &mut Core| {
            self.check_open(core)?;
            Ok(Input::new(self.instant(core)?, act))
        };
        self.enter(begin, None, |_, _| ()).await
    }

    /// A refusal as this world answers it.
    #[must_use]
    pub fn refusal(&self, refusal: Refusal) -> ApiError {
        let is_repeated = |problem: &Problem| {
            matches!(problem.fault, Fault::Taken | Fault::Duplicate) && problem.field.ends_with("clientRef")
        };
        let repeats = refusal.problems.iter().any(is_repeated);
        current::note_refusal(NotedRefusal { class: refusal.class, repeats });
        ApiError::of(refusal, self.edge.settings().unknown_resource)
    }

    /// As `submit`, with the refusal itself, for those who word it in their own way.
    ///
    /// # Errors
    /// As `submit`, apart from the refusal.
    pub async fn attempt<R>(
        &self,
        command: Command,
        render: impl FnOnce(&World, Reply) -> R,
    ) -> Result<Result<R, Refusal>, ApiError> {
        self.come_up().await?;
        let begin = |core: &mut Core| {
            self.check_open(core)?;
            let now = self.instant(core)?;
            self.may_grow(core)?;
            Ok(Input::new(now, Act::Apply(Box::new(command))))
        };
        let answer = |core: &mut Core, taken: Taken| {
            let reply = match taken {
                Taken::World(InputOutcome::Applied(Ok(reply))) => reply,
                Taken::World(InputOutcome::Applied(Err(refusal))) => return Ok(Err(refusal)),
                other => unreachable!("a command is answered by {other:?}"),
            };
            self.wake_clock(core);
            catch_unwind(AssertUnwindSafe(|| render(&core.world, reply))).map(Ok).map_err(|_| internal_error())
        };
        self.enter(begin, None, answer).await?
    }

    /// Decides `decision` for the world, at its present.
    ///
    /// # Errors
    /// 503 when the world has failed and is not put back, or the log does not take it.
    pub async fn decide(self: &Arc<Self>, decision: &HostDecision) -> Result<Carried, ApiError> {
        self.decide_as(decision, decision.act()).await
    }

    /// As `decide`, of a decision that is written as `act`.
    pub(super) async fn decide_as(self: &Arc<Self>, decision: &HostDecision, act: Act) -> Result<Carried, ApiError> {
        // A world that fails now can still be put back.
        self.come_up().await.ok();
        let begin = |core: &mut Core| {
            let now = if core.failure.is_none() { self.instant(core).ok() } else { None };
            // A paced world may be behind its clock: only what is due where it is happens before the decision.
            Ok(Input::new(now.unwrap_or(core.world.now()), act))
        };
        let then = |core: &mut Core, taken| (taken, std::mem::take(&mut core.replaced));
        let (taken, replaced) = self.enter(begin, Some(decision), then).await?;
        drop(replaced);
        self.changed();
        match taken {
            Taken::Host(carried) => Ok(carried),
            other @ Taken::World(_) => unreachable!("a decision is answered by {other:?}"),
        }
    }

    /// Appends `input` to a log that keeps it at once, and carries it out under the same hold of the lock.
    pub(super) fn take(&self, core: &mut Core, input: Input) -> Result<Taken, ApiError> {
        Appended::append(self, core, input)?.carry_out(core, None)
    }

    /// Carries out the input at `own`, the next of the log. Nothing else changes the world. A decision that is `known` need
    /// not be read, which takes long for a world that was brought.
    pub(super) fn carry_out_at(
        &self,
        core: &mut Core,
        own: Position,
        input: &Input,
        known: Option<&HostDecision>,
    ) -> Result<Taken, ApiError> {
        core.position = own;
        core.idle_until = None;
        let outcome = self.carry_out(core, own, input, known.cloned());
        note(core, own, &outcome);
        current::note_turn(Turn { input: own.0, is_own: true, now: core.world.now() });
        if core.failure.is_none() {
            let lacks_an_input = self.identity.is_planted(Canary::CheckpointLacksAnInput);
            let at = if lacks_an_input { core.position.next() } else { core.position };
            core.checkpoints.note(at, &core.world);
        }
        if core.position >= core.next_snapshot && core.failure.is_none() {
            self.keep_place(core);
        } else if core.failure.is_none() && rare::happens(rare::Point::EarlySnapshot) {
            // It lets nothing go: what can be asked for stays the same.
            self.keep_snapshot(core).ok();
        }
        outcome
    }

    /// Has the log keep the world as it is.
    fn keep_snapshot(&self, core: &Core) -> Result<(), LogError> {
        at_once(self.log.keep((core.position, Arc::new(core.world.clone()))))
    }

    /// Keeps a snapshot of the world, from which the way to what comes is short, and lets the oldest inputs go. A log that
    /// will not have it now only stays longer until it is tried again; what was carried out is answered all the same.
    fn keep_place(&self, core: &mut Core) {
        if self.keep_snapshot(core).is_ok() {
            let most = self.edge.settings().inputs_kept as u64;
            at_once(self.log.trim(Position(core.position.0.saturating_sub(most)))).ok();
            let begin = Position(self.past_begins());
            core.checkpoints.forget(begin);
            self.lineage.write().forget(begin, self.snapshots.positions());
            let earlier = core.surfaces.partition_point(|(position, _)| *position <= begin);
            core.surfaces.drain(..earlier.saturating_sub(1));
            let gone = core.requests.partition_point(|(position, _)| *position <= begin);
            core.requests.drain(..gone);
        }
        core.next_snapshot = core.position.next_snapshot();
    }

    fn carry_out(
        &self,
        core: &mut Core,
        position: Position,
        input: &Input,
        known: Option<HostDecision>,
    ) -> Result<Taken, ApiError> {
        let decision = known.map_or_else(|| HostDecision::of(input), |known| Ok(Some(known)));
        if let Some(decision) = decision.map_err(not_kept)? {
            if core.failure.is_none() {
                // What is due at this instant happens first, and is sent. A world that fails so can still be put back.
                self.change(core, |world| world.submit(position.0, input)).ok();
            }
            return self.carried(core, decision).map(Taken::Host);
        }
        if core.failure.is_some() {
            return Err(closed());
        }
        let outcome = self.change(core, |world| world.submit(position.0, input)).inspect_err(|_| {
            if let (Some(failure), Act::Apply(command)) = (&mut core.failure, &input.act) {
                failure.command = Some(Command::clone(command));
            }
        })?;
        if let InputOutcome::Applied(Ok(Reply::Client(client))) = &outcome {
            self.owners().insert(client.id, client.partner);
        }
        if let Act::AdvanceBy(_) = input.act {
            let now = core.world.now();
            if now < input.at.min(World::END) {
                self.lineage.write().stopped(position, now);
            }
            // Who jumps goes ahead of a paced clock, which continues from there.
            if core.clock.shows(core.received).is_some_and(|shown| now > shown) {
                core.clock = Clock::anchored(core.clock.mode(), now, core.received);
            }
        }
        Ok(Taken::World(outcome))
    }

    fn carried(&self, core: &mut Core, decision: HostDecision) -> Result<Carried, ApiError> {
        let faults = |ids: Option<Vec<u64>>| ids.map_or(Carried::Nothing, Carried::Faults);
        let webhook =
            |webhook: Option<Webhook>| webhook.map_or(Carried::Nothing, |one| Carried::Webhook(Box::new(one)));
        let done = |done: bool| if done { Carried::Done } else { Carried::Nothing };
        Ok(match decision {
            HostDecision::Reset => {
                let world = self.prepared(RestoreTarget::Start).map_or_else(|| self.at_start(core), Ok)?;
                self.replace(core, world, RestoreTarget::Start, Some(self.edge.first().clone()));
                Carried::Done
            }
            HostDecision::Keep(_) if core.failure.is_some() => return Err(closed()),
            HostDecision::Keep(name) => {
                let world = Arc::new(core.world.clone());
                let origin = Some((core.position, self.surface()));
                done(self.snapshots.keep(name, Snapshot { origin, world }))
            }
            HostDecision::Bring(name, world) => done(self.snapshots.keep(name, Snapshot { origin: None, world })),
            HostDecision::Restore(name) => match self.snapshots.get(&name) {
                Some(Snapshot { origin, world }) => {
                    match origin {
                        Some((input, surface)) => {
                            let to = RestoreTarget::Point(Point::after(input));
                            self.replace(core, World::clone(&world), to, Some(surface));
                        }
                        None => {
                            self.replace(core, World::clone(&world), RestoreTarget::Imported, None);
                            self.edge.recording.is_imported();
                        }
                    }
                    // What comes can be made again from here, even when the name has come to mean something else.
                    at_once(self.log.keep((core.position, world))).ok();
                    Carried::Done
                }
                None => Carried::Nothing,
            },
            HostDecision::Rewind(point) => {
                let to = RestoreTarget::Point(point);
                let world = self.prepared(to).map_or_else(|| self.at_point(core, point), Ok)?;
                let surface = self.surface_after(core, point.input);
                self.replace(core, world, to, Some(surface));
                Carried::Done
            }
            HostDecision::Fork => Carried::Done,
            HostDecision::Clock(mode) => {
                core.clock = Clock::anchored(mode, core.world.now(), core.received);
                Carried::Done
            }
            HostDecision::Settings(settings) => {
                self.set_settings(*settings);
                core.surfaces.push((core.position, self.surface()));
                Carried::Done
            }
            HostDecision::Waits(waits) => {
                self.subscribers.deliveries.change(|queue| queue.set_waits(waits));
                core.surfaces.push((core.position, self.surface()));
                Carried::Done
            }
            HostDecision::Allowlist(networks) => {
                self.edge.allowlist.set(networks);
                core.surfaces.push((core.position, self.surface()));
                Carried::Done
            }
            HostDecision::PartnersMay(acts) => {
                self.edge.set_partners_may(acts);
                core.surfaces.push((core.position, self.surface()));
                Carried::Done
            }
            HostDecision::AddFaults(owner, added) => {
                faults(self.edge.faults.add(self.identity.origin().seed, owner, added))
            }
            HostDecision::RemoveFault(id) => done(self.edge.faults.remove(id)),
            HostDecision::ClearFaults(owner) => {
                self.edge.faults.clear(owner);
                Carried::Done
            }
            HostDecision::Register { client, url, key, events } => {
                let events = events.as_deref().map(event_types);
                let key = signing_key(key)?;
                let partner = sim::query::client(&core.world, client).map(|client| client.partner);
                webhook(self.subscribers.deliveries.register(self, (client, partner), url.into(), key, events))
            }
            HostDecision::Alter(id, change) => {
                let now = self.delivery_time(core.received, &core.world);
                webhook(self.subscribers.deliveries.alter(id, self.subscribers.feed.log(), now, &change))
            }
            HostDecision::Rotate { webhook: id, key, overlap } => {
                let until = self.delivery_time(core.received, &core.world).plus(overlap);
                webhook(self.subscribers.deliveries.rotate(self, id, signing_key(key)?, until))
            }
            HostDecision::Unregister(id) => webhook(self.subscribers.deliveries.unregister(id)),
        })
    }

    /// Changes the world and hands its events to the feed; a panic closes the world.
    pub(super) fn change<R>(&self, core: &mut Core, f: impl FnOnce(&mut World) -> R) -> Result<R, ApiError> {
        let is_late = self.identity.is_planted(Canary::EventBeforeCommit);
        let Core { world, failure, behind, received, .. } = core;
        let received = *received;
        *behind = is_late.then(|| Box::new(world.clone()));
        let changed = catch_unwind(AssertUnwindSafe(|| {
            world.keep_events(self.edge.settings().events_kept);
            world.note_visits();
            let result = f(world);
            self.count_noted(world);
            let telemetry = self.server.telemetry.get();
            let note = |event: &Event| {
                telemetry.into_iter().for_each(|telemetry| telemetry.happened(self.identity.id(), event))
            };
            self.subscribers.feed.publish(world, note, |world, event| self.message(world, event));
            self.subscribers.deliveries.collect(world, |world| self.delivery_time(received, world));
            result
        }));
        changed.map_err(|panic| {
            *failure = Some(Failure { at: world.now(), message: words(&*panic), command: None });
            closed()
        })
    }

    /// Counts what has happened to records of clients in a change.
    fn count_noted(&self, world: &mut World) {
        let mut owner = None;
        for (client, noted) in world.take_noted() {
            // Most of a change is about one client.
            if owner.is_none_or(|(known, _)| known != client) {
                owner = Some((client, self.owner_of(client)));
            }
            if let Some((_, Some(partner))) = owner {
                self.coverage.noted(partner, noted);
            }
        }
    }

    /// `feed_time` of an input that was `received` at this transport time.
    pub(super) fn delivery_time(&self, received: TransportTime, world: &World) -> TransportTime {
        if self.edge.settings().virtual_transport { TransportTime(world.now().ms().unsigned_abs()) } else { received }
    }

    /// Brings a paced world up to its clock, at most a slice at a time, and answers its instant. Where nothing happens on the
    /// way, the clock moves and the log has no input of it: who only reads leaves nothing in the log.
    pub(super) fn bring_up(&self, core: &mut Core) -> Result<Instant, ApiError> {
        // An input that was appended finds the world as it was: what is read meanwhile leaves no trace in it.
        if let Some(goal) = self.goal(core).filter(|_| core.turns.is_empty()) {
            let waits = !self.log.answers_at_once();
            if core.world.pass_idle(if waits { until_due(core, goal) } else { goal }) {
                core.idle_until = Some(core.world.now());
            } else if !waits {
                self.take(core, slice(goal, SLICE))?;
            }
        }
        Ok(core.world.now())
    }

    /// The instant of an input that is appended now. Behind others that wait for their turn, it is what the clock shows, since the world
    /// is not there yet; behind one that may put the world back, it has none of its own and comes when that one has.
    fn instant(&self, core: &mut Core) -> Result<Instant, ApiError> {
        if core.turns.is_empty() {
            self.bring_up(core)
        } else if core.may_go_back() {
            Ok(Instant::MIN)
        } else {
            Ok(self.goal(core).map_or(core.world.now(), |goal| until_due(core, goal)))
        }
    }

    /// Where the clock of a paced world is, when the world is not there yet and may go there.
    pub(super) fn goal(&self, core: &Core) -> Option<Instant> {
        match core.clock.mode() {
            Mode::Frozen => None,
            Mode::Paced(_) if self.is_sealed() || self.may_grow(core).is_err() => None,
            Mode::Paced(_) => core.clock.shows(self.server.clock.now()).filter(|goal| !core.has_reached(*goal)),
        }
    }

    /// As `bring_up`, for those who change the world: of what is due, a slice is carried out first, also where the log has to
    /// be waited for.
    pub(super) async fn come_up(&self) -> Result<(), ApiError> {
        if self.log.answers_at_once() {
            return Ok(());
        }
        match self.due()? {
            Some(goal) => self.enter(|_| Ok(slice(goal, SLICE)), None, |_, _| ()).await,
            None => Ok(()),
        }
    }

    /// Where the clock is, when something is due by then.
    fn due(&self) -> Result<Option<Instant>, ApiError> {
        let core = self.open()?;
        let is_due = |goal: &Instant| core.world.next_timer().is_some_and(|(due, _)| due <= *goal);
        Ok(self.goal(&core).filter(is_due))
    }

    /// A world that has failed takes nothing, and neither does one that could not be made again.
    fn check_open(&self, core: &Core) -> Result<(), ApiError> {
        self.check_readable()?;
        if core.failure.is_none() { Ok(()) } else { Err(closed()) }
    }

    /// Whether the world may take more memory (rule: wire/memory).
    ///
    /// # Errors
    /// 503 when it, or the server, is at its bound.
    pub(super) fn may_grow(&self, core: &Core) -> Result<(), ApiError> {
        let Some(memory) = self.server.memory.get() else { return Ok(()) };
        let inputs = core.position.0.saturating_sub(self.past_begins()) + self.lineage().branches() as u64;
        let records = core.world.records() + core.checkpoints.records(&core.world);
        memory.admits(memory::of_world(records, inputs))
    }

    /// A paced world's driver sleeps until the next timer; wakes it when a command has set an earlier one.
    pub(super) fn wake_clock(&self, core: &Core) {
        let due = core.world.next_timer().and_then(|(due, _)| core.clock.reaches(due));
        if due.is_some_and(|due| due.0 < self.waking.load(Ordering::Relaxed)) {
            self.changes.notify_waiters();
        }
    }
}

impl Core {
    /// Whether the clock shows `goal` or later, and all that is due until then has happened.
    pub(super) fn has_reached(&self, goal: Instant) -> bool {
        let goal = goal.min(World::END);
        self.world.now() >= goal && self.world.next_timer().is_none_or(|(due, _)| due > goal)
    }
}

/// How far a clock goes on its way to `goal` while nothing happens: what is due and has to be waited for is its driver's.
fn until_due(core: &Core, goal: Instant) -> Instant {
    core.world.next_timer().map_or(goal, |(due, _)| goal.min(due.plus(Millis(-1))))
}

/// Notes the outcome of an input beside its request.
fn note(core: &mut Core, own: Position, outcome: &Result<Taken, ApiError>) {
    let about = match outcome {
        Ok(Taken::World(InputOutcome::Applied(Ok(reply)))) => resource_of(reply),
        Ok(Taken::Host(Carried::Webhook(webhook))) => Some(webhook.id),
        _ => None,
    };
    let requests = &mut core.requests;
    // It is almost always the last one; a search would touch others that lie far apart in memory.
    let place = match requests.back() {
        Some((last, _)) if *last <= own => (*last == own).then(|| requests.len() - 1),
        _ => requests.binary_search_by_key(&own, |(position, _)| *position).ok(),
    };
    if let Some(place) = place {
        let (_, request) = &mut requests[place];
        (request.about, request.at) = (about, core.world.now());
    }
}

/// A key from the log.
fn signing_key(text: Option<String>) -> Result<Option<SigningKey>, ApiError> {
    let key = text.as_deref().map(SigningKey::parse).transpose();
    key.map_err(|_| ApiError::invalid_request("a key that is none"))
}

fn internal_error() -> ApiError {
    ApiError::server_error("the answer could not be made; nothing was changed by making it")
}

/// One slice of the way to `goal`, of so much work.
pub(super) fn slice(goal: Instant, most: usize) -> Input {
    Input::new(goal, Act::AdvanceBy(most.try_into().unwrap_or(u32::MAX)))
}
