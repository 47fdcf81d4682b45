//! Orders, from outside the world.

mod books;
mod explained;
mod life;
mod money;
mod prices;
mod refusals;
mod rows;
