//! Pictures against what other routes answer: books, coverage, comparison, branches; and who sees them.

use super::*;

fn list<'j>(json: &'j Value, name: &str) -> &'j [Value] {
    json[name].as_array().expect("a list")
}

async fn advance(bench: &Bench, to: &str) {
    post(bench, &format!("{W}/clock/advance"), json!({ "to": to })).await;
}

async fn picture(bench: &Bench, name: &str) -> Value {
    let sign = if name.contains('?') { '&' } else { '?' };
    get(bench, &format!("{W}/pictures/{name}{sign}format=json")).await
}

/// (rule: wire/picture-money, money/books)
#[tokio::test(start_paused = true)]
async fn the_picture_of_money_has_the_sums_of_the_books() {
    let bench = Bench::new();
    let account = bench.account(0);
    bench.subscribe(0, account);
    advance(&bench, "2026-03-10T07:00:00Z").await;
    let (books, money) = (get(&bench, &format!("{W}/books")).await, picture(&bench, "money").await);
    for line in list(&books, "platform") {
        let drawn = list(&money, "ledger").iter().find(|drawn| drawn["account"] == line["account"]).expect("drawn");
        for (name, of_books) in [("received", "credit"), ("paid", "debit"), ("after", "balance")] {
            assert_eq!(drawn[name].as_f64(), line[of_books].as_f64(), "{name} of {line}");
        }
    }
    let bought = list(&money, "nodes").iter().find(|node| node["id"] == "out:purchases of funds").expect("drawn");
    assert_eq!(bought["amount"].as_f64(), Some(1_000.0));
    let before = picture(&bench, "money?to=2026-03-01").await;
    assert_eq!(list(&before, "flows"), [] as [Value; 0], "nothing was booked before the start");
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn the_picture_of_state_tables_has_the_counts_of_coverage() {
    let bench = Bench::new();
    let account = bench.account(0);
    bench.subscribe(0, account);
    advance(&bench, "2026-03-10T07:00:00Z").await;
    let (coverage, drawn) = (get(&bench, &format!("{W}/coverage")).await, picture(&bench, "machines").await);
    let moves = list(&coverage, "groups").iter().find(|group| group["name"] == "moves").expect("a group").clone();
    let mut taken = 0;
    for table in list(&drawn, "machines") {
        for row in list(table, "rows").iter().filter(|row| row["taken"] != 0) {
            let [from, on, to] = ["from", "on", "to"].map(|name| row[name].as_str().expect("a word"));
            let what = format!("{from} on {on} -> {to}");
            let met = list(&moves, "met").iter().find(|met| met["of"] == table["machine"] && met["what"] == *what);
            assert_eq!(met.expect("met")["count"], row["taken"], "{what}");
            taken += 1;
        }
    }
    assert_eq!(taken, list(&moves, "met").len());
    assert!(taken > 3, "{drawn}");
}

/// (rule: wire/picture-difference)
#[tokio::test(start_paused = true)]
async fn a_difference_begins_where_the_worlds_part_and_is_that_of_the_comparison() {
    let bench = Bench::new();
    let account = bench.account(0);
    let order = bench.subscribe(0, account).to_string();
    post(&bench, &format!("{W}/fork"), json!({})).await;
    let same = picture(&bench, "difference?with=world-2").await;
    assert_eq!(list(&same, "differences"), [] as [Value; 0]);
    advance(&bench, "2026-03-03T10:00:00Z").await;
    let newer = bench.subscribe(0, account).to_string();
    let drawn = picture(&bench, "difference?with=world-2").await;
    let compared = get(&bench, &format!("{W}/compare/world-2?withoutPrices=true")).await;
    for count in list(&compared, "counts") {
        let topic = list(&drawn, "topics").iter().find(|topic| topic["resource"] == count["resource"]).expect("drawn");
        for (name, of) in
            [("alike", "alike"), ("onlyHere", "onlyHere"), ("onlyThere", "onlyThere"), ("changed", "different")]
        {
            assert_eq!(topic[name], count[of], "{name} of {count}");
        }
    }
    let of = |id: &str| list(&drawn, "differences").iter().find(|one| one["id"] == *id).expect("drawn");
    assert_eq!((&of(&newer)["kind"], &of(&newer)["at"]), (&json!("onlyHere"), &json!("2026-03-03T10:00:00.000Z")));
    // Its first check was a second after the fork.
    assert_eq!((&of(&order)["kind"], &of(&order)["at"]), (&json!("changed"), &json!("2026-03-02T07:00:01.000Z")));
    let first = list(&drawn, "differences").iter().filter_map(|one| one["at"].as_str()).min();
    assert_eq!(first, drawn["differences"][0]["at"].as_str(), "the earliest is listed first");
    let back = get(&bench, "/_sandbox/worlds/world-2/pictures/difference?with=world-1&format=json").await;
    assert_eq!(back["differences"].as_array().map(Vec::len), drawn["differences"].as_array().map(Vec::len));
    refused(
        &bench,
        &[(Method::GET, &format!("{W}/pictures/difference?with=world-9"), Value::Null, 400, "with names no world")],
    )
    .await;
}

/// (rule: wire/picture-difference)
#[tokio::test(start_paused = true)]
async fn forks_are_shown_to_the_operator_and_a_partner_sees_its_own_world() {
    let bench = guarded();
    let (account, token) = (bench.account(0), bench.token(0).await);
    bench.subscribe(0, account);
    let ask = async |path: &str, token: &str| call(&bench, Method::GET, path, Some(token), Value::Null).await;
    let forked =
        call(&bench, Method::POST, "/_sandbox/worlds/world-1/fork", Some("operator"), json!({ "name": "other" })).await;
    assert_eq!(forked.status, 200, "{:?}", forked.body);
    let ids = |answer: &Value| -> Vec<String> {
        list(answer, "worlds").iter().map(|world| world["id"].as_str().expect("an id").to_owned()).collect()
    };
    let all = ask("/_sandbox/worlds/world-2/pictures/forks?format=json", "operator").await;
    assert_eq!(ids(&all.body), ["world-1", "world-2"]);
    assert_eq!(all.body["worlds"][1]["branches"][0]["begin"], "fork");
    let own = ask("/_sandbox/worlds/current/pictures/forks?format=json", &token).await;
    assert_eq!(ids(&own.body), ["world-1"]);
    let refused = ask("/_sandbox/worlds/current/pictures/difference?with=world-2", &token).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    let money = ask("/_sandbox/worlds/current/pictures/money?format=json", &bench.token(1).await).await;
    assert_eq!((money.status, list(&money.body, "nodes").len()), (200, 0), "another partner's accounts are not drawn");
}
