//! What a world's recording keeps of a request: who asked what, and its answer.
//!
//! Invariant: a request is noted in one world at most, and only if its caller was let in.
//! Absent on purpose: what is kept, and for how long (`hosting::recording`).

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use axum::http::{Method, Request, Response};
use bytes::Bytes;
use sim::ids::PartnerId;

use crate::App;
use hosting::current::Turn;
use hosting::recording::{Exchange, PathOwner, Requester};
use hosting::request_log::BodyPrefix;
use hosting::worlds::WorldHandle;

/// Largest answer that is kept whole; of a longer one its status is.
const LARGEST_ANSWER: usize = 262_144;
/// Longest name of a kind of body that is kept.
const LONGEST_KIND: usize = 200;

/// Notes the answer to a request.
pub(super) struct Listener {
    world: Arc<WorldHandle>,
    by: Requester,
    method: Method,
    target: Box<str>,
    content_type: Option<Box<str>>,
    /// How much of the body is kept.
    most: usize,
    /// How much there is room for.
    room: usize,
    /// Whether the body is larger than any that is taken, and nobody reads it.
    is_too_large: bool,
}

impl Listener {
    /// The one of this request; none when it is part of no session.
    pub(super) fn of<B>(
        app: &App,
        request: &Request<B>,
        bearers: Option<&Arc<WorldHandle>>,
        partner: Option<PartnerId>,
    ) -> Option<Self> {
        // It could not be played again.
        app.scenario_writer?;
        let path = request.uri().path();
        let kind = PathOwner::of(request.method(), path);
        let bearer = bearers.cloned().zip(partner);
        let (world, by) = match (kind, bearer) {
            (PathOwner::None, _) | (PathOwner::OfBearer, None) => return None,
            (PathOwner::OfBearer, Some((world, partner))) => (world, Requester::Partner(partner)),
            (PathOwner::OfWorld(name), Some((world, partner))) => {
                let is_own = name == "current" || world.identity.id().to_string() == name;
                (is_own.then_some(world)?, Requester::Partner(partner))
            }
            (PathOwner::OfWorld(name), None) => (app.worlds.get(name.parse().ok()?)?, Requester::Operator),
            (PathOwner::OfPayer(token, name), _) => {
                let world = app.worlds.get(name.parse().ok()?)?;
                let by = world.read(|world| {
                    let payment = sim::query::mobile_payment_by_token(world, token)?;
                    Some(Requester::Payer(sim::query::client(world, payment.client)?.partner, payment.id))
                });
                let by = by.ok().flatten()?;
                (world, by)
            }
            (PathOwner::OfPerson(token), _) => {
                let (world, id) = app.worlds.journey(token)?;
                let owner = world.read(|world| {
                    let journey = sim::query::journey_by_link(world, id)?;
                    sim::query::clients(world).find(|client| client.id == journey.client).map(|client| client.partner)
                });
                let owner = owner.ok().flatten()?;
                (world, Requester::Person(owner, id))
            }
        };
        let room = world.edge.recording.room(by.partner(), world.edge.settings().recording_bytes);
        let largest = app.limits.body_bytes;
        let most = kind.most(room.min(largest));
        let announced = text(request.headers(), &CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
        let is_too_large = announced.is_some_and(|length| length > largest);
        let target = request.uri().path_and_query().map_or(path, |target| target.as_str()).into();
        let content_type = text(request.headers(), &CONTENT_TYPE).filter(|kind| kind.len() <= LONGEST_KIND);
        Some(Self { world, by, method: request.method().clone(), target, content_type, most, room, is_too_large })
    }

    /// How much of the request's body it wants.
    pub(super) const fn most(&self) -> usize {
        self.most
    }

    /// Notes its answer; nothing where the caller was not let in.
    pub(super) fn note(
        self,
        id: u64,
        turn: Option<Turn>,
        sent: Option<&BodyPrefix>,
        response: Option<&Response<Body>>,
        answered: Option<Bytes>,
    ) {
        let Self { world, by, method, target, content_type, most: kept, room, is_too_large } = self;
        let status = response.map(|response| response.status().as_u16());
        if matches!(by, Requester::Operator | Requester::Payer(..)) && matches!(status, Some(401 | 403 | 404 | 421)) {
            return;
        }
        let present = || Turn { input: world.last_input(), is_own: false, now: world.last_now() };
        let turn = turn.unwrap_or_else(present);
        let location = response.and_then(|response| text(response.headers(), &LOCATION));
        let answered = answered.filter(|bytes| bytes.len() <= LARGEST_ANSWER);
        let is_cut = is_too_large || sent.is_some_and(BodyPrefix::is_cut);
        // What found no room cannot be sent again: with it the recording ends.
        let most = if is_cut && !is_too_large && kept >= room { 0 } else { world.edge.settings().recording_bytes };
        let sent = sent.and_then(BodyPrefix::whole).map(Bytes::copy_from_slice);
        let exchange =
            Exchange { id, turn, by, method, target, content_type, sent, is_cut, status, answered, location };
        world.record(exchange, most);
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<Box<str>> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(Into::into)
}
