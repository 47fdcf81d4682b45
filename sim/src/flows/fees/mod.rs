//! What is taken from accounts and given back to them, by the day and by the quarter.

pub(crate) mod accruals;
pub(crate) mod charging;
pub(crate) mod insurance_tax;
pub(crate) mod partner;
pub(crate) mod refunds;
pub(crate) mod retrocessions;
pub(crate) mod sales;
