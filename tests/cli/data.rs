//! `serve --data` and `fundsim data`: what outlives a kill, and what is done with the folder.

use super::serve::Sandbox;
use super::stops::{accepted, connect, keep_opening, opening};
use super::{command, folder, fundsim};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;

/// A server that keeps its worlds in `data`.
fn kept(data: &Path, more: &[&str]) -> Sandbox {
    let flags = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--output",
        "json",
        "--log-level",
        "warn",
        "--seed",
        "42",
        "--clock",
        "frozen",
    ];
    let log = Stdio::piped();
    Sandbox::spawn(command(&[&flags, more].concat()).arg("--data").arg(data).stderr(log))
}

fn kill(mut sandbox: Sandbox) {
    sandbox.signal("-KILL");
    sandbox.child.wait().expect("it ends");
}

/// Stops it, and returns what it has logged.
fn stop_and_read_log(mut sandbox: Sandbox) -> String {
    sandbox.signal("-TERM");
    let mut output = String::new();
    sandbox.child.stderr.take().expect("a pipe").read_to_string(&mut output).expect("text");
    assert_eq!(sandbox.child.wait().expect("it ends").code(), Some(0), "{output}");
    output
}

/// The accounts of the first client.
fn accounts(sandbox: &Sandbox, token: &str) -> BTreeSet<String> {
    let client = sandbox.line["partners"][0]["clients"][0]["id"].as_str().expect("an id");
    let head = format!("GET /v2/partner/client/{client}/account HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    let (status, list) = sandbox.ask(&head, "");
    assert_eq!(status, 200, "{list}");
    list.as_array().expect("a list").iter().map(|it| it["id"].as_str().expect("an id").to_owned()).collect()
}

fn get(sandbox: &Sandbox, path: &str) -> Json {
    let (status, answer) = sandbox.ask(&format!("GET {path} HTTP/1.1\r\n"), "");
    assert_eq!(status, 200, "{answer}");
    answer
}

/// (rule: wire/kept)
#[test]
fn kills_under_load_lose_nothing_that_was_answered_and_credentials_tokens_and_forks_last() {
    let data = folder("kills");
    let first = kept(&data, &["--start", "2026-03-02T08:00:00+01:00"]);
    let (token, secret) = (first.token(0), first.text(0, "clientSecret"));
    let fork = first.ask("POST /_sandbox/worlds/world-1/fork HTTP/1.1\r\ncontent-type: application/json\r\n", "{}");
    assert_eq!(fork.0, 200, "{fork:?}");
    kill(first);
    let mut all = BTreeSet::new();
    for number in 1..=8 {
        let sandbox = kept(&data, &[]);
        let before = accounts(&sandbox, &token);
        assert!(all.is_subset(&before), "start {number} has lost {:?}", all.difference(&before).collect::<Vec<_>>());
        assert_eq!(
            (&sandbox.text(0, "clientSecret"), &*sandbox.line["now"].to_string()),
            (&secret, "\"2026-03-02T07:00:00.000Z\"")
        );
        let taken = Mutex::new(Vec::new());
        thread::scope(|scope| {
            (0..4).for_each(|_| drop(scope.spawn(|| keep_opening(&sandbox, &token, &taken))));
            while taken.lock().expect("a list").len() < 40 * number {
                thread::yield_now();
            }
            sandbox.signal("-KILL");
        });
        all = before;
        all.extend(taken.into_inner().expect("a list"));
    }
    let last = kept(&data, &[]);
    assert!(all.is_subset(&accounts(&last, &token)), "the last kill has lost something");
    let worlds: Vec<_> =
        get(&last, "/_sandbox/worlds").as_array().expect("a list").iter().map(|it| it["name"].clone()).collect();
    assert_eq!(worlds, ["demo", "fork of demo"]);
    assert_eq!(last.stop("-TERM"), Some(0));
    let checked = fundsim(&["data", "check", &data.to_string_lossy()]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

/// (rule: wire/kept)
#[test]
fn a_folder_is_one_servers_has_one_key_and_says_when_it_cannot_be_used() {
    let data = folder("one-server");
    let sandbox = kept(&data, &[]);
    let path = data.to_string_lossy().into_owned();
    let second = fundsim(&["serve", "--listen", "127.0.0.1:0", "--data", &path]);
    assert!(
        second.code == 2 && second.err.contains("--data") && second.err.contains("another process"),
        "{}",
        second.err
    );
    let checked = fundsim(&["data", "check", &path]);
    assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{}", checked.err);
    let log = stop_and_read_log(sandbox);
    assert!(!log.contains("error"), "{log}");
    let key = data.with_extension("key");
    fs::write(&key, "0".repeat(64)).expect("a file");
    fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    let other = fundsim(&["serve", "--listen", "127.0.0.1:0", "--data", &path, "--key-file", &key.to_string_lossy()]);
    assert!(other.code == 2 && other.err.contains("made with another key"), "{}", other.err);
    let nowhere = fundsim(&["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null/worlds"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("--data /dev/null/worlds: "), "{}", nowhere.err);
    let alone = fundsim(&["serve", "--clock-while-down", "runs"]);
    assert!(alone.code == 2 && alone.err.contains("--data"), "{}", alone.err);
}

/// Changes one byte of a batch that is neither the first nor a copy that nobody reads any more; the record before it.
fn damage_a_batch(data: &Path) -> u64 {
    const MARK: &[u8] = b"fB\x01\x01";
    let file = data.join("fundsim.redb");
    let whole = fs::read(&file).expect("a file");
    let batches = (0..whole.len() - 64).filter(|at| whole[*at..].starts_with(MARK));
    for at in batches {
        let mut damaged = whole.clone();
        damaged[at + 52] ^= 0x40;
        fs::write(&file, damaged).expect("a file");
        let checked = fundsim(&["data", "check", &data.to_string_lossy()]);
        let after = checked.out.split("after record ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        if let Some(after) = after.filter(|after| *after >= 3) {
            return after;
        }
    }
    panic!("no batch of the file could be damaged")
}

/// (rule: wire/kept)
#[test]
fn damage_is_reported_and_what_is_before_it_can_be_read_and_not_changed() {
    let data = folder("damage");
    let sandbox = kept(&data, &[]);
    let token = sandbox.token(0);
    for _ in 0..3 {
        let mut stream = connect(&sandbox).expect("the port accepts");
        stream.get_mut().write_all(opening(&sandbox, &token).as_bytes()).expect("it is sent");
        accepted(&mut stream).expect("an account");
    }
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let path = data.to_string_lossy().into_owned();
    let exported = fundsim(&["data", "export", &path]);
    let lines: Vec<_> = exported.out.lines().collect();
    assert!(exported.code == 0 && lines.len() > 5, "{}{}", exported.out, exported.err);
    let account = lines.iter().position(|line| line.contains("OpenAccount")).expect("an input");
    // An input that does not follow from those before it stops its world, by its number; no other world takes its place.
    let cut = [&lines[..account], &lines[account + 1..]].concat().join("\n");
    let other = imported("damage-cut", &cut);
    let refused = fundsim(&["serve", "--listen", "127.0.0.1:0", "--data", &other.to_string_lossy()]);
    let place = format!("world-1: this world cannot be made again from what is kept of it: record {}", account + 1);
    assert!(refused.code == 2 && refused.err.contains(&place), "{}", refused.err);
    let after = damage_a_batch(&data);
    let checked = fundsim(&["data", "check", &path]);
    assert!(checked.code == 1 && checked.out.contains(&format!("after record {after} is damaged")), "{}", checked.out);
    let read_only = kept(&data, &[]);
    assert_eq!(read_only.ask("GET /readyz HTTP/1.1\r\n", "").0, 503);
    get(&read_only, "/_sandbox/worlds");
    let body = json!({ "by": "P1D" }).to_string();
    let head = "POST /_sandbox/worlds/world-1/clock/advance HTTP/1.1\r\ncontent-type: application/json\r\n";
    assert_eq!(read_only.ask(head, &body).0, 503);
    let log = stop_and_read_log(read_only);
    assert!(log.contains("is damaged") && log.contains("take no inputs"), "{log}");
}

/// (rule: wire/kept)
#[test]
fn records_that_are_exported_and_imported_make_the_same_worlds() {
    let data = folder("export");
    let sandbox = kept(&data, &[]);
    let token = sandbox.token(0);
    let mut stream = connect(&sandbox).expect("the port accepts");
    stream.get_mut().write_all(opening(&sandbox, &token).as_bytes()).expect("it is sent");
    accepted(&mut stream).expect("an account");
    let digest = get(&sandbox, "/_sandbox/worlds/world-1/digest");
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let exported = fundsim(&["data", "export", &data.to_string_lossy()]);
    let other = imported("import", &exported.out);
    let again = kept(&other, &[]);
    assert_eq!(get(&again, "/_sandbox/worlds/world-1/digest"), digest);
    assert_eq!(again.stop("-TERM"), Some(0));
    let full = fundsim(&["data", "import", &other.to_string_lossy(), "/dev/null"]);
    assert_eq!(full.code, 2, "it is not empty: {}", full.out);
}

/// (rule: wire/kept)
#[test]
fn a_compacted_folder_is_smaller_and_has_nothing_of_worlds_that_were_dropped() {
    let data = folder("compact");
    let sandbox = kept(&data, &[]);
    let json = "content-type: application/json\r\n";
    for number in 2..=21 {
        let made = sandbox.ask(&format!("POST /_sandbox/worlds HTTP/1.1\r\n{json}"), "{}");
        assert_eq!((made.0, &made.1["worldId"]), (200, &json!(format!("world-{number}"))), "{}", made.1);
        assert_eq!(sandbox.ask(&format!("DELETE /_sandbox/worlds/world-{number} HTTP/1.1\r\n"), "").0, 200);
    }
    let digest = get(&sandbox, "/_sandbox/worlds/world-1/digest");
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let path = data.to_string_lossy().into_owned();
    let compacted = fundsim(&["data", "compact", &path]);
    assert!(compacted.code == 0 && compacted.out.contains("40 records of dropped worlds"), "{compacted:?}");
    assert_eq!(fundsim(&["data", "export", &path]).out.matches("\"made\":{").count(), 1);
    let again = kept(&data, &[]);
    assert_eq!(get(&again, "/_sandbox/worlds/world-1/digest"), digest);
    let next = again.ask(&format!("POST /_sandbox/worlds HTTP/1.1\r\n{json}"), "{}");
    assert_eq!(next.1["worldId"], "world-22", "no number is given again");
    assert_eq!(again.stop("-TERM"), Some(0));
}

/// (rule: wire/kept)
#[test]
fn a_snapshot_is_kept_of_each_world_and_an_upgrade_says_what_became_of_each() {
    let data = folder("upgrade");
    let sandbox = kept(&data, &[]);
    let secret = sandbox.text(0, "clientSecret");
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let path = data.to_string_lossy().into_owned();
    let kept_state = fundsim(&["data", "snapshot", &path]);
    assert_eq!((kept_state.code, kept_state.out.as_str()), (0, "world-1: its state is kept\n"), "{kept_state:?}");
    let nothing = fundsim(&["data", "upgrade", &path]);
    assert_eq!(
        (nothing.code, nothing.out.as_str()),
        (0, "all worlds follow the rules of this version\n"),
        "{nothing:?}"
    );

    // As if a version of fundsim had written it whose rules are other ones.
    let lines = fundsim(&["data", "export", &path]).out;
    let earlier = lines.lines().filter(|line| !line.contains("\"snapshot\":{")).collect::<Vec<_>>().join("\n");
    let earlier = imported("earlier", &earlier.replace("\"rules\":1", "\"rules\":0"));
    let unused = fundsim(&["data", "upgrade", &earlier.to_string_lossy()]);
    assert!(unused.code == 2 && unused.err.contains("no server has used it yet"), "no key is made for it: {unused:?}");
    let refused = fundsim(&["serve", "--listen", "127.0.0.1:0", "--data", &earlier.to_string_lossy()]);
    assert!(refused.code == 2 && refused.err.contains("none of the worlds that are kept can be served"), "{refused:?}");
    let without = fundsim(&["data", "upgrade", &earlier.to_string_lossy()]);
    assert!(without.code == 1 && without.out.contains("it has rules of version 0"), "{without:?}");
    assert!(without.out.contains("data snapshot"), "it says what to do: {without:?}");

    let missing = fundsim(&["data", "upgrade", &folder("nothing").to_string_lossy()]);
    assert!(missing.code == 2 && missing.err.contains("there is no store"), "{missing:?}");
    let again = kept(&data, &[]);
    assert_eq!(again.text(0, "clientSecret"), secret);
    assert_eq!(again.stop("-TERM"), Some(0));
}

/// A folder of these records.
fn imported(name: &str, lines: &str) -> PathBuf {
    let to = folder(name);
    fs::remove_dir_all(&to).expect("a folder");
    let from = to.with_extension("jsonl");
    fs::write(&from, lines).expect("a file");
    let imported = fundsim(&["data", "import", &to.to_string_lossy(), &from.to_string_lossy()]);
    assert_eq!(imported.code, 0, "{}", imported.err);
    to
}
