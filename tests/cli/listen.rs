//! `fundsim listen` against a running server, with a receiver beside it: what is forwarded, unchanged, once, and what is left behind.

use super::serve::Sandbox;
use super::{command, folder, fundsim};
use deliveries::signature::SigningKey;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A post as the receiver has it.
struct Post {
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Post {
    /// Whether the secret signs it, as the application would check it.
    fn is_signed_by(&self, secret: &str) -> bool {
        let key = SigningKey::parse(secret).expect("a key");
        let at = self.headers["webhook-timestamp"].parse().expect("seconds");
        self.headers["webhook-signature"] == key.sign(&self.headers["webhook-id"], at, &self.body)
    }
}

/// A server of the application, which answers with `statuses`, and then with 200.
fn receiver(statuses: &'static [u16]) -> (String, Receiver<Post>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = listener.local_addr().expect("an address").to_string();
    let (sender, posts) = channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().map_while(Result::ok).enumerate() {
            let mut reader = BufReader::new(stream);
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).expect("a line") == 0 || line == "\r\n" {
                    break;
                }
                lines.push(line.trim_end().to_owned());
            }
            let path = lines[0].split(' ').nth(1).unwrap_or_default().to_owned();
            let headers = lines[1..].iter().filter_map(|line| line.split_once(": "));
            let headers: BTreeMap<_, _> =
                headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
            let mut body = vec![0; headers["content-length"].parse().expect("a length")];
            reader.read_exact(&mut body).expect("a body");
            let status = statuses.get(number).unwrap_or(&200);
            write!(reader.get_mut(), "HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n").expect("an answer");
            if sender.send(Post { path, headers, body }).is_err() {
                return;
            }
        }
    });
    (url, posts)
}

fn next<T>(from: &Receiver<T>) -> T {
    from.recv_timeout(Duration::from_secs(30)).expect("in time")
}

/// `listen` under way.
struct Listening {
    child: Child,
    lines: Receiver<String>,
    notes: Receiver<String>,
}

impl Listening {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = command(&[&["listen", "--json", "--url", sandbox.url()], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let notes = BufReader::new(child.stderr.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let (sender, read) = channel();
        std::thread::spawn(move || notes.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let listening = Self { child, lines, notes: read };
        listening.note("Ctrl-C ends");
        listening
    }

    /// The next line on standard output.
    fn line(&self) -> Json {
        serde_json::from_str(&next(&self.lines)).expect("JSON")
    }

    /// The next note with these words.
    fn note(&self, words: &str) -> String {
        loop {
            let note = next(&self.notes);
            if note.contains(words) {
                return note;
            }
        }
    }

    /// The exit code and the summary after Ctrl-C; whatever else was forwarded is a fault.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let code = self.child.wait().expect("it ends").code();
        assert_eq!(self.lines.iter().next(), None);
        (code, self.note("forwarded"))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

fn order(sandbox: &Sandbox, token: &str, client: &str, amount: u32) -> Json {
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 });
    let account = sandbox.posts(token, "/simulations/account", &account);
    let order = json!({
        "orderType": "subscription", "account": account["id"], "instrument": "SE0SBX000016SEK", "amount": amount,
    });
    sandbox.posts(token, &format!("/v2/partner/client/{client}/order"), &order)
}

fn webhooks(sandbox: &Sandbox, token: &str) -> Json {
    let head = format!("GET /_sandbox/worlds/current/webhooks HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    sandbox.ask(&head, "").1
}

/// (rule: events/listening)
#[test]
fn what_is_delivered_arrives_with_signatures_that_verify_also_after_a_failure_and_nothing_stays_behind() {
    let (sandbox, token, client, _) = Sandbox::with_an_order(&[]);
    let (url, posts) = receiver(&[500]);
    let to = format!("{url}/hooks?from=fundsim");
    let events = "order.create,journey.callback";
    let listening = Listening::start(
        &sandbox,
        &[
            "--token",
            &token,
            "--forward-to",
            &to,
            "--forward-callbacks-to",
            &url,
            "--events",
            events,
            "--secret",
            SECRET,
        ],
    );
    assert_eq!(webhooks(&sandbox, &token)[0]["url"], "listen:");
    for status in [500, 200] {
        let placed = order(&sandbox, &token, &client, 100);
        let post = next(&posts);
        assert_eq!((post.path.as_str(), post.headers["event-type"].as_str()), ("/hooks?from=fundsim", "order.create"));
        assert!(post.is_signed_by(SECRET));
        let body: Json = serde_json::from_slice(&post.body).expect("JSON");
        assert_eq!(body["current"]["id"], placed["id"]);
        let line = listening.line();
        assert_eq!(
            (&line["status"], &line["kind"], &line["eventType"]),
            (&json!(status), &json!("webhook"), &json!("order.create"))
        );
        assert!(line["milliseconds"].is_u64() && line["webhookId"] == post.headers["webhook-id"], "{line}");
    }
    // A callback to an address that the sandbox does not reach is signed with the secret of the partner.
    let journey = json!({
        "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
        "accountCategories": ["retail"],
    });
    let wanted = json!({ "callbackUrl": "http://127.0.0.1:1/done", "journey": journey });
    let journey = sandbox.posts(&token, &format!("/v2/partner/client/{client}/journey"), &wanted);
    let cancel = format!("/simulations/journey/{}/cancel", journey["id"].as_str().expect("an id"));
    sandbox.posts(&token, &cancel, &json!({}));
    let post = next(&posts);
    assert_eq!((post.path.as_str(), post.headers["event-type"].as_str()), ("/", "journey.callback"));
    assert!(post.is_signed_by(&sandbox.text(0, "callbackSecret")));
    assert_eq!(listening.line()["kind"], "callback");

    let (code, summary) = listening.interrupt();
    assert_eq!((code, summary.as_str()), (Some(0), "fundsim: 3 forwarded: 2 received, 1 not"));
    assert_eq!(webhooks(&sandbox, &token), json!([]));
}

/// (rule: events/listening)
#[test]
fn a_sandbox_that_starts_again_is_listened_to_from_where_it_was() {
    let kept = folder("listen");
    let data = kept.join("data");
    let data = ["--data", data.to_str().expect("text")];
    let (sandbox, token, client, _) = Sandbox::with_an_order(&data);
    let (url, posts) = receiver(&[]);
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let credentials = ["--client-id", &id, "--client-secret", &secret];
    let forward = ["--forward-to", &url, "--events", "order.create", "--secret", SECRET];
    let listening = Listening::start(&sandbox, &[&credentials[..], &forward].concat());
    let amount = |post: &Post| serde_json::from_slice::<Json>(&post.body).expect("JSON")["current"]["amount"].as_f64();
    for number in 1..=3 {
        order(&sandbox, &token, &client, 100 + number);
        assert_eq!(amount(&next(&posts)), Some(f64::from(100 + number)));
        listening.line();
    }
    let address = sandbox.address().to_owned();
    assert_eq!(sandbox.stop("-TERM"), Some(0));
    let mut again = command(&[&["serve", "--listen", &address, "--output", "json"], &data[..]].concat());
    let again = Sandbox::spawn(again.stderr(Stdio::null()));
    for number in 4..=6 {
        order(&again, &token, &client, 100 + number);
    }
    for number in 4..=6 {
        assert_eq!(amount(&next(&posts)), Some(f64::from(100 + number)), "each once, and in order");
        listening.line();
    }
    assert_eq!(listening.interrupt().0, Some(0));
    assert_eq!(webhooks(&again, &token), json!([]), "the webhook that the data have kept is removed");
}

#[test]
fn what_cannot_be_listened_to_is_refused_with_its_reason() {
    let sandbox = Sandbox::start(&[]);
    let url = ["--url", sandbox.url()];
    for (arguments, why) in [
        (&["--forward-to", "ftp://x"][..], "must begin with http"),
        (&["--forward-to", "localhost:1", "--events", "order.made"], "--events order.made: there are account.create"),
        (&["--forward-to", "localhost:1", "--secret", "whsec_x"], "secret must be whsec_"),
        (&["--forward-to", "localhost:1", "--world", "nowhere"], "has no world `nowhere`"),
        (&["--forward-to", "localhost:1", "--since", "yesterday"], "is no time"),
    ] {
        let output = fundsim(&[&["listen"], &url[..], arguments].concat());
        assert!(output.code == 2 && output.err.contains(why), "{arguments:?}: {} {}", output.code, output.err);
    }
}
