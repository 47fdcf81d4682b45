//! Calendar quarters, and the days on which what has accrued in them is settled (rule: fees/distribution-fee,
//! fees/retrocession).
//!
//! Invariant: a `Quarter` is one of four of a year. Absent on purpose: amounts.

use crate::calendar::{add_bank_days, bank_day_on_or_after};
use crate::time::{Date, Instant, stockholm};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The bank day after a quarter on which retrocessions are paid.
const RETROCESSION_BANK_DAY: u32 = 10;

/// A quarter of a year. Text is `2026Q1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Quarter {
    /// The year.
    pub year: i16,
    /// 1 to 4.
    pub number: i8,
}

impl Quarter {
    /// The quarter that `day` lies in.
    #[must_use]
    pub fn of(day: Date) -> Self {
        Self { year: day.year(), number: (day.month() - 1) / 3 + 1 }
    }

    /// The one after.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.number {
            4 => Self { year: self.year + 1, number: 1 },
            number => Self { year: self.year, number: number + 1 },
        }
    }

    /// The first day.
    ///
    /// # Panics
    /// Beyond the calendar: worlds end long before.
    #[must_use]
    pub fn first_day(self) -> Date {
        Date::new(self.year, 3 * self.number - 2, 1).expect("dates stay within the calendar")
    }

    /// The last day.
    #[must_use]
    pub fn last_day(self) -> Date {
        let last_month = Date::new(self.year, 3 * self.number, 1).expect("a month of the quarter");
        last_month.last_of_month()
    }

    /// When its charges fall due: 06:00 on the first bank day after it.
    #[must_use]
    pub fn fees_due(self) -> Instant {
        stockholm(bank_day_on_or_after(self.next().first_day()), 6, 0)
    }

    /// When its retrocessions are paid: 09:00 on the tenth bank day after it.
    #[must_use]
    pub fn retrocessions_due(self) -> Instant {
        let first = bank_day_on_or_after(self.next().first_day());
        stockholm(add_bank_days(first, RETROCESSION_BANK_DAY - 1), 9, 0)
    }
}

impl fmt::Display for Quarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Q{}", self.year, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: fees/distribution-fee, fees/retrocession)
    #[test]
    fn fees_are_due_on_the_first_bank_day_after_a_quarter_and_retrocessions_on_the_tenth() {
        let mut quarter = Quarter::of(Date::constant(2026, 2, 28));
        for (name, last, fees, retrocessions) in [
            ("2026Q1", "2026-03-31", "2026-04-01T04:00:00.000Z", "2026-04-16T07:00:00.000Z"),
            ("2026Q2", "2026-06-30", "2026-07-01T04:00:00.000Z", "2026-07-14T07:00:00.000Z"),
            ("2026Q3", "2026-09-30", "2026-10-01T04:00:00.000Z", "2026-10-14T07:00:00.000Z"),
            ("2026Q4", "2026-12-31", "2027-01-04T05:00:00.000Z", "2027-01-18T08:00:00.000Z"),
            ("2027Q1", "2027-03-31", "2027-04-01T04:00:00.000Z", "2027-04-14T07:00:00.000Z"),
        ] {
            assert_eq!((quarter.to_string().as_str(), quarter.last_day().to_string().as_str()), (name, last));
            assert_eq!(quarter.fees_due().to_string(), fees, "{name}");
            assert_eq!(quarter.retrocessions_due().to_string(), retrocessions, "{name}");
            quarter = quarter.next();
        }
    }
}
