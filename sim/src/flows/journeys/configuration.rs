//! Whether a configuration fits its journey type and its client (rule: journeys/configuration-fields).
//!
//! Invariant: every problem is named by its field's path, and all are reported at once; what is not known breaks no
//! rule, also where a rule only leans on it. Pure. Absent on purpose: whether the account or submission exists, which is
//! a later class of refusal.

use super::findings::{Findings, given};
use super::{texts, transfer_rules};
use crate::flows::plans::checks::allocation_problems;
use crate::identity::Iban;
use crate::records::{
    AccountType, Answering, AutogiroEnforce, Category, Client, DepositType, FIELDS, JourneyType, MandateStatus, Owner,
    OwnerKey, OwnerType, PartialAllocationPlan, PartialConfiguration, PartialKycAnswer, PartialSavingsPlan,
    Periodicity, Presence, Question, Questionnaire, may_be_given,
};
use crate::refusal::{Fault, Problem};
use crate::world::World;
use std::sync::Arc;

/// Longest account name.
pub(crate) const MAX_ACCOUNT_NAME: usize = 50;
/// Longest text of one KYC answer.
pub(crate) const MAX_KYC_ANSWER: usize = 255;
/// Most texts in one KYC answer.
const MAX_KYC_TEXTS: usize = 20;

/// Everything that is known to be wrong with a configuration by itself and for this client; without its type nothing is.
pub(crate) fn problems(world: &World, client: &Client, configuration: &PartialConfiguration) -> Vec<Problem> {
    let Some(kind) = configuration.journey_type else { return Vec::new() };
    let mut found = Findings { world, client, problems: Vec::new() };
    check_type(&mut found, kind);
    check_presence(&mut found, kind, configuration);
    check_account_choices(&mut found, configuration);
    check_options(&mut found, configuration);
    if let Some(name) = given(&configuration.account_name) {
        found.note("accountName", texts::shown(name, MAX_ACCOUNT_NAME));
    }
    if let Some(email) = given(&configuration.email) {
        found.note("email", texts::email(email));
    }
    check_payment(&mut found, configuration);
    if let Some(instruments) = given(&configuration.instruments) {
        found.funds("instruments", instruments);
    }
    if let Some(plan) = given(&configuration.allocation_plan) {
        check_allocation_plan(&mut found, configuration, plan);
    }
    if let Some(plan) = given(&configuration.savings_plan) {
        check_savings_plan(&mut found, plan);
    }
    if let Some(kycs) = given(&configuration.kycs) {
        check_kycs(&mut found, &questionnaires(world, client, kind, configuration), kycs);
    }
    transfer_rules::check(&mut found, configuration);
    found.problems
}

fn check_type(found: &mut Findings<'_>, kind: JourneyType) {
    let permissions = &found.client.permissions;
    let owner = match kind {
        JourneyType::CreateAccount => Some(OwnerType::NaturalPerson),
        JourneyType::CreateLegalEntityAccount => Some(OwnerType::LegalEntity),
        _ => None,
    };
    let named = permissions.journey_types.iter().any(|name| name.as_ref() == kind.name());
    let owner_ok = owner.is_none_or(|owner| permissions.owner_types.contains(&owner));
    let withdrawal_ok = kind != JourneyType::SignWithdrawal || permissions.withdrawals;
    if !(named && owner_ok && withdrawal_ok) {
        found.say("journeyType", Fault::NotPermitted);
    }
}

/// The table of fields (rule: journeys/configuration-fields).
fn check_presence(found: &mut Findings<'_>, kind: JourneyType, configuration: &PartialConfiguration) {
    let column = JourneyType::ALL.iter().position(|known| *known == kind).expect("every type has a column");
    let open = found.client.permissions.categories.len() > 1;
    for &(field, presence, is_given) in FIELDS {
        match (presence[column], is_given(configuration)) {
            (Presence::Required, Some(false)) => found.say(field, Fault::Missing),
            (Presence::RequiredIfOpen, Some(false)) if open => found.say(field, Fault::Missing),
            (Presence::Refused, Some(true)) => {
                found.say(field, Fault::Forbidden { because: "this type of journey does not take it" });
            }
            _ => {}
        }
    }
}

fn check_account_choices(found: &mut Findings<'_>, configuration: &PartialConfiguration) {
    let permissions = &found.client.permissions;
    if let Some(types) = given(&configuration.account_types) {
        found.bounded("accountTypes", types, &permissions.account_types);
    }
    if given(&configuration.account_service_type).is_some_and(|service| !permissions.service_types.contains(service)) {
        found.say("accountServiceType", Fault::NotPermitted);
    }
    if let Some(categories) = given(&configuration.account_categories) {
        found.bounded("accountCategories", categories, &permissions.categories);
    }
}

fn check_options(found: &mut Findings<'_>, configuration: &PartialConfiguration) {
    let Some(options) = given(&configuration.account_options) else { return };
    let permissions = &found.client.permissions;
    match options.owner_type {
        Some(None) => found.say("accountOptions.ownerType", Fault::Missing),
        Some(Some(OwnerType::LegalEntity)) | None => {}
        Some(Some(OwnerType::NaturalPerson)) => {
            found.say("accountOptions.ownerType", Fault::Invalid { because: "only `legal_entity` fits here" });
        }
    }
    match &options.service_types {
        None => {}
        Some(None) => found.say("accountOptions.serviceTypes", Fault::Missing),
        Some(Some(services)) => {
            found.bounded("accountOptions.serviceTypes", services, &permissions.service_types);
            let may_be_one = |service| services.contains(&Some(service)) || services.contains(&None);
            if configuration.account_service_type.flatten().is_some_and(|service| !may_be_one(service)) {
                let because = "it must be one of `accountOptions.serviceTypes`";
                found.say("accountServiceType", Fault::Invalid { because });
            }
        }
    }
    match &options.account_types {
        None => {}
        Some(None) => found.say("accountOptions.accountTypes", Fault::Missing),
        Some(Some(types)) => {
            found.bounded("accountOptions.accountTypes", types, &permissions.account_types);
            if let Some(at) = types.iter().position(|kind| *kind == Some(AccountType::Isk)) {
                let because = "only a natural person can own an ISK";
                found.say(format_args!("accountOptions.accountTypes[{at}]"), Fault::NotForThisAccountType { because });
            }
        }
    }
    check_option_categories(found, options.account_categories.as_ref());
}

fn check_option_categories(found: &mut Findings<'_>, categories: Option<&Option<Vec<Option<Category>>>>) {
    let permitted = &found.client.permissions.categories;
    match categories {
        Some(None) if permitted.len() > 1 => found.say("accountOptions.accountCategories", Fault::Missing),
        Some(None) | None => {}
        Some(Some(categories)) => found.bounded("accountOptions.accountCategories", categories, permitted),
    }
}

fn check_payment(found: &mut Findings<'_>, configuration: &PartialConfiguration) {
    let autogiro = found.client.permissions.autogiro;
    let enforce = given(&configuration.autogiro).and_then(|autogiro| autogiro.enforce);
    if enforce.is_some_and(|enforce| enforce != AutogiroEnforce::None) && !autogiro {
        found.say("autogiro.enforce", Fault::NotPermitted);
    }
    if let Some(&iban) = given(&configuration.payment_account) {
        check_iban(found, "paymentAccount.iban", iban);
        if !autogiro {
            found.say("paymentAccount", Fault::NotPermitted);
        }
    }
}

fn check_iban(found: &mut Findings<'_>, field: &str, iban: Iban) {
    if iban.country() != "SE" {
        found.say(field, Fault::Invalid { because: "a Swedish bank account is expected" });
    }
}

fn check_allocation_plan(found: &mut Findings<'_>, configuration: &PartialConfiguration, plan: &PartialAllocationPlan) {
    let account_field = "allocationPlan.paymentAccount.iban";
    if let Some(&iban) = given(&plan.payment_account) {
        check_iban(found, account_field, iban);
        if given(&configuration.payment_account).is_some_and(|other| *other != iban) {
            found.say(account_field, Fault::Invalid { because: "it differs from `paymentAccount.iban`" });
        }
    }
    if plan.deposit_type == Some(Some(DepositType::Autogiro)) {
        if !found.client.permissions.autogiro {
            found.say("allocationPlan.depositType", Fault::NotPermitted);
        }
        let named = may_be_given(&plan.payment_account) || may_be_given(&configuration.payment_account);
        if !named && !may_connect(configuration) && !may_have_mandate(found.world, found.client, configuration) {
            found.say(account_field, Fault::Missing);
        }
    }
    if let Some(allocations) = given(&plan.instruments) {
        for problem in allocation_problems(found.world, found.client, "instruments", allocations) {
            found.say(format_args!("allocationPlan.{}", problem.field), problem.fault);
        }
    }
}

/// Whether the customer has to give a bank account with a mandate, as far as that is known.
fn may_connect(configuration: &PartialConfiguration) -> bool {
    let Some(autogiro) = &configuration.autogiro else { return true };
    autogiro.as_ref().is_some_and(|autogiro| autogiro.enforce != Some(AutogiroEnforce::None))
}

/// Whether the owner already has a mandate that can be used, as far as the owner is known (rule: journeys/allocation-of-plans).
fn may_have_mandate(world: &World, client: &Client, configuration: &PartialConfiguration) -> bool {
    let (Some(account), Some(ssn)) = (configuration.account, configuration.ssn) else { return true };
    let owner = match account.and_then(|id| world.accounts.get(id)) {
        Some(account) if account.client == client.id => Some(account.owner.key()),
        Some(_) => None,
        None => ssn.map(OwnerKey::Ssn),
    };
    let file = owner.and_then(|owner| world.owners.get(&(client.id, owner)));
    let usable = |status| matches!(status, MandateStatus::Active | MandateStatus::Pending);
    file.is_some_and(|file| file.bank_accounts.iter().any(|bank| usable(*bank.mandate)))
}

fn check_savings_plan(found: &mut Findings<'_>, plan: &PartialSavingsPlan) {
    match plan.periodicity {
        Some(None) => found.say("savingsPlan.periodicity", Fault::Missing),
        Some(Some(Periodicity::Monthly)) | None => {}
        Some(Some(Periodicity::Once)) => {
            found.say("savingsPlan.periodicity", Fault::Invalid { because: "only `monthly` fits here" });
        }
    }
    if !found.client.permissions.autogiro {
        found.say("savingsPlan", Fault::NotPermitted);
    }
    if let Some(instruments) = given(&plan.instruments) {
        found.funds("savingsPlan.instruments", instruments);
    }
}

/// Whose questions a journey may ask, as far as its type and its account say.
fn questionnaires(
    world: &World,
    client: &Client,
    kind: JourneyType,
    configuration: &PartialConfiguration,
) -> Vec<Questionnaire> {
    let account = configuration.account.flatten().and_then(|id| world.accounts.get(id));
    match (kind, account.filter(|account| account.client == client.id).map(|account| account.owner.as_ref())) {
        (JourneyType::CreateLegalEntityAccount, _) => vec![Questionnaire::Company],
        (JourneyType::KycRenewal, Some(Owner::LegalEntity(_))) => vec![Questionnaire::Company],
        (JourneyType::KycRenewal, None) => Questionnaire::ALL.to_vec(),
        _ => vec![Questionnaire::Person],
    }
}

fn check_kycs(found: &mut Findings<'_>, asked: &[Questionnaire], kycs: &[Option<PartialKycAnswer>]) {
    let elsewhere = |qid: &str| Questionnaire::ALL.iter().any(|one| one.question(qid).is_some());
    let questions = |qid: &str| asked.iter().filter_map(|one| one.question(qid)).collect::<Vec<_>>();
    for (at, kyc) in kycs.iter().enumerate() {
        let Some(kyc) = kyc else { continue };
        let earlier = || kycs[..at].iter().flatten().any(|earlier| earlier.qid == kyc.qid);
        match &kyc.qid {
            Some(qid) if questions(qid).is_empty() && elsewhere(qid) => {
                let because = match asked {
                    [Questionnaire::Company] => "a company is not asked it",
                    _ => "only a company is asked it",
                };
                found.say(format_args!("kycs[{at}].qid"), Fault::Forbidden { because });
            }
            Some(qid) if questions(qid).is_empty() => found.say(format_args!("kycs[{at}].qid"), Fault::NotFound),
            Some(_) if earlier() => found.say(format_args!("kycs[{at}].qid"), Fault::Duplicate),
            _ => {}
        }
        let Some(answer) = &kyc.answer else { continue };
        let field = format!("kycs[{at}].answer");
        if answer.is_empty() {
            found.say(&field, Fault::Empty);
        } else if answer.len() > MAX_KYC_TEXTS {
            found.say(&field, Fault::TooMany { max: MAX_KYC_TEXTS });
        }
        let faults: Vec<_> = answer.iter().flatten().filter_map(|text| texts::shown(text, MAX_KYC_ANSWER)).collect();
        let questions = kyc.qid.as_deref().map(questions).unwrap_or_default();
        match questions.as_slice() {
            // Where the owner is not known, either questionnaire may be the one.
            [first, ..] if faults.is_empty() => {
                let fits = |question: &&&Question| answer.iter().flatten().all(|text| question.offers(text));
                check_choice(found, &field, questions.iter().find(fits).unwrap_or(first), answer);
            }
            _ => faults.into_iter().for_each(|fault| found.say(&field, fault)),
        }
    }
}

/// An answer given beforehand is one that the customer could give (rule: journeys/prefilled-answers).
fn check_choice(found: &mut Findings<'_>, field: &str, question: &Question, answer: &[Option<Arc<str>>]) {
    if matches!(question.answering, Answering::One(_)) && answer.len() > 1 {
        found.say(field, Fault::TooMany { max: 1 });
    }
    if answer.iter().flatten().any(|text| !question.offers(text)) {
        let fault = match question.answering {
            Answering::One(_) | Answering::Some(_) => Fault::NotAChoice,
            Answering::Countries => Fault::Invalid { because: texts::NO_COUNTRY },
        };
        found.say(field, fault);
    }
}
