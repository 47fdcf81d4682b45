//! Accounts: what they are worth, have returned and have lived through; their transactions; and what hangs on them beside money.

pub(super) mod history;
pub(super) mod performance;
pub(super) mod shown;
pub(super) mod standing;
pub(super) mod transactions;
