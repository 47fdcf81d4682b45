//! Every row of the order table, taken from outside, with what it does to money, units and transactions.

use crate::common::{Bench, COMPLEX, DAILY, T_PLUS_ONE, amount, at, fund, id, setup, units};
use sim::command::{Command, SetPrice, SetTrading};
use sim::machines::order::{State, TABLE};
use sim::money::Price;
use sim::query::{self, TransactionFilter};
use sim::records::{Instrument, Order};
use sim::store::Window;

const START: &str = "2026-03-02T08:00:00+01:00";

pub fn lever(bench: &mut Bench, order: &Order, name: &str) {
    let (partner, order) = (bench.scope.partner, order.id);
    let command = match name {
        "hold" => Command::HoldOrder { partner, order },
        "release" => Command::ReleaseOrder { partner, order },
        "reject" => Command::RejectOrder { partner, order },
        "cancel" => Command::CancelOrder { scope: bench.scope, order },
        other => panic!("no lever {other}"),
    };
    let now = bench.world.now();
    bench.world.apply(now, command).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
}

pub fn trading(bench: &mut Bench, buyable: Option<bool>, tradable: Option<bool>) {
    let command = Command::SetTrading(SetTrading {
        instrument: id(DAILY),
        is_buyable: buyable,
        is_sellable: None,
        is_tradable: tradable,
    });
    let now = bench.world.now();
    bench.world.apply(now, command).expect("trading can be set");
}

/// Plays a script of instants and acts on one subscription, and answers the states it went through.
fn play(script: &[&str]) -> (Bench, std::sync::Arc<Order>, Vec<State>) {
    let mut bench = Bench::new(11, START);
    let anna = bench.account(bench.open("10000"));
    let order = bench.order(bench.buy(&anna, DAILY, "1000"));
    let mut states = vec![*order.state];
    for act in script {
        match *act {
            "close" => trading(&mut bench, Some(false), None),
            "open" => trading(&mut bench, Some(true), None),
            "suspend" => trading(&mut bench, None, Some(false)),
            lever_name @ ("hold" | "release" | "reject" | "cancel") => lever(&mut bench, &order, lever_name),
            instant => bench.to(instant),
        }
        let now = *bench.read(&order).state;
        if states.last() != Some(&now) {
            states.push(now);
        }
    }
    (bench, order, states)
}

/// (rule: orders/order-states, orders/existence-of-transactions, orders/reject-lever, orders/hold-lapses,
/// orders/suspension)
#[test]
fn every_script_leads_through_the_states_it_should_and_leaves_the_cash_it_should() {
    use State::{
        Aggregated, CanceledBooked, CanceledUnbooked, Confirmed, HoldBooked, HoldUnbooked, Pending, Received, Sent,
        Settled,
    };
    let accepted = "2026-03-02T08:00:01+01:00";
    let cut_off = "2026-03-02T14:00:00+01:00";
    let routed = "2026-03-02T14:01:00+01:00";
    let settled = "2026-03-10T09:00:00+01:00";
    type Row<'a> = (&'a [&'a str], &'a [State], &'a str);
    let rows: &[Row<'_>] = &[
        (&["cancel"], &[Received, CanceledUnbooked], "10000"),
        (&["reject"], &[Received, CanceledUnbooked], "10000"),
        (&["suspend"], &[Received, CanceledUnbooked], "10000"),
        (&["hold", "cancel"], &[Received, HoldUnbooked, CanceledUnbooked], "10000"),
        (&["hold", "reject"], &[Received, HoldUnbooked, CanceledUnbooked], "10000"),
        (&["hold", settled], &[Received, HoldUnbooked, CanceledUnbooked], "10000"),
        (&["hold", "release"], &[Received, HoldUnbooked, Pending], "9000"),
        (&["close", accepted], &[Received, HoldUnbooked], "10000"),
        (&[accepted, "cancel"], &[Received, Pending, CanceledBooked], "10000"),
        (&[accepted, "reject"], &[Received, Pending, CanceledBooked], "10000"),
        (&[accepted, "hold", "cancel"], &[Received, Pending, HoldBooked, CanceledBooked], "10000"),
        (&[accepted, "hold", "reject"], &[Received, Pending, HoldBooked, CanceledBooked], "10000"),
        (&[accepted, "hold", settled], &[Received, Pending, HoldBooked, CanceledBooked], "10000"),
        (&[accepted, "close"], &[Received, Pending, HoldBooked], "9000"),
        (&[accepted, "close", "open", "release"], &[Received, Pending, HoldBooked, Pending], "9000"),
        (&[accepted, "suspend"], &[Received, Pending, HoldBooked], "9000"),
        (&[accepted, cut_off, "reject"], &[Received, Pending, Aggregated, CanceledBooked], "10000"),
        (&[accepted, cut_off, "hold"], &[Received, Pending, Aggregated, HoldBooked], "9000"),
        (
            &[accepted, cut_off, routed, "2026-03-02T18:35:00+01:00", settled],
            &[Received, Pending, Aggregated, Sent, Confirmed, Settled],
            "9000",
        ),
    ];
    for (script, states, balance) in rows {
        let (bench, order, seen) = play(script);
        assert_eq!(&seen[..], *states, "{script:?}");
        let account = bench.read(&order).account;
        let account = query::account(&bench.world, bench.scope.client, account).expect("the account");
        assert_eq!(account.balance, amount(balance), "{script:?}");
        let reserved = if order_reserves(&bench, &order) { "1000" } else { "0" };
        assert_eq!(account.reserved, amount(reserved), "{script:?}");
    }
}

fn order_reserves(bench: &Bench, order: &Order) -> bool {
    bench.read(order).state.reserves()
}

/// (rule: money/aborted)
#[test]
fn an_aborted_transaction_stays_listed_with_its_reason_and_never_settles() {
    let (bench, order, _) = play(&["2026-03-02T08:00:01+01:00", "cancel", "2026-03-20T09:00:00+01:00"]);
    let filter = TransactionFilter { reference: Some(order.id.to_string()), ..TransactionFilter::default() };
    let listed = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    assert_eq!(listed.len(), 1);
    assert!(listed[0].aborted.is_some() && listed[0].settlement.is_none());
    assert!(
        query::fund_transactions(&bench.world, bench.scope.client, &Window::default(), &filter).is_empty(),
        "a canceled subscription has no fund transaction"
    );
}

/// (rule: orders/cancel-window, orders/between-cut-off-and-routing)
#[test]
fn a_cancel_is_refused_from_the_cut_off_instant_on_and_harmless_when_repeated() {
    for (instant, fine) in [("2026-03-02T13:59:59+01:00", true), ("2026-03-02T14:00:00+01:00", false)] {
        let (mut bench, order, _) = play(&[instant]);
        let command = Command::CancelOrder { scope: bench.scope, order: order.id };
        let before = bench.world.digest();
        let answer = bench.world.apply(at(instant), command.clone());
        assert_eq!(answer.is_ok(), fine, "at {instant}");
        if fine {
            let after = bench.world.digest();
            assert!(bench.world.apply(at(instant), command).is_ok());
            assert_eq!(bench.world.digest(), after, "the second cancel changes nothing");
        } else {
            assert_eq!(bench.world.digest(), before);
        }
    }
}

/// (rule: orders/rounds-to-nothing)
#[test]
fn an_execution_that_rounds_to_nothing_is_canceled_and_its_cash_comes_back() {
    let mut bench = Bench::new(5, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(COMPLEX), units("100"))];
    let anna = bench.account(open);
    let order = bench.order(bench.sell(&anna, COMPLEX, "0.0006"));
    let set = SetPrice {
        instrument: id(COMPLEX),
        close_price: Price::parse("5").expect("a price"),
        price_date: Some(sim::time::parse_date("2026-03-02").expect("a date")),
    };
    let now = bench.world.now();
    bench.world.apply(now, Command::SetPrice(set)).expect("half of the price before is allowed");
    bench.to("2026-03-02T18:35:00+01:00");
    assert_eq!(bench.read(&order).state, State::CanceledBooked, "0.0006 units at 5 round to 0.00");
    assert_eq!(bench.again(&anna).position(id(COMPLEX)).expect("a position").units, units("100"));

    // Whole units only: 1,500 would have bought one at 1,000 and buys none at 2,000.
    let mut setup = setup();
    setup.instruments = vec![Instrument { decimals_units: 0, ..fund(DAILY, "1000") }];
    let mut bench = Bench::of(&setup, 5, START);
    let anna = bench.account(bench.open("2000"));
    let order = bench.order(bench.buy(&anna, DAILY, "1500"));
    let close = query::instrument(&bench.world, id(DAILY)).and_then(|view| view.close_price).expect("a price").get();
    let close_price = Price::from_decimal_exact(close * rust_decimal::Decimal::TWO).expect("six decimals");
    let set = SetPrice { instrument: id(DAILY), close_price, price_date: sim::time::parse_date("2026-03-02").ok() };
    bench.world.apply(bench.world.now(), Command::SetPrice(set)).expect("the double is allowed");
    bench.to("2026-03-02T18:34:59.999+01:00");
    assert_eq!((bench.status(&order), bench.again(&anna).balance), ("sent", amount("500")));
    bench.to("2026-03-02T18:35:00+01:00");
    assert_eq!((bench.status(&order), bench.again(&anna).balance), ("canceled", amount("2000")));
    let cash = bench.read(&order).cash_transaction.expect("it was booked");
    let cash = query::cash_transaction(&bench.world, bench.scope.client, cash).expect("it is listed");
    assert!(cash.aborted.is_some() && cash.settlement.is_none());
}

/// (rule: orders/release)
#[test]
fn a_released_order_goes_to_the_next_dealing_day_after_its_release() {
    for (released, traded, settled) in [
        ("2026-03-03T13:59:59.999+01:00", "2026-03-03", "2026-03-05"),
        ("2026-03-03T14:00:00+01:00", "2026-03-04", "2026-03-06"),
        ("2026-03-03T15:00:00+01:00", "2026-03-04", "2026-03-06"),
    ] {
        let (bench, order, _) = play(&["hold", released, "release", "2026-03-09T12:00:00+01:00"]);
        let trade = bench.read(&order).trade.expect("a trade");
        assert_eq!(
            (trade.date.to_string(), trade.settlement.to_string()),
            (traded.into(), settled.into()),
            "{released}"
        );
    }
}

/// (rule: orders/hold-reasons)
#[test]
fn rules_park_an_order_at_its_first_check() {
    let mut bench = Bench::new(5, START);
    let mut open = bench.open("9000000");
    open.fund_knowledge = false;
    let anna = bench.account(open);
    let rows = [(COMPLEX, "1000", "hold"), (DAILY, "5000000.01", "hold"), (DAILY, "1000", "pending")];
    for (fund, text, status) in rows {
        let order = bench.order(bench.buy(&anna, fund, text));
        let soon = bench.world.now().plus(sim::time::Millis::SECOND);
        bench.world.advance(soon);
        assert_eq!(bench.status(&order), status, "{text} SEK in {fund}");
    }
}

/// (rule: orders/hold-reasons, accounts/kyc-renewal)
#[test]
fn kyc_that_has_run_out_parks_new_orders() {
    let mut bench = Bench::new(5, START);
    let anna = bench.account(bench.open("10000"));
    for (instant, status) in [("2029-03-02T10:00:00+01:00", "pending"), ("2029-03-03T10:00:00+01:00", "hold")] {
        bench.to(instant);
        let order = bench.order(bench.buy(&anna, T_PLUS_ONE, "500"));
        let soon = bench.world.now().plus(sim::time::Millis::SECOND);
        bench.world.advance(soon);
        assert_eq!(bench.status(&order), status, "at {instant}");
    }
}

#[test]
fn the_visit_counters_count_the_rows_that_were_taken() {
    let (bench, _, _) = play(&["2026-03-10T09:00:00+01:00"]);
    let counted = bench.world.visits().of(&TABLE);
    let taken = TABLE.rows.iter().zip(counted).filter(|(_, count)| *count == 1);
    let states: Vec<State> = taken.map(|(row, _)| row.to).collect();
    assert_eq!(states, [State::Pending, State::Aggregated, State::Sent, State::Confirmed, State::Settled]);
}

/// (rule: orders/aggregation, orders/reject-lever)
#[test]
fn orders_of_one_fund_and_side_are_sent_or_refused_together_and_no_others_with_them() {
    for refused in 0..5 {
        let mut bench = Bench::new(5, START);
        let mut open = bench.open("10000");
        open.positions = vec![(id(DAILY), units("100"))];
        let (anna, bert) = (bench.account(open.clone()), bench.account(open));
        let places = [
            bench.buy(&anna, DAILY, "600"),
            bench.sell(&anna, DAILY, "10"),
            bench.buy(&bert, DAILY, "700"),
            bench.sell(&bert, DAILY, "20"),
            bench.buy(&bert, COMPLEX, "800"),
        ];
        let orders = places.map(|place| bench.order(place));
        let taken =
            |bench: &Bench, at: usize| query::aggregate(&bench.world, orders[at].id).map(|one| one.orders.clone());
        assert_eq!(taken(&bench, 0), None, "not before the cut-off");
        bench.to("2026-03-02T14:00:00+01:00");
        let batches = [&[0, 2][..], &[1, 3], &[0, 2], &[1, 3], &[4]];
        for (at, batch) in batches.iter().enumerate() {
            assert_eq!(taken(&bench, at), Some(batch.iter().map(|at| orders[*at].id).collect()), "{at}");
        }
        lever(&mut bench, &orders[refused], "reject");
        bench.to("2026-03-02T14:01:00+01:00");
        for (at, order) in orders.iter().enumerate() {
            let expected = if batches[refused].contains(&at) { "canceled" } else { "sent" };
            assert_eq!(bench.status(order), expected, "{at} when {refused} is refused");
        }
    }
}

/// (rule: orders/aggregation, orders/reject-lever)
#[test]
fn orders_are_sent_together_for_a_partner_and_a_dealing_day() {
    let mut setup = setup();
    let number = |text| sim::identity::OrganisationNumber::parse(text).expect("a number");
    let mut other = setup.partners[0].clone();
    (other.name, other.clients[0].crn) = (std::sync::Arc::from("Other"), number("5599900023"));
    let mut second = setup.partners[0].clients[0].clone();
    second.crn = number("5599900015");
    setup.partners[0].clients.push(second);
    setup.partners.push(other);
    let mut bench = Bench::of(&setup, 5, START);
    let clients: Vec<_> = query::clients(&bench.world).map(|one| (one.partner, one.id)).collect();
    let mut orders = Vec::new();
    for instant in [START, "2026-03-02T14:00:10+01:00"] {
        bench.to(instant);
        for (partner, client) in &clients {
            bench.scope = sim::command::Scope { partner: *partner, client: *client };
            let account = bench.account(bench.open("1000"));
            orders.push((*partner, instant == START, bench.order(bench.buy(&account, DAILY, "600"))));
        }
    }
    let (partner, _, first) = orders[0].clone();
    let taken = query::aggregate(&bench.world, first.id).expect("its cut-off has come").orders.clone();
    assert_eq!(taken.len(), 2, "both clients of the partner");
    let now = bench.world.now();
    bench.world.apply(now, Command::RejectOrder { partner, order: first.id }).expect("it can be refused");
    bench.to("2026-03-02T14:01:00+01:00");
    for (owner, early, order) in &orders {
        let expected = match (early, *owner == partner) {
            (true, true) => "canceled",
            (true, false) => "sent",
            (false, _) => "pending",
        };
        let status = query::order(&bench.world, order.client, order.id).expect("it exists").state.name();
        assert_eq!(status, expected, "{order:?}");
    }
}
