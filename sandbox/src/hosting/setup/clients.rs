//! Partners, their clients and the accounts that are open from the start.

use crate::wire::fields::{self, Fields, Spot, Unknown};
use crate::wire::json::Node;
use crate::wire::shape::{Shape as _, by, each, integer, line, of, shape};
use crate::wire::words::{Word, choices};
use sim::identity::InstrumentId;
use sim::records::{ClientFees, FeeTerms, Permissions, Universe};
use sim::setup::{ClientSetup, PartnerSetup};
use std::sync::Arc;

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
        name = required "name" as line();
        clients = required "clients" as each(by(|spot| spot.object(client)));
    }
}

fn client(client: &mut Fields<'_, '_>) -> Option<ClientSetup> {
    let id = client.optional("id", of());
    let name = client.required("name", line());
    let display_name = client.optional("displayName", line());
    let crn = client.required("crn", of());
    let country = client.or("country", Arc::from("SE"), by(fields::country));
    let bank_accounts = client.or("bankAccounts", Vec::new(), of());
    let service_types = client.or("serviceTypes", all(), of());
    let permissions = client.or("permissions", everything(), of());
    let partner_fee = client.or("partnerFee", FeeTerms::default(), of());
    let client_fee = client.or("clientFee", FeeTerms::default(), of());
    let needs_signature = client.or("withdrawalNeedsSignature", false, of());
    let universe = client.optional("universe", of::<Vec<InstrumentId>>());
    let accounts = client.or("accounts", Vec::new(), of());
    let name = name?;
    Some(ClientSetup {
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
        account_types = or(all()) "accountTypes";
        service_types = or(all()) "accountServiceTypes";
        categories = or(all()) "accountCategories";
        owner_types = or(all()) "ownerTypes";
        journey_types = or(JOURNEY_TYPES.iter().copied().map(Arc::from).collect()) "journeyTypes" as each(by(journey_type));
        transfers = or(true) "transfers";
        autogiro = or(true) "autogiro";
        mobile_payment = or(true) "mobilePayment";
        withdrawals = or(true) "withdrawals";
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
