//! What `fundsim serve` logs on standard error: a line for everything that happens, for people and for machines.

use super::serve::Sandbox;
use super::{command, folder, fundsim};
use serde_json::{Value as Json, json};
use std::io::Read as _;
use std::process::Stdio;

/// The log of a server that was asked for a token, an account, a webhook that nobody answers to, and something unknown; with the
/// token and the secret that it must not log.
fn log_and_secrets(arguments: &[&str]) -> (String, [String; 2]) {
    let all = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen"];
    let mut sandbox = Sandbox::spawn(command(&[&all[..], arguments].concat()).stderr(Stdio::piped()));
    let partner = &sandbox.line["partners"][0];
    let text = |value: &Json| value.as_str().expect("text").to_owned();
    let (id, secret) = (text(&partner["clientId"]), text(&partner["clientSecret"]));
    let client = text(&partner["clients"][0]["id"]);
    let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let token = text(&sandbox.ask(head, &form).1["access_token"]);
    let post = |path: &str, body: &Json| {
        let head =
            format!("POST {path} HTTP/1.1\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n");
        sandbox.ask(&head, &body.to_string()).0
    };
    let hook = json!({ "client": client, "url": "http://127.0.0.1:9/hook?key=of-the-receiver" });
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 5000 });
    assert!((200..300).contains(&post("/_sandbox/worlds/current/webhooks", &hook)));
    assert_eq!(post("/simulations/account", &account), 200);
    assert_eq!(sandbox.ask("GET /nowhere?client_secret=x HTTP/1.1\r\n", "").0, 404);
    let head = format!("GET /_sandbox/worlds/current/deliveries HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    while !sandbox.ask(&head, "").1.to_string().contains("unreachable") {}
    let mut pipe = sandbox.child.stderr.take().expect("a pipe");
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let mut log = String::new();
    pipe.read_to_string(&mut log).expect("text");
    (log, [token, secret])
}

/// (rule: wire/log)
#[test]
fn every_request_event_and_delivery_is_a_line_for_people_without_secrets() {
    let (log, secrets) = log_and_secrets(&[]);
    for words in [
        " info  200 POST   /v2/partner/auth/token  ",
        " info  event account.create ",
        " info  200 POST   /simulations/account  ",
        " info  404 GET    /nowhere?client_secret=***  ",
        " warn  delivery account.create to http://127.0.0.1:9/hook: unreachable, queued  attempt 1 ",
    ] {
        assert!(log.lines().any(|line| line.contains(words)), "{words:?} is not in\n{log}");
    }
    assert!(!log.contains('\x1b'), "no colour in a pipe: {log:?}");
    for secret in secrets.iter().map(String::as_str).chain(["of-the-receiver"]) {
        assert!(!log.contains(secret), "{secret} is in\n{log}");
    }
}

/// (rule: wire/log)
#[test]
fn for_machines_every_line_is_an_object_and_the_level_says_how_many_there_are() {
    let (all_lines, _) = log_and_secrets(&["--log-format", "json"]);
    let lines: Vec<Json> = all_lines
        .lines()
        .filter(|line| !line.starts_with("closing:"))
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
    assert!(lines.iter().all(|line| line["at"].is_string() && line["level"].is_string()), "{all_lines}");
    let opened = of("request").into_iter().find(|line| line["path"] == "/simulations/account").expect("the lever");
    let event = of("event").into_iter().find(|line| line["event"] == "account.create").expect("its event");
    assert_eq!((&opened["request-id"], &opened["world"]), (&event["request-id"], &event["world"]));
    let delivery = of("delivery").into_iter().find(|line| line["event"] == "account.create").expect("its delivery");
    assert_eq!((&delivery["failure"], &delivery["attempt"]), (&json!("unreachable"), &json!(1)));

    let (warnings, _) = log_and_secrets(&["--log-format", "json", "--log-level", "warn"]);
    assert!(warnings.contains(r#""kind":"delivery""#) && !warnings.contains(r#""kind":"request""#), "{warnings}");
    let (nothing, _) = log_and_secrets(&["--log-level", "off"]);
    assert_eq!(nothing.lines().filter(|line| !line.starts_with("closing:")).count(), 0, "{nothing}");
}

/// (rule: wire/log)
#[test]
fn each_target_goes_by_a_level_of_its_own_and_the_others_by_the_one_beside_it() {
    let (requests, _) = log_and_secrets(&["--log-level", "sandbox::events=off,sandbox::deliveries=warn,info"]);
    let has = |words: &str| requests.contains(words);
    assert!(has(" info  200 POST   /simulations/account  ") && has(" warn  delivery account.create "), "{requests}");
    assert!(!has(" event account.create"), "{requests}");
    let (events, _) = log_and_secrets(&["--log-level", "off,sandbox::events=info"]);
    let lines: Vec<_> = events.lines().filter(|line| !line.starts_with("closing:")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line.contains(" info  event ")), "{events}");
}

/// (rule: wire/log)
#[test]
fn a_level_or_target_that_there_is_not_is_refused_with_those_that_there_are() {
    let config = folder("log-levels").join("config.yaml");
    for (level, is_in_file) in [("loud", false), ("sandbox::nothing=info", false), ("hyper=debug", true)] {
        std::fs::write(&config, format!("logLevel: {level}\n")).expect("a file");
        let config = config.to_str().expect("text");
        let named = if is_in_file { ["--config", config] } else { ["--log-level", level] };
        let called = fundsim(&[&["serve", "--listen", "127.0.0.1:0"], &named[..]].concat());
        let log = called.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(called.code, 2, "{log}");
        for words in
            ["off, error, warn, info, debug", "sandbox::deliveries=debug", "sandbox::requests, sandbox::events"]
        {
            assert!(log.contains(words), "{words:?} is not in {log}");
        }
    }
}
