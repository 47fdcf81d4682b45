//! How a server ends: a planned stop under load.

use super::serve::Sandbox;
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// An account that is opened by lever, as a whole request.
pub(super) fn opening(sandbox: &Sandbox, token: &str) -> String {
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
pub(super) fn accepted(stream: &mut BufReader<TcpStream>) -> Option<Json> {
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

pub(super) fn connect(sandbox: &Sandbox) -> Option<BufReader<TcpStream>> {
    TcpStream::connect(sandbox.address()).ok().map(BufReader::new)
}

/// Opens accounts one after the other until nobody answers any more.
pub(super) fn keep_opening(sandbox: &Sandbox, token: &str, taken: &Mutex<Vec<String>>) {
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
    stopping.recv().expect("a socket that receives the stop");
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
    let received = thread::scope(|scope| {
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
    for (at, (texts, code)) in received.iter().enumerate() {
        assert_eq!(*code, Some(1001), "socket {at}");
        let all = texts.concat();
        let lost: Vec<_> = taken.iter().chain(&late).filter(|id| !all.contains(id.as_str())).collect();
        assert_eq!(lost, [""; 0], "socket {at} did not receive them");
    }
    let mut sandbox = sandbox;
    assert_eq!(sandbox.child.wait().expect("it ends").code(), Some(0));
}
