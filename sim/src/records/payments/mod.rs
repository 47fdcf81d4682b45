//! Money from payers: instructions with their payments, mobile sessions, bankgiro, suspense.

pub(super) mod bankgiro;
pub(super) mod instruction;
pub(super) mod mobile;
pub(super) mod suspense;
