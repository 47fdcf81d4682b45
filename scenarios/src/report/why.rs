//! Why something is as it is, for people: the chain of changes that a server tells, a paragraph a change.
//!
//! Absent on purpose: asking for it.

use serde_json::Value as Json;
use std::fmt::Write as _;

fn word<'j>(value: &'j Json, name: &str) -> Option<&'j str> {
    value[name].as_str()
}

fn list<'j>(value: &'j Json, name: &str) -> impl Iterator<Item = &'j Json> {
    value[name].as_array().into_iter().flatten()
}

/// The chain: what it is about, then a paragraph a change.
#[must_use]
pub fn text(told: &Json) -> String {
    let (what, resource) = (word(told, "what").unwrap_or_default(), word(told, "resource").unwrap_or_default());
    let shown = list(told, "changes").count();
    let mut text = format!("{what} {}", word(told, "id").unwrap_or_default());
    if word(told, "id") != Some(resource) {
        write(&mut text, format_args!(", of {resource}"));
    }
    write(&mut text, format_args!(": {shown} of {} changes", told["total"]));
    if told["forgotten"].as_u64().is_some_and(|forgotten| forgotten > 0) {
        write(&mut text, format_args!("; {} earlier events are no longer kept", told["forgotten"]));
    }
    text.push('\n');
    for change in list(told, "changes") {
        write(&mut text, format_args!("\n{}  {}\n", word(change, "at").unwrap_or_default(), cause(change)));
        list(change, "events").for_each(|event| tell(&mut text, event));
    }
    text
}

/// What caused a change: what fired or was asked, and by which input of which request.
fn cause(change: &Json) -> String {
    let act = word(change, "act").unwrap_or("what caused it is no longer kept");
    let mut text = match (word(change, "timer"), word(change, "command")) {
        (Some(timer), _) => timer.to_owned(),
        (None, Some(command)) => command.to_owned(),
        (None, None) => act.to_owned(),
    };
    write(&mut text, format_args!("  (input {}", change["input"]));
    let request = &change["request"];
    if !request.is_null() {
        write(&mut text, format_args!(", request {}", request["requestId"]));
        let logged = &request["logged"];
        match (word(logged, "method"), word(logged, "path")) {
            (Some(method), Some(path)) => write(&mut text, format_args!(": {method} {path} {}", logged["status"])),
            _ => word(request, "route").into_iter().for_each(|route| write(&mut text, format_args!(": {route}"))),
        }
    }
    text + ")"
}

fn tell(text: &mut String, event: &Json) {
    let (kind, resource) = (word(event, "eventType").unwrap_or_default(), word(event, "resource").unwrap_or_default());
    write(text, format_args!("  {kind} {resource}"));
    match (word(event, "previousStatus"), word(event, "status")) {
        (Some(before), Some(after)) if before != after => write(text, format_args!("  {before} -> {after}")),
        (None, Some(status)) => write(text, format_args!("  {status}")),
        _ => {}
    }
    if !event["amount"].is_null() {
        write(text, format_args!("  {}", event["amount"]));
    }
    text.push('\n');
    for row in list(event, "moves") {
        let [table, from, on, to, effect] =
            ["table", "from", "on", "to", "effect"].map(|name| word(row, name).unwrap_or_default());
        write(text, format_args!("    {table}: {from} on {on} -> {to}, {effect}\n"));
    }
    for delivery in list(event, "deliveries") {
        let [id, status, url] = ["id", "status", "url"].map(|name| word(delivery, name).unwrap_or_default());
        let made = delivery["attemptsMade"].as_u64().unwrap_or_default();
        let times = if made == 1 { "attempt" } else { "attempts" };
        let fault = word(delivery, "fault").map(|fault| format!(" (fault rule: {fault})")).unwrap_or_default();
        write(text, format_args!("    delivery {id} to {url}: {status}, {made} {times}{fault}\n"));
    }
}

fn write(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    text.write_fmt(more).unwrap_or_default();
}
