//! `fundsim trigger` against a running server: what is sent is what a story sends, and mistakes get the messages of stories.

use super::serve::Sandbox;
use super::{Called, fundsim};
use language::words::STEPS;
use serde_json::Value as Json;

/// A call of `trigger` at a server.
fn trigger(sandbox: &Sandbox, arguments: &[&str]) -> Called {
    fundsim(&[&["trigger"], arguments, &["--url", sandbox.url()]].concat())
}

fn answer(sandbox: &Sandbox, arguments: &[&str]) -> Json {
    let output = trigger(sandbox, &[arguments, &["--json"]].concat());
    assert_eq!(output.code, 0, "{arguments:?}: {}{}", output.out, output.err);
    serde_json::from_str(&output.out).unwrap_or_default()
}

fn text(value: &Json) -> String {
    value.as_str().expect("a text").to_owned()
}

#[test]
fn an_account_is_opened_and_an_order_placed_held_and_released() {
    let sandbox = Sandbox::start(&["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]);
    let account = text(&answer(&sandbox, &["open-account", "type=isk", "cash=10000"])["id"]);
    let own = format!("account={account}");
    let order = &["subscribe", &own, "instrument=SE0SBX000016SEK", "amount=2500.50", "clientRef=007"];
    let shown = trigger(&sandbox, order);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let (sent, answered) = shown.out.split_once("\n\n200\n").expect("a request and its answer");
    assert!(sent.starts_with("POST /v2/partner/client/6b1f7c52-") && sent.contains("\"amount\": 2500.50,"), "{sent}");
    assert!(sent.contains("\"clientRef\": \"007\""), "a text keeps its digits: {sent}");
    let order = text(&serde_json::from_str::<Json>(answered).expect("JSON")["id"]);
    answer(&sandbox, &["hold", &order]);
    assert_eq!(answer(&sandbox, &["call", &format!("GET /order/{order}")])["status"], "hold");
    answer(&sandbox, &["release", &format!("order={order}")]);
    let holdings =
        answer(&sandbox, &["open-account", "positions.SE0SBX000016SEK=3.5", "bank-accounts=SE4550000000058398257466"]);
    assert_eq!(holdings["positions"][0]["units"].to_string(), "3.5", "{holdings}");
    let id = text(&holdings["id"]);
    let sold =
        answer(&sandbox, &["redeem", &format!("account={id}"), "instrument=SE0SBX000016SEK", "units=everything"]);
    assert_eq!(sold["units"].to_string().trim_end_matches('0'), "3.5", "{sold}");
    let other = answer(&sandbox, &["open-account", "--as", "partner 2"]);
    assert_ne!(other["clientId"], holdings["clientId"]);
    let hook = answer(&sandbox, &["register-webhook", "url=http://127.0.0.1:9/", "events=order.*", "events=account.*"]);
    assert_eq!(hook["events"].as_array().map(Vec::len), Some(6), "{hook}");
    let rule = &["add-fault", "match.path=/nowhere", "match.times=1", "verdict.answer.status=503"];
    assert_eq!(answer(&sandbox, rule)["verdict"]["answer"]["status"], 503);
}

#[test]
fn a_refusal_is_shown_with_exit_1_and_what_is_only_read_leaves_no_trace() {
    let sandbox = Sandbox::start(&["--clock", "frozen"]);
    let account = text(&answer(&sandbox, &["open-account"])["id"]);
    let order = ["subscribe", &format!("account={account}"), "instrument=SE0SBX000016SEK", "amount=5000"];
    let refused = trigger(&sandbox, &order);
    assert!(refused.code == 1 && refused.out.contains("\n\n400\n"), "{}{}", refused.out, refused.err);
    let refused = trigger(&sandbox, &[&order[..], &["--json"]].concat());
    let body: Json = serde_json::from_str(&refused.out).expect("the answer alone");
    assert!(refused.code == 1 && text(&body["error_description"]).contains("exceeds the available cash"), "{body}");
    let log = fundsim(&["logs", "--url", sandbox.url(), "--method", "GET"]);
    assert_eq!(log.out, "", "the world was looked at");
    let away = fundsim(&["trigger", "open-account", "--url", "http://127.0.0.1:1"]);
    assert!(away.code == 2 && away.err.contains("cannot connect"), "{}", away.err);
}

#[test]
fn mistakes_get_the_messages_of_stories() {
    let mut shown = String::new();
    for line in [
        &["subscibe", "account=15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72"][..],
        &["subscribe", "account=15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72", "amout=100"],
        &["open-account", "type=iks"],
        &["open-account", "cash=much"],
        &["hold"],
        &["hold", "mine"],
        &["set-trading", "instrument=SE0SBX000016SEK"],
        &["subscribe", "account=15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72", "100"],
        &["complete-journey", "journey=15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72", "answers.kyc.pup=no"],
        &["register-webhook", "events=ordr.update", "url=http://127.0.0.1:9/"],
        &["start-journey", "type=addBankAccount"],
        &["advance", "1 day"],
        &["expect", "order"],
        &["call", "GTE /account"],
        &["open-account", "--as", "someone"],
        &["buy"],
        &["amount=1"],
    ] {
        let output = fundsim(&[&["trigger"], line].concat());
        assert_eq!(output.code, 2, "{line:?}: {}", output.err);
        assert!(output.out.is_empty() && !output.err.contains("panicked"), "{line:?}");
        shown += &format!("$ fundsim trigger {}\n{}\n", line.join(" "), output.err);
    }
    insta::assert_snapshot!("trigger_mistakes", shown);
}

#[test]
fn every_request_of_the_language_is_listed_with_its_fields_and_has_help() {
    let all = fundsim(&["trigger"]).out;
    let as_json: Json = serde_json::from_str(&fundsim(&["trigger", "--json"]).out).expect("JSON");
    let rows: Vec<_> = STEPS.iter().filter(|row| row.sends().is_some()).collect();
    assert_eq!(as_json.as_array().map(Vec::len), Some(rows.len() + 1), "and `call`");
    for row in rows {
        let word = row.word.replace(' ', "-");
        assert!(all.contains(&format!("  {word} ")), "{word}");
        let help = fundsim(&["trigger", &word, "--help"]);
        assert!(help.code == 0 && help.out.contains(row.about), "{word}");
        for field in row.fields() {
            assert!(help.out.contains(&format!("\n{}", field.name.replace(' ', "-"))), "{word}: {}", field.name);
        }
    }
    insta::assert_snapshot!("trigger_help", fundsim(&["trigger", "sell-and-withdraw", "-h"]).out);
    assert!(fundsim(&["trigger", "--help"]).out.contains("--as <WHO>"));
}

#[test]
fn a_partner_sends_by_its_credentials_or_its_token_and_the_operator_for_each() {
    let (sandbox, token, ..) = Sandbox::with_an_order(&["--operator-token-env", "OPERATOR"]);
    let (id, secret) = (sandbox.text(1, "clientId"), sandbox.text(1, "clientSecret"));
    let second = sandbox.partner(1, "clients")[0]["id"].clone();
    let own = answer(&sandbox, &["open-account", "--client-id", &id, "--client-secret", &secret]);
    assert_eq!(own["clientId"], second);
    assert_ne!(answer(&sandbox, &["open-account", "--token", &token])["clientId"], second);
    assert_eq!(answer(&sandbox, &["open-account", "--token", &sandbox.token(1)])["clientId"], second);
    let mut operator =
        super::command(&["trigger", "open-account", "--as", "partner 2", "--json", "--url", sandbox.url()]);
    operator.args(["--operator-token-env", "OPERATOR"]).env("OPERATOR", "an operator's token");
    let output = super::called(operator.output().expect("it starts"));
    let answer: Json = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(answer["clientId"], second, "{}", output.err);
    for (arguments, why) in [
        (&[][..], "answered 401"),
        (&["--token", &token, "--world", "world-9"], "is not the world of the token"),
        (&["--token", &token, "--as", "client 9"], "no client 9 of a partner 1"),
    ] {
        let output = trigger(&sandbox, &[&["open-account"], arguments].concat());
        assert!(output.code == 2 && output.err.contains(why), "{arguments:?}: {}", output.err);
    }
}
