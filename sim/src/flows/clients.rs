//! Clients: created and patched by their partner, permitted things by the platform (rule: clients/client-shape,
//! clients/client-identity, clients/client-patch, clients/client-permissions).
//!
//! Invariant: a client's id is unique in the world, its `crn` within its partner, its activation codes in the world; id
//! and `crn` never change. Absent on purpose: deletion, which no partner call causes (`purge`).

use crate::command::{CreateClient, PartialClient, PartialClientPatch, Patch, PatchClient};
use crate::event::{Change, Delta};
use crate::flows::fees;
use crate::identity::is_country;
use crate::ids::{ClientId, PartnerId};
use crate::partial::Whole as _;
use crate::records::{Client, ClientBankAccount, FeeType, Permissions, ServiceCode, ServiceType, Stamp};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::world::World;
use std::sync::Arc;

/// Longest name.
const MAX_NAME: usize = 255;

/// `CreateClient`. It has no event (rule: events/events-named).
pub(crate) fn create(world: &mut World, create: CreateClient) -> Result<Reply, Refusal> {
    let first = first_of(world, create.partner)?;
    let (permissions, universe) = (first.permissions.clone(), first.universe.clone());
    let (withdrawal_needs_signature, fees) = (first.withdrawal_needs_signature, first.fees);
    Refusal::unless_empty(Class::Malformed, problems(world, first, &create.partial()))?;
    // Nothing below can fail.
    let (drawn, sorted_id) = world.id_sources.client(world.now);
    let id = create.id.unwrap_or(drawn);
    let client = Arc::new(Client {
        id,
        sorted_id,
        partner: create.partner,
        name: create.name,
        display_name: create.display_name,
        crn: create.crn,
        country: create.country,
        bank_accounts: create.bank_accounts,
        service_types: coded(world, &create.service_types),
        permissions,
        withdrawal_needs_signature,
        fees,
        universe,
        stamp: Stamp::new(world.now),
    });
    world.clients.insert(id, Arc::clone(&client));
    Ok(Reply::Client(client))
}

/// The partner's first client, which new ones take after.
pub(crate) fn first_of(world: &World, partner: PartnerId) -> Result<&Arc<Client>, Refusal> {
    let first = world.clients.values().find(|client| client.partner == partner);
    first.ok_or_else(|| Refusal::one(Class::OutOfScope, "partner", Fault::NotYours))
}

/// Everything that is known to be wrong with a new client that takes after `first`.
pub(crate) fn problems(world: &World, first: &Client, create: &PartialClient) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_name("name", create.name.as_deref(), &mut problems);
    check_name("displayName", create.display_name.as_deref(), &mut problems);
    check_country(create.country.as_deref(), &mut problems);
    check_bank_accounts(create.bank_accounts.as_deref().unwrap_or_default(), &mut problems);
    check_services(create.service_types.as_deref(), &first.permissions.service_types, &mut problems);
    if create.id.flatten().is_some_and(|id| world.clients.contains_key(&id)) {
        problems.push(Problem::new("id", Fault::Taken));
    }
    let Some(crn) = create.crn else { return problems };
    if world.clients.values().any(|client| client.partner == first.partner && client.crn == crn) {
        problems.push(Problem::new("crn", Fault::Taken));
    } else if world.setup.settings.strict_identifiers && !crn.luhn_ok() {
        problems.push(Problem::new("crn", Fault::Invalid { because: "its check digit is wrong" }));
    }
    problems
}

/// `PatchClient`: an empty patch changes nothing, any other refreshes `modifiedDate`, also one that names ignored fields
/// alone (rule: clients/client-patch).
pub(crate) fn patch(world: &mut World, patch: PatchClient) -> Result<Reply, Refusal> {
    let previous = Arc::clone(world.client_in_scope(patch.scope)?);
    Refusal::unless_empty(Class::Malformed, patch_problems(&previous, &patch.partial()))?;
    if patch.is_empty() {
        return Ok(Reply::Client(previous));
    }
    let PatchClient { name, display_name, country, bank_accounts, service_types, .. } = patch;
    // Nothing below can fail.
    let mut client = Client::clone(&previous);
    replace(&mut client.name, name);
    replace(&mut client.display_name, display_name);
    replace(&mut client.country, country);
    match bank_accounts {
        Patch::Keep => {}
        Patch::Clear => client.bank_accounts.clear(),
        Patch::Set(accounts) => client.bank_accounts = accounts,
    }
    if let Patch::Set(services) = service_types {
        client.service_types = recoded(world, &previous, &services);
    }
    client.stamp.touch(world.now);
    let current = Arc::new(client);
    world.clients.insert(current.id, Arc::clone(&current));
    [FeeType::PartnerFee, FeeType::ClientFee]
        .into_iter()
        .for_each(|kind| fees::partner::pay_on(world, current.id, kind));
    let change = Change::Client(Delta::Updated { previous, current: Arc::clone(&current) });
    world.emit(Some(current.id), change);
    Ok(Reply::Client(current))
}

/// Sets what the platform lets a client do from now on; journeys and payments that are under way continue. An unknown client,
/// and permissions that the client has already, change nothing (rule: clients/client-permissions).
pub(crate) fn permit(world: &mut World, id: ClientId, permissions: &Permissions) {
    let Some(previous) = scope::client(world, id).map(Arc::clone) else { return };
    if previous.permissions == *permissions {
        return;
    }
    if previous.permissions.partner_fee != permissions.partner_fee {
        fees::partner::rates_change(world, |account| account.client == id);
    }
    let mut client = Client { permissions: permissions.clone(), ..Client::clone(&previous) };
    client.stamp.touch(world.now);
    let current = Arc::new(client);
    world.clients.insert(id, Arc::clone(&current));
    world.emit(Some(id), Change::Client(Delta::Updated { previous, current }));
}

/// Withdrawals of a client need the customer's signature from now on, or no longer. No answer of the client shows it, so
/// that there is no event (rule: journeys/sign-withdrawal).
pub(crate) fn require_signatures(world: &mut World, id: ClientId, is_required: bool) {
    let Some(known) = scope::client(world, id).map(Arc::clone) else { return };
    world.clients.insert(id, Arc::new(Client { withdrawal_needs_signature: is_required, ..Client::clone(&known) }));
}

fn replace(field: &mut Arc<str>, patch: Patch<Arc<str>>) {
    if let Patch::Set(text) = patch {
        *field = text;
    }
}

/// Everything that is known to be wrong with a patch of `client`.
pub(crate) fn patch_problems(client: &Client, patch: &PartialClientPatch) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (named, field) in [(patch.names_id, "id"), (patch.names_crn, "crn")] {
        if named == Some(true) {
            problems.push(Problem::new(field, Fault::Unwritable));
        }
    }
    for (text, field) in [(&patch.name, "name"), (&patch.display_name, "displayName")] {
        match text {
            Some(Patch::Keep) | None => {}
            Some(Patch::Clear) => problems.push(Problem::new(field, Fault::Missing)),
            Some(Patch::Set(text)) => check_name(field, Some(text), &mut problems),
        }
    }
    match &patch.country {
        Some(Patch::Keep) | None => {}
        Some(Patch::Clear) => problems.push(Problem::new("country", Fault::Missing)),
        Some(Patch::Set(country)) => check_country(Some(country), &mut problems),
    }
    if let Some(Patch::Set(accounts)) = &patch.bank_accounts {
        check_bank_accounts(accounts, &mut problems);
    }
    match &patch.service_types {
        Some(Patch::Keep) | None => {}
        Some(Patch::Clear) => problems.push(Problem::new("serviceTypes", Fault::Missing)),
        Some(Patch::Set(services)) => check_services(Some(services), &client.permissions.service_types, &mut problems),
    }
    problems
}

fn check_name(field: &'static str, text: Option<&str>, problems: &mut Vec<Problem>) {
    let Some(text) = text else { return };
    if text.trim().is_empty() {
        problems.push(Problem::new(field, Fault::Empty));
    } else if text.chars().count() > MAX_NAME {
        problems.push(Problem::new(field, Fault::TooLong { max: MAX_NAME }));
    }
}

fn check_country(country: Option<&str>, problems: &mut Vec<Problem>) {
    if !country.is_none_or(is_country) {
        let because = "a country code of ISO 3166-1 is expected, two capital letters";
        problems.push(Problem::new("country", Fault::Invalid { because }));
    }
}

fn check_bank_accounts(accounts: &[Option<ClientBankAccount>], problems: &mut Vec<Problem>) {
    let fee_type = |account: &Option<ClientBankAccount>| account.as_ref().map(|account| account.fee_type);
    for (at, account) in accounts.iter().enumerate() {
        if account.is_some() && accounts[..at].iter().any(|earlier| fee_type(earlier) == fee_type(account)) {
            problems.push(Problem::new(format!("bankAccounts[{at}].feeType"), Fault::Duplicate));
        }
    }
}

fn check_services(services: Option<&[Option<ServiceType>]>, permitted: &[ServiceType], problems: &mut Vec<Problem>) {
    let Some(services) = services else { return };
    if services.is_empty() {
        problems.push(Problem::new("serviceTypes", Fault::Empty));
    }
    for (at, service) in services.iter().enumerate() {
        let field = || format!("serviceTypes[{at}].accountServiceType");
        let Some(known) = service else { continue };
        if services[..at].contains(service) {
            problems.push(Problem::new(field(), Fault::Duplicate));
        } else if !permitted.contains(known) {
            problems.push(Problem::new(field(), Fault::NotPermitted));
        }
    }
}

/// Gives every service a new code that no client has (rule: clients/activation-codes).
pub(crate) fn coded(world: &mut World, services: &[ServiceType]) -> Vec<ServiceCode> {
    let mut given: Vec<ServiceCode> = Vec::new();
    for &service_type in services {
        let code = loop {
            let code = world.id_sources.code();
            let taken = |codes: &[ServiceCode]| codes.iter().any(|known| known.code == code);
            if !taken(&given) && !world.clients.values().any(|client| taken(&client.service_types)) {
                break code;
            }
        };
        given.push(ServiceCode { service_type, code });
    }
    given
}

/// Services that stay keep their code, new ones get one.
fn recoded(world: &mut World, client: &Client, services: &[ServiceType]) -> Vec<ServiceCode> {
    let known = |service: ServiceType| client.service_types.iter().find(|code| code.service_type == service);
    services
        .iter()
        .flat_map(|&service| match known(service) {
            Some(code) => vec![code.clone()],
            None => coded(world, &[service]),
        })
        .collect()
}
