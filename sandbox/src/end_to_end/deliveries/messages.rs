//! Deliveries as a listener reads them: onwards by a cursor, message by message, and those that only a listener fetches.

use super::*;
use std::collections::BTreeSet;

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The message of a delivery.
async fn message(post: &Post, delivery: &Value) -> Answer {
    post.ask(Method::GET, &format!("deliveries/{}/message", text(&delivery["id"])), None).await
}

/// What came after `cursor`, in pages of this many, and the cursor behind it.
async fn onwards(post: &Post, mut cursor: String, limit: usize) -> (Vec<Value>, String) {
    let mut read = Vec::new();
    loop {
        let answer = post.ask(Method::GET, &format!("deliveries?limit={limit}&after={cursor}"), None).await;
        assert_eq!((answer.status, &answer.body["isWhole"]), (200, &json!(true)), "{}", answer.body);
        cursor = text(&answer.body["next"]);
        let page = answer.body["deliveries"].as_array().expect("a list");
        read.extend(page.iter().cloned());
        if page.len() < limit {
            return (read, cursor);
        }
    }
}

/// A delivery, with how often it was sent again.
fn named(delivery: &Value) -> (String, u64) {
    (text(&delivery["id"]), delivery["sentAgain"].as_u64().expect("a number"))
}

/// Whether a key has signed a message.
fn is_signed_by(message: &Value, key: &Value) -> bool {
    let headers = &message["headers"];
    let at = text(&headers["webhook-timestamp"]).parse().expect("seconds");
    let key = SigningKey::parse(&text(key)).expect("a key");
    text(&headers["webhook-signature"])
        == key.sign(&text(&headers["webhook-id"]), at, text(&message["body"]).as_bytes())
}

/// (rule: events/delivery-message)
#[tokio::test(start_paused = true)]
async fn a_message_has_the_bytes_and_headers_of_its_last_attempt_whenever_it_is_read() {
    let post = Post::new().await;
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    end_journey(&post, 1);
    post.order();
    post.inbox.answer_next([Reply::Status(503)]);
    pass(5).await;
    drop(post.inbox.take());
    pass(500).await;
    let deliveries = post.deliveries("").await;
    assert_eq!(deliveries.len(), 2);
    for round in 0..2 {
        for delivery in &deliveries {
            let replayed = format!("deliveries/{}/replay", text(&delivery["id"]));
            assert_eq!(post.ask(Method::POST, &replayed, None).await.status, 200);
            pass(7 + round).await;
            let got = post.inbox.take().pop().expect("a post");
            pass(100).await;
            let shown = message(&post, delivery).await;
            assert_eq!(
                (shown.status, &shown.body["method"], &shown.body["url"]),
                (200, &json!("POST"), &delivery["url"])
            );
            assert_eq!(text(&shown.body["body"]).as_bytes(), &got.body[..]);
            let headers = shown.body["headers"].as_object().expect("headers");
            let names: Vec<_> = headers.keys().map(String::as_str).collect();
            let all =
                ["content-type", "event-type", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp"];
            assert_eq!(names, all);
            for (name, value) in headers {
                assert_eq!(got.header(name), text(value), "{name}");
            }
        }
    }
    let callback = deliveries.iter().find(|delivery| delivery["webhook"].is_null()).expect("the callback");
    let secret = json!(post.bench.world.identity.credentials()[0].callback_key.reveal());
    assert!(is_signed_by(&message(&post, callback).await.body, &secret));
    assert!(!is_signed_by(&message(&post, callback).await.body, &hook["secret"]));

    post.ask(Method::DELETE, &format!("webhooks/{}", text(&hook["id"])), None).await;
    let of_webhook = deliveries.iter().find(|delivery| !delivery["webhook"].is_null()).expect("the other one");
    assert_eq!(message(&post, of_webhook).await.status, 409, "nothing of a removed webhook is signed");
}

/// (rule: events/delivery-message)
#[tokio::test(start_paused = true)]
async fn a_message_that_waits_is_signed_for_the_moment_at_which_it_is_due_and_one_with_a_corrupt_signature_is_shown_so()
{
    let post = Post::new().await;
    for verdict in [json!({ "deliveries": "delay", "ms": 60_000 }), json!({ "deliveries": "corruptSignature" })] {
        let rule = json!({ "match": { "event": "order.create", "times": 1 }, "verdict": verdict });
        let added = post.ask(Method::POST, "faults", Some(rule)).await;
        assert_eq!(added.status, 200, "{}", added.body);
    }
    let hook = post.register(json!({ "events": ["order.create"] })).await;
    let now = post.bench.world.transport_clock().now().0 / 1_000;
    post.order();
    pass(10).await;
    let waiting = post.deliveries("").await.remove(0);
    let shown = message(&post, &waiting).await.body;
    assert_eq!(shown["headers"]["webhook-timestamp"], json!((now + 60).to_string()));
    assert!(is_signed_by(&shown, &hook["secret"]));
    pass(60).await;
    let shown = message(&post, &waiting).await.body;
    assert_eq!(post.inbox.take()[0].header("webhook-signature"), text(&shown["headers"]["webhook-signature"]));
    assert!(!is_signed_by(&shown, &hook["secret"]));
}

/// (rule: events/delivery-cursor)
#[tokio::test(start_paused = true)]
async fn a_cursor_leaves_nothing_out_and_shows_nothing_twice_while_deliveries_come_and_are_sent_again() {
    let post = Post::new().await;
    post.register(json!({})).await;
    let (_, mut cursor) = onwards(&post, "start".to_owned(), 100).await;
    let mut read = Vec::new();
    for number in 0..12 {
        post.order();
        end_journey(&post, number);
        if number % 3 != 0 {
            pass(1).await;
        }
        if number % 4 == 1 {
            let again = post.deliveries("").await.remove(usize::try_from(number).expect("few"));
            post.ask(Method::POST, &format!("deliveries/{}/replay", text(&again["id"])), None).await;
        }
        let (page, next) = onwards(&post, cursor, 1 + usize::try_from(number).expect("few") % 5).await;
        read.extend(page);
        cursor = next;
    }
    pass(10).await;
    let (page, cursor) = onwards(&post, cursor, 3).await;
    read.extend(page);
    let found: BTreeSet<_> = read.iter().map(named).collect();
    assert_eq!(found.len(), read.len(), "nothing comes twice");
    let kept = post.deliveries("limit=1000").await;
    let latest: BTreeSet<_> = kept.iter().map(named).collect();
    assert!(latest.is_subset(&found), "nothing is left out");
    let ids = |set: &BTreeSet<(String, u64)>| set.iter().map(|(id, _)| id.clone()).collect::<BTreeSet<_>>();
    assert_eq!(ids(&found), ids(&latest));
    assert_eq!(latest.iter().map(|(_, times)| times).sum::<u64>(), 3);

    // The newest one that is listed without a cursor has the cursor of the end.
    let newest = post.ask(Method::GET, "deliveries?limit=1", None).await.body;
    assert_eq!((text(&newest["next"]), newest.get("isWhole")), (cursor.clone(), None));
    assert_eq!(post.ask(Method::GET, "deliveries?after=nonsense", None).await.status, 400);
    // A filter does not hold the cursor back.
    let filtered = post.ask(Method::GET, "deliveries?after=start&limit=1000&status=deadLetter", None).await.body;
    assert_eq!((&filtered["deliveries"], text(&filtered["next"])), (&json!([]), cursor.clone()));

    // A world that is put back delivers the same again under another name of its log, in which old cursors do not hold.
    assert_eq!(post.ask(Method::POST, "reset", None).await.status, 200);
    for number in 0..12 {
        post.order();
        end_journey(&post, number);
    }
    pass(10).await;
    let anew = post.ask(Method::GET, &format!("deliveries?limit=1000&after={cursor}"), None).await.body;
    assert_eq!(anew["isWhole"], json!(false));
    assert_ne!(anew["log"], newest["log"]);
    assert_eq!(anew["deliveries"].as_array().map(Vec::len), Some(kept.len()));
}

/// (rule: events/delivery-message)
#[tokio::test(start_paused = true)]
async fn what_is_delivered_to_another_partner_is_not_found_and_moves_no_cursor() {
    let mut post = Post::shared().await;
    post.register(json!({ "events": ["order.create"] })).await;
    let before = post.ask(Method::GET, "deliveries", None).await.body;
    post.partner = 1;
    let others = post.ask(Method::GET, "deliveries", None).await.body;
    post.order();
    pass(1).await;
    assert_eq!(post.ask(Method::GET, "deliveries", None).await.body["next"], others["next"]);
    post.partner = 0;
    let delivery = post.deliveries("").await.remove(0);
    assert_eq!(message(&post, &delivery).await.status, 200);
    assert_ne!(post.ask(Method::GET, "deliveries", None).await.body["next"], before["next"]);
    post.partner = 1;
    assert_eq!(message(&post, &delivery).await.status, 404);
    assert_eq!(onwards(&post, "start".to_owned(), 10).await.0, Vec::<Value>::new());
}

/// (rule: events/listening)
#[tokio::test(start_paused = true)]
async fn what_a_listener_fetches_is_sent_nowhere_and_comes_with_each_attempt() {
    let post = Post::new().await;
    let rule = json!({ "match": { "event": "order.create", "times": 1 }, "verdict": { "deliveries": "fail" } });
    assert_eq!(post.ask(Method::POST, "faults", Some(rule)).await.status, 200);
    let hook = post.register(json!({ "url": "listen:", "events": ["order.create"] })).await;
    assert_eq!(hook["url"], "listen:");
    post.order();
    post.order();
    pass(60).await;
    assert_eq!(post.inbox.take(), [], "nobody is called");
    let (read, _) = onwards(&post, "start".to_owned(), 10).await;
    let outcomes: Vec<_> = read.iter().map(|one| (named(one).1, text(&one["status"]))).collect();
    let delivered = |times| (times, "delivered".to_owned());
    // The one that a rule let fail has come twice, and is shown where it came last.
    assert_eq!(outcomes, [delivered(0), delivered(1)]);
    assert_eq!(read[1]["attempts"][0]["error"], "fault");
    assert!(is_signed_by(&message(&post, &read[0]).await.body, &hook["secret"]));
    for wrong in ["listen:x", "LISTEN:", "listen"] {
        let body = json!({ "client": post.bench.scope(0).client.to_string(), "url": wrong });
        assert_eq!(post.ask(Method::POST, "webhooks", Some(body)).await.status, 400, "{wrong}");
    }
}
