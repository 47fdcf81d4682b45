//! Orders, from outside the world.

mod books;
mod life;
mod money;
mod prices;
mod refusals;
mod rows;
