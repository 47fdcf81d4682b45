//! The death of a person whose insurance the platform keeps, from outside the world.

use crate::common::{Bench, DAILY, GLOBAL, amount, free, id, units};
use crate::journeys::{ANNA, START, about, answers, ssn};
use crate::payments::HAPPY;
use sim::command::{CreateMobilePayment, OpenBankAccount, ScreeningHit};
use sim::machines::payment::State as PaymentState;
use sim::money::Amount;
use sim::records::{
    Account, AccountType, CashRefType, CashTransaction, CashType, InstructionType, JourneyStep, JourneyType,
    LedgerAccount, MandateStatus, MobilePaymentType, OwnerKey, PlacedBy, PlatformAccount, Side,
};
use sim::store::Window;
use sim::{Class, Command, Refusal, Reply, query};
use std::sync::Arc;

const BOUNCES: &str = "SE9350000000050000000094";

fn dies(bench: &mut Bench, number: &str) -> Result<Vec<Arc<Account>>, Refusal> {
    match bench.does(Command::ReportDeath { ssn: ssn(number) })? {
        Reply::Accounts(accounts) => Ok(accounts),
        other => panic!("another reply: {other:?}"),
    }
}

/// Anna's account of that type with cash and 100 units of a fund.
fn held(bench: &mut Bench, kind: AccountType, cash: &str, banks: Vec<OpenBankAccount>) -> Arc<Account> {
    let mut open = bench.open(cash);
    open.account_type = kind;
    open.owner = Some(bench.owner(ANNA));
    open.positions = vec![(id(DAILY), units("100"))];
    open.bank_accounts = banks;
    bench.account(open)
}

fn insured(bench: &mut Bench, cash: &str) -> Arc<Account> {
    let banks = vec![OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank(HAPPY) }];
    held(bench, AccountType::Insurance, cash, banks)
}

fn credit(bench: &Bench, account: &Account) -> Vec<Arc<CashTransaction>> {
    bench.cash_of(account).into_iter().filter(|cash| cash.ref_type == CashRefType::Endowment101).collect()
}

fn state(bench: &Bench, account: &Account) -> (&'static str, bool) {
    let account = bench.again(account);
    (query::account_status(account.status()), account.deleted.is_some())
}

/// (rule: accounts/endowment, accounts/system-orders)
#[test]
fn the_insurer_adds_one_percent_then_everything_is_sold_and_paid_out() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = insured(&mut bench, "1000");
    let waiting = bench.order(bench.buy(&account, GLOBAL, "600"));
    bench.event_kinds();
    let ended = dies(&mut bench, ANNA).expect("dies");
    assert_eq!(ended, [bench.again(&account)]);
    assert_eq!(state(&bench, &account), ("closing", false));
    assert_eq!(bench.status(&waiting), "canceled");
    // 1,000.00 and 100 units at 123.45.
    let [added] = &credit(&bench, &account)[..] else { panic!("one credit") };
    assert_eq!((added.amount, added.kind), (amount("133.45"), CashType::Deposit));
    assert_eq!(added.debit, LedgerAccount::Platform(PlatformAccount::Insurer));
    assert_eq!(added.settlement, Some(bench.world.now().local_date()));
    assert_eq!(ended[0].deposited, amount("1133.45"), "counted among what was deposited");
    assert_eq!(bench.event_kinds()[..2], ["cashTransaction.create", "account.update"]);
    bench.wait("2026-03-20T09:30:00+01:00");
    assert_eq!(state(&bench, &account), ("closing", true));
    let all = query::OrderFilter { account: Some(account.id), ..Default::default() };
    let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &all);
    assert_eq!((orders.len(), orders[1].placed_by, orders[1].side), (2, PlacedBy::Platform, Side::Redemption));
    let paid = bench.cash_of(&account);
    let last = paid.last().expect("paid out");
    assert_eq!((last.kind, last.payout_to), (CashType::Withdrawal, Some(account.bank_accounts[0].id)));
    let sold = orders[1].amount.expect("executed");
    assert_eq!(last.amount, amount("1133.45") + sold);
}

/// (rule: accounts/endowment, money/value)
#[test]
fn money_on_its_way_into_a_fund_counts_among_what_the_insurance_is_worth() {
    let mut bench = Bench::new(1, START);
    let account = insured(&mut bench, "1000");
    bench.order(bench.buy(&account, GLOBAL, "600"));
    bench.wait("2026-03-02T08:00:02+01:00");
    assert_eq!(bench.again(&account).balance, amount("400"));
    dies(&mut bench, ANNA).expect("dies");
    assert_eq!(credit(&bench, &account)[0].amount, amount("133.45"));
}

/// (rule: accounts/endowment, accounts/external-flows)
#[test]
fn an_insurance_worth_less_than_half_a_krona_gets_nothing_and_an_empty_one_is_gone_at_once() {
    for (cash, added, gone) in [("0", None, true), ("0.49", None, false), ("0.50", Some("0.01"), false)] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open(cash);
        (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner(ANNA)));
        open.bank_accounts = vec![bench.bank(HAPPY)];
        let account = bench.account(open);
        dies(&mut bench, ANNA).expect("dies");
        let found = credit(&bench, &account).first().map(|cash| cash.amount);
        assert_eq!((found, state(&bench, &account).1), (added.map(amount), gone), "{cash}");
    }
}

/// (rule: accounts/endowment, accounts/external-flows)
#[test]
fn what_the_insurer_adds_is_a_flow_and_no_return() {
    let mut bench = Bench::of(&free(), 1, START);
    let mut open = bench.open("10000");
    (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner(ANNA)));
    open.bank_accounts = vec![bench.bank(HAPPY)];
    let account = bench.account(open);
    bench.wait("2026-03-03T12:00:00+01:00");
    dies(&mut bench, ANNA).expect("dies");
    bench.wait("2026-03-20T12:00:00+01:00");
    let entries = query::account_performance(&bench.world, account.id, None);
    let days: Vec<_> =
        entries.iter().map(|entry| (entry.date.to_string(), entry.day_result, entry.day_return)).collect();
    assert_eq!(days.last().map(|day| day.0.as_str()), Some("2026-03-06"), "to the day of its deletion");
    assert!(days.iter().all(|day| day.1.is_zero() && day.2.is_zero()), "{days:?}");
}

/// (rule: accounts/endowment)
#[test]
fn a_death_without_an_active_insurance_is_a_conflict_and_changes_nothing() {
    let mut bench = Bench::new(1, START);
    let depot = held(&mut bench, AccountType::Depot, "100", Vec::new());
    let refused = |bench: &mut Bench, number: &str| {
        let before = bench.world.digest();
        let refusal = dies(bench, number).expect_err("nobody is insured");
        assert_eq!((refusal.class, bench.world.digest()), (Class::Conflict, before));
        let conflict = refusal.conflict.expect("a lever's");
        assert_eq!((conflict.current.as_str(), conflict.allowed.len()), ("no active insurance account", 0));
    };
    refused(&mut bench, ANNA);
    refused(&mut bench, "200002292399");
    let account = insured(&mut bench, "100");
    dies(&mut bench, ANNA).expect("now there is one");
    refused(&mut bench, ANNA);
    assert_eq!(state(&bench, &account), ("closing", false));
    assert_eq!(state(&bench, &depot), ("active", false), "other accounts go on");
    assert_eq!(credit(&bench, &depot), []);
}

/// (rule: accounts/endowment)
#[test]
fn every_insurance_of_the_person_ends_and_nobody_elses() {
    let mut bench = Bench::new(1, START);
    let (one, two) = (insured(&mut bench, "100"), insured(&mut bench, "200"));
    let mut open = bench.open("300");
    (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner("200002292399")));
    let other = bench.account(open);
    let ended: Vec<_> = dies(&mut bench, ANNA).expect("dies").iter().map(|account| account.id).collect();
    assert_eq!(ended, [one.id, two.id]);
    assert_eq!(state(&bench, &other), ("active", false));
}

/// (rule: accounts/endowment)
#[test]
fn payments_that_no_bank_has_yet_end_with_02_and_the_others_meet_a_closed_account() {
    let mut bench = Bench::new(1, START);
    let account = insured(&mut bench, "100");
    let sent = bench.instruct(&account, &[("10", "sent")]);
    bench.wait("2026-03-02T15:00:00+01:00");
    let unsent = bench.instruct(&account, &[("20", "unsent")]);
    let transfer = bench.instruction(InstructionType::BankTransfer, &account, &[("40", "transfer")]).expect("taken");
    dies(&mut bench, ANNA).expect("whatever is under way");
    assert_eq!(bench.outcome(&unsent), (PaymentState::Failed, Some("02")));
    assert_eq!(bench.outcome(&transfer), (PaymentState::Failed, Some("02")));
    assert_eq!(bench.instruction_again(&unsent).state.name(), "completed");
    assert_eq!(bench.outcome(&sent), (PaymentState::New, None));
    bench.pays(transfer.reference.expect("a transfer has one"), "40");
    bench.wait("2026-03-04T10:00:00+01:00");
    assert_eq!(bench.outcome(&sent), (PaymentState::Paid, None));
    let suspended: Vec<_> = bench.suspense().iter().map(|item| item.amount).collect();
    assert_eq!(suspended, [amount("10"), amount("40")]);
}

/// (rule: accounts/endowment, payments/payment-by-transfer)
#[test]
fn a_transfer_for_several_accounts_pays_those_that_are_left() {
    let mut bench = Bench::new(1, START);
    let (ended, lasting) = (insured(&mut bench, "0"), bench.payer(HAPPY, MandateStatus::Active));
    let mut create = bench.asked_to_pay(InstructionType::BankTransfer, &ended, &[("40", "ended")]);
    create.payments.extend(bench.asked_to_pay(create.kind, &lasting, &[("60", "goes on")]).payments);
    let Ok(Reply::Instruction(transfer)) = bench.does(Command::CreateInstruction(create)) else { panic!("taken") };
    dies(&mut bench, ANNA).expect("dies");
    assert_eq!(bench.instruction_again(&transfer).state.name(), "new");
    bench.pays(transfer.reference.expect("a transfer has one"), "100");
    bench.wait("2026-03-03T09:00:00+01:00");
    let states: Vec<_> = bench.payments(&transfer).iter().map(|payment| *payment.state).collect();
    assert_eq!(states, [PaymentState::Failed, PaymentState::Paid]);
    assert_eq!(bench.instruction_again(&transfer).state.name(), "completed");
    assert_eq!(bench.again(&lasting).balance, amount("60"));
    let [item] = &bench.suspense()[..] else { panic!("one item") };
    assert_eq!((item.amount, item.meant_for), (amount("40"), Some(ended.id)));
}

/// (rule: accounts/endowment, plans/allocation-run)
#[test]
fn plans_and_mobile_payments_end_with_the_insurance_and_no_plan_runs_on_the_credit() {
    let mut bench = Bench::new(1, START);
    let account = insured(&mut bench, "10000");
    let half = answers(&[(&format!("allocation.{DAILY}"), "100")]);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, half)]);
    bench.saves(&account, "5");
    let journey = bench.opened(about(&account, JourneyType::SignWithdrawal));
    let asked = CreateMobilePayment {
        scope: bench.scope,
        account: account.id,
        amount: amount("500"),
        kind: MobilePaymentType::SameDevice,
        qr_format: None,
    };
    let Ok(Reply::MobilePaymentAsked(session)) = bench.does(Command::CreateMobilePayment(asked)) else {
        panic!("asked for")
    };
    dies(&mut bench, ANNA).expect("dies");
    assert!(query::allocation_plan_of(&bench.world, account.id).is_none());
    assert!(query::savings_plan_of(&bench.world, account.id).is_none());
    let session = query::mobile_payment(&bench.world, bench.scope.partner, session.id).expect("it is there");
    assert_eq!(session.error.map(|error| error.name()), Some("CANCELLED"));
    let ended = bench.complete(journey, &[]);
    assert_eq!(ended.state.name(), "error");
    bench.wait("2026-03-20T09:30:00+01:00");
    let all = query::OrderFilter { account: Some(account.id), ..Default::default() };
    let bought = query::orders(&bench.world, bench.scope.client, &Window::default(), &all);
    assert!(bought.iter().all(|order| order.side == Side::Redemption), "the credit buys nothing");
    assert_eq!(state(&bench, &account), ("closing", true));
}

/// (rule: accounts/endowment)
#[test]
fn a_savings_charge_that_is_not_sent_ends_with_the_insurance() {
    let mut bench = Bench::new(1, START);
    let account = insured(&mut bench, "0");
    bench.saves(&account, "5");
    bench.wait("2026-03-05T12:00:00+01:00");
    dies(&mut bench, ANNA).expect("dies");
    bench.wait("2026-04-20T12:00:00+02:00");
    assert_eq!(state(&bench, &account), ("closing", true));
    assert!(bench.suspense().is_empty(), "nothing was charged");
}

/// (rule: accounts/endowment)
#[test]
fn without_a_bank_account_that_takes_it_the_insurer_pays_the_heirs() {
    let banks = |bench: &Bench| {
        [
            (Vec::new(), "no bank account"),
            (vec![OpenBankAccount { validated: false, ..bench.bank(HAPPY) }], "one that is not checked"),
            (vec![bench.bank(BOUNCES)], "one that sends the money back"),
        ]
    };
    for at in 0..3 {
        let mut bench = Bench::new(1, START);
        let (bank_accounts, about) = banks(&bench)[at].clone();
        let account = held(&mut bench, AccountType::Insurance, "1000", bank_accounts);
        dies(&mut bench, ANNA).expect(about);
        bench.wait("2026-03-20T09:30:00+01:00");
        assert_eq!(state(&bench, &account), ("closing", true), "{about}");
        let cash = bench.cash_of(&account);
        let last = cash.last().expect("paid");
        assert_eq!((last.kind, last.reference.as_deref()), (CashType::Withdrawal, Some("closing")), "{about}");
        assert_eq!((last.credit, last.payout_to), (LedgerAccount::Platform(PlatformAccount::Insurer), None), "{about}");
        assert_eq!(last.settlement, Some(last.stamp.created.local_date()), "{about}");
        assert_eq!(bench.again(&account).balance, Amount::ZERO, "{about}");
    }
}

/// (rule: accounts/endowment, accounts/payout-of-closing-returns)
#[test]
fn what_a_bank_sends_back_after_a_death_goes_to_the_heirs_on_the_fifth_bank_day() {
    let mut bench = Bench::new(1, START);
    let banks = vec![bench.bank(BOUNCES)];
    let account = held(&mut bench, AccountType::Insurance, "1000", banks);
    dies(&mut bench, ANNA).expect("dies");
    // Sold and settled on Wednesday, paid on Thursday, back on Friday.
    bench.wait("2026-03-13T09:29:59+01:00");
    assert!(bench.again(&account).balance.is_positive());
    bench.wait("2026-03-13T09:30:00+01:00");
    assert_eq!(bench.again(&account).balance, Amount::ZERO);
    assert_eq!(bench.cash_of(&account).last().map(|cash| cash.payout_to), Some(None));
}

/// (rule: accounts/endowment, accounts/closing-rounds)
#[test]
fn while_the_owner_is_sanctioned_a_death_adds_its_share_and_the_rest_waits() {
    let mut bench = Bench::new(1, START);
    let account = insured(&mut bench, "1000");
    let owner = OwnerKey::Ssn(ssn(ANNA));
    bench.does(Command::Screen { owner, hit: ScreeningHit::Sanctions }).expect("screens");
    dies(&mut bench, ANNA).expect("dies");
    bench.wait("2026-04-20T12:00:00+02:00");
    assert_eq!(state(&bench, &account), ("closing", false));
    assert_eq!(bench.again(&account).balance, amount("1133.45"));
    bench.does(Command::Screen { owner, hit: ScreeningHit::Clear }).expect("cleared");
    bench.wait("2026-05-20T12:00:00+02:00");
    assert_eq!(state(&bench, &account), ("closing", true));
}

/// (rule: accounts/endowment, accounts/approval)
#[test]
fn an_insurance_that_waits_for_its_signatures_is_no_insurance_yet() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(crate::journeys::opening_by(ANNA, AccountType::Insurance), &[]);
    let account = bench.account_of(&done);
    assert_eq!(state(&bench, &account), ("confirm", false));
    assert_eq!(dies(&mut bench, ANNA).expect_err("not in force").class, Class::Conflict);
}

/// (rule: accounts/endowment, accounts/arrears-at-closing)
#[test]
fn the_last_charges_are_taken_before_anybody_is_paid() {
    for known in [true, false] {
        let mut bench = Bench::new(1, START);
        let banks = if known { vec![bench.bank(HAPPY)] } else { Vec::new() };
        let account = held(&mut bench, AccountType::Insurance, "100000", banks);
        bench.wait("2026-03-20T08:00:00+01:00");
        dies(&mut bench, ANNA).expect("dies");
        bench.wait("2026-04-20T12:00:00+02:00");
        let cash = bench.cash_of(&account);
        let taken: Vec<_> = cash.iter().filter(|cash| cash.kind == CashType::Fee).map(|cash| cash.ref_type).collect();
        let expected = [CashRefType::InsuranceTax, CashRefType::InsuranceFee, CashRefType::ServiceFee];
        assert_eq!(taken, expected, "a bank account: {known}");
        let kinds: Vec<_> = cash.iter().rev().take(1).map(|cash| (cash.kind, cash.payout_to.is_some())).collect();
        assert_eq!(kinds, [(CashType::Withdrawal, known)]);
        assert_eq!((state(&bench, &account), bench.again(&account).balance), (("closing", true), Amount::ZERO));
    }
}
