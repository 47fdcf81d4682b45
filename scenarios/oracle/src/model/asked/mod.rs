//! Which steps a journey shows, and what each asks, from its configuration, the model's books and what was answered before.
//!
//! # Rooms
//!
//! - `field`: one field, as a step asks it.
//! - `people`: who identifies, the account, the questions of KYC, and a company with its owners.
//! - `money`: a bank account, an allocation plan and a savings plan.
//! - `transfer`: accounts at other custodians.
//!
//! Rule: journeys/null-hides, journeys/bank-account-step, journeys/steps-in-order. Invariant: what is drawn (an IBAN to suggest) and
//! what a company's register has (name, board, owners, whom the question about public offices is about) is read from the world. Absent on
//! purpose: what an answer may be (`answers`, `step_rules`).

mod field;
mod money;
mod people;
mod transfer;

pub(super) use people::{OWNERS, answers_question};

use super::calendar::{Day, local_day};
use super::{AccountFile, Model};
use sim::World;
use sim::identity::OrganisationNumber;
use sim::query::{self, FieldView};
use sim::records::{
    Account, AutogiroEnforce, Client, Configuration, DepositType, Journey, JourneyStep, JourneyType, Owner, OwnerKey,
    Progress,
};
use std::sync::Arc;

/// A journey, looked at with what was answered so far.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    pub(super) model: &'a Model,
    /// Where draws come from.
    world: &'a World,
    pub(super) journey: &'a Journey,
    pub(super) progress: &'a Progress,
    client: &'a Client,
}

impl Model {
    /// A journey with these answers; none where its client is not known.
    #[must_use]
    pub fn form<'a>(&'a self, world: &'a World, journey: &'a Journey, progress: &'a Progress) -> Option<Form<'a>> {
        let client = self.clients.get(&journey.client)?;
        Some(Form { model: self, world, journey, progress, client })
    }
}

impl<'a> Form<'a> {
    /// The same journey with other answers.
    pub(super) fn with(self, progress: &'a Progress) -> Self {
        Self { progress, ..self }
    }

    /// The steps that are shown, in order.
    pub fn steps(self) -> impl Iterator<Item = JourneyStep> {
        JourneyStep::ALL.into_iter().filter(move |step| self.shows(*step))
    }

    /// Whether a step is shown.
    #[must_use]
    pub fn shows(self, step: JourneyStep) -> bool {
        let it = self.configuration();
        let kind = it.journey_type;
        match step {
            JourneyStep::Authentication | JourneyStep::Signing => true,
            JourneyStep::Welcome => it.welcome_screen.is_some(),
            JourneyStep::AccountDetails => self.opens(),
            JourneyStep::Company | JourneyStep::BeneficialOwners => self.is_of_a_company(),
            JourneyStep::Kyc => asks_kyc(kind),
            JourneyStep::Transfer => it.transfer.is_some(),
            JourneyStep::BankAccount => self.shows_bank_account(),
            JourneyStep::AllocationPlan => it.allocation_plan.is_some() || kind == JourneyType::UpdateAllocationPlan,
            JourneyStep::SavingsPlan => it.savings_plan.is_some() || kind == JourneyType::UpdateSavingsPlan,
            JourneyStep::Agreement => match kind {
                JourneyType::AddBankAccount => self.wants_mandate(),
                JourneyType::KycRenewal | JourneyType::SignWithdrawal => false,
                _ => true,
            },
        }
    }

    /// The first step that is not answered, or whose answers do not hold any more.
    #[must_use]
    pub fn current(self) -> JourneyStep {
        let is_open = |step: &JourneyStep| *step == JourneyStep::Signing || !self.holds(*step);
        self.steps().find(is_open).unwrap_or(JourneyStep::Signing)
    }

    /// What a step asks, with what was answered so far and what a lever answers where nothing is given.
    pub(super) fn fields(self, step: JourneyStep) -> Vec<FieldView> {
        self.fields_of(step, &self.drawn(step))
    }

    /// The same where no suggestion is needed: only what is fixed to a draw is read.
    pub(super) fn fields_to_answer(self, step: JourneyStep) -> Vec<FieldView> {
        let is_drawn = match step {
            JourneyStep::Company | JourneyStep::BeneficialOwners => true,
            JourneyStep::Kyc => self.is_of_a_company(),
            JourneyStep::AccountDetails => self.configuration().submission.is_some(),
            _ => false,
        };
        let drawn = if is_drawn { self.drawn(step) } else { Vec::new() };
        self.fields_of(step, &drawn)
    }

    /// What a step asks, with the draws of what the world shows for it.
    #[must_use]
    pub fn fields_of(self, step: JourneyStep, drawn: &[FieldView]) -> Vec<FieldView> {
        let mut fields = match step {
            JourneyStep::Welcome | JourneyStep::Signing => Vec::new(),
            JourneyStep::Authentication => self.authentication(drawn),
            JourneyStep::AccountDetails => self.account_details(drawn),
            JourneyStep::Company => self.company(drawn),
            JourneyStep::BeneficialOwners => self.beneficial_owners(drawn),
            JourneyStep::Kyc => self.questions(drawn),
            JourneyStep::Transfer => self.transfer(drawn),
            JourneyStep::BankAccount => self.bank_account(drawn),
            JourneyStep::AllocationPlan => self.allocation_plan(),
            JourneyStep::SavingsPlan => self.savings_plan(),
            JourneyStep::Agreement => vec![field::flag("accept").required().suggest("yes")],
        };
        if let Some(given) = self.progress.of(step) {
            for field in fields.iter_mut().filter(|field| !field.read_only && given.has(&field.name)) {
                field.values = given.many(&field.name).to_vec();
            }
        }
        fields.into_iter().map(|field| field.0).collect()
    }

    pub(super) fn today(self) -> Day {
        local_day(self.world.now())
    }

    pub(super) fn configuration(self) -> &'a Configuration {
        &self.journey.configuration
    }

    /// What the world shows for a step, for the draws in it.
    fn drawn(self, step: JourneyStep) -> Vec<FieldView> {
        query::journey_step(self.world, self.journey.id, step).map_or_else(Vec::new, |shown| shown.fields)
    }

    fn opens(self) -> bool {
        opens_account(self.configuration().journey_type)
    }

    /// What is known of the account that it is about.
    pub(super) fn account_file(self) -> Option<&'a AccountFile> {
        self.model.accounts.get(&self.configuration().account?)
    }

    /// The account that it is about.
    fn account(self) -> Option<&'a Arc<Account>> {
        self.account_file().map(|file| &file.last)
    }

    pub(super) fn is_of_a_company(self) -> bool {
        let of_account = || self.account().is_some_and(|account| matches!(*account.owner, Owner::LegalEntity(_)));
        match self.configuration().journey_type {
            JourneyType::CreateLegalEntityAccount => true,
            JourneyType::KycRenewal => of_account(),
            _ => false,
        }
    }

    /// What was answered to a field.
    pub(super) fn answered(self, step: JourneyStep, name: &str) -> Option<&'a str> {
        self.progress.of(step)?.one(name)
    }

    fn enforce(self) -> AutogiroEnforce {
        self.configuration().autogiro.map_or(AutogiroEnforce::None, |autogiro| autogiro.enforce)
    }

    fn wants_mandate(self) -> bool {
        self.enforce() != AutogiroEnforce::None
    }

    /// Whether an allocation plan is to be charged.
    fn charges_plan(self) -> bool {
        let plan = self.configuration().allocation_plan.as_ref();
        plan.and_then(|plan| plan.deposit_type) == Some(DepositType::Autogiro)
    }

    /// Who owns, or will own, the account.
    pub(super) fn owner(self) -> Option<OwnerKey> {
        match self.configuration().journey_type {
            JourneyType::CreateAccount => self.signer().map(OwnerKey::Ssn),
            JourneyType::CreateLegalEntityAccount => {
                let described = self.answered(JourneyStep::AccountDetails, "crn");
                OrganisationNumber::parse(described?).ok().map(OwnerKey::Crn)
            }
            _ => self.account().map(|account| account.owner.key()),
        }
    }

    fn has_mandate(self) -> bool {
        self.owner().is_some_and(|owner| self.model.has_mandate_of(self.journey.client, &owner))
    }

    fn shows_bank_account(self) -> bool {
        let it = self.configuration();
        let is_charged = it.savings_plan.is_some() || self.charges_plan();
        match it.journey_type {
            JourneyType::AddBankAccount => true,
            JourneyType::SignWithdrawal | JourneyType::SignSubmission | JourneyType::KycRenewal => false,
            _ => {
                let is_covered = !self.opens() && self.has_mandate();
                self.wants_mandate() || self.payment_account().is_some() || (is_charged && !is_covered)
            }
        }
    }
}

/// Whether an account is what a journey is for.
#[must_use]
pub const fn opens_account(kind: JourneyType) -> bool {
    matches!(kind, JourneyType::CreateAccount | JourneyType::CreateLegalEntityAccount)
}

/// Whether a journey asks the questions of KYC.
#[must_use]
pub const fn asks_kyc(kind: JourneyType) -> bool {
    opens_account(kind) || matches!(kind, JourneyType::KycRenewal)
}

/// What the world suggests for a field, where that is a draw.
fn suggested(drawn: &[FieldView], name: &str) -> Vec<Arc<str>> {
    let shown = drawn.iter().find(|field| *field.name == *name);
    shown.map_or_else(Vec::new, |field| field.suggestion.clone())
}
