//! Partners, their clients and the accounts that are open from the start.

use crate::wire::fields::{self, Fields, Row, Spot, Unknown};
use crate::wire::json::Node;
use crate::wire::opening::country;
use crate::wire::shape::{Schemas, Shape, described, each, integer, line, object, of, plain, shape};
use crate::wire::words::{Word, choices};
use sim::identity::InstrumentId;
use sim::records::{ClientFees, FeeTerms, Permissions, Universe};
use sim::setup::{ClientSetup, PartnerSetup};
use std::sync::Arc;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};

/// Every journey that a client can be allowed to start (rule: journeys/journey-types).
pub(crate) const JOURNEY_TYPES: &[&str] = &[
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
    whole PartnerSetup as PartnerSetup {
        /// Its name.
        name = required "name" as line();
        /// The companies that it speaks for.
        clients = required "clients" as each(object::<ClientSetup>());
    }
}

impl Shape for ClientSetup {
    type Value = Self;
    const NAME: &'static str = "ClientSetup";
    const ABOUT: &'static str = "A company that holds power of attorney for its customers.";

    fn rows(client: &mut Fields<'_, '_>) -> Option<Self> {
        let row = |name, about| Row { name, about };
        let id = client.optional(row("id", "Its id; left out, drawn from the seed."), of());
        let name = client.required(row("name", "Its registered name."), line());
        let display_name = client.optional(row("displayName", "What customers read; left out, the name."), line());
        let crn = client.required(row("crn", "Its organisation number, ten digits."), of());
        let country = client.or(row("country", "Where it is registered; left out, `SE`."), Arc::from("SE"), country());
        let bank_accounts = client.or(row("bankAccounts", "Where its fees are paid to."), Vec::new(), of());
        let service_types = client.or(row("serviceTypes", "What it does for accounts; left out, all."), all(), of());
        let permissions = client.or(row("permissions", "What it may do; left out, everything."), everything(), of());
        let partner_fee =
            client.or(row("partnerFee", "What its partner takes; left out, nothing."), FeeTerms::default(), of());
        let client_fee =
            client.or(row("clientFee", "What it takes itself; left out, nothing."), FeeTerms::default(), of());
        let needs_signature = client.or(
            row(
                "withdrawalNeedsSignature",
                "Whether its partner may only instruct withdrawals that the customer has signed.",
            ),
            false,
            of(),
        );
        let universe = row("universe", "The funds it offers; left out, all.");
        let universe = client.optional(universe, of::<Vec<InstrumentId>>());
        let accounts = client.or(row("accounts", "Accounts that are open from the start."), Vec::new(), of());
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

shape! {
    /// A fee that a client takes besides the platform's.
    whole FeeTerms as FeeTermsSetup {
        /// Of the value, a year.
        basis_points = required "basisPoints" as integer(0..=FeeTerms::MOST);
        /// What becomes of it on the day of fees.
        mode = required "mode";
    }
}

shape! {
    /// What a client may do; what nothing is said about it may.
    whole Permissions as PermissionsSetup {
        /// Kinds of account.
        account_types = or(all()) "accountTypes";
        /// What is done for them.
        service_types = or(all()) "accountServiceTypes";
        /// How well owners are protected.
        categories = or(all()) "accountCategories";
        /// Who may own one.
        owner_types = or(all()) "ownerTypes";
        /// Journeys that may be started.
        journey_types = or(JOURNEY_TYPES.iter().copied().map(Arc::from).collect()) "journeyTypes" as each(described(journey_type, journey_types));
        /// Whether holdings may be moved here.
        transfers = or(true) "transfers";
        /// Whether money may be collected by mandate.
        autogiro = or(true) "autogiro";
        /// Whether money may be paid by phone.
        mobile_payment = or(true) "mobilePayment";
        /// Whether money may be taken out.
        withdrawals = or(true) "withdrawals";
        /// Whether its partner may take a fee.
        partner_fee = or(true) "partnerFee";
    }
}

fn everything() -> Permissions {
    fields::read(&Node::Object(Vec::new()), Unknown::Refused, Permissions::rows).expect("every row has a default")
}

fn journey_type(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    let known = |text: &str| JOURNEY_TYPES.contains(&text).then(|| Arc::from(text));
    spot.text_as(format_args!("one of {}", choices(JOURNEY_TYPES.iter().copied())), known)
}

fn journey_types(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).enum_values(Some(JOURNEY_TYPES.iter().copied())).into()
}
