//! What the world tells the outside by itself.

pub mod client;
pub mod connector;
pub mod egress;
pub mod letter;
pub mod outcome;
pub mod queue;
pub mod signature;
