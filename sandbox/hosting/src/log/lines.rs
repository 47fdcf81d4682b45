//! Entries as lines: for people, and as JSON.
//!
//! Invariant: an entry is one line, whatever texts it holds; every line that a request caused names it as `request-id`.

use arrayvec::ArrayString;
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
        let mut line = Line::new(colour);
        let at = self.at().text();
        let time = std::str::from_utf8(&at).ok().and_then(|at| at.get(11..23));
        line.grey(|line| line.put(time.unwrap_or_default())).put(" ");
        line.tint(self.tint(), |line| line.padded(self.word(), 5)).put(" ");
        match self.kind() {
            EntryKind::Request => self.request(&mut line),
            EntryKind::Event => self.event(&mut line),
            EntryKind::Delivery => self.delivery(&mut line),
            EntryKind::Message(words) => {
                line.plain(words).grey(|line| line);
            }
        }
        line.text
    }

    /// The entry as one JSON object, without the line's end.
    #[must_use]
    pub fn json(&self) -> String {
        let mut object = Map::new();
        object.insert("at".to_owned(), self.at().to_string().into());
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

    fn at(&self) -> Instant {
        Instant::from_ms(i64::try_from(self.at.0).unwrap_or(i64::MAX))
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
    fn ms(&self) -> ArrayString<24> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "no answer takes less than no time, or centuries"
        )]
        let microseconds = (self.fraction("ms").unwrap_or_default() * 1_000.0).round() as u64;
        let (mut whole, mut thousandths) = (itoa::Buffer::new(), itoa::Buffer::new());
        // The four digits of 1,000 and more: the last three have their zeros.
        let parts = [whole.format(microseconds / 1_000), ".", &thousandths.format(1_000 + microseconds % 1_000)[1..]];
        let mut text = ArrayString::new();
        // Seventeen digits, a point, and three more.
        parts.iter().for_each(|part| text.try_push_str(part).unwrap_or_default());
        text
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

    fn request(&self, line: &mut Line) {
        let [method, path] = ["method", "path"].map(|name| self.text_of(name).unwrap_or_default());
        match self.whole("status") {
            Some(status) => line.number(status),
            None => line.put("dropped"),
        };
        line.put(" ").padded(method, 6).put(" ").plain(path);
        line.grey(|line| {
            line.put("  ").milliseconds(self).named("request-id", self.whole("request_id"), Line::number);
            line.named("world", self.whole("world"), Line::world).named("partner", self.id("partner"), Line::uuid)
        });
    }

    fn event(&self, line: &mut Line) {
        line.put("event ").put(self.text_of("event").unwrap_or_default()).put(" ");
        self.id("resource").map(|resource| line.uuid(resource));
        line.grey(|line| {
            if let Some(ms) = self.signed("occurred") {
                line.put("  at ").moment(Instant::from_ms(ms));
            }
            self.text_of("timer").map(|timer| line.put(" because of: ").put(timer));
            line.named("request-id", self.whole("request_id"), Line::number);
            line.named("world", self.whole("world"), Line::world).named("client", self.id("client"), Line::uuid)
        });
    }

    fn delivery(&self, line: &mut Line) {
        let [kind, url, status] = ["event", "url", "status"].map(|name| self.text_of(name).unwrap_or_default());
        line.put("delivery ").put(kind).put(" to ").plain(url).put(": ");
        match self.whole("answer") {
            Some(status) => line.number(status),
            None => line.put(self.text_of("failure").unwrap_or_default()),
        };
        line.put(", ").put(status);
        line.grey(|line| {
            line.put(" ");
            self.whole("attempt").map(|attempt| line.put(" attempt ").number(attempt));
            line.put(" ").milliseconds(self).named("delivery", self.id("delivery"), Line::uuid);
            line.named("world", self.whole("world"), Line::world).named("client", self.id("client"), Line::uuid);
            line.named("fault rule", self.text_of("fault"), Line::put)
        });
    }
}

/// A line for people that is being written. Every request has one, so it is written without formatters.
struct Line {
    text: String,
    is_colourful: bool,
}

/// Room for the line of most requests.
const USUAL: usize = 256;

impl Line {
    fn new(is_colourful: bool) -> Self {
        Self { text: String::with_capacity(USUAL), is_colourful }
    }

    fn put(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// `text` so that it moves no cursor, begins no line and reads from left to right.
    fn plain(&mut self, text: &str) -> &mut Self {
        // Without an early end, so that many bytes are looked at in one step.
        if text.bytes().fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte)) {
            return self.put(text);
        }
        for letter in text.chars() {
            if letter.is_control() || turns_direction(letter) {
                self.text.extend(letter.escape_default());
            } else {
                self.text.push(letter);
            }
        }
        self
    }

    /// `word` with spaces behind it up to `width` letters.
    fn padded(&mut self, word: &str, width: usize) -> &mut Self {
        self.put(word).put(&"        "[..width.saturating_sub(word.len())])
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.put(itoa::Buffer::new().format(number))
    }

    fn uuid(&mut self, id: u128) -> &mut Self {
        self.put(Uuid::from_u128(id).hyphenated().encode_lower(&mut Uuid::encode_buffer()))
    }

    fn world(&mut self, number: u64) -> &mut Self {
        self.put(WorldId::PREFIX).number(number)
    }

    fn moment(&mut self, at: Instant) -> &mut Self {
        self.put(std::str::from_utf8(&at.text()).unwrap_or_default())
    }

    fn milliseconds(&mut self, entry: &LogEntry) -> &mut Self {
        self.put(&entry.ms()).put(" ms")
    }

    /// ` name=value`, where there is a value.
    fn named<T>(&mut self, name: &str, value: Option<T>, put: fn(&mut Self, T) -> &mut Self) -> &mut Self {
        if let Some(value) = value {
            put(self.put(" ").put(name).put("="), value);
        }
        self
    }

    /// What `write` writes, in grey.
    fn grey(&mut self, write: impl FnOnce(&mut Self) -> &mut Self) -> &mut Self {
        self.tint(GREY, write)
    }

    /// What `write` writes, in `colour` where there are colours.
    fn tint(&mut self, colour: &str, write: impl FnOnce(&mut Self) -> &mut Self) -> &mut Self {
        if !self.is_colourful {
            return write(self);
        }
        write(self.put(colour)).put(RESET)
    }
}

/// What an entry is written as.
enum EntryKind<'a> {
    Request,
    Event,
    Delivery,
    Message(&'a str),
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

#[cfg(test)]
mod tests {
    use super::super::{DELIVERIES, EVENTS, Lines, REQUESTS, SERVER};
    use super::*;
    use crate::testing::subscribe;
    use deliveries::outcome::{AttemptOutcome, Failure};
    use feed::transport::TransportClock;
    use std::sync::mpsc;
    use std::time::Duration;
    use tracing::{error, info, warn};
    use tracing_subscriber::layer::SubscriberExt as _;

    /// The log entry of the event that `emit` emits.
    fn entry(emit: impl FnOnce()) -> LogEntry {
        let (sender, receiver) = mpsc::channel();
        let clock = TransportClock::given(|| Duration::from_millis(1_772_434_800_123));
        let lines = Lines::new(clock, move |entry| sender.send(entry).expect("somebody reads"));
        let _subscribed = subscribe(tracing_subscriber::registry().with(lines));
        emit();
        receiver.try_recv().expect("an entry")
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
        macro_rules! log_attempt {
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
        if matches!(outcome, AttemptOutcome::Failed(_)) { log_attempt!(warn) } else { log_attempt!(info) }
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
