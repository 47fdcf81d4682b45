//! Moves of the clock: `3 bank days`, `PT1H`, `to the cut-off`, `until order {order} is sent`, ...

use super::files::OnDisk;
use super::reader::Reader;
use super::statuses::{self, Of};
use crate::ast::{Move, Noun};
use crate::diagnostic::{Source, Span};
use crate::template::is_filled;
use crate::tree::{Node, NodeKind};
use sim::time::Date;
use std::time::Duration;
use wire::period::Period;

const FORMS: &str = "as in `3 bank days`, `1 hour`, `1 month`, `PT1H`, `P6M`, `next`, `to 14:00`, `to 2026-03-10`, \
                     `to 2026-03-10 14:00`, `to 2026-03-04T09:00:00+01:00`, \
                     `to the cut-off of FUND`, `to 1 second before the cut-off of FUND`, `to the settlement of ORDER`, \
                     `until order ORDER is sent`";

/// Longest single move: ten years of milliseconds.
const LONGEST_MS: i64 = 10 * 366 * 86_400_000;

/// Longest wait: a day.
const LONGEST_WAIT_MS: u64 = 86_400_000;

/// Reads the value of `advance:`.
pub(super) fn clock_move(reader: &mut Reader<'_>, node: &Node) -> Option<Move> {
    let NodeKind::Text(text) = &node.kind else {
        reader.fault(&node.span, "a move of the clock is a text").hint = Some(FORMS.to_owned());
        return None;
    };
    let text = text.trim();
    if text == "next" {
        return Some(Move::Next);
    }
    if let Some(rest) = text.strip_prefix("until ") {
        return until(reader, rest.trim(), &node.span);
    }
    if let Some(rest) = text.strip_prefix("to ") {
        return to(reader, rest.trim(), &node.span);
    }
    by(text).or_else(|| unreadable(reader, text, &node.span))
}

/// Whether a move can be read before the run, as it is written, names included; its faults are reported at once then.
pub(super) fn is_move(node: &Node) -> bool {
    let NodeKind::Text(text) = &node.kind else { return true };
    if let Some((_, status)) = text.strip_prefix("until ").and_then(|rest| rest.rsplit_once(" is ")) {
        return !is_filled(status);
    }
    let source = Source::new("", "");
    clock_move(&mut Reader::new(&source, &OnDisk).knowing_all(), node).is_some()
}

/// `30 seconds`: how long transport time passes.
pub(super) fn wait(reader: &mut Reader<'_>, node: &Node) -> Option<Duration> {
    let text = reader.text(node, "a time")?;
    let found = by(text.trim()).as_ref().and_then(fixed_ms).and_then(|ms| u64::try_from(ms).ok());
    if found.is_none_or(|ms| ms > LONGEST_WAIT_MS) {
        reader.fault(&node.span, format!("`{text}` is not a time to wait")).hint =
            Some("as in `30 seconds` or `2 hours`, at most a day; `advance` moves the business clock".to_owned());
        return None;
    }
    found.map(Duration::from_millis)
}

fn unreadable(reader: &mut Reader<'_>, text: &str, span: &Span) -> Option<Move> {
    reader.fault(span, format!("`{text}` is not a move of the clock")).hint = Some(FORMS.to_owned());
    None
}

fn until(reader: &mut Reader<'_>, rest: &str, span: &Span) -> Option<Move> {
    let Some((named, status)) = rest.rsplit_once(" is ") else {
        return unreadable(reader, &format!("until {rest}"), span);
    };
    // Most waits are for orders, so the noun may be left out.
    let nouns = [("order ", Noun::Order), ("account ", Noun::Account), ("journey ", Noun::Journey)];
    let named_noun = nouns.into_iter().find_map(|(word, noun)| Some((noun, named.strip_prefix(word)?.trim())));
    let (noun, of) = named_noun.unwrap_or((Noun::Order, named.trim()));
    reader.check_reference(of, span);
    let status = status.trim();
    if is_filled(status) {
        return unreadable(reader, &format!("until {rest}"), span);
    }
    if !statuses::check(reader, Of::Noun(noun), status, span) {
        return None;
    }
    Some(Move::Until { noun, of: of.to_owned(), status: status.to_owned() })
}

fn to(reader: &mut Reader<'_>, rest: &str, span: &Span) -> Option<Move> {
    let bare = rest.strip_prefix("the ").unwrap_or(rest);
    if bare == "cut-off" || bare == "next cut-off" {
        return Some(Move::CutOff { instrument: None, offset_ms: 0 });
    }
    if let Some(instrument) = bare.strip_prefix("cut-off of ").map(str::trim) {
        reader.check_reference(instrument, span);
        return Some(Move::CutOff { instrument: Some(instrument.to_owned()), offset_ms: 0 });
    }
    if let Some(order) = bare.strip_prefix("settlement of ").map(str::trim) {
        let order = order.strip_prefix("order ").unwrap_or(order).trim();
        reader.check_reference(order, span);
        return Some(Move::Settlement(order.to_owned()));
    }
    if let Some(found) = near_cut_off(reader, rest, span) {
        return found;
    }
    if is_local_time(rest) {
        return Some(Move::ToLocalTime(rest.to_owned()));
    }
    if rest.contains('{') {
        reader.check_names(rest, span);
        return Some(Move::To(rest.to_owned()));
    }
    if sim::time::Instant::parse(rest).is_ok() || day(rest).is_some() {
        return Some(Move::To(rest.to_owned()));
    }
    unreadable(reader, &format!("to {rest}"), span)
}

/// `1 second before the cut-off of FUND`; the outer `None` when the text is of another form.
fn near_cut_off(reader: &mut Reader<'_>, text: &str, span: &Span) -> Option<Option<Move>> {
    let (period, rest, sign) = match (text.split_once(" before "), text.split_once(" after ")) {
        (Some((period, rest)), _) => (period, rest, -1),
        (_, Some((period, rest))) => (period, rest, 1),
        _ => return None,
    };
    let bare = rest.strip_prefix("the ").unwrap_or(rest);
    let (Some(ms), Some(instrument)) = (by(period).as_ref().and_then(fixed_ms), bare.strip_prefix("cut-off of "))
    else {
        return Some(unreadable(reader, &format!("to {text}"), span));
    };
    reader.check_reference(instrument.trim(), span);
    Some(Some(Move::CutOff { instrument: Some(instrument.trim().to_owned()), offset_ms: sign * ms }))
}

/// `2026-03-10` or `2026-03-10 14:00`: a day, and perhaps a local time of it.
#[must_use]
pub fn day(text: &str) -> Option<(Date, Option<(i8, i8)>)> {
    let (date, time) = match text.split_once(' ') {
        Some((date, time)) => (date, Some(time.trim())),
        None => (text, None),
    };
    let date = sim::time::parse_date(date).ok()?;
    let Some(time) = time else { return Some((date, None)) };
    let (hour, minute) = time.split_once(':').filter(|_| is_local_time(time))?;
    Some((date, Some((hour.parse().ok()?, minute.parse().ok()?))))
}

fn is_local_time(text: &str) -> bool {
    text.split_once(':').is_some_and(|(hour, minute)| {
        hour.len() == 2
            && minute.len() == 2
            && hour.parse::<u8>().is_ok_and(|hour| hour < 24)
            && minute.parse::<u8>().is_ok_and(|minute| minute < 60)
    })
}

/// A period, in words or as ISO 8601 has it.
fn by(text: &str) -> Option<Move> {
    if text.starts_with('P') {
        return text.parse::<Period>().ok().map(|_| Move::By(text.to_owned()));
    }
    let (count, unit) = text.split_once(' ')?;
    let count: u32 = count.parse().ok()?;
    let unit = unit.trim();
    match unit.strip_suffix('s').unwrap_or(unit) {
        "bank day" => days(count).map(|()| Move::BankDays(count)),
        "day" => days(count).map(|()| Move::Days(count)),
        "week" => days(count.checked_mul(7)?).map(|()| Move::Days(count * 7)),
        "month" => by(&format!("P{count}M")),
        "year" => by(&format!("P{count}Y")),
        "hour" => iso(format!("PT{count}H")),
        "minute" => iso(format!("PT{count}M")),
        "second" => iso(format!("PT{count}S")),
        "millisecond" => iso(format!("PT{}.{:03}S", count / 1000, count % 1000)),
        _ => None,
    }
}

fn iso(text: String) -> Option<Move> {
    iso_ms(&text).map(|_| Move::By(text))
}

fn days(count: u32) -> Option<()> {
    (i64::from(count) * 86_400_000 <= LONGEST_MS).then_some(())
}

fn fixed_ms(how: &Move) -> Option<i64> {
    match how {
        Move::By(text) => iso_ms(text),
        _ => None,
    }
}

/// Milliseconds of `PnDTnHnMn.nnnS`; weeks too, months and years not, since their length varies: the server counts those.
#[must_use]
pub fn iso_ms(text: &str) -> Option<i64> {
    let (days, time) = match text.strip_prefix('P')?.split_once('T') {
        Some((days, time)) => (days, Some(time)),
        None => (text.strip_prefix('P')?, None),
    };
    if time.is_some_and(str::is_empty) || (days.is_empty() && time.is_none()) {
        return None;
    }
    let date = sum(days, &[('W', 604_800_000), ('D', 86_400_000)])?;
    let clock = sum(time.unwrap_or(""), &[('H', 3_600_000), ('M', 60_000), ('S', 1_000)])?;
    date.checked_add(clock).filter(|ms| (0..=LONGEST_MS).contains(ms))
}

fn sum(mut text: &str, units: &[(char, i64)]) -> Option<i64> {
    let mut total = 0_i64;
    for &(unit, ms) in units {
        if let Some((count, rest)) = text.split_once(unit) {
            let (whole, thousandths) = count.split_once('.').unwrap_or((count, ""));
            let part = match (unit, thousandths.len()) {
                (_, 0) => 0,
                ('S', 1..=3) => format!("{thousandths:0<3}").parse::<u32>().map(i64::from).ok()?,
                _ => return None,
            };
            total = total.checked_add(whole.parse::<u32>().map(i64::from).ok()?.checked_mul(ms)?)?.checked_add(part)?;
            text = rest;
        }
    }
    text.is_empty().then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_exactly() {
        let rows = [
            ("PT1H", Some(3_600_000)),
            ("P1D", Some(86_400_000)),
            ("P1DT2H3M4.005S", Some(93_784_005)),
            ("PT0.5S", Some(500)),
            ("P2W", Some(1_209_600_000)),
            ("P1M", None),
            ("P", None),
            ("PT", None),
            ("PT1.5H", None),
            ("PT-1H", None),
            ("P99999999999D", None),
        ];
        for (text, ms) in rows {
            assert_eq!(iso_ms(text), ms, "{text}");
        }
    }
}
