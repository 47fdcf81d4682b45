//! Moments, days and spans of the simulated world, and the one time zone it lives in.
//!
//! Owns: the text of a timestamp (always milliseconds and `Z`), and the way between Stockholm wall time and UTC.
//! Invariant: every [`Instant`] lies in 1970 to 9999, so each has a text, a UTC day and a Stockholm day.
//! Absent on purpose: "now" (it is handed in), the host's zone files, leap seconds, any zone but Stockholm.

use std::fmt;
use std::sync::LazyLock;

use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A calendar day, zone-free. Text is `YYYY-MM-DD`.
pub type Date = jiff::civil::Date;

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// Why a text is no moment or day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimeError {
    /// The text does not have the form, or names a day or hour that does not exist.
    Malformed,
    /// The text is well formed, but outside [`Instant::MIN`] to [`Instant::MAX`].
    OutOfRange,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeError::Malformed => "not a date or a timestamp",
            TimeError::OutOfRange => "outside the years 1970 to 9999",
        })
    }
}

impl std::error::Error for TimeError {}

/// A span in milliseconds; negative spans point backwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);
    /// One second.
    pub const SECOND: Millis = Millis(1_000);
    /// One minute.
    pub const MINUTE: Millis = Millis(60_000);
    /// One hour.
    pub const HOUR: Millis = Millis(HOUR_MS);
    /// Twenty-four hours, which is not always one Stockholm day.
    pub const DAY: Millis = Millis(DAY_MS);

    /// `n` seconds, saturating.
    pub const fn seconds(n: i64) -> Millis {
        Millis(n.saturating_mul(1_000))
    }

    /// `n` minutes, saturating.
    pub const fn minutes(n: i64) -> Millis {
        Millis(n.saturating_mul(60_000))
    }

    /// `n` hours, saturating.
    pub const fn hours(n: i64) -> Millis {
        Millis(n.saturating_mul(HOUR_MS))
    }

    /// `n` times twenty-four hours, saturating.
    pub const fn days(n: i64) -> Millis {
        Millis(n.saturating_mul(DAY_MS))
    }
}

/// A moment, in milliseconds since 1970-01-01T00:00:00Z. Recorded as text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instant(i64);

impl Instant {
    /// The first moment there is: `1970-01-01T00:00:00.000Z`.
    pub const MIN: Instant = Instant(0);
    /// The last moment there is: `9999-12-31T22:59:59.999Z`, the end of 9999 in Stockholm.
    pub const MAX: Instant = Instant(253_402_297_199_999);
    /// The last instant of every world: its clock stops there. The years up to `MAX` are left to what a world
    /// plans ahead: cut-offs, settlements, expiries.
    pub const END: Instant = Instant(253_086_768_000_000);

    /// The moment `ms` milliseconds after the epoch; what lies outside the range becomes its nearest end.
    pub const fn from_ms(ms: i64) -> Instant {
        if ms < Instant::MIN.0 {
            Instant::MIN
        } else if ms > Instant::MAX.0 {
            Instant::MAX
        } else {
            Instant(ms)
        }
    }

    /// Milliseconds since the epoch, never negative.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 with any offset (rule: wire/timestamps); what is finer than a millisecond is cut off.
    ///
    /// # Errors
    /// `Malformed` for any other form, the leap second included; `OutOfRange` outside `MIN` to `MAX`.
    pub fn parse(text: &str) -> Result<Instant, TimeError> {
        let b = text.as_bytes();
        if b.len() < 20 || !matches!(b[10], b'T' | b't') || b[13] != b':' || b[16] != b':' {
            return Err(TimeError::Malformed);
        }
        let date = date_of(&b[..10]).ok_or(TimeError::Malformed)?;
        let field = |at: usize, max: i64| number(&b[at..at + 2]).filter(|n| *n <= max).ok_or(TimeError::Malformed);
        let (hour, minute, second) = (field(11, 23)?, field(14, 59)?, field(17, 59)?);
        let mut at = 19;
        let mut ms = 0;
        if b[at] == b'.' {
            let digits = b[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            if digits == 0 {
                return Err(TimeError::Malformed);
            }
            for i in 0..3 {
                ms = ms * 10 + if i < digits { i64::from(b[at + 1 + i] - b'0') } else { 0 };
            }
            at += 1 + digits;
        }
        let offset = match &b[at..] {
            b"Z" | b"z" => 0,
            [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
                let h = number(&[*h1, *h2]).filter(|n| *n <= 23).ok_or(TimeError::Malformed)?;
                let m = number(&[*m1, *m2]).filter(|n| *n <= 59).ok_or(TimeError::Malformed)?;
                (if *sign == b'-' { -1 } else { 1 }) * (h * 60 + m)
            }
            _ => return Err(TimeError::Malformed),
        };
        let minutes = hour * 60 + minute - offset;
        let total = days_of(date) * DAY_MS + minutes * 60_000 + second * 1_000 + ms;
        if (Instant::MIN.0..=Instant::MAX.0).contains(&total) { Ok(Instant(total)) } else { Err(TimeError::OutOfRange) }
    }

    /// This moment `span` later, stopping at the ends of the range.
    pub const fn plus(self, span: Millis) -> Instant {
        Instant::from_ms(self.0.saturating_add(span.0))
    }

    /// The span from `earlier` to this moment; negative when `earlier` is later.
    pub const fn since(self, earlier: Instant) -> Millis {
        Millis(self.0 - earlier.0)
    }

    /// The calendar day in Stockholm.
    pub fn local_date(self) -> Date {
        date_at(self.0 + offset_ms(self))
    }

    /// Wall time in Stockholm.
    pub fn local(self) -> DateTime {
        let wall = self.0 + offset_ms(self);
        let of_day = ms_of_day(wall);
        let small = |n: u32| i8::try_from(n).expect("a clock field has two digits");
        date_at(wall).at(
            small(of_day / 3_600_000),
            small(of_day / 60_000 % 60),
            small(of_day / 1_000 % 60),
            i32::try_from(of_day % 1_000 * 1_000_000).expect("less than a second"),
        )
    }

    /// The calendar day in UTC.
    pub fn utc_date(self) -> Date {
        date_at(self.0)
    }

    /// How a calendar-day field is encoded in a timestamp: that day at midnight UTC (rule: wire/days-in-resources).
    pub fn at_utc_midnight(date: Date) -> Instant {
        Instant::from_ms(days_of(date) * DAY_MS)
    }

    /// The text `YYYY-MM-DDTHH:MM:SS.mmmZ` as bytes.
    pub fn text(self) -> [u8; 24] {
        let date = self.utc_date();
        let of_day = ms_of_day(self.0);
        let year = date.year().unsigned_abs();
        let mut out = *b"0000-00-00T00:00:00.000Z";
        put_two(&mut out, 0, u32::from(year / 100));
        put_two(&mut out, 2, u32::from(year % 100));
        put_two(&mut out, 5, u32::from(date.month().unsigned_abs()));
        put_two(&mut out, 8, u32::from(date.day().unsigned_abs()));
        put_two(&mut out, 11, of_day / 3_600_000);
        put_two(&mut out, 14, of_day / 60_000 % 60);
        put_two(&mut out, 17, of_day / 1_000 % 60);
        put_two(&mut out, 20, of_day % 1_000 / 10);
        out[22] = digit(of_day % 10);
        out
    }

    /// Appends the text to `out`.
    pub fn write_to(self, out: &mut String) {
        out.push_str(std::str::from_utf8(&self.text()).expect("digits and marks"));
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.text()).expect("digits and marks"))
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Instant {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Instant, TimeError> {
        Instant::parse(text)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Instant, D::Error> {
        crate::recorded::text_of(from, Instant::parse)
    }
}

/// Reads a calendar day, exactly `YYYY-MM-DD`.
///
/// # Errors
/// `Malformed` for any other form, or a day no calendar has.
pub fn parse_date(text: &str) -> Result<Date, TimeError> {
    date_of(text.as_bytes()).ok_or(TimeError::Malformed)
}

/// The moment a Stockholm clock shows `hour`:`minute` on `date`.
///
/// In the skipped hour of spring the clock is read as an hour later, in the repeated hour of autumn the first pass is
/// meant. Both as jiff does it; no event of the domain is planned there (rule: calendar/local-time).
///
/// # Panics
/// When `hour` or `minute` is not one of a clock: that is a bug in the caller.
pub fn stockholm(date: Date, hour: i8, minute: i8) -> Instant {
    assert!((0..24).contains(&hour) && (0..60).contains(&minute), "no clock shows {hour}:{minute}");
    let wall = days_of(date) * DAY_MS + i64::from(hour) * HOUR_MS + i64::from(minute) * 60_000;
    if let Some(offset) = offset_of_month(date) {
        return Instant::from_ms(wall - offset);
    }
    let offset = match Summer::of(date.year()) {
        // Summer time covers [March 03:00, October 03:00) of the wall clock.
        Some(s) if (s.begins + 2 * HOUR_MS..s.ends + 2 * HOUR_MS).contains(&wall) => 2 * HOUR_MS,
        Some(_) => HOUR_MS,
        None => return wall_by_table(date, hour, minute),
    };
    Instant::from_ms(wall - offset)
}

/// The hour at which a period in days ends that names no time of day (rule: calendar/end-of-days).
const END_OF_DAYS: i8 = 9;

/// When a period in days that ends on `date` is over (rule: calendar/end-of-days).
pub fn end_of_days(date: Date) -> Instant {
    stockholm(date, END_OF_DAYS, 0)
}

/// Summer time of one year by the European rule, as UTC moments.
struct Summer {
    begins: i64,
    ends: i64,
}

impl Summer {
    /// `None` before 1997. From then on the rule is the zone's, which tests prove against the bundled rules. It is used
    /// because it takes a third of the time (16 against 53 ns for `stockholm`, 24 against 46 ns for `local_date`), and
    /// because jiff's timestamps end a day before 9999 does.
    fn of(year: i16) -> Option<Summer> {
        if year < 1997 {
            return None;
        }
        let last_sunday_at_one = |month: i64| {
            let last = days_from_civil(i64::from(year), month, 31);
            // Day 0 of the epoch was a Thursday, so `last + 4` counts from a Sunday.
            (last - (last + 4).rem_euclid(7)) * DAY_MS + HOUR_MS
        };
        Some(Summer { begins: last_sunday_at_one(3), ends: last_sunday_at_one(10) })
    }
}

/// The zone from the rules compiled in, used for the years before the plain rule.
static STOCKHOLM: LazyLock<TimeZone> =
    LazyLock::new(|| TimeZoneDatabase::bundled().get("Europe/Stockholm").expect("the bundled rules know Stockholm"));

/// Most months lie wholly on one side of a change of clocks; the other two need the year's own moments, as do years before 1997.
fn offset_of_month(date: Date) -> Option<i64> {
    match date.month() {
        _ if date.year() < 1997 => None,
        4..=9 => Some(2 * HOUR_MS),
        3 | 10 => None,
        _ => Some(HOUR_MS),
    }
}

fn offset_ms(at: Instant) -> i64 {
    let date = date_at(at.0);
    if let Some(offset) = offset_of_month(date) {
        return offset;
    }
    match Summer::of(date.year()) {
        Some(s) if (s.begins..s.ends).contains(&at.0) => 2 * HOUR_MS,
        Some(_) => HOUR_MS,
        None => offset_by_table(at),
    }
}

fn offset_by_table(at: Instant) -> i64 {
    let stamp = jiff::Timestamp::from_millisecond(at.0).expect("a moment before 1997");
    i64::from(STOCKHOLM.to_offset(stamp).seconds()) * 1_000
}

fn wall_by_table(date: Date, hour: i8, minute: i8) -> Instant {
    match STOCKHOLM.to_ambiguous_timestamp(date.at(hour, minute, 0, 0)).compatible() {
        Ok(stamp) => Instant::from_ms(stamp.as_millisecond()),
        Err(_) => Instant::MIN,
    }
}

fn days_of(date: Date) -> i64 {
    days_from_civil(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()))
}

/// Days since 1970-01-01. The year is counted from March, so that the leap day is its last.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The calendar day at `ms` since the epoch: the way back from [`days_from_civil`].
///
/// In 32 bits without sign, which is quicker; `ms` comes from an instant and is not negative.
fn date_at(ms: i64) -> Date {
    let days = u32::try_from(ms / DAY_MS).expect("a moment from 1970 on");
    // Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms": a year begins in March.
    let quarters = 4 * (days + 719_468) + 3;
    let (century, of_century) = (quarters / 146_097, quarters % 146_097 / 4);
    let years = 2_939_745 * u64::from(4 * of_century + 3);
    let of_year = (years & 0xffff_ffff) / 2_939_745 / 4;
    let months = 2_141 * of_year + 197_913;
    let (month, day) = (months >> 16, (months & 0xffff) / 2_141 + 1);
    let is_next_year = of_year >= 306;
    let year = u64::from(100 * century) + (years >> 32) + u64::from(is_next_year);
    let small = |n: u64| i8::try_from(n).expect("a month or a day");
    let month = small(if is_next_year { month - 12 } else { month });
    Date::constant(i16::try_from(year).expect("a year up to 9999"), month, small(day))
}

fn ms_of_day(ms: i64) -> u32 {
    u32::try_from(ms % DAY_MS).expect("a moment from 1970 on")
}

fn date_of(b: &[u8]) -> Option<Date> {
    if b.len() != 10 || b[4] != b'-' || b[7] != b'-' {
        return None;
    }
    let (y, m, d) = (number(&b[0..4])?, number(&b[5..7])?, number(&b[8..10])?);
    Date::new(i16::try_from(y).ok()?, i8::try_from(m).ok()?, i8::try_from(d).ok()?).ok()
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |n, c| c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0')))
}

/// Every number of two digits.
const TWO_DIGITS: [[u8; 2]; 100] = {
    let mut all = [*b"00"; 100];
    let mut n: u32 = 0;
    while n < 100 {
        all[n as usize] = [digit(n / 10), digit(n)];
        n += 1;
    }
    all
};

/// Writes two digits over `out[at..]`.
fn put_two(out: &mut [u8; 24], at: usize, n: u32) {
    out[at..at + 2].copy_from_slice(&TWO_DIGITS[n as usize % 100]);
}

const fn digit(n: u32) -> u8 {
    b"0123456789"[n as usize % 10]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws;

    fn at(text: &str) -> Instant {
        Instant::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn day(text: &str) -> Date {
        parse_date(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    /// (rule: wire/timestamps)
    #[test]
    fn any_rfc_3339_offset_is_read_and_stored_as_utc() {
        for (text, stored) in [
            ("2026-03-02T13:00:00.000Z", "2026-03-02T13:00:00.000Z"),
            ("2026-03-02T13:00:00Z", "2026-03-02T13:00:00.000Z"),
            ("2026-03-02t13:00:00z", "2026-03-02T13:00:00.000Z"),
            ("2026-03-02T14:00:00+01:00", "2026-03-02T13:00:00.000Z"),
            ("2026-03-01T22:30:00.5-14:30", "2026-03-02T13:00:00.500Z"),
            ("2026-03-02T13:00:00-00:00", "2026-03-02T13:00:00.000Z"),
            ("2026-01-01T00:30:00.120+01:00", "2025-12-31T23:30:00.120Z"),
            ("2026-03-02T13:00:00.1239999999999999999999Z", "2026-03-02T13:00:00.123Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            ("9999-12-31T22:59:59.999Z", "9999-12-31T22:59:59.999Z"),
        ] {
            assert_eq!(at(text).to_string(), stored, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_moments() {
        for (text, fault) in [
            ("", TimeError::Malformed),
            ("2026-03-02", TimeError::Malformed),
            ("2026-03-02T13:00:00", TimeError::Malformed),
            ("2026-03-02 13:00:00Z", TimeError::Malformed),
            ("2026-03-02T13:00Z", TimeError::Malformed),
            ("2026-03-02T13:00:00.Z", TimeError::Malformed),
            ("2026-03-02T13:00:00,5Z", TimeError::Malformed),
            ("2026-03-02T24:00:00Z", TimeError::Malformed),
            ("2026-03-02T13:60:00Z", TimeError::Malformed),
            ("2016-12-31T23:59:60Z", TimeError::Malformed),
            ("2026-02-29T13:00:00Z", TimeError::Malformed),
            ("2026-13-01T13:00:00Z", TimeError::Malformed),
            ("2026-03-02T13:00:00+0100", TimeError::Malformed),
            ("2026-03-02T13:00:00+24:00", TimeError::Malformed),
            ("2026-03-02T13:00:00+01:60", TimeError::Malformed),
            ("2026-03-02T13:00:00ZZ", TimeError::Malformed),
            ("2026-03-02T13:00:00[Europe/Stockholm]", TimeError::Malformed),
            ("2026-03-02T13:00:\u{e5}0Z", TimeError::Malformed),
            ("+002026-03-02T13:00:00Z", TimeError::Malformed),
            ("1969-12-31T23:59:59.999Z", TimeError::OutOfRange),
            ("1970-01-01T00:00:00+01:00", TimeError::OutOfRange),
            ("9999-12-31T23:00:00Z", TimeError::OutOfRange),
        ] {
            assert_eq!(Instant::parse(text), Err(fault), "{text}");
        }
    }

    /// (rule: wire/dates)
    #[test]
    fn a_day_is_four_two_and_two_digits() {
        assert_eq!(day("2024-02-29"), Date::constant(2024, 2, 29));
        for text in ["", "2026-2-01", "2026-02-29", "2026-00-01", "20260301", "2026-03-01 ", "2026/03/01", "+026-03-01"]
        {
            assert_eq!(parse_date(text), Err(TimeError::Malformed), "{text}");
        }
    }

    /// (rule: calendar/local-time)
    #[test]
    fn fourteen_in_stockholm_is_thirteen_utc_in_winter_and_twelve_in_summer() {
        for (date, utc) in [
            ("2026-03-27", "2026-03-27T13:00:00.000Z"),
            ("2026-03-30", "2026-03-30T12:00:00.000Z"),
            ("2026-10-23", "2026-10-23T12:00:00.000Z"),
            ("2026-10-26", "2026-10-26T13:00:00.000Z"),
        ] {
            assert_eq!(stockholm(day(date), 14, 0).to_string(), utc);
        }
    }

    #[test]
    fn clocks_change_on_easter_sunday_in_2024_and_2027() {
        for date in ["2024-03-31", "2027-03-28"] {
            let before = stockholm(day(date), 1, 59);
            assert_eq!(before.plus(Millis::minutes(1)), stockholm(day(date), 3, 0), "{date}");
            assert_eq!(before.plus(Millis::minutes(1)).local().hour(), 3, "{date}");
        }
    }

    #[test]
    fn the_skipped_hour_moves_on_and_the_repeated_hour_is_its_first_pass() {
        assert_eq!(stockholm(day("2026-03-29"), 2, 30).to_string(), "2026-03-29T01:30:00.000Z");
        assert_eq!(stockholm(day("2026-10-25"), 2, 30).to_string(), "2026-10-25T00:30:00.000Z");
        assert_eq!(stockholm(day("2026-10-25"), 3, 0).to_string(), "2026-10-25T02:00:00.000Z");
    }

    #[test]
    fn the_plain_rule_agrees_with_the_zone_rules_in_every_hour_of_its_years() {
        let mut at = stockholm(day("1996-12-30"), 0, 0);
        let end = stockholm(day("2101-01-03"), 0, 0);
        while at < end {
            assert_eq!(offset_ms(at), offset_by_table(at), "{at}");
            at = at.plus(Millis::HOUR);
        }
        let mut date = day("1996-12-30");
        while date < day("2101-01-03") {
            // Away from the last Sundays, one hour a day shows whether the two agree.
            let whole = matches!(date.month(), 3 | 10) && date.day() >= 25;
            for hour in if whole { 0..24 } else { 12..13 } {
                assert_eq!(stockholm(date, hour, 30), wall_by_table(date, hour, 30), "{date} {hour}:30");
            }
            date = date.tomorrow().unwrap();
        }
    }

    #[test]
    fn the_plain_rule_changes_the_clock_when_the_zone_rules_do_in_every_later_year() {
        for year in 1997..=9999 {
            let summer = Summer::of(year).unwrap();
            for ms in [summer.begins - 1, summer.begins, summer.ends - 1, summer.ends] {
                let at = Instant::from_ms(ms);
                assert_eq!(offset_ms(at), offset_by_table(at), "{at}");
            }
        }
    }

    #[test]
    fn calendar_days_are_encoded_at_utc_midnight() {
        let encoded = Instant::at_utc_midnight(day("2026-03-04"));
        assert_eq!(encoded.to_string(), "2026-03-04T00:00:00.000Z");
        assert_eq!((encoded.utc_date(), encoded.local_date()), (day("2026-03-04"), day("2026-03-04")));
    }

    #[test]
    fn an_instant_never_leaves_its_range() {
        for (moved, end) in [
            (Instant::MAX.plus(Millis(1)), Instant::MAX),
            (Instant::MAX.plus(Millis(i64::MAX)), Instant::MAX),
            (Instant::MIN.plus(Millis(i64::MIN)), Instant::MIN),
            (Instant::from_ms(i64::MAX), Instant::MAX),
            (Instant::from_ms(-1), Instant::MIN),
            (Instant::at_utc_midnight(Date::MIN), Instant::MIN),
            (stockholm(Date::MAX, 23, 59), Instant::from_ms(Instant::MAX.ms() - 59_999)),
            (stockholm(Date::MIN, 0, 0), Instant::MIN),
        ] {
            assert_eq!(moved, end);
        }
        assert_eq!(Instant::MAX.local_date(), Date::MAX);
        assert_eq!(Millis::minutes(2), Millis(120_000));
        assert_eq!(
            (Millis::days(1), Millis::hours(1), Millis::seconds(60)),
            (Millis::DAY, Millis::HOUR, Millis::MINUTE)
        );
    }

    #[test]
    fn text_and_days_agree_with_the_calendar_library_everywhere() {
        laws::holds(Instant::MIN.0..=jiff::Timestamp::MAX.as_millisecond(), |ms| {
            let instant = Instant::from_ms(ms);
            let stamp = jiff::Timestamp::from_millisecond(ms).unwrap();
            prop_assert_eq!(instant.to_string(), format!("{stamp:.3}"));
            prop_assert_eq!(Instant::parse(&instant.to_string()), Ok(instant));
            let (utc, local) = (stamp.to_zoned(TimeZone::UTC), stamp.to_zoned(STOCKHOLM.clone()));
            prop_assert_eq!((instant.utc_date(), instant.local_date()), (utc.date(), local.date()));
            prop_assert_eq!(instant.local(), local.datetime());
            prop_assert_eq!(laws::replayed(&laws::recorded(&instant)), Ok(instant));
            Ok(())
        });
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        laws::holds("[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:]{8}[.0-9Zz+:\u{e5}-]{0,9}|\\PC{0,40}", |text| {
            if let Ok(instant) = Instant::parse(&text) {
                prop_assert!((Instant::MIN..=Instant::MAX).contains(&instant));
            }
            Ok(())
        });
    }
}
