//! What has a name of its own: a word of the language with its fields, the lever it pulls, a route, a setting, a type of journey.
//!
//! Invariant: it is printed from the row that makes it so. Absent on purpose: other bodies of the partner API, which the
//! OpenAPI document describes.

use super::layout::{about, bounds};
use super::{journeys, setup};
use crate::table::add;
use feed::transport::SurfaceSettings;
use language::words::{self, Word};
use sim::settings::{SettingRow, Settings};
use surface::auth::ScopeDemand;
use surface::route::{Authorization, Route};

/// What `wanted` is, whichever of these it names.
pub(super) fn text(wanted: &str) -> Option<String> {
    let wanted = wanted.trim().trim_end_matches(':');
    let is_word = |word: &&Word| word.word == wanted || word.alias == Some(wanted);
    words::STEPS
        .iter()
        .find(is_word)
        .map(whole)
        .or_else(|| beside(wanted))
        .or_else(|| route(wanted))
        .or_else(|| {
            setting(Settings::ROWS, wanted, "`settings` of a setup, `world` in `/_sandbox/worlds/{id}/settings`")
        })
        .or_else(|| setting(SurfaceSettings::ROWS, wanted, "`settings` of a setup, `/_sandbox/worlds/{id}/settings`"))
        .or_else(|| setup::part(wanted))
        .or_else(|| journeys::configuration(wanted))
}

/// Names that may have been meant.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let steps = words::STEPS.iter().flat_map(|word| std::iter::once(word.word).chain(word.alias));
    steps
        .chain(words::listed(words::BESIDE))
        .chain(words::setting_names())
        .chain(journeys::names())
        .chain(sandbox::rows().map(|row| row.path))
}

/// A step with everything that it takes.
fn whole(word: &Word) -> String {
    let mut text = step(word);
    if let Some(noun) = word.takes.noun() {
        let nothing = if word.alone { ", or nothing" } else { "" };
        add(&mut text, format_args!("    takes {noun}{nothing}\n"));
    }
    let beside = words::BESIDE.iter().filter(|(name, _)| word.beside.contains(name));
    for (number, (name, about)) in beside.enumerate() {
        let head = if number == 0 { "    beside it:\n" } else { "" };
        add(&mut text, format_args!("{head}      {name}: {about}\n"));
    }
    text
}

/// A step: what it does, how it is written, what it sends, its fields.
pub(super) fn step(word: &Word) -> String {
    let mut text = format!("{}\n    {}\n    - {}\n", word.word, word.about, word.example.replace('\n', "\n      "));
    if let Some(sends) = word.sends() {
        add(&mut text, format_args!("    {} {}\n", sends.method, sends.path));
    }
    for field in word.fields() {
        let needed = if field.is_required() { ", required" } else { "" };
        add(&mut text, format_args!("      {}{needed}: {} ({})\n", field.name, field.about, field.kind.noun()));
    }
    text
}

/// A word that goes with others, and with which.
fn beside(wanted: &str) -> Option<String> {
    let (word, about) = words::BESIDE.iter().find(|(word, _)| *word == wanted)?;
    let mut others: Vec<&str> = Vec::new();
    for row in words::STEPS.iter().filter(|row| row.beside.contains(word)) {
        let kind = match row.word {
            _ if row.sends().is_some() => "requests",
            it if it.starts_with("expect ") || it.starts_with("no ") => "expectations",
            it => it,
        };
        if !others.contains(&kind) {
            others.push(kind);
        }
    }
    Some(format!("{word}\n    {about}\n    beside: {}\n", others.join(", ")))
}

/// A path, with or without its method: who may call it, and the step that does.
fn route(wanted: &str) -> Option<String> {
    let (method, path) = wanted.split_once(' ').map_or((None, wanted), |(method, path)| (Some(method), path));
    let is_it = |row: &&Route| nameless(row.path) == nameless(path) && method.is_none_or(|method| row.method == method);
    let routes: Vec<_> = sandbox::rows().filter(is_it).map(one_route).collect();
    (!routes.is_empty()).then(|| routes.join("\n"))
}

fn one_route(row: &Route) -> String {
    let mut text = format!("{} {}\n    {}\n", row.method, row.path, who(row.authorization));
    // What a word does not name of a path is the client's.
    let sends_it =
        |word: &&Word| word.sends().is_some_and(|sends| row.method == sends.method && row.path.ends_with(sends.path));
    for word in words::STEPS.iter().filter(sends_it) {
        add(&mut text, format_args!("\nIn a story:\n\n{}", step(word)));
    }
    text
}

fn who(authorization: Authorization) -> String {
    match authorization {
        Authorization::Nothing => "open to everybody".to_owned(),
        Authorization::Token => "needs an access token".to_owned(),
        Authorization::Right(right) => format!("needs an access token with {right}"),
        Authorization::AnyRead(resources) => {
            let names: Vec<_> = resources.iter().map(|resource| format!("{resource}:read")).collect();
            format!("needs an access token with one of {}", names.join(", "))
        }
        Authorization::AnyWrite => "needs an access token that may write something".to_owned(),
        Authorization::Operator | Authorization::AllWorlds => "the operator's".to_owned(),
        Authorization::OwnWorld(demand) => format!(
            "the operator's, and for its own world a partner's whose access token {}",
            match demand {
                ScopeDemand::Token => "is valid",
                ScopeDemand::EveryRead => "may read everything",
                ScopeDemand::Everything => "may do everything",
            }
        ),
    }
}

/// A path without the names in braces.
fn nameless(path: &str) -> String {
    let pieces = path.split('/').map(|piece| if piece.starts_with('{') { "{}" } else { piece });
    pieces.collect::<Vec<_>>().join("/")
}

fn setting<S: Default>(rows: &[SettingRow<S>], wanted: &str, place: &str) -> Option<String> {
    let row = rows.iter().find(|row| row.name == wanted)?;
    let default = wire::setup::settings::value((row.get)(&S::default()));
    Some(format!(
        "{}\n    {}\n    default: {default}\n    bounds: {}\n    stands in: {place}\n",
        row.name,
        about(row),
        bounds(row.kind),
    ))
}
