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

    /// Reads RFC 3339 with any offset (decisions 1.1); what is finer than a millisecond is cut off.
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
        date_from_days((self.0 + offset_ms(self)).div_euclid(DAY_MS))
    }

    /// Wall time in Stockholm.
    pub fn local(self) -> DateTime {
        let wall = self.0 + offset_ms(self);
        let of_day = wall.rem_euclid(DAY_MS);
        let small = |n: i64| i8::try_from(n).expect("a clock field has two digits");
        date_from_days(wall.div_euclid(DAY_MS)).at(
            small(of_day / HOUR_MS),
            small(of_day / 60_000 % 60),
            small(of_day / 1_000 % 60),
            i32::try_from(of_day % 1_000 * 1_000_000).expect("less than a second"),
        )
    }

    /// The calendar day in UTC.
    pub fn utc_date(self) -> Date {
        date_from_days(self.0.div_euclid(DAY_MS))
    }

    /// How a calendar-day field is encoded in a timestamp: that day at midnight UTC (decisions 1.1, row 2).
    pub fn at_utc_midnight(date: Date) -> Instant {
        Instant::from_ms(days_of(date) * DAY_MS)
    }

    /// The text `YYYY-MM-DDTHH:MM:SS.mmmZ` as bytes.
    pub fn text(self) -> [u8; 24] {
        let date = self.utc_date();
        let of_day = self.0.rem_euclid(DAY_MS);
        let mut out = *b"0000-00-00T00:00:00.000Z";
        put(&mut out[0..4], i64::from(date.year()));
        put(&mut out[5..7], i64::from(date.month()));
        put(&mut out[8..10], i64::from(date.day()));
        put(&mut out[11..13], of_day / HOUR_MS);
        put(&mut out[14..16], of_day / 60_000 % 60);
        put(&mut out[17..19], of_day / 1_000 % 60);
        put(&mut out[20..23], of_day % 1_000);
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
        crate::ids::text_of(from, Instant::parse)
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
/// meant. Both as jiff does it; no event of the domain is planned there (decisions 2.1).
///
/// # Panics
/// When `hour` or `minute` is not one of a clock: that is a bug in the caller.
pub fn stockholm(date: Date, hour: i8, minute: i8) -> Instant {
    assert!((0..24).contains(&hour) && (0..60).contains(&minute), "no clock shows {hour}:{minute}");
    let wall = days_of(date) * DAY_MS + i64::from(hour) * HOUR_MS + i64::from(minute) * 60_000;
    let offset = match Summer::of(date.year()) {
        // Summer time covers [March 03:00, October 03:00) of the wall clock.
        Some(s) if (s.begins + 2 * HOUR_MS..s.ends + 2 * HOUR_MS).contains(&wall) => 2 * HOUR_MS,
        Some(_) => HOUR_MS,
        None => return by_table(date, hour, minute),
    };
    Instant::from_ms(wall - offset)
}

/// Summer time of one year by the European rule, as UTC moments.
struct Summer {
    begins: i64,
    ends: i64,
}

impl Summer {
    /// `None` outside the years for which a test proves the rule equal to the time zone database.
    fn of(year: i16) -> Option<Summer> {
        if !(1997..=2100).contains(&year) {
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

/// The zone from the rules compiled in, used for the years before and after the plain rule.
static STOCKHOLM: LazyLock<TimeZone> =
    LazyLock::new(|| TimeZoneDatabase::bundled().get("Europe/Stockholm").expect("the bundled rules know Stockholm"));

fn offset_ms(at: Instant) -> i64 {
    match Summer::of(date_from_days(at.0.div_euclid(DAY_MS)).year()) {
        Some(s) if (s.begins..s.ends).contains(&at.0) => 2 * HOUR_MS,
        Some(_) => HOUR_MS,
        None => offset_by_table(at),
    }
}

fn offset_by_table(at: Instant) -> i64 {
    let stamp = jiff::Timestamp::from_millisecond(at.0).expect("every instant is a timestamp");
    i64::from(STOCKHOLM.to_offset(stamp).seconds()) * 1_000
}

fn by_table(date: Date, hour: i8, minute: i8) -> Instant {
    match STOCKHOLM.to_ambiguous_timestamp(date.at(hour, minute, 0, 0)).compatible() {
        Ok(stamp) => Instant::from_ms(stamp.as_millisecond()),
        Err(_) if date.year() > 0 => Instant::MAX,
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

/// The way back from [`days_from_civil`].
fn date_from_days(days: i64) -> Date {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let small = |n: i64| i8::try_from(n).expect("a month or a day");
    Date::constant(i16::try_from(year).expect("a year up to 9999"), small(month), small(day))
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

/// Writes `n` in decimal, right-aligned, over a field of zeros.
fn put(field: &mut [u8], mut n: i64) {
    for at in field.iter_mut().rev() {
        *at = b'0' + u8::try_from(n % 10).expect("a digit");
        n /= 10;
    }
}
