//! What a world starts from, read from JSON: the demo world that is built in, and setups that people write.
//!
//! A setup may leave out any part; the demo world's replaces it, so that `{}` is the demo world. `fixtures/README.md`
//! documents the shape. Invariant: every problem is listed by path, all at once, and an unknown field is
//! wrong too, because here it is a typing mistake. Absent on purpose: what only a whole world can check (an unknown fund in
//! a universe, a date without dealing days), which is `sim::setup::Setup::check`.

mod surface;

pub use surface::SurfaceSetup;

use crate::credentials::Named;
use crate::secrets::Secret;
use serde_json::{Map, Value as Json, json};
use sim::identity::InstrumentId;
use sim::input::RulesVersion;
use sim::records::{Instrument, Universe};
use sim::settings::Settings;
use sim::setup::{Custodian, HistorySetup, PartnerSetup, RateSetup, Setup};
use std::sync::{Arc, LazyLock};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use wire::error::ApiError;
use wire::json::Node;
use wire::rows::fields::{self, Cursor, Unknown};
use wire::rows::shape::{Schemas, Shape as _, close, describe, described, line, object, plain, shape};
use wire::setup::clients::{self, PartnerFile};
use wire::setup::settings::{self, over, shown};

const PARTNERS: &str = include_str!("../../../../fixtures/demo.json");
const INSTRUMENTS: &str = include_str!("../../../../fixtures/instruments.json");
const MARKET: &str = include_str!("../../../../fixtures/market.json");
const HISTORY: &str = include_str!("../../../../fixtures/history.json");

shape! {
    /// Setup of a world. Absent fields are as in the demo world.
    struct SetupFile {
        /// Display name of the world. Default: `demo`.
        name: Option<Arc<str>> = optional "name" as line();
        /// Users of the API. Default: those of the demo world.
        partners: Option<Vec<PartnerFile>> = optional "partners" as described(clients::partners, clients::partners_schema);
        /// Funds. Default: those of the demo world.
        instruments: Option<Vec<Instrument>> = optional "instruments";
        /// First exchange rates. Default: those of the demo world.
        rates: Option<Vec<RateSetup>> = optional "rates";
        /// Institutions that holdings can be transferred from. Default: those of the demo world.
        custodians: Option<Vec<Custodian>> = optional "custodians";
        /// More accounts beside those of the clients, with a history of orders and payments drawn from the seed. Default: none.
        history: Option<HistorySetup> = optional "history" as object::<HistorySetup>();
        /// Settings of the world and of its API. Each has a default.
        settings: Option<(Settings, SurfaceSetup)> = optional "settings" as described(settings_of_both, settings_schema);
    }
}

/// What a world starts from: its own part, and that of the surface before it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSetup {
    /// The world's own part.
    pub world: Setup,
    /// What the surface starts with.
    pub surface: SurfaceSetup,
    /// What it names of its partners' credentials, in the order of the partners.
    pub credentials: Vec<Named>,
}

impl Default for WorldSetup {
    /// The demo world.
    fn default() -> Self {
        Self { world: demo(), surface: SurfaceSetup::default(), credentials: Vec::new() }
    }
}

/// The settings of a world and of its surface, which are in one object.
fn settings_of_both(cursor: Cursor<'_, '_>) -> Option<(Settings, SurfaceSetup)> {
    cursor.object(|given| {
        let world = over(given, Settings::ROWS, &Settings::default());
        let surface = SurfaceSetup::default().over(given);
        Some((world?, surface?))
    })
}

fn settings_schema(known: &mut Schemas) -> RefOr<Schema> {
    let world = settings::properties(Settings::ROWS, known).into_iter();
    let properties = world.chain(SurfaceSetup::properties(known));
    properties.fold(plain(Type::Object), |object, (name, schema)| object.property(name, schema)).into()
}

/// The JSON Schema of a setup (draft 2020-12), made from the rows that read it.
#[must_use]
pub fn document() -> Json {
    let mut known = Schemas::new();
    describe::<SetupFile>(&mut known);
    let defs: Map<String, Json> = known.into_iter().map(|(name, schema)| (name, definition(schema))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/$defs/{}", SetupFile::NAME),
        "title": "A setup of a world",
        "$defs": defs,
    })
}

/// A schema as it is in the document: unknown fields are refused, as by the reader.
fn definition(schema: RefOr<Schema>) -> Json {
    let text = serde_json::to_string(&schema).unwrap_or_default();
    let mut schema: Json = serde_json::from_str(&text.replace("#/components/schemas/", "#/$defs/")).unwrap_or_default();
    close(&mut schema);
    schema
}

/// The demo world as a setup that says everything: what people begin their own with.
///
/// # Panics
/// When a built-in file is wrong, which a test excludes.
#[must_use]
pub fn demo_document() -> Json {
    let file = |text: &str| serde_json::from_str::<Map<String, Json>>(text).expect("built-in files are JSON objects");
    let mut whole: Map<String, Json> = [PARTNERS, INSTRUMENTS, MARKET].into_iter().flat_map(file).collect();
    let mut settings = shown(Settings::ROWS, &Settings::default());
    settings.extend(SurfaceSetup::default().shown());
    whole.insert("settings".to_owned(), settings.into());
    whole.into()
}

/// The built-in setup of 1,000 accounts with a past.
///
/// # Panics
/// When the built-in file is wrong, which a test excludes.
#[must_use]
pub fn history_document() -> Json {
    serde_json::from_str(HISTORY).expect("the built-in file is JSON")
}

/// The demo world.
///
/// # Panics
/// When a built-in file is wrong, which a test excludes.
#[must_use]
pub fn demo() -> Setup {
    static DEMO: LazyLock<Setup> = LazyLock::new(|| {
        let parts = |text: &str| {
            let tree = Node::parse(text.as_bytes()).expect("built-in files are JSON");
            fields::read(&tree, Unknown::Refused, SetupFile::rows).expect("built-in files are right")
        };
        let (partners, instruments, market) = (parts(PARTNERS), parts(INSTRUMENTS), parts(MARKET));
        Setup {
            name: partners.name.expect("demo.json has a name"),
            partners: split(partners.partners.expect("demo.json has partners")).0,
            instruments: instruments.instruments.expect("instruments.json has instruments"),
            rates: market.rates.expect("market.json has rates"),
            custodians: market.custodians.expect("market.json has custodians"),
            history: None,
            settings: Settings::default(),
            rules: RulesVersion::CURRENT,
        }
    });
    DEMO.clone()
}

/// Reads a setup from a value, such as the `setup` of a request.
///
/// # Errors
/// 400 with all problems, by path.
pub fn parse(value: &serde_json::Value) -> Result<WorldSetup, ApiError> {
    read(&Node::of(value))
}

/// Reads a setup from the text of a file.
///
/// # Errors
/// 400 with all problems, by path; or what is wrong with the text as JSON.
pub fn parse_text(text: &[u8]) -> Result<WorldSetup, ApiError> {
    let tree = Node::parse(text).map_err(|fault| ApiError::invalid_request(format!("setup {fault}")))?;
    read(&tree)
}

fn read(tree: &Node<'_>) -> Result<WorldSetup, ApiError> {
    fields::read(tree, Unknown::Refused, SetupFile::rows).map(over_demo)
}

/// Reads a setup within a request.
#[must_use]
pub fn within(cursor: Cursor<'_, '_>) -> Option<WorldSetup> {
    cursor.object(SetupFile::rows).map(over_demo)
}

/// The schema of a setup within a request.
pub fn schema_within(known: &mut Schemas) -> RefOr<Schema> {
    describe::<SetupFile>(known)
}

fn over_demo(parts: SetupFile) -> WorldSetup {
    let SetupFile { name, partners, instruments, rates, custodians, history, settings } = parts;
    let (settings, surface) = settings.unwrap_or_default();
    let demo = demo();
    let (partners, credentials) = partners.map(split).unzip();
    let instruments = instruments.unwrap_or(demo.instruments);
    let world = Setup {
        name: name.unwrap_or(demo.name),
        partners: partners.unwrap_or_else(|| holding_only(demo.partners, &instruments)),
        instruments,
        rates: rates.unwrap_or(demo.rates),
        custodians: custodians.unwrap_or(demo.custodians),
        history,
        settings,
        rules: demo.rules,
    };
    // Partners of whom nothing is named are as those that nobody listed.
    let credentials = credentials.filter(|named: &Vec<Named>| named.iter().any(|named| *named != Named::default()));
    WorldSetup { world, surface, credentials: credentials.unwrap_or_default() }
}

/// A setup as it was written, without the credentials that it names.
#[must_use]
pub fn without_credentials(mut written: Json) -> Json {
    let partners = written.get_mut("partners").and_then(Json::as_array_mut);
    for partner in partners.into_iter().flatten().filter_map(Json::as_object_mut) {
        for field in clients::CREDENTIALS {
            partner.shift_remove(field);
        }
    }
    written
}

/// The partners of the world, and what they show at the token endpoint.
fn split(partners: Vec<PartnerFile>) -> (Vec<PartnerSetup>, Vec<Named>) {
    let parts = |partner: PartnerFile| {
        let PartnerFile { name, clients, client_id, client_secret } = partner;
        (PartnerSetup { name, clients }, Named { client_id, secret: client_secret.map(Secret::new) })
    };
    partners.into_iter().map(parts).unzip()
}

/// The same partners, who offer and hold nothing but `instruments`; who would offer none of them offers all.
fn holding_only(mut partners: Vec<PartnerSetup>, instruments: &[Instrument]) -> Vec<PartnerSetup> {
    let is_there = |id: InstrumentId| instruments.iter().any(|fund| fund.id == id);
    for client in partners.iter_mut().flat_map(|partner| &mut partner.clients) {
        if let Universe::Only(offered) = &mut client.universe {
            offered.retain(|id| is_there(*id));
            if offered.is_empty() {
                client.universe = Universe::All;
            }
        }
        for account in &mut client.accounts {
            account.positions.retain(|(held, _)| is_there(*held));
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partners_may::WorldAct;
    use feed::transport::SurfaceSettings;
    use sim::World;
    use sim::records::{DealingDays, Owner};
    use sim::rng::Seed;
    use sim::time::Instant;
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn start() -> Instant {
        Instant::parse("2026-03-02T07:00:00Z").expect("an instant")
    }

    /// (rule: auth/demo-partners)
    #[test]
    fn the_demo_world_opens_with_two_partners_three_clients_and_funds_of_every_kind() {
        let demo = demo();
        let clients: Vec<usize> = demo.partners.iter().map(|partner| partner.clients.len()).collect();
        assert_eq!(clients, [2, 1]);
        assert!(demo.instruments.len() >= 25);
        let any = |kind: &str, found: bool| assert!(found, "no fund {kind}");
        let funds = &demo.instruments;
        any("with T+1", funds.iter().any(|fund| fund.subscription_settlement_days == 1));
        any("priced late", funds.iter().any(|fund| fund.nav_lag_days == 1));
        any("complex", funds.iter().any(|fund| fund.is_complex));
        any("for professionals", funds.iter().any(|fund| fund.is_raif));
        any("weekly", funds.iter().any(|fund| matches!(fund.dealing, DealingDays::Weekly(_))));
        any("monthly", funds.iter().any(|fund| matches!(fund.dealing, DealingDays::Monthly(_))));
        any("with a foreign calendar", funds.iter().any(|fund| !fund.calendars.is_empty()));
        any("closed for buying", funds.iter().any(|fund| !fund.is_buyable && fund.is_sellable));
        any("closed for selling", funds.iter().any(|fund| fund.is_buyable && !fund.is_sellable));
        any("suspended", funds.iter().any(|fund| !fund.is_tradable));
        any("with a higher first minimum", funds.iter().any(|fund| fund.min_initial > Some(fund.min_investment)));
        let decimals: BTreeSet<u32> = funds.iter().map(|fund| fund.decimals_units).collect();
        assert!(decimals.contains(&0) && decimals.contains(&7), "{decimals:?}");
        let currencies: BTreeSet<String> = funds.iter().map(|fund| fund.id.currency().to_string()).collect();
        assert_eq!(currencies.into_iter().collect::<Vec<_>>(), ["EUR", "SEK", "USD"]);
        for seed in 0..5 {
            World::new(&demo, Seed(seed), start()).expect("a world");
        }
    }

    #[test]
    fn every_number_in_the_demo_world_passes_its_check_and_is_fictive() {
        let demo = demo();
        for fund in &demo.instruments {
            // An instrument id cannot be read with a wrong check digit; what is left to see is that it is made up.
            assert_eq!(InstrumentId::parse(fund.id.as_str()), Ok(fund.id));
            assert_eq!(&fund.id.as_str()[2..6], "0SBX", "{}", fund.id);
            for document in &fund.kiid {
                assert!(document.url.starts_with("https://funds.example/"), "{}", document.url);
            }
        }
        for client in demo.partners.iter().flat_map(|partner| &partner.clients) {
            assert!(client.crn.luhn_ok() && client.crn.third_digit_ok(), "{}", client.crn);
            for iban in client.bank_accounts.iter().map(|account| account.iban) {
                assert!(iban.domestic().is_some() && iban.bank().is_some(), "{iban}");
            }
            for account in &client.accounts {
                for bank_account in &account.bank_accounts {
                    assert!(bank_account.iban.domestic().is_some(), "{}", bank_account.iban);
                }
                if let Some(Owner::LegalEntity(entity)) = &account.owner {
                    assert!(entity.crn.luhn_ok() && entity.crn.third_digit_ok(), "{}", entity.crn);
                }
            }
        }
    }

    #[test]
    fn an_empty_setup_is_the_demo_world_and_a_part_replaces_only_its_part() {
        assert_eq!(parse(&serde_json::json!({})).expect("a setup"), WorldSetup::default());
        let named = parse_text(
            br#"{"name":"mine","settings":{"holdAbove":10.5,"strictBodies":true,"deliveryWaitsSeconds":[5],"allowlist":["192.0.2.0/24"],"partnersMay":["advance"]}}"#,
        );
        let WorldSetup { world: named, surface, .. } = named.expect("a setup");
        let settings = SurfaceSettings { strict_bodies: true, ..SurfaceSettings::default() };
        let allowlist = vec!["192.0.2.0/24".parse().expect("a network")];
        let partners_may = [WorldAct::Advance].into_iter().collect();
        assert_eq!(surface, SurfaceSetup { settings, waits: vec![Duration::from_secs(5)], allowlist, partners_may });
        assert_eq!((named.name.as_ref(), named.settings.hold_above.to_string()), ("mine", "10.50".to_owned()));
        assert_eq!(named.instruments, demo().instruments);
    }

    #[test]
    fn funds_of_ones_own_leave_the_demo_clients_with_what_they_can_still_hold() {
        let funds = serde_json::json!([{ "id": "SE0SBX000016SEK", "name": "Provfonden", "firstPrice": 100 }]);
        let mine = parse(&serde_json::json!({ "instruments": funds })).expect("a setup").world;
        World::new(&mine, Seed(1), start()).expect("a world");
        let clients = mine.partners.iter().flat_map(|partner| &partner.clients);
        let held: Vec<_> = clients.flat_map(|client| &client.accounts).flat_map(|account| &account.positions).collect();
        assert!(!held.is_empty() && held.iter().all(|(held, _)| held.as_str() == "SE0SBX000016SEK"), "{held:?}");
    }

    fn partners_with(credentials: &[serde_json::Value]) -> serde_json::Value {
        let partner = |credentials: &serde_json::Value| {
            let mut partner = serde_json::json!({ "name": "A", "clients": [{ "name": "C", "crn": "5599900007" }] });
            let fields = credentials.as_object().expect("an object").clone();
            partner.as_object_mut().expect("an object").extend(fields);
            partner
        };
        serde_json::json!({ "partners": credentials.iter().map(partner).collect::<Vec<_>>() })
    }

    /// (rule: auth/named-credentials)
    #[test]
    fn a_partner_may_name_its_credentials_which_are_no_part_of_the_world() {
        const ID: &str = "3f0e0c5e-7a3c-4d0b-9c68-7d9a4f5f2b10";
        const SECRET: &str = "a-secret_of-my-own-0";
        let named = partners_with(&[json!({ "clientId": ID, "clientSecret": SECRET }), json!({})]);
        let named = parse(&named).expect("a setup");
        let plain = parse(&partners_with(&[json!({}), json!({})])).expect("a setup");
        assert_eq!(named.world, plain.world);
        let secret = named.credentials[0].secret.as_ref().map(Secret::reveal);
        assert_eq!(
            (named.credentials[0].client_id.map(|id| id.to_string()).as_deref(), secret),
            (Some(ID), Some(SECRET))
        );
        assert_eq!(named.credentials[1], Named::default());
        for (credentials, why) in [
            (vec![json!({ "clientId": "my-application" })], "partners[0].clientId must be a UUID"),
            (vec![json!({ "clientId": ID.replace('-', "") })], "partners[0].clientId must be a UUID"),
            (vec![json!({ "clientSecret": "short" })], "partners[0].clientSecret must be 16 to 128 letters"),
            (vec![json!({ "clientSecret": "x".repeat(129) })], "partners[0].clientSecret must be 16 to 128 letters"),
            (
                vec![json!({ "clientSecret": "with spaces and more" })],
                "partners[0].clientSecret must be 16 to 128 letters",
            ),
            (
                vec![json!({ "clientSecret": 1234567890123456_u64 })],
                "partners[0].clientSecret must be 16 to 128 letters",
            ),
            (
                vec![json!({ "clientId": ID }), json!({ "clientId": ID.to_uppercase() })],
                "partners must not have the clientId 3f0e0c5e-7a3c-4d0b-9c68-7d9a4f5f2b10 twice",
            ),
        ] {
            let refused = parse(&partners_with(&credentials)).expect_err(why).description;
            assert!(refused.contains(why), "{refused}");
            assert!(!refused.contains("with spaces"), "a refused secret is not repeated: {refused}");
        }
    }

    #[test]
    fn all_problems_of_a_setup_are_listed_by_path() {
        for (text, problems) in [
            (r#"[]"#, "body must be an object, not an array"),
            (r#"{"nam":"x"}"#, "nam is not a known field"),
            (r#"{"partners":[{"name":"A"}]}"#, "partners[0].clients is required"),
            (
                r#"{"partners":[{"name":"A","clients":[{"name":"","crn":"55","accounts":[{"accountType":"isa","cash":"1"}]}]}]}"#,
                "partners[0].clients[0].name must not be empty; \
                 partners[0].clients[0].crn must be a company registration number of ten digits; \
                 partners[0].clients[0].accounts[0].accountType must be one of `isk`, `depot` or `insurance`; \
                 partners[0].clients[0].accounts[0].cash must be a number, not a string",
            ),
            (
                r#"{"instruments":[{"id":"SE0SBX000017SEK","name":"F","firstPrice":1.1234567,"dealing":{},"cutOffTime":"9:00"}]}"#,
                "instruments[0].id must be an ISIN with its check digit, followed by a currency code; \
                 instruments[0].firstPrice must have at most 6 decimals; \
                 instruments[0].cutOffTime must be a local time in the form HH:MM; \
                 instruments[0].dealing must have either `weekly` or `monthly`",
            ),
            (
                r#"{"settings":{"holdBankDays":0,"kycYears":1.5},"rates":[{"currency":"eur","rate":true}]}"#,
                "rates[0].currency must be a currency code of three upper-case letters; \
                 rates[0].rate must be a number, not a boolean; \
                 settings.holdBankDays must lie between 1 and 250; settings.kycYears must be a whole number",
            ),
            ("{", "setup must be JSON: EOF while parsing an object at line 1 column 1"),
        ] {
            let error = parse_text(text.as_bytes()).expect_err(text);
            assert_eq!((error.status.as_u16(), error.description.as_str()), (400, problems), "{text}");
        }
    }
}
