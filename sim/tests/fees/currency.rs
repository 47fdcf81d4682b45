//! What changing money costs.

use super::{MARCH, still};
use crate::common::{Bench, DAILY, GLOBAL, amount, id};
use sim::Command;
use sim::command::PlaceOrder;
use sim::money::{Percent, Units};
use sim::query::{self, TransactionFilter};
use sim::records::{Account, Order, Owner, Proceeds};
use sim::store::Window;

/// A world where changing money costs half a percent, with an account.
fn dear(cash: &str) -> (Bench, std::sync::Arc<Account>) {
    let mut setup = still();
    setup.settings.fx_fee = Percent::parse("0.5").expect("a percent");
    let mut bench = Bench::of(&setup, 1, MARCH);
    let mut open = bench.open(cash);
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let anna = bench.account(open);
    (bench, anna)
}

/// The cash transactions of an order: kind, amount, whether settled, whether aborted.
fn of(bench: &Bench, order: &Order) -> Vec<String> {
    let filter = TransactionFilter { account: Some(order.account), ..TransactionFilter::default() };
    query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter)
        .iter()
        .filter(|cash| cash.reference.as_deref() == Some(&*order.id.to_string()))
        .map(|cash| {
            let state = match (cash.settlement, cash.aborted) {
                (Some(_), _) => "settled",
                (None, Some(_)) => "aborted",
                (None, None) => "pending",
            };
            format!("{:?} {} {state}", cash.kind, cash.amount)
        })
        .collect()
}

/// (rule: fees/currency-fee, money/average-acquisition-value)
#[test]
fn a_purchase_in_another_currency_debits_amount_and_fee_together_and_buys_for_the_rest() {
    let (mut bench, anna) = dear("10000");
    let order = bench.order(bench.buy(&anna, GLOBAL, "1000.30"));
    bench.to("2026-03-02T08:00:01+01:00");
    assert_eq!(of(&bench, &order), ["Subscription 995.30 pending", "FxFee 5.00 pending"]);
    assert_eq!(bench.again(&anna).balance, amount("8999.70"));
    assert_eq!(query::value(&bench.world, &bench.again(&anna)), amount("9995.00"), "the fee is a loss at once");
    bench.to("2026-03-06T12:00:00+01:00");
    assert_eq!(of(&bench, &order), ["Subscription 995.30 settled", "FxFee 5.00 settled"]);
    let bought = bench.read(&order);
    // 55.5 EUR at 11.35 SEK.
    let units = Units::bought_for(amount("995.30"), "629.925".parse().expect("a price"), 4);
    assert_eq!((bought.amount, bought.units), (Some(amount("1000.30")), Some(units)));
    let position = bench.again(&anna).position(id(GLOBAL)).expect("bought").clone();
    assert_eq!(position.cost, amount("995.30").get(), "the fee is no cost of the units");
}

/// (rule: fees/currency-fee)
#[test]
fn a_purchase_that_falls_gives_both_back() {
    let (mut bench, anna) = dear("10000");
    let order = bench.order(bench.buy(&anna, GLOBAL, "1000"));
    bench.to("2026-03-02T08:00:01+01:00");
    bench.does(Command::CancelOrder { scope: bench.scope, order: order.id }).expect("in time");
    assert_eq!(of(&bench, &order), ["Subscription 995.00 aborted", "FxFee 5.00 aborted"]);
    let now = bench.again(&anna);
    assert_eq!((now.balance, now.subscribed), (amount("10000"), amount("0")));
}

/// Returns that were read once are kept up by later changes.
///
/// (rule: fees/currency-fee, accounts/daily-value)
#[test]
fn the_fee_of_a_purchase_that_falls_on_the_next_day_is_lost_on_the_first_and_earned_on_the_second() {
    let (mut bench, anna) = dear("10000");
    bench.to("2026-03-03T16:00:00+01:00");
    let results = |bench: &Bench| -> Vec<String> {
        let entries = query::account_performance(&bench.world, anna.id, None);
        entries.iter().map(|entry| entry.day_result.to_string()).collect()
    };
    assert_eq!(results(&bench), ["0.00"]);
    let order = bench.order(bench.buy(&anna, GLOBAL, "1000"));
    bench.to("2026-03-04T08:00:00+01:00");
    bench.does(Command::CancelOrder { scope: bench.scope, order: order.id }).expect("in time");
    bench.to("2026-03-05T08:00:00+01:00");
    assert_eq!(of(&bench, &order), ["Subscription 995.00 aborted", "FxFee 5.00 aborted"]);
    assert_eq!(results(&bench), ["0.00", "-5.00", "5.00"]);
}

/// (rule: fees/currency-fee)
#[test]
fn a_sale_in_another_currency_credits_all_of_it_and_passes_on_what_is_left_after_the_fee() {
    let (mut bench, anna) = dear("10000");
    bench.order(bench.buy(&anna, GLOBAL, "1000"));
    bench.to("2026-03-06T12:00:00+01:00");
    let executor = match &*anna.owner {
        Owner::NaturalPerson(person) => Some(person.ssn),
        Owner::LegalEntity(_) => None,
    };
    let proceeds = Proceeds::PayOut(anna.bank_accounts[0].id);
    let order = bench.order(PlaceOrder { proceeds, executor, ..bench.sell(&anna, GLOBAL, "1") });
    bench.to("2026-03-12T12:00:00+01:00");
    // 629.925, of which 0.5 % are 3.15.
    assert_eq!(of(&bench, &order), ["Redemption 629.93 settled", "FxFee 3.15 settled", "Withdrawal 626.78 settled"]);
    assert_eq!(bench.again(&anna).balance, amount("9000"));
}

/// (rule: fees/currency-fee, orders/redemption-transfer)
#[test]
fn both_legs_of_a_transfer_move_what_is_left_after_the_fee() {
    let (mut bench, anna) = dear("10000");
    let mut open = bench.open("0");
    open.owner = Some(Owner::clone(&anna.owner));
    let other = bench.account(open);
    bench.order(bench.buy(&anna, GLOBAL, "1000"));
    bench.to("2026-03-06T12:00:00+01:00");
    let proceeds = Proceeds::Transfer(other.id);
    let order = bench.order(PlaceOrder { proceeds, ..bench.sell(&anna, GLOBAL, "1") });
    bench.to("2026-03-12T12:00:00+01:00");
    assert_eq!(of(&bench, &order), ["Redemption 629.93 settled", "FxFee 3.15 settled", "TransferOut 626.78 settled"]);
    assert_eq!((bench.again(&anna).balance, bench.again(&other).balance), (amount("9000"), amount("626.78")));
}

/// (rule: fees/currency-fee)
#[test]
fn funds_in_the_accounts_own_currency_and_fees_below_half_an_ore_cost_nothing() {
    let (mut bench, anna) = dear("10000");
    let order = bench.order(bench.buy(&anna, DAILY, "1000"));
    bench.to("2026-03-02T08:00:01+01:00");
    assert_eq!(of(&bench, &order), ["Subscription 1000.00 pending"]);
}
