//! Requests and their answers: who asks with which token, and how much of it is shown.
//!
//! Invariant: a token is fetched when it is first needed, and another one where it is refused, unless a refusal is what the story
//! expects; what the server's key makes is masked before anything is shown.

use super::state::Session;
use super::watched::label;
use crate::drivers::{From, NoAnswer, Request, Response};
use crate::run::outcome::{StepResult, Trouble};
use crate::run::references::References;
use crate::transcript::Shown;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method};
use language::ast::Actor;
use serde_json::Value as Json;
use std::borrow::Cow;

/// Paths of the machinery for the world that a token leads to.
const OWN_WORLD: &str = "/_sandbox/worlds/current";
/// Says that a caller only looks on.
const OBSERVER: HeaderName = HeaderName::from_static("fundsim-observer");
/// The operator's token, beside a partner's.
const OPERATOR_TOKEN: HeaderName = HeaderName::from_static("operator-token");

/// An answer whose body is read.
#[derive(Clone, Debug)]
pub(in crate::run) struct JsonResponse {
    pub(in crate::run) status: u16,
    pub(in crate::run) headers: HeaderMap,
    pub(in crate::run) body: Json,
}

impl JsonResponse {
    pub(in crate::run) const fn is_good(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}

/// How much of a call the transcript shows; the digest covers all that is shown in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum ShownPart {
    /// The call and its whole answer.
    All,
    /// The call and this field of its answer.
    Part(&'static str),
    /// The call and the status of its answer.
    Status,
    /// Nothing: machinery.
    Nothing,
}

/// A call on its way.
pub(in crate::run) struct OutgoingRequest {
    pub(in crate::run) method: String,
    pub(in crate::run) path: String,
    pub(in crate::run) headers: Vec<(String, String)>,
    pub(in crate::run) body: Option<(String, String)>,
    /// Whether it is sent once more with a fresh token, where the token at hand is refused.
    pub(in crate::run) renews: bool,
}

impl OutgoingRequest {
    pub(in crate::run) fn new(method: &str, path: impl Into<String>) -> Self {
        Self { method: method.to_owned(), path: path.into(), headers: Vec::new(), body: None, renews: true }
    }

    /// The same with references that no other run uses.
    fn apart(self, references: &References) -> Self {
        let body = self.body.map(|(kind, text)| (kind, references.body_out(text)));
        Self { path: references.path_out(&self.path), body, ..self }
    }

    pub(in crate::run) fn json(mut self, body: &Json) -> Self {
        self.body = Some(("application/json".to_owned(), body.to_string()));
        self
    }
}

impl Session {
    /// Whether the world has such a client.
    pub(in crate::run) fn check_actor(&self, partner: usize, client: usize) -> Result<(), String> {
        let known = self.partners.get(partner.wrapping_sub(1)).is_some_and(|partner| client <= partner.clients.len());
        if known { Ok(()) } else { Err(format!("the world has no client {client} of a partner {partner}")) }
    }

    /// A request of the machinery, which transcripts do not show.
    pub(super) async fn operator(&mut self, method: Method, path: &str, body: &Json) -> Result<Json, String> {
        Ok(read(&self.answered(method, path, body).await?))
    }

    /// What the operator is answered, which is no refusal.
    pub(super) async fn answered(&mut self, method: Method, path: &str, body: &Json) -> Result<Response, String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(token) = self.driver.operator_token() {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| error.to_string())?;
            headers.insert(AUTHORIZATION, value);
        }
        if method == Method::GET {
            self.only_looks(&mut headers);
        }
        let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
        let request = Request { from: From::Elsewhere, method, path: path.to_owned(), headers, body };
        let answer = self.driver.call(request).await.map_err(|error| format!("{path}: {error}"))?;
        if !(200..300).contains(&answer.status) {
            return Err(format!("{path} answered {}: {}", answer.status, language::matching::show(&read(&answer))));
        }
        Ok(answer)
    }

    /// Has a read leave no trace in a world that goes on without the story (rule: wire/observers).
    pub(super) fn only_looks(&self, headers: &mut HeaderMap) {
        if !self.has_receiver {
            headers.insert(OBSERVER, HeaderValue::from_static("true"));
        }
    }

    /// The token of a partner; fetched when it is first needed.
    pub(super) async fn token(&mut self, partner: usize) -> Result<String, NoAnswer> {
        let at = partner - 1;
        if let Some(token) = &self.partners[at].token {
            return Ok(token.clone());
        }
        let form: String = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_id", &self.partners[at].client_id)
            .append_pair("client_secret", &self.partners[at].secret)
            .finish();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let path = "/v2/partner/auth/token".to_owned();
        let request = Request { from: From::Elsewhere, method: Method::POST, path, headers, body: Bytes::from(form) };
        let answer = self.driver.call(request).await?;
        let body = read(&answer);
        let Some(token) = body.get("access_token").and_then(Json::as_str) else {
            return Err(NoAnswer(format!("no token: {} {}", answer.status, language::matching::show(&body))));
        };
        self.transcript.mask(token, &format!("{{partner {partner} token}}"));
        self.partners[at].token = Some(token.to_owned());
        Ok(token.to_owned())
    }

    /// Whether a request was refused with the partner's own token: tokens end, by transport time or by the world's clock.
    fn is_refused_token(&self, actor: Actor, request: &Request, answer: &Result<Response, NoAnswer>) -> bool {
        let Actor::Client { partner, .. } = actor else { return false };
        let held = self.partners.get(partner - 1).and_then(|partner| partner.token.as_deref());
        let sent = request.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        answer.as_ref().is_ok_and(|answer| answer.status == 401) && held.is_some() && sent == held
    }

    /// Sends a request once more with a fresh token, where there is one.
    async fn call_with_another_token(
        &mut self,
        actor: Actor,
        mut request: Request,
        refused: Result<Response, NoAnswer>,
    ) -> Result<Response, NoAnswer> {
        let Actor::Client { partner, .. } = actor else { return refused };
        let Some(value) = self.renewed(partner).await else { return refused };
        request.headers.insert(AUTHORIZATION, value);
        self.driver.call(request).await
    }

    /// Another token of a partner; `None` where the server gives none; the one before stays then.
    pub(super) async fn renewed(&mut self, partner: usize) -> Option<HeaderValue> {
        let before = self.partners[partner - 1].token.take();
        let token = self.token(partner).await;
        let value = token.ok().and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok());
        if value.is_none() {
            self.partners[partner - 1].token = before;
        }
        value
    }

    /// The path of an actor's client.
    pub(in crate::run) fn client_path(&self, actor: Actor) -> String {
        let (partner, client) = match actor {
            Actor::Client { partner, client } => (partner, client),
            Actor::Nobody => (1, 1),
        };
        let id = self.partners.get(partner - 1).and_then(|partner| partner.clients.get(client - 1));
        format!("/v2/partner/client/{}", id.map_or("", String::as_str))
    }

    /// The id of an actor's client.
    pub(in crate::run) fn client_id(&self, actor: Actor) -> String {
        self.client_path(actor).rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// Sends a call and writes it as `shown` says. `Ok(None)` when no answer came.
    pub(in crate::run) async fn send(
        &mut self,
        actor: Actor,
        call: OutgoingRequest,
        shown: ShownPart,
    ) -> StepResult<Option<JsonResponse>> {
        let call = match &self.foreign {
            Some(foreign) => call.apart(&foreign.references),
            None => call,
        };
        let (method, path) = (call.method.clone(), call.path.clone());
        let outcome = self.sent(actor, call, shown).await?;
        let response = self.take_in(outcome, shown);
        if let Some(response) = &response {
            self.hold_to_description(&method, &path, response);
        }
        Ok(response)
    }

    /// Sends a call, once more with a fresh token where that is needed, and hands back what came of it.
    pub(in crate::run) async fn sent(
        &mut self,
        actor: Actor,
        call: OutgoingRequest,
        shown: ShownPart,
    ) -> StepResult<Result<Response, NoAnswer>> {
        let renews = call.renews;
        Ok(match self.addressed(actor, call, shown).await? {
            Ok(request) => {
                let again = renews.then(|| request.clone());
                let answer = self.driver.call(request).await;
                match again {
                    // Seldom, and as large as all else that is done here.
                    Some(again) if self.is_refused_token(actor, &again, &answer) => {
                        Box::pin(self.call_with_another_token(actor, again, answer)).await
                    }
                    _ => answer,
                }
            }
            Err(error) => Err(error),
        })
    }

    /// A call with its token and headers, written as it goes out; an error when the server gave no token.
    pub(in crate::run) async fn addressed(
        &mut self,
        actor: Actor,
        call: OutgoingRequest,
        shown: ShownPart,
    ) -> StepResult<Result<Request, NoAnswer>> {
        let OutgoingRequest { method, path, headers: extra, body, renews: _ } = call;
        let from = if path.starts_with("/simulations") || path.starts_with("/_sandbox") {
            From::Elsewhere
        } else {
            From::Partner
        };
        let mut headers = HeaderMap::new();
        if let Some((kind, _)) = &body {
            headers.insert(CONTENT_TYPE, header_value(kind)?);
        }
        let mut failed = None;
        if let Some(token) = self.credential(actor, &path, &mut failed).await {
            headers.insert(AUTHORIZATION, header_value(&format!("Bearer {token}"))?);
        }
        if path.starts_with(OWN_WORLD)
            && let Some(token) = self.driver.operator_token()
        {
            // Where partners share the world, its clock is the operator's (rule: auth/shared-worlds).
            headers.insert(OPERATOR_TOKEN, header_value(token)?);
        }
        for (name, value) in &extra {
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| Trouble::new(format!("`{name}` is not a header name")))?;
            match value.as_str() {
                // A body that does not say what it is.
                "" if name == CONTENT_TYPE => drop(headers.remove(name)),
                value => drop(headers.insert(name, header_value(value)?)),
            }
        }
        let text = body.map_or_else(String::new, |(_, text)| text);
        if shown != ShownPart::Nothing {
            let who = describe(actor);
            self.transcript.asked(&self.now, &who, &method, &path, &text);
        }
        let method =
            Method::from_bytes(method.as_bytes()).map_err(|_| Trouble::new(format!("`{method}` is not a method")))?;
        let request = Request { from, method, path, headers, body: Bytes::from(text) };
        Ok(failed.map_or(Ok(request), Err))
    }

    /// The token that goes with a request, if one does.
    async fn credential(&mut self, actor: Actor, path: &str, failed: &mut Option<NoAnswer>) -> Option<String> {
        let Actor::Client { partner, .. } = actor else { return None };
        // `current` is the world of a partner's token; everything else of the machinery is the operator's.
        if path.starts_with("/_sandbox")
            && !path.starts_with(OWN_WORLD)
            && let Some(token) = self.driver.operator_token()
        {
            return Some(token.to_owned());
        }
        if path == "/_sandbox/worlds" {
            // Where the operator has no token, a caller without one is the operator.
            return None;
        }
        match self.token(partner).await {
            Ok(token) => Some(token),
            Err(error) => {
                *failed = Some(error);
                None
            }
        }
    }

    /// The outcome of a call, written as `shown` says.
    pub(in crate::run) fn take_in(
        &mut self,
        outcome: Result<Response, NoAnswer>,
        shown: ShownPart,
    ) -> Option<JsonResponse> {
        match outcome {
            Ok(answer) => {
                let mut body = read(&answer);
                if let Some(foreign) = &self.foreign {
                    foreign.references.take_in(&mut body);
                }
                self.mask_secrets(&body);
                // JSON is kept as it was sent, unless references in it were replaced.
                let is_as_sent = self.foreign.is_none() && !body.is_string();
                let as_sent = std::str::from_utf8(&answer.body).ok().filter(|_| is_as_sent);
                let whole = as_sent.map_or_else(|| Cow::Owned(text_of(&body)), Cow::Borrowed);
                match shown {
                    ShownPart::All => self.transcript.answered(&self.now, answer.status, Shown::Body(&body), &whole),
                    ShownPart::Part(path) => {
                        let is_good = (200..300).contains(&answer.status);
                        let shown = match body.get(path) {
                            Some(part) if is_good => Shown::Part(path, part),
                            None if is_good => Shown::Words(""),
                            _ => Shown::Body(&body),
                        };
                        self.transcript.answered(&self.now, answer.status, shown, &whole);
                    }
                    ShownPart::Status => self.transcript.answered(&self.now, answer.status, Shown::Words(""), ""),
                    ShownPart::Nothing => {}
                }
                Some(JsonResponse { status: answer.status, headers: answer.headers, body })
            }
            Err(error) => {
                self.silence = error.0;
                if shown != ShownPart::Nothing {
                    self.transcript.unanswered(&self.now);
                }
                None
            }
        }
    }

    /// That no answer came, and why.
    pub(in crate::run) fn silence(&self) -> String {
        match self.silence.as_str() {
            failure if failure.starts_with("no answer came") => failure.to_owned(),
            why => format!("no answer came: {why}"),
        }
    }

    /// Whatever the server's key makes must not be shown.
    pub(super) fn mask_secrets(&mut self, body: &Json) {
        let Json::Object(entries) = body else { return };
        if let (Some(id), Some(secret)) = (entries.get("id"), entries.get("secret")) {
            // A webhook: both are made by the server's key.
            self.transcript.mask(id.as_str().unwrap_or_default(), "{webhook}");
            self.transcript.mask(secret.as_str().unwrap_or_default(), "{webhook secret}");
            self.received_posts.learn(body);
        }
        for (key, name) in [("access_token", "{token}"), ("instanceId", "{instance}"), ("clientSecret", "{secret}")] {
            if let Some(secret) = entries.get(key).and_then(Json::as_str) {
                self.transcript.mask(secret, name);
            }
        }
        if let Some((_, token)) = entries.get("url").and_then(Json::as_str).and_then(|url| url.rsplit_once("/journey/"))
        {
            self.transcript.mask(token, "{journey token}");
        }
    }
}

fn header_value(text: &str) -> StepResult<HeaderValue> {
    HeaderValue::from_str(text)
        .map_err(|_| Trouble::new(format!("`{text}` has characters that a header does not allow")))
}

/// A body as JSON, or as the text it is.
fn read(answer: &Response) -> Json {
    serde_json::from_slice(&answer.body).unwrap_or_else(|_| match std::str::from_utf8(&answer.body) {
        Ok("") => Json::Null,
        Ok(text) => Json::String(text.to_owned()),
        Err(_) => Json::String(format!("{} ({} bytes)", beginning(&answer.body), answer.body.len())),
    })
}

/// The first readable characters of a document, which say what kind it is.
fn beginning(body: &[u8]) -> String {
    body.iter().take_while(|byte| byte.is_ascii_graphic()).take(16).map(|byte| char::from(*byte)).collect()
}

fn text_of(body: &Json) -> String {
    match body {
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

/// Who acts, in words; nothing for the one who usually does.
fn describe(actor: Actor) -> String {
    match actor {
        Actor::Nobody => "nobody".to_owned(),
        Actor::Client { partner, client } => label(partner, client, None),
    }
}
