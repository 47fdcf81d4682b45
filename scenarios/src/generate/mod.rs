//! Generated runs: steps from a seed, and what they ask of a world.

mod cast;
mod draw;
mod plain;
pub mod step;

pub use cast::{Act, Cast};
pub use draw::{Generator, Profile};
pub use step::Step;
