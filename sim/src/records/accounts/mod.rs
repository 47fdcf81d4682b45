//! Accounts, with their owners, bookings and transactions, and what else is known of them.

pub(super) mod account;
pub(super) mod agreement;
pub(super) mod booking;
pub(super) mod company;
pub(super) mod kyc;
pub(super) mod standing;
pub(super) mod submission;
pub(super) mod transaction;
