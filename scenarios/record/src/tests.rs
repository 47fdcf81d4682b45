//! A session over HTTP, recorded, and played again.

use super::file;
use axum::body::Body;
use feed::transport::TransportClock;
use hosting::secrets::{Secret, ServerKey};
use hosting::worlds::Worlds;
use http_body_util::BodyExt as _;
use hyper::{Method, Request};
use language::diagnostic::{Diagnostic, Source};
use language::parse::{NoFiles, parse};
use language::{lint, write};
use page::{Field, Page, Target, find_field, put, resolve};
use runner::drivers::Choice;
use runner::{Run, play};
use serde_json::{Value as Json, json};
use std::time::Duration;
use surface::{Surface, SurfaceConfig};

const START: &str = "2026-04-07T09:30:00+02:00";
const FUND: &str = "SE0SBX000016SEK";
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// Somebody's conversation with a server.
struct Conversation {
    surface: Surface,
    world: String,
    client: String,
    /// What the journey's link ends with.
    link: String,
    /// What nobody may read in the file.
    secrets: Vec<String>,
    token: String,
    /// What the browser asks for.
    language: Option<&'static str>,
    page: Option<Page>,
    /// What was answered with JSON, in order, by the partner API and the levers.
    answers: Vec<String>,
}

impl Conversation {
    async fn begun(seed: u64, settings: Json) -> Self {
        let mut talk = Self::at(SurfaceConfig::default());
        talk.made(seed, settings).await;
        talk
    }

    fn at(config: SurfaceConfig) -> Self {
        let worlds = Worlds::new(ServerKey::fixed(&[9; 32]), TransportClock::given(|| EPOCH));
        let config = SurfaceConfig { scenario_writer: Some(file), ..config };
        Self {
            surface: sandbox::app(worlds, config),
            world: String::new(),
            client: String::new(),
            link: String::new(),
            secrets: Vec::new(),
            token: String::new(),
            language: Some("en"),
            page: None,
            answers: Vec::new(),
        }
    }

    /// A further world, whose partner speaks from here on.
    async fn made(&mut self, seed: u64, settings: Json) {
        self.token.clear();
        let body = json!({ "seed": seed, "start": START, "clock": "frozen", "setup": { "name": "It's: {x} no", "settings": settings } });
        let (status, made) = self.asks(Method::POST, "/_sandbox/worlds", &body).await;
        assert_eq!(status, 200, "{made}");
        self.speaks_for(&made, 0).await;
    }

    /// A partner of a world speaks from here on.
    async fn speaks_for(&mut self, made: &Json, partner: usize) {
        self.token.clear();
        let partner = &made["partners"][partner];
        let text = |value: &Json| value.as_str().expect("a text").to_owned();
        self.world = text(&made["worldId"]);
        self.client = format!("/v2/partner/client/{}", text(&partner["clients"][0]["id"]));
        let form = format!(
            "grant_type=client_credentials&client_id={}&client_secret={}",
            text(&partner["clientId"]),
            text(&partner["clientSecret"])
        );
        let (_, _, answer) = self.sends(Method::POST, "/v2/partner/auth/token", Some(("form", form))).await;
        let answer: Json = serde_json::from_str(&answer).expect("a token");
        self.token = text(&answer["access_token"]);
        let secrets = [&partner["clientSecret"], &partner["callbackSecret"], &answer["access_token"]].map(text);
        self.secrets.extend(secrets);
    }

    async fn sends(&self, method: Method, path: &str, body: Option<(&str, String)>) -> (u16, Option<String>, String) {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        if !self.token.is_empty() && !path.starts_with("/journey/") {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        let kind = match &body {
            Some(("form", _)) => "application/x-www-form-urlencoded",
            _ => "application/json",
        };
        request = request.header("content-type", kind).header("sec-fetch-site", "same-origin");
        if let (true, Some(language)) = (path.starts_with("/journey/"), self.language) {
            request = request.header("accept-language", language);
        }
        let body = body.map_or_else(Body::empty, |(_, text)| Body::from(text));
        let answer = self.surface.handle(request.body(body).expect("a request"), None).await.expect("an answer");
        let (head, body) = answer.into_parts();
        let location = head.headers.get("location").map(|it| it.to_str().expect("text").to_owned());
        let bytes = body.collect().await.expect("a body").to_bytes();
        (head.status.as_u16(), location, String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A request as it is, with a body of this kind.
    async fn throws(&self, method: &str, path: &str, kind: Option<&str>, body: &[u8]) -> (u16, Json) {
        let path = if path.starts_with("/simulations") || path.starts_with("/_sandbox") {
            path.to_owned()
        } else {
            format!("{}{path}", self.client)
        };
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        request = request.header("authorization", format!("Bearer {}", self.token));
        request = request.header("content-length", body.len());
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        let request = request.body(Body::from(body.to_vec())).expect("a request");
        let answer = self.surface.handle(request, None).await.expect("an answer");
        let status = answer.status().as_u16();
        let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// What the machinery answers about the world.
    async fn machinery(&self, method: &str, what: &str, body: &Json) -> Json {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let path = format!("/_sandbox/worlds/{}/{what}", self.world);
        let (status, answer) = self.throws(method, &path, Some("application/json"), text.as_bytes()).await;
        assert_eq!(status, 200, "{method} {what}: {answer}");
        answer
    }

    /// An account of the partner's first client.
    async fn opens(&mut self) -> Json {
        let client = self.client.rsplit('/').next().unwrap_or_default().to_owned();
        let asked = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 });
        let (status, account) = self.posts("/simulations/account", asked).await;
        assert_eq!(status, 200, "{account}");
        account
    }

    /// A journey of an account, and where its pages are.
    async fn begins(&mut self, account: &Json) -> (Json, String) {
        let asked = json!({
            "journey": { "journeyType": "addBankAccount", "account": account["id"] },
            "callbackUrl": "https://partner.example/told",
        });
        let (status, journey) = self.posts("/journey", asked).await;
        assert_eq!(status, 200, "{journey}");
        let url = journey["url"].as_str().expect("a link");
        let path = url[url.find("/journey/").expect("a path")..].to_owned();
        (journey, path)
    }

    async fn asks(&mut self, method: Method, path: &str, body: &Json) -> (u16, Json) {
        let sent = (!body.is_null()).then(|| ("json", body.to_string()));
        let (status, _, answer) = self.sends(method, path, sent).await;
        if !path.starts_with("/_sandbox") {
            self.answers.push(answer.clone());
        }
        (status, serde_json::from_str(&answer).unwrap_or(Json::String(answer)))
    }

    async fn posts(&mut self, path: &str, body: Json) -> (u16, Json) {
        let path = if path.starts_with("/order") || path.starts_with("/journey") {
            format!("{}{path}", self.client)
        } else {
            path.to_owned()
        };
        self.asks(Method::POST, &path, &body).await
    }

    async fn gets(&mut self, path: &str) -> (u16, Json) {
        let path = format!("{}{path}", self.client);
        self.asks(Method::GET, &path, &Json::Null).await
    }

    async fn advances(&mut self, body: Json) {
        let path = format!("/_sandbox/worlds/{}/clock/advance", self.world);
        let (status, answer) = self.posts(&path, body).await;
        assert_eq!(status, 200, "{answer}");
    }

    /// The browser goes there, and on as the answers lead.
    async fn visits(&mut self, path: String, form: Option<String>) {
        let (mut path, mut form) = (path, form);
        loop {
            let method = if form.is_some() { Method::POST } else { Method::GET };
            let (status, location, html) = self.sends(method, &path, form.take().map(|it| ("form", it))).await;
            let Some(location) = location else {
                self.page = Some(Page::read(status, &path, &html).expect("a page"));
                return;
            };
            let Target::Here(next) = resolve(&path, &location) else { panic!("it leads away to {location}") };
            path = next;
        }
    }

    /// Fills the page in and presses a button: the one that sends this, or the one that sends nothing.
    async fn fills_in(&mut self, values: &[(&str, Json)], press: Option<&str>) {
        let page = self.page.take().expect("a page");
        let mut fields: Vec<Field> = page.fields.clone();
        for (name, value) in values {
            put(find_field(&page, &mut fields, name).expect("a field"), value).expect("a value");
        }
        let form = page.form.clone().expect("a form");
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.extend_pairs(&form.hidden);
        for field in &fields {
            pairs.extend_pairs(field.holds.iter().map(|value| (&field.name, value)));
        }
        let button = form.buttons.iter().find(|it| it.sends.as_ref().map(|(_, value)| value.as_str()) == press);
        let button = button.unwrap_or_else(|| panic!("no {press:?} among {:?}", page.ways()));
        pairs.extend_pairs(&button.sends);
        let Target::Here(path) = resolve(&page.path, &form.action) else { panic!("it leads away") };
        self.visits(path, Some(pairs.finish())).await;
    }

    async fn exported(&self) -> String {
        let path = format!("/_sandbox/worlds/{}/scenario", self.world);
        let (status, _, text) = self.sends(Method::GET, &path, None).await;
        assert_eq!(status, 200, "{text}");
        text
    }
}

/// An order, one that is refused, a lever, moves of the clock, and a journey signed on its pages.
async fn session() -> Conversation {
    let mut talk = Conversation::begun(77, json!({ "holdBankDays": 2 })).await;
    let account = json!({
        "clientId": talk.client.rsplit('/').next(), "accountType": "isk", "cash": 10_000.50,
        "positions": [{ "instrument": FUND, "units": 12.5 }],
        "bankAccounts": [{ "iban": "SE4550000000058398257466", "validated": true }],
    });
    let (_, account) = talk.posts("/simulations/account", account).await;
    let order = |amount: Json| json!({ "orderType": "subscription", "account": account["id"], "instrument": FUND, "amount": amount, "clientRef": "{mine}" });
    let (status, first) = talk.posts("/order", order(json!(1500))).await;
    assert_eq!(status, 200, "{first}");
    let (status, refused) = talk.posts("/order", order(json!(-3))).await;
    assert_eq!(status, 400, "{refused}");
    let (status, _) = talk.posts("/order", order(json!("a lot"))).await;
    assert_eq!(status, 400);
    let id = first["id"].as_str().expect("an id").to_owned();
    let (status, held) = talk.posts(&format!("/simulations/order/{id}/hold"), Json::Null).await;
    assert_eq!(status, 200, "{held}");
    talk.advances(json!({ "by": "PT2H" })).await;
    talk.posts(&format!("/simulations/order/{id}/release"), Json::Null).await;
    talk.advances(json!({ "until": "settlement", "order": id })).await;
    talk.advances(json!({ "to": "2026-04-20T10:00:00+02:00" })).await;
    talk.gets(&format!("/order/{id}")).await;
    let of_account = format!("/account/{}", account["id"].as_str().expect("an id"));
    let (_, transactions) = talk.gets(&format!("{of_account}/transaction/cash?limit=3")).await;
    let transaction = transactions[0]["id"].as_str().expect("a transaction").to_owned();
    talk.gets(&format!("/transaction/cash/{transaction}")).await;

    let journey = |callback: &str| {
        json!({
            "journey": { "journeyType": "addBankAccount", "account": account["id"], "autogiro": { "enforce": "required" } },
            "callbackUrl": callback, "redirectUrl": "https://partner.example/back?secret=hunter4",
        })
    };
    let (status, refused) = talk.posts("/journey", journey("https://user:hunter2@partner.example/told")).await;
    assert_eq!(status, 400, "{refused}");
    let mut journey = journey("https://partner.example/told?token=hunter3");
    journey["redirectUrl"] = Json::Null;
    let (status, journey) = talk.posts("/journey", journey).await;
    assert_eq!(status, 200, "{journey}");
    let url = journey["url"].as_str().expect("a link");
    let path = url[url.find("/journey/").expect("a path")..].to_owned();
    talk.link = path["/journey/".len()..].to_owned();
    talk.secrets.push(talk.link.clone());
    talk.secrets.extend(["hunter2", "hunter3", "hunter4"].map(str::to_owned));
    talk.visits(path, None).await;
    talk.fills_in(&[], Some("sign")).await;
    talk.fills_in(&[("iban", json!("SE8150000000050000000018")), ("name", json!("{Salary}"))], None).await;
    talk.fills_in(&[("iban", json!("SE8150000000050000000019"))], None).await;
    talk.fills_in(&[("accept", json!(true))], None).await;
    talk.fills_in(&[], Some("sign")).await;
    assert_eq!(talk.page.as_ref().map(Page::name), Some("end"));
    let id = journey["id"].as_str().expect("an id");
    let (_, journey) = talk.gets(&format!("/journey/{id}")).await;
    assert_eq!(journey["status"], "complete");
    talk.gets(&of_account).await;
    talk.advances(json!({ "by": "PT30S" })).await;
    talk.gets(&of_account).await;
    talk
}

fn now<F: Future>(talk: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(talk)
}

fn played(text: &str, driver: &Choice) -> Run {
    let source = Source::new("recorded.yaml", text);
    let shown = |faults: Vec<Diagnostic>| faults.iter().map(|fault| fault.render(false)).collect::<String>();
    let story = parse(&source, &NoFiles).unwrap_or_else(|faults| panic!("{}\n{text}", shown(faults)));
    let missing = lint::faults(&story, &source);
    assert!(missing.is_empty(), "{}\n{text}", shown(missing));
    let runs = play(&story, driver, story.seed(), runner::Extras::default()).expect("the run is set up");
    runs.into_iter().next().expect("a run")
}

/// The transcript of a run that nothing was otherwise in.
fn well(text: &str, driver: &Choice) -> String {
    passed(text, driver).transcript
}

/// A run that nothing was otherwise in.
fn passed(text: &str, driver: &Choice) -> Run {
    let run = played(text, driver);
    let why = run.failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(run.failure.is_none(), "{why}\n{text}\n{}", run.transcript);
    run
}

#[test]
fn a_recorded_session_is_answered_the_same_in_process_and_over_a_simulated_network() {
    let (talk, text) = now(async {
        let talk = session().await;
        let text = talk.exported().await;
        (talk, text)
    });
    let run = passed(&text, &Choice::InProcess);
    assert_eq!(run.transcript, well(&text, &Choice::Turmoil));
    let mut requests = run.exchanges.requests.iter();
    for answer in &talk.answers {
        // Where servers are, and what their keys make, is no part of a story.
        let masks = [
            ("http://127.0.0.1:8080", "{url}"),
            ("https://partner.example/told?token=hunter3", "{receiver}/callback"),
            (talk.link.as_str(), "{journey token}"),
        ];
        let answer = masks.iter().fold(answer.clone(), |text, (found, mask)| text.replace(found, mask));
        let is_answered = requests.any(|request| request.answer == answer);
        assert!(is_answered, "not answered, or not in its turn: {answer}\n{}", run.transcript);
    }
}

#[test]
fn a_recorded_story_fails_when_the_answer_is_another() {
    let text = now(async { session().await.exported().await });
    for (exported, other) in [
        ("balance: 8500.50", "balance: 8500.51"),
        ("status: complete", "status: pending"),
        ("error_description: amount must be greater than zero", "error_description: amount is required"),
        ("name: agreement", "name: signing"),
        ("expect clock: \"2026-04-09T07:00:00.000Z\"", "expect clock: \"2026-04-09T07:00:00.001Z\""),
    ] {
        assert!(text.contains(exported), "{exported} is not in\n{text}");
        let run = played(&text.replace(exported, other), &Choice::InProcess);
        assert!(run.failure.is_some(), "nobody noticed {other}");
    }
}

#[test]
fn the_file_has_no_secret_and_no_other_world_reads_it() {
    now(async {
        let mut talk = session().await;
        let text = talk.exported().await;
        for secret in &talk.secrets {
            assert!(!text.contains(secret.as_str()), "{secret} stands in\n{text}");
        }
        let path = format!("/_sandbox/worlds/{}/scenario", talk.world);
        talk.made(78, json!({})).await;
        let (status, _, answer) = talk.sends(Method::GET, &path, None).await;
        assert_eq!(status, 403, "{answer}");
        assert!(!talk.exported().await.contains("open account"), "a world tells of itself alone");
    });
}

#[test]
fn a_setting_whose_name_ends_as_a_secret_does_is_recorded_as_it_was_set() {
    now(async {
        let mut talk = Conversation::begun(81, json!({})).await;
        let client = talk.client.rsplit('/').next().unwrap_or_default().to_owned();
        let patch = json!({ "clients": { client: { "withdrawalNeedsSignature": true } } });
        let settings = format!("/_sandbox/worlds/{}/settings", talk.world);
        let (status, answer) = talk.asks(Method::PATCH, &settings, &patch).await;
        assert_eq!(status, 200, "{answer}");
        let text = talk.exported().await;
        assert!(text.contains("withdrawalNeedsSignature: true"), "{text}");
        well(&text, &Choice::InProcess);
    });
}

#[test]
fn missing_requests_are_reported() {
    let text = now(async {
        let mut talk = Conversation::begun(79, json!({ "recordingBytes": 4_000 })).await;
        for _ in 0..9 {
            talk.gets("/account").await;
        }
        talk.exported().await
    });
    assert!(text.contains("requests found no room in the recording and are missing at the end"), "{text}");
    let story = parse(&Source::new("recorded.yaml", text.clone()), &NoFiles).expect("a story");
    let missing = story.incomplete.expect("the file itself says that it is incomplete");
    assert!(missing.contains("missing at the end"), "{missing}");
    well(&text, &Choice::InProcess);
}

#[test]
fn a_fork_exports_its_history_and_a_rewound_world_only_what_is_left() {
    now(async {
        let mut talk = Conversation::begun(80, json!({})).await;
        let account = |cash: u32| json!({ "accountType": "isk", "cash": cash });
        let client = talk.client.rsplit('/').next().unwrap_or_default().to_owned();
        let open = |cash| {
            let mut body = account(cash);
            body["clientId"] = json!(client);
            body
        };
        let (status, answer) = talk.posts("/simulations/account", open(1)).await;
        assert_eq!(status, 200, "{answer}");
        talk.advances(json!({ "by": "PT1H" })).await;
        talk.posts("/simulations/account", open(2)).await;
        let all = talk.exported().await;
        assert!(all.contains("cash: 1") && all.contains("cash: 2"), "{all}");
        let world = format!("/_sandbox/worlds/{}", talk.world);
        let (status, answer) = talk.posts(&format!("{world}/rewind"), json!({ "to": START })).await;
        assert_eq!(status, 200, "{answer}");
        let before = talk.exported().await;
        assert!(before.contains("cash: 1") && !before.contains("cash: 2"), "{before}");
        well(&before, &Choice::InProcess);
        let (_, fork) = talk.posts(&format!("{world}/fork"), json!({})).await;
        talk.world = fork["worldId"].as_str().expect("a fork").to_owned();
        talk.token.clear();
        let of_fork = talk.exported().await;
        assert_eq!(of_fork.replacen("What fork of ", "What ", 1), before);
    });
}

#[test]
fn the_clock_advances_as_requested_in_every_form_of_request() {
    let text = now(async {
        let mut talk = Conversation::begun(81, json!({})).await;
        let client = talk.client.rsplit('/').next().unwrap_or_default().to_owned();
        let (_, account) = talk
            .posts("/simulations/account", json!({ "clientId": client, "accountType": "isk", "cash": 5_000 }))
            .await;
        let order =
            json!({ "orderType": "subscription", "account": account["id"], "instrument": FUND, "amount": 1_000 });
        let (status, order) = talk.posts("/order", order).await;
        assert_eq!(status, 200, "{order}");
        for how in [
            json!({ "by": "PT90S" }),
            json!({ "until": "next" }),
            json!({ "until": "cutOff" }),
            json!({ "until": "cutOff", "order": order["id"] }),
            json!({ "until": "cutOff", "instrument": FUND }),
            json!({ "until": "settlement", "order": order["id"] }),
            json!({ "to": "2026-05-01T10:00:00+02:00" }),
        ] {
            talk.advances(how).await;
            talk.gets(&format!("/instrument/{FUND}")).await;
        }
        talk.exported().await
    });
    assert_eq!(well(&text, &Choice::InProcess), well(&text, &Choice::Turmoil));
}

/// A file that is answered the same by both drivers.
fn plays(text: &str) -> String {
    let transcript = well(text, &Choice::InProcess);
    assert_eq!(transcript, well(text, &Choice::Turmoil));
    transcript
}

#[test]
fn odd_requests_are_exported_unchanged_or_reported_as_missing() {
    let text = now(async {
        let mut talk = Conversation::begun(90, json!({})).await;
        let account = talk.opens().await;
        let account = account["id"].as_str().expect("an id").to_owned();
        let order = |reference: &str| {
            format!(
                r#"{{"orderType":"subscription","account":"{account}","instrument":"{FUND}","amount":100,"clientRef":{reference}}}"#
            )
        };
        let (_, held) = talk.throws("POST", "/order", Some("application/json"), order(r#""first""#).as_bytes()).await;
        let hold = format!("/simulations/order/{}/hold", held["id"].as_str().expect("an id"));
        let unknown = order("null").replace(&account, "account1");
        let deep = order(&("[".repeat(100) + &"]".repeat(100)));
        let large = order(&format!("\"{}\"", "x".repeat(1_100_000)));
        let json = Some("application/json");
        for (status, method, path, kind, body) in [
            (400, "DELETE", "/order/abc", None, ""),
            (400, "GET", "/order/account1", None, ""),
            (400, "POST", "/simulations/transfer/77/accept", None, ""),
            (400, "POST", "/order", json, &*unknown),
            (400, "POST", "/order", json, r#"{"amount":1,"amount":2}"#),
            (400, "POST", "/order", json, &*order("1").replace("\"amount\":100", "\"amount\":100,\"amount\":200")),
            (200, "POST", "/order", Some("APPLICATION/JSON; charset=utf-8"), &*order("\"upper\"")),
            (400, "POST", "/order", Some("text/plain"), &*order("\"plain\"")),
            (400, "POST", "/order", None, &*order("\"none\"")),
            (400, "POST", "/order", json, ""),
            (400, "POST", "/order", json, "{\"secret\": abc"),
            (400, "POST", "/order", json, "{account1} {x}"),
            (400, "POST", "/order", json, &*deep),
            (400, "POST", &*hold, None, "{}"),
            (200, "HEAD", "/order", None, ""),
            (404, "GET", "/order/journey/", None, ""),
            (404, "PUT", "/order", None, ""),
            (404, "TRACE", "/order", None, ""),
            (200, "POST", "/order?a=1&a=%7Bx%7D", json, &*order("\"twice\"")),
            (200, "POST", "/order?start", json, &*order("\"bare\"")),
            (200, "POST", "/order", json, &*order(r#""{account1} {{x}} ***""#)),
            (400, "POST", "/order", json, &*large),
            (400, "POST", "/order", json, r#"{"{x}":1,"a.b":{"length":2},"":[],"any":null}"#),
        ] {
            let (got, answer) = talk.throws(method, path, kind, body.as_bytes()).await;
            assert_eq!(got, status, "{method} {path} {body}: {answer}");
        }
        talk.throws("POST", "/order", json, b"{\"clientRef\":\"\xff\"}").await;
        talk.gets("/order").await;
        talk.exported().await
    });
    let about = text.lines().find(|line| line.starts_with("about:")).expect("what is missing");
    let missing = [
        "1 requests cannot be written down",
        "1 requests sent bytes that are not text",
        "1 requests sent more than is kept",
    ];
    assert!(missing.iter().all(|what| about.contains(what)) && !about.contains("may not pass"), "{about}");
    plays(&text);
}

#[test]
fn rules_are_removed_by_their_names_and_stay_when_a_world_is_put_back_but_not_in_a_fork() {
    let [back, fork] = now(async {
        let mut talk = Conversation::begun(91, json!({})).await;
        talk.opens().await;
        let rule = json!({ "match": { "path": "/**/order" }, "verdict": { "answer": { "status": 500 } } });
        talk.machinery("POST", "faults", &rule).await;
        talk.machinery("POST", "faults", &rule).await;
        talk.machinery("POST", "faults/bundles", &json!({ "name": "a slow partner" })).await;
        for number in 2..4 {
            talk.machinery("DELETE", &format!("faults/{number}"), &Json::Null).await;
        }
        let (status, _) = talk.throws("DELETE", &format!("/_sandbox/worlds/{}/faults/2", talk.world), None, b"").await;
        assert_eq!((status, talk.gets("/order").await.0), (404, 500));
        talk.advances(json!({ "by": "P1D" })).await;
        talk.opens().await;
        let fork = talk.machinery("POST", "fork", &json!({ "at": "2026-04-07T12:00:00+02:00" })).await;
        talk.machinery("POST", "rewind", &json!({ "to": "2026-04-07T10:00:00+02:00" })).await;
        assert_eq!(talk.gets("/order").await.0, 500);
        talk.gets("/account").await;
        let back = talk.exported().await;
        talk.speaks_for(&fork, 0).await;
        assert_eq!(talk.gets("/order").await.0, 200);
        [back, talk.exported().await]
    });
    assert!(back.contains("remove fault: fault2") && back.contains("GET /account"), "{back}");
    assert!(!back.contains("P1D") && !fork.contains("P1D"), "what came later is not there: {back}\n{fork}");
    assert!(fork.contains("- remove faults"), "{fork}");
    plays(&back);
    plays(&fork);
}

#[test]
fn secrets_are_hidden_by_their_names_at_any_depth_and_by_their_value_anywhere() {
    let (talk, text) = now(async {
        let mut talk = Conversation::begun(92, json!({})).await;
        let account = talk.opens().await;
        let (_, path) = talk.begins(&account).await;
        let (secret, token, link) = (talk.secrets[0].clone(), talk.token.clone(), path["/journey/".len()..].to_owned());
        let given = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz".to_owned();
        let mut order =
            json!({ "orderType": "subscription", "account": account["id"], "instrument": FUND, "amount": 100 });
        for (key, value) in [
            ("secret", json!(["hidden-1"])),
            ("token", json!({ "value": "hidden-2" })),
            ("nested", json!([{ "apiKey": { "a": ["hidden-3"] } }])),
            ("password", json!(987_654_321_012_u64)),
            ("private-key", json!("hidden-4")),
            ("clientRef", json!(secret)),
            ("clientRef", json!("token=hidden-5")),
            ("clientRef", json!("//user:hidden-6@host/")),
            ("clientRef", json!("http://h/#access_token=hidden-7")),
            ("account", json!(token)),
        ] {
            let before = std::mem::replace(&mut order[key], value);
            talk.posts("/order", order.clone()).await;
            order[key] = before;
        }
        talk.gets(&format!("/order/{token}?x={link}")).await;
        talk.gets(&format!("/journey/{link}")).await;
        let client = talk.client.rsplit('/').next().unwrap_or_default().to_owned();
        let url = "https://partner.example/hook";
        let hook = talk.machinery("POST", "webhooks", &json!({ "client": client, "url": url, "secret": given })).await;
        let rotate = format!("webhooks/{}/rotate", hook["id"].as_str().expect("an id"));
        talk.machinery("POST", &rotate, &json!({ "secret": given })).await;
        let refused = format!("/_sandbox/worlds/{}/{rotate}", talk.world);
        let (status, _) = talk.throws("POST", &refused, Some("application/json"), br#"{"secret":"hidden-8"}"#).await;
        assert_eq!(status, 400);
        talk.secrets.extend([link, given, "987654321012".to_owned()]);
        talk.secrets.extend((1..9).map(|number| format!("hidden-{number}")));
        let text = talk.exported().await;
        (talk, text)
    });
    for secret in &talk.secrets {
        assert!(!text.contains(secret.as_str()), "{secret} stands in\n{text}");
    }
    assert!(
        text.contains("register webhook: {as: webhook1}") && text.contains("rotate webhook secret: webhook1"),
        "{text}"
    );
    // Keys and ids of webhooks are the server's own, and so differ in transcripts.
    for driver in [Choice::InProcess, Choice::Turmoil] {
        well(&text, &driver);
    }
}

#[test]
fn a_partner_of_a_shared_world_exports_its_own_part_and_reads_what_may_change() {
    let text = now(async {
        let operator = "the-operators-own-token";
        let mut talk =
            Conversation::at(SurfaceConfig { operator_token: Some(Secret::new(operator)), ..SurfaceConfig::default() });
        let partner = |name: &str, crn: &str| json!({ "name": name, "clients": [{ "name": name, "crn": crn, "accounts": [{ "accountType": "isk", "cash": 9_000 }] }] });
        let partners = [partner("Ours AB", "5560360793"), partner("Theirs AB", "5561234567")];
        talk.token = operator.to_owned();
        let world = json!({ "seed": 93, "start": START, "clock": "frozen",
            "setup": { "partners": partners, "settings": { "partnersMay": ["advance"] } } });
        let (_, made) =
            talk.throws("POST", "/_sandbox/worlds", Some("application/json"), world.to_string().as_bytes()).await;
        talk.speaks_for(&made, 1).await;
        let (_, theirs) = talk.gets("/account").await;
        let order =
            json!({ "orderType": "subscription", "account": theirs[0]["id"], "instrument": FUND, "amount": 100 });
        let (status, order) = talk.posts("/order", order).await;
        assert_eq!(status, 200, "{order}");
        talk.advances(json!({ "until": "settlement", "order": order["id"] })).await;
        let secrets = [theirs[0]["id"].clone(), order["id"].clone(), json!("Theirs")];
        talk.speaks_for(&made, 0).await;
        talk.opens().await;
        let path = format!("/_sandbox/worlds/{}/clock/advance", talk.world);
        let (status, answer) = talk.posts(&path, json!({ "until": "settlement", "order": order["id"] })).await;
        assert!((400..500).contains(&status), "{answer}");
        let text = talk.exported().await;
        for secret in &secrets {
            assert!(!text.contains(secret.as_str().expect("a text")), "{secret} stands in\n{text}");
        }
        text
    });
    let about = text.lines().find(|line| line.starts_with("about:")).expect("what is missing");
    for part in [
        "other partners are left out",
        "drawn from the seed",
        "belong to another partner",
        "refused to a partner",
        "may not pass",
    ] {
        assert!(about.contains(part), "{part} is not in {about}");
    }
    assert!(text.contains("advance: to 2026-04-09"), "{text}");
    // It reads; what is drawn from the seed is other than it was.
    assert!(parse(&Source::new("recorded.yaml", &*text), &NoFiles).is_ok(), "{text}");
}

#[test]
fn pages_are_opened_in_the_language_that_they_came_in() {
    for language in [None, Some("sv-SE,sv;q=0.9"), Some("zz-{x}")] {
        let text = now(async {
            let mut talk = Conversation::begun(94, json!({})).await;
            talk.language = language;
            let account = talk.opens().await;
            let (_, path) = talk.begins(&account).await;
            talk.visits(path, None).await;
            talk.fills_in(&[], Some("sign")).await;
            talk.exported().await
        });
        plays(&text);
    }
}

#[test]
fn forms_of_other_tabs_and_of_people_who_take_turns_are_exported() {
    let text = now(async {
        let mut talk = Conversation::begun(95, json!({})).await;
        let account = talk.opens().await;
        let mut pages = Vec::new();
        for _ in 0..2 {
            let (_, path) = talk.begins(&account).await;
            talk.visits(path, None).await;
            talk.fills_in(&[], Some("sign")).await;
            // What was typed is there still when the other one has had a turn.
            talk.fills_in(&[("iban", json!("SE12")), ("name", json!("{Salary}"))], None).await;
            pages.push(talk.page.clone());
        }
        for mut page in pages {
            talk.page = page.clone();
            talk.fills_in(&[("iban", json!("SE8150000000050000000019"))], None).await;
            // Another tab has the page of before, and sends what nobody asks for.
            page.as_mut()
                .and_then(|page| page.form.as_mut())
                .expect("a form")
                .hidden
                .push(("zzz".to_owned(), "1".to_owned()));
            talk.page = page;
            talk.fills_in(&[("iban", json!("SE5950000000050000000027")), ("name", json!("late"))], None).await;
        }
        talk.visits("/journey/nobody".to_owned(), None).await;
        talk.gets("/account").await;
        talk.exported().await
    });
    plays(&text);
}

#[test]
fn a_payers_decision_is_exported_as_the_lever_with_the_same_effect() {
    for outcome in ["pay", "decline", "fail"] {
        let text = now(async {
            let mut talk = Conversation::begun(96, json!({ "autoPay": false })).await;
            let account = talk.opens().await;
            let of_account = format!("/account/{}", account["id"].as_str().expect("an id"));
            let asked = json!({ "amount": 500, "type": "same_device" });
            let path = format!("{}{of_account}/deposit/mobilepay", talk.client);
            let (status, payment) = talk.posts(&path, asked).await;
            assert_eq!(status, 200, "{payment}");
            let page = format!("/pay/{}/{}", payment["token"].as_str().expect("a token"), talk.world);
            talk.visits(page, None).await;
            let why: &[_] = if outcome == "fail" { &[("_failure", json!("RF07"))] } else { &[] };
            talk.fills_in(why, Some(outcome)).await;
            talk.gets(&of_account).await;
            talk.exported().await
        });
        assert!(text.contains(&format!("{outcome} mobile payment: ")), "{text}");
        plays(&text);
    }
}

#[test]
fn a_long_session_is_written_as_if_at_once_and_an_empty_one_can_fail() {
    let text = now(async {
        let mut talk = Conversation::begun(97, json!({})).await;
        well(&talk.exported().await, &Choice::InProcess);
        for _ in 0..120 {
            talk.gets("/account").await;
        }
        talk.exported().await
    });
    let story = parse(&Source::new("recorded.yaml", &*text), &NoFiles).unwrap_or_else(|_| panic!("{text}"));
    assert_eq!((story.steps.len(), write::write(&story)), (120, text));
}
