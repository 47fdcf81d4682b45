//! `fundsim logs` against a running server: what is shown, what is followed, and that nothing is left out.

use super::serve::Sandbox;
use super::{command, fundsim};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// `logs -f` under way.
struct Following {
    child: Child,
    lines: Receiver<String>,
}

impl Following {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = command(&[&["logs", "-f", "--url", sandbox.url()], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(30)).expect("a line in time")
    }

    fn interrupt(mut self) -> Option<i32> {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn the_last_requests_are_shown_filtered_and_with_bodies() {
    let (sandbox, token, client, order) = Sandbox::with_an_order(&[]);
    let missing = format!("GET /v2/partner/client/{client}/order/nix HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    assert_eq!(sandbox.ask(&missing, "").0 / 100, 4);
    let logs = |arguments: &[&str]| {
        let output = fundsim(&[&["logs", "--url", sandbox.url()], arguments].concat());
        assert_eq!(output.code, 0, "{arguments:?}: {}", output.err);
        output.out
    };
    let all = logs(&[]);
    let words: Vec<Vec<&str>> = all.lines().map(|line| line.split_whitespace().skip(1).take(3).collect()).collect();
    let order_path = format!("/v2/partner/client/{client}/order");
    assert_eq!(
        words[..3],
        [
            ["200", "POST", "/v2/partner/auth/token"],
            ["200", "POST", "/simulations/account"],
            ["200", "POST", &order_path]
        ]
    );
    assert_eq!(words.len(), 4, "oldest first: {all}");
    assert_eq!(logs(&["--status", "4xx"]).lines().count(), 1);
    assert_eq!(logs(&["--status", "404,200", "--path", "/order", "--method", "post"]).lines().count(), 1);
    assert_eq!(logs(&["-n", "2"]).lines().count(), 2);
    assert_eq!(logs(&["--since", "1h"]).lines().count(), 4);
    assert_eq!(logs(&["--since", "2999-01-01T00:00:00Z"]), "");
    let bodies = logs(&["--path", "/order", "--status", "2xx", "--bodies"]);
    assert!(
        bodies.contains("    >   \"amount\": 2500.5") && bodies.contains(&format!("    <   \"id\": \"{order}\"")),
        "{bodies}"
    );
    let line: Json = serde_json::from_str(logs(&["--json", "-n", "1"]).trim()).expect("JSON");
    assert_eq!(line["method"], "GET");
    let colored = logs(&["-n", "1", "--color", "always"]);
    assert!(colored.contains("\x1b[33m4"), "{colored:?}");
    let refused = fundsim(&["logs", "--url", sandbox.url(), "--status", "9xx"]);
    assert!(refused.code == 2 && refused.err.contains("4xx or none"), "{}", refused.err);
}

/// (rule: wire/request-log)
#[test]
fn what_comes_is_followed_in_order_without_a_gap_and_ctrl_c_ends_with_0() {
    let (sandbox, token, client, _) = Sandbox::with_an_order(&[]);
    let following = Following::start(&sandbox, &["-n", "0", "--path", "/simulations", "--json"]);
    // More than one answer of the server has; those before it follows are the past.
    const LAST: usize = 1_199;
    for number in 0..=LAST {
        let account = json!({ "clientId": client, "accountType": "isk", "name": format!("number {number}") });
        sandbox.posts(&token, "/simulations/account", &account);
    }
    let number = |line: &str| {
        let line: Json = serde_json::from_str(line).expect("JSON");
        let name = line["sent"]["json"]["name"].as_str().expect("a name").to_owned();
        name.trim_start_matches("number ").parse::<usize>().expect("a number")
    };
    let mut last = number(&following.line());
    while last < LAST {
        let next = number(&following.line());
        assert_eq!(next, last + 1);
        last = next;
    }
    assert_eq!(following.interrupt(), Some(0));
}

#[test]
fn a_server_that_was_away_is_followed_again() {
    let (sandbox, token, client, _) = Sandbox::with_an_order(&[]);
    let following = Following::start(&sandbox, &["--path", "/simulations"]);
    assert!(following.line().contains("/simulations/account"));
    let address = sandbox.address().to_owned();
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let mut again = command(&["serve", "--listen", &address, "--output", "json", "--clock", "frozen", "--seed", "42"]);
    let again = Sandbox::spawn(again.stderr(Stdio::null()));
    drop(token);
    let account = json!({ "clientId": client, "accountType": "isk" });
    again.posts(&again.token(0), "/simulations/account", &account);
    assert!(following.line().contains("/simulations/account"), "the log of the new server is shown from its beginning");
    assert_eq!(following.interrupt(), Some(0));
}
