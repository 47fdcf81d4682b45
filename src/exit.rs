//! Exit codes.

/// All is well.
pub(crate) const WELL: u8 = 0;
/// Something was looked at and is not as it should be.
pub(crate) const FAILED: u8 = 1;
/// The input is of no use.
pub(crate) const UNUSABLE: u8 = 2;
