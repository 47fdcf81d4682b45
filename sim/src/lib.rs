//! The fund-distribution world: a pure function of its setup, seed, start and inputs.
//!
//! Owns every decision about money, units, states and days. Absent on purpose: async, sockets, JSON text, the wall
//! clock, operating-system randomness, floats and unordered maps.

pub mod calendar;
pub mod digest;
pub mod identity;
pub mod ids;
pub mod money;
mod movements;
pub mod rng;
pub mod time;
pub mod walk;

pub mod canary;
pub mod command;
mod engine;
pub mod event;
pub mod flows;
mod history;
mod id_sources;
pub mod input;
pub mod ledger;
pub mod machines;
pub mod market;
pub mod outbox;
pub mod partial;
pub mod people;
pub mod quarter;
pub mod query;
mod recorded;
pub mod records;
pub mod refusal;
pub mod register;
pub mod reply;
mod scope;
pub mod settings;
pub mod setup;
pub mod store;
pub mod timers;
mod valuation;
pub mod world;

pub use command::Command;
pub use event::{Change, Delta, Event};
pub use input::Input;
pub use outbox::Callback;
pub use refusal::{Class, Fault, Problem, Refusal};
pub use reply::Reply;
pub use world::World;

#[cfg(test)]
mod laws;
