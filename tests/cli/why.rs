//! `fundsim why` against a running server: the chain as people read it, and who may ask for it.

use super::fundsim;
use super::serve::Sandbox;
use serde_json::json;

const START: &str = "2026-03-02T08:00:00+01:00";

/// A server with an order that settles, and its id.
fn settled(arguments: &[&str]) -> (Sandbox, String, String) {
    let (sandbox, token, _, order) = Sandbox::with_an_order(arguments);
    (sandbox, token, order)
}

#[test]
fn the_chain_of_an_order_is_printed_block_by_block() {
    let (sandbox, token, order) = settled(&[]);
    let until = json!({ "until": "settlement", "order": order });
    sandbox.posts(&token, "/_sandbox/worlds/current/clock/advance", &until);
    let output = fundsim(&["why", "--url", sandbox.url(), &order]);
    assert_eq!(output.code, 0, "{}", output.err);
    insta::assert_snapshot!("why_of_an_order", output.out);
    let last = fundsim(&["why", "--url", sandbox.url(), &order, "--limit", "1"]);
    assert!(last.out.contains("1 of 5 changes") && last.out.contains("subscriptions settled"), "{}", last.out);
    let fork = json!({ "at": START });
    sandbox.posts(&token, "/_sandbox/worlds/current/fork", &fork);
    let unknown = "00000000-0000-4000-8000-000000000000";
    let output = fundsim(&["why", "--url", sandbox.url(), unknown]);
    assert!(output.code == 2 && output.err.matches("id names no event").count() == 1, "{}", output.err);
}

/// (rule: events/explanations)
#[test]
fn an_order_on_hold_is_shown_with_its_check_its_end_and_what_helps() {
    let (sandbox, token, order) = settled(&[]);
    sandbox.posts(&token, &format!("/simulations/order/{order}/hold"), &json!({}));
    let output = fundsim(&["why", "--url", sandbox.url(), &order]);
    let because = "  because   the back office put it on hold; at 2026-03-09T08:00:00.000Z the order is canceled\n";
    let helps = format!("  helps     release the order  (POST /simulations/order/{order}/release)\n");
    let expected = format!("{because}{helps}");
    assert!(output.code == 0 && output.out.contains(&expected), "{}", output.out);
}

#[test]
fn a_partner_asks_with_its_token_or_its_credentials_where_the_machinery_is_the_operator_s() {
    let (sandbox, token, order) = settled(&["--operator-token-env", "OPERATOR"]);
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    for arguments in [&["--token", &token][..], &["--client-id", &id, "--client-secret", &secret]] {
        let output = fundsim(&[&["why", "--url", sandbox.url(), &order], arguments].concat());
        assert!(output.code == 0 && output.out.contains("PlaceOrder"), "{}", output.err);
    }
    for (arguments, why) in [
        (&[][..], "answers 401"),
        (&["--client-id", &id], "FUNDSIM_CLIENT_SECRET"),
        (&["--token", &sandbox.token(1)], "id names no event, resource, delivery or webhook"),
    ] {
        let output = fundsim(&[&["why", "--url", sandbox.url(), &order], arguments].concat());
        assert!(output.code == 2 && output.err.contains(why) && output.err.lines().count() == 1, "{}", output.err);
    }
    let output = fundsim(&["record", "--url", sandbox.url(), "--client-id", &id]);
    assert!(output.code == 2 && output.err.contains("FUNDSIM_CLIENT_SECRET"), "{}", output.err);
}
