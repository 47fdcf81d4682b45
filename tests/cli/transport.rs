//! `fundsim serve` over real connections: half-closed and pipelined requests, no free descriptors, and every way to be slow
//! when it is stopped.

use super::command;
use super::serve::Sandbox;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A request whose answer is more than a word.
fn get(path: &str, host: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n")
}

/// Sends `text`, ends this side, and reads to the other side's end.
fn half_closed(address: &str, text: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the port accepts");
    stream.write_all(text.as_bytes()).expect("it is sent");
    stream.shutdown(Shutdown::Write).expect("half a close");
    let mut answers = String::new();
    stream.read_to_string(&mut answers).expect("it is answered");
    answers
}

/// (rule: wire/headers)
#[test]
fn five_hundred_half_closed_requests_are_all_answered_and_pipelined_ones_in_order() {
    let sandbox = Sandbox::start(&["--clock", "frozen"]);
    let address = sandbox.address();
    let answered = |path: &str, count: usize| {
        let answers = half_closed(address, &get(path, address).repeat(count));
        assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), count, "{path}");
        let ids = answers.split("request-id: ").skip(1);
        let ids: Vec<u64> = ids.filter_map(|rest| rest.split('\r').next()?.parse().ok()).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        ids.len()
    };
    let asked = |path: &'static str, clients: usize, each: usize, pipelined: usize| -> usize {
        thread::scope(|scope| {
            let ask = || (0..each).map(|_| answered(path, pipelined)).sum::<usize>();
            let askers: Vec<_> = (0..clients).map(|_| scope.spawn(ask)).collect();
            askers.into_iter().map(|asker| asker.join().expect("an answer")).sum()
        })
    };
    assert_eq!(asked("/openapi.json", 10, 50, 1), 500);
    assert_eq!(asked("/_sandbox/worlds", 10, 5, 20), 1_000);
}

/// (rule: wire/places)
#[test]
fn without_free_descriptors_it_says_so_once_and_keeps_the_operators_plane_reachable_until_they_are_back() {
    let serve = command(&["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 48; exec \"$0\" \"$@\""]).arg(serve.get_program()).args(serve.get_args());
    let mut sandbox = Sandbox::spawn(limited.stdin(Stdio::null()).stderr(Stdio::piped()));
    let log = lines(sandbox.child.stderr.take().expect("a pipe"));
    let address = sandbox.address().to_owned();
    let worlds = || half_closed(&address, &get("/_sandbox/worlds", &address));
    let others = || half_closed(&address, &get("/nowhere", &address));
    assert!(others().starts_with("HTTP/1.1 404 "), "nobody answers to it, but it is answered");

    let silent: Vec<_> = (0..60).map(|_| TcpStream::connect(&address).expect("the queue has room")).collect();
    let refused = others();
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: 1"), "{refused}");
    for _ in 0..20 {
        let answer = worlds();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    let line = log.recv_timeout(Duration::from_secs(10)).expect("it is logged");
    assert!(line.contains("no file descriptor is free"), "{line}");

    drop(silent);
    let begun = Instant::now();
    while others().starts_with("HTTP/1.1 503 ") {
        assert!(begun.elapsed() < Duration::from_secs(10), "it comes back");
    }
    let over = loop {
        if let Ok(line) = log.recv_timeout(Duration::from_millis(100)) {
            break line;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "its end is logged");
        worlds();
    };
    assert!(over.contains("file descriptors are free again"), "logged once, then: {over}");
}

/// The lines of a pipe, as they come.
fn lines(pipe: impl std::io::Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok).filter(|line| !line.contains("request")) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Ways to keep a server busy, each a connection that is left open.
fn burdens(sandbox: &Sandbox) -> Vec<(&'static str, TcpStream)> {
    let address = sandbox.address();
    let begin = |text: String| {
        let mut stream = TcpStream::connect(address).expect("the port accepts");
        stream.write_all(text.as_bytes()).expect("it is sent");
        stream
    };
    let advance = r#"{"by":"P200Y"}"#;
    let advance = format!(
        "POST /_sandbox/worlds/world-1/clock/advance HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{advance}",
        advance.len()
    );
    vec![
        ("a running advance", begin(advance)),
        ("half a request", begin("GET /ping HTTP/1.1\r\nho".to_owned())),
        (
            "half a body",
            begin(format!("POST /v2/partner/auth/token HTTP/1.1\r\nhost: {address}\r\ncontent-length: 99\r\n\r\na=")),
        ),
        ("answers that nobody reads", begin(get("/openapi.json", address).repeat(200))),
        ("a silent socket", begin(upgrade(sandbox))),
        ("nothing", begin(String::new())),
    ]
}

/// The handshake of a socket for the first client.
fn upgrade(sandbox: &Sandbox) -> String {
    let partner = &sandbox.line["partners"][0];
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        text(&partner["clientId"]),
        text(&partner["clientSecret"])
    );
    let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let (_, token) = sandbox.ask(head, &form);
    format!(
        "GET /v2/partner/client/{}/subscribe HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: Upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        text(&partner["clients"][0]["id"]),
        sandbox.address(),
        text(&token["access_token"])
    )
}

#[test]
fn a_stop_takes_two_seconds_whatever_keeps_it_busy() {
    let sandbox = Sandbox::start(&["--clock", "frozen"]);
    let burdens = burdens(&sandbox);
    // All of it has arrived once a later request is answered.
    assert_eq!(sandbox.ask("GET /_sandbox/worlds HTTP/1.1\r\n", "").0, 200);
    let begun = Instant::now();
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let took = begun.elapsed();
    // Two seconds of notice and a quarter for close frames; the rest is this machine's.
    assert!(
        took < Duration::from_millis(3_500),
        "{took:?} with {:?}",
        burdens.iter().map(|burden| burden.0).collect::<Vec<_>>()
    );
}

#[test]
fn a_second_signal_stops_at_once_with_the_code_of_that_signal() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen"]);
        let mut sandbox = Sandbox::spawn(serve.stderr(Stdio::piped()));
        let log = lines(sandbox.child.stderr.take().expect("a pipe"));
        let burdens = burdens(&sandbox);
        assert_eq!(sandbox.ask("GET /_sandbox/worlds HTTP/1.1\r\n", "").0, 200);
        sandbox.signal("-TERM");
        let closing = log.recv_timeout(Duration::from_secs(10)).expect("it says that it is closing");
        assert!(closing.contains("another signal stops immediately"), "{closing}");
        let begun = Instant::now();
        assert_eq!(sandbox.stop(signal), Some(code));
        assert!(begun.elapsed() < Duration::from_millis(1_500), "{:?} with {} burdens", begun.elapsed(), burdens.len());
    }
}
