//! What fault rules do to requests (rule: events/fault-rules).
//!
//! Owns: which rules a request is held against, and carrying out what they say. Invariant: a request meets the rules of one
//! world once, as soon as that world is known: by its token, by the link of its page, or, at the token endpoint, by
//! credentials that are right. A request without these learns nothing of any rule. Absent on purpose: rules about sockets
//! and about deliveries.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{HeaderValue, RETRY_AFTER};
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::IntoResponse as _;
use sim::ids::PartnerId;

use crate::App;
use crate::auth::TOKEN_PATH;
use hosting::coverage::RequestFault;
use hosting::faults::{FaultEffect, Hit};
use hosting::world_id::WorldId;
use hosting::worlds::WorldHandle;
use wire::error::ApiError;

/// Seconds after which to try again, when a rule that answers 503 names none: there always are some
/// (rule: wire/rate-limits).
const USUAL_RETRY: u32 = 1;

/// The connection is to be broken instead of answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped;

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection is dropped")
    }
}

impl std::error::Error for Dropped {}

/// Routes that monitors of the server ask again and again.
pub(super) const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Marks a placeholder for an answer whose connection is to be broken, with the world whose rule demands it.
#[derive(Clone)]
pub(super) struct Broken(pub Arc<WorldHandle>);

/// What a rule has done to a request, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultDone {
    /// It was answered in place of the route.
    Answered,
    /// It was late, or its connection broke.
    Request(RequestFault),
}

/// What a rule has decided for a request.
pub(super) struct Judgement {
    pub world: Arc<WorldHandle>,
    hit: Hit,
}

impl Judgement {
    /// Decides for a request before it is routed, if it has a token or a link; `None` lets it pass.
    pub(super) fn of<B>(
        app: &App,
        bearer: Option<(&Arc<WorldHandle>, PartnerId)>,
        request: &Request<B>,
    ) -> Option<Self> {
        let (method, path) = (request.method(), request.uri().path());
        if is_machinery(path) {
            return None;
        }
        let (world, partner) = match bearer {
            _ if path == TOKEN_PATH => return None,
            Some((world, partner)) => (Arc::clone(world), Some(partner)),
            None => world_of_link(app, path)?,
        };
        Self::by(world, partner, method, path)
    }

    /// The world, and what was done to the request.
    pub(super) fn done(self) -> (Arc<WorldHandle>, Option<FaultDone>) {
        let done = match self.hit.verdict {
            FaultEffect::Answer(..) => Some(FaultDone::Answered),
            FaultEffect::DropBefore => Some(FaultDone::Request(RequestFault::DroppedBefore)),
            FaultEffect::DropAfter => Some(FaultDone::Request(RequestFault::DroppedAfter)),
            FaultEffect::Delay(_) => Some(FaultDone::Request(RequestFault::Late)),
            FaultEffect::Sockets(_) | FaultEffect::Deliveries(_) => None,
        };
        (self.world, done)
    }

    fn by(world: Arc<WorldHandle>, partner: Option<PartnerId>, method: &Method, path: &str) -> Option<Self> {
        let hit = world.edge.faults.judge(partner, method, path)?;
        Some(Self { world, hit })
    }

    /// Does what is decided to the work that would answer.
    pub(super) async fn carry_out(
        &self,
        answering: impl Future<Output = Response<Body>>,
    ) -> Result<Response<Body>, Dropped> {
        let ending = match self.hit.verdict {
            FaultEffect::Answer(status, retry_after) => return Ok(fault_response(status, retry_after)),
            FaultEffect::DropBefore => return Err(Dropped),
            FaultEffect::DropAfter => {
                drop(answering.await);
                return Err(Dropped);
            }
            FaultEffect::Delay(span) => {
                tokio::time::sleep(span).await;
                None
            }
            FaultEffect::Sockets(ending) => Some(ending),
            // Rules about deliveries hit no request.
            FaultEffect::Deliveries(_) => None,
        };
        let response = answering.await;
        if let Some(ending) = ending {
            let is_its = |partner| self.hit.owner.is_none_or(|owner| owner == partner);
            self.world.subscribers.feed.end(ending, |socket| is_its(socket.partner));
        }
        Ok(response)
    }
}

/// `answering`, unless a rule of `world` says otherwise: for callers that know the world of a request.
pub(crate) async fn judged(
    world: &Arc<WorldHandle>,
    partner: PartnerId,
    (method, path): (&Method, &str),
    answering: impl Future<Output = Response<Body>>,
) -> Response<Body> {
    match Judgement::by(Arc::clone(world), Some(partner), method, path) {
        None => answering.await,
        Some(judgement) => judgement.carry_out(answering).await.unwrap_or_else(|Dropped| {
            let mut stand_in = Response::new(Body::empty());
            stand_in.extensions_mut().insert(Broken(judgement.world));
            stand_in
        }),
    }
}

/// The world that the link in a path of the pages leads to, if it has rules, and the partner that the link belongs to.
fn world_of_link(app: &App, path: &str) -> Option<(Arc<WorldHandle>, Option<PartnerId>)> {
    if let Some(rest) = path.strip_prefix("/journey/") {
        let (world, id) = app.worlds.journey(rest.split('/').next().unwrap_or_default())?;
        if !world.edge.faults.are_any() {
            return None;
        }
        let client_of = |world: &sim::World| sim::query::journey_by_link(world, id).map(|journey| journey.client);
        let partner = partner_of(&world, client_of)?;
        return Some((world, Some(partner)));
    }
    let mut parts = path.strip_prefix("/pay/")?.split('/');
    let token = parts.next().unwrap_or_default();
    let named = |name: &str| name.parse::<WorldId>().ok().and_then(|id| app.worlds.get(id));
    let worlds = parts.next().map_or_else(|| app.worlds.all(), |name| named(name).into_iter().collect());
    if !worlds.iter().any(|world| world.edge.faults.are_any()) {
        return None;
    }
    let client_of =
        |world: &sim::World| sim::query::mobile_payment_by_token(world, token).map(|payment| payment.client);
    let mut found =
        worlds.into_iter().filter_map(|world| partner_of(&world, client_of).map(|partner| (world, partner)));
    // Where several worlds have drawn the same token, it is not known which is meant.
    let (world, partner) = found.next().filter(|_| found.next().is_none())?;
    Some((world, Some(partner)))
}

fn partner_of(
    world: &WorldHandle,
    client_of: impl FnOnce(&sim::World) -> Option<sim::ids::ClientId>,
) -> Option<PartnerId> {
    let read = world.read(|world| Some(sim::query::client(world, client_of(world)?)?.partner));
    read.ok().flatten()
}

/// The answer that a rule gives in place of the server's.
fn fault_response(status: StatusCode, retry_after: Option<u32>) -> Response<Body> {
    let usual = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(USUAL_RETRY);
    let error = match status.as_u16() {
        401 => "unauthorized",
        403 => "forbidden",
        404 => "not_found",
        503 => "service_unavailable",
        500.. => "server_error",
        _ => "invalid_request",
    };
    let answer = ApiError::new(status, error, "this answer was made by a fault rule");
    match retry_after.or(usual) {
        Some(seconds) => answer.with_header(RETRY_AFTER, HeaderValue::from(seconds)),
        None => answer,
    }
    .into_response()
}

/// Whether a path is the operator's: it has to stay reachable under every shortage.
pub fn is_machinery(path: &str) -> bool {
    path.starts_with("/_sandbox") || WATCHED.contains(&path)
}
