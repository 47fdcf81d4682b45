//! What must be read of a journey: what was handed in, its state, what it has produced.

use super::print::{body, constant, count, decimal, flag, list, moment, money, or_null, text, text_of, word, words};
use super::value::Readable;
use sim::World;
use sim::identity::{Iban, InstrumentId};
use sim::money::Amount;
use sim::records::{
    Allocation, Configuration, Journey, JourneyResult, JourneyType, KycAnswer, TransferAccount, TransferConfiguration,
};

/// A journey without its link.
pub(in crate::network) fn journey(world: &World, it: &Journey) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("type", word(it.configuration.journey_type)),
        ("status", word(*it.state)),
        ("clientId", text(it.client)),
        ("expiryDate", moment(it.expiry)),
        ("journey", Some(configuration(&it.configuration))),
        ("submission", or_null(text_of(it.submission))),
        ("callbackUrl", text(&it.callback_url)),
        ("redirectUrl", or_null(text_of(it.redirect_url.as_deref()))),
        ("completionRedirectUrl", or_null(text_of(it.completion_redirect_url.as_deref()))),
        ("errorCode", or_null(it.error_code.and_then(word))),
        ("context", or_null(it.context.and_then(word))),
        ("scope", or_null(text_of(it.scope.as_deref()))),
        ("result", or_null(result(world, it))),
        ("deleted", flag(it.deleted.is_some())),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("deletedDate", or_null(it.deleted.and_then(moment))),
    ])
}

/// What a journey has produced, if it has.
pub(in crate::network) fn result(world: &World, journey: &Journey) -> Option<Readable> {
    let it: &JourneyResult = journey.result.as_deref()?;
    let shown = world.setup().settings.journeys.result_account_id;
    let account = it.account.as_ref().map(|account| {
        body([
            ("id", text_of(shown.then_some(account.id))),
            ("status", word(account.status)),
            ("accountType", word(account.account_type)),
            ("serviceType", word(account.service_type)),
        ])
    });
    let bank = |all: &Vec<_>| {
        list(all, |bank: &sim::records::BankAccountResult| {
            Some(body([("status", word(bank.status)), ("iban", text(bank.iban))]))
        })
    };
    let transfers = |all: &Vec<_>| {
        list(all, |transfer: &sim::records::TransferResult| {
            Some(body([("account", text(&transfer.account)), ("type", word(transfer.kind))]))
        })
    };
    let plan = it.allocation_plan.as_ref().map(|plan| {
        body([("paymentAccount", plan.payment_account.map(payment)), ("instruments", shares(&plan.instruments))])
    });
    let saving = it.savings_plan.as_ref().map(|plan| {
        body([
            ("periodicity", constant("monthly")),
            ("day", count(plan.day)),
            ("instruments", savings(&plan.instruments)),
            ("startDate", text(plan.start)),
        ])
    });
    let submission = it.submission.map(|it| body([("id", text(it.id)), ("status", word(it.status))]));
    Some(body([
        ("journeyType", word(journey.configuration.journey_type)),
        ("account", account),
        ("bankAccounts", it.bank_accounts.as_ref().and_then(bank)),
        ("transfers", it.transfers.as_ref().and_then(transfers)),
        ("allocationPlan", plan),
        ("savingsplan", saving),
        ("submission", submission),
    ]))
}

/// What was handed in comes back; some fields are null where their type takes them and nothing was given.
fn configuration(it: &Configuration) -> Readable {
    use JourneyType::{CreateAccount, CreateLegalEntityAccount, KycRenewal, UpdateAllocationPlan, UpdateSavingsPlan};
    let or_null = |value: Option<Readable>, types: &[JourneyType]| {
        if types.contains(&it.journey_type) { or_null(value) } else { value }
    };
    let opening = [CreateAccount, CreateLegalEntityAccount];
    let options = it.account_options.as_ref().map(|it| {
        body([
            ("serviceTypes", it.service_types.as_deref().and_then(words)),
            ("accountTypes", it.account_types.as_deref().and_then(words)),
            ("accountCategories", it.account_categories.as_deref().and_then(words)),
            ("ownerType", it.owner_type.and_then(word)),
        ])
    });
    let autogiro = it
        .autogiro
        .as_ref()
        .map(|it| body([("enforce", word(it.enforce)), ("forceNewBankAccount", flag(it.force_new_bank_account))]));
    let plan = it.allocation_plan.as_ref().map(|it| {
        body([
            ("depositType", it.deposit_type.and_then(word)),
            ("periodicity", it.periodicity.and_then(word)),
            ("paymentAccount", it.payment_account.map(payment)),
            ("instruments", it.instruments.as_deref().and_then(shares)),
        ])
    });
    let saving = it.savings_plan.as_ref().map(|it| {
        body([
            ("periodicity", it.periodicity.and_then(word)),
            ("instruments", it.instruments.as_deref().and_then(funds)),
        ])
    });
    body([
        ("journeyType", word(it.journey_type)),
        ("accountTypes", it.account_types.as_deref().and_then(words)),
        ("accountServiceType", it.account_service_type.and_then(word)),
        ("accountCategories", it.account_categories.as_deref().and_then(words)),
        ("accountName", text_of(it.account_name.as_deref())),
        ("email", or_null(text_of(it.email.as_deref()), &opening)),
        ("accountOptions", options),
        ("submission", text_of(it.submission)),
        ("ssn", text_of(it.ssn)),
        ("account", text_of(it.account)),
        ("autogiro", autogiro),
        ("instruments", it.instruments.as_deref().and_then(funds)),
        ("paymentAccount", it.payment_account.map(payment)),
        ("allocationPlan", or_null(plan, &[CreateAccount, CreateLegalEntityAccount, UpdateAllocationPlan])),
        ("savingsPlan", or_null(saving, &[CreateAccount, CreateLegalEntityAccount, UpdateSavingsPlan])),
        (
            "kycs",
            or_null(
                it.kycs.as_ref().and_then(|all| list(all, answer)),
                &[CreateAccount, CreateLegalEntityAccount, KycRenewal],
            ),
        ),
        ("transfer", or_null(it.transfer.as_ref().map(transfers), &[CreateAccount])),
        ("welcomeScreen", it.welcome_screen.and_then(word)),
    ])
}

fn payment(iban: Iban) -> Readable {
    body([("iban", text(iban))])
}

fn funds(all: &[InstrumentId]) -> Option<Readable> {
    list(all, |fund| Some(body([("instrument", text(fund))])))
}

/// Shares of deposits.
pub(super) fn shares(all: &[Allocation]) -> Option<Readable> {
    list(all, |it| Some(body([("instrument", text(it.instrument)), ("allocation", decimal(it.percent.get()))])))
}

/// What is bought of each fund.
pub(super) fn savings(all: &[(InstrumentId, Amount)]) -> Option<Readable> {
    list(all, |(fund, amount)| Some(body([("instrument", text(fund)), ("amount", money(*amount))])))
}

fn answer(it: &KycAnswer) -> Option<Readable> {
    let answer = match it.answer.as_slice() {
        [one] if !it.is_list => text(one),
        several => list(several, text),
    };
    Some(body([("qid", text(&it.qid)), ("answer", answer)]))
}

fn transfers(it: &TransferConfiguration) -> Readable {
    let custodians = list(&it.transfers, |it| {
        Some(body([("custodian", text(&it.custodian)), ("accounts", list(&it.accounts, |it| Some(elsewhere(it))))]))
    });
    body([("enforce", word(it.enforce)), ("transfers", custodians)])
}

/// An account at another custodian.
fn elsewhere(it: &TransferAccount) -> Readable {
    let moved = it.instruments.as_ref().and_then(|all| {
        list(all, |it| {
            let units = or_null(it.units.and_then(|units| decimal(units.get())));
            Some(body([("instrument", text(it.instrument)), ("units", units)]))
        })
    });
    body([
        ("accountNumber", or_null(text_of(it.account_number.as_deref()))),
        ("sourceAccountType", words(&it.source_account_type)),
        ("closeAccountAndSavingsplans", or_null(it.close_account_and_savingsplans.and_then(flag))),
        ("required", flag(it.required)),
        ("untransferableUnitsOutput", words(&it.untransferable_units_output)),
        ("defaultUnitsOutput", words(&it.default_units_output)),
        ("balanceOutput", words(&it.balance_output)),
        ("allowInstrumentSelection", flag(it.allow_instrument_selection)),
        ("instruments", moved),
    ])
}
