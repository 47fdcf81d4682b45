//! Drivers: one story, the same words on each of them.

use language::ast::Scenario;
use language::diagnostic::Source;
use language::parse::{OnDisk, parse};
use runner::drivers::Choice;
use runner::{Extras, Run, play};

fn story(text: &str) -> Scenario {
    let source = Source::new("story.yaml", text);
    parse(&source, &OnDisk)
        .unwrap_or_else(|faults| panic!("{}", faults.iter().map(|it| it.render(false)).collect::<String>()))
}

fn run(text: &str, driver: &Choice) -> Run {
    let runs = play(&story(text), driver, 7, Extras::default()).expect("the run is set up");
    runs.into_iter().next().expect("a run")
}

const MACHINERY: &str = "
scenario: The clock and the token work
steps:
  - call: POST /v2/partner/auth/token
    as: nobody
    form: { grant_type: client_credentials, client_id: '{partner.clientId}', client_secret: '{partner.clientSecret}', state: x }
    expect: { status: 200, body: { access_token: any, state: x, token_type: bearer } }
  - advance: 3 bank days
  - expect clock: 2026-03-05T07:00:00.000Z
  - advance: to 14:00
  - expect clock: 2026-03-05T13:00:00.000Z
  - nothing else happens
";

#[test]
fn the_machinery_answers_alike_in_process_and_over_a_simulated_network() {
    let in_process = run(MACHINERY, &Choice::InProcess);
    let simulated = run(MACHINERY, &Choice::Turmoil);
    assert!(in_process.failure.is_none(), "{}", in_process.failure.map(|it| it.to_string()).unwrap_or_default());
    assert_eq!(in_process.transcript, simulated.transcript);
    assert_eq!(in_process.digest, simulated.digest);
}

fn passes(text: &str, driver: &Choice) -> Run {
    let run = run(text, driver);
    let why = run.failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(run.failure.is_none(), "{why}\n{}", run.transcript);
    run
}

#[test]
fn what_is_held_arrives_when_it_is_released() {
    let text = "
scenario: Held and released
steps:
  - open account: { as: anna, cash: 1000 }
  - forget events
  - network: held
  - call: GET /account/{anna}
    expect: no answer
  - advance: 1 second
  - network: released
  - call: GET /account/{anna}
    expect: 200
  - nothing else happens
";
    passes(text, &Choice::Turmoil);
}

/// A webhook is tried again after a minute and after ten, a socket ends after a quarter of an hour, and the wait does not end there.
const LONG_WAIT: &str = "
scenario: A long wait
world: { settings: { heartbeatSeconds: 30, socketCapSeconds: 900, tokenLifeSeconds: 90000, deliveryWaitsSeconds: [60, 600, 3600] } }
steps:
  - open account: { as: anna, cash: 1000 }
  - register webhook: { as: hook, events: ['order.*'] }
  - forget events
  - receiver: [answers 503, answers 503 after 7 seconds, recovers]
  - subscribe: { as: purchase, account: anna, instrument: SE0SBX000016SEK, amount: 100 }
  - expect webhook: order.create
  - wait: 58 seconds
  - no webhook
  - wait: 4 seconds
  - expect webhook: order.create
  - wait: 590 seconds
  - no webhook
  - wait: 15 seconds
  - expect webhook: order.create
  - no webhook
  - expect event: [order.create, heartbeat]
  - wait: 220 seconds
  - subscribe: { as: second, account: anna, instrument: SE0SBX000016SEK, amount: 100 }
  - expect event: order.create
  - wait: 10 seconds
  - expect socket closed: { code: 1000 }
  - wait: 24 hours
  - expect cash of anna: 1000
";

#[test]
fn everything_that_a_long_wait_covers_has_its_time_on_both_drivers() {
    // A tick for each of its 87 million milliseconds takes a quarter of an hour; the simulated network passes over idle time.
    let in_process = passes(LONG_WAIT, &Choice::InProcess);
    let simulated = passes(LONG_WAIT, &Choice::Turmoil);
    assert_eq!(in_process.transcript, simulated.transcript);
    assert_eq!(simulated.digest, passes(LONG_WAIT, &Choice::Turmoil).digest);
}

#[test]
fn a_server_that_restarts_empty_knows_nobody_any_more() {
    let text = "
scenario: Restarted empty
steps:
  - open account: { as: anna, cash: 1000 }
  - server: crashes
  - expect socket closed
  - call: GET /ping
    expect: no answer
  - server: restarts empty
  - call: POST /v2/partner/auth/token
    as: nobody
    form: { grant_type: client_credentials, client_id: '{partner.clientId}', client_secret: '{partner.clientSecret}' }
    expect: { status: 400, body: { error: invalid_client } }
";
    passes(text, &Choice::Turmoil);
}

#[test]
fn two_sockets_of_one_client_see_the_same_events_on_both_drivers() {
    let text = "
scenario: A second socket
steps:
  - open socket: second
  - open account: { as: anna, cash: 1000 }
  - expect event: { account.create: { payload.current.id: '{anna.id}' } }
  - expect event: { account.create: { payload.current.id: '{anna.id}' } }
    on: second
  - close socket: second
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 1000 }
  - expect event: order.create
  - open account: { as: bert }
    as: partner 2
  - expect event: account.create
    as: partner 2
  - call: POST /_sandbox/worlds/current/sockets/close
    body: { how: graceful }
  - expect socket closed: { code: 1001 }
";
    let (one, other) = (passes(text, &Choice::InProcess), passes(text, &Choice::Turmoil));
    assert_eq!(one.transcript, other.transcript);
    let ids = |socket: &str| -> Vec<String> {
        let lines = one.transcript.lines().filter_map(|line| line.strip_prefix(socket));
        lines.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    };
    let (first, second) = (ids("  * account.create "), ids("  * [second] account.create "));
    assert!(!second.is_empty() && first.starts_with(&second[..1]), "{}", one.transcript);
}

#[test]
fn a_step_that_fails_ends_the_story_and_says_what_came_before() {
    let text = "
scenario: It fails
steps:
  - open account: { as: anna, cash: 1000 }
  - expect cash of anna: 999.99
  - expect cash of anna: 1000
";
    for driver in [Choice::InProcess, Choice::Turmoil] {
        let run = run(text, &driver);
        let failure = run.failure.expect("it fails");
        assert_eq!((run.steps, failure.place.map(|place| place.line)), (1, Some(5)));
        assert_eq!(
            (failure.mismatches[0].expected.as_str(), failure.mismatches[0].got.as_str()),
            ("999.99", "1000.00")
        );
        assert!(failure.history.iter().any(|line| line.contains("account.create")), "{:?}", failure.history);
        let why: Vec<&str> = failure.why.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(why, ["anna"], "what the step names, and nothing else");
        let explained = runner::report::why::text(&failure.why[0].1, false);
        assert!(explained.contains("account.create") && explained.contains("request "), "{explained}");
    }
}

#[test]
fn waits_end_where_the_status_can_no_longer_come() {
    let text = "
scenario: It will never be sent
steps:
  - open account: { as: anna, cash: 1000 }
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 1000 }
  - cancel: order
  - advance: until order is sent
";
    let failure = run(text, &Choice::InProcess).failure.expect("it fails");
    assert_eq!(failure.what, "it will never be sent: it is canceled");
}

#[test]
fn nothing_else_happens_fails_when_something_does() {
    let text = "
scenario: Something happens
steps:
  - open account: { as: anna, cash: 1000 }
  - expect event: account.create
  - nothing else happens: [account.create]
  - nothing else happens
";
    let run = run(text, &Choice::InProcess);
    let failure = run.failure.expect("it fails");
    assert_eq!((run.steps, failure.what.as_str()), (3, "something else happened"));
    assert!(failure.mismatches[0].got.contains("cashTransaction.create"), "{:?}", failure.mismatches);
}

const JOURNEY: &str = "start journey: { as: journey, type: createAccount, accountTypes: [isk], \
                       accountServiceType: executionOnly, accountCategories: [retail] }";

/// A story about one journey.
fn journey_story(steps: &str) -> String {
    let steps = steps.lines().map(|step| format!("{}{step}\n", if step.starts_with(' ') { "  " } else { "  - " }));
    let steps: String = steps.collect();
    format!("scenario: A journey\nsteps:\n  - {JOURNEY}\n{steps}")
}

#[test]
fn a_browser_and_a_receiver_show_the_same_in_process_and_over_a_simulated_network() {
    let text = journey_story(
        "open page: journey\nexpect page: { name: authentication, language: en, status: 200 }\nidentify\n\
         fill in: { accountName: Summer }\nexpect page: kyc\ngo back\nexpect page: { holds: { accountName: Summer } }\n\
         press: Svenska\nexpect page: { name: accountDetails, language: sv }\nleave journey\nexpect page: end\n\
         expect callback of journey: { status: canceled, context: accountDetails }\nno callback",
    );
    let (one, other) = (passes(&text, &Choice::InProcess), passes(&text, &Choice::Turmoil));
    assert_eq!((one.transcript, one.digest), (other.transcript, other.digest));
}

/// What a story about a journey fails with: the words, then what was expected and got.
fn fails_with(steps: &str, what: &str, got: &str) {
    let run = run(&journey_story(steps), &Choice::InProcess);
    let failure = run.failure.unwrap_or_else(|| panic!("{steps}: it passes\n{}", run.transcript));
    let mismatch = failure.mismatches.first().map_or("", |mismatch| mismatch.got.as_str());
    assert!(failure.what.contains(what), "{steps}: {}", failure.what);
    assert!(mismatch.contains(got), "{steps}: {mismatch}");
}

#[test]
fn whatever_is_not_as_expected_of_pages_and_callbacks_fails_in_words() {
    let rows = [
        // A page.
        ("fill in", "no page is open", ""),
        (
            "open page: /journey/unknown\nexpect page: { status: 404 }\nidentify",
            "it is not possible to identify here",
            "",
        ),
        ("open page: /journey/unknown\nidentify", "the page answers 404", ""),
        ("open page: journey\nfill in", "use `identify`, `sign` or `press`", ""),
        ("open page: journey\nexpect page: kyc", "the page is not as expected: authentication", "authentication"),
        (
            "open page: journey\nexpect page: { says: Show who you aren't }",
            "not as expected",
            "nearest: Show who you are",
        ),
        ("open page: journey\nexpect page: { does not say: Show who }", "not as expected", "Show who you are"),
        ("open page: journey\nidentify: 190001010000", "the page answers 422", ""),
        ("open page: journey\ngo back", "has no way back", ""),
        ("open page: journey\nsend again", "no form was sent", ""),
        ("open page: journey\npress: Idntify", "did you mean `Identify`?", ""),
        ("open page: journey\nidentify\nfill in: { acountName: Summer }", "did you mean `accountName`?", ""),
        ("open page: journey\nidentify\nfill in\nfill in", "the page answers 422: kyc", ""),
        ("open page: journey\nidentify\nfill in\nfill in: { purpose: perhaps }", "`purpose` offers no `perhaps`", ""),
        // A callback.
        ("expect callback of journey: complete", "no new callback came", "none is due"),
        ("complete journey: journey\nno callback", "a callback came", "complete"),
        ("complete journey: journey\nforget events\nnothing else happens", "a callback came", "complete"),
        (
            "complete journey: journey\nexpect callback of journey: canceled",
            "the callback is not as expected",
            "complete",
        ),
        (
            "receiver: is down\ncomplete journey: journey\nexpect callback of journey: complete",
            "no new callback came",
            "the delivery is queued: broken; the next attempt is at",
        ),
        (
            "complete journey: journey\nreplay callback: journey\nexpect callback of journey: complete",
            "more than one callback came",
            "complete",
        ),
        ("replay callback: journey", "the journey has no callback to send again", ""),
        (
            "complete journey: journey\nexpect delivery of journey: refused",
            "the delivery is not as expected",
            "delivered",
        ),
        // A webhook.
        ("register webhook: {}\nopen journey: journey\nno webhook", "a webhook came", "journey.update: "),
        ("register webhook: {}\nexpect webhook: journey.update", "no such webhook came", "nothing new"),
        (
            "register webhook: {}\nopen journey: journey\nexpect webhook: { journey.update: { current.status: complete } }",
            "no such webhook came",
            "journey.update: ",
        ),
        (
            "register webhook: {}\nopen journey: journey\nexpect webhook: journey.update\nexpect webhook: journey.update",
            "no such webhook came",
            "nothing new",
        ),
    ];
    for (steps, what, got) in rows {
        fails_with(steps, what, got);
    }
}

#[test]
fn a_callback_that_another_partner_signed_is_not_taken() {
    let steps = "complete journey: journey\nexpect callback of journey: complete\n  as: partner 2";
    let run = run(&journey_story(steps), &Choice::InProcess);
    let failure = run.failure.expect("it fails");
    assert_eq!(failure.what, "the callback is not signed as it should be");
}

#[test]
fn every_behaviour_of_a_receiver_leaves_its_mark_in_the_log_of_deliveries() {
    let rows = [
        ("recovers", "delivered", "{ status: 200 }"),
        ("answers 201", "delivered", "{ status: 201 }"),
        ("answers 400", "refused", "{ status: 400 }"),
        ("answers 503", "queued", "{ status: 503 }"),
        ("answers 200 after 9 seconds", "delivered", "{ status: 200 }"),
        ("answers 200 after 11 seconds", "queued", "{ error: timeout }"),
        ("redirects", "queued", "{ status: 302 }"),
        ("is down", "queued", "{ error: broken }"),
        ("closes", "queued", "{ error: broken }"),
        ("hangs", "queued", "{ error: timeout }"),
        ("dribbles", "queued", "{ error: timeout }"),
        ("floods", "delivered", "{ status: 200 }"),
    ];
    for (behaviour, status, attempt) in rows {
        let taken = if behaviour == "is down" { "no callback" } else { "expect callback of journey: complete" };
        let steps = format!(
            "receiver: {behaviour}\ncomplete journey: journey\n{taken}\n\
             expect delivery of journey: {{ status: {status}, attempts: [{attempt}] }}\nno callback"
        );
        for driver in [Choice::InProcess, Choice::Turmoil] {
            passes(&journey_story(&steps), &driver);
        }
    }
}

#[test]
fn a_token_that_is_over_is_renewed_unless_the_story_expects_a_refusal() {
    for (clock, pass) in [("", "wait: 11 seconds"), (", virtualTransport: true", "advance: 11 seconds")] {
        let text = format!(
            "
scenario: Tokens end
world: {{ settings: {{ tokenLifeSeconds: 10{clock} }} }}
steps:
  - open account: {{ as: anna, cash: 1000 }}
  - {pass}
  - call: GET /account/{{anna}}
    expect: {{ status: 401, body: {{ error: unauthorized }} }}
  - call: GET /account/{{anna}}
    expect: {{ status: {{ one of: [401, 403] }} }}
  - expect cash of anna: 1000
  - {pass}
  - subscribe: {{ account: anna, instrument: SE0SBX000016SEK, amount: 100 }}
  - {pass}
  - open socket: second
  - {pass}
  - call: GET /order
    expect: {{ body: {{ length: 1 }} }}
"
        );
        for driver in [Choice::InProcess, Choice::Turmoil] {
            passes(&text, &driver);
        }
    }
}

#[test]
fn months_days_and_times_of_other_days_are_moved_to() {
    let text = "
scenario: The calendar
steps:
  - advance: 1 month
  - expect clock: 2026-04-02T06:00:00.000Z
  - advance: to 2026-04-10
  - expect clock: 2026-04-10T06:00:00.000Z
  - advance: to 2026-04-11 14:30
  - expect clock: 2026-04-11T12:30:00.000Z
  - let: { day: 2026-04-30 }
  - advance: \"to {day}\"
  - expect clock: 2026-04-30T12:30:00.000Z
  - advance: P6M
  - expect clock: 2026-10-30T13:30:00.000Z
  - advance: \"1 years\"
  - expect clock: 2027-10-30T12:30:00.000Z
";
    assert_eq!(passes(text, &Choice::InProcess).transcript, passes(text, &Choice::Turmoil).transcript);
}

#[test]
fn missing_and_overlong_values_are_reported_with_the_accepted_ones() {
    let story = |step: &str| {
        format!(
            "\nscenario: Not there\nsteps:\n  - open account: {{ as: anna, cash: 1000 }}\n  - {step}\n  - expect cash of anna: 1000\n"
        )
    };
    let rows = [
        (
            "expect account anna: { positions: { length: 2 } }",
            "positions expected a length of 2, got a length of 0: []",
        ),
        (
            "expect account anna: { owner.age: 12 }",
            "owner.age expected 12, got nothing: `owner` has ownerType, firstName,",
        ),
        ("'expect value {anna.owner.age}': 12", "got nothing: `owner` has ownerType, firstName,"),
        ("call: 'GET /account/{anna.ident}'", "`anna` has no `ident`: it has id, sortedId, ref, name, accountType,"),
        (
            "{ call: 'GET /account/{anna}', save: { a: '$.bankAccounts[0].id' } }",
            "nothing to save as `a`: there is no `$.bankAccounts[0].id`; `bankAccounts` is a list of 0 items",
        ),
    ];
    for (step, explained) in rows {
        let failure = run(&story(step), &Choice::InProcess).failure.expect("it fails").to_string();
        assert!(failure.contains(explained), "{step}\n{failure}");
    }
}
