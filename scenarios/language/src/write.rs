//! From a story to a file.
//!
//! Owns: the spelling of every step. Law: reading what was written gives an equal story, places aside. Small maps are on one
//! line, so that generated stories read like written ones. Absent on purpose: comments; who saves a story says in `about`
//! what it is for.

use crate::ast::{
    Act, Actor, ApplicationRequest, Body, Book, Call, Expect, Expected, ExpectedResponse, Move, Network, Noun, Request,
    Save, Scenario, Server, SocketAct, StoryStep, Tries, WorldBlock,
};
use serde_json::Value as Json;
use std::borrow::Cow;
use tree::{LONGEST, Yaml, YamlEntry, entry, expected, fields, json, ms_in_words, plural, render, text};

mod block;
mod browser;
mod tree;

/// The story as a scenario file.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let mut top = vec![entry("fundsim", Yaml::number(crate::parse::FORMAT_VERSION))];
    let word = if scenario.fragment { "fragment" } else { "scenario" };
    top.push(entry(word, text(&scenario.title)));
    top.extend(scenario.about.as_ref().map(|about| entry("about", text(about))));
    top.extend(scenario.incomplete.as_ref().map(|missing| entry("incomplete", text(missing))));
    if !scenario.tags.is_empty() {
        top.push(entry("tags", Yaml::List(scenario.tags.iter().map(|tag| text(tag)).collect(), true)));
    }
    if scenario.world != WorldBlock::default() {
        top.push(entry("world", world(&scenario.world)));
    }
    if !scenario.examples.is_empty() {
        let rows = scenario.examples.iter().map(|row| fields(&row.values).flow()).collect();
        top.push(entry("examples", Yaml::List(rows, false)));
    }
    if !scenario.given.is_empty() {
        top.push(entry("given", steps(&scenario.given)));
    }
    top.push(entry("steps", steps(&scenario.steps)));
    render(&Yaml::Map(top, false))
}

/// A plain value as YAML: maps and lists on one line where they are short enough for one.
#[must_use]
pub fn value(value: &Json) -> String {
    let Json::Object(entries) = value else { return render(&json(value)) };
    let parts = entries.iter().map(|(key, value)| entry(key, folded(value))).collect();
    render(&Yaml::Map(parts, false))
}

/// Short parts on one line, long ones folded further.
fn folded(value: &Json) -> Yaml {
    match (json(value), value) {
        (Yaml::List(..), Json::Array(items)) if !items.is_empty() && items.iter().any(Json::is_object) => {
            Yaml::List(items.iter().map(folded).collect(), false)
        }
        (whole, Json::Object(entries)) if whole.width() > LONGEST => {
            Yaml::Map(entries.iter().map(|(key, value)| entry(key, folded(value))).collect(), false)
        }
        (whole, _) => whole.short(),
    }
}

/// One step on one line, as transcripts and reports show it; of a block its first word.
#[must_use]
pub fn write_step(step_: &StoryStep) -> String {
    let Yaml::Map(entries, _) = step(step_) else { return render(&step(step_)).trim_end().to_owned() };
    let is_whole = !matches!(step_.act, Act::Repeat(_) | Act::When(_));
    let entries = entries.into_iter().filter(|(key, _)| is_whole || !matches!(key.as_str(), "steps" | "otherwise"));
    let shown = entries.map(|(key, value)| {
        if matches!(value, Yaml::Null) {
            return key;
        }
        let value = render(&Yaml::Map(vec![entry("value", value.flow())], false));
        format!("{key}: {}", value.trim_start_matches("value: ").trim_end())
    });
    shown.collect::<Vec<_>>().join("  ").replace('\n', " ")
}

fn world(world: &WorldBlock) -> Yaml {
    let mut entries = Vec::new();
    entries.extend(world.seed.map(|seed| entry("seed", Yaml::number(seed))));
    entries.extend(world.start.as_ref().map(|start| entry("start", text(start))));
    entries.extend(world.setup.as_ref().map(|setup| entry("setup", json(setup))));
    if !world.settings.is_empty() {
        entries.push(entry("settings", fields(&world.settings)));
    }
    Yaml::Map(entries, false).short()
}

fn step(step: &StoryStep) -> Yaml {
    let mut save: Vec<&Save> = step.save.iter().collect();
    let mut entries = match &step.act {
        Act::Request(request) => vec![self::request(request, &mut save)],
        Act::Call(call) => self::call("call", call),
        Act::Application(request) => application(request),
        Act::Advance(how) => vec![entry("advance", text(&clock_move(how)))],
        Act::Expect(expect) => match expecting(expect) {
            Ok(entries) => entries,
            Err(word) if is_plain(step) => return text(&word),
            Err(word) => vec![entry(&word, Yaml::Null)],
        },
        Act::Let(values) => vec![entry("let", fields(values).short())],
        Act::ForgetEvents => return text("forget events"),
        Act::Socket(act) => match socket(act) {
            (word, None) if is_plain(step) => return text(word),
            (word, value) => vec![entry(word, value.unwrap_or(Yaml::Null))],
        },
        Act::Browse(browse) => match browser::browse(browse) {
            (word, None) => return text(word),
            (word, Some(value)) => vec![entry(word, value.short())],
        },
        Act::Receiver(behaviours) => vec![entry("receiver", browser::behaviours(behaviours))],
        Act::Network(network) => vec![entry("network", text(&network_words(*network)))],
        Act::Server(server) => vec![entry("server", text(server_word(*server)))],
        Act::Wait(time) => vec![entry("wait", text(&ms_in_words(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))))],
        Act::Repeat(block) => block::repeat(block, steps(&block.steps)),
        Act::When(block) => block::when(block, steps(&block.steps), steps(&block.otherwise)),
        Act::Deferred(late) => vec![entry(&late.word, json(&late.value).short())],
    };
    if step.actor != Actor::default() {
        entries.push(entry("as", text(&actor(step.actor))));
    }
    entries.extend(step.expect.as_ref().map(|answer| entry("expect", self::answer(answer))));
    if step.soft {
        entries.push(entry("soft", Yaml::Bool(true)));
    }
    if !save.is_empty() {
        let saved = save.into_iter().map(|save| entry(&save.name, text(&save.path))).collect();
        entries.push(entry("save", Yaml::Map(saved, true)));
    }
    Yaml::Map(entries, false)
}

fn steps(steps: &[StoryStep]) -> Yaml {
    Yaml::List(steps.iter().map(step).collect(), false)
}

/// Whether nothing is written beside the step's word.
fn is_plain(step: &StoryStep) -> bool {
    step.actor == Actor::default() && !step.soft && step.save.is_empty()
}

fn actor(actor: Actor) -> String {
    match actor {
        Actor::Nobody => "nobody".to_owned(),
        Actor::Client { partner, client: 1 } => format!("partner {partner}"),
        Actor::Client { partner: 1, client } => format!("client {client}"),
        Actor::Client { partner, client } => format!("partner {partner} client {client}"),
    }
}

/// A short form keeps its name inside, as `as`.
fn name_of(save: &mut Vec<&Save>) -> Option<YamlEntry> {
    let at = save.iter().position(|save| save.path == "$")?;
    Some(entry("as", text(&save.remove(at).name)))
}

/// A short form: its first field alone where that is all, otherwise a map with its name inside.
fn request(request: &Request, save: &mut Vec<&Save>) -> YamlEntry {
    let Request { word, arguments } = request;
    let mut fields: Vec<YamlEntry> = arguments.iter().map(|(field, value)| entry(field, json(value))).collect();
    let makes = word.sends().is_some_and(|sends| sends.makes);
    let value = match (word.short(), fields.as_mut_slice()) {
        (Some(first), [(field, _)]) if *field == first.name => fields.remove(0).1,
        _ => {
            let name = makes.then(|| name_of(save)).flatten();
            Yaml::Map(name.into_iter().chain(fields).collect(), false).short()
        }
    };
    entry(word.word, value)
}

fn application(request: &ApplicationRequest) -> Vec<YamlEntry> {
    let Tries::Until(within) = request.tries else { return call("app", &request.call) };
    let mut entries = call("expect app", &request.call);
    if within != Tries::USUAL {
        entries.push(entry("within", text(&ms_in_words(u64::try_from(within.as_millis()).unwrap_or(u64::MAX)))));
    }
    entries
}

fn call(word: &str, call: &Call) -> Vec<YamlEntry> {
    let mut entries = vec![entry(word, text(&format!("{} {}", call.method, call.path)))];
    if !call.query.is_empty() {
        entries.push(entry("query", fields(&call.query).short()));
    }
    if !call.headers.is_empty() {
        let headers = call.headers.iter().map(|(name, value)| entry(name, text(value))).collect();
        entries.push(entry("headers", Yaml::Map(headers, false).short()));
    }
    match &call.body {
        Body::None => {}
        Body::Json(body) => entries.push(entry("body", json(body).short())),
        Body::Form(form) => entries.push(entry("form", fields(form).short())),
        Body::Text(body) => entries.push(entry("text", text(body))),
    }
    entries
}

/// A move of the clock in words.
#[must_use]
pub fn clock_move(how: &Move) -> String {
    let counted = |count: &u32, unit: &str| plural(u64::from(*count), unit);
    match how {
        Move::By(period) => period_in_words(period),
        Move::BankDays(count) => counted(count, "bank day"),
        Move::Days(count) => counted(count, "day"),
        Move::To(instant) | Move::ToLocalTime(instant) => format!("to {instant}"),
        Move::CutOff { instrument: None, .. } => "to the cut-off".to_owned(),
        Move::CutOff { instrument: Some(fund), offset_ms: 0 } => format!("to the cut-off of {fund}"),
        Move::CutOff { instrument: Some(fund), offset_ms } => {
            let period = ms_in_words(offset_ms.unsigned_abs());
            let side = if *offset_ms < 0 { "before" } else { "after" };
            format!("to {period} {side} the cut-off of {fund}")
        }
        Move::Settlement(order) => format!("to the settlement of {order}"),
        Move::Until { noun: Noun::Order, of, status } => format!("until order {of} is {status}"),
        Move::Until { noun: Noun::Journey, of, status } => format!("until journey {of} is {status}"),
        Move::Until { noun: Noun::Account, of, status } => format!("until account {of} is {status}"),
        Move::Next => "next".to_owned(),
    }
}

/// A period in words, where reading the words gives this very spelling back.
fn period_in_words(period: &str) -> String {
    let one_unit = |unit: char, word: &str| {
        let count = period.strip_prefix("PT")?.strip_suffix(unit)?.parse::<u32>().ok()?;
        (period == format!("PT{count}{unit}")).then(|| plural(u64::from(count), word))
    };
    let calendar = |unit: char, word: &str| {
        let count = period.strip_prefix('P')?.strip_suffix(unit)?.parse::<u32>().ok()?;
        (period == format!("P{count}{unit}")).then(|| plural(u64::from(count), word))
    };
    one_unit('H', "hour")
        .or_else(|| one_unit('M', "minute"))
        .or_else(|| one_unit('S', "second"))
        .or_else(|| calendar('M', "month"))
        .or_else(|| calendar('Y', "year"))
        .unwrap_or_else(|| period.to_owned())
}

/// Entries of an expectation; a bare word where nothing follows it.
fn expecting(expect: &Expect) -> Result<Vec<YamlEntry>, Cow<'static, str>> {
    let one = |word: String, expected: &Expected| Ok(vec![entry(&word, self::expected(expected).short())]);
    match expect {
        Expect::Events { events, in_order, socket } => {
            let word = match (in_order, events.len()) {
                (true, 1) => "expect event",
                (true, _) => "expect events",
                (false, _) => "expect events in any order",
            };
            let mut shown: Vec<_> = events.iter().map(browser::event).collect();
            let value = if *in_order && shown.len() == 1 { shown.remove(0) } else { Yaml::List(shown, false) };
            let mut entries = vec![entry(word, value)];
            entries.extend(socket.as_ref().map(|socket| entry("on", text(socket))));
            Ok(entries)
        }
        Expect::NothingElse(only) if only.is_empty() => Err("nothing else happens".into()),
        Expect::NothingElse(only) => {
            Ok(vec![entry("nothing else happens", Yaml::List(only.iter().map(|kind| text(kind)).collect(), true))])
        }
        Expect::Order(of, expected) => one(format!("expect order {of}"), expected),
        Expect::Account(of, expected) => one(format!("expect account {of}"), expected),
        Expect::Cash(of, expected) => one(format!("expect cash of {of}"), expected),
        Expect::Units { account, instrument, expected } => {
            one(format!("expect units of {account} in {instrument}"), expected)
        }
        Expect::Position { account, instrument, expected } => {
            one(format!("expect position of {account} in {instrument}"), expected)
        }
        Expect::Instrument(of, expected) => one(format!("expect instrument {of}"), expected),
        Expect::Transactions { book, noun, of, expected, single } => {
            let book = if *book == Book::Cash { "cash" } else { "fund" };
            let noun = if *noun == Noun::Order { "order" } else { "account" };
            let plural = if *single { "" } else { "s" };
            one(format!("expect {book} transaction{plural} of {noun} {of}"), expected)
        }
        Expect::Journey(of, expected) => one(format!("expect journey {of}"), expected),
        Expect::Page(wanted) => Ok(vec![entry("expect page", browser::page(wanted).short())]),
        Expect::Callback(of, expected) => one(format!("expect callback of {of}"), expected),
        Expect::NoCallback(None) => Err("no callback".into()),
        Expect::NoCallback(Some(of)) => Err(format!("no callback of {of}").into()),
        Expect::Webhooks(events) => Ok(vec![entry("expect webhook", browser::webhooks(events))]),
        Expect::NoWebhook => Err("no webhook".into()),
        Expect::Delivery(of, expected) => one(format!("expect delivery of {of}"), expected),
        Expect::Clock(expected) => one("expect clock".to_owned(), expected),
        Expect::Value(value, expected) => one(format!("expect value {value}"), expected),
    }
}
fn answer(answer: &ExpectedResponse) -> Yaml {
    if answer.no_answer {
        return text("no answer");
    }
    let mut entries = Vec::new();
    entries.extend(answer.status.as_ref().map(|expected| entry("status", status(expected))));
    entries.extend(answer.because.as_ref().map(|because| entry("because", text(because))));
    entries.extend(answer.body.as_ref().map(|body| entry("body", expected(body))));
    if !answer.headers.is_empty() {
        let headers = answer.headers.iter().map(|(name, value)| entry(name, expected(value))).collect();
        entries.push(entry("headers", Yaml::Map(headers, false)));
    }
    match entries.as_slice() {
        [(word, Yaml::Number(status))] if word == "status" => Yaml::Number(status.clone()),
        [(word, Yaml::Text(status))] if word == "status" => text(status),
        _ => Yaml::Map(entries, false).short(),
    }
}

/// A class such as `4xx` as it was written.
fn status(status: &Expected) -> Yaml {
    match status {
        Expected::Like(class) if class.ends_with("??") => text(&class.replace('?', "x")),
        other => expected(other),
    }
}

fn socket(act: &SocketAct) -> (&'static str, Option<Yaml>) {
    match act {
        SocketAct::Open(name) => ("open socket", name.as_deref().map(text)),
        SocketAct::Close(name) => ("close socket", name.as_deref().map(text)),
        SocketAct::Closed { name, code } => {
            let mut entries = Vec::new();
            entries.extend(name.as_deref().map(|name| entry("socket", text(name))));
            entries.extend(code.map(|code| entry("code", Yaml::number(code))));
            ("expect socket closed", (!entries.is_empty()).then_some(Yaml::Map(entries, true)))
        }
    }
}

fn network_words(network: Network) -> String {
    match network {
        Network::Cut => "cut".to_owned(),
        Network::Repaired => "repaired".to_owned(),
        Network::Held => "held".to_owned(),
        Network::Released => "released".to_owned(),
        Network::Latency { ms } => format!("latency {ms} ms"),
    }
}

const fn server_word(server: Server) -> &'static str {
    match server {
        Server::Crashes => "crashes",
        Server::Restarts => "restarts",
        Server::RestartsEmpty => "restarts empty",
    }
}
