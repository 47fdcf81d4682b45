//! Closing accounts, whatever they hold.

use crate::common::{Bench, DAILY, GLOBAL, amount, at, id, units};
use crate::journeys::{ANNA, START, about, moving, opening_by, transfer_of};
use sim::command::ScreeningHit;
use sim::money::Amount;
use sim::records::{Account, AccountType, CashType, Configuration, FundRefType, JourneyType, MandateStatus, PlacedBy};
use sim::store::Window;
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

const HAPPY: &str = "SE8150000000050000000019";
const BOUNCES: &str = "SE9350000000050000000094";

fn close(bench: &mut Bench, account: &Account) -> Result<Reply, sim::Refusal> {
    let scope = bench.scope;
    bench.does(Command::CloseAccount { scope, account: account.id })
}

fn state(bench: &Bench, account: &Account) -> (&'static str, bool) {
    let account = bench.again(account);
    (query::account_status(account.status()), account.deleted.is_some())
}

fn holding(bench: &mut Bench, cash: &str, iban: Option<&str>) -> Arc<Account> {
    let mut open = bench.open(cash);
    open.owner = Some(bench.owner(ANNA));
    open.positions = vec![(id(DAILY), units("10.1234567"))];
    open.bank_accounts = iban.map(|iban| bench.bank(iban)).into_iter().collect();
    bench.account(open)
}

/// (rule: accounts/closing, accounts/deleted-accounts)
#[test]
fn an_empty_account_is_deleted_at_once() {
    let mut bench = Bench::new(1, START);
    let account = bench.account(bench.open("0"));
    bench.event_kinds();
    close(&mut bench, &account).expect("closes");
    assert_eq!(state(&bench, &account), ("closing", true));
    assert_eq!(bench.event_kinds(), ["account.update", "account.delete"]);
    let Ok(Reply::Account(again)) = close(&mut bench, &account) else { panic!("harmless") };
    assert_eq!(again, bench.again(&account));
    assert!(bench.event_kinds().is_empty());
}

/// (rule: accounts/closing, accounts/closing-rounds)
#[test]
fn what_is_held_is_sold_and_paid_out_before_the_account_is_deleted() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "1000", Some(HAPPY));
    let waiting = bench.order(bench.buy(&account, GLOBAL, "600"));
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[]);
    close(&mut bench, &account).expect("closes");
    assert_eq!(state(&bench, &account), ("closing", false));
    assert_eq!(bench.status(&waiting), "canceled");
    assert!(query::allocation_plan_of(&bench.world, account.id).is_none());
    let refused = bench.does(Command::PlaceOrder(bench.buy(&account, DAILY, "500"))).expect_err("no more business");
    assert_eq!(refused.class, Class::AccountNotActive);
    // Sold on Monday, settled on Wednesday, paid on Friday, final on Monday.
    bench.wait("2026-03-04T09:29:59+01:00");
    assert!(bench.again(&account).positions.is_empty());
    assert!(bench.again(&account).balance > amount("1000"));
    bench.wait("2026-03-04T09:30:00+01:00");
    assert_eq!(bench.again(&account).balance, Amount::ZERO);
    assert_eq!(state(&bench, &account), ("closing", false));
    bench.wait("2026-03-06T09:29:59+01:00");
    assert_eq!(state(&bench, &account), ("closing", false));
    bench.event_kinds();
    bench.wait("2026-03-20T09:30:00+01:00");
    assert_eq!(state(&bench, &account), ("closing", true));
    let deleted: Vec<_> = bench.event_kinds().into_iter().filter(|kind| *kind == "account.delete").collect();
    assert_eq!(deleted.len(), 1);
    let payout = query::cash_transactions(
        &bench.world,
        bench.scope.client,
        &Window::default(),
        &query::TransactionFilter { account: Some(account.id), ..Default::default() },
    );
    let (partner, transaction) = (bench.scope.partner, payout.last().expect("paid out").id);
    let late = bench.does(Command::BouncePayout { partner, transaction }).expect_err("it can no longer come back");
    assert_eq!(late.class, Class::Conflict);
    assert!(
        bench.world.timers().all(|(_, timer)| timer.what() != "closing account looked at"),
        "nothing is left to do"
    );
}

/// (rule: accounts/closing)
#[test]
fn money_without_a_validated_bank_account_keeps_an_account_open() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "0", None);
    let digest = bench.world.digest();
    let refusal = close(&mut bench, &account).expect_err("where to?");
    assert_eq!(refusal.class, Class::BadTarget);
    assert_eq!(bench.world.digest(), digest);
    assert_eq!(state(&bench, &account), ("active", false));
}

/// (rule: accounts/system-orders)
#[test]
fn what_a_closing_sells_is_parked_neither_for_kyc_nor_for_size_and_is_not_the_partners_to_cancel() {
    for large in [false, true] {
        let mut bench = Bench::of(&crate::common::free(), 1, START);
        let mut open = bench.open("0");
        open.positions = vec![(id(DAILY), units(if large { "1000000" } else { "10" }))];
        open.bank_accounts = vec![bench.bank(HAPPY)];
        let account = bench.account(open);
        if !large {
            bench.wait("2029-03-05T08:00:00+01:00");
            assert!(bench.world.now().local_date() > bench.again(&account).kyc_valid_until);
        }
        let own = bench.order(bench.sell(&account, DAILY, if large { "500000" } else { "1" }));
        let check = bench.world.now().plus(sim::time::Millis::SECOND);
        bench.world.advance(check);
        assert_eq!(bench.status(&own), "hold", "a partner's is parked");
        close(&mut bench, &account).expect("closes");
        let all = query::OrderFilter { account: Some(account.id), ..Default::default() };
        let orders = |bench: &Bench| query::orders(&bench.world, bench.scope.client, &Window::default(), &all);
        let sale = std::sync::Arc::clone(&orders(&bench)[1]);
        assert_eq!((bench.status(&own), sale.placed_by), ("canceled", PlacedBy::Platform));
        let cancel = Command::CancelOrder { scope: bench.scope, order: sale.id };
        let refusal = bench.does(cancel).expect_err("not the partner's");
        assert_eq!(refusal.class, Class::NotAllowedNow);
        let check = bench.world.now().plus(sim::time::Millis::SECOND);
        bench.world.advance(check);
        assert_eq!(bench.status(&sale), "pending", "the platform's own is not");
        bench.wait("2029-06-01T09:30:00+02:00");
        assert_eq!(orders(&bench).len(), 2, "nothing lapses and comes again");
        assert_eq!(state(&bench, &account), ("closing", true));
    }
}

/// (rule: accounts/system-orders, accounts/screening)
#[test]
fn a_closing_sells_nothing_while_the_owner_is_sanctioned() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "100", Some(HAPPY));
    let all = query::OrderFilter { account: Some(account.id), ..Default::default() };
    let orders = |bench: &Bench| query::orders(&bench.world, bench.scope.client, &Window::default(), &all);
    let owner = account.owner.key();
    close(&mut bench, &account).expect("closes");
    assert_eq!(orders(&bench).len(), 1);
    let sale = std::sync::Arc::clone(&orders(&bench)[0]);
    bench.does(Command::Screen { owner, hit: ScreeningHit::Sanctions }).expect("screens");
    assert_eq!(bench.status(&sale), "hold", "what waits is parked");
    bench.wait("2026-04-20T10:00:00+02:00");
    assert_eq!((bench.status(&sale), orders(&bench).len()), ("canceled", 1), "it lapses once, and none comes instead");
    bench.does(Command::Screen { owner, hit: ScreeningHit::Clear }).expect("screens");
    bench.wait("2026-05-04T09:30:00+02:00");
    assert_eq!((orders(&bench).len(), state(&bench, &account)), (2, ("closing", true)));
}

/// (rule: accounts/payout-of-closing-returns)
#[test]
fn a_payout_that_comes_back_keeps_the_account_from_being_deleted() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("500");
    open.bank_accounts = vec![bench.bank(BOUNCES)];
    let account = bench.account(open);
    close(&mut bench, &account).expect("closes");
    bench.wait("2026-04-20T09:00:00+02:00");
    assert_eq!(state(&bench, &account), ("closing", false));
    assert_eq!(bench.again(&account).balance, amount("500"));
    let filter = query::TransactionFilter { account: Some(account.id), ..Default::default() };
    let cash = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    assert_eq!(cash.len(), 3, "opened, paid once, returned once");
}

/// (rule: accounts/deleted-accounts, securities/transfer-timing)
#[test]
fn an_account_that_waits_is_deleted_with_its_transfers_and_keeps_its_status() {
    for (number, kind, status) in
        [("197001082382", AccountType::Depot, "pending"), (ANNA, AccountType::Insurance, "confirm")]
    {
        let mut bench = Bench::new(1, START);
        let mut moved = moving(kind);
        moved.default_units_output = vec![sim::records::Output::Cash];
        let configuration = Configuration { transfer: Some(transfer_of(vec![moved])), ..opening_by(number, kind) };
        let done = bench.walk(configuration, &[]);
        let account = bench.account_of(&done);
        bench.event_kinds();
        close(&mut bench, &account).expect("closes");
        assert_eq!((state(&bench, &account), bench.event_kinds()), ((status, true), vec!["account.delete"]));
        let transfers = query::transfers(&bench.world, account.id, &Window::default());
        assert_eq!(transfers[0].state.name(), "canceled");
        bench.wait("2026-04-20T09:00:00+02:00");
        assert_eq!(state(&bench, &account), (status, true));
    }
}

#[test]
fn an_agreed_transfer_is_waited_for_and_an_open_one_is_canceled() {
    for (instant, expected) in [("2026-03-04T10:00:00+01:00", "canceled"), ("2026-03-09T10:00:00+01:00", "completed")] {
        let mut bench = Bench::new(1, START);
        let configuration = Configuration {
            transfer: Some(transfer_of(vec![moving(AccountType::Isk)])),
            autogiro: Some(sim::records::Autogiro {
                enforce: sim::records::AutogiroEnforce::Required,
                force_new_bank_account: false,
            }),
            ..opening_by(ANNA, AccountType::Isk)
        };
        let done = bench.walk(configuration, &[]);
        let account = bench.account_of(&done);
        bench.wait(instant);
        assert_eq!(
            bench.again(&account).bank_accounts[0].mandate,
            if instant.contains("-04T") { MandateStatus::Pending } else { MandateStatus::Active }
        );
        close(&mut bench, &account).expect("closes");
        bench.wait("2026-06-01T10:00:00+02:00");
        let transfers = query::transfers(&bench.world, account.id, &Window::default());
        assert_eq!(transfers[0].state.name(), expected);
        assert_eq!(state(&bench, &account), ("closing", true));
        let closed = bench.again(&account);
        assert_eq!((closed.balance, closed.positions.len()), (Amount::ZERO, 0));
    }
}

/// (rule: accounts/closing)
#[test]
fn what_a_custodian_has_agreed_to_send_needs_a_bank_account_to_go_on_to() {
    for (instant, agreed) in [("2026-03-06T08:59:59+01:00", false), ("2026-03-06T09:00:00+01:00", true)] {
        let mut bench = Bench::new(1, START);
        let transfer = Some(transfer_of(vec![moving(AccountType::Depot)]));
        let done = bench.walk(Configuration { transfer, ..opening_by(ANNA, AccountType::Depot) }, &[]);
        let account = bench.account_of(&done);
        bench.wait(instant);
        let before = bench.world.digest();
        let answer = close(&mut bench, &account);
        if agreed {
            assert_eq!(answer.expect_err("where to?").class, Class::BadTarget);
            assert_eq!(bench.world.digest(), before, "a refusal changes nothing");
        } else {
            answer.expect("nothing is to come");
            assert_eq!(state(&bench, &account), ("closing", true));
        }
    }
}

#[test]
fn a_rejected_account_cannot_be_closed() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(opening_by("197001022388", AccountType::Depot), &[]);
    let account = bench.account_of(&done);
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(close(&mut bench, &account).expect_err("over").class, Class::NotAllowedNow);
}

#[test]
fn a_journey_about_an_account_that_closes_meanwhile_ends_in_an_error() {
    let mut bench = Bench::new(1, START);
    let account = bench.account(bench.open("0"));
    let journey = bench.opened(about(&account, JourneyType::SignWithdrawal));
    close(&mut bench, &account).expect("closes");
    let ended = bench.complete(journey, &[]);
    assert_eq!((ended.state.name(), ended.error_code), ("error", Some(sim::records::ErrorCode::Other)));
}

/// (rule: accounts/deleted-accounts)
#[test]
fn a_deleted_account_emits_no_events() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    let gone = bench.account(open);
    close(&mut bench, &gone).expect("closes");
    let before = bench.again(&gone);
    let configuration = Configuration {
        payment_account: Some(sim::identity::Iban::parse(HAPPY).expect("an iban")),
        ..opening_by(ANNA, AccountType::Depot)
    };
    let done = bench.walk(configuration, &[]);
    bench.wait("2026-03-20T09:30:00+01:00");
    assert_eq!(bench.account_of(&done).bank_accounts.len(), 1);
    assert_eq!(bench.again(&gone), before);
}

/// (rule: accounts/fractions-at-closing)
#[test]
fn a_fraction_worth_less_than_half_an_ore_is_booked_away() {
    for (text, sold) in [("0.00004", false), ("0.00005", true)] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("500");
        open.positions = vec![(id(DAILY), units(text))];
        open.bank_accounts = vec![bench.bank(HAPPY)];
        let account = bench.account(open);
        let view = query::instrument(&bench.world, id(DAILY)).expect("a fund");
        let known = (view.close_price, view.price_date);
        close(&mut bench, &account).expect("closes");
        let filter = query::TransactionFilter { account: Some(account.id), ..Default::default() };
        let funds = query::fund_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
        assert_eq!(funds.len(), if sold { 1 } else { 2 }, "{text} units");
        assert_eq!(bench.again(&account).positions.is_empty(), !sold, "{text} units");
        if let [_, away] = &funds[..] {
            assert_eq!((away.units, away.reference.as_deref()), (units(text), Some("closing")));
            assert_eq!((away.ref_type, away.settlement), (FundRefType::Correction, Some(at(START).local_date())));
            assert_eq!((away.price, away.trade), known);
        }
        bench.wait("2026-03-20T09:30:00+01:00");
        assert_eq!(state(&bench, &account), ("closing", true), "{text} units");
        let cash = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
        let paid = cash.last().expect("paid out");
        assert_eq!((paid.kind, paid.reference.as_deref()), (CashType::Withdrawal, Some("closing")));
    }
}
