//! Bodies as a person reads them.
//!
//! Owns: the form of values, which fields are left out, what an earlier line has shown already. Invariant: left out are
//! fields that are null, false, empty or 0.00, and what an earlier line shows; ids are short, and two different ids never look
//! the same. Absent on purpose: lines (`wrap`), and how two bodies differ (`differences`).

use super::differences::{Difference, differences};
use super::masks::Masks;
use serde_json::{Map, Value as Json};
use sim::time::Instant;
use siphasher::sip::SipHasher13;
use std::collections::BTreeMap;
use std::hash::Hasher as _;

/// Of an id, so many characters are shown.
const SHORT_ID: usize = 8;
/// What ids of the platform's own accounts begin with.
const PLATFORM: &str = "00000000-0000-4000-8000-";
/// A longer text is shown by its beginning, its length and its fingerprint.
const LONG_TEXT: usize = 400;
/// Of a long text, so many characters are shown.
const BEGINNING: usize = 60;
/// A list of more characters breaks where an item of more than these ends.
const LONG_LIST: usize = 160;
const SHORT_ITEM: usize = 40;
/// From so many items on, a list of equal form is a table.
const TABLE: usize = 3;
/// Rows of a table that share a line.
const ROWS: usize = 4;

/// What the lines so far have shown.
#[derive(Default)]
pub(super) struct Known {
    /// Resources by their ids, and other answers by their paths.
    bodies: BTreeMap<String, Json>,
    /// Events by their ids.
    events: BTreeMap<String, Json>,
    /// The first id that begins so.
    ids: BTreeMap<String, String>,
}

/// Shows bodies at one instant.
pub(super) struct BodyWriter<'a> {
    pub(super) known: &'a mut Known,
    pub(super) masks: &'a Masks,
    pub(super) now: &'a str,
}

impl BodyWriter<'_> {
    /// The body of an answer; `path` is where it was read, `sent` what was asked.
    pub(super) fn answer(&mut self, body: &Json, path: Option<&str>, sent: &Json) -> String {
        match (body, path) {
            (Json::Null, _) => String::new(),
            (Json::Object(entries), None) if id_of(body).is_none() => self.fields(entries, sent),
            (Json::Array(items), _) if items.iter().any(|item| self.is_known(item)) => {
                let items: Vec<_> = items.iter().map(|item| self.resource(item, &Json::Null)).collect();
                in_lines(&items)
            }
            (Json::Object(_), _) if id_of(body).is_some() => self.resource(body, sent),
            (_, Some(path)) => {
                let shown = match self.known.bodies.remove(path) {
                    Some(known) => self.since("", &known, body),
                    None => self.value(body),
                };
                self.known.bodies.insert(path.to_owned(), body.clone());
                self.remember_all(body);
                shown
            }
            (_, None) => self.value(body),
        }
    }

    /// A frame of a socket.
    pub(super) fn frame(&mut self, frame: &Json) -> String {
        let text = |key: &str| frame.get(key).and_then(Json::as_str);
        let (Some(kind), Some(id), Some(payload)) = (text("eventType"), text("eventId"), frame.get("payload")) else {
            return frame.to_string();
        };
        let event = self.text(id);
        if self.known.events.get(id) == Some(frame) {
            return format!("{kind} {event} as shown");
        }
        let is_first = self.known.events.insert(id.to_owned(), frame.clone()).is_none();
        let shown = match (payload.get("current"), payload.get("previous")) {
            (None, Some(resource)) | (Some(resource), None) if is_first => self.resource(resource, &Json::Null),
            _ => self.event(payload),
        };
        if let Some(current) = payload.get("current").filter(|_| is_first) {
            self.remember(current);
        }
        format!("{kind} {event} {shown}")
    }

    /// The payload of an event: what changed, or the whole resource that was created or deleted.
    pub(super) fn event(&mut self, payload: &Json) -> String {
        match (payload.get("current"), payload.get("previous")) {
            (Some(current), Some(previous)) => {
                let id = id_of(current).map(|id| self.text(id)).unwrap_or_default();
                let changes = self.all(&differences(previous, current), Self::change);
                format!("{id} {}", if changes.is_empty() { "nothing changed" } else { &changes })
            }
            (Some(resource), None) | (None, Some(resource)) => self.value(resource),
            (None, None) => self.value(payload),
        }
    }

    /// A resource: what is not as shown before.
    fn resource(&mut self, body: &Json, sent: &Json) -> String {
        let (Json::Object(entries), Some(id)) = (body, id_of(body)) else { return self.value(body) };
        let shown = match self.known.bodies.remove(id) {
            Some(known) if is_like(&known, entries) => {
                let id = self.text(id);
                self.since(&format!("{id} "), &known, body)
            }
            _ => self.fields(entries, sent),
        };
        self.remember(body);
        shown
    }

    fn since(&mut self, id: &str, known: &Json, body: &Json) -> String {
        let differences = differences(known, body);
        match &differences[..] {
            // A whole list, which has no name to show it by.
            [Difference::Changed(path, _, whole)] if path.is_empty() => self.value(whole),
            [] => format!("{id}as shown"),
            some => format!("{id}as shown but {}", self.all(some, Self::as_it_is)),
        }
    }

    /// Differences in words; those of one item of a list share its name.
    fn all(&mut self, differences: &[Difference<'_>], show: fn(&mut Self, &str, &Difference<'_>) -> String) -> String {
        let mut out = Vec::new();
        for of_item in differences.chunk_by(|one, other| one.item().is_some() && one.item() == other.item()) {
            match of_item {
                [first, _, ..] => {
                    let item = first.item().unwrap_or_default();
                    let fields: Vec<_> = of_item
                        .iter()
                        .map(|it| show(self, it.path()[item.len()..].trim_start_matches('.'), it))
                        .collect();
                    out.push(format!("{} {{{}}}", self.path(item), fields.join(", ")));
                }
                alone => out.extend(alone.iter().map(|it| show(self, it.path(), it))),
            }
        }
        out.join(", ")
    }

    fn is_known(&self, body: &Json) -> bool {
        id_of(body).is_some_and(|id| self.known.bodies.contains_key(id))
    }

    fn remember(&mut self, body: &Json) {
        if let Some(id) = id_of(body) {
            self.known.bodies.insert(id.to_owned(), body.clone());
        }
    }

    fn remember_all(&mut self, body: &Json) {
        body.as_array().into_iter().flatten().for_each(|item| self.remember(item));
    }

    fn change(&mut self, path: &str, difference: &Difference<'_>) -> String {
        let path = self.path(path);
        match *difference {
            Difference::Changed(_, before, after) => {
                let (before, after) = (self.value(before), self.value(after));
                format!("{path} {before} -> {after}")
            }
            Difference::Added(_, value) => format!("{path} added {}", self.value(value)),
            Difference::Gone(_, value) => format!("{path} gone, was {}", self.value(value)),
        }
    }

    fn as_it_is(&mut self, path: &str, difference: &Difference<'_>) -> String {
        let path = self.path(path);
        match *difference {
            Difference::Changed(_, _, value) | Difference::Added(_, value) => format!("{path} {}", self.value(value)),
            Difference::Gone(..) => format!("without {path}"),
        }
    }

    /// A path, with ids in it as everywhere.
    fn path(&mut self, path: &str) -> String {
        let mut out = String::new();
        for (at, part) in path.split('[').enumerate() {
            match part.split_once(']').filter(|_| at > 0) {
                Some((key, rest)) => out.push_str(&format!("[{}]{rest}", self.bare(key))),
                None => out.push_str(part),
            }
        }
        out
    }

    fn bare(&mut self, key: &str) -> String {
        let text = self.text(key);
        text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned).unwrap_or(text)
    }

    /// An object that no line has shown: `=` stands for the value that was sent under the same name.
    fn fields(&mut self, entries: &Map<String, Json>, sent: &Json) -> String {
        let is_shown = |key: &str, value: &Json| {
            !is_default(value) && (key != "modifiedDate" || entries.get("createdDate") != Some(value))
        };
        let fields: Vec<_> = entries
            .iter()
            .filter(|(key, value)| is_shown(key, value))
            .map(|(key, value)| match sent.get(key) {
                Some(sent) if is_same(sent, value) => format!("{key} ="),
                _ => format!("{key} {}", self.value(value)),
            })
            .collect();
        format!("{{{}}}", fields.join(", "))
    }

    pub(super) fn value(&mut self, value: &Json) -> String {
        match value {
            Json::String(text) => self.text(text),
            Json::Array(items) => self.list(items),
            Json::Object(entries) => self.fields(entries, &Json::Null),
            other => other.to_string(),
        }
    }

    fn list(&mut self, items: &[Json]) -> String {
        if let Some(names) = table(items) {
            let row = |row: &Json| {
                let values: Vec<_> =
                    row.as_object().into_iter().flat_map(Map::values).map(|value| self.value(value)).collect();
                values.join(" ")
            };
            let rows: Vec<_> = items.iter().map(row).collect();
            let lines: Vec<_> = rows.chunks(ROWS).map(|rows| rows.join("; ")).collect();
            return format!("[{}:\n{}]", names.join(" "), lines.join(";\n"));
        }
        let items: Vec<_> = items.iter().map(|item| self.value(item)).collect();
        in_lines(&items)
    }

    pub(super) fn text(&mut self, text: &str) -> String {
        let text = self.masks.applied(text).into_owned();
        if text == self.now {
            return "now".to_owned();
        }
        if is_id(&text) {
            return self.id(text);
        }
        if is_date(&text) || is_plain(&text) {
            return text;
        }
        if text.len() == "2026-03-02T07:00:00.000Z".len() && Instant::parse(&text).is_ok() {
            let short = text.strip_suffix(".000Z").map(|text| text.trim_end_matches(":00"));
            return short.map_or(text.clone(), |short| format!("{short}Z"));
        }
        if let Some((end, _)) = text.char_indices().nth(LONG_TEXT) {
            let beginning: String = text[..end].chars().take(BEGINNING).collect();
            let mut hash = SipHasher13::new();
            hash.write(text.as_bytes());
            let (length, print) = (text.chars().count(), hash.finish());
            return format!("{}... ({length} characters, fingerprint {print:016x})", Json::from(beginning));
        }
        Json::from(text).to_string()
    }

    /// The beginning of an id, or the whole of it where an earlier one begins like it; the platform's own by their numbers.
    fn id(&mut self, id: String) -> String {
        if let Some(number) = id.strip_prefix(PLATFORM) {
            return format!("#{}", number.trim_start_matches('0'));
        }
        let short = &id[..SHORT_ID];
        match self.known.ids.get(short) {
            Some(known) if *known != id => format!("#{id}"),
            Some(_) => format!("#{short}"),
            None => {
                let shown = format!("#{short}");
                self.known.ids.insert(short.to_owned(), id);
                shown
            }
        }
    }
}

fn id_of(body: &Json) -> Option<&str> {
    body.get("id").and_then(Json::as_str)
}

/// A list; where it is long, each item that says much begins a line.
fn in_lines(items: &[String]) -> String {
    let is_long = items.iter().map(String::len).sum::<usize>() > LONG_LIST;
    let mut out = String::from("[");
    for (at, item) in items.iter().enumerate() {
        let says_much = is_long && (item.len() > SHORT_ITEM || at > 0 && items[at - 1].len() > SHORT_ITEM);
        out.push_str(match at {
            0 => "",
            _ if says_much => ",\n",
            _ => ", ",
        });
        out.push_str(item);
    }
    out.push(']');
    out
}

/// Whether an object is another view of what is known: most of what that has is in it.
fn is_like(known: &Json, entries: &Map<String, Json>) -> bool {
    known.as_object().is_some_and(|known| {
        let common = known.keys().filter(|key| entries.contains_key(*key)).count();
        2 * common > known.len()
    })
}

fn is_default(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => true,
        Json::Bool(true) => false,
        Json::Number(number) => number.to_string() == "0.00",
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(entries) => entries.values().all(is_default),
    }
}

/// Equal values; numbers may be written otherwise.
fn is_same(one: &Json, other: &Json) -> bool {
    let plain = |number: &serde_json::Number| {
        let text = number.to_string();
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => plain(one) == plain(other),
        _ => one == other,
    }
}

/// The names of the fields, where all items are objects with the same ones and no value is an object or a list.
fn table(items: &[Json]) -> Option<Vec<&str>> {
    let first = items.first().filter(|_| items.len() >= TABLE)?.as_object()?;
    let is_row = |item: &Json| {
        item.as_object().is_some_and(|it| {
            it.keys().eq(first.keys()) && it.values().all(|value| !value.is_object() && !value.is_array())
        })
    };
    items.iter().all(is_row).then(|| first.keys().map(String::as_str).collect())
}

fn is_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
        })
}

/// A word that cannot be taken for anything else.
fn is_plain(text: &str) -> bool {
    let is_known = ["true", "false", "null", "now", "added", "gone", "but", "as", "without"].contains(&text);
    text.starts_with(char::is_alphabetic)
        && !is_known
        && text.len() <= LONG_TEXT
        && text.chars().all(|c| c.is_alphanumeric() || "_-./:@+".contains(c))
}

fn is_date(text: &str) -> bool {
    let form = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    text.len() == 10 && form
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: &str = "2026-03-02T07:00:00.000Z";
    const ANNA: &str = "f9847992-0750-48a7-aba0-510e83137a48";
    const ORDER: &str = "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72";

    fn written(known: &mut Known, write: impl FnOnce(&mut BodyWriter<'_>) -> String) -> String {
        write(&mut BodyWriter { known, masks: &Masks::default(), now: NOW })
    }

    fn order(status: &str, amount: &str) -> Json {
        let amount: serde_json::Number = amount.parse().expect("a number");
        json!({ "id": ORDER, "status": status, "account": ANNA, "amount": amount, "units": null, "aborted": false,
            "messages": [], "createdDate": NOW, "modifiedDate": NOW })
    }

    fn event(kind: &str, id: &str, previous: Json, current: Json) -> Json {
        json!({ "eventType": kind, "eventId": id, "payload": { "previous": previous, "current": current } })
    }

    #[test]
    fn a_new_resource_is_shown_without_defaults_and_without_what_the_request_says() {
        let sent = json!({ "account": ANNA, "amount": 2500.5 });
        let shown = written(&mut Known::default(), |it| it.answer(&order("received", "2500.50"), None, &sent));
        assert_eq!(shown, "{id #15a0b3a4, status received, account =, amount =, createdDate now}");
        let shown = written(&mut Known::default(), |it| it.answer(&order("received", "2500.51"), None, &sent));
        assert!(shown.contains("account =, amount 2500.51"), "{shown}");
    }

    #[test]
    fn a_resource_that_was_shown_is_shown_by_what_is_new() {
        let known = &mut Known::default();
        let mut answer = |body: &Json| written(known, |it| it.answer(body, None, &Json::Null));
        answer(&order("received", "1.00"));
        assert_eq!(answer(&order("received", "1.00")), "#15a0b3a4 as shown");
        assert_eq!(answer(&order("sent", "1.00")), "#15a0b3a4 as shown but status sent");
        let mut less = order("sent", "1.00");
        less.as_object_mut().expect("an object").remove("account");
        assert_eq!(answer(&less), "#15a0b3a4 as shown but without account");
        assert_eq!(
            answer(&json!([less, order("sent", "2.00")])),
            "[#15a0b3a4 as shown, #15a0b3a4 as shown but account #f9847992, amount 2.00]"
        );
    }

    #[test]
    fn an_event_is_shown_by_what_changed_and_a_second_time_as_shown() {
        let known = &mut Known::default();
        let changed = event("order.update", ANNA, order("received", "1.00"), order("sent", "0.00"));
        let shown = written(known, |it| it.frame(&changed));
        assert_eq!(shown, "order.update #f9847992 #15a0b3a4 status received -> sent, amount 1.00 -> 0.00");
        assert_eq!(written(known, |it| it.frame(&changed)), "order.update #f9847992 as shown");
        let other = event("order.update", ANNA, order("received", "1.00"), order("pending", "0.00"));
        assert!(written(known, |it| it.frame(&other)).contains("received -> pending"), "the same id, another event");
    }

    #[test]
    fn items_of_lists_are_compared_by_their_keys() {
        let position = |instrument: &str, units: u32, value: u32| json!({ "instrument": instrument, "units": units, "value": value });
        let account = |positions: Json| json!({ "id": ANNA, "positions": positions });
        let before = account(json!([position("A", 1, 10), position("B", 2, 20)]));
        let shown = |after: Json| {
            let payload = json!({ "previous": before, "current": account(after) });
            written(&mut Known::default(), |it| it.event(&payload))
        };
        let grown = shown(json!([position("A", 1, 10), position("B", 3, 30)]));
        assert_eq!(grown, "#f9847992 positions[B] {units 2 -> 3, value 20 -> 30}");
        let gone = shown(json!([position("B", 2, 20)]));
        assert_eq!(gone, "#f9847992 positions[A] gone, was {instrument A, units 1, value 10}");
        let turned = shown(json!([position("B", 2, 20), position("A", 1, 10)]));
        assert!(turned.starts_with("#f9847992 positions [{instrument A"), "another order is a difference: {turned}");
    }

    #[test]
    fn different_values_never_look_the_same() {
        let like_anna = "f9847992-0000-4000-8000-000000000000";
        let long = |end: &str| json!("x".repeat(500) + end);
        let values = [
            json!(ANNA),
            json!(like_anna),
            json!("f9847992"),
            json!("#f9847992"),
            json!("00000000-0000-4000-8000-000000000003"),
            json!(NOW),
            json!("now"),
            json!("2026-03-02T07:00:01.000Z"),
            json!("2026-03-02T07:01:00.000Z"),
            json!("2026-03-02"),
            json!("2026-03-02T00:00:00.000Z"),
            json!("true"),
            json!(true),
            json!("1"),
            json!(1),
            json!("null"),
            json!(null),
            json!("a, b"),
            json!(["a", "b"]),
            json!(["a, b"]),
            long("a"),
            long("b"),
            json!(""),
            json!([]),
        ];
        let known = &mut Known::default();
        let shown: Vec<_> = values.iter().map(|value| written(known, |it| it.value(value))).collect();
        let distinct: std::collections::BTreeSet<_> = shown.iter().collect();
        assert_eq!(distinct.len(), values.len(), "{shown:#?}");
        assert!(shown.iter().all(|text| text.len() < 120), "{shown:#?}");
    }

    #[test]
    fn a_list_of_equal_form_is_a_table() {
        let rows: Vec<_> = (1..=5).map(|day| json!({ "date": format!("2026-03-0{day}"), "dayResult": day })).collect();
        let shown = written(&mut Known::default(), |it| it.answer(&json!(rows), Some("/performance"), &Json::Null));
        assert_eq!(shown, "[date dayResult:\n2026-03-01 1; 2026-03-02 2; 2026-03-03 3; 2026-03-04 4;\n2026-03-05 5]");
    }
}
