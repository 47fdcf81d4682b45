//! `fundsim record` against a running server: a session that its partner writes down, and plays again.

use super::serve::Sandbox;
use super::{folder, fundsim};
use serde_json::json;

const START: &str = "2026-03-02T08:00:00+01:00";

#[test]
fn a_partner_writes_its_session_down_and_the_file_plays_on_every_driver() {
    let sandbox = Sandbox::start(&["--seed", "11", "--start", START, "--clock", "frozen"]);
    let token = sandbox.token(0);
    let client = sandbox.partner(0, "clients")[0]["id"].as_str().expect("a client");
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 5_000 });
    let account = sandbox.posts(&token, "/simulations/account", &account);
    let order = json!({
        "orderType": "subscription", "account": account["id"], "instrument": "SE0SBX000016SEK", "amount": 1_000,
    });
    sandbox.posts(&token, &format!("/v2/partner/client/{client}/order"), &order);
    sandbox.posts(&token, "/_sandbox/worlds/current/clock/advance", &json!({ "by": "P1D" }));

    let file = folder("record").join("session.yaml");
    let path = file.to_str().expect("a path");
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let output = fundsim(&["record", "--url", sandbox.url(), "--token", &token, "-o", path]);
    assert_eq!((output.code, output.out.as_str()), (0, ""), "{}", output.err);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.contains("as: order1") && text.contains("advance: P1D"), "{text}");
    for arguments in [&["--client-id", &id, "--client-secret", &secret][..], &["--world", "world-1"], &[]] {
        let output = fundsim(&[&["record", "--url", sandbox.url()], arguments].concat());
        assert_eq!((output.code, output.out), (0, text.clone()), "{arguments:?}: {}", output.err);
    }
    for driver in ["in-process", "turmoil"] {
        let output = fundsim(&["run", "--driver", driver, path]);
        assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    }
    let output = fundsim(&["run", "--driver", "live", "--url", sandbox.url(), path]);
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
}

#[test]
fn a_caller_without_access_to_a_session_is_refused_in_one_line() {
    let sandbox = Sandbox::start(&["--seed", "11", "--start", START, "--clock", "frozen"]);
    let token = sandbox.token(0);
    for (arguments, why) in [
        (&["--token", "nonsense"][..], "answers 401"),
        (&["--token", &token, "--world", "world-9"], "answers 403"),
        (&["--client-id", "nobody", "--client-secret", "nothing"], "client_id or client_secret is wrong"),
        (&["--world", "world-9"], "answers 404"),
    ] {
        let output = fundsim(&[&["record", "--url", sandbox.url()], arguments].concat());
        assert!(output.code == 2 && output.err.contains(why) && output.err.lines().count() == 1, "{}", output.err);
    }
}
