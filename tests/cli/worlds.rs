//! `fundsim worlds` against a running server: listed, made, forked, put back and dropped.

use super::fundsim;
use super::serve::Sandbox;
use serde_json::Value as Json;

const START: &str = "2026-03-02T08:00:00+01:00";

#[test]
fn worlds_are_listed_made_forked_put_back_and_dropped() {
    let sandbox = Sandbox::start(&["--seed", "42", "--start", START, "--clock", "frozen"]);
    let call = |arguments: &[&str]| {
        let output = fundsim(&[&["worlds"], arguments, &["--url", sandbox.url()]].concat());
        assert_eq!(output.code, 0, "{arguments:?}: {}", output.err);
        output.out
    };
    insta::assert_snapshot!("worlds", call(&[]));
    let made = call(&["new", "--name", "mine", "--seed", "7", "--start", START, "--clock", "frozen"]);
    assert!(made.starts_with("world-2\n") && made.contains("client secret  "), "{made}");
    assert_eq!(fundsim(&["clock", "advance", "1h", "--url", sandbox.url(), "--world", "mine"]).code, 0);
    let fork = call(&["fork", "mine", "--at", START, "--name", "what-if"]);
    assert!(fork.contains("world-3\n") && fork.contains("2026-03-02T07:00:00.000Z"), "{fork}");
    let list = call(&["list"]);
    assert!(list.contains("fork of world-2 after input 0") && list.lines().count() == 4, "{list}");
    let back = call(&["rewind", "mine", "--to", START]);
    assert!(back.contains("clock shows  2026-03-02T07:00:00.000Z"), "{back}");
    let reset: Json = serde_json::from_str(&call(&["reset", "world-2", "--json"])).expect("JSON");
    assert_eq!(reset["worldId"], "world-2");
    let shown: Json = serde_json::from_str(&call(&["show", "what-if", "--json"])).expect("JSON");
    assert!(shown["partners"][0]["clientSecret"].is_string(), "{shown}");
    assert_eq!(call(&["drop", "what-if"]), "dropped world-3 (what-if)\n");
    assert!(!call(&[]).contains("what-if"));
}

#[test]
fn a_wrong_guess_harms_no_world() {
    let sandbox = Sandbox::start(&["--clock", "frozen"]);
    let call = |arguments: &[&str]| fundsim(&[&["worlds"], arguments, &["--url", sandbox.url()]].concat());
    assert_eq!(call(&["new", "--name", "same"]).code, 0);
    assert_eq!(call(&["new", "--name", "same"]).code, 0);
    for (arguments, code, why) in [
        (&["drop"][..], 2, "say which world to drop: world-1, world-2, world-3"),
        (&["reset"], 2, "say which world to reset"),
        (&["drop", "same"], 2, "2 worlds are called `same`"),
        (&["drop", "dmeo"], 2, "did you mean `demo`?"),
        (&["drop", "world-9"], 1, "answers 404: worldId names no world"),
        (&["rewind", "world-1"], 2, "--to <RFC3339>|--input <N>"),
        (&["rewind", "world-1", "--input", "99"], 1, "answers 4"),
        (&["new", "--clock", "backwards"], 1, "answers 400: clock"),
        (&["new", "--setup", "no/such/file"], 2, "no/such/file"),
    ] {
        let output = call(arguments);
        assert!(output.code == code && output.err.contains(why), "{arguments:?}: {} {}", output.code, output.err);
    }
    assert_eq!(call(&["list"]).out.lines().count(), 4, "all are there");
}

#[test]
fn a_partner_sees_its_own_world_and_what_it_may_not_do_is_refused_in_words() {
    let (sandbox, ..) = Sandbox::with_an_order(&["--operator-token-env", "OPERATOR"]);
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let call = |arguments: &[&str]| {
        let own = ["--url", sandbox.url(), "--client-id", &id, "--client-secret", &secret];
        fundsim(&[&["worlds"], arguments, &own].concat())
    };
    let list = call(&["list"]);
    assert!(list.code == 0 && list.out.lines().count() == 2, "{}{}", list.out, list.err);
    let shown = call(&["show", "demo"]);
    assert!(shown.out.contains("Lingonberget AB") && !shown.out.contains(&secret), "{}", shown.out);
    let refused = call(&["reset"]);
    assert!(refused.code == 1 && refused.err.contains("answers 403: other partners share"), "{}", refused.err);
    let nobody = fundsim(&["worlds", "--url", sandbox.url()]);
    assert!(nobody.code == 1 && nobody.err.contains("`fundsim login`"), "{}", nobody.err);
}
