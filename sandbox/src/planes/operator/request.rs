//! What handlers of the machinery take from a request: who works it, the world in the path, the body.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use sim::ids::{ClientId, PartnerId};

use hosting::guesses::SecretOwner;
use hosting::partners_may::WorldAct;
use hosting::quotas::Owner;
use hosting::world_id::WorldId;
use hosting::worlds::WorldHandle;
use surface::App;
use surface::auth::{self, Caller};
use surface::extract::{OptionalJson, path_texts};
use surface::service::is_observer;
use wire::error::ApiError;
use wire::rows::fields::{Fields, Unknown};
use wire::rows::shape::Shape;

/// What a handler returns.
pub(super) type HandlerResult = Result<Response, ApiError>;

/// Who calls.
#[derive(Clone, Debug)]
pub(super) enum Bearer {
    /// Everything is open to it.
    Operator,
    /// Its own world is.
    Partner(Caller),
}

impl Bearer {
    /// Recognises the bearer. What is neither a partner's token nor the operator's is a guess of the latter.
    async fn of(parts: &Parts, app: &App) -> Result<Self, ApiError> {
        let shown = auth::bearer(&parts.headers);
        let context = parts.extensions.get::<auth::RequestContext>();
        let caller = match context {
            Some(context) => context.caller.clone(),
            None => auth::authenticate(&app.worlds, &parts.headers, None),
        };
        match (&app.operator_token, shown, caller) {
            (None, Err(_), _) => Ok(Self::Operator),
            (Some(token), Ok(shown), Err(denied)) => {
                let clock = app.worlds.clock();
                let guess =
                    app.guesses.begin(context.and_then(|context| context.peer), SecretOwner::Operator, clock)?;
                if token.is(shown) {
                    guess.right();
                    return Ok(Self::Operator);
                }
                guess.wrong(clock).await;
                Err(denied.answer())
            }
            (_, _, caller) => caller.map(Self::Partner).map_err(auth::Denied::answer),
        }
    }
}

/// The operator, where only it may act.
pub(super) struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match Bearer::of(parts, app).await? {
            Bearer::Operator => Ok(Self),
            Bearer::Partner(_) => Err(ApiError::forbidden("this is the operator's")),
        }
    }
}

/// The world in the path, which the bearer may work on.
pub(super) struct Target {
    pub world: Arc<WorldHandle>,
    pub bearer: Bearer,
    /// The address that the request comes from, where it came over a network.
    pub peer: Option<IpAddr>,
    /// Whether the machinery is shared: a partner then sees of its world what is its own.
    pub shared: bool,
    /// The last parameter of the path, where there are two.
    pub item: Option<String>,
}

impl Target {
    /// Whether the bearer does what the operator does.
    pub(super) const fn operates(&self) -> bool {
        matches!(self.bearer, Bearer::Operator) || !self.shared
    }

    /// Whether the bearer may see what is `partner`'s.
    pub(super) fn sees(&self, partner: PartnerId) -> bool {
        match &self.bearer {
            Bearer::Operator => true,
            Bearer::Partner(caller) => !self.shared || caller.partner == partner,
        }
    }

    /// Whether the bearer may see a request for which this partner's token was shown: what nobody's was shown for may be the operator's.
    pub(super) fn sees_request_of(&self, partner: Option<PartnerId>) -> bool {
        partner.map_or_else(|| self.operates(), |partner| self.sees(partner))
    }

    /// Whether the bearer may see what is `client`'s, which may be gone.
    pub(super) fn sees_client(&self, client: ClientId) -> bool {
        self.world.owner_of(client).map_or_else(|| self.operates(), |partner| self.sees(partner))
    }

    /// Whether the bearer may do `act` to the whole world (rule: auth/shared-worlds).
    pub(super) fn may_act(&self, act: WorldAct) -> bool {
        match &self.bearer {
            Bearer::Operator => true,
            Bearer::Partner(caller) => caller.may_act(act, self.shared),
        }
    }

    /// The partner who asks, where others have a part in the world.
    pub(super) fn one_among_others(&self) -> Option<PartnerId> {
        match &self.bearer {
            Bearer::Partner(caller) if caller.is_among_others(self.shared) => Some(caller.partner),
            Bearer::Partner(_) | Bearer::Operator => None,
        }
    }

    /// Whose quota what the bearer takes counts for; the operator has none.
    pub(super) fn owner(&self) -> Option<Owner> {
        match &self.bearer {
            Bearer::Operator => None,
            Bearer::Partner(caller) => Some(caller.owner()),
        }
    }
}

impl FromRequestParts<App> for Target {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let bearer = Bearer::of(parts, app).await?;
        let mut texts = path_texts(parts);
        let world = find(app, &bearer, &texts.next().transpose()?.unwrap_or_default())?;
        // It is shown that there is such a world, and it can be dropped; nothing else.
        if parts.uri.path().matches('/').count() > OF_A_WORLD {
            app.worlds.why_unreadable(world.identity.id()).map_or(Ok(()), Err)?;
        }
        if !is_observer(&parts.method, &parts.headers) {
            world.is_used(app.worlds.clock().now());
        }
        let item = texts.next().transpose()?.map(Cow::into_owned);
        let peer = parts.extensions.get::<auth::RequestContext>().and_then(|context| context.peer);
        Ok(Self { world, bearer, peer, shared: app.operator_token.is_some(), item })
    }
}

/// Slashes in the path of a world itself.
const OF_A_WORLD: usize = 3;

/// The world of that name. A partner's token is held to its own, also where the machinery is open to callers without one.
fn find(app: &App, bearer: &Bearer, name: &str) -> Result<Arc<WorldHandle>, ApiError> {
    let unknown = || ApiError::not_found("worldId names no world");
    match bearer {
        Bearer::Partner(caller) if name == "current" || name == caller.world.identity.id().to_string() => {
            Ok(Arc::clone(&caller.world))
        }
        Bearer::Partner(_) => Err(ApiError::forbidden("worldId is not the world of this token")),
        Bearer::Operator if name == "current" => {
            Err(ApiError::invalid_request("current needs a partner's access token"))
        }
        Bearer::Operator => {
            let id: WorldId = name.parse().map_err(|_| unknown())?;
            app.worlds.get(id).ok_or_else(|| app.worlds.why_unreadable(id).unwrap_or_else(unknown))
        }
    }
}

/// A JSON body of a known shape; none at all reads as an empty object.
pub(super) struct Body<T>(pub T);

impl<T: Shape<Value = T>> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        RawBody::from_request(request, app).await?.read(T::rows).map(Self)
    }
}

/// A JSON body to be read by rows; none at all reads as an empty object.
pub(super) struct RawBody(OptionalJson);

impl RawBody {
    /// Reads the body by `rows`; unknown fields are refused, because here a misspelt word would go unnoticed.
    pub(super) fn read<T>(&self, rows: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>) -> Result<T, ApiError> {
        self.0.read(Unknown::Refused, rows)
    }
}

impl FromRequest<App> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        OptionalJson::from_request(request, app).await.map(Self)
    }
}

/// 200 with `value`.
pub(super) fn json(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

pub(super) fn bad(field: &str, why: impl std::fmt::Display) -> ApiError {
    ApiError::invalid_request(format!("{field} {why}"))
}
