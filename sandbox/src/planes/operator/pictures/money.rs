//! What flows into accounts and out of them, from the postings that the books are the sum of.
//!
//! Absent on purpose: what is drawn, and how (`drawing::money`).

use std::sync::Arc;

use drawing::money::{Facts, Period};
use sim::World;
use sim::time::Date;

use super::super::request::{Bearer, Target};
use wire::error::ApiError;

/// The money of a period, as the books show it to the bearer.
pub(super) async fn facts(target: Target, from: Option<Date>, to: Option<Date>) -> Result<Facts, ApiError> {
    let suspense = matches!(target.bearer, Bearer::Operator) || !target.shared;
    let handle = Arc::clone(&target.world);
    let all =
        move |world: &World| Facts::of(world, Period::of_days(from, to), |partner| target.sees(partner), suspense);
    handle.read_apart(all).await
}
