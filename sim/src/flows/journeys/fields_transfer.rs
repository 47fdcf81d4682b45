//! What the transfer step asks, one group of fields an account at a custodian (rule: journeys/transfer-configuration,
//! journeys/like-for-like).

use super::field_view::{Choice, FieldKind, FieldView, NO, YES};
use super::form::Form;
use super::transfer_rules::{ACCOUNT_NUMBER_FORM, MAX_ACCOUNT_NUMBER, is_account_number};
use crate::identity::InstrumentId;
use crate::ids::CustodianId;
use crate::records::{
    AccountType, Answers, Configuration, JourneyStep, Output, TransferAccount, TransferEnforce, TransferInstrument,
    TransferOrder,
};
use crate::refusal::{Fault, Problem};
use std::sync::Arc;

/// One account of the configuration, with the beginning of its fields' names.
struct TransferRow<'c> {
    path: String,
    custodian: &'c CustodianId,
    account: &'c TransferAccount,
}

fn entries(configuration: &Configuration) -> Vec<TransferRow<'_>> {
    let transfers = configuration.transfer.as_ref().map_or(&[][..], |transfer| transfer.transfers.as_slice());
    let of = |(at, custodian): (usize, &'_ crate::records::CustodianTransfers)| -> Vec<(String, usize)> {
        (0..custodian.accounts.len()).map(|of| (format!("transfers[{at}].accounts[{of}]"), of)).collect()
    };
    transfers
        .iter()
        .enumerate()
        .flat_map(|(at, entry)| {
            of((at, entry)).into_iter().map(|(path, of)| TransferRow {
                path,
                custodian: &entry.custodian,
                account: &entry.accounts[of],
            })
        })
        .collect()
}

/// The kind of account that the first transfer comes from.
pub(crate) fn first_source(configuration: &Configuration) -> Option<AccountType> {
    let entries = entries(configuration);
    let first = entries.iter().find(|entry| entry.account.required).or(entries.first())?;
    first.account.source_account_type.first().copied()
}

fn may_skip(configuration: &Configuration) -> bool {
    configuration.transfer.as_ref().is_some_and(|transfer| transfer.enforce == TransferEnforce::Optional)
}

/// The fields of the step.
pub(crate) fn of(form: &Form<'_>) -> Vec<FieldView> {
    let mut fields = Vec::new();
    if may_skip(form.configuration()) {
        fields.push(FieldView::ask("skip", FieldKind::Flag).optional().suggest(NO));
    }
    for entry in entries(form.configuration()) {
        account_fields(form, &entry, &mut fields);
    }
    fields
}

fn account_fields(form: &Form<'_>, entry: &TransferRow<'_>, fields: &mut Vec<FieldView>) {
    let account = entry.account;
    let name = form.world.setup.custodians.iter().find(|known| known.id == *entry.custodian);
    let subject = name.map(|custodian| match &account.account_number {
        Some(number) => Arc::from(format!("{} {number}", custodian.name)),
        None => Arc::clone(&custodian.name),
    });
    let ask = |key: &'static str, kind| {
        FieldView::about(Arc::from(format!("{}.{key}", entry.path)), key, subject.clone(), kind).optional()
    };
    let words = |outputs: &[Output], fits: fn(Output) -> bool| {
        outputs.iter().filter(|output| fits(**output)).map(|output| output.name()).collect::<Vec<_>>()
    };
    let all = |_| true;
    let chosen_type = form.answer(JourneyStep::AccountDetails, "accountType").unwrap_or_default();
    // The source is of the type that is opened, and no units move into an insurance (rule: securities/transfer-deliveries).
    let insured = chosen_type == AccountType::Insurance.name();
    let movable = if insured { |output| output != Output::Units } else { all };
    fields.extend([
        ask("selected", FieldKind::Flag).suggest(YES).fix_if(account.required.then_some(YES)),
        ask("accountNumber", FieldKind::Text { max: MAX_ACCOUNT_NUMBER })
            .suggest(some_number(form, &entry.path))
            .fix_if(account.account_number.as_deref()),
        ask("sourceAccountType", FieldKind::Choice)
            .suggest(chosen_type)
            .choose(account.source_account_type.iter().map(|source| source.name())),
        ask("closeAccountAndSavingsplans", FieldKind::Flag)
            .suggest(NO)
            .fix_if(account.close_account_and_savingsplans.map(|close| if close { YES } else { NO })),
        ask("untransferableUnitsOutput", FieldKind::Choice).choose(words(&account.untransferable_units_output, all)),
        ask("defaultUnitsOutput", FieldKind::Choice).choose(words(&account.default_units_output, movable)),
        ask("balanceOutput", FieldKind::Choice).choose(words(&account.balance_output, all)),
    ]);
    let listed: Vec<Arc<str>> =
        account.instruments.iter().flatten().map(|wanted| Arc::from(wanted.instrument.to_string())).collect();
    if insured {
        return;
    }
    if account.allow_instrument_selection {
        let field = ask("instruments", FieldKind::Choices);
        let choices = fund_choices(form, |_| true);
        let mut field = FieldView { choices, ..field };
        field.suggestion.clone_from(&listed);
        field.values = listed;
        fields.push(field);
    } else if !listed.is_empty() {
        fields.push(ask("instruments", FieldKind::Choices).fix(listed));
    }
}

/// Funds of the client's universe as choices, ordered by id.
pub(crate) fn fund_choices(form: &Form<'_>, keep: impl Fn(InstrumentId) -> bool) -> Vec<Choice> {
    let mut funds: Vec<_> = form
        .world
        .market
        .quotes()
        .filter(|quote| form.client.universe.contains(quote.instrument.id) && keep(quote.instrument.id))
        .collect();
    funds.sort_by_key(|quote| quote.instrument.id);
    let choice = |quote: &crate::market::Quote| Choice {
        value: Arc::from(quote.instrument.id.to_string()),
        label: Some(Arc::clone(&quote.instrument.name)),
    };
    funds.into_iter().map(choice).collect()
}

fn some_number(form: &Form<'_>, path: &str) -> String {
    let mut stream = form.stream(&format!("account number at {path}"));
    format!("{:09}", stream.below(1_000_000_000))
}

/// Rules between the fields: what is chosen must be complete, and at least one when the step cannot be skipped.
pub(crate) fn problems(form: &Form<'_>, answers: &Answers) -> Vec<Problem> {
    let configuration = form.configuration();
    if may_skip(configuration) && answers.one("skip") == Some(YES) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let mut numbers: Vec<(&CustodianId, &str)> = Vec::new();
    let entries = entries(configuration);
    let account_type = form.answer(JourneyStep::AccountDetails, "accountType");
    for entry in &entries {
        let name = |key: &str| format!("{}.{key}", entry.path);
        if answers.one(&name("selected")) != Some(YES) {
            continue;
        }
        for key in ["sourceAccountType", "untransferableUnitsOutput", "defaultUnitsOutput", "balanceOutput"] {
            if answers.one(&name(key)).is_none() {
                problems.push(Problem::new(name(key), Fault::Missing));
            }
        }
        if answers.one(&name("sourceAccountType")).is_some_and(|source| Some(source) != account_type) {
            let because = "it must be the type of the account that is opened";
            problems.push(Problem::new(name("sourceAccountType"), Fault::Invalid { because }));
        }
        match answers.one(&name("accountNumber")) {
            None => problems.push(Problem::new(name("accountNumber"), Fault::Missing)),
            Some(number) if !is_account_number(number) => {
                let because = ACCOUNT_NUMBER_FORM;
                problems.push(Problem::new(name("accountNumber"), Fault::Invalid { because }));
            }
            Some(number) if numbers.contains(&(entry.custodian, number)) => {
                problems.push(Problem::new(name("accountNumber"), Fault::Duplicate));
            }
            Some(number) => numbers.push((entry.custodian, number)),
        }
    }
    let chosen = entries.iter().any(|entry| answers.one(&format!("{}.selected", entry.path)) == Some(YES));
    if !chosen && !may_skip(configuration) {
        problems.push(Problem::new("selected", Fault::Missing));
    }
    problems
}

/// What the customer has decided, one order an account at a custodian.
pub(crate) fn orders(form: &Form<'_>) -> Vec<(CustodianId, TransferOrder)> {
    let configuration = form.configuration();
    if !form.shows(JourneyStep::Transfer) || (may_skip(configuration) && form.is_yes(JourneyStep::Transfer, "skip")) {
        return Vec::new();
    }
    entries(configuration)
        .iter()
        .filter(|entry| form.is_yes(JourneyStep::Transfer, &format!("{}.selected", entry.path)))
        .map(|entry| (entry.custodian.clone(), order(form, entry)))
        .collect()
}

fn order(form: &Form<'_>, entry: &TransferRow<'_>) -> TransferOrder {
    let answer = |key: &str| form.answer(JourneyStep::Transfer, &format!("{}.{key}", entry.path));
    let output = |key: &str| {
        let word = answer(key).expect("checked when the step was answered");
        Output::ALL.into_iter().find(|output| output.name() == word).expect("one of the choices")
    };
    let source = answer("sourceAccountType").expect("checked when the step was answered");
    let listed = entry.account.instruments.as_deref().unwrap_or_default();
    let chosen = form.answers(JourneyStep::Transfer, &format!("{}.instruments", entry.path));
    let added = chosen.iter().filter_map(|text| InstrumentId::parse(text).ok());
    let added = added.filter(|id| !listed.iter().any(|wanted| wanted.instrument == *id));
    TransferOrder {
        account_number: Arc::from(answer("accountNumber").expect("checked when the step was answered")),
        source_account_type: AccountType::ALL
            .into_iter()
            .find(|kind| kind.name() == source)
            .expect("one of the choices"),
        close_account_and_savingsplans: answer("closeAccountAndSavingsplans") == Some(YES),
        required: entry.account.required,
        untransferable_units_output: output("untransferableUnitsOutput"),
        default_units_output: output("defaultUnitsOutput"),
        balance_output: output("balanceOutput"),
        instruments: listed
            .iter()
            .copied()
            .chain(added.map(|instrument| TransferInstrument { instrument, units: None }))
            .collect(),
    }
}
