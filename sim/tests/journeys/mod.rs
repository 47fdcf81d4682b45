//! Journeys, from their configuration to what they leave behind.

mod companies;
mod configuration;
mod ends;
mod random;
mod steps;
mod texts;
mod transfer_rules;

use crate::common::{Bench, at};
use sim::command::{CreateJourney, OpenBankAccount, SignOutcome};
use sim::identity::PersonalNumber;
use sim::ids::{CustodianId, JourneyId};
use sim::records::{
    Account, AccountOptions, AccountType, Answers, Category, Configuration, CustodianTransfers, Journey, JourneyStep,
    JourneyType, MandateStatus, Output, OwnerType, ServiceType, TransferAccount, TransferConfiguration,
    TransferEnforce,
};
use sim::{Callback, Change, Command, Refusal, Reply, query};
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

/// The least that opens an account of a legal entity.
pub fn entity_opening() -> Configuration {
    Configuration {
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_options: Some(AccountOptions {
            owner_type: Some(OwnerType::LegalEntity),
            service_types: Some(vec![ServiceType::ExecutionOnly]),
            account_types: Some(vec![AccountType::Depot]),
            account_categories: Some(vec![Category::Retail]),
        }),
        ..Configuration::empty(JourneyType::CreateLegalEntityAccount)
    }
}

/// One account at one custodian, all of it moved as units where that is possible.
pub fn moving(kind: AccountType) -> TransferAccount {
    TransferAccount {
        account_number: Some(Arc::from("1234-567")),
        source_account_type: vec![kind],
        close_account_and_savingsplans: Some(false),
        required: true,
        untransferable_units_output: vec![Output::Cash],
        default_units_output: vec![Output::Units],
        balance_output: vec![Output::Cash],
        allow_instrument_selection: false,
        instruments: None,
    }
}

/// A transfer of these accounts at the custodian `alpha`.
pub fn transfer_of(accounts: Vec<TransferAccount>) -> TransferConfiguration {
    let custodian = CustodianId::parse("alpha").expect("an id");
    TransferConfiguration {
        enforce: TransferEnforce::Required,
        transfers: vec![CustodianTransfers { custodian, accounts }],
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

/// The states of a mandate, and whether plans may be charged by it (rule: journeys/allocation-of-plans).
pub const MANDATES: [(MandateStatus, bool); 4] = [
    (MandateStatus::Missing, false),
    (MandateStatus::Pending, true),
    (MandateStatus::Active, true),
    (MandateStatus::Invalid, false),
];

impl Bench {
    /// An account of Anna's, with a bank account whose mandate has this state.
    pub fn account_charged_by(&mut self, mandate: MandateStatus) -> Arc<Account> {
        let mut open = self.open("0");
        open.owner = Some(self.owner(ANNA));
        open.bank_accounts = vec![OpenBankAccount { mandate, ..self.bank("SE8150000000050000000019") }];
        self.account(open)
    }

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

    /// What is wrong with a configuration, as a partner reads it; empty when it is accepted.
    pub fn complaint(&mut self, configuration: Configuration) -> String {
        let create = self.asked(configuration);
        self.complaint_of(create)
    }

    pub fn complaint_of(&mut self, create: CreateJourney) -> String {
        let before = self.world.digest();
        match self.ask(create) {
            Ok(_) => String::new(),
            Err(refusal) => {
                assert_eq!(self.world.digest(), before, "a refused journey changes nothing");
                refusal.to_string()
            }
        }
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

    pub fn complete(&mut self, journey: JourneyId, answers: &[(JourneyStep, Answers)]) -> Arc<Journey> {
        let partner = self.scope.partner;
        match self.does(Command::CompleteJourney { partner, journey, answers: answers.to_vec() }) {
            Ok(Reply::Journey(journey)) => journey,
            other => panic!("not completed: {other:?}"),
        }
    }

    pub fn walk(&mut self, configuration: Configuration, answers: &[(JourneyStep, Answers)]) -> Arc<Journey> {
        let journey = self.journey(configuration);
        self.complete(journey, answers)
    }

    pub fn sign(&mut self, journey: JourneyId, number: &str, outcome: SignOutcome) -> Result<Reply, Refusal> {
        self.does(Command::SignJourney { partner: None, journey, signer: ssn(number), outcome })
    }

    pub fn answer(&mut self, journey: JourneyId, step: JourneyStep, answers: Answers) -> Result<Reply, Refusal> {
        self.does(Command::AnswerStep { partner: None, journey, step, answers })
    }

    pub fn look(&self, journey: JourneyId) -> Arc<Journey> {
        Arc::clone(query::journey(&self.world, self.scope.client, journey).expect("the journey exists"))
    }

    pub fn account_of(&self, journey: &Journey) -> Arc<Account> {
        let account = journey.result.as_ref().and_then(|result| result.account.as_ref()).expect("an account").id;
        Arc::clone(query::account(&self.world, self.scope.client, account).expect("the account exists"))
    }

    pub fn callbacks(&mut self) -> Vec<Callback> {
        self.world.take_callbacks()
    }

    /// The kinds of the events since the last look.
    pub fn event_kinds(&mut self) -> Vec<&'static str> {
        self.world.take_events().iter().map(sim::Event::kind).collect()
    }

    /// The statuses in the `journey.update` events of a journey.
    pub fn journey_statuses(&mut self, journey: JourneyId) -> Vec<&'static str> {
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
