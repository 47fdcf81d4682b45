//! One step: what may be written beside its word, what it does, and what it saves.

use super::connections::{closed, network, optional_name, server};
use super::expected::{answer, event_type, events, expected};
use super::late::is_late;
use super::moves::{clock_move, is_move, wait};
use super::reader::{Reader, plain};
use super::statuses::{self, Of};
use super::{application, bodies, browse, receiver, request};
use crate::ast::{
    Act, Actor, ApplicationRequest, Book, Deferred, Expect, ExpectedResponse, Noun, Save, SocketAct, StoryStep, Tries,
};
use crate::diagnostic::Span;
use crate::template::is_name_character;
use crate::tree::{Key, Node, NodeKind};
use crate::words::{Takes, Word};
use serde_json::Value as Json;

/// What is written beside a step's word.
pub(super) type Extras<'n> = [&'n (Key, Node)];

pub(super) fn extra<'n>(extras: &Extras<'n>, word: &str) -> Option<&'n Node> {
    extras.iter().find(|(key, _)| key.text == word).map(|(_, node)| node)
}

/// The step of a word: who acts, what is done, what is expected and saved.
pub(super) fn of_word(
    reader: &mut Reader<'_>,
    row: &'static Word,
    captured: &[String],
    key: &Key,
    value: &Node,
    extras: &Extras<'_>,
) -> Option<StoryStep> {
    let actor = extra(extras, "as").map_or_else(Actor::default, |node| actor(reader, node));
    let mut save = Vec::new();
    let act = act(reader, row, captured, key, value, extras, &mut save);
    let expect = extra(extras, "expect").map(|node| answer(reader, node));
    if let Some(Act::Request(request)) = &act {
        bodies::check(reader, request, value, expect.as_ref());
    }
    if let Some(node) = extra(extras, "save") {
        saves(reader, node, &mut save);
    }
    let soft = extra(extras, "soft").and_then(|node| reader.truth(node, "`soft`")).unwrap_or(false);
    // A step that is wrong still saves what later steps speak of.
    for saved in &save {
        reader.learn(&saved.name);
    }
    let act = act?;
    check_saves(reader, &act, expect.as_ref(), &save, &key.span);
    Some(StoryStep { place: Some(reader.place(&key.span)), actor, act, expect, save, soft })
}

fn check_saves(reader: &mut Reader<'_>, act: &Act, expect: Option<&ExpectedResponse>, save: &[Save], span: &Span) {
    if matches!(act, Act::Request(_) | Act::Call(_) | Act::Application(_))
        && expect.is_some_and(|expect| expect.no_answer)
        && !save.is_empty()
    {
        reader.fault(span, "a request without an answer has nothing to save");
    }
}

pub(super) fn allow(reader: &mut Reader<'_>, key: &Key, extras: &Extras<'_>, allowed: &[&str]) {
    for (extra, _) in extras {
        if !allowed.contains(&extra.text.as_str()) {
            let hint = match allowed {
                [] => "it takes no other words".to_owned(),
                _ => format!("it can be combined with: {}", allowed.join(", ")),
            };
            let fault = reader.fault(&extra.span, format!("`{}` cannot be combined with `{}`", extra.text, key.text));
            fault.hint = Some(hint);
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "one step's parts, taken apart once")]
fn act(
    reader: &mut Reader<'_>,
    row: &'static Word,
    captured: &[String],
    key: &Key,
    value: &Node,
    extras: &Extras<'_>,
    save: &mut Vec<Save>,
) -> Option<Act> {
    match &row.takes {
        Takes::Call => {
            let call = request::call(reader, value, extras)?;
            match row.word {
                "app" => Some(Act::Application(ApplicationRequest { call, tries: Tries::Once })),
                "expect app" => {
                    application::awaited(reader, call, value, extra(extras, "within")).map(Act::Application)
                }
                _ => Some(Act::Call(call)),
            }
        }
        Takes::Request(sends) => request::request(reader, row, sends, value, save).map(Act::Request),
        Takes::Nothing => {
            bare(reader, key, value)?;
            quiet(reader, row.word, captured, value)
        }
        Takes::Events if row.beside.contains(&"on") => {
            let socket = extra(extras, "on").and_then(|node| reader.text(node, "a socket"));
            let in_order = row.word != "expect events in any order";
            Some(Act::Expect(Expect::Events { events: events(reader, value), in_order, socket }))
        }
        Takes::Expected => expectation(reader, row.word, captured, value).map(Act::Expect),
        _ => {
            let plain = plain(value);
            if !is_late(row.word, &plain) || (row.word == "advance" && is_move(value)) {
                return quiet(reader, row.word, captured, value);
            }
            // Its names are checked here; what it means is, when they have values.
            let value = reader.json(value);
            Some(Act::Deferred(Deferred { word: key.text.clone(), value }))
        }
    }
}

/// What is neither a request nor an expectation of one value.
fn quiet(reader: &mut Reader<'_>, word: &str, captured: &[String], value: &Node) -> Option<Act> {
    Some(match word {
        "receiver" => Act::Receiver(receiver::receiver(reader, value)?),
        "expect page" => Act::Expect(Expect::Page(browse::page(reader, value))),
        "expect webhook" => Act::Expect(Expect::Webhooks(events(reader, value))),
        "no webhook" => Act::Expect(Expect::NoWebhook),
        "no callback" | "no callback of JOURNEY" => Act::Expect(Expect::NoCallback(captured.first().cloned())),
        "advance" => Act::Advance(clock_move(reader, value)?),
        "let" => Act::Let(lets(reader, value)),
        "forget events" => Act::ForgetEvents,
        "nothing else happens" => Act::Expect(Expect::NothingElse(only(reader, value))),
        "open socket" => Act::Socket(SocketAct::Open(optional_name(reader, value))),
        "close socket" => Act::Socket(SocketAct::Close(optional_name(reader, value))),
        "expect socket closed" => Act::Socket(closed(reader, value)?),
        "network" => Act::Network(network(reader, value)?),
        "server" => Act::Server(server(reader, value)?),
        "wait" => Act::Wait(wait(reader, value)?),
        _ => Act::Browse(browse::browse(reader, word, value)?),
    })
}

fn expectation(reader: &mut Reader<'_>, word: &str, captured: &[String], value: &Node) -> Option<Expect> {
    if value.kind == NodeKind::Null && !matches!(word, "expect value VALUE") {
        reader.fault(&value.span, "what is expected is missing").hint =
            Some("`any` and `absent` are expectations too".to_owned());
        return None;
    }
    let expected = expected(reader, value);
    let status = match word {
        "expect order ORDER" => Some(Of::Noun(Noun::Order)),
        "expect account ACCOUNT" => Some(Of::Noun(Noun::Account)),
        "expect journey JOURNEY" | "expect callback of JOURNEY" => Some(Of::Noun(Noun::Journey)),
        "expect delivery of JOURNEY" => Some(Of::Delivery),
        _ => None,
    };
    if let Some(of) = status {
        statuses::check_expected(reader, of, &expected, &value.span);
    }
    let first = captured.first().cloned().unwrap_or_default();
    let second = captured.get(1).cloned().unwrap_or_default();
    let transactions =
        |book, noun, single| Expect::Transactions { book, noun, of: first.clone(), expected: expected.clone(), single };
    Some(match word {
        "expect order ORDER" => Expect::Order(first, expected),
        "expect account ACCOUNT" => Expect::Account(first, expected),
        "expect journey JOURNEY" => Expect::Journey(first, expected),
        "expect callback of JOURNEY" => Expect::Callback(first, expected),
        "expect delivery of JOURNEY" => Expect::Delivery(first, expected),
        "expect cash of ACCOUNT" => Expect::Cash(first, expected),
        "expect units of ACCOUNT in INSTRUMENT" => Expect::Units { account: first, instrument: second, expected },
        "expect position of ACCOUNT in INSTRUMENT" => Expect::Position { account: first, instrument: second, expected },
        "expect instrument INSTRUMENT" => Expect::Instrument(first, expected),
        "expect cash transaction of order ORDER" => transactions(Book::Cash, Noun::Order, true),
        "expect fund transaction of order ORDER" => transactions(Book::Fund, Noun::Order, true),
        "expect cash transactions of order ORDER" => transactions(Book::Cash, Noun::Order, false),
        "expect fund transactions of order ORDER" => transactions(Book::Fund, Noun::Order, false),
        "expect cash transactions of account ACCOUNT" => transactions(Book::Cash, Noun::Account, false),
        "expect fund transactions of account ACCOUNT" => transactions(Book::Fund, Noun::Account, false),
        "expect clock" => Expect::Clock(expected),
        // Quotes in the middle of a key are part of it, to YAML; hardly to its author.
        "expect value VALUE" => {
            let inner = first.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(str::to_owned);
            Expect::Value(inner.unwrap_or(first), expected)
        }
        _ => return None,
    })
}

fn bare(reader: &mut Reader<'_>, key: &Key, value: &Node) -> Option<()> {
    if value.kind == NodeKind::Null {
        return Some(());
    }
    reader.fault(&value.span, format!("`{}` takes no other words", key.text));
    None
}

/// Event types that `nothing else happens` is limited to.
fn only(reader: &mut Reader<'_>, value: &Node) -> Vec<String> {
    match &value.kind {
        NodeKind::Null => Vec::new(),
        _ => reader
            .one_or_many(value)
            .iter()
            .filter_map(|item| {
                let kind = reader.text(item, "an event type")?;
                Some(event_type(reader, &kind, item))
            })
            .collect(),
    }
}

pub(super) fn lets(reader: &mut Reader<'_>, value: &Node) -> Vec<(String, Json)> {
    let mut values = Vec::new();
    for (key, value) in reader.map(value, "`let`") {
        check_name(reader, key);
        values.push((key.text.clone(), reader.json(value)));
        reader.learn(&key.text);
    }
    values
}

fn check_name(reader: &mut Reader<'_>, key: &Key) {
    if key.text.is_empty() || !key.text.chars().all(is_name_character) {
        reader.fault(&key.span, format!("`{}` cannot be a name", key.text)).hint =
            Some("a name has letters, digits, spaces, hyphens and underscores".to_owned());
    }
}

/// `partner 2`, `client 2`, `partner 2 client 1`, `nobody`.
fn actor(reader: &mut Reader<'_>, node: &Node) -> Actor {
    let Some(text) = reader.text(node, "who acts") else { return Actor::default() };
    if text == "nobody" {
        return Actor::Nobody;
    }
    let (mut partner, mut client) = (1, 1);
    let mut parts = text.split(' ').peekable();
    let mut ok = parts.peek().is_some();
    while let Some(part) = parts.next() {
        let number = parts.next().and_then(|number| number.parse::<usize>().ok()).filter(|number| *number > 0);
        match (part, number) {
            ("partner", Some(number)) => partner = number,
            ("client", Some(number)) => client = number,
            _ => ok = false,
        }
    }
    if !ok {
        reader.fault(&node.span, format!("there is no caller `{text}`")).hint =
            Some("as in `partner 2`, `client 2`, `partner 2 client 1` or `nobody`".to_owned());
    }
    Actor::Client { partner, client }
}

fn saves(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) {
    match &node.kind {
        NodeKind::Text(name) => {
            check_name(reader, &Key { text: name.clone(), span: node.span.clone() });
            save.push(Save { name: name.clone(), path: "$".to_owned() });
        }
        _ => {
            for (key, value) in reader.map(node, "`save`") {
                check_name(reader, key);
                let Some(path) = reader.text(value, "a path") else { continue };
                if path != "$" && !path.starts_with("$.") && !path.starts_with("$[") {
                    let hint = format!("did you mean `$.{path}`?");
                    reader.fault(&value.span, format!("`{path}` is not a path into the answer")).hint = Some(hint);
                } else if let Err(why) = crate::path::check(&path) {
                    reader.fault(&value.span, format!("`{path}` is not a path: {why}")).hint =
                        Some("as in `$.id`, `$.list[0].id` or `$.list[?@.status == 'sent'].id`".to_owned());
                }
                save.push(Save { name: key.text.clone(), path });
            }
        }
    }
}
