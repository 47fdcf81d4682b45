//! Worlds: list, make, read, drop; back to the start, forks, clones by name, fingerprints.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use sim::ids::PartnerId;
use sim::rng::Seed;
use sim::time::Instant;
use utoipa::ToSchema;

use super::inspect::{self, EventLog};
use super::request::{Bearer, Body, HandlerResult, Operator, Target, bad};
use super::values::{Timing, instant, mode, schema_of_text_or_number, text_or_number};
use crate::planes::responses::json;
use hosting::credentials::{Credentials, Source};
use hosting::decision::{Carried, HostDecision};
use hosting::partners_may::WorldAct;
use hosting::secrets::{Secret, masked};
use hosting::setup::{self, WorldSetup};
use hosting::snapshot_name::SnapshotName;
use hosting::worlds::{ForkOf, LONGEST_NAME, MOST_SNAPSHOTS, NewWorld, WorldHandle, WorldOrigin};
use surface::App;
use surface::extract::NoFields;
use wire::error::ApiError;
use wire::rows::fields::Cursor;
use wire::rows::shape::{described, integer, shape};
use wire::values::number::Number;
use wire::values::text::{Id, Timestamp};

/// Where a world is, and who may use it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorldLine {
    url: String,
    world_id: String,
    seed: u64,
    now: Timestamp,
    partners: Vec<WorldPartner>,
}

/// A partner of a world.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WorldPartner {
    name: String,
    /// For the token endpoint.
    client_id: Id,
    /// In full to the operator, and to the caller who makes, forks or resets a world; by its beginning to others who may read
    /// it. Left out where the setup named it and the world came from a snapshot file, which keeps no secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    client_secret: Option<String>,
    /// Signs callbacks of journeys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    callback_secret: Option<String>,
    clients: Vec<WorldClient>,
}

#[derive(Serialize, ToSchema)]
struct WorldClient {
    id: Id,
    name: String,
}

/// A world.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct World {
    url: String,
    world_id: String,
    name: String,
    seed: u64,
    start: Timestamp,
    now: Timestamp,
    /// Event sockets that are open; of those of a partner that others share the world with, its own.
    sockets: usize,
    /// Events that happened.
    events: u64,
    event_log: EventLog,
    /// Number of the last input, which `fork` and `rewind` take; 0 is the start.
    input: u64,
    /// Number of the first input that they can go back to.
    first_input: u64,
    /// How its clock goes, as `--clock` takes it.
    clock: String,
    #[schema(value_type = String)]
    mode: &'static str,
    /// World seconds for each real second; null when frozen.
    #[schema(required = true)]
    factor: Option<Number>,
    /// Left out when the world has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    partners: Option<Vec<WorldPartner>>,
    /// The moment of another world that it began as, when it is a fork.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fork_of: Option<Fork>,
    /// What is kept of its session, which `scenario` writes as a story.
    recording: RecordingKept,
    /// What went wrong, when the world has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    failure: Option<WorldFailure>,
}

/// The world and the moment that a fork began from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Fork {
    world_id: String,
    input: u64,
    at: Timestamp,
}

impl Fork {
    fn of(fork: ForkOf) -> Self {
        Self { world_id: fork.world.to_string(), input: fork.input, at: Timestamp(fork.at) }
    }
}

/// Extent of a recording.
#[derive(Serialize, ToSchema)]
struct RecordingKept {
    /// Number of recorded requests, from the start of the world.
    requests: usize,
    /// Number of later requests that did not fit into the recording.
    missing: u64,
}

/// How a world failed: a fault of this program.
#[derive(Serialize, ToSchema)]
struct WorldFailure {
    at: Timestamp,
    message: String,
    #[schema(required = true)]
    command: Option<String>,
}

/// The line that `serve` prints: where a world is and who may use it.
///
/// # Errors
/// 503 when the world has failed.
pub fn line(app: &App, world: &WorldHandle) -> Result<Value, ApiError> {
    let line = line_for(app, world, |_| Some(Secrets::Shown))?;
    serde_json::to_value(line).map_err(|error| ApiError::server_error(error.to_string()))
}

/// How the secrets of a partner are shown (rule: auth/secrets-shown).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// In full: to the operator, and to the caller who makes, forks or resets the world.
    Shown,
    /// By their beginning.
    Masked,
    /// Not at all.
    Absent,
}

fn line_for(
    app: &App,
    world: &WorldHandle,
    secrets: impl Fn(&Credentials) -> Option<Secrets>,
) -> Result<WorldLine, ApiError> {
    world.read(|state| WorldLine {
        url: app.public_url.to_string(),
        world_id: world.identity.id().to_string(),
        seed: world.identity.origin().seed.0,
        now: Timestamp(state.now()),
        partners: partners(state, world.identity.credentials(), secrets),
    })
}

/// A world as the machinery shows it; of each partner what `secrets` says, and nothing of those for whom it says nothing.
fn describe(app: &App, world: &WorldHandle, secrets: impl Fn(&Credentials) -> Option<Secrets>) -> World {
    let Timing { clock, mode, factor } = Timing::of(world.mode());
    let extent = world.subscribers.feed.log().extent();
    let failure = world.failure();
    let (requests, missing) = world.edge.recording.extent();
    let seen: Vec<_> = world.identity.credentials().iter().filter(|known| secrets(known).is_some()).collect();
    let sees = |partner| seen.iter().any(|known| known.partner == partner);
    let sees_all = seen.len() == world.identity.credentials().len();
    let sockets = world.subscribers.feed.open_sockets().iter().filter(|socket| sees(socket.partner)).count();
    let partners = world.read(|state| partners(state, world.identity.credentials(), &secrets)).ok();
    World {
        url: app.public_url.to_string(),
        world_id: world.identity.id().to_string(),
        name: world.identity.name().to_string(),
        seed: world.identity.origin().seed.0,
        start: Timestamp(world.identity.origin().start),
        now: Timestamp(world.last_now()),
        sockets,
        events: extent.end.0,
        event_log: inspect::kept(&extent),
        input: world.last_input(),
        first_input: world.past_begins(),
        clock,
        mode,
        factor,
        partners: partners.filter(|_| failure.is_none()),
        fork_of: world.identity.fork_of().map(Fork::of),
        recording: RecordingKept { requests, missing },
        failure: failure.map(|failure| WorldFailure {
            at: Timestamp(failure.at),
            // What failed may have been another partner's.
            message: if sees_all { failure.message } else { "the operator can read what went wrong".to_owned() },
            command: failure.command.filter(|_| sees_all).map(|command| format!("{command:?}")),
        }),
    }
}

fn partners(
    state: &sim::World,
    credentials: &[Credentials],
    secrets: impl Fn(&Credentials) -> Option<Secrets>,
) -> Vec<WorldPartner> {
    let shown = credentials.iter().filter_map(|credentials| {
        let secrets = secrets(credentials)?;
        let clients = sim::query::clients_of(state, credentials.partner);
        let clients = clients.map(|client| WorldClient { id: Id(client.id.as_uuid()), name: client.name.to_string() });
        let known = credentials.secret.known();
        let (client_secret, callback_secret) = match secrets {
            Secrets::Shown => (known.map(|known| known.reveal().to_owned()), Some(credentials.callback_key.reveal())),
            Secrets::Masked => (known.map(Secret::masked), Some(masked(&credentials.callback_key.reveal()))),
            Secrets::Absent => (None, None),
        };
        Some(WorldPartner {
            name: credentials.name.to_string(),
            client_id: Id(credentials.client_id),
            client_secret,
            callback_secret,
            clients: clients.collect(),
        })
    });
    shown.collect()
}

shape! {
    /// The world to create. Every field has a default.
    pub(crate) struct MakeRequest {
        /// Display name.
        name: Option<Arc<str>> = optional "name";
        /// Seed of the world; drawn when left out. The same seed gives the same course of events.
        seed: Option<u64> = optional "seed" as integer(0..=u64::MAX);
        /// A timestamp; now when left out.
        start: Option<Arc<str>> = optional "start";
        /// Setup of the world; the demo world when left out.
        setup: (WorldSetup, Option<Value>) = or((WorldSetup::default(), None)) "setup" as described(setup_with_its_text, setup::schema_within);
        /// `frozen`, `real`, or world seconds for each real second; the server's `--clock` when left out.
        clock: Option<Arc<str>> = optional "clock" as described(text_or_number, schema_of_text_or_number);
    }
}

/// A setup, and how it was written: a recording begins with that.
fn setup_with_its_text(cursor: Cursor<'_, '_>) -> Option<(WorldSetup, Option<Value>)> {
    let written = cursor.node().value();
    setup::within(cursor).map(|setup| (setup, Some(written)))
}

/// `GET /_sandbox/worlds`
pub(super) async fn list(State(app): State<App>, _: Operator) -> Response {
    let worlds = app.worlds.all();
    json(&worlds.iter().map(|world| describe(&app, world, |_| Some(Secrets::Absent))).collect::<Vec<_>>())
}

/// `POST /_sandbox/worlds`
pub(super) async fn make(State(app): State<App>, _: Operator, Body(given): Body<MakeRequest>) -> HandlerResult {
    let start = given.start.as_deref().map_or_else(|| Ok(app.present()), |text| instant("start", text))?;
    let mode = given.clock.as_deref().map_or(Ok(app.default_clock), mode)?;
    let seed = Seed(given.seed.unwrap_or_else(|| app.worlds.draw_seed()));
    let (WorldSetup { world, surface, credentials }, written) = given.setup;
    let credentials = Source::Setup(credentials);
    let origin = WorldOrigin { setup: Arc::new(world), seed, start };
    let name = given.name.as_deref().map(name).transpose()?;
    let world = app.worlds.make(NewWorld { name, origin, mode, surface, credentials }).await?;
    world.edge.recording.begins_with(written);
    Ok(json(&line(&app, &world)?))
}

pub(super) fn name(text: &str) -> Result<Arc<str>, ApiError> {
    let fits = (1..=LONGEST_NAME).contains(&text.chars().count()) && !text.contains(char::is_control);
    if fits { Ok(text.into()) } else { Err(bad("name", format!("must have 1 to {LONGEST_NAME} characters"))) }
}

/// What the bearer may know of the secrets in a world that it has just made, forked or reset.
fn to_maker(target: &Target, credentials: &Credentials) -> Option<Secrets> {
    target.sees(credentials.partner).then_some(Secrets::Shown)
}

/// What the bearer may know of the secrets in a world that it reads.
fn to_reader(target: &Target, credentials: &Credentials) -> Option<Secrets> {
    let shown = if matches!(target.bearer, Bearer::Operator) { Secrets::Shown } else { Secrets::Masked };
    target.sees(credentials.partner).then_some(shown)
}

/// `GET /_sandbox/worlds/{worldId}`
pub(super) async fn read(State(app): State<App>, target: Target) -> Response {
    json(&describe(&app, &target.world, |credentials| to_reader(&target, credentials)))
}

/// `DELETE /_sandbox/worlds/{worldId}`
pub(super) async fn remove(State(app): State<App>, target: Target) -> HandlerResult {
    let shown = describe(&app, &target.world, |known| target.sees(known.partner).then_some(Secrets::Absent));
    app.worlds.remove(target.world.identity.id()).await?;
    Ok(json(&shown))
}

/// `POST /_sandbox/worlds/{worldId}/reset`: back to the start, with the same credentials and tokens.
pub(super) async fn reset(State(app): State<App>, target: Target, _: NoFields) -> HandlerResult {
    let _gate = target.world.pass_gate().await;
    target.world.reset().await?;
    Ok(json(&describe(&app, &target.world, |credentials| to_maker(&target, credentials))))
}

shape! {
    /// Name of a snapshot.
    pub(crate) struct NameRequest {
        /// Generated when left out.
        name: Option<Arc<str>> = optional "name";
    }
}

/// A fork that the bearer has made of the target, and who may use it.
pub(super) fn line_of_fork(app: &App, target: &Target, fork: &WorldHandle) -> HandlerResult {
    Ok(json(&line_for(app, fork, |credentials| to_maker(target, credentials))?))
}

/// The target after a change, as its bearer may see it.
pub(super) fn world_after(app: &App, target: &Target) -> World {
    describe(app, &target.world, |credentials| to_reader(target, credentials))
}

/// The fingerprint of a world.
#[derive(Serialize, ToSchema)]
#[schema(as = Digest)]
pub(crate) struct DigestShown {
    now: Timestamp,
    /// Equal for equal worlds.
    digest: String,
}

/// A named copy of a world.
#[derive(Serialize, ToSchema)]
pub(crate) struct Snapshot {
    /// Name. For the operator, the name of a partner's snapshot begins with the partner's id.
    id: String,
    /// The time of the world when the snapshot was taken.
    now: Timestamp,
}

impl Snapshot {
    /// As it is shown to `target`'s bearer: a partner's own without its owner.
    pub(super) fn new(target: &Target, name: &SnapshotName, now: Instant) -> Self {
        Self { id: target.name_of_snapshot(name), now: Timestamp(now) }
    }
}

/// `GET /_sandbox/worlds/{worldId}/digest`
pub(super) async fn digest(target: Target) -> HandlerResult {
    let (now, digest) = target.world.read_apart(|state| (state.now(), state.digest())).await?;
    Ok(json(&DigestShown { now: Timestamp(now), digest: digest.to_string() }))
}

/// `GET /_sandbox/worlds/{worldId}/snapshots`
pub(super) async fn snapshots(target: Target) -> Response {
    let list = target.world.snapshots.list().into_iter().filter(|(name, _)| target.sees_snapshot(name));
    json(&list.map(|(name, now)| Snapshot::new(&target, &name, now)).collect::<Vec<_>>())
}

/// `POST /_sandbox/worlds/{worldId}/snapshots`
pub(super) async fn snapshot(target: Target, Body(given): Body<NameRequest>) -> HandlerResult {
    let name = match given.name.as_deref() {
        Some(name) => target.new_snapshot(name)?,
        None => {
            let numbered = |n| SnapshotName { owner: target.keeps_for(), name: format!("snapshot-{n}") };
            (1..=MOST_SNAPSHOTS + 1)
                .map(numbered)
                .find(|name| !target.world.snapshots.has(name))
                .ok_or_else(too_many)?
        }
    };
    if let Carried::Nothing = target.world.decide(&HostDecision::Keep(name.clone())).await? {
        return Err(too_many());
    }
    Ok(json(&Snapshot::new(&target, &name, target.world.last_now())))
}

impl Target {
    /// Whose snapshots the bearer keeps: its own, where others have a part in the world and the operator keeps its apart.
    pub(super) fn keeps_for(&self) -> Option<PartnerId> {
        self.one_among_others().filter(|_| !self.may_act(WorldAct::Snapshots))
    }

    /// What a snapshot is called to the bearer.
    pub(super) fn name_of_snapshot(&self, name: &SnapshotName) -> String {
        if name.owner == self.keeps_for() { name.name.clone() } else { name.to_string() }
    }

    /// Whether the bearer may use a snapshot.
    pub(super) fn sees_snapshot(&self, name: &SnapshotName) -> bool {
        name.owner == self.keeps_for() || matches!(self.bearer, Bearer::Operator)
    }

    /// What a snapshot that the bearer keeps by this name is called.
    pub(super) fn new_snapshot(&self, name: &str) -> Result<SnapshotName, ApiError> {
        Ok(SnapshotName { owner: self.keeps_for(), name: snapshot_name(name)? })
    }

    /// The snapshot in the path, if there is one that the bearer may use: the operator may use a partner's, too.
    pub(super) fn snapshot(&self) -> Result<SnapshotName, ApiError> {
        let text = self.item.as_deref().unwrap_or_default();
        let own = SnapshotName { owner: self.keeps_for(), name: text.to_owned() };
        let known = self.world.snapshots.list().into_iter().map(|(name, _)| name);
        let mut seen = known.filter(|name| self.sees_snapshot(name));
        let found = seen.find(|name| *name == own || name.to_string() == text);
        found.ok_or_else(|| ApiError::not_found("id names no snapshot"))
    }
}

/// A snapshot's name, if `text` can be one.
fn snapshot_name(text: &str) -> Result<String, ApiError> {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(safe);
    let wrong = || bad("name", format!("must have 1 to {LONGEST_NAME} letters, digits, '-', '_' or '.'"));
    if fits { Ok(text.to_owned()) } else { Err(wrong()) }
}

pub(super) fn too_many() -> ApiError {
    let why = format!("there are {MOST_SNAPSHOTS} snapshots already; name one of them to keep this in its place");
    ApiError::conflict(why)
}

/// `POST /_sandbox/worlds/{worldId}/snapshots/{id}/restore`
pub(super) async fn restore(State(app): State<App>, target: Target, _: NoFields) -> HandlerResult {
    let _gate = target.world.pass_gate().await;
    if let Carried::Nothing = target.world.decide(&HostDecision::Restore(target.snapshot()?)).await? {
        return Err(ApiError::not_found("id names no snapshot"));
    }
    Ok(json(&world_after(&app, &target)))
}
