//! Bank days, half-days, dealing days and Stockholm's clocks, reckoned anew: the judge's own calendar
//! (rule: calendar/bank-day, calendar/fund-day, calendar/cut-off).
//!
//! Invariant: shares no rule with `sim::calendar` and `sim::time`: Easter comes from Gauss's rule, bank days, foreign
//! markets and summer time from a table of flags, one byte a day. Absent on purpose: years beyond the table, where runs
//! end, and hours in which clocks are changed.

use sim::calendar::ForeignCalendar;
use sim::records::{DealingDays, Instrument};
use sim::time::{Date, Instant};
use std::sync::LazyLock;

/// A day, counted from 1 January 1970.
pub type Day = i32;

const FIRST_YEAR: i16 = 2019;
const LAST_YEAR: i16 = 2150;
const BANK: u8 = 1;
const HALF: u8 = 2;
const SUMMER: u8 = 4;
const US: u8 = 8;
const LUXEMBOURG: u8 = 16;
const UK: u8 = 32;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

static TABLE: LazyLock<(Day, Vec<u8>)> = LazyLock::new(table);

/// The number of `date`.
#[must_use]
pub fn day_of(date: Date) -> Day {
    i32::try_from(Instant::at_utc_midnight(date).ms() / DAY_MS).unwrap_or(Day::MAX)
}

/// The date of a day.
#[must_use]
pub fn date_of(day: Day) -> Date {
    Instant::from_ms(i64::from(day) * DAY_MS).utc_date()
}

/// Easter Sunday as a number of March days, by Gauss.
fn easter_in_march(year: i32) -> i32 {
    let (a, b, c, k) = (year % 19, year % 4, year % 7, year / 100);
    let m = (15 - (13 + 8 * k) / 25 + k - k / 4).rem_euclid(30);
    let n = (4 + k - k / 4).rem_euclid(7);
    let d = (19 * a + m) % 30;
    let e = (2 * b + 4 * c + 6 * d + n) % 7;
    match (d, e) {
        (29, 6) => 50,
        (28, 6) if a > 10 => 49,
        _ => 22 + d + e,
    }
}

fn table() -> (Day, Vec<u8>) {
    let first = day_of(Date::constant(FIRST_YEAR, 1, 1));
    let last = day_of(Date::constant(LAST_YEAR, 12, 31));
    let mut flags: Vec<u8> = (first..=last).map(|day| if is_weekend(day) { 0 } else { BANK }).collect();
    for year in FIRST_YEAR..=LAST_YEAR {
        let march = day_of(Date::constant(year, 3, 1));
        let easter = march + easter_in_march(i32::from(year)) - 1;
        let on = |month, day| day_of(Date::constant(year, month, day));
        let friday_in = |from: Day| (from..from + 7).find(|&day| weekday(day) == 5).unwrap_or(from);
        let holidays = [
            on(1, 1),
            on(1, 6),
            easter - 2,
            easter + 1,
            on(5, 1),
            easter + 39,
            on(6, 6),
            friday_in(on(6, 19)),
            on(12, 24),
            on(12, 25),
            on(12, 26),
            on(12, 31),
        ];
        let all_saints_eve = friday_in(on(10, 30));
        for half in [on(1, 5), easter - 3, on(4, 30), easter + 38, all_saints_eve] {
            mark(&mut flags, half - first, |flag| flag | HALF);
        }
        for holiday in holidays {
            mark(&mut flags, holiday - first, |_| 0);
        }
        let last_sunday = |end: Day| end - weekday(end) % 7;
        for day in last_sunday(on(3, 31))..last_sunday(on(10, 31)) {
            mark(&mut flags, day - first, |flag| flag | SUMMER);
        }
        for (market, closed) in foreign_holidays(year, easter) {
            closed.into_iter().for_each(|day| mark(&mut flags, day - first, |flag| flag | market));
        }
    }
    (first, flags)
}

/// The closed weekdays of foreign markets in a year.
fn foreign_holidays(year: i16, easter: Day) -> [(u8, Vec<Day>); 3] {
    let on = |month, day| day_of(Date::constant(year, month, day));
    // The nth such weekday of a month, and the last Monday of one with 31 days.
    let nth = |month, wanted: i32, n: i32| {
        let from = on(month, 1);
        from + (wanted - weekday(from)).rem_euclid(7) + 7 * (n - 1)
    };
    let last_monday = |month| on(month, 31) - (weekday(on(month, 31)) - 1);
    let observed = |day: Day| match weekday(day) {
        6 => day - 1,
        7 => day + 1,
        _ => day,
    };
    let moved_on = |day: Day, by: i32| if is_weekend(day) { day + by } else { day };
    let new_year = on(1, 1);
    let sunday_new_year = if weekday(new_year) == 7 { new_year + 1 } else { new_year };
    let weekday_after = |day: Day| (day..).find(|&day| !is_weekend(day)).unwrap_or(day);
    let us = vec![
        sunday_new_year,
        nth(1, 1, 3),
        nth(2, 1, 3),
        easter - 2,
        last_monday(5),
        observed(on(6, 19)),
        observed(on(7, 4)),
        nth(9, 1, 1),
        nth(11, 4, 4),
        observed(on(12, 25)),
    ];
    let fixed =
        [(1, 1), (5, 1), (5, 9), (6, 23), (8, 15), (11, 1), (12, 25), (12, 26)].map(|(month, day)| on(month, day));
    let luxembourg = fixed.into_iter().chain([easter - 2, easter + 1, easter + 39, easter + 50]).collect();
    let uk = vec![
        weekday_after(new_year),
        easter - 2,
        easter + 1,
        nth(5, 1, 1),
        last_monday(5),
        last_monday(8),
        moved_on(on(12, 25), 2),
        moved_on(on(12, 26), 2),
    ];
    [(US, us), (LUXEMBOURG, luxembourg), (UK, uk)]
}

fn mark(flags: &mut [u8], at: i32, f: impl Fn(u8) -> u8) {
    if let Some(flag) = usize::try_from(at).ok().and_then(|at| flags.get_mut(at)) {
        *flag = f(*flag);
    }
}

/// 1 for Monday to 7 for Sunday.
fn weekday(day: Day) -> i32 {
    (day + 3).rem_euclid(7) + 1
}

fn is_weekend(day: Day) -> bool {
    weekday(day) > 5
}

fn flags(day: Day) -> u8 {
    let (first, flags) = &*TABLE;
    usize::try_from(day - first).ok().and_then(|at| flags.get(at).copied()).unwrap_or(0)
}

/// The day after the last one of the table.
fn end_of_table() -> Day {
    let (first, flags) = &*TABLE;
    first.saturating_add(Day::try_from(flags.len()).unwrap_or(Day::MAX))
}

/// Whether Swedish banks settle on `day`.
#[must_use]
pub fn is_bank_day(day: Day) -> bool {
    flags(day) & BANK != 0
}

/// Whether the market closes early on `day`.
#[must_use]
pub fn is_half_day(day: Day) -> bool {
    flags(day) & (BANK | HALF) == BANK | HALF
}

/// How far clocks in Stockholm are ahead of UTC for most of `day`: from three in the morning where they are changed.
fn ahead_ms(day: Day) -> i64 {
    if flags(day) & SUMMER != 0 { 2 * HOUR_MS } else { HOUR_MS }
}

/// The instant at which clocks in Stockholm show `hour`:`minute` on `day`; not for the hour in which they are changed.
#[must_use]
pub fn at_local(day: Day, hour: i8, minute: i8) -> Instant {
    let wall = i64::from(day) * DAY_MS + i64::from(hour) * HOUR_MS + i64::from(minute) * 60_000;
    // Until they are changed, clocks keep to the day before.
    Instant::from_ms(wall - ahead_ms(if hour < 2 { day - 1 } else { day }))
}

/// The day that calendars in Stockholm show at an instant.
#[must_use]
pub fn local_day(at: Instant) -> Day {
    Day::try_from((at.ms() + ahead_at(at)).div_euclid(DAY_MS)).unwrap_or(Day::MAX)
}

/// How far Stockholm is ahead at an instant: clocks change at 01:00 UTC, and keep to the day before until then.
fn ahead_at(at: Instant) -> i64 {
    let day = Day::try_from((at.ms() - HOUR_MS).div_euclid(DAY_MS)).unwrap_or(Day::MAX);
    ahead_ms(day)
}

/// What clocks in Stockholm show at an instant: hours and minutes.
#[must_use]
pub fn local_time(at: Instant) -> (i8, i8) {
    let minutes = (at.ms() + ahead_at(at)).rem_euclid(DAY_MS) / 60_000;
    let small = |number: i64| i8::try_from(number).unwrap_or(0);
    (small(minutes / 60), small(minutes % 60))
}

/// The `count`-th bank day after `day`.
#[must_use]
pub fn bank_days_after(mut day: Day, count: u32) -> Day {
    let mut left = count;
    let end = end_of_table();
    while left > 0 {
        day += 1;
        assert!(day < end, "the checkers' calendar has ended");
        left -= u32::from(is_bank_day(day));
    }
    day
}

const fn flag_of(market: ForeignCalendar) -> u8 {
    match market {
        ForeignCalendar::Us => US,
        ForeignCalendar::Luxembourg => LUXEMBOURG,
        ForeignCalendar::Uk => UK,
    }
}

/// Whether the fund is open on `day`.
#[must_use]
pub fn is_fund_day(fund: &Instrument, day: Day) -> bool {
    if !is_bank_day(day) {
        return false;
    }
    if fund.calendars.is_empty() && fund.closed_days.is_empty() {
        return true;
    }
    let closed = fund.calendars.iter().fold(0, |closed, market| closed | flag_of(*market));
    flags(day) & closed == 0 && !fund.closed_days.contains(&date_of(day))
}

/// Whether the fund deals on `day`: the planned day of its week or month, or the first open one after it.
#[must_use]
pub fn is_dealing_day(fund: &Instrument, day: Day) -> bool {
    if !is_fund_day(fund, day) {
        return false;
    }
    let planned = match fund.dealing {
        DealingDays::Daily => return true,
        DealingDays::Weekly(on) => day - (weekday(day) - i32::from(on)).rem_euclid(7),
        DealingDays::Monthly(on) => planned_in_month(day, i32::from(on)),
    };
    (planned..day).all(|earlier| !is_fund_day(fund, earlier))
}

/// The last day up to `day` that bears the number `on`, or ends a month too short for it.
fn planned_in_month(day: Day, on: i32) -> Day {
    let number = i32::from(date_of(day).day());
    if number >= on {
        return day - (number - on);
    }
    if date_of(day + 1).day() == 1 {
        return day;
    }
    let end_of_last_month = day - number;
    end_of_last_month - (i32::from(date_of(end_of_last_month).day()) - on).max(0)
}

/// When orders for `day` stop being taken.
#[must_use]
pub fn cut_off(fund: &Instrument, day: Day) -> Instant {
    let (hour, minute) = if is_half_day(day) {
        (fund.cut_off_hour, fund.cut_off_minute).min((11, 0))
    } else {
        (fund.cut_off_hour, fund.cut_off_minute)
    };
    at_local(day, hour, minute)
}

/// The first dealing day whose cut-off is later than `now`, and that cut-off.
#[must_use]
pub fn next_cut_off(fund: &Instrument, now: Instant) -> (Day, Instant) {
    let mut day = local_day(now);
    loop {
        if is_dealing_day(fund, day) {
            let at = cut_off(fund, day);
            if at > now {
                return (day, at);
            }
        }
        day += 1;
    }
}

/// When the price of `day` is published, so many bank days late.
#[must_use]
pub fn publication(fund: &Instrument, day: Day, late: u32) -> Instant {
    let at = bank_days_after(day, fund.nav_lag_days + late);
    if fund.nav_lag_days == 0 { at_local(at, 18, 30) } else { at_local(at, 10, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days() -> std::ops::Range<Day> {
        day_of(Date::constant(2024, 1, 1))..day_of(Date::constant(2060, 1, 1))
    }

    #[test]
    fn two_independent_calendars_agree_on_every_day_for_a_generation() {
        for day in days() {
            let date = date_of(day);
            for (hour, minute) in [(0, 0), (9, 30)] {
                assert_eq!(at_local(day, hour, minute), sim::time::stockholm(date, hour, minute), "{date}");
            }
            assert_eq!(is_bank_day(day), sim::calendar::is_bank_day(date), "{date}");
            assert_eq!(is_half_day(day), sim::calendar::is_half_day(date), "{date}");
        }
    }

    #[test]
    fn a_month_that_is_too_short_for_its_dealing_day_has_it_at_its_end() {
        for day in days().take(2_000) {
            for on in 1..=31 {
                let bears = |candidate: Day| {
                    let number = i32::from(date_of(candidate).day());
                    number == on || (number < on && date_of(candidate + 1).day() == 1)
                };
                let found = (day - 31..=day).rev().find(|&candidate| bears(candidate));
                assert_eq!(Some(planned_in_month(day, on)), found, "{} {on}", date_of(day));
            }
        }
    }

    #[test]
    fn foreign_markets_are_closed_on_the_same_days_in_both_calendars() {
        for market in [ForeignCalendar::Us, ForeignCalendar::Luxembourg, ForeignCalendar::Uk] {
            for day in days().filter(|&day| !is_weekend(day)) {
                let date = date_of(day);
                assert_eq!(flags(day) & flag_of(market) != 0, market.is_closed(date), "{market:?} {date}");
            }
        }
    }

    #[test]
    fn two_independent_clocks_show_the_same_day_at_every_hour() {
        let first = day_of(Date::constant(2026, 1, 1));
        for hour in 0..24 * 800 {
            let at = Instant::from_ms(i64::from(first) * DAY_MS + hour * HOUR_MS);
            assert_eq!(local_day(at), day_of(at.local_date()), "{at}");
            let wall = at.local().time();
            assert_eq!(local_time(at), (wall.hour(), wall.minute()), "{at}");
        }
    }

    #[test]
    fn a_bank_day_count_goes_over_easter_as_it_should() {
        let rows = [("2026-04-01", 2, "2026-04-07"), ("2026-05-13", 1, "2026-05-15"), ("2026-12-30", 2, "2027-01-05")];
        for (from, count, to) in rows {
            let date = |text| sim::time::parse_date(text).expect("a date");
            assert_eq!(date_of(bank_days_after(day_of(date(from)), count)), date(to), "{from} + {count}");
        }
    }

    /// (rule: calendar/fund-day, calendar/cut-off)
    #[test]
    fn both_calendars_agree_on_dealing_days_and_cut_offs_of_every_kind_of_fund() {
        for fund in hosting::setup::demo().instruments {
            let from = day_of(Date::constant(2026, 1, 1));
            for day in from..from + 800 {
                let date = date_of(day);
                assert_eq!(is_dealing_day(&fund, day), fund.is_dealing_day(date), "{} {date}", fund.id);
                assert_eq!(cut_off(&fund, day), fund.cut_off(date), "{} {date}", fund.id);
            }
        }
    }
}
