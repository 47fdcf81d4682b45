//! What a refused request is answered with, on every face that speaks JSON.
//!
//! Owns: the error body and the one table from a refusal's class to a status. Invariant: a body names its `error` and
//! explains it in plain sentences, each beginning with the field it is about, joined with "; " (rule: wire/error-body).
//! Absent on purpose: any decision whether something is refused.

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};
use sim::settings::{Setting, Value as SettingValue};
use sim::{Class, Refusal};
use std::fmt;
use utoipa::ToSchema;

/// A refused request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// HTTP status.
    pub status: StatusCode,
    /// The word in the body's `error`.
    pub error: &'static str,
    /// The sentences in `error_description`.
    pub description: String,
    /// What a few answers carry besides.
    pub extra: Option<Box<Extra>>,
}

/// Further members of the body and headers of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Members after `error_description`, in this order.
    pub members: Vec<(&'static str, Value)>,
    /// Headers.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The error body of the partner API.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody<'a> {
    /// Kind of error.
    #[schema(examples("invalid_request"))]
    error: &'a str,
    /// One sentence for each problem, joined with "; ", each beginning with the path of its field.
    #[schema(examples("amount must be greater than zero; account is not known"))]
    error_description: &'a str,
    #[serde(flatten)]
    #[schema(ignore)]
    members: Map<String, Value>,
}

/// The error body of a conflict (rule: wire/conflicts).
#[derive(Serialize, ToSchema)]
pub struct ConflictBody {
    /// Always `conflict`.
    #[schema(value_type = String, examples("conflict"))]
    error: &'static str,
    /// The reason for the conflict.
    #[schema(examples("order does not allow this while it is settled"))]
    error_description: String,
    /// Present state of the resource, if the state is the reason.
    #[schema(nullable = false)]
    current: Option<String>,
    /// Actions that this state allows.
    #[schema(nullable = false)]
    allowed: Option<Vec<String>>,
}

impl ApiError {
    /// An error without extras.
    pub fn new(status: StatusCode, error: &'static str, description: impl Into<String>) -> Self {
        Self { status, error, description: description.into(), extra: None }
    }

    /// 400: the request or one of its parameters is wrong.
    pub fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    /// 401: no credentials were shown.
    pub fn unauthorized(description: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", description)
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// 401: a token was shown and is not good, or no longer (RFC 6750).
    pub fn invalid_token(description: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", description)
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer error=\"invalid_token\""))
    }

    /// 403: outside the token's scope.
    pub fn forbidden(description: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", description)
    }

    /// 421: the request was meant for another server (rule: auth/host-names).
    pub fn misdirected(description: impl Into<String>) -> Self {
        Self::new(StatusCode::MISDIRECTED_REQUEST, "misdirected_request", description)
    }

    /// 404: no such route, or no such thing where the specification says so.
    pub fn not_found(description: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", description)
    }

    /// 409: a lever or the machinery cannot move what it was pointed at.
    pub fn conflict(description: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", description)
    }

    /// 500: our fault.
    pub fn server_error(description: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", description)
    }

    /// 503: not now.
    pub fn unavailable(description: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "service_unavailable", description)
    }

    /// 503 with the seconds after which to try again (rule: wire/rate-limits).
    pub fn try_again(description: impl Into<String>, after_seconds: u32) -> Self {
        Self::unavailable(description).with_header(RETRY_AFTER, HeaderValue::from(after_seconds))
    }

    /// Adds a member to the body.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.extra.get_or_insert_default().members.push((name, value.into()));
        self
    }

    /// Adds a header to the answer.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.extra.get_or_insert_default().headers.push((name, value));
        self
    }

    /// The body as text.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let extra = self.extra.iter().flat_map(|extra| &extra.members);
        let members = extra.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let body = ErrorBody { error: self.error, error_description: &self.description, members };
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

/// The one table from a refusal's class to status and word.
#[rustfmt::skip]
const fn answer_to(class: Class) -> (StatusCode, &'static str) {
    use Class::{
        AccountNotActive, BadTarget, Conflict, ExecutorMismatch, InstrumentUnknown, Insufficient, Malformed,
        NotAllowedNow, NotEligible, NotInUniverse, NotTradable, OutOfScope, OutsideLimits, Unknown,
    };
    match class {
        OutOfScope        => (StatusCode::FORBIDDEN,   "forbidden"),
        Malformed         => (StatusCode::BAD_REQUEST, "invalid_request"),
        Unknown           => (StatusCode::BAD_REQUEST, "invalid_request"),
        AccountNotActive  => (StatusCode::BAD_REQUEST, "invalid_request"),
        ExecutorMismatch  => (StatusCode::BAD_REQUEST, "invalid_request"),
        InstrumentUnknown => (StatusCode::BAD_REQUEST, "invalid_request"),
        NotInUniverse     => (StatusCode::BAD_REQUEST, "invalid_request"),
        NotTradable       => (StatusCode::BAD_REQUEST, "invalid_request"),
        NotEligible       => (StatusCode::BAD_REQUEST, "invalid_request"),
        OutsideLimits     => (StatusCode::BAD_REQUEST, "invalid_request"),
        BadTarget         => (StatusCode::BAD_REQUEST, "invalid_request"),
        Insufficient      => (StatusCode::BAD_REQUEST, "invalid_request"),
        NotAllowedNow     => (StatusCode::BAD_REQUEST, "invalid_request"),
        Conflict          => (StatusCode::CONFLICT,    "conflict"),
    }
}

/// What an id is answered with that names nothing here, or something of another client (rule: wire/unknown-ids).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UnknownResource {
    /// 400: the listed failures of most operations leave 404 out.
    #[default]
    InvalidRequest,
    /// 403: nothing differs from what lies outside the token's scope.
    Forbidden,
    /// 404: as many other services do.
    NotFound,
}

impl UnknownResource {
    /// The choice with this status.
    #[must_use]
    pub const fn of(status: u16) -> Option<Self> {
        match status {
            400 => Some(Self::InvalidRequest),
            403 => Some(Self::Forbidden),
            404 => Some(Self::NotFound),
            _ => None,
        }
    }

    /// Its status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Forbidden => 403,
            Self::NotFound => 404,
        }
    }

    fn answer(self, description: String) -> ApiError {
        match self {
            Self::InvalidRequest => ApiError::invalid_request(description),
            Self::Forbidden => ApiError::forbidden(description),
            Self::NotFound => ApiError::not_found(description),
        }
    }
}

impl Setting for UnknownResource {
    fn value(&self) -> SettingValue {
        SettingValue::Whole(self.status().into())
    }

    fn take(&mut self, value: SettingValue) {
        if let SettingValue::Whole(status) = value
            && let Some(choice) = u16::try_from(status).ok().and_then(Self::of)
        {
            *self = choice;
        }
    }
}

impl ApiError {
    /// The answer to a refusal in a world that has chosen what becomes of unknown ids.
    #[must_use]
    pub fn of(refusal: Refusal, unknown: UnknownResource) -> Self {
        if refusal.class == Class::Unknown { unknown.answer(refusal.to_string()) } else { refusal.into() }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (status, error) = answer_to(refusal.class);
        let answer = Self::new(status, error, refusal.to_string());
        match refusal.conflict {
            None => answer,
            Some(conflict) => answer.with("current", conflict.current).with("allowed", conflict.allowed),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status.as_u16(), self.error, self.description)
    }
}

impl std::error::Error for ApiError {}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = self.body();
        let mut response = (self.status, [(CONTENT_TYPE, "application/json")], body).into_response();
        for (name, value) in self.extra.into_iter().flat_map(|extra| extra.headers) {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Problem;
    use sim::refusal::{CLASSES, Fault};
    use std::fmt::Write as _;

    #[test]
    fn every_class_has_its_answer() {
        let mut table = String::new();
        for &class in CLASSES {
            let (status, error) = answer_to(class);
            writeln!(table, "{:<18}{} {error}", format!("{class:?}"), status.as_u16()).expect("writing to a string");
        }
        insta::assert_snapshot!(table, @r"
        OutOfScope        403 forbidden
        Malformed         400 invalid_request
        Unknown           400 invalid_request
        AccountNotActive  400 invalid_request
        ExecutorMismatch  400 invalid_request
        InstrumentUnknown 400 invalid_request
        NotInUniverse     400 invalid_request
        NotTradable       400 invalid_request
        NotEligible       400 invalid_request
        OutsideLimits     400 invalid_request
        BadTarget         400 invalid_request
        Insufficient      400 invalid_request
        NotAllowedNow     400 invalid_request
        Conflict          409 conflict
        ");
    }

    fn body(error: ApiError) -> String {
        String::from_utf8(error.body()).expect("UTF-8")
    }

    #[test]
    fn all_problems_of_a_refusal_are_listed_each_with_its_field() {
        let problems =
            vec![Problem::new("amount", Fault::NotPositive), Problem::new("clientRef", Fault::TooLong { max: 255 })];
        let refusal = Refusal::unless_empty(Class::Malformed, problems).expect_err("two problems");
        insta::assert_snapshot!(body(refusal.into()), @r#"{"error":"invalid_request","error_description":"amount must be greater than zero; clientRef must be at most 255 characters long"}"#);
    }

    /// (rule: wire/conflicts)
    #[test]
    fn a_conflict_names_the_present_state_and_the_allowed_transitions() {
        let refusal = Refusal::conflict("order", Fault::NotPossibleIn { status: "sent" }, "sent", vec!["reject"]);
        insta::assert_snapshot!(body(refusal.into()), @r#"{"error":"conflict","error_description":"order does not allow this while it is sent","current":"sent","allowed":["reject"]}"#);
    }

    #[test]
    fn a_401_says_how_to_authenticate() {
        let response = ApiError::invalid_token("the access token has expired").into_response();
        assert_eq!(response.status(), 401);
        assert_eq!(response.headers()["www-authenticate"], "Bearer error=\"invalid_token\"");
        assert_eq!(response.headers()["content-type"], "application/json");
    }
}
