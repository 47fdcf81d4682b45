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
