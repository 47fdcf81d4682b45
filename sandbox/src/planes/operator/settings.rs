//! Settings of one world: of its surface, under `world` those that it decides by, what its clients may do, and what else
//! their setup says of them.
//!
//! Invariant: what is shown can be sent back as it is, and changes nothing then.

use axum::response::Response;
use serde_json::{Map, Value, json};
use sim::ids::ClientId;
use sim::settings::Settings;
use sim::{query, records};

use super::request::{HandlerResult, RawBody, Target, json as answer};
use deliveries::network::Network;
use hosting::allowlist;
use hosting::decision::HostDecision;
use hosting::partners_may::WorldAct;
use hosting::setup::SurfaceSetup;
use std::borrow::Cow;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use wire::clients::Permissions;
use wire::error::ApiError;
use wire::rows::fields::{Cursor, FieldRow, Fields};
use wire::rows::shape::{FieldType, Schemas, Shape, describe, of, plain};
use wire::setup::clients::{everything, permissions_over};
use wire::setup::settings::{over, properties, shown};

fn show(target: &Target) -> Result<Value, ApiError> {
    let world = &target.world;
    let permitted = permitted(target)?;
    let clients = clients(target)?;
    let clients = clients.iter().map(|(client, terms)| (client.to_string(), json!({ SIGNATURE.name: terms })));
    let permitted = permitted.iter().map(|(client, may)| (client.to_string(), json!(Permissions::of(may))));
    let of_world = world.read(|state| shown(Settings::ROWS, &state.setup().settings))?;
    let mut all = world.surface().shown();
    all.extend(Map::from_iter([
        ("permissions".to_owned(), permitted.collect::<Map<_, _>>().into()),
        ("clients".to_owned(), clients.collect::<Map<_, _>>().into()),
        ("world".to_owned(), of_world.into()),
    ]));
    Ok(all.into())
}

/// What each client may do that the bearer sees.
fn permitted(target: &Target) -> Result<Vec<(ClientId, records::Permissions)>, ApiError> {
    of_clients(target, |client| client.permissions.clone())
}

/// Of each client that the bearer sees, whether its withdrawals need the customer's signature.
fn clients(target: &Target) -> Result<Vec<(ClientId, bool)>, ApiError> {
    of_clients(target, |client| client.withdrawal_needs_signature)
}

fn of_clients<T>(target: &Target, part: impl Fn(&records::Client) -> T) -> Result<Vec<(ClientId, T)>, ApiError> {
    target.world.read(|world| {
        let partners = query::partners(world).filter(|partner| target.sees(partner.id));
        let clients = partners.flat_map(|partner| query::clients_of(world, partner.id));
        clients.map(|client| (client.id, part(client))).collect()
    })
}

/// `GET /_sandbox/worlds/{worldId}/settings`
pub(super) async fn show_all(target: Target) -> HandlerResult {
    Ok::<Response, _>(answer(&show(&target)?))
}

/// `PATCH /_sandbox/worlds/{worldId}/settings`
pub(super) async fn change(target: Target, given: RawBody) -> HandlerResult {
    let _alone = target.world.edge.patching().await;
    patch(&target, &given).await?;
    Ok(answer(&show(&target)?))
}

async fn patch(target: &Target, given: &RawBody) -> Result<(), ApiError> {
    let world = &target.world;
    let (permitted, clients) = (permitted(target)?, clients(target)?);
    let now = world.surface();
    let of_world = world.read(|state| state.setup().settings.clone())?;
    let given = given.read(|body| rows(body, &now, &of_world, &permitted, &clients))?;
    let Given { surface, permissions, signatures, changed, force } = given;
    let changed = changed.filter(|changed| *changed != of_world);
    check_whose(target, &now, &surface, changed.is_some())?;
    if surface.allowlist != now.allowlist && !force {
        check_own_address(target, &surface.allowlist)?;
    }
    for (client, may) in permissions.unwrap_or_default() {
        if !permitted.contains(&(client, may.clone())) {
            world.permit(client, may).await?;
        }
    }
    for (client, is_required) in signatures.unwrap_or_default() {
        if !clients.contains(&(client, is_required)) {
            world.require_signatures(client, is_required).await?;
        }
    }
    if let Some(changed) = changed {
        world.configure(changed).await?;
    }
    world.decide(&HostDecision::Settings(Box::new(surface.settings))).await?;
    if surface.partners_may != now.partners_may {
        world.decide(&HostDecision::PartnersMay(surface.partners_may)).await?;
    }
    if surface.waits != now.waits {
        world.decide(&HostDecision::Waits(surface.waits)).await?;
    }
    if surface.allowlist != now.allowlist {
        world.decide(&HostDecision::Allowlist(surface.allowlist)).await?;
    }
    Ok(())
}

/// Refuses what is not the bearer's to change: some settings are the operator's, and in a world that partners share all are
/// but what clients may do (rule: auth/shared-worlds, auth/market-levers, auth/allowlist).
fn check_whose(
    target: &Target,
    now: &SurfaceSetup,
    then: &SurfaceSetup,
    is_world_changed: bool,
) -> Result<(), ApiError> {
    let operators = [
        ("operatorMarket", now.settings.operator_market != then.settings.operator_market),
        ("allowlist", now.allowlist != then.allowlist),
        ("partnersMay", now.partners_may != then.partners_may),
    ];
    let kept = operators.into_iter().find(|(_, is_changed)| *is_changed && !target.operates());
    if let Some((name, _)) = kept {
        return Err(ApiError::forbidden(format!("{name} is the operator's to change")));
    }
    if (is_world_changed || now != then) && !target.may_act(WorldAct::Settings) {
        return Err(ApiError::forbidden(
            "other partners share this world; settings but those of clients are the operator's to change",
        ));
    }
    Ok(())
}

/// Refuses a list that shuts out the caller, which could not take it back with a partner's token (rule: auth/allowlist).
fn check_own_address(target: &Target, networks: &[Network]) -> Result<(), ApiError> {
    match target.peer {
        Some(peer) if !allowlist::admits(networks, peer) => Err(ApiError::invalid_request(format!(
            "allowlist must admit {peer}, the address that this request comes from; with `\"force\": true` it need not"
        ))),
        _ => Ok(()),
    }
}

/// What can be given; what is left out stays as it is `now`.
fn rows(
    body: &mut Fields<'_, '_>,
    now: &SurfaceSetup,
    of_world: &Settings,
    permitted: &[(ClientId, records::Permissions)],
    clients: &[(ClientId, bool)],
) -> Option<Given> {
    let surface = now.over(body);
    let row = |name, about| FieldRow { name, about };
    let world = row("world", "Settings of the world itself.");
    let changed = body.optional(world, RunningSettings(of_world));
    let permissions = row("permissions", "Permissions by the client's id. Absent fields stay unchanged.");
    let permissions = body.optional(permissions, RunningPermissions(permitted));
    let signatures =
        row("clients", "Other terms of clients as in a setup, by the client's id. Absent fields stay unchanged.");
    let signatures = body.optional(signatures, RunningClients(clients));
    let force = row("force", "Whether to accept an `allowlist` that excludes the address of this request.");
    let force = body.or(force, false, of());
    Some(Given {
        surface: surface?,
        permissions: permissions?,
        signatures: signatures?,
        changed: changed?,
        force: force?,
    })
}

/// What a change of settings says.
pub(crate) struct Given {
    surface: SurfaceSetup,
    permissions: Option<Vec<(ClientId, records::Permissions)>>,
    signatures: Option<Vec<(ClientId, bool)>>,
    changed: Option<Settings>,
    force: bool,
}

/// Whether the withdrawals of a client need the customer's signature (rule: journeys/sign-withdrawal).
const SIGNATURE: FieldRow = FieldRow {
    name: "withdrawalNeedsSignature",
    about: "Whether its partner may only instruct withdrawals that the customer has signed.",
};

/// The terms of clients, over those that they have.
struct RunningClients<'s>(&'s [(ClientId, bool)]);

impl FieldType for RunningClients<'_> {
    type Value = Vec<(ClientId, bool)>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        cursor.entries(|name, cursor| {
            let known = self.0.iter().find(|(client, _)| client.to_string() == name);
            let Some((client, now)) = known else { return cursor.wrong("names no client") };
            cursor.object(|given| given.or(SIGNATURE, *now, of())).map(|is_required| (*client, is_required))
        })
    }

    fn schema(&self, known: &mut Schemas) -> RefOr<Schema> {
        let each = describe::<ClientPatch>(known);
        plain(Type::Object).additional_properties(Some(each)).into()
    }
}

/// The terms of a client, for the description.
struct ClientPatch;

impl Shape for ClientPatch {
    type Value = bool;
    const NAME: &'static str = "ClientTermsPatch";
    const ABOUT: &'static str = "Terms of a client as in a setup. Absent fields stay unchanged.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<bool> {
        fields.or(SIGNATURE, false, of())
    }
}

/// Permissions by client, over those that they have.
struct RunningPermissions<'s>(&'s [(ClientId, records::Permissions)]);

impl FieldType for RunningPermissions<'_> {
    type Value = Vec<(ClientId, records::Permissions)>;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Self::Value> {
        cursor.entries(|name, cursor| {
            let known = self.0.iter().find(|(client, _)| client.to_string() == name);
            let Some((client, now)) = known else { return cursor.wrong("names no client") };
            cursor.object(|given| permissions_over(given, now)).map(|may| (*client, may))
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
    const ABOUT: &'static str = "Permissions of a client. Absent fields stay unchanged.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<records::Permissions> {
        permissions_over(fields, &everything())
    }
}

/// Settings of the world, over those that it has.
struct RunningSettings<'s>(&'s Settings);

impl FieldType for RunningSettings<'_> {
    type Value = Settings;

    fn read(&self, cursor: Cursor<'_, '_>) -> Option<Settings> {
        cursor.object(|given| over(given, Settings::ROWS, self.0))
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
        over(fields, Settings::ROWS, &Settings::default())
    }
}

/// A change of settings, for the description.
pub(crate) struct SettingsPatch;

impl Shape for SettingsPatch {
    type Value = Given;
    const NAME: &'static str = "SettingsPatch";
    const ABOUT: &'static str = "Settings of one world. Absent fields stay unchanged.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Given> {
        rows(fields, &SurfaceSetup::default(), &Settings::default(), &[], &[])
    }
}

/// The settings as they are shown, for the description: all of what can be given, and always.
pub(crate) struct SettingsShown;

impl PartialSchema for SettingsShown {
    fn schema() -> RefOr<Schema> {
        let permissions = plain(Type::Object).additional_properties(Some(Permissions::schema()));
        let world = properties(Settings::ROWS, &mut Schemas::new());
        let signature = plain(Type::Boolean).description(Some(SIGNATURE.about)).into();
        let terms = plain(Type::Object).additional_properties(Some(whole([(SIGNATURE.name.to_owned(), signature)])));
        let all = SurfaceSetup::properties(&mut Schemas::new()).into_iter().chain([
            ("permissions".to_owned(), permissions.into()),
            ("clients".to_owned(), terms.into()),
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
