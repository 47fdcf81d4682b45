//! Whatever is sent to any route of the API, of the levers and of the pages: never a 5xx, and a refusal changes nothing.
//!
//! Requests are drawn from a fixed seed (`FUNDSIM_TEST_SEED` draws others): good ones with something changed.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Map, Value, json};
use sim::rng::{Seed, Stream};

/// Requests a route.
const REQUESTS: u64 = 12;

fn first_seed() -> u64 {
    std::env::var("FUNDSIM_TEST_SEED").map_or(11, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"))
}

/// Bodies that some route takes.
fn good(account: &str) -> Vec<Value> {
    vec![
        json!({"account": account, "orderType": "subscription", "instrument": FUND, "amount": 1000, "clientRef": "a"}),
        json!({"account": account, "orderType": "redemption", "instrument": FUND, "units": 1.5, "bankAccount": NOBODY,
            "destinationAccount": account, "executorRef": "199001012385"}),
        json!({"journey": {"journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
            "accountCategories": ["retail"], "kycs": [{"qid": "pep", "answer": ["no"]}], "allocationPlan": {"instruments": [
            {"instrument": FUND, "allocation": 100}]}, "transfer": {"enforce": "optional", "transfers": [{"custodian": "grastensbanken",
            "accounts": [{"accountNumber": null, "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": null,
            "required": true, "untransferableUnitsOutput": ["cash"], "defaultUnitsOutput": ["units"], "balanceOutput": ["cash"],
            "allowInstrumentSelection": false, "instruments": [{"instrument": FUND, "units": null}]}]}]}},
            "callbackUrl": "http://127.0.0.1:9/", "scope": "AA=="}),
        json!({"name": "N", "displayName": "N", "crn": "5599900023", "country": "SE", "bankAccounts": null,
            "serviceTypes": [{"accountServiceType": "executionOnly"}]}),
        json!({"clientId": CLIENTS[0], "accountType": "isk", "cash": 10, "positions": [{"instrument": FUND, "units": 2}],
            "bankAccounts": [{"iban": "SE8150000000050000000019"}]}),
        json!({"step": "kyc", "answers": {"kyc": {"pep": "no"}}, "signer": "198112189876", "outcome": "sign", "context": "kyc",
            "code": "OTHER_ERROR", "ssn": "198112189876", "hit": "pep"}),
        json!({"closePrice": 123.5, "priceDate": "2026-03-03", "isBuyable": true, "bankDays": 2, "bankAccount": null}),
    ]
}

fn below(draw: &mut Stream, bound: usize) -> usize {
    usize::try_from(draw.below(bound as u64)).expect("less than a size")
}

/// Values that do not belong where they are put.
fn strange(draw: &mut Stream) -> Value {
    let digits = ["0", "-1", "1e400", "0.00000000001", "99999999999999999999999999", "28", "1e-30", "-0.0"];
    match draw.below(9) {
        0 => Value::Null,
        1 => json!(true),
        2 => serde_json::from_str(draw.pick::<&str>(&digits)).expect("a number"),
        3 => json!("x".repeat(below(draw, 900))),
        4 => json!(["\u{0}", "\u{202e}", "\u{1f600}"]),
        5 => json!({"": {"a": []}}),
        6 => json!(NOBODY),
        7 => json!("9999-12-31T23:59:59Z"),
        _ => json!("<script>\"'&%00"),
    }
}

/// Changes something somewhere in `value`.
fn spoil(value: &mut Value, draw: &mut Stream) {
    if draw.chance(1, 4) {
        *value = strange(draw);
        return;
    }
    match value {
        Value::Object(fields) if !fields.is_empty() => spoil_field(fields, draw),
        Value::Array(items) if !items.is_empty() => {
            let at = below(draw, items.len());
            match draw.below(3) {
                0 => items.push(items[at].clone()),
                1 => drop(items.remove(at)),
                _ => spoil(&mut items[at], draw),
            }
        }
        other => *other = strange(draw),
    }
}

fn spoil_field(fields: &mut Map<String, Value>, draw: &mut Stream) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = draw.pick(&names).clone();
    match draw.below(4) {
        0 => drop(fields.shift_remove(&name)),
        1 => drop(fields.insert(format!("{name}x"), strange(draw))),
        _ => spoil(fields.get_mut(&name).expect("a field"), draw),
    }
}

/// `pattern` with something in the place of every id, mostly something that is there.
fn path(pattern: &str, known: &[(&str, Vec<String>)], draw: &mut Stream) -> String {
    let part = |draw: &mut Stream, part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
        None => part.to_owned(),
        Some(name) => match known.iter().find(|(known, _)| *known == name) {
            Some((_, ids)) if draw.chance(9, 10) => draw.pick(ids).clone(),
            _ => (*draw.pick(&[NOBODY, "x", "%00", "%C3%28", "..%2f", "00000000-0000-0000-0000-00000000000g"]))
                .to_owned(),
        },
    };
    let path: Vec<String> = pattern.split('/').map(|piece| part(draw, piece)).collect();
    path.join("/")
}

fn query(draw: &mut Stream) -> &'static str {
    let queries = [
        "?limit=0",
        "?limit=1&start=x",
        "?modifiedFrom=2026",
        "?start=2026-01-01&end=2025-01-01",
        "?status=%ff",
        "?a=b",
    ];
    if draw.chance(1, 3) { draw.pick::<&str>(&queries) } else { "" }
}

async fn ids(api: &Api, list: &str) -> Vec<String> {
    let all = api.get(list).await.ok();
    all.as_array().expect("a list").iter().map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn no_request_makes_the_surface_fail_and_no_refusal_changes_anything() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let good = good(&account);
    let order = api.subscribe("1000").await;
    let journey = api.post("journey", &good[2]).await.ok();
    let token = journey["url"].as_str().and_then(|url| url.rsplit('/').next()).expect("a token").to_owned();
    let known = [
        ("clientId", CLIENTS.map(str::to_owned).to_vec()),
        ("accountId", ids(&api, "account").await),
        ("orderId", vec![order]),
        ("journeyId", vec![journey["id"].as_str().expect("an id").to_owned()]),
        ("instrumentId", vec![FUND.to_owned()]),
        ("transactionId", ids(&api, "transaction/cash").await),
        ("agreementTypeKey", vec!["account".to_owned()]),
        ("token", vec![token]),
        ("page", ["kyc", "signing", "end", "leave", "transfer"].map(str::to_owned).to_vec()),
    ];
    let pages = [("get", "/journey/{token}"), ("get", "/journey/{token}/{page}"), ("post", "/journey/{token}/{page}")];
    let rows = sandbox::rows()
        .filter(|row| !["/_sandbox", "/v2/partner/auth"].iter().any(|start| row.path.starts_with(start)));
    let rows = rows.filter(|row| !row.path.ends_with("/subscribe"));
    let rows = rows.map(|row| (row.method.as_str().to_lowercase(), row.path));
    let all = pages.map(|(method, path)| (method.to_owned(), path)).into_iter().chain(rows);
    let (seed, mut statuses) = (first_seed(), std::collections::BTreeMap::new());
    let mut before = api.digest();
    for (method, pattern) in all {
        let mut draw = Seed(seed).stream(&format!("{method} {pattern}"));
        for _ in 0..REQUESTS {
            let mut body = draw.pick(&good).clone();
            (0..draw.below(4)).for_each(|_| spoil(&mut body, &mut draw));
            if draw.chance(1, 3) {
                // Many calls take nothing.
                body = json!({});
            }
            let uri = path(pattern, &known, &mut draw) + query(&mut draw);
            let request = Request::builder()
                .method(Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"))
                .uri(&uri)
                .header(header::AUTHORIZATION, format!("Bearer {}", api.first_token(below(&mut draw, 2))))
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string()));
            // What is no address at all does not get past the header.
            let Ok(request) = request else { continue };
            let answer = api.surface().handle(request, None).await.expect("an answer");
            let status = answer.status().as_u16();
            let repeat = format!("FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sandbox --test partner_api anything");
            assert!(status < 500, "{status}: {method} {uri} {body}\nseed {seed}; repeat with: {repeat}");
            let after = api.digest();
            let reads = method == "get" && pattern != "/journey/{token}";
            if status >= 400 || reads {
                assert_eq!(after, before, "{status}: {method} {uri} {body}\nseed {seed}; repeat with: {repeat}");
            }
            before = after;
            *statuses.entry(status).or_insert(0) += 1;
        }
    }
    for expected in [200, 303, 400, 403, 404, 409] {
        assert!(statuses.contains_key(&expected), "the draw is one-sided: {statuses:?}");
    }
}
