//! Accounts from their opening to their end: who waits for what, the events of each change, what the back office books.

pub(crate) mod bookings;
pub(crate) mod changes;
pub(crate) mod closing;
pub(crate) mod death;
pub(crate) mod moves;
pub(crate) mod onboarding;
pub(crate) mod open;
pub(crate) mod screening_hits;
pub(crate) mod submissions;
