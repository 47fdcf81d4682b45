//! The partner API and its levers from outside: the demo world behind the whole surface, without a network.
//!
//! One file for each part of the address. Every check is made on exact text, because that is what a partner receives.

#[path = "../conformance/mod.rs"]
mod conformance;
mod harness;
mod hostile;

mod accounts;
mod anything;
mod bad_input;
mod clients;
mod instructions;
mod instruments;
mod journey_rules;
mod journeys;
mod mobile_payments;
mod orders;
mod pages;
mod performance;
mod plans;
mod purge;
mod securities;
mod simulations;
mod standing;
mod system;
mod transactions;
mod withdrawals;
