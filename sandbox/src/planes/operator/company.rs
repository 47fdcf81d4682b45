//! What is known of the company that owns an account: the register's extract, what its customer confirmed, the answers
//! (rule: accounts/companies).
//!
//! Absent on purpose: whether a person is on a list, which no answer shows.

use serde::Serialize;
use sim::ids::AccountId;
use sim::query;
use sim::records::{BeneficialOwner, BoardMember, Company, KycAnswer, OwnerIdentity, PepAnswer};
use utoipa::ToSchema;

use super::request::{HandlerResult, Target, bad};
use crate::planes::responses::json;
use wire::error::ApiError;
use wire::values::number::Number;
use wire::values::text::{CalendarDate, Id, Timestamp};

/// Company data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyShown {
    account: Id,
    /// When the journey that confirmed the data was signed.
    confirmed: Timestamp,
    crn: String,
    name: String,
    company_type: String,
    address: CompanyAddress,
    /// Name in the company register.
    registered_name: String,
    board: Vec<CompanyMember>,
    /// `alone` or `together`.
    signing: &'static str,
    /// Personal numbers.
    signatories: Vec<String>,
    /// Beneficial owners as the customer confirmed or corrected them; empty if the board counts instead.
    beneficial_owners: Vec<CompanyOwner>,
    /// Beneficial owners in the company register.
    registered_owners: Vec<CompanyOwner>,
    board_instead_of_owners: bool,
    /// One entry for each question.
    answers: Vec<CompanyAnswer>,
    /// One entry for each person.
    pep: Vec<CompanyPep>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyAddress {
    street_address: String,
    zip_code: String,
    city: String,
    country: String,
}

#[derive(Serialize, ToSchema)]
struct CompanyMember {
    name: String,
    ssn: String,
    /// `chair`, `member` or `signatory`.
    role: &'static str,
}

/// A person with `ssn`, or with `birthDate` and `country`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyOwner {
    name: String,
    ssn: Option<String>,
    birth_date: Option<CalendarDate>,
    country: Option<String>,
    share: Option<Number>,
    /// `shares`, `votes`, `board` or `other`.
    control: &'static str,
}

#[derive(Serialize, ToSchema)]
struct CompanyAnswer {
    qid: String,
    answer: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct CompanyPep {
    name: String,
    ssn: Option<String>,
    exposed: bool,
}

/// `GET /_sandbox/worlds/{worldId}/accounts/{accountId}/company`
pub(super) async fn show(target: Target) -> HandlerResult {
    let text = target.item.as_deref().unwrap_or_default();
    let id = AccountId::parse(text).map_err(|_| bad("accountId", "must be a UUID"))?;
    let shown = target.world.read(|world| {
        let own = query::clients(world).filter(|client| target.sees(client.partner));
        own.into_iter().find_map(|client| query::account(world, client.id, id))?;
        let standing = query::standing(world, id);
        Some(standing.and_then(|standing| Some(shown(id, standing.company.as_deref()?, &standing.kyc))))
    })?;
    match shown {
        None => Err(ApiError::not_found("accountId names no account")),
        Some(None) => {
            Err(ApiError::not_found("accountId names an account of which no journey has described a company"))
        }
        Some(Some(shown)) => Ok(json(&shown)),
    }
}

fn shown(account: AccountId, company: &Company, answers: &[KycAnswer]) -> CompanyShown {
    let Company { extract, name, board, signing, signatories, owners, pep, confirmed } = company;
    let address = &extract.address;
    CompanyShown {
        account: Id(account.as_uuid()),
        confirmed: Timestamp(*confirmed),
        crn: extract.crn.to_string(),
        name: name.to_string(),
        company_type: extract.form.to_string(),
        address: CompanyAddress {
            street_address: address.street_address.to_string(),
            zip_code: address.zip_code.to_string(),
            city: address.city.to_string(),
            country: address.country.to_string(),
        },
        registered_name: extract.name.to_string(),
        board: board.iter().map(member).collect(),
        signing: signing.name(),
        signatories: signatories.iter().map(ToString::to_string).collect(),
        beneficial_owners: owners.iter().map(owner).collect(),
        registered_owners: extract.owners.iter().map(owner).collect(),
        board_instead_of_owners: company.names_board_instead(),
        answers: answers.iter().map(answer).collect(),
        pep: pep.iter().map(office).collect(),
    }
}

fn member(member: &BoardMember) -> CompanyMember {
    CompanyMember { name: member.name.to_string(), ssn: member.ssn.to_string(), role: member.role.name() }
}

fn owner(owner: &BeneficialOwner) -> CompanyOwner {
    let (birth_date, country) = match &owner.identity {
        OwnerIdentity::Ssn(_) => (None, None),
        OwnerIdentity::Born { date, country } => (Some(CalendarDate(*date)), Some(country.to_string())),
    };
    CompanyOwner {
        name: owner.name.to_string(),
        ssn: owner.identity.ssn().map(|ssn| ssn.to_string()),
        birth_date,
        country,
        share: owner.share.map(|share| Number(share.get())),
        control: owner.control.name(),
    }
}

fn answer(known: &KycAnswer) -> CompanyAnswer {
    CompanyAnswer { qid: known.qid.to_string(), answer: known.answer.iter().map(ToString::to_string).collect() }
}

fn office(answer: &PepAnswer) -> CompanyPep {
    CompanyPep { name: answer.name.to_string(), ssn: answer.ssn.map(|ssn| ssn.to_string()), exposed: answer.exposed }
}
