//! How flows change an account.
//!
//! Invariant: an account that waits for its turn in a corporate action has it before anything else changes it, also where a command
//! comes to the account by a way that nobody knows beforehand (rule: calendar/slices). Absent on purpose: the bookings themselves, which are the ledger's.

use crate::flows::securities;
use crate::ids::AccountId;
use crate::world::World;
use std::sync::Arc;

impl World {
    /// Runs `f`, which may book on `account`, and emits the account's update after the bookings
    /// (rule: events/event-order).
    pub(crate) fn change_account<R>(&mut self, account: AccountId, f: impl FnOnce(&mut Self) -> R) -> R {
        securities::actions::catch_up(self, account);
        let previous = Arc::clone(self.accounts.known(account));
        let result = f(self);
        self.account_changed(previous);
        result
    }
}
