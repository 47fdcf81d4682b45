//! What a setup is read by: partners with their clients, funds, settings.
//!
//! Absent on purpose: the demo world that stands in for what a setup leaves out, and the settings of the surface.

pub mod clients;
pub mod funds;
pub mod settings;
