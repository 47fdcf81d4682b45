//! An account between the signature and the approval, and the events of it.

use crate::common::Bench;
use crate::journeys::{ANNA, START, moving, opening_by, transfer_of};
use sim::command::Decision;
use sim::records::{Account, AccountType, Configuration};
use sim::store::Window;
use sim::{Command, query};

fn decide(bench: &mut Bench, account: &Account, decision: Decision) {
    let partner = bench.scope.partner;
    bench.does(Command::DecideAccount { partner, account: account.id, decision }).expect("it waits");
}

/// (rule: accounts/approval, calendar/end-of-days)
#[test]
fn every_step_of_an_application_emits_an_update_of_its_account() {
    // Who applies for what, what is decided, until when, and how it ends.
    for (number, kind, first, decision, instant, ends) in [
        (ANNA, AccountType::Depot, "pending", None, "2026-03-02T08:00:05+01:00", "active"),
        ("197001022388", AccountType::Isk, "pending", None, "2026-03-02T08:00:05+01:00", "rejected"),
        ("197001082382", AccountType::Isk, "pending", Some(Decision::Approve), START, "active"),
        ("197001082382", AccountType::Isk, "pending", Some(Decision::Reject), START, "rejected"),
        (ANNA, AccountType::Insurance, "confirm", Some(Decision::Confirm), START, "pending"),
        (ANNA, AccountType::Insurance, "confirm", Some(Decision::Reject), START, "rejected"),
        (ANNA, AccountType::Insurance, "confirm", None, "2026-03-16T09:00:00+01:00", "rejected"),
    ] {
        let mut bench = Bench::new(1, START);
        let journey = bench.opened(opening_by(number, kind));
        bench.event_kinds();
        let done = bench.complete(journey, &[]);
        assert_eq!(bench.event_kinds(), ["account.create", "journey.update"], "{kind:?}");
        let account = bench.account_of(&done);
        assert_eq!(query::account_status(account.status()), first, "{kind:?}");
        if let Some(decision) = decision {
            decide(&mut bench, &account, decision);
        }
        bench.wait(instant);
        let kinds: Vec<_> = bench.event_kinds().into_iter().filter(|kind| kind.starts_with("account.")).collect();
        assert_eq!(
            (query::account_status(bench.again(&account).status()), kinds),
            (ends, vec!["account.update"]),
            "{number} {kind:?} {decision:?}"
        );
    }
}

/// (rule: securities/transfer-timing, accounts/approval)
#[test]
fn a_transfer_is_sent_on_the_bank_day_after_its_account_is_active_however_late_that_is() {
    let mut bench = Bench::new(1, START);
    let configuration = Configuration {
        transfer: Some(transfer_of(vec![moving(AccountType::Isk)])),
        ..opening_by("197001082382", AccountType::Isk)
    };
    let done = bench.walk(configuration, &[]);
    let account = bench.account_of(&done);
    let state_of = |bench: &Bench| query::transfers(&bench.world, account.id, &Window::default())[0].state.name();
    bench.wait("2026-03-13T12:00:00+01:00");
    assert_eq!(state_of(&bench), "new");
    decide(&mut bench, &account, Decision::Approve);
    // A Friday.
    for (instant, state) in [
        ("2026-03-16T08:59:59.999+01:00", "new"),
        ("2026-03-16T09:00:00+01:00", "sent"),
        ("2026-03-19T08:59:59.999+01:00", "sent"),
        ("2026-03-19T09:00:00+01:00", "accepted"),
        ("2026-04-02T08:59:59.999+02:00", "accepted"),
        ("2026-04-02T09:00:00+02:00", "completed"),
    ] {
        bench.wait(instant);
        assert_eq!(state_of(&bench), state, "at {instant}");
    }
}
