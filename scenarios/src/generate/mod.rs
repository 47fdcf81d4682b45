//! Generated runs: steps from a seed, and what they ask of a world.

mod cast;
mod draw;
mod plain;
mod profile;
pub mod step;

pub use cast::{Act, Cast};
pub use draw::Generator;
pub use profile::Profile;
pub use step::{AccountName, ClientNo, OrderName, Step};
