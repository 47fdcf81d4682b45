//! A journey looked at with a set of answers: which steps it shows, and what the answers decide.
//!
//! Invariant: pure; the same world, journey and answers give the same form. What a step shows depends on the
//! configuration, on the world, and on the answers of earlier steps only. Absent on purpose: effects.

use super::field_view::YES;
use crate::identity::{Iban, OrganisationNumber, PersonalNumber};
use crate::records::{
    Account, AutogiroEnforce, BankAccount, Client, Configuration, DepositType, Journey, JourneyStep, JourneyType,
    LegalEntity, MandateStatus, Owner, OwnerKey, Progress, Questionnaire, Submission, SubmissionStatus,
};
use crate::rng::Stream;
use crate::world::World;
use std::sync::Arc;

/// A journey with the answers it is looked at with.
#[derive(Clone, Copy)]
pub(crate) struct Form<'w> {
    pub(crate) world: &'w World,
    pub(crate) journey: &'w Journey,
    pub(crate) client: &'w Client,
    pub(crate) progress: &'w Progress,
}

impl<'w> Form<'w> {
    pub(crate) fn new(world: &'w World, journey: &'w Journey, progress: &'w Progress) -> Self {
        Self { world, journey, client: &world.clients[&journey.client], progress }
    }

    pub(crate) fn configuration(&self) -> &'w Configuration {
        &self.journey.configuration
    }

    pub(crate) fn kind(&self) -> JourneyType {
        self.configuration().journey_type
    }

    /// The account that the journey is about, if it exists already.
    pub(crate) fn account(&self) -> Option<&'w Arc<Account>> {
        self.configuration().account.map(|id| self.world.accounts.known(id))
    }

    /// The submission that the journey signs or fills in, if it exists already.
    pub(crate) fn submission(&self) -> Option<&'w Arc<Submission>> {
        self.journey.submission.map(|id| self.world.submissions.known(id))
    }

    /// A submission that another journey filled in: its company is not filled in again.
    pub(crate) fn given_submission(&self) -> Option<&'w Arc<Submission>> {
        self.configuration().submission.map(|id| self.world.submissions.known(id))
    }

    /// The steps that are shown, in order.
    pub(crate) fn steps(&self) -> Vec<JourneyStep> {
        JourneyStep::ALL.into_iter().filter(|step| self.shows(*step)).collect()
    }

    /// Whether a step is shown.
    pub(crate) fn shows(&self, step: JourneyStep) -> bool {
        use JourneyType::{
            AddBankAccount, KycRenewal, SignSubmission, SignWithdrawal, UpdateAllocationPlan, UpdateSavingsPlan,
        };
        let configuration = self.configuration();
        let kind = self.kind();
        match step {
            JourneyStep::Welcome => configuration.welcome_screen.is_some(),
            JourneyStep::Authentication | JourneyStep::Signing => true,
            JourneyStep::AccountDetails => kind.opens_account(),
            JourneyStep::Company | JourneyStep::BeneficialOwners => self.is_of_a_company(),
            JourneyStep::Kyc => kind.opens_account() || kind == KycRenewal,
            JourneyStep::Transfer => configuration.transfer.is_some(),
            JourneyStep::BankAccount => match kind {
                AddBankAccount => true,
                SignWithdrawal | SignSubmission | KycRenewal => false,
                _ => self.needs_bank_account(),
            },
            JourneyStep::AllocationPlan => kind == UpdateAllocationPlan || configuration.allocation_plan.is_some(),
            JourneyStep::SavingsPlan => kind == UpdateSavingsPlan || configuration.savings_plan.is_some(),
            JourneyStep::Agreement => match kind {
                AddBankAccount => self.asks_mandate(),
                UpdateAllocationPlan | UpdateSavingsPlan | SignSubmission => true,
                _ => kind.opens_account(),
            },
        }
    }

    /// Whether the journey establishes what a company is (rule: journeys/company-steps).
    pub(crate) fn is_of_a_company(&self) -> bool {
        let of_company = |account: &Arc<Account>| matches!(*account.owner, Owner::LegalEntity(_));
        match self.kind() {
            JourneyType::CreateLegalEntityAccount => true,
            JourneyType::KycRenewal => self.account().is_some_and(of_company),
            _ => false,
        }
    }

    /// Which questions are asked.
    pub(crate) fn questionnaire(&self) -> Questionnaire {
        if self.is_of_a_company() { Questionnaire::Company } else { Questionnaire::Person }
    }

    fn needs_bank_account(&self) -> bool {
        let configuration = self.configuration();
        let charged = configuration.savings_plan.is_some() || self.charges_allocation_plan();
        let at_hand = !self.kind().opens_account() && self.has_mandate();
        self.payment_account().is_some() || self.asks_mandate() || (charged && !at_hand)
    }

    /// Whether the configuration says that the allocation plan is charged.
    pub(crate) fn charges_allocation_plan(&self) -> bool {
        let plan = self.configuration().allocation_plan.as_ref();
        plan.is_some_and(|plan| plan.deposit_type == Some(DepositType::Autogiro))
    }

    /// Whether a mandate is required, optional or not wanted.
    pub(crate) fn enforce(&self) -> AutogiroEnforce {
        self.configuration().autogiro.map_or(AutogiroEnforce::None, |autogiro| autogiro.enforce)
    }

    /// Whether a mandate is wanted.
    pub(crate) fn asks_mandate(&self) -> bool {
        self.enforce() != AutogiroEnforce::None
    }

    /// The bank account that the configuration charges.
    pub(crate) fn payment_account(&self) -> Option<Iban> {
        let configuration = self.configuration();
        let of_plan = configuration.allocation_plan.as_ref().and_then(|plan| plan.payment_account);
        configuration.payment_account.or(of_plan)
    }

    /// Bank accounts that the owner has connected with this client.
    pub(crate) fn bank_accounts(&self) -> &'w [Arc<BankAccount>] {
        let file = self.owner_key().and_then(|key| self.world.owners.get(&(self.client.id, key)));
        file.map_or(&[], |file| file.bank_accounts.as_slice())
    }

    /// The owner's newest bank account that can be charged, or will be once its bank has answered.
    pub(crate) fn charged_account(&self) -> Option<&'w Arc<BankAccount>> {
        let with = |status| self.bank_accounts().iter().rev().find(|bank| bank.mandate == status);
        with(MandateStatus::Active).or_else(|| with(MandateStatus::Pending))
    }

    /// Whether the owner has a mandate that can be used.
    pub(crate) fn has_mandate(&self) -> bool {
        self.charged_account().is_some()
    }

    /// Who owns, or will own, the account.
    pub(crate) fn owner_key(&self) -> Option<OwnerKey> {
        match self.kind() {
            JourneyType::CreateAccount => self.signer().map(OwnerKey::Ssn),
            JourneyType::CreateLegalEntityAccount => self.crn().map(OwnerKey::Crn),
            _ => self.account().map(|account| account.owner.key()),
        }
    }

    /// Who has authenticated, or is bound to.
    pub(crate) fn signer(&self) -> Option<PersonalNumber> {
        self.progress.signer.or_else(|| self.fixed_signer())
    }

    /// The only person who may walk the journey, if there is only one.
    pub(crate) fn fixed_signer(&self) -> Option<PersonalNumber> {
        self.configuration().ssn.or_else(|| match self.account()?.owner.as_ref() {
            Owner::NaturalPerson(person) => Some(person.ssn),
            Owner::LegalEntity(_) => None,
        })
    }

    /// The company of the journey, once it is known.
    pub(crate) fn crn(&self) -> Option<OrganisationNumber> {
        match self.known_entity() {
            Some(entity) => Some(entity.crn),
            None => OrganisationNumber::parse(self.answer(JourneyStep::AccountDetails, "crn")?).ok(),
        }
    }

    /// The company as its account or a given submission names it.
    pub(crate) fn known_entity(&self) -> Option<&'w Arc<LegalEntity>> {
        let of_account = self.account().and_then(|account| match account.owner.as_ref() {
            Owner::LegalEntity(entity) => Some(entity),
            Owner::NaturalPerson(_) => None,
        });
        of_account.or_else(|| self.given_submission().map(|submission| &submission.entity))
    }

    /// The accepted answer to a field.
    pub(crate) fn answer(&self, step: JourneyStep, name: &str) -> Option<&'w str> {
        self.progress.of(step)?.one(name)
    }

    /// The accepted texts of a field.
    pub(crate) fn answers(&self, step: JourneyStep, name: &str) -> &'w [Arc<str>] {
        self.progress.of(step).map_or(&[], |answers| answers.many(name))
    }

    /// Whether a flag was answered with yes.
    pub(crate) fn is_yes(&self, step: JourneyStep, name: &str) -> bool {
        self.answer(step, name) == Some(YES)
    }

    /// A stream of the journey's own for sensible answers, so that asking for them changes nothing.
    pub(crate) fn stream(&self, label: &str) -> Stream {
        let (_, index) = self.journey.id.as_uuid().as_u64_pair();
        self.world.seed.child(label, index)
    }

    /// Whether the submission can no longer be signed by the signer.
    pub(crate) fn submission_is_closed(&self) -> bool {
        let Some(submission) = self.submission() else { return false };
        match self.kind() {
            JourneyType::SignSubmission => {
                let signer = self.signer();
                submission.state != SubmissionStatus::Pending
                    || !submission.missing().any(|missing| Some(missing) == signer)
            }
            _ => submission.state != SubmissionStatus::New,
        }
    }
}
