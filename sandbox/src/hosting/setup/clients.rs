//! Partners, their clients and the accounts that are open from the start.

use crate::wire::fields::{self, Fields, Spot};
use crate::wire::opening;
use crate::wire::shape::by;
use crate::wire::words::{Word, word};
use sim::records::{AccountType, Category, ClientBankAccount, OwnerType, Permissions, ServiceType, Universe};
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

pub(super) fn partner(spot: Spot<'_, '_>) -> Option<PartnerSetup> {
    spot.object(|partner| {
        let name = partner.required("name", by(fields::text));
        let clients = partner.required("clients", by(|spot| spot.list(|spot| spot.object(client))));
        Some(PartnerSetup { name: name?, clients: clients? })
    })
}

fn client(client: &mut Fields<'_, '_>) -> Option<ClientSetup> {
    let id = client.optional("id", by(fields::id));
    let name = client.required("name", by(fields::text));
    let display_name = client.optional("displayName", by(fields::text));
    let crn = client.required("crn", by(fields::organisation_number));
    let country = client.or("country", Arc::from("SE"), by(fields::country));
    let bank_accounts = client.or("bankAccounts", Vec::new(), by(|spot| spot.list(|spot| spot.object(bank_account))));
    let service_types = client.or("serviceTypes", all(), by(|spot| spot.list(word)));
    let permissions = client.or("permissions", everything(), by(|spot| spot.object(permissions)));
    let needs_signature = client.or("withdrawalNeedsSignature", false, by(fields::flag));
    let universe = client.optional("universe", by(|spot| spot.list(fields::instrument)));
    let accounts = client.or("accounts", Vec::new(), by(|spot| spot.list(|spot| spot.object(opening::account))));
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
        universe: universe?.map_or(Universe::All, |ids| Universe::Only(ids.into_iter().collect())),
        accounts: accounts?,
    })
}

fn bank_account(bank_account: &mut Fields<'_, '_>) -> Option<ClientBankAccount> {
    let fee_type = bank_account.required("feeType", by(word));
    let iban = bank_account.required("iban", by(fields::iban));
    Some(ClientBankAccount { fee_type: fee_type?, iban: iban? })
}

/// Every value of a vocabulary.
fn all<W: Word>() -> Vec<W> {
    W::WORDS.iter().map(|row| row.1).collect()
}

/// What a client may do when nothing is said: everything.
fn everything() -> Permissions {
    Permissions {
        account_types: all::<AccountType>(),
        service_types: all::<ServiceType>(),
        categories: all::<Category>(),
        owner_types: all::<OwnerType>(),
        journey_types: JOURNEY_TYPES.iter().copied().map(Arc::from).collect(),
        transfers: true,
        autogiro: true,
        mobile_payment: true,
        withdrawals: true,
        partner_fee: true,
    }
}

fn permissions(given: &mut Fields<'_, '_>) -> Option<Permissions> {
    let all = everything();
    let account_types = given.or("accountTypes", all.account_types, by(|spot| spot.list(word)));
    let service_types = given.or("accountServiceTypes", all.service_types, by(|spot| spot.list(word)));
    let categories = given.or("accountCategories", all.categories, by(|spot| spot.list(word)));
    let owner_types = given.or("ownerTypes", all.owner_types, by(|spot| spot.list(word)));
    let journey_types = given.or("journeyTypes", all.journey_types, by(|spot| spot.list(journey_type)));
    let transfers = given.or("transfers", true, by(fields::flag));
    let autogiro = given.or("autogiro", true, by(fields::flag));
    let mobile_payment = given.or("mobilePayment", true, by(fields::flag));
    let withdrawals = given.or("withdrawals", true, by(fields::flag));
    let partner_fee = given.or("partnerFee", true, by(fields::flag));
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

fn journey_type(spot: Spot<'_, '_>) -> Option<Arc<str>> {
    let known = |text: &str| JOURNEY_TYPES.contains(&text).then(|| Arc::from(text));
    spot.text_as(format_args!("one of {}", crate::wire::words::choices(JOURNEY_TYPES.iter().copied())), known)
}
