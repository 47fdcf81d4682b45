//! A world as it was at a moment of its past, and how it is put back there.
//!
//! Invariant: looking back changes nothing and holds no lock while inputs are carried out again; a restore that nobody has made
//! ready, as of a log that is read elsewhere, does so under the world's. Absent on purpose: what a fork
//! is and who may ask.

use super::{Core, Past, SLICE, WorldHandle};
use crate::decision::{Carried, HostDecision};
use crate::long_work::LongWork;
use crate::panics::words;
use crate::replay::{Leg, Replay};
use crate::setup::SurfaceSetup;
use crate::snapshot_name::SnapshotName;
use feed::input_log::{About, LogError, LoggedInput, Position, Snapshot, at_once};
use feed::lineage::{LogRange, Moment, NotReachable, Point, ReplayPlan, RestoreTarget};
use feed::transport::TransportTime;
use sim::input::Act;
use sim::time::Instant;
use sim::{Input, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use wire::error::ApiError;

/// How the world at a point of its past is made again.
struct Route {
    /// Where it begins: none is the world's start.
    begin: Option<Arc<World>>,
    /// What is carried out from there, in order.
    ranges: Vec<LogRange>,
}

impl Route {
    fn to_start(core: &Core) -> Self {
        Self { begin: core.checkpoints.start().cloned(), ranges: Vec::new() }
    }
}

impl WorldHandle {
    /// The world as it was at `moment`, and which point of its past that is.
    ///
    /// # Errors
    /// 400 when the moment is still to come or was before the start; 409 when the log no longer goes back so far; 503 when the
    /// world fails on the way.
    pub async fn stood_at(&self, moment: Moment) -> Result<(Point, World), ApiError> {
        let point = self.find(moment)?;
        let route = self.route(&self.core(), point)?;
        Ok((point, self.follow(route).await?))
    }

    /// The world as it is, and which point of its past that is.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub fn present_state(&self) -> Result<(Point, World), ApiError> {
        let mut core = self.open()?;
        self.bring_up(&mut core)?;
        Ok((Point { input: core.position, at: core.idle_until }, core.world.clone()))
    }

    /// Puts the world back to what it was at `moment`. The caller holds the gate.
    ///
    /// # Errors
    /// As `stood_at`.
    pub async fn rewind(self: &Arc<Self>, moment: Moment) -> Result<(), ApiError> {
        let (point, world) = self.stood_at(moment).await?;
        self.prepare(RestoreTarget::Point(point), world);
        self.decide(&HostDecision::Rewind(point)).await.map(drop)
    }

    /// Puts the world back to its start. The caller holds the gate.
    ///
    /// # Errors
    /// 503 when the log does not take it.
    pub async fn reset(self: &Arc<Self>) -> Result<(), ApiError> {
        let route = Route::to_start(&self.core());
        let world = self.follow(route).await?;
        self.prepare(RestoreTarget::Start, world);
        self.decide(&HostDecision::Reset).await.map(drop)
    }

    /// Keeps a world that was brought from elsewhere, under a name.
    ///
    /// # Errors
    /// 503 when the log does not take it.
    pub async fn bring(self: &Arc<Self>, name: SnapshotName, world: World) -> Result<Carried, ApiError> {
        let decision = HostDecision::Bring(name, Arc::new(world));
        let (act, decision) = self.work().carry_out(move || (decision.act(), decision)).await;
        self.decide_as(&decision, act).await
    }

    /// Where long work is done.
    pub fn work(&self) -> LongWork {
        self.server.work()
    }

    /// What a fork of the world at `point` shares with it, with what its surface was set to there. What the operator alone decides
    /// is as it is now.
    pub(in crate::worlds) fn past_for_fork(
        &self,
        point: Point,
        world: &World,
    ) -> Result<(Past, SurfaceSetup), ApiError> {
        let core = self.core();
        let surface = self.kept_by_operator(self.surface_after(&core, point.input));
        let log = at_once(self.log.fork(point.input)).map_err(unread)?;
        // It continues from there with an input of its own, as it would after a rewind.
        let decision = HostDecision::Rewind(point);
        let about = About { received: core.received, request: None };
        let position = at_once(log.append(Input::new(Instant::MIN, decision.act()), about)).map_err(unread)?;
        let lineage = self.lineage().fork(point, position, world.now(), world.events_so_far());
        let mut surfaces = core.surfaces.clone();
        surfaces.retain(|(at, _)| *at <= point.input);
        surfaces.push((position, surface.clone()));
        let first_surface = self.edge.first().clone();
        let checkpoints = core.checkpoints.fork(point.input, position, world);
        Ok((Past { log, checkpoints, position, lineage, first_surface, surfaces }, surface))
    }

    /// The world as it is, even where it has failed; its last input; until when time has passed since, where nothing happened; and when that input
    /// was appended.
    ///
    /// # Errors
    /// 503 when the log does not take that time has passed.
    pub(in crate::worlds) fn last_state(&self) -> Result<(World, Point, TransportTime), ApiError> {
        let mut core = self.core();
        if core.failure.is_none() {
            self.bring_up(&mut core)?;
        }
        Ok((core.world.clone(), Point { input: core.position, at: core.idle_until }, core.received))
    }

    /// What the surface was set to at the input that the log begins after.
    pub(in crate::worlds) fn surface_at(&self, begin: Position) -> SurfaceSetup {
        self.surface_after(&self.core(), begin)
    }

    /// What the surface was set to after an input.
    pub(super) fn surface_after(&self, core: &Core, input: Position) -> SurfaceSetup {
        let later = core.surfaces.partition_point(|(position, _)| *position <= input);
        let last = later.checked_sub(1).map(|last| &core.surfaces[last].1);
        last.unwrap_or(self.edge.first()).clone()
    }

    /// `surface`, with what the operator alone decides as it is now: a partner that goes back opens nothing that was closed
    /// since.
    fn kept_by_operator(&self, surface: SurfaceSetup) -> SurfaceSetup {
        let SurfaceSetup { mut settings, waits, allowlist: _, partners_may: _ } = surface;
        let now = self.surface();
        settings.operator_market = now.settings.operator_market;
        SurfaceSetup { settings, waits, allowlist: now.allowlist, partners_may: now.partners_may }
    }

    /// Sets the surface to what it was.
    pub(super) fn put_back(&self, core: &mut Core, surface: SurfaceSetup) {
        let surface = self.kept_by_operator(surface);
        self.set_settings(surface.settings);
        self.subscribers.deliveries.change(|queue| queue.set_waits(surface.waits.clone()));
        core.surfaces.push((core.position, surface));
    }

    /// The first input that can be asked for; 0 is the start.
    #[must_use]
    pub fn past_begins(&self) -> u64 {
        at_once(self.log().begin()).map_or(0, |begin| begin.0)
    }

    /// The last input that was carried out.
    #[must_use]
    pub fn last_input(&self) -> u64 {
        self.core().position.0
    }

    /// How many inputs are carried out again to see the world as it stood at `moment`.
    #[cfg(test)]
    pub(in crate::worlds) fn carried_out_for(&self, moment: Moment) -> u64 {
        let point = self.find(moment).expect("a past");
        let route = self.route(&self.core(), point).expect("a past");
        let mut replay = self.begin_on(route).expect("a past");
        while replay.go_on(1) {}
        replay.inputs()
    }

    fn prepare(&self, target: RestoreTarget, world: World) {
        *self.prepared.lock().unwrap_or_else(PoisonError::into_inner) = Some((target, world));
    }

    /// The world that was made ready for `target`.
    pub(super) fn prepared(&self, target: RestoreTarget) -> Option<World> {
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        prepared.filter(|(ready, _)| *ready == target).map(|(_, world)| world)
    }

    /// The world as it was at a point of its past, without letting others have their turn meanwhile.
    pub(in crate::worlds) fn as_it_was(&self, point: Point) -> Result<World, ApiError> {
        self.at_point(&self.core(), point)
    }

    /// The world at its start, where nothing was made ready.
    pub(super) fn at_start(&self, core: &Core) -> Result<World, ApiError> {
        Ok(self.begin_on(Route::to_start(core))?.world())
    }

    /// The world at `point`, where nothing was made ready, as for a log that is read elsewhere.
    pub(super) fn at_point(&self, core: &Core, point: Point) -> Result<World, ApiError> {
        let mut replay = self.begin_on(self.route(core, point)?)?;
        while replay.go_on(usize::MAX) {}
        Ok(replay.world())
    }

    fn find(&self, moment: Moment) -> Result<Point, ApiError> {
        let mut core = self.core();
        if core.failure.is_none() {
            // A world that fails now can still be looked back on.
            self.bring_up(&mut core).ok();
        }
        let (begin, head) = (Position(self.past_begins()), core.position);
        match moment {
            Moment::Input(input) if input > head => {
                Err(ApiError::invalid_request(format!("input must be at most {}, the last there was", head.0)))
            }
            Moment::Input(input) if input < begin => Err(self.too_far(begin)),
            Moment::Input(input) => Ok(Point::after(input)),
            Moment::Instant(at) => self.find_instant(&core, at, begin),
        }
    }

    fn find_instant(&self, core: &Core, at: Instant, begin: Position) -> Result<Point, ApiError> {
        if at > core.world.now() {
            return Err(ApiError::invalid_request(format!("{at} is later than the world's clock shows")));
        }
        let (from, to) =
            self.lineage().range_at(at, core.position, self.identity.origin().start).map_err(|why| match why {
                NotReachable::BeforeStart => ApiError::invalid_request(format!("{at} is before the world's start")),
                NotReachable::BeforeImport(since) => unknown(since),
            })?;
        if to < begin {
            return Err(self.too_far(begin));
        }
        let from = from.max(begin);
        let snapshot = at_once(self.log().snapshot(from)).ok().flatten();
        if snapshot.is_some_and(|(place, world)| place == from && place == begin && world.now() > at) {
            return Err(self.too_far(begin));
        }
        let mut input = from;
        'inputs: while input < to {
            for (position, entry) in at_once(self.log().after(input)).map_err(unread)? {
                // An input without an instant of its own came when the last one had; time may have stopped on its way.
                let now = match entry.act {
                    Act::AdvanceBy(_) => self.lineage().reached(position, entry.at),
                    _ => entry.at,
                };
                if position > to || now > at {
                    break 'inputs;
                }
                input = position;
            }
        }
        Ok(Point { input, at: Some(at) })
    }

    /// Why nothing before `begin`, where the log begins, can be asked for.
    fn too_far(&self, begin: Position) -> ApiError {
        if !self.lineage().is_import(begin) {
            return forgotten(begin);
        }
        let input = begin.0;
        ApiError::conflict(format!(
            "the history before input {input} is not known on this server: the world was imported after it"
        ))
    }

    /// The latest copy of the world that is kept at `most` or before it; of those that the log keeps, where the others are forgotten.
    fn kept(&self, core: &Core, most: Position, are_forgotten: bool) -> Option<Snapshot> {
        let by_log = at_once(self.log().snapshot(most)).ok().flatten();
        let others = if are_forgotten { None } else { core.checkpoints.latest(most) };
        by_log.into_iter().chain(others).max_by_key(|(place, _)| *place)
    }

    fn route(&self, core: &Core, point: Point) -> Result<Route, ApiError> {
        let forgets = rare::happens(rare::Point::PastForgotten);
        let ReplayPlan { begin, ranges } =
            self.lineage().plan(point, |most| self.kept(core, most, forgets).map(|(place, _)| place));
        let known = |place: Position| {
            let found = self.kept(core, place, forgets).filter(|(at, _)| *at == place).map(|(_, world)| world);
            found.ok_or_else(|| ApiError::conflict(format!("what was at input {} is no longer kept", place.0)))
        };
        let begin = begin.map(known).transpose()?.or_else(|| core.checkpoints.start().cloned());
        Ok(Route { begin, ranges })
    }

    /// Carries out again what leads along `route`, and lets others have their turn meanwhile.
    async fn follow(&self, route: Route) -> Result<World, ApiError> {
        let work = self.work();
        let begin = match route.begin {
            Some(world) => world,
            None => {
                let origin = self.identity.origin().clone();
                work.carry_out(move || origin.world().map(Arc::new)).await?
            }
        };
        // In a box, since what waits for a turn moves from place to place.
        let mut replay = Box::new(self.begin_on(Route { begin: Some(begin), ..route })?);
        loop {
            let slice = if rare::happens(rare::Point::ReplayInPieces) { 1 } else { SLICE };
            let piece = work.take_turn(move || {
                let is_more = catch_unwind(AssertUnwindSafe(|| replay.go_on(slice)));
                is_more.map(|is_more| (replay, is_more))
            });
            let (further, is_more) = piece.await.map_err(|panic| {
                ApiError::unavailable(format!("the world failed on the way there: {}", words(&*panic)))
            })?;
            if !is_more {
                return Ok(further.world());
            }
            if self.is_dropped() {
                return Err(ApiError::not_found("the world was dropped"));
            }
            replay = further;
            tokio::task::yield_now().await;
        }
    }

    /// The world with which `route` begins, with all that is to be carried out.
    fn begin_on(&self, Route { begin, ranges }: Route) -> Result<Replay, ApiError> {
        let leg = |range| Ok(Leg { entries: self.inputs(range)?, range });
        let legs = ranges.into_iter().map(leg).collect::<Result<_, ApiError>>()?;
        let begin = begin.map_or_else(|| self.identity.origin().world(), |world| Ok(Arc::unwrap_or_clone(world)))?;
        Ok(Replay::new(begin, legs))
    }

    fn inputs(&self, LogRange { after, to, .. }: LogRange) -> Result<Vec<LoggedInput>, ApiError> {
        let mut entries: Vec<LoggedInput> = Vec::new();
        let mut last = after;
        while last < to {
            let more = at_once(self.log().after(last)).map_err(|_| forgotten(Position(self.past_begins())))?;
            entries.extend(more.into_iter().take_while(|(position, _)| *position <= to));
            last = entries.last().map_or(to, |(position, _)| *position);
        }
        Ok(entries)
    }
}

fn unread(fault: LogError) -> ApiError {
    ApiError::unavailable(format!("the log of inputs cannot be read: {fault}"))
}

fn forgotten(begin: Position) -> ApiError {
    ApiError::conflict(format!("what was before input {} is no longer kept", begin.0))
}

fn unknown(since: Instant) -> ApiError {
    ApiError::conflict(format!(
        "the history before {since} is not known on this server: the world was imported after it"
    ))
}
