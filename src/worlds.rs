//! `fundsim worlds`: the worlds of a running sandbox, listed, made, forked, put back and dropped.
//!
//! Invariant: what goes back or is dropped is named where there are several. Absent on purpose: what a world is, which the server says.

use crate::args::running::Server;
use crate::args::terminal::{OfWorld, Worlds, WorldsJob};
use crate::bearer::{self, Fault, Shown};
use crate::exit::WELL;
use crate::out;
use crate::table::{add, columns};
use runner::report::printable;
use serde_json::{Map, Value as Json};
use std::path::Path;

/// Does what is asked with worlds.
pub(crate) fn worlds(flags: &Worlds) -> u8 {
    match answer(flags) {
        Ok(text) => {
            out::say(&printable(&text));
            WELL
        }
        Err(fault) => fault.say(),
    }
}

fn answer(flags: &Worlds) -> Result<String, Fault> {
    let Some(what) = &flags.what else { return list(&flags.server) };
    match what {
        WorldsJob::List { server } => list(server),
        WorldsJob::Show { of } => {
            let shown = shown(&of.server)?;
            let world = shown.world(of.world.as_deref())?;
            let answer = shown.ask("GET", &path(&world), None)?;
            Ok(written(&of.server, &answer, one))
        }
        WorldsJob::New { name, seed, start, setup, clock, server } => {
            let mut body = Map::new();
            let mut set = |key: &str, value: Option<Json>| body.extend(value.map(|value| (key.to_owned(), value)));
            set("name", name.clone().map(Json::from));
            set("seed", seed.map(Json::from));
            set("start", start.clone().map(Json::from));
            set("clock", clock.clone().map(Json::from));
            set("setup", setup.as_deref().map(setup_of).transpose()?);
            let answer = shown(server)?.ask("POST", "/_sandbox/worlds", Some(&Json::Object(body)))?;
            Ok(written(server, &answer, one))
        }
        WorldsJob::Fork { name, at, input, of } => {
            let body = [("name", name.clone().map(Json::from)), ("at", at.clone().map(Json::from)), number(*input)];
            done(of, None, "POST", "/fork", &body)
        }
        WorldsJob::Rewind { to, input, of } => {
            done(of, Some("rewind"), "POST", "/rewind", &[("to", to.clone().map(Json::from)), number(*input)])
        }
        WorldsJob::Reset { of } => done(of, Some("reset"), "POST", "/reset", &[]),
        WorldsJob::Drop { of } => {
            let shown = shown(&of.server)?;
            let world = shown.one_world(of.world.as_deref(), "drop")?;
            let answer = shown.ask("DELETE", &path(&world), None)?;
            Ok(written(&of.server, &answer, |world| format!("dropped {}\n", called(world))))
        }
    }
}

fn shown(server: &Server) -> Result<Shown, String> {
    bearer::shown(server.url.as_deref(), &server.bearer)
}

fn path(world: &str) -> String {
    format!("/_sandbox/worlds/{world}")
}

fn number(input: Option<u64>) -> (&'static str, Option<Json>) {
    ("input", input.map(Json::from))
}

/// The setup in a file, as the server takes it.
fn setup_of(file: &Path) -> Result<Json, String> {
    language::parse::load_value(file).map_err(|faults| {
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        format!("--setup {}", faults.join("; "))
    })
}

/// What is done to one world, and what became of it. Without `act`, the first world will do where none is named.
fn done(
    of: &OfWorld,
    act: Option<&str>,
    method: &str,
    below: &str,
    body: &[(&str, Option<Json>)],
) -> Result<String, Fault> {
    let shown = shown(&of.server)?;
    let world = match act {
        Some(act) => shown.one_world(of.world.as_deref(), act)?,
        None => shown.world(of.world.as_deref())?,
    };
    let given = body.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value.clone()?)));
    let body: Map<_, _> = given.collect();
    let body = Json::Object(body);
    let body = if below == "/reset" { None } else { Some(&body) };
    let answer = shown.ask(method, &format!("{}{below}", path(&world)), body)?;
    Ok(written(&of.server, &answer, one))
}

/// An answer as the flags want it.
fn written(server: &Server, answer: &Json, text: impl Fn(&Json) -> String) -> String {
    if server.json { format!("{answer}\n") } else { text(answer) }
}

/// All worlds that the caller may see.
fn list(server: &Server) -> Result<String, Fault> {
    let shown = shown(server)?;
    let answer = if shown.is_partner {
        Json::Array(vec![shown.ask("GET", "/_sandbox/worlds/current", None)?])
    } else {
        shown.ask("GET", "/_sandbox/worlds", None)?
    };
    Ok(written(server, &answer, |answer| {
        let rows: Vec<_> = answer.as_array().into_iter().flatten().map(row).collect();
        if rows.is_empty() {
            return "no worlds; `fundsim worlds new` makes one\n".to_owned();
        }
        columns(&["world", "name", "clock shows", "clock", "input", "events", "sockets", ""], &rows)
    }))
}

fn row(world: &Json) -> [String; 8] {
    let note = match (world["failure"].as_object(), world["forkOf"].as_object()) {
        (Some(_), _) => "has failed: `fundsim worlds show` says why".to_owned(),
        (None, Some(fork)) => {
            let of = |key: &str| fork.get(key).map(plain).unwrap_or_default();
            format!("fork of {} after input {}", of("worldId"), of("input"))
        }
        (None, None) => String::new(),
    };
    let cell = |key: &str| plain(&world[key]);
    [cell("worldId"), cell("name"), cell("now"), cell("clock"), cell("input"), cell("events"), cell("sockets"), note]
}

/// A value without quotes.
pub(crate) fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

/// The id of a world, with its name where it has one.
pub(crate) fn called(world: &Json) -> String {
    let (id, name) = (plain(&world["worldId"]), plain(&world["name"]));
    if name.is_empty() || name == id { id } else { format!("{id} ({name})") }
}

/// A world: what it is, then its partners.
fn one(world: &Json) -> String {
    let mut text = format!("{}\n", called(world));
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            add(&mut text, format_args!("  {name:<13}{value}\n"));
        }
    };
    for (name, key) in
        [("server", "url"), ("seed", "seed"), ("start", "start"), ("clock shows", "now"), ("clock", "clock")]
    {
        line(name, plain(&world[key]));
    }
    if world["input"].is_number() {
        line("input", format!("{}, back to {}", plain(&world["input"]), plain(&world["firstInput"])));
        line("events", plain(&world["events"]));
        line("sockets", plain(&world["sockets"]));
        let (recorded, missing) = (&world["recording"]["requests"], plain(&world["recording"]["missing"]));
        let missing = if missing == "0" { String::new() } else { format!(", and {missing} later ones not") };
        line("recorded", format!("{} requests{missing}", plain(recorded)));
    }
    if let Some(fork) = world["forkOf"].as_object() {
        let of = |key: &str| fork.get(key).map(plain).unwrap_or_default();
        line("fork of", format!("{} after input {}, at {}", of("worldId"), of("input"), of("at")));
    }
    if let Some(failure) = world["failure"].as_object() {
        let of = |key: &str| failure.get(key).map(plain).unwrap_or_default();
        line("failed", format!("at {}: {} {}", of("at"), of("message"), of("command")));
    }
    for partner in world["partners"].as_array().into_iter().flatten() {
        add(&mut text, format_args!("\npartner {}\n", plain(&partner["name"])));
        for (name, key) in
            [("client id", "clientId"), ("client secret", "clientSecret"), ("callbacks", "callbackSecret")]
        {
            let value = plain(&partner[key]);
            if !value.is_empty() {
                add(&mut text, format_args!("  {name:<15}{value}\n"));
            }
        }
        for client in partner["clients"].as_array().into_iter().flatten() {
            add(&mut text, format_args!("  {:<15}{}  {}\n", "client", plain(&client["id"]), plain(&client["name"])));
        }
    }
    text
}
