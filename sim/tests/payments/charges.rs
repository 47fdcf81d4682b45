//! Charging: files, due days, attempts, reasons, refunds.

use super::{ALWAYS_POOR, FIRST_POOR, HAPPY, REVOKES};
use crate::common::{Bench, amount};
use crate::journeys::START;
use sim::command::{OpenBankAccount, Patch};
use sim::machines::instruction::State as Place;
use sim::machines::payment::State::{Failed, New, Paid, Refunded};
use sim::records::{Account, CashRefType, CashType, InstructionType, MandateStatus, PaymentReason};
use sim::{Command, Reply, query};
use std::sync::Arc;

fn advise(bench: &mut Bench, account: &Account, code: &str) {
    let bank_account = account.bank_accounts[0].id;
    let advise = Command::AdviseMandate { partner: bench.scope.partner, bank_account, code: Arc::from(code) };
    bench.does(advise).expect("advised");
}

/// (rule: payments/payment-states, payments/payment-due-day)
#[test]
fn what_comes_before_three_goes_with_the_file_and_is_paid_on_the_next_bank_day() {
    for (asked, cut, paid) in [
        ("2026-03-02T14:59:59.999+01:00", "2026-03-02T15:00:00+01:00", "2026-03-03T10:00:00+01:00"),
        ("2026-03-02T15:00:00+01:00", "2026-03-03T15:00:00+01:00", "2026-03-04T10:00:00+01:00"),
        ("2026-04-02T12:00:00+02:00", "2026-04-02T15:00:00+02:00", "2026-04-07T10:00:00+02:00"),
        ("2026-04-03T12:00:00+02:00", "2026-04-07T15:00:00+02:00", "2026-04-08T10:00:00+02:00"),
    ] {
        let mut bench = Bench::new(1, START);
        let account = bench.payer(HAPPY, MandateStatus::Active);
        bench.to(asked);
        let instruction = bench.instruct(&account, &[("150.25", "mine")]);
        for (before, place) in [(cut, Place::New), (paid, Place::Processing)] {
            let instant = crate::common::at(before);
            bench.world.advance(instant.plus(sim::time::Millis(-1)));
            assert_eq!(*bench.instruction_again(&instruction).state, place, "asked at {asked}, just before {before}");
            assert_eq!(bench.outcome(&instruction), (New, None));
            bench.to(before);
        }
        assert_eq!(*bench.instruction_again(&instruction).state, Place::Completed);
        assert_eq!(bench.outcome(&instruction), (Paid, None));
        let cash = bench.cash_of(&account);
        assert_eq!(cash.len(), 1);
        assert_eq!(
            (cash[0].kind, cash[0].ref_type, cash[0].amount),
            (CashType::Deposit, CashRefType::Payment, amount("150.25"))
        );
        let id = bench.payments(&instruction)[0].id.to_string();
        assert_eq!((cash[0].reference.as_deref(), cash[0].client_ref.as_deref()), (Some(&*id), Some("mine")));
        assert_eq!(bench.again(&account).balance, amount("150.25"));
    }
}

/// (rule: payments/payment-due-day, payments/payment-reason-codes)
#[test]
fn a_charge_without_money_is_tried_on_four_bank_days() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(ALWAYS_POOR, MandateStatus::Active);
    let instruction = bench.instruct(&account, &[("100", "x")]);
    for day in ["03", "04", "05"] {
        bench.to(&format!("2026-03-{day}T10:00:00+01:00"));
        assert_eq!(bench.outcome(&instruction), (New, Some("9")), "{day}");
    }
    bench.to("2026-03-06T10:00:00+01:00");
    assert_eq!(bench.outcome(&instruction), (Failed, Some("1")));
    assert_eq!(*bench.instruction_again(&instruction).state, Place::Completed);
    assert!(bench.cash_of(&account).is_empty());

    let account = bench.payer(FIRST_POOR, MandateStatus::Active);
    let later = bench.instruct(&account, &[("100", "y")]);
    bench.to("2026-03-09T10:00:00+01:00");
    assert_eq!(bench.outcome(&later), (New, Some("9")));
    bench.to("2026-03-10T10:00:00+01:00");
    assert_eq!(bench.outcome(&later), (Paid, None));
    let again = bench.instruct(&account, &[("100", "z")]);
    bench.to("2026-03-11T10:00:00+01:00");
    assert_eq!(bench.outcome(&again), (Paid, None), "only the first attempt ever fails");
}

/// (rule: payments/payment-due-day)
#[test]
fn a_mandate_that_stops_fails_the_next_attempt() {
    // When the bank answers, what it answers, and the code of the payment.
    for (at, advice, code) in [
        ("2026-03-02T16:00:00+01:00", "02", "01"),
        ("2026-03-02T16:00:00+01:00", "98", "02"),
        ("2026-03-03T16:00:00+01:00", "33", "01"),
        ("2026-03-03T16:00:00+01:00", "98", "02"),
    ] {
        let mut bench = Bench::new(1, START);
        let account = bench.payer(FIRST_POOR, MandateStatus::Active);
        let instruction = bench.instruct(&account, &[("100", "x")]);
        bench.to(at);
        advise(&mut bench, &account, advice);
        bench.to("2026-03-04T10:00:00+01:00");
        assert_eq!(bench.outcome(&instruction), (Failed, Some(code)), "advice {advice} at {at}");
    }
    let mut bench = Bench::new(1, START);
    let account = bench.payer(REVOKES, MandateStatus::Active);
    let batch = bench.instruct(&account, &[("100", "x"), ("50", "y")]);
    bench.to("2026-03-03T10:00:00+01:00");
    assert_eq!(bench.again(&account).bank_accounts[0].mandate, MandateStatus::Missing);
    let ends: Vec<_> = bench.payments(&batch).iter().map(|one| (*one.state, one.reason)).collect();
    assert_eq!(ends, [(Paid, None), (Failed, Some(PaymentReason::NoMandate))]);
}

/// (rule: payments/charged-bank-account)
#[test]
fn without_an_active_mandate_at_the_cut_nothing_is_sent_and_no_other_account_steps_in() {
    use MandateStatus::{Active, Invalid, Missing, Pending};
    // Mandates of the two bank accounts, which of them the plan names, what is charged.
    let rows: [([MandateStatus; 2], Option<usize>, Option<usize>); 8] = [
        ([Active, Active], None, Some(1)),
        ([Active, Pending], None, Some(0)),
        ([Missing, Pending], None, None),
        ([Invalid, Missing], None, None),
        ([Active, Active], Some(0), Some(0)),
        ([Active, Pending], Some(0), Some(0)),
        ([Active, Pending], Some(1), None),
        ([Pending, Active], Some(0), None),
    ];
    for (mandates, named, charged) in rows {
        let mut bench = Bench::new(1, "2026-03-01T08:00:00+01:00");
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(crate::journeys::ANNA));
        let ibans = [HAPPY, "SE1760000000000400000105"];
        open.bank_accounts =
            ibans.iter().zip(mandates).map(|(iban, mandate)| OpenBankAccount { mandate, ..bench.bank(iban) }).collect();
        let account = bench.account(open);
        if let Some(named) = named {
            bench.walk(crate::journeys::about(&account, sim::records::JourneyType::UpdateAllocationPlan), &[]);
            let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored").id;
            let bank_account = Patch::Set(account.bank_accounts[named].id);
            let scope = bench.scope;
            bench
                .does(Command::PatchAllocationPlan { scope, plan, bank_account, instruments: Patch::Keep })
                .expect("patched");
        }
        let instruction = bench.instruct(&account, &[("100", "x")]);
        bench.to("2026-03-02T15:00:00+01:00");
        let payment = &bench.payments(&instruction)[0];
        assert_eq!(payment.bank_account, charged.map(|at| account.bank_accounts[at].id), "{mandates:?} {named:?}");
        assert_eq!(*payment.state, New);
        bench.to("2026-03-03T10:00:00+01:00");
        let expected = if charged.is_some() { (Paid, None) } else { (Failed, Some("01")) };
        assert_eq!(bench.outcome(&instruction), expected, "{mandates:?} {named:?}");
    }
}

/// (rule: payments/charged-bank-account)
#[test]
fn the_bank_account_is_the_one_that_the_plan_names_when_the_file_is_closed() {
    for (patched, charged) in [("2026-03-02T14:59:59.999+01:00", 1), ("2026-03-02T15:00:00+01:00", 0)] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(crate::journeys::ANNA));
        let ibans = [HAPPY, "SE1760000000000400000105"].map(|iban| bench.bank(iban));
        open.bank_accounts = ibans.map(|bank| OpenBankAccount { mandate: MandateStatus::Active, ..bank }).into();
        let account = bench.account(open);
        bench.walk(crate::journeys::about(&account, sim::records::JourneyType::UpdateAllocationPlan), &[]);
        let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored").id;
        let scope = bench.scope;
        let name = |bench: &mut Bench, at: usize| {
            let bank_account = Patch::Set(account.bank_accounts[at].id);
            let patch = Command::PatchAllocationPlan { scope, plan, bank_account, instruments: Patch::Keep };
            bench.does(patch).expect("patched");
        };
        name(&mut bench, 0);
        let instruction = bench.instruct(&account, &[("100", "x")]);
        bench.to(patched);
        name(&mut bench, 1);
        bench.to("2026-03-03T10:00:00+01:00");
        let payment = &bench.payments(&instruction)[0];
        assert_eq!(payment.bank_account, Some(account.bank_accounts[charged].id), "patched at {patched}");
        assert_eq!(bench.outcome(&instruction), (Paid, None));
    }
}

/// (rule: plans/allocation-run)
#[test]
fn an_allocation_plan_runs_on_what_is_charged_and_never_charges_by_itself() {
    let mut bench = Bench::of(&crate::common::free(), 1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let all = crate::journeys::answers(&[(&format!("allocation.{}", crate::common::DAILY), "100")]);
    let journey = crate::journeys::about(&account, sim::records::JourneyType::UpdateAllocationPlan);
    bench.walk(journey, &[(sim::records::JourneyStep::AllocationPlan, all)]);
    let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored").id;
    let (scope, bank_account) = (bench.scope, Patch::Set(account.bank_accounts[0].id));
    bench.does(Command::PatchAllocationPlan { scope, plan, bank_account, instruments: Patch::Keep }).expect("patched");
    bench.to("2026-09-01T08:00:00+02:00");
    assert!(bench.cash_of(&account).is_empty(), "half a year without a charge");
    bench.instruct(&account, &[("700", "x"), ("800", "y")]);
    bench.to("2026-09-02T10:00:00+02:00");
    let orders = query::orders(&bench.world, scope.client, &sim::store::Window::default(), &Default::default());
    let bought: Vec<_> = orders.iter().map(|order| order.amount).collect();
    assert_eq!(bought, [Some(amount("700")), Some(amount("800"))], "one run for each payment");
}

/// (rule: payments/payment-refund)
#[test]
fn a_deleted_account_pays_nothing_back_and_one_that_closes_does() {
    for (sold_out, why) in [("2026-03-03T12:00:00+01:00", None), ("2026-03-20T12:00:00+01:00", Some("deleted"))] {
        let mut bench = Bench::of(&crate::common::free(), 1, START);
        let account = bench.payer(HAPPY, MandateStatus::Active);
        let payment = bench.instruct(&account, &[("100", "x")]).payments[0];
        bench.to("2026-03-03T11:00:00+01:00");
        bench.does(Command::CloseAccount { scope: bench.scope, account: account.id }).expect("closes");
        bench.to(sold_out);
        let before = bench.world.digest();
        let answer = refunded(&mut bench, payment, false);
        match why {
            // Its cash is on its way out already: all of it is arrears.
            None => assert!(matches!(answer, Ok(Reply::Payment(_))), "{answer:?}"),
            Some(why) => assert!(answer.expect_err("it no longer exists").ends_with(why)),
        }
        assert_eq!(bench.world.digest() == before, why.is_some());
        assert_eq!(bench.again(&account).balance, amount("0"));
    }
}

/// (rule: payments/payment-reason-codes)
#[test]
fn a_lever_fails_a_payment_with_the_codes_that_come_by_lever_only() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let partner = bench.scope.partner;
    let codes: Vec<_> = PaymentReason::by_lever().map(|reason| reason.code()).collect();
    assert_eq!(codes, ["2", "03", "12", "24"]);
    for (at, reason) in PaymentReason::by_lever().enumerate() {
        let instruction = bench.instruct(&account, &[("100", &format!("ref {at}"))]);
        let payment = instruction.payments[0];
        let Ok(Reply::Payment(failed)) = bench.does(Command::FailPayment { partner, payment, reason }) else {
            panic!("not failed")
        };
        assert_eq!((*failed.state, failed.reason), (Failed, Some(reason)));
        assert_eq!(*bench.instruction_again(&instruction).state, Place::Completed);
        let again = bench.does(Command::FailPayment { partner, payment, reason }).expect_err("it has an end");
        assert_eq!(again.conflict.as_deref().map(|now| (&*now.current, now.allowed.len())), Some(("completed", 0)));
    }
    let payment = bench.instruct(&account, &[("100", "last")]).payments[0];
    let reason = PaymentReason::NoMoney;
    bench.does(Command::FailPayment { partner, payment, reason }).expect_err("banks say that by themselves");
    let waits = bench.instruction(InstructionType::BankTransfer, &account, &[("1", "sent")]).expect("taken");
    let reason = PaymentReason::NoAccount;
    bench.does(Command::FailPayment { partner, payment: waits.payments[0], reason }).expect_err("nothing is charged");
    bench.to("2026-03-05T12:00:00+01:00");
    assert_eq!(bench.cash_of(&account).len(), 1, "what failed is not charged at the cut");
}

fn refunded(bench: &mut Bench, payment: sim::ids::PaymentId, unauthorised: bool) -> Result<Reply, String> {
    let partner = bench.scope.partner;
    let refund = Command::RefundPayment { partner, payment, unauthorised };
    bench.does(refund).map_err(|refusal| refusal.to_string())
}

/// (rule: payments/payment-refund)
#[test]
fn a_payer_has_a_charge_back_once_and_in_time() {
    // Until when, local, and whether it was authorised.
    for (last, unauthorised) in [("2026-04-28T23:59:59.999+02:00", false), ("2027-04-03T23:59:59.999+02:00", true)] {
        let mut bench = Bench::of(&crate::common::free(), 1, START);
        let account = bench.payer(HAPPY, MandateStatus::Active);
        let instruction = bench.instruct(&account, &[("100", "x")]);
        let payment = instruction.payments[0];
        assert!(refunded(&mut bench, payment, unauthorised).is_err(), "it is not paid yet");
        bench.to(last);
        let mut late = Bench { world: bench.world.clone(), scope: bench.scope };
        late.world.advance(late.world.now().plus(sim::time::Millis(1)));
        let refusal = refunded(&mut late, payment, unauthorised).expect_err("late");
        assert!(refusal.ends_with("too old to be refunded"), "{refusal}");
        let Ok(Reply::CashTransaction(cash)) = refunded(&mut bench, payment, unauthorised) else { panic!("in time") };
        assert_eq!(
            (cash.kind, cash.ref_type, cash.amount),
            (CashType::Withdrawal, CashRefType::Correction, amount("100"))
        );
        assert_eq!(cash.reference.as_deref(), Some(&*payment.to_string()));
        assert!(cash.settlement.is_some());
        let now = bench.again(&account);
        assert_eq!((now.balance, now.deposited, now.withdrawn), (amount("0"), amount("100"), amount("100")));
        assert_eq!(bench.outcome(&instruction), (Refunded, None));
        assert!(refunded(&mut bench, payment, unauthorised).expect_err("once").ends_with("refunded"));
        let bounce = Command::BouncePayout { partner: bench.scope.partner, transaction: cash.id };
        assert!(bench.does(bounce).is_err(), "a refund cannot bounce");
    }
}
