//! `fundsim readiness` against a running server: the text, the answer, the page, and the share that is demanded.

use super::fundsim;
use super::serve::Sandbox;
use serde_json::{Value, json};

/// A server on which the first partner has placed an order, which the back office holds.
fn integrated(arguments: &[&str]) -> (Sandbox, String) {
    let (sandbox, token, _, order) = Sandbox::with_an_order(arguments);
    let hold = format!("/simulations/order/{order}/hold");
    sandbox.posts(&token, &hold, &json!({}));
    (sandbox, token)
}

/// (rule: wire/coverage)
#[test]
fn what_was_met_is_shown_as_text_as_the_servers_answer_and_as_a_page() {
    let (sandbox, token) = integrated(&[]);
    let output = fundsim(&["readiness", "--url", sandbox.url(), "--token", &token]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.out.contains(" met in the partner's world at 2026-03-02T07:00:00.000Z\npartner "), "{}", output.out);
    let row = "  order: Received on Accept -> Pending\n      Received was entered once and left on Park (1)\n      \
               try `advance` (POST /_sandbox/worlds/{worldId}/clock/advance {\"until\":\"next\"})\n";
    assert!(output.out.contains(row), "{}", output.out);
    assert!(output.out.contains("more; --all shows them"), "{}", output.out);
    let whole = fundsim(&["readiness", "--url", sandbox.url(), "--token", &token, "--all"]);
    assert!(whole.out.contains("mobilePayment: DS24") && !whole.out.contains("--all"), "{}", whole.out);

    let page = std::env::temp_dir().join(format!("fundsim-readiness-{}.html", std::process::id()));
    let file = page.to_str().expect("a path");
    let output = fundsim(&["readiness", "--url", sandbox.url(), "--token", &token, "--output", "json", "--html", file]);
    let answer: Value = serde_json::from_str(&output.out).expect("JSON");
    assert!(answer["groups"].as_array().is_some_and(|groups| groups.len() == 10), "{answer}");
    let written = std::fs::read_to_string(&page).expect("a page");
    assert!(written.contains(&format!("{} % ready", answer["share"])) && written.contains("backOffice"), "{written}");
    std::fs::remove_file(page).expect("it was there");
}

/// (rule: wire/coverage)
#[test]
fn a_share_below_what_is_demanded_is_status_1_and_what_cannot_be_asked_is_status_2() {
    let (sandbox, token) = integrated(&["--operator-token-env", "OPERATOR"]);
    let called = |arguments: &[&str]| fundsim(&[&["readiness", "--url", sandbox.url()], arguments].concat());
    let output = called(&["--token", &token, "--fail-under", "90"]);
    assert!(output.code == 1 && output.err.ends_with(" % is below --fail-under 90\n"), "{}", output.err);
    assert!(output.out.contains("never met"), "it is shown all the same");
    assert_eq!(called(&["--token", &token, "--fail-under", "0"]).code, 0);
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    assert_eq!(called(&["--client-id", &id, "--client-secret", &secret]).code, 0);
    for (arguments, why) in [
        (&[][..], "answers 401"),
        (&["--token", &token, "--world", "world-9"], "worldId is not the world of this token"),
        (&["--token", &token, "--partner", "00000000-0000-4000-8000-000000000000"], "partner names no partner"),
        (&["--token", &token, "--fail-under", "101"], "101 is not in 0..=100"),
        (&["--token", &token, "--html", "/nowhere/at/all.html"], "/nowhere/at/all.html: "),
    ] {
        let output = called(arguments);
        assert!(output.code == 2 && output.err.contains(why), "{arguments:?}: {} {}", output.code, output.err);
    }
}
