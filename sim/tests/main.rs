//! The world from outside: commands in, replies, events and digests out.

mod clock;
mod common;
mod inputs;
mod journeys;
mod lists;
mod openings;
mod orders;
mod precedence;
mod purging;
mod securities;
mod written;
