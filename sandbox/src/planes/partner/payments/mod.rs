//! Money that comes by instruction or mobile payment, and withdrawals.

pub mod instructions;
pub mod mobile;
pub mod withdrawals;
