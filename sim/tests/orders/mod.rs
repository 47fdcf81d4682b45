//! Orders, from outside the world.

mod life;
mod money;
mod prices;
mod refusals;
mod rows;
