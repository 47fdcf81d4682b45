//! The language: every form is read, written back equal, and every mistake is explained.

use language::ast::{Scenario, StoryStep, number, request};
use language::diagnostic::Source;
use language::parse::{Files, parse};
use language::{lint, write};
use runner::suite;
use runner::transcript::first_difference;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// Files that tests may use.
struct Shelf;

impl Files for Shelf {
    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("shelf/funded.yaml") => Ok("fragment: An account with cash\n\
                given:\n  - open account: { as: anna, cash: \"{cash}\" }\n"
                .to_owned()),
            Some("shelf/circle.yaml") => Ok("fragment: Round\ngiven:\n  - use: circle.yaml\n".to_owned()),
            Some("shelf/setup.yaml") => Ok("name: Small\n".to_owned()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }
}

fn read(text: &str) -> Result<Scenario, String> {
    let source = Source::new("shelf/story.yaml", text);
    let faults = match parse(&source, &Shelf) {
        Ok(story) => {
            let faults = lint::faults(&story, &source);
            if faults.is_empty() {
                return Ok(story);
            }
            faults
        }
        Err(faults) => faults,
    };
    Err(faults.iter().map(|fault| fault.render(false)).collect())
}

/// A story of one step, with `anna`, `order`, `journey` and `fund` saved before it.
fn story_of(step: &str) -> String {
    let indented: Vec<_> = step.lines().collect();
    format!(
        "scenario: One step\ngiven:\n  - open account: {{ as: anna }}\n  - let: {{ order: o-1, journey: j-1, transfer: t-1, payment: p-1, batch: b-1, items: i-1, hook: h-1, rule: 1, fund: SE0SBX000016SEK }}\n\
         steps:\n  - {}\n  - expect cash of anna: 0\n",
        indented.join("\n    ")
    )
}

#[test]
fn the_first_story_anyone_writes_is_read() {
    let story = read(include_str!("data/first_story.txt")).expect("well formed");
    assert_eq!((story.given.len(), story.steps.len()), (1, 7));
    assert_eq!(story.steps[2].place.as_ref().map(|place| (place.line, place.column)), Some((11, 5)));
}

#[test]
fn every_word_of_the_table_has_an_example_that_reads_and_writes_back_equal() {
    for word in language::words::STEPS.iter().filter(|word| word.word != "use") {
        let example = word.example.replace("savings", "anna").replace(": payout", ": order");
        let story = read(&story_of(&example)).unwrap_or_else(|faults| panic!("{example}\n{faults}"));
        writes_back(&example, story);
    }
}

fn writes_back(what: &str, story: Scenario) {
    let story = story.without_places();
    let written = write::write(&story);
    let again = read(&written).unwrap_or_else(|faults| panic!("{what}\n{written}\n{faults}"));
    assert_eq!(again.without_places(), story, "{what}\n{written}");
}

#[test]
fn every_shipped_story_writes_back_equal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let files = suite::find(&[folder]).expect("the folder is there");
    assert!(files.len() >= 50, "only {} stories", files.len());
    for file in files {
        let what = file.display().to_string();
        writes_back(&what, language::parse::load(&file).unwrap_or_else(|_| panic!("{what} is well formed")));
    }
}

#[test]
fn code_makes_the_steps_that_files_hold() {
    let purchase = request("subscribe").set("account", "anna").set("instrument", "fund").set("amount", number("10.50"));
    let made = StoryStep::from(purchase.set_some("clientRef", Some("mine"))).named("purchase").answers(200);
    let text =
        "subscribe: { as: purchase, account: anna, instrument: fund, amount: 10.50, clientRef: mine }\nexpect: 200";
    let read = read(&story_of(text)).expect("well formed").without_places();
    assert_eq!(read.steps.first(), Some(&made));
}

#[test]
fn steps_of_many_forms_write_back_equal() {
    let rows = [
        "call: POST /order\nbody: { account: \"{anna.id}\", amount: 10000.00, deep: { list: [1, null, true, \"10\", 1e-7] } }\nexpect: { status: 200, body: { status: received } }\nsave: { first: $.id, all: $ }",
        "call: GET /order\nquery: { limit: 2, start: \"{order}\" }\nas: partner 2 client 1\nexpect: { body: { length: 2 } }",
        "call: POST /v2/partner/auth/token\nas: nobody\nform: { grant_type: client_credentials }\nexpect: 400",
        "call: POST /order\ntext: '{ \"account\": '\nexpect: { status: 400, because: \"*JSON*\", headers: { content-type: application/json } }",
        "call: GET /ping\nexpect: no answer",
        // What the server would refuse may be written where it is to be refused.
        "open account: { as: bert, cash: 1.234 }\nexpect: 400",
        "add fault: { verdict: { deliveries: duplicat } }\nexpect: { status: 400, because: 'verdict.deliveries*' }",
        "open account: { as: bert, type: depot, cash: 0.10, positions: { SE0SBX000016SEK: 12.3456789 }, bank accounts: [SE8150000000050000000019, { iban: SE5950000000050000000027, validated: false }], owner: { ownerType: natural_person, firstName: Bert, lastName: Ek, ssn: '199001012385' } }",
        "subscribe: { as: first, account: anna, instrument: fund, amount: \"{fund}\", clientRef: 007, executorRef: 199001012385 }\nexpect: { status: 400, because: \"amount*\" }",
        "expect event: { order.update: { payload.current.status: { one of: [sent, settled] }, payload.previous: absent } }",
        "expect events in any order:\n  - order.*: { payload.current: any }\n  - account.update\nas: client 2",
        "nothing else happens: [order.update, 'account.*']",
        "expect order {order}: { status: settled, units: { greater than: 81, at most: 81.0044 }, id: { matches: '^[0-9a-f-]{36}$' } }",
        "expect cash transactions of account anna: { in any order: [{ amount: 1 }, { amount: { not: 1 } }] }",
        "expect cash transactions of account anna: { each: { exactly: { amount: 1.0 } } }",
        "expect cash transactions of account anna: { contains: [{ amount: { at least: 1, less than: 2 } }] }",
        "expect value {fund}: { equals: any }",
        "advance: PT1H30M",
        "advance: 90 minutes",
        "advance: to 1 millisecond before the cut-off of {fund}",
        "advance: to 2 hours after the cut-off of fund",
        "advance: to 14:00",
        "advance: to 2026-03-04T09:00:00+01:00",
        "advance: to the settlement of order",
        "advance: until account {anna} is closing",
        "server: crashes",
        "network: held",
        "open socket",
        "expect socket closed",
        "nothing else happens:\nas: partner 2",
        "start journey: { as: first, type: createAccount, accountTypes: [isk, depot], accountServiceType: executionOnly, kycs: [{ qid: pep, answer: 'no' }], callbackUrl: \"{receiver}/told\", scope: c2NvcGU= }\nexpect: { body: { status: new } }\nsave: { link: $.url }",
        "start journey: { type: \"{fund}\", account: anna }\nas: client 2\nexpect: 400",
        "open journey: \"{journey}\"",
        "complete journey: journey",
        "complete journey: { journey: journey, answers: { kyc: { pep: 'no', originOfFunds: [salary, savings] } } }\nexpect: 409",
        "cancel journey: { journey: journey, at: kyc }",
        "fail journey: { journey: journey, code: OTHER_ERROR }",
        "fail journey: { journey: journey, code: \"{fund}\", at: signing }",
        "expire journey: journey\nexpect: { status: 409 }",
        "open page: /journey/no-such-link",
        "open page: { journey: \"{journey}\", language: sv }",
        "fill in",
        "fill in: { 'allocation.SE0SBX000016SEK': 100, 'transfers[0].accounts[1].accountNumber': 12-3, originOfFunds: [salary], mandate: true, email: null }",
        "identify",
        "identify: 191212121212",
        "identify: \"{fund}\"",
        "sign: abort",
        "sign: { person: 191212121212, outcome: fail, device: same }",
        "identify: { firstName: Ada, lastName: Berg }",
        "press: \"Cancel and leave\"",
        "leave journey",
        "go back",
        "send again",
        "expect page: { name: kyc, status: { one of: [200, 422] }, says: [One, \"Two: {fund}\"], does not say: Three, holds: { mandate: true, 'allocation.SE0SBX000016SEK': 100 }, fixed: { 'Type of account': ISK }, leads to: absent }",
        "expect page: end",
        "receiver: is down",
        "receiver: [answers 503, answers 200 after 2 minutes, hangs, closes, redirects, dribbles, floods, recovers]",
        "expect callback of {journey}: { status: canceled, error: { code: USER_ERROR }, result: null }\nas: partner 2",
        "no callback of journey",
        "register webhook: { as: hook, events: ['order.*', account.update], url: \"{receiver}/told\" }\nas: client 2",
        "expect webhook: order.create",
        "expect webhook:\n  - order.update: { current.status: sent, previous: any }\n  - account.*\nas: partner 2",
        "no webhook",
        "no callback of journey:\nas: partner 2",
        "no callback:\nas: client 2",
        "expect delivery of {journey}: { attemptsMade: { at least: 2 } }",
        "expect journey journey: { journey.journeyType: createAccount }",
        "advance: until journey {journey} is expired",
    ];
    for step in rows {
        let story = read(&story_of(step)).unwrap_or_else(|faults| panic!("{step}\n{faults}"));
        writes_back(step, story);
    }
}

#[test]
fn whole_files_write_back_equal() {
    let text = "fundsim: 1\nscenario: \"Rows: two\"\nabout: |\n  Two lines\n  of text.\ntags: [orders, 'no']\n\
        world: { seed: 18446744073709551615, start: 2026-03-02T08:00:00+01:00, setup: setup.yaml, settings: { holdAbove: 1.50 } }\n\
        examples:\n  - { cash: 99.99, status: 400 }\n  - { cash: 100, status: 200 }\n\
        use: funded.yaml\nsteps:\n  - use: funded.yaml\n    with: { cash: 7 }\n  - expect cash of {anna}: \"{cash}\"\n";
    let story = read(text).expect("well formed");
    assert_eq!(story.given.len(), 1, "steps of a used file come first");
    assert_eq!(story.steps.len(), 3, "values, the used file's step, the expectation");
    writes_back("a whole file", story);
}

/// Writes the files of the mistakes anew.
const BLESS_MISTAKES: &str = "FUNDSIM_TEST_BLESS=1 cargo test -p fundsim-scenarios --test stories mistake";

/// Each mistake with its message, by its name.
fn mistakes() -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for part in include_str!("data/mistakes.txt").split("==== ").skip(1) {
        let (name, mistake) = part.split_once('\n').expect("a name, and a mistake below it");
        let mistake = mistake.trim_matches('\n');
        let text = mistake.strip_prefix("step: ").map_or_else(|| mistake.to_owned(), story_of);
        let faults = read(&text).err().unwrap_or_else(|| panic!("{name} is no mistake:\n{mistake}"));
        let before = shown.insert(name.to_owned(), format!("{}\n", format!("{mistake}\n\n{faults}").trim_end()));
        assert_eq!(before, None, "two mistakes are called {name}");
    }
    shown
}

/// What is wrong with the files of a folder, one of which belongs to each mistake.
fn wrong_files(folder: &Path, mistakes: &BTreeMap<String, String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        if !name.strip_suffix(".txt").is_some_and(|name| mistakes.contains_key(name)) {
            wrong.push(format!("{name}: no mistake in data/mistakes.txt is called so"));
        }
    }
    for (name, shown) in mistakes {
        match fs::read_to_string(folder.join(format!("{name}.txt"))) {
            Ok(text) if text == *shown => {}
            Ok(text) => wrong.push(format!("{name}.txt\n{}", first_difference(&text, shown).unwrap_or_default())),
            Err(error) => wrong.push(format!("{name}.txt: {error}")),
        }
    }
    wrong.sort();
    wrong
}

#[test]
fn every_mistake_has_a_file_with_the_message_that_it_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mistakes = mistakes();
    if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
        fs::remove_dir_all(&folder).expect("the folder can go");
        fs::create_dir(&folder).expect("the folder can be made");
        for (name, shown) in &mistakes {
            fs::write(folder.join(format!("{name}.txt")), shown).expect("a file");
        }
    }
    let wrong = wrong_files(&folder, &mistakes);
    assert!(wrong.is_empty(), "{}\nif that is right: {BLESS_MISTAKES}", wrong.join("\n"));
}

#[test]
fn a_mistake_without_a_file_and_a_file_without_a_mistake_are_refused() {
    let folder = std::env::temp_dir().join(format!("fundsim-mistakes-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mistakes = ["kept", "changed", "lost"].map(|name| (name.to_owned(), "a\n".to_owned()));
    for (name, text) in [("kept.txt", "a\n"), ("changed.txt", "b\n"), ("extra.txt", "a\n")] {
        fs::write(folder.join(name), text).expect("a file");
    }
    let wrong = wrong_files(&folder, &mistakes.into_iter().collect());
    fs::remove_dir_all(&folder).expect("the folder goes");
    let names: Vec<_> = wrong.iter().filter_map(|fault| fault.split('.').next()).collect();
    assert_eq!(names, ["changed", "extra", "lost"], "{wrong:?}");
}

#[test]
fn hostile_files_are_refused_without_harm() {
    let deep = format!("scenario: {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bomb = format!(
        "scenario: x\nsteps:\n  - &a [1,1,1,1,1,1,1,1,1,1]\n{}",
        (0..9)
            .map(|n| format!(
                "  - &{} [{}]\n",
                (b'b' + n) as char,
                vec![format!("*{}", (b'a' + n) as char); 10].join(",")
            ))
            .collect::<String>()
    );
    let rows = [
        deep,
        bomb,
        "\u{0}".to_owned(),
        "scenario: &a [*a]".to_owned(),
        "!!python/object x".to_owned(),
        "a: 1\n--- \nb: 2".to_owned(),
        "[".to_owned(),
        "scenario: x\nsteps:\n\t- a".to_owned(),
        "é: {ü".to_owned(),
    ];
    for text in rows {
        assert!(read(&text).is_err(), "{}", text.chars().take(40).collect::<String>());
    }
}

#[test]
fn of_a_very_long_line_the_part_that_is_wrong_is_shown() {
    let words: String = (0..60_000).map(|n| format!("k{n}: 1, ")).collect();
    let refused = read(&format!("scenario: x\nsteps:\n  - subscribe: {{ {words} }}\n")).expect_err("unknown words");
    assert!(refused.starts_with("Error: "), "{}", refused.chars().take(300).collect::<String>());
    assert!(
        refused.contains("at shelf/story.yaml:3:18") && refused.contains("…"),
        "{}",
        refused.chars().take(600).collect::<String>()
    );
    assert!(refused.len() < 100_000, "{} bytes", refused.len());
}
