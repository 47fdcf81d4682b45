//! `fundsim clock` against a running server.

use super::fundsim;
use super::serve::Sandbox;

#[test]
fn a_clock_is_shown_advanced_and_stopped() {
    let (sandbox, _, _, order) = Sandbox::with_an_order(&[]);
    let call = |arguments: &[&str]| {
        let output = fundsim(&[&["clock"], arguments, &["--url", sandbox.url()]].concat());
        assert_eq!(output.code, 0, "{arguments:?}: {}", output.err);
        output.out
    };
    insta::assert_snapshot!("clock", call(&[]));
    insta::assert_snapshot!("clock_next", call(&["next"]));
    assert!(call(&["advance", "30m"]).ends_with("now  2026-03-02T07:30:01.000Z\n"));
    let settled = call(&["until", "settlement", "--order", &order]);
    assert!(settled.contains("subscriptions settled"), "{settled}");
    assert!(settled.contains("the last 20; --all lists more") && settled.contains(" in all: "), "{settled}");
    let all = call(&["advance", "3", "bank", "days", "--all"]);
    assert!(!all.contains("in all: "), "{all}");
    assert!(call(&["until", "2026-03-16T08:00:00+01:00"]).ends_with("now  2026-03-16T07:00:00.000Z\n"));
    assert!(call(&["run", "1440"]).contains("clock  1440 seconds a second\n"));
    assert!(call(&["freeze"]).contains("clock  frozen\n"));
    assert!(call(&["--json"]).contains("\"mode\":\"frozen\""));
}

#[test]
fn a_move_that_is_none_is_refused_with_what_is_one() {
    let sandbox = Sandbox::start(&["--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]);
    for (arguments, code, why) in [
        (&["advance", "soon"][..], 1, "an ISO 8601 period such as P1D"),
        (&["until", "setlement"], 2, "did you mean `settlement`?"),
        (&["until", "2026-03-01T08:00:00+01:00"], 1, "answers 4"),
        (&["until", "cutOff", "--instrument", "nix"], 1, "answers 4"),
        (&["run", "backwards"], 1, "answers 400: clock"),
        (&["advance"], 2, "<PERIOD>"),
        (&["show", "--world", "world-9"], 1, "answers 404"),
    ] {
        let output = fundsim(&[&["clock"], arguments, &["--url", sandbox.url()]].concat());
        assert!(output.code == code && output.err.contains(why), "{arguments:?}: {} {}", output.code, output.err);
    }
}
