//! What a signed journey does in the world, and what its result shows (rule: journeys/completion-effects,
//! journeys/journey-result).
//!
//! Invariant: side effects first; the caller then ends the journey with the result. A signature creates at most one
//! account. Absent on purpose: how accounts, bank accounts, plans and transfers live on, which is their own flows'.

use super::field_view::{NO, YES};
use super::fields::service;
use super::fields_money::{AllocationWish, BankChoice, allocation_wish, bank_choice, savings_wish};
use super::form::Form;
use super::people::{person, person_name};
use super::{End, fields_company, fields_transfer};
use crate::flows::accounts::open::{Blank, create};
use crate::flows::{accounts, bank, plans, screening, securities};
use crate::identity::{PersonOutcome, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, CustodianId};
use crate::machines::account::State;
use crate::machines::transfer::State as TransferState;
use crate::records::{
    AccountOrigin, AccountResult, AccountType, AllocationPlanResult, Answering, BankAccountResult, Category,
    DepositType, ErrorCode, Journey, JourneyResult, JourneyStep, JourneyType, KycAnswer, Owner, Questionnaire,
    SavingsPlanResult, Signature, SubmissionResult, SubmissionStatus, Transfer, TransferKind, TransferOrder,
    TransferResult,
};
use crate::world::World;
use std::sync::Arc;

/// Does what the journey is for.
pub(super) fn carry_out(world: &mut World, journey: &Arc<Journey>, signer: PersonalNumber) -> End {
    let signature = signature(world, journey, signer);
    match journey.journey_type() {
        JourneyType::CreateAccount => open_for_person(world, journey, signature),
        JourneyType::CreateLegalEntityAccount => open_for_entity(world, journey, signature),
        JourneyType::SignSubmission => sign_submission(world, journey, signature),
        JourneyType::SignWithdrawal => {
            let account = journey.configuration.account.expect("required by the table of fields");
            let now = world.now;
            world.withdrawal_grants.or_default(account).push(now);
            End::Complete(JourneyResult::default())
        }
        JourneyType::KycRenewal => renew_kyc(world, journey),
        JourneyType::AddBankAccount | JourneyType::UpdateAllocationPlan | JourneyType::UpdateSavingsPlan => {
            let account = journey.configuration.account.expect("required by the table of fields");
            let result = arrange_money(world, journey, account, &signature);
            End::Complete(result)
        }
    }
}

/// The signature of the person who walks the journey, under the name that is known.
fn signature(world: &World, journey: &Journey, signer: PersonalNumber) -> Signature {
    let form = Form::new(world, journey, &journey.progress);
    let registered = match form.account().map(|account| account.owner.as_ref()) {
        Some(Owner::NaturalPerson(person)) => Some(format!("{} {}", person.first_name, person.last_name)),
        Some(Owner::LegalEntity(entity)) => signatory_name(&entity.signatories, signer),
        None => form.submission().and_then(|submission| signatory_name(&submission.entity.signatories, signer)),
    };
    let name = registered.unwrap_or_else(|| match person(&form, signer).as_ref() {
        Owner::NaturalPerson(person) => format!("{} {}", person.first_name, person.last_name),
        Owner::LegalEntity(_) => {
            let (first, last) = person_name(&form, signer);
            format!("{first} {last}")
        }
    });
    Signature { ssn: signer, name: Arc::from(name), at: world.now }
}

fn signatory_name(signatories: &[crate::records::Signatory], ssn: PersonalNumber) -> Option<String> {
    signatories.iter().find(|one| one.ssn == ssn).map(|one| one.name.to_string())
}

/// What the answers say about the account to be opened.
struct Application {
    blank: Blank,
    standing: AccountOrigin,
    transfers: Vec<(CustodianId, TransferOrder)>,
}

fn application(world: &World, journey: &Journey, owner: Arc<Owner>, signature: &Signature) -> Application {
    let form = Form::new(world, journey, &journey.progress);
    let details = JourneyStep::AccountDetails;
    let word = |name| form.answer(details, name).expect("checked when the step was answered");
    let (kind, category) = (word("accountType"), word("category"));
    let account_type = AccountType::ALL.into_iter().find(|one| one.name() == kind).expect("one of the choices");
    let kyc = kyc_answers(&form);
    let company = fields_company::record(&form).map(Arc::new);
    let exposed = screening::exposed(world, &owner, company.as_deref()) || says(&kyc, "pep", "yes");
    let name = form.configuration().account_name.as_deref().or_else(|| form.answer(details, "accountName"));
    let settings = &world.setup.settings;
    Application {
        blank: Blank {
            account_type,
            owner,
            name: name.map(|name| Arc::from(name.trim())),
            service_type: service(&form),
            category: Category::ALL.into_iter().find(|one| one.name() == category).expect("one of the choices"),
            fund_knowledge: knows_funds(&kyc),
            first: State::Pending,
            kyc_years: if exposed { settings.journeys.kyc_high_risk_years } else { settings.kyc_years },
        },
        standing: AccountOrigin {
            journey: Some(journey.id),
            email: form.answer(details, "email").map(Arc::from),
            kyc,
            kyc_updated: Some(world.now),
            signatures: vec![signature.clone()],
            awaits_insurer: account_type == AccountType::Insurance,
            submission: None,
            company,
            ended_by_death: None,
            closed_again: None,
            timer: None,
        },
        transfers: fields_transfer::orders(&form),
    }
}

fn says(kyc: &[KycAnswer], qid: &str, word: &str) -> bool {
    let answer = kyc.iter().find(|answer| answer.qid.as_ref() == qid);
    answer.is_some_and(|answer| answer.answer.iter().any(|text| text.eq_ignore_ascii_case(word)))
}

/// An appropriateness answer other than no (rule: securities/complex-funds).
fn knows_funds(kyc: &[KycAnswer]) -> bool {
    kyc.iter().any(|answer| answer.qid.as_ref() == "fundKnowledge") && !says(kyc, "fundKnowledge", "no")
}

fn kyc_answers(form: &Form<'_>) -> Vec<KycAnswer> {
    let questionnaire = form.questionnaire();
    let given = form.configuration().kycs.as_deref().unwrap_or_default();
    let answer = |qid: &'static str| {
        if let Some(prefilled) = given.iter().find(|known| known.qid.as_ref() == qid) {
            return Some(prefilled.clone());
        }
        if questionnaire == Questionnaire::Company && qid == "pep" {
            let exposed = fields_company::people(form).iter().any(|person| person.is_exposed(form));
            let word = Arc::from(if exposed { YES } else { NO });
            return Some(KycAnswer { qid: Arc::from(qid), answer: vec![word], is_list: false });
        }
        let texts = form.answers(JourneyStep::Kyc, qid);
        let known = questionnaire.question(qid);
        let several = known.is_some_and(|known| !matches!(known.answering, Answering::One(_)));
        (!texts.is_empty()).then(|| KycAnswer { qid: Arc::from(qid), answer: texts.to_vec(), is_list: several })
    };
    questionnaire.questions().iter().filter_map(|question| answer(question.qid)).collect()
}

/// `createAccount`. Required transfers are checked beforehand; a refusal leaves a rejected account
/// (rule: journeys/fixed-outcomes-strike).
fn open_for_person(world: &mut World, journey: &Arc<Journey>, signature: Signature) -> End {
    let owner = person(&Form::new(world, journey, &journey.progress), signature.ssn);
    let mut application = application(world, journey, owner, &signature);
    let required = application.transfers.iter().any(|(_, order)| order.required);
    if required && signature.ssn.outcome() == PersonOutcome::TransferRefused {
        reject_for_transfers(world, journey, application);
        return End::Failed(ErrorCode::Transfer, JourneyStep::Signing);
    }
    if application.standing.awaits_insurer {
        application.blank.first = State::Confirm;
    }
    let Application { blank, standing, transfers: orders } = application;
    let account = create(world, journey.client, blank);
    accounts::onboarding::begin(world, account, standing);
    let mut result = arrange_money(world, journey, account, &signature);
    let created = securities::transfers::create(world, journey.id, account, TransferState::New, orders);
    result.transfers = transfers_result(world, &created);
    result.account = Some(account_result(world, account));
    End::Complete(result)
}

fn reject_for_transfers(world: &mut World, journey: &Journey, application: Application) {
    let account = create(world, journey.client, application.blank);
    world.standings.insert(account, Arc::new(application.standing));
    securities::transfers::create(world, journey.id, account, TransferState::Rejected, application.transfers);
    accounts::onboarding::refuse(world, account);
}

/// The lever's transfer failure: as if the customer had signed and a required transfer had been refused.
pub(super) fn fail_transfers(world: &mut World, journey: &Journey) {
    let signer = journey.progress.signer.expect("authentication was answered");
    let signature = signature(world, journey, signer);
    let owner = person(&Form::new(world, journey, &journey.progress), signer);
    let application = application(world, journey, owner, &signature);
    reject_for_transfers(world, journey, application);
}

/// What each transfer will bring, as far as it is known today (rule: journeys/transfer-result).
fn transfers_result(world: &World, transfers: &[Arc<Transfer>]) -> Option<Vec<TransferResult>> {
    let result = |transfer: &Arc<Transfer>| {
        let kind =
            if securities::custody::brings_units(world, transfer) { TransferKind::Units } else { TransferKind::Cash };
        TransferResult { account: Arc::clone(&transfer.order.account_number), kind }
    };
    (!transfers.is_empty()).then(|| transfers.iter().map(result).collect())
}

/// `createLegalEntityAccount`: the first signature of a submission.
fn open_for_entity(world: &mut World, journey: &Arc<Journey>, signature: Signature) -> End {
    let submission = journey.submission.expect("filled in with the account's details");
    let entity = Arc::clone(&world.submissions.known(submission).entity);
    let owner = Arc::new(Owner::LegalEntity(entity));
    let Application { mut blank, mut standing, transfers: _ } = application(world, journey, owner, &signature);
    let status = accounts::submissions::sign(world, submission, signature.clone());
    if standing.awaits_insurer || status != SubmissionStatus::Complete {
        blank.first = State::Confirm;
    }
    standing.submission = Some(submission);
    let account = create(world, journey.client, blank);
    accounts::submissions::open(world, submission, account);
    if let Some(company) = &standing.company {
        screening::note_company(world, company);
    }
    accounts::onboarding::begin(world, account, standing);
    let mut result = arrange_money(world, journey, account, &signature);
    result.account = Some(account_result(world, account));
    result.submission = Some(SubmissionResult { id: submission, status });
    End::Complete(result)
}

/// `signSubmission`: adds a signature; the last one completes the submission.
fn sign_submission(world: &mut World, journey: &Arc<Journey>, signature: Signature) -> End {
    let id = journey.submission.expect("required by the table of fields");
    let status = accounts::submissions::sign(world, id, signature.clone());
    let account = world.submissions.known(id).account.expect("the first signature created it");
    accounts::onboarding::signed(world, account, signature);
    let mut result = JourneyResult { submission: Some(SubmissionResult { id, status }), ..JourneyResult::default() };
    if status == SubmissionStatus::Complete {
        result.account = Some(account_result(world, account));
    }
    End::Complete(result)
}

fn account_result(world: &World, id: AccountId) -> AccountResult {
    let account = world.accounts.known(id);
    AccountResult {
        id,
        status: account.status(),
        account_type: account.account_type,
        service_type: account.service_type,
    }
}

fn renew_kyc(world: &mut World, journey: &Journey) -> End {
    let account = journey.configuration.account.expect("required by the table of fields");
    let (kyc, company) = {
        let form = Form::new(world, journey, &journey.progress);
        (kyc_answers(&form), fields_company::record(&form).map(Arc::new))
    };
    let owner = Arc::clone(&world.accounts.known(account).owner);
    let exposed = screening::exposed(world, &owner, company.as_deref()) || says(&kyc, "pep", "yes");
    let knows = knows_funds(&kyc);
    accounts::onboarding::renew(
        world,
        account,
        accounts::onboarding::Renewal { kyc, company, exposed, knows_funds: knows },
    );
    End::Complete(JourneyResult::default())
}

/// Bank account, mandate and plans, as far as the journey asks for them; the parts of the result that they are.
fn arrange_money(world: &mut World, journey: &Journey, account: AccountId, signature: &Signature) -> JourneyResult {
    let (choice, allocation, savings) = {
        let form = Form::new(world, journey, &journey.progress);
        (bank_choice(&form), allocation_wish(&form), savings_wish(&form))
    };
    let mut result = JourneyResult::default();
    let bank = choice.map(|(choice, mandate)| {
        let bank = match choice {
            BankChoice::Known(id) => id,
            BankChoice::New { iban, name } => bank::accounts::connect(world, account, iban, name),
        };
        if mandate {
            bank::accounts::sign_mandate(world, bank, signature);
        }
        bank
    });
    if let Some(bank) = bank {
        result.bank_accounts = Some(vec![bank_result(world, journey, bank)]);
    }
    let charged = bank.or_else(|| bank::accounts::of_new_plans(world, account));
    if let Some(wish) = allocation {
        result.allocation_plan = store_allocation(world, account, &wish, charged);
    }
    if let (Some(wish), Some(bank)) = (savings, charged) {
        let plan = plans::changes::store_savings(world, account, bank, wish.day, &wish.instruments, wish.start);
        result.savings_plan = plan.map(|plan| SavingsPlanResult {
            day: plan.day,
            instruments: plan.instruments.to_vec(),
            start: plan.start,
        });
    }
    result
}

fn bank_result(world: &mut World, journey: &Journey, bank: BankAccountId) -> BankAccountResult {
    let iban = bank::accounts::record(world, bank).iban;
    let file = world.banks.change(bank);
    file.journeys.push(journey.id);
    BankAccountResult { id: bank, status: *file.check, iban }
}

fn store_allocation(
    world: &mut World,
    account: AccountId,
    wish: &AllocationWish,
    charged: Option<BankAccountId>,
) -> Option<AllocationPlanResult> {
    let bank = charged.filter(|_| wish.deposit_type == DepositType::Autogiro);
    let payment_account = bank.map(|bank| bank::accounts::record(world, bank).iban);
    let plan =
        plans::changes::store_allocation(world, account, bank, wish.deposit_type, wish.periodicity, &wish.instruments)?;
    Some(AllocationPlanResult { payment_account, instruments: plan.instruments.clone() })
}
