//! Days before and after others.

use sim::calendar::is_bank_day;
use sim::time::{Date, Instant, Millis};

pub(super) fn days_after(day: Date, days: i32) -> Date {
    Instant::at_utc_midnight(day).plus(Millis::days(i64::from(days))).utc_date()
}

pub(super) fn day_before(day: Date) -> Date {
    let mut day = day;
    loop {
        day = day.yesterday().unwrap_or(day);
        if is_bank_day(day) {
            return day;
        }
    }
}

pub(super) fn sunday_after(day: Date) -> Date {
    days_after(day, i32::from(7 - day.weekday().to_monday_one_offset() % 7))
}
