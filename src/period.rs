//! Times and sizes as they are written on the command line.

use std::time::Duration;

/// `60s`, `5m`, `1h`, `500ms`, or plain seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let count: Option<u64> = digits.parse().ok();
    let millis = match unit.trim() {
        "ms" => Some(1),
        "" | "s" => Some(1_000),
        "m" | "min" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let time = count.zip(millis).and_then(|(count, millis)| count.checked_mul(millis));
    time.filter(|&time| time > 0)
        .map(Duration::from_millis)
        .ok_or_else(|| format!("`{text}` is not a duration; write 60s, 5m, 1h or 500ms"))
}

/// A time in its two largest units.
pub(crate) fn in_two_units(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// The least memory that a server can begin with, in MiB.
const LEAST: u64 = 64;

/// Reads `512MiB`, `2GiB` or a plain number of MiB.
///
/// # Errors
/// When the text is no such size, or a server could not begin with it.
pub(crate) fn mebibytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit {
        "" | "MiB" => Some(1),
        "GiB" => Some(1_024),
        _ => None,
    };
    let size = digits.parse().ok().zip(factor).and_then(|(count, factor): (u64, u64)| count.checked_mul(factor));
    size.filter(|size| (LEAST..1 << 40).contains(size))
        .ok_or_else(|| format!("`{text}` is not a size of at least {LEAST}MiB; write 512MiB or 2GiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_or_without_a_unit() {
        for (text, millis) in [
            ("60s", Some(60_000)),
            ("5m", Some(300_000)),
            ("2h", Some(7_200_000)),
            ("9", Some(9_000)),
            ("250ms", Some(250)),
            ("0s", None),
            ("1.5s", None),
            ("99999999999999999999h", None),
            ("", None),
        ] {
            assert_eq!(duration(text).ok(), millis.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn times_are_written_in_two_units() {
        for (seconds, text) in [(5, "5 s"), (61, "1 min 1 s"), (7_260, "2 h 1 min")] {
            assert_eq!(in_two_units(Duration::from_secs(seconds)), text);
        }
    }
}
