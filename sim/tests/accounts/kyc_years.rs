//! KYC and screening over years: what expiry and hits stop, what they do not, and the state afterwards.

use crate::common::{Bench, DAILY, amount, free, id, units};
use crate::journeys::{ANNA, about, answers, opening_by, ssn};
use crate::payments::HAPPY;
use sim::command::{OpenBankAccount, ScreeningHit};
use sim::records::{
    Account, AccountType, JourneyStep, JourneyType, KycStatus, MandateStatus, Order, OwnerKey, PlacedBy, Proceeds,
};
use sim::store::Window;
use sim::time::Millis;
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

/// A Monday; KYC given then holds until the same day of 2029, a Friday.
const START: &str = "2026-03-02T08:00:00+01:00";
/// The first bank day of expired KYC.
const EXPIRED: &str = "2029-03-05T08:00:00+01:00";

/// Anna's account with cash, units and a mandate.
fn held(bench: &mut Bench) -> Arc<Account> {
    let mut open = bench.open("10000");
    open.owner = Some(bench.owner(ANNA));
    open.positions = vec![(id(DAILY), units("100"))];
    open.bank_accounts = vec![OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank(HAPPY) }];
    bench.account(open)
}

fn kyc(bench: &Bench, account: &Account) -> (KycStatus, String, bool) {
    let view = query::kyc_status(&bench.world, &bench.again(account));
    (view.status, view.expiry.to_string(), view.renewal_required)
}

fn checked(bench: &mut Bench) {
    let later = bench.world.now().plus(Millis::SECOND);
    bench.world.advance(later);
}

fn withdraw(bench: &mut Bench, account: &Account) -> Result<Reply, sim::Refusal> {
    bench.does(Command::Withdraw(bench.withdrawal(account, Some("1000"))))
}

fn screen(bench: &mut Bench, hit: ScreeningHit) {
    bench.does(Command::Screen { owner: OwnerKey::Ssn(ssn(ANNA)), hit }).expect("screens");
}

fn renew(bench: &mut Bench, account: &Account, pep: &str) {
    bench.walk(about(account, JourneyType::KycRenewal), &[(JourneyStep::Kyc, answers(&[("pep", pep)]))]);
}

fn release(bench: &mut Bench, order: &Order) {
    let partner = bench.scope.partner;
    bench.does(Command::ReleaseOrder { partner, order: order.id }).expect("released");
}

/// The orders that plans have placed, and the status of each.
fn of_plans(bench: &Bench, account: &Account) -> Vec<&'static str> {
    let all = query::OrderFilter { account: Some(account.id), ..Default::default() };
    let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &all);
    orders.iter().filter(|order| order.placed_by == PlacedBy::Plan).map(|order| order.state.name()).collect()
}

/// (rule: accounts/kyc-renewal, orders/hold-reasons, orders/release)
#[test]
fn orders_are_parked_while_kyc_is_expired_and_released_ones_go_on_after_the_renewal() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    bench.wait("2029-03-02T23:00:00+01:00");
    let last = bench.order(bench.buy(&account, DAILY, "500"));
    bench.wait(EXPIRED);
    assert_eq!(kyc(&bench, &account), (KycStatus::Expired, "2029-03-02".to_owned(), true));
    assert_eq!(bench.status(&last), "pending", "accepted on the last day");
    let bank = account.bank_accounts[0].id;
    let paid_out = sim::command::PlaceOrder {
        executor: Some(ssn(ANNA)),
        proceeds: Proceeds::PayOut(bank),
        ..bench.sell(&account, DAILY, "1")
    };
    let placed = [bench.buy(&account, DAILY, "600"), bench.sell(&account, DAILY, "2"), paid_out];
    let placed = placed.map(|place| bench.order(place));
    checked(&mut bench);
    let statuses = |bench: &Bench| placed.iter().map(|order| bench.status(order)).collect::<Vec<_>>();
    assert_eq!(statuses(&bench), ["hold"; 3]);
    // A renewal that has only begun holds them as well, and one that has ended releases none of them.
    let journey = bench.opened(about(&account, JourneyType::KycRenewal));
    assert_eq!(kyc(&bench, &account).0, KycStatus::Pending);
    let during = bench.order(bench.buy(&account, DAILY, "700"));
    checked(&mut bench);
    assert_eq!(bench.status(&during), "hold");
    bench.complete(journey, &[]);
    assert_eq!(kyc(&bench, &account), (KycStatus::Valid, "2032-03-05".to_owned(), false));
    let after = bench.order(bench.buy(&account, DAILY, "800"));
    checked(&mut bench);
    assert_eq!((statuses(&bench), bench.status(&after)), (vec!["hold"; 3], "pending"));
    placed.iter().for_each(|order| release(&mut bench, order));
    assert_eq!(statuses(&bench), ["pending"; 3]);
    bench.wait("2029-03-20T10:00:00+01:00");
    assert_eq!((statuses(&bench), bench.status(&after)), (vec!["settled"; 3], "settled"));
    assert_eq!(bench.status(&during), "canceled", "five bank days on hold are enough");
}

/// (rule: accounts/kyc-renewal)
#[test]
fn expired_kyc_stops_neither_money_coming_in_nor_going_out_nor_a_closing() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    bench.wait(EXPIRED);
    withdraw(&mut bench, &account).expect("paid out");
    let limits = query::withdrawal_limits(&bench.world, &bench.again(&account));
    assert_eq!(limits.max, amount("9000"));
    bench.pays(account.reference, "250");
    let charged = bench.instruct(&account, &[("100", "charged")]);
    bench.wait("2029-03-06T10:00:00+01:00");
    assert_eq!(bench.again(&account).balance, amount("9350"));
    assert_eq!(bench.instruction_again(&charged).state.name(), "completed");
    let (scope, account) = (bench.scope, account.id);
    bench.does(Command::CloseAccount { scope, account }).expect("closes");
    bench.wait("2029-04-20T10:00:00+02:00");
    let closed = query::account(&bench.world, scope.client, account).expect("still there");
    assert!(closed.deleted.is_some(), "sold and paid out");
}

/// (rule: accounts/kyc-renewal, plans/plan-orders)
#[test]
fn plans_run_over_expired_kyc_and_their_orders_are_parked() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    bench.wait("2029-03-02T08:00:00+01:00");
    let all = answers(&[(&format!("allocation.{DAILY}"), "100")]);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, all)]);
    bench.saves(&account, "6");
    bench.wait(EXPIRED);
    bench.pays(account.reference, "600");
    bench.wait("2029-03-06T09:00:01+01:00");
    assert_eq!(of_plans(&bench, &account), ["hold"], "the deposit's");
    bench.wait("2029-03-07T10:00:01+01:00");
    assert_eq!(of_plans(&bench, &account), ["hold"; 2], "the month's, charged all the same");
    assert_eq!(bench.plan(&account).last_run.as_ref().map(|run| run.status.name()), Some("done"));
    // What lapses stays as cash.
    bench.wait("2029-03-20T10:00:00+01:00");
    assert_eq!(of_plans(&bench, &account), ["canceled"; 2]);
    assert_eq!(bench.again(&account).spendable(), amount("11100"));
    renew(&mut bench, &account, "no");
    bench.wait("2029-04-09T10:00:01+02:00");
    assert_eq!(of_plans(&bench, &account)[2..], ["pending"], "the next month's is as any other");
}

/// (rule: accounts/kyc-renewal, accounts/screening)
#[test]
fn who_is_exposed_renews_every_year_and_everybody_else_every_third() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    assert_eq!(kyc(&bench, &account).1, "2029-03-02");
    let rows = [
        ("2026-06-01T12:00:00+02:00", None, "yes", "2027-06-01"),
        ("2027-05-20T12:00:00+02:00", None, "no", "2030-05-20"),
        ("2028-02-29T12:00:00+01:00", Some(ScreeningHit::Pep), "no", "2029-02-28"),
        ("2029-02-01T12:00:00+01:00", None, "no", "2030-02-01"),
        ("2030-01-15T12:00:00+01:00", Some(ScreeningHit::Clear), "no", "2033-01-15"),
    ];
    for (instant, hit, pep, expiry) in rows {
        bench.wait(instant);
        if let Some(hit) = hit {
            screen(&mut bench, hit);
        }
        renew(&mut bench, &account, pep);
        assert_eq!(kyc(&bench, &account), (KycStatus::Valid, expiry.to_owned(), false), "renewed at {instant}");
    }
}

/// (rule: accounts/kyc-renewal, accounts/screening)
#[test]
fn a_late_hit_makes_old_answers_expire_at_once_and_clearing_does_not_bring_them_back() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    bench.wait("2028-03-06T08:00:00+01:00");
    let before = bench.order(bench.buy(&account, DAILY, "500"));
    checked(&mut bench);
    screen(&mut bench, ScreeningHit::Pep);
    assert_eq!(kyc(&bench, &account), (KycStatus::Expired, "2027-03-02".to_owned(), true));
    let after = bench.order(bench.buy(&account, DAILY, "500"));
    checked(&mut bench);
    assert_eq!((bench.status(&before), bench.status(&after)), ("pending", "hold"), "only new orders are parked");
    screen(&mut bench, ScreeningHit::Clear);
    assert_eq!(kyc(&bench, &account).0, KycStatus::Expired);
    renew(&mut bench, &account, "no");
    assert_eq!(kyc(&bench, &account).1, "2031-03-06");
}

/// (rule: accounts/kyc-renewal, accounts/screening)
#[test]
fn an_exposed_owner_holds_a_year_however_the_account_was_opened() {
    let mut bench = Bench::of(&free(), 1, START);
    screen(&mut bench, ScreeningHit::Pep);
    let at_once = held(&mut bench);
    let done = bench.walk(opening_by(ANNA, AccountType::Depot), &[]);
    let by_journey = bench.account_of(&done);
    for account in [at_once, by_journey] {
        assert_eq!(kyc(&bench, &account).1, "2027-03-02");
    }
}

/// (rule: accounts/kyc-renewal)
#[test]
fn expiry_and_renewal_of_kyc_emit_no_event_and_do_not_change_the_account() {
    let mut bench = Bench::of(&free(), 1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    bench.event_kinds();
    bench.wait("2029-06-01T12:00:00+02:00");
    assert_eq!(kyc(&bench, &account).0, KycStatus::Expired);
    renew(&mut bench, &account, "yes");
    screen(&mut bench, ScreeningHit::Pep);
    let kinds: Vec<_> = bench.event_kinds().into_iter().filter(|kind| kind.starts_with("account")).collect();
    assert_eq!(kinds, Vec::<&str>::new());
    assert_eq!(bench.again(&account).stamp, account.stamp);
}

/// (rule: accounts/screening, plans/plan-orders, payments/withdrawal-limits)
#[test]
fn a_sanction_parks_what_plans_buy_and_forbids_payouts_until_it_is_cleared() {
    let mut bench = Bench::of(&free(), 1, START);
    let account = held(&mut bench);
    let all = answers(&[(&format!("allocation.{DAILY}"), "100")]);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, all)]);
    withdraw(&mut bench, &account).expect("asked for before");
    screen(&mut bench, ScreeningHit::Sanctions);
    assert_eq!(withdraw(&mut bench, &account).expect_err("too late").class, Class::BadTarget);
    assert_eq!(query::withdrawal_limits(&bench.world, &bench.again(&account)).max, amount("0"));
    bench.pays(account.reference, "600");
    bench.wait("2026-03-03T09:00:01+01:00");
    assert_eq!(of_plans(&bench, &account), ["hold"], "the money comes in, and nothing is bought");
    assert_eq!(bench.again(&account).balance, amount("9600"), "what was asked for before the hit was paid");
    screen(&mut bench, ScreeningHit::Clear);
    assert_eq!(of_plans(&bench, &account), ["hold"], "clearing releases nothing");
    withdraw(&mut bench, &account).expect("free again");
    let held = query::OrderFilter { account: Some(account.id), ..Default::default() };
    let order = query::orders(&bench.world, bench.scope.client, &Window::default(), &held).remove(0);
    release(&mut bench, &order);
    bench.pays(account.reference, "700");
    bench.wait("2026-03-10T10:00:00+01:00");
    assert_eq!(of_plans(&bench, &account), ["settled"; 2]);
}
