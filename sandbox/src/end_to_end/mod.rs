//! Worlds and their deliveries through the whole surface: requests in, answers and callbacks out.

mod advances;
mod deliveries;
mod parallel;
mod restarts;
mod spans;
mod worlds;
