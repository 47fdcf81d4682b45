//! The days on which a fund deals, its cut-offs, and when its prices are published (rule: calendar/fund-day,
//! calendar/cut-off, calendar/price-publication).
//!
//! Invariant: all follow from the fund and the date alone. Absent on purpose: prices.

use crate::calendar::{add_bank_days, is_bank_day, is_half_day};
use crate::records::{DealingDays, Instrument};
use crate::time::{Date, Instant, stockholm};

/// How many calendar days of prices a world knows before it starts.
const HISTORY_DAYS: usize = 400;

/// How many calendar days are looked at for the next dealing day: two years.
const MOST_DAYS_APART: usize = 730;

/// How many calendar days can lie between a dealing day and the publication of its price.
const LONGEST_LAG_DAYS: usize = 30;

/// The hour until which orders are taken on half-days, at the latest (rule: calendar/cut-off).
const HALF_DAY_CUT_OFF_HOUR: i8 = 11;

impl Instrument {
    /// Whether the fund is open on `day` (rule: calendar/fund-day).
    #[must_use]
    pub fn is_fund_day(&self, day: Date) -> bool {
        is_bank_day(day)
            && !self.calendars.iter().any(|calendar| calendar.is_closed(day))
            && !self.closed_days.contains(&day)
    }

    /// Whether the fund deals on `day`.
    #[must_use]
    pub fn is_dealing_day(&self, day: Date) -> bool {
        if !self.is_fund_day(day) {
            return false;
        }
        let planned = match self.dealing {
            DealingDays::Daily => return true,
            DealingDays::Weekly(weekday) => {
                let back = (day.weekday().to_monday_one_offset() - weekday).rem_euclid(7);
                days_before(day, i32::from(back))
            }
            DealingDays::Monthly(of_month) => {
                let this = day.first_of_month().day().max(of_month);
                let date = Date::new(day.year(), day.month(), this).unwrap_or_else(|_| day.last_of_month());
                if date <= day { date } else { previous_month(day, of_month) }
            }
        };
        let mut between = planned;
        while between < day {
            if self.is_fund_day(between) {
                return false;
            }
            between = between.tomorrow().expect("dates stay within the calendar");
        }
        true
    }

    /// The instant until which orders for `day` are taken.
    #[must_use]
    pub fn cut_off(&self, day: Date) -> Instant {
        if is_half_day(day) && self.cut_off_hour >= HALF_DAY_CUT_OFF_HOUR {
            return stockholm(day, HALF_DAY_CUT_OFF_HOUR, 0);
        }
        stockholm(day, self.cut_off_hour, self.cut_off_minute)
    }

    /// The first dealing day whose cut-off is later than `now`, with that instant.
    ///
    /// # Panics
    /// When there is none within two years: a setup that `World::new` refuses.
    #[must_use]
    pub fn next_cut_off(&self, now: Instant) -> (Date, Instant) {
        self.find_cut_off(now).expect("a fund deals at least once in two years")
    }

    /// As `next_cut_off`; none when the fund never deals within two years.
    #[must_use]
    pub fn find_cut_off(&self, now: Instant) -> Option<(Date, Instant)> {
        let mut cut_offs = self.dealing_days(now.local_date()).map(|day| (day, self.cut_off(day)));
        cut_offs.find(|(_, at)| *at > now)
    }

    /// The first dealing day after `day`, with its cut-off.
    ///
    /// # Panics
    /// As [`Instrument::next_cut_off`].
    #[must_use]
    pub(super) fn cut_off_after(&self, day: Date) -> (Date, Instant) {
        let later = day.tomorrow().ok().and_then(|tomorrow| self.dealing_days(tomorrow).next());
        let next = later.expect("a fund deals at least once in two years");
        (next, self.cut_off(next))
    }

    /// The dealing days from `first` on, within two years.
    fn dealing_days(&self, first: Date) -> impl Iterator<Item = Date> {
        let days = std::iter::successors(Some(first), |day| day.tomorrow().ok()).take(MOST_DAYS_APART);
        days.filter(|day| self.is_dealing_day(*day))
    }

    /// When the price of `day` is published, `late` bank days late (rule: calendar/price-publication).
    #[must_use]
    pub fn publication(&self, day: Date, late: u32) -> Instant {
        if self.nav_lag_days == 0 {
            stockholm(add_bank_days(day, late), 18, 30)
        } else {
            stockholm(add_bank_days(day, self.nav_lag_days + late), 10, 0)
        }
    }

    /// The last dealing day whose price is published by `at`, where none is late; a day without one where there was none for
    /// long. Prices of later days alone can still be to come.
    pub(super) fn last_published(&self, at: Instant) -> Date {
        let mut day = at.local_date();
        for _ in 0..LONGEST_LAG_DAYS {
            if self.is_dealing_day(day) && self.publication(day, 0) <= at {
                break;
            }
            day = days_before(day, 1);
        }
        day
    }
}

/// The days of which a world knows prices and rates before it starts, the latest first.
pub(super) fn history(start: Instant) -> impl Iterator<Item = Date> {
    std::iter::successors(Some(start.local_date()), |day| day.yesterday().ok()).take(HISTORY_DAYS)
}

/// The day a few days before `day`.
pub(super) fn days_before(mut day: Date, days: i32) -> Date {
    for _ in 0..days {
        day = day.yesterday().expect("dates stay within the calendar");
    }
    day
}

fn previous_month(day: Date, of_month: i8) -> Date {
    let last = days_before(day.first_of_month(), 1);
    Date::new(last.year(), last.month(), of_month).unwrap_or(last)
}
