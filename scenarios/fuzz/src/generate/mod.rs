//! Generated runs: steps from a seed, and what they ask of a world.

mod bindings;
mod draw;
mod meeting;
mod profile;
mod simpler;
pub mod step;

pub use bindings::{Act, Bindings};
pub use draw::Generator;
pub use meeting::Meeting;
pub use profile::Profile;
pub use step::{ClientNo, Name, OrderName, Step};
