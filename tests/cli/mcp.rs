//! `fundsim mcp`, by its protocol alone: what it offers, what it refuses, and by whose right it acts.
//!
//! Absent on purpose: a client of others, which `tests/mcp` has.

use super::serve::Sandbox;
use super::{command, fundsim};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An assistant with its server.
struct Assistant {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Assistant {
    /// Starts a server and says hello.
    fn with(arguments: &[&str]) -> Self {
        let mut command = command(&[&["mcp"], arguments].concat());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let input = child.stdin.take().expect("standard input");
        let output = BufReader::new(child.stdout.take().expect("standard output"));
        let mut assistant = Self { child, input, output, asked: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "by hand", "version": "0" },
        });
        let answer = assistant.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "fundsim", "{answer}");
        assistant.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    fn send(&mut self, message: &Json) {
        writeln!(self.input, "{message}").expect("it is read");
    }

    /// One request and its answer.
    fn ask(&mut self, method: &str, parameters: &Json) -> Json {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let answer: Json = serde_json::from_str(&line).expect("one answer a line, and nothing else");
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer
    }

    /// What a tool says, or how it fails.
    fn call(&mut self, tool: &str, arguments: &Json) -> Result<String, String> {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        if result["isError"] == true { Err(text) } else { Ok(text) }
    }

    /// Closes its end; the exit code.
    fn end(self) -> Option<i32> {
        let Self { mut child, input, output, .. } = self;
        drop((input, output));
        child.wait().expect("it ends").code()
    }
}

#[test]
fn an_assistant_that_is_refused_gets_the_sandboxs_own_words() {
    let (sandbox, token, _, order) = Sandbox::with_an_order(&["--operator-token-env", "OPERATOR"]);
    let mut assistant = Assistant::with(&["--url", sandbox.url(), "--token", &token]);
    let why = assistant.call("why", &json!({ "id": order })).expect("it is explained");
    assert!(why.contains("PlaceOrder"), "{why}");
    for (tool, arguments, expected) in [
        ("advance", json!({ "by": "P1D" }), "answered 403"),
        ("list_worlds", json!({}), "answered 403"),
        ("read_clock", json!({ "world": "world-9" }), "worldId is not the world of this token"),
        ("redeem", json!({ "account": order, "instrument": "SE0SBX000016SEK", "units": 1 }), "answered 4"),
        ("cancel", json!({}), "`cancel` needs `order`"),
        ("cancel", json!({ "order": order, "as": "partner 2" }), "the world has no client 1 of a partner 2"),
        ("hold", json!({ "ordr": order }), "did you mean `order`?"),
        ("why", json!({}), "`id` is missing"),
        ("read_clock", json!({ "worlds": "x" }), "`worlds` is not known here; did you mean `world`?"),
        (
            "run",
            json!({ "story": "scenario: x\nsteps: [{ open account: { as: anna, cash: 1 } }, { 'expect cash of {anna}': 1 }]\n" }),
            "a partner's: play it with `on: here`",
        ),
        ("run", json!({ "story": "scenario: x\nsteps: [{ opn account: {} }]\n" }), "did you mean `open account`?"),
        ("explain", json!({ "topic": 7 }), "`topic` is a text, and not 7"),
    ] {
        let refused = assistant.call(tool, &arguments).expect_err(tool);
        assert!(refused.contains(expected), "{tool} {arguments}: {refused}");
    }
    let unknown = assistant.ask("tools/call", &json!({ "name": "subscribed", "arguments": {} }));
    let message = unknown["error"]["message"].as_str().expect("a message");
    assert_eq!(message, "there is no tool `subscribed` here; did you mean `subscribe`?");
    assert_eq!(assistant.end(), Some(0), "its end is closed");
}

#[test]
fn without_a_server_there_are_documents_and_stories_and_tools_say_what_is_wrong() {
    let mut assistant = Assistant::with(&["--url", "http://127.0.0.1:9"]);
    let documents = assistant.ask("resources/list", &json!({}));
    assert!(documents.to_string().contains("fundsim://rules/orders"), "{documents}");
    let story = "scenario: an account has its cash\nsteps:\n  - open account: { as: anna, cash: 1000 }\n  - expect cash of {anna}: ";
    let passed = assistant.call("run", &json!({ "story": format!("{story}1000\n"), "on": "here" }));
    assert!(passed.is_ok_and(|report| report.starts_with("ok  ")));
    let failed = assistant.call("run", &json!({ "story": format!("{story}999\n"), "on": "here" }));
    assert!(failed.is_err_and(|report| report.contains("the cash of the account is not as expected")));
    let why = assistant.call("list_worlds", &json!({})).expect_err("nobody listens there");
    assert!(why.starts_with("http://127.0.0.1:9: "), "{why}");
    assert_eq!(assistant.end(), Some(0));
}

#[test]
fn a_server_that_only_reads_offers_nothing_else() {
    let (sandbox, ..) = Sandbox::with_an_order(&[]);
    let mut assistant = Assistant::with(&["--url", sandbox.url(), "--read-only"]);
    let tools = assistant.ask("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().expect("a list");
    assert!(tools.len() > 15 && tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{tools:?}");
    let refused = assistant.ask("tools/call", &json!({ "name": "advance", "arguments": { "by": "P1D" } }));
    assert!(refused["error"]["message"].as_str().is_some_and(|why| why.starts_with("there is no tool `advance`")));
    assert_eq!(assistant.end(), Some(0));
    let output = fundsim(&["mcp", "--tools", "subscrib"]);
    assert!(output.code == 2 && output.err.contains("did you mean `subscribe`?"), "{}", output.err);
}
