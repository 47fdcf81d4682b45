//! Orders through the doors of the world.

mod life;
mod money;
mod prices;
mod refusals;
mod rows;
