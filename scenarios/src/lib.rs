//! Stories about the fund-distribution service: how they are written, carried out, judged and reported.
//!
//! One abstract story (`ast`) is read from a file (`parse`) or generated, and carried out by `runner` through one of the
//! `drivers`: in process, over a simulated network, or against a live server. Absent on purpose: any knowledge of how a
//! rule of the service is implemented.

pub mod ast;
pub mod check;
pub mod consumer;
pub mod diagnostic;
pub mod drivers;
pub mod exact;
pub mod expression;
pub mod fields;
pub mod foreign;
pub mod fuzz;
pub mod generate;
pub mod lint;
pub mod matching;
pub mod model;
mod page;
pub mod parse;
pub mod path;
pub mod record;
pub mod report;
pub mod routes;
pub mod runner;
pub mod schema;
pub mod shrink;
pub mod template;
pub mod transcript;
pub mod tree;
pub mod words;
pub mod write;
