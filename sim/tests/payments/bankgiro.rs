//! Bankgiro, transfers for instructions, and suspense.

use super::HAPPY;
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, amount, id, setup};
use crate::journeys::{START, about, answers};
use sim::command::PayByBankgiro;
use sim::identity::Ocr;
use sim::machines::instruction::State as Place;
use sim::machines::payment::State;
use sim::machines::suspense::State as Money;
use sim::money::Amount;
use sim::records::{
    CashRefType, CashType, InstructionType, JourneyStep, JourneyType, LedgerAccount, MandateStatus, PlacedBy,
    PlanRunStatus, PlatformAccount, SuspenseReason,
};
use sim::setup::PartnerSetup;
use sim::store::Window;
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

/// (rule: payments/bankgiro-deposit, plans/allocation-run, money/booked-when-it-comes)
#[test]
fn a_payment_by_the_accounts_reference_is_a_deposit_and_runs_its_plan() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let shares = answers(&[(&format!("allocation.{DAILY}"), "50"), (&format!("allocation.{GLOBAL}"), "50")]);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, shares)]);
    let pay =
        PayByBankgiro { partner: bench.scope.partner, reference: account.reference.into(), amount: amount("1000.01") };
    let Ok(Reply::BankgiroItem(item)) = bench.does(Command::PayByBankgiro(pay)) else { panic!("on its way") };
    bench.to("2026-03-03T08:59:59.999+01:00");
    assert!(bench.cash_of(&account).is_empty());
    bench.to("2026-03-03T09:00:00+01:00");
    let cash = bench.cash_of(&account);
    assert_eq!(cash.len(), 1);
    assert_eq!(
        (cash[0].kind, cash[0].ref_type, cash[0].amount),
        (CashType::Deposit, CashRefType::Payment, amount("1000.01"))
    );
    assert_eq!(cash[0].text.as_deref(), Some(&*account.reference.to_string()));
    assert_eq!(cash[0].reference.as_deref(), Some(&*item.id.to_string()), "`ref` is the item");
    let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &Default::default());
    let mut bought: Vec<_> = orders.iter().map(|order| (order.amount, order.placed_by)).collect();
    bought.sort();
    assert_eq!(bought, [(Some(amount("500.00")), PlacedBy::Plan), (Some(amount("500.01")), PlacedBy::Plan)]);
}

/// (rule: plans/allocation-run, plans/plan-orders, money/split-by-percent, plans/last-run)
#[test]
fn a_deposit_is_divided_to_the_ore_and_what_a_fund_does_not_take_stays_as_cash() {
    let funds = [DAILY, T_PLUS_ONE, GLOBAL];
    // The least of a first purchase, shares, deposit, what is bought of each fund, how the run ends.
    for (least, shares, paid, bought, ends) in [
        ("0.01", ["33.33", "33.33", "33.34"], "1000", ["333.30", "333.30", "333.40"], PlanRunStatus::Done),
        ("0.01", ["50", "25", "25"], "100.01", ["50.01", "25", "25"], PlanRunStatus::Done),
        ("0.01", ["33.34", "33.33", "33.33"], "1", ["0.34", "0.33", "0.33"], PlanRunStatus::Done),
        ("250.01", ["50", "25", "25"], "1000.01", ["500.01", "", ""], PlanRunStatus::Partly),
        ("500.02", ["50", "25", "25"], "1000.01", ["", "", ""], PlanRunStatus::Skipped),
    ] {
        let mut setup = setup();
        for fund in &mut setup.instruments {
            (fund.min_investment, fund.min_initial) = (amount("0.01"), Some(amount(least)));
        }
        let mut bench = Bench::of(&setup, 1, START);
        let account = bench.payer(HAPPY, MandateStatus::Active);
        let named: Vec<_> = funds.iter().map(|fund| format!("allocation.{fund}")).collect();
        let given: Vec<_> = named.iter().map(String::as_str).zip(shares).collect();
        bench.walk(
            about(&account, JourneyType::UpdateAllocationPlan),
            &[(JourneyStep::AllocationPlan, answers(&given))],
        );
        bench.pays(account.reference, paid);
        bench.to("2026-03-03T09:00:00+01:00");
        let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &Default::default());
        let of = |fund: &str| orders.iter().find(|order| order.instrument == id(fund)).and_then(|order| order.amount);
        let expected = bought.map(|text| (!text.is_empty()).then(|| amount(text)));
        assert_eq!(funds.map(of), expected, "{paid} by {shares:?}, at least {least}");
        let spent = expected.into_iter().flatten().sum::<Amount>();
        let now = bench.again(&account);
        assert_eq!((now.balance, now.reserved), (amount(paid), spent));
        let run = query::allocation_plan_of(&bench.world, account.id).and_then(|plan| plan.last_run.clone());
        let run = run.expect("it has run");
        assert_eq!((run.status, run.reasons.len()), (ends, expected.iter().filter(|part| part.is_none()).count()));
    }
}

/// (rule: payments/deposit-or-suspense, payments/suspense)
#[test]
fn what_no_account_can_take_waits_in_suspense_and_leaves_once() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let closed = bench.account(bench.open("0"));
    bench.does(Command::CloseAccount { scope: bench.scope, account: closed.id }).expect("closed");
    bench.pays(closed.reference, "10");
    bench.pays(Ocr::parse("1234574").expect("a reference"), "20");
    bench.to("2026-03-03T09:00:00+01:00");
    let items = bench.suspense();
    let shown: Vec<_> = items.iter().map(|item| (item.reason, item.amount, item.meant_for)).collect();
    assert_eq!(
        shown,
        [
            (SuspenseReason::AccountNotActive, amount("10"), Some(closed.id)),
            (SuspenseReason::UnknownReference, amount("20"), None)
        ]
    );
    let refusal = bench.does(Command::AllocateSuspense { item: items[0].id, account: closed.id }).expect_err("closed");
    assert_eq!((refusal.class, refusal.conflict.map(|now| now.allowed)), (Class::Conflict, Some(vec!["return"])));
    let Ok(Reply::SuspenseItem(first)) =
        bench.does(Command::AllocateSuspense { item: items[0].id, account: account.id })
    else {
        panic!("not allocated")
    };
    assert_eq!(*first.state, Money::Allocated);
    let cash = bench.cash_of(&account);
    assert_eq!(
        cash.iter().map(|cash| (cash.id, cash.amount)).collect::<Vec<_>>(),
        [(first.deposit.expect("booked"), amount("10"))]
    );
    assert_eq!(cash[0].text.as_deref(), Some(&*closed.reference.to_string()));
    assert_eq!(cash[0].debit, LedgerAccount::Platform(PlatformAccount::Suspense), "it comes out of suspense");
    let Ok(Reply::SuspenseItem(second)) = bench.does(Command::ReturnSuspense { item: items[1].id }) else {
        panic!("not returned")
    };
    assert_eq!((*second.state, second.deposit), (Money::Returned, None));
    for item in items {
        let again = bench.does(Command::ReturnSuspense { item: item.id }).expect_err("it has left");
        assert_eq!(again.class, Class::Conflict);
        bench.does(Command::AllocateSuspense { item: item.id, account: account.id }).expect_err("it has left");
    }
}

/// (rule: payments/payment-by-transfer)
#[test]
fn a_transfer_of_exactly_the_total_pays_every_payment() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Missing);
    let waits = bench
        .instruction(InstructionType::BankTransfer, &account, &[("100.10", "one"), ("200", "two")])
        .expect("no mandate is needed");
    let reference = waits.reference.expect("an OCR of its own");
    assert_ne!(reference, account.reference);
    bench.pays(reference, "300.09");
    bench.to("2026-03-03T09:00:00+01:00");
    assert_eq!(bench.suspense().last().map(|item| item.reason), Some(SuspenseReason::OtherAmount));
    assert_eq!(*bench.instruction_again(&waits).state, Place::New);
    bench.pays(reference, "300.10");
    bench.to("2026-03-04T09:00:00+01:00");
    assert_eq!(*bench.instruction_again(&waits).state, Place::Completed);
    assert!(bench.payments(&waits).iter().all(|payment| payment.state == State::Paid));
    let booked: Vec<_> = bench.cash_of(&account).iter().map(|cash| (cash.amount, cash.client_ref.clone())).collect();
    assert_eq!(booked, [(amount("100.10"), Some(Arc::from("one"))), (amount("200"), Some(Arc::from("two")))]);
    bench.pays(reference, "300.10");
    bench.to("2026-03-05T09:00:00+01:00");
    assert_eq!(bench.suspense().last().map(|item| item.reason), Some(SuspenseReason::UnknownReference));
}

/// (rule: payments/bankgiro-deposit)
#[test]
fn the_references_of_another_partner_lead_nowhere() {
    let mut setup = setup();
    let mut other: PartnerSetup = setup.partners[0].clone();
    other.name = Arc::from("Other");
    other.clients[0].crn = sim::identity::OrganisationNumber::parse("5599900015").expect("a number");
    setup.partners.push(other);
    let mut bench = Bench::of(&setup, 1, START);
    let account = bench.account(bench.open("0"));
    let theirs = query::clients(&bench.world).last().expect("two clients").partner;
    assert_ne!(theirs, bench.scope.partner);
    for reference in [account.reference.into(), Ocr::parse("1234574").expect("a reference")] {
        let pay = PayByBankgiro { partner: theirs, reference, amount: amount("10") };
        bench.does(Command::PayByBankgiro(pay)).expect("taken all the same");
    }
    bench.to("2026-03-03T09:00:00+01:00");
    let reasons: Vec<_> = bench.suspense().iter().map(|item| (item.reason, item.meant_for)).collect();
    assert_eq!(reasons, [(SuspenseReason::UnknownReference, None); 2]);
    assert!(bench.cash_of(&account).is_empty());
}

/// Of two worlds that differ in how many events they hold, one transfer pays a thousand payments at once.
///
/// (rule: events/events-kept)
#[test]
fn one_change_with_thousands_of_events_holds_no_more_than_it_may_and_is_the_same_change() {
    let paid = |most: Option<usize>| {
        let mut bench = Bench::new(1, START);
        let account = bench.payer(HAPPY, MandateStatus::Missing);
        let names: Vec<String> = (0..1_000).map(|number| number.to_string()).collect();
        let payments: Vec<_> = names.iter().map(|name| ("1", name.as_str())).collect();
        let waits = bench.instruction(InstructionType::BankTransfer, &account, &payments).expect("taken");
        bench.pays(waits.reference.expect("an OCR of its own"), "1000");
        bench.world.forget_events();
        if let Some(most) = most {
            bench.world.keep_events(most);
        }
        bench.to("2026-03-03T09:00:00+01:00");
        assert_eq!(*bench.instruction_again(&waits).state, Place::Completed);
        bench.world
    };
    let mut all = paid(None);
    let events = all.take_events();
    assert_eq!(events.len(), 2_000);
    for most in [1, 50, 999, events.len(), events.len() + 1] {
        let mut bounded = paid(Some(most));
        let kept = events.len().min(most);
        assert_eq!(bounded.events(), &events[events.len() - kept..], "the last {most}, in order");
        assert_eq!(bounded.events_let_go(), (events.len() - kept) as u64);
        assert_eq!(bounded.digest(), all.digest());
        bounded.keep_events(10);
        assert_eq!(bounded.events_let_go(), (events.len() - kept.min(10)) as u64, "a lower bound holds at once");
        assert_eq!(bounded.take_events(), &events[events.len() - kept.min(10)..]);
        assert_eq!((bounded.events(), bounded.events_let_go()), (&[][..], 0));
    }
}

/// (rule: payments/bankgiro-deposit)
#[test]
fn a_well_formed_reference_of_any_length_arrives_and_waits_in_suspense() {
    let mut bench = Bench::new(1, START);
    let references = ["26", "034", "1234567890123456789012357"];
    references.iter().for_each(|text| bench.pays(Ocr::parse(text).expect("a reference"), "20"));
    bench.to("2026-03-03T09:00:00+01:00");
    let shown: Vec<_> = bench.suspense().iter().map(|item| (item.reference.to_string(), item.reason)).collect();
    assert_eq!(shown, references.map(|text| (text.to_owned(), SuspenseReason::UnknownReference)));
}
