//! The world through its doors: commands in, replies, events and digests out.

mod common;
mod journeys;
mod orders;
