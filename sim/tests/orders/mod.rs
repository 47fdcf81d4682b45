//! Orders through the doors of the world.

mod life;
mod money;
mod refusals;
mod rows;
