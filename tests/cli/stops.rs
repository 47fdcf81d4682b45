//! How a server ends: a planned stop under load, and a kill that the next start reports.

use super::serve::Sandbox;
use super::{command, folder};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// An account that is opened by lever, as a whole request.
fn opening(sandbox: &Sandbox, token: &str) -> String {
    let client = &sandbox.line["partners"][0]["clients"][0]["id"];
    let body = json!({ "clientId": client, "accountType": "depot", "cash": 1000 }).to_string();
    format!(
        "POST /simulations/account HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        sandbox.address(),
        body.len()
    )
}

/// Reads one answer; the body where it is 200, `None` where it is anything else or the connection has ended.
fn accepted(stream: &mut BufReader<TcpStream>) -> Option<Json> {
    let (mut status, mut length) = (String::new(), 0);
    stream.read_line(&mut status).ok().filter(|read| *read > 0)?;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    status.starts_with("HTTP/1.1 200 ").then(|| serde_json::from_slice(&body).expect("JSON"))
}

fn connect(sandbox: &Sandbox) -> Option<BufReader<TcpStream>> {
    TcpStream::connect(sandbox.address()).ok().map(BufReader::new)
}

/// Opens accounts one after the other until nobody answers any more.
fn keep_opening(sandbox: &Sandbox, token: &str, taken: &Mutex<Vec<String>>) {
    let request = opening(sandbox, token);
    while let Some(mut stream) = connect(sandbox) {
        while stream.get_mut().write_all(request.as_bytes()).is_ok() {
            let Some(account) = accepted(&mut stream) else { break };
            taken.lock().expect("a list").push(account["id"].as_str().expect("an id").to_owned());
        }
    }
}

/// A request that has come in part before the stop: the rest follows when the socket is notified, and so much later.
fn finish_late(sandbox: &Sandbox, token: &str, stopping: &Receiver<()>, later: Duration, taken: &Mutex<Vec<String>>) {
    let request = opening(sandbox, token);
    let (begun, rest) = request.split_at(request.len() - 10);
    let mut stream = connect(sandbox).expect("the port accepts");
    stream.get_mut().write_all(begun.as_bytes()).expect("it is sent");
    stopping.recv().expect("a socket that is told of the stop");
    thread::sleep(later);
    // Too late where the connection has been cut.
    if stream.get_mut().write_all(rest.as_bytes()).is_ok()
        && let Some(account) = accepted(&mut stream)
    {
        taken.lock().expect("a list").push(account["id"].as_str().expect("an id").to_owned());
    }
}

/// Everything a socket of the first client receives, to its end: texts, and the code it is closed with.
fn listen(sandbox: &Sandbox, token: &str, on_text: impl Fn(&str)) -> (Vec<String>, Option<u16>) {
    let client = sandbox.line["partners"][0]["clients"][0]["id"].as_str().expect("an id");
    let mut stream = connect(sandbox).expect("the port accepts");
    let handshake = format!(
        "GET /v2/partner/client/{client}/subscribe HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
         connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        sandbox.address()
    );
    stream.get_mut().write_all(handshake.as_bytes()).expect("it is sent");
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).expect("an answer");
    }
    let mut texts = Vec::new();
    while let Some((opcode, payload)) = frame(&mut stream) {
        match opcode {
            1 => {
                let text = String::from_utf8(payload).expect("UTF-8");
                on_text(&text);
                texts.push(text);
            }
            8 => return (texts, payload.get(..2).map(|code| u16::from_be_bytes([code[0], code[1]]))),
            other => panic!("a frame of kind {other}"),
        }
    }
    (texts, None)
}

/// One unmasked, whole frame (RFC 6455, section 5.2).
fn frame(stream: &mut impl std::io::Read) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let length = match head[1] {
        126 => {
            let mut more = [0; 2];
            stream.read_exact(&mut more).ok()?;
            u64::from(u16::from_be_bytes(more))
        }
        127 => {
            let mut more = [0; 8];
            stream.read_exact(&mut more).ok()?;
            u64::from_be_bytes(more)
        }
        short => u64::from(short),
    };
    let mut payload = vec![0; usize::try_from(length).expect("a length")];
    stream.read_exact(&mut payload).ok()?;
    Some((head[0] & 0x0f, payload))
}

/// (rule: events/socket-end)
#[test]
fn a_planned_stop_under_load_sends_every_socket_all_accepted_events() {
    let sandbox = Sandbox::start(&["--seed", "42", "--clock", "frozen"]);
    let token = sandbox.token(0);
    let taken = Mutex::new(Vec::new());
    let late = Mutex::new(Vec::new());
    let heard = thread::scope(|scope| {
        let (stopping, hears): (Vec<_>, Vec<_>) = (0..8).map(|_| channel::<()>()).unzip();
        let (sandbox, token, taken, late) = (&sandbox, &token, &taken, &late);
        let (ready, is_ready) = channel();
        let sockets: Vec<_> = (0..8)
            .map(|at| {
                let (ready, stopping) = (ready.clone(), stopping.clone());
                scope.spawn(move || {
                    listen(sandbox, token, |text| {
                        if text.contains("\"hello\"") {
                            ready.send(()).expect("the test waits");
                        }
                        if at == 0 && text.contains("server_closing") {
                            // A thread that has given up waits no more.
                            stopping.iter().for_each(|stopping| stopping.send(()).unwrap_or_default());
                        }
                    })
                })
            })
            .collect();
        sockets.iter().for_each(|_| is_ready.recv().expect("a socket"));
        (0..4).for_each(|_| drop(scope.spawn(|| keep_opening(sandbox, token, taken))));
        for (hears, tenths) in hears.into_iter().zip([0, 3, 6, 9, 12, 14, 16, 18]) {
            scope.spawn(move || finish_late(sandbox, token, &hears, Duration::from_millis(100 * tenths), late));
        }
        while taken.lock().expect("a list").len() < 200 {
            thread::yield_now();
        }
        sandbox.signal("-TERM");
        sockets.into_iter().map(|socket| socket.join().expect("a reader")).collect::<Vec<_>>()
    });
    let (taken, late) = (taken.into_inner().expect("a list"), late.into_inner().expect("a list"));
    assert!(late.len() >= 4, "of requests that end after the signal only {} were accepted", late.len());
    for (at, (texts, code)) in heard.iter().enumerate() {
        assert_eq!(*code, Some(1001), "socket {at}");
        let all = texts.concat();
        let lost: Vec<_> = taken.iter().chain(&late).filter(|id| !all.contains(id.as_str())).collect();
        assert_eq!(lost, [""; 0], "socket {at} was not told of them");
    }
    let mut sandbox = sandbox;
    assert_eq!(sandbox.child.wait().expect("it ends").code(), Some(0));
}

/// A server at `address` that notes in `state` what runs there.
fn noted(address: &str, state: &Path, seed: &str) -> Sandbox {
    noted_at(address, state, seed, "warn")
}

fn noted_at(address: &str, state: &Path, seed: &str, level: &str) -> Sandbox {
    let start = ["--seed", seed, "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen", "--log-level", level];
    let all = [&["serve", "--listen", address, "--output", "json"], start.as_slice()].concat();
    Sandbox::spawn(command(&all).arg("--state").arg(state).stderr(Stdio::piped()))
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").to_string()
}

fn note_of(state: &Path, address: &str) -> PathBuf {
    state.join(format!("{}.json", address.replace(':', "-")))
}

/// Stops it, and returns what it has logged.
fn stop_and_read_log(mut sandbox: Sandbox) -> String {
    sandbox.signal("-TERM");
    let mut output = String::new();
    sandbox.child.stderr.take().expect("a pipe").read_to_string(&mut output).expect("text");
    assert_eq!(sandbox.child.wait().expect("it ends").code(), Some(0), "{output}");
    output
}

/// (rule: wire/killed)
#[test]
fn after_a_kill_the_next_start_says_what_is_gone_and_after_a_stop_there_is_nothing_to_say() {
    let state = folder("a-kill");
    let address = free_address();
    let mut sandbox = noted(&address, &state, "42");
    let token = sandbox.token(0);
    let mine = json!({ "name": "mine", "seed": 7, "start": "2026-03-02T07:00:00Z" }).to_string();
    let made = sandbox.ask("POST /_sandbox/worlds HTTP/1.1\r\ncontent-type: application/json\r\n", &mine);
    assert_eq!(made.0, 200, "{made:?}");
    let mut stream = connect(&sandbox).expect("the port accepts");
    stream.get_mut().write_all(opening(&sandbox, &token).as_bytes()).expect("it is sent");
    accepted(&mut stream).expect("an account");
    let note = note_of(&state, &address);
    while !std::fs::read_to_string(&note).is_ok_and(|note| note.contains("\"inputs\":1")) {
        thread::yield_now();
    }
    let process = sandbox.child.id();
    sandbox.signal("-KILL");
    sandbox.child.wait().expect("it ends");

    let after = stop_and_read_log(noted(&address, &state, "43"));
    for part in [
        &format!("(process {process}) was killed"),
        "2 worlds are lost",
        "and anything accepted later is lost, too",
        "lost: world-1 `demo` with at least 1 input, 3 events and 0 deliveries that waited",
        "it began with --seed 42 --start 2026-03-02T07:00:00.000Z",
        "lost: world-2 `mine` with at least 0 inputs",
    ] {
        assert!(after.contains(part), "{part}: {after}");
    }
    assert_eq!(std::fs::read_dir(&state).expect("a folder").count(), 0, "the note is left");
    assert_eq!(stop_and_read_log(noted(&address, &state, "44")).matches("lost").count(), 0);
}

/// (rule: wire/killed)
#[test]
fn the_loss_after_a_kill_is_reported_at_every_log_level() {
    for level in ["error", "off"] {
        let state = folder(&format!("a-kill-{level}"));
        let address = free_address();
        let mut killed = noted(&address, &state, "42");
        killed.signal("-KILL");
        killed.child.wait().expect("it ends");
        let log = stop_and_read_log(noted_at(&address, &state, "43", level));
        assert!(log.contains("was killed, or broke down: 1 world is lost"), "{level}: {log}");
        assert!(log.contains("lost: world-1 `demo`"), "{level}: {log}");
    }
}

/// (rule: wire/killed)
#[test]
fn who_is_killed_while_it_stops_leaves_a_note_that_says_so() {
    let state = folder("a-kill-in-a-stop");
    let address = free_address();
    let mut sandbox = noted(&address, &state, "42");
    let token = sandbox.token(0);
    let mut stream = connect(&sandbox).expect("the port accepts");
    // A request that never ends keeps the stop waiting.
    let request = opening(&sandbox, &token);
    stream.get_mut().write_all(&request.as_bytes()[..request.len() - 10]).expect("it is sent");
    sandbox.signal("-HUP");
    let note = note_of(&state, &address);
    while !std::fs::read_to_string(&note).is_ok_and(|note| note.contains("\"stopping\":true")) {
        thread::yield_now();
    }
    sandbox.signal("-KILL");
    sandbox.child.wait().expect("it ends");
    let log = stop_and_read_log(noted(&address, &state, "43"));
    assert!(log.contains("was stopping, and was killed before it had stopped: 1 world is lost"), "{log}");
}

/// (rule: wire/killed)
#[test]
fn a_note_of_a_server_that_lives_is_left_to_it() {
    let state = folder("a-living-note");
    let first = noted(&free_address(), &state, "42");
    let address = free_address();
    // The same address of another network, which keeps its notes in the same folder.
    let note = note_of(&state, &address);
    std::fs::rename(note_of(&state, first.address()), &note).expect("a note");
    let log = stop_and_read_log(noted(&address, &state, "43"));
    assert!(log.contains("is kept by a server at") && !log.contains("lost:"), "{log}");
    assert!(note.exists(), "it is not this server's to take away");
    drop(first);
    let log = stop_and_read_log(noted(&address, &state, "44"));
    assert!(log.contains("lost: world-1 `demo`"), "{log}");
}

/// (rule: wire/killed)
#[test]
fn a_world_is_noted_when_it_comes_and_when_it_goes() {
    let state = folder("a-note-of-worlds");
    let sandbox = noted(&free_address(), &state, "42");
    let note = note_of(&state, sandbox.address());
    let wait = |total: &str| {
        while !std::fs::read_to_string(&note).is_ok_and(|note| note.contains(total)) {
            thread::yield_now();
        }
    };
    let made = json!({ "name": "mine", "seed": 7, "start": "2026-03-02T07:00:00Z" }).to_string();
    for number in 2..5 {
        let head = "POST /_sandbox/worlds HTTP/1.1\r\ncontent-type: application/json\r\n";
        let (status, answer) = sandbox.ask(head, &made);
        assert_eq!(status, 200, "{answer}");
        wait(&format!("\"total\":{number}"));
    }
    let (status, answer) = sandbox.ask("DELETE /_sandbox/worlds/world-2 HTTP/1.1\r\n", "");
    assert_eq!(status, 200, "{answer}");
    wait("\"total\":3");
}

/// (rule: wire/killed)
#[test]
fn a_note_that_cannot_be_read_or_kept_is_reported() {
    let state = folder("a-broken-note");
    let address = free_address();
    let note = note_of(&state, &address);
    std::fs::write(&note, "{").expect("a file");
    let log = stop_and_read_log(noted(&address, &state, "1"));
    assert!(log.contains("what it held is not known") && log.contains(&*note.to_string_lossy()), "{log}");
    let refused = super::fundsim(&["serve", "--listen", &address, "--state", "/dev/null"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("--state /dev/null: "), "{}", refused.err);
}
