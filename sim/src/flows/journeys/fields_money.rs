//! What the steps about money ask: bank account and mandate, allocation plan, savings plan.

use super::field_view::{Choice, FieldKind, FieldView, NO, YES};
use super::fields_transfer::fund_choices;
use super::form::Form;
use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::flows::plans::checks::allocation_problems;
use crate::identity::{Iban, InstrumentId};
use crate::ids::BankAccountId;
use crate::money::{Amount, Percent};
use crate::partial::Whole as _;
use crate::records::{
    Allocation, Answers, AutogiroEnforce, DepositType, JourneyStep, JourneyType, MandateStatus, Periodicity,
};
use crate::refusal::{Fault, Problem};
use crate::time::{Date, parse_date};
use std::sync::Arc;

/// The choice of connecting a new bank account rather than picking one.
const NEW: &str = "new";
/// Longest name of a bank account.
const MAX_BANK_NAME: usize = 50;
/// The day of the month that most people are paid by.
const USUAL_DAY: &str = "25";
/// How far ahead a savings plan may begin, in days.
const MAX_DAYS_AHEAD: i64 = 366;

/// What becomes of the bank account step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BankChoice {
    /// One that the owner has connected before.
    Known(BankAccountId),
    /// A new one, or one with an IBAN that turns out to be known.
    New { iban: Iban, name: Option<Arc<str>> },
}

/// A plan as the customer wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AllocationWish {
    pub(crate) deposit_type: DepositType,
    pub(crate) periodicity: Periodicity,
    pub(crate) instruments: Vec<Allocation>,
}

/// A savings plan as the customer wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavingsWish {
    pub(crate) day: i8,
    pub(crate) instruments: Vec<(InstrumentId, Amount)>,
    pub(crate) start: Date,
}

/// Whether the customer may leave the bank account out.
fn may_skip_bank(form: &Form<'_>) -> bool {
    let charges = must_charge(form) && !form.world.planted.is(Canary::BankAccountLeftOut);
    form.enforce() == AutogiroEnforce::Optional && !charges && form.kind() != JourneyType::AddBankAccount
}

/// Whether something in the journey is charged, so that a mandate is needed.
fn must_charge(form: &Form<'_>) -> bool {
    form.shows(JourneyStep::SavingsPlan) || form.charges_allocation_plan() || form.payment_account().is_some()
}

/// The bank accounts that may be picked.
fn pickable(form: &Form<'_>) -> Vec<Choice> {
    let forced = form.configuration().autogiro.is_some_and(|autogiro| autogiro.force_new_bank_account);
    let connects = form.kind() == JourneyType::AddBankAccount && !form.asks_mandate();
    if forced || connects || form.payment_account().is_some() {
        return Vec::new();
    }
    let choice = |bank: &Arc<crate::records::BankAccount>| {
        let label = bank.name.as_deref().map_or_else(|| bank.iban.to_string(), |name| format!("{name}, {}", bank.iban));
        Choice { value: Arc::from(bank.id.to_string()), label: Some(Arc::from(label)) }
    };
    form.bank_accounts().iter().map(choice).collect()
}

pub(crate) fn bank_account(form: &Form<'_>) -> Vec<FieldView> {
    let mut fields = Vec::new();
    if may_skip_bank(form) {
        fields.push(FieldView::ask("skip", FieldKind::Flag).optional().suggest(NO));
    }
    let mut known = pickable(form);
    if !known.is_empty() {
        known.push(Choice { value: Arc::from(NEW), label: None });
        fields.push(FieldView::ask("bankAccount", FieldKind::Choice).optional().choose_named(known));
    }
    let iban = FieldView::ask("iban", FieldKind::Iban).optional();
    let iban = iban.suggest(Iban::draw(&mut form.stream("journey iban")).as_str());
    fields.push(iban.fix_if(form.payment_account().map(|iban| iban.to_string())));
    fields.push(FieldView::ask("name", FieldKind::Text { max: MAX_BANK_NAME }).optional());
    if must_charge(form) || form.asks_mandate() {
        let always = must_charge(form) || form.enforce() == AutogiroEnforce::Required;
        let mandate = FieldView::ask("mandate", FieldKind::Flag).optional().suggest(YES);
        fields.push(mandate.fix_if(always.then_some(YES)));
    }
    fields
}

/// A new bank account needs an IBAN, a Swedish one.
pub(crate) fn bank_account_problems(form: &Form<'_>, answers: &Answers) -> Vec<Problem> {
    if may_skip_bank(form) && answers.one("skip") == Some(YES) {
        return Vec::new();
    }
    let picks = answers.one("bankAccount").is_some_and(|choice| choice != NEW);
    match answers.one("iban") {
        None if !picks => vec![Problem::new("iban", Fault::Missing)],
        _ => Vec::new(),
    }
}

/// Answers that another answer makes moot: a new bank account's where a known one was picked, all where the step was skipped.
/// They would be signed as if they were meant (rule: journeys/what-is-signed).
pub(crate) fn moot_of_bank_account(form: &Form<'_>, answers: &Answers) -> &'static [&'static str] {
    if may_skip_bank(form) && answers.one("skip") == Some(YES) {
        &["bankAccount", "iban", "name", "mandate"]
    } else if answers.one("bankAccount").is_some_and(|choice| choice != NEW) {
        &["iban", "name"]
    } else {
        &[]
    }
}

/// What the customer chose, if anything.
pub(crate) fn bank_choice(form: &Form<'_>) -> Option<(BankChoice, bool)> {
    let step = JourneyStep::BankAccount;
    if !form.shows(step) || (may_skip_bank(form) && form.is_yes(step, "skip")) {
        return None;
    }
    let picked = form.answer(step, "bankAccount").filter(|choice| *choice != NEW);
    let choice = match picked.and_then(|id| BankAccountId::parse(id).ok()) {
        Some(id) => BankChoice::Known(id),
        None => BankChoice::New {
            iban: Iban::parse(form.answer(step, "iban")?).ok()?,
            name: form.answer(step, "name").map(Arc::from),
        },
    };
    Some((choice, form.is_yes(step, "mandate")))
}

/// Whether there will be a mandate to charge by.
fn can_charge(form: &Form<'_>) -> bool {
    match bank_choice(form) {
        Some((_, mandate)) => mandate || form.has_mandate(),
        None => form.has_mandate(),
    }
}

pub(crate) fn allocation_plan(form: &Form<'_>) -> Vec<FieldView> {
    let plan = form.configuration().allocation_plan.clone().unwrap_or_default();
    let deposits = match plan.deposit_type {
        Some(fixed) => vec![fixed],
        None if can_charge(form) => vec![DepositType::Manual, DepositType::Autogiro],
        None => vec![DepositType::Manual],
    };
    let periods = plan.periodicity.map_or_else(|| Periodicity::ALL.to_vec(), |fixed| vec![fixed]);
    let mut fields = vec![
        FieldView::ask("depositType", FieldKind::Choice).choose(deposits.iter().map(|deposit| deposit.name())),
        FieldView::ask("periodicity", FieldKind::Choice).choose(periods.iter().map(|period| period.name())),
    ];
    let name = |id: &str| -> Arc<str> { Arc::from(format!("allocation.{id}")) };
    match &plan.instruments {
        Some(fixed) => fields.extend(fixed.iter().map(|allocation| {
            let id = allocation.instrument.to_string();
            let field =
                FieldView::about(name(&id), "allocation", fund_name(form, allocation.instrument), FieldKind::Percent);
            field.fix(vec![Arc::from(allocation.percent.to_string())])
        })),
        None => fields.extend(offered(form, None).into_iter().enumerate().map(|(at, fund)| {
            let field = FieldView::about(name(&fund.value), "allocation", fund.label, FieldKind::Percent).optional();
            if at == 0 { field.suggest(Percent::WHOLE.to_string()) } else { field }
        })),
    }
    fields
}

fn fund_name(form: &Form<'_>, instrument: InstrumentId) -> Option<Arc<str>> {
    form.world.market.quote(instrument).map(|quote| Arc::clone(&quote.instrument.name))
}

/// Funds to choose from: those the plan names, those the journey names, or all that can be bought.
fn offered(form: &Form<'_>, plan: Option<&Vec<InstrumentId>>) -> Vec<Choice> {
    match plan.or(form.configuration().instruments.as_ref()) {
        Some(named) => {
            named.iter().map(|id| Choice { value: Arc::from(id.to_string()), label: fund_name(form, *id) }).collect()
        }
        None => fund_choices(form, |id| form.world.market.known(id).instrument.open_for_subscription()),
    }
}

/// The shares add up to exactly 100.00.
pub(crate) fn allocation_plan_problems(form: &Form<'_>, answers: &Answers) -> Vec<Problem> {
    let problems = allocation_problems(form.world, form.client, "allocation", &shares(answers).partial());
    let whole = |problem: &Problem| problem.field == "allocation";
    problems.into_iter().filter(whole).collect()
}

fn shares(answers: &Answers) -> Vec<Allocation> {
    let share = |(name, _): &(Arc<str>, Vec<Arc<str>>)| {
        let instrument = InstrumentId::parse(name.strip_prefix("allocation.")?).ok()?;
        let percent = Percent::parse(answers.one(name)?).ok()?;
        percent.is_positive().then_some(Allocation { instrument, percent })
    };
    answers.0.iter().filter_map(share).collect()
}

/// The plan that the customer chose, if the step is shown.
pub(crate) fn allocation_wish(form: &Form<'_>) -> Option<AllocationWish> {
    let step = JourneyStep::AllocationPlan;
    let answers = form.progress.of(step).filter(|_| form.shows(step))?;
    let deposit = answers.one("depositType")?;
    let period = answers.one("periodicity")?;
    Some(AllocationWish {
        deposit_type: DepositType::ALL.into_iter().find(|one| one.name() == deposit)?,
        periodicity: Periodicity::ALL.into_iter().find(|one| one.name() == period)?,
        instruments: shares(answers),
    })
}

pub(crate) fn savings_plan(form: &Form<'_>) -> Vec<FieldView> {
    let plan = form.configuration().savings_plan.as_ref();
    let funds = offered(form, plan.and_then(|plan| plan.instruments.as_ref()));
    let amount = |(at, fund): (usize, Choice)| {
        let name = Arc::from(format!("amount.{}", fund.value));
        let field = FieldView::about(name, "amount", fund.label, FieldKind::Amount).optional();
        let least = InstrumentId::parse(&fund.value).map_or(Amount::ZERO, |id| minimum(form, id));
        if at == 0 { field.suggest(least.max(Amount::from_ore(50_000)).to_string()) } else { field }
    };
    let mut fields: Vec<FieldView> = funds.into_iter().enumerate().map(amount).collect();
    fields.push(FieldView::ask("day", FieldKind::Day).suggest(USUAL_DAY));
    fields.push(FieldView::ask("startDate", FieldKind::Date).suggest(earliest_start(form).to_string()));
    fields
}

/// The least that a first purchase may be (rule: plans/first-purchase-in-plans).
fn minimum(form: &Form<'_>, instrument: InstrumentId) -> Amount {
    let fund = form.world.market.quote(instrument).map(|quote| &quote.instrument);
    fund.map_or(Amount::ZERO, |fund| fund.min_initial.unwrap_or(fund.min_investment))
}

/// One bank day after the mandate is, or is expected to be, active (rule: plans/savings-plan-start).
fn earliest_start(form: &Form<'_>) -> Date {
    let today = form.world.now.local_date();
    let active = form.charged_account().is_some_and(|bank| bank.mandate == MandateStatus::Active);
    let wait = if active { 0 } else { form.world.setup.settings.journeys.mandate_bank_days };
    add_bank_days(today, wait + 1)
}

/// At least one amount, none under the fund's minimum, a start that can be kept.
pub(crate) fn savings_plan_problems(form: &Form<'_>, answers: &Answers) -> Vec<Problem> {
    let mut problems = Vec::new();
    let amounts = amounts(answers);
    if amounts.is_empty() {
        problems.push(Problem::new("amount", Fault::Missing));
    }
    for (instrument, amount) in amounts {
        let min = minimum(form, instrument);
        if amount < min {
            problems.push(Problem::new(format!("amount.{instrument}"), Fault::BelowMinimum { min }));
        }
    }
    if let Some(start) = answers.one("startDate").and_then(|text| parse_date(text).ok()) {
        let last = form.world.now.local_date().checked_add(jiff::Span::new().days(MAX_DAYS_AHEAD));
        if start < earliest_start(form) {
            let because = "it lies before the first day on which the mandate can be used";
            problems.push(Problem::new("startDate", Fault::Invalid { because }));
        } else if last.is_ok_and(|last| start > last) {
            problems.push(Problem::new("startDate", Fault::TooFar));
        }
    }
    problems
}

fn amounts(answers: &Answers) -> Vec<(InstrumentId, Amount)> {
    let amount = |(name, _): &(Arc<str>, Vec<Arc<str>>)| {
        let instrument = InstrumentId::parse(name.strip_prefix("amount.")?).ok()?;
        let amount = Amount::parse(answers.one(name)?).ok()?;
        amount.is_positive().then_some((instrument, amount))
    };
    answers.0.iter().filter_map(amount).collect()
}

/// The plan that the customer chose, if the step is shown.
pub(crate) fn savings_wish(form: &Form<'_>) -> Option<SavingsWish> {
    let step = JourneyStep::SavingsPlan;
    let answers = form.progress.of(step).filter(|_| form.shows(step))?;
    Some(SavingsWish {
        day: answers.one("day")?.parse().ok()?,
        instruments: amounts(answers),
        start: parse_date(answers.one("startDate")?).ok()?,
    })
}
