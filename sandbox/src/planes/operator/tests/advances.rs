//! Jumps of the clock: how far, when they stop, and what they answer.

use super::*;

/// (rule: calendar/advance-stops)
#[tokio::test]
async fn an_advance_that_nobody_waits_for_stops_on_its_way_and_the_log_says_where() {
    let logged = crate::testing::telemetry(crate::testing::LevelFilter::INFO);
    let bench = Bench::new();
    let path = format!("{W}/clock/advance");
    {
        let sent = request(Method::POST, &path, None, Some(&json!({ "by": "P10Y" })));
        let mut asked = std::pin::pin!(bench.surface.handle(sent, None));
        // Far enough to have begun, not far enough to be done.
        while bench.world.last_now() == at(START) {
            assert!(asked.as_mut().now_or_never().is_none(), "it takes many slices");
            tokio::task::yield_now().await;
        }
    }
    let (stopped, goal) = (bench.world.last_now(), at("2036-03-02T07:00:00Z"));
    assert!(stopped < goal, "it was left on its way, at {stopped}");
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(get(&bench, &format!("{W}/clock")).await["now"], stopped.to_string());
    let end_of_line = format!("world-1: the advance to {goal} stopped at {stopped}: its caller closed the connection");
    let lines = logged.lines();
    assert!(lines.iter().any(|line| line.ends_with(&end_of_line)), "{end_of_line}: {lines:?}");
}

/// (rule: calendar/advance-reach)
#[tokio::test]
async fn an_advance_that_is_refused_does_not_wait_for_others() {
    let bench = Bench::new();
    let path = format!("{W}/clock/advance");
    let _gate = bench.world.pass_gate().await;
    for (goal, text) in [
        (json!({ "to": "2126-06-02T07:00:00Z" }), "to must lie within 100 years of now"),
        (json!({ "to": "9989-01-01T00:00:00Z" }), "to must lie within 100 years of now"),
        (json!({ "by": "P101Y" }), "by must be"),
        (json!({ "to": "2026-03-01T07:00:00Z" }), "to must not lie before now"),
        (json!({}), "exactly one of by, to and until"),
    ] {
        let sent = request(Method::POST, &path, None, Some(&goal));
        let answer = bench.ask(sent).now_or_never().unwrap_or_else(|| panic!("{goal} waits for its turn"));
        let reply = answer.body["error_description"].as_str().unwrap_or_default().to_owned();
        assert!(answer.status == 400 && reply.contains(text), "{goal}: {reply}");
    }
}

/// (rule: calendar/advance-until)
#[tokio::test]
async fn time_is_advanced_until_the_next_booking_on_an_account_and_no_further() {
    let bench = Bench::new();
    let (account, idle, path) = (bench.account(0), bench.account(0).to_string(), format!("{W}/clock/advance"));
    bench.subscribe(0, account);
    let until = json!({ "until": "booking", "account": account.to_string() });
    // Its cash is booked at the first check, its units when they settle.
    for now in ["2026-03-02T07:00:01.000Z", "2026-03-04T08:00:00.000Z"] {
        let reply = post(&bench, &path, until.clone()).await;
        assert_eq!(reply["now"], now, "{reply}");
    }
    // Nothing is booked on the other one before the first fee of a quarter.
    let reply = post(&bench, &path, json!({ "until": "booking", "account": idle })).await;
    assert!(reply["now"].as_str().is_some_and(|now| now.starts_with("2026-04-0")), "{reply}");
}

#[tokio::test]
async fn time_is_advanced_by_a_period_to_an_instant_or_until_something_happens() {
    let bench = Bench::new();
    let (account, path) = (bench.account(0), format!("{W}/clock/advance"));
    let order = bench.subscribe(0, account).to_string();
    let account = account.to_string();
    for (goal, now, happened) in [
        (json!({ "until": "next" }), "2026-03-02T07:00:01.000Z", &["order accepted or parked"][..]),
        (json!({ "by": "PT1H" }), "2026-03-02T08:00:01.000Z", &[]),
        (json!({ "until": "cutOff", "instrument": FUND }), "2026-03-02T13:00:00.000Z", &["cut-off"]),
        (json!({ "by": "PT1M" }), "2026-03-02T13:01:00.000Z", &["aggregated order routed"]),
        (json!({ "to": "2026-03-02T14:01:00+01:00" }), "2026-03-02T13:01:00.000Z", &[]),
        (
            json!({ "until": "settlement", "order": order }),
            "2026-03-04T08:00:00.000Z",
            &["price published", "executions confirmed", "cut-off", "price published", "subscriptions settled"],
        ),
        (json!({ "until": "settlement", "order": order }), "2026-03-04T08:00:00.000Z", &[]),
        (json!({ "by": "1 bank day" }), "2026-03-05T08:00:00.000Z", &["cut-off", "price published"]),
        (json!({ "by": "P1D" }), "2026-03-06T08:00:00.000Z", &["cut-off", "price published"]),
    ] {
        let reply = post(&bench, &path, goal.clone()).await;
        let whats: Vec<_> =
            reply["happened"].as_array().expect("a list").iter().map(|h| h["what"].as_str().expect("words")).collect();
        assert_eq!(
            (reply["now"].as_str(), &whats[..], reply["count"].as_u64()),
            (Some(now), happened, Some(happened.len() as u64)),
            "{goal}"
        );
    }
    refused(
        &bench,
        &[
            (Method::POST, &path, Value::Null, 400, "exactly one of by, to and until is required"),
            (Method::POST, &path, json!({ "by": "P1D", "to": START }), 400, "exactly one of by, to and until"),
            (Method::POST, &path, json!({ "by": "tomorrow" }), 400, "by must be an ISO 8601 period"),
            (Method::POST, &path, json!({ "by": "P200Y" }), 400, "by must be"),
            (Method::POST, &path, json!({ "to": START }), 400, "to must not lie before now"),
            (Method::POST, &path, json!({ "to": "1969-01-01T00:00:00Z" }), 400, RANGE),
            (Method::POST, &path, json!({ "to": "9990-01-01T00:00:00.001Z" }), 400, RANGE),
            (Method::POST, &path, json!({ "to": "9999-12-31T23:30:00Z" }), 400, RANGE),
            (
                Method::POST,
                "/_sandbox/worlds",
                json!({ "start": "9995-01-01T00:00:00Z" }),
                400,
                "start must lie between",
            ),
            (
                Method::POST,
                &path,
                json!({ "to": "soon" }),
                400,
                "to must be an RFC 3339 timestamp such as 2026-03-02T07:00:00Z, not `soon`",
            ),
            (Method::POST, &path, json!({ "by": "P1D", "what": ["cutoff"] }), 400, "what[0] must be one of `"),
            (Method::POST, &path, json!({ "by": "P1D", "what": [] }), 400, "what must not be empty"),
            (
                Method::POST,
                &path,
                json!({ "by": "P1D", "of": "me" }),
                400,
                "of must be the id of a resource or of a fund, not `me`",
            ),
            (Method::POST, &path, json!({ "until": "later" }), 400, "until must be"),
            (Method::POST, &path, json!({ "until": "next", "instrument": FUND }), 400, "next takes neither"),
            (
                Method::POST,
                &path,
                json!({ "until": "cutOff", "instrument": "SE0SBX000024SEK" }),
                400,
                "instrument is not known",
            ),
            (Method::POST, &path, json!({ "until": "cutOff", "instrument": "x" }), 400, "instrument must be"),
            (
                Method::POST,
                &path,
                json!({ "until": "settlement", "order": "00000000-0000-4000-8000-000000000000" }),
                400,
                "order is not known",
            ),
            (Method::POST, &path, json!({ "by": "P1D", "order": order }), 400, "go with until"),
            (Method::POST, &path, json!({ "by": "P1D", "account": order }), 400, "go with until"),
            (Method::POST, &path, json!({ "until": "booking" }), 400, "booking takes an account"),
            (Method::POST, &path, json!({ "until": "booking", "account": order }), 400, "account is not known"),
            (
                Method::POST,
                &path,
                json!({ "until": "next", "account": account }),
                400,
                "account goes with until booking",
            ),
        ],
    )
    .await;
}

/// (rule: calendar/advance-answer)
#[tokio::test]
async fn an_advance_counts_what_happened_by_kind_and_lists_what_is_asked_for() {
    let bench = Bench::new();
    let (account, idle) = (bench.account(0), bench.account(0).to_string());
    let order = bench.subscribe(0, account).to_string();
    let account = account.to_string();
    post(&bench, &format!("{W}/snapshots"), json!({ "name": "before" })).await;
    let advance = async |of: Option<&str>, what: Option<&[&str]>| {
        post(&bench, &format!("{W}/snapshots/before/restore"), Value::Null).await;
        let mut goal = json!({ "to": "2026-03-04T08:00:00Z" });
        if let Some(of) = of {
            goal["of"] = of.into();
        }
        if let Some(what) = what {
            goal["what"] = json!(what);
        }
        post(&bench, &format!("{W}/clock/advance"), goal).await
    };
    let listed = |reply: &Value| -> Vec<String> {
        let happened = reply["happened"].as_array().expect("a list");
        happened.iter().map(|it| it["what"].as_str().expect("words").to_owned()).collect()
    };
    let whole = advance(None, None).await;
    let mut kinds = std::collections::BTreeMap::<String, u64>::new();
    for what in listed(&whole) {
        *kinds.entry(what).or_default() += 1;
    }
    let kinds: Vec<Value> = kinds.iter().map(|(what, count)| json!({ "what": what, "count": count })).collect();
    assert_eq!(whole["kinds"], json!(kinds));
    assert!(kinds.len() >= 5, "{kinds:?}");
    let accepted = &["order accepted or parked"][..];
    let life = &[
        "order accepted or parked",
        "cut-off",
        "aggregated order routed",
        "executions confirmed",
        "subscriptions settled",
    ][..];
    let client = bench.scope(0).client.to_string();
    for (of, what, expected) in [
        (Some(order.as_str()), None, life),
        (Some(account.as_str()), None, life),
        (Some(client.as_str()), None, life),
        (Some(idle.as_str()), None, &[][..]),
        (None, Some(accepted), accepted),
        (Some(FUND), Some(&["cut-off"][..]), &["cut-off", "cut-off"][..]),
        (Some(account.as_str()), Some(&["cut-off"][..]), &["cut-off"][..]),
    ] {
        let reply = advance(of, what).await;
        assert_eq!(listed(&reply), expected, "{of:?} {what:?}");
        assert_eq!((&reply["kinds"], &reply["count"]), (&whole["kinds"], &whole["count"]), "{of:?} {what:?}");
    }
}

/// (rule: auth/operator-token, auth/shared-worlds)
#[tokio::test]
async fn an_advance_shows_a_partner_nothing_of_another_partners_business() {
    let advanced = async |other_orders: bool| {
        let bench = guarded();
        let allow = json!({ "partnersMay": ["advance"] });
        let patched = call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), allow).await;
        assert_eq!(patched.status, 200, "{:?}", patched.body);
        if other_orders {
            let account = bench.account(2);
            bench.subscribe(2, account);
        }
        let token = bench.token(0).await;
        let path = format!("{W}/clock/advance");
        let mut reply = Vec::new();
        for goal in
            [json!({ "until": "next" }), json!({ "until": "settlement" }), json!({ "to": "2026-03-06T08:00:00Z" })]
        {
            reply.push(call(&bench, Method::POST, &path, Some(&token), goal).await.body);
        }
        reply
    };
    assert_eq!(advanced(true).await, advanced(false).await);
}

/// (rule: auth/shared-worlds)
#[tokio::test]
async fn an_order_of_another_partner_names_no_dealing_that_both_have_a_part_in() {
    let bench = guarded();
    let allow = json!({ "partnersMay": ["advance"] });
    assert_eq!(call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), allow).await.status, 200);
    let (own, other) = (bench.account(0), bench.account(2));
    bench.subscribe(0, own);
    let order = bench.subscribe(2, other).to_string();
    let goal = json!({ "to": "2026-03-06T08:00:00Z", "of": order });
    let reply = call(&bench, Method::POST, &format!("{W}/clock/advance"), Some(&bench.token(0).await), goal).await.body;
    assert_eq!(reply["happened"], json!([]));
    let settled = reply["kinds"].as_array().expect("kinds").iter().any(|kind| kind["what"] == "subscriptions settled");
    assert!(settled, "its own order has settled: {reply}");
}
