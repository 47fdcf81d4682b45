//! A journey's configuration read from a request.
//!
//! Null is the same as left out (`decisions 1.5`). Absent on purpose: rules between fields, which the world tells with
//! the same paths.

use super::transfer;
use crate::wire::fields::{self, Fields, Spot};
use crate::wire::json::Node;
use crate::wire::words::word;
use sim::identity::{Iban, InstrumentId};
use sim::records::{
    AccountOptions, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Configuration, KycAnswer,
    SavingsPlanConfiguration,
};
use std::sync::Arc;

/// Reads a configuration.
pub fn read(given: &mut Fields<'_, '_>) -> Option<Configuration> {
    let journey_type = given.required("journeyType", word);
    let account_types = given.optional("accountTypes", |spot| spot.list(word));
    let account_service_type = given.optional("accountServiceType", word);
    let account_categories = given.optional("accountCategories", |spot| spot.list(word));
    let account_name = given.optional("accountName", fields::free_text);
    let email = given.optional("email", fields::free_text);
    let account_options = given.optional("accountOptions", |spot| spot.object(options));
    let ssn = given.optional("ssn", fields::personal_number);
    let account = given.optional("account", fields::id);
    let submission = given.optional("submission", fields::id);
    let autogiro = given.optional("autogiro", |spot| spot.object(autogiro));
    let instruments = given.optional("instruments", |spot| spot.list(fund));
    let payment_account = given.optional("paymentAccount", payment_account);
    let allocation_plan = given.optional("allocationPlan", |spot| spot.object(allocation_plan));
    let savings_plan = given.optional("savingsPlan", |spot| spot.object(savings_plan));
    let kycs = given.optional("kycs", |spot| spot.list(|spot| spot.object(kyc)));
    let transfer = given.optional("transfer", |spot| spot.object(transfer::read));
    let welcome_screen = given.optional("welcomeScreen", word);
    Some(Configuration {
        journey_type: journey_type?,
        account_types: account_types?,
        account_service_type: account_service_type?,
        account_categories: account_categories?,
        account_name: account_name?,
        email: email?,
        account_options: account_options?,
        ssn: ssn?,
        account: account?,
        submission: submission?,
        autogiro: autogiro?,
        instruments: instruments?,
        payment_account: payment_account?,
        allocation_plan: allocation_plan?,
        savings_plan: savings_plan?,
        kycs: kycs?,
        transfer: transfer?,
        welcome_screen: welcome_screen?,
    })
}

fn options(options: &mut Fields<'_, '_>) -> Option<AccountOptions> {
    let owner_type = options.optional("ownerType", word);
    let service_types = options.optional("serviceTypes", |spot| spot.list(word));
    let account_types = options.optional("accountTypes", |spot| spot.list(word));
    let account_categories = options.optional("accountCategories", |spot| spot.list(word));
    Some(AccountOptions {
        owner_type: owner_type?,
        service_types: service_types?,
        account_types: account_types?,
        account_categories: account_categories?,
    })
}

fn autogiro(autogiro: &mut Fields<'_, '_>) -> Option<Autogiro> {
    let enforce = autogiro.or("enforce", AutogiroEnforce::None, word);
    let force_new_bank_account = autogiro.or("forceNewBankAccount", false, fields::flag);
    Some(Autogiro { enforce: enforce?, force_new_bank_account: force_new_bank_account? })
}

fn fund(spot: Spot<'_, '_>) -> Option<InstrumentId> {
    spot.object(|fund| fund.required("instrument", fields::instrument))
}

fn payment_account(spot: Spot<'_, '_>) -> Option<Iban> {
    spot.object(|account| account.required("iban", fields::iban))
}

fn allocation_plan(plan: &mut Fields<'_, '_>) -> Option<AllocationPlanConfiguration> {
    let deposit_type = plan.optional("depositType", word);
    let periodicity = plan.optional("periodicity", word);
    let payment_account = plan.optional("paymentAccount", payment_account);
    let instruments = plan.optional("instruments", |spot| spot.list(allocation));
    Some(AllocationPlanConfiguration {
        deposit_type: deposit_type?,
        periodicity: periodicity?,
        payment_account: payment_account?,
        instruments: instruments?,
    })
}

/// A fund's share of every deposit.
pub(crate) fn allocation(spot: Spot<'_, '_>) -> Option<Allocation> {
    spot.object(|share| {
        let instrument = share.required("instrument", fields::instrument);
        let percent = share.required("allocation", fields::percent);
        Some(Allocation { instrument: instrument?, percent: percent? })
    })
}

fn savings_plan(plan: &mut Fields<'_, '_>) -> Option<SavingsPlanConfiguration> {
    let periodicity = plan.optional("periodicity", word);
    let instruments = plan.optional("instruments", |spot| spot.list(fund));
    Some(SavingsPlanConfiguration { periodicity: periodicity?, instruments: instruments? })
}

fn kyc(kyc: &mut Fields<'_, '_>) -> Option<KycAnswer> {
    let qid = kyc.required("qid", fields::free_text);
    let answer = kyc.required("answer", |spot| {
        let is_list = matches!(spot.node(), Node::List(_));
        let texts: Option<Vec<Arc<str>>> = match spot.node() {
            Node::List(_) => spot.list(fields::free_text),
            Node::Text(text) => Some(vec![text.as_ref().into()]),
            other => spot.wrong(format_args!("must be a string or an array of strings, not {}", other.kind())),
        };
        texts.map(|texts| (texts, is_list))
    });
    let (answer, is_list) = answer?;
    Some(KycAnswer { qid: qid?, answer, is_list })
}
