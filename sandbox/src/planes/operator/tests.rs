//! The machinery from outside: requests in, answers out, one frozen world unless a test names another.

mod advances;
mod figures;
mod past;
mod settings;
mod why;

use std::cell::Cell;

use axum::http::Method;
use futures_util::FutureExt as _;
use serde_json::{Value, json};

use crate::testing::{Answer, Bench, FUND, START, at, request};
use feed::input_log::{Position, at_once};
use hosting::clock::Mode;
use hosting::replay::replay;
use hosting::secrets::Secret;
use surface::SurfaceConfig;

const RANGE: &str = "to must lie between 1970-01-01T00:00:00.000Z and 9990-01-01T00:00:00.000Z";
pub(super) const W: &str = "/_sandbox/worlds/world-1";

pub(super) async fn call(bench: &Bench, method: Method, path: &str, token: Option<&str>, body: Value) -> Answer {
    let body = if body.is_null() { None } else { Some(body) };
    bench.ask(request(method, path, token, body.as_ref())).await
}

pub(super) async fn get(bench: &Bench, path: &str) -> Value {
    let answer = call(bench, Method::GET, path, None, Value::Null).await;
    assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
    answer.body
}

pub(super) async fn post(bench: &Bench, path: &str, body: Value) -> Value {
    let answer = call(bench, Method::POST, path, None, body.clone()).await;
    assert_eq!(answer.status, 200, "{path} {body}: {:?}", answer.body);
    answer.body
}

/// Rows of (method, path, body, status, part of the description) that must change nothing.
async fn refused(bench: &Bench, rows: &[(Method, &str, Value, u16, &str)]) {
    let digest = get(bench, &format!("{W}/digest")).await;
    for (method, path, body, status, text) in rows {
        let answer = call(bench, method.clone(), path, None, body.clone()).await;
        let description = answer.body["error_description"].as_str().unwrap_or_default();
        assert_eq!(answer.status, *status, "{method} {path} {body}: {description}");
        assert!(description.contains(text), "{method} {path} {body}: {description}");
    }
    assert_eq!(get(bench, &format!("{W}/digest")).await, digest);
}

pub(super) fn guarded() -> Bench {
    let config = SurfaceConfig { operator_token: Some(Secret::new("operator")), ..SurfaceConfig::default() };
    Bench::with(Mode::Frozen, config)
}

/// (rule: auth/wrong-secrets)
#[tokio::test(start_paused = true)]
async fn wrong_operators_tokens_are_answered_ever_more_slowly_and_a_partners_token_is_no_guess() {
    let bench = guarded();
    let clock = bench.surface.app().worlds.clock().clone();
    let partner = bench.token(0).await;
    let timed = async |token: &str| {
        let before = clock.now();
        let status = call(&bench, Method::GET, &format!("{W}/clock"), Some(token), Value::Null).await.status;
        (status, clock.now().since(before).as_millis())
    };
    for wait in [0, 0, 0, 0, 0, 100, 200] {
        assert_eq!(timed("wrong").await, (401, wait));
        assert_eq!(timed(&partner).await, (200, 0), "a partner's token is no guess of the operator's");
    }
    assert_eq!(timed("operator").await, (200, 0), "the right one is answered at once");
    assert_eq!(timed("wrong").await, (401, 0));
}

/// (rule: auth/wrong-secrets)
#[tokio::test(start_paused = true)]
async fn a_wrong_token_beside_a_partners_counts_and_ends_in_503_with_a_time_to_come_again() {
    let bench = guarded();
    let token = bench.token(0).await;
    let settings = json!({ "operatorMarket": true });
    assert_eq!(call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), settings).await.status, 200);
    let lever = async |beside: &'static str| {
        let body = json!({ "isTradable": false });
        let path = format!("/simulations/instrument/{FUND}/trading");
        let mut sent = request(Method::POST, &path, Some(&token), Some(&body));
        sent.headers_mut().insert("operator-token", beside.parse().expect("a value"));
        bench.ask(sent).await
    };
    for _ in 0..13 {
        assert_eq!(lever("wrong").await.status, 403);
    }
    let refused = lever("wrong").await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    assert_ne!(lever("operator").await.status, 503, "soon after, the right one is looked at again");
    assert_eq!(lever("wrong").await.status, 403);
}

#[tokio::test(start_paused = true)]
async fn a_world_is_made_listed_read_and_dropped() {
    let bench = Bench::new();
    let made =
        post(&bench, "/_sandbox/worlds", json!({ "name": "mine", "seed": 7, "start": START, "clock": 1440 })).await;
    let keys: Vec<_> = made.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(keys, ["url", "worldId", "seed", "now", "partners"]);
    assert_eq!(
        (&made["worldId"], &made["seed"], &made["now"]),
        (&json!("world-2"), &json!(7), &json!("2026-03-02T07:00:00.000Z"))
    );
    let partner = &made["partners"][0];
    assert!(partner["clientSecret"].is_string() && partner["clients"][0]["id"].is_string());
    let listed = get(&bench, "/_sandbox/worlds").await;
    assert_eq!(listed.as_array().expect("a list").len(), 2);
    assert_eq!(
        (&listed[1]["name"], &listed[1]["mode"], &listed[1]["factor"]),
        (&json!("mine"), &json!("paced"), &json!(1440))
    );
    assert!(listed[1]["partners"][0].get("clientSecret").is_none(), "a list shows no secrets");
    let read = get(&bench, "/_sandbox/worlds/world-2").await;
    assert_eq!(read["partners"], made["partners"]);
    assert_eq!(call(&bench, Method::DELETE, "/_sandbox/worlds/world-2", None, Value::Null).await.status, 200);
    assert_eq!(call(&bench, Method::GET, "/_sandbox/worlds/world-2", None, Value::Null).await.status, 404);
}

#[tokio::test]
async fn a_world_without_settings_starts_now_with_a_seed_that_its_answer_shows() {
    let bench = Bench::new();
    let (first, second) =
        (post(&bench, "/_sandbox/worlds", Value::Null).await, post(&bench, "/_sandbox/worlds", json!({})).await);
    assert_ne!(first["seed"], second["seed"]);
    assert!(first["now"].as_str().expect("a moment").starts_with("2026-03-02T07:00:0"));
    assert_eq!(get(&bench, "/_sandbox/worlds/world-2/clock").await["mode"], "frozen");
}

#[tokio::test]
async fn with_an_operators_token_set_it_opens_all_and_a_partners_only_its_own_world() {
    let bench = guarded();
    let other = call(&bench, Method::POST, "/_sandbox/worlds", Some("operator"), json!({})).await;
    assert_eq!(other.status, 200);
    let token = bench.token(0).await;
    for (token, method, path, status) in [
        (None, Method::GET, "/_sandbox/worlds", 401),
        (Some("wrong"), Method::GET, "/_sandbox/worlds", 401),
        (Some(token.as_str()), Method::GET, "/_sandbox/worlds", 403),
        (Some(&token), Method::POST, "/_sandbox/worlds", 403),
        (Some("operator"), Method::GET, "/_sandbox/worlds", 200),
        (Some(&token), Method::GET, "/_sandbox/worlds/current", 200),
        (Some(&token), Method::GET, "/_sandbox/worlds/world-1/clock", 200),
        (Some(&token), Method::GET, "/_sandbox/worlds/world-2", 403),
        (Some(&token), Method::GET, "/_sandbox/worlds/world-9", 403),
        (Some("operator"), Method::GET, "/_sandbox/worlds/world-2", 200),
        (Some("operator"), Method::GET, "/_sandbox/worlds/world-9", 404),
        (Some("operator"), Method::GET, "/_sandbox/worlds/current", 400),
        (None, Method::POST, "/_sandbox/worlds/world-1/reset", 401),
    ] {
        let answer = call(&bench, method.clone(), path, token, Value::Null).await;
        assert_eq!(answer.status, status, "{method} {path} {token:?}: {:?}", answer.body);
    }
    let shown = call(&bench, Method::GET, "/_sandbox/worlds/current", Some(&token), Value::Null).await.body;
    let secrets: Vec<_> =
        shown["partners"].as_array().expect("partners").iter().map(|p| p.get("clientSecret").is_some()).collect();
    assert_eq!(secrets, [true], "a partner sees itself only");
}

/// (rule: auth/machinery-scope, auth/secrets-shown)
#[tokio::test]
async fn secrets_are_shown_to_the_operator_and_to_makers_of_forks_or_resets_and_masked_for_others() {
    let bench = guarded();
    let token = bench.token(0).await;
    let may = json!({ "partnersMay": ["reset"] });
    call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), may).await;
    let secret = bench.world.identity.credentials()[0].secret.known().expect("a secret").reveal().to_owned();
    let masked = format!("{}...", &secret[..6]);
    let registered = json!({ "client": bench.scope(0).client.to_string(), "url": "https://receiver.example/" });
    let register = call(&bench, Method::POST, &format!("{W}/webhooks"), Some(&token), registered).await.body;
    assert!(register["secret"].as_str().is_some_and(|secret| secret.len() > 30), "{register}");
    let secret_of = |body: &Value| body["partners"][0]["clientSecret"].as_str().map(str::to_owned);
    for (token, method, path, expected) in [
        ("operator", Method::GET, W.to_owned(), Some(&secret)),
        ("operator", Method::POST, format!("{W}/reset"), Some(&secret)),
        (&token, Method::GET, W.to_owned(), Some(&masked)),
        (&token, Method::POST, format!("{W}/reset"), Some(&secret)),
    ] {
        let answer = call(&bench, method.clone(), &path, Some(token), Value::Null).await;
        assert_eq!((answer.status, secret_of(&answer.body).as_ref()), (200, expected), "{method} {path} {token}");
    }
    let fork = call(&bench, Method::POST, &format!("{W}/fork"), Some(&token), Value::Null).await.body;
    assert!(secret_of(&fork).is_some_and(|shown| shown.len() == secret.len() && shown != secret), "{fork}");
    let webhooks = call(&bench, Method::GET, &format!("{W}/webhooks"), Some(&token), Value::Null).await.body;
    assert_eq!(webhooks[0]["secret"], "whsec_...");
    let webhooks = call(&bench, Method::GET, &format!("{W}/webhooks"), Some("operator"), Value::Null).await.body;
    assert_eq!(webhooks[0]["secret"], register["secret"]);
}

#[tokio::test]
async fn in_a_shared_sandbox_a_partner_sees_what_is_its_own() {
    let bench = guarded();
    let token = bench.token(0).await;
    bench.account(0);
    bench.account(2);
    let ask = async |method: Method, path: &str, token: &str| {
        let answer = call(&bench, method, path, Some(token), Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    };
    let clients = |log: &Value| {
        let events = log["events"].as_array().expect("a list").iter();
        events
            .map(|entry| entry["client"].as_str().expect("an id").to_owned())
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(clients(&ask(Method::GET, &format!("{W}/events"), "operator").await).len(), 2);
    assert_eq!(clients(&ask(Method::GET, &format!("{W}/events"), &token).await).len(), 1);
    let theirs = bench.token(1).await;
    let _answer = call(&bench, Method::GET, "/whoami?theirs", Some(&theirs), Value::Null).await;
    let requests = |log: &Value| log.to_string().matches("/whoami?theirs").count();
    assert_eq!(requests(&ask(Method::GET, &format!("{W}/requests"), "operator").await), 1);
    assert_eq!(requests(&ask(Method::GET, &format!("{W}/requests"), &token).await), 0);
    let fork = ask(Method::POST, &format!("{W}/fork"), &token).await;
    let secrets = fork["partners"].as_array().expect("partners").iter().map(|p| p.get("clientSecret").is_some());
    assert_eq!(secrets.collect::<Vec<_>>(), [true]);
}

#[tokio::test]
async fn journeys_are_listed_newest_first_by_client_and_status_and_to_whom_they_belong() {
    let bench = guarded();
    let ask = async |method: Method, path: &str, token: &str, body: Value| {
        let answer = call(&bench, method, path, Some(token), body).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    };
    let tokens = [bench.token(0).await, bench.token(1).await];
    for client in 0..3 {
        let allowed =
            json!({ bench.scope(client).client.as_uuid().to_string(): { "journeyTypes": ["createAccount"] } });
        ask(Method::PATCH, &format!("{W}/settings"), "operator", json!({ "permissions": allowed })).await;
    }
    let start = async |index: usize| {
        let (partner, client) = if index < 2 { (0, index) } else { (1, 2) };
        let path = format!("/v2/partner/client/{}/journey", bench.scope(client).client.as_uuid());
        let journey = json!({ "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
            "accountCategories": ["retail"] });
        let body = json!({ "journey": journey, "callbackUrl": "https://partner.example/callback" });
        ask(Method::POST, &path, &tokens[partner], body).await["id"].clone()
    };
    let (first, second, third) = (start(0).await, start(1).await, start(2).await);
    let canceled = format!("/simulations/journey/{}/cancel", first.as_str().expect("an id"));
    let open = canceled.replace("/cancel", "/open");
    ask(Method::POST, &open, &tokens[0], Value::Null).await;
    ask(Method::POST, &canceled, &tokens[0], Value::Null).await;
    let list = async |query: &str, token: &str| {
        let answer = ask(Method::GET, &format!("{W}/journeys{query}"), token, Value::Null).await;
        let ids = answer["journeys"].as_array().expect("a list").iter().map(|journey| journey["id"].clone());
        (answer["total"].as_u64(), ids.collect::<Vec<_>>())
    };
    assert_eq!(list("", "operator").await, (Some(3), vec![third.clone(), second.clone(), first.clone()]));
    assert_eq!(list("?limit=1", "operator").await, (Some(3), vec![third]));
    assert_eq!(list("", &tokens[0]).await, (Some(2), vec![second.clone(), first.clone()]));
    let client = format!("?client={}", bench.scope(1).client.as_uuid());
    assert_eq!(list(&client, "operator").await, (Some(1), vec![second]));
    assert_eq!(list("?status=canceled", "operator").await, (Some(1), vec![first]));
}

#[tokio::test]
async fn reset_fork_and_snapshots_bring_states_back() {
    let bench = Bench::new();
    let digest = async |world: &str| get(&bench, &format!("/_sandbox/worlds/{world}/digest")).await["digest"].clone();
    let start = digest("world-1").await;
    let account = bench.account(0);
    let funded = digest("world-1").await;
    assert_eq!(post(&bench, &format!("{W}/snapshots"), json!({ "name": "funded" })).await["id"], "funded");
    assert_eq!(post(&bench, &format!("{W}/snapshots"), Value::Null).await["id"], "snapshot-1");
    bench.subscribe(0, account);
    let ordered = digest("world-1").await;
    let fork = post(&bench, &format!("{W}/fork"), json!({ "name": "fork" })).await;
    assert_eq!(
        (digest("world-2").await, fork["partners"][0]["clients"][0]["id"].clone()),
        (ordered.clone(), get(&bench, W).await["partners"][0]["clients"][0]["id"].clone())
    );
    post(&bench, &format!("{W}/snapshots/funded/restore"), Value::Null).await;
    assert_eq!(digest("world-1").await, funded);
    post(&bench, &format!("{W}/reset"), Value::Null).await;
    assert_eq!((digest("world-1").await, digest("world-2").await), (start, ordered));
    let names = get(&bench, &format!("{W}/snapshots")).await;
    assert_eq!(names[0]["id"], "funded");
    refused(
        &bench,
        &[
            (Method::POST, "/_sandbox/worlds/world-1/snapshots", json!({ "name": "../x" }), 400, "name must have"),
            (
                Method::POST,
                "/_sandbox/worlds/world-1/snapshots/nothing/restore",
                Value::Null,
                404,
                "id names no snapshot",
            ),
            (Method::POST, "/_sandbox/worlds/world-1/fork", json!({ "nmae": "x" }), 400, "nmae is not a known field"),
        ],
    )
    .await;
}

#[tokio::test]
async fn problems_of_a_body_use_the_words_of_json() {
    let bench = Bench::new();
    let (advance, faults, sockets) = ("clock/advance", "faults", "sockets/close");
    let verdict = |verdict: Value| json!({ "verdict": verdict });
    for (path, body, problem) in [
        (advance, json!([]), "body must be an object, not a"),
        (advance, json!(["PT1H", null, null, null, null]), "body must be an object, not a"),
        (advance, json!("PT1H"), "body must be an object, not a"),
        (advance, json!({ "by": 1 }), "by must be a string, not a number"),
        (faults, verdict(json!({ "answer": 503 })), "verdict.answer must be an object, not a number"),
        (faults, verdict(json!("drop")), "verdict must be an object, not a string"),
        (faults, verdict(json!({ "answer": [] })), "verdict.answer must be an object, not an array"),
        (
            faults,
            verdict(json!({ "answer": { "status": 70_000 } })),
            "verdict.answer.status must lie between 400 and 599",
        ),
        (faults, verdict(json!({ "drop": "now" })), "verdict.drop must be one of `before` or `after`"),
        (sockets, json!({ "id": "1" }), "id must be a number, not a string"),
        (
            sockets,
            json!({ "how": {} }),
            "how must be one of `graceful`, `close`, `drop`, `stall`, `cutInFrame` or `cap`, not an object",
        ),
    ] {
        let answer = call(&bench, Method::POST, &format!("{W}/{path}"), None, body.clone()).await;
        let description = answer.body["error_description"].as_str().unwrap_or_default();
        assert!(answer.status == 400 && description.starts_with(problem), "{body}: {description}");
    }
}

#[tokio::test]
async fn a_world_put_back_shows_the_events_of_its_present_life_only() {
    let bench = Bench::new();
    post(&bench, &format!("{W}/snapshots"), json!({ "name": "empty" })).await;
    for (path, first) in [("reset", 3), ("snapshots/empty/restore", 6)] {
        bench.account(0);
        post(&bench, &format!("{W}/{path}"), Value::Null).await;
        for query in ["", "?start=0"] {
            let shown = get(&bench, &format!("{W}/events{query}")).await;
            let empty = json!({ "first": first, "kept": 0, "limit": 1_000_000, "forgotten": 0, "total": first, "missed": 0, "events": [] });
            assert_eq!(shown, empty, "{path}{query}");
        }
    }
    bench.account(0);
    let shown = get(&bench, &format!("{W}/events?limit=2")).await;
    let numbers: Vec<_> = shown["events"].as_array().expect("a list").iter().map(|event| &event["number"]).collect();
    assert_eq!((&shown["first"], &shown["total"], numbers), (&json!(6), &json!(9), vec![&json!(7), &json!(8)]));
}

/// (rule: events/events-kept)
#[tokio::test]
async fn the_list_of_events_counts_those_dropped_for_the_limit() {
    let bench = Bench::new();
    post(&bench, &format!("{W}/reset"), Value::Null).await;
    call(&bench, Method::PATCH, &format!("{W}/settings"), None, json!({ "eventsKept": 4 })).await;
    for _ in 0..3 {
        bench.account(0);
    }
    let kept = json!({ "first": 5, "kept": 4, "limit": 4, "forgotten": 5 });
    for (query, missed, numbers) in [
        ("", 0, vec![5, 6, 7, 8]),
        ("?start=0", 5, vec![5, 6, 7, 8]),
        ("?start=3&limit=1", 2, vec![5]),
        ("?start=5", 0, vec![5, 6, 7, 8]),
        ("?start=8", 0, vec![8]),
        ("?start=9", 0, vec![]),
    ] {
        let mut shown = get(&bench, &format!("{W}/events{query}")).await;
        let listed: Vec<_> =
            shown["events"].as_array().expect("a list").iter().filter_map(|event| event["number"].as_u64()).collect();
        let mut expected = kept.clone();
        (expected["total"], expected["missed"], expected["events"]) = (json!(9), json!(missed), Value::Null);
        shown["events"] = Value::Null;
        assert_eq!((listed, shown), (numbers, expected), "{query}");
    }
    assert_eq!(get(&bench, W).await["eventLog"], kept);
    // Those of a life that is over were not let go for want of room.
    post(&bench, &format!("{W}/reset"), Value::Null).await;
    let anew = get(&bench, &format!("{W}/events?start=0")).await;
    assert_eq!((&anew["first"], &anew["forgotten"], &anew["missed"]), (&json!(9), &json!(0), &json!(0)));
}

/// (rule: calendar/clock-words)
#[tokio::test]
async fn the_clock_is_shown_with_what_comes_next_and_can_be_paced_and_frozen() {
    let bench = Bench::new();
    let path = format!("{W}/clock");
    let shown = get(&bench, &path).await;
    assert_eq!(
        (&shown["now"], &shown["mode"], &shown["factor"]),
        (&json!("2026-03-02T07:00:00.000Z"), &json!("frozen"), &Value::Null)
    );
    assert_eq!(shown["next"], json!({ "at": "2026-03-02T13:00:00.000Z", "what": "cut-off", "resource": FUND }));
    for (change, clock, mode, factor) in [
        (json!({ "mode": "paced", "factor": 0.5 }), "0.5", "paced", json!(0.5)),
        (json!({ "mode": "real" }), "real", "real", json!(1)),
        (json!({ "clock": "1440" }), "1440", "paced", json!(1440)),
        (json!({ "clock": "real" }), "real", "real", json!(1)),
        (json!({ "clock": 0.5 }), "0.5", "paced", json!(0.5)),
        (json!({ "mode": "paced", "factor": 1 }), "real", "real", json!(1)),
        (json!({ "factor": "60" }), "60", "paced", json!(60)),
        (json!({}), "60", "paced", json!(60)),
        (json!({ "mode": "frozen" }), "frozen", "frozen", Value::Null),
        (json!({ "clock": "frozen" }), "frozen", "frozen", Value::Null),
    ] {
        let answer = call(&bench, Method::PATCH, &path, None, change.clone()).await;
        let reply = json!([answer.body["clock"], answer.body["mode"], answer.body["factor"]]);
        assert_eq!((answer.status, reply.to_string()), (200, json!([clock, mode, factor]).to_string()), "{change}");
        // What is shown can be sent back.
        for again in [json!({ "clock": clock }), json!({ "mode": mode, "factor": factor })] {
            let answer = call(&bench, Method::PATCH, &path, None, again.clone()).await;
            assert_eq!((answer.status, &answer.body["clock"]), (200, &json!(clock)), "{again} {}", answer.body);
        }
    }
    refused(
        &bench,
        &[
            (Method::PATCH, &path, json!({ "mode": "fast" }), 400, "mode must be"),
            (Method::PATCH, &path, json!({ "mode": "paced" }), 400, "factor is required"),
            (Method::PATCH, &path, json!({ "mode": "frozen", "factor": 2 }), 400, "factor goes with paced"),
            (Method::PATCH, &path, json!({ "factor": 0 }), 400, "factor must be a number"),
            (Method::PATCH, &path, json!({ "clock": "paced" }), 400, "clock must be frozen, real or a factor"),
            (
                Method::PATCH,
                &path,
                json!({ "clock": "real", "factor": 1 }),
                400,
                "clock cannot be combined with mode or factor",
            ),
            (Method::PATCH, &path, json!({ "factor": "frozen" }), 400, "factor must be a number"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_jump_until_what_is_not_due_leaves_the_clock_where_it_was() {
    let bench = Bench::new();
    let path = format!("{W}/clock/advance");
    let text = "not due within 400 days";
    refused(
        &bench,
        &[
            (Method::POST, &path, json!({ "until": "settlement" }), 409, text),
            (Method::POST, &path, json!({ "until": "settlement", "instrument": FUND }), 409, text),
        ],
    )
    .await;
    assert_eq!(get(&bench, &format!("{W}/clock")).await["now"], "2026-03-02T07:00:00.000Z");
}

/// (rule: calendar/end-of-time)
#[tokio::test]
async fn a_world_runs_to_the_last_instant_and_stops_there() {
    let bench = Bench::new();
    let made = json!({ "seed": 7, "start": "9989-01-01T00:00:00Z", "clock": "frozen" });
    let made = post(&bench, "/_sandbox/worlds", made).await;
    let world = format!("/_sandbox/worlds/{}", made["worldId"].as_str().expect("an id"));
    let end = "9990-01-01T00:00:00.000Z";
    let path = format!("{world}/clock/advance");
    assert_eq!(post(&bench, &path, json!({ "to": end })).await["now"], end);
    for (goal, status) in
        [(json!({ "by": "PT1S" }), 400), (json!({ "until": "next" }), 409), (json!({ "to": end }), 200)]
    {
        assert_eq!(call(&bench, Method::POST, &path, None, goal.clone()).await.status, status, "{goal}");
    }
    call(&bench, Method::PATCH, &format!("{world}/clock"), None, json!({ "factor": 10_000_000 })).await;
    assert_eq!(get(&bench, &format!("{world}/clock")).await["now"], end);
    assert_eq!(get(&bench, &format!("{world}/digest")).await["now"], end);
}

#[tokio::test]
async fn two_jumps_at_once_do_not_interleave_and_readers_get_in_between_slices() {
    let bench = Bench::new();
    let body = json!({ "by": "P12Y" });
    let path = format!("{W}/clock/advance");
    let jump = || bench.ask(request(Method::POST, &path, None, Some(&body)));
    let answered = Cell::new(false);
    let jumps = async {
        let answers = tokio::join!(biased; jump(), jump());
        answered.set(true);
        answers
    };
    let look = async {
        let mut seen = Vec::new();
        while !answered.get() {
            seen.push(bench.world.last_now());
            tokio::task::yield_now().await;
        }
        seen
    };
    let ((first, second), mut seen) = tokio::join!(biased; jumps, look);
    assert_eq!(first.body["now"], "2038-03-02T07:00:00.000Z");
    assert_eq!(second.body["now"], "2050-03-02T07:00:00.000Z");
    assert!(seen.is_sorted());
    seen.dedup();
    assert!(seen.len() > 3, "saw {} instants on the way", seen.len());
    assert!(first.body["count"].as_u64() > Some(1_000));
    assert_eq!(first.body["happened"].as_array().expect("a list").len(), 1_000);
}

#[tokio::test]
async fn what_was_asked_and_what_happened_can_be_looked_up() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    call(&bench, Method::GET, "/whoami?x=1", Some(&token), Value::Null).await;
    let given = get(&bench, &format!("{W}/requests?limit=1")).await;
    assert_eq!(
        (&given["total"], &given["requests"]),
        (
            &json!(2),
            &json!([
                { "requestId": 2, "at": given["requests"][0]["at"], "method": "GET", "path": "/whoami?x=1", "status": 200,
                  "milliseconds": given["requests"][0]["milliseconds"], "sent": null, "answered": null },
            ])
        )
    );
    bench.account(0);
    bench.account(1);
    let events = get(&bench, &format!("{W}/events")).await;
    let kinds: Vec<_> = events["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| e["event"]["eventType"].as_str().expect("a type"))
        .collect();
    assert_eq!(
        (events["total"].as_u64(), kinds),
        (Some(6), ["account.create", "cashTransaction.create", "account.update"].repeat(2))
    );
    let part = get(&bench, &format!("{W}/events?start=4&limit=1")).await;
    assert_eq!((part["events"].as_array().map(Vec::len), &part["events"][0]), (Some(1), &events["events"][4]));
    assert_eq!(get(&bench, &format!("{W}/sockets")).await, json!([]));
    assert_eq!(post(&bench, &format!("{W}/sockets/close"), json!({ "how": "drop" })).await, json!({ "closed": 0 }));
    refused(
        &bench,
        &[
            (Method::GET, "/_sandbox/worlds/world-1/events?limit=0", Value::Null, 400, "limit must be"),
            (Method::GET, "/_sandbox/worlds/world-1/events?start=x", Value::Null, 400, "start must be"),
            (Method::POST, "/_sandbox/worlds/world-1/sockets/close", json!({ "how": "politely" }), 400, "how must be"),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_is_asked_of_the_machinery_uses_no_fault_rule_up() {
    let bench = Bench::new();
    let path = format!("{W}/faults");
    let rule = json!({ "match": { "times": 1 }, "verdict": { "answer": { "status": 503 } } });
    post(&bench, &path, rule).await;
    get(&bench, &format!("{W}/clock")).await;
    let standing = get(&bench, &path).await;
    assert_eq!((&standing[0]["seen"], &standing[0]["hits"]), (&json!(0), &json!(0)));
}

#[tokio::test]
async fn fault_rules_are_added_listed_and_removed() {
    let bench = Bench::new();
    let path = format!("{W}/faults");
    let rule = json!({
        "match": { "method": "post", "path": "/v2/partner/client/*/order", "nth": 2, "probability": 0.25, "times": 3 },
        "verdict": { "answer": { "status": 503, "retryAfter": 5 } },
    });
    let added = post(&bench, &path, rule).await;
    assert_eq!(
        added,
        json!({
            "id": 1,
            "match": { "method": "POST", "path": "/v2/partner/client/*/order", "event": null, "nth": 2, "probability": added["match"]["probability"], "times": 3 },
            "verdict": { "answer": { "status": 503, "retryAfter": 5 } },
            "seen": 0,
            "hits": 0,
        })
    );
    assert_eq!(added["match"]["probability"].to_string(), "0.25");
    for verdict in [
        json!({ "delay": { "ms": 250 } }),
        json!({ "drop": "before" }),
        json!({ "drop": "after" }),
        json!({ "sockets": "stall" }),
        json!({ "sockets": "cutInFrame" }),
        json!({ "deliveries": "reorder", "ms": 20_000 }),
        json!({ "deliveries": "corruptSignature" }),
    ] {
        assert_eq!(post(&bench, &path, json!({ "match": { "nth": 9 }, "verdict": verdict })).await["verdict"], verdict);
    }
    assert_eq!(get(&bench, &path).await.as_array().map(Vec::len), Some(8));
    assert_eq!(call(&bench, Method::DELETE, &format!("{path}/1"), None, Value::Null).await.status, 200);
    assert_eq!(call(&bench, Method::DELETE, &format!("{path}/1"), None, Value::Null).await.status, 404);
    let ok = json!({ "drop": "before" });
    refused(
        &bench,
        &[
            (Method::POST, &path, json!({}), 400, "verdict is required"),
            (
                Method::POST,
                &path,
                json!({ "verdict": { "explode": true } }),
                400,
                "verdict.explode is not a known field",
            ),
            (Method::POST, &path, json!({ "verdict": { "answer": { "status": 200 } } }), 400, "status must lie"),
            (Method::POST, &path, json!({ "verdict": { "delay": { "ms": 999_999_999 } } }), 400, "ms must lie"),
            (
                Method::POST,
                &path,
                json!({ "verdict": ok, "match": { "probability": 1.5 } }),
                400,
                "probability must be",
            ),
            (Method::POST, &path, json!({ "verdict": ok, "match": { "path": "order" } }), 400, "path must begin"),
            (Method::POST, &path, json!({ "verdict": ok, "match": { "method": "no method" } }), 400, "method must be"),
            (Method::POST, &path, json!({ "verdict": ok, "match": { "nth": 0 } }), 400, "counts from 1"),
        ],
    )
    .await;
}

#[tokio::test]
async fn settings_are_shown_and_changed_one_by_one() {
    let bench = Bench::new();
    let path = format!("{W}/settings");
    let before = get(&bench, &path).await;
    assert_eq!(
        (&before["heartbeatSeconds"], &before["tokenLifeSeconds"], &before["eventsKept"]),
        (&json!(30), &json!(3600), &json!(1_000_000))
    );
    let change = json!({ "tokenLifeSeconds": 60, "strictBodies": true, "allowlist": ["127.0.0.0/8", "::1"] });
    let answer = call(&bench, Method::PATCH, &path, None, change).await;
    let mut expected = before;
    expected["tokenLifeSeconds"] = json!(60);
    expected["strictBodies"] = json!(true);
    expected["allowlist"] = json!(["127.0.0.0/8", "::1/128"]);
    assert_eq!((answer.status, &answer.body), (200, &expected));
    refused(
        &bench,
        &[
            (Method::PATCH, &path, json!({ "heartbeatSeconds": 0 }), 400, "heartbeatSeconds must lie"),
            (Method::PATCH, &path, json!({ "eventsKept": 100_000_000 }), 400, "eventsKept must lie"),
            (
                Method::PATCH,
                &path,
                json!({ "tokenLifeSeconds": 5, "allowlist": ["everyone"] }),
                400,
                "allowlist must be",
            ),
            (Method::PATCH, &path, json!({ "tokenLife": 5 }), 400, "tokenLife is not a known field"),
        ],
    )
    .await;
    assert_eq!(get(&bench, &path).await, expected);
}

#[tokio::test]
async fn settings_can_be_sent_back_as_they_are_shown_and_those_of_a_running_world_change() {
    let bench = Bench::new();
    let path = format!("{W}/settings");
    let mut expected = get(&bench, &path).await;
    let before = get(&bench, &format!("{W}/digest")).await;
    let answer = call(&bench, Method::PATCH, &path, None, expected.clone()).await;
    assert_eq!((answer.status, &answer.body), (200, &expected));
    assert_eq!(get(&bench, &format!("{W}/digest")).await, before);
    refused(
        &bench,
        &[
            (
                Method::PATCH,
                &path,
                json!({ "tokenLifeSeconds": 5, "world": { "exposeConfirmed": 1 } }),
                400,
                "world.exposeConfirmed must be",
            ),
            (
                Method::PATCH,
                &path,
                json!({ "world": { "kycYears": 0 } }),
                400,
                "world.kycYears must lie between 1 and 100",
            ),
            (Method::PATCH, &path, json!({ "world": { "x": 0 } }), 400, "world.x is not a known field"),
        ],
    )
    .await;
    let answer = call(&bench, Method::PATCH, &path, None, json!({ "world": { "kycYears": 7 } })).await;
    expected["world"]["kycYears"] = json!(7);
    assert_eq!((answer.status, &answer.body), (200, &expected));
    assert_ne!(get(&bench, &format!("{W}/digest")).await, before);
}

/// (rule: clients/client-permissions, auth/machinery-scope)
#[tokio::test]
async fn permissions_change_in_a_running_world_by_client_and_a_partner_sees_its_own_clients_only() {
    let bench = guarded();
    let path = format!("{W}/settings");
    let ask = async |token: &str, body: Value| call(&bench, Method::PATCH, &path, Some(token), body).await;
    let (own, foreign) = (bench.scope(0).client.to_string(), bench.scope(2).client.to_string());
    let (first, second) = (bench.token(0).await, bench.token(1).await);
    let all = ask("operator", json!({})).await.body;
    assert_eq!(all["permissions"].as_object().expect("by client").len(), 3);
    let seen = ask(&second, json!({})).await.body;
    assert_eq!(seen["permissions"].as_object().expect("by client").keys().collect::<Vec<_>>(), [&foreign]);
    let digest = || bench.world.read(sim::World::digest).expect("a world");
    let before = digest();
    for (token, change, problem) in [
        (&first, json!({ foreign.clone(): { "autogiro": false } }), "names no client"),
        (&first, json!({ "x": {} }), "permissions.x names no client"),
        (&first, json!({ own.clone(): { "autogiro": false, "withdraw": true } }), "withdraw is not a known field"),
        (
            &first,
            json!({ own.clone(): { "autogiro": false, "accountTypes": ["isa"] } }),
            "accountTypes[0] must be one of",
        ),
        (&first, json!({ own.clone(): null }), "must be an object"),
    ] {
        let answer = ask(token, json!({ "tokenLifeSeconds": 7, "permissions": change })).await;
        let description = answer.body["error_description"].as_str().unwrap_or_default().to_owned();
        assert_eq!((answer.status, description.contains(problem)), (400, true), "{change}: {description}");
    }
    assert_eq!((digest(), ask("operator", json!({})).await.body), (before, all.clone()), "nothing has changed");
    let less = json!({ own.clone(): { "autogiro": false, "accountTypes": ["isk"] } });
    let answer = ask(&first, json!({ "permissions": less })).await;
    let mut expected = all["permissions"][&own].clone();
    (expected["autogiro"], expected["accountTypes"]) = (json!(false), json!(["isk"]));
    assert_eq!((answer.status, &answer.body["permissions"][&own]), (200, &expected));
    assert_ne!(digest(), before);
    let client = format!("/v2/partner/client/{own}");
    let read = call(&bench, Method::GET, &client, Some(&first), Value::Null).await;
    assert_eq!(read.body["permissions"], expected);
}

/// (rule: auth/operator-token, auth/allowlist)
#[tokio::test]
async fn in_a_shared_sandbox_a_partner_hears_of_no_other_partners_timers_and_locks_nobody_out() {
    let bench = guarded();
    let (first, second) = (bench.token(0).await, bench.token(1).await);
    let may = json!({ "partnersMay": ["advance"] });
    call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), may).await;
    let account = bench.account(0);
    let order = bench.subscribe(0, account).to_string();
    let clock =
        async |token: &str| call(&bench, Method::GET, &format!("{W}/clock"), Some(token), Value::Null).await.body;
    assert_eq!(clock(&first).await["next"]["resource"], order);
    assert_eq!(
        (clock("operator").await["next"]["resource"].clone(), &clock(&second).await["next"]),
        (json!(order), &json!(null))
    );
    let advance = format!("{W}/clock/advance");
    let until = json!({ "until": "settlement", "order": order });
    let blind = call(&bench, Method::POST, &advance, Some(&second), until.clone()).await;
    let unknown = json!({ "until": "settlement", "order": "00000000-0000-4000-8000-000000000000" });
    let nothing = call(&bench, Method::POST, &advance, Some(&second), unknown).await;
    assert_eq!((blind.status, &blind.body), (400, &nothing.body), "another partner's order is one that nobody has");
    let reply = call(&bench, Method::POST, &advance, Some(&second), json!({ "by": "P1D" })).await;
    assert!(reply.status == 200 && !reply.body.to_string().contains(&order), "{:?}", reply.body);
    assert!(
        reply.body["happened"].as_array().is_some_and(|happened| !happened.is_empty()),
        "the market is everybody's"
    );
    let settings = format!("{W}/settings");
    let change = json!({ "allowlist": ["10.0.0.0/8"] });
    for (token, status) in [(second.as_str(), 403), ("operator", 200)] {
        assert_eq!(call(&bench, Method::PATCH, &settings, Some(token), change.clone()).await.status, status, "{token}");
    }
}

/// (rule: clients/client-permissions, calendar/inputs)
#[tokio::test]
async fn what_a_client_may_do_is_replayed_forked_and_restored_with_its_world() {
    let bench = Bench::new();
    let client = bench.scope(0).client.to_string();
    let may = async |world: &str| {
        let settings = get(&bench, &format!("/_sandbox/worlds/{world}/settings")).await;
        settings["permissions"][&client]["withdrawals"].as_bool()
    };
    post(&bench, &format!("{W}/snapshots"), json!({ "name": "before" })).await;
    let change = json!({ "permissions": { client.clone(): { "withdrawals": false } } });
    assert_eq!(call(&bench, Method::PATCH, &format!("{W}/settings"), None, change).await.status, 200);
    assert_eq!(may("world-1").await, Some(false));
    let log = at_once(bench.world.log().after(Position(0))).expect("the log");
    let again = replay(bench.world.identity.origin(), None, &log).expect("a world");
    assert_eq!(Ok(again.digest()), bench.world.read(sim::World::digest));
    let fork = post(&bench, &format!("{W}/fork"), json!({})).await;
    assert_eq!(may(fork["worldId"].as_str().expect("an id")).await, Some(false));
    post(&bench, &format!("{W}/snapshots/before/restore"), json!({})).await;
    assert_eq!(may("world-1").await, Some(true));
}

#[tokio::test]
async fn unknown_paths_methods_and_bodies_are_answered_in_the_error_body() {
    let bench = Bench::new();
    refused(
        &bench,
        &[
            (Method::GET, "/_sandbox/nothing", Value::Null, 404, "there is no GET /_sandbox/nothing"),
            (Method::PUT, "/_sandbox/worlds", Value::Null, 404, "there is no PUT /_sandbox/worlds"),
            (Method::GET, "/_sandbox/worlds/world-77", Value::Null, 404, "worldId names no world"),
            (Method::GET, "/_sandbox/worlds/%FF", Value::Null, 400, "path must be UTF-8"),
            (Method::POST, "/_sandbox/worlds", json!([1]), 400, "body must be an object, not an array"),
            (Method::POST, "/_sandbox/worlds", json!({ "seed": -1 }), 400, "seed must lie between 0 and"),
            (
                Method::POST,
                "/_sandbox/worlds",
                json!({ "start": "x" }),
                400,
                "start must be an RFC 3339 timestamp such as",
            ),
            (Method::POST, "/_sandbox/worlds", json!({ "clock": {} }), 400, "clock must be"),
            (Method::POST, "/_sandbox/worlds", json!({ "name": "" }), 400, "name must have"),
        ],
    )
    .await;
}

/// (rule: money/books)
#[tokio::test(start_paused = true)]
async fn the_books_sum_to_nothing_as_json_and_as_text() {
    let bench = Bench::new();
    bench.account(0);
    let books = get(&bench, &format!("{W}/books")).await;
    let opening = books["platform"].as_array().expect("a list").iter().find(|line| line["account"] == "opening");
    let opening = opening.expect("every account of the platform is there");
    assert_eq!(books["totals"]["all"]["balance"].to_string(), "0.00", "{books}");
    assert_ne!(books["totals"]["investors"]["balance"].to_string(), "0.00", "the demo accounts hold cash");
    assert_eq!(
        format!("-{}", books["totals"]["investors"]["balance"]),
        opening["balance"].to_string(),
        "and all of it is from before"
    );
    let mut request = request(Method::GET, &format!("{W}/books"), None, None);
    request.headers_mut().insert("accept", "text/plain".parse().expect("a header"));
    let text = bench.ask(request).await;
    let text = text.body.as_str().expect("text").to_owned();
    let last = text.lines().last().expect("a sheet");
    assert!(last.starts_with("all ") && last.ends_with(" 0.00"), "{text}");
}

/// (rule: money/books)
#[tokio::test(start_paused = true)]
async fn a_partner_reads_the_books_of_its_own_accounts_alone() {
    let bench = guarded();
    let opened = [bench.account(0), bench.account(2)].map(|account| format!("\"{account}\""));
    let (own, other) = (bench.token(0).await, bench.token(1).await);
    let books = |token: String| {
        let bench = &bench;
        async move {
            let answer = call(bench, Method::GET, "/_sandbox/worlds/current/books", Some(&token), Value::Null).await;
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            let lines = answer.body["investors"].as_array().expect("a list").clone();
            lines.iter().map(|line| line["account"].to_string()).collect::<Vec<_>>()
        }
    };
    let (own, other) = (books(own).await, books(other).await);
    assert_eq!([own, other], opened.map(|account| vec![account]));
}

#[tokio::test(start_paused = true)]
async fn an_account_has_a_picture_for_those_who_may_see_it() {
    let bench = guarded();
    let account = bench.account(0);
    let (own, other) = (bench.token(0).await, bench.token(1).await);
    let path = |account: &str| format!("/_sandbox/worlds/current/accounts/{account}/picture.svg");
    let ask = async |path: String, token: &str| call(&bench, Method::GET, &path, Some(token), Value::Null).await;
    let drawn = ask(path(&account.to_string()), &own).await;
    assert_eq!(drawn.status, 200, "{:?}", drawn.body);
    let policy = drawn.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && policy.ends_with("sandbox"), "{policy}");
    assert_eq!(drawn.header("x-content-type-options"), Some("nosniff"));
    let text = drawn.body.as_str().expect("text");
    // Small, so that a phone, which shrinks it little, shows words that can be read.
    assert!(text.starts_with("<svg ") && text.contains("width=\"480\" height=\"120\""), "{text}");
    assert!(text.matches("Nothing to draw yet: no day of this account is over.").count() > 1, "{text}");
    for (account, token) in [(account.to_string(), &other), ("anything".to_owned(), &own)] {
        let refused = ask(path(&account), token).await;
        assert_eq!((refused.status, &refused.body["error"]), (404, &json!("not_found")), "{account}");
    }
}

/// (rule: fees/fees-shown, fees/distribution-fee)
#[tokio::test(start_paused = true)]
async fn the_operator_sees_what_accrues_and_how_the_last_charge_came_about() {
    let bench = Bench::new();
    let account = bench.account(0);
    let path = format!("{W}/fees/{account}");
    let names = |of: &Value| of.as_object().map(|of| of.keys().cloned().collect::<Vec<_>>());
    let before = get(&bench, &path).await;
    let all =
        ["account", "at", "accruing", "charging", "refunds", "lastCharge", "isFinal", "retrocessions", "transactions"];
    assert_eq!(names(&before).as_deref(), Some(&all.map(str::to_owned)[..]));
    assert_eq!(before["accruing"]["chargedAt"], "2026-04-01T04:00:00.000Z", "{before}");
    assert_eq!((&before["accruing"]["through"], &before["lastCharge"]), (&Value::Null, &Value::Null), "{before}");
    let kinds = before["accruing"]["kinds"].as_array().expect("a list").clone();
    let kinds: Vec<_> = kinds.iter().map(|kind| kind["refType"].as_str().unwrap_or_default().to_owned()).collect();
    let order = ["insurance_tax", "insurance_fee", "riskpremia_fee", "service_fee", "partner_fee", "client_fee"];
    assert_eq!(kinds, order);
    post(&bench, &format!("{W}/clock/advance"), json!({ "to": "2026-04-01T06:00:00+02:00" })).await;
    let after = get(&bench, &path).await;
    let service = &after["lastCharge"]["kinds"][3];
    assert_eq!(
        (&after["lastCharge"]["ref"], &service["refType"]),
        (&json!("2026Q1"), &json!("service_fee")),
        "{after}"
    );
    let booked = after["transactions"].as_array().expect("a list");
    assert_eq!((booked.len(), &booked[0]["amount"]), (1, &service["amount"]), "{after}");
    refused(
        &bench,
        &[
            (Method::GET, &format!("{W}/fees/none"), Value::Null, 400, "accountId must be a UUID"),
            (
                Method::GET,
                &format!("{W}/fees/00000000-0000-4000-8000-000000000001"),
                Value::Null,
                404,
                "accountId names no account",
            ),
        ],
    )
    .await;
}

/// (rule: fees/fees-shown, fees/partner-fee)
#[tokio::test(start_paused = true)]
async fn a_partner_sees_the_fees_of_its_own_clients_alone() {
    let bench = guarded();
    let [own, other] = [bench.account(0), bench.account(2)];
    let token = bench.token(0).await;
    let read = |path: String| {
        let (bench, token) = (&bench, &token);
        async move { call(bench, Method::GET, &path, Some(token), Value::Null).await }
    };
    assert_eq!(read(format!("/_sandbox/worlds/current/fees/{own}")).await.status, 200);
    assert_eq!(read(format!("/_sandbox/worlds/current/fees/{other}")).await.status, 404);
    let all = call(&bench, Method::GET, &format!("{W}/fees"), Some("operator"), Value::Null).await;
    let mine = read("/_sandbox/worlds/current/fees".to_owned()).await;
    let count = |answer: &Answer| answer.body["clients"].as_array().map_or(0, Vec::len);
    assert!(count(&mine) > 0 && count(&mine) < count(&all), "{:?} {:?}", mine.body, all.body);
}

/// (rule: calendar/fork-names)
#[tokio::test(start_paused = true)]
async fn a_fork_is_called_one_and_says_of_which_world_and_moment() {
    let bench = Bench::new();
    post(&bench, &format!("{W}/clock/advance"), json!({ "by": "PT1H" })).await;
    post(&bench, &format!("{W}/fork"), json!({})).await;
    post(&bench, &format!("{W}/fork"), json!({ "name": "mine", "at": START })).await;
    let worlds = get(&bench, "/_sandbox/worlds").await;
    let name = worlds[0]["name"].as_str().expect("a name");
    assert_eq!(worlds[0].get("forkOf"), None, "the first is no fork");
    assert_eq!(worlds[1]["name"], format!("fork of {name}"));
    assert_eq!(worlds[1]["forkOf"]["worldId"], "world-1");
    assert_eq!(worlds[1]["forkOf"]["at"], "2026-03-02T08:00:00.000Z");
    assert_eq!((&worlds[2]["name"], &worlds[2]["forkOf"]["at"]), (&json!("mine"), &json!("2026-03-02T07:00:00.000Z")));
}

/// (rule: events/search)
#[tokio::test(start_paused = true)]
async fn events_are_found_by_their_words_newest_first_within_bounds_and_only_ones_own() {
    let bench = guarded();
    let account = bench.account(0);
    let orders: Vec<_> = (0..4).map(|_| bench.subscribe(0, account).to_string()).collect();
    let token = bench.token(0).await;
    let ask = async |token: &str, query: &str| {
        let answer = call(&bench, Method::GET, &format!("{W}/events?{query}"), Some(token), Value::Null).await;
        let events = answer.body["events"].as_array().cloned().unwrap_or_default();
        let ids: Vec<_> = events
            .iter()
            .map(|line| line["event"]["payload"]["current"]["id"].as_str().expect("an id").to_owned())
            .collect();
        (answer.status, ids, answer.body["lookedFrom"].as_u64())
    };
    assert_eq!(ask("operator", &format!("search={}", orders[1].to_uppercase())).await.1, [orders[1].clone()]);
    assert_eq!(ask("operator", "search=order.create%20subscription").await.1, orders);
    let (_, newest, from) = ask("operator", "search=order.create&limit=2").await;
    assert_eq!(newest, orders[2..]);
    let before = format!("search=order.create&before={}", from.expect("a number"));
    assert_eq!(ask("operator", &before).await.1, orders[..2]);
    assert_eq!(ask("operator", "search=order.create%20nothing-has-this").await.1, Vec::<String>::new());
    assert_eq!(ask(&token, "search=order.create").await.1, orders);
    let other = bench.token(1).await;
    assert_eq!(ask(&other, "search=order.create").await.1, Vec::<String>::new(), "another partner's are not found");
    let long = format!("search={}", "x".repeat(201));
    assert_eq!(ask("operator", &long).await.0, 400);
}
