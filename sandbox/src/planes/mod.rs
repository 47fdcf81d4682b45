//! Who may call: partners, outsiders by levers, the operator, people at the site and the console. Each plane is a folder of
//! handlers; `responses` is what they share. Customers call the crate `pages`.
//!
//! Owns: putting the planes together as one surface. Absent on purpose: the way of bytes and requests to a handler, which is
//! the crate `surface`'s.

mod console;
#[cfg(test)]
mod description;
pub mod levers;
pub mod operator;
pub mod partner;
pub mod responses;
pub mod router;
mod site;

pub use site::{CHAPTERS, llms};

use hosting::worlds::Worlds;
use surface::service::Surface;
use surface::shared::{App, SurfaceConfig};

/// The surface over `worlds`, ready to be served or called directly.
#[must_use]
pub fn app(worlds: Worlds, config: SurfaceConfig) -> Surface {
    Surface::new(App::new(worlds, config), router::routes())
}
