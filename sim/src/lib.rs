//! The fund-distribution world as a pure function of its commands and its clock.

pub mod calendar;
pub mod digest;
pub mod identity;
pub mod ids;
pub mod money;
pub mod rng;
pub mod time;
pub mod walk;
