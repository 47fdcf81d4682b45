//! Entries as lines: for people, and as JSON.
//!
//! Invariant: an entry is one line, whatever texts it holds; every line that came of a request names it as `request-id`.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sim::time::Instant;
use tracing::Level;
use uuid::Uuid;

use super::{DELIVERIES, EVENTS, LogEntry, REQUESTS};
use crate::world_id::WorldId;

const RESET: &str = "\x1b[0m";
const GREY: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const GREEN: &str = "\x1b[32m";

impl LogEntry {
    /// The entry as a line for people, without its end.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        let paint = |code: &'static str| if colour { code } else { "" };
        let at = self.moment();
        let time = at.get(11..23).unwrap_or(&at);
        let (line, notes) = match self.kind() {
            EntryKind::Request => self.request(),
            EntryKind::Event => self.event(),
            EntryKind::Delivery => self.delivery(),
            EntryKind::Message(words) => (plain(words), String::new()),
        };
        let (grey, reset) = (paint(GREY), paint(RESET));
        let level = self.word();
        format!("{grey}{time}{reset} {}{level:<5}{reset} {line}{grey}{notes}{reset}", paint(self.tint()))
    }

    /// The entry as one JSON object, without the line's end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut object = Map::new();
        object.insert("at".to_owned(), self.moment().into());
        object.insert("level".to_owned(), self.word().into());
        let fields = match self.kind() {
            EntryKind::Request => json!({
                "kind": "request",
                "request-id": self.whole("request_id"),
                "method": self.text_of("method"),
                "path": self.text_of("path"),
                "status": self.whole("status"),
                "ms": self.ms().parse().map_or(Value::Null, Value::Number),
                "world": self.world(),
                "partner": self.uuid("partner"),
                "client": client_in(self.text_of("path").unwrap_or_default()),
            }),
            EntryKind::Event => json!({
                "kind": "event",
                "event": self.text_of("event"),
                "resource": self.uuid("resource"),
                "occurred": self.occurred(),
                "world": self.world(),
                "client": self.uuid("client"),
                "request-id": self.whole("request_id"),
                "timer": self.text_of("timer"),
            }),
            EntryKind::Delivery => json!({
                "kind": "delivery",
                "delivery": self.uuid("delivery"),
                "event": self.text_of("event"),
                "url": self.text_of("url"),
                "attempt": self.whole("attempt"),
                "outcome": self.text_of("outcome"),
                "answer": self.whole("answer"),
                "failure": self.text_of("failure"),
                "fault": self.text_of("fault"),
                "status": self.text_of("status"),
                "ms": self.ms().parse().map_or(Value::Null, Value::Number),
                "world": self.world(),
                "client": self.uuid("client"),
            }),
            EntryKind::Message(words) => json!({ "kind": "message", "message": words }),
        };
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        straight(&Value::Object(object).to_string())
    }

    fn moment(&self) -> String {
        Instant::from_ms(i64::try_from(self.at.0).unwrap_or(i64::MAX)).to_string()
    }

    fn kind(&self) -> EntryKind<'_> {
        match (self.text_of("message"), self.target()) {
            (None, REQUESTS) => EntryKind::Request,
            (None, EVENTS) => EntryKind::Event,
            (None, DELIVERIES) => EntryKind::Delivery,
            (words, _) => EntryKind::Message(words.unwrap_or_default()),
        }
    }

    fn word(&self) -> &'static str {
        match self.level() {
            Level::ERROR => "error",
            Level::WARN => "warn",
            Level::INFO => "info",
            Level::DEBUG => "debug",
            Level::TRACE => "trace",
        }
    }

    fn tint(&self) -> &'static str {
        match self.level() {
            Level::ERROR => RED,
            Level::WARN => YELLOW,
            Level::INFO => GREEN,
            Level::DEBUG | Level::TRACE => GREY,
        }
    }

    /// Milliseconds with three decimals.
    fn ms(&self) -> String {
        format!("{:.3}", self.fraction("ms").unwrap_or_default())
    }

    fn uuid(&self, name: &str) -> Option<String> {
        self.id(name).map(|id| Uuid::from_u128(id).to_string())
    }

    fn world(&self) -> Option<String> {
        self.whole("world").map(|number| WorldId::from_number(number).to_string())
    }

    fn occurred(&self) -> Option<String> {
        self.signed("occurred").map(|ms| Instant::from_ms(ms).to_string())
    }

    fn request(&self) -> (String, String) {
        let status = self.whole("status").map_or_else(|| "dropped".to_owned(), |status| status.to_string());
        let [method, path] = ["method", "path"].map(|name| self.text_of(name).unwrap_or_default());
        let line = format!("{status} {method:<6} {}", plain(path));
        let mut notes = format!("  {} ms", self.ms());
        note(&mut notes, " request-id=", self.whole("request_id"));
        note(&mut notes, " world=", self.world());
        note(&mut notes, " partner=", self.uuid("partner"));
        (line, notes)
    }

    fn event(&self) -> (String, String) {
        let kind = self.text_of("event").unwrap_or_default();
        let line = format!("event {kind} {}", self.uuid("resource").unwrap_or_default());
        let mut notes = String::from(" ");
        note(&mut notes, " at ", self.occurred());
        note(&mut notes, " because of: ", self.text_of("timer"));
        note(&mut notes, " request-id=", self.whole("request_id"));
        note(&mut notes, " world=", self.world());
        note(&mut notes, " client=", self.uuid("client"));
        (line, notes)
    }

    fn delivery(&self) -> (String, String) {
        let what = self.whole("answer").map(|status| status.to_string());
        let what = what.or_else(|| self.text_of("failure").map(str::to_owned)).unwrap_or_default();
        let [kind, url, status] = ["event", "url", "status"].map(|name| self.text_of(name).unwrap_or_default());
        let line = format!("delivery {kind} to {}: {what}, {status}", plain(url));
        let mut notes = String::from(" ");
        note(&mut notes, " attempt ", self.whole("attempt"));
        note(&mut notes, " ", Some(format_args!("{} ms", self.ms())));
        note(&mut notes, " delivery=", self.uuid("delivery"));
        note(&mut notes, " world=", self.world());
        note(&mut notes, " client=", self.uuid("client"));
        note(&mut notes, " fault rule=", self.text_of("fault"));
        (line, notes)
    }
}

/// What an entry is written as.
enum EntryKind<'a> {
    Request,
    Event,
    Delivery,
    Message(&'a str),
}

fn note(notes: &mut String, name: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        // Writing to a text cannot fail.
        write!(notes, "{name}{value}").unwrap_or_default();
    }
}

/// The client in the path of the partner API.
fn client_in(target: &str) -> Option<&str> {
    let rest = target.strip_prefix("/v2/partner/client/")?;
    rest.split(['/', '?']).next().filter(|id| !id.is_empty())
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
    use super::super::{DELIVERIES, EVENTS, Lines, REQUESTS, SERVER};
    use super::*;
    use crate::deliveries::outcome::{AttemptOutcome, Failure};
    use crate::testing::subscribe;
    use crate::transport::TransportClock;
    use std::sync::mpsc;
    use std::time::Duration;
    use tracing::{error, info, warn};
    use tracing_subscriber::layer::SubscriberExt as _;

    /// What is taken out of what `tell` tells.
    fn entry(tell: impl FnOnce()) -> LogEntry {
        let (sender, told) = mpsc::channel();
        let clock = TransportClock::given(|| Duration::from_millis(1_772_434_800_123));
        let lines = Lines::new(clock, move |entry| sender.send(entry).expect("somebody reads"));
        let _subscribed = subscribe(tracing_subscriber::registry().with(lines));
        tell();
        told.try_recv().expect("an entry")
    }

    fn say_request(path: &str) {
        info!(target: REQUESTS, request_id = 7_u64, method = "GET", path, status = 200_u16, ms = 1.234, world = 1_u64);
    }

    fn say_event() {
        info!(
            target: EVENTS,
            event = "order.update",
            resource = 0_u128,
            occurred = 0_i64,
            world = 2_u64,
            client = 1_u128,
            request_id = 7_u64,
            timer = "cut-off",
        );
    }

    fn say_delivery(outcome: AttemptOutcome) {
        let fault = matches!(outcome, AttemptOutcome::Lost).then_some("drop");
        let url = super::super::bare("https://receiver.example/hook?key=s3cr3t");
        macro_rules! told {
            ($at:ident) => {
                $at!(
                    target: DELIVERIES,
                    delivery = 0_u128,
                    event = "order.update",
                    url,
                    attempt = 2_u32,
                    outcome = outcome.verdict().word(),
                    answer = outcome.status(),
                    failure = outcome.failure(),
                    fault,
                    status = "queued",
                    ms = 30.0,
                    world = 2_u64,
                    client = 1_u128,
                )
            };
        }
        if matches!(outcome, AttemptOutcome::Failed(_)) { told!(warn) } else { told!(info) }
    }

    #[test]
    fn entries_are_lines_for_people() {
        for (entry, line) in [
            (entry(|| say_request("/a?b=c")), "info  200 GET    /a?b=c  1.234 ms request-id=7 world=world-1"),
            (
                entry(say_event),
                "info  event order.update 00000000-0000-0000-0000-000000000000  at 1970-01-01T00:00:00.000Z because of: \
                 cut-off request-id=7 world=world-2 client=00000000-0000-0000-0000-000000000001",
            ),
            (
                entry(|| say_delivery(AttemptOutcome::Failed(Failure::Timeout))),
                "warn  delivery order.update to https://receiver.example/hook: timeout, queued  attempt 2 30.000 ms \
                 delivery=00000000-0000-0000-0000-000000000000 world=world-2 \
                 client=00000000-0000-0000-0000-000000000001",
            ),
            (
                entry(|| say_delivery(AttemptOutcome::Lost)),
                "info  delivery order.update to https://receiver.example/hook: lost, queued  attempt 2 30.000 ms \
                 delivery=00000000-0000-0000-0000-000000000000 world=world-2 \
                 client=00000000-0000-0000-0000-000000000001 fault rule=drop",
            ),
            (entry(|| error!(target: SERVER, "two\nlines\x1b[2J")), "error two\\nlines\\u{1b}[2J"),
            (entry(|| error!(target: REQUESTS, "a\u{202e}b\u{61c}")), "error a\\u{202e}b\\u{61c}"),
        ] {
            assert_eq!(entry.text(false), format!("07:00:00.123 {line}"));
        }
        let coloured = entry(|| say_request("/a")).text(true);
        assert!(coloured.contains("\x1b[32minfo \x1b[0m"), "{coloured:?}");
    }

    #[test]
    fn entries_are_json_for_machines() {
        let client = "/v2/partner/client/00000000-0000-0000-0000-000000000001/order?limit=1";
        for (entry, fields) in [
            (
                entry(|| say_request(client)),
                json!({ "kind": "request", "request-id": 7, "method": "GET", "status": 200, "client": "00000000-0000-0000-0000-000000000001" }),
            ),
            (
                entry(say_event),
                json!({ "kind": "event", "event": "order.update", "request-id": 7, "timer": "cut-off", "world": "world-2" }),
            ),
            (
                entry(|| say_delivery(AttemptOutcome::Answered(503))),
                json!({ "kind": "delivery", "attempt": 2, "outcome": "failed", "answer": 503, "url": "https://receiver.example/hook" }),
            ),
            (
                entry(|| say_delivery(AttemptOutcome::Lost)),
                json!({ "kind": "delivery", "outcome": "received", "answer": null, "failure": "lost", "fault": "drop" }),
            ),
            (entry(|| info!(target: SERVER, "two\nlines")), json!({ "kind": "message", "message": "two\nlines" })),
            (entry(|| info!(target: SERVER, "a\u{202e}b")), json!({ "kind": "message", "message": "a\u{202e}b" })),
        ] {
            let line = entry.json();
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
