//! Advances over connections that end or send more meanwhile.

use hosting::clock::Mode;
use surface::SurfaceConfig;
use surface::testing::served::{GET, Served, rest};
use tokio::io::AsyncWriteExt as _;

use crate::testing::Bench;

fn serve() -> Served {
    Served::of(Bench::with(Mode::Frozen, SurfaceConfig::default()).into_inner())
}

/// A request to advance the only world.
fn advance(body: &str) -> String {
    format!(
        "POST /_sandbox/worlds/world-1/clock/advance HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// (rule: calendar/advance-stops)
#[tokio::test(start_paused = true)]
async fn an_advance_stops_when_its_client_ends_the_connection_and_others_reach_their_goal() {
    let served = serve();
    let world = &served.bench.world;
    let begin = world.last_now();
    for ends in [true, false] {
        let from = world.last_now();
        let mut stream = served.dial();
        stream.write_all(advance(r#"{"by":"P8Y"}"#).as_bytes()).await.expect("room");
        while world.last_now() == from {
            tokio::task::yield_now().await;
        }
        if ends {
            stream.shutdown().await.expect("half a close");
        }
        let answer = rest(&mut stream).await;
        let came = world.last_now();
        let goal = from.plus(sim::time::Millis::days(8 * 365));
        if ends {
            assert!(answer.starts_with("HTTP/1.1 503 ") && came < goal, "{came}: {answer}");
            assert!(
                answer.contains("service_unavailable") && answer.contains(&format!("stopped at {came}")),
                "{answer}"
            );
        } else {
            assert!(answer.starts_with("HTTP/1.1 200 ") && came > goal, "{came}: {answer}");
        }
    }
    // What ends within a slice ends, whatever the client does.
    let from = world.last_now();
    let mut stream = served.dial();
    stream.write_all(advance(r#"{"by":"PT1S"}"#).as_bytes()).await.expect("room");
    stream.shutdown().await.expect("half a close");
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 "));
    assert_eq!(world.last_now(), from.plus(sim::time::Millis(1_000)));
    assert!(from > begin);
}

/// What comes while a handler works is read ahead and not lost.
#[tokio::test(start_paused = true)]
async fn requests_that_come_while_an_advance_is_under_way_are_answered_after_it() {
    let served = serve();
    let mut stream = served.dial();
    let first = advance(r#"{"by":"P2Y"}"#).replace("connection: close\r\n", "");
    stream.write_all(first.as_bytes()).await.expect("room");
    while served.bench.world.last_now() == served.bench.world.identity.origin().start {
        tokio::task::yield_now().await;
    }
    for part in [&GET.repeat(30)[..], GET] {
        stream.write_all(part.as_bytes()).await.expect("room");
        tokio::task::yield_now().await;
    }
    stream.shutdown().await.expect("half a close");
    let answers = rest(&mut stream).await;
    assert!(answers.starts_with("HTTP/1.1 200 "), "{answers:.300}");
    assert_eq!(answers.matches("request-id: ").count(), 32);
}
