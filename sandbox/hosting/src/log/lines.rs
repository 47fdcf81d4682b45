//! Entries as lines: for people, and as JSON.
//!
//! Invariant: an entry is one line, whatever texts it holds; every line that came of a request names it as `request-id`.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Map, Value, json};
use sim::ids::ClientId;
use sim::time::Instant;

use super::{DeliveryTold, Entry, EventTold, Level, MASK, RequestTold, What};
use crate::deliveries::outcome::Outcome;

const RESET: &str = "\x1b[0m";
const GREY: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const GREEN: &str = "\x1b[32m";

impl Entry {
    /// The entry as a line for people, without its end.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        let paint = |code: &'static str| if colour { code } else { "" };
        let at = self.moment();
        let time = at.get(11..23).unwrap_or(&at);
        let (line, notes) = match &self.what {
            What::Request(told) => request(told),
            What::Event(told) => event(told),
            What::Delivery(told) => delivery(told),
            What::Message(words) => (plain(words), String::new()),
        };
        let (grey, reset) = (paint(GREY), paint(RESET));
        let level = self.level.as_str();
        format!("{grey}{time}{reset} {}{level:<5}{reset} {line}{grey}{notes}{reset}", paint(self.tint()))
    }

    /// The entry as one JSON object, without the line's end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut object = Map::new();
        object.insert("at".to_owned(), self.moment().into());
        object.insert("level".to_owned(), self.level.as_str().into());
        let fields = match &self.what {
            What::Request(told) => json!({
                "kind": "request",
                "request-id": told.id,
                "method": told.method.as_str(),
                "path": &*told.target,
                "status": told.status,
                "ms": Number(told.took).json(),
                "world": told.world.map(|world| world.to_string()),
                "partner": told.partner.map(|partner| partner.to_string()),
                "client": client_in(&told.target),
            }),
            What::Event(told) => json!({
                "kind": "event",
                "event": told.kind,
                "resource": told.resource.to_string(),
                "occurred": told.occurred.to_string(),
                "world": told.world.to_string(),
                "client": told.client.map(|client| client.to_string()),
                "request-id": told.request,
                "timer": told.timer,
            }),
            What::Delivery(told) => json!({
                "kind": "delivery",
                "delivery": told.id.to_string(),
                "event": told.kind,
                "url": bare(&told.url),
                "attempt": told.attempt,
                "outcome": verdict(told.outcome),
                "answer": answered(told.outcome),
                "failure": failure(told.outcome),
                "fault": told.fault,
                "status": told.status,
                "ms": Number(told.took).json(),
                "world": told.world.to_string(),
                "client": told.client.to_string(),
            }),
            What::Message(words) => json!({ "kind": "message", "message": words }),
        };
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        straight(&Value::Object(object).to_string())
    }

    fn moment(&self) -> String {
        Instant::from_ms(i64::try_from(self.at.0).unwrap_or(i64::MAX)).to_string()
    }

    const fn tint(&self) -> &'static str {
        match self.level {
            Level::Error => RED,
            Level::Warn => YELLOW,
            Level::Info => GREEN,
            Level::Debug => GREY,
        }
    }
}

/// Milliseconds with three decimals.
struct Number(Duration);

impl Number {
    fn text(&self) -> String {
        let micros = self.0.as_micros();
        format!("{}.{:03}", micros / 1_000, micros % 1_000)
    }

    fn json(&self) -> Value {
        self.text().parse().map_or(Value::Null, Value::Number)
    }
}

fn request(told: &RequestTold) -> (String, String) {
    let status = told.status.map_or_else(|| "dropped".to_owned(), |status| status.to_string());
    let line = format!("{status} {:<6} {}", told.method.as_str(), plain(&told.target));
    let mut notes = format!("  {} ms request-id={}", Number(told.took).text(), told.id);
    if let Some(world) = told.world {
        write(&mut notes, format_args!(" world={world}"));
    }
    if let Some(partner) = told.partner {
        write(&mut notes, format_args!(" partner={partner}"));
    }
    (line, notes)
}

fn event(told: &EventTold) -> (String, String) {
    let line = format!("event {} {}", told.kind, told.resource);
    let mut notes = format!("  at {}", told.occurred);
    if let Some(timer) = told.timer {
        write(&mut notes, format_args!(" because of: {timer}"));
    }
    if let Some(request) = told.request {
        write(&mut notes, format_args!(" request-id={request}"));
    }
    write(&mut notes, format_args!(" world={}", told.world));
    note_client(&mut notes, told.client);
    (line, notes)
}

fn delivery(told: &DeliveryTold) -> (String, String) {
    let what = answered(told.outcome)
        .map_or_else(|| failure(told.outcome).unwrap_or_default().to_owned(), |status| status.to_string());
    let line = format!("delivery {} to {}: {what}, {}", told.kind, plain(bare(&told.url)), told.status);
    let mut notes =
        format!("  attempt {} {} ms delivery={} world={}", told.attempt, Number(told.took).text(), told.id, told.world);
    note_client(&mut notes, Some(told.client));
    if let Some(fault) = told.fault {
        write(&mut notes, format_args!(" fault rule={fault}"));
    }
    (line, notes)
}

fn note_client(notes: &mut String, client: Option<ClientId>) {
    if let Some(client) = client {
        write(notes, format_args!(" client={client}"));
    }
}

fn write(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    text.write_fmt(more).unwrap_or_default();
}

/// The client in the path of the partner API.
fn client_in(target: &str) -> Option<&str> {
    let rest = target.strip_prefix("/v2/partner/client/")?;
    rest.split(['/', '?']).next().filter(|id| !id.is_empty())
}

/// A URL without its query, which may hold what only the receiver should know.
fn bare(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(MASK)
}

fn verdict(outcome: Outcome) -> &'static str {
    outcome.verdict().word()
}

const fn answered(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Answered(status) => Some(status),
        Outcome::Failed(_) | Outcome::Lost => None,
    }
}

const fn failure(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Answered(_) => None,
        Outcome::Lost => Some("lost"),
        Outcome::Failed(failure) => Some(failure.as_str()),
    }
}

/// Whether a character turns the direction of what follows it, or marks one: a reader sees another line than there is.
const fn turns_direction(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// JSON in which no character turns the direction of a line: they are in texts only, and written as escapes there.
fn straight(json: &str) -> String {
    let one = |letter: char| {
        if turns_direction(letter) { format!("\\u{:04x}", u32::from(letter)) } else { letter.to_string() }
    };
    if json.chars().any(turns_direction) { json.chars().map(one).collect() } else { json.to_owned() }
}

/// A text that moves no cursor, begins no line and reads from left to right.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || turns_direction(letter) {
            plain.extend(letter.escape_default());
        } else {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliveries::outcome::Failure;
    use crate::transport::TransportTime;
    use crate::world_id::WorldId;
    use uuid::Uuid;

    fn entry(level: Level, what: What) -> Entry {
        Entry { at: TransportTime(1_772_434_800_123), level, what }
    }

    fn told(target: &str) -> What {
        What::Request(RequestTold {
            id: 7,
            world: Some(WorldId::from_number(1)),
            partner: None,
            method: axum::http::Method::GET,
            target: target.into(),
            status: Some(200),
            took: Duration::from_micros(1_234),
        })
    }

    fn event_told() -> What {
        What::Event(EventTold {
            world: WorldId::from_number(2),
            kind: "order.update",
            resource: Uuid::nil(),
            client: Some(ClientId::from_u128(1)),
            occurred: Instant::from_ms(0),
            timer: Some("cut-off"),
            request: Some(7),
        })
    }

    fn delivery_told(outcome: Outcome) -> What {
        What::Delivery(Box::new(DeliveryTold {
            world: WorldId::from_number(2),
            id: Uuid::nil(),
            kind: "order.update",
            client: ClientId::from_u128(1),
            fault: matches!(outcome, Outcome::Lost).then_some("drop"),
            url: "https://receiver.example/hook?key=s3cr3t".into(),
            attempt: 2,
            outcome,
            status: "queued",
            took: Duration::from_millis(30),
        }))
    }

    #[test]
    fn entries_are_lines_for_people() {
        for (level, what, line) in [
            (Level::Info, told("/a?b=c"), "info  200 GET    /a?b=c  1.234 ms request-id=7 world=world-1"),
            (
                Level::Info,
                event_told(),
                "info  event order.update 00000000-0000-0000-0000-000000000000  at 1970-01-01T00:00:00.000Z because of: \
                 cut-off request-id=7 world=world-2 client=00000000-0000-0000-0000-000000000001",
            ),
            (
                Level::Warn,
                delivery_told(Outcome::Failed(Failure::Timeout)),
                "warn  delivery order.update to https://receiver.example/hook: timeout, queued  attempt 2 30.000 ms \
                 delivery=00000000-0000-0000-0000-000000000000 world=world-2 \
                 client=00000000-0000-0000-0000-000000000001",
            ),
            (
                Level::Info,
                delivery_told(Outcome::Lost),
                "info  delivery order.update to https://receiver.example/hook: lost, queued  attempt 2 30.000 ms \
                 delivery=00000000-0000-0000-0000-000000000000 world=world-2 \
                 client=00000000-0000-0000-0000-000000000001 fault rule=drop",
            ),
            (Level::Error, What::Message("two\nlines\x1b[2J".to_owned()), "error two\\nlines\\u{1b}[2J"),
            (Level::Error, What::Message("a\u{202e}b\u{61c}".to_owned()), "error a\\u{202e}b\\u{61c}"),
        ] {
            assert_eq!(entry(level, what).text(false), format!("07:00:00.123 {line}"));
        }
        let coloured = entry(Level::Info, told("/a")).text(true);
        assert!(coloured.contains("\x1b[32minfo \x1b[0m"), "{coloured:?}");
    }

    #[test]
    fn entries_are_json_for_machines() {
        let client = "/v2/partner/client/00000000-0000-0000-0000-000000000001/order?limit=1";
        for (what, fields) in [
            (
                told(client),
                json!({ "kind": "request", "request-id": 7, "method": "GET", "status": 200, "client": "00000000-0000-0000-0000-000000000001" }),
            ),
            (
                event_told(),
                json!({ "kind": "event", "event": "order.update", "request-id": 7, "timer": "cut-off", "world": "world-2" }),
            ),
            (
                delivery_told(Outcome::Answered(503)),
                json!({ "kind": "delivery", "attempt": 2, "outcome": "failed", "answer": 503, "url": "https://receiver.example/hook" }),
            ),
            (
                delivery_told(Outcome::Lost),
                json!({ "kind": "delivery", "outcome": "received", "answer": null, "failure": "lost", "fault": "drop" }),
            ),
            (What::Message("two\nlines".to_owned()), json!({ "kind": "message", "message": "two\nlines" })),
            (What::Message("a\u{202e}b".to_owned()), json!({ "kind": "message", "message": "a\u{202e}b" })),
        ] {
            let line = entry(Level::Info, what).json();
            assert!(!line.chars().any(turns_direction), "{line:?}");
            assert!(!line.contains('\n') && !line.contains("s3cr3t"), "{line}");
            let read: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!((&read["at"], &read["level"]), (&json!("2026-03-02T07:00:00.123Z"), &json!("info")));
            for (name, value) in fields.as_object().expect("an object") {
                assert_eq!(&read[name], value, "{name} of {line}");
            }
        }
    }
}
