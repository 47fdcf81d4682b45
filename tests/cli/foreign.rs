//! `fundsim run --foreign` and `fundsim fuzz --foreign` against servers that are no fundsim: here, one behind a wall that lets
//! only the partner API through, and that can spoil what the server says.

use super::serve::Sandbox;
use super::{folder, fundsim};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

/// Bytes of an answer or a frame, and what becomes of them: as many.
type Spoiled = (&'static str, &'static str);

/// A server without machinery.
struct Walled {
    sandbox: Sandbox,
    url: String,
    partners: PathBuf,
}

impl Walled {
    /// A server without what is below `hidden`, that says `spoiled.1` wherever it should say `spoiled.0`.
    fn start(name: &str, hidden: &'static [&'static str], spoiled: Option<Spoiled>) -> Self {
        let sandbox = Sandbox::start(&["--seed", "5"]);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let behind = sandbox.address().to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let behind = behind.clone();
                thread::spawn(move || carry(stream, &behind, hidden, spoiled));
            }
        });
        let partners = folder(name).join("partners.json");
        std::fs::write(&partners, sandbox.line.to_string()).expect("it is written");
        Self { sandbox, url, partners }
    }

    fn fuzz(&self, more: &[&str]) -> super::Called {
        let partners = self.partners.to_str().expect("a path");
        fundsim(&[&["fuzz", "--url", &self.url, "--foreign", partners], more].concat())
    }

    fn run(&self, paths: &[&str], more: &[&str]) -> super::Called {
        let partners = self.partners.to_str().expect("a path");
        let rest = ["--driver", "live", "--url", &self.url, "--foreign", partners];
        fundsim(&[&["run"], paths, &rest, more].concat())
    }
}

/// One connection, with one request where it is no socket.
fn carry(client: TcpStream, behind: &str, hidden: &[&str], spoiled: Option<Spoiled>) -> Option<()> {
    let mut from_client = BufReader::new(client.try_clone().ok()?);
    let mut client = client;
    let mut head = Vec::new();
    while from_client.read_until(b'\n', &mut head).ok()? > 2 {}
    let head = String::from_utf8(head).ok()?;
    let path = head.split(' ').nth(1)?;
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return client.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").ok();
    }
    let is_socket = head.to_lowercase().contains("upgrade: websocket");
    let head = if is_socket { head } else { head.replacen("\r\n", "\r\nconnection: close\r\n", 1) };
    let mut server = TcpStream::connect(behind).ok()?;
    // What goes through in two parts is not to wait for an acknowledgment of the first.
    server.set_nodelay(true).and(client.set_nodelay(true)).ok()?;
    server.write_all(head.as_bytes()).ok()?;
    let up = server.try_clone().ok()?;
    thread::spawn(move || copy(&mut from_client, up, None));
    copy(&mut server, client, spoiled);
    Some(())
}

fn copy(from: &mut impl Read, mut to: TcpStream, spoiled: Option<Spoiled>) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if let Some((old, new)) = spoiled {
            assert_eq!(old.len(), new.len(), "frames and bodies keep their lengths");
            let places: Vec<_> =
                bytes[..count].windows(old.len()).enumerate().filter(|(_, it)| *it == old.as_bytes()).collect();
            let places: Vec<_> = places.into_iter().map(|(at, _)| at).collect();
            places.into_iter().for_each(|at| bytes[at..at + old.len()].copy_from_slice(new.as_bytes()));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}

const STORIES: &[&str] = &["scenarios/orders", "scenarios/errors", "scenarios/access"];

#[test]
fn a_server_without_machinery_is_asked_what_a_partner_can_ask_and_the_rest_is_counted_by_chapter() {
    let walled = Walled::start("foreign", &["/_sandbox"], None);
    let reports = folder("foreign-reports");
    let file = |name: &str| reports.join(name).to_str().expect("a path").to_owned();
    // Twice: what the first has left behind is nothing to the second.
    for _ in 0..2 {
        let output = walled.run(STORIES, &["--output", "json", "--junit", &file("r.xml"), "--html", &file("r.html")]);
        assert_eq!(output.code, 0, "{}{}", output.out, output.err);
        let output: Json = serde_json::from_str(output.out.lines().last().expect("a line")).expect("JSON");
        let count = |path: &str| output["conformance"].pointer(path).and_then(Json::as_u64).unwrap_or(0);
        assert!(count("/chapters/Orders/held") > 20 && count("/chapters/Orders/skipped") > 20, "{output}");
        assert!(count("/chapters/Events/held") > 5 && count("/steps/broken") == 0, "{output}");
        assert!(count("/skipped/moves the clock or looks at it") > 5, "{output}");
    }
    let (xml, html) = (read(&reports.join("r.xml")), read(&reports.join("r.html")));
    assert!(xml.contains("chapters of the API") && xml.contains("classname=\"conformance\""), "{xml}");
    assert!(html.contains("Steps by chapter of the API"), "{html}");
    let output = walled.run(&["scenarios/orders/redemption-of-a-part.yaml"], &[]);
    assert!(
        output.code == 0 && output.out.contains("steps asked") && output.out.contains("could not be asked"),
        "{}",
        output.out
    );
    drop(walled.sandbox);
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a report")
}

#[test]
fn a_server_without_levers_is_asked_what_is_left_and_a_story_of_which_nothing_is_left_is_skipped() {
    let walled = Walled::start("foreign-no-levers", &["/_sandbox", "/simulations"], None);
    let output = walled.run(&["scenarios/access", "scenarios/orders"], &["--output", "json"]);
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    let output: Json = serde_json::from_str(output.out.lines().last().expect("a line")).expect("JSON");
    let conformance = &output["conformance"];
    assert!(conformance["skipped"]["is a lever that the server does not have"].as_u64() > Some(3), "{conformance}");
    assert!(conformance["chapters"]["Authentication"]["held"].as_u64() > Some(3), "{conformance}");
    assert!(output["skipped"].as_u64() > Some(3), "{conformance}");
}

#[test]
fn what_such_a_server_does_otherwise_is_found() {
    let rows: &[(&str, Spoiled, &str)] = &[
        ("a status that nobody has described", ("\"status\":\"received\"", "\"status\":\"recieved\""), "body.status"),
        (
            "a text as a number",
            ("\"serviceType\":\"executionOnly\"", "\"serviceType\":111111111111111"),
            "account.create.payload.current.serviceType",
        ),
        ("a refusal that is none", ("HTTP/1.1 400 ", "HTTP/1.1 200 "), "status: 400"),
        ("an event that is not sent", ("\"order.create\"", "\"order.creat_\""), "no such event came"),
        ("an event without an id", ("\"eventId\"", "\"eventid\""), "\"eventId\" is a required property"),
    ];
    for (at, (fault, spoiled, reported_as)) in rows.iter().enumerate() {
        let walled = Walled::start(&format!("foreign-spoiled-{at}"), &["/_sandbox"], Some(*spoiled));
        let output = walled.run(STORIES, &[]);
        assert!(output.code == 1 && output.out.contains(reported_as), "{fault}: {}", output.out);
    }
}

#[test]
fn conversations_with_such_a_server_hold_with_levers_and_without() {
    for hidden in [&["/_sandbox"][..], &["/_sandbox", "/simulations"]] {
        let walled = Walled::start(&format!("foreign-fuzz-{}", hidden.len()), hidden, None);
        let token = walled.sandbox.token(0);
        let client = walled.sandbox.partner(0, "clients")[0]["id"].clone();
        for cash in [20_000, 3_000] {
            let account = json!({ "clientId": client, "accountType": "isk", "cash": cash });
            walled.sandbox.posts(&token, "/simulations/account", &account);
        }
        let output = walled.fuzz(&["--seeds", "1..12", "--output", "json"]);
        assert_eq!(output.code, 0, "{}{}", output.out, output.err);
        let output: Json = serde_json::from_str(output.out.lines().last().expect("a line")).expect("JSON");
        let steps = &output["conformance"]["steps"];
        assert!(output["seeds"] == 11 && steps["held"].as_u64() > Some(150) && steps["skipped"] == 0, "{output}");
    }
}

#[test]
fn what_a_conversation_finds_is_shrunk_to_a_file_that_finds_it_again() {
    let rows: &[(&str, Spoiled)] = &[
        ("an order that forgets that it was canceled", ("\"status\":\"canceled\"", "\"status\":\"received\"")),
        ("a refusal that is none", ("HTTP/1.1 400 ", "HTTP/1.1 200 ")),
    ];
    for (at, (fault, spoiled)) in rows.iter().enumerate() {
        let name = format!("foreign-found-{at}");
        let walled = Walled::start(&name, &["/_sandbox"], Some(*spoiled));
        let found = folder(&format!("{name}-files"));
        let output = walled.fuzz(&["--seeds", "1..4", "--save", found.to_str().expect("a path")]);
        assert!(
            output.code == 1 && output.out.contains("shrunk from 30 steps to "),
            "{fault}: {}{}",
            output.out,
            output.err
        );
        let file = output.out.lines().last().expect("a line");
        assert!(read(Path::new(file)).lines().count() < 16, "{fault}: {}", read(Path::new(file)));
        let again = walled.run(&[file], &[]);
        assert_eq!(again.code, 1, "{fault}: {}{}", again.out, again.err);
    }
}

#[test]
fn a_movement_of_cash_without_an_event_is_found_by_a_conversation() {
    let spoiled = ("\"cashTransaction.create\"", "\"cashTransaction.creat_\"");
    let walled = Walled::start("foreign-cash", &["/_sandbox"], Some(spoiled));
    let found = folder("foreign-cash-files");
    let output = walled.fuzz(&["--seeds", "1..2", "--steps", "8", "--save", found.to_str().expect("a path")]);
    assert!(output.code == 1 && output.out.contains("cashTransaction.create"), "{}{}", output.out, output.err);
}

#[test]
fn a_server_that_is_not_as_its_file_says_is_refused_before_the_first_story() {
    const FIRST: &str = "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01";
    let hidden = &["/_sandbox", "/v2/partner/client/6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01/subscribe"];
    let walled = Walled::start("foreign-otherwise", hidden, None);
    let good = read(&walled.partners);
    let secret = walled.sandbox.text(0, "clientSecret");
    for (file, why) in [
        (good.replace(&secret, "wrong"), "partner 1 gets no token: POST /v2/partner/auth/token answers 400"),
        (
            good.replace(FIRST, "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4fff"),
            "partner 1 cannot read its client: GET /v2/partner/client/6b1f7c52",
        ),
        (good, "a server without event sockets says \"without\": [\"Events\"]"),
    ] {
        std::fs::write(&walled.partners, file).expect("it is written");
        for output in [walled.run(&["scenarios/orders"], &[]), walled.fuzz(&["--seeds", "1..2", "--timeout", "5s"])] {
            assert!(output.code == 2 && output.err.contains(why), "{why}: {}{}", output.out, output.err);
            assert_eq!(output.err.lines().count(), 1, "{}", output.err);
        }
    }
}

#[test]
fn a_chapter_that_a_server_lacks_is_left_out_and_the_rest_is_judged() {
    let walled = Walled::start("foreign-without", &["/_sandbox"], None);
    let without = |chapter: &str| {
        let mut file = walled.sandbox.line.clone();
        file["without"] = json!([chapter]);
        std::fs::write(&walled.partners, file.to_string()).expect("it is written");
        let output = walled.fuzz(&["--seeds", "1..6", "--output", "json"]);
        (
            output.code,
            serde_json::from_str(output.out.lines().last().unwrap_or_default()).unwrap_or(Json::Null),
            output.err,
        )
    };
    let (code, output, _) = without("Journeys");
    assert!(code == 0 && output["conformance"]["steps"]["held"].as_u64() > Some(60), "{output}");
    let (code, output, why) = without("Levers: platform");
    assert!(
        code == 0 && output["conformance"]["steps"]["skipped"] == 0,
        "accounts that are there are used: {output} {why}"
    );
}

#[test]
fn an_incomplete_server_description_is_refused_in_one_line() {
    let folder = folder("foreign-bad");
    let (empty, none) = (folder.join("empty.json"), folder.join("none.json"));
    std::fs::write(&empty, "{}").expect("it is written");
    let (empty, none) = (empty.to_str().expect("a path"), none.to_str().expect("a path"));
    let story = "scenarios/welcome/hello-sandbox.yaml";
    let live = ["run", story, "--driver", "live", "--url", "http://127.0.0.1:1", "--foreign"];
    for (arguments, why) in [
        ([&live[..], &[empty]].concat(), "missing field `partners`"),
        ([&live[..], &[none]].concat(), "none.json"),
        (vec!["run", story, "--foreign", empty], "--url"),
        ([&live[..], &[empty, "--bless"]].concat(), "--bless"),
    ] {
        let output = fundsim(&arguments);
        assert!(output.code == 2 && output.err.contains(why), "{arguments:?}: {}", output.err);
    }
}
