//! Allocation plans and savings plans: kept, checked, and at work.

pub(crate) mod allocation_runs;
pub(crate) mod changes;
pub(crate) mod checks;
pub(crate) mod funds;
pub(crate) mod orders;
pub(crate) mod savings_runs;
