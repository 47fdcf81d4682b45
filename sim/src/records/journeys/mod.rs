//! Journeys: what a partner configures, and what comes of it.

pub(super) mod configuration;
pub(super) mod journey;
