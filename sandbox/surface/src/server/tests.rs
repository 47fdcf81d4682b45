//! The accept loop from outside, over connections in memory and in virtual time.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::io::AsyncWriteExt as _;
use tokio::time::Instant;

use crate::SurfaceConfig;
use crate::testing::Bench;
use crate::testing::served::{GET, Served, answer, rest};
use feed::transport::Limits;
use hosting::clock::Mode;
use hosting::testing::{LevelFilter, telemetry};

fn serve(limits: Limits) -> Served {
    Served::of(Bench::with(Mode::Frozen, SurfaceConfig { limits, ..SurfaceConfig::default() }))
}

#[tokio::test(start_paused = true)]
async fn requests_share_a_connection_and_their_headers_are_the_surfaces_own() {
    let served = serve(Limits::default());
    let mut stream = served.dial();
    for number in 1..=3 {
        stream.write_all(GET.as_bytes()).await.expect("room");
        let body = r#"{"error":"not_found","error_description":"there is nothing here"}"#;
        let expected = format!(
            "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             request-id: {number}\r\ndate: Mon, 02 Mar 2026 07:00:00 GMT\r\n\r\n{body}",
            body.len(),
        );
        assert_eq!(answer(&mut stream).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn pipelined_requests_are_answered_in_order() {
    let served = serve(Limits::default());
    let mut stream = served.dial();
    stream.write_all(GET.repeat(3).as_bytes()).await.expect("room");
    for number in 1..=3 {
        assert!(answer(&mut stream).await.contains(&format!("request-id: {number}\r\n")));
    }
}

/// (rule: wire/headers)
#[tokio::test(start_paused = true)]
async fn a_header_that_cannot_be_taken_is_answered_with_what_is_wrong_with_it_and_closed_at_once() {
    let served = serve(Limits::default());
    let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(40 * 1024));
    let wide = format!("GET / HTTP/1.1\r\na: {}\r\n", "a".repeat(40 * 1024));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200));
    let unreadable = ("400 Bad Request", "the request's header cannot be read");
    let large = "the request's header is larger than 32768 bytes, or has more than 100 fields";
    let large = ("431 Request Header Fields Too Large", large);
    let rows = [
        ("\0\0\0\r\n\r\n", unreadable),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", unreadable),
        ("GET / HTTP/9.9\r\n\r\n", unreadable),
        (&long, ("414 URI Too Long", "the request's line is longer than 32768 bytes")),
        (&wide, large),
        (&many, large),
    ];
    for (text, (status, description)) in rows {
        let (answer, took) = served.whole(text).await;
        assert_refused(&answer, status, description);
        assert!(took <= Duration::from_secs(2), "{took:?}");
    }
    // After an answered request too.
    for (text, (status, description)) in rows {
        let mut stream = served.dial();
        stream.write_all(GET.as_bytes()).await.expect("room");
        answer(&mut stream).await;
        stream.write_all(text.as_bytes()).await.expect("room");
        assert_refused(&rest(&mut stream).await, status, description);
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_refused_before_it_is_read_is_logged_and_counted() {
    let logged = telemetry(LevelFilter::WARN);
    let served = serve(Limits::default());
    let figures = served.bench.surface.app().telemetry.metrics.clone();
    served.whole("no request\r\n\r\n").await;
    let lines = logged.lines();
    let line = "400 to a request that was not read: the request's header cannot be read  request-id=1";
    assert!(lines.len() == 1 && lines[0].ends_with(line), "{lines:?}");
    let (mut registry, mut written) = (Registry::default(), String::new());
    figures.enter(&mut registry);
    encode(&mut written, &registry).expect("figures");
    let counted = r#"requests_total{method="other",route="unread",status="400"} 1"#;
    assert!(written.contains(counted), "{written}");
}

fn assert_refused(answer: &str, status: &str, description: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    assert!(head.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{head}");
    assert!(head.contains("\r\nrequest-id: ") && head.contains("\r\ndate: ") && head.ends_with("connection: close"));
    assert_eq!(body, format!(r#"{{"error":"invalid_request","error_description":"{description}"}}"#));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_ends_its_side_hears_every_answer_in_order() {
    let served = serve(Limits::default());
    let post = |delay| {
        let body = "a".repeat(delay);
        format!("POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    };
    for (requests, count) in [
        (GET.to_owned(), 1),
        (post(200_000), 1),
        (GET.repeat(20), 20),
        ([post(3), GET.to_owned(), post(100_000), GET.to_owned()].concat(), 4),
    ] {
        let mut stream = served.dial();
        stream.write_all(requests.as_bytes()).await.expect("room");
        stream.shutdown().await.expect("half a close");
        let answers = rest(&mut stream).await;
        let ids = answers.split("request-id: ").skip(1).filter_map(|rest| rest.split('\r').next()?.parse().ok());
        let ids: Vec<u64> = ids.collect();
        assert_eq!(ids.len(), count, "{} bytes of answers", answers.len());
        assert!(ids.is_sorted(), "{ids:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_does_not_get_on_is_closed() {
    let served = serve(Limits::default());
    // Nothing, a header that stops, and a kept-alive connection.
    for (text, least, most) in [("", 10, 20), ("GET / HTTP/1.1\r\nhost", 10, 20), (GET, 75, 85)] {
        let (_, took) = served.whole(text).await;
        assert!((least..=most).contains(&took.as_secs()), "{text:?} took {took:?}");
    }
    // A header that drips.
    let mut stream = served.dial();
    let start = Instant::now();
    for byte in GET.bytes().cycle() {
        if stream.write_u8(byte).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        if byte == b'x' {
            stream.write_all(b"a: ").await.ok();
        }
        assert!(start.elapsed() < Duration::from_secs(40), "it still lives");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_takes_nothing_is_closed() {
    let served = serve(Limits::default());
    let mut stream = served.dial();
    let body = "a".repeat(512 * 1024);
    let head = format!("POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.expect("room");
    stream.write_all(body.as_bytes()).await.expect("room");
    tokio::time::sleep(Duration::from_secs(45)).await;
    let got = rest(&mut stream).await;
    assert!(got.starts_with("HTTP/1.1 200 OK") && got.len() < body.len(), "{}", got.len());
}

/// (rule: wire/content-type)
#[tokio::test(start_paused = true)]
async fn a_body_is_refused_in_the_error_body_when_it_is_too_large_or_too_slow_and_the_connection_closed() {
    let served = serve(Limits::default());
    let post = |length: &str| format!("POST /echo HTTP/1.1\r\nhost: localhost\r\n{length}\r\n\r\n");
    let announced = post("content-length: 2097152");
    let chunk = format!("{:x}\r\n{}\r\n", 600 * 1024, "a".repeat(600 * 1024));
    let chunked = post("transfer-encoding: chunked") + &chunk.repeat(2);
    for (text, description, most) in [
        (announced, "body is larger than 1048576 bytes", 2),
        (chunked, "body is larger than 1048576 bytes", 2),
        (post("content-length: 10") + "12345", "body did not arrive within 20 s", 22),
    ] {
        let (answer, took) = served.whole(&text).await;
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n") && answer.contains("connection: close"), "{answer}");
        assert!(answer.ends_with(&format!(r#"{{"error":"invalid_request","error_description":"{description}"}}"#)));
        assert!(took.as_secs() <= most, "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_a_refused_body_arrives_while_the_sender_still_sends() {
    let served = serve(Limits::default());
    let mut stream = served.dial();
    stream.write_all(b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4194304\r\n\r\n").await.expect("room");
    let piece = vec![b'a'; 64 * 1024];
    for _ in 0..32 {
        stream.write_all(&piece).await.expect("the server reads on for a while");
    }
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 400 Bad Request"));
}

/// (rule: wire/places)
#[tokio::test(start_paused = true)]
async fn beyond_the_bound_others_hear_503_at_once_and_the_operators_plane_is_reachable() {
    let logged = telemetry(LevelFilter::WARN);
    let served = serve(Limits { connections: 2, reserved: 1, ..Limits::default() });
    let (mut first, second) = (served.dial(), served.dial());
    // Places are given in the order of dialling; these two are taken from here on.
    tokio::task::yield_now().await;
    // No plane is behind this surface: what is reached answers 404.
    for _ in 0..3 {
        let (got, took) = served.whole(GET).await;
        assert!(got.starts_with("HTTP/1.1 503 ") && got.contains("retry-after: 1\r\n"), "{got}");
        assert!(got.contains("request-id: ") && got.contains("date: "), "{got}");
        assert_eq!(took, Duration::ZERO);
        let (got, took) = served.whole("GET /_sandbox/worlds HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        assert!(got.starts_with("HTTP/1.1 404 ") && got.contains("connection: close"), "{got}");
        assert_eq!(took, Duration::ZERO);
    }
    // Who says nothing keeps the reserved place for a moment only.
    let _silent = served.dial();
    let (got, took) = served.whole("GET /_sandbox/worlds HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert!(got.starts_with("HTTP/1.1 404 ") && took <= Duration::from_secs(1), "{took:?} {got}");
    assert_eq!(logged.lines().len(), 1, "told once: {:?}", logged.lines());
    first.write_all(GET.as_bytes()).await.expect("room");
    answer(&mut first).await;
    drop(second);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert!(served.whole(GET).await.0.starts_with("HTTP/1.1 404 "));
    assert_eq!(logged.lines().len(), 2, "and once when it is over: {:?}", logged.lines());
}

#[tokio::test(start_paused = true)]
async fn a_rule_can_break_a_connection_before_it_is_answered() {
    let served = serve(Limits::default());
    let token = served.bench.token(0).await;
    let world = &served.bench.world;
    world
        .edge
        .faults
        .add(world.identity.origin().seed, None, [(Default::default(), hosting::faults::FaultEffect::DropBefore)])
        .expect("room");
    let (got, _) = served
        .whole(&format!("GET /whoami HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"))
        .await;
    assert_eq!(got, "");
}

#[tokio::test(start_paused = true)]
async fn a_stop_closes_idle_connections_at_once_and_lets_busy_ones_finish() {
    let served = serve(Limits::default());
    let (mut idle, mut fresh, mut busy) = (served.dial(), served.dial(), served.dial());
    idle.write_all(GET.as_bytes()).await.expect("room");
    answer(&mut idle).await;
    busy.write_all(b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\na").await.expect("room");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let start = Instant::now();
    served.stop.send(()).expect("a server");
    assert_eq!((rest(&mut idle).await, rest(&mut fresh).await), (String::new(), String::new()));
    assert_eq!(start.elapsed(), Duration::ZERO);
    tokio::time::sleep(Duration::from_secs(1)).await;
    busy.write_all(b"b").await.expect("room");
    let last = rest(&mut busy).await;
    assert!(
        last.starts_with("HTTP/1.1 200 OK") && last.contains("connection: close") && last.ends_with("ab"),
        "{last}"
    );
    served.server.await.expect("a clean end");
    assert_eq!(start.elapsed(), Duration::from_secs(1));
    assert!(served.dialer.dial().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_ever() {
    let served = serve(Limits::default());
    let mut busy = served.dial();
    busy.write_all(b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\na").await.expect("room");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let start = Instant::now();
    served.stop.send(()).expect("a server");
    served.server.await.expect("a clean end");
    assert_eq!(start.elapsed(), Duration::from_millis(1_900));
}
