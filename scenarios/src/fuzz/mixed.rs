//! Runs of orders and runs of journeys, seed by seed in turn.
//!
//! Invariant: a seed is always the same run. Absent on purpose: runs that are both at once.

use super::batch::{Kind, OnWorlds};
use super::failure::Failure;
use super::journeys::{OnJourneys, Walk};
use super::run::Outcome;
use super::stage::Stage;
use crate::check::Violation;
use crate::generate::Step;
use std::io;

/// Even seeds are runs of orders, odd ones of journeys.
pub struct Mixed<F, G>(OnWorlds<F>, OnJourneys<G>);

/// A step of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either {
    /// Of a run of orders.
    Order(Step),
    /// Of a run of journeys.
    Journey(Walk),
}

impl<F: Fn(u64) -> Stage + Sync + Clone> Mixed<F, F> {
    /// Runs on these stages.
    pub fn new(stage: F) -> Self {
        Self(OnWorlds(stage.clone()), OnJourneys(stage))
    }
}

impl<F: Fn(u64) -> Stage + Sync, G: Fn(u64) -> Stage + Sync> Kind for Mixed<F, G> {
    type Step = Either;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(Outcome, Vec<Either>)> {
        if seed.is_multiple_of(2) {
            let (outcome, steps) = self.0.run(seed, steps)?;
            return Ok((outcome, steps.into_iter().map(Either::Order).collect()));
        }
        let (outcome, steps) = self.1.run(seed, steps)?;
        Ok((outcome, steps.into_iter().map(Either::Journey).collect()))
    }

    fn shrunk(&self, seed: u64, steps: Vec<Either>, violation: &Violation) -> io::Result<Failure> {
        if seed.is_multiple_of(2) {
            let order = |step| if let Either::Order(step) = step { Some(step) } else { None };
            return self.0.shrunk(seed, steps.into_iter().filter_map(order).collect(), violation);
        }
        let journey = |step| if let Either::Journey(step) = step { Some(step) } else { None };
        self.1.shrunk(seed, steps.into_iter().filter_map(journey).collect(), violation)
    }
}
