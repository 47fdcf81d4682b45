//! What receivers do to a sender, in virtual time and without a network; and once over the machine's own.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;

use sim::ids::ClientId;
use sim::time::Instant as Business;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::Instant;
use uuid::Uuid;

use super::super::connector::{Pending, Stream, Tcp};
use super::super::notification::OrderingKey;
use super::super::signing_keys::SigningKeys;
use super::*;
use crate::signature::SigningKey;
use feed::transport::TransportTime;

fn notification(url: &str) -> Notification {
    Notification {
        id: Uuid::from_u128(1),
        webhook_id: Uuid::from_u128(2),
        ordering_key: OrderingKey { webhook: None, resource: Uuid::from_u128(3) },
        event_type: "journey.callback",
        client: ClientId::from_u128(1),
        partner: None,
        occurred: Business::MIN,
        url: url.into(),
        keys: Arc::new(SigningKeys::new(SigningKey::from_bytes([7; 32]))),
        body: Bytes::from_static(b"{\"status\":\"complete\"}"),
    }
}

/// How a receiver behaves once it has read a request.
#[derive(Clone, Copy, Debug)]
enum Behaviour {
    /// Says this and closes.
    Says(&'static str),
    /// Says this and keeps the connection open in silence.
    SaysAndHangs(&'static str),
    /// Says this, then a byte a second.
    Dribbles(&'static str),
    /// Announces one gibibyte and sends as much of it as anybody takes.
    Floods,
}

/// What the receivers of a test saw.
#[derive(Debug, Default)]
struct Seen {
    requests: Vec<String>,
    dialled: Vec<SocketAddr>,
    sent: usize,
    closed: usize,
}

/// A network of one receiver, at whatever address is dialled.
struct Receiver {
    behaviour: Behaviour,
    names: BTreeMap<&'static str, Vec<&'static str>>,
    refuses: Option<IpAddr>,
    seen: Arc<Mutex<Seen>>,
}

impl Receiver {
    fn new(behaviour: Behaviour) -> Self {
        Self { behaviour, names: BTreeMap::new(), refuses: None, seen: Arc::default() }
    }

    /// The client that reaches it, and what it sees.
    fn client(self, egress: Egress) -> (Client, Arc<Mutex<Seen>>) {
        let seen = Arc::clone(&self.seen);
        (Client::new(Arc::new(self), egress, Trust::default()), seen)
    }
}

impl Connector for Receiver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        let addresses = self.names.get(host).ok_or(io::ErrorKind::NotFound);
        let with_port = move |text: &&str| SocketAddr::new(text.parse().expect("an address"), port);
        Box::pin(async move { Ok(addresses?.iter().map(with_port).collect()) })
    }

    fn dial(&self, address: SocketAddr) -> Pending<'_, Stream> {
        self.seen.lock().expect("unpoisoned").dialled.push(address);
        if self.refuses == Some(address.ip()) {
            return Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) });
        }
        let (ours, theirs) = tokio::io::duplex(16 * 1024);
        tokio::spawn(receive(theirs, self.behaviour, Arc::clone(&self.seen)));
        Box::pin(async { Ok(Stream::new(ours)) })
    }
}

async fn receive(mut stream: DuplexStream, behaviour: Behaviour, seen: Arc<Mutex<Seen>>) {
    let request = read_request(&mut stream).await;
    seen.lock().expect("unpoisoned").requests.push(request);
    let sent = behave(&mut stream, behaviour).await;
    if matches!(behaviour, Behaviour::SaysAndHangs(_)) {
        // Ends when the sender hangs up.
        drop(stream.read(&mut [0]).await);
    }
    let mut seen = seen.lock().expect("unpoisoned");
    (seen.sent, seen.closed) = (seen.sent + sent, seen.closed + 1);
}

async fn read_request(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> String {
    let mut text = Vec::new();
    while !text.ends_with(b"}") {
        let mut space = [0; 1024];
        let read = stream.read(&mut space).await.expect("a request");
        assert!(read > 0, "the request ended early");
        text.extend_from_slice(&space[..read]);
    }
    String::from_utf8(text).expect("a request is text")
}

/// How many bytes of a body were taken.
async fn behave(stream: &mut DuplexStream, behaviour: Behaviour) -> usize {
    let head = match behaviour {
        Behaviour::Says(text) | Behaviour::SaysAndHangs(text) | Behaviour::Dribbles(text) => text,
        Behaviour::Floods => "HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n",
    };
    let mut taken = 0;
    let mut alive = stream.write_all(head.as_bytes()).await.is_ok();
    let part: &[u8] = if matches!(behaviour, Behaviour::Floods) { &[b'x'; 4096] } else { b"x" };
    while alive && matches!(behaviour, Behaviour::Dribbles(_) | Behaviour::Floods) {
        if matches!(behaviour, Behaviour::Dribbles(_)) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        alive = stream.write_all(part).await.is_ok();
        taken += part.len();
    }
    taken
}

async fn sent(client: &Client, notification: &Notification, timestamp: u64) -> AttemptOutcome {
    client.post(notification, &notification.keys.at(TransportTime(0)), timestamp).await.outcome
}

/// (rule: events/delivery-answer)
#[tokio::test(start_paused = true)]
async fn whatever_a_receiver_does_one_attempt_ends_with_one_outcome_one_connection_and_in_time() {
    use AttemptOutcome::{Answered, Failed};
    use Behaviour::{Dribbles, Floods, Says, SaysAndHangs};
    use Failure::{Broken, Timeout};
    let rows = [
        // what it does, outcome, seconds that the attempt takes
        (Says("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"), Answered(200), 0),
        (Says("HTTP/1.1 200 OK\r\n\r\nuntil it closes"), Answered(200), 0),
        (Says("HTTP/1.0 204 No Content\r\n\r\n"), Answered(204), 0),
        (Says("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"), Answered(400), 0),
        (Says("HTTP/1.1 503 Later\r\ncontent-length: 0\r\n\r\n"), Answered(503), 0),
        (Says("HTTP/1.1 302 Found\r\nlocation: http://10.0.0.9/\r\ncontent-length: 0\r\n\r\n"), Answered(302), 0),
        (Says("HTTP/1.1 307 Again\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n"), Answered(307), 0),
        (SaysAndHangs("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), Answered(200), 0),
        (Floods, Answered(200), 0),
        (Says(""), Failed(Broken), 0),
        (Says("HTTP/1.1 200"), Failed(Broken), 0),
        (Says("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort"), Failed(Broken), 0),
        (Says("SSH-2.0-nothing\r\n"), Failed(Broken), 0),
        (Says("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"), Answered(101), 0),
        (SaysAndHangs(""), Failed(Timeout), 10),
        (SaysAndHangs("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"), Failed(Timeout), 10),
        (SaysAndHangs("HTTP/1.1 100 Continue\r\n\r\n"), Failed(Timeout), 10),
        (Dribbles("HTTP/1.1 200 OK\r\nx-y: "), Failed(Timeout), 10),
        (Dribbles("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"), Failed(Timeout), 10),
    ];
    for (behaviour, outcome, seconds) in rows {
        let (client, seen) = Receiver::new(behaviour).client(Egress::open());
        let start = Instant::now();
        assert_eq!(sent(&client, &notification("http://10.0.0.1:8000/cb"), 5).await, outcome, "{behaviour:?}");
        assert_eq!(start.elapsed(), Duration::from_secs(seconds), "{behaviour:?}");
        // The receiver notices within two of its own seconds that nobody is there any more.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let seen = seen.lock().expect("unpoisoned");
        assert_eq!((seen.dialled.len(), seen.requests.len(), seen.closed), (1, 1, 1), "{behaviour:?}");
        assert!(seen.sent <= 2 * MOST_READ, "{behaviour:?} sent {}", seen.sent);
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_says_what_it_is_and_proves_where_it_comes_from() {
    let (client, seen) = Receiver::new(Behaviour::Says("HTTP/1.1 200 OK\r\n\r\n")).client(Egress::open());
    let notification = notification("http://user:secret@10.0.0.1:8000/cb?a=1");
    sent(&client, &notification, 1_772_434_800).await;
    let request = seen.lock().expect("unpoisoned").requests[0].clone();
    let (head, body) = request.split_once("\r\n\r\n").expect("a head and a body");
    let mut lines: Vec<&str> = head.lines().collect();
    lines[1..].sort_unstable();
    let id = notification.webhook_id.to_string();
    let signed =
        format!("webhook-signature: {}", notification.keys.current().sign(&id, 1_772_434_800, &notification.body));
    let agent = format!("user-agent: {AGENT}");
    let expected = [
        "POST /cb?a=1 HTTP/1.1",
        "connection: close",
        "content-length: 21",
        "content-type: application/json",
        "event-type: journey.callback",
        "host: 10.0.0.1:8000",
        &agent,
        "webhook-id: 00000000-0000-0000-0000-000000000002",
        &signed,
        "webhook-timestamp: 1772434800",
    ];
    assert_eq!(lines, expected);
    assert_eq!(body, "{\"status\":\"complete\"}");
}

#[tokio::test(start_paused = true)]
async fn the_address_that_is_dialled_is_the_one_that_was_judged() {
    let ok = Behaviour::Says("HTTP/1.1 200 OK\r\n\r\n");
    let rows: [(&str, &[&str], AttemptOutcome, &[&str]); 11] = [
        // URL, addresses of its name, outcome, dialled
        ("http://8.8.8.8/", &[], AttemptOutcome::Answered(200), &["8.8.8.8:80"]),
        ("http://a.test:81/", &["8.8.8.8"], AttemptOutcome::Answered(200), &["8.8.8.8:81"]),
        ("http://a.test/", &["10.0.0.1"], AttemptOutcome::Failed(Failure::Forbidden), &[]),
        ("http://a.test/", &["::ffff:10.0.0.1", "169.254.169.254"], AttemptOutcome::Failed(Failure::Forbidden), &[]),
        ("http://a.test/", &["10.0.0.1", "8.8.8.8"], AttemptOutcome::Answered(200), &["8.8.8.8:80"]),
        ("http://a.test/", &["9.9.9.9", "8.8.8.8"], AttemptOutcome::Answered(200), &["9.9.9.9:80", "8.8.8.8:80"]),
        ("http://a.test/", &["9.9.9.9", "10.0.0.1"], AttemptOutcome::Failed(Failure::Unreachable), &["9.9.9.9:80"]),
        ("http://a.test/", &[], AttemptOutcome::Failed(Failure::Unresolved), &[]),
        ("http://b.test/", &["8.8.8.8"], AttemptOutcome::Failed(Failure::Unresolved), &[]),
        ("http://[fd00::1]/", &[], AttemptOutcome::Failed(Failure::Forbidden), &[]),
        ("http://[::1]:9/", &[], AttemptOutcome::Answered(200), &["[::1]:9"]),
    ];
    for (url, addresses, outcome, dialled) in rows {
        let mut receiver = Receiver::new(ok);
        receiver.names.insert("a.test", addresses.to_vec());
        receiver.refuses = Some("9.9.9.9".parse().expect("an address"));
        let egress = Egress::default();
        let (client, seen) = receiver.client(egress);
        assert_eq!(sent(&client, &notification(url), 5).await, outcome, "{url} {addresses:?}");
        let seen: Vec<String> = seen.lock().expect("unpoisoned").dialled.iter().map(ToString::to_string).collect();
        assert_eq!(seen, dialled, "{url} {addresses:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_url_that_can_be_posted_to_fails_without_a_connection() {
    let rows = [
        ("", Failure::NotAUrl),
        ("/path", Failure::NotAUrl),
        ("a.test:80", Failure::NotAUrl),
        ("ftp://10.0.0.1/", Failure::NotAUrl),
        ("http://", Failure::NotAUrl),
        ("http:///path", Failure::NotAUrl),
        ("http://å.test/", Failure::NotAUrl),
        ("http://a b/", Failure::NotAUrl),
        ("https://10.0.0.1/", Failure::NoTls),
    ];
    for (url, failure) in rows {
        let (client, seen) = Receiver::new(Behaviour::Says("")).client(Egress::open());
        assert_eq!(sent(&client, &notification(url), 5).await, AttemptOutcome::Failed(failure), "{url}");
        assert!(seen.lock().expect("unpoisoned").dialled.is_empty(), "{url}");
    }
}

/// Answers the first connection like `Behaviour::Says` and gives back the request.
async fn answer_once(listener: TcpListener, text: &'static str) -> String {
    let (mut stream, _) = listener.accept().await.expect("a connection");
    let request = read_request(&mut stream).await;
    stream.write_all(text.as_bytes()).await.expect("the sender listens");
    request
}

#[tokio::test]
async fn over_the_machines_own_network_a_letter_arrives_and_a_closed_port_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let client = Client::new(Arc::new(Tcp), Egress::open(), Trust::default());
    let receiver = tokio::spawn(answer_once(listener, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    let notification = notification(&format!("http://localhost:{port}/cb"));
    assert_eq!(sent(&client, &notification, 5).await, AttemptOutcome::Answered(200));
    assert!(receiver.await.expect("the receiver ends").starts_with("POST /cb HTTP/1.1\r\n"));
    // Held and not listened to: nobody else can open it meanwhile.
    let closed = TcpSocket::new_v4().expect("a socket");
    closed.bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let notification =
        self::notification(&format!("http://127.0.0.1:{}/cb", closed.local_addr().expect("bound").port()));
    assert_eq!(sent(&client, &notification, 5).await, AttemptOutcome::Failed(Failure::Unreachable));
}

#[tokio::test]
async fn a_receiver_that_speaks_no_tls_is_not_trusted() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let receiver = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await);
    });
    let client = Client::new(Arc::new(Tcp), Egress::open(), Trust::default());
    let outcome = sent(&client, &notification(&format!("https://127.0.0.1:{port}/")), 5).await;
    assert_eq!(outcome, AttemptOutcome::Failed(Failure::Untrusted));
    receiver.await.expect("the receiver ends");
}

/// (rule: events/delivery-retries)
#[test]
fn a_wait_is_read_in_seconds_however_many_or_as_a_date_and_a_day_at_most() {
    let day = Some(LONGEST_WAIT);
    for (value, wait) in [
        ("3", Some(Duration::from_secs(3))),
        (" 2 ", Some(Duration::from_secs(2))),
        ("0", Some(Duration::ZERO)),
        ("100000", day),
        ("18446744073709551615", day),
        ("18446744073709551616", day),
        ("99999999999999999999999999999999999999999999", day),
        ("Thu, 01 Jan 1970 00:01:40 GMT", Some(Duration::from_secs(100))),
        ("-5", None),
        ("+2", None),
        ("1.5", None),
        ("2, 3", None),
        ("", None),
        ("soon", None),
    ] {
        assert_eq!(wanted_wait(value, 0), wait, "{value}");
    }
}
