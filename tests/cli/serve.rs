//! `fundsim serve`: ready when it says so, reachable, and gone when it is stopped.

use super::{command, folder, fundsim};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A sandbox of this test's own; gone when the test is.
pub(crate) struct Sandbox {
    pub(crate) child: Child,
    pub(crate) line: Json,
}

impl Sandbox {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0", "--output", "json"], arguments].concat();
        Self::spawn(command(&all).stderr(Stdio::null()))
    }

    /// Starts `command`, which ends in a `serve` with JSON output.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a first line");
        let line = serde_json::from_str(&line).unwrap_or_else(|error| panic!("`{line}` is not JSON: {error}"));
        Self { child, line }
    }

    /// A frozen server with an operator's token, on which the first partner has placed an order; the partner's token, its client, and
    /// the order.
    pub(crate) fn with_an_order(arguments: &[&str]) -> (Self, String, String, String) {
        let frozen = ["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"];
        let all = [&["serve", "--listen", "127.0.0.1:0", "--output", "json"], &frozen[..], arguments].concat();
        let mut serve = command(&all);
        let sandbox = Self::spawn(serve.env("OPERATOR", "an operator's token").stderr(Stdio::null()));
        let token = sandbox.token(0);
        let client = sandbox.partner(0, "clients")[0]["id"].as_str().expect("a client").to_owned();
        let account = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 });
        let account = sandbox.posts(&token, "/simulations/account", &account);
        let order = json!({
            "orderType": "subscription", "account": account["id"], "instrument": "SE0SBX000016SEK", "amount": 2_500.5,
        });
        let order = sandbox.posts(&token, &format!("/v2/partner/client/{client}/order"), &order);
        let order = order["id"].as_str().expect("an id").to_owned();
        (sandbox, token, client, order)
    }

    pub(crate) fn url(&self) -> &str {
        self.line["url"].as_str().expect("a URL")
    }

    /// One request; status and body.
    pub(crate) fn ask(&self, head: &str, body: &str) -> (u16, Json) {
        let address = self.address();
        let mut stream = TcpStream::connect(address).expect("the port accepts");
        let length = body.len();
        write!(stream, "{head}host: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
            .expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is answered");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or(Json::Null))
    }

    /// What the first line says of one of the world's partners.
    pub(crate) fn partner(&self, at: usize, field: &str) -> &Json {
        &self.line["partners"][at][field]
    }

    pub(crate) fn text(&self, at: usize, field: &str) -> String {
        self.partner(at, field).as_str().expect("a text").to_owned()
    }

    /// An access token of that partner.
    pub(crate) fn token(&self, at: usize) -> String {
        let (id, secret) = (self.text(at, "clientId"), self.text(at, "clientSecret"));
        let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
        let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
        let (status, answer) = self.ask(head, &form);
        assert_eq!(status, 200, "{answer}");
        answer["access_token"].as_str().expect("a token").to_owned()
    }

    /// A JSON body, posted and taken; the answer.
    pub(crate) fn posts(&self, token: &str, path: &str, body: &Json) -> Json {
        let head =
            format!("POST {path} HTTP/1.1\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n");
        let (status, answer) = self.ask(&head, &body.to_string());
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        self.url().split("://").last().expect("an address")
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
    }

    /// Sends a signal and waits for the exit code.
    pub(crate) fn stop(mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // Already gone where the test has stopped it.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn the_printed_line_is_enough_to_get_a_token_and_read_accounts() {
    let sandbox = Sandbox::start(&["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]);
    let partner = &sandbox.line["partners"][0];
    assert_eq!(
        (sandbox.line["seed"].as_u64(), sandbox.line["now"].as_str()),
        (Some(42), Some("2026-03-02T07:00:00.000Z"))
    );
    let text = |value: &Json| value.as_str().expect("text").to_owned();
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        text(&partner["clientId"]),
        text(&partner["clientSecret"])
    );
    let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let (status, token) = sandbox.ask(head, &form);
    assert_eq!(status, 200, "{token}");
    let head = format!(
        "GET /v2/partner/client/{}/account HTTP/1.1\r\nauthorization: Bearer {}\r\n",
        text(&partner["clients"][0]["id"]),
        text(&token["access_token"])
    );
    let (status, accounts) = sandbox.ask(&head, "");
    assert_eq!(status, 200, "{accounts}");
    assert!(accounts.as_array().is_some_and(|accounts| !accounts.is_empty()));
}

#[test]
fn both_signals_stop_it_with_exit_0() {
    for signal in ["-TERM", "-INT"] {
        assert_eq!(Sandbox::start(&[]).stop(signal), Some(0), "{signal}");
    }
}

#[test]
fn without_a_seed_one_is_drawn_and_printed() {
    let seeds: Vec<_> = (0..2).map(|_| Sandbox::start(&[]).line["seed"].as_u64().expect("a seed")).collect();
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn text_output_shows_address_credentials_and_a_call_that_works() {
    let mut child = command(&["serve", "--listen", "127.0.0.1:0", "--clock", "1440"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("Ctrl-C") {
        assert!(reader.read_line(&mut text).expect("text") > 0, "it ended early: {text}");
    }
    child.kill().expect("it can be stopped");
    child.wait().expect("it ends");
    for word in [
        "fundsim is ready on http://127.0.0.1:",
        "client_id",
        "client_secret",
        "seed",
        "real time times 1440",
        "curl -s http://",
    ] {
        assert!(text.contains(word), "`{word}` is missing in\n{text}");
    }
}

#[test]
fn a_configuration_file_sets_what_flags_leave_open() {
    let folder = folder("configuration");
    std::fs::write(
        folder.join("setup.yaml"),
        "name: small\npartners:\n  - name: Ensam AB\n    clients: [{ name: Klient AB, crn: \"5599900007\" }]\n",
    )
    .expect("a file can be written");
    let config = folder.join("fundsim.yaml");
    std::fs::write(&config, "world: setup.yaml\nseed: 7\nclock: frozen\nstart: 2026-03-02T08:00:00+01:00\n")
        .expect("a file can be written");
    let config = config.to_str().expect("text");
    let sandbox = Sandbox::start(&["--config", config]);
    assert_eq!(sandbox.line["seed"].as_u64(), Some(7));
    assert_eq!(sandbox.line["partners"][0]["name"].as_str(), Some("Ensam AB"));
    let sandbox = Sandbox::start(&["--config", config, "--seed", "8"]);
    assert_eq!(sandbox.line["seed"].as_u64(), Some(8), "flags win");
    std::fs::write(folder.join("slip.yaml"), "sed: 7\n").expect("a file can be written");
    let output = fundsim(&["serve", "--config", folder.join("slip.yaml").to_str().expect("text")]);
    assert!(output.code == 2 && output.err.contains("did you mean `seed`?"), "{}", output.err);
}

/// (rule: wire/public-address)
#[test]
fn a_public_url_that_is_none_is_refused_at_the_start() {
    for url in ["zz", "http://sandbox.example?a=1"] {
        let output = fundsim(&["serve", "--listen", "127.0.0.1:0", "--public-url", url]);
        assert!(
            output.code == 2 && output.err.contains("the public URL must be"),
            "{url}: {} {}",
            output.code,
            output.err
        );
    }
    let sandbox = Sandbox::start(&["--open", "--public-url", "https://sandbox.example/"]);
    assert_eq!(sandbox.url(), "https://sandbox.example");
}

#[test]
fn stories_say_the_same_against_a_running_server_as_in_process() {
    let sandbox = Sandbox::start(&[]);
    let output = fundsim(&["run", "scenarios", "--driver", "live", "--url", sandbox.url()]);
    // Goldens are compared, and they are those of the other drivers.
    assert_eq!(output.code, 0, "{}", output.out);
}

/// (rule: auth/operator-token)
#[test]
fn an_operators_token_guards_the_machinery_and_opens_it_to_a_run() {
    let all = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--operator-token-env", "TOKEN_OF_THE_TEST"];
    let mut child = command(&all)
        .env("TOKEN_OF_THE_TEST", "open-sesame")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a first line");
    let sandbox = Sandbox { child, line: serde_json::from_str(&line).expect("JSON") };
    let run = ["run", "scenarios/orders/hold-lapses.yaml", "--driver", "live", "--url", sandbox.url()];
    let output = fundsim(&run);
    assert!(output.code == 1 && output.out.contains("401"), "{}", output.out);
    let with = [&run[..], &["--operator-token-env", "TOKEN_OF_THE_TEST"]].concat();
    let output = super::called(command(&with).env("TOKEN_OF_THE_TEST", "open-sesame").output().expect("it starts"));
    assert_eq!(output.code, 0, "{}", output.out);
}
