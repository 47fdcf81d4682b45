//! `fundsim picture` against a running server.

use super::serve::Sandbox;
use super::{folder, fundsim};

#[test]
fn pictures_are_listed_shown_and_written_in_the_form_that_a_file_is_called_by() {
    let (sandbox, _, _, order) = Sandbox::with_an_order(&[]);
    let call = |arguments: &[&str]| {
        let output = fundsim(&[&["picture"], arguments, &["--url", sandbox.url()]].concat());
        assert_eq!(output.code, 0, "{arguments:?}: {}", output.err);
        output.out
    };
    let list = call(&[]);
    for part in ["accountId=  ", "[id=] [limit=]  ", "What are all accounts worth"] {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert!(call(&["world"]).starts_with("World  ·  demo\n"));
    let of_order = format!("id={order}");
    assert!(call(&["sequence", &of_order]).contains("POST /order"));
    assert!(call(&["world", "--json"]).starts_with("{\"name\":\"demo\""));
    let folder = folder("cli-picture");
    for (file, start) in [("order.svg", "<svg "), ("order.json", "{\"about\":\"order\""), ("order.txt", "Sequence")] {
        let file = folder.join(file);
        assert_eq!(call(&["sequence", &of_order, "-o", &file.to_string_lossy()]), "");
        let written = std::fs::read_to_string(&file).expect("it is written");
        assert!(written.starts_with(start), "{written}");
    }
    // What is drawn leaves no trace.
    assert!(call(&["world", "--json"]).contains("\"failing\":[]"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_can() {
    let sandbox = Sandbox::start(&["--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]);
    for (arguments, code, why) in [
        (&["nothing"][..], 1, "pictureName names no picture; there are account, "),
        (&["account"], 1, "accountId is needed"),
        (&["world", "when"], 2, "`when` is no parameter: write KEY=VALUE"),
        (&["calendar", "from=soon"], 1, "answers 400: from"),
        (&["world", "--svg", "--text"], 2, "cannot be used with"),
    ] {
        let output = fundsim(&[&["picture"], arguments, &["--url", sandbox.url()]].concat());
        assert!(output.code == code && output.err.contains(why), "{arguments:?}: {} {}", output.code, output.err);
    }
}
