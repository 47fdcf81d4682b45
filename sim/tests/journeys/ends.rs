//! Every way a journey can end, and its events and callbacks.

use super::{ANNA, START, answers, opening, opening_by};
use crate::common::Bench;
use sim::command::SignOutcome;
use sim::machines::journey::State;
use sim::records::{AccountType, ErrorCode, JourneyStep};
use sim::{Command, query};

/// (rule: journeys/completion-effects, accounts/approval, events/event-order)
#[test]
fn a_customer_who_walks_every_step_and_signs_has_an_account_that_is_active_after_five_seconds() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(opening(AccountType::Isk));
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticates");
    let mut seen = Vec::new();
    while let Some(step) = query::journey_current(&bench.world, journey).filter(|step| *step != JourneyStep::Signing) {
        seen.push(step.name());
        let views = query::journey_steps(&bench.world, journey);
        let view = views.into_iter().find(|view| view.step == step).expect("the current step is shown");
        let mut given = answers(&[]);
        for field in view.fields.iter().filter(|field| !field.read_only) {
            given.set(field.name.clone(), field.suggestion.clone());
        }
        bench.answer(journey, step, given).expect("sensible answers are accepted");
    }
    assert_eq!(seen, ["accountDetails", "kyc", "agreement"]);
    bench.event_kinds();
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("signs");
    assert_eq!(bench.event_kinds(), ["account.create", "journey.update"]);
    let done = bench.look(journey);
    assert_eq!((*done.state, done.error_code, done.context), (State::Complete, None, None));
    let account = bench.account_of(&done);
    assert_eq!(query::account_status(account.status()), "pending");
    let callbacks = bench.callbacks();
    assert_eq!(callbacks.len(), 1);
    assert_eq!(callbacks[0].body, done);
    bench.wait("2026-03-02T08:00:04.999+01:00");
    assert_eq!(query::account_status(bench.account_of(&done).status()), "pending");
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(query::account_status(bench.account_of(&done).status()), "active");
    assert!(bench.callbacks().is_empty());
}

/// (rule: journeys/fixed-outcomes-strike, money/fixed-outcomes-of-people)
#[test]
fn the_lever_completes_every_fixed_outcome_as_the_rules_say() {
    let rows = [
        (ANNA, "complete", None, None),
        ("197001012389", "complete", None, None),
        ("197001022388", "complete", None, None),
        ("197001032387", "error", Some(ErrorCode::Kyc), Some(JourneyStep::Kyc)),
        ("197001042386", "error", Some(ErrorCode::Auth), Some(JourneyStep::Authentication)),
        ("197001052385", "error", Some(ErrorCode::Sign), Some(JourneyStep::Signing)),
        ("197001062384", "complete", None, None),
        ("197001072383", "error", Some(ErrorCode::Other), Some(JourneyStep::Signing)),
        ("197001082382", "complete", None, None),
    ];
    for (number, status, code, context) in rows {
        let mut bench = Bench::new(1, START);
        let journey = bench.walk(opening_by(number, AccountType::Depot), &[]);
        assert_eq!((journey.state.name(), journey.error_code, journey.context), (status, code, context), "{number}");
        assert_eq!(journey.result.is_some(), status == "complete", "{number}");
        assert_eq!(bench.callbacks().len(), 1, "{number}");
        let partner = bench.scope.partner;
        let again = bench.does(Command::CancelJourney { partner, journey: journey.id, context: None });
        assert_eq!(again.expect_err("it has ended").class, sim::Class::Conflict);
        bench.wait("2026-03-05T08:00:00+01:00");
        assert_eq!(bench.look(journey.id), journey, "an ended journey stays as it is");
        assert!(bench.callbacks().is_empty());
    }
}

/// (rule: journeys/error-codes)
#[test]
fn a_customer_who_leaves_is_canceled_on_the_step_where_they_stood() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(opening_by(ANNA, AccountType::Depot));
    let steps = [
        JourneyStep::Authentication,
        JourneyStep::AccountDetails,
        JourneyStep::Kyc,
        JourneyStep::Agreement,
        JourneyStep::Signing,
    ];
    let partner = bench.scope.partner;
    for at in steps {
        let journey = bench.opened(opening_by(ANNA, AccountType::Depot));
        while let Some(step) = query::journey_current(&bench.world, journey).filter(|step| *step < at) {
            let view = query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == step);
            let mut given = answers(&[]);
            let open = view.expect("shown").fields.into_iter().filter(|field| !field.read_only);
            open.for_each(|field| given.set(field.name, field.suggestion));
            bench.answer(journey, step, given).expect("sensible answers");
        }
        bench.does(Command::AbortJourney { journey, context: None }).expect("leaves");
        let left = bench.look(journey);
        assert_eq!((*left.state, left.error_code, left.context), (State::Canceled, Some(ErrorCode::User), Some(at)));
        assert_eq!(left.result, None);
        assert_eq!(bench.callbacks().len(), 1);
    }
    let hidden = bench.does(Command::CancelJourney { partner, journey, context: Some(JourneyStep::Transfer) });
    let expected = "context is not acceptable: this journey does not show it";
    assert_eq!(hidden.expect_err("hidden").to_string(), expected);
    let named =
        bench.does(Command::CancelJourney { partner, journey, context: Some(JourneyStep::Kyc) }).expect("canceled");
    let sim::Reply::Journey(named) = named else { panic!("a journey") };
    assert_eq!(named.context, Some(JourneyStep::Kyc));
}

#[test]
fn the_electronic_identity_can_be_aborted_or_fail_where_it_is_used() {
    let rows = [
        (false, SignOutcome::Abort, State::Canceled, ErrorCode::User, JourneyStep::Authentication),
        (false, SignOutcome::Fail, State::Error, ErrorCode::Auth, JourneyStep::Authentication),
        (true, SignOutcome::Abort, State::Canceled, ErrorCode::User, JourneyStep::Signing),
        (true, SignOutcome::Fail, State::Error, ErrorCode::Sign, JourneyStep::Signing),
    ];
    for (late, outcome, state, code, context) in rows {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(ANNA));
        let account = bench.account(open);
        let journey = bench.opened(super::about(&account, sim::records::JourneyType::SignWithdrawal));
        let refusal = bench.sign(journey, "197001012389", SignOutcome::Sign).expect_err("not the owner");
        assert_eq!(refusal.class, sim::Class::ExecutorMismatch);
        if late {
            bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticates");
        }
        bench.sign(journey, ANNA, outcome).expect("ends");
        let ended = bench.look(journey);
        assert_eq!((*ended.state, ended.error_code, ended.context), (state, Some(code), Some(context)));
        assert_eq!(bench.callbacks().len(), 1);
        assert!(!query::has_withdrawal_grant(&bench.world, account.id));
    }
}

/// (rule: journeys/error-codes)
#[test]
fn every_code_but_the_customers_own_can_be_caused_before_and_after_opening() {
    for code in ErrorCode::ALL {
        for open in [false, true] {
            let mut bench = Bench::new(1, START);
            let partner = bench.scope.partner;
            let journey = bench.journey(opening(AccountType::Depot));
            if open {
                bench.does(Command::OpenJourney { journey, partner: Some(partner) }).expect("opens");
            }
            let fail = Command::FailJourney { partner, journey, code, context: Some(JourneyStep::Kyc) };
            if code == ErrorCode::User {
                let refusal = bench.does(fail).expect_err("the customer's own");
                assert_eq!(refusal.class, sim::Class::Malformed);
                continue;
            }
            bench.event_kinds();
            bench.does(fail).expect("fails");
            let failed = bench.look(journey);
            assert_eq!(
                (*failed.state, failed.error_code, failed.context),
                (State::Error, Some(code), Some(JourneyStep::Kyc))
            );
            assert_eq!(bench.event_kinds(), ["journey.update"]);
            assert_eq!(bench.callbacks().len(), 1);
        }
    }
}

/// (rule: journeys/journey-life, calendar/end-of-days)
#[test]
fn a_link_expires_after_a_day_and_with_several_signatories_after_two_weeks_at_nine() {
    let rows = [
        (opening(AccountType::Depot), "2026-03-03T08:00:00+01:00", "2026-03-03T07:59:59.999+01:00"),
        (super::entity_opening(), "2026-03-16T09:00:00+01:00", "2026-03-16T08:59:59.999+01:00"),
    ];
    for (configuration, instant, before) in rows {
        for open in [false, true] {
            let mut bench = Bench::new(1, START);
            let journey = bench.journey(configuration.clone());
            assert_eq!(bench.look(journey).expiry, crate::common::at(instant));
            if open {
                bench.does(Command::OpenJourney { journey, partner: None }).expect("opens");
            }
            bench.wait(before);
            assert_eq!(bench.look(journey).state, if open { State::Pending } else { State::New });
            bench.event_kinds();
            bench.wait(instant);
            let expired = bench.look(journey);
            assert_eq!((*expired.state, expired.error_code, expired.context), (State::Expired, None, None));
            assert_eq!(expired.result, None);
            assert_eq!(bench.event_kinds(), ["journey.update"]);
            assert!(bench.callbacks().is_empty(), "an expiry is not called back");
        }
    }
}

/// (rule: journeys/opening)
#[test]
fn opening_twice_is_harmless_for_the_customer_and_a_conflict_for_the_lever() {
    let mut bench = Bench::new(1, START);
    let partner = bench.scope.partner;
    let journey = bench.journey(opening(AccountType::Depot));
    let early = Command::AnswerStep {
        partner: None,
        journey,
        step: JourneyStep::Authentication,
        answers: answers(&[("ssn", ANNA)]),
    };
    let conflict = bench.does(early).expect_err("nobody has opened it").conflict.expect("a conflict");
    assert_eq!((conflict.current.as_str(), conflict.allowed.len()), ("new", 5));
    assert_eq!(conflict.allowed[..2], ["open", "complete"]);
    bench.does(Command::OpenJourney { journey, partner: None }).expect("a new journey can be opened");
    assert_eq!(bench.journey_statuses(journey), ["pending"]);
    bench.does(Command::OpenJourney { journey, partner: None }).expect("harmless");
    assert!(bench.event_kinds().is_empty());
    let again = bench.does(Command::OpenJourney { journey, partner: Some(partner) }).expect_err("a conflict");
    let conflict = again.conflict.expect("a conflict");
    assert_eq!((again.class, conflict.current.as_str()), (sim::Class::Conflict, "pending"));
    assert_eq!(conflict.allowed, ["complete", "cancel", "fail", "expire"]);
    bench.does(Command::ExpireJourney { partner, journey }).expect("expires");
    for command in [
        Command::OpenJourney { journey, partner: None },
        Command::AbortJourney { journey, context: None },
        Command::AnswerStep {
            partner: None,
            journey,
            step: JourneyStep::Authentication,
            answers: answers(&[("ssn", ANNA)]),
        },
        Command::SignJourney { partner: None, journey, signer: super::ssn(ANNA), outcome: SignOutcome::Sign },
        Command::CompleteJourney { partner, journey, answers: Vec::new() },
        Command::CancelJourney { partner, journey, context: None },
        Command::FailJourney { partner, journey, code: ErrorCode::Other, context: None },
        Command::ExpireJourney { partner, journey },
    ] {
        let digest = bench.world.digest();
        let refusal = bench.does(command).expect_err("it has expired");
        let conflict = refusal.conflict.expect("a conflict");
        assert_eq!((conflict.current.as_str(), conflict.allowed.len()), ("expired", 0));
        assert_eq!(bench.world.digest(), digest);
    }
    assert!(bench.callbacks().is_empty());
}

/// (rule: journeys/opening)
#[test]
fn a_lever_opens_a_new_journey_first_as_a_person_would() {
    let mut bench = Bench::new(1, START);
    let partner = bench.scope.partner;
    let completed = bench.journey(opening(AccountType::Depot));
    bench.complete(completed, &[]);
    assert_eq!(bench.journey_statuses(completed), ["pending", "complete"]);
    let canceled = bench.journey(opening(AccountType::Depot));
    bench.does(Command::CancelJourney { partner, journey: canceled, context: None }).expect("cancels");
    assert_eq!(bench.journey_statuses(canceled), ["pending", "canceled"]);
    let failed = bench.journey(opening(AccountType::Depot));
    let fail = Command::FailJourney { partner, journey: failed, code: ErrorCode::Auth, context: None };
    bench.does(fail).expect("fails");
    assert_eq!(bench.journey_statuses(failed), ["error"]);
}

#[test]
fn levers_answer_to_the_journeys_own_partner_only() {
    let mut setup = crate::common::setup();
    let mut other = setup.partners[0].clone();
    other.clients[0].crn = sim::identity::OrganisationNumber::parse("5599900015").expect("a number");
    setup.partners.push(other);
    let mut bench = Bench::of(&setup, 1, START);
    let other_partner = query::partners(&bench.world).nth(1).expect("two partners").id;
    let journey = bench.journey(opening(AccountType::Depot));
    for command in [
        Command::OpenJourney { journey, partner: Some(other_partner) },
        Command::CompleteJourney { partner: other_partner, journey, answers: Vec::new() },
        Command::CancelJourney { partner: other_partner, journey, context: None },
        Command::ExpireJourney { partner: other_partner, journey },
    ] {
        assert_eq!(bench.does(command).expect_err("not yours").class, sim::Class::Unknown);
    }
}

#[cfg(feature = "canaries")]
mod canaries {
    use super::*;
    use sim::canary::Canary;

    fn planted(fault: Canary) -> Bench {
        let mut bench = Bench::new(1, START);
        bench.world.plant(fault);
        bench
    }

    #[test]
    fn a_second_callback_can_be_planted() {
        let mut bench = planted(Canary::SecondCallback);
        bench.walk(opening(AccountType::Depot), &[]);
        assert_eq!(bench.callbacks().len(), 2);
    }

    #[test]
    fn a_result_before_completion_can_be_planted() {
        let mut bench = planted(Canary::ResultBeforeCompletion);
        let journey = bench.opened(opening(AccountType::Depot));
        assert!(bench.look(journey).result.is_some());
    }

    #[test]
    fn a_reopened_terminal_journey_can_be_planted() {
        let mut bench = planted(Canary::TerminalJourneyReopened);
        let journey = bench.walk(opening(AccountType::Depot), &[]).id;
        bench.does(Command::OpenJourney { journey, partner: None }).expect("the fault lets it");
        assert_eq!(bench.look(journey).state, State::Pending);
    }

    #[test]
    fn a_scope_that_is_one_too_long_can_be_planted() {
        let mut bench = planted(Canary::ScopeOneTooLong);
        let mut create = bench.asked(opening(AccountType::Depot));
        create.partner_data = Some(std::sync::Arc::from("a".repeat(769)));
        assert_eq!(bench.complaint_of(create.clone()), "");
        create.partner_data = Some(std::sync::Arc::from("a".repeat(770)));
        assert_ne!(bench.complaint_of(create), "");
    }
}
