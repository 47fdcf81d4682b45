//! Closing accounts whose last payout the bank has sent back.

use crate::common::{Bench, amount, at};
use crate::journeys::{ANNA, START, about, answers};
use sim::money::Amount;
use sim::records::{Account, CashTransaction, CashType, JourneyStep, JourneyType};
use sim::{Class, Command, Reply};
use std::sync::Arc;

const FIRST: &str = "SE8150000000050000000019";
const SECOND: &str = "SE4550000000058398257466";
const BOUNCES: &str = "SE9350000000050000000094";

fn holding(bench: &mut Bench, cash: &str, ibans: &[&str]) -> Arc<Account> {
    let mut open = bench.open(cash);
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = ibans.iter().map(|iban| bench.bank(iban)).collect();
    bench.account(open)
}

fn close(bench: &mut Bench, account: &Account) -> Arc<Account> {
    let scope = bench.scope;
    match bench.does(Command::CloseAccount { scope, account: account.id }) {
        Ok(Reply::Account(account)) => account,
        other => panic!("not closed: {other:?}"),
    }
}

fn payouts(bench: &Bench, account: &Account) -> Vec<Arc<CashTransaction>> {
    let mut cash = bench.cash_of(account);
    cash.retain(|cash| cash.kind == CashType::Withdrawal);
    cash
}

fn bounce(bench: &mut Bench, account: &Account) {
    let (partner, transaction) = (bench.scope.partner, payouts(bench, account).last().expect("paid out").id);
    bench.does(Command::BouncePayout { partner, transaction }).expect("it was paid");
}

/// The IBAN to which the last payout went.
fn taker(bench: &Bench, account: &Account) -> String {
    let to = payouts(bench, account).last().and_then(|payout| payout.payout_to).expect("paid to a bank account");
    let account = bench.again(account);
    let bank = account.bank_accounts.iter().find(|bank| bank.id == to).expect("the owner's");
    bank.iban.as_str().to_owned()
}

/// When the platform looks at a closing account next.
fn next_look(bench: &Bench) -> Option<sim::time::Instant> {
    bench.world.timers().find(|(_, timer)| timer.what() == "closing account looked at").map(|(at, _)| at)
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn what_comes_back_is_paid_again_on_the_fifth_bank_day_to_the_newest_bank_account_that_has_not_sent_it_back() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST, SECOND]);
    close(&mut bench, &account);
    bench.wait("2026-03-03T10:00:00+01:00");
    assert_eq!(taker(&bench, &account), SECOND);
    bounce(&mut bench, &account);
    assert_eq!(bench.again(&account).balance, amount("500"));
    bench.wait("2026-03-04T09:30:00+01:00");
    assert_eq!(next_look(&bench), Some(at("2026-03-10T09:30:00+01:00")), "nothing is to be done before");
    bench.wait("2026-03-10T09:29:59+01:00");
    assert_eq!(payouts(&bench, &account).len(), 1);
    bench.wait("2026-03-10T09:30:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, FIRST));
    bench.wait("2026-03-12T09:30:00+01:00");
    let closed = bench.again(&account);
    assert_eq!((closed.deleted.is_some(), closed.balance), (true, Amount::ZERO));
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn each_bank_account_that_sends_it_back_is_followed_by_the_next_five_bank_days_later() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST, BOUNCES, SECOND]);
    close(&mut bench, &account);
    bench.wait("2026-03-03T10:00:00+01:00");
    bounce(&mut bench, &account);
    // Paid on the 11th, back on the 12th, paid again on the 19th.
    bench.wait("2026-03-19T09:29:59+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, BOUNCES));
    bench.wait("2026-03-19T09:30:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (3, FIRST));
    bench.wait("2026-03-23T09:30:00+01:00");
    let closed = bench.again(&account);
    assert_eq!((closed.deleted.is_some(), closed.balance), (true, Amount::ZERO));
}

/// (rule: accounts/payout-of-closing-returns, journeys/bank-account-while-closing)
#[test]
fn without_another_bank_account_a_closing_waits_until_the_customer_has_given_one() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[BOUNCES]);
    close(&mut bench, &account);
    bench.wait("2026-03-16T12:00:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), bench.again(&account).balance), (1, amount("500")));
    for refused in [JourneyType::UpdateAllocationPlan, JourneyType::SignWithdrawal, JourneyType::KycRenewal] {
        let create = bench.asked(about(&account, refused));
        assert_eq!(bench.ask(create).expect_err("no business").class, Class::AccountNotActive, "{refused:?}");
    }
    let given = [(JourneyStep::BankAccount, answers(&[("iban", FIRST)]))];
    let done = bench.walk(about(&account, JourneyType::AddBankAccount), &given);
    assert_eq!(done.state.name(), "complete");
    bench.wait("2026-03-17T09:30:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, FIRST));
    bench.wait("2026-03-19T09:30:00+01:00");
    let closed = bench.again(&account);
    assert_eq!((closed.deleted.is_some(), closed.balance), (true, Amount::ZERO));
    let create = bench.asked(about(&account, JourneyType::AddBankAccount));
    assert_eq!(bench.ask(create).expect_err("it no longer exists").class, Class::AccountNotActive);
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn who_asks_again_is_paid_on_the_next_bank_day() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST, SECOND]);
    close(&mut bench, &account);
    let begun = bench.world.digest();
    close(&mut bench, &account);
    assert_eq!(bench.world.digest(), begun, "nothing has come back");
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST, SECOND]);
    close(&mut bench, &account);
    bench.wait("2026-03-03T10:00:00+01:00");
    bounce(&mut bench, &account);
    assert_eq!(close(&mut bench, &account).status(), sim::records::AccountStatus::Closing);
    assert_eq!(next_look(&bench), Some(at("2026-03-04T09:30:00+01:00")));
    bench.wait("2026-03-04T09:29:59+01:00");
    assert_eq!(payouts(&bench, &account).len(), 1);
    bench.wait("2026-03-04T09:30:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, FIRST));
    bench.wait("2026-03-06T09:30:00+01:00");
    assert!(bench.again(&account).deleted.is_some());
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn asking_again_without_a_bank_account_waits_for_one_and_pays_on_the_bank_day_after() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST]);
    close(&mut bench, &account);
    bench.wait("2026-03-03T10:00:00+01:00");
    bounce(&mut bench, &account);
    close(&mut bench, &account);
    bench.wait("2026-03-05T12:00:00+01:00");
    assert_eq!(payouts(&bench, &account).len(), 1);
    let given = [(JourneyStep::BankAccount, answers(&[("iban", SECOND)]))];
    bench.walk(about(&account, JourneyType::AddBankAccount), &given);
    bench.wait("2026-03-06T09:30:00+01:00");
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, SECOND));
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn a_withdrawal_that_came_back_before_the_closing_speaks_against_no_bank_account() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST]);
    let withdraw = bench.withdrawal(&account, None);
    bench.does(Command::Withdraw(withdraw)).expect("all of it");
    bench.wait("2026-03-03T10:00:00+01:00");
    bounce(&mut bench, &account);
    close(&mut bench, &account);
    assert_eq!((payouts(&bench, &account).len(), taker(&bench, &account).as_str()), (2, FIRST));
    bench.wait("2026-03-05T09:30:00+01:00");
    assert!(bench.again(&account).deleted.is_some());
}

/// (rule: journeys/bank-account-while-closing)
#[test]
fn a_bank_account_can_be_given_in_a_journey_that_began_before_the_closing() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "500", &[FIRST]);
    let journey = bench.opened(about(&account, JourneyType::AddBankAccount));
    close(&mut bench, &account);
    let ended = bench.complete(journey, &[(JourneyStep::BankAccount, answers(&[("iban", SECOND)]))]);
    assert_eq!((ended.state.name(), bench.again(&account).bank_accounts.len()), ("complete", 2));
}
