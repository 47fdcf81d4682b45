//! `POST /v2/partner/auth/token`: the client credentials grant of RFC 6749 (rule: auth/token-request,
//! auth/token-refusals).
//!
//! Invariant: an unknown id and a wrong secret get the same answer after the same work. Whatever is refused is 400, except
//! failed HTTP Basic, which RFC 6749 wants as 401. Absent on purpose: refresh tokens, which this grant has none of.

mod form;

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, PRAGMA, WWW_AUTHENTICATE,
};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sim::ids::PartnerId;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use self::form::Parameters;
use crate::App;
use crate::auth::{RequestContext, Rights, TOKEN_PATH, address_refused};
use crate::body;
use crate::service::{ServedBy, judged};
use hosting::credentials::ClientSecret;
use hosting::guesses::SecretOwner;
use hosting::secrets::Secret;
use hosting::worlds::FoundPartner;
use wire::error::ApiError;

/// Where tokens are issued.
pub const PATH: &str = TOKEN_PATH;

/// Client credentials grant. HTTP Basic may carry the credentials instead of the body.
#[derive(ToSchema)]
pub struct TokenRequest {
    /// Always `client_credentials`.
    #[schema(pattern = "^client_credentials$", examples("client_credentials"))]
    grant_type: String,
    #[schema(nullable = false)]
    client_id: Option<String>,
    #[schema(nullable = false)]
    client_secret: Option<String>,
    /// Rights such as `account:read`, separated by commas or spaces; all rights when left out.
    #[schema(nullable = false)]
    scope: Option<String>,
    /// Echoed in the answer.
    #[schema(nullable = false)]
    state: Option<String>,
}

/// An access token.
#[derive(Serialize, ToSchema)]
pub struct Token {
    access_token: String,
    /// Always `bearer`.
    #[schema(value_type = String)]
    token_type: &'static str,
    /// Seconds for which the token is valid.
    #[schema(value_type = u32)]
    expires_in: u64,
    /// As sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<String>,
}

/// Why no token was issued: the error body with a code of RFC 6749.
pub struct TokenError;

impl PartialSchema for TokenError {
    fn schema() -> RefOr<Schema> {
        let codes = "One of `invalid_request`, `invalid_client`, `unsupported_grant_type`, `unauthorized_client`, \
            `invalid_scope`.";
        let string = || ObjectBuilder::new().schema_type(Type::String);
        ObjectBuilder::new()
            .description(Some("Why no token was issued."))
            .property("error", string().description(Some(codes)))
            .property("error_description", string())
            .required("error")
            .into()
    }
}

impl ToSchema for TokenError {}

/// Issues a token.
pub async fn token(State(app): State<App>, request: Request) -> Response {
    let peer = request.extensions().get::<RequestContext>().and_then(|context| context.peer);
    let (parts, sent) = request.into_parts();
    let asked = match body::read(sent, app.limits.body_bytes, app.limits.body).await {
        Ok(bytes) => AuthenticatedRequest::of(&app, &parts.headers, &bytes, peer).await,
        Err(error) => Err(error),
    };
    let mut response = match asked {
        Ok(asked) => {
            let (world, partner) = (Arc::clone(&asked.found.world), asked.partner());
            let answering = async { asked.grant(&app).await.unwrap_or_else(IntoResponse::into_response) };
            judged(&world, partner, (&parts.method, PATH), answering).await
        }
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// A request whose credentials are right.
struct AuthenticatedRequest {
    found: FoundPartner,
    basic: bool,
    grant_type: String,
    scope: Option<String>,
    state: Option<String>,
}

impl AuthenticatedRequest {
    async fn of(app: &App, headers: &HeaderMap, bytes: &[u8], peer: Option<IpAddr>) -> Result<Self, ApiError> {
        let parameters = read(headers, bytes)?;
        let in_body = parameters.has("client_id") || parameters.has("client_secret");
        let TokenRequest { grant_type, client_id, client_secret, scope, state } = TokenRequest::of(&parameters)?;
        let shown = credentials(headers, in_body, client_id, client_secret)?;
        let found = check(app, &shown, peer).await?;
        if !found.world.edge.allowlist.admits(peer) {
            return Err(address_refused());
        }
        Ok(Self { found, basic: shown.basic, grant_type, scope, state })
    }

    fn partner(&self) -> PartnerId {
        self.found.world.identity.credentials()[self.found.index].partner
    }

    async fn grant(self, app: &App) -> Result<Response, ApiError> {
        if self.grant_type != "client_credentials" {
            return Err(refused("unsupported_grant_type", "grant_type must be client_credentials"));
        }
        let rights = Rights::parse(self.scope.as_deref().unwrap_or_default())
            .map_err(|unknown| refused("invalid_scope", unknown.to_string()))?;
        let partner = self.partner();
        let issued = app.worlds.issue_token(&self.found.world, partner, rights).await?;
        let (token, expires_in) = issued.ok_or_else(|| bad_client(self.basic))?;
        let token = Token { access_token: token.to_string(), token_type: "bearer", expires_in, state: self.state };
        let text = serde_json::to_vec(&token).map_err(|error| ApiError::server_error(error.to_string()))?;
        let mut response = ([(CONTENT_TYPE, "application/json")], text).into_response();
        response.extensions_mut().insert(ServedBy { world: self.found.world, partner: Some(partner) });
        Ok(response)
    }
}

impl TokenRequest {
    fn of(parameters: &Parameters) -> Result<Self, ApiError> {
        let take = |name| parameters.get(name).map(str::to_owned);
        Ok(Self {
            grant_type: take("grant_type").ok_or_else(|| ApiError::invalid_request("grant_type is required"))?,
            client_id: take("client_id"),
            client_secret: take("client_secret"),
            scope: take("scope"),
            state: take("state"),
        })
    }
}

fn refused(error: &'static str, description: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, error, description)
}

fn read(headers: &HeaderMap, bytes: &[u8]) -> Result<Parameters, ApiError> {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let read = match essence.as_str() {
        "application/x-www-form-urlencoded" => Parameters::from_form(bytes),
        "application/json" => Parameters::from_json(bytes),
        _ => Err("content-type must be application/x-www-form-urlencoded or application/json".to_owned()),
    };
    read.map_err(ApiError::invalid_request)
}

/// Credentials as shown.
struct Shown {
    id: String,
    secret: Secret,
    basic: bool,
}

fn credentials(
    headers: &HeaderMap,
    in_body: bool,
    id: Option<String>,
    secret: Option<String>,
) -> Result<Shown, ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter().filter(|value| is_basic(value));
    match values.next() {
        Some(_) if values.next().is_some() => Err(ApiError::invalid_request("authorization must be given once")),
        Some(_) if in_body => {
            Err(ApiError::invalid_request("client credentials must be given once, in the body or by HTTP Basic"))
        }
        Some(value) => value.to_str().ok().and_then(basic).ok_or_else(|| bad_client(true)),
        None => {
            let id = id.ok_or_else(|| ApiError::invalid_request("client_id is required"))?;
            let secret = secret.ok_or_else(|| ApiError::invalid_request("client_secret is required"))?;
            Ok(Shown { id, secret: Secret::new(secret), basic: false })
        }
    }
}

/// Other schemes authenticate no client: libraries send the bearer token that they are about to renew.
fn is_basic(value: &HeaderValue) -> bool {
    value.as_bytes().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic"))
}

/// Reads HTTP Basic; id and secret are form-encoded in it (RFC 6749, section 2.3.1).
fn basic(value: &str) -> Option<Shown> {
    let (_, encoded) = value.split_once(' ')?;
    let text = String::from_utf8(BASE64_STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    let (id, secret) = (form::decode(id).ok()?, form::decode(secret).ok()?);
    Some(Shown { id: id.into_owned(), secret: Secret::new(secret), basic: true })
}

/// Finds the partner. The secret is compared whether or not the id is known, and a wrong one is answered ever more slowly.
async fn check(app: &App, shown: &Shown, peer: Option<IpAddr>) -> Result<FoundPartner, ApiError> {
    let id = Uuid::try_parse(&shown.id).ok();
    let whose = id.map_or(SecretOwner::Nobody, SecretOwner::Client);
    let guess = app.guesses.begin(peer, whose, app.worlds.clock())?;
    let found = id.and_then(|id| app.worlds.partner(id));
    let nobody = ClientSecret::Known(Secret::new("0000000000000000000000000000000000000000000"));
    let secret = found.as_ref().map_or(&nobody, |found| &found.world.identity.credentials()[found.index].secret);
    let right = secret.is(shown.secret.reveal());
    match found.filter(|_| right) {
        Some(found) => {
            guess.right();
            Ok(found)
        }
        None => {
            guess.wrong(app.worlds.clock()).await;
            let unmade = id.and_then(|id| app.worlds.why_unmade(id));
            Err(unmade.unwrap_or_else(|| bad_client(shown.basic)))
        }
    }
}

fn bad_client(basic: bool) -> ApiError {
    let description = "client_id or client_secret is wrong";
    if basic {
        ApiError::new(StatusCode::UNAUTHORIZED, "invalid_client", description)
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"fundsim\", charset=\"UTF-8\""))
    } else {
        refused("invalid_client", description)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Answer, Bench, form_request};
    use axum::body::Body;

    const GOOD: &str = "grant_type=client_credentials&client_id={id}&client_secret={secret}";

    fn fill(text: &str, bench: &Bench) -> String {
        let credentials = &bench.world.identity.credentials()[0];
        let id = credentials.client_id.to_string();
        let basic = BASE64_STANDARD.encode(format!("{id}:{}", credentials.secret.known().expect("a secret").reveal()));
        text.replace("{id}", &id)
            .replace("{secret}", credentials.secret.known().expect("a secret").reveal())
            .replace("{basic}", &basic)
    }

    async fn post(bench: &Bench, headers: &[(&'static str, &str)], body: &str) -> Answer {
        let mut request = axum::http::Request::post("/v2/partner/auth/token").header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, fill(value, bench));
        }
        bench.ask(request.body(Body::from(fill(body, bench))).expect("a request")).await
    }

    const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
    const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
    const BASIC: (&str, &str) = ("authorization", "Basic {basic}");

    /// (rule: auth/token-request)
    #[tokio::test]
    async fn form_json_and_basic_each_get_a_bearer_token() {
        let bench = Bench::new();
        let json = r#"{"grant_type":"client_credentials","client_id":"{id}","client_secret":"{secret}","state":"s"}"#;
        for (headers, body, state) in [
            (&[FORM][..], GOOD.to_owned(), None),
            (&[FORM], format!("{GOOD}&state=a%26b&scope="), Some("a&b")),
            (&[JSON], json.to_owned(), Some("s")),
            (&[FORM, BASIC], "grant_type=client_credentials".to_owned(), None),
            (&[FORM, ("authorization", "Bearer old")], GOOD.to_owned(), None),
            (&[JSON, BASIC], r#"{"grant_type":"client_credentials"}"#.to_owned(), None),
        ] {
            let answer = post(&bench, headers, &body).await;
            assert_eq!(answer.status, 200, "{body}: {:?}", answer.body);
            assert_eq!(answer.body["token_type"], "bearer");
            assert_eq!(answer.body["expires_in"], 3600);
            assert_eq!(answer.body.get("state").and_then(|state| state.as_str()), state);
            assert_eq!((answer.header("cache-control"), answer.header("pragma")), (Some("no-store"), Some("no-cache")));
            let token = answer.body["access_token"].as_str().expect("a token").to_owned();
            assert_eq!(Uuid::try_parse(&token).expect("a UUID").get_version_num(), 4);
            let who = crate::testing::request(axum::http::Method::GET, "/whoami", Some(&token), None);
            assert_eq!(bench.ask(who).await.status, 200);
        }
    }

    /// (rule: auth/token-refusals)
    #[tokio::test]
    async fn each_problem_of_a_token_request_has_its_error_code() {
        let bench = Bench::new();
        let basic_body = "grant_type=client_credentials&client_id={id}";
        for (headers, body, status, error) in [
            (&[FORM][..], "", 400, "invalid_request"),
            (&[], GOOD, 400, "invalid_request"),
            (&[JSON], GOOD, 400, "invalid_request"),
            (&[FORM], "client_id={id}&client_secret={secret}", 400, "invalid_request"),
            (&[FORM], "grant_type=client_credentials&client_id={id}", 400, "invalid_request"),
            (&[FORM], "grant_type=client_credentials&client_id={id}&client_secret=", 400, "invalid_request"),
            (
                &[FORM],
                "grant_type=client_credentials&grant_type=client_credentials&client_id={id}&client_secret={secret}",
                400,
                "invalid_request",
            ),
            (&[FORM, BASIC], GOOD, 400, "invalid_request"),
            (&[FORM, BASIC], basic_body, 400, "invalid_request"),
            (&[FORM], "grant_type=password&client_id={id}&client_secret={secret}", 400, "unsupported_grant_type"),
            (
                &[FORM],
                "grant_type=client_credentials&client_id={id}&client_secret={secret}&scope=everything",
                400,
                "invalid_scope",
            ),
            (&[FORM], "grant_type=client_credentials&client_id={id}&client_secret=wrong", 400, "invalid_client"),
            (&[FORM], "grant_type=client_credentials&client_id=x&client_secret={secret}", 400, "invalid_client"),
            (&[FORM, ("authorization", "Basic eDp5")], "grant_type=client_credentials", 401, "invalid_client"),
            (&[FORM, ("authorization", "Basic ?")], "grant_type=client_credentials", 401, "invalid_client"),
            (&[FORM, ("authorization", "Basic")], "grant_type=client_credentials", 401, "invalid_client"),
            (&[FORM, ("authorization", "Bearer x")], "grant_type=client_credentials", 400, "invalid_request"),
        ] {
            let answer = post(&bench, headers, body).await;
            assert_eq!(
                (answer.status, answer.body["error"].as_str()),
                (status, Some(error)),
                "{body}: {:?}",
                answer.body
            );
            assert!(answer.body["error_description"].is_string());
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            assert_eq!(answer.header("www-authenticate").is_some(), status == 401);
        }
    }

    /// (rule: auth/token-refusals)
    #[tokio::test]
    async fn an_unknown_id_and_a_wrong_secret_are_answered_alike() {
        let bench = Bench::new();
        let wrong = post(&bench, &[FORM], "grant_type=client_credentials&client_id={id}&client_secret=x").await;
        let unknown = "grant_type=client_credentials&client_id=00000000-0000-4000-8000-000000000000&client_secret=x";
        assert_eq!(wrong.body, post(&bench, &[FORM], unknown).await.body);
    }

    /// (rule: auth/wrong-secrets)
    #[tokio::test(start_paused = true)]
    async fn wrong_secrets_are_answered_ever_more_slowly_and_the_right_one_at_once() {
        let bench = Bench::new();
        let clock = bench.surface.app().worlds.clock().clone();
        let timed = async |headers: &[(&'static str, &str)], body: &str| {
            let before = clock.now();
            let status = post(&bench, headers, body).await.status;
            (status, clock.now().since(before).as_millis())
        };
        let basic = fill("{id}:x", &bench);
        let basic = format!("Basic {}", BASE64_STANDARD.encode(basic));
        let wrong = "grant_type=client_credentials&client_id={id}&client_secret=x";
        for _ in 0..3 {
            assert_eq!(timed(&[FORM], wrong).await, (400, 0));
        }
        let by_basic = [FORM, ("authorization", basic.as_str())];
        for wait in [0, 0, 100, 200] {
            assert_eq!(timed(&by_basic, "grant_type=client_credentials").await, (401, wait));
        }
        assert_eq!(timed(&[FORM], wrong).await, (400, 400));
        assert_eq!(timed(&[FORM], GOOD).await, (200, 0), "an honest caller waits for nothing");
        // An unknown id is as slow as a known one.
        let unknown = "grant_type=client_credentials&client_id=00000000-0000-4000-8000-000000000000&client_secret=x";
        for wait in [0, 0, 0, 0, 0, 100] {
            assert_eq!(timed(&[FORM], unknown).await, (400, wait));
        }
    }

    #[tokio::test]
    async fn a_refused_address_gets_no_token() {
        let bench = Bench::new();
        bench.world.edge.allowlist.set(vec!["192.0.2.0/24".parse().expect("a network")]);
        for (peer, status) in [(None, 403), ("192.0.2.7".parse().ok(), 200), ("198.51.100.1".parse().ok(), 403)] {
            let answer = bench.surface.handle(form_request(&fill(GOOD, &bench)), peer).await.expect("an answer");
            assert_eq!(answer.status(), status, "{peer:?}");
        }
    }
}
