//! What a setup is read by: partners with their clients, funds, settings.
//!
//! Absent on purpose: the demo world, whose parts replace what a setup leaves out, and the settings of the surface.

pub mod clients;
pub mod securities;
pub mod settings;
