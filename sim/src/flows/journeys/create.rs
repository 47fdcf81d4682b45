//! `CreateJourney`: all checks, then a new record (rule: journeys/configuration-problems-at-once,
//! journeys/journey-life).

use super::findings::given;
use super::{configuration, takes_journeys, texts};
use crate::calendar::days_later;
use crate::canary::Canary;
use crate::command::{CreateJourney, PartialJourney};
use crate::machines::Current;
use crate::machines::journey::State;
use crate::partial::Whole as _;
use crate::records::{Client, Configuration, Journey, JourneyType, Progress, Stamp, Submission, SubmissionStatus};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::scope::must_be_active;
use crate::time::{Instant, end_of_days};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// A new journey in `New`; its creation has no event (rule: events/events-named).
pub(crate) fn create(world: &mut World, create: CreateJourney) -> Result<Reply, Refusal> {
    check(world, &create)?;
    // Nothing below can fail.
    let now = world.now;
    let expiry = expiry(world, create.configuration.journey_type);
    let journey = world.journeys.insert_new(now, |id, sorted_id| Journey {
        id,
        sorted_id,
        client: create.scope.client,
        state: Current::first(State::New),
        expiry,
        submission: create.configuration.submission,
        configuration: Arc::new(create.configuration),
        callback_url: create.callback_url,
        redirect_url: create.redirect_url,
        completion_redirect_url: create.completion_redirect_url,
        scope: create.partner_data,
        error_code: None,
        context: None,
        result: None,
        deleted: None,
        stamp: Stamp::new(now),
        progress: Arc::new(Progress::default()),
        timer: Some(world.timers.set(expiry, Timer::ExpireJourney(id))),
    });
    world.visits.begun(journey.client, *journey.state);
    Ok(Reply::Journey(journey))
}

fn expiry(world: &World, kind: JourneyType) -> Instant {
    let settings = &world.setup.settings.journeys;
    if kind.is_long() {
        return end_of_days(days_later(world.now.local_date(), settings.long_journey_days));
    }
    world.now.plus(settings.journey_life)
}

fn check(world: &World, create: &CreateJourney) -> Result<(), Refusal> {
    let client = world.client_in_scope(create.scope)?;
    Refusal::unless_empty(Class::Malformed, problems(world, client, &create.partial()))?;
    check_account(world, client, &create.configuration)?;
    check_submission(world, client, &create.configuration)
}

/// Everything that is known to be wrong with a new journey by itself and for its client.
pub(crate) fn problems(world: &World, client: &Client, create: &PartialJourney) -> Vec<Problem> {
    let configuration = create.configuration.as_ref();
    let mut problems =
        configuration.map_or_else(Vec::new, |configuration| configuration::problems(world, client, configuration));
    check_texts(world, create, &mut problems);
    problems
}

fn check_texts(world: &World, create: &PartialJourney, problems: &mut Vec<Problem>) {
    let https_only = world.setup.settings.journeys.https_callbacks_only;
    let lets_in = |text: &&str| world.planted.is(Canary::ScopeOneTooLong) && text.len() == texts::MAX_SCOPE + 1;
    let scope = given(&create.partner_data).map(AsRef::as_ref).filter(|text| !lets_in(text)).and_then(texts::scope);
    let redirect = |url: &Option<Option<Arc<str>>>| given(url).and_then(|url| texts::redirect_url(url));
    for (field, fault) in [
        ("callbackUrl", create.callback_url.as_ref().and_then(|url| texts::callback_url(url, https_only))),
        ("redirectUrl", redirect(&create.redirect_url)),
        ("completionRedirectUrl", redirect(&create.completion_redirect_url)),
        ("scope", scope),
    ] {
        problems.extend(fault.map(|fault| Problem::new(field, fault)));
    }
}

fn check_account(world: &World, client: &Client, configuration: &Configuration) -> Result<(), Refusal> {
    let Some(id) = configuration.account else { return Ok(()) };
    let account = match world.accounts.get(id) {
        Some(account) if account.client == client.id => account,
        _ => return Err(Refusal::one(Class::Unknown, "journey.account", Fault::NotFound)),
    };
    if !takes_journeys(account, configuration.journey_type) {
        must_be_active(account, "journey.account")?;
    }
    match configuration.ssn {
        Some(ssn) if !account.owner.may_be_executed_by(ssn) => {
            Err(Refusal::one(Class::ExecutorMismatch, "journey.ssn", Fault::NotTheOwner))
        }
        _ => Ok(()),
    }
}

fn check_submission(world: &World, client: &Client, configuration: &Configuration) -> Result<(), Refusal> {
    let Some(id) = configuration.submission else { return Ok(()) };
    let field = "journey.submission";
    let submission = match world.submissions.get(id) {
        Some(submission) if submission.client == client.id => submission,
        _ => return Err(Refusal::one(Class::Unknown, field, Fault::NotFound)),
    };
    let wanted = match configuration.journey_type {
        JourneyType::SignSubmission => SubmissionStatus::Pending,
        _ => SubmissionStatus::New,
    };
    let signer = configuration.ssn;
    if signer.is_some_and(|ssn| !submission.entity.signatories.iter().any(|one| one.ssn == ssn)) {
        return Err(Refusal::one(Class::ExecutorMismatch, "journey.ssn", Fault::NotTheOwner));
    }
    if submission.state != wanted {
        let status = submission.state.name();
        return Err(Refusal::one(Class::NotAllowedNow, field, Fault::NotPossibleIn { status }));
    }
    check_turn(configuration, submission)
}

/// Nobody signs a submission twice.
fn check_turn(configuration: &Configuration, submission: &Submission) -> Result<(), Refusal> {
    let signs = configuration.journey_type == JourneyType::SignSubmission;
    match configuration.ssn {
        Some(ssn) if signs && !submission.missing().any(|missing| missing == ssn) => {
            Err(Refusal::one(Class::NotAllowedNow, "journey.ssn", Fault::Invalid { because: "it has signed already" }))
        }
        _ => Ok(()),
    }
}
