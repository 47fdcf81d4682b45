//! What an account's owner has signed: the kinds of agreement, and each as a PDF.
//!
//! Absent on purpose: the look of the document, which is `pdf`.

use super::{Answer, json, unknown};
use crate::auth::{Access, Caller, Resource};
use crate::extract::Ids;
use crate::pdf;
use crate::wire::standing::AgreementType;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use sim::ids::{AccountId, ClientId};
use sim::query::{self, AgreementFacts};
use sim::records;

/// `GET /v2/partner/client/{clientId}/account/{accountId}/agreement-types`
pub async fn types(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> Answer {
    let scope = caller.client(client, Resource::Account, Access::Read)?;
    let kinds = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| query::agreement_types(account)))?;
    let kinds = kinds.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&kinds.into_iter().map(AgreementType::of).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}`
pub async fn read(
    caller: Caller,
    Ids((client, account, kind)): Ids<(ClientId, AccountId, records::AgreementType)>,
) -> Answer {
    let scope = caller.client(client, Resource::Account, Access::Read)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|account| query::agreement(world, account, kind))
    })?;
    let facts = found.ok_or_else(|| unknown(&caller, "accountId"))?.ok_or_else(|| unknown(&caller, "agreementTypeKey"))?;
    let name = format!("inline; filename=\"{}-{}.pdf\"", kind.key(), facts.account.reference);
    let headers = [(CONTENT_TYPE, "application/pdf".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, pdf::render(&shown(facts))).into_response())
}

/// The facts as the document wants them.
fn shown(facts: AgreementFacts) -> pdf::AgreementFacts {
    let AgreementFacts { kind, account, client, signatures, bank_accounts } = facts;
    let ibans: Vec<String> = bank_accounts.iter().map(ToString::to_string).collect();
    pdf::AgreementFacts {
        kind: match kind {
            records::AgreementType::Account => pdf::Kind::Account,
            records::AgreementType::PowerOfAttorney => pdf::Kind::PowerOfAttorney,
            records::AgreementType::Insurance => pdf::Kind::Insurance,
            records::AgreementType::Autogiro => pdf::Kind::Autogiro,
        },
        account_ref: account.reference.to_string(),
        account_name: account.name.to_string(),
        account_type: match account.account_type {
            records::AccountType::Isk => "Investeringssparkonto (ISK)",
            records::AccountType::Depot => "Depå",
            records::AccountType::Insurance => "Kapitalförsäkring",
        }
        .to_owned(),
        client: client.to_string(),
        owner: owner(&account.owner),
        bank_account: (!ibans.is_empty()).then(|| ibans.join(", ")),
        signatures: signatures.iter().map(signature).collect(),
    }
}

fn owner(owner: &records::Owner) -> pdf::Party {
    match owner {
        records::Owner::NaturalPerson(person) => pdf::Party {
            name: format!("{} {}", person.first_name, person.last_name),
            number: person.ssn.to_string(),
            is_organisation: false,
        },
        records::Owner::LegalEntity(entity) => {
            pdf::Party { name: entity.name.to_string(), number: entity.crn.to_string(), is_organisation: true }
        }
    }
}

fn signature(signature: &records::Signature) -> pdf::Signature {
    let records::Signature { ssn, name, at } = signature;
    pdf::Signature { name: name.to_string(), number: ssn.to_string(), at: *at }
}
