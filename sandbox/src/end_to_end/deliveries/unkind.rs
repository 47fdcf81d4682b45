//! Fault rules about deliveries, from end to end (rule: events/fault-rules).

use super::*;

async fn rule(post: &Post, on: Value, verdict: Value) {
    let rule = json!({ "match": on, "verdict": verdict });
    let added = post.ask(Method::POST, "faults", Some(rule.clone())).await;
    assert_eq!((added.status, &added.body["verdict"]), (200, &rule["verdict"]), "{}", added.body);
}

fn seconds(posts: &[inbox::Post]) -> Vec<u64> {
    posts.iter().map(|got| got.second).collect()
}

#[tokio::test(start_paused = true)]
async fn a_delivery_comes_twice_late_or_not_at_all_and_the_log_says_why() {
    let rows = [
        (json!({ "deliveries": "duplicate" }), vec![0, 0], "delivered", json!("duplicate")),
        (json!({ "deliveries": "drop" }), vec![], "delivered", json!("drop")),
        (json!({ "deliveries": "fail" }), vec![10], "delivered", json!("fail")),
        (json!({ "deliveries": "refuse" }), vec![], "refused", json!("refuse")),
        (json!({ "deliveries": "delay", "ms": 7_000 }), vec![7], "delivered", Value::Null),
        (json!({ "deliveries": "reorder", "ms": 8_000 }), vec![8], "delivered", Value::Null),
    ];
    for (verdict, came, status, fault) in rows {
        let post = Post::new().await;
        rule(&post, json!({ "times": 1 }), verdict.clone()).await;
        end_journey(&post, 1);
        pass(60).await;
        assert_eq!(seconds(&post.inbox.take()), came, "{verdict}");
        let row = &post.deliveries("").await[0];
        let attempt = &row["attempts"][0];
        assert_eq!((&row["status"], &attempt["fault"]), (&json!(status), &fault), "{verdict}");
        let late = verdict["ms"].as_u64().map(|ms| json!({ "by": verdict["deliveries"], "ms": ms }));
        assert_eq!((attempt.get("putOff").cloned(), row.get("putOff")), (late, None), "{verdict}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_delayed_keeps_its_place_and_what_is_reordered_is_overtaken() {
    for (word, order) in [("delay", [1, 2, 3]), ("reorder", [2, 3, 1])] {
        let post = Post::new().await;
        post.register(json!({ "events": ["order.*"] })).await;
        rule(&post, json!({ "event": "order.create", "times": 1 }), json!({ "deliveries": word, "ms": 2_000 })).await;
        let order_id = post.order();
        let cancel = Command::CancelOrder { scope: post.bench.scope(0), order: order_id };
        post.bench.world.jump(at("2026-03-02T07:01:00Z"), &mut Vec::new()).now().expect("a world");
        post.bench.world.submit(cancel, |_, _| ()).now().expect("canceled");
        pass(60).await;
        let posts = post.inbox.take();
        let mut moments: Vec<_> = posts.iter().map(|got| got.header("event-type").to_owned()).collect();
        let first = moments.iter().position(|kind| kind == "order.create").expect("it comes");
        assert_eq!(first, order.iter().position(|number| *number == 1).expect("it is one of three"), "{word}");
        moments.remove(first);
        assert_eq!(moments, ["order.update", "order.update"], "{word}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_corrupt_signature_does_not_hold_and_the_next_attempt_has_a_good_one() {
    let post = Post::new().await;
    rule(&post, json!({ "event": "journey.callback", "times": 1 }), json!({ "deliveries": "corruptSignature" })).await;
    post.inbox.answer_next([Reply::Status(401)]);
    end_journey(&post, 1);
    pass(60).await;
    let key = &post.bench.world.identity.credentials()[0].callback_key;
    let posts = post.inbox.take();
    let holds = posts.iter().map(|got| {
        let at = got.header("webhook-timestamp").parse().expect("seconds");
        got.header("webhook-signature") == key.sign(got.header("webhook-id"), at, &got.body)
    });
    assert_eq!(holds.collect::<Vec<_>>(), [false, true]);
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn a_rule_names_only_what_the_thing_that_it_hits_has() {
    let post = Post::new().await;
    let rows = [
        (json!({ "event": "order.*" }), json!({ "drop": "before" }), "match.event is for sockets and deliveries"),
        (
            json!({ "event": "order.*", "path": "/x" }),
            json!({ "sockets": "close" }),
            "match.event cannot be combined with method or path",
        ),
        (json!({ "event": "ordr.*" }), json!({ "sockets": "close" }), "match.event fits no event"),
        (json!({ "event": "webhook.test" }), json!({ "sockets": "close" }), "match.event exists for deliveries only"),
        (json!({}), json!({ "sockets": "drop" }), "verdict.sockets must be one of"),
        (json!({ "method": "GET" }), json!({ "deliveries": "drop" }), "match.method is always POST"),
        (json!({ "method": "GTE" }), json!({ "drop": "before" }), "match.method must be one of GET, POST"),
        (json!({ "path": "/_sandbox/**" }), json!({ "drop": "before" }), "match.path is a path of the machinery"),
        (json!({ "path": "/healthz" }), json!({ "sockets": "close" }), "match.path is a path of the machinery"),
        (json!({ "path": "/ping?a=b" }), json!({ "drop": "before" }), "match.path is a path, without a query"),
        (json!({ "path": "/a/b**" }), json!({ "drop": "before" }), "match.path has `*`, `**` and `{name}` as whole"),
        (json!({ "path": "/a/*b" }), json!({ "deliveries": "drop" }), "match.path has `*`, `**` and `{name}` as whole"),
        (json!({ "nth": 1, "probability": 0 }), json!({ "drop": "before" }), "match.probability must be more than 0"),
        (json!({}), json!({ "deliveries": "drop", "ms": 5 }), "verdict has ms only with"),
        (json!({}), json!({ "deliveries": "delay", "ms": 0 }), "verdict.ms must lie"),
        (json!({}), json!({ "deliveries": "delay", "drop": "after" }), "verdict must have exactly one of"),
    ];
    for (on, verdict, problem) in rows {
        let body = json!({ "match": on, "verdict": verdict });
        let answer = post.ask(Method::POST, "faults", Some(body.clone())).await;
        let text = answer.body["error_description"].as_str().expect("a description");
        assert!(answer.status == 400 && text.starts_with(problem), "{body}: {text}");
    }
    let answer = post.ask(Method::GET, "faults", None).await;
    assert_eq!(answer.body, json!([]), "what was refused has changed nothing");
}

/// (rule: events/fault-bundles)
#[tokio::test(start_paused = true)]
async fn a_bundle_is_added_and_cleared_in_one_call_and_events_are_delivered_in_the_end() {
    let post = Post::new().await;
    let bundles = post.ask(Method::GET, "faults/bundles", None).await.body;
    for bundle in bundles.as_array().expect("a list") {
        let added = post.ask(Method::POST, "faults/bundles", Some(json!({ "name": bundle["name"] }))).await;
        assert_eq!(
            added.body.as_array().map(Vec::len),
            bundle["rules"].as_u64().and_then(|count| usize::try_from(count).ok())
        );
        let removed = post.ask(Method::DELETE, "faults", None).await;
        assert_eq!((removed.status, removed.body), (200, added.body));
        assert_eq!(post.ask(Method::GET, "faults", None).await.body, json!([]));
    }
    let answer = post.ask(Method::POST, "faults/bundles", Some(json!({ "name": "a good day" }))).await;
    assert_eq!(answer.status, 400);
    assert!(answer.body["error_description"].as_str().expect("a text").contains("`a deploy`"), "{}", answer.body);

    let added = post.ask(Method::POST, "faults/bundles", Some(json!({ "name": "a bad day" }))).await;
    assert_eq!(added.status, 200);
    post.register(json!({})).await;
    for number in 0..20 {
        end_journey(&post, number);
        post.order();
        pass(2).await;
    }
    pass(400_000).await;
    let rows = post.deliveries("limit=1000").await;
    let ended = rows.iter().all(|row| row["status"] == "delivered");
    assert!(ended && rows.len() > 60, "{rows:?}");
    let faults: std::collections::BTreeSet<String> = rows
        .iter()
        .flat_map(|row| row["attempts"].as_array().expect("a list").iter())
        .filter_map(|attempt| attempt["fault"].as_str().map(str::to_owned))
        .collect();
    assert!(faults.len() >= 4, "{faults:?}");
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn why_shows_what_a_rule_did_to_a_delivery() {
    let post = Post::new().await;
    post.register(json!({ "events": ["order.create"] })).await;
    for (verdict, fault) in [
        (json!({ "deliveries": "drop" }), json!("drop")),
        (json!({ "deliveries": "delay", "ms": 5_000 }), json!("delay")),
        (json!({ "deliveries": "fail" }), json!("fail")),
    ] {
        rule(&post, json!({ "times": 1 }), verdict).await;
        let order = post.order();
        pass(60).await;
        let why = post.ask(Method::GET, &format!("why/{order}"), None).await.body;
        let shown = &why["changes"][0]["events"].as_array().expect("a list").last().expect("an event")["deliveries"][0];
        assert_eq!((&shown["status"], &shown["fault"]), (&json!("delivered"), &fault));
    }
    let order = post.order();
    pass(1).await;
    let why = post.ask(Method::GET, &format!("why/{order}"), None).await.body;
    assert!(!why.to_string().contains("fault"), "{why}");
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn a_rule_can_be_about_the_test_message_alone() {
    let post = Post::new().await;
    let hook = post.register(json!({})).await;
    rule(&post, json!({ "event": "webhook.test" }), json!({ "deliveries": "corruptSignature" })).await;
    post.order();
    pass(1).await;
    post.ask(Method::POST, &format!("webhooks/{}/test", hook["id"].as_str().expect("an id")), None).await;
    pass(1).await;
    let key = SigningKey::parse(hook["secret"].as_str().expect("a secret")).expect("a key");
    for got in post.inbox.take() {
        let at = got.header("webhook-timestamp").parse().expect("seconds");
        let holds = got.header("webhook-signature") == key.sign(got.header("webhook-id"), at, &got.body);
        assert_eq!(holds, got.header("event-type") != "webhook.test", "{}", got.header("event-type"));
    }
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn rules_are_read_one_by_one_and_one_too_many_is_a_conflict() {
    let post = Post::new().await;
    rule(&post, json!({ "nth": 9 }), json!({ "deliveries": "drop" })).await;
    let listed = post.ask(Method::GET, "faults", None).await.body;
    assert_eq!(post.ask(Method::GET, "faults/1", None).await.body, listed[0]);
    for unknown in ["faults/2", "faults/x"] {
        assert_eq!(post.ask(Method::GET, unknown, None).await.status, 404);
    }
    for _ in 2..=hosting::faults::MOST_RULES {
        rule(&post, json!({ "nth": 9 }), json!({ "deliveries": "drop" })).await;
    }
    let body = json!({ "verdict": { "drop": "before" } });
    let answer = post.ask(Method::POST, "faults", Some(body)).await;
    assert_eq!((answer.status, &answer.body["error"]), (409, &json!("conflict")));
    let answer = post.ask(Method::POST, "faults/bundles", Some(json!({ "name": "a deploy" }))).await;
    assert_eq!(answer.status, 409);
}

/// (rule: events/fault-rules)
#[tokio::test(start_paused = true)]
async fn in_a_shared_world_a_partners_rules_are_about_that_partner_and_the_operators_about_all() {
    let mut post = Post::shared().await;
    let hook = json!({ "client": post.bench.scope(0).client.to_string(), "url": "http://receiver.test/first", "events": ["order.create"] });
    assert_eq!(post.ask(Method::POST, "webhooks", Some(hook)).await.status, 200);
    post.partner = 1;
    rule(&post, json!({}), json!({ "deliveries": "drop" })).await;
    let others = post.ask(Method::GET, "faults", None).await.body;
    assert_eq!(others[0]["partner"], post.bench.scope(2).partner.to_string());
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 1, "the first partner's webhook is not the second's to silence");

    post.partner = 0;
    assert_eq!(post.ask(Method::GET, "faults", None).await.body, json!([]));
    assert_eq!(post.ask(Method::GET, "faults/1", None).await.status, 404);
    assert_eq!(post.ask(Method::DELETE, "faults/1", None).await.status, 404);
    assert_eq!(post.ask(Method::DELETE, "faults", None).await.body, json!([]));
    let operators = json!({ "match": { "event": "order.*" }, "verdict": { "deliveries": "drop" } });
    let added = post.operate(Method::POST, "faults", Some(operators)).await.body;
    assert_eq!((&added["id"], added.get("partner")), (&json!(2), None));
    post.order();
    pass(1).await;
    assert_eq!(post.inbox.take().len(), 0);
    assert_eq!(post.ask(Method::GET, "faults", None).await.body[0]["id"], 2, "who is hit can see by what");
    assert_eq!(post.ask(Method::DELETE, "faults/2", None).await.status, 403);
    assert_eq!(post.operate(Method::GET, "faults", None).await.body.as_array().map(Vec::len), Some(2));
    assert_eq!(post.operate(Method::DELETE, "faults", None).await.body.as_array().map(Vec::len), Some(2));
}
