//! Where rules of money meet: what runs a plan and what does not, what a used name stays, whose money waits.

use super::{ALWAYS_POOR, HAPPY};
use crate::common::{Bench, COMPLEX, DAILY, amount};
use crate::journeys::{ANNA, START, about, moving, opening_by, transfer_of};
use crate::plans::changes::share;
use sim::command::{Book, Booked, CASH_BOOKINGS, Decision, OpenAccount};
use sim::ids::AccountId;
use sim::query::{self, OrderFilter};
use sim::records::{
    Account, AccountType, AllocationPlanConfiguration, CashBooking, Configuration, DepositType, InstructionType,
    JourneyType, MandateStatus, PaymentReason, Side, SuspenseReason,
};
use sim::store::Window;
use sim::{Class, Command};

/// An allocation plan that puts everything into one fund.
fn everything() -> AllocationPlanConfiguration {
    AllocationPlanConfiguration {
        deposit_type: Some(DepositType::Manual),
        instruments: Some(vec![share(DAILY, "100")]),
        ..AllocationPlanConfiguration::default()
    }
}

/// What the orders of an account are to buy for; what the platform sells for charges is not among them.
fn ordered(bench: &Bench, account: AccountId) -> Vec<String> {
    let filter = OrderFilter { account: Some(account), ..OrderFilter::default() };
    let all = query::orders(&bench.world, bench.scope.client, &Window::default(), &filter);
    let bought = all.iter().filter(|order| order.side == Side::Subscription);
    bought.map(|order| order.amount.map_or("-".to_owned(), |amount| amount.to_string())).collect()
}

fn with_plan(bench: &mut Bench, account: &Account) {
    let plan = Some(everything());
    bench.walk(Configuration { allocation_plan: plan, ..about(account, JourneyType::UpdateAllocationPlan) }, &[]);
}

/// (rule: plans/allocation-run, accounts/corrections, accounts/dividends)
#[test]
fn no_booking_by_lever_runs_a_plan() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    with_plan(&mut bench, &account);
    let partner = bench.scope.partner;
    for booking in CASH_BOOKINGS.iter().filter(|booking| booking.terms().kind.is_credit()) {
        let terms = booking.terms();
        let what = Booked::Cash { kind: terms.kind, ref_type: terms.ref_type, amount: amount("1000") };
        bench.does(Command::Book(Box::new(Book { partner, account: account.id, what, text: None }))).expect("booked");
        assert_eq!(ordered(&bench, account.id), [""; 0], "{booking:?}");
    }
    assert!(bench.again(&account).balance > amount("3000"));
}

/// (rule: plans/allocation-run)
#[test]
fn neither_what_an_account_opens_with_nor_what_a_transfer_brings_runs_a_plan() {
    let mut bench = Bench::new(1, START);
    let transfer = Some(transfer_of(vec![moving(AccountType::Depot)]));
    let opening =
        Configuration { allocation_plan: Some(everything()), transfer, ..opening_by(ANNA, AccountType::Depot) };
    let done = bench.walk(opening, &[]);
    let account = bench.account_of(&done);
    bench.to("2026-04-15T12:00:00+02:00");
    let brought = bench.cash_of(&account);
    assert!(brought.iter().any(|cash| cash.booking == CashBooking::TransferredIn), "{brought:?}");
    assert_eq!(ordered(&bench, account.id), [""; 0]);

    // A payout that comes back is a correction.
    let open = OpenAccount {
        owner: Some(bench.owner(ANNA)),
        bank_accounts: vec![bench.bank("SE9350000000050000000094")],
        ..bench.open("5000")
    };
    let other = bench.account(open);
    with_plan(&mut bench, &other);
    let withdraw = bench.withdrawal(&other, None);
    bench.does(Command::Withdraw(withdraw)).expect("on its way");
    bench.to("2026-04-22T12:00:00+02:00");
    assert_eq!(bench.again(&other).balance, amount("5000"), "it has come back");
    assert_eq!(ordered(&bench, other.id), [""; 0]);
}

/// (rule: plans/allocation-run, payments/suspense)
#[test]
fn money_that_leaves_suspense_for_an_account_runs_its_plan() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    with_plan(&mut bench, &account);
    bench.pays(sim::identity::Ocr::parse("1234574").expect("a reference"), "750.25");
    bench.to("2026-03-03T09:00:00+01:00");
    let item = bench.suspense()[0].id;
    bench.does(Command::AllocateSuspense { item, account: account.id }).expect("allocated");
    assert_eq!(ordered(&bench, account.id), ["750.25"]);
}

/// (rule: plans/plan-orders, orders/hold-reasons)
#[test]
fn what_parks_a_partners_order_parks_a_plans() {
    // The fund of the plan, whether its customer knows funds, whether the customer is sanctioned, and the state of the order.
    for (fund, knows, sanctioned, state) in [
        (DAILY, false, false, "pending"),
        (COMPLEX, true, false, "pending"),
        (COMPLEX, false, false, "hold"),
        (DAILY, true, true, "hold"),
    ] {
        let mut bench = Bench::new(1, START);
        let owner = Some(bench.owner(ANNA));
        let account = bench.account(OpenAccount { owner, fund_knowledge: knows, ..bench.open("0") });
        let plan = AllocationPlanConfiguration { instruments: Some(vec![share(fund, "100")]), ..everything() };
        let journey = about(&account, JourneyType::UpdateAllocationPlan);
        bench.walk(Configuration { allocation_plan: Some(plan), ..journey }, &[]);
        if sanctioned {
            let hit = sim::command::ScreeningHit::Sanctions;
            bench.does(Command::Screen { owner: account.owner.key(), hit }).expect("screened");
        }
        bench.pays(account.reference, "1000");
        bench.to("2026-03-03T09:00:01+01:00");
        let filter = OrderFilter { account: Some(account.id), ..OrderFilter::default() };
        let placed = query::orders(&bench.world, bench.scope.client, &Window::default(), &filter);
        let states: Vec<_> = placed.iter().map(|order| order.state.name()).collect();
        assert_eq!(states, [state], "{fund} {knows} {sanctioned}");
        // The run is done all the same: what is parked may still be bought.
        let run = query::allocation_plan_of(&bench.world, account.id).and_then(|plan| plan.last_run.clone());
        assert_eq!(run.map(|run| run.status.name()), Some("done"));
    }
}

/// (rule: payments/deposit-or-suspense)
#[test]
fn what_comes_for_an_account_that_is_not_active_waits_whatever_its_status() {
    for (how, takes) in [("pending", false), ("rejected", false), ("deleted", false), ("active", true)] {
        let mut bench = Bench::new(1, START);
        let configuration = opening_by("197001082382", AccountType::Depot);
        let done = bench.walk(configuration, &[]);
        let (account, partner) = (bench.account_of(&done), bench.scope.partner);
        let decide = |decision| Command::DecideAccount { partner, account: account.id, decision };
        match how {
            "rejected" => drop(bench.does(decide(Decision::Reject)).expect("rejected")),
            "active" => drop(bench.does(decide(Decision::Approve)).expect("approved")),
            "deleted" => {
                let close = Command::CloseAccount { scope: bench.scope, account: account.id };
                drop(bench.does(close).expect("deleted"));
            }
            _ => {}
        }
        bench.pays(account.reference, "100");
        bench.to("2026-03-03T09:00:00+01:00");
        let waiting: Vec<_> = bench.suspense().iter().map(|item| (item.reason, item.meant_for)).collect();
        assert_eq!(waiting.is_empty(), takes, "{how}");
        assert!(takes || waiting == [(SuspenseReason::AccountNotActive, Some(account.id))], "{how}");
        assert_eq!(bench.cash_of(&account).len(), usize::from(takes), "{how}");
    }
}

/// (rule: payments/payment-client-ref)
#[test]
fn a_name_stays_used_when_its_payment_has_failed_or_was_paid_back() {
    let mut bench = Bench::new(1, START);
    let (poor, rich) = (bench.payer(ALWAYS_POOR, MandateStatus::Active), bench.payer(HAPPY, MandateStatus::Active));
    let partner = bench.scope.partner;
    bench.instruct(&poor, &[("10", "without money")]);
    let stopped = bench.instruct(&rich, &[("10", "stopped")]);
    let payment = bench.payments(&stopped)[0].id;
    bench.does(Command::FailPayment { partner, payment, reason: PaymentReason::NoAccount }).expect("stopped");
    let paid = bench.instruct(&rich, &[("10", "paid back")]);
    bench.to("2026-03-06T12:00:00+01:00");
    let payment = bench.payments(&paid)[0].id;
    bench.does(Command::RefundPayment { partner, payment, unauthorised: false }).expect("paid back");
    for used in ["without money", "stopped", "paid back"] {
        for kind in [InstructionType::Autogiro, InstructionType::BankTransfer] {
            let again = bench.instruction(kind, &rich, &[("10", used)]).expect_err("it is taken");
            assert_eq!(again.class, Class::Malformed);
            assert_eq!(again.to_string(), "payments[0].clientRef is already taken", "{used}");
        }
    }
    bench.instruction(InstructionType::Autogiro, &rich, &[("10", "new")]).expect("another one is not");
}

/// (rule: plans/savings-run-amounts)
#[test]
fn the_charge_of_a_savings_plan_is_nobodys_to_read_and_later_changes_wait_a_month() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    bench.saves(&account, "5");
    bench.to("2026-03-05T06:00:00+01:00");
    let close = Command::CloseAccount { scope: bench.scope, account: account.id };
    let refusal = bench.does(close).expect_err("a charge is under way").to_string();
    let named = refusal.rsplit(' ').next().expect("the instruction is named").trim_end_matches('.');
    let instruction = sim::ids::InstructionId::parse(named).expect("an id");
    assert_eq!(query::instruction(&bench.world, bench.scope.client, instruction), None);

    // The plan is changed between the run and its charge.
    let plan = sim::records::SavingsPlanConfiguration {
        periodicity: Some(sim::records::Periodicity::Monthly),
        instruments: None,
    };
    let configuration = Configuration { savings_plan: Some(plan), ..about(&account, JourneyType::UpdateSavingsPlan) };
    let given = crate::journeys::answers(&[(&format!("amount.{DAILY}"), "900"), ("day", "5")]);
    bench.walk(configuration, &[(sim::records::JourneyStep::SavingsPlan, given)]);
    bench.to("2026-03-06T12:00:00+01:00");
    assert_eq!(ordered(&bench, account.id), ["500.00"]);
    bench.to("2026-04-08T12:00:00+02:00");
    assert_eq!(ordered(&bench, account.id), ["500.00", "900.00"]);
}
