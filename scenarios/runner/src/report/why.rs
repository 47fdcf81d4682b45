//! Why something is as it is, for people: the chain of changes that a server answers, a block a change.
//!
//! Invariant: a block says when, what caused it, what it did to states and books, and who was sent an event. Absent on purpose: asking for it.

use language::routes;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Fields of one change that are shown, at most.
const MOST_FIELDS: usize = 6;

fn word<'j>(value: &'j Json, name: &str) -> Option<&'j str> {
    value[name].as_str()
}

fn words<const N: usize>(value: &Json, names: [&str; N]) -> [String; N] {
    names.map(|name| word(value, name).unwrap_or_default().to_owned())
}

fn list<'j>(value: &'j Json, name: &str) -> impl Iterator<Item = &'j Json> {
    value[name].as_array().into_iter().flatten()
}

/// The chain: what it is about, then a block a change; with `deliveries`, each by itself instead of how many there are.
#[must_use]
pub fn text(explained: &Json, deliveries: bool) -> String {
    let mut text = heading(explained);
    if let Some(note) = word(explained, "note") {
        write(&mut text, format_args!("  {note}\n"));
    }
    list(explained, "explanations").for_each(|one| explanation(&mut text, one));
    if let Some(day) = word(explained, "settlementDay") {
        line(&mut text, "settles", day);
    }
    let own = &explained["delivery"];
    if own.is_object() {
        write(&mut text, format_args!("  {}\n", delivery(own)));
    }
    let left_out = explained["leftOut"].as_u64().unwrap_or_default();
    for (place, change) in list(explained, "changes").enumerate() {
        if place == 1 && left_out > 0 {
            write(&mut text, format_args!("\n... {left_out} more ...\n"));
        }
        block(&mut text, change, deliveries);
    }
    text
}

/// Why it is in its state, until when, and what helps.
fn explanation(text: &mut String, one: &Json) {
    let [says, about] = words(one, ["says", "about"]);
    let ends = match (word(one, "until"), word(one, "then")) {
        (Some(until), Some(then)) => format!("; at {until} {then}"),
        (Some(until), None) => format!("; until {until}"),
        _ => String::new(),
    };
    line(text, "because", &format!("{says}{ends}"));
    for cure in list(one, "cures") {
        let way = word(cure, "operation").and_then(|operation| routes::of_operation(operation, &about));
        let way = way.map(|way| format!("  ({way})")).unwrap_or_default();
        line(text, "helps", &format!("{}{way}", word(cure, "says").unwrap_or_default()));
    }
}

fn heading(explained: &Json) -> String {
    let [what, id, resource] = words(explained, ["what", "id", "resource"]);
    let (shown, total) = (list(explained, "changes").count(), explained["total"].as_u64().unwrap_or_default());
    let mut text = format!("{what} {id}");
    if id != resource {
        write(&mut text, format_args!(", of {resource}"));
    }
    let changes = counted(total, "change");
    if shown as u64 == total {
        write(&mut text, format_args!(": {changes}"));
    } else {
        write(&mut text, format_args!(": {shown} of {changes}"));
    }
    if let Some(forgotten) = explained["forgotten"].as_u64().filter(|forgotten| *forgotten > 0) {
        let are = if forgotten == 1 { "is" } else { "are" };
        write(&mut text, format_args!("; {} {are} no longer kept", counted(forgotten, "earlier event")));
    }
    text + "\n"
}

fn counted(count: u64, noun: &str) -> String {
    let ending = match (count, noun.strip_suffix('y')) {
        (1, _) => return format!("1 {noun}"),
        (_, Some(stem)) => return format!("{count} {stem}ies"),
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

fn block(text: &mut String, change: &Json, deliveries: bool) {
    let act = word(change, "act").unwrap_or("what caused it is no longer kept");
    let cause = word(change, "timer").or_else(|| word(change, "command")).unwrap_or(act);
    write(text, format_args!("\n{}  {cause}\n", word(change, "at").unwrap_or_default()));
    if let Some(input) = change["input"].as_u64().filter(|input| *input > 0) {
        let passes = if word(change, "timer").is_some() { ", time passes" } else { "" };
        line(text, "input", &format!("{input}{passes}"));
    }
    if change["request"].is_object() {
        line(text, "request", &request(&change["request"]));
    }
    for event in list(change, "events") {
        list(event, "moves").for_each(|row| {
            let [table, from, on, to, effect] = words(row, ["table", "from", "on", "to", "effect"]);
            line(text, "table", &format!("{table}: {from} on {on} -> {to}, {effect}"));
        });
    }
    list(change, "bookings").for_each(|one| line(text, "booking", &booking(one)));
    list(change, "events").for_each(|one| event(text, one));
    deliveries_of_change(text, change, deliveries);
}

/// A line of a block: its label, and its text.
fn line(text: &mut String, label: &str, explained: &str) {
    write(text, format_args!("  {label:<8}  {explained}\n"));
}

fn request(request: &Json) -> String {
    let logged = &request["logged"];
    match (word(logged, "method"), word(logged, "path")) {
        (Some(method), Some(path)) => {
            let status = logged["status"].as_u64().map_or("no answer".to_owned(), |status| status.to_string());
            format!("{}: {method} {path}, {status}", request["requestId"])
        }
        _ => match word(request, "route") {
            Some(route) => format!("{}: {route}", request["requestId"]),
            None => request["requestId"].to_string(),
        },
    }
}

fn booking(booking: &Json) -> String {
    let [transaction, state] = words(booking, ["transaction", "state"]);
    let (debit, credit) = (word(booking, "debit"), word(booking, "credit"));
    let moved = match (debit, credit) {
        (Some(debit), Some(credit)) => format!("debit {debit}, credit {credit}: {}", booking["amount"]),
        (debit, credit) => {
            let (way, account) = if credit.is_some() { ("into", credit) } else { ("out of", debit) };
            let fund = word(booking, "instrument").unwrap_or_default();
            let price = if booking["price"].is_null() { String::new() } else { format!(" at {}", booking["price"]) };
            format!("{} units of {fund}{price} {way} {}", booking["units"], account.unwrap_or_default())
        }
    };
    format!("{moved}, {state}  (transaction {transaction})")
}

fn event(text: &mut String, event: &Json) {
    let [kind, resource, id] = words(event, ["eventType", "resource", "eventId"]);
    let status = match (word(event, "previousStatus"), word(event, "status")) {
        (Some(before), Some(after)) if before != after => format!("  {before} -> {after}"),
        (None, Some(status)) => format!("  {status}"),
        _ => String::new(),
    };
    line(text, "event", &format!("{kind} {resource}{status}  (event {id})"));
    let fields: Vec<_> = list(event, "changed").filter(|field| is_plain(field)).map(field).collect();
    for few in fields.iter().take(MOST_FIELDS).collect::<Vec<_>>().chunks(3) {
        line(text, "", &format!("  {}", few.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(", ")));
    }
    if fields.len() > MOST_FIELDS {
        line(text, "", &format!("  and {} more", counted((fields.len() - MOST_FIELDS) as u64, "field")));
    }
}

/// Whether what a field holds fits in a line.
fn is_plain(field: &Json) -> bool {
    ["before", "after"].iter().all(|side| !field[side].is_object() && !field[side].is_array())
}

fn field(field: &Json) -> String {
    let path = word(field, "path").unwrap_or_default();
    let shown = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (&field["before"], &field["after"]) {
        (Json::Null, after) => format!("{path} {}", shown(after)),
        (before, Json::Null) => format!("{path} {} -> nothing", shown(before)),
        (before, after) => format!("{path} {} -> {}", shown(before), shown(after)),
    }
}

/// The deliveries of a change.
fn deliveries_of_change(text: &mut String, change: &Json, each: bool) {
    let all: Vec<_> =
        list(change, "events").flat_map(|event| list(event, "deliveries").map(move |one| (event, one))).collect();
    if all.is_empty() {
        return;
    }
    if each {
        for (event, one) in all {
            line(text, "sent", &format!("{}: {}", word(event, "eventType").unwrap_or_default(), delivery(one)));
        }
        return;
    }
    let mut counts = BTreeMap::<String, u64>::new();
    for (_, one) in &all {
        *counts.entry(state(one)).or_default() += 1;
    }
    let counts: Vec<_> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    line(text, "sent", &format!("{}: {}", counted(all.len() as u64, "delivery"), counts.join(", ")));
}

fn delivery(delivery: &Json) -> String {
    let [id, url, queued] = words(delivery, ["id", "url", "queued"]);
    let made = delivery["attemptsMade"].as_u64().unwrap_or_default();
    format!("delivery {id} to {url}, queued {queued}: {}, {}", state(delivery), counted(made, "attempt"))
}

/// What became of a delivery so far, and what a fault rule had to do with it.
fn state(delivery: &Json) -> String {
    let fault = word(delivery, "fault").map(|fault| format!(" (fault rule: {fault})")).unwrap_or_default();
    format!("{}{fault}", word(delivery, "status").unwrap_or_default())
}

fn write(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    text.write_fmt(more).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer_of_why() -> Json {
        let delivery = |id: &str, status: &str| json!({ "id": id, "status": status, "url": "https://receiver.example/", "queued": "2026-03-02T07:00:01.000Z", "attemptsMade": 1 });
        let event = json!({
            "eventType": "order.update", "resource": "o", "eventId": "e", "status": "sent", "previousStatus": "sent",
            "changed": [
                { "path": "units", "before": null, "after": 8.5 },
                { "path": "price", "before": 117, "after": 118.25 },
                { "path": "text", "before": "a", "after": null },
                { "path": "legs", "before": [], "after": [1] },
            ],
            "moves": [],
            "deliveries": [delivery("d1", "delivered"), delivery("d2", "queued"), delivery("d3", "delivered")],
        });
        let change = json!({
            "at": "2026-03-02T17:35:00.000Z", "input": 4, "act": "time passes", "timer": "executions confirmed",
            "request": null, "bookings": [], "events": [event],
        });
        let first = json!({ "at": "2026-03-02T07:00:00.000Z", "input": null, "act": null, "request": null, "bookings": [], "events": [] });
        json!({ "id": "o", "what": "order", "resource": "o", "total": 9, "leftOut": 7, "forgotten": 1, "changes": [first, change] })
    }

    #[test]
    fn deliveries_are_counted_and_listed_one_by_one_on_demand() {
        let folded = "order o: 2 of 9 changes; 1 earlier event is no longer kept

2026-03-02T07:00:00.000Z  what caused it is no longer kept

... 7 more ...

2026-03-02T17:35:00.000Z  executions confirmed
  input     4, time passes
  event     order.update o  (event e)
              units 8.5, price 117 -> 118.25, text a -> nothing
  sent      3 deliveries: 2 delivered, 1 queued
";
        assert_eq!(text(&answer_of_why(), false), folded);
        let each = text(&answer_of_why(), true);
        let line = "  sent      order.update: delivery d2 to https://receiver.example/, queued 2026-03-02T07:00:01.000Z: queued, 1 attempt\n";
        assert!(each.contains(line) && each.matches("delivery d").count() == 3, "{each}");
    }

    #[test]
    fn an_answer_without_changes_is_shown_with_its_note() {
        let explained = json!({ "id": "c", "what": "client", "resource": "c", "total": 0, "forgotten": 0, "note": "nothing has happened", "changes": [] });
        assert_eq!(text(&explained, false), "client c: 0 changes\n  nothing has happened\n");
    }
}
