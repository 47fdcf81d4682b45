//! What no story asks in full: a conversation of the operator, and of a partner.
//!
//! Invariant: clocks are frozen and the key is known, so that each run gets the same answers. Absent on purpose: what
//! stories ask.

use super::Line;
use axum::body::Body;
use axum::http::{Method, Request, header};
use feed::transport::TransportClock;
use hosting::secrets::ServerKey;
use hosting::setup::demo;
use hosting::worlds::{NewWorld, WorldOrigin, Worlds};
use http_body_util::BodyExt as _;
use serde_json::{Value as Json, json};
use sim::rng::Seed;
use sim::time::Instant;
use std::sync::Arc;
use std::time::Duration;
use surface::{Surface, SurfaceConfig};
use testing::Now as _;

/// A Monday morning.
const START: &str = "2026-03-02T08:00:00+01:00";
const CLIENT: &str = "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01";
const FUND: &str = "SE0SBX000016SEK";

struct Talk {
    surface: Surface,
    token: Option<String>,
    lines: Vec<Line>,
}

impl Talk {
    async fn asks(&mut self, method: Method, path: &str, body: Option<Json>) -> Json {
        let content = match &body {
            Some(form) if path.ends_with("/token") => {
                let pairs = form.as_object().expect("fields").iter();
                pairs
                    .map(|(name, value)| format!("{name}={}", value.as_str().expect("text")))
                    .collect::<Vec<_>>()
                    .join("&")
            }
            Some(body) => body.to_string(),
            None => String::new(),
        };
        let kind = if path.ends_with("/token") { "application/x-www-form-urlencoded" } else { "application/json" };
        let request = Request::builder().method(method.clone()).uri(path).header(header::CONTENT_TYPE, kind);
        let bearer = self.token.iter().map(|token| format!("Bearer {token}"));
        let request = bearer.fold(request, |request, bearer| request.header(header::AUTHORIZATION, bearer));
        let request = request.body(Body::from(content)).expect("a request");
        let (parts, answer) = self.surface.handle(request, None).await.expect("an answer").into_parts();
        let bytes = answer.collect().await.expect("a body").to_bytes();
        let answer: Json = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        assert!(parts.status.is_success(), "{method} {path}: {answer}");
        self.lines.push((method.to_string(), path.to_owned(), body, parts.status.as_u16(), Some(answer.clone())));
        answer
    }

    async fn gets(&mut self, path: &str) -> Json {
        self.asks(Method::GET, path, None).await
    }

    async fn posts(&mut self, path: &str, body: Json) -> Json {
        self.asks(Method::POST, path, Some(body)).await
    }
}

/// The id in an answer.
fn id_of(answer: &Json) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
}

/// A world is made and looked at; a partner uses it; it goes back and forth, and is dropped.
pub(super) async fn held() -> Vec<Line> {
    let start = Instant::parse(START).expect("an instant");
    let epoch = Duration::from_millis(start.ms().unsigned_abs());
    let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::given(move || epoch));
    let origin = WorldOrigin { setup: Arc::new(demo()), seed: Seed(42), start };
    worlds.make(NewWorld::frozen(origin)).now().expect("a world");
    let surface = sandbox::app(worlds, SurfaceConfig::default());
    let mut talk = Talk { surface, token: None, lines: Vec::new() };
    talk.gets("/healthz").await;
    talk.gets("/readyz").await;
    let make = json!({ "name": "mine", "seed": 7, "start": START, "clock": "frozen" });
    let made = talk.posts("/_sandbox/worlds", make).await;
    talk.gets("/_sandbox/worlds").await;
    let credentials = &made["partners"][0];
    let form = json!({
        "grant_type": "client_credentials",
        "client_id": credentials["clientId"],
        "client_secret": credentials["clientSecret"],
    });
    let token = talk.posts("/v2/partner/auth/token", form).await;
    let operated = format!("/_sandbox/worlds/{}", made["worldId"].as_str().expect("an id"));
    talk.gets(&operated).await;
    talk.token = token["access_token"].as_str().map(str::to_owned);
    of_partner(&mut talk).await;
    talk.token = None;
    let events = talk.gets(&format!("{operated}/events?limit=1")).await;
    let event = events["events"][0]["event"]["eventId"].as_str().unwrap_or_default().to_owned();
    talk.gets(&format!("{operated}/why/{event}?limit=1")).await;
    talk.gets(&format!("{operated}/journeys?client={CLIENT}&limit=1")).await;
    talk.gets(&format!("{operated}/digest")).await;
    talk.gets(&format!("{operated}/pictures")).await;
    let kept = talk.posts(&format!("{operated}/snapshots"), json!({ "name": "morning" })).await;
    let kept = kept["id"].as_str().unwrap_or("morning").to_owned();
    talk.asks(Method::POST, &format!("{operated}/snapshots/{kept}/restore"), None).await;
    let fork = talk.posts(&format!("{operated}/fork"), json!({ "name": "fork" })).await;
    let fork = fork["worldId"].as_str().unwrap_or_default().to_owned();
    talk.posts(&format!("{operated}/rewind"), json!({ "to": START })).await;
    talk.gets(&format!("{operated}/compare/{fork}?limit=2")).await;
    talk.gets(&format!("{operated}/deliveries")).await;
    let webhooks = format!("{operated}/webhooks");
    let webhook = json!({ "client": CLIENT, "url": "https://partner.example/events", "events": ["order.*"] });
    let first = talk.posts(&webhooks, webhook.clone()).await;
    talk.gets(&webhooks).await;
    let hook = format!("{webhooks}/{}", id_of(&first));
    talk.gets(&hook).await;
    talk.asks(Method::PATCH, &hook, Some(json!({ "events": ["order.*", "journey.update"] }))).await;
    talk.posts(&format!("{hook}/rotate"), json!({ "overlapSeconds": 3600 })).await;
    talk.posts(&format!("{hook}/replay"), json!({ "since": START })).await;
    let faults = format!("{operated}/faults");
    talk.gets(&format!("{faults}/bundles")).await;
    talk.posts(&format!("{faults}/bundles"), json!({ "name": "a deploy" })).await;
    talk.gets(&format!("{faults}/1")).await;
    talk.asks(Method::DELETE, &faults, None).await;
    talk.asks(Method::DELETE, &format!("{webhooks}/{}", id_of(&first)), None).await;
    talk.posts(&webhooks, webhook).await;
    talk.asks(Method::DELETE, &webhooks, None).await;
    talk.posts(&format!("{operated}/sockets/close"), json!({ "how": "graceful" })).await;
    talk.gets(&format!("{operated}/requests?limit=1")).await;
    talk.asks(Method::POST, &format!("{operated}/reset"), None).await;
    talk.asks(Method::DELETE, &operated, None).await;
    talk.lines
}

/// A partner reads what it has, and its customers walk journeys step by step.
async fn of_partner(talk: &mut Talk) {
    let client = format!("/v2/partner/client/{CLIENT}");
    talk.gets(&client).await;
    talk.gets(&format!("{client}/custodian")).await;
    talk.gets(&format!("{client}/instrument/{FUND}/prices?start=2026-02-23&end=2026-02-27")).await;
    let position = json!({ "instrument": FUND, "units": 10 });
    let account = json!({ "clientId": CLIENT, "accountType": "isk", "cash": 1000, "positions": [position] });
    let account = talk.posts("/simulations/account", account).await;
    let (owner, account) = (account["owner"]["ssn"].clone(), id_of(&account));
    talk.gets(&format!("{client}/account?limit=1")).await;
    let units = talk.gets(&format!("{client}/account/{account}/transaction/fund")).await;
    talk.gets(&format!("{client}/transaction/fund/{}", id_of(&units[0]))).await;
    let callback = "https://partner.example/journeys";
    let journeys = format!("{client}/journey");
    let opening = json!({
        "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
        "accountCategories": ["retail"], "allocationPlan": {},
    });
    let opened = talk.posts(&journeys, json!({ "callbackUrl": callback, "journey": opening })).await;
    talk.asks(Method::POST, &format!("/simulations/journey/{}/complete", id_of(&opened)), None).await;
    let plans = talk.gets(&format!("{client}/allocationplan")).await;
    talk.gets(&format!("{client}/allocationplan/{}", id_of(&plans[0]))).await;
    let bank = json!({ "journeyType": "addBankAccount", "account": account });
    let bank = talk.posts(&journeys, json!({ "callbackUrl": callback, "journey": bank })).await;
    let lever = format!("/simulations/journey/{}", id_of(&bank));
    talk.asks(Method::POST, &format!("{lever}/open"), None).await;
    talk.gets(&format!("{lever}/steps")).await;
    talk.posts(&format!("{lever}/sign"), json!({ "signer": owner, "outcome": "sign" })).await;
    let iban = json!({ "iban": "SE8150000000050000000019" });
    talk.posts(&format!("{lever}/answer"), json!({ "step": "bankAccount", "answers": iban })).await;
    talk.posts("/simulations/bankgiro", json!({ "ref": "1234574", "amount": 250 })).await;
    talk.posts("/_sandbox/worlds/current/clock/advance", json!({ "by": "P2D" })).await;
    let suspense = "/_sandbox/worlds/current/suspense";
    let waiting = talk.gets(suspense).await;
    talk.asks(Method::POST, &format!("{suspense}/{}/return", id_of(&waiting[0])), None).await;
}
