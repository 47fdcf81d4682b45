//! Which transactions of an order exist in which state, and what they say of price and days.

use super::rows::lever;
use crate::common::{Bench, DAILY, T_PLUS_ONE, at, id, units};
use sim::query::{self, TransactionFilter};
use sim::records::{Order, Side};
use sim::store::Window;
use sim::time::Millis;

const START: &str = "2026-03-02T08:00:00+01:00";

/// The cash and the fund transactions of an order: `none`, `unsettled`, `aborted`, or the day of settlement.
fn booked(bench: &Bench, order: &Order) -> [String; 2] {
    let filter = TransactionFilter { reference: Some(order.id.to_string()), ..TransactionFilter::default() };
    let (client, all) = (bench.scope.client, Window::default());
    let cash = query::cash_transactions(&bench.world, client, &all, &filter);
    let funds = query::fund_transactions(&bench.world, client, &all, &filter);
    let cash: Vec<_> = cash.iter().map(|one| (one.settlement, one.aborted.is_some())).collect();
    let funds: Vec<_> = funds.iter().map(|one| (one.settlement, one.aborted.is_some())).collect();
    [cash, funds].map(|one| match one[..] {
        [] => "none".to_owned(),
        [(None, false)] => "unsettled".to_owned(),
        [(None, true)] => "aborted".to_owned(),
        [(Some(day), false)] => day.to_string(),
        _ => panic!("settled and aborted, or more than one: {one:?}"),
    })
}

/// A world with an order of that side that has gone through a script of instants and levers.
fn play(side: Side, script: &[&str]) -> (Bench, std::sync::Arc<Order>) {
    let mut bench = Bench::new(11, START);
    let mut open = bench.open("10000");
    open.positions = vec![(id(DAILY), units("50"))];
    let anna = bench.account(open);
    let order = match side {
        Side::Subscription => bench.order(bench.buy(&anna, DAILY, "1000")),
        Side::Redemption => bench.order(bench.sell(&anna, DAILY, "10")),
    };
    for act in script {
        match *act {
            name @ ("hold" | "release" | "reject" | "cancel") => lever(&mut bench, &order, name),
            instant => bench.to(instant),
        }
    }
    (bench, order)
}

/// (rule: orders/existence-of-transactions, money/aborted)
#[test]
fn the_state_of_an_order_decides_which_of_its_transactions_exist() {
    let accepted = "2026-03-02T08:00:01+01:00";
    let (cut_off, routed) = ("2026-03-02T14:00:00+01:00", "2026-03-02T14:01:00+01:00");
    let confirmed = "2026-03-02T18:35:00+01:00";
    let (settled, lapsed) = ("2026-03-04T09:00:00+01:00", "2026-03-09T09:00:00+01:00");
    let (none, first, gone) = ("none", "unsettled", "aborted");
    // What happens, the status, the first transaction (cash of a purchase, units of a sale) and the second.
    type Row<'a> = (&'a [&'a str], &'a str, &'a str, &'a str);
    let rows: &[Row<'_>] = &[
        (&[], "received", none, none),
        (&["hold"], "hold", none, none),
        (&["hold", "release"], "pending", first, none),
        (&[accepted], "pending", first, none),
        (&[accepted, "hold"], "hold", first, none),
        (&[accepted, "hold", "release"], "pending", first, none),
        (&[accepted, cut_off], "pending", first, none),
        (&[accepted, cut_off, "hold"], "hold", first, none),
        (&[accepted, cut_off, routed], "sent", first, none),
        (&[accepted, cut_off, routed, confirmed], "sent", first, none),
        (&[accepted, cut_off, routed, confirmed, settled], "settled", "2026-03-04", "2026-03-04"),
        (&["cancel"], "canceled", none, none),
        (&["reject"], "canceled", none, none),
        (&["hold", "cancel"], "canceled", none, none),
        (&["hold", lapsed], "canceled", none, none),
        (&[accepted, "cancel"], "canceled", gone, none),
        (&[accepted, "reject"], "canceled", gone, none),
        (&[accepted, "hold", "cancel"], "canceled", gone, none),
        (&[accepted, "hold", lapsed], "canceled", gone, none),
        (&[accepted, cut_off, "reject"], "canceled", gone, none),
    ];
    for (script, status, one, other) in rows {
        for side in [Side::Subscription, Side::Redemption] {
            let (bench, order) = play(side, script);
            let [cash, funds] = booked(&bench, &order);
            let sides = if side == Side::Subscription { [cash, funds] } else { [funds, cash] };
            assert_eq!(
                (bench.status(&order), sides.each_ref().map(String::as_str)),
                (*status, [*one, *other]),
                "{side:?} {script:?}"
            );
        }
    }
}

/// (rule: orders/confirmed-is-inside-sent, orders/filled-in-later, money/fund-transaction-fields)
#[test]
fn five_minutes_after_the_price_a_sale_knows_its_price_and_its_day() {
    let (mut bench, order) = play(Side::Redemption, &["2026-03-02T18:34:59.999+01:00"]);
    let listed = |bench: &Bench| {
        let fund = bench.read(&order).fund_transaction.expect("the units have left");
        let fund = query::fund_transaction(&bench.world, bench.scope.client, fund).expect("it is listed");
        (fund.price, fund.trade.map(|day| day.to_string()), fund.settlement, bench.read(&order).amount)
    };
    assert_eq!(listed(&bench), (None, None, None, None));
    bench.to("2026-03-02T18:35:00+01:00");
    let price = query::instrument(&bench.world, id(DAILY)).and_then(|view| view.close_price);
    let (known, day, settled, amount) = listed(&bench);
    assert_eq!((known, day.as_deref(), settled), (price, Some("2026-03-02"), None));
    assert!(amount.is_some() && booked(&bench, &order)[0] == "none", "its cash comes with the settlement");
}

/// (rule: orders/hold-lapses, calendar/end-of-days)
#[test]
fn an_order_on_hold_is_canceled_at_nine_on_the_fifth_bank_day() {
    for (parked, lapses) in [
        ("2026-03-02T08:00:00+01:00", "2026-03-09T09:00:00+01:00"),
        ("2026-03-06T17:00:00+01:00", "2026-03-13T09:00:00+01:00"),
        // Easter: the second, the seventh to the tenth.
        ("2026-04-01T10:00:00+02:00", "2026-04-10T09:00:00+02:00"),
    ] {
        let mut bench = Bench::new(11, START);
        let anna = bench.account(bench.open("10000"));
        bench.to(parked);
        let order = bench.order(bench.buy(&anna, DAILY, "1000"));
        lever(&mut bench, &order, "hold");
        bench.world.advance(at(lapses).plus(Millis(-1)));
        assert_eq!(bench.status(&order), "hold", "parked at {parked}");
        bench.to(lapses);
        assert_eq!(bench.status(&order), "canceled", "parked at {parked}");
    }
}

/// (rule: calendar/settlement-day)
#[test]
fn an_order_whose_price_comes_after_nine_settles_ten_minutes_after_it() {
    for side in [Side::Subscription, Side::Redemption] {
        let mut bench = Bench::new(11, START);
        let mut open = bench.open("10000");
        open.positions = vec![(id(T_PLUS_ONE), units("50"))];
        let anna = bench.account(open);
        let order = match side {
            Side::Subscription => bench.order(bench.buy(&anna, T_PLUS_ONE, "1000")),
            Side::Redemption => bench.order(bench.sell(&anna, T_PLUS_ONE, "10")),
        };
        // The price of Monday comes out on Tuesday at 10:00, which is the day of settlement.
        bench.to("2026-03-03T10:09:59.999+01:00");
        assert_eq!(bench.status(&order), "sent");
        bench.to("2026-03-03T10:10:00+01:00");
        assert_eq!((bench.status(&order), booked(&bench, &order)), ("settled", ["2026-03-03"; 2].map(str::to_owned)));
    }
}
