//! Looking back and going back: forks of earlier moments, rewinding, and what differs between two worlds.

use super::*;

async fn digest(bench: &Bench, world: &str) -> Value {
    get(bench, &format!("/_sandbox/worlds/{world}/digest")).await["digest"].clone()
}

async fn advance(bench: &Bench, to: &str) {
    post(bench, &format!("{W}/clock/advance"), json!({ "to": to })).await;
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn a_fork_is_made_of_any_moment_and_a_world_is_put_back_to_it() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let account = bench.account(0);
    bench.subscribe(0, account);
    advance(&bench, "2026-03-03T07:00:00Z").await;
    let (tuesday, input) = (digest(&bench, "world-1").await, get(&bench, W).await["input"].clone());
    bench.subscribe(0, account);
    advance(&bench, "2026-03-06T07:00:00Z").await;
    let friday = digest(&bench, "world-1").await;
    let by_input = post(&bench, &format!("{W}/fork"), json!({ "input": input, "name": "tuesday" })).await;
    assert_eq!((&by_input["worldId"], &by_input["now"]), (&json!("world-2"), &json!("2026-03-03T07:00:00.000Z")));
    assert_eq!(digest(&bench, "world-2").await, tuesday);
    let by_instant = post(&bench, &format!("{W}/fork"), json!({ "at": "2026-03-04T11:00:00Z" })).await;
    assert_eq!(by_instant["now"], "2026-03-04T11:00:00.000Z");
    assert_eq!(digest(&bench, "world-1").await, friday, "looking back changes nothing");
    let rewound = post(&bench, &format!("{W}/rewind"), json!({ "input": input })).await;
    assert_eq!((&rewound["now"], digest(&bench, "world-1").await), (&json!("2026-03-03T07:00:00.000Z"), tuesday));
    let whoami = call(&bench, Method::GET, "/whoami", Some(&token), Value::Null).await;
    assert_eq!(whoami.status, 200, "tokens stay good");
    post(&bench, &format!("{W}/rewind"), json!({ "to": START })).await;
    assert_eq!(get(&bench, W).await["now"], "2026-03-02T07:00:00.000Z");
    refused(
        &bench,
        &[
            (Method::POST, &format!("{W}/rewind"), json!({}), 400, "to or input must say where to"),
            (Method::POST, &format!("{W}/rewind"), json!({ "to": START, "input": 1 }), 400, "two ways to say it"),
            (
                Method::POST,
                &format!("{W}/rewind"),
                json!({ "to": "2026-03-02T07:00:01Z" }),
                400,
                "later than the world's",
            ),
            (
                Method::POST,
                &format!("{W}/rewind"),
                json!({ "to": "2026-03-01T07:00:00Z" }),
                400,
                "before the world's start",
            ),
            (Method::POST, &format!("{W}/rewind"), json!({ "to": "Tuesday" }), 400, "to must be an RFC 3339 timestamp"),
            (Method::POST, &format!("{W}/rewind"), json!({ "input": 1_000_000 }), 400, "input must be at most"),
            (Method::POST, &format!("{W}/fork"), json!({ "at": START, "input": 1 }), 400, "two ways to say it"),
        ],
    )
    .await;
    let of_fork = post(&bench, "/_sandbox/worlds/world-2/fork", json!({ "at": START })).await;
    assert_eq!(of_fork["now"], "2026-03-02T07:00:00.000Z", "what led to a fork is its past, too");
    post(&bench, "/_sandbox/worlds/world-2/rewind", json!({ "input": 0 })).await;
}

#[tokio::test(start_paused = true)]
async fn a_comparison_lists_differences_by_resource_as_the_api_shows_them() {
    let bench = Bench::new();
    let account = bench.account(0);
    let order = bench.subscribe(0, account).to_string();
    post(&bench, &format!("{W}/fork"), json!({})).await;
    let compared = async || get(&bench, &format!("{W}/compare/world-2")).await;
    let same = compared().await;
    assert_eq!((&same["same"], &same["differences"]), (&json!(true), &json!([])), "{same}");
    assert_eq!(same["parts"], json!([]));
    let count = |comparison: &Value, resource: &str| {
        let counts = comparison["counts"].as_array().expect("a list").iter().find(|one| one["resource"] == resource);
        let counts = counts.expect("counted").clone();
        ["alike", "different", "onlyHere", "onlyThere"].map(|name| counts[name].as_u64().expect("a count"))
    };
    assert_eq!(count(&same, "order"), [1, 0, 0, 0]);
    advance(&bench, "2026-03-02T12:00:00Z").await;
    let newer = bench.subscribe(0, account).to_string();
    let comparison = compared().await;
    assert_eq!((&comparison["same"], &comparison["now"]), (&json!(false), &json!("2026-03-02T12:00:00.000Z")));
    assert_eq!(
        (count(&comparison, "order"), count(&comparison, "client")),
        ([0, 1, 1, 0], [3, 0, 0, 0]),
        "{comparison}"
    );
    let differences = comparison["differences"].as_array().expect("a list");
    let of = |id: &str| differences.iter().find(|one| one["id"] == *id).expect("told");
    assert_eq!((&of(&newer)["resource"], &of(&newer)["only"]), (&json!("order"), &json!("here")));
    let status = of(&order)["fields"].as_array().expect("a list").iter().find(|one| one["path"] == "status");
    let status = status.expect("its status has changed");
    assert_eq!(status["there"], "received");
    assert_ne!(status["here"], "received");
    let back = get(&bench, "/_sandbox/worlds/world-2/compare/world-1?limit=1").await;
    assert_eq!((count(&back, "order"), back["differences"].as_array().map(Vec::len)), ([0, 1, 0, 1], Some(1)));
    refused(&bench, &[(Method::GET, &format!("{W}/compare/world-9"), Value::Null, 404, "otherId names no world")])
        .await;
}

#[tokio::test(start_paused = true)]
async fn worlds_that_differ_in_no_resource_differ_by_their_parts() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let compared = async |fork: usize| {
        post(&bench, &format!("{W}/fork"), json!({})).await;
        let other = format!("{W}/compare/world-{fork}");
        get(&bench, &other).await
    };
    assert_eq!(compared(2).await["parts"], json!([]));
    advance(&bench, "2026-03-02T07:00:01Z").await;
    let comparison = get(&bench, &format!("{W}/compare/world-2")).await;
    assert_eq!(
        (&comparison["same"], &comparison["parts"], &comparison["differences"]),
        (&json!(false), &json!(["now"]), &json!([]))
    );
    compared(3).await;
    let change = json!({ "world": { "holdAbove": 77 } });
    assert_eq!(call(&bench, Method::PATCH, &format!("{W}/settings"), None, change).await.status, 200);
    let closed = json!({ "isBuyable": false });
    let path = format!("/simulations/instrument/{FUND}/trading");
    let closed = call(&bench, Method::POST, &path, Some(&token), closed).await;
    assert_eq!(closed.status, 200, "{:?}", closed.body);
    let comparison = get(&bench, &format!("{W}/compare/world-3")).await;
    let parts = comparison["parts"].as_array().expect("a list");
    assert!(parts.contains(&json!("setup")) && parts.contains(&json!("market")), "{comparison}");
    let differing = comparison["differences"].as_array().expect("a list").iter();
    let differing: Vec<_> = differing.map(|one| (one["resource"].as_str(), one["id"].as_str())).collect();
    assert_eq!(differing, [(Some("instrument"), Some(FUND)), (Some("settings"), Some("world"))], "{comparison}");
}

/// (rule: calendar/advance-stops)
#[tokio::test(start_paused = true)]
async fn an_advance_of_a_world_that_is_dropped_on_the_way_ends_there() {
    let bench = Bench::new();
    let far = json!({ "to": "2126-03-02T07:00:00Z" });
    let path = format!("{W}/clock/advance");
    let dropping = async {
        for _ in 0..1_000 {
            if bench.world.last_input() < 3 {
                tokio::task::yield_now().await;
            }
        }
        call(&bench, Method::DELETE, W, None, Value::Null).await
    };
    let (comparison, dropped) = tokio::join!(call(&bench, Method::POST, &path, None, far), dropping);
    assert_eq!((dropped.status, comparison.status), (200, 404), "{:?}", comparison.body);
    let world = &bench.world;
    assert!(
        world.last_now() < world.identity.origin().start.plus(sim::time::Millis::days(365 * 90)),
        "{}",
        world.last_now()
    );
}

#[tokio::test(start_paused = true)]
async fn a_partner_compares_no_worlds_and_lists_none_with_its_token() {
    for bench in [guarded(), Bench::new()] {
        let token = bench.token(0).await;
        let operator = bench.surface.app().operator_token.is_some().then_some("operator");
        for (token, status) in [(Some(token.as_str()), 403), (operator, 200)] {
            for path in [&format!("{W}/compare/world-1"), "/_sandbox/worlds"] {
                let answer = call(&bench, Method::GET, path, token, Value::Null).await;
                assert_eq!(answer.status, status, "{path}, {token:?}: {:?}", answer.body);
            }
        }
    }
}

/// (rule: calendar/snapshot-files)
#[tokio::test(start_paused = true)]
async fn a_snapshot_is_taken_to_another_server_as_a_file() {
    let (bench, other) = (Bench::new(), Bench::new());
    let account = bench.account(0);
    bench.subscribe(0, account);
    advance(&bench, "2026-03-04T07:00:00Z").await;
    post(&bench, &format!("{W}/snapshots"), json!({ "name": "wednesday" })).await;
    let path = format!("{W}/snapshots/wednesday/file");
    let file = get(&bench, &path).await;
    assert_eq!((&file["kind"], &file["digest"]), (&json!("fundsim snapshot"), &digest(&bench, "world-1").await));
    let put = async |bench: &Bench, body: Value| call(bench, Method::PUT, &path, None, body).await;
    let kept = put(&other, file.clone()).await;
    assert_eq!((kept.status, &kept.body), (200, &json!({ "id": "wednesday", "now": "2026-03-04T07:00:00.000Z" })));
    post(&other, &format!("{W}/snapshots/wednesday/restore"), Value::Null).await;
    assert_eq!(digest(&other, "world-1").await, digest(&bench, "world-1").await);
    // Its own past is not known here, and what comes is.
    let early = call(&other, Method::POST, &format!("{W}/rewind"), None, json!({ "to": "2026-03-03T07:00:00Z" })).await;
    assert_eq!(early.status, 409, "{:?}", early.body);
    assert!(
        early.body["error_description"].as_str().expect("why").contains("is not known on this server"),
        "{:?}",
        early.body
    );
    advance(&other, "2026-03-05T07:00:00Z").await;
    post(&other, &format!("{W}/rewind"), json!({ "to": "2026-03-04T07:00:00Z" })).await;
    assert_eq!(digest(&other, "world-1").await, digest(&bench, "world-1").await);
    let log = at_once(other.world.log().after(Position(0))).expect("the log");
    let again = replay(other.world.identity.origin(), None, &log).expect("a world");
    assert_eq!(Ok(again.digest()), other.world.read(sim::World::digest), "the log holds what was brought");
    post(&bench, "/_sandbox/worlds", json!({ "seed": 8, "start": START })).await;
    post(&bench, "/_sandbox/worlds/world-2/snapshots", json!({ "name": "other" })).await;
    let elsewhere = get(&bench, "/_sandbox/worlds/world-2/snapshots/other/file").await;
    let mut changed = file;
    changed["world"]["now"] = json!("2026-03-04T07:00:01.000Z");
    refused(
        &bench,
        &[
            (Method::PUT, &path, elsewhere, 409, "of a world of seed 8"),
            (Method::PUT, &path, changed, 400, "fingerprint does not fit"),
            (Method::PUT, &path, json!({}), 400, "its kind is not"),
            (Method::GET, &format!("{W}/snapshots/none/file"), Value::Null, 404, "id names no snapshot"),
            (Method::PUT, &format!("{W}/snapshots/a%20b/file"), json!({}), 400, "name must have"),
        ],
    )
    .await;
}
