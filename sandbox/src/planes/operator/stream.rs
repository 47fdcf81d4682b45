//! A stream of server-sent events that reports when a world has changed (rule: wire/stream).
//!
//! Invariant: a message says that something is new, and how far it goes, never what; that is read like everything else, with
//! the same rights, and a partner of a shared world is sent its own part. A stream costs a look now and then and nothing in
//! between, and ends with its world, its server, its token or its hour.
//! Absent on purpose: events themselves, which partners have sockets for.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures_util::stream::unfold;
use serde_json::{Value, json};
use sim::ids::ClientId;
use tokio::time::{Instant, sleep};

use super::request::{Bearer, HandlerResult, Target};
use deliveries::machine::Status;
use feed::log::Cursor;
use hosting::quotas::{Held, Holding};
use hosting::request_log::LoggedRequest;
use hosting::worlds::{Watcher, WorldHandle};
use surface::App;
use surface::auth;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(250);
/// A word is sent at the latest after this: less than a connection may write nothing.
const QUIET: Duration = Duration::from_secs(10);
/// Life of a stream; a client that watches on opens the next.
const LIFE: Duration = Duration::from_secs(3_600);

/// Events counted at once.
const PIECE: usize = 10_000;

struct Watch {
    app: App,
    target: Target,
    /// The token that opened it; none where none was shown, or the operator's.
    token: Option<String>,
    own: Own,
    last_sent: Option<Value>,
    last: Instant,
    end: Instant,
    _watcher: Watcher,
    _holding: Option<Holding>,
}

/// What was counted for a partner of a world that others share.
#[derive(Default)]
struct Own {
    looked: u64,
    events: u64,
    last_request: u64,
    requests: u64,
}

/// `GET /_sandbox/worlds/{worldId}/stream`
pub(super) async fn show(State(app): State<App>, target: Target, headers: HeaderMap) -> HandlerResult {
    let _holding = target.owner().map(|owner| app.worlds.quotas().hold(Held::Stream, owner)).transpose()?;
    let now = Instant::now();
    let token = match &target.bearer {
        Bearer::Partner(_) => auth::bearer(&headers).ok().map(str::to_owned),
        Bearer::Operator => None,
    };
    let _watcher = target.world.watch();
    let watch = Watch {
        app,
        target,
        token,
        own: Own::default(),
        last_sent: None,
        last: now,
        end: now + LIFE,
        _watcher,
        _holding,
    };
    let messages = unfold(watch, async |mut watch| {
        let message = watch.next().await?;
        Some((Ok::<_, Infallible>(message), watch))
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(messages)).into_response())
}

impl Watch {
    /// The next message, as soon as there is one; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.is_over() {
                return None;
            }
            let state =
                if self.target.operates() { progress(&self.target.world) } else { self.own.progress(&self.target) };
            if self.last_sent.as_ref() != Some(&state) {
                let text = format!("data: {state}\n\n");
                (self.last_sent, self.last) = (Some(state), Instant::now());
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

impl Watch {
    fn is_over(&self) -> bool {
        let app = &self.app;
        let is_alive = |token: &String| app.worlds.bearer(token).is_some();
        app.is_closing()
            || self.target.world.is_dropped()
            || Instant::now() >= self.end
            || !self.token.as_ref().is_none_or(is_alive)
    }
}

impl Own {
    /// The progress of the bearer's own part.
    fn progress(&mut self, target: &Target) -> Value {
        let world = &target.world;
        let is_own = |client: Option<ClientId>| client.is_none_or(|client| target.sees_client(client));
        loop {
            let piece = world.subscribers.feed.log().look_back(Cursor(self.looked), PIECE);
            let Some((last, _)) = piece.last() else { break };
            self.looked = last + 1;
            self.events += piece.iter().filter(|(_, entry)| is_own(entry.event.client)).count() as u64;
        }
        let is_mine = |line: &LoggedRequest| line.partner.is_some_and(|partner| target.sees(partner));
        let new = world.edge.request_log.last(usize::MAX, |line| line.id > self.last_request && is_mine(line)).1;
        self.last_request = new.first().map_or(self.last_request, |line| line.id);
        self.requests += new.len() as u64;
        let queued = world.subscribers.deliveries.look(|queue| {
            queue.rows().filter(|row| row.status == Status::Queued && is_own(Some(row.notification.client))).count()
        });
        json!({
            "now": world.last_now().to_string(),
            "events": self.events,
            "requests": self.requests,
            "queued": queued,
            "failed": world.failure().is_some(),
        })
    }
}

/// The progress of the whole world.
fn progress(world: &WorldHandle) -> Value {
    json!({
        "now": world.last_now().to_string(),
        "clock": world.mode().to_string(),
        "input": world.last_input(),
        "events": world.subscribers.feed.log().end().0,
        "requests": world.edge.request_log.last(0, |_| true).0,
        "queued": world.subscribers.deliveries.look(|queue| queue.queued()),
        "failed": world.failure().is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, request};
    use axum::http::Method;
    use hosting::secrets::Secret;
    use http_body_util::BodyExt as _;
    use testing::Now as _;

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
    async fn a_partner_of_a_shared_world_hears_of_its_own_until_its_token_ends() {
        let config = surface::SurfaceConfig {
            operator_token: Some(Secret::new("operator")),
            ..surface::SurfaceConfig::default()
        };
        let bench = Bench::with(hosting::clock::Mode::Frozen, config);
        let mut body = opened(&bench).await;
        let data = |word: &str| serde_json::from_str::<Value>(word.trim_start_matches("data: ")).expect("JSON");
        let first = data(&next(&mut body).await.expect("a beginning"));
        assert_eq!((&first["events"], &first["requests"], first.get("input")), (&json!(0), &json!(2), None), "{first}");
        // What another partner does is nothing new.
        let other = bench.token(1).await;
        let list = format!("/v2/partner/client/{}/account", bench.scope(2).client);
        bench.ask(request(Method::GET, &list, Some(&other), None)).await;
        bench.account(2);
        assert_eq!(next(&mut body).await.as_deref(), Some(": nothing new\n\n"));
        bench.account(0);
        assert_eq!(data(&next(&mut body).await.expect("news"))["events"], 3);
        let life = bench.world.edge.settings().token_life;
        tokio::time::advance(life).await;
        let mut word = next(&mut body).await;
        while word.as_ref().is_some_and(|word| word.starts_with(':')) {
            word = next(&mut body).await;
        }
        assert_eq!(word, None, "the token has expired");
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
        bench.surface.app().worlds.remove(bench.world.identity.id()).now().expect("no journal");
        while let Some(word) = next(&mut body).await {
            assert!(!word.contains("server_error"));
        }
    }
}
