//! `fundsim run --app`: a story asks an application under test that uses the same world.

use super::serve::Sandbox;
use super::{Called, command, folder, fundsim};
use serde_json::Value as Json;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const START: &[&str] = &["--seed", "7", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"];

/// An application that is ready at the fourth look, says which authorization it got, and asks the sandbox for its clients; its URL.
fn application(sandbox: &Sandbox) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (service, token) = (sandbox.address().to_owned(), sandbox.token(0));
    let looks = Arc::new(AtomicUsize::new(0));
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut bytes = [0; 4_096];
            let count = stream.read(&mut bytes).unwrap_or(0);
            let request = String::from_utf8_lossy(&bytes[..count]).into_owned();
            let header =
                |name: &str| request.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
            let (status, body) = match request.split(' ').nth(1).unwrap_or_default() {
                "/ready" if looks.fetch_add(1, Ordering::SeqCst) < 3 => (409, "{\"status\":\"pending\"}".to_owned()),
                "/ready" => (200, format!("{{\"status\":\"ready\",\"looks\":{}}}", looks.load(Ordering::SeqCst))),
                "/mirror" => (200, format!("{{\"authorization\":\"{}\"}}", header("authorization: "))),
                "/clients" => {
                    let mut asked = TcpStream::connect(&service).expect("the sandbox accepts");
                    let head = format!(
                        "GET /v2/partner/client/none HTTP/1.1\r\nhost: {service}\r\nauthorization: Bearer {token}\r\n"
                    );
                    write!(asked, "{head}connection: close\r\n\r\n").expect("it is sent");
                    let mut answer = String::new();
                    asked.read_to_string(&mut answer).expect("it is answered");
                    (200, "{\"clients\":0}".to_owned())
                }
                _ => (200, "{}".to_owned()),
            };
            let length = body.len();
            let head = format!("HTTP/1.1 {status} As it is\r\ncontent-type: application/json\r\nconnection: close\r\n");
            drop(write!(stream, "{head}content-length: {length}\r\n\r\n{body}"));
        }
    });
    url
}

/// Plays a story of these steps beside an application.
fn played(name: &str, sandbox: &Sandbox, steps: &str, more: &[&str]) -> Called {
    let app = application(sandbox);
    let story = folder(name).join("story.yaml");
    std::fs::write(&story, format!("fundsim: 1\nscenario: The application\n{steps}")).expect("a file");
    let story = story.to_str().expect("text");
    fundsim(&[&["run", story, "--url", sandbox.url(), "--app", &app], more].concat())
}

#[test]
fn an_application_is_asked_again_until_it_is_as_expected_and_its_world_stays() {
    let sandbox = Sandbox::start(START);
    let steps = "world: { start: 2026-03-03T08:00:00+01:00 }\nsteps:\n  \
        - expect app: GET /ready\n    expect: { status: 200, body: { status: ready } }\n    save: { looks: $.looks }\n  \
        - expect value looks: 4\n  \
        - app: GET {app}/mirror\n    headers: { authorization: own }\n    expect: { body: { authorization: own } }\n  \
        - open account: { as: anna, cash: 100 }\n  \
        - expect clock: 2026-03-03T07:00:00.000Z\n";
    let output = played("application-again", &sandbox, steps, &[]);
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    let (_, worlds) = sandbox.ask("GET /_sandbox/worlds HTTP/1.1\r\n", "");
    let worlds = worlds.as_array().expect("a list");
    assert_eq!(
        (worlds.len(), &worlds[0]["now"]),
        (1, &Json::from("2026-03-03T07:00:00.000Z")),
        "it was neither made nor dropped"
    );
}

#[test]
fn a_failure_says_what_was_answered_how_long_it_was_tried_and_what_the_application_asked_and_hides_secrets() {
    let sandbox = Sandbox::start(START);
    let steps = "steps:\n  - app: GET /clients\n  \
        - expect app: GET /mirror\n    expect: { body: { authorization: something else } }\n    within: 300 milliseconds\n";
    let secret = ["--app-header", "Authorization: Bearer s3cret-of-mine"];
    let begun = Instant::now();
    let transcripts = folder("application-transcripts");
    let kept = ["--transcript", transcripts.to_str().expect("text"), "--app-header", secret[1]];
    let output = played("application-fails", &sandbox, steps, &kept);
    assert_eq!(output.code, 1, "{}{}", output.out, output.err);
    assert!(begun.elapsed() < Duration::from_secs(10), "its time was 300 milliseconds");
    for words in [
        "the application is not as expected, asked ",
        " times in 0.3 s: GET /mirror answered 200 {\"authorization\":\"{app header authorization}\"}",
        "body.authorization: something else",
        "the application's last requests to the sandbox:\n      GET /v2/partner/client/none -> 4",
        "the last posts of the sandbox to the application:\n      nothing:",
        "--app-header 'authorization: …'",
    ] {
        assert!(output.out.contains(words), "{words}\n{}", output.out);
    }
    let written = std::fs::read_dir(&transcripts).expect("a folder").map(|file| file.expect("a file").path());
    let transcript: String = written.map(|path| std::fs::read_to_string(path).expect("text")).collect();
    assert!(transcript.contains("  > [to the application] GET /clients\n"), "{transcript}");
    assert!(transcript.contains("  % GET /v2/partner/client/none -> 4"), "{transcript}");
    assert!(!format!("{}{transcript}", output.out).contains("s3cret"), "{}{transcript}", output.out);
    let json = played("application-json", &sandbox, steps, &["--output", "json"]);
    let shown: Json = serde_json::from_str(&json.out).expect("JSON");
    let observed = &shown["files"][0]["failures"][0]["application"]["the application's last requests to the sandbox"];
    assert!(observed[0].as_str().is_some_and(|line| line.starts_with("GET /v2/partner/client/none")), "{observed}");
}

#[test]
fn what_a_story_changes_in_the_machinery_of_a_world_that_it_shares_is_put_back() {
    let sandbox = Sandbox::start(START);
    let read = |what: &str| sandbox.ask(&format!("GET /_sandbox/worlds/world-1/{what} HTTP/1.1\r\n"), "").1;
    let before = ["settings", "faults", "webhooks"].map(read);
    let steps = "world: { settings: { autoPay: false, deliveryWaitsSeconds: [1] } }\nsteps:\n  \
        - add fault: { match: { event: 'order.*' }, verdict: { deliveries: drop } }\n  \
        - register webhook: { as: hook, url: '{app}/events' }\n  \
        - call: GET /_sandbox/worlds/current/settings\n    expect: { body: { world.autoPay: false, deliveryWaitsSeconds: [1] } }\n  \
        - app: GET /clients\n    expect: { body: { clients: 1 } }\n";
    let output = played("application-leaves", &sandbox, steps, &[]);
    assert_eq!(output.code, 1, "it fails, and cleans up: {}{}", output.out, output.err);
    assert!(output.out.contains("body.clients: 1"), "{}", output.out);
    assert_eq!(["settings", "faults", "webhooks"].map(read), before);
}

#[test]
fn a_partner_who_is_named_is_the_one_whose_application_it_is() {
    let sandbox = Sandbox::start(START);
    let (id, secret) = (sandbox.text(1, "clientId"), sandbox.text(1, "clientSecret"));
    let steps = format!("steps:\n  - expect value {{partner.clientId}}: {id}\n  - app: GET /clients\n");
    let named = ["--client-id", &id, "--client-secret", &secret];
    for more in [&[][..], &["--world", "current"], &["--world", "world-1"], &["--world", "demo"]] {
        let output = played("application-partner", &sandbox, &steps, &[&named[..], more].concat());
        assert_eq!(output.code, 0, "{more:?}: {}{}", output.out, output.err);
    }
    let other = played("application-other-world", &sandbox, &steps, &[&named[..], &["--world", "world-2"]].concat());
    assert!(other.out.contains("--world world-2 is not the world of the partner"), "{}", other.out);
    let nowhere = played("application-no-world", &sandbox, &steps, &["--world", "world-2"]);
    assert!(nowhere.out.contains("the server has no world world-2; it has: world-1"), "{}", nowhere.out);
}

#[test]
fn a_story_that_begins_before_the_worlds_time_says_that_time_does_not_go_back() {
    let sandbox = Sandbox::start(START);
    let steps = "world: { start: 2026-03-01T08:00:00+01:00 }\nsteps:\n  - expect app: GET /ready\n";
    let output = played("application-late", &sandbox, steps, &[]);
    assert_eq!(output.code, 1, "{}{}", output.out, output.err);
    assert!(output.out.contains("time does not go back"), "{}", output.out);
}

#[test]
fn a_story_with_an_application_is_refused_alone_and_skipped_among_others_where_none_is_named() {
    let folder = folder("application-unnamed");
    let story = folder.join("asks.yaml");
    std::fs::write(&story, "scenario: It asks\nsteps:\n  - expect app: GET /ready\n").expect("a file");
    let alone = fundsim(&["run", story.to_str().expect("text")]);
    assert_eq!((alone.code, alone.out.as_str()), (2, ""), "{}", alone.err);
    assert!(alone.err.contains("it asks an application under test, which no flag names: add --app"), "{}", alone.err);
    std::fs::write(folder.join("other.yaml"), "scenario: A clock\nsteps:\n  - expect clock: any\n").expect("a file");
    let among = fundsim(&["run", folder.to_str().expect("text")]);
    assert_eq!(among.code, 0, "{}{}", among.out, among.err);
    assert!(among.out.contains("skip  ") && among.out.contains("add --app"), "{}", among.out);
    assert!(among.out.contains("1 passed, 0 failed, 1 not for this driver"), "{}", among.out);
}

#[test]
fn flags_of_an_application_that_make_no_sense_are_refused_with_a_way_out() {
    let story = "scenarios/outside/month-end.yaml";
    let app = ["run", story, "--app", "http://127.0.0.1:1"];
    let rows: &[(&[&str], &str)] = &[
        (&["run", story, "--app-header", "a: b"], "add --app URL"),
        (&["run", story, "--app", "127.0.0.1:1"], "--app: `127.0.0.1:1` must begin with http:// or https://"),
        (&[&app[..], &["--app-header", "secret"]].concat(), "--app-header: a header is written `name: value`"),
        (&[&app[..], &["--driver", "in-process"]].concat(), "leave --driver out"),
        (&[&app[..], &["--world", "current"]].concat(), "add --client-id and --client-secret"),
        (&[&app[..], &["--client-id", "x"]].concat(), "--client-id and --client-secret together"),
        (&[&app[..], &["--bless"]].concat(), "cannot be used with"),
        (&[&app[..], &["--url", "http://127.0.0.1:1"]].concat(), "cannot connect"),
    ];
    for (arguments, words) in rows {
        let output = fundsim(arguments);
        assert!(output.code == 2 && output.err.contains(words), "{arguments:?}: {}", output.err);
    }
    let sandbox = Sandbox::start(START);
    let output = command(&app).env("FUNDSIM_URL", sandbox.url()).output().expect("it starts");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(err.contains("the application under test: http://127.0.0.1:1: cannot connect"), "{err}");
}
