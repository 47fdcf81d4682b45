//! Money that comes, and withdrawals: requests and answers.

pub mod bankgiro;
pub mod instructions;
pub mod mobile;
pub mod suspense;
pub mod withdrawals;
