//! What hangs on an account beside money: KYC, agreements, submissions (rule: accounts/kyc-status,
//! accounts/agreements).

use crate::canary::Canary;
use crate::identity::Iban;
use crate::ids::{AccountId, BankAccountId, ClientId, SubmissionId};
use crate::machines::journey::State;
use crate::records::{
    Account, AccountOrigin, AccountStatus, AccountType, AgreementType, Company, JourneyType, KycStatus, MandateStatus,
    Owner, Signature, Submission,
};
use crate::time::{Date, Instant};
use crate::world::World;
use std::sync::Arc;

/// KYC status of an account (rule: accounts/kyc-status, accounts/kyc-renewal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KycView {
    /// Which account.
    pub account: AccountId,
    /// Its status.
    pub status: KycStatus,
    /// When the answers were last given.
    pub last_updated: Instant,
    /// Last day on which they hold.
    pub expiry: Date,
    /// Whether it is time to renew them.
    pub renewal_required: bool,
}

/// What an agreement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreementFacts {
    /// Which agreement.
    pub kind: AgreementType,
    /// The account.
    pub account: Arc<Account>,
    /// The client that holds the power of attorney.
    pub client: Arc<str>,
    /// Who has signed, in order; an account that no journey opened has its owner's, from its creation.
    pub signatures: Vec<Signature>,
    /// Bank accounts that a mandate names.
    pub bank_accounts: Vec<Iban>,
    /// What is known of the company that owns the account.
    pub company: Option<Arc<Company>>,
}

/// KYC status of an account.
#[must_use]
pub fn kyc_status(world: &World, account: &Account) -> KycView {
    let today = world.now().local_date();
    let warning = i64::from(world.setup().settings.journeys.kyc_expiring_days);
    let warned = account.kyc_valid_until.checked_sub(jiff::Span::new().days(warning)).unwrap_or(Date::MIN);
    let waiting = matches!(account.status(), AccountStatus::Pending | AccountStatus::Confirm);
    let status = if waiting || is_renewing(world, account.id) {
        KycStatus::Pending
    } else if today > account.kyc_valid_until {
        KycStatus::Expired
    } else if today >= warned {
        KycStatus::Expiring
    } else {
        KycStatus::Valid
    };
    let given = standing(world, account.id).and_then(|standing| standing.kyc_updated);
    KycView {
        account: account.id,
        status,
        last_updated: given.unwrap_or(account.stamp.created),
        expiry: account.kyc_valid_until,
        renewal_required: today >= warned,
    }
}

/// Whether a renewal is open: the customer has begun it and not ended it.
fn is_renewing(world: &World, account: AccountId) -> bool {
    let renews = |kind| kind == JourneyType::KycRenewal || world.planted.is(Canary::KycPendingInAnyJourney);
    let mut journeys = world.journeys.of_account(account, None);
    journeys.any(|journey| renews(journey.journey_type()) && journey.state == State::Pending)
}

/// How an account that a journey opened came to be.
#[must_use]
pub fn standing(world: &World, account: AccountId) -> Option<&Arc<AccountOrigin>> {
    world.standings.get(&account)
}

/// What a journey established about the company that owns an account (rule: accounts/companies).
#[must_use]
pub fn company(world: &World, account: AccountId) -> Option<&Arc<Company>> {
    standing(world, account).and_then(|standing| standing.company.as_ref())
}

/// Kinds of agreement that an account has (rule: accounts/agreements).
#[must_use]
pub fn agreement_types(account: &Account) -> Vec<AgreementType> {
    let has = |kind: &AgreementType| match kind {
        AgreementType::Account | AgreementType::PowerOfAttorney => true,
        AgreementType::Insurance => account.account_type == AccountType::Insurance,
        AgreementType::Autogiro => account.bank_accounts.iter().any(|bank| bank.mandate != MandateStatus::Missing),
    };
    AgreementType::ALL.into_iter().filter(has).collect()
}

/// One agreement of an account, if it has it.
#[must_use]
pub fn agreement(world: &World, account: &Arc<Account>, kind: AgreementType) -> Option<AgreementFacts> {
    if !agreement_types(account).contains(&kind) {
        return None;
    }
    let mandated = || account.bank_accounts.iter().filter(|bank| bank.mandate != MandateStatus::Missing);
    let signed = |id: &BankAccountId| world.banks.get(*id).and_then(|file| file.mandate_signed.clone());
    let mandate_signatures: Vec<Signature> = mandated().filter_map(|bank| signed(&bank.id)).collect();
    let opening = || match standing(world, account.id) {
        Some(standing) if !standing.signatures.is_empty() => standing.signatures.clone(),
        _ => owner_signatures(account),
    };
    let (signatures, bank_accounts) = match kind {
        AgreementType::Autogiro if mandate_signatures.is_empty() => {
            (opening(), mandated().map(|bank| bank.iban).collect())
        }
        AgreementType::Autogiro => (mandate_signatures, mandated().map(|bank| bank.iban).collect()),
        _ => (opening(), Vec::new()),
    };
    Some(AgreementFacts {
        kind,
        account: Arc::clone(account),
        client: Arc::clone(&world.clients[&account.client].name),
        signatures,
        bank_accounts,
        company: company(world, account.id).cloned(),
    })
}

fn owner_signatures(account: &Account) -> Vec<Signature> {
    let at = account.stamp.created;
    match account.owner.as_ref() {
        Owner::NaturalPerson(person) => {
            let name = Arc::from(format!("{} {}", person.first_name, person.last_name));
            vec![Signature { ssn: person.ssn, name, at }]
        }
        Owner::LegalEntity(entity) => {
            let signature =
                |one: &crate::records::Signatory| Signature { ssn: one.ssn, name: Arc::clone(&one.name), at };
            entity.signatories.iter().map(signature).collect()
        }
    }
}

/// A submission of `client`; none when it is unknown or another client's.
#[must_use]
pub fn submission(world: &World, client: ClientId, id: SubmissionId) -> Option<&Arc<Submission>> {
    world.submissions.get(id).filter(|submission| submission.client == client)
}
