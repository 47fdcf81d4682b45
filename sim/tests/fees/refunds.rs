//! Charges that payers have back, beyond the cash.

use super::{sales, still};
use crate::common::{Bench, DAILY, T_PLUS_ONE, amount, id, units};
use crate::journeys::START;
use crate::payments::HAPPY;
use sim::command::OpenBankAccount;
use sim::ids::PaymentId;
use sim::query::{self, TransactionFilter};
use sim::records::{Account, CashRefType, MandateStatus};
use sim::setup::Setup;
use sim::store::Window;
use sim::{Command, Reply};
use std::sync::Arc;

fn free() -> Setup {
    let mut setup = still();
    setup.settings.distribution_fee = 0;
    setup.instruments.iter_mut().for_each(|fund| fund.rebate = rust_decimal::Decimal::ZERO);
    setup
}

/// An account that holds units, with a charge of 1,000.00, some of which is spent.
fn spent(bench: &mut Bench, held: &[(&str, &str)], sum: &str) -> (Arc<Account>, PaymentId) {
    let mut open = bench.open("0");
    open.positions = held.iter().map(|(fund, text)| (id(fund), units(text))).collect();
    open.bank_accounts = vec![OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank(HAPPY) }];
    let account = bench.account(open);
    let payment = bench.instruct(&account, &[("1000", "x")]).payments[0];
    bench.to("2026-03-03T10:00:00+01:00");
    bench.order(bench.buy(&account, T_PLUS_ONE, sum));
    bench.to("2026-03-03T10:00:01+01:00");
    (account, payment)
}

fn refund(bench: &mut Bench, payment: PaymentId) -> Reply {
    let partner = bench.scope.partner;
    bench.does(Command::RefundPayment { partner, payment, unauthorised: false }).expect("in time")
}

fn given_back(bench: &Bench, account: &Account) -> Vec<String> {
    let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
    query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter)
        .iter()
        .filter(|cash| cash.ref_type == CashRefType::Correction)
        .map(|cash| cash.amount.to_string())
        .collect()
}

/// (rule: payments/payment-refund, fees/forced-redemption)
#[test]
fn what_can_be_spent_goes_back_at_once_and_units_are_sold_for_the_rest() {
    let mut bench = Bench::of(&free(), 1, START);
    let (anna, payment) = spent(&mut bench, &[(DAILY, "100")], "700");
    let Reply::CashTransaction(first) = refund(&mut bench, payment) else { panic!("there is cash") };
    assert_eq!(first.amount, amount("300"));
    let now = bench.again(&anna);
    assert_eq!((now.balance, now.withdrawn), (amount("0"), amount("300")));
    // 700.00 and 2 % more at 123.45.
    let sold: Vec<_> = sales(&bench, &anna).iter().filter_map(|order| order.units).collect();
    assert_eq!(sold, [units("5.7838")]);
    bench.to("2026-03-06T12:00:00+01:00");
    assert_eq!(given_back(&bench, &anna), ["300.00", "700.00"]);
    let now = bench.again(&anna);
    assert_eq!((now.balance, now.withdrawn), (amount("14.01"), amount("1000")));
    assert!(query::fees_of(&bench.world, anna.id).expect("a file").refunds.is_empty());
}

/// (rule: payments/payment-refund)
#[test]
fn without_any_cash_the_payment_is_the_answer_and_a_sale_that_falls_moves_on() {
    let mut bench = Bench::of(&free(), 1, START);
    let (anna, payment) = spent(&mut bench, &[(DAILY, "100"), (crate::common::COMPLEX, "100")], "1000");
    let Reply::Payment(paid_back) = refund(&mut bench, payment) else { panic!("there is no cash") };
    assert_eq!(paid_back.id, payment);
    let partner = bench.scope.partner;
    let order = sales(&bench, &anna).into_iter().find(|order| order.units.is_some()).expect("a sale").id;
    bench.does(Command::RejectOrder { partner, order }).expect("received");
    bench.to("2026-03-03T10:00:02+01:00");
    let sold: Vec<_> =
        sales(&bench, &anna).iter().filter(|order| order.amount.is_none()).map(|order| order.instrument).collect();
    assert_eq!(sold, [id(DAILY), id(crate::common::COMPLEX)]);
    bench.to("2026-03-06T12:00:00+01:00");
    assert_eq!(given_back(&bench, &anna), ["1000.00"]);
}

/// (rule: payments/payment-refund, fees/fee-booking)
#[test]
fn what_neither_cash_nor_units_reach_is_in_arrears_and_asked_for_with_the_fees() {
    let mut bench = Bench::of(&free(), 1, START);
    let (anna, payment) = spent(&mut bench, &[], "700");
    refund(&mut bench, payment);
    let arrears = |bench: &Bench| {
        let file = query::fees_of(&bench.world, anna.id).expect("a file");
        file.refunds.iter().map(|refund| (refund.left.to_string(), refund.is_arrears)).collect::<Vec<_>>()
    };
    assert_eq!(arrears(&bench), [("700.00".to_owned(), true)]);
    bench.pays(anna.reference, "50");
    bench.to("2026-03-10T12:00:00+01:00");
    assert_eq!((bench.again(&anna).balance, given_back(&bench, &anna).len()), (amount("50"), 1), "no single deposit");
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(bench.again(&anna).reserved, amount("50"));
    bench.to("2026-04-08T12:00:00+02:00");
    let sum: sim::money::Amount = given_back(&bench, &anna).iter().map(|text| amount(text)).sum();
    assert_eq!((sum, given_back(&bench, &anna).len()), (amount("1000"), 2));
    assert!(arrears(&bench).is_empty());
}
