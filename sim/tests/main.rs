//! The world from outside: commands in, replies, events and digests out.

mod clearing;
mod clock;
mod common;
mod death;
mod extremes;
mod fees;
mod histories;
mod inputs;
mod journeys;
mod kyc;
mod lists;
mod mobile_payments;
mod openings;
mod orders;
mod payments;
mod performance;
mod precedence;
mod purging;
mod securities;
mod sizes;
mod slices;
mod withdrawals;
mod written;
mod years;
