//! The world from outside: commands in, replies, events and digests out.

mod clock;
mod common;
mod fees;
mod inputs;
mod journeys;
mod lists;
mod openings;
mod orders;
mod performance;
mod precedence;
mod purging;
mod written;
