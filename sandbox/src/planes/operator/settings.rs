//! Settings of one world: of its surface, under `world` those that it decides by, and what its clients may do.
//!
//! Invariant: what is shown can be sent back as it is, and changes nothing then.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Map, Value, json};
use sim::ids::ClientId;
use sim::settings::Settings;
use sim::{query, records};

use super::request::{HandlerResult, RawBody, Target, json as answer};
use crate::hosting::decision::HostDecision;
use crate::hosting::network::Network;
use crate::hosting::setup::{everything, over, permissions_over, properties, shown};
use crate::hosting::transport::SurfaceSettings;
use crate::wire::client::Permissions;
use crate::wire::error::ApiError;
use crate::wire::fields::{self, Fields, Row, Spot};
use crate::wire::shape::{Kind, Readable as _, Schemas, Shape, describe, described, plain};
use std::borrow::Cow;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Longest wait that can be set, in seconds: a year.
const LONGEST: u64 = 366 * 86_400;

/// Most waits between the attempts of a delivery.
const MOST_WAITS: usize = 100;

fn show(target: &Target) -> Result<Value, ApiError> {
    let world = &target.world;
    let permitted = permitted(target)?;
    let permitted = permitted.iter().map(|(client, may)| (client.to_string(), json!(Permissions::of(may))));
    let waits = world.deliveries.look(|queue| queue.policy().waits.iter().map(Duration::as_secs).collect::<Vec<_>>());
    let of_world = world.read(|state| shown(Settings::ROWS, &state.setup().settings))?;
    let mut all = shown(SurfaceSettings::ROWS, &world.settings());
    all.extend(Map::from_iter([
        ("deliveryWaitsSeconds".to_owned(), json!(waits)),
        ("allowlist".to_owned(), world.allowlist.list().iter().map(ToString::to_string).collect()),
        ("permissions".to_owned(), permitted.collect::<Map<_, _>>().into()),
        ("world".to_owned(), of_world.into()),
    ]));
    Ok(all.into())
}

/// What each client may do that the bearer sees.
fn permitted(target: &Target) -> Result<Vec<(ClientId, records::Permissions)>, ApiError> {
    target.world.read(|world| {
        let partners = query::partners(world).filter(|partner| target.sees(partner.id));
        let clients = partners.flat_map(|partner| query::clients_of(world, partner.id));
        clients.map(|client| (client.id, client.permissions.clone())).collect()
    })
}

/// `GET /_sandbox/worlds/{worldId}/settings`
pub(super) async fn show_all(target: Target) -> HandlerResult {
    Ok::<Response, _>(answer(&show(&target)?))
}

/// `PATCH /_sandbox/worlds/{worldId}/settings`
pub(super) async fn change(target: Target, given: RawBody) -> HandlerResult {
    target.world.patching(|| patch(&target, &given))?;
    Ok(answer(&show(&target)?))
}

fn patch(target: &Target, given: &RawBody) -> Result<(), ApiError> {
    let world = &target.world;
    let permitted = permitted(target)?;
    let now = world.settings();
    let of_world = world.read(|state| state.setup().settings.clone())?;
    let given = given.read(|body| rows(body, &now, &of_world, &permitted))?;
    let Given { settings, waits, networks, permissions, changed } = given;
    if settings.operator_market != now.operator_market && !target.operates() {
        return Err(ApiError::forbidden("operatorMarket is the operator's to change"));
    }
    for (client, may) in permissions.unwrap_or_default() {
        if !permitted.contains(&(client, may.clone())) {
            world.permit(client, may)?;
        }
    }
    if let Some(changed) = changed.filter(|changed| *changed != of_world) {
        world.configure(changed)?;
    }
    world.decide(&HostDecision::Settings(Box::new(settings)))?;
    if let Some(waits) = waits {
        world.decide(&HostDecision::Waits(waits))?;
    }
    if let Some(networks) = networks {
        world.decide(&HostDecision::Allowlist(networks))?;
    }
    Ok(())
}

/// What can be given; what is left out stays as it is `now`.
fn rows(
    body: &mut Fields<'_, '_>,
    now: &SurfaceSettings,
    of_world: &Settings,
    permitted: &[(ClientId, records::Permissions)],
) -> Option<Given> {
    let row = |name, about| Row { name, about };
    let settings = over(body, SurfaceSettings::ROWS, now);
    let waits_row = row("deliveryWaitsSeconds", "Waits between the attempts of a delivery.");
    let waits = body.optional(waits_row, described(waits, schema_of_waits));
    let allowlist = row("allowlist", "Networks from which the API may be called; all when empty.");
    let networks = body.optional(allowlist, described(networks, schema_of_networks));
    let world = row("world", "What the world decides by; some of it stays as it was when it was made.");
    let changed = body.optional(world, RunningSettings(of_world));
    let permissions = row("permissions", "What clients may do, by the client's id; what is left out stays.");
    let permissions = body.optional(permissions, RunningPermissions(permitted));
    Some(Given {
        settings: settings?,
        waits: waits?,
        networks: networks?,
        permissions: permissions?,
        changed: changed?,
    })
}

/// What a change of settings says.
pub(crate) struct Given {
    settings: SurfaceSettings,
    waits: Option<Vec<Duration>>,
    networks: Option<Vec<Network>>,
    permissions: Option<Vec<(ClientId, records::Permissions)>>,
    changed: Option<Settings>,
}

/// Permissions by client, over those that they have.
struct RunningPermissions<'s>(&'s [(ClientId, records::Permissions)]);

impl Kind for RunningPermissions<'_> {
    type Value = Vec<(ClientId, records::Permissions)>;

    fn read(&self, spot: Spot<'_, '_>) -> Option<Self::Value> {
        spot.entries(|name, spot| {
            let known = self.0.iter().find(|(client, _)| client.to_string() == name);
            let Some((client, now)) = known else { return spot.wrong("names no client") };
            spot.object(|given| permissions_over(given, now)).map(|may| (*client, may))
        })
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        let each = describe::<PermissionsPatch>(known);
        plain(Type::Object).additional_properties(Some(each)).into()
    }
}

/// The permissions of a client, for the description.
struct PermissionsPatch;

impl Shape for PermissionsPatch {
    type Value = records::Permissions;
    const NAME: &'static str = "PermissionsPatch";
    const ABOUT: &'static str = "What a client may do; what is left out stays.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<records::Permissions> {
        permissions_over(fields, &everything())
    }
}

/// Settings of the world, over those that it has.
struct RunningSettings<'s>(&'s Settings);

impl Kind for RunningSettings<'_> {
    type Value = Settings;

    fn read(&self, spot: Spot<'_, '_>) -> Option<Settings> {
        spot.object(|given| running(given, self.0))
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        describe::<WorldSettingsPatch>(known)
    }
}

/// The settings of a world, for the description.
struct WorldSettingsPatch;

impl Shape for WorldSettingsPatch {
    type Value = Settings;
    const NAME: &'static str = "WorldSettingsPatch";
    const ABOUT: &'static str = "What a world decides by; what is left out stays.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Settings> {
        running(fields, &Settings::default())
    }
}

/// A change of settings, for the description.
pub(crate) struct SettingsPatch;

impl Shape for SettingsPatch {
    type Value = Given;
    const NAME: &'static str = "SettingsPatch";
    const ABOUT: &'static str = "Settings of one world; what is left out stays.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Given> {
        rows(fields, &SurfaceSettings::default(), &Settings::default(), &[])
    }
}

/// The settings as they are shown, for the description: all of what can be given, and always.
pub(crate) struct SettingsShown;

impl PartialSchema for SettingsShown {
    fn schema() -> RefOr<Schema> {
        let waits = ArrayBuilder::new().items(plain(Type::Integer).minimum(Some(0)));
        let networks = ArrayBuilder::new().items(plain(Type::String));
        let permissions = plain(Type::Object).additional_properties(Some(Permissions::schema()));
        let world = properties(Settings::ROWS, &mut Schemas::new());
        let all = properties(SurfaceSettings::ROWS, &mut Schemas::new()).into_iter().chain([
            ("deliveryWaitsSeconds".to_owned(), waits.into()),
            ("allowlist".to_owned(), networks.into()),
            ("permissions".to_owned(), permissions.into()),
            ("world".to_owned(), whole(world)),
        ]);
        whole(all)
    }
}

impl ToSchema for SettingsShown {
    fn name() -> Cow<'static, str> {
        "Settings".into()
    }
}

/// An object that has all of these.
fn whole(properties: impl IntoIterator<Item = (String, RefOr<Schema>)>) -> RefOr<Schema> {
    let add = |object: ObjectBuilder, (name, schema): (String, RefOr<Schema>)| {
        object.property(name.as_str(), schema).required(name)
    };
    properties.into_iter().fold(plain(Type::Object), add).into()
}

fn schema_of_waits(_: &mut Schemas) -> RefOr<Schema> {
    let seconds = plain(Type::Integer).minimum(Some(0)).maximum(Some(LONGEST));
    ArrayBuilder::new().items(seconds).max_items(Some(MOST_WAITS)).into()
}

fn schema_of_networks(_: &mut Schemas) -> RefOr<Schema> {
    ArrayBuilder::new()
        .items(plain(Type::String).description(Some("An address, or a network as in `10.0.0.0/8`.")))
        .into()
}

/// Settings of a running world: some stay as they were when it was made.
fn running(given: &mut Fields<'_, '_>, now: &Settings) -> Option<Settings> {
    let changed = over(given, Settings::ROWS, now)?;
    for row in Settings::ROWS {
        if !row.live && (row.get)(&changed) != (row.get)(now) {
            given.problem(row.name, "cannot be changed in a running world");
        }
    }
    Some(changed)
}

/// Waits between the attempts of a delivery; as many as somebody wants to wait for.
fn waits(spot: Spot<'_, '_>) -> Option<Vec<Duration>> {
    let seconds = spot.list(fields::integer(1..=LONGEST))?;
    if seconds.len() > MOST_WAITS {
        return spot.wrong(format_args!("must be at most {MOST_WAITS}"));
    }
    Some(seconds.into_iter().map(Duration::from_secs).collect())
}

fn networks(spot: Spot<'_, '_>) -> Option<Vec<Network>> {
    let texts = Vec::<Arc<str>>::read(spot)?;
    let networks: Result<Vec<Network>, _> = texts.iter().map(|text| text.parse()).collect();
    networks.map_or_else(|error| spot.wrong(error), Some)
}
