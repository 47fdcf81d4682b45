//! `fundsim explain`: what the code says about itself, from the same tables that it works by.
//!
//! Owns: the topics, which are tables of a kind. Invariant: nothing here is written twice: a row that changes in the code
//! changes here. What is known by its own name (a word, a lever, a setting, a part of a setup) is printed by `entry`.

mod entry;
mod journeys;
mod layout;
mod setup;
mod shapes;

use crate::exit::WELL;
use crate::out;
use crate::table::{add, columns};
use crate::year;
use fuzz::exercise::{BAD_DAYS, KEYS, ROWS};
use fuzz::figures;
use language::words;
use layout::{about, bounds};
use oracle::check::Law;
use sandbox::machines;
use sim::machines::Machine;
use std::path::Path;

/// One topic: its name, what it is, its text.
struct Topic {
    name: &'static str,
    about: &'static str,
    text: fn() -> String,
}

/// The topic that is a picture.
const PICTURE: &str = "year";
/// The topic that has a part for each word.
const STEPS: &str = "steps";

const TOPICS: &[Topic] = &[
    Topic { name: "routes", about: "routes of the partner API, the levers and the machinery", text: routes },
    Topic { name: "refusals", about: "classes of refusals, in the order in which they are checked", text: refusals },
    Topic { name: "invariants", about: "the laws that every generated run must obey", text: invariants },
    Topic {
        name: "magic",
        about: "numbers of people and companies, and bank accounts, with a fixed outcome",
        text: magic,
    },
    Topic { name: "settings", about: "settings of a world, with their defaults", text: settings },
    Topic { name: STEPS, about: "every step that a scenario file can hold", text: steps },
    Topic { name: "pages", about: "what a story can expect of the page in the customer's browser", text: pages },
    Topic {
        name: PICTURE,
        about: "a year of one customer, drawn as an SVG from a run of its story",
        text: year::picture,
    },
    Topic { name: "matchers", about: "matchers for expected values", text: matchers },
    Topic { name: "exercise", about: "bad days of `fundsim exercise`, and the words of its map", text: exercise },
    Topic { name: "llms", about: "what an assistant reads first of a server, at `/llms.txt`", text: llms },
    Topic { name: "setup", about: "fields of a file for `serve --world`", text: setup::text },
];

/// Explains a topic, or names the topics; into a file where one is named.
pub(crate) fn explain(topic: Option<&str>, file: Option<&Path>) -> u8 {
    match text_of(topic) {
        Ok(text) => write_text(&text, file),
        Err(why) => out::refuse(&why),
    }
}

/// What is explained of a topic; without one, the topics.
///
/// # Errors
/// There is no such topic; with the nearest one.
pub(crate) fn text_of(topic: Option<&str>) -> Result<String, String> {
    let Some(wanted) = topic else {
        let mut text = String::from("Topics, as in `fundsim explain orders`:\n\n");
        for (name, about) in names() {
            add(&mut text, format_args!("  {name:<17}{about}\n"));
        }
        text.push_str(
            "\nOr one step, lever, setting, part of a setup or type of journey, as in `fundsim explain 'open account'`,\n\
             `fundsim explain /simulations/bankgiro`, `fundsim explain holdAbove`, `fundsim explain setup.partners`,\n\
             `fundsim explain createAccount`.\n",
        );
        return Ok(text);
    };
    // `order` and `orders` both are what people type.
    let is_wanted = |name: &str| name == wanted || name.trim_end_matches('s') == wanted;
    let explained = machines().find(|machine| is_wanted(machine.topic())).map(table);
    let explained = explained.or_else(|| TOPICS.iter().find(|topic| is_wanted(topic.name)).map(|topic| (topic.text)()));
    if let Some(explained) = explained.or_else(|| entry::text(wanted)) {
        return Ok(explained);
    }
    let known = names().map(|(name, _)| name).chain(entry::names());
    let hint = words::nearest(wanted, known).map_or_else(
        || format!("topics: {}", names().map(|(name, _)| name).collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Err(format!("there is no topic, word or setting `{wanted}`; {hint}"))
}

/// A topic in parts: headings with text; one without a heading where it is all one table.
pub(crate) struct TopicParts {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) parts: Vec<(String, String)>,
}

/// Every topic that is text.
pub(crate) fn topics() -> impl Iterator<Item = TopicParts> {
    let one = |text: String| vec![(String::new(), text)];
    let of_machines = machines().map(move |machine| TopicParts {
        name: machine.topic(),
        about: machine.about(),
        parts: one(table(machine)),
    });
    let texts = TOPICS.iter().filter(|topic| topic.name != PICTURE);
    of_machines.chain(texts.map(move |Topic { name, about, text }| {
        let parts = if *name == STEPS { step_parts() } else { one(text()) };
        TopicParts { name, about, parts }
    }))
}

/// Each word of a story as a part.
fn step_parts() -> Vec<(String, String)> {
    let words = words::STEPS.iter().filter_map(|word| Some((word.word.to_owned(), entry::text(word.word)?)));
    let beside = words::BESIDE.iter().map(|(word, about)| format!("{word}: {about}\n")).collect();
    words.chain([("Beside a step".to_owned(), beside)]).collect()
}

/// To standard output, or to a file.
fn write_text(text: &str, file: Option<&Path>) -> u8 {
    let Some(file) = file else {
        out::say(text);
        return WELL;
    };
    match std::fs::write(file, text) {
        Ok(()) => WELL,
        Err(error) => out::refuse(&format!("{}: {error}", file.display())),
    }
}

/// Every topic and what it is: the machines first.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_machines = machines().map(|machine| (machine.topic(), machine.about()));
    of_machines.chain(TOPICS.iter().map(|topic| (topic.name, topic.about)))
}

/// Rows of a machine, and what else there is to say of it.
fn table(machine: &dyn Machine) -> String {
    let rows = columns(&["from", "on", "to", machine.effects()], &machine.rows());
    match machine.name() {
        "order" => rows + &books(),
        "delivery" => rows + &attempts(),
        _ => rows,
    }
}

fn books() -> String {
    let rows = sim::machines::order::TABLE.states.iter().map(|state| {
        let reserves = if state.reserves() { "yes" } else { "no" };
        [format!("{state:?}"), format!("{:?}", state.books()), reserves.to_owned()]
    });
    format!(
        "\nAn order begins in Received. What its transactions are in each state, and whether it reserves:\n\n{}",
        columns(&["state", "books", "reserves"], &rows.collect::<Vec<_>>())
    )
}

fn attempts() -> String {
    use deliveries::outcome::Failure;
    use deliveries::queue::WAITS;
    let waits: Vec<_> = WAITS.iter().map(|wait| format!("{} s", wait.as_secs())).collect();
    let failures = Failure::ALL.map(|failure| [failure.as_str().to_owned(), failure.to_string()]);
    format!(
        "\nA delivery begins in Queued. 2xx is received, 400 refused; anything else has failed and is tried again after\n{}.\n\n\
         Failures without an answer:\n\n{}",
        waits.join(", "),
        columns(&["failure", "what happened"], &failures)
    )
}

fn llms() -> String {
    sandbox::llms().to_owned()
}

fn invariants() -> String {
    let mut text = String::from("A number stays with its law.\n\n");
    for law in Law::all() {
        let times: Vec<_> = law.checked().iter().map(|checked| checked.words()).collect();
        add(&mut text, format_args!("{:>3}  {law}: {}\n", law.number(), law.statement()));
        if !times.is_empty() {
            add(&mut text, format_args!("     checked {}\n", times.join("; ")));
        }
        if !law.missing().is_empty() {
            add(&mut text, format_args!("     not checked: {}\n", law.missing()));
        }
        add(&mut text, format_args!("     put to the test when {}\n", law.case()));
        let met = fuzz::Level::ALL.into_iter().filter_map(|level| Some(met_at(level, figures::times(law, level)?)));
        add(&mut text, format_args!("     met {}\n", met.collect::<Vec<_>>().join("; ")));
    }
    text
}

/// How often a level has met the case of a law, in words.
fn met_at(level: fuzz::Level, times: u64) -> String {
    let seeds = figures::seeds(level);
    let times = match times {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    format!("{times} in {seeds} seeds at the level {}", level.name())
}

fn routes() -> String {
    let rows: Vec<_> = sandbox::rows().map(|row| [row.method.to_string(), row.path.to_owned()]).collect();
    columns(&["method", "path"], &rows)
}

fn refusals() -> String {
    let rows: Vec<_> = sim::refusal::CLASSES
        .iter()
        .map(|class| {
            let answer =
                wire::error::ApiError::from(sim::Refusal { class: *class, problems: Vec::new(), conflict: None });
            [
                format!("{class:?}"),
                answer.status.as_u16().to_string(),
                answer.error.to_owned(),
                class.about().to_owned(),
            ]
        })
        .collect();
    let mut text = columns(&["class", "status", "error", "what is refused"], &rows);
    text.push_str(
        "\nThe first class that fails is reported, with all problems of that class and none of a later one.\n",
    );
    text
}

fn magic() -> String {
    let people = sim::identity::personal_number::FIXED_OUTCOMES;
    let people: Vec<_> = people.iter().map(|(number, _, about)| [(*number).to_owned(), (*about).to_owned()]).collect();
    let banks = sim::identity::iban::FIXED_OUTCOMES;
    let banks: Vec<_> = banks.iter().map(|(iban, _, about)| [(*iban).to_owned(), (*about).to_owned()]).collect();
    let companies = sim::register::REGISTER_OUTCOMES;
    let companies: Vec<_> = companies
        .iter()
        .map(|(digits, _, number, about)| [(*digits).to_owned(), (*number).to_owned(), (*about).to_owned()])
        .collect();
    format!(
        "{}\n{}\n{}\nEvery other valid number goes through; what the register says of other companies is drawn.\n",
        columns(&["personal number", "outcome"], &people),
        columns(&["last digits", "organisation number", "outcome"], &companies),
        columns(&["IBAN", "outcome"], &banks)
    )
}

fn settings() -> String {
    let mut text = rows_of(sim::settings::Settings::ROWS);
    text.push_str(
        "\nThey stand under `settings` in a setup, and under `world` in `/_sandbox/worlds/{id}/settings`.\n\n",
    );
    text.push_str(&rows_of(feed::transport::SurfaceSettings::ROWS));
    text.push_str(
        "\nThey stand under `settings` in a setup, too, and in `/_sandbox/worlds/{id}/settings`; in both beside deliveryWaitsSeconds\n\
         (seconds between the attempts of a delivery), allowlist (addresses that may use the world) and partnersMay (what partners that\n\
         share the world may do to all of it: drop, reset, rewind, restore, clock, advance, settings, snapshots).\n\
         A scenario has all of them under `world: { settings: ... }`.\n",
    );
    text
}

/// Settings, each with its default, its bounds, and its sentence.
fn rows_of<S: Default>(rows: &[sim::settings::SettingRow<S>]) -> String {
    let cells: Vec<_> = rows
        .iter()
        .map(|row| {
            let bounds = bounds(row.kind);
            let default = wire::setup::settings::value((row.get)(&S::default())).to_string();
            [row.name.to_owned(), default, bounds, about(row).to_owned()]
        })
        .collect();
    columns(&["setting", "default", "bounds", "what it does"], &cells)
}

fn steps() -> String {
    let mut text: String = words::STEPS.iter().map(|word| entry::step(word) + "\n").collect();
    text.push_str("Beside a step's word:\n");
    for (word, about) in words::BESIDE {
        add(&mut text, format_args!("  {word}: {about}\n"));
    }
    text
}

fn pages() -> String {
    let rows: Vec<_> =
        words::PAGE_WORDS.iter().map(|(word, about)| [(*word).to_owned(), (*about).to_owned()]).collect();
    let mut text = columns(&["word", "speaks of"], &rows);
    text.push_str(
        "\n`expect page: kyc` is short for `expect page: { name: kyc }`. Each word takes whatever `fundsim explain matchers` shows;\n\
         `says` and `does not say` also take a list, each text for itself.\n\nA receiver, in `receiver: ...`: ",
    );
    text.push_str(&words::RECEIVER_BEHAVIOURS.join(", "));
    text.push_str(".\n");
    text
}

fn exercise() -> String {
    let days: Vec<_> = BAD_DAYS.iter().map(|day| [day.about.to_owned(), day.step.to_owned()]).collect();
    let words = |table: &[(&str, &str)]| -> Vec<_> {
        table.iter().map(|(word, about)| [(*word).to_owned(), (*about).to_owned()]).collect()
    };
    format!(
        "{}\n{}\n{}",
        columns(&["bad day", "as a step"], &days),
        columns(&["word of a map", "what it says"], &words(KEYS)),
        columns(&["row of holdings", "what is there"], &words(ROWS))
    )
}

fn matchers() -> String {
    let rows = [
        ("10.00, sent, null, true", "equal; numbers by value, so 10.00 is 10"),
        ("any", "there, and not null"),
        ("absent", "not there"),
        ("{ a.b: 1 }", "a map with at least these entries; dots separate nested keys"),
        ("{ \"a[?@.b == 1].c\": 2 }", "the same by a query of RFC 9535"),
        ("\"{before - order.amount}\"", "equal to a saved value, or to a sum of some"),
        ("[1, 2]", "a list of exactly these, in this order"),
        ("{ one of: [sent, settled] }", "one of these"),
        ("{ not: sent }", "any other value"),
        ("{ like: \"SE*\" }", "a text with * for any characters and ? for one"),
        ("{ matches: \"^[0-9]+$\" }", "a text that matches a regular expression"),
        ("{ greater than: 0 }, { at least: 0 }", "a number, or a text such as an instant"),
        ("{ less than: 5 }, { at most: 5 }", "at most, or less than; two of these words can be combined"),
        ("{ length: 2 }, { length: { at least: 2 } }", "a list or text of this length"),
        ("{ contains: [{ a: 1 }] }", "a list that holds one of each of these"),
        ("{ in any order: [1, 2] }", "a list of exactly these, in any order"),
        ("{ each: { a: any } }", "a list whose every item is like this"),
        ("{ exactly: { a: 1 } }", "exactly this, without further entries"),
        ("{ equals: any }", "equal, for values that are words of this list"),
    ];
    columns(&["an expectation", "of a value that is"], &rows.map(|(left, right)| [left.to_owned(), right.to_owned()]))
}
