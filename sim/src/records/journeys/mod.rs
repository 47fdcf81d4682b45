//! Journeys: what a partner configures, and the result.

pub(super) mod configuration;
pub(super) mod journey;
