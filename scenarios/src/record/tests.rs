//! A session over HTTP, recorded, and played again.

use super::file;
use crate::diagnostic::Source;
use crate::drivers::Choice;
use crate::page::{Field, Page, Target, find_field, put, resolve};
use crate::parse::{OnDisk, parse};
use crate::runner::{Run, play};
use axum::body::Body;
use http_body_util::BodyExt as _;
use hyper::{Method, Request};
use sandbox::hosting::secrets::ServerKey;
use sandbox::hosting::transport::TransportClock;
use sandbox::hosting::worlds::Worlds;
use sandbox::{Surface, SurfaceConfig};
use serde_json::{Value as Json, json};
use std::time::Duration;

const START: &str = "2026-04-07T09:30:00+02:00";
const FUND: &str = "SE0SBX000016SEK";
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// Somebody's conversation with a server.
struct Talk {
    surface: Surface,
    world: String,
    client: String,
    /// What the journey's link ends with.
    link: String,
    /// What nobody may read in the file.
    secrets: Vec<String>,
    token: String,
    page: Option<Page>,
    /// What was answered with JSON, in order, by the partner API and the levers.
    answers: Vec<String>,
}

impl Talk {
    async fn begun(seed: u64, settings: Json) -> Self {
        let worlds = Worlds::new(ServerKey::fixed(&[9; 32]), TransportClock::given(|| EPOCH));
        let config = SurfaceConfig { scenario_writer: Some(file), ..SurfaceConfig::default() };
        let mut talk = Self {
            surface: sandbox::app(worlds, config),
            world: String::new(),
            client: String::new(),
            link: String::new(),
            secrets: Vec::new(),
            token: String::new(),
            page: None,
            answers: Vec::new(),
        };
        talk.made(seed, settings).await;
        talk
    }

    /// A further world, whose partner speaks from here on.
    async fn made(&mut self, seed: u64, settings: Json) {
        self.token.clear();
        let body = json!({ "seed": seed, "start": START, "clock": "frozen", "setup": { "settings": settings } });
        let (status, made) = self.asks(Method::POST, "/_sandbox/worlds", &body).await;
        assert_eq!(status, 200, "{made}");
        let partner = &made["partners"][0];
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
        if path.starts_with("/journey/") {
            request = request.header("accept-language", "en");
        }
        let body = body.map_or_else(Body::empty, |(_, text)| Body::from(text));
        let answer = self.surface.handle(request.body(body).expect("a request"), None).await.expect("an answer");
        let (head, body) = answer.into_parts();
        let location = head.headers.get("location").map(|it| it.to_str().expect("text").to_owned());
        let bytes = body.collect().await.expect("a body").to_bytes();
        (head.status.as_u16(), location, String::from_utf8_lossy(&bytes).into_owned())
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

    async fn told(&self) -> String {
        let path = format!("/_sandbox/worlds/{}/scenario", self.world);
        let (status, _, text) = self.sends(Method::GET, &path, None).await;
        assert_eq!(status, 200, "{text}");
        text
    }
}

/// An order, one that is refused, a lever, moves of the clock, and a journey signed on its pages.
async fn session() -> Talk {
    let mut talk = Talk::begun(77, json!({ "holdBankDays": 2 })).await;
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
    let story = parse(&source, &OnDisk).unwrap_or_else(|faults| {
        panic!("{}\n{text}", faults.iter().map(|fault| fault.render(false)).collect::<String>())
    });
    let runs = play(&story, driver, story.seed(), false).expect("the run is set up");
    runs.into_iter().next().expect("a run")
}

/// The transcript of a run that nothing was otherwise in.
fn well(text: &str, driver: &Choice) -> String {
    let run = played(text, driver);
    let why = run.failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(run.failure.is_none(), "{why}\n{text}\n{}", run.transcript);
    run.transcript
}

#[test]
fn a_recorded_session_is_answered_the_same_in_process_and_over_a_simulated_network() {
    let (talk, text) = now(async {
        let talk = session().await;
        let text = talk.told().await;
        (talk, text)
    });
    let transcript = well(&text, &Choice::InProcess);
    assert_eq!(transcript, well(&text, &Choice::Turmoil));
    let mut rest = transcript.as_str();
    for answer in &talk.answers {
        // Where servers are, and what their keys make, is no part of a story.
        let masks = [
            ("http://127.0.0.1:8080", "{url}"),
            ("https://partner.example/told?token=hunter3", "{receiver}/callback"),
            (talk.link.as_str(), "{journey token}"),
        ];
        let answer = masks.iter().fold(answer.clone(), |text, (found, mask)| text.replace(found, mask));
        let at =
            rest.find(&answer).unwrap_or_else(|| panic!("not answered, or not in its turn: {answer}\n{transcript}"));
        rest = &rest[at + answer.len()..];
    }
}

#[test]
fn a_recorded_story_fails_when_the_answer_is_another() {
    let text = now(async { session().await.told().await });
    for (told, other) in [
        ("balance: 8500.50", "balance: 8500.51"),
        ("status: complete", "status: pending"),
        ("error_description: amount must be greater than zero", "error_description: amount is required"),
        ("name: agreement", "name: signing"),
        ("expect clock: \"2026-04-09T07:00:00.000Z\"", "expect clock: \"2026-04-09T07:00:00.001Z\""),
    ] {
        assert!(text.contains(told), "{told} is not in\n{text}");
        let run = played(&text.replace(told, other), &Choice::InProcess);
        assert!(run.failure.is_some(), "nobody noticed {other}");
    }
}

#[test]
fn no_secret_stands_in_the_file_and_no_other_world_reads_it() {
    now(async {
        let mut talk = session().await;
        let text = talk.told().await;
        for secret in &talk.secrets {
            assert!(!text.contains(secret.as_str()), "{secret} stands in\n{text}");
        }
        let path = format!("/_sandbox/worlds/{}/scenario", talk.world);
        talk.made(78, json!({})).await;
        let (status, _, answer) = talk.sends(Method::GET, &path, None).await;
        assert_eq!(status, 403, "{answer}");
        assert!(!talk.told().await.contains("open account"), "a world tells of itself alone");
    });
}

#[test]
fn what_is_not_told_is_said() {
    let text = now(async {
        let mut talk = Talk::begun(79, json!({ "recordingBytes": 4_000 })).await;
        for _ in 0..9 {
            talk.gets("/account").await;
        }
        talk.told().await
    });
    assert!(text.contains("requests found no room in the recording and are missing at the end"), "{text}");
    well(&text, &Choice::InProcess);
}

#[test]
fn a_twin_tells_what_led_to_it_and_a_world_that_was_put_back_no_more_than_that() {
    now(async {
        let mut talk = Talk::begun(80, json!({})).await;
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
        let all = talk.told().await;
        assert!(all.contains("cash: 1") && all.contains("cash: 2"), "{all}");
        let world = format!("/_sandbox/worlds/{}", talk.world);
        let (status, answer) = talk.posts(&format!("{world}/rewind"), json!({ "to": START })).await;
        assert_eq!(status, 200, "{answer}");
        let before = talk.told().await;
        assert!(before.contains("cash: 1") && !before.contains("cash: 2"), "{before}");
        well(&before, &Choice::InProcess);
        let (_, twin) = talk.posts(&format!("{world}/fork"), json!({})).await;
        talk.world = twin["worldId"].as_str().expect("a twin").to_owned();
        talk.token.clear();
        let of_twin = talk.told().await;
        assert_eq!(of_twin, before);
    });
}

#[test]
fn the_clock_moves_as_it_was_told_to_however_it_was_told() {
    let text = now(async {
        let mut talk = Talk::begun(81, json!({})).await;
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
        talk.told().await
    });
    assert_eq!(well(&text, &Choice::InProcess), well(&text, &Choice::Turmoil));
}
