//! Journeys, from their configuration to what they leave behind.

mod ends;

use crate::common::{Bench, at};
use sim::command::{CreateJourney, SignOutcome};
use sim::identity::PersonalNumber;
use sim::ids::JourneyId;
use sim::records::{
    Account, AccountType, Answers, Category, Configuration, Journey, JourneyType, ServiceType, Step,
};
use sim::{Change, Command, Errand, Refusal, Reply, query};
use std::sync::Arc;

/// A Monday.
pub const START: &str = "2026-03-02T08:00:00+01:00";
/// Somebody whom every check lets through.
pub const ANNA: &str = "199001012385";

pub fn ssn(text: &str) -> PersonalNumber {
    PersonalNumber::parse(text).expect("a personal number")
}

/// The least that opens an account of `kind`.
pub fn opening(kind: AccountType) -> Configuration {
    Configuration {
        account_types: Some(vec![kind]),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        ..Configuration::empty(JourneyType::CreateAccount)
    }
}

/// As `opening`, walked by `number`.
pub fn opening_by(number: &str, kind: AccountType) -> Configuration {
    Configuration { ssn: Some(ssn(number)), ..opening(kind) }
}

/// A journey of `kind` about `account`.
pub fn about(account: &Account, kind: JourneyType) -> Configuration {
    Configuration { account: Some(account.id), ..Configuration::empty(kind) }
}

impl Bench {
    pub fn asked(&self, configuration: Configuration) -> CreateJourney {
        CreateJourney {
            scope: self.scope,
            configuration,
            callback_url: Arc::from("https://partner.example/callback"),
            redirect_url: None,
            completion_redirect_url: None,
            partner_data: Some(Arc::from("YWJj")),
        }
    }

    pub fn ask(&mut self, create: CreateJourney) -> Result<Reply, Refusal> {
        self.world.apply(self.world.now(), Command::CreateJourney(Box::new(create)))
    }

    pub fn does(&mut self, command: Command) -> Result<Reply, Refusal> {
        self.world.apply(self.world.now(), command)
    }

    pub fn journey(&mut self, configuration: Configuration) -> JourneyId {
        let create = self.asked(configuration);
        match self.ask(create) {
            Ok(Reply::Journey(journey)) => journey.id,
            other => panic!("no journey: {other:?}"),
        }
    }

    pub fn opened(&mut self, configuration: Configuration) -> JourneyId {
        let journey = self.journey(configuration);
        self.does(Command::OpenJourney { journey, partner: None }).expect("a new journey can be opened");
        journey
    }

    pub fn complete(&mut self, journey: JourneyId, answers: &[(Step, Answers)]) -> Arc<Journey> {
        let partner = self.scope.partner;
        match self.does(Command::CompleteJourney { partner, journey, answers: answers.to_vec() }) {
            Ok(Reply::Journey(journey)) => journey,
            other => panic!("not completed: {other:?}"),
        }
    }

    pub fn walk(&mut self, configuration: Configuration, answers: &[(Step, Answers)]) -> Arc<Journey> {
        let journey = self.journey(configuration);
        self.complete(journey, answers)
    }

    pub fn sign(&mut self, journey: JourneyId, number: &str, outcome: SignOutcome) -> Result<Reply, Refusal> {
        self.does(Command::SignJourney { journey, signer: ssn(number), outcome })
    }

    pub fn answer(&mut self, journey: JourneyId, step: Step, answers: Answers) -> Result<Reply, Refusal> {
        self.does(Command::AnswerStep { journey, step, answers })
    }

    pub fn look(&self, journey: JourneyId) -> Arc<Journey> {
        Arc::clone(query::journey(&self.world, self.scope.client, journey).expect("the journey exists"))
    }

    pub fn account_of(&self, journey: &Journey) -> Arc<Account> {
        let account = journey.result.as_ref().and_then(|result| result.account.as_ref()).expect("an account").id;
        Arc::clone(query::account(&self.world, self.scope.client, account).expect("the account exists"))
    }

    pub fn errands(&mut self) -> Vec<Errand> {
        self.world.take_errands()
    }

    /// The kinds of the events since the last look.
    pub fn told(&mut self) -> Vec<&'static str> {
        self.world.take_events().iter().map(sim::Event::kind).collect()
    }

    /// The statuses that `journey.update` told of a journey.
    pub fn told_of(&mut self, journey: JourneyId) -> Vec<&'static str> {
        let events = self.world.take_events();
        let of = |event: &sim::Event| match &event.change {
            Change::Journey(delta) if delta.latest().id == journey => Some(delta.latest().state.name()),
            _ => None,
        };
        events.iter().filter_map(of).collect()
    }

    pub fn wait(&mut self, text: &str) {
        self.world.advance(at(text));
    }
}

pub fn answers(pairs: &[(&str, &str)]) -> Answers {
    let mut answers = Answers::default();
    for (name, value) in pairs {
        let values = value.split('|').map(Arc::from).collect();
        answers.set(*name, values);
    }
    answers
}
