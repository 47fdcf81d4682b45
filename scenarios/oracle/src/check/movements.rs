//! Kinds of movements of cash and units, and what is known of each.

use sim::ids::AccountId;
use sim::records::{CashRefType, CashType, FundRefType, FundType};

/// A kind of movement: what it is, and what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Movement {
    /// Cash.
    Cash(CashType, CashRefType),
    /// Units.
    Units(FundType, FundRefType),
}

/// What is known of a kind of movement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// How often it has come.
    pub(super) count: u64,
    /// The account that it has moved last.
    pub(super) last: AccountId,
    /// Whether the returns of such an account were looked at.
    pub(super) is_seen: bool,
}

impl Moved {
    /// A kind that has not come yet, and comes to this account.
    pub(super) const fn new(account: AccountId) -> Self {
        Self { count: 0, last: account, is_seen: false }
    }
}
