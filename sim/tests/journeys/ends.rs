//! Every way a journey can end, and who hears of it.

use super::{ANNA, START, answers, opening, opening_by};
use crate::common::Bench;
use sim::command::SignOutcome;
use sim::machines::journey::State;
use sim::records::{AccountType, ErrorCode, Step};
use sim::{Command, query};

#[test]
fn a_customer_who_walks_every_step_and_signs_has_an_account_that_is_active_after_five_seconds() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(opening(AccountType::Isk));
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticates");
    let mut seen = Vec::new();
    while let Some(step) = query::journey_current(&bench.world, journey).filter(|step| *step != Step::Signing) {
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
    bench.told();
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("signs");
    assert_eq!(bench.told(), ["account.create", "journey.update"]);
    let done = bench.look(journey);
    assert_eq!((done.state, done.error_code, done.context), (State::Complete, None, None));
    let account = bench.account_of(&done);
    assert_eq!(query::account_status(account.status), "pending");
    let errands = bench.errands();
    assert_eq!(errands.len(), 1);
    assert_eq!(errands[0].body, done);
    bench.wait("2026-03-02T08:00:04.999+01:00");
    assert_eq!(query::account_status(bench.account_of(&done).status), "pending");
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(query::account_status(bench.account_of(&done).status), "active");
    assert!(bench.errands().is_empty());
}

#[test]
fn the_lever_completes_every_fixed_outcome_as_the_register_says() {
    let rows = [
        (ANNA, "complete", None, None),
        ("197001012389", "complete", None, None),
        ("197001022388", "complete", None, None),
        ("197001032387", "error", Some(ErrorCode::Kyc), Some(Step::Kyc)),
        ("197001042386", "error", Some(ErrorCode::Auth), Some(Step::Authentication)),
        ("197001052385", "error", Some(ErrorCode::Sign), Some(Step::Signing)),
        ("197001062384", "complete", None, None),
        ("197001072383", "error", Some(ErrorCode::Other), Some(Step::Signing)),
        ("197001082382", "complete", None, None),
    ];
    for (number, status, code, context) in rows {
        let mut bench = Bench::new(1, START);
        let journey = bench.walk(opening_by(number, AccountType::Depot), &[]);
        assert_eq!((journey.state.name(), journey.error_code, journey.context), (status, code, context), "{number}");
        assert_eq!(journey.result.is_some(), status == "complete", "{number}");
        assert_eq!(bench.errands().len(), 1, "{number}");
        let partner = bench.scope.partner;
        let again = bench.does(Command::CancelJourney { partner, journey: journey.id, context: None });
        assert_eq!(again.expect_err("it has ended").class, sim::Class::Conflict);
        bench.wait("2026-03-05T08:00:00+01:00");
        assert_eq!(bench.look(journey.id), journey, "an ended journey stays as it is");
        assert!(bench.errands().is_empty());
    }
}
