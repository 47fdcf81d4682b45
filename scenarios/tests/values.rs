//! Values in every place, blocks of steps, soft expectations and words of the connection, each on two drivers.

use language::ast::Scenario;
use language::diagnostic::Source;
use language::parse::{OnDisk, parse};
use runner::drivers::Choice;
use runner::{Extras, Run, play};

fn read(text: &str) -> Result<Scenario, String> {
    parse(&Source::new("story.yaml", text), &OnDisk)
        .map_err(|faults| faults.iter().map(|fault| fault.render(false)).collect())
}

fn runs(text: &str, driver: &Choice) -> Vec<Run> {
    let story = read(text).unwrap_or_else(|faults| panic!("{faults}"));
    play(&story, driver, 7, Extras::default()).expect("the run is set up")
}

/// Steps of a story whose `anna` has cash; it passes, and says the same, on both drivers.
fn passes(steps: &str) {
    let text = format!("scenario: Values\ngiven:\n  - open account: {{ as: anna, cash: 10000 }}\nsteps:\n{steps}");
    holds(&text);
}

fn holds(text: &str) {
    let (here, there) = (runs(text, &Choice::InProcess), runs(text, &Choice::Turmoil));
    assert_eq!(here.len(), there.len());
    for (here, there) in here.iter().zip(&there) {
        for run in [here, there] {
            let why = run.failure.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(run.failure.is_none(), "{why}\n{}", run.transcript);
        }
        assert_eq!(here.transcript, there.transcript);
    }
}

/// Steps of the same story that fail, with what they say.
fn fails(steps: &str) -> String {
    let text = format!("scenario: Values\ngiven:\n  - open account: {{ as: anna, cash: 10000 }}\nsteps:\n{steps}");
    let run = runs(&text, &Choice::InProcess).remove(0);
    run.failure.unwrap_or_else(|| panic!("it passes\n{}", run.transcript)).to_string()
}

#[test]
fn a_move_of_the_clock_takes_values_and_sums() {
    passes(
        "
  - let: { n: 2 }
  - advance: '{n} bank days'
  - expect clock: 2026-03-04T07:00:00.000Z
  - advance: '{n * 3} hours'
  - expect clock: 2026-03-04T13:00:00.000Z
  - advance: to {now}
  - expect value today: 2026-03-04
",
    );
}

#[test]
fn what_expectations_find_can_be_saved() {
    passes(
        "
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 2500 }
  - expect event: { order.create: { payload.current.amount: 2500 } }
    save: { id: $.payload.current.id, number: $.eventId }
  - expect value id: '{order.id}'
  - expect cash of {anna}: 10000
    save: { before: $ }
  - advance: to the settlement of {order}
  - expect cash of {anna}: '{before - order.amount}'
  - expect events: [{ order.update: { payload.current.status: sent } }, { order.update: { payload.current.status: settled } }]
    save: { later: '$[*].payload.current.status' }
  - expect value later: [sent, settled]
  - expect units of {anna} in SE0SBX000016SEK: { greater than: 0 }
    save: { units: $ }
  - expect position of {anna} in SE0SBX000016SEK: { units: '{units}' }
  - expect cash transactions of account {anna}: { length: { at least: 1 } }
    save: { bought: \"$[?@.refType == 'order'].amount\" }
  - expect value bought: { one of: [-2500, 2500] }
",
    );
}

#[test]
fn callbacks_webhooks_and_pages_give_values() {
    passes(
        "
  - start journey: { as: journey, type: addBankAccount, account: anna }
  - open page: journey
  - expect page: { status: 200 }
    save: { heading: $.heading, way: $.steps }
  - expect value way: { length: { at least: 1 } }
  - register webhook: { as: hook, events: ['journey.*'] }
  - complete journey: journey
  - expect callback of journey: complete
    save: { shown: $.status }
  - expect value shown: complete
  - expect webhook: { journey.update: { current.status: complete } }
    save: { posted: $.current.id }
  - expect value posted: '{journey.id}'
",
    );
}

#[test]
fn statuses_have_classes_and_choices() {
    passes(
        "
  - call: GET /account/{anna}
    expect: 2xx
  - call: GET /account/00000000-0000-4000-8000-000000000000
    expect: { status: 4xx, because: '*' }
  - call: GET /account/{anna}
    expect: { status: { one of: [200, 204] } }
",
    );
    let failure = fails("  - call: GET /account/{anna}\n    expect: 5xx\n");
    assert!(failure.contains("status expected a text like 5??, got 200"), "{failure}");
}

#[test]
fn blocks_are_repeated_by_number_and_by_list() {
    passes(
        "
  - let: { funds: [SE0SBX000016SEK, SE0SBX000024SEK] }
  - repeat: { fund: '{funds}', amount: [100, 200] }
    steps:
      - subscribe: { as: order, account: anna, instrument: '{fund}', amount: '{amount * round}' }
  - expect order {order}: { amount: 400 }
  - repeat: '{1 + 1}'
    steps:
      - advance: 1 bank day
  - repeat: 0
    steps:
      - expect clock: absent
",
    );
    let failure = fails("  - repeat: { a: [1, 2], b: [1] }\n    steps: [nothing else happens]\n");
    assert!(failure.contains("`b` has 1 items, and the first list 2"), "{failure}");
}

#[test]
fn conditions_ask_settings_and_values() {
    holds(
        "
scenario: Conditions
world: { settings: { exposeConfirmed: '{shown}' } }
examples:
  - { shown: true, word: confirmed }
  - { shown: false, word: 'not {shown}' }
steps:
  - when: { settings.exposeConfirmed: true, settings.heartbeatSeconds: { at most: 30 } }
    steps:
      - expect value word: confirmed
    otherwise:
      - expect value word: not false
  - when: { shown: { not: true } }
    steps:
      - expect value shown: false
",
    );
}

#[test]
fn rows_of_examples_choose_the_start() {
    holds(
        "
scenario: Starts
world: { start: '{day}T08:00:00+01:00' }
examples:
  - { day: 2026-03-02, local: '2026-03-02' }
  - { day: 2026-12-01, local: '2026-12-01' }
steps:
  - expect value today: '{local}'
",
    );
}

#[test]
fn a_soft_expectation_lets_the_story_go_on_and_fails_it_at_its_end() {
    let text = "
scenario: Soft
given:
  - open account: { as: anna, cash: 10 }
steps:
  - expect cash of {anna}: 11
    soft: true
  - call: GET /account/{anna}
    expect: { status: 200, body: { balance: 12 } }
    soft: true
  - expect cash of {anna}: 10
  - expect account {anna}: pending
";
    let run = runs(text, &Choice::InProcess).remove(0);
    let failures: Vec<_> = run.failure.iter().flat_map(runner::Failure::each).collect();
    let wanted: Vec<_> = failures.iter().map(|failure| failure.mismatches[0].expected.as_str()).collect();
    assert_eq!(wanted, ["11", "12", "pending"], "{}", run.transcript);
    assert_eq!(run.steps, 2);
}

#[test]
fn words_of_the_connection_are_expected_like_events() {
    passes(
        "
  - expect event: hello
  - expect event: heartbeat
    save: { beat: $.eventType }
  - wait: 31 seconds
  - expect event: heartbeat
  - call: POST /_sandbox/worlds/current/sockets/close
    body: { how: graceful }
  - expect events: [account.create, cashTransaction.create, account.update]
  - expect events: [server_closing, { closed: { code: 1001 } }]
  - nothing else happens
",
    );
    let failure = fails("  - expect event: hello\n  - expect event: hello\n");
    assert!(failure.contains("no such event came"), "{failure}");
}

#[test]
fn late_steps_say_what_is_wrong_when_they_run() {
    let rows = [
        ("  - let: { n: some }\n  - advance: '{n} bank days'\n", "`some bank days` is not a move of the clock"),
        ("  - let: { n: 700 }\n  - receiver: 'answers {n}'\n", "a receiver never `answers 700`"),
        ("  - advance: '{anna.balance / 3} days'\n", "it has no end"),
    ];
    for (steps, wanted) in rows {
        let failure = fails(steps);
        assert!(failure.contains(wanted), "{failure}");
    }
}

#[test]
fn what_a_run_would_trip_over_is_found_before_it() {
    let rows = [
        ("  - expect order {anna}: setled\n", "no status of an order is `setled`"),
        ("  - expect account {anna}: { status: settled }\n", "no status of an account is `settled`"),
        ("  - advance: until order {anna} is active\n", "no status of an order is `active`"),
        ("  - advance: '{m} bank days'\n", "nothing is saved as `m`"),
        (
            "  - start journey: { as: j, type: createAccount }\n  - complete journey: { journey: j, answers: { kyc: { purposse: savings } } }\n",
            "the step `kyc` asks for no `purposse`",
        ),
        (
            "  - start journey: { as: j, type: createAccount }\n  - answer step: { journey: j, step: bankAccount, answers: { ibann: SE1 } }\n",
            "did you mean `iban`?",
        ),
        ("  - repeat: 3\n", "has no `steps:`"),
        ("  - repeat: 20000\n    steps: [nothing else happens]\n", "at most 10000 times"),
        (
            "  - when: { settings.exposeConfirmd: true }\n    steps: [nothing else happens]\n",
            "unknown word `exposeConfirmd`",
        ),
        ("  - expect account {anna}: { 'positions[?@.units = 1]': any }\n", "is not a path"),
        ("  - expect event: hallo\n", "no event has the type `hallo`"),
        ("  - wait: 3 bank days\n", "is not a time to wait"),
        ("  - expect cash of {anna}: '{anna.balance +}'\n", "cannot be read as a sum"),
    ];
    for (steps, wanted) in rows {
        let text = format!("scenario: X\ngiven:\n  - open account: {{ as: anna }}\nsteps:\n{steps}");
        let faults = read(&text).expect_err(steps);
        assert!(faults.contains(wanted), "{steps}{faults}");
    }
}

#[test]
fn a_setup_is_read_from_its_own_file() {
    let rows = [
        ("demoo", "no setup is called `demoo`", 2),
        ("{ partners: [{ nam: x, clients: [] }] }", "partners[0].nam is not a known field", 2),
        ("\n    settings:\n      acceptanceDelayMs: -1", "settings.acceptanceDelayMs must lie between 0 and", 4),
    ];
    for (setup, wanted, line) in rows {
        let text = format!("scenario: X\nworld: {{ setup: {setup} }}\nsteps:\n  - expect clock: any\n");
        let text = if setup.starts_with('\n') {
            text.replace("{ setup:", "\n  setup:").replace(" }\nsteps", "\nsteps")
        } else {
            text
        };
        let faults = parse(&Source::new("story.yaml", text), &OnDisk).expect_err(setup);
        let found = faults.iter().find(|fault| fault.message.contains(wanted));
        let lines: Vec<_> = faults.iter().map(|fault| fault.render(false)).collect();
        let fault = found.unwrap_or_else(|| panic!("{}", lines.concat()));
        assert_eq!(fault.span.line, line + u32::from(line > 2), "{}", lines.concat());
    }
}

#[test]
fn an_answer_that_does_not_come_says_why() {
    let text = "
scenario: Silence
steps:
  - network: cut
  - call: GET /account
";
    let run = runs(text, &Choice::Turmoil).remove(0);
    let why = run.failure.expect("it fails").what;
    assert!(why.starts_with("no answer came") && why.len() > "no answer came".len() + 5, "{why}");
}
