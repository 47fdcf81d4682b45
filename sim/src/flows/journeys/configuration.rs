//! Whether a configuration fits its journey type and its client (rule: journeys/configuration-fields).
//!
//! Invariant: every problem is named by its field's path, and all of them are told at once. Pure. Absent on purpose:
//! whether the account or submission exists, which is a later class of refusal.

use super::{texts, transfer_rules};
use crate::identity::{Iban, InstrumentId};
use crate::money::Percent;
use crate::records::{
    AccountType, Allocation, AllocationPlanConfiguration, AutogiroEnforce, Category, Client, Configuration,
    DepositType, FIELDS, JourneyType, KycAnswer, OwnerType, Periodicity, Presence, SavingsPlanConfiguration, question,
};
use crate::refusal::{Fault, Problem};
use crate::world::World;

/// Longest account name.
pub(crate) const MAX_ACCOUNT_NAME: usize = 50;
/// Longest text of one KYC answer.
pub(crate) const MAX_KYC_ANSWER: usize = 255;
/// Most entries of a list of funds.
const MAX_INSTRUMENTS: usize = 200;
/// Most texts in one KYC answer.
const MAX_KYC_TEXTS: usize = 20;

/// Problems found so far, each below `journey`.
pub(crate) struct Findings<'w> {
    pub(crate) world: &'w World,
    pub(crate) client: &'w Client,
    pub(crate) problems: Vec<Problem>,
}

impl Findings<'_> {
    pub(crate) fn say(&mut self, field: impl std::fmt::Display, fault: Fault) {
        self.problems.push(Problem::new(format!("journey.{field}"), fault));
    }

    fn note(&mut self, field: impl std::fmt::Display, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.say(field, fault);
        }
    }

    /// A choice: not empty, nothing twice.
    pub(crate) fn choice<T: PartialEq>(&mut self, field: &str, items: &[T]) {
        if items.is_empty() {
            self.say(field, Fault::Empty);
        }
        for (at, item) in items.iter().enumerate() {
            if items[..at].contains(item) {
                self.say(format_args!("{field}[{at}]"), Fault::Duplicate);
            }
        }
    }

    /// A choice that the client's permissions bound.
    fn bounded<T: PartialEq>(&mut self, field: &str, items: &[T], permitted: &[T]) {
        self.choice(field, items);
        for (at, item) in items.iter().enumerate() {
            if !permitted.contains(item) {
                self.say(format_args!("{field}[{at}]"), Fault::NotPermitted);
            }
        }
    }

    /// A fund that the client offers.
    pub(crate) fn offered(&mut self, field: impl std::fmt::Display, instrument: InstrumentId) {
        if self.world.market.quote(instrument).is_none() {
            self.say(field, Fault::NotFound);
        } else if !self.client.universe.contains(instrument) {
            self.say(field, Fault::NotInUniverse);
        }
    }

    fn funds(&mut self, field: &str, instruments: &[InstrumentId]) {
        if instruments.len() > MAX_INSTRUMENTS {
            self.say(field, Fault::TooMany { max: MAX_INSTRUMENTS });
            return;
        }
        self.choice(field, instruments);
        for (at, &instrument) in instruments.iter().enumerate() {
            self.offered(format_args!("{field}[{at}].instrument"), instrument);
        }
    }
}

/// Everything that is wrong with a configuration by itself and for this client.
pub(crate) fn problems(world: &World, client: &Client, configuration: &Configuration) -> Vec<Problem> {
    let mut found = Findings { world, client, problems: Vec::new() };
    check_type(&mut found, configuration);
    check_presence(&mut found, configuration);
    check_account_choices(&mut found, configuration);
    check_options(&mut found, configuration);
    if let Some(name) = &configuration.account_name {
        found.note("accountName", texts::shown(name, MAX_ACCOUNT_NAME));
    }
    if let Some(email) = &configuration.email {
        found.note("email", texts::email(email));
    }
    check_payment(&mut found, configuration);
    if let Some(instruments) = &configuration.instruments {
        found.funds("instruments", instruments);
    }
    if let Some(plan) = &configuration.allocation_plan {
        check_allocation_plan(&mut found, configuration, plan);
    }
    if let Some(plan) = &configuration.savings_plan {
        check_savings_plan(&mut found, plan);
    }
    if let Some(kycs) = &configuration.kycs {
        check_kycs(&mut found, kycs);
    }
    transfer_rules::check(&mut found, configuration);
    found.problems
}

fn check_type(found: &mut Findings<'_>, configuration: &Configuration) {
    let permissions = &found.client.permissions;
    let kind = configuration.journey_type;
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
fn check_presence(found: &mut Findings<'_>, configuration: &Configuration) {
    let kind = configuration.journey_type;
    let column = JourneyType::ALL.iter().position(|known| *known == kind).expect("every type has a column");
    let open = found.client.permissions.categories.len() > 1;
    for &(field, presence) in FIELDS {
        match (presence[column], configuration.has(field)) {
            (Presence::Required, false) => found.say(field, Fault::Missing),
            (Presence::RequiredIfOpen, false) if open => found.say(field, Fault::Missing),
            (Presence::Refused, true) => {
                found.say(field, Fault::Forbidden { because: "this type of journey does not take it" });
            }
            _ => {}
        }
    }
}

fn check_account_choices(found: &mut Findings<'_>, configuration: &Configuration) {
    let permissions = &found.client.permissions;
    if let Some(types) = &configuration.account_types {
        found.bounded("accountTypes", types, &permissions.account_types);
    }
    if configuration.account_service_type.is_some_and(|service| !permissions.service_types.contains(&service)) {
        found.say("accountServiceType", Fault::NotPermitted);
    }
    if let Some(categories) = &configuration.account_categories {
        found.bounded("accountCategories", categories, &permissions.categories);
    }
}

fn check_options(found: &mut Findings<'_>, configuration: &Configuration) {
    let Some(options) = &configuration.account_options else { return };
    let permissions = &found.client.permissions;
    match options.owner_type {
        None => found.say("accountOptions.ownerType", Fault::Missing),
        Some(OwnerType::LegalEntity) => {}
        Some(OwnerType::NaturalPerson) => {
            found.say("accountOptions.ownerType", Fault::Invalid { because: "only `legal_entity` fits here" });
        }
    }
    match &options.service_types {
        None => found.say("accountOptions.serviceTypes", Fault::Missing),
        Some(services) => {
            found.bounded("accountOptions.serviceTypes", services, &permissions.service_types);
            if configuration.account_service_type.is_some_and(|service| !services.contains(&service)) {
                let because = "it must be one of `accountOptions.serviceTypes`";
                found.say("accountServiceType", Fault::Invalid { because });
            }
        }
    }
    match &options.account_types {
        None => found.say("accountOptions.accountTypes", Fault::Missing),
        Some(types) => {
            found.bounded("accountOptions.accountTypes", types, &permissions.account_types);
            if let Some(at) = types.iter().position(|kind| *kind == AccountType::Isk) {
                let because = "only a natural person can own an ISK";
                found.say(format_args!("accountOptions.accountTypes[{at}]"), Fault::NotForThisAccountType { because });
            }
        }
    }
    check_option_categories(found, options.account_categories.as_deref());
}

fn check_option_categories(found: &mut Findings<'_>, categories: Option<&[Category]>) {
    let permitted = &found.client.permissions.categories;
    match categories {
        None if permitted.len() > 1 => found.say("accountOptions.accountCategories", Fault::Missing),
        None => {}
        Some(categories) => found.bounded("accountOptions.accountCategories", categories, permitted),
    }
}

fn check_payment(found: &mut Findings<'_>, configuration: &Configuration) {
    let autogiro = found.client.permissions.autogiro;
    let wants = |enforce| enforce != AutogiroEnforce::None;
    if configuration.autogiro.is_some_and(|autogiro| wants(autogiro.enforce)) && !autogiro {
        found.say("autogiro.enforce", Fault::NotPermitted);
    }
    if let Some(iban) = configuration.payment_account {
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

fn check_allocation_plan(found: &mut Findings<'_>, configuration: &Configuration, plan: &AllocationPlanConfiguration) {
    let account_field = "allocationPlan.paymentAccount.iban";
    if let Some(iban) = plan.payment_account {
        check_iban(found, account_field, iban);
        if configuration.payment_account.is_some_and(|other| other != iban) {
            found.say(account_field, Fault::Invalid { because: "it differs from `paymentAccount.iban`" });
        }
    }
    if plan.deposit_type == Some(DepositType::Autogiro) {
        if !found.client.permissions.autogiro {
            found.say("allocationPlan.depositType", Fault::NotPermitted);
        }
        let named = plan.payment_account.is_some() || configuration.payment_account.is_some();
        if !named && !connects(configuration) && !has_mandate(found.world, found.client, configuration) {
            found.say(account_field, Fault::Missing);
        }
    }
    if let Some(allocations) = &plan.instruments {
        for problem in allocation_problems(found.world, found.client, "instruments", allocations) {
            found.say(format_args!("allocationPlan.{}", problem.field), problem.fault);
        }
    }
}

/// Whether the customer is asked for a bank account with a mandate.
fn connects(configuration: &Configuration) -> bool {
    configuration.autogiro.is_some_and(|autogiro| autogiro.enforce != AutogiroEnforce::None)
}

/// Whether the owner already has a mandate that can be used (rule: journeys/allocation-of-plans).
fn has_mandate(world: &World, client: &Client, configuration: &Configuration) -> bool {
    use crate::records::{MandateStatus, OwnerKey};
    let owner = match configuration.account.and_then(|id| world.accounts.get(id)) {
        Some(account) if account.client == client.id => Some(account.owner.key()),
        Some(_) => None,
        None => configuration.ssn.map(OwnerKey::Ssn),
    };
    let file = owner.and_then(|owner| world.owners.get(&(client.id, owner)));
    let usable = |status| matches!(status, MandateStatus::Active | MandateStatus::Pending);
    file.is_some_and(|file| file.bank_accounts.iter().any(|bank| usable(bank.mandate)))
}

/// Shares of an allocation plan: positive, known funds, nothing twice, exactly 100.00 together
/// (rule: journeys/allocation-of-plans).
pub(crate) fn allocation_problems(
    world: &World,
    client: &Client,
    field: &str,
    allocations: &[Allocation],
) -> Vec<Problem> {
    if allocations.is_empty() || allocations.len() > MAX_INSTRUMENTS {
        let fault = if allocations.is_empty() { Fault::Empty } else { Fault::TooMany { max: MAX_INSTRUMENTS } };
        return vec![Problem::new(field.to_owned(), fault)];
    }
    let mut problems = Vec::new();
    for (at, allocation) in allocations.iter().enumerate() {
        let instrument = allocation.instrument;
        let mut say = |name: &str, fault| problems.push(Problem::new(format!("{field}[{at}].{name}"), fault));
        if !allocation.percent.is_positive() {
            say("allocation", Fault::NotPositive);
        }
        if allocations[..at].iter().any(|earlier| earlier.instrument == instrument) {
            say("instrument", Fault::Duplicate);
        }
        if world.market.quote(instrument).is_none() {
            say("instrument", Fault::NotFound);
        } else if !client.universe.contains(instrument) {
            say("instrument", Fault::NotInUniverse);
        }
    }
    let sum: Percent = allocations.iter().map(|allocation| allocation.percent).sum();
    if sum != Percent::WHOLE {
        problems.push(Problem::new(field.to_owned(), Fault::SumNotHundred { sum }));
    }
    problems
}

fn check_savings_plan(found: &mut Findings<'_>, plan: &SavingsPlanConfiguration) {
    match plan.periodicity {
        None => found.say("savingsPlan.periodicity", Fault::Missing),
        Some(Periodicity::Monthly) => {}
        Some(Periodicity::Once) => {
            found.say("savingsPlan.periodicity", Fault::Invalid { because: "only `monthly` fits here" });
        }
    }
    if !found.client.permissions.autogiro {
        found.say("savingsPlan", Fault::NotPermitted);
    }
    if let Some(instruments) = &plan.instruments {
        found.funds("savingsPlan.instruments", instruments);
    }
}

fn check_kycs(found: &mut Findings<'_>, kycs: &[KycAnswer]) {
    for (at, kyc) in kycs.iter().enumerate() {
        if question(&kyc.qid).is_none() {
            found.say(format_args!("kycs[{at}].qid"), Fault::NotFound);
        } else if kycs[..at].iter().any(|earlier| earlier.qid == kyc.qid) {
            found.say(format_args!("kycs[{at}].qid"), Fault::Duplicate);
        }
        let field = format!("kycs[{at}].answer");
        if kyc.answer.is_empty() {
            found.say(&field, Fault::Empty);
        } else if kyc.answer.len() > MAX_KYC_TEXTS {
            found.say(&field, Fault::TooMany { max: MAX_KYC_TEXTS });
        }
        for text in &kyc.answer {
            found.note(&field, texts::shown(text, MAX_KYC_ANSWER));
        }
    }
}
