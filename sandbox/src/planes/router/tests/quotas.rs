//! One partner at its limit, and another that shares the world: of everything that is counted.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::Request;
use axum::response::Response;
use futures_util::stream::pending;
use serde_json::{Value, json};

use super::super::*;
use crate::testing::{Bench, request};
use deliveries::webhooks::MOST_WEBHOOKS;
use feed::rights::Rights;
use feed::sockets::SocketRecord;
use feed::transport::TransportTime;
use hosting::clock::Mode;
use hosting::faults::MOST_RULES;
use hosting::quotas::Held;
use hosting::secrets::Secret;
use hosting::worlds::{MOST_SNAPSHOTS, WorldBounds};
use surface::SurfaceConfig;

const CURRENT: &str = "/_sandbox/worlds/current";
/// Forks that a partner may have on these servers.
const FORKS: usize = 3;
/// Sockets that a partner may have in these worlds.
const SOCKETS: usize = 5;

/// What partners have only so many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Forks,
    Webhooks,
    FaultRules,
    Snapshots,
    Streams,
    Sockets,
    Uploads,
}

/// Each with how many a partner may have, and what one more is answered.
const ROWS: [(Counted, usize, u16); 7] = [
    (Counted::Forks, FORKS, 409),
    (Counted::Webhooks, MOST_WEBHOOKS, 409),
    (Counted::FaultRules, MOST_RULES, 409),
    (Counted::Snapshots, MOST_SNAPSHOTS, 409),
    (Counted::Streams, Held::Stream.most(), 503),
    (Counted::Sockets, SOCKETS, 503),
    (Counted::Uploads, Held::Upload.most(), 503),
];

/// What a partner holds while it is at its limit.
enum Holds {
    Nothing,
    /// An answer that has not ended.
    Answer(Response),
    /// A request that has not ended.
    Request(tokio::task::JoinHandle<()>),
    Socket(std::sync::Arc<SocketRecord>),
}

fn bench(counted: Counted) -> Bench {
    // Files are the operator's to bring where it keeps the machinery.
    let operator_token = (counted != Counted::Uploads).then(|| Secret::new("operator"));
    let worlds = WorldBounds { forks: FORKS, ..WorldBounds::default() };
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { operator_token, worlds, ..SurfaceConfig::default() });
    let mut settings = bench.world.edge.settings();
    (settings.sockets_per_partner, settings.requests_kept) = (SOCKETS, 4);
    bench.world.set_settings(settings);
    bench
}

/// Takes one more as the `index`th partner, whose token this is; what it was answered.
async fn take(bench: &Bench, counted: Counted, index: usize, token: &str) -> (u16, Holds) {
    let scope = bench.scope(index * 2);
    let post = async |path: &str, body: Value| {
        let answer = bench.ask(request(Method::POST, &format!("{CURRENT}{path}"), Some(token), Some(&body))).await;
        (answer.status, Holds::Nothing)
    };
    match counted {
        Counted::Forks => post("/fork", json!({})).await,
        Counted::Webhooks => {
            post("/webhooks", json!({ "client": scope.client.to_string(), "url": "http://receiver.example/" })).await
        }
        Counted::FaultRules => post("/faults", json!({ "match": {}, "verdict": { "delay": { "ms": 1 } } })).await,
        Counted::Snapshots => post("/snapshots", json!({})).await,
        Counted::Streams => {
            let sent = request(Method::GET, &format!("{CURRENT}/stream"), Some(token), None);
            let answer = bench.surface.handle(sent, None).await.expect("an answer");
            (answer.status().as_u16(), Holds::Answer(answer))
        }
        Counted::Sockets => {
            let settings = bench.world.edge.settings();
            let entered = bench.world.subscribers.feed.enter(
                scope.partner,
                scope.client,
                TransportTime(0),
                Rights::ALL,
                &settings,
            );
            entered.map_or_else(|full| (full.status.as_u16(), Holds::Nothing), |socket| (200, Holds::Socket(socket)))
        }
        Counted::Uploads => upload(bench, token).await,
    }
}

/// A file whose bytes do not come; it has begun when the answer does not come either.
async fn upload(bench: &Bench, token: &str) -> (u16, Holds) {
    let body = Body::from_stream(pending::<Result<Bytes, Infallible>>());
    let sent = Request::put(format!("{CURRENT}/snapshots/brought/file"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {token}"))
        .body(body)
        .expect("a request");
    let surface = bench.surface.clone();
    let (sender, mut answered) = tokio::sync::oneshot::channel();
    let under_way = tokio::spawn(async move {
        let status = surface.handle(sent, None).await.expect("an answer").status().as_u16();
        sender.send(status).ok();
    });
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    answered.try_recv().map_or((200, Holds::Request(under_way)), |status| (status, Holds::Nothing))
}

fn give_back(bench: &Bench, holds: Holds) {
    match holds {
        Holds::Nothing => {}
        Holds::Answer(answer) => drop(answer),
        Holds::Request(under_way) => under_way.abort(),
        Holds::Socket(socket) => bench.world.subscribers.feed.leave(socket.id),
    }
}

/// (rule: auth/quotas)
#[tokio::test(start_paused = true)]
async fn a_partner_at_its_limit_is_refused_and_another_has_its_own_limit() {
    for (counted, most, refusal) in ROWS {
        let bench = bench(counted);
        let tokens = [bench.token(0).await, bench.token(1).await];
        let mut held = Vec::new();
        for count in 0..most {
            let (status, holds) = take(&bench, counted, 0, &tokens[0]).await;
            assert_eq!(status, 200, "{counted:?}: {} of {most}", count + 1);
            held.push(holds);
        }
        assert_eq!(take(&bench, counted, 0, &tokens[0]).await.0, refusal, "{counted:?}: one more than {most}");
        let mut others = Vec::new();
        for count in 0..most {
            let (status, holds) = take(&bench, counted, 1, &tokens[1]).await;
            assert_eq!(status, 200, "{counted:?}: {} of {most} of another", count + 1);
            others.push(holds);
        }
        assert_eq!(take(&bench, counted, 1, &tokens[1]).await.0, refusal, "{counted:?}: another has as many");
        if matches!(counted, Counted::Streams | Counted::Sockets | Counted::Uploads) {
            give_back(&bench, held.pop().expect("one"));
            tokio::task::yield_now().await;
            assert_eq!(
                take(&bench, counted, 1, &tokens[1]).await.0,
                refusal,
                "{counted:?}: what one ends is not another's"
            );
            assert_eq!(take(&bench, counted, 0, &tokens[0]).await.0, 200, "{counted:?}: one that ended makes room");
        }
    }
}

/// (rule: auth/quotas)
#[tokio::test(start_paused = true)]
async fn forks_of_forks_count_for_the_partner_that_makes_them_until_they_are_dropped() {
    let bench = bench(Counted::Forks);
    let (token, other) = (bench.token(0).await, bench.token(1).await);
    let fork = async |token: &str| {
        bench.ask(request(Method::POST, &format!("{CURRENT}/fork"), Some(token), Some(&json!({})))).await
    };
    let made = fork(&token).await.body;
    let partner = &made["partners"][0];
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        partner["clientId"].as_str().expect("an id"),
        partner["clientSecret"].as_str().expect("a secret")
    );
    let in_fork = bench.ask(crate::testing::form_request(&form)).await.body["access_token"].clone();
    let in_fork = in_fork.as_str().expect("a token");
    for _ in 1..FORKS {
        assert_eq!(fork(in_fork).await.status, 200);
    }
    for token in [&token, in_fork] {
        let refused = fork(token).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
    }
    assert_eq!(fork(&other).await.status, 200, "another has all of its own");
    assert_eq!(
        bench.ask(request(Method::POST, "/_sandbox/worlds/world-1/fork", Some("operator"), None)).await.status,
        200
    );
    assert_eq!(bench.ask(request(Method::DELETE, CURRENT, Some(in_fork), None)).await.status, 200);
    assert_eq!(fork(&token).await.status, 200, "a fork that is dropped makes room");
}

/// (rule: auth/quotas, wire/request-log)
#[tokio::test(start_paused = true)]
async fn a_partner_that_asks_much_leaves_the_others_log_of_requests_as_it_is() {
    let bench = bench(Counted::Webhooks);
    let tokens = [bench.token(0).await, bench.token(1).await];
    let own = async |token: &str| {
        let list = request(Method::GET, &format!("{CURRENT}/requests"), Some(token), None);
        let mut observing = list;
        observing.headers_mut().insert("fundsim-observer", axum::http::HeaderValue::from_static("true"));
        let listed = bench.ask(observing).await.body["requests"].clone();
        listed.as_array().expect("a list").iter().map(|line| line["path"].clone()).collect::<Vec<_>>()
    };
    bench.ask(request(Method::GET, "/whoami?rare", Some(&tokens[1]), None)).await;
    for number in 0..20 {
        bench.ask(request(Method::GET, &format!("/whoami?{number}"), Some(&tokens[0]), None)).await;
    }
    assert_eq!(own(&tokens[1]).await, ["/whoami?rare", "/v2/partner/auth/token"]);
    assert_eq!(own(&tokens[0]).await, ["/whoami?19", "/whoami?18", "/whoami?17", "/whoami?16"]);
}
