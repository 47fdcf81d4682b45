//! What those who look after a server see: health, figures, lines of the log, and the bodies of requests.

use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::testing::{Bench, LevelFilter, request, telemetry};
use hosting::clock::Mode;
use hosting::secrets::Secret;
use surface::SurfaceConfig;

const W: &str = "/_sandbox/worlds/world-1";

fn guarded() -> Bench {
    let operator_token = Some(Secret::new("operator"));
    Bench::with(Mode::Frozen, SurfaceConfig { operator_token, ..SurfaceConfig::default() })
}

/// Samples of an exposition: name with labels, and value. Each must belong to a figure that was announced.
fn samples(text: &str) -> Vec<(&str, &str)> {
    let mut announced = Vec::new();
    let mut samples = Vec::new();
    let body = text.strip_suffix("# EOF\n").expect("an end");
    for line in body.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            announced.push(kind.split(' ').next().expect("a name"));
        } else if !line.starts_with('#') {
            let (name, value) = line.rsplit_once(' ').expect("a sample");
            assert!(announced.last().is_some_and(|figure| name.starts_with(figure)), "{name} was not announced");
            value.parse::<f64>().expect("a number");
            samples.push((name, value));
        }
    }
    samples
}

async fn figures(bench: &Bench, token: Option<&str>) -> (u16, String) {
    let answer = bench.surface.handle(request(Method::GET, "/metrics", token, None), None).await.expect("an answer");
    let status = answer.status().as_u16();
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
    assert!(status != 200 || kind.starts_with("application/openmetrics-text"), "{kind}");
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    (status, String::from_utf8(bytes.to_vec()).expect("text"))
}

/// (rule: wire/health)
#[tokio::test]
async fn health_and_readiness_are_open_to_all_until_a_stop_begins() {
    for (path, before, after) in [("/healthz", 200, 200), ("/readyz", 200, 503)] {
        let bench = guarded();
        assert_eq!(bench.ask(request(Method::GET, path, None, None)).await.status, before, "{path}");
        bench.surface.stop();
        let answer = bench.ask(request(Method::GET, path, None, None)).await;
        assert_eq!((answer.status, answer.header("retry-after").is_some()), (after, after == 503), "{path}");
    }
}

/// (rule: wire/health)
#[tokio::test]
async fn figures_are_the_operators_and_have_the_patterns_of_routes_for_labels() {
    let bench = guarded();
    let token = bench.token(0).await;
    assert_eq!(figures(&bench, None).await.0, 401);
    assert_eq!(figures(&bench, Some(&token)).await.0, 403);
    let client = bench.scope(0).client;
    bench.account(0);
    for (path, times) in [(format!("/v2/partner/client/{client}/account"), 3), ("/made-up-by-a-caller".to_owned(), 2)] {
        for _ in 0..times {
            bench.ask(request(Method::GET, &path, Some(&token), None)).await;
        }
    }
    bench.ask(request(Method::from_bytes(b"MADEUP").expect("a method"), "/x", None, None)).await;
    for path in ["/", "/docs", "/docs/createOrder", "/docs/try.js", "/openapi.json", "/asyncapi.json", "/llms.txt"] {
        bench.ask(request(Method::GET, path, None, None)).await;
    }
    let (status, text) = figures(&bench, Some("operator")).await;
    assert_eq!(status, 200);
    let samples = samples(&text);
    for (name, value) in [
        (r#"fundsim_requests_total{method="GET",route="/v2/partner/client/{clientId}/account",status="200"}"#, "3"),
        (r#"fundsim_requests_total{method="GET",route="unknown",status="404"}"#, "2"),
        (r#"fundsim_requests_total{method="other",route="unknown",status="404"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/docs",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/docs/{operationId}",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/docs/try.js",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/openapi.json",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/asyncapi.json",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/llms.txt",status="200"}"#, "1"),
        (r#"fundsim_requests_total{method="GET",route="/metrics",status="403"}"#, "1"),
        (r#"fundsim_request_duration_seconds_count{method="GET",route="/v2/partner/client/{clientId}/account"}"#, "3"),
        (r#"fundsim_events_total{event="account.create"}"#, "1"),
        ("fundsim_worlds", "1"),
        ("fundsim_connections", "0"),
        (r#"fundsim_clock_timestamp_seconds{world="world-1"}"#, "1772434800.0"),
        (r#"fundsim_clock_factor{world="world-1"}"#, "0.0"),
        (r#"fundsim_deliveries{world="world-1",status="queued"}"#, "0"),
    ] {
        assert!(samples.contains(&(name, value)), "{name} {value} is not in\n{text}");
    }
    for word in ["made-up", "MADEUP", &client.to_string()] {
        assert!(!text.contains(word), "{word} is a label");
    }
}

/// (rule: wire/log)
#[tokio::test(start_paused = true)]
async fn why_lists_a_request_with_its_effects_and_by_its_number() {
    let logged = telemetry(LevelFilter::INFO);
    let bench = Bench::new();
    let token = bench.token(0).await;
    let client = bench.scope(0).client;
    let opening = json!({ "clientId": client.to_string(), "accountType": "isk", "cash": 5000 });
    bench.ask(request(Method::POST, "/simulations/account", Some(&token), Some(&opening))).await;
    bench.ask(request(Method::GET, "/healthz", None, None)).await;
    let account = bench.account(0);
    bench.subscribe(0, account);
    let advance = json!({ "by": "P1D" });
    bench.ask(request(Method::POST, &format!("{W}/clock/advance"), None, Some(&advance))).await;
    let lines = logged.lines();
    let of = |words: &[&str]| lines.iter().filter(|line| words.iter().all(|word| line.contains(word))).count();
    let by_client = format!("request-id=2 world=world-1 client={client}");
    assert_eq!(of(&["info  event account.create ", &by_client]), 1, "{lines:#?}");
    assert_eq!(
        of(&["info  200 POST   /simulations/account  0.000 ms request-id=2 world=world-1 partner="]),
        1,
        "{lines:#?}"
    );
    assert_eq!(of(&["event order.create"]), 1);
    assert_eq!(of(&["event order.create", "request-id"]), 0, "no request caused it");
    assert!(of(&["event order.update", "because of: ", "request-id=4"]) > 0, "a request moved the clock: {lines:#?}");
    assert_eq!(of(&["/healthz"]), 0, "a probe of the health is logged from debug on");
    assert_eq!(of(&[&token]), 0);
    let secret = bench.world.identity.credentials()[0].secret.known().expect("a secret").reveal().to_owned();
    assert_eq!(of(&[&secret]), 0);
}

/// (rule: wire/request-log)
#[tokio::test(start_paused = true)]
async fn the_request_log_shows_what_was_sent_and_answered_within_bounds_and_without_secrets() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let client = bench.scope(0).client;
    let hook = json!({ "client": client.to_string(), "url": "http://127.0.0.1:9/hook" });
    let made = bench.ask(request(Method::POST, &format!("{W}/webhooks"), Some(&token), Some(&hook))).await;
    assert!((200..300).contains(&made.status), "{}", made.body);
    let secret = made.body["secret"].as_str().expect("a secret").to_owned();
    bench
        .ask(request(Method::GET, &format!("/v2/partner/client/{client}/account?ssn=191212121212"), Some(&token), None))
        .await;
    let listed = |query: &'static str| {
        let bench = &bench;
        async move { bench.ask(request(Method::GET, &format!("{W}/requests?{query}"), None, None)).await.body }
    };
    let all = listed("").await;
    let lines = all["requests"].as_array().expect("a list");
    assert_eq!(lines.len(), 3, "{all}");
    assert_eq!(lines[1]["sent"]["json"], hook);
    assert_eq!(lines[1]["answered"]["json"]["secret"], "***");
    assert_eq!(lines[0]["answered"]["json"], json!([]));
    assert!(lines[0]["path"].as_str().is_some_and(|path| path.ends_with("?ssn=***")), "{}", lines[0]);
    assert_eq!((&lines[2]["sent"], &lines[2]["answered"]), (&Value::Null, &Value::Null), "credentials are not kept");
    assert!(!all.to_string().contains(&secret) && !all.to_string().contains(&token));
    for (query, ids) in [
        ("method=post", vec![2, 1]),
        ("after=1", vec![3, 2]),
        ("after=1&limit=1", vec![3]),
        ("status=404", vec![]),
        ("path=/account", vec![3]),
        ("path=/account&method=POST", vec![]),
    ] {
        let listed = listed(query).await;
        let shown: Vec<_> = listed["requests"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|line| line["requestId"].as_u64().expect("a number"))
            .collect();
        assert_eq!(shown, ids, "{query}");
    }
    for query in ["after=x", "status=x", "limit=0"] {
        assert_eq!(listed(query).await["error"], "invalid_request", "{query}");
    }
    let mut settings = bench.world.edge.settings();
    settings.request_body_bytes = 20;
    bench.world.set_settings(settings);
    bench.ask(request(Method::POST, &format!("{W}/webhooks"), Some(&token), Some(&hook))).await;
    let sent = &listed("limit=1").await["requests"][0]["sent"];
    assert_eq!((&sent["isWhole"], sent["text"].as_str().map(str::len)), (&json!(false), Some(20)), "{sent}");
    assert_eq!(sent["length"], hook.to_string().len());
}
