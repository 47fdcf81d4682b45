//! The world from outside: commands in, replies, events and digests out.

mod accounts;
mod bank;
mod clients;
mod clock;
mod common;
mod extremes;
mod fees;
mod histories;
mod inputs;
mod journeys;
mod lists;
mod orders;
mod payments;
mod plans;
mod precedence;
mod purging;
mod securities;
mod sizes;
mod slices;
mod written;
mod years;
