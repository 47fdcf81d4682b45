//! The world from outside: commands in, replies, events and digests out.

mod clock;
mod common;
mod inputs;
mod journeys;
mod orders;
mod precedence;
mod written;
