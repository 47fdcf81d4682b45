//! A journey's configuration read from a request.
//!
//! Null is the same as left out (rule: journeys/null-hides). What cannot be read is noted and then stands in as if it
//! had been left out, so that everything else can be judged in the same answer. Absent on purpose: rules between
//! fields, which the world tells with the same paths.

use super::transfer;
use crate::wire::fields::{self, Fields, Spot};
use crate::wire::json::Node;
use crate::wire::words::word;
use sim::identity::{Iban, InstrumentId};
use sim::money::Percent;
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
        account_types: account_types.flatten(),
        account_service_type: account_service_type.flatten(),
        account_categories: account_categories.flatten(),
        account_name: account_name.flatten(),
        email: email.flatten(),
        account_options: account_options.flatten(),
        ssn: ssn.flatten(),
        account: account.flatten(),
        submission: submission.flatten(),
        autogiro: autogiro.flatten(),
        instruments: instruments.flatten(),
        payment_account: payment_account.flatten(),
        allocation_plan: allocation_plan.flatten(),
        savings_plan: savings_plan.flatten(),
        kycs: kycs.flatten(),
        transfer: transfer.flatten(),
        welcome_screen: welcome_screen.flatten(),
    })
}

fn options(options: &mut Fields<'_, '_>) -> Option<AccountOptions> {
    let owner_type = options.optional("ownerType", word);
    let service_types = options.optional("serviceTypes", |spot| spot.list(word));
    let account_types = options.optional("accountTypes", |spot| spot.list(word));
    let account_categories = options.optional("accountCategories", |spot| spot.list(word));
    Some(AccountOptions {
        owner_type: owner_type.flatten(),
        service_types: service_types.flatten(),
        account_types: account_types.flatten(),
        account_categories: account_categories.flatten(),
    })
}

fn autogiro(autogiro: &mut Fields<'_, '_>) -> Option<Autogiro> {
    let enforce = autogiro.or("enforce", AutogiroEnforce::None, word);
    let force_new_bank_account = autogiro.or("forceNewBankAccount", false, fields::flag);
    Some(Autogiro {
        enforce: enforce.unwrap_or(AutogiroEnforce::None),
        force_new_bank_account: force_new_bank_account.unwrap_or(false),
    })
}

fn fund(spot: Spot<'_, '_>) -> Option<InstrumentId> {
    spot.object(|fund| fund.required("instrument", fields::instrument).or_else(unreadable_fund))
}

/// Stands in for a fund that cannot be read: no world has it.
pub(crate) fn unreadable_fund() -> Option<InstrumentId> {
    InstrumentId::parse("ZZ0000000008XXX").ok()
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
        deposit_type: deposit_type.flatten(),
        periodicity: periodicity.flatten(),
        payment_account: payment_account.flatten(),
        instruments: instruments.flatten(),
    })
}

/// A fund's share of every deposit.
pub(crate) fn allocation(spot: Spot<'_, '_>) -> Option<Allocation> {
    spot.object(|share| {
        let instrument = share.required("instrument", fields::instrument);
        let percent = share.required("allocation", fields::percent);
        Some(Allocation { instrument: instrument.or_else(unreadable_fund)?, percent: percent.unwrap_or(Percent::ZERO) })
    })
}

fn savings_plan(plan: &mut Fields<'_, '_>) -> Option<SavingsPlanConfiguration> {
    let periodicity = plan.optional("periodicity", word);
    let instruments = plan.optional("instruments", |spot| spot.list(fund));
    Some(SavingsPlanConfiguration { periodicity: periodicity.flatten(), instruments: instruments.flatten() })
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
    let (answer, is_list) = answer.unwrap_or_default();
    Some(KycAnswer { qid: qid.unwrap_or_default(), answer, is_list })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fund_that_cannot_be_read_has_a_stand_in() {
        assert!(unreadable_fund().is_some());
    }
}
