//! The product as its users meet it, and the house rules it is built by. Folders mirror what they speak of.

mod cli;
#[path = "../sandbox/tests/conformance/mod.rs"]
mod conformance;
mod documents;
mod fuzz;
mod house;
mod openapi;
mod pictures;
mod readers;
mod scenarios;
