//! A world as it stood before, and the way back there.
//!
//! Invariant: looking back changes nothing and holds no lock while inputs are carried out again. Absent on purpose: what a fork
//! is and who may ask.

use super::access::words;
use super::{Asked, Core, WorldHandle};
use crate::hosting::decision::HostDecision;
use crate::hosting::history::{Moment, Point};
use crate::hosting::input_log::{Entry, LogError, Position, Snapshot, at_once};
use crate::hosting::replay::{Replay, passed};
use crate::wire::error::ApiError;
use sim::time::Instant;
use sim::{Input, World};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

/// Inputs carried out again before others have their turn.
const PIECE: usize = 500;

impl WorldHandle {
    /// The world as it stood at `moment`, and which place of its past that is.
    ///
    /// # Errors
    /// 400 when the moment is still to come or was before the start; 409 when the log no longer goes back so far; 503 when the
    /// world fails on the way.
    pub async fn stood_at(&self, moment: Moment) -> Result<(Point, World), ApiError> {
        let point = self.find(moment)?;
        Ok((point, self.make_again(point).await?))
    }

    /// Puts the world back to where it stood at `moment`. To be called by whoever has passed the gate.
    ///
    /// # Errors
    /// As `stood_at`.
    pub async fn rewind(self: &Arc<Self>, moment: Moment) -> Result<(), ApiError> {
        let (point, world) = self.stood_at(moment).await?;
        *self.prepared.lock().unwrap_or_else(PoisonError::into_inner) = Some((point, world));
        self.decide(&HostDecision::Rewind(point)).map(drop)
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

    /// An input of the present or of the past, and the request that it came of; `None` when it is no longer kept.
    #[must_use]
    pub fn input(&self, number: u64) -> Option<(Arc<Input>, Option<Asked>)> {
        let position = Position(number);
        let before = Position(number.checked_sub(1)?);
        let entry = at_once(self.log().after(before)).ok()?.into_iter().next()?;
        let core = self.core();
        let place = core.asked.binary_search_by_key(&position, |(position, _)| *position).ok();
        Some((entry.1, place.map(|place| core.asked[place].1)))
    }

    /// What was made ready for `point`; made now where nothing was, as for a log that is read elsewhere.
    pub(super) fn rewound(&self, point: Point) -> Result<World, ApiError> {
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        match prepared {
            Some((ready, world)) if ready == point => Ok(world),
            _ => to_its_end(self.make_again(point)),
        }
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
            Moment::Input(input) if input < begin => Err(too_far(begin)),
            Moment::Input(input) => Ok(Point { input, at: None }),
            Moment::Instant(at) => self.find_instant(&core, at, begin),
        }
    }

    fn find_instant(&self, core: &Core, at: Instant, begin: Position) -> Result<Point, ApiError> {
        if at > core.world.now() {
            return Err(ApiError::invalid_request(format!("{at} is later than the world's clock shows")));
        }
        let Some((from, to)) = core.line.stretch(at, core.position, self.origin().start) else {
            return Err(ApiError::invalid_request(format!("{at} is before the world's start")));
        };
        if to < begin {
            return Err(too_far(begin));
        }
        let from = from.max(begin);
        let snapshot = at_once(self.log().snapshot(from)).ok().flatten();
        if snapshot.is_some_and(|(place, world)| place == from && place == begin && world.now() > at) {
            return Err(too_far(begin));
        }
        let mut input = from;
        'inputs: while input < to {
            for (position, entry) in at_once(self.log().after(input)).map_err(unread)? {
                // An input without an instant of its own came when the last one had.
                if position > to || entry.at > at {
                    break 'inputs;
                }
                input = position;
            }
        }
        Ok(Point { input, at: Some(at) })
    }

    /// Carries the inputs up to `point` out again, from the latest snapshot that they can be carried out from.
    async fn make_again(&self, point: Point) -> Result<World, ApiError> {
        let mut most = point.input;
        loop {
            let begin = at_once(self.log().snapshot(most)).map_err(unread)?;
            let made = self.make_from(begin.as_ref(), point).await;
            match (begin, made) {
                // The log goes back to what was kept before the snapshot.
                (Some((place, _)), Err(fault)) if fault.status == 404 && place > Position(0) => {
                    most = Position(place.0 - 1);
                }
                (_, made) => return made.map(|world| passed(world, point)),
            }
        }
    }

    async fn make_from(&self, begin: Option<&Snapshot>, point: Point) -> Result<World, ApiError> {
        let place = begin.map_or(Position(0), |(place, _)| *place);
        let entries = self.inputs(place, point.input)?;
        let mut replay = Replay::new(self.origin(), begin.map(|(_, world)| &**world), &entries)?;
        loop {
            let piece = catch_unwind(AssertUnwindSafe(|| replay.go_on(PIECE)));
            let goes_on = piece.map_err(|panic| {
                ApiError::unavailable(format!("the world failed on the way there: {}", words(&*panic)))
            })??;
            if !goes_on {
                return Ok(replay.world());
            }
            tokio::task::yield_now().await;
        }
    }

    fn inputs(&self, after: Position, to: Position) -> Result<Vec<Entry>, ApiError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut last = after;
        while last < to {
            let more = at_once(self.log().after(last)).map_err(|_| too_far(Position(self.past_begins())))?;
            entries.extend(more.into_iter().take_while(|(position, _)| *position <= to));
            last = entries.last().map_or(to, |(position, _)| *position);
        }
        Ok(entries)
    }
}

/// Carries through what waits for nothing but its turn.
fn to_its_end<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}

fn unread(fault: LogError) -> ApiError {
    ApiError::unavailable(format!("the log of inputs cannot be read: {fault}"))
}

fn too_far(begin: Position) -> ApiError {
    ApiError::conflict(format!("what was before input {} is no longer kept", begin.0))
}
