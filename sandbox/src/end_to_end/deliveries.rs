//! A world's deliveries from end to end, in virtual time: world, queue, worker, client and a receiver in memory.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use sim::Command;

mod messages;
mod unkind;
mod webhooks;

use deliveries::notification_of;
use deliveries::signature::SigningKey;
use deliveries::signing_keys::SigningKeys;
use deliveries::testing as inbox;
use deliveries::testing::{Inbox, Reply};
use deliveries::webhooks::MOST_WEBHOOKS;
use feed::transport::TransportTime;
use sim::ids::PartnerId;
use sim::settings::Settings;
use std::sync::Arc;
use testing::{FUND, START, at};

use crate::testing::{Answer, Bench, request};
use feed::rights::Rights;
use hosting::clock::Mode;
use surface::SurfaceConfig;
use testing::Now as _;

/// The operator's token, where there is one.
const OPERATOR: &str = "operator";

/// A bench whose deliveries arrive at an inbox.
struct Post {
    bench: Bench,
    inbox: Inbox,
    /// Whose token opens the machinery.
    partner: usize,
}

impl Post {
    async fn new() -> Self {
        Self::with(SurfaceConfig::default())
    }

    /// One whose machinery is shared by its partners.
    async fn shared() -> Self {
        let operator_token = Some(hosting::secrets::Secret::new(OPERATOR));
        Self::with(SurfaceConfig { operator_token, ..SurfaceConfig::default() })
    }

    fn with(config: SurfaceConfig) -> Self {
        let inbox = Inbox::new();
        let bench = Bench::with(Mode::Frozen, SurfaceConfig { egress_client: inbox.egress_client(), ..config });
        Self { bench, inbox, partner: 0 }
    }

    /// A token made without a request, so that no fault rule sees one.
    fn token(&self) -> String {
        let (world, app) = (&self.bench.world, self.bench.surface.app());
        let partner = world.identity.credentials()[self.partner].partner;
        let rights = Rights::parse("").expect("every right");
        let issued = app.worlds.issue_token(world, partner, rights).now().expect("no journal");
        issued.expect("a token").0.to_string()
    }

    /// Asks as the operator.
    async fn operate(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let path = format!("/_sandbox/worlds/{}/{path}", self.bench.world.identity.id());
        self.bench.ask(request(method, &path, Some(OPERATOR), body.as_ref())).await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let path = format!("/_sandbox/worlds/current/{path}");
        let token = self.token();
        self.bench.ask(request(method, &path, Some(&token), body.as_ref())).await
    }

    /// Registers a webhook of the first client.
    async fn register(&self, more: Value) -> Value {
        let mut body = json!({ "client": self.bench.scope(0).client.to_string(), "url": "http://receiver.test/hook" });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let answer = self.ask(Method::POST, "webhooks", Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    async fn deliveries(&self, query: &str) -> Vec<Value> {
        let answer = self.ask(Method::GET, &format!("deliveries?{query}"), None).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body["deliveries"].as_array().expect("a list").clone()
    }

    /// One order of the first client, which makes one `order.create`.
    fn order(&self) -> sim::ids::OrderId {
        let account = self.bench.account(0);
        self.bench.subscribe(0, account)
    }
}

/// Lets whatever is due within `seconds` happen.
async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

fn callback(post: &Post, number: u128) -> sim::Callback {
    let journey = testing::journeys::journey(sim::machines::journey::State::Complete);
    let id = sim::ids::JourneyId::from_u128(number);
    let scope = post.bench.scope(0);
    let body = sim::records::Journey { id, client: scope.client, ..journey };
    let at = at(START);
    sim::Callback::of(post.bench.world.identity.origin().seed, at, &Arc::new(body))
}

/// What signs the first partner's callbacks.
fn keys(post: &Post) -> Arc<SigningKeys> {
    Arc::new(SigningKeys::new(SigningKey::clone(&post.bench.world.identity.credentials()[0].callback_key)))
}

/// Queues the callback of a journey that has ended, as `collect` does.
fn end_journey(post: &Post, number: u128) {
    let deliveries = &post.bench.world.subscribers.deliveries;
    let now = post.bench.world.transport_clock().now();
    let callback = notification_of(callback(post, number), None, keys(post), &Settings::default());
    deliveries.change(|queue| queue.add(now, callback));
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn nothing_is_delivered_without_a_registration() {
    let post = Post::new().await;
    post.order();
    pass(60).await;
    assert_eq!(post.inbox.take(), []);
    let answer = post.ask(Method::GET, "deliveries", None).await;
    let log = answer.body["log"].clone();
    let none = json!({
        "log": log, "next": "start", "total": 0, "forgotten": 0, "missed": 0, "unread": 0, "deliveries": [],
    });
    assert_eq!(answer.body, none);
    assert_eq!(post.ask(Method::GET, "webhooks", None).await.body, json!([]));
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn a_webhook_receives_later_events_signed_and_in_the_specified_shape() {
    let post = Post::new().await;
    let account = post.bench.account(0);
    post.bench.subscribe(0, account);
    let webhook = post.register(json!({ "events": ["order.*"] })).await;
    let order = post.bench.subscribe(0, account);
    let other = post.bench.account(1);
    post.bench.subscribe(1, other);
    post.bench.world.jump(at("2026-03-02T07:01:00Z"), &mut Vec::new()).now().expect("a world");
    pass(1).await;

    let events = post.ask(Method::GET, "events", None).await.body;
    let key = SigningKey::parse(webhook["secret"].as_str().expect("a secret")).expect("a key");
    let posts = post.inbox.take();
    let received: Vec<&str> = posts.iter().map(|got| got.header("event-type")).collect();
    assert_eq!(received, ["order.create", "order.update", "order.update"], "the first order's update is news too");
    let created = &posts[0];
    assert_eq!(created.json()["current"]["id"], order.to_string());
    for got in &posts {
        let id = got.header("webhook-id");
        let event = events["events"].as_array().expect("a list").iter().find(|line| line["event"]["eventId"] == id);
        assert_eq!(got.json(), event.expect("the event")["event"]["payload"]);
        let signature = key.sign(id, got.header("webhook-timestamp").parse().expect("seconds"), &got.body);
        assert_eq!(got.header("webhook-signature"), signature);
        assert_eq!((got.path.as_str(), got.header("content-type")), ("/hook", "application/json"));
    }
    // 2026-03-02T07:00:00Z, by transport time, whatever the world's clock shows.
    assert_eq!(created.header("webhook-timestamp"), "1772434800");
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_is_down_for_an_hour_gets_every_callback_once_and_the_log_lists_the_attempts() {
    let post = Post::new().await;
    post.inbox.answer(Reply::Status(503));
    end_journey(&post, 1);
    pass(3_600).await;
    let seconds: Vec<u64> = post.inbox.take().iter().map(|got| got.second).collect();
    assert_eq!(seconds, [0, 10, 40, 100, 400, 1_300]);
    let rows = post.deliveries("status=queued").await;
    assert_eq!(
        (rows[0]["attemptsMade"].clone(), rows[0]["nextAttempt"].clone()),
        (json!(6), json!("2026-03-02T08:21:40.000Z"))
    );

    post.inbox.answer(Reply::Status(200));
    pass(3_600).await;
    let posts = post.inbox.take();
    assert_eq!(posts.iter().map(|got| got.second).collect::<Vec<_>>(), [4_900]);
    let row = &post.deliveries("").await[0];
    assert_eq!((row["status"].clone(), row["attemptsMade"].clone()), (json!("delivered"), json!(7)));
    assert_eq!(
        row["attempts"][0],
        json!({
            "at": "2026-03-02T07:00:00.000Z", "tookMs": 0, "status": 503, "error": null, "errorDescription": null
        })
    );
    assert_eq!(row["body"], posts[0].json());
    assert_eq!((row["eventType"].clone(), row["webhook"].clone()), (json!("journey.callback"), Value::Null));
    pass(200_000).await;
    assert_eq!(post.inbox.take(), []);
}

#[tokio::test(start_paused = true)]
async fn every_attempt_of_a_callback_shares_its_id_and_is_signed_for_its_own_moment() {
    let post = Post::new().await;
    post.inbox.answer_next([Reply::Status(500), Reply::Silence, Reply::Status(307)]);
    end_journey(&post, 1);
    pass(3_600).await;
    let posts = post.inbox.take();
    assert_eq!(posts.iter().map(|got| got.second).collect::<Vec<_>>(), [0, 10, 50, 110], "silence costs ten seconds");
    let key = &post.bench.world.identity.credentials()[0].callback_key;
    for got in &posts {
        assert_eq!(got.header("webhook-id"), callback(&post, 1).id.to_string());
        let at = 1_772_434_800 + got.second;
        assert_eq!(got.header("webhook-timestamp"), at.to_string());
        assert_eq!(got.header("webhook-signature"), key.sign(got.header("webhook-id"), at, &got.body));
        assert_eq!((got.header("event-type"), &got.body), ("journey.callback", &posts[0].body));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_a_delivery_and_a_replay_begins_it_anew() {
    let post = Post::new().await;
    post.inbox.answer_next([Reply::Status(400)]);
    end_journey(&post, 1);
    pass(100_000).await;
    assert_eq!(post.inbox.take().len(), 1);
    let row = post.deliveries("status=refused").await[0].clone();
    let path = format!("deliveries/{}/replay", row["id"].as_str().expect("an id"));
    let answer = post.ask(Method::POST, &path, None).await;
    assert_eq!((answer.status, answer.body["status"].clone()), (200, json!("queued")));
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1);
    assert_eq!(post.deliveries("status=delivered").await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_hangs_holds_up_no_other() {
    let post = Post::new().await;
    post.inbox.answer_at("/slow", Reply::Silence);
    post.register(json!({ "url": "http://hanging.test/slow", "events": ["order.create"] })).await;
    post.register(json!({ "url": "http://receiver.test/fast", "events": ["order.create"] })).await;
    for _ in 0..20 {
        post.order();
    }
    pass(1).await;
    let of = |posts: &[inbox::Post], path: &str| posts.iter().filter(|got| got.path == path).count();
    let first = post.inbox.take();
    assert_eq!(of(&first, "/slow"), 4, "attempts at one receiver are bounded");
    assert_eq!(of(&first, "/fast"), 20, "and the others do not wait for it");
}

#[tokio::test(start_paused = true)]
async fn rules_let_deliveries_fail_or_be_refused_without_an_attempt() {
    let post = Post::new().await;
    let rule = json!({ "match": { "path": "/callback", "times": 1 }, "verdict": { "deliveries": "fail" } });
    assert_eq!(post.ask(Method::POST, "faults", Some(rule.clone())).await.body["verdict"], rule["verdict"]);
    end_journey(&post, 1);
    pass(60).await;
    assert_eq!(post.inbox.take().iter().map(|got| got.second).collect::<Vec<_>>(), [10]);
    let rule = json!({ "verdict": { "deliveries": "refuse" } });
    post.ask(Method::POST, "faults", Some(rule)).await;
    end_journey(&post, 2);
    pass(60).await;
    assert_eq!(post.inbox.take(), []);
    let rows = post.deliveries("").await;
    assert_eq!(rows.iter().map(|row| row["status"].clone()).collect::<Vec<_>>(), ["refused", "delivered"]);
    assert_eq!(rows[1]["attempts"][0]["error"], "fault");
}

#[tokio::test(start_paused = true)]
async fn with_virtual_transport_retries_go_by_the_worlds_clock() {
    let post = Post::new().await;
    let settings = post.ask(Method::PATCH, "settings", Some(json!({ "virtualTransport": true }))).await;
    assert_eq!(settings.status, 200);
    post.inbox.answer_next([Reply::Status(500)]);
    let world = &post.bench.world;
    world.subscribers.deliveries.change(|queue| {
        let now = TransportTime(at(START).ms().unsigned_abs());
        queue.add(now, notification_of(callback(&post, 1), None, keys(&post), &Settings::default()));
    });
    pass(100_000).await;
    assert_eq!(post.inbox.take().len(), 1, "the world's clock stands still");
    world.jump(at("2026-03-02T07:00:09Z"), &mut Vec::new()).now().expect("a world");
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 0);
    world.jump(at("2026-03-02T07:00:10Z"), &mut Vec::new()).now().expect("a world");
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_waits_between_attempts_are_a_setting() {
    let post = Post::new().await;
    let usual = post.ask(Method::GET, "settings", None).await.body;
    assert_eq!(usual["deliveryWaitsSeconds"], json!([10, 30, 60, 300, 900, 3_600, 21_600, 86_400]));
    let short = json!({ "deliveryWaitsSeconds": [1, 2] });
    assert_eq!(post.ask(Method::PATCH, "settings", Some(short)).await.status, 200);
    for wrong in [json!([0]), json!([-1]), json!(vec![1; 101]), json!(5)] {
        let answer = post.ask(Method::PATCH, "settings", Some(json!({ "deliveryWaitsSeconds": wrong }))).await;
        assert_eq!(answer.status, 400, "{wrong}");
    }
    post.inbox.answer(Reply::Status(503));
    end_journey(&post, 1);
    pass(100).await;
    assert_eq!(post.inbox.take().iter().map(|got| got.second).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(post.deliveries("").await[0]["status"], "deadLetter");
}

/// (rule: events/deliveries-and-resets)
#[tokio::test(start_paused = true)]
async fn a_world_that_is_put_back_forgets_its_deliveries_and_keeps_its_webhooks() {
    let post = Post::new().await;
    post.register(json!({ "events": ["order.create"] })).await;
    post.inbox.answer(Reply::Status(503));
    end_journey(&post, 1);
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 2);
    assert_eq!(post.ask(Method::POST, "reset", None).await.status, 200);
    assert_eq!(post.deliveries("").await, [] as [Value; 0]);
    pass(3_600).await;
    assert_eq!(post.inbox.take(), []);
    post.inbox.answer(Reply::Status(200));
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn queued_deliveries_of_a_dropped_world_are_dropped() {
    let post = Post::new().await;
    post.inbox.answer(Reply::Status(503));
    end_journey(&post, 1);
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1);
    let id = post.bench.world.identity.id();
    assert!(post.bench.surface.app().worlds.remove(id).now().expect("no journal"));
    pass(200_000).await;
    assert_eq!(post.inbox.take(), []);
}

#[tokio::test(start_paused = true)]
async fn a_partner_sees_and_replays_only_what_concerns_its_own_clients() {
    let mut post = Post::new().await;
    let webhook = post.register(json!({})).await;
    end_journey(&post, 1);
    pass(1).await;
    let id = post.deliveries("").await[0]["id"].as_str().expect("an id").to_owned();
    post.partner = 1;
    assert_eq!(post.deliveries("").await, [] as [Value; 0]);
    assert_eq!(post.ask(Method::POST, &format!("deliveries/{id}/replay"), None).await.status, 404);
    assert_eq!(post.ask(Method::GET, "webhooks", None).await.body, json!([]));
    let path = format!("webhooks/{}", webhook["id"].as_str().expect("an id"));
    assert_eq!(post.ask(Method::DELETE, &path, None).await.status, 404);
    let body = json!({ "client": post.bench.scope(0).client.to_string(), "url": "http://receiver.test/" });
    assert_eq!(post.ask(Method::POST, "webhooks", Some(body)).await.status, 400);
    post.partner = 0;
    let ended = post.ask(Method::DELETE, &path, None).await.body;
    assert_eq!((&ended["id"], &ended["secret"]), (&webhook["id"], &json!("whsec_...")));
    assert_eq!(post.ask(Method::DELETE, &path, None).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_webhook_is_refused_with_its_field_named() {
    let post = Post::new().await;
    let client = post.bench.scope(0).client.to_string();
    let url = "http://receiver.test/";
    let long = format!("http://receiver.test/{}", "x".repeat(2_048));
    let rows = [
        (json!({}), "client"),
        (json!({ "client": "x", "url": url }), "client"),
        (json!({ "client": "00000000-0000-4000-8000-000000000000", "url": url }), "client"),
        (json!({ "client": client }), "url"),
        (json!({ "client": client, "url": "ftp://receiver.test/" }), "url"),
        (json!({ "client": client, "url": "receiver.test" }), "url"),
        (json!({ "client": client, "url": "http://" }), "url"),
        (json!({ "client": client, "url": long }), "url"),
        (json!({ "client": client, "url": url, "secret": "whsec_abc" }), "secret"),
        (json!({ "client": client, "url": url, "events": [] }), "events"),
        (json!({ "client": client, "url": url, "events": ["order.created"] }), "events"),
        (json!({ "client": client, "url": url, "events": ["*.create"] }), "events"),
        (json!({ "client": client, "url": url, "filter": [] }), "filter"),
    ];
    for (body, field) in rows {
        let answer = post.ask(Method::POST, "webhooks", Some(body.clone())).await;
        let text = answer.body["error_description"].as_str().expect("a description");
        assert_eq!((answer.status, text.contains(field)), (400, true), "{body}: {text}");
    }
    for query in ["status=lost", "resource=x", "webhook=x", "limit=0"] {
        assert_eq!(post.ask(Method::GET, &format!("deliveries?{query}"), None).await.status, 400, "{query}");
    }
    assert_eq!(post.ask(Method::POST, "deliveries/x/replay", None).await.status, 404);
    assert_eq!(post.ask(Method::GET, "webhooks", None).await.body, json!([]));
}

/// All that a receiver of bad habits gets in a run.
fn run() -> Vec<inbox::Post> {
    let thread = std::thread::spawn(|| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            let post = Post::new().await;
            post.register(json!({})).await;
            post.register(json!({ "url": "http://receiver.test/other", "events": ["order.*"] })).await;
            let habits = [500, 200, 503, 200, 404, 200, 200].map(Reply::Status);
            post.inbox.answer_next(habits.into_iter().cycle().take(70).chain([Reply::Silence; 5]));
            for number in 0..10 {
                end_journey(&post, number);
                let order = post.order();
                if number % 3 == 0 {
                    let cancel = Command::CancelOrder { scope: post.bench.scope(0), order };
                    post.bench.world.submit(cancel, |_, _| ()).now().expect("canceled");
                }
                pass(3).await;
            }
            pass(200_000).await;
            post.inbox.take()
        })
    });
    thread.join().expect("the run ends")
}

#[test]
fn one_seed_delivers_the_same_events_at_the_same_moments_in_the_same_order() {
    let first = run();
    assert!(first.len() > 100, "{}", first.len());
    assert_eq!(first, run());
}

/// A journey of a demo world's first client that opens an ISK; its id and whose it is.
fn journey(world: &hosting::worlds::WorldHandle) -> (sim::ids::JourneyId, PartnerId) {
    use sim::records::{AccountType, Category, Configuration, JourneyType, ServiceType};
    let scope = |world: &sim::World| {
        let client = sim::query::clients(world).next().expect("a client");
        sim::command::Scope { partner: client.partner, client: client.id }
    };
    let scope = world.read(scope).expect("a world");
    let configuration = Configuration {
        account_types: Some(vec![AccountType::Isk]),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        ..Configuration::empty(JourneyType::CreateAccount)
    };
    let create = sim::command::CreateJourney {
        scope,
        configuration,
        callback_url: "http://receiver.test/callback?a=1".into(),
        redirect_url: None,
        completion_redirect_url: None,
        partner_data: Some("c2NvcGU=".into()),
    };
    match world.submit(Command::CreateJourney(Box::new(create)), |_, reply| reply).now().expect("a journey") {
        sim::Reply::Journey(journey) => (journey.id, scope.partner),
        other => panic!("not a journey: {other:?}"),
    }
}

/// (rule: events/callbacks)
#[tokio::test(start_paused = true)]
async fn a_journey_calls_back_once_when_it_is_canceled_fails_or_completes_and_never_otherwise() {
    use sim::records::ErrorCode;
    let post = Post::new().await;
    let origin = hosting::worlds::WorldOrigin {
        setup: Arc::new(hosting::setup::demo()),
        ..post.bench.world.identity.origin().clone()
    };
    let new = hosting::worlds::NewWorld { origin, ..crate::testing::new_world(Mode::Frozen) };
    let world = post.bench.surface.app().worlds.make(new).now().expect("a demo world");
    let levers = [
        ("completed", Some(("complete", Value::Null))),
        ("canceled", Some(("canceled", json!("USER_ERROR")))),
        ("failed", Some(("error", json!("KYC_ERROR")))),
        ("expired", None),
        ("opened", None),
    ];
    for (lever, received) in levers {
        let (journey, partner) = journey(&world);
        let command = match lever {
            "completed" => Command::CompleteJourney { partner, journey, answers: Vec::new() },
            "canceled" => Command::CancelJourney { partner, journey, context: None },
            "failed" => Command::FailJourney { partner, journey, code: ErrorCode::Kyc, context: None },
            "expired" => Command::ExpireJourney { partner, journey },
            _ => Command::OpenJourney { journey, partner: Some(partner) },
        };
        world.submit(command, |_, _| ()).now().expect("a lever that may be pulled");
        // Long enough for approvals, account checks and whatever else touches the journey's result later on.
        pass(60).await;
        let later = world.last_now().plus(sim::time::Millis::days(10));
        while !world.jump(later, &mut Vec::new()).now().expect("a world") {}
        pass(200_000).await;
        let posts = post.inbox.take();
        let bodies: Vec<Value> = posts.iter().map(inbox::Post::json).collect();
        let heads: Vec<_> = bodies.iter().map(|body| (&body["id"], &body["status"], &body["error"]["code"])).collect();
        match &received {
            None => assert_eq!(heads, [], "{lever}"),
            Some((status, code)) => assert_eq!(heads, [(&json!(journey.to_string()), &json!(status), code)], "{lever}"),
        }
        for body in &bodies {
            assert_eq!(body["scope"], "c2NvcGU=");
            assert_eq!(body["result"].is_object(), lever == "completed", "{body}");
            assert_eq!(body.get("error").is_some(), lever != "completed", "{body}");
        }
        let key = SigningKey::parse(&world.identity.credentials()[0].callback_key.reveal()).expect("a key");
        for got in &posts {
            let signature = key.sign(
                got.header("webhook-id"),
                got.header("webhook-timestamp").parse().expect("seconds"),
                &got.body,
            );
            assert_eq!((got.header("webhook-signature"), got.path.as_str()), (signature.as_str(), "/callback"));
        }
    }
}
