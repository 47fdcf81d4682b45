//! What a page needs to know of a journey, read under one hold of the world's lock.
//!
//! Invariant: a model is consistent in itself and changes nothing. Absent on purpose: wordings and markup.

use std::sync::Arc;

use sim::identity::personal_number::FIXED_OUTCOMES;
use sim::identity::{Iban, PersonOutcome, PersonalNumber};
use sim::ids::JourneyId;
use sim::machines::journey::State;
use sim::query::{self, StepState, StepView, WithdrawalLimits};
use sim::records::{Account, Client, Company, Journey, JourneyStep, NaturalPerson, Owner, Submission};
use sim::rng::Seed;
use sim::time::Instant;
use sim::{World, people};

/// The field of a person's number.
pub const SSN: &str = "ssn";

/// A journey as a page shows it.
pub struct PageModel {
    /// The journey.
    pub journey: Arc<Journey>,
    /// Who started it.
    pub client: Arc<Client>,
    /// Business time.
    pub now: Instant,
    /// What the world's chance comes from.
    seed: Seed,
    /// Those who may be shown and have an account with the client, under the name it has them by.
    registered: Vec<(PersonalNumber, Arc<str>)>,
    /// Its steps; empty once it is over.
    pub steps: Vec<StepView>,
    /// What others sign here was filled in elsewhere: the steps of the journey that filled the submission in.
    pub submitted: Vec<StepView>,
    /// The account it is about.
    pub account: Option<Arc<Account>>,
    /// How much cash can be taken out of the account.
    pub withdrawable: Option<WithdrawalLimits>,
    /// The submission it creates or signs.
    pub submission: Option<Arc<Submission>>,
    /// The company as its customer has described it so far.
    pub company: Option<Arc<Company>>,
    /// The bank account that has been picked or filled in.
    pub bank_account: Option<Iban>,
}

/// Somebody who can be chosen to identify or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Personal number.
    pub number: PersonalNumber,
    /// Full name.
    pub name: Arc<str>,
}

impl PageModel {
    /// The journey behind a link; none when it was purged.
    #[must_use]
    pub fn of(world: &World, id: JourneyId) -> Option<Self> {
        let journey = query::journey_by_link(world, id).filter(|journey| journey.deleted.is_none())?;
        let client = query::client(world, journey.client)?;
        let submission = journey.submission.or(journey.configuration.submission);
        let submission = submission.and_then(|id| query::submission(world, journey.client, id));
        let opened = submission.and_then(|submission| submission.account);
        let account = journey.configuration.account.or(opened);
        let account = account.and_then(|account| query::account(world, journey.client, account));
        let is_over = is_over(*journey.state);
        let steps = if is_over { Vec::new() } else { query::journey_steps(world, id) };
        let elsewhere = submission.map(|submission| submission.journey).filter(|journey| *journey != id && !is_over);
        let submitted = elsewhere.map(|journey| query::journey_steps(world, journey)).unwrap_or_default();
        let bank_account =
            query::journey_bank_account(world, id).or_else(|| query::journey_bank_account(world, elsewhere?));
        let company = query::journey_company(world, id).or_else(|| query::journey_company(world, elsewhere?));
        Some(Self {
            journey: Arc::clone(journey),
            client: Arc::clone(client),
            now: world.now(),
            seed: world.seed(),
            registered: registered(world, journey, &steps),
            steps,
            submitted,
            withdrawable: account.map(|account| query::withdrawal_limits(world, account)),
            account: account.cloned(),
            submission: submission.cloned(),
            company: company.map(Arc::new),
            bank_account,
        })
    }

    /// Whether nothing can be done any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        is_over(*self.journey.state)
    }

    /// The step to be answered now.
    #[must_use]
    pub fn current(&self) -> Option<JourneyStep> {
        self.steps.iter().find(|view| view.state == StepState::Current).map(|view| view.step)
    }

    /// The view of a step that has been reached.
    #[must_use]
    pub fn reached(&self, step: JourneyStep) -> Option<&StepView> {
        self.steps.iter().find(|view| view.step == step && view.state != StepState::Ahead)
    }

    /// The step after `step`, as far as it has been reached; the current one otherwise.
    #[must_use]
    pub fn after(&self, step: JourneyStep) -> Option<JourneyStep> {
        let at = self.steps.iter().position(|view| view.step == step)?;
        let next = self.steps.get(at + 1).filter(|view| view.state != StepState::Ahead);
        next.map(|view| view.step).or_else(|| self.current())
    }

    /// The step before `step`.
    #[must_use]
    pub fn before(&self, step: JourneyStep) -> Option<JourneyStep> {
        let at = self.steps.iter().position(|view| view.step == step)?;
        self.steps.get(at.checked_sub(1)?).map(|view| view.step)
    }

    /// Who may be chosen, the likely one first, and whether anybody else may be named.
    #[must_use]
    pub fn persons(&self, step: JourneyStep) -> (Vec<Person>, bool) {
        if step == JourneyStep::Signing
            && let Some(signer) = self.journey.progress.signer
        {
            return (vec![self.person(signer)], false);
        }
        let view = self.steps.iter().find(|view| view.step == JourneyStep::Authentication);
        let Some(field) = view.and_then(|view| view.fields.iter().find(|field| field.name.as_ref() == SSN)) else {
            return (Vec::new(), true);
        };
        let numbers = |texts: &mut dyn Iterator<Item = &str>| -> Vec<Person> {
            texts.filter_map(|text| PersonalNumber::parse(text).ok()).map(|number| self.person(number)).collect()
        };
        if field.read_only {
            return (numbers(&mut field.values.iter().map(AsRef::as_ref)), false);
        }
        if !field.choices.is_empty() {
            return (numbers(&mut field.choices.iter().map(|choice| choice.value.as_ref())), false);
        }
        let fixed = FIXED_OUTCOMES.iter().map(|(number, _, _)| *number);
        (numbers(&mut field.suggestion.iter().map(AsRef::as_ref).chain(fixed)), true)
    }

    /// Who has identified.
    #[must_use]
    pub fn signer(&self) -> Option<Person> {
        self.journey.progress.signer.map(|signer| self.person(signer))
    }

    /// Somebody with the name under which the world knows them, or would.
    fn person(&self, number: PersonalNumber) -> Person {
        let mut known = self.known().into_iter().chain(self.registered.iter().cloned());
        let known = known.find(|(known, _)| *known == number).map(|(_, name)| name);
        Person { number, name: known.unwrap_or_else(|| self.made_up(number)) }
    }

    /// The name that a person who has no account gave, or that the world made for the number.
    fn made_up(&self, number: PersonalNumber) -> Arc<str> {
        let mut made = people::named(self.seed, number);
        if self.journey.progress.signer == Some(number)
            && let Some(answers) = self.journey.progress.of(JourneyStep::Authentication)
        {
            made.first_name = answers.one("firstName").map_or(made.first_name, Arc::from);
            made.last_name = answers.one("lastName").map_or(made.last_name, Arc::from);
        }
        full_name(&made)
    }

    /// The signatories of the submission, and whether each has signed.
    #[must_use]
    pub fn signatories(&self) -> Vec<(Person, bool)> {
        let Some(submission) = &self.submission else { return Vec::new() };
        let signed = |number| submission.signed.iter().any(|signature| signature.ssn == number);
        let signatories = submission.entity.signatories.iter();
        signatories.map(|one| (Person { number: one.ssn, name: Arc::clone(&one.name) }, signed(one.ssn))).collect()
    }

    /// The owner's people: the owner, or those who sign for it.
    fn known(&self) -> Vec<(PersonalNumber, Arc<str>)> {
        let entity = self.submission.as_ref().map(|submission| &submission.entity);
        let owner = self.account.as_ref().map(|account| account.owner.as_ref());
        match (entity, owner) {
            (Some(entity), _) | (None, Some(Owner::LegalEntity(entity))) => {
                entity.signatories.iter().map(|one| (one.ssn, Arc::clone(&one.name))).collect()
            }
            (None, Some(Owner::NaturalPerson(person))) => vec![(person.ssn, full_name(person))],
            (None, None) => Vec::new(),
        }
    }
}

/// Those among the people whom a page may show that the journey's client has registered.
fn registered(world: &World, journey: &Journey, steps: &[StepView]) -> Vec<(PersonalNumber, Arc<str>)> {
    let numbers = steps.iter().flat_map(|view| &view.fields).filter(|field| field.name.as_ref() == SSN);
    let offered = numbers.flat_map(|field| {
        let chosen = field.choices.iter().map(|choice| &choice.value);
        field.values.iter().chain(&field.suggestion).chain(chosen).map(AsRef::as_ref)
    });
    let fixed = FIXED_OUTCOMES.iter().map(|(number, _, _)| *number);
    let numbers = offered.chain(fixed).filter_map(|text| PersonalNumber::parse(text).ok());
    let named = |number| {
        let person = query::registered_person(world, journey.client, number)?;
        Some((number, full_name(person)))
    };
    numbers.chain(journey.progress.signer).filter_map(named).collect()
}

fn full_name(person: &NaturalPerson) -> Arc<str> {
    Arc::from(format!("{} {}", person.first_name, person.last_name))
}

const fn is_over(state: State) -> bool {
    match state {
        State::New | State::Pending => false,
        State::Complete | State::Canceled | State::Error | State::Expired => true,
    }
}

/// The key of the words for what a number decides.
#[must_use]
pub const fn outcome_key(outcome: PersonOutcome) -> &'static str {
    match outcome {
        PersonOutcome::Happy => "person.happy",
        PersonOutcome::PepHit => "person.pep",
        PersonOutcome::SanctionsHit => "person.sanctions",
        PersonOutcome::KycRefused => "person.kyc",
        PersonOutcome::AuthenticationFails => "person.authentication",
        PersonOutcome::SigningFails => "person.signing",
        PersonOutcome::TransferRefused => "person.transfer",
        PersonOutcome::OtherFault => "person.other",
        PersonOutcome::ApprovalPending => "person.pending",
    }
}
