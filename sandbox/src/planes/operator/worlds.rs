//! Worlds: list, make, read, drop; back to the start, forks, clones by name, fingerprints.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use sim::rng::Seed;

use super::inspect;
use super::request::{Bearer, Body, HandlerResult, Operator, Target, bad, json as answer};
use super::values::{instant, mode, tell_mode, text_or_number};
use crate::App;
use crate::hosting::decision::{Carried, HostDecision};
use crate::hosting::secrets::masked;
use crate::hosting::setup::{self, WorldSetup};
use crate::hosting::worlds::{Credentials, MOST_SNAPSHOTS, NewWorld, WorldHandle, WorldOrigin};
use crate::http::extract::NoFields;
use crate::wire::error::ApiError;
use crate::wire::shape::{by, integer, shape};

const LONGEST_NAME: usize = 64;

/// The line that `serve` prints and that making a world answers: where it is and who may use it.
///
/// # Errors
/// 503 when the world has failed.
pub fn line(app: &App, world: &WorldHandle) -> Result<Value, ApiError> {
    line_for(app, world, |_| Secrets::Shown)
}

/// How the secrets of a partner are told (rule: auth/secrets-shown).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// In full: to the operator, and to whoever makes, forks or resets the world.
    Shown,
    /// By their beginning.
    Masked,
    /// Not at all.
    Absent,
}

fn line_for(app: &App, world: &WorldHandle, secrets: impl Fn(&Credentials) -> Secrets) -> Result<Value, ApiError> {
    world.read(|state| {
        json!({
            "url": app.public_url,
            "worldId": world.id().to_string(),
            "seed": world.origin().seed.0,
            "now": state.now().to_string(),
            "partners": partners(state, world.credentials(), secrets),
        })
    })
}

/// A world as the machinery shows it; secrets of each partner as `secrets` says.
#[must_use]
pub fn describe(app: &App, world: &WorldHandle, secrets: impl Fn(&Credentials) -> Secrets) -> Value {
    let extent = world.feed.log().extent();
    let mut shown = json!({
        "url": app.public_url,
        "worldId": world.id().to_string(),
        "name": &**world.name(),
        "seed": world.origin().seed.0,
        "start": world.origin().start.to_string(),
        "now": world.last_now().to_string(),
        "sockets": world.feed.open_sockets().len(),
        "events": extent.end.0,
        "eventLog": inspect::kept(&extent),
    });
    tell_mode(&mut shown, world.mode());
    match (world.failure(), world.read(|state| partners(state, world.credentials(), secrets))) {
        (None, Ok(partners)) => shown["partners"] = partners,
        (failure, _) => {
            shown["failure"] = failure.map_or(Value::Null, |failure| {
                json!({
                    "at": failure.at.to_string(),
                    "message": failure.message,
                    "command": failure.command.map(|command| format!("{command:?}")),
                })
            });
        }
    }
    shown
}

fn partners(state: &sim::World, credentials: &[Credentials], secrets: impl Fn(&Credentials) -> Secrets) -> Value {
    let shown = credentials.iter().map(|credentials| {
        let clients = sim::query::clients_of(state, credentials.partner);
        let clients: Vec<_> =
            clients.map(|client| json!({ "id": client.id.to_string(), "name": &*client.name })).collect();
        let mut partner = json!({ "name": &*credentials.name, "clientId": credentials.client_id.to_string() });
        let told = match secrets(credentials) {
            Secrets::Shown => Some((credentials.secret.reveal().to_owned(), credentials.callback_key.reveal())),
            Secrets::Masked => Some((credentials.secret.masked(), masked(&credentials.callback_key.reveal()))),
            Secrets::Absent => None,
        };
        if let Some((client_secret, callback_secret)) = told {
            partner["clientSecret"] = client_secret.into();
            partner["callbackSecret"] = callback_secret.into();
        }
        partner["clients"] = clients.into();
        partner
    });
    shown.collect()
}

shape! {
    /// What to make; every field has a default.
    pub(super) struct Make {
        name: Option<Arc<str>> = optional "name";
        seed: Option<u64> = optional "seed" as integer(0..=u64::MAX);
        start: Option<Arc<str>> = optional "start";
        setup: WorldSetup = or(WorldSetup::default()) "setup" as by(setup::within);
        clock: Option<Arc<str>> = optional "clock" as by(text_or_number);
    }
}

/// `GET /_sandbox/worlds`
pub(super) async fn list(State(app): State<App>, _: Operator) -> Response {
    let worlds = app.worlds.all();
    answer(&worlds.iter().map(|world| describe(&app, world, |_| Secrets::Absent)).collect())
}

/// `POST /_sandbox/worlds`
pub(super) async fn make(State(app): State<App>, _: Operator, Body(given): Body<Make>) -> HandlerResult {
    let start = given.start.as_deref().map_or_else(|| Ok(app.present()), |text| instant("start", text))?;
    let mode = given.clock.as_deref().map_or(Ok(app.default_clock), mode)?;
    let seed = Seed(given.seed.unwrap_or_else(|| app.worlds.draw_seed()));
    let WorldSetup { world, surface } = given.setup;
    let origin = WorldOrigin { setup: Arc::new(world), seed, start };
    let name = given.name.as_deref().map(name).transpose()?;
    let world = app.worlds.make(NewWorld { name, origin, mode, settings: surface })?;
    Ok(answer(&line(&app, &world)?))
}

fn name(text: &str) -> Result<Arc<str>, ApiError> {
    let fits = (1..=LONGEST_NAME).contains(&text.chars().count()) && !text.contains(char::is_control);
    if fits { Ok(text.into()) } else { Err(bad("name", format!("must have 1 to {LONGEST_NAME} characters"))) }
}

/// What the bearer may know of the secrets in a world that it has just made, forked or reset.
fn to_maker(target: &Target, credentials: &Credentials) -> Secrets {
    if target.sees(credentials.partner) { Secrets::Shown } else { Secrets::Absent }
}

/// What the bearer may know of the secrets in a world that it reads.
fn to_reader(target: &Target, credentials: &Credentials) -> Secrets {
    match target.bearer {
        Bearer::Operator => Secrets::Shown,
        Bearer::Partner(_) if target.sees(credentials.partner) => Secrets::Masked,
        Bearer::Partner(_) => Secrets::Absent,
    }
}

/// `GET /_sandbox/worlds/{worldId}`
pub(super) async fn read(State(app): State<App>, target: Target) -> Response {
    answer(&describe(&app, &target.world, |credentials| to_reader(&target, credentials)))
}

/// `DELETE /_sandbox/worlds/{worldId}`
pub(super) async fn remove(State(app): State<App>, target: Target) -> Response {
    let shown = describe(&app, &target.world, |_| Secrets::Absent);
    app.worlds.remove(target.world.id());
    answer(&shown)
}

/// `POST /_sandbox/worlds/{worldId}/reset`: back to the start, with the same credentials and tokens.
pub(super) async fn reset(State(app): State<App>, target: Target, _: NoFields) -> HandlerResult {
    let _gate = target.world.gate().lock().await;
    target.world.decide(&HostDecision::Reset)?;
    Ok(answer(&describe(&app, &target.world, |credentials| to_maker(&target, credentials))))
}

shape! {
    /// What a fork or a snapshot is called.
    pub(super) struct Named {
        name: Option<Arc<str>> = optional "name";
    }
}

/// `POST /_sandbox/worlds/{worldId}/fork`: a fork with credentials of its own.
pub(super) async fn fork(State(app): State<App>, target: Target, Body(given): Body<Named>) -> HandlerResult {
    let name = given.name.as_deref().map(name).transpose()?;
    let fork = app.worlds.fork(&target.world, name)?;
    Ok(answer(&line_for(&app, &fork, |credentials| to_maker(&target, credentials))?))
}

/// `GET /_sandbox/worlds/{worldId}/digest`
pub(super) async fn digest(target: Target) -> HandlerResult {
    let (now, digest) = target.world.read(|state| (state.now(), state.digest()))?;
    Ok(answer(&json!({ "now": now.to_string(), "digest": digest.to_string() })))
}

/// `GET /_sandbox/worlds/{worldId}/snapshots`
pub(super) async fn snapshots(target: Target) -> Response {
    let list = target.world.snapshots.list();
    answer(&list.into_iter().map(|(id, now)| json!({ "id": id, "now": now.to_string() })).collect())
}

/// `POST /_sandbox/worlds/{worldId}/snapshots`
pub(super) async fn snapshot(target: Target, Body(given): Body<Named>) -> HandlerResult {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let id = match given.name.as_deref() {
        Some(name) if (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(safe) => name.to_owned(),
        Some(_) => return Err(bad("name", format!("must have 1 to {LONGEST_NAME} letters, digits, '-', '_' or '.'"))),
        None => {
            (1..).map(|n| format!("snapshot-{n}")).find(|name| !target.world.snapshots.has(name)).unwrap_or_default()
        }
    };
    if let Carried::Nothing = target.world.decide(&HostDecision::Keep(id.clone()))? {
        return Err(ApiError::unavailable(format!("there are {MOST_SNAPSHOTS} snapshots already")));
    }
    Ok(answer(&json!({ "id": id, "now": target.world.last_now().to_string() })))
}

/// `POST /_sandbox/worlds/{worldId}/snapshots/{id}/restore`
pub(super) async fn restore(State(app): State<App>, target: Target, _: NoFields) -> HandlerResult {
    let id = target.item.as_deref().unwrap_or_default();
    let _gate = target.world.gate().lock().await;
    if let Carried::Nothing = target.world.decide(&HostDecision::Restore(id.to_owned()))? {
        return Err(ApiError::not_found("id names no snapshot"));
    }
    Ok(answer(&describe(&app, &target.world, |credentials| to_reader(&target, credentials))))
}
