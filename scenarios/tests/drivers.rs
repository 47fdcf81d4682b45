//! Drivers: one story, the same words on each of them.

use scenarios::ast::Scenario;
use scenarios::diagnostic::Source;
use scenarios::drivers::Choice;
use scenarios::parse::{OnDisk, parse};
use scenarios::runner::{Run, play};

fn story(text: &str) -> Scenario {
    let source = Source::new("story.yaml", text);
    parse(&source, &OnDisk)
        .unwrap_or_else(|faults| panic!("{}", faults.iter().map(|it| it.render(false)).collect::<String>()))
}

fn run(text: &str, driver: &Choice) -> Run {
    let runs = play(&story(text), driver, 7).expect("the run is set up");
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
        lines.filter_map(|line| line.split(' ').nth(1)).map(str::to_owned).collect()
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
