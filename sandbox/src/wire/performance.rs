//! Daily performance as the partner sees it.

use super::number::{Money, Number};
use super::text::CalendarDate;
use serde::Serialize;
use sim::query::Entry;
use utoipa::ToSchema;

/// What one calendar day has returned.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PerformanceEntry {
    date: CalendarDate,
    /// The day's return, with flows at the end of the day: 0.01 is 1 %.
    day_return: Number,
    /// What the day has earned, in SEK.
    day_result: Money,
    /// The returns chained from the first entry shown.
    cumulative_return: Number,
}

impl PerformanceEntry {
    /// The public shape of an entry.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        let Entry { date, day_return, day_result, cumulative_return } = *entry;
        Self {
            date: CalendarDate(date),
            day_return: Number(day_return),
            day_result: Money(day_result),
            cumulative_return: Number(cumulative_return),
        }
    }
}
