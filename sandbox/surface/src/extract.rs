//! What handlers take from a request beside its caller: ids in the path, the query, a JSON body.
//!
//! Invariant: whatever is wrong with them is 400 `invalid_request` in the error body, never a framework's own answer
//! (rule: wire/content-type, wire/unknown-ids). An extractor looks at nothing but the request.
//! Absent on purpose: who calls, which is `auth`; how long a body may take, which is `body`.

use crate::App;
use crate::auth::RequestContext;
use crate::body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use bytes::Bytes;
use memchr::memchr;
use percent_encoding::percent_decode_str;
use sim::Problem;
use sim::identity::InstrumentId;
use sim::ids::{
    AccountId, AllocationPlanId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, InstructionId,
    JourneyId, MobilePaymentId, OrderId, PaymentId, TransferId,
};
use sim::partial::Whole;
use sim::records::AgreementType;
use std::borrow::Cow;
use std::iter;
use wire::error::ApiError;
use wire::json::Node;
use wire::query::{self, Parameters};
use wire::rows::fields::{self, Fields, Unknown};
use wire::words::Word;

/// The ids in a path, in the order of the path.
pub struct Ids<T>(pub T);

/// One id in a path.
pub trait PathId: Sized {
    /// What it must look like.
    const FORM: &'static str;

    /// Reads it.
    fn read(text: &str) -> Option<Self>;
}

macro_rules! uuids {
    ($($id:ty),*) => {$(
        impl PathId for $id {
            const FORM: &'static str = "a UUID";

            fn read(text: &str) -> Option<Self> {
                Self::parse(text).ok()
            }
        }
    )*};
}

uuids!(
    ClientId,
    AccountId,
    OrderId,
    CashTransactionId,
    FundTransactionId,
    JourneyId,
    InstructionId,
    PaymentId,
    AllocationPlanId,
    BankAccountId,
    TransferId,
    MobilePaymentId
);

impl PathId for InstrumentId {
    const FORM: &'static str = "an ISIN with its check digit, followed by a currency code";

    fn read(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}

impl PathId for AgreementType {
    const FORM: &'static str = "one of `account`, `power_of_attorney`, `insurance` or `autogiro`";

    fn read(text: &str) -> Option<Self> {
        <Self as Word>::of(text)
    }
}

/// Takes the next id of the path.
fn next<'p, T: PathId>(mut ids: impl Iterator<Item = (&'static str, &'p str)>) -> Result<T, ApiError> {
    // A route without an id that its handler takes does not pass the first test that calls it.
    let (name, raw) = ids.next().ok_or_else(|| ApiError::server_error("the route lacks a parameter"))?;
    let text = text_of(raw)?;
    let refused = || ApiError::invalid_request(format!("{name} must be {}", T::FORM));
    T::read(&text).ok_or_else(refused)
}

/// A part of a path as it is meant.
fn text_of(raw: &str) -> Result<Cow<'_, str>, ApiError> {
    if memchr(b'%', raw.as_bytes()).is_none() {
        return Ok(Cow::Borrowed(raw));
    }
    percent_decode_str(raw).decode_utf8().map_err(|_| ApiError::invalid_request("path must be UTF-8 text"))
}

/// The texts in the path of a request where its row has names in braces, in order.
pub fn path_texts(parts: &Parts) -> impl Iterator<Item = Result<Cow<'_, str>, ApiError>> {
    ids(parts).map(|(_, raw)| text_of(raw))
}

/// The ids in the path of a request, with their names.
fn ids(parts: &Parts) -> impl Iterator<Item = (&'static str, &str)> {
    let pattern = parts.extensions.get::<RequestContext>().and_then(|context| context.pattern);
    named(pattern.unwrap_or_default(), parts.uri.path())
}

/// The names and the raw texts of the ids in `path`, which was found by `pattern`: up to a name both are the same.
fn named<'t>(mut pattern: &'static str, mut path: &'t str) -> impl Iterator<Item = (&'static str, &'t str)> {
    iter::from_fn(move || {
        let (begin, end) = (memchr(b'{', pattern.as_bytes())?, memchr(b'}', pattern.as_bytes())?);
        let rest = path.get(begin..)?;
        let (text, path_rest) = rest.split_at(memchr(b'/', rest.as_bytes()).unwrap_or(rest.len()));
        let name = pattern.get(begin + 1..end)?;
        (pattern, path) = (&pattern[end + 1..], path_rest);
        Some((name, text))
    })
}

impl<S: Send + Sync, A: PathId> FromRequestParts<S> for Ids<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(next(ids(parts))?))
    }
}

impl<S: Send + Sync, A: PathId, B: PathId> FromRequestParts<S> for Ids<(A, B)> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut ids = ids(parts);
        Ok(Self((next(&mut ids)?, next(&mut ids)?)))
    }
}

impl<S: Send + Sync, A: PathId, B: PathId, C: PathId> FromRequestParts<S> for Ids<(A, B, C)> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut ids = ids(parts);
        Ok(Self((next(&mut ids)?, next(&mut ids)?, next(&mut ids)?)))
    }
}

/// The query part of the address.
pub struct Query(Option<String>);

impl Query {
    /// Reads the parameters by `rows`.
    ///
    /// # Errors
    /// 400 with all problems.
    pub fn read<T>(&self, rows: impl FnOnce(&mut Parameters<'_>) -> T) -> Result<T, ApiError> {
        query::read(self.0.as_deref(), rows)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(parts.uri.query().map(str::to_owned)))
    }
}

/// A JSON body, read but not yet understood.
pub struct Json {
    text: Bytes,
}

impl Json {
    /// The body as a tree.
    ///
    /// # Errors
    /// 400 when it is no JSON, repeats a key or nests too deeply.
    pub fn tree(&self) -> Result<Node<'_>, ApiError> {
        Node::parse(&self.text).map_err(|fault| ApiError::invalid_request(format!("body {fault}")))
    }

    /// Reads the body, an object, by `shape`.
    ///
    /// # Errors
    /// 400 with all problems.
    pub fn read<T>(
        &self,
        unknown: Unknown,
        shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>,
    ) -> Result<T, ApiError> {
        fields::read(&self.tree()?, unknown, shape)
    }

    /// Reads a command's request by `shape`; `judge` says what is wrong with the rest where something cannot be read.
    ///
    /// # Errors
    /// 400 with all problems, or what keeps `judge` from judging.
    pub fn read_whole<T: Whole>(
        &self,
        unknown: Unknown,
        shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T::Partial>,
        judge: impl FnOnce(&T::Partial) -> Result<Vec<Problem>, ApiError>,
    ) -> Result<T, ApiError> {
        fields::read_whole(&self.tree()?, unknown, shape, judge)
    }
}

impl FromRequest<App> for Json {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        check_content_type(request.headers())?;
        let text = body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await?;
        Ok(Self { text })
    }
}

/// A JSON body that may be left out; then it reads as an object without fields.
pub struct OptionalJson(Json);

impl OptionalJson {
    /// As `Json::read`.
    ///
    /// # Errors
    /// 400 with all problems.
    pub fn read<T>(
        &self,
        unknown: Unknown,
        shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>,
    ) -> Result<T, ApiError> {
        if self.0.text.trim_ascii().is_empty() {
            return fields::read(&Node::Object(Vec::new()), unknown, shape);
        }
        self.0.read(unknown, shape)
    }
}

impl FromRequest<App> for OptionalJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let declared = check_content_type(request.headers());
        let text = body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await?;
        if !text.trim_ascii().is_empty() {
            declared?;
        }
        Ok(Self(Json { text }))
    }
}

/// No body, or an object without fields.
pub struct NoFields;

impl FromRequest<App> for NoFields {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        OptionalJson::from_request(request, app).await?.read(Unknown::Refused, |_| Some(Self))
    }
}

/// `application/json`, with or without parameters.
pub fn check_content_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(ApiError::invalid_request("content-type must be application/json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn the_ids_in_a_path_are_named_by_its_pattern() {
        let found: Vec<_> = named("/a/{first}/b/{second}", "/a/1/b/2%203").collect();
        assert_eq!(found, [("first", "1"), ("second", "2%203")]);
    }

    #[test]
    fn the_keys_of_agreements_are_written_as_they_are_read() {
        assert_eq!(AgreementType::FORM, format!("one of {}", AgreementType::choices()));
    }

    #[test]
    fn json_is_declared_with_or_without_parameters_and_in_any_case() {
        for (declared, good) in [
            ("application/json", true),
            ("application/json; charset=utf-8", true),
            ("Application/JSON ;charset=utf-8", true),
            ("application/jsonp", false),
            ("text/plain", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(declared));
            assert_eq!(check_content_type(&headers).is_ok(), good, "{declared}");
        }
        assert!(check_content_type(&HeaderMap::new()).is_err());
    }
}
