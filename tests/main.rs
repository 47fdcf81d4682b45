//! The product as its users meet it, and the house rules it is built by. Folders mirror what they speak of.

mod cli;
mod fuzz;
mod house;
mod pictures;
mod scenarios;
