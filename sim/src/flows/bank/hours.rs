//! Local times on bank days: when something that happens once a bank day comes next.
//!
//! Invariant: a time that has come is over, so what happens at that very instant counts for the next one
//! (rule: calendar/deadlines-are-strict). Half-days change nothing here. Absent on purpose: which times there are, which
//! their flows know.

use crate::calendar::{is_bank_day, next_bank_day};
use crate::time::{Instant, stockholm};

/// The first bank day's `hour:minute` that is later than `now`.
pub(crate) fn next(now: Instant, hour: i8, minute: i8) -> Instant {
    let today = now.local_date();
    let at = stockholm(today, hour, minute);
    if is_bank_day(today) && now < at { at } else { stockholm(next_bank_day(today), hour, minute) }
}

/// `hour` on the bank day after the one on which `now` counts: today before `deadline`, the next bank day from then on.
pub(crate) fn after_deadline(now: Instant, deadline: i8, hour: i8) -> Instant {
    stockholm(next_bank_day(next(now, deadline, 0).local_date()), hour, 0)
}
