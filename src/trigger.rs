//! `fundsim trigger`: one step of the language of stories, sent to a world that runs.
//!
//! Invariant: what is sent for a word is what a story sends for it. Absent on purpose: how arguments become a step (`step`), and how it is
//! sent (`runner::visit`).

use crate::args::Arguments;
use crate::args::terminal::Trigger;
use crate::bearer;
use crate::exit::{FAILED, UNUSABLE, WELL};
use crate::step::{example, hyphened, is_receivers, rows, text, unknown_word, word_of};
use crate::table::{add, columns};
use crate::{out, paint};
use clap::CommandFactory as _;
use language::ast::Act;
use language::diagnostic::Source;
use language::parse::single_step;
use language::words::{Field, STEPS, Takes, Word, WordFieldType};
use runner::report::printable;
use runner::visit::Exchange;
use serde_json::Value as Json;

/// What diagnostics call the step.
const SOURCE: &str = "fundsim trigger";

/// Sends the step, or lists what can be sent.
pub(crate) fn trigger(flags: &Trigger) -> u8 {
    if flags.step.is_empty() {
        out::say(&if flags.help { help_of_command() } else { all(flags.of.server.json) });
        return WELL;
    }
    let Some((row, count)) = word_of(&flags.step) else { return unknown(&unknown_word(&flags.step)) };
    if !rows().any(|known| known == row) {
        return out::refuse(&format!("`{}` sends no request to the sandbox; {}", row.word, instead(row)));
    }
    if flags.help {
        out::say(&help(row));
        return WELL;
    }
    let written = match text(row, &flags.step[count..], flags.actor.as_deref()) {
        Ok(written) => written,
        Err(why) => return out::refuse(&format!("{why}\n         {}", more(row))),
    };
    let step = match single_step(&Source::new(SOURCE, written)) {
        Ok(step) => step,
        Err(faults) => {
            out::faults(&faults);
            out::note(&format!("{}\n", more(row)));
            return UNUSABLE;
        }
    };
    if let Act::Request(request) = &step.act
        && let Some(field) = row.fields().iter().find(|it| is_receivers(it) && !request.arguments.contains_key(it.name))
    {
        let key = hyphened(field.name);
        return out::refuse(&format!(
            "`{}` needs `{key}=URL` here: a story's own server listens for it, and this command has none\n         {}",
            row.word,
            more(row)
        ));
    }
    let sent = bearer::shown(flags.of.server.url.as_deref(), &flags.of.server.bearer)
        .and_then(|shown| shown.visit(flags.of.world.as_deref()).send(&step));
    match sent {
        Ok(exchange) => show(&exchange, flags.of.server.json),
        Err(why) => out::refuse(&why),
    }
}

/// Whether a key must be given.
const fn is_needed(field: &Field) -> bool {
    field.is_required() || is_receivers(field)
}

/// What is said of a word that is none.
fn unknown(word: &str) -> u8 {
    if let Some(row) =
        STEPS.iter().find(|row| row.word.starts_with(&format!("{word} ")) && row.word.starts_with("expect "))
    {
        return out::refuse(&format!("`{}` sends no request to the sandbox; {}", row.word, instead(row)));
    }
    let written = format!("{}:\n", Json::from(word));
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ');
    let written = if plain { format!("{word}:\n") } else { written };
    if let Err(faults) = single_step(&Source::new(SOURCE, written)) {
        out::faults(&faults);
    }
    out::note("`fundsim trigger` lists the words\n");
    UNUSABLE
}

/// What does what a word does in a story.
fn instead(row: &Word) -> &'static str {
    match row.word {
        "advance" => "`fundsim clock advance` and `fundsim clock until` move the clock",
        word if word.starts_with("expect") => "`fundsim trigger call 'GET /…'` reads, and `fundsim why` explains",
        "app" => "your application is asked by your own tools",
        _ => "`fundsim trigger` lists the words that do",
    }
}

/// Where there is more about a word.
fn more(row: &Word) -> String {
    format!("`fundsim trigger {} --help` shows its fields", hyphened(row.word))
}

/// The exchange, or its answer alone.
fn show(exchange: &Exchange, as_json: bool) -> u8 {
    let is_good = (200..300).contains(&exchange.status);
    if as_json {
        out::say(&format!("{}\n", exchange.answer));
        return if is_good { WELL } else { FAILED };
    }
    let mut text = format!("{} {}\n", exchange.method, exchange.path);
    if let Some(sent) = &exchange.sent {
        let body = serde_json::from_str(sent).unwrap_or_else(|_| Json::String(sent.clone()));
        text.push_str(&pretty(&body));
    }
    out::say(&printable(&text));
    out::say(&format!("\n{}\n", paint::by_status(&exchange.status.to_string(), Some(exchange.status))));
    out::say(&printable(&pretty(&exchange.answer)));
    if is_good { WELL } else { FAILED }
}

/// A body in lines; nothing of none.
fn pretty(body: &Json) -> String {
    match body {
        Json::Null => String::new(),
        Json::String(text) => format!("{text}\n"),
        other => serde_json::to_string_pretty(other).map(|text| text + "\n").unwrap_or_default(),
    }
}

/// All words with their fields; as JSON, a list.
fn all(as_json: bool) -> String {
    if as_json {
        let words = rows().map(|row| {
            let fields: Vec<_> = row.fields().iter().map(field_as_json).collect();
            let sends = row.sends();
            serde_json::json!({
                "word": hyphened(row.word), "about": row.about, "method": sends.map(|sends| sends.method),
                "path": sends.map(|sends| sends.path), "fields": fields,
            })
        });
        return format!("{}\n", words.collect::<Json>());
    }
    let rows: Vec<_> = rows().map(|row| [hyphened(row.word), brief(row), row.about.to_owned()]).collect();
    let width = rows.iter().map(|[word, ..]| word.len()).max().unwrap_or(0);
    let mut text = String::from(
        "Words, as in `fundsim trigger open-account type=isk cash=10000`; fields in brackets are optional:\n\n",
    );
    for [word, fields, about] in &rows {
        add(&mut text, format_args!("  {word:<width$}  {about}\n"));
        if !fields.is_empty() {
            add(&mut text, format_args!("  {:<width$}    {fields}\n", ""));
        }
    }
    text.push_str("\n`fundsim trigger WORD --help` says what the fields mean.\n");
    text
}

fn field_as_json(field: &Field) -> Json {
    serde_json::json!({
        "key": hyphened(field.name), "required": is_needed(field), "takes": takes(field), "about": field.about,
    })
}

/// The keys of a word in a line; of many optional ones the first.
fn brief(row: &Word) -> String {
    if matches!(row.takes, Takes::Call) {
        return "'METHOD /path' [body.…=] [query.…=] [headers.…=] [form.…=] [text=]".to_owned();
    }
    let fields = row.fields();
    let key = |field: &Field| {
        let key = format!("{}=", hyphened(field.name));
        if is_needed(field) { key } else { format!("[{key}]") }
    };
    let shown: Vec<_> = fields.iter().take(9).map(key).collect();
    let more =
        if fields.len() > shown.len() { format!(" and {} more", fields.len() - shown.len()) } else { String::new() };
    shown.join(" ") + &more
}

/// What a word does, what it sends, and its fields.
fn help(row: &Word) -> String {
    let mut text = format!("{}: {}\n\n", row.word, row.about);
    match row.sends() {
        Some(sends) => add(&mut text, format_args!("  {} {}\n\n", sends.method, sends.path)),
        None => text.push_str("  any request; a path without /v2 is under the client\n\n"),
    }
    add(&mut text, format_args!("Usage: fundsim trigger {} {}\n", hyphened(row.word), brief(row)));
    let fields = row.fields();
    if !fields.is_empty() {
        let rows: Vec<_> = fields.iter().map(field_row).collect();
        add(&mut text, format_args!("\n{}", columns(&["key", "", "what it is", "takes"], &rows)));
    }
    if let Some(short) = row.short() {
        add(
            &mut text,
            format_args!(
                "\n`{}=` may be left out: fundsim trigger {} VALUE\n",
                hyphened(short.name),
                hyphened(row.word)
            ),
        );
    }
    let least = row.sends().map_or(0, |sends| sends.least);
    if least > 0 {
        add(&mut text, format_args!("\nAt least {least} keys are given.\n"));
    }
    let line: Vec<_> = example(row).iter().map(|argument| for_shell(argument)).collect();
    add(&mut text, format_args!("\nExample: fundsim trigger {}\n", line.join(" ")));
    add(&mut text, format_args!("In a story: {}\n", row.example.replace('\n', "\n            ")));
    text.push_str("\nFlags: fundsim trigger --help\n");
    text
}

/// An argument as a shell takes it.
fn for_shell(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=:/,@+".contains(c);
    if argument.chars().all(is_plain) { argument.to_owned() } else { format!("'{}'", argument.replace('\'', "'\\''")) }
}

/// What a field takes, in words: nothing is saved under a name here.
fn takes(field: &Field) -> String {
    match field.kind {
        WordFieldType::Reference | WordFieldType::CallbackOf => "an id".to_owned(),
        kind => kind.noun(),
    }
}

/// A field in a row of the help.
fn field_row(field: &Field) -> [String; 4] {
    let needed = if is_needed(field) { "required" } else { "" };
    let about = if is_receivers(field) { "a URL of the partner's own server" } else { field.about };
    [hyphened(field.name), needed.to_owned(), about.to_owned(), takes(field)]
}

/// The help of the command, as the parser writes it.
fn help_of_command() -> String {
    let mut program = Arguments::command();
    program.build();
    let found = program.find_subcommand_mut("trigger").map(|command| command.render_long_help().to_string());
    found.unwrap_or_default()
}
