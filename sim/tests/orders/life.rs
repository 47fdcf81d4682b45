//! An order's life, row by row.

use crate::common::{Bench, DAILY, amount, at, id, units};
use sim::query;

/// (rule: orders/order-states, orders/acceptance, orders/aggregation, orders/confirmed-is-inside-sent, money/balance)
#[test]
fn a_subscription_is_received_pending_sent_confirmed_and_settled_on_the_documented_instants() {
    let mut bench = Bench::new(42, "2026-03-02T08:00:00+01:00");
    let anna = bench.account(bench.open("10000"));
    let order = bench.order(bench.buy(&anna, DAILY, "10000"));
    let rows = [
        ("2026-03-02T08:00:00.999+01:00", "received", "10000.00"),
        ("2026-03-02T08:00:01+01:00", "pending", "0.00"),
        ("2026-03-02T14:00:59.999+01:00", "pending", "0.00"),
        ("2026-03-02T14:01:00+01:00", "sent", "0.00"),
        ("2026-03-02T18:35:00+01:00", "sent", "0.00"),
        ("2026-03-04T08:59:59.999+01:00", "sent", "0.00"),
        ("2026-03-04T09:00:00+01:00", "settled", "0.00"),
    ];
    for (instant, status, balance) in rows {
        bench.to(instant);
        assert_eq!(bench.status(&order), status, "at {instant}");
        assert_eq!(bench.again(&anna).balance, amount(balance), "at {instant}");
    }
    let order = bench.read(&order);
    let trade = order.trade.expect("a trade");
    assert_eq!(trade.date.to_string(), "2026-03-02");
    let held = bench.again(&anna);
    let position = held.position(id(DAILY)).expect("a position");
    assert_eq!(Some(position.settled), order.units);
    assert_eq!(position.units, position.settled);
    let views = query::positions(&bench.world, &held, bench.world.now());
    assert_eq!(views.len(), 1);
    assert!(views[0].gav > rust_decimal::Decimal::ZERO);
}

/// (rule: money/units-and-settled-units, orders/existence-of-transactions)
#[test]
fn a_redemption_takes_units_at_pending_and_brings_cash_at_settlement() {
    let mut bench = Bench::new(42, "2026-03-02T08:00:00+01:00");
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("80"))];
    let anna = bench.account(open);
    let order = bench.order(bench.sell(&anna, DAILY, "50"));
    assert_eq!(bench.again(&anna).position(id(DAILY)).expect("a position").sellable(), units("30"));
    bench.to("2026-03-02T09:00:00+01:00");
    let position = bench.again(&anna).position(id(DAILY)).expect("a position").clone();
    assert_eq!((position.units, position.settled), (units("30"), units("80")));
    bench.to("2026-03-04T09:00:00+01:00");
    let order = bench.read(&order);
    assert_eq!(bench.again(&anna).balance, order.amount.expect("filled in"));
    let position = bench.again(&anna).position(id(DAILY)).expect("a position").clone();
    assert_eq!((position.units, position.settled), (units("30"), units("30")));
}

/// (rule: calendar/cut-off)
#[test]
fn an_order_at_the_cut_off_instant_trades_on_the_next_dealing_day_and_one_just_before_does_not() {
    for (instant, traded) in
        [("2026-03-02T13:59:59.999+01:00", "2026-03-02"), ("2026-03-02T14:00:00+01:00", "2026-03-03")]
    {
        let mut bench = Bench::new(7, "2026-03-02T08:00:00+01:00");
        let anna = bench.account(bench.open("10000"));
        bench.to(instant);
        let order = bench.order(bench.buy(&anna, DAILY, "1000"));
        bench.to("2026-03-09T08:00:00+01:00");
        assert_eq!(bench.status(&order), "settled");
        assert_eq!(bench.read(&order).trade.expect("a trade").date.to_string(), traded, "placed at {instant}");
    }
}

#[test]
fn advancing_in_two_steps_gives_the_digest_of_one() {
    let run = |stops: &[&str]| {
        let mut bench = Bench::new(3, "2026-03-02T08:00:00+01:00");
        let anna = bench.account(bench.open("10000"));
        bench.order(bench.buy(&anna, DAILY, "1000"));
        stops.iter().for_each(|stop| bench.to(stop));
        assert_eq!(bench.world.now(), at("2026-04-02T08:00:00+02:00"));
        bench.world.digest()
    };
    let once = run(&["2026-04-02T08:00:00+02:00"]);
    assert_eq!(run(&["2026-03-02T14:00:00+01:00", "2026-03-04T09:00:00+01:00", "2026-04-02T08:00:00+02:00"]), once);
}
