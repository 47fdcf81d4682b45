//! Accounts of legal entities: submissions and their signatories.

use crate::common::Bench;
use crate::journeys::{ANNA, START, answers, entity_opening, ssn};
use sim::command::{Decision, SignOutcome};
use sim::ids::{JourneyId, SubmissionId};
use sim::machines::journey::State;
use sim::records::{
    Account, AccountType, Answers, Configuration, ErrorCode, Journey, JourneyStep, JourneyType, Owner, SubmissionStatus,
};
use sim::{Command, query};
use std::sync::Arc;

const BERT: &str = "191212121212";
const CARL: &str = "200002292399";

fn details(signatories: &str) -> Answers {
    answers(&[("crn", "5599900015"), ("companyName", "Prov AB"), ("signatories", signatories)])
}

fn first(bench: &mut Bench, signatories: &str) -> Arc<Journey> {
    let configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
    bench.walk(configuration, &[(JourneyStep::AccountDetails, details(signatories))])
}

fn signing(number: &str, submission: SubmissionId) -> Configuration {
    Configuration {
        ssn: Some(ssn(number)),
        submission: Some(submission),
        ..Configuration::empty(JourneyType::SignSubmission)
    }
}

/// A journey at its last step; a company's second signatory is Bert.
fn before_signing(bench: &mut Bench, number: &str, configuration: Configuration) -> JourneyId {
    let journey = bench.opened(configuration);
    bench.sign(journey, number, SignOutcome::Sign).expect("authenticates");
    loop {
        let steps = query::journey_steps(&bench.world, journey);
        let view = steps.into_iter().find(|view| view.state == query::StepState::Current).expect("a step");
        let mut given = Answers::default();
        match view.step {
            JourneyStep::Signing => return journey,
            JourneyStep::AccountDetails => given = details(BERT),
            _ => {
                let open = view.fields.iter().filter(|field| !field.read_only && !field.suggestion.is_empty());
                open.for_each(|field| given.set(field.name.clone(), field.suggestion.clone()));
            }
        }
        bench.answer(journey, view.step, given).expect("sensible answers");
    }
}

fn status(bench: &Bench, account: &Account) -> &'static str {
    query::account_status(bench.again(account).status())
}

fn submission(bench: &Bench, id: SubmissionId) -> SubmissionStatus {
    *query::submission(&bench.world, bench.scope.client, id).expect("it exists").state
}

#[test]
fn one_signatory_needs_nobody_else() {
    let mut bench = Bench::new(1, START);
    let done = first(&mut bench, "");
    let account = bench.account_of(&done);
    let result = done.result.as_ref().and_then(|result| result.submission).expect("a submission");
    assert_eq!((result.status, status(&bench, &account)), (SubmissionStatus::Complete, "pending"));
    assert_eq!(done.submission, Some(result.id));
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(status(&bench, &account), "active");
    let Owner::LegalEntity(entity) = account.owner.as_ref() else { panic!("a company") };
    assert_eq!((entity.name.as_ref(), entity.crn.to_string().as_str()), ("Prov AB", "5599900015"));
    assert_eq!(entity.form.as_deref(), Some("aktiebolag"));
    assert_eq!(entity.signatories.len(), 1);
}

/// (rule: journeys/one-signer)
#[test]
fn signatories_whom_the_client_has_registered_sign_under_their_registered_names() {
    let mut bench = Bench::new(1, START);
    for number in [ANNA, BERT] {
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(number));
        bench.account(open);
    }
    let configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
    let claims = (JourneyStep::Authentication, answers(&[("firstName", "Maj"), ("lastName", "Other")]));
    let done = bench.walk(configuration, &[claims, (JourneyStep::AccountDetails, details(&format!("{BERT}|{CARL}")))]);
    let account = bench.account_of(&done);
    let Owner::LegalEntity(entity) = account.owner.as_ref() else { panic!("a company") };
    let other_person = sim::people::named(bench.world.seed(), ssn(CARL));
    let other_person = format!("{} {}", other_person.first_name, other_person.last_name);
    let names: Vec<&str> = entity.signatories.iter().map(|one| one.name.as_ref()).collect();
    assert_eq!(names, ["Anna Prov", "Anna Prov", other_person.as_str()]);

    bench.walk(signing(BERT, done.submission.expect("a submission")), &[]);
    let facts = query::agreement(&bench.world, &bench.again(&account), sim::records::AgreementType::Account);
    let signed = facts.expect("signed").signatures;
    let names: Vec<&str> = signed.iter().map(|one| one.name.as_ref()).collect();
    assert_eq!(names, ["Anna Prov", "Anna Prov"]);
}

/// (rule: accounts/signatory-groups)
#[test]
fn the_account_waits_until_the_last_signatory_has_signed() {
    let mut bench = Bench::new(1, START);
    let done = first(&mut bench, &format!("{BERT}|{CARL}"));
    let account = bench.account_of(&done);
    let id = done.submission.expect("a submission");
    assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Pending, "confirm"));
    bench.event_kinds();

    let second = bench.walk(signing(BERT, id), &[]);
    let result = second.result.as_ref().expect("complete");
    assert_eq!(result.submission.expect("a submission").status, SubmissionStatus::Pending);
    assert_eq!((&result.account, status(&bench, &account)), (&None, "confirm"));

    bench.event_kinds();
    let third = bench.walk(signing(CARL, id), &[]);
    let result = third.result.as_ref().expect("complete");
    assert_eq!(result.submission.expect("a submission").status, SubmissionStatus::Complete);
    assert_eq!(result.account.as_ref().expect("the last signatory's").id, account.id);
    assert_eq!(bench.event_kinds(), ["journey.update", "account.update", "journey.update"]);
    assert_eq!(status(&bench, &account), "pending");
    let facts = query::agreement(&bench.world, &bench.again(&account), sim::records::AgreementType::Account);
    let signers: Vec<String> = facts.expect("signed").signatures.iter().map(|one| one.ssn.to_string()).collect();
    assert_eq!(signers, [ANNA, BERT, CARL]);
    assert_eq!(bench.callbacks().len(), 3);
}

/// (rule: journeys/submissions)
#[test]
fn a_submission_is_new_when_filled_in_and_another_journey_can_take_it_up() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() });
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
    bench.event_kinds();
    bench.answer(journey, JourneyStep::AccountDetails, details(BERT)).expect("describes the company");
    assert_eq!(bench.event_kinds(), ["journey.update"]);
    let id = bench.look(journey).submission.expect("a submission");
    assert_eq!(submission(&bench, id), SubmissionStatus::New);
    bench.answer(journey, JourneyStep::AccountDetails, details(CARL)).expect("changes its mind");
    assert_eq!(bench.look(journey).submission, Some(id), "the same submission");
    let missing: Vec<_> =
        query::submission(&bench.world, bench.scope.client, id).expect("it exists").missing().collect();
    assert_eq!(missing, [ssn(ANNA), ssn(CARL)]);
    bench.does(Command::AbortJourney { journey, context: None }).expect("leaves");

    let again = Configuration { ssn: Some(ssn(CARL)), submission: Some(id), ..entity_opening() };
    let done = bench.walk(again, &[]);
    assert_eq!(
        (*done.state, done.submission, submission(&bench, id)),
        (State::Complete, Some(id), SubmissionStatus::Pending)
    );
    let account = bench.account_of(&done);
    bench.walk(signing(ANNA, id), &[]);
    assert_eq!(status(&bench, &account), "pending");
}

/// (rule: journeys/submissions)
#[test]
fn a_submission_that_lapses_or_is_rejected_can_no_longer_be_signed() {
    for lapse in [false, true] {
        let mut bench = Bench::new(1, START);
        let done = first(&mut bench, BERT);
        let account = bench.account_of(&done);
        let id = done.submission.expect("a submission");
        bench.wait("2026-03-10T08:00:00+01:00");
        let open = bench.opened(signing(BERT, id));
        bench.sign(open, BERT, SignOutcome::Sign).expect("authenticates");
        bench.answer(open, JourneyStep::Agreement, answers(&[("accept", "yes")])).expect("accepts");
        if lapse {
            bench.wait("2026-03-16T09:00:00+01:00");
        } else {
            let partner = bench.scope.partner;
            let reject = Command::DecideAccount { partner, account: account.id, decision: Decision::Reject };
            bench.does(reject).expect("rejects");
        }
        assert_eq!((status(&bench, &account), submission(&bench, id)), ("rejected", SubmissionStatus::Rejected));
        bench.sign(open, BERT, SignOutcome::Sign).expect("too late");
        let late = bench.look(open);
        assert_eq!((*late.state, late.error_code), (State::Error, Some(ErrorCode::Other)));
        assert_eq!(status(&bench, &account), "rejected");
    }
}

/// (rule: journeys/confirm-lever)
#[test]
fn the_confirming_lever_gives_every_signature_that_is_missing() {
    let mut bench = Bench::new(1, START);
    let mut configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
    configuration.account_options.as_mut().expect("options").account_types = Some(vec![AccountType::Insurance]);
    let done = bench.walk(configuration, &[(JourneyStep::AccountDetails, details(BERT))]);
    let account = bench.account_of(&done);
    let id = done.submission.expect("a submission");
    bench.walk(signing(BERT, id), &[]);
    assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Complete, "confirm"));
    let partner = bench.scope.partner;
    let confirm = Command::DecideAccount { partner, account: account.id, decision: Decision::Confirm };
    bench.does(confirm).expect("the insurer signs");
    assert_eq!(status(&bench, &account), "pending");
}

#[test]
fn any_signatory_may_act_for_the_company_afterwards() {
    let mut bench = Bench::new(1, START);
    let done = first(&mut bench, BERT);
    let account = bench.account_of(&done);
    bench.walk(signing(BERT, done.submission.expect("a submission")), &[]);
    bench.wait("2026-03-02T08:00:05+01:00");
    let connecting =
        Configuration { ssn: Some(ssn(BERT)), ..crate::journeys::about(&account, JourneyType::AddBankAccount) };
    let iban = crate::journeys::answers(&[("iban", "SE8150000000050000000019")]);
    bench.walk(connecting, &[(JourneyStep::BankAccount, iban)]);
    bench.wait("2026-03-02T08:00:35+01:00");
    let configuration = crate::journeys::about(&account, JourneyType::SignWithdrawal);
    let journey = bench.opened(configuration);
    let step = query::journey_steps(&bench.world, journey).remove(0);
    let people: Vec<_> = step.fields[0].choices.iter().map(|choice| choice.value.to_string()).collect();
    assert_eq!((people, step.fields[0].kind), (vec![ANNA.to_owned(), BERT.to_owned()], query::FieldKind::Choice));
    bench.sign(journey, BERT, SignOutcome::Sign).expect("authenticates");
    bench.sign(journey, BERT, SignOutcome::Sign).expect("signs");
    assert_eq!(bench.look(journey).state, State::Complete);
    assert!(query::has_withdrawal_grant(&bench.world, account.id));
    bench.wait("2026-03-03T08:00:35+01:00");
    assert!(query::has_withdrawal_grant(&bench.world, account.id), "for 24 hours");
    bench.wait("2026-03-03T08:00:35.001+01:00");
    assert!(!query::has_withdrawal_grant(&bench.world, account.id));
}

/// (rule: journeys/submissions, journeys/one-signer)
#[test]
fn a_submission_is_taken_up_by_its_signatories_only() {
    for (number, fits) in [(ANNA, true), (BERT, true), (CARL, false)] {
        let mut bench = Bench::new(1, START);
        let journey = bench.opened(Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() });
        bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
        bench.answer(journey, JourneyStep::AccountDetails, details(BERT)).expect("describes the company");
        let submission = bench.look(journey).submission;
        let again = bench.opened(Configuration { submission, ..entity_opening() });
        bench.answer(again, JourneyStep::Authentication, answers(&[("ssn", number)])).expect("authenticates");
        let taken = bench.answer(again, JourneyStep::AccountDetails, answers(&[]));
        let complaint = taken.err().map(|refusal| refusal.to_string());
        let expected = (!fits).then_some("signatories is not acceptable: the person who signs is not among them");
        assert_eq!(complaint.as_deref(), expected, "{number}");
    }
}

#[test]
fn the_person_who_describes_a_company_with_an_address_is_its_contact() {
    for (email, expected) in [(None, None), (Some("anna@example.com"), Some("anna@example.com"))] {
        let mut bench = Bench::new(1, START);
        let configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
        let details = email.into_iter().fold(details(BERT), |details, email| details.with("email", email));
        let done = bench.walk(configuration, &[(JourneyStep::AccountDetails, details)]);
        let account = bench.account_of(&done);
        let Owner::LegalEntity(entity) = account.owner.as_ref() else { panic!("a company") };
        let contact = entity.contact_person.as_ref();
        assert_eq!(contact.map(|contact| contact.email.as_ref()), expected);
        assert!(contact.is_none_or(|contact| contact.name == entity.signatories[0].name));
    }
}

/// (rule: journeys/submissions, accounts/signatory-groups)
#[test]
fn a_signing_that_is_aborted_or_fails_is_no_refusal() {
    for (outcome, ends) in [(SignOutcome::Abort, State::Canceled), (SignOutcome::Fail, State::Error)] {
        let mut bench = Bench::new(1, START);
        let done = first(&mut bench, BERT);
        let (account, id) = (bench.account_of(&done), done.submission.expect("a submission"));
        let journey = bench.opened(signing(BERT, id));
        bench.sign(journey, BERT, SignOutcome::Sign).expect("authenticates");
        bench.answer(journey, JourneyStep::Agreement, answers(&[("accept", "yes")])).expect("accepts");
        bench.sign(journey, BERT, outcome).expect("ends");
        assert_eq!(bench.look(journey).state, ends);
        assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Pending, "confirm"));
        bench.walk(signing(BERT, id), &[]);
        assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Complete, "pending"));
    }
}

/// (rule: journeys/refusing-to-sign)
#[test]
fn a_signatory_who_refuses_to_sign_has_the_application_rejected() {
    let mut bench = Bench::new(1, START);
    let done = first(&mut bench, BERT);
    let (account, id) = (bench.account_of(&done), done.submission.expect("a submission"));
    let journey = bench.opened(signing(BERT, id));
    let early = bench.sign(journey, BERT, SignOutcome::Refuse).expect_err("there is nothing to sign yet");
    assert_eq!(early.class, sim::Class::NotAllowedNow);
    bench.sign(journey, BERT, SignOutcome::Sign).expect("authenticates");
    bench.answer(journey, JourneyStep::Agreement, answers(&[("accept", "yes")])).expect("accepts");
    bench.world.take_events();
    bench.sign(journey, BERT, SignOutcome::Refuse).expect("refuses");
    let kinds: Vec<_> = bench.world.take_events().iter().map(sim::Event::kind).collect();
    assert_eq!(kinds, ["account.update", "journey.update"]);
    let ended = bench.look(journey);
    assert_eq!(
        (*ended.state, ended.error_code, ended.context),
        (State::Canceled, Some(ErrorCode::User), Some(JourneyStep::Signing))
    );
    assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Rejected, "rejected"));
}

/// (rule: journeys/refusing-to-sign)
#[test]
fn a_refusal_where_no_signature_is_waited_for_is_no_more_than_leaving() {
    let mut bench = Bench::new(1, START);
    // Nothing has been made yet that could be refused.
    let configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
    let journey = before_signing(&mut bench, ANNA, configuration);
    bench.sign(journey, ANNA, SignOutcome::Refuse).expect("leaves");
    let left = bench.look(journey);
    assert_eq!((*left.state, left.error_code), (State::Canceled, Some(ErrorCode::User)));
    assert_eq!(submission(&bench, left.submission.expect("described")), SubmissionStatus::New);
    // Of two journeys of one signatory the other one has signed.
    let mut bench = Bench::new(1, START);
    let mut configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
    configuration.account_options.as_mut().expect("options").account_types = Some(vec![AccountType::Insurance]);
    let done = bench.walk(configuration, &[(JourneyStep::AccountDetails, details(BERT))]);
    let (account, id) = (bench.account_of(&done), done.submission.expect("a submission"));
    let twice = before_signing(&mut bench, BERT, signing(BERT, id));
    bench.walk(signing(BERT, id), &[]);
    assert_eq!(status(&bench, &account), "confirm", "it waits for the insurer");
    bench.sign(twice, BERT, SignOutcome::Refuse).expect("leaves");
    assert_eq!(bench.look(twice).state, State::Canceled);
    assert_eq!((submission(&bench, id), status(&bench, &account)), (SubmissionStatus::Complete, "confirm"));
}
