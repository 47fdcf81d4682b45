//! What a request for a journey should lead to (rule: journeys/configuration-fields, journeys/account-options,
//! journeys/allocation-of-plans, journeys/transfer-configuration, journeys/prefilled-answers).
//!
//! Invariant: each rule is written here a second time; decided before the world is asked. Absent on purpose: the state
//! of a submission, of which nothing is known here.

use super::Model;
use super::asked::answers_question;
use super::clients::{Checked, MOST_FUNDS, is_choice, is_chosen_from};
use super::expected::{Expected, may_act, unless};
use super::field_texts::{Answer, LONGEST_ACCOUNT_NAME, is_account_number};
use sim::World;
use sim::command::CreateJourney;
use sim::identity::{Iban, InstrumentId};
use sim::ids::CustodianId;
use sim::records::{
    Account, AccountOptions, AccountStatus, AccountType, AllocationPlanConfiguration, AutogiroEnforce, Client,
    Configuration, DepositType, JourneyType, Output, Owner, OwnerKey, OwnerType, Periodicity, TransferAccount,
    TransferConfiguration,
};
use sim::refusal::Class;
use std::sync::Arc;

/// Which types of journey require (R), require where several categories are permitted (C), take (O) or refuse (X) a field:
/// a letter a type, in the order of `JourneyType::ALL`.
const FIELDS: [(IsGiven, &[u8; 8]); 17] = [
    (|it| it.account_types.is_some(), b"RXXXXXXX"),
    (|it| it.account_service_type.is_some(), b"RRXXXXXX"),
    (|it| it.account_categories.is_some(), b"CXXXXXXX"),
    (|it| it.account_options.is_some(), b"XRXXXXXX"),
    (|it| it.account_name.is_some(), b"OOXXXXXX"),
    (|it| it.email.is_some(), b"OOXXXXXX"),
    (|it| it.ssn.is_some(), b"OOOOOORO"),
    (|it| it.account.is_some(), b"XXRRRRXR"),
    (|it| it.submission.is_some(), b"XOXXXXRX"),
    (|it| it.autogiro.is_some(), b"OOOXXXXX"),
    (|it| it.instruments.is_some(), b"OOXXOOXX"),
    (|it| it.payment_account.is_some(), b"OOXXOOXX"),
    (|it| it.allocation_plan.is_some(), b"OOXXOXXX"),
    (|it| it.savings_plan.is_some(), b"OOXXXRXX"),
    (|it| it.kycs.is_some(), b"OOXXXXXO"),
    (|it| it.transfer.is_some(), b"OXXXXXXX"),
    (|it| it.welcome_screen.is_some(), b"OXXXXXXX"),
];

type IsGiven = fn(&Configuration) -> bool;

/// Most custodians, and most accounts at one.
const MOST_ENTRIES: usize = 20;
/// Most units of a fund to be moved.
const MOST_UNITS: i64 = 1_000_000_000;

impl Model {
    /// A request for a journey whose redirect addresses and partner's data are in order; of the callback's address only the scheme is
    /// looked at.
    pub(super) fn create_journey(&self, world: &World, create: &CreateJourney) -> Checked {
        let client = &self.clients[&create.scope.client];
        let it = &create.configuration;
        let scheme = create.callback_url.split(':').next().unwrap_or_default();
        let is_secure = scheme.eq_ignore_ascii_case("https") || !self.settings.journeys.https_callbacks_only;
        let is_well_formed = is_secure
            && is_permitted(client, it.journey_type)
            && has_its_fields(client, it)
            && chooses_accounts(client, it)
            && it.account_options.as_ref().is_none_or(|options| are_options(client, it, options))
            && self.may_pay(client, it)
            && it.instruments.as_deref().is_none_or(|funds| self.are_offered(client, funds))
            && it.allocation_plan.as_ref().is_none_or(|plan| self.may_allocate(client, it, plan))
            && it.savings_plan.as_ref().is_none_or(|plan| {
                client.permissions.autogiro
                    && plan.periodicity == Some(Periodicity::Monthly)
                    && plan.instruments.as_deref().is_none_or(|funds| self.are_offered(client, funds))
            })
            && it.transfer.as_ref().is_none_or(|transfer| self.may_transfer(world, client, it, transfer))
            && (it.welcome_screen.is_none() || it.transfer.is_some());
        unless(is_well_formed, Class::Malformed)?;
        let texts = [(&it.account_name, is_account_name as fn(&str) -> Checked), (&it.email, is_email)];
        texts.into_iter().try_for_each(|(text, is_fine)| text.as_deref().map_or(Ok(()), is_fine))?;
        self.are_answers(client, it)?;
        let account = match it.account {
            None => None,
            Some(id) => {
                let own = self.accounts.get(&id).filter(|file| file.last.client == client.id);
                Some(&own.ok_or(Expected::Refused(Class::Unknown))?.last)
            }
        };
        unless(account.is_none_or(|account| takes_journeys(account, it.journey_type)), Class::AccountNotActive)?;
        let signs = account.zip(it.ssn).is_none_or(|(account, ssn)| may_act(&account.owner, ssn));
        unless(signs, Class::ExecutorMismatch)?;
        unless_known(it.submission.is_none())
    }

    fn may_pay(&self, client: &Client, it: &Configuration) -> bool {
        let asks = it.autogiro.is_some_and(|autogiro| autogiro.enforce != AutogiroEnforce::None);
        (client.permissions.autogiro || !(asks || it.payment_account.is_some()))
            && it.payment_account.is_none_or(is_here)
    }

    /// Funds that can be offered, each once.
    fn are_offered(&self, client: &Client, funds: &[InstrumentId]) -> bool {
        is_choice(funds) && funds.len() <= MOST_FUNDS && funds.iter().all(|fund| self.is_offered(client, *fund))
    }

    fn may_allocate(&self, client: &Client, it: &Configuration, plan: &AllocationPlanConfiguration) -> bool {
        let account = plan
            .payment_account
            .is_none_or(|iban| is_here(iban) && it.payment_account.is_none_or(|other| other == iban));
        let names = plan.payment_account.is_some() || it.payment_account.is_some();
        let connects = it.autogiro.is_some_and(|autogiro| autogiro.enforce != AutogiroEnforce::None);
        let charged = plan.deposit_type == Some(DepositType::Autogiro);
        let pays = client.permissions.autogiro && (names || connects || self.has_mandate(client, it));
        account
            && (!charged || pays)
            && plan.instruments.as_deref().is_none_or(|shares| self.are_shares(client, shares))
    }

    /// Whether the owner has a mandate under this client that can be used.
    fn has_mandate(&self, client: &Client, it: &Configuration) -> bool {
        let owner = match it.account.map(|id| self.accounts.get(&id)) {
            Some(Some(file)) => (file.last.client == client.id).then(|| file.last.owner.key()),
            Some(None) | None => it.ssn.map(OwnerKey::Ssn),
        };
        owner.is_some_and(|owner| self.has_mandate_of(client.id, &owner))
    }

    fn may_transfer(
        &self,
        world: &World,
        client: &Client,
        it: &Configuration,
        transfer: &TransferConfiguration,
    ) -> bool {
        let entries = &transfer.transfers;
        let is_known = |custodian: &CustodianId| world.setup().custodians.iter().any(|known| known.id == *custodian);
        let accounts =
            || entries.iter().flat_map(|entry| entry.accounts.iter().map(move |one| (&entry.custodian, one)));
        let numbers: Vec<_> = accounts().map(|(custodian, one)| (custodian, &one.account_number)).collect();
        client.permissions.transfers
            && (1..=MOST_ENTRIES).contains(&entries.len())
            && entries
                .iter()
                .all(|entry| is_known(&entry.custodian) && (1..=MOST_ENTRIES).contains(&entry.accounts.len()))
            && is_choice(&numbers)
            && accounts().all(|(_, account)| self.may_be_moved(it, account))
    }

    /// One account at a custodian.
    fn may_be_moved(&self, it: &Configuration, account: &TransferAccount) -> bool {
        let sources = &account.source_account_type;
        let number = account.account_number.as_deref();
        let allowed = it.account_types.as_ref().unwrap_or(sources);
        let insured = |source: &AccountType| *source == AccountType::Insurance;
        let (only, some) = (sources.iter().all(insured), sources.iter().any(insured));
        let outputs = &account.default_units_output;
        let cash = |outputs: &[Output]| is_choice(outputs) && !outputs.contains(&Output::Units);
        let funds = account.instruments.as_deref().unwrap_or_default();
        let ids: Vec<_> = funds.iter().map(|wanted| wanted.instrument).collect();
        let fits_insurance = !some
            || (outputs.iter().any(|output| *output != Output::Units)
                && !(only
                    && (outputs.contains(&Output::Units) || account.allow_instrument_selection || !funds.is_empty())));
        number.is_none_or(is_account_number)
            && is_choice(sources)
            && (number.is_none() || sources.len() == 1)
            && sources.iter().all(|source| allowed.contains(source))
            && cash(&account.untransferable_units_output)
            && is_choice(outputs)
            && cash(&account.balance_output)
            && fits_insurance
            && funds.len() <= MOST_FUNDS
            && (funds.is_empty() || is_choice(&ids))
            && ids.iter().all(|fund| self.funds.contains_key(fund))
            && funds.iter().filter_map(|wanted| wanted.units).all(|units| {
                let units = units.get();
                units > 0.into() && units <= MOST_UNITS.into()
            })
    }

    /// Answers that are given beforehand: each question once, of those that the owner is asked.
    fn are_answers(&self, client: &Client, it: &Configuration) -> Checked {
        let Some(answers) = &it.kycs else { return Ok(()) };
        let own = it.account.and_then(|id| self.accounts.get(&id)).filter(|file| file.last.client == client.id);
        let owner = own.map(|file| &file.last.owner);
        // A renewal may be of an account that is not known, whose owner could be either.
        unless_known(it.journey_type != JourneyType::KycRenewal || owner.is_some())?;
        let of_company = it.journey_type == JourneyType::CreateLegalEntityAccount
            || owner.is_some_and(|owner| matches!(**owner, Owner::LegalEntity(_)));
        let qids: Vec<&str> = answers.iter().map(|answer| &*answer.qid).collect();
        let each = answers.iter().map(|it| answers_question(of_company, &it.qid, &it.answer).unwrap_or(Answer::Wrong));
        let all = Answer::all(each.chain([Answer::of(qids.is_empty() || is_choice(&qids))]));
        unless(all != Answer::Wrong, Class::Malformed)?;
        unless_known(all == Answer::Right)
    }
}

/// What follows is right only if this is known.
fn unless_known(is_known: bool) -> Checked {
    if is_known { Ok(()) } else { Err(Expected::Unsure) }
}

fn is_permitted(client: &Client, kind: JourneyType) -> bool {
    let permissions = &client.permissions;
    let owner = match kind {
        JourneyType::CreateAccount => Some(OwnerType::NaturalPerson),
        JourneyType::CreateLegalEntityAccount => Some(OwnerType::LegalEntity),
        _ => None,
    };
    permissions.journey_types.iter().any(|name| **name == *kind.name())
        && owner.is_none_or(|owner| permissions.owner_types.contains(&owner))
        && (kind != JourneyType::SignWithdrawal || permissions.withdrawals)
}

fn has_its_fields(client: &Client, it: &Configuration) -> bool {
    let place = JourneyType::ALL.iter().position(|kind| *kind == it.journey_type);
    let several = client.permissions.categories.len() > 1;
    FIELDS.iter().all(|(is_given, letters)| match place.map(|place| letters[place]) {
        Some(b'R') => is_given(it),
        Some(b'C') => is_given(it) || !several,
        Some(b'X') => !is_given(it),
        _ => true,
    })
}

fn chooses_accounts(client: &Client, it: &Configuration) -> bool {
    let permissions = &client.permissions;
    it.account_types.as_deref().is_none_or(|types| is_chosen_from(types, &permissions.account_types))
        && it.account_service_type.is_none_or(|service| permissions.service_types.contains(&service))
        && it.account_categories.as_deref().is_none_or(|all| is_chosen_from(all, &permissions.categories))
}

/// What a company may choose from.
fn are_options(client: &Client, it: &Configuration, options: &AccountOptions) -> bool {
    let permissions = &client.permissions;
    let services = options.service_types.as_deref().is_some_and(|services| {
        is_chosen_from(services, &permissions.service_types)
            && it.account_service_type.is_none_or(|service| services.contains(&service))
    });
    let types = options
        .account_types
        .as_deref()
        .is_some_and(|types| is_chosen_from(types, &permissions.account_types) && !types.contains(&AccountType::Isk));
    let categories = match options.account_categories.as_deref() {
        None => permissions.categories.len() <= 1,
        Some(all) => is_chosen_from(all, &permissions.categories),
    };
    options.owner_type == Some(OwnerType::LegalEntity) && services && types && categories
}

/// Whether a journey of this type can be about an account.
fn takes_journeys(account: &Arc<Account>, kind: JourneyType) -> bool {
    let is_there = account.deleted.is_none();
    match account.status() {
        AccountStatus::Active => is_there,
        AccountStatus::Closing => is_there && kind == JourneyType::AddBankAccount,
        AccountStatus::Pending | AccountStatus::Confirm | AccountStatus::Rejected => false,
    }
}

/// A Swedish bank account.
fn is_here(iban: Iban) -> bool {
    iban.as_str().starts_with("SE")
}

/// A name is not blank and not too long; of characters that are no letters nothing is known.
fn is_account_name(text: &str) -> Checked {
    unless(!text.trim().is_empty() && text.chars().count() <= LONGEST_ACCOUNT_NAME, Class::Malformed)?;
    unless_known(text.chars().all(|c| c.is_alphanumeric() || c == ' '))
}

/// An address has something before its first `@` and a domain behind it; of others than plain ones nothing is known.
fn is_email(text: &str) -> Checked {
    let parts = text.split_once('@').filter(|(local, domain)| !local.is_empty() && domain.contains('.'));
    let (local, domain) = parts.ok_or(Expected::Refused(Class::Malformed))?;
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_plain = text.len() <= 64 && is_word(local) && domain.split('.').all(is_word);
    unless_known(is_plain)
}
