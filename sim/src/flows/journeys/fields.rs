//! What each step asks: names, kinds, choices, what is fixed, what is sensible.
//!
//! Invariant: a field's name is unique within its step. One entry locks a choice; what the configuration gives is
//! read-only. Absent on purpose: rules between fields, which are `answers`'.

use super::configuration::MAX_ACCOUNT_NAME;
use super::field_view::{Choice, FieldKind, FieldView, YES};
use super::form::Form;
use super::{fields_company, fields_money, fields_transfer};
use crate::identity::PersonalNumber;
use crate::records::{Answering, Category, JourneyStep, JourneyType, Owner, Question, Questionnaire, ServiceType};
use std::sync::Arc;

/// Longest name of a person.
const MAX_PERSON_NAME: usize = 50;
/// Longest name of a company.
const MAX_COMPANY_NAME: usize = 100;

/// What a step asks, with what has been answered so far.
pub(crate) fn of(form: &Form<'_>, step: JourneyStep) -> Vec<FieldView> {
    let mut fields = match step {
        JourneyStep::Welcome | JourneyStep::Signing => Vec::new(),
        JourneyStep::Authentication => authentication(form),
        JourneyStep::AccountDetails => account_details(form),
        JourneyStep::Company => fields_company::company(form),
        JourneyStep::BeneficialOwners => fields_company::beneficial_owners(form),
        JourneyStep::Kyc => kyc(form),
        JourneyStep::Transfer => fields_transfer::of(form),
        JourneyStep::BankAccount => fields_money::bank_account(form),
        JourneyStep::AllocationPlan => fields_money::allocation_plan(form),
        JourneyStep::SavingsPlan => fields_money::savings_plan(form),
        JourneyStep::Agreement => vec![FieldView::ask("accept", FieldKind::Flag).suggest(YES)],
    };
    debug_assert!(fields.iter().all(|field| step.asks().contains(&field.key)), "{step:?} has a field without a name");
    if let Some(answers) = form.progress.of(step) {
        for field in fields.iter_mut().filter(|field| !field.read_only && answers.has(&field.name)) {
            field.values = answers.many(&field.name).to_vec();
        }
    }
    fields
}

fn authentication(form: &Form<'_>) -> Vec<FieldView> {
    let ssn = FieldView::ask("ssn", FieldKind::PersonalNumber);
    let ssn = match (form.fixed_signer(), form.account().map(|account| account.owner.as_ref())) {
        (Some(fixed), _) => ssn.fix(vec![Arc::from(fixed.to_string())]),
        (None, Some(Owner::LegalEntity(entity))) => {
            let people = entity.signatories.iter().map(|signatory| Choice {
                value: Arc::from(signatory.ssn.to_string()),
                label: Some(Arc::clone(&signatory.name)),
            });
            FieldView { kind: FieldKind::Choice, ..ssn }.choose_named(people.collect())
        }
        (None, _) => ssn.suggest(PersonalNumber::draw(&mut form.stream("journey people")).to_string()),
    };
    let mut fields = vec![ssn];
    if form.kind().opens_account() {
        // A registered person keeps the registered name, whatever is filled in here.
        let name = |key| FieldView::ask(key, FieldKind::Text { max: MAX_PERSON_NAME }).optional();
        fields.extend([name("firstName"), name("lastName")]);
    }
    fields
}

fn account_details(form: &Form<'_>) -> Vec<FieldView> {
    let configuration = form.configuration();
    let options = configuration.account_options.as_ref();
    let types = options.and_then(|options| options.account_types.as_ref()).or(configuration.account_types.as_ref());
    let types = types.map(Vec::as_slice).unwrap_or_default();
    let kind = FieldView::ask("accountType", FieldKind::Choice);
    // Like for like: an account that something moves to is of the kind it comes from (rule: journeys/like-for-like).
    let kind = match fields_transfer::first_source(configuration) {
        Some(source) => kind.suggest(source.name()),
        None => kind,
    };
    let mut fields = vec![kind.choose(types.iter().map(|kind| kind.name()))];
    let categories = categories(form);
    fields.push(FieldView::ask("category", FieldKind::Choice).choose(categories.iter().map(|one| one.name())));
    if form.kind() == JourneyType::CreateLegalEntityAccount {
        fields.extend(company(form));
    }
    if configuration.account_name.is_none() {
        fields.push(FieldView::ask("accountName", FieldKind::Text { max: MAX_ACCOUNT_NAME }).optional());
    }
    let email = FieldView::ask("email", FieldKind::Email).optional();
    fields.push(email.fix_if(configuration.email.as_deref()));
    fields
}

/// Categories to choose from: those of the configuration, or the only one that the client permits.
fn categories(form: &Form<'_>) -> Vec<Category> {
    let configuration = form.configuration();
    let options = configuration.account_options.as_ref();
    let given = options.and_then(|options| options.account_categories.as_ref());
    let given = given.or(configuration.account_categories.as_ref());
    match given {
        Some(categories) => categories.clone(),
        None if form.client.permissions.categories.is_empty() => vec![Category::Retail],
        None => form.client.permissions.categories.clone(),
    }
}

fn company(form: &Form<'_>) -> Vec<FieldView> {
    let configuration = form.configuration();
    let known = form.given_submission().map(|submission| &submission.entity);
    let services = configuration.account_options.as_ref().and_then(|options| options.service_types.as_deref());
    let service = FieldView::ask("serviceType", FieldKind::Choice);
    let service = match configuration.account_service_type {
        Some(usual) => service.suggest(usual.name()),
        None => service,
    };
    let signatories = FieldView::ask("signatories", FieldKind::PersonalNumbers).optional();
    vec![
        service.choose(services.unwrap_or_default().iter().map(|service| service.name())),
        FieldView::ask("crn", FieldKind::OrganisationNumber)
            .suggest("5599900015")
            .fix_if(known.map(|entity| entity.crn.to_string())),
        FieldView::ask("companyName", FieldKind::Text { max: MAX_COMPANY_NAME })
            .optional()
            .fix_if(known.map(|entity| entity.name.as_ref())),
        match known {
            Some(entity) => {
                signatories.fix(entity.signatories.iter().map(|one| Arc::from(one.ssn.to_string())).collect())
            }
            None => signatories,
        },
    ]
}

fn kyc(form: &Form<'_>) -> Vec<FieldView> {
    let given = form.configuration().kycs.as_deref().unwrap_or_default();
    let standing = form.account().and_then(|account| form.world.standings.get(&account.id));
    let before = standing.map_or(&[][..], |standing| standing.kyc.as_slice());
    let advised = service(form) != ServiceType::ExecutionOnly;
    let field = |question: &Question, field: FieldView| {
        let known = |answers: &[crate::records::KycAnswer]| {
            answers.iter().find(|answer| answer.qid.as_ref() == question.qid).map(|answer| answer.answer.clone())
        };
        let field = if question.qid == "riskTolerance" && !advised { field.optional() } else { field };
        match (known(given), known(before)) {
            (Some(given), _) => field.fix(given),
            (None, Some(before)) => FieldView { suggestion: before.clone(), values: before, ..field },
            (None, None) => field,
        }
    };
    let questionnaire = form.questionnaire();
    let mut fields = Vec::new();
    for question in questionnaire.questions() {
        if questionnaire == Questionnaire::Company && question.qid == "pep" {
            let people = fields_company::people(form).into_iter();
            fields.extend(people.map(|person| field(question, pep_field(question, &person))));
        } else {
            fields.push(field(question, kyc_field(question)));
        }
    }
    fields
}

/// The question about public offices, for one person of a company.
fn pep_field(question: &Question, person: &fields_company::KnownPerson) -> FieldView {
    FieldView { name: person.pep_field(), subject: Some(Arc::clone(&person.name)), ..kyc_field(question) }
}

fn kyc_field(question: &Question) -> FieldView {
    let kind = match question.answering {
        Answering::One(_) => FieldKind::Choice,
        Answering::Some(_) => FieldKind::Choices,
        Answering::Countries => FieldKind::Countries,
    };
    let field = FieldView::ask(question.qid, kind).suggest(question.usual);
    match question.answering {
        Answering::One(choices) | Answering::Some(choices) => field.choose(choices.iter().copied()),
        Answering::Countries => field,
    }
}

/// The service under which the account is, or will be, run.
pub(crate) fn service(form: &Form<'_>) -> ServiceType {
    let chosen = form.answer(JourneyStep::AccountDetails, "serviceType");
    let chosen = chosen.and_then(|word| ServiceType::ALL.into_iter().find(|service| service.name() == word));
    let of_account = form.account().map(|account| account.service_type);
    chosen.or(of_account).or(form.configuration().account_service_type).unwrap_or(ServiceType::ExecutionOnly)
}
