//! `fundsim clock`: the clock of a world, read, advanced, stopped and started.
//!
//! Invariant: a move is the server's own: its words go there as they are, and short ones are written out. Absent on purpose: what is due,
//! which the server says.

use crate::args::running::InWorld;
use crate::args::terminal::{Clock, ClockJob, Moved};
use crate::bearer::{self, Fault, Shown};
use crate::completion::ENDS;
use crate::exit::WELL;
use crate::out;
use crate::table::{add, columns};
use crate::worlds::plain;
use runner::report::printable;
use serde_json::{Map, Value as Json, json};

/// Happenings that are listed unless all are asked for.
const MOST: usize = 20;

/// Does what is asked with a clock.
pub(crate) fn clock(flags: &Clock) -> u8 {
    match answer(flags) {
        Ok(text) => {
            out::say(&printable(&text));
            WELL
        }
        Err(fault) => fault.say(),
    }
}

fn answer(flags: &Clock) -> Result<String, Fault> {
    match &flags.what {
        None => show(&flags.of),
        Some(ClockJob::Show { of }) => show(of),
        Some(ClockJob::Advance { by, moved }) => advance(moved, &json!({ "by": period(&by.join(" ")) })),
        Some(ClockJob::Next { moved }) => advance(moved, &json!({ "until": "next" })),
        Some(ClockJob::Until { to, instrument, order, account, moved }) => {
            let mut body = Map::new();
            let mut set = |key: &str, value: Option<Json>| body.extend(value.map(|value| (key.to_owned(), value)));
            let is_end = !to.starts_with(|first: char| first.is_ascii_digit());
            set(if is_end { "until" } else { "to" }, Some(Json::from(end(to)?)));
            set("instrument", instrument.clone().map(Json::from));
            set("order", order.map(|id| Json::from(id.to_string())));
            set("account", account.map(|id| Json::from(id.to_string())));
            advance(moved, &Json::Object(body))
        }
        Some(ClockJob::Freeze { of }) => change(of, "frozen"),
        Some(ClockJob::Run { how, of }) => change(of, how),
    }
}

/// An instant as it is, or the word of what an advance ends at, in whatever case and with or without a hyphen.
fn end(text: &str) -> Result<String, String> {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(text.to_owned());
    }
    let letters = |text: &str| text.to_ascii_lowercase().replace(['-', ' '], "");
    let found = ENDS.iter().find(|end| letters(end) == letters(text));
    found.map(|end| (*end).to_owned()).ok_or_else(|| {
        let hint = language::words::hint(text, &ENDS).unwrap_or_default();
        format!(
            "`{text}` is neither an instant such as 2026-03-10T14:00:00+01:00 nor what an advance can end at; {hint}"
        )
    })
}

/// A period as the server takes it: `1d`, `90m` are written out, everything else is its own.
fn period(text: &str) -> String {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() {
        return text.to_owned();
    }
    match unit.trim() {
        "s" | "second" | "seconds" => format!("PT{digits}S"),
        "m" | "min" | "minute" | "minutes" => format!("PT{digits}M"),
        "h" | "hour" | "hours" => format!("PT{digits}H"),
        "d" | "day" | "days" => format!("P{digits}D"),
        "w" | "week" | "weeks" => format!("P{digits}W"),
        "month" | "months" => format!("P{digits}M"),
        "y" | "year" | "years" => format!("P{digits}Y"),
        "bd" | "bank day" | "bank days" => format!("{digits} bank days"),
        _ => text.to_owned(),
    }
}

/// The server, and the path of the clock of the world that is meant.
fn clock_of(of: &InWorld) -> Result<(Shown, String), String> {
    let shown = bearer::shown(of.server.url.as_deref(), &of.server.bearer)?;
    let world = shown.world(of.world.as_deref())?;
    Ok((shown, format!("/_sandbox/worlds/{world}/clock")))
}

fn show(of: &InWorld) -> Result<String, Fault> {
    let (shown, path) = clock_of(of)?;
    Ok(written(of, &shown.ask("GET", &path, None)?))
}

fn change(of: &InWorld, how: &str) -> Result<String, Fault> {
    let (shown, path) = clock_of(of)?;
    Ok(written(of, &shown.ask("PATCH", &path, Some(&json!({ "clock": how })))?))
}

/// A clock as the flags want it.
fn written(of: &InWorld, clock: &Json) -> String {
    if of.server.json {
        return format!("{clock}\n");
    }
    let how = match clock["mode"].as_str() {
        Some("paced") => format!("{} seconds a second", plain(&clock["factor"])),
        _ => plain(&clock["clock"]),
    };
    let next = &clock["next"];
    let next = if next.is_null() { "-".to_owned() } else { happening(next).join("  ").trim_end().to_owned() };
    format!("now    {}\nclock  {how}\nnext   {next}\n", plain(&clock["now"]))
}

/// One thing that happens: when, what, to what.
fn happening(happening: &Json) -> [String; 3] {
    ["at", "what", "resource"].map(|key| plain(&happening[key]))
}

fn advance(moved: &Moved, body: &Json) -> Result<String, Fault> {
    let (shown, path) = clock_of(&moved.of)?;
    let answer = shown.ask("POST", &format!("{path}/advance"), Some(body))?;
    if moved.of.server.json {
        return Ok(format!("{answer}\n"));
    }
    let rows: Vec<_> = answer["happened"].as_array().into_iter().flatten().map(happening).collect();
    let count = answer["count"].as_u64().unwrap_or_default();
    let mut text = String::new();
    let listed = if moved.all { rows.len() } else { rows.len().min(MOST) };
    let last = &rows[rows.len() - listed..];
    if !last.is_empty() {
        if listed < rows.len() {
            add(&mut text, format_args!("the last {listed}; --all lists more\n\n"));
        }
        text.push_str(&columns(&["at", "what", "resource"], last));
        text.push('\n');
    }
    if count > listed as u64 {
        let kinds = answer["kinds"].as_array().into_iter().flatten();
        let kinds: Vec<_> = kinds.map(|kind| format!("{} {}", plain(&kind["count"]), plain(&kind["what"]))).collect();
        add(&mut text, format_args!("{count} in all: {}\n", kinds.join(", ")));
    }
    let nothing = if count == 0 { "  nothing happened on the way" } else { "" };
    add(&mut text, format_args!("now  {}{nothing}\n", plain(&answer["now"])));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_periods_are_written_out_and_others_left_as_they_are() {
        for (text, sent) in [
            ("1d", "P1D"),
            ("90m", "PT90M"),
            ("2 hours", "PT2H"),
            ("3 bank days", "3 bank days"),
            ("1 bank day", "1 bank days"),
            ("P1M", "P1M"),
            ("6 months", "P6M"),
            ("soon", "soon"),
        ] {
            assert_eq!(period(text), sent, "{text}");
        }
    }

    #[test]
    fn an_end_is_an_instant_or_a_word_and_a_slip_gets_the_nearest() {
        assert_eq!(end("cut-off").as_deref(), Ok("cutOff"));
        assert_eq!(end("2026-03-10T14:00:00Z").as_deref(), Ok("2026-03-10T14:00:00Z"));
        assert!(end("setlement").is_err_and(|why| why.contains("did you mean `settlement`?")));
    }
}
