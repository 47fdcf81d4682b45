//! Feeds from outside: real WebSocket handshakes and frames over connections in memory, in virtual time.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, Method};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::{AsyncWriteExt as _, DuplexStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message};
use tokio_tungstenite::tungstenite::{Bytes, Error};

use crate::planes::partner::subscribe::subscription::{Next, Subscription};
use crate::testing::{Bench, LevelFilter, request, telemetry};
use feed::log::{Cursor, ReadResult};
use feed::sockets::Ending;
use feed::transport::{Limits, SurfaceSettings};
use hosting::clock::Mode;
use hosting::decision::HostDecision;
use surface::SurfaceConfig;
use surface::auth::{Caller, Rights};
use surface::server::memory::{Dialer, memory};
use testing::Now as _;

struct Served {
    bench: Bench,
    dialer: Dialer,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

fn serve_with(change: impl FnOnce(&mut SurfaceSettings)) -> Served {
    serve_as(SurfaceConfig::default(), change)
}

fn serve_as(config: SurfaceConfig, change: impl FnOnce(&mut SurfaceSettings)) -> Served {
    let bench = Bench::with(Mode::Frozen, config);
    let mut settings = bench.world.edge.settings();
    change(&mut settings);
    bench.world.set_settings(settings);
    let (dialer, listener) = memory();
    let (stop, stopped) = oneshot::channel();
    let surface = bench.surface.clone();
    let server = tokio::spawn(surface::serve(listener, surface, async {
        drop(stopped.await);
    }));
    Served { bench, dialer, stop: Some(stop), server: Some(server) }
}

fn serve() -> Served {
    serve_with(|_| ())
}

type Socket = WebSocketStream<DuplexStream>;

impl Served {
    fn path(&self, client: usize) -> String {
        format!("/v2/partner/client/{}/subscribe", self.bench.scope(client).client)
    }

    async fn open_as(&self, token: &str, client: usize) -> Result<Socket, Error> {
        let mut sent = format!("ws://localhost{}", self.path(client)).into_client_request().expect("a request");
        sent.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a value"));
        let stream = self.dialer.dial().expect("a listener");
        tokio_tungstenite::client_async(sent, stream).await.map(|(socket, _)| socket)
    }

    /// A socket for the `client`th client with the first partner's token, past its `hello`.
    async fn open(&self, client: usize) -> Socket {
        let token = self.bench.token(0).await;
        let mut socket = self.open_as(&token, client).await.expect("an upgrade");
        assert_eq!(next(&mut socket).await["eventType"], "hello");
        socket
    }
}

async fn next(socket: &mut Socket) -> Value {
    match socket.next().await.expect("a frame").expect("a good frame") {
        Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("not a message: {other:?}"),
    }
}

/// The event types that are there to be read now.
async fn pending_event_types(socket: &mut Socket) -> Vec<String> {
    let mut kinds = Vec::new();
    while let Ok(message) = tokio::time::timeout(Duration::from_millis(1), next(socket)).await {
        kinds.push(message["eventType"].as_str().expect("a type").to_owned());
    }
    kinds
}

/// The code of the close that comes next, heartbeats passed over; `None` when the connection breaks.
async fn close_code(socket: &mut Socket) -> Option<u16> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Close(Some(frame)))) => return Some(frame.code.into()),
            Some(Ok(Message::Text(text))) => assert!(text.contains("heartbeat"), "{text}"),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return None,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_socket_sends_hello_and_then_its_clients_events_in_order() {
    let served = serve();
    let (mut one, mut two) = (served.open(0).await, served.open(1).await);
    let account = served.bench.account(0);
    served.bench.subscribe(0, account);
    assert_eq!(
        pending_event_types(&mut one).await,
        ["account.create", "cashTransaction.create", "account.update", "order.create"]
    );
    assert_eq!(pending_event_types(&mut two).await, [""; 0]);
}

/// (rule: events/event-id, events/no-replay)
#[tokio::test(start_paused = true)]
async fn parallel_sockets_hear_the_same_event_ids_and_none_from_before() {
    let served = serve();
    let account = served.bench.account(0);
    let (mut first, mut second) = (served.open(0).await, served.open(0).await);
    served.bench.subscribe(0, account);
    let (a, b) = (next(&mut first).await, next(&mut second).await);
    assert_eq!(a, b);
    assert_eq!(a["eventType"], "order.create");
    assert!(a["eventId"].is_string() && a["payload"]["current"]["id"].is_string());
}

#[tokio::test(start_paused = true)]
async fn hello_names_the_instance_which_changes_with_a_reset() {
    let served = serve();
    let token = served.bench.token(0).await;
    let mut ids = Vec::new();
    for reset in [false, false, true] {
        if reset {
            served.bench.world.decide(&HostDecision::Reset).now().expect("a start");
        }
        let hello = next(&mut served.open_as(&token, 0).await.expect("an upgrade")).await;
        assert!(hello.get("eventId").is_none());
        ids.push(hello["instanceId"].as_str().expect("an id").to_owned());
    }
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
}

/// (rule: events/heartbeat, events/socket-end)
#[tokio::test(start_paused = true)]
async fn heartbeats_come_every_thirty_seconds_and_the_hour_ends_the_socket() {
    let served = serve();
    let mut socket = served.open(0).await;
    let start = Instant::now();
    for beat in 1..=3 {
        assert_eq!(next(&mut socket).await["eventType"], "heartbeat");
        assert_eq!(start.elapsed().as_secs(), beat * 30);
    }
    assert_eq!(close_code(&mut socket).await, Some(1000));
    assert_eq!(start.elapsed().as_secs(), 3_600);
}

/// (rule: events/transport-time)
#[tokio::test(start_paused = true)]
async fn with_virtual_transport_the_worlds_clock_beats() {
    let served = serve_with(|settings| settings.virtual_transport = true);
    let mut socket = served.open(0).await;
    assert!(tokio::time::timeout(Duration::from_secs(7_200), next(&mut socket)).await.is_err());
    let world = &served.bench.world;
    let now = world.last_now();
    assert!(world.jump(now.plus(sim::time::Millis::seconds(30)), &mut Vec::new()).now().expect("a jump"));
    assert_eq!(next(&mut socket).await["eventType"], "heartbeat");
    while !world.jump(now.plus(sim::time::Millis::HOUR), &mut Vec::new()).now().expect("a jump") {}
    assert_eq!(close_code(&mut socket).await, Some(1000));
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_announced_about_two_seconds_ahead_and_new_sockets_are_refused_meanwhile() {
    let mut served = serve();
    let (mut socket, mut late) = (served.open(0).await, served.open(0).await);
    let token = served.bench.token(0).await;
    served.stop.take().expect("not stopped yet").send(()).expect("a server");
    let start = Instant::now();
    assert_eq!(next(&mut socket).await["eventType"], "server_closing");
    assert_eq!(next(&mut late).await["eventType"], "server_closing");
    let upgrade = upgrade_request(&served.path(0), &token, &[]);
    assert_eq!(served.bench.ask(upgrade).await.status, 503);
    served.bench.account(0);
    assert_eq!(pending_event_types(&mut socket).await, ["account.create", "cashTransaction.create", "account.update"]);
    assert_eq!(close_code(&mut socket).await, Some(1001));
    assert!((1_700..2_000).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
}

/// Reads to the end, and pauses before each frame: how many events came, and the code of the close.
async fn read_late(mut socket: Socket, pause: Duration) -> (usize, Option<u16>) {
    let mut events = 0;
    loop {
        tokio::time::sleep(pause).await;
        match socket.next().await {
            Some(Ok(Message::Text(text))) => events += usize::from(text.contains("eventId")),
            Some(Ok(Message::Close(Some(frame)))) => return (events, Some(frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return (events, None),
        }
    }
}

/// (rule: events/socket-end)
#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_readers_that_lag_and_for_none_that_takes_nothing() {
    let mut served = serve();
    let (lags, stalls) = (served.open(0).await, served.open(0).await);
    for _ in 0..500 {
        served.bench.account(0);
    }
    // The one that stalls has had all that there is room for.
    tokio::time::sleep(Duration::from_secs(5)).await;
    served.stop.take().expect("not stopped yet").send(()).expect("a server");
    let start = Instant::now();
    let late = tokio::spawn(read_late(lags, Duration::from_millis(5)));
    served.server.take().expect("a server").await.expect("a clean end");
    let took = start.elapsed();
    assert_eq!(late.await.expect("a reader"), (1_500, Some(1001)));
    assert!((2..8).contains(&took.as_secs()), "{took:?}");
    drop(stalls);
}

/// (rule: events/socket-end)
#[tokio::test(start_paused = true)]
async fn a_stop_that_cannot_send_all_in_time_reports_how_many_events_to_how_many_sockets() {
    let logged = telemetry(LevelFilter::WARN);
    let limits = Limits { stop: Duration::from_secs(4), ..Limits::default() };
    let mut served = serve_as(SurfaceConfig { limits, ..SurfaceConfig::default() }, |_| ());
    let (lags, stalls) = (served.open(0).await, served.open(0).await);
    for _ in 0..500 {
        served.bench.account(0);
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    served.stop.take().expect("not stopped yet").send(()).expect("a server");
    let start = Instant::now();
    let late = tokio::spawn(read_late(lags, Duration::from_millis(5)));
    served.server.take().expect("a server").await.expect("a clean end");
    assert_eq!(start.elapsed().as_secs(), 4);
    late.abort();
    let lines = logged.lines();
    assert!(lines.len() == 1 && lines[0].contains("2 sockets did not receive "), "{lines:?}");
    drop(stalls);
}

#[tokio::test(start_paused = true)]
async fn the_operator_can_close_cut_and_silence_sockets() {
    let served = serve();
    let feed = &served.bench.world.subscribers.feed;
    let mut socket = served.open(0).await;
    assert_eq!(feed.end(Ending::Graceful, |_| true), 1);
    assert_eq!(next(&mut socket).await["eventType"], "server_closing");
    assert_eq!(close_code(&mut socket).await, Some(1001));
    let mut socket = served.open(0).await;
    assert_eq!(feed.end(Ending::Cut, |_| true), 1);
    assert_eq!(close_code(&mut socket).await, None);
    let mut socket = served.open(0).await;
    feed.end(Ending::Stall, |_| true);
    served.bench.account(0);
    assert!(tokio::time::timeout(Duration::from_secs(600), next(&mut socket)).await.is_err());
    drop(socket);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(feed.open_sockets().len(), 0, "who is gone is forgotten");
}

/// What the first partner has met of a group, as the operator is shown it.
async fn met(served: &Served, group: &str) -> Vec<(String, u64)> {
    let asked = request(Method::GET, "/_sandbox/worlds/world-1/coverage", None, None);
    let coverage = served.bench.ask(asked).await.body;
    let groups = coverage["groups"].as_array().expect("groups");
    let rows = groups.iter().find(|known| known["name"] == group).expect("a group")["met"].as_array().expect("rows");
    let row = |row: &Value| (row["what"].as_str().expect("a text").to_owned(), row["count"].as_u64().expect("a count"));
    rows.iter().map(row).collect()
}

/// (rule: wire/coverage, events/socket-end)
#[tokio::test(start_paused = true)]
async fn ends_of_sockets_and_the_events_that_they_were_sent_are_what_a_partner_has_met() {
    let served = serve_with(|settings| settings.events_kept = 10);
    let feed = &served.bench.world.subscribers.feed;
    let mut socket = served.open(0).await;
    let account = served.bench.account(0);
    served.bench.subscribe(0, account);
    let sent = ["account.create", "cashTransaction.create", "account.update", "order.create"];
    assert_eq!(pending_event_types(&mut socket).await, sent);
    socket.send(Message::Close(None)).await.expect("room");
    assert_eq!(close_code(&mut socket).await, None);
    for ending in [Ending::Graceful, Ending::Cap, Ending::Cut] {
        let mut socket = served.open(0).await;
        feed.end(ending, |_| true);
        feed.log().nudge();
        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
    }
    let socket = served.open(0).await;
    feed.end(Ending::Stall, |_| true);
    feed.log().nudge();
    drop(socket);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut slow = served.open(0).await;
    for _ in 0..5 {
        served.bench.account(0);
    }
    assert_eq!(close_code(&mut slow).await, Some(1013));
    let mut socket = served.open(0).await;
    socket.get_mut().write_all(b"\x81\x01a").await.expect("room");
    assert_eq!(close_code(&mut socket).await, Some(1002));
    let ends = [
        "1000, the connection has reached its hour",
        "1001, the server is closing",
        "1013, the connection does not keep up",
        "cut without a close frame",
        "stalled, open and silent",
        "closed by the client",
        "the client broke the protocol",
    ];
    assert_eq!(met(&served, "sockets").await, ends.map(|end| (end.to_owned(), 1)));
    let events = ["account.create", "account.update", "cashTransaction.create", "order.create"];
    assert_eq!(met(&served, "events").await, events.map(|event| (event.to_owned(), 1)));
}

/// (rule: events/socket-end)
#[tokio::test(start_paused = true)]
async fn a_reader_that_falls_off_the_log_is_closed_as_too_slow() {
    let served = serve_with(|settings| settings.events_kept = 10);
    let mut socket = served.open(0).await;
    let account = served.bench.account(0);
    // More at once than is kept, while the socket's task has no chance to run.
    for _ in 0..9 {
        served.bench.subscribe(0, account);
    }
    assert_eq!(close_code(&mut socket).await, Some(1013));
}

/// (rule: events/socket-end)
#[tokio::test(start_paused = true)]
async fn a_burst_alone_closes_nothing() {
    let served = serve();
    let mut socket = served.open(0).await;
    for _ in 0..500 {
        served.bench.account(0);
    }
    let mut received = 0;
    while received < 1_500 {
        received += usize::from(next(&mut socket).await["eventType"] != "heartbeat");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_takes_nothing_for_thirty_seconds_is_given_up() {
    let served = serve();
    let socket = served.open(0).await;
    for _ in 0..500 {
        served.bench.account(0);
    }
    let feed = &served.bench.world.subscribers.feed;
    tokio::time::sleep(Duration::from_secs(29)).await;
    assert_eq!(feed.open_sockets().len(), 1);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(feed.open_sockets().len(), 0);
    drop(socket);
}

/// (rule: events/socket-input)
#[tokio::test(start_paused = true)]
async fn what_a_client_sends_is_ignored_except_pings_and_too_much() {
    let served = serve();
    let mut socket = served.open(0).await;
    socket.send(Message::Text("{\"eventType\":\"hello\"}".into())).await.expect("room");
    socket.send(Message::Binary(Bytes::from_static(&[0; 100]))).await.expect("room");
    socket.send(Message::Ping(Bytes::from_static(b"there?"))).await.expect("room");
    let pong = socket.next().await.expect("a frame").expect("a good frame");
    assert_eq!(pong, Message::Pong(Bytes::from_static(b"there?")));
    served.bench.account(0);
    assert_eq!(pending_event_types(&mut socket).await, ["account.create", "cashTransaction.create", "account.update"]);
    socket.send(Message::Text("a".repeat(100_000).into())).await.ok();
    assert_eq!(close_code(&mut socket).await, Some(1009));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_says_goodbye_hears_it_back_and_is_forgotten() {
    let served = serve();
    for code in [None, Some(1000), Some(1001), Some(4000)] {
        let mut socket = served.open(0).await;
        let frame = code.map(|code: u16| CloseFrame { code: code.into(), reason: "done".into() });
        socket.send(Message::Close(frame.clone())).await.expect("room");
        let answer = socket.next().await.expect("a frame").expect("a good frame");
        assert_eq!(answer, Message::Close(frame), "{code:?}");
        assert!(socket.next().await.is_none(), "and nothing follows");
        assert_eq!(served.bench.world.subscribers.feed.open_sockets().len(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_silenced_socket_does_not_even_say_goodbye() {
    let served = serve();
    let mut socket = served.open(0).await;
    served.bench.world.subscribers.feed.end(Ending::Stall, |_| true);
    served.bench.world.subscribers.feed.log().nudge();
    tokio::time::sleep(Duration::from_millis(1)).await;
    socket.send(Message::Close(None)).await.expect("room");
    assert!(!matches!(socket.next().await, Some(Ok(_))));
}

#[tokio::test(start_paused = true)]
async fn a_protocol_error_closes_the_socket_with_its_reason() {
    let served = serve();
    for (what, frame, code) in [
        ("text that is not UTF-8", &b"\x81\x82\0\0\0\0\xFF\xFE"[..], 1007),
        ("a reason that is not UTF-8", b"\x88\x83\0\0\0\0\x03\xE8\xFF", 1007),
        ("half a close code", b"\x88\x81\0\0\0\0\x03", 1002),
        ("a close code that is reserved", b"\x88\x82\0\0\0\0\x03\xED", 1002),
        ("a frame without a mask", b"\x81\x01a", 1002),
        ("a bit that means nothing", b"\xC1\x81\0\0\0\0a", 1002),
        ("an opcode that means nothing", b"\x83\x81\0\0\0\0a", 1002),
        ("a continuation of nothing", b"\x80\x81\0\0\0\0a", 1002),
        ("64 KiB and a byte announced", b"\x82\xFF\0\0\0\0\0\x01\0\x01\0\0\0\0", 1009),
    ] {
        let mut socket = served.open(0).await;
        socket.get_mut().write_all(frame).await.expect("room");
        assert_eq!(close_code(&mut socket).await, Some(code), "{what}");
        assert!(!matches!(socket.next().await, Some(Ok(_))), "{what}: nothing follows");
        assert_eq!(served.bench.world.subscribers.feed.open_sockets().len(), 0, "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn sockets_are_bounded_for_a_client_and_for_a_partner() {
    let served = serve_with(|settings| (settings.sockets_per_client, settings.sockets_per_partner) = (2, 3));
    let token = served.bench.token(0).await;
    let mut open = Vec::new();
    for (client, opens) in [(0, true), (0, true), (0, false), (1, true), (1, false)] {
        let socket = served.open_as(&token, client).await;
        assert_eq!(socket.is_ok(), opens, "client {client}");
        open.extend(socket);
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_hears_what_it_may_read() {
    let bench = Bench::new();
    let scope = bench.scope(0);
    let rights = Rights::parse("order:read").expect("a scope");
    let caller = Caller { world: Arc::clone(&bench.world), partner: scope.partner, rights };
    let mut feed = Subscription::open(&caller, scope.client, Duration::from_secs(2)).expect("a place");
    let account = bench.account(0);
    bench.subscribe(0, account);
    let mut kinds = Vec::new();
    while let Next::Send(message) = feed.step() {
        let message: Value = serde_json::from_str(&message).expect("JSON");
        kinds.push(message["eventType"].as_str().expect("a type").to_owned());
    }
    assert_eq!(kinds, ["hello", "order.create"]);
}

/// A rule about events on sockets, and how the first socket that sends one of an order ends.
async fn events_before_ending(ending: Ending) -> (Vec<String>, Option<u16>, Vec<String>) {
    let served = serve();
    let on = hosting::faults::Match {
        event: hosting::faults::EventPattern::read("order.*"),
        times: Some(1),
        ..Default::default()
    };
    let rule = (on, hosting::faults::FaultEffect::Sockets(ending));
    served.bench.world.edge.faults.add(served.bench.world.identity.origin().seed, None, [rule]).expect("room");
    let (mut hit, mut spared) = (served.open(0).await, served.open(0).await);
    let account = served.bench.account(0);
    served.bench.subscribe(0, account);
    let mut kinds = Vec::new();
    let code = loop {
        match tokio::time::timeout(Duration::from_secs(10), hit.next()).await {
            Ok(Some(Ok(Message::Text(text)))) => {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                kinds.push(message["eventType"].as_str().expect("a type").to_owned());
            }
            Ok(Some(Ok(Message::Close(Some(frame))))) => break Some(frame.code.into()),
            Ok(Some(Ok(other))) => panic!("{other:?}"),
            Ok(Some(Err(_)) | None) => break None,
            Err(_) => break Some(0),
        }
    };
    (kinds, code, pending_event_types(&mut spared).await)
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn a_rule_ends_the_one_socket_that_is_about_to_send_its_event() {
    let before = ["account.create", "cashTransaction.create", "account.update"];
    let and = |last: &[&'static str]| [&before, last].concat();
    for (ending, kinds, code) in [
        (Ending::Cut, and(&[]), None),
        (Ending::CutInFrame, and(&[]), None),
        (Ending::Stall, and(&[]), Some(0)),
        (Ending::Cap, and(&["order.create"]), Some(1000)),
        (Ending::Graceful, and(&["order.create", "server_closing"]), Some(1001)),
    ] {
        let (received, ended, spared) = events_before_ending(ending).await;
        assert_eq!((received, ended), (kinds.into_iter().map(str::to_owned).collect(), code), "{ending:?}");
        assert_eq!(spared, and(&["order.create"]), "{ending:?}: the other socket receives everything");
    }
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn a_frame_that_is_cut_in_its_middle_leaves_half_of_its_bytes_behind() {
    let served = serve();
    let on = hosting::faults::Match { event: hosting::faults::EventPattern::read("order.*"), ..Default::default() };
    let rule = (on, hosting::faults::FaultEffect::Sockets(Ending::CutInFrame));
    served.bench.world.edge.faults.add(served.bench.world.identity.origin().seed, None, [rule]).expect("room");
    let mut socket = served.open(0).await;
    let account = served.bench.account(0);
    assert_eq!(pending_event_types(&mut socket).await.len(), 3);
    served.bench.subscribe(0, account);
    let mut left = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(socket.get_mut(), &mut left).await.expect("an end");
    let text = String::from_utf8_lossy(&left);
    assert!(text.contains("order.create") && !text.trim_end().ends_with("}}}"), "{text}");
}

fn upgrade_request(path: &str, token: &str, without: &[&str]) -> axum::http::Request<axum::body::Body> {
    let mut sent = request(Method::GET, path, Some(token), None);
    let mut headers = HeaderMap::new();
    headers.insert("connection", "keep-alive, Upgrade".parse().expect("a value"));
    headers.insert("upgrade", "WebSocket".parse().expect("a value"));
    headers.insert("sec-websocket-version", "13".parse().expect("a value"));
    headers.insert("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==".parse().expect("a value"));
    without.iter().for_each(|name| drop(headers.remove(*name)));
    sent.headers_mut().extend(headers);
    sent
}

#[tokio::test]
async fn an_upgrade_is_refused_as_the_specification_says() {
    let bench = Bench::new();
    let (token, foreign) = (bench.token(0).await, bench.token(1).await);
    let path = format!("/v2/partner/client/{}/subscribe", bench.scope(0).client);
    let with_key = |key: &str| {
        let mut sent = upgrade_request(&path, &token, &[]);
        sent.headers_mut().insert("sec-websocket-key", key.parse().expect("a value"));
        sent
    };
    let other_version = {
        let mut sent = upgrade_request(&path, &token, &[]);
        sent.headers_mut().insert("sec-websocket-version", "8".parse().expect("a value"));
        sent
    };
    for (sent, status, error) in [
        (request(Method::GET, &path, Some(&token), None), 404, "not_found"),
        (request(Method::GET, &path, None, None), 404, "not_found"),
        (upgrade_request(&path, &token, &["upgrade"]), 404, "not_found"),
        (upgrade_request(&path, &token, &["connection"]), 404, "not_found"),
        (upgrade_request(&path, "x", &[]), 401, "unauthorized"),
        (upgrade_request(&path, &foreign, &[]), 403, "forbidden"),
        (upgrade_request("/v2/partner/client/x/subscribe", &token, &[]), 400, "invalid_request"),
        (upgrade_request(&path, &token, &["sec-websocket-key"]), 400, "invalid_request"),
        (upgrade_request(&path, &token, &["sec-websocket-version"]), 400, "invalid_request"),
        (with_key("dGhlIHNhbXBsZSBub25j"), 400, "invalid_request"),
        (with_key("the sample nonce"), 400, "invalid_request"),
        (with_key(""), 400, "invalid_request"),
        (other_version, 400, "invalid_request"),
    ] {
        let answer = bench.ask(sent).await;
        assert_eq!((answer.status, answer.body["error"].as_str()), (status, Some(error)), "{:?}", answer.body);
    }
}

#[test]
fn a_log_keeps_a_bounded_number_of_events_and_says_when_one_is_gone() {
    let bench = Bench::new();
    let log = bench.world.subscribers.feed.log();
    bench.account(0);
    assert_eq!((log.start(), log.end()), (Cursor(0), Cursor(3)));
    assert!(matches!(log.read(Cursor(0), 1), ReadResult::Some(entries) if entries.len() == 1));
    assert!(matches!(log.read(Cursor(3), 1), ReadResult::Nothing));
    assert!(matches!(log.read(Cursor(9), 1), ReadResult::Nothing));
    log.keep(1);
    assert_eq!((log.start(), log.end()), (Cursor(2), Cursor(3)));
    assert!(matches!(log.read(Cursor(0), 1), ReadResult::Gone));
}

#[tokio::test(start_paused = true)]
async fn a_reset_keeps_the_numbers_and_a_socket_receives_the_events_before_it() {
    let served = serve();
    let mut socket = served.open(0).await;
    let world = &served.bench.world;
    served.bench.account(0);
    // The socket's task has had no chance to run since.
    world.decide(&HostDecision::Reset).now().expect("a start");
    let log = world.subscribers.feed.log();
    assert_eq!((log.start(), log.end()), (Cursor(3), Cursor(3)));
    served.bench.account(0);
    assert_eq!((log.start(), log.end()), (Cursor(3), Cursor(6)));
    let kinds = ["account.create", "cashTransaction.create", "account.update"];
    assert_eq!(pending_event_types(&mut socket).await, [&["server_closing"][..], &kinds, &kinds].concat());
    assert_eq!(close_code(&mut socket).await, Some(1001), "it is no slow reader");
    log.keep(1);
    assert_eq!((log.start(), log.end()), (Cursor(5), Cursor(6)));
}
