//! What banks do: bank accounts with their mandates, the hours of a bank day, payments under way, and money on its way out.

pub(crate) mod accounts;
pub(crate) mod hours;
pub(crate) mod payment_moves;
pub(crate) mod payouts;
pub(crate) mod withdrawal_limits;
