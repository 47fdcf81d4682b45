//! Money that comes from payers, whatever the way, and what partners ask to be paid out.

pub(crate) mod bankgiro;
pub(crate) mod charges;
pub(crate) mod deposits;
pub(crate) mod instructions;
pub(crate) mod mobile;
pub(crate) mod suspense;
pub(crate) mod withdrawals;
