//! Credentials over starts: public on loopback, drawn where others can come, kept by a file, named by a setup, brought back by a
//! snapshot (rule: auth/server-key, auth/named-credentials).

use super::serve::Sandbox;
use super::{command, folder};
use serde_json::{Value as Json, json};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

/// What a start says of its partners, secrets included.
fn partners(arguments: &[&str]) -> Json {
    Sandbox::start(arguments).line["partners"].clone()
}

/// (rule: auth/server-key)
#[test]
fn on_loopback_credentials_are_the_same_at_each_start_and_tokens_are_not() {
    let seed = ["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"];
    let (first, second) = (Sandbox::start(&seed), Sandbox::start(&seed));
    assert_eq!(first.line["partners"], second.line["partners"]);
    let token = first.token(0);
    assert_ne!(token, second.token(0));
    let head = format!("GET /v2/partner/client HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    assert_eq!(second.ask(&head, "").0, 401, "a token ends with its process");
    let drawn = |at: &Sandbox| at.line["seed"].clone();
    assert_ne!(drawn(&Sandbox::start(&[])), drawn(&Sandbox::start(&[])), "seeds are drawn anew");
}

/// (rule: auth/server-key)
#[test]
fn where_others_may_come_a_key_is_drawn() {
    for arguments in [&["--open"][..], &["--open", "--allow-host", "sandbox.example"]] {
        assert_ne!(partners(arguments)[0]["clientSecret"], partners(arguments)[0]["clientSecret"], "{arguments:?}");
    }
    let with_token = || {
        let arguments =
            ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--operator-token-env", "TOKEN_OF_TEST"];
        let mut command = command(&arguments);
        Sandbox::spawn(command.env("TOKEN_OF_TEST", "operator").stderr(Stdio::null())).text(0, "clientSecret")
    };
    assert_ne!(with_token(), with_token());
}

/// (rule: auth/server-key)
#[test]
fn a_key_file_is_made_once_for_its_owner_alone_and_keeps_credentials() {
    let folder = folder("key-file");
    let path = folder.join("key");
    let file = path.to_str().expect("a path");
    let first = partners(&["--open", "--key-file", file, "--seed", "1"]);
    assert_eq!(path.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(first, partners(&["--key-file", file, "--seed", "1"]));
    assert_ne!(first[0]["clientId"], partners(&[])[0]["clientId"]);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1, "nothing else is left there");
}

/// (rule: auth/server-key)
#[test]
fn a_key_file_that_is_malformed_or_open_to_others_is_refused_with_words() {
    let folder = folder("key-file-refused");
    let digits = "0123456789abcdef".repeat(4);
    let rows: &[(&str, &str, u32, &str)] = &[
        ("empty", "", 0o600, "64 hexadecimal digits"),
        ("short", &digits[1..], 0o600, "64 hexadecimal digits"),
        ("long", &format!("{digits}0"), 0o600, "64 hexadecimal digits"),
        ("words", &digits.replace('0', "g"), 0o600, "64 hexadecimal digits"),
        ("readable", &digits, 0o604, "chmod 600"),
        ("writable", &digits, 0o620, "chmod 600"),
    ];
    for (name, text, mode, why) in rows {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, Permissions::from_mode(*mode)).expect("permissions");
        let refused =
            super::fundsim(&["serve", "--listen", "127.0.0.1:0", "--key-file", path.to_str().expect("a path")]);
        assert_eq!(refused.code, 2, "{name}");
        assert!(refused.err.contains(why) && !refused.err.contains("89abcdef"), "{name}: {}", refused.err);
    }
    let is_folder =
        super::fundsim(&["serve", "--listen", "127.0.0.1:0", "--key-file", folder.to_str().expect("a path")]);
    assert!(is_folder.code == 2 && is_folder.err.contains("it is not a file"), "{}", is_folder.err);
    // Containers are given secrets that their group can read.
    let path = folder.join("group");
    std::fs::write(&path, format!("{digits}\n")).expect("a file");
    std::fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("permissions");
    partners(&["--key-file", path.to_str().expect("a path")]);
}

const ID: &str = "3f0e0c5e-7a3c-4d0b-9c68-7d9a4f5f2b10";
const SECRET: &str = "a-secret_of-my-own-setup-file-0";

/// A setup whose only partner names its credentials.
fn setup(folder: &Path) -> String {
    let client = json!({ "name": "Provbolaget AB", "crn": "5599900007" });
    let partner = json!({ "name": "Provpartner", "clientId": ID, "clientSecret": SECRET, "clients": [client] });
    let path = folder.join("world.json");
    std::fs::write(&path, json!({ "partners": [partner] }).to_string()).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// (rule: auth/named-credentials)
#[test]
fn credentials_that_a_setup_names_work_and_stand_in_no_log_and_no_recording() {
    let folder = folder("named-credentials");
    let file = setup(&folder);
    let log = folder.join("log");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--output",
        "json",
        "--world",
        &file,
        "--log-level",
        "debug",
        "--log-format",
        "json",
    ];
    let sandbox = Sandbox::spawn(command(&arguments).stderr(std::fs::File::create(&log).expect("a file")));
    assert_eq!((sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret")), (ID.to_owned(), SECRET.to_owned()));
    let token = sandbox.token(0);
    let (status, shown) =
        sandbox.ask(&format!("GET /_sandbox/worlds/current HTTP/1.1\r\nauthorization: Bearer {token}\r\n"), "");
    assert_eq!((status, shown["partners"][0]["clientSecret"].as_str()), (200, Some("a-secr...")));
    // Another world cannot have the same, and a refusal does not repeat the secret.
    let head = "POST /_sandbox/worlds HTTP/1.1\r\ncontent-type: application/json\r\n";
    let setup: Json = serde_json::from_str(&std::fs::read_to_string(&file).expect("a file")).expect("JSON");
    let (status, refused) = sandbox.ask(head, &json!({ "setup": setup }).to_string());
    assert_eq!((status, refused["error"].as_str()), (409, Some("conflict")), "{refused}");
    assert!(refused.to_string().contains(ID) && !refused.to_string().contains(SECRET), "{refused}");
    let written = super::fundsim(&["record", "--url", sandbox.url(), "--world", "world-1"]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(
        written.out.contains("Provpartner") && !written.out.contains(SECRET) && !written.out.contains(ID),
        "{}",
        written.out
    );
    let logged = std::fs::read_to_string(&log).expect("a log");
    assert!(logged.contains("/v2/partner/auth/token") && !logged.contains(SECRET), "{logged}");
}

/// The snapshot file of a running world, in `folder`.
fn snapshot(sandbox: &Sandbox, folder: &Path) -> String {
    let post = "POST /_sandbox/worlds/world-1/snapshots HTTP/1.1\r\ncontent-type: application/json\r\n";
    let (status, kept) = sandbox.ask(post, r#"{"name":"kept"}"#);
    assert_eq!(status, 200, "{kept}");
    let (status, file) = sandbox.ask("GET /_sandbox/worlds/world-1/snapshots/kept/file HTTP/1.1\r\n", "");
    assert_eq!(status, 200);
    let path = folder.join("kept.json");
    std::fs::write(&path, file.to_string()).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// (rule: auth/server-key, auth/named-credentials)
#[test]
fn a_snapshot_brings_credentials_back_under_the_same_key_and_says_so_when_it_is_another() {
    let folder = folder("snapshot-credentials");
    let key = folder.join("key");
    let key = key.to_str().expect("a path");
    let world = setup(&folder);
    for (more, secret_is_known) in [(&["--seed", "7"][..], true), (&["--world", &world], false)] {
        let before = Sandbox::start(&[&["--key-file", key], more].concat());
        let file = snapshot(&before, &folder);
        let text = std::fs::read_to_string(&file).expect("a file");
        assert!(!text.contains(&before.text(0, "clientSecret")) && !text.contains(&before.text(0, "callbackSecret")));
        let after = Sandbox::start(&["--key-file", key, "--snapshot", &file]);
        for field in ["clientId", "callbackSecret"] {
            assert_eq!(after.text(0, field), before.text(0, field), "{field}");
        }
        assert_eq!(after.partner(0, "clientSecret").is_string(), secret_is_known);
        let form = format!(
            "grant_type=client_credentials&client_id={}&client_secret={}",
            before.text(0, "clientId"),
            before.text(0, "clientSecret")
        );
        let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
        assert_eq!(after.ask(head, &form).0, 200, "the old credentials work");
        let foreign = Sandbox::start(&["--snapshot", &file]);
        assert_eq!(foreign.ask(head, &form).0, 400, "under another key they do not");
        assert_ne!(foreign.text(0, "clientSecret"), before.text(0, "clientSecret"));
        assert_eq!(foreign.text(0, "clientId") == before.text(0, "clientId"), !secret_is_known, "a named id stays");
    }
}
