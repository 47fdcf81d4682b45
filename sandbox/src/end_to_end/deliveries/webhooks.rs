//! The life of a registration: another secret, a test, 410, the pause a receiver asks for, and all once more.

use super::*;

/// Which of `keys` have signed a post.
fn signers(got: &inbox::Post, keys: &[&str]) -> Vec<bool> {
    let at = got.header("webhook-timestamp").parse().expect("seconds");
    let signatures: Vec<&str> = got.header("webhook-signature").split(' ').collect();
    let by = |key: &&str| {
        let key = SigningKey::parse(key).expect("a key");
        signatures.contains(&key.sign(got.header("webhook-id"), at, &got.body).as_str())
    };
    keys.iter().map(by).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// (rule: events/secret-rotation)
#[tokio::test(start_paused = true)]
async fn both_secrets_sign_for_the_overlap_and_a_replay_signs_with_those_of_its_own_moment() {
    let post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    let path = format!("webhooks/{}/rotate", text(&hook["id"]));
    post.order();
    pass(1).await;
    let rotated = post.ask(Method::POST, &path, Some(json!({ "overlapSeconds": 60 }))).await.body;
    assert_eq!(rotated["previousSecretUntil"], "2026-03-02T07:01:01.000Z");
    let keys = [text(&hook["secret"]), text(&rotated["secret"])];
    assert_ne!(keys[0], keys[1]);
    post.order();
    pass(61).await;
    post.order();
    pass(1).await;
    let delivery = post.deliveries("").await.pop().expect("the first");
    post.ask(Method::POST, &format!("deliveries/{}/replay", text(&delivery["id"])), None).await;
    pass(1).await;
    let signed: Vec<_> = post.inbox.take().iter().map(|got| signers(got, &keys)).collect();
    assert_eq!(signed, [vec![true, false], vec![true, true], vec![false, true], vec![false, true]]);

    let given = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    let rotated = post.ask(Method::POST, &path, Some(json!({ "secret": given, "overlapSeconds": 0 }))).await.body;
    assert_eq!((&rotated["secret"], &rotated["previousSecretUntil"]), (&json!(given), &Value::Null));
    for wrong in [json!({ "secret": "whsec_x" }), json!({ "overlapSeconds": 99_999_999 })] {
        assert_eq!(post.ask(Method::POST, &path, Some(wrong.clone())).await.status, 400, "{wrong}");
    }
    post.order();
    pass(1).await;
    assert_eq!(signers(&post.inbox.take()[0], &[keys[1], given]), [false, true]);
}

/// (rule: events/webhook-gone)
#[tokio::test(start_paused = true)]
async fn a_webhook_that_answers_410_receives_nothing_until_it_is_enabled_and_the_gap_can_be_replayed() {
    let post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    let path = format!("webhooks/{}", text(&hook["id"]));
    assert_eq!((&hook["enabled"], &hook["disabledSince"]), (&json!(true), &Value::Null));
    post.inbox.answer(Reply::Status(410));
    post.order();
    pass(1).await;
    post.order();
    pass(3_600).await;
    assert_eq!(post.inbox.take().len(), 1, "410 is the end");
    let shown = post.ask(Method::GET, "webhooks", None).await.body[0].clone();
    assert_eq!((&shown["enabled"], &shown["disabledSince"]), (&json!(false), &json!("2026-03-02T07:00:00.000Z")));
    assert_eq!(post.deliveries("status=deadLetter").await.len(), 1);

    post.inbox.answer(Reply::Status(200));
    let enabled = post.ask(Method::PATCH, &path, Some(json!({ "enabled": true }))).await;
    assert_eq!((enabled.status, &enabled.body["enabled"]), (200, &json!(true)));
    pass(3_600).await;
    assert_eq!(post.inbox.take().len(), 0, "what it has missed is sent only when it is asked for");
    let since = json!({ "since": START });
    let replayed = post.ask(Method::POST, &format!("{path}/replay"), Some(since)).await.body;
    assert_eq!(replayed, json!({ "events": 2, "rest": null, "cut": false }));
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 2);
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_replay_since_an_instant_sends_all_events_in_order_also_those_before_the_registration() {
    let post = Post::new().await;
    let account = post.bench.account(0);
    let order = post.bench.subscribe(0, account);
    let hook = post.register(json!({ "events": ["order.*"] })).await;
    post.bench.world.jump(at("2026-03-02T07:01:00Z"), &mut Vec::new()).now().expect("a world");
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1, "its update is news");
    let path = format!("webhooks/{}/replay", text(&hook["id"]));
    for (since, kinds) in [
        (START, vec!["order.create", "order.update"]),
        ("2026-03-02T07:00:01Z", vec!["order.update"]),
        ("2026-03-02T08:00:00Z", vec![]),
    ] {
        let replayed = post.ask(Method::POST, &path, Some(json!({ "since": since }))).await.body;
        assert_eq!(replayed["events"], json!(kinds.len()), "{since}");
        pass(1).await;
        let posts = post.inbox.take();
        assert_eq!(posts.iter().map(|got| got.header("event-type")).collect::<Vec<_>>(), kinds, "{since}");
        assert!(posts.iter().all(|got| got.json()["current"]["id"] == order.to_string()));
    }
    assert_eq!(post.ask(Method::POST, &path, Some(json!({}))).await.status, 400);
}

#[tokio::test(start_paused = true)]
async fn a_receiver_is_left_alone_for_as_long_as_it_asks() {
    let post = Post::new().await;
    // In seconds, as a date, shorter than the usual wait, and not readable.
    let date = "Mon, 02 Mar 2026 07:10:00 GMT";
    let replies = [(503, "120"), (429, date), (503, "1"), (503, "soon")];
    post.inbox.answer_next(replies.map(|(status, wait)| Reply::After(status, wait)));
    end_journey(&post, 1);
    pass(3_600).await;
    let seconds: Vec<u64> = post.inbox.take().iter().map(|got| got.second).collect();
    assert_eq!(seconds, [0, 120, 600, 660, 960]);
    let row = post.deliveries("").await.remove(0);
    let waits: Vec<&Value> = row["attempts"].as_array().expect("a list").iter().map(|one| &one["retryAfter"]).collect();
    assert_eq!(waits, [&json!(120), &json!(480), &json!(1), &Value::Null, &Value::Null]);
}

#[tokio::test(start_paused = true)]
async fn a_test_message_shows_its_owner_that_a_webhook_works() {
    let mut post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    let path = format!("webhooks/{}", text(&hook["id"]));
    let queued = post.ask(Method::POST, &format!("{path}/test"), None).await.body;
    assert_eq!((&queued["status"], &queued["eventType"]), (&json!("queued"), &json!("webhook.test")));
    pass(1).await;
    let posts = post.inbox.take();
    assert_eq!(posts.len(), 1);
    assert_eq!((posts[0].header("event-type"), &posts[0].json()["current"]["webhook"]), ("webhook.test", &hook["id"]));
    assert_eq!(signers(&posts[0], &[text(&hook["secret"])]), [true]);

    let moved = json!({ "url": "http://receiver.test/new", "events": ["*"] });
    assert_eq!(post.ask(Method::PATCH, &path, Some(moved)).await.body["url"], "http://receiver.test/new");
    post.order();
    pass(1).await;
    let received: Vec<_> = post.inbox.take().iter().map(|got| got.path.clone()).collect();
    assert_eq!(received, ["/new"; 4]);
    assert_eq!(post.ask(Method::PATCH, &path, Some(json!({ "url": "ftp://x/" }))).await.status, 400);

    post.partner = 1;
    let ways = [(Method::PATCH, ""), (Method::POST, "/rotate"), (Method::POST, "/test"), (Method::POST, "/replay")];
    for (method, way) in ways {
        let body = json!({ "since": START });
        let body = (way == "/replay").then_some(body);
        let answer = post.ask(method, &format!("{path}{way}"), body).await;
        assert_eq!(answer.status, 404, "{way}: another partner's webhook is nobody's");
    }
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn after_a_webhook_has_moved_retries_and_replays_go_to_its_new_address() {
    let post = Post::new().await;
    let hook = post.register(json!({ "url": "http://receiver.test/old", "events": ["order.create"] })).await;
    let path = format!("webhooks/{}", text(&hook["id"]));
    post.order();
    pass(1).await;
    let first = post.deliveries("").await.remove(0);
    post.inbox.answer_at("/old", Reply::Status(500));
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().iter().map(|got| got.path.as_str()).collect::<Vec<_>>(), ["/old", "/old"]);

    let moved = json!({ "url": "http://receiver.test/new" });
    assert_eq!(post.ask(Method::PATCH, &path, Some(moved)).await.status, 200);
    pass(60).await;
    post.ask(Method::POST, &format!("deliveries/{}/replay", text(&first["id"])), None).await;
    pass(1).await;
    let since = json!({ "since": START });
    post.ask(Method::POST, &format!("{path}/replay"), Some(since)).await;
    pass(1).await;
    let came: Vec<_> = post.inbox.take().iter().map(|got| got.path.clone()).collect();
    assert_eq!(came, ["/new"; 4], "the retry, the replay of one, and of both");
    let urls = post.deliveries("").await.iter().all(|row| row["url"] == "http://receiver.test/new");
    assert!(urls);
}

/// (rule: events/webhook-gone)
#[tokio::test(start_paused = true)]
async fn a_410_from_where_a_webhook_no_longer_is_does_not_disable_it() {
    let moved = json!({ "url": "http://receiver.test/new" });
    for (change, is_enabled) in [(json!({ "events": ["*"] }), false), (json!({ "enabled": true }), true), (moved, true)]
    {
        let post = Post::new().await;
        let hook = post.register(json!({ "events": ["order.create"] })).await;
        post.inbox.answer_next([Reply::Late(410, 5)]);
        post.order();
        pass(1).await;
        let path = format!("webhooks/{}", text(&hook["id"]));
        assert_eq!(post.ask(Method::PATCH, &path, Some(change.clone())).await.status, 200);
        pass(60).await;
        assert_eq!(post.ask(Method::GET, &path, None).await.body["enabled"], is_enabled, "{change}");
        let received = post.inbox.take().len();
        assert_eq!(received, if is_enabled { 2 } else { 1 }, "{change}: it is tried again");
    }
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn a_removed_webhook_is_not_replayed() {
    let post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    post.order();
    pass(1).await;
    let delivery = post.deliveries("").await.remove(0);
    assert_eq!(post.ask(Method::DELETE, &format!("webhooks/{}", text(&hook["id"])), None).await.status, 200);
    let answer = post.ask(Method::POST, &format!("deliveries/{}/replay", text(&delivery["id"])), None).await;
    assert_eq!((answer.status, &answer.body["error"]), (409, &json!("conflict")));
    pass(60).await;
    assert_eq!(post.inbox.take().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn sending_a_test_changes_nothing_about_the_webhooks_that_come() {
    let mut ids = Vec::new();
    for tests in 0..2 {
        let post = Post::new().await;
        let hook = post.register(json!({})).await;
        for _ in 0..tests {
            post.ask(Method::POST, &format!("webhooks/{}/test", text(&hook["id"])), None).await;
        }
        let next = post.register(json!({})).await;
        ids.push((next["id"].clone(), next["secret"].clone()));
    }
    assert_eq!(ids[0], ids[1]);
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn a_webhook_and_a_delivery_are_read_one_by_one_and_found_by_what_the_receiver_has_seen() {
    let post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create", "order.*", "order.create"] })).await;
    assert_eq!(hook["events"], json!(["order.create", "order.update", "order.delete"]), "each once");
    let path = format!("webhooks/{}", text(&hook["id"]));
    let read = post.ask(Method::GET, &path, None).await.body;
    assert_eq!((&read["id"], &read["events"]), (&hook["id"], &hook["events"]));
    post.order();
    post.order();
    pass(1).await;
    let got = post.inbox.take();
    let found = post.deliveries(&format!("webhookId={}", got[1].header("webhook-id"))).await;
    assert_eq!((found.len(), &found[0]["webhookId"]), (1, &json!(got[1].header("webhook-id"))));
    let read = post.ask(Method::GET, &format!("deliveries/{}", text(&found[0]["id"])), None).await;
    assert_eq!((read.status, &read.body), (200, &found[0]));
    assert_eq!(post.ask(Method::GET, &format!("deliveries/{}", text(&hook["id"])), None).await.status, 404);

    let all = post.ask(Method::PATCH, &path, Some(json!({ "events": null }))).await.body;
    assert_eq!(all["events"], Value::Null, "null means all");
    let same = post.ask(Method::PATCH, &path, Some(json!({ "enabled": true }))).await.body;
    assert_eq!(same["events"], Value::Null, "and what is left out stays");
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn one_webhook_too_many_is_a_conflict() {
    let post = Post::new().await;
    for _ in 0..MOST_WEBHOOKS {
        post.register(json!({})).await;
    }
    let body = json!({ "client": post.bench.scope(0).client.to_string(), "url": "http://receiver.test/hook" });
    let answer = post.ask(Method::POST, "webhooks", Some(body)).await;
    assert_eq!((answer.status, &answer.body["error"]), (409, &json!("conflict")));
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn an_event_of_every_client_is_delivered_to_each_and_seen_by_its_own_partner_alone() {
    let mut post = Post::shared().await;
    for (partner, client) in [(0, 0), (1, 2)] {
        post.partner = partner;
        let client = post.bench.scope(client).client.to_string();
        let body = json!({ "client": client, "url": format!("http://receiver.test/{partner}"), "events": ["instrument.reloaded"] });
        assert_eq!(post.ask(Method::POST, "webhooks", Some(body)).await.status, 200);
    }
    let instrument = sim::identity::InstrumentId::parse(FUND).expect("a fund");
    let set = sim::command::SetTrading { instrument, is_buyable: Some(false), is_sellable: None, is_tradable: None };
    post.bench.world.submit(Command::SetTrading(set), |_, _| ()).now().expect("trading changes");
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 2);
    for (partner, client) in [(0, 0), (1, 2)] {
        post.partner = partner;
        let rows = post.deliveries("").await;
        let own = post.bench.scope(client).client.to_string();
        let url = format!("http://receiver.test/{partner}");
        assert!(!rows.is_empty() && rows.iter().all(|row| row["client"] == own && row["url"] == url), "{rows:?}");
        let why = post.ask(Method::GET, &format!("why/{}", text(&rows[0]["webhookId"])), None).await.body.to_string();
        assert!(why.contains(&url) && !why.contains(&format!("http://receiver.test/{}", 1 - partner)), "{why}");
        post.partner = 1 - partner;
        let path = format!("deliveries/{}", text(&rows[0]["id"]));
        assert_eq!(post.ask(Method::GET, &path, None).await.status, 404);
        assert_eq!(post.ask(Method::POST, &format!("{path}/replay"), None).await.status, 404);
    }
}

/// (rule: events/webhooks)
#[tokio::test(start_paused = true)]
async fn a_replay_begins_at_the_event_that_it_names() {
    let post = Post::new().await;
    let account = post.bench.account(0);
    for _ in 0..3 {
        post.bench.subscribe(0, account);
    }
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    let path = format!("webhooks/{}/replay", text(&hook["id"]));
    let mut received = Vec::new();
    for from in 0..post.bench.world.subscribers.feed.log().end().0 {
        let body = json!({ "since": START, "from": from });
        received.push(post.ask(Method::POST, &path, Some(body)).await.body["events"].as_u64().expect("a number"));
    }
    assert!(received.is_sorted_by(|a, b| a >= b), "{received:?}");
    received.dedup();
    assert_eq!(received, [3, 2, 1]);
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn attempts_by_their_outcome_and_what_a_rule_does_to_them_are_what_a_partner_has_met() {
    let post = Post::new().await;
    post.register(json!({ "events": ["order.create"] })).await;
    post.inbox.answer_next([Reply::Status(503), Reply::Status(204), Reply::Status(400), Reply::Status(204)]);
    post.order();
    pass(60).await;
    post.order();
    pass(60).await;
    let rule = json!({ "match": { "times": 1 }, "verdict": { "deliveries": "duplicate" } });
    assert_eq!(post.ask(Method::POST, "faults", Some(rule)).await.status, 200);
    post.order();
    pass(60).await;
    let rule = json!({ "match": { "times": 1 }, "verdict": { "deliveries": "drop" } });
    assert_eq!(post.ask(Method::POST, "faults", Some(rule)).await.status, 200);
    post.order();
    pass(60).await;
    let coverage = post.ask(Method::GET, "coverage", None).await.body;
    let met = |name: &str| {
        let groups = coverage["groups"].as_array().expect("groups").iter();
        let rows =
            groups.filter(|group| group["name"] == name).flat_map(|group| group["met"].as_array().expect("rows"));
        rows.map(|row| (text(&row["what"]).to_owned(), row["count"].as_u64().expect("a count"))).collect::<Vec<_>>()
    };
    let expected = [
        ("received", 2),
        ("received after a failure", 1),
        ("refused", 1),
        ("failed", 1),
        ("duplicate", 1),
        ("drop", 1),
    ];
    assert_eq!(met("deliveries"), expected.map(|(what, count)| (what.to_owned(), count)));
    assert_eq!(met("events"), [("order.create".to_owned(), 4)], "what was dropped was not sent");
}
