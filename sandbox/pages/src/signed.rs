//! What a person is about to sign, in parts: the account and whose it is, and everything that was filled in.
//!
//! Invariant: nobody signs blind: the page where a signature is given shows all that it does, also in journeys where nothing
//! was filled in (rule: journeys/what-is-signed). Absent on purpose: where it is shown, which is the agreement and the signing page.

use sim::digest::digest_of;
use sim::query::{FieldKind, FieldView, StepState, StepView};
use sim::records::{Account, JourneyStep, JourneyType, Owner};

use super::page_model::PageModel;
use super::present;
use super::templates::ReviewPart;
use super::visit::Visit;
use super::words::{self, noun};
use drawing::pdf::in_fours;

/// Steps whose answers are signed.
const ANSWERED: [JourneyStep; 8] = [
    JourneyStep::AccountDetails,
    JourneyStep::Company,
    JourneyStep::BeneficialOwners,
    JourneyStep::Kyc,
    JourneyStep::Transfer,
    JourneyStep::BankAccount,
    JourneyStep::AllocationPlan,
    JourneyStep::SavingsPlan,
];

/// All parts, each with its facts.
#[must_use]
pub fn parts(visit: &Visit, model: &PageModel) -> Vec<ReviewPart> {
    let mut parts: Vec<_> = company(visit, model).into_iter().chain(account(visit, model)).collect();
    let own = model.steps.iter().map(|view| (view, view.state != StepState::Ahead));
    // What another signatory has filled in cannot be changed.
    let all = own.chain(model.submitted.iter().map(|view| (view, false)));
    for (view, may_change) in all.filter(|(view, _)| ANSWERED.contains(&view.step)) {
        parts.extend(answered(visit, model, view, may_change));
    }
    parts
}

/// Whether a step asks to agree to all parts.
#[must_use]
pub fn is_signed(step: JourneyStep) -> bool {
    matches!(step, JourneyStep::Agreement | JourneyStep::Signing)
}

/// What names all that a page shows to be signed: another one as soon as anything of it has changed.
#[must_use]
pub fn name(visit: &Visit, model: &PageModel) -> String {
    let parts = parts(visit, model);
    let facts: Vec<_> = parts.iter().map(|part| (&part.heading, &part.facts)).collect();
    digest_of(&facts).to_string()
}

/// What a step is called: a journey that asks about a company has its own word for some.
pub(super) fn step_name(visit: &Visit, model: &PageModel, step: JourneyStep) -> String {
    let own = noun(&format!("step.{}.company", step.name())).filter(|_| is_of_a_company(model));
    own.map_or_else(|| visit.noun(&format!("step.{}", step.name())), |phrase| phrase.say(visit.lang).to_owned())
}

/// Whether a journey asks about a company, or signs what another one has asked about it.
pub(super) fn is_of_a_company(model: &PageModel) -> bool {
    model.steps.iter().chain(&model.submitted).any(|view| view.step == JourneyStep::Company)
}

/// The company that a submission is signed for.
fn company(visit: &Visit, model: &PageModel) -> Option<ReviewPart> {
    let submission = model.submission.as_ref()?;
    let facts = vec![
        (words::COMPANY_NAME.say(visit.lang).to_owned(), submission.entity.name.to_string()),
        (visit.noun("field.crn"), submission.entity.crn.to_string()),
    ];
    Some(ReviewPart { heading: words::COMPANY.say(visit.lang).to_owned(), facts, change: None })
}

/// The account that the journey is about, and what is done with it where no step says so.
fn account(visit: &Visit, model: &PageModel) -> Option<ReviewPart> {
    let account = model.account.as_ref()?;
    let say = |phrase: words::Phrase| phrase.say(visit.lang).to_owned();
    let Account { name, account_type, owner, .. } = account.as_ref();
    let owner = match owner.as_ref() {
        Owner::NaturalPerson(person) => format!("{} {}", person.first_name, person.last_name),
        Owner::LegalEntity(entity) => entity.name.to_string(),
    };
    let kind = visit.noun(&format!("accountType.{}", present::account_type(*account_type)));
    let mut facts = vec![
        (say(words::ACCOUNT), if name.is_empty() { kind.clone() } else { name.to_string() }),
        (visit.noun("field.accountType"), kind.clone()),
        (say(words::ACCOUNT_NUMBER), account.reference.to_string()),
        (say(words::OWNER), owner),
    ];
    if model.journey.journey_type() == JourneyType::SignWithdrawal {
        let means = words::WITHDRAWAL_MEANS.fill(visit.lang, &[("client", &model.client.display_name)]);
        facts.push((say(words::WITHDRAWAL), means));
        facts.push((say(words::WITHDRAWAL_AMOUNT), amount(visit, model)));
        let confirmed = account.bank_accounts.iter().filter(|bank| bank.validated);
        let ibans: Vec<_> = confirmed.map(|bank| in_fours(bank.iban.as_str())).collect();
        let to = if ibans.is_empty() { say(words::PAID_NOWHERE) } else { ibans.join(", ") };
        facts.push((say(words::PAID_TO), to));
    }
    Some(ReviewPart { heading: say(words::ACCOUNT), facts, change: None })
}

/// How much one withdrawal can take out of the account as it is now (rule: journeys/sign-withdrawal).
fn amount(visit: &Visit, model: &PageModel) -> String {
    match &model.withdrawable {
        Some(limits) if limits.min <= limits.max && !limits.max.is_zero() => {
            let max = format!("{}\u{a0}{}", visit.lang.money(limits.max.get()), words::KRONOR.say(visit.lang));
            words::WITHDRAWAL_UP_TO.fill(visit.lang, &[("max", &max)])
        }
        _ => words::WITHDRAWAL_OF_SALE.say(visit.lang).to_owned(),
    }
}

/// Why nothing can be signed now, if that is so: money that would go nowhere (rule: journeys/sign-withdrawal).
#[must_use]
pub fn bars(visit: &Visit, model: &PageModel) -> Option<String> {
    let account = model.account.as_ref().filter(|_| model.journey.journey_type() == JourneyType::SignWithdrawal)?;
    let goes_nowhere = account.is_active() && !account.bank_accounts.iter().any(|bank| bank.validated);
    goes_nowhere.then(|| words::WITHDRAWAL_BARRED.say(visit.lang).to_owned())
}

/// What was filled in at a step; transfers by the account that moves. What was skipped is left out.
fn answered(visit: &Visit, model: &PageModel, view: &StepView, may_change: bool) -> Vec<ReviewPart> {
    let mut parts = Vec::new();
    let step = step_name(visit, model, view.step);
    let by_subject = matches!(view.step, JourneyStep::Transfer | JourneyStep::BeneficialOwners);
    for group in view.fields.chunk_by(|a, b| !by_subject || a.subject == b.subject) {
        let left_out = |field: &FieldView| match field.key {
            "skip" => has(field, "yes"),
            "selected" => !has(field, "yes"),
            _ => false,
        };
        let facts: Vec<_> = group.iter().filter_map(|field| fact(visit, field)).collect();
        if facts.is_empty() || group.iter().any(left_out) {
            continue;
        }
        let subject = group[0].subject.as_deref().filter(|_| by_subject).map(|subject| match view.step {
            JourneyStep::BeneficialOwners => words::OWNER_OF.fill(visit.lang, &[("n", subject)]),
            _ => subject.to_owned(),
        });
        // What was decided beforehand cannot be changed.
        let may_change = may_change && group.iter().any(|field| !field.read_only);
        let change = may_change.then(|| visit.link(view.step.name()));
        parts.push(ReviewPart { heading: subject.unwrap_or_else(|| step.clone()), facts, change });
    }
    parts
}

fn has(field: &FieldView, value: &str) -> bool {
    field.values.iter().any(|known| &**known == value)
}

fn fact(visit: &Visit, view: &FieldView) -> Option<(String, String)> {
    if matches!(view.key, "skip" | "selected") || view.values.iter().all(|value| value.trim().is_empty()) {
        return None;
    }
    let field = present::read_only_field(visit.lang, view);
    let short = noun(&format!("short.{}", view.key)).map(|phrase| phrase.say(visit.lang).to_owned());
    // Each of a board is a name and a number.
    let text = field.fact(visit.lang).join(if view.key == "board" { "; " } else { ", " });
    let text = if view.kind == FieldKind::Iban { in_fours(&text) } else { text };
    let label = short.unwrap_or(field.label);
    // One question about several people says about whom.
    let about = view.subject.as_deref().filter(|_| view.key == "pep");
    Some((about.map_or_else(|| label.clone(), |person| format!("{label}: {person}")), text))
}
