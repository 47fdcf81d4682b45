//! A company's application that waits for a second signature.

use sim::command::SignOutcome;
use sim::identity::PersonalNumber;
use sim::ids::SubmissionId;
use sim::records::{
    AccountOptions, AccountType, Answers, Category, Configuration, JourneyStep, JourneyType, OwnerType, ServiceType,
};
use sim::{Command, query};

use crate::site::Site;

/// Who signs first.
const FIRST: &str = "191212121212";
/// Who is waited for.
const SECOND: &str = "198001012387";

/// Walks a legal-entity journey up to its first signature, without a browser.
pub fn waiting(site: &Site) -> (SubmissionId, PersonalNumber) {
    let configuration = Configuration {
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_options: Some(AccountOptions {
            owner_type: Some(OwnerType::LegalEntity),
            service_types: Some(vec![ServiceType::ExecutionOnly]),
            account_types: Some(vec![AccountType::Depot]),
            account_categories: Some(vec![Category::Retail]),
        }),
        ..Configuration::empty(JourneyType::CreateLegalEntityAccount)
    };
    let number = |text| PersonalNumber::parse(text).expect("a personal number");
    let (journey, _) = site.start(configuration);
    site.submit(Command::OpenJourney { journey, partner: None });
    let details = Answers::default()
        .with("crn", "5599900007")
        .with("companyName", "Granskogens Snickeri AB")
        .with("signatories", &format!("{FIRST}, {SECOND}"));
    let known =
        [(JourneyStep::Authentication, Answers::default().with("ssn", FIRST)), (JourneyStep::AccountDetails, details)];
    loop {
        let view = site.read(|world| {
            query::journey_steps(world, journey).into_iter().find(|view| view.state == query::StepState::Current)
        });
        let view = view.expect("a step");
        if view.step == JourneyStep::Signing {
            break;
        }
        let mut answers = Answers::default();
        for field in view.fields.iter().filter(|field| !field.read_only && !field.suggestion.is_empty()) {
            answers.set(field.name.clone(), field.suggestion.clone());
        }
        for (_, given) in known.iter().filter(|(step, _)| *step == view.step) {
            given.0.iter().for_each(|(name, values)| answers.set(name.clone(), values.clone()));
        }
        site.submit(Command::AnswerStep { partner: None, journey, step: view.step, answers });
    }
    site.submit(Command::SignJourney { partner: None, journey, signer: number(FIRST), outcome: SignOutcome::Sign });
    (site.journey(journey).submission.expect("a submission"), number(SECOND))
}
