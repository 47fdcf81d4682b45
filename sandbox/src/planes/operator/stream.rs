//! Told when something has changed in a world: server-sent events for whoever watches it (rule: wire/stream).
//!
//! Invariant: a message says that something is new, and how far it goes, never what; that is read like everything else, with
//! the same rights. A stream costs a look now and then and nothing in between, and ends with its world, its server or its hour.
//! Absent on purpose: events themselves, which partners have sockets for.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::request::Target;
use crate::App;
use crate::hosting::worlds::{Watcher, WorldHandle};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(250);
/// A word is sent at the latest after this: less than a connection may write nothing.
const QUIET: Duration = Duration::from_secs(10);
/// Life of a stream; whoever watches on opens the next.
const LIFE: Duration = Duration::from_secs(3_600);

struct Watch {
    app: App,
    world: Arc<WorldHandle>,
    told: Option<Value>,
    last: Instant,
    end: Instant,
    _watcher: Watcher,
}

/// `GET /_sandbox/worlds/{worldId}/stream`
pub(super) async fn show(State(app): State<App>, target: Target) -> Response {
    let now = Instant::now();
    let watcher = target.world.watch();
    let watch = Watch { app, world: target.world, told: None, last: now, end: now + LIFE, _watcher: watcher };
    let messages = unfold(watch, async |mut watch| {
        let message = watch.next().await?;
        Some((Ok::<_, Infallible>(message), watch))
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(messages)).into_response()
}

impl Watch {
    /// The next message, as soon as there is one; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.app.is_closing() || self.world.is_dropped() || Instant::now() >= self.end {
                return None;
            }
            let stands = stands(&self.world);
            if self.told.as_ref() != Some(&stands) {
                let text = format!("data: {stands}\n\n");
                (self.told, self.last) = (Some(stands), Instant::now());
                return Some(text.into());
            }
            if self.last.elapsed() >= QUIET {
                self.last = Instant::now();
                return Some(Bytes::from_static(b": nothing new\n\n"));
            }
            sleep(LOOK).await;
        }
    }
}

/// How far everything goes.
fn stands(world: &WorldHandle) -> Value {
    json!({
        "now": world.last_now().to_string(),
        "input": world.last_input(),
        "events": world.feed.log().end().0,
        "requests": world.request_log.last(0, |_| true).0,
        "queued": world.deliveries.look(|queue| queue.queued()),
        "failed": world.failure().is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, request};
    use axum::http::Method;
    use http_body_util::BodyExt as _;

    /// The next message of a stream within a few seconds of virtual time.
    async fn next(body: &mut Body) -> Option<String> {
        let frame = tokio::time::timeout(Duration::from_secs(20), body.frame()).await.expect("a word in time")?;
        Some(String::from_utf8(frame.expect("a frame").into_data().expect("data").to_vec()).expect("text"))
    }

    async fn opened(bench: &Bench) -> Body {
        let sent = request(Method::GET, "/_sandbox/worlds/current/stream", Some(&bench.token(0).await), None);
        let answer = bench.surface.handle(sent, None).await.expect("an answer");
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["content-type"]),
            (200, &"text/event-stream".parse().expect("a value"))
        );
        answer.into_body()
    }

    /// (rule: wire/stream)
    #[tokio::test(start_paused = true)]
    async fn a_stream_says_how_far_things_go_and_speaks_again_when_they_go_further() {
        let bench = Bench::new();
        let mut body = opened(&bench).await;
        let first = next(&mut body).await.expect("a beginning");
        assert!(first.starts_with("data: {") && first.contains("\"events\":0") && first.ends_with("\n\n"), "{first}");
        bench.account(0);
        let second = next(&mut body).await.expect("news");
        assert!(second.contains("\"events\":3"), "{second}");
        assert!(!second.contains("account"), "what it is about is read with the rights that it takes");
        let quiet = std::iter::from_fn(|| Some(())).take(2);
        for () in quiet {
            next(&mut body).await.expect("a word now and then");
        }
        bench.surface.app().worlds.remove(bench.world.id());
        while let Some(word) = next(&mut body).await {
            assert!(!word.contains("server_error"));
        }
    }
}
