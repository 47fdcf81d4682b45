//! A run of journeys told as a scenario file: short forms where the language has them, raw calls elsewhere.
//!
//! Invariant: played with the run's seed, the story asks the same of the same world. Accounts, bank accounts and transfers
//! stand by their ids, which a seed always makes the same.

use super::cast::{Cast, Deed};
use super::step::Walk;
use crate::ast::{
    Act, Ask, Body, Browse, Call, Expect, Expected, JourneyLever, Scenario, StartJourney, Step as StoryStep,
};
use crate::check::{Claim, Violation, status_of};
use crate::fuzz::stage::Stage;
use crate::fuzz::story::{braced, fields_of, found, wait};
use sandbox::wire::configuration::Configuration;
use serde_json::{Map, Value as Json, json};
use sim::command::{CreateJourney, CustodianAct, Decision, ScreeningHit, SignOutcome};
use sim::ids::JourneyId;
use sim::records::{Answers, OwnerKey};
use sim::{Command, Reply, World, query};
use std::collections::BTreeMap;

struct Scribe {
    world: World,
    cast: Cast,
    steps: Vec<StoryStep>,
    names: BTreeMap<JourneyId, String>,
}

/// The story of a run that broke a law.
pub(super) fn story(stage: &Stage, walks: &[Walk], violation: &Violation) -> Scenario {
    let world = stage.world();
    let mut scribe = Scribe { cast: Cast::new(&world), world, steps: Vec::new(), names: BTreeMap::new() };
    for (at, walk) in walks.iter().enumerate() {
        let last = (at + 1 == walks.len()).then_some(violation);
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scribe.step(walk, last)));
        if told.is_err() {
            break;
        }
    }
    scribe.claim(violation);
    found(stage.seed, scribe.steps, violation)
}

impl Scribe {
    fn step(&mut self, walk: &Walk, last: Option<&Violation>) {
        match self.cast.act(&self.world, walk) {
            None => {}
            Some(Deed::Wait(to)) => {
                let to = last.map_or(to, |violation| to.min(violation.at).max(self.world.now()));
                self.steps.push(wait(to));
                self.world.advance(to);
            }
            Some(Deed::Do(command)) => self.command(walk, command, last),
        }
    }

    fn command(&mut self, walk: &Walk, command: Command, last: Option<&Violation>) {
        let told = tell(&command, &self.names);
        let result = self.world.apply(self.world.now(), command);
        let answer = match (last.and_then(|violation| violation.claim.as_ref()), &result) {
            (Some(Claim::Answer(status)), _) => Some(*status),
            (_, Err(refusal)) => Some(status_of(refusal.class)),
            (_, Ok(_)) => None,
        };
        let mut told = match answer {
            Some(status) => told.answers(status),
            None => told,
        };
        if let Ok(reply) = &result {
            self.cast.note(walk, reply);
            if let (Walk::Start(_), Reply::Journey(journey)) = (walk, reply) {
                let name = next_name(&self.names);
                told = told.named(&name);
                self.names.insert(journey.id, name);
            }
        }
        self.steps.push(told);
    }

    fn name(&self, id: JourneyId) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    fn claim(&mut self, violation: &Violation) {
        match &violation.claim {
            Some(Claim::Journey(id, fields)) => {
                self.steps.push(StoryStep::from(Expect::Journey(braced(&self.name(*id)), fields_of(fields))));
            }
            Some(Claim::Callback(id, status)) => {
                let expected = Expected::from(*status);
                self.steps.push(StoryStep::from(Expect::Callback(braced(&self.name(*id)), expected)));
            }
            Some(Claim::Answer(_)) => {}
            _ => self.everything(),
        }
    }

    /// The status of every journey.
    fn everything(&mut self) {
        for (id, name) in &self.names {
            let Some(journey) = query::journey_by_link(&self.world, *id) else { continue };
            let status = Expected::from(journey.state.name());
            self.steps.push(StoryStep::from(Expect::Journey(braced(name), status)));
        }
    }
}

/// What a journey is called: names count up.
pub(in crate::fuzz) fn next_name(names: &BTreeMap<JourneyId, String>) -> String {
    match names.len() {
        0 => "journey".to_owned(),
        at => format!("journey {}", at + 1),
    }
}

/// A command about journeys as a step.
pub(in crate::fuzz) fn tell(command: &Command, names: &BTreeMap<JourneyId, String>) -> StoryStep {
    let name = |id: &JourneyId| names.get(id).cloned().unwrap_or_else(|| id.to_string());
    let lever = |id: &JourneyId, lever| StoryStep::from(Ask::Journey { journey: name(id), lever });
    let of_journey = |id: &JourneyId| names.get(id).map_or_else(|| id.to_string(), |name| format!("{{{name}.id}}"));
    match command {
        Command::CreateJourney(create) => StoryStep::from(Ask::StartJourney(start(create))),
        Command::OpenJourney { journey, partner: Some(_) } => lever(journey, JourneyLever::Open),
        Command::OpenJourney { journey, partner: None } => {
            StoryStep::from(Act::Browse(Browse::Open { page: name(journey), language: None }))
        }
        Command::CompleteJourney { journey, answers, .. } => {
            let by_step = answers.iter().map(|(step, answers)| (step.name().to_owned(), filled_in(answers)));
            let answers = (!answers.is_empty()).then(|| Json::Object(by_step.collect()));
            lever(journey, JourneyLever::Complete { answers })
        }
        Command::CancelJourney { journey, .. } => lever(journey, JourneyLever::Cancel { at: None }),
        Command::FailJourney { journey, code, .. } => {
            lever(journey, JourneyLever::Fail { code: json!(code.name()), at: None })
        }
        Command::ExpireJourney { journey, .. } => lever(journey, JourneyLever::Expire),
        Command::AnswerStep { journey, step, answers } => {
            let body = json!({ "step": step.name(), "answers": filled_in(answers) });
            post(&format!("/simulations/journey/{}/answer", of_journey(journey)), body)
        }
        Command::SignJourney { journey, signer, outcome } => {
            let outcome = match outcome {
                SignOutcome::Sign => "sign",
                SignOutcome::Abort => "abort",
                SignOutcome::Fail => "fail",
            };
            let body = json!({ "signer": signer.to_string(), "outcome": outcome });
            post(&format!("/simulations/journey/{}/sign", of_journey(journey)), body)
        }
        other => elsewhere(other),
    }
}

fn start(create: &CreateJourney) -> StartJourney {
    let shown = serde_json::to_value(Configuration::of(&create.configuration)).unwrap_or_default();
    let mut fields = shown.as_object().cloned().unwrap_or_default();
    let journey_type = fields.shift_remove("journeyType").unwrap_or_default();
    let configuration = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
    let scope = create.partner_data.as_ref().map(|text| ("scope".to_owned(), json!(**text)));
    StartJourney { journey_type, configuration, around: scope.into_iter().collect() }
}

/// What happens to accounts, bank accounts, mandates, transfers and owners.
fn elsewhere(command: &Command) -> StoryStep {
    let at = |noun: &str, id: String, verb: &str| format!("/simulations/{noun}/{id}/{verb}");
    match command {
        Command::DecideAccount { account, decision, .. } => {
            let verb = match decision {
                Decision::Approve => "approve",
                Decision::Reject => "reject",
                Decision::Confirm => "confirm",
            };
            StoryStep::call("POST", &at("account", account.to_string(), verb))
        }
        Command::CheckBankAccount { bank_account, passes, .. } => {
            let outcome = if *passes { "pass" } else { "fail" };
            post(&at("bankaccount", bank_account.to_string(), "check"), json!({ "outcome": outcome }))
        }
        Command::AdviseMandate { bank_account, code, .. } => {
            post(&at("bankaccount", bank_account.to_string(), "mandate"), json!({ "code": **code }))
        }
        Command::MoveTransfer { transfer, act, .. } => {
            let verb = match act {
                CustodianAct::Accept => "accept",
                CustodianAct::Reject => "reject",
                CustodianAct::Complete => "complete",
            };
            StoryStep::call("POST", &at("transfer", transfer.to_string(), verb))
        }
        Command::Screen { owner, hit } => {
            let (key, number) = match owner {
                OwnerKey::Ssn(ssn) => ("ssn", ssn.to_string()),
                OwnerKey::Crn(crn) => ("crn", crn.to_string()),
            };
            let hit = match hit {
                ScreeningHit::Pep => "pep",
                ScreeningHit::Sanctions => "sanctions",
                ScreeningHit::Clear => "clear",
            };
            post("/simulations/screening", json!({ key: number, "hit": hit }))
        }
        Command::CloseAccount { account, .. } => StoryStep::call("DELETE", &format!("/account/{account}")),
        Command::PlaceOrder(place) => post(
            "/order",
            json!({
                "orderType": "subscription",
                "account": place.account.to_string(),
                "instrument": place.instrument.to_string(),
                "amount": crate::ast::number(&place.amount.unwrap_or_default().to_string()),
            }),
        ),
        other => unreachable!("no walk asks for {other:?}"),
    }
}

fn post(path: &str, body: Json) -> StoryStep {
    let (method, path) = ("POST".to_owned(), path.to_owned());
    StoryStep::from(Ask::Call(Call { method, path, body: Body::Json(body), ..Call::default() }))
}

/// Fields with one text or several.
fn filled_in(answers: &Answers) -> Json {
    let shown = |values: &Vec<std::sync::Arc<str>>| match values.as_slice() {
        [one] => json!(**one),
        many => Json::Array(many.iter().map(|text| json!(**text)).collect()),
    };
    Json::Object(answers.0.iter().map(|(name, values)| (name.to_string(), shown(values))).collect::<Map<_, _>>())
}
