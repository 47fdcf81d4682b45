//! Partners with their credentials, their clients and the accounts that are open from the start.

use crate::accounts::opening::country;
use crate::rows::fields::{Cursor, FieldRow, Fields};
use crate::rows::shape::{Readable, Schemas, Shape, describe, described, each, line, object, of, plain, shape};
use crate::values::text::Id;
use crate::words::{Word, choices};
use sim::identity::InstrumentId;
use sim::records::{ClientFees, FeeTerms, Permissions, Universe};
use sim::setup::ClientSetup;
use std::ops::RangeInclusive;
use std::sync::Arc;
use utoipa::PartialSchema as _;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

/// Every journey that a client can be allowed to start (rule: journeys/journey-types).
pub const JOURNEY_TYPES: &[&str] = &[
    "createAccount",
    "createLegalEntityAccount",
    "addBankAccount",
    "signWithdrawal",
    "updateAllocationPlan",
    "updateSavingsPlan",
    "signSubmission",
    "kycRenewal",
];

shape! {
    /// A partner with its clients.
    whole PartnerFile as PartnerSetup {
        /// Its name.
        name = required "name" as line();
        /// Its clients.
        clients = required "clients" as each(object::<ClientSetup>());
        /// Client id for token requests: a UUID that no other partner of the server has. Default: derived from the server's key.
        client_id = optional "clientId" as described(client_id, client_id_schema);
        /// Client secret, never shown in responses of the world. Default: derived from the server's key.
        client_secret = optional "clientSecret" as described(client_secret, client_secret_schema);
    }
}

/// Fields of a partner that are no part of the world.
pub const CREDENTIALS: [&str; 2] = ["clientId", "clientSecret"];

/// A partner of a setup: its part in the world, and what it shows at the token endpoint (rule: auth/named-credentials).
pub struct PartnerFile {
    /// Its name.
    pub name: Arc<str>,
    /// Its clients.
    pub clients: Vec<ClientSetup>,
    /// The public half of its credentials, where the setup names it.
    pub client_id: Option<Uuid>,
    /// The secret half, likewise.
    pub client_secret: Option<String>,
}

/// Partners, none of which has the client id of another.
pub fn partners(cursor: Cursor<'_, '_>) -> Option<Vec<PartnerFile>> {
    let partners = Vec::<PartnerFile>::read(cursor)?;
    for (at, partner) in partners.iter().enumerate() {
        let Some(id) = partner.client_id else { continue };
        if partners[..at].iter().any(|earlier| earlier.client_id == Some(id)) {
            return cursor.wrong(format_args!("must not have the clientId {id} twice"));
        }
    }
    Some(partners)
}

/// The schema of partners.
pub fn partners_schema(known: &mut Schemas) -> RefOr<Schema> {
    Vec::<PartnerFile>::schema(known)
}

/// Lengths that a named secret may have.
const SECRET: RangeInclusive<usize> = 16..=128;

fn client_id(cursor: Cursor<'_, '_>) -> Option<Uuid> {
    cursor.text_as("a UUID", |text| if text.len() == 36 { Uuid::try_parse(text).ok() } else { None })
}

fn client_id_schema(_: &mut Schemas) -> RefOr<Schema> {
    Id::schema()
}

/// Letters that need no escape in a form, in a URL and in a shell.
fn client_secret(cursor: Cursor<'_, '_>) -> Option<String> {
    let is_fit = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_');
    let what = format!("{} to {} letters, digits, `-` or `_`", SECRET.start(), SECRET.end());
    cursor.text_as(what, |text| (SECRET.contains(&text.len()) && text.bytes().all(is_fit)).then(|| text.to_owned()))
}

fn client_secret_schema(_: &mut Schemas) -> RefOr<Schema> {
    let text = plain(Type::String).min_length(Some(*SECRET.start())).max_length(Some(*SECRET.end()));
    text.pattern(Some("^[A-Za-z0-9_-]*$")).into()
}

impl Shape for ClientSetup {
    type Value = Self;
    const NAME: &'static str = "ClientSetup";
    const ABOUT: &'static str = "A company that holds power of attorney for its customers.";

    fn rows(client: &mut Fields<'_, '_>) -> Option<Self> {
        let row = |name, about| FieldRow { name, about };
        let id = client.optional(row("id", "Its id. Default: drawn from the seed."), of());
        let name = client.required(row("name", "Its registered name."), line());
        let display_name = client.optional(row("displayName", "Name shown to customers. Default: the name."), line());
        let crn = client.required(row("crn", "Its organisation number, ten digits."), of());
        let country = client.or(row("country", "Where it is registered. Default: `SE`."), Arc::from("SE"), country());
        let bank_accounts = client.or(row("bankAccounts", "Bank accounts that receive its fees."), Vec::new(), of());
        let service_types =
            client.or(row("serviceTypes", "Services that it offers for accounts. Default: all."), all(), of());
        let permissions = client.or(row("permissions", "Permissions. Default: all."), everything(), of());
        let partner_fee = client.or(row("partnerFee", "Fee of its partner. Default: none."), FeeTerms::default(), of());
        let client_fee = client.or(row("clientFee", "Its own fee. Default: none."), FeeTerms::default(), of());
        let needs_signature = client.or(
            row(
                "withdrawalNeedsSignature",
                "Whether its partner may only instruct withdrawals that the customer has signed.",
            ),
            false,
            of(),
        );
        let universe = row("universe", "The funds it offers. Default: all.");
        let universe = client.optional(universe, of::<Vec<InstrumentId>>());
        let accounts = client.or(row("accounts", "Accounts that exist at the start."), Vec::new(), of());
        let name = name?;
        Some(Self {
            id: id?,
            display_name: display_name?.unwrap_or_else(|| Arc::clone(&name)),
            name,
            crn: crn?,
            country: country?,
            bank_accounts: bank_accounts?,
            service_types: service_types?,
            permissions: permissions?,
            withdrawal_needs_signature: needs_signature?,
            fees: ClientFees { partner: partner_fee?, client: client_fee? },
            universe: universe?.map_or(Universe::All, |ids| Universe::Only(ids.into_iter().collect())),
            accounts: accounts?,
        })
    }
}

/// Every value of a vocabulary.
fn all<W: Word>() -> Vec<W> {
    W::WORDS.iter().map(|row| row.1).collect()
}

impl Shape for Permissions {
    type Value = Self;
    const NAME: &'static str = "PermissionsSetup";
    const ABOUT: &'static str = "Permissions of a client. Default of each: all.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Self> {
        permissions_over(fields, &everything())
    }
}

impl Readable for Permissions {
    fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
        cursor.object(Self::rows)
    }

    fn schema(known: &mut Schemas) -> RefOr<Schema> {
        describe::<Self>(known)
    }
}

/// Reads permissions; what is left out is as in `base`.
pub fn permissions_over(fields: &mut Fields<'_, '_>, base: &Permissions) -> Option<Permissions> {
    let row = |name, about| FieldRow { name, about };
    let kinds = row("accountTypes", "Account types.");
    let account_types = fields.or(kinds, base.account_types.clone(), of());
    let services = row("accountServiceTypes", "Service types of accounts.");
    let service_types = fields.or(services, base.service_types.clone(), of());
    let categories = row("accountCategories", "Investor protection categories.");
    let categories = fields.or(categories, base.categories.clone(), of());
    let owner_types = fields.or(row("ownerTypes", "Types of owners."), base.owner_types.clone(), of());
    let journeys = row("journeyTypes", "Journey types that it may start.");
    let journey_type = each(described(journey_type, journey_types));
    let journey_types = fields.or(journeys, base.journey_types.clone(), journey_type);
    let mut flag = |name, about, base| fields.or(row(name, about), base, of());
    let transfers = flag("transfers", "Whether transfers from custodians are allowed.", base.transfers);
    let autogiro = flag("autogiro", "Whether autogiro mandates and charges are allowed.", base.autogiro);
    let mobile_payment = flag("mobilePayment", "Whether mobile payments are allowed.", base.mobile_payment);
    let withdrawals = flag("withdrawals", "Whether withdrawals are allowed.", base.withdrawals);
    let partner_fee = flag("partnerFee", "Whether its partner may take a fee.", base.partner_fee);
    Some(Permissions {
        account_types: account_types?,
        service_types: service_types?,
        categories: categories?,
        owner_types: owner_types?,
        journey_types: journey_types?,
        transfers: transfers?,
        autogiro: autogiro?,
        mobile_payment: mobile_payment?,
        withdrawals: withdrawals?,
        partner_fee: partner_fee?,
    })
}

/// The permissions of a client for which a setup names none.
pub fn everything() -> Permissions {
    Permissions {
        account_types: all(),
        service_types: all(),
        categories: all(),
        owner_types: all(),
        journey_types: JOURNEY_TYPES.iter().copied().map(Arc::from).collect(),
        transfers: true,
        autogiro: true,
        mobile_payment: true,
        withdrawals: true,
        partner_fee: true,
    }
}

fn journey_type(cursor: Cursor<'_, '_>) -> Option<Arc<str>> {
    let known = |text: &str| JOURNEY_TYPES.contains(&text).then(|| Arc::from(text));
    cursor.text_as(format_args!("one of {}", choices(JOURNEY_TYPES.iter().copied())), known)
}

fn journey_types(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).enum_values(Some(JOURNEY_TYPES.iter().copied())).into()
}
