//! `fundsim exercise`: what it refuses. What it finds in an application, `scenarios/outside/run.py` shows.

use super::serve::Sandbox;
use super::{folder, fundsim};

#[test]
fn a_map_or_an_application_that_cannot_be_used_is_refused_with_a_way_out() {
    let sandbox = Sandbox::start(&["--clock", "frozen"]);
    let folder = folder("exercise");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    std::fs::write(path("customer.yaml"), "fragment: One\nsteps:\n  - let: { customer: a, account: b }\n")
        .expect("a file");
    std::fs::write(path("well.yaml"), "customer: customer.yaml\nholdings: { cash: cash }\n").expect("a file");
    std::fs::write(path("slip.yaml"), "costumer: customer.yaml\nholdings: { cash: cash }\n").expect("a file");
    std::fs::write(path("lost.yaml"), "customer: gone.yaml\nholdings: { cash: cash }\n").expect("a file");
    for (map, more, words) in [
        ("slip.yaml", &[][..], "unknown word `costumer`; did you mean `customer`?"),
        ("lost.yaml", &[], "`customer`: there is no file"),
        ("none.yaml", &[], "the file cannot be read"),
        ("well.yaml", &["--for", "soon"], "`soon` is not a duration"),
        ("well.yaml", &[], "the application under test: http://127.0.0.1:1: cannot connect"),
        ("well.yaml", &["--world", "current"], "add --client-id and --client-secret"),
    ] {
        let arguments =
            ["exercise", "--url", sandbox.url(), "--app", "http://127.0.0.1:1", "--holdings", "GET /holdings"];
        let map = path(map);
        let output = fundsim(&[&arguments[..], &["--map", &map], more].concat());
        assert!(output.code == 2 && output.err.contains(words), "{words}: {}{}", output.out, output.err);
    }
}
