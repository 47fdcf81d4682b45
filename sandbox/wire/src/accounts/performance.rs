//! Daily performance as the partner sees it.

use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::text::CalendarDate;
use sim::query::DailyReturn;

shown! {
    /// Return of one calendar day.
    pub PerformanceEntry of DailyReturn {
        date: CalendarDate = "date";
        /// The day's return, with flows at the end of the day: 0.01 is 1 %.
        day_return: Number = "dayReturn";
        /// Result of the day, in SEK.
        day_result: Money = "dayResult";
        /// The returns chained from the first entry shown.
        cumulative_return: Number = "cumulativeReturn";
    }
}
