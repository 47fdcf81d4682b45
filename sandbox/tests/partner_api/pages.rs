//! The hosted pages as plain requests: what every page carries, which forms count, and how each journey can end.
//!
//! What a person sees is the browser tests' (`tests/browser`); nothing here needs a browser.

use crate::harness::{Api, FUND};
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

mod another_device;
mod funds;
mod slips;

/// A person whose every check passes and who has no account.
const PERSON: &str = "198112189876";
/// Largest page.
const LARGEST: usize = 30 * 1024;

/// An answer of the pages.
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// Somebody with a link.
struct Visitor<'a> {
    api: &'a Api,
    journey: String,
    path: String,
    lang: &'static str,
}

/// Texts of a form.
pub(crate) type Pairs = Vec<(String, String)>;

pub(crate) fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

impl Page {
    /// What holds for every answer, whatever it says.
    pub(crate) fn check(&self, what: &str) {
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(self.header(name), value, "{what}: {name}");
        }
        let policy = self.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{what}: {policy}");
        for rule in ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(rule), "{what}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{what}: {policy}");
        // Only the pages' own scripts may run, one on a page, and pictures come with the page.
        let scripts: Vec<_> = self.text.split("<script").skip(1).collect();
        assert!(scripts.len() < 2, "{what}: {}", self.text);
        for script in scripts {
            let script =
                script.strip_prefix('>').and_then(|rest| rest.split("</script>").next()).expect("a bare script");
            let hash = BASE64_STANDARD.encode(Sha256::digest(script));
            assert!(policy.contains(&format!(" 'sha256-{hash}'")), "{what}: {policy}");
        }
        let pictures = self.text.matches("src=\"data:image/png;base64,").count();
        assert_eq!(self.text.matches("src=\"").count(), pictures, "{what}: {}", self.text);
        for word in ["<iframe", "href=\"http", "url(", "@import", " onclick", " onload"] {
            assert!(!self.text.contains(word), "{what}: {word} in {}", self.text);
        }
        assert!(self.text.len() < LARGEST, "{what}: {} bytes", self.text.len());
        if !self.text.is_empty() {
            assert_eq!(self.header("content-type"), "text/html; charset=utf-8", "{what}");
            assert!(self.text.to_lowercase().contains(">sand"), "{what} says what it is: {}", self.text);
        }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// The page that an accepted form leads to.
    pub(crate) fn leads_to(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.text);
        self.header("location").split('?').next().unwrap_or_default()
    }

    /// The form's own token.
    pub(crate) fn token(&self) -> String {
        self.hidden("_form").expect("a form")
    }

    /// A value that the form takes along unseen.
    fn hidden(&self, name: &str) -> Option<String> {
        let (_, rest) = self.text.split_once(&format!("name=\"{name}\" value=\""))?;
        rest.split('"').next().map(str::to_owned)
    }
}

impl<'a> Visitor<'a> {
    /// Starts a journey and takes its link.
    async fn of(api: &'a Api, body: &Value, lang: &'static str) -> Self {
        let journey = api.post("journey", body).await.ok();
        let path = journey["url"].as_str().and_then(|url| url.split("8080").nth(1)).expect("a link").to_owned();
        Self { api, journey: journey["id"].as_str().expect("an id").to_owned(), path, lang }
    }

    async fn ask(&self, request: Request<Body>) -> Page {
        let answer = self.api.surface().handle(request, None).await.expect("an answer");
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Page { status: parts.status.as_u16(), headers: parts.headers, text }
    }

    fn request(&self, method: Method, page: &str, body: String) -> Request<Body> {
        let slash = if page.is_empty() { "" } else { "/" };
        Request::builder()
            .method(method)
            .uri(format!("{}{slash}{page}", self.path))
            .header(header::ACCEPT_LANGUAGE, self.lang)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body))
            .expect("a request")
    }

    async fn see(&self, page: &str) -> Page {
        self.ask(self.request(Method::GET, page, String::new())).await
    }

    async fn send(&self, page: &str, pairs: &Pairs) -> Page {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        self.ask(self.request(Method::POST, page, body)).await
    }

    /// Sends a page's own form.
    async fn fill(&self, page: &str, mut pairs: Pairs) -> Page {
        let shown = self.see(page).await;
        pairs.push(pair("_form", &shown.token()));
        pairs.extend(shown.hidden("_shown").map(|shown| pair("_shown", &shown)));
        self.send(page, &pairs).await
    }

    /// What a person would write into the form of a step, with `changed` fields instead.
    async fn sensible(&self, step: &str, changed: &[(&str, &str)]) -> Pairs {
        let steps = self.api.get(&format!("/simulations/journey/{}/steps", self.journey)).await.ok();
        if matches!(step, "authentication" | "signing") {
            return vec![pair("_person", "another"), pair("_number", &signer(&steps)), pair("_outcome", "sign")];
        }
        let step =
            steps.as_array().expect("steps").iter().find(|shown| shown["step"] == step).expect("the step").clone();
        let mut pairs = Vec::new();
        for field in step["fields"].as_array().expect("fields").iter().filter(|field| field["readOnly"] == false) {
            let name = field["name"].as_str().expect("a name");
            match changed.iter().find(|(known, _)| *known == name) {
                Some((_, text)) => pairs.push(pair(name, text)),
                None => pairs.extend(
                    field["suggestion"]
                        .as_array()
                        .expect("texts")
                        .iter()
                        .map(|text| pair(name, text.as_str().expect("a text"))),
                ),
            }
        }
        pairs
    }

    /// From the link to `goal`, checking every page on the way.
    async fn walk(&self, goal: &str, changed: &[(&str, &str)]) -> Page {
        let opened = self.see("").await;
        opened.check("the link");
        let mut page = opened.leads_to().rsplit('/').next().expect("a page").to_owned();
        for _ in 0..15 {
            let shown = self.see(&page).await;
            shown.check(&page);
            if page == goal {
                return shown;
            }
            let sent = self.fill(&page, self.sensible(&page, changed).await).await;
            sent.check(&page);
            assert_eq!(sent.status, 303, "{page}: {}", sent.text);
            page = sent.leads_to().to_owned();
        }
        panic!("{goal} is never reached");
    }

    async fn status(&self) -> (Value, Value) {
        let mut journey = self.api.get(&format!("journey/{}", self.journey)).await.ok();
        (journey["status"].take(), journey["errorCode"].take())
    }
}

/// Who may sign: a known person, or anybody.
fn signer(steps: &Value) -> String {
    let fields = steps.as_array().expect("steps").iter().find(|step| step["step"] == "authentication");
    let ssn = fields.and_then(|step| step["fields"].as_array()?.iter().find(|field| field["name"] == "ssn").cloned());
    let ssn = ssn.unwrap_or_default();
    let known = ssn["values"][0].as_str().filter(|_| ssn["readOnly"] == true);
    let known = known.or_else(|| ssn["choices"][0]["value"].as_str()).or_else(|| ssn["choices"][0].as_str());
    known.unwrap_or(PERSON).to_owned()
}

fn request_for(journey: Value) -> Value {
    json!({"journey": journey, "callbackUrl": "http://127.0.0.1:9/callback"})
}

fn opening() -> Value {
    request_for(json!({
        "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
        "accountCategories": ["retail"],
    }))
}

/// One journey of each type that shows every page the type has.
async fn every_type(api: &Api) -> Vec<Value> {
    let account = api.account(0).await;
    let about = |kind: &str| json!({"journeyType": kind, "account": account});
    let with = |mut journey: Value, more: &Value| {
        let fields = journey.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        journey
    };
    let mandate = json!({"autogiro": {"enforce": "required"}});
    let entity = json!({
        "journeyType": "createLegalEntityAccount", "accountServiceType": "executionOnly",
        "accountOptions": {"ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
            "accountCategories": ["retail", "pro"]},
    });
    let signatories = json!({"answers": {"accountDetails": {"signatories": [PERSON]}}});
    let first = api.post("journey", request_for(with(entity.clone(), &json!({"ssn": "199001012385"})))).await.ok();
    let path = format!("/simulations/journey/{}/complete", first["id"].as_str().expect("an id"));
    let submission = api.post(&path, signatories).await.ok()["submission"].clone();
    let transfer = json!({"enforce": "optional", "transfers": [{"custodian": "havsviksbanken", "accounts": [{
        "accountNumber": null, "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": null, "required": false,
        "untransferableUnitsOutput": ["cash", "ignore"], "defaultUnitsOutput": ["units", "cash", "ignore"],
        "balanceOutput": ["cash", "ignore"], "allowInstrumentSelection": true,
    }]}]});
    let plans = json!({
        "autogiro": {"enforce": "required"}, "allocationPlan": {}, "savingsPlan": {"periodicity": "monthly"},
        "transfer": transfer, "welcomeScreen": "transfer",
    });
    vec![
        with(opening()["journey"].clone(), &plans),
        with(entity, &mandate),
        with(about("addBankAccount"), &mandate),
        about("signWithdrawal"),
        with(about("updateAllocationPlan"), &json!({"instruments": [{"instrument": FUND}]})),
        with(about("updateSavingsPlan"), &json!({"savingsPlan": {"periodicity": "monthly"}})),
        json!({"journeyType": "signSubmission", "submission": submission, "ssn": PERSON}),
        about("kycRenewal"),
    ]
    .into_iter()
    .map(request_for)
    .collect()
}

#[tokio::test]
async fn every_page_of_every_journey_is_small_asks_nobody_else_and_forbids_what_it_does_not_need() {
    let api = Api::new().await;
    let types = every_type(&api).await;
    assert_eq!(types.len(), 8);
    for (body, lang) in types.iter().zip(["sv", "en"].into_iter().cycle()) {
        let kind = &body["journey"]["journeyType"];
        let owner = api.get(&format!("account/{}", api.account(0).await)).await.ok()["owner"]["ssn"].clone();
        let visitor = Visitor::of(&api, body, lang).await;
        // Journeys about a person's account are walked by that person.
        let goal = if body["journey"]["account"].is_null() { "end" } else { "authentication" };
        let page = visitor.walk(goal, &[]).await;
        assert!(page.text.contains(&format!("<html lang=\"{lang}\">")), "{kind}");
        if goal == "end" {
            assert_eq!(visitor.status().await, (json!("complete"), Value::Null), "{kind}");
            continue;
        }
        let number = owner.as_str().expect("a number");
        let signed = |page: &str| (page.to_owned(), vec![pair("_person", number), pair("_outcome", "sign")]);
        let (mut page, mut pairs) = signed("authentication");
        for _ in 0..15 {
            let sent = visitor.fill(&page, pairs).await;
            sent.check(&page);
            page = sent.leads_to().to_owned();
            visitor.see(&page).await.check(&page);
            pairs = match page.as_str() {
                "end" => break,
                "signing" => signed("signing").1,
                _ => visitor.sensible(&page, &[]).await,
            };
        }
        assert_eq!(visitor.status().await, (json!("complete"), Value::Null), "{kind}");
    }
}

#[tokio::test]
async fn a_registered_person_is_shown_under_the_registered_name() {
    let api = Api::new().await;
    let number = "199001012385";
    let owner = api.get(&format!("account?ssn={number}")).await.ok()[0]["owner"].clone();
    let text = |key: &str| owner[key].as_str().expect("a name").to_owned();
    let name = format!("{} {}", text("firstName"), text("lastName"));
    let mut bound = opening();
    bound["journey"]["ssn"] = json!(number);
    let visitor = Visitor::of(&api, &bound, "en").await;
    assert!(visitor.walk("authentication", &[]).await.text.contains(&name));
    // Whatever they call themselves, they sign under it too.
    let claims = [("_person", number), ("_outcome", "sign"), ("firstName", "Maj"), ("lastName", "Other")];
    let claims = claims.map(|(field, text)| pair(field, text)).to_vec();
    let mut page = visitor.fill("authentication", claims).await.leads_to().to_owned();
    while page != "signing" {
        let sent = visitor.fill(&page, visitor.sensible(&page, &[]).await).await;
        page = sent.leads_to().to_owned();
    }
    let signing = visitor.see("signing").await.text;
    assert!(signing.contains(&name) && !signing.contains("Maj Other"), "{signing}");
    // Somebody without an account there has another name.
    let other_visitor = Visitor::of(&api, &opening(), "en").await;
    assert!(!other_visitor.walk("authentication", &[]).await.text.contains(&name));
}

#[tokio::test]
async fn a_form_without_its_own_token_changes_nothing() {
    let api = Api::new().await;
    let (mine, other) = (Visitor::of(&api, &opening(), "en").await, Visitor::of(&api, &opening(), "en").await);
    let token = mine.walk("accountDetails", &[]).await.token();
    let (of_leaving, of_other) = (mine.see("leave").await.token(), other.walk("accountDetails", &[]).await.token());
    assert_ne!(token, of_other);
    let before = api.digest();
    for (what, given) in [
        ("none", None),
        ("an empty one", Some(String::new())),
        ("another page's", Some(of_leaving)),
        ("another journey's", Some(of_other)),
        ("a shortened one", Some(token[1..].to_owned())),
    ] {
        let mut pairs = mine.sensible("accountDetails", &[]).await;
        pairs.extend(given.map(|given| pair("_form", &given)));
        let answer = mine.send("accountDetails", &pairs).await;
        answer.check(what);
        assert_eq!(answer.status, 403, "{what}");
    }
    let right = format!("_form={token}");
    let mut foreign = mine.request(Method::POST, "accountDetails", right.clone());
    foreign.headers_mut().insert("sec-fetch-site", "cross-site".parse().expect("a header"));
    assert_eq!(mine.ask(foreign).await.status, 403);
    let huge = mine.request(Method::POST, "accountDetails", format!("{right}&accountName={}", "x".repeat(70_000)));
    assert_eq!(mine.ask(huge).await.status, 413);
    assert_eq!(api.digest(), before);
    assert_eq!(mine.ask(mine.request(Method::POST, "accountDetails", right)).await.leads_to(), "kyc");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_counts_once() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let page = visitor.walk("signing", &[]).await;
    let mut form = visitor.sensible("signing", &[]).await;
    form.push(pair("_form", &page.token()));
    form.extend(page.hidden("_shown").map(|shown| pair("_shown", &shown)));
    assert_eq!(visitor.send("signing", &form).await.leads_to(), "end");
    let once = api.digest();
    for _ in 0..2 {
        assert_eq!(visitor.send("signing", &form).await.leads_to(), "end");
        assert_eq!(visitor.see("").await.leads_to().rsplit('/').next(), Some("end"));
    }
    assert_eq!(api.digest(), once);
    assert_eq!(api.get(&format!("account?ssn={PERSON}")).await.ok().as_array().expect("a list").len(), 1);
}

#[tokio::test]
async fn nothing_that_a_partner_or_a_customer_writes_becomes_markup() {
    let api = Api::new().await;
    let evil = "<script>\"'&";
    let shown = "&lt;script&gt;&quot;'&amp;";
    let mut by_partner = opening();
    by_partner["journey"]["accountName"] = json!(evil);
    by_partner["redirectUrl"] = json!("myapp://x/%22%3E%3Cscript%3E?a=1&b='");
    let visitor = Visitor::of(&api, &by_partner, "en").await;
    visitor.walk("agreement", &[]).await;
    // What a customer wrote is shown when it is right, and when it is wrong.
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let shows = visitor.walk("agreement", &[("accountName", evil)]).await;
    assert!(shows.text.contains(shown), "{}", shows.text);
    let wrong = visitor.sensible("accountDetails", &[("email", evil), ("accountName", evil)]).await;
    let refused = visitor.fill("accountDetails", wrong).await;
    refused.check("a slip");
    assert_eq!((refused.status, refused.text.matches(shown).count()), (422, 2), "{}", refused.text);
    let person = vec![pair("_person", "another"), pair("_number", evil), pair("_outcome", "sign")];
    let visitor = Visitor::of(&api, &opening(), "sv").await;
    visitor.walk("authentication", &[]).await;
    let refused = visitor.fill("authentication", person).await;
    refused.check("a number that is none");
    assert!(refused.status == 422 && refused.text.contains(shown), "{}", refused.text);
    // The client's own name is on every page.
    api.patch(&format!("/v2/partner/client/{}", crate::harness::CLIENTS[0]), json!({"displayName": evil})).await.ok();
    let page = visitor.see("authentication").await;
    page.check("the client's name");
    assert!(page.text.contains(shown), "{}", page.text);
}

#[tokio::test]
async fn who_is_chosen_decides_how_a_journey_ends() {
    let api = Api::new().await;
    let sign = |number: &str| vec![pair("_person", "another"), pair("_number", number), pair("_outcome", "sign")];
    for (number, fails_at, code) in [
        ("197001042386", "authentication", "AUTH_ERROR"),
        ("197001032387", "kyc", "KYC_ERROR"),
        ("197001052385", "signing", "SIGN_ERROR"),
        ("197001072383", "signing", "OTHER_ERROR"),
    ] {
        let visitor = Visitor::of(&api, &opening(), "en").await;
        visitor.walk("authentication", &[]).await;
        let mut page = "authentication".to_owned();
        while page != "end" {
            let signs = matches!(page.as_str(), "authentication" | "signing");
            let form = if signs { sign(number) } else { visitor.sensible(&page, &[]).await };
            let sent = visitor.fill(&page, form).await;
            if page == fails_at {
                assert_eq!(sent.leads_to(), "end", "{number}");
            }
            page = sent.leads_to().to_owned();
        }
        let end = visitor.see("end").await;
        end.check(code);
        assert!(end.text.contains(code), "{}", end.text);
        assert_eq!(visitor.status().await, (json!("error"), json!(code)), "{number}");
    }
    for (outcome, status, code) in [("abort", "canceled", "USER_ERROR"), ("fail", "error", "SIGN_ERROR")] {
        let visitor = Visitor::of(&api, &opening(), "en").await;
        visitor.walk("signing", &[]).await;
        let form = vec![pair("_person", PERSON), pair("_outcome", outcome)];
        assert_eq!(visitor.fill("signing", form).await.leads_to(), "end");
        assert_eq!(visitor.status().await, (json!(status), json!(code)));
    }
}

/// (rule: journeys/refusing-to-sign)
#[tokio::test]
async fn a_signatory_can_refuse_on_the_signing_page_and_nobody_else_is_offered_that() {
    let api = Api::new().await;
    let offers = |page: &Page| page.text.contains("value=\"refuse\"");
    let opener = Visitor::of(&api, &opening(), "en").await;
    let page = opener.walk("signing", &[]).await;
    assert!(!offers(&page), "nobody waits for this signature: {}", page.text);

    let body = every_type(&api).await.swap_remove(6);
    let signatory = Visitor::of(&api, &body, "en").await;
    let page = signatory.walk("signing", &[]).await;
    page.check("signing");
    assert!(offers(&page) && page.text.contains("I refuse to sign"), "{}", page.text);
    let form = vec![pair("_person", PERSON), pair("_outcome", "refuse")];
    assert_eq!(signatory.fill("signing", form).await.leads_to(), "end");
    assert_eq!(signatory.status().await, (json!("canceled"), json!("USER_ERROR")));
    let submission = &body["journey"]["submission"];
    let again = api.post("journey", &body).await;
    assert_eq!(again.status, 400, "submission {submission} is no longer to be signed: {:?}", again.text);
}

#[tokio::test]
async fn a_link_opens_its_own_journey_and_says_so_when_it_opens_none() {
    let api = Api::new().await;
    let (mine, other) = (Visitor::of(&api, &opening(), "en").await, Visitor::of(&api, &opening(), "sv").await);
    mine.see("").await;
    assert_eq!((mine.status().await.0, other.status().await.0), (json!("pending"), json!("new")));
    let looks = other.ask(other.request(Method::HEAD, "", String::new())).await;
    assert_eq!((looks.status, other.status().await.0), (303, json!("new")), "looking at a link opens nothing");
    let before = api.digest();
    let wrong = |path: String| Visitor { api: &api, journey: other.journey.clone(), path, lang: "sv" };
    for path in [format!("{}x", other.path), other.path[..other.path.len() - 1].to_owned(), "/journey/x".to_owned()] {
        let page = wrong(path).see("").await;
        page.check("a wrong link");
        assert_eq!(page.status, 404);
    }
    assert_eq!(mine.see("dinner").await.status, 404);
    assert_eq!(mine.see("signing").await.leads_to(), "authentication");
    assert_eq!(api.digest(), before);
    api.post(&format!("/simulations/journey/{}/expire", other.journey), "").await.ok();
    let page = other.see("end").await;
    page.check("an old link");
    let text = page.text.replace('\u{a0}', " ");
    assert!(text.contains("fungera 2 mars 2026"), "it ended today: {text}");
    assert_eq!((page.status, other.see("").await.status), (410, 303));
    api.post(&format!("/simulations/journey/{}/purge", other.journey), "").await.ok();
    assert_eq!(other.see("end").await.status, 404);
}

/// (rule: journeys/what-is-signed)
#[tokio::test]
async fn nobody_signs_blind() {
    let api = Api::new().await;
    let all = every_type(&api).await;
    let owner = "Konto";
    let rows: [&[&str]; 8] = [
        // What each type of journey shows where it is signed; all that was answered, with the way to change it.
        &["Investeringssparkonto", "Allmänt sparande", "SE", "kontoavtal", "autogiro", "Ändra"],
        &["Depå", "Autogiro", "Ändra", "kontoavtal"],
        &[owner, "Kontonummer", "SE81 5000 0000 0500 0000 0019", "autogiromedgivande"],
        &[owner, "Kontonummer", "Ägare", "Ett uttag", "Betalas till"],
        &[owner, "Kontonummer", "100\u{a0}%", "Ändra"],
        &[owner, "Kontonummer", "\u{a0}kr", "Första dag", "Ändra"],
        &["Företag", "Organisationsnummer", "Firmatecknare"],
        &[owner, "Kontonummer", "Vad är pengarna till för?", "Ändra"],
    ];
    for (journey, facts) in all.iter().zip(rows) {
        let page = Visitor::of(&api, journey, "sv").await.walk("signing", &[]).await;
        let text = page.text.to_lowercase();
        for fact in facts {
            assert!(text.contains(&fact.to_lowercase()), "{fact} is missing for {journey}: {}", page.text);
        }
    }
}

/// (rule: journeys/what-is-signed)
#[tokio::test]
async fn a_page_that_no_longer_shows_what_would_be_signed_signs_nothing() {
    let api = Api::new().await;
    let body = request_for(json!({
        "journeyType": "updateSavingsPlan", "account": api.account(0).await, "savingsPlan": {"periodicity": "monthly"},
    }));
    let field = format!("amount.{FUND}");
    let visitor = Visitor::of(&api, &body, "en").await;
    let read = visitor.walk("signing", &[(&field, "1500")]).await;
    assert!(read.text.contains("1,500\u{a0}SEK"), "{}", read.text);
    // In another window the amount is changed, and accepted.
    for step in ["savingsPlan", "agreement"] {
        let sent = visitor.fill(step, visitor.sensible(step, &[(&field, "9000")]).await).await;
        assert_eq!(sent.status, 303, "{}", sent.text);
    }
    let mut signature = visitor.sensible("signing", &[]).await;
    signature.push(pair("_form", &read.token()));
    signature.extend(read.hidden("_shown").map(|shown| pair("_shown", &shown)));
    let refused = visitor.send("signing", &signature).await;
    refused.check("a page of before");
    assert!(refused.status == 409 && refused.text.contains("What you would sign has changed"), "{}", refused.text);
    assert_eq!(visitor.status().await.0, "pending");
    let signed = visitor.fill("signing", visitor.sensible("signing", &[]).await).await;
    assert_eq!((signed.status, visitor.status().await.0), (303, json!("complete")));
}

/// (rule: journeys/what-is-signed)
#[tokio::test]
async fn every_signatory_sees_what_the_first_has_filled_in() {
    let api = Api::new().await;
    let first = "199001012385";
    let entity = request_for(json!({
        "journeyType": "createLegalEntityAccount", "accountServiceType": "executionOnly", "ssn": first,
        "accountOptions": {"ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
            "accountCategories": ["retail"]},
        "autogiro": {"enforce": "required"}, "savingsPlan": {"periodicity": "monthly"}, "allocationPlan": {},
    }));
    let visitor = Visitor::of(&api, &entity, "sv").await;
    let own = visitor.walk("signing", &[("signatories", PERSON)]).await;
    let signed = visitor.fill("signing", visitor.sensible("signing", &[]).await).await;
    assert_eq!(signed.status, 303, "{}", signed.text);
    let journey = api.get(&format!("journey/{}", visitor.journey)).await.ok();
    let submission = journey["result"]["submission"]["id"].clone();
    let second = request_for(json!({"journeyType": "signSubmission", "submission": submission, "ssn": PERSON}));
    let other = Visitor::of(&api, &second, "sv").await.walk("signing", &[]).await;
    // Every fact of the first page is on the second, and every document; nothing of it can be changed.
    let facts = |page: &Page| {
        let facts =
            page.text.split("<dd>").skip(1).map(|fact| fact.split("</dd>").next().unwrap_or_default().to_owned());
        facts.collect::<Vec<_>>()
    };
    let (own_facts, other_facts) = (facts(&own), facts(&other));
    assert!(own_facts.len() > 8, "{}", own.text);
    for fact in &own_facts {
        assert!(other_facts.contains(fact), "{fact} is missing: {}", other.text);
    }
    assert!(other.text.contains("autogiro.pdf") && !other.text.contains("Ändra<"), "{}", other.text);
}

/// (rule: journeys/typed-numbers)
#[tokio::test]
async fn amounts_are_read_by_the_language_and_what_cannot_be_read_comes_back_as_it_was_typed() {
    let api = Api::new().await;
    let body = request_for(json!({
        "journeyType": "updateSavingsPlan", "account": api.account(0).await, "savingsPlan": {"periodicity": "monthly"},
    }));
    let field = format!("amount.{FUND}");
    for (lang, text, read) in [
        ("en", "150,000", Some("150,000\u{a0}SEK")),
        ("sv", "1 500 kr", Some("1\u{a0}500\u{a0}kr")),
        ("sv", "1500:-", Some("1\u{a0}500\u{a0}kr")),
        ("sv", "1 500,50", Some("1\u{a0}500,50\u{a0}kr")),
        ("sv", "150,000", None),
        ("sv", "femhundra", None),
        ("en", "1.500", None),
    ] {
        let visitor = Visitor::of(&api, &body, lang).await;
        visitor.walk("savingsPlan", &[]).await;
        let sent = visitor.fill("savingsPlan", visitor.sensible("savingsPlan", &[(&field, text)]).await).await;
        match read {
            Some(read) => {
                assert_eq!((sent.status, sent.leads_to()), (303, "agreement"), "{text}: {}", sent.text);
                let page = visitor.see("agreement").await;
                assert!(page.text.contains(read), "{text} is not read as {read}: {}", page.text);
            }
            None => {
                sent.check(text);
                let message =
                    if lang == "sv" { "går inte att läsa som ett belopp" } else { "cannot be read as an amount" };
                assert_eq!(sent.text.matches(message).count(), 2, "{text} is shown above and beside: {}", sent.text);
                assert!(sent.text.contains(&format!("value=\"{text}\"")), "{text} is gone: {}", sent.text);
            }
        }
    }
}

#[tokio::test]
async fn a_typed_number_is_used_although_a_person_is_still_marked() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let page = visitor.walk("authentication", &[]).await;
    let marked = page.text.split("name=\"_person\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let marked = marked.filter(|marked| *marked != "another").expect("somebody is marked");
    let form = vec![pair("_person", marked), pair("_number", PERSON), pair("_outcome", "sign")];
    assert_eq!(visitor.fill("authentication", form).await.status, 303);
    let page = visitor.walk("signing", &[]).await;
    assert!(page.text.contains("19811218-9876"), "{}", page.text);
    assert!(!page.text.contains(marked), "{}", page.text);
}

#[tokio::test]
async fn an_unknown_path_under_the_pages_is_answered_with_a_page() {
    let api = Api::new().await;
    let known = Visitor::of(&api, &opening(), "sv").await;
    for path in [
        "/journey",
        "/journey/",
        "/journey/x/",
        "/journey/x/y/",
        "/journey/x/y/z",
        "/pay",
        "/pay/",
        "/pay/x/",
        "/pay/x/y/",
        "/pay/x/y/z",
    ] {
        for method in [Method::GET, Method::POST, Method::PUT] {
            let visitor = Visitor { api: &api, journey: known.journey.clone(), path: path.to_owned(), lang: "sv" };
            let page = visitor.ask(visitor.request(method.clone(), "", String::new())).await;
            page.check(path);
            assert_eq!(page.status, 404, "{method} {path}: {}", page.text);
        }
    }
}

/// A world of a thousand funds (rule: journeys/long-steps).
#[tokio::test]
#[allow(clippy::print_stdout, reason = "how large the largest page is can be read with `--nocapture`")]
async fn a_thousand_funds_fit_on_light_pages_and_are_found_by_name_or_isin() {
    let api = Api::of(|setup| {
        let first = setup.instruments[0].clone();
        for n in 0..1000 {
            let isin = sim::identity::Isin::with_check_digit(&format!("SE0TST0{n:04}")).expect("an ISIN");
            let id = sim::identity::InstrumentId::new(isin, first.id.currency());
            let name = format!("Tallhed Fond nummer {n:04}").into();
            setup.instruments.push(sim::records::Instrument { id, name, ..first.clone() });
        }
    })
    .await;
    let mut largest = (0, String::new());
    for lang in ["sv", "en"] {
        for (kind, plan) in [("updateSavingsPlan", "savingsPlan"), ("updateAllocationPlan", "allocationPlan")] {
            let body = request_for(json!({
                "journeyType": kind, "account": api.account(0).await, plan: {"periodicity": "monthly"},
            }));
            let visitor = Visitor::of(&api, &body, lang).await;
            visitor.walk(plan, &[]).await;
            let page = visitor.see(plan).await;
            page.check(plan);
            assert_eq!(page.text.matches("class=\"row\"").count(), 20, "{}", page.text);
            let typed = format!("{}.{FUND}", if plan == "savingsPlan" { "amount" } else { "allocation" });
            let mut form = vec![pair("_form", &page.token()), pair("_act", "find"), pair("_find", "nummer 0777")];
            form.push(pair(&typed, "60"));
            let found = visitor.send(plan, &form).await;
            found.check("found");
            assert_eq!(found.status, 200, "{}", found.text);
            assert!(
                found.text.contains("Tallhed Fond nummer 0777") && found.text.contains("value=\"60\""),
                "{}",
                found.text
            );
            assert_eq!(found.text.matches("class=\"row\"").count(), 2, "what was typed stays: {}", found.text);
            for page in [page, found] {
                largest = largest.max((page.text.len(), format!("{plan} in {lang}")));
            }
            let sheet = visitor.see(&format!("fund?id={FUND}&lang={lang}")).await;
            sheet.check("a fact sheet");
            assert!(sheet.text.contains(&FUND[..12]) && sheet.text.contains("0"), "{}", sheet.text);
            assert_eq!(visitor.see("fund?id=SE0000000000SEK").await.status, 404);
        }
    }
    println!("largest page: {} bytes, {}", largest.0, largest.1);
}

/// (rule: events/fault-rules)
#[tokio::test]
async fn a_fault_rule_hits_the_pages_of_a_journey_by_their_link() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let faults = "/_sandbox/worlds/current/faults";
    let rule = json!({ "match": { "path": "/journey/**", "times": 1 }, "verdict": { "answer": { "status": 502 } } });
    api.post(faults, rule).await.ok();
    let unknown_page = visitor.ask(Request::get("/journey/none").body(Body::empty()).expect("a request")).await;
    assert_eq!((unknown_page.status, visitor.see("").await.status, visitor.see("").await.status), (404, 502, 303));
    let rules = api.get(faults).await.ok();
    assert_eq!((&rules[0]["seen"], &rules[0]["hits"]), (&json!(2), &json!(1)));
    let seen = api.get("/_sandbox/worlds/current/requests?limit=20").await.ok();
    assert!(seen["requests"].as_array().expect("a list").iter().any(|line| line["status"] == 502), "{seen}");
}
