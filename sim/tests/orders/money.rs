//! What orders do with cash, units and bank accounts, with worked examples.

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, amount, fund, id, setup, units};
use rust_decimal::Decimal;
use sim::command::{Command, PlaceOrder, SetPrice};
use sim::event::{Change, Delta};
use sim::identity::PersonalNumber;
use sim::input::Origin;
use sim::money::Price;
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Account, CashRefType, CashType, Instrument, Proceeds, Side};
use sim::store::Window;
use sim::timers::Timer;

const START: &str = "2026-03-02T08:00:00+01:00";
const SSN: &str = "199001012385";

fn price(bench: &mut Bench, fund: &str, day: &str, text: &str) {
    let set = SetPrice {
        instrument: id(fund),
        close_price: Price::parse(text).expect("a price"),
        price_date: Some(sim::time::parse_date(day).expect("a date")),
    };
    let now = bench.world.now();
    bench.world.apply(now, Command::SetPrice(set)).expect("within half and double");
}

fn cash_of(bench: &Bench, account: &Account) -> Vec<(CashType, String, Option<String>)> {
    let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
    query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter)
        .iter()
        .map(|t| (t.kind, t.amount.to_string(), t.settlement.map(|day| day.to_string())))
        .collect()
}

/// (rule: money/average-acquisition-value)
#[test]
fn purchases_and_a_sale_give_the_average_acquisition_value_of_the_worked_example() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("15000"));
    price(&mut bench, DAILY, "2026-03-02", "123.45");
    price(&mut bench, DAILY, "2026-03-03", "150.00");
    bench.order(bench.buy(&anna, DAILY, "10000"));
    bench.to("2026-03-03T08:00:00+01:00");
    bench.order(bench.buy(&anna, DAILY, "5000"));
    let gav = |bench: &Bench| {
        let account = bench.again(&anna);
        let view = query::positions(&bench.world, &account, bench.world.now()).remove(0);
        (view.units_settled.to_string(), view.gav.to_string())
    };
    bench.to("2026-03-04T09:00:00+01:00");
    assert_eq!(gav(&bench), ("81.0044".into(), "123.450084".into()));
    bench.to("2026-03-05T09:00:00+01:00");
    assert_eq!(gav(&bench), ("114.3377".into(), "131.190325".into()));
    bench.order(bench.sell(&anna, DAILY, "50"));
    bench.to("2026-03-10T09:00:00+01:00");
    assert_eq!(gav(&bench), ("64.3377".into(), "131.190325".into()));
}

#[test]
fn selling_everything_removes_the_position_even_with_finer_fractions_than_the_fund_takes() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("12.3456789"))];
    let anna = bench.account(open);
    bench.order(bench.sell(&anna, DAILY, "12.3456789"));
    bench.to("2026-03-04T09:00:00+01:00");
    assert!(bench.again(&anna).positions.is_empty());
}

/// (rule: orders/order-withdrawal, payments/withdrawal-timing)
#[test]
fn a_withdrawal_order_pays_its_exact_proceeds_on_the_bank_day_after_settlement() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("100"))];
    open.owner = Some(bench.owner(SSN));
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let anna = bench.account(open);
    let mut place = bench.sell(&anna, DAILY, "50");
    place.executor = Some(sim::identity::PersonalNumber::parse(SSN).expect("valid"));
    place.proceeds = Proceeds::PayOut(anna.bank_accounts[0].id);
    let order = bench.order(place);
    bench.to("2026-03-04T09:00:00+01:00");
    let proceeds = bench.read(&order).amount.expect("filled in").to_string();
    assert_eq!(
        cash_of(&bench, &anna),
        [
            (CashType::Redemption, proceeds.clone(), Some("2026-03-04".into())),
            (CashType::Withdrawal, proceeds.clone(), None)
        ]
    );
    assert_eq!(bench.again(&anna).balance, amount("0"));
    bench.to("2026-03-05T09:00:00+01:00");
    assert_eq!(cash_of(&bench, &anna)[1].2.as_deref(), Some("2026-03-05"));
    assert_eq!(bench.again(&anna).withdrawn.to_string(), proceeds);
}

/// (rule: money/lifetime-amounts, payments/bounced-payout)
#[test]
fn a_payout_that_bounces_comes_back_once_and_undoes_withdrawn_alone() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(T_PLUS_ONE), units("100"))];
    open.owner = Some(bench.owner(SSN));
    open.bank_accounts = vec![bench.bank("SE9350000000050000000094")];
    let anna = bench.account(open);
    let mut place = bench.sell(&anna, T_PLUS_ONE, "10");
    place.executor = Some(sim::identity::PersonalNumber::parse(SSN).expect("valid"));
    place.proceeds = Proceeds::PayOut(anna.bank_accounts[0].id);
    let order = bench.order(place);
    bench.to("2026-03-20T09:00:00+01:00");
    let proceeds = bench.read(&order).amount.expect("filled in");
    let account = bench.again(&anna);
    assert_eq!((account.balance, account.withdrawn, account.deposited), (proceeds, amount("0"), amount("0")));
    let corrections = TransactionFilter { cash_ref_type: Some(CashRefType::Correction), ..Default::default() };
    let listed = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &corrections);
    assert_eq!(listed.len(), 1);
}

/// (rule: orders/redemption-transfer)
#[test]
fn a_redemption_transfer_moves_the_same_amount_between_two_accounts_of_one_owner() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("100"))];
    open.owner = Some(bench.owner(SSN));
    let source = bench.account(open);
    let mut open = bench.open("7");
    open.owner = Some(bench.owner(SSN));
    let target = bench.account(open);
    let mut place = bench.sell(&source, DAILY, "10");
    place.executor = Some(sim::identity::PersonalNumber::parse(SSN).expect("valid"));
    place.proceeds = Proceeds::Transfer(target.id);
    let order = bench.order(place);
    bench.to("2026-03-04T09:00:00+01:00");
    let proceeds = bench.read(&order).amount.expect("filled in");
    assert_eq!(bench.again(&source).balance, amount("0"));
    assert_eq!(bench.again(&target).balance, amount("7") + proceeds);
    assert_eq!(bench.again(&target).deposited, amount("7") + proceeds);
    let kinds: Vec<CashType> = cash_of(&bench, &source).into_iter().map(|(kind, _, _)| kind).collect();
    assert_eq!(kinds, [CashType::Redemption, CashType::TransferOut]);
}

/// (rule: calendar/settlement-day, calendar/price-publication, calendar/fund-day)
#[test]
fn trade_and_settlement_dates_follow_the_funds_calendar() {
    let rows = [
        // fund, placed, traded, settled
        (DAILY, "2026-04-01T08:00:00+02:00", "2026-04-01", "2026-04-07"),
        (DAILY, "2026-04-02T10:59:59+02:00", "2026-04-02", "2026-04-08"),
        (DAILY, "2026-04-02T11:00:00+02:00", "2026-04-07", "2026-04-09"),
        (T_PLUS_ONE, "2026-04-02T10:00:00+02:00", "2026-04-02", "2026-04-07"),
        (DAILY, "2026-05-13T12:00:00+02:00", "2026-05-15", "2026-05-19"),
        (GLOBAL, "2026-07-02T18:00:00+02:00", "2026-07-06", "2026-07-08"),
        (DAILY, "2026-07-02T18:00:00+02:00", "2026-07-03", "2026-07-07"),
        (WEEKLY, "2026-03-04T14:00:00+01:00", "2026-03-11", "2026-03-13"),
        (DAILY, "2026-12-30T10:00:00+01:00", "2026-12-30", "2027-01-05"),
    ];
    for (fund, placed, traded, settled) in rows {
        let mut bench = Bench::new(9, START);
        let anna = bench.account(bench.open("10000"));
        bench.to(placed);
        let order = bench.order(bench.buy(&anna, fund, "1000"));
        let later = bench.world.now().plus(sim::time::Millis::days(20));
        bench.world.advance(later);
        let order = bench.read(&order);
        let trade = order.trade.expect("a trade");
        assert_eq!(
            (trade.date.to_string(), trade.settlement.to_string()),
            (traded.into(), settled.into()),
            "{fund} {placed}"
        );
        let cash = order.cash_transaction.expect("a cash transaction");
        let cash = query::cash_transaction(&bench.world, bench.scope.client, cash).expect("it is listed");
        assert_eq!(cash.settlement.map(|day| day.to_string()).as_deref(), Some(settled), "{fund} {placed}");
    }
}

/// (rule: calendar/settlement-day)
#[test]
fn a_late_price_moves_the_settlement_to_the_day_of_posting() {
    let mut bench = Bench::new(9, START);
    let anna = bench.account(bench.open("10000"));
    let order = bench.order(bench.buy(&anna, DAILY, "1000"));
    let now = bench.world.now();
    bench.world.apply(now, Command::DelayNav { instrument: id(DAILY), bank_days: 3 }).expect("can be late");
    bench.to("2026-03-05T18:39:59+01:00");
    assert_eq!(bench.status(&order), "sent");
    bench.to("2026-03-05T18:40:00+01:00");
    assert_eq!(bench.status(&order), "settled");
    let cash = bench.read(&order).cash_transaction.expect("a cash transaction");
    let cash = query::cash_transaction(&bench.world, bench.scope.client, cash).expect("it is listed");
    assert_eq!(cash.settlement.map(|day| day.to_string()).as_deref(), Some("2026-03-05"));
}

/// (rule: orders/settlement-order)
#[test]
fn orders_that_settle_at_one_instant_do_so_in_order_of_creation_whatever_their_side_and_fund() {
    let mut bench = Bench::new(9, START);
    let mut open = bench.open("10000");
    open.positions = vec![(id(DAILY), units("10")), (id(COMPLEX), units("10"))];
    let anna = bench.account(open);
    let places = [
        bench.sell(&anna, COMPLEX, "1"),
        bench.sell(&anna, DAILY, "1"),
        bench.buy(&anna, DAILY, "1000"),
        bench.buy(&anna, COMPLEX, "1000"),
        bench.sell(&anna, DAILY, "2"),
        bench.buy(&anna, DAILY, "1100"),
    ];
    let placed: Vec<_> = places.into_iter().map(|place| bench.order(place).id).collect();
    bench.to("2026-03-04T08:59:59.999+01:00");
    bench.world.take_events();
    bench.to("2026-03-04T09:00:00+01:00");
    let mut causes = Vec::new();
    let settled: Vec<_> = bench
        .world
        .take_events()
        .into_iter()
        .filter_map(|event| match event.change {
            Change::Order(Delta::Updated { current, .. }) => {
                causes.push((current.instrument, current.side, event.cause.by));
                Some(current.id)
            }
            _ => None,
        })
        .collect();
    assert_eq!(settled, placed, "in the order in which they were placed");
    for (instrument, side, by) in causes {
        let own = match by {
            Origin::Timer(Timer::SettleSubscriptions(of, _)) => (of, Side::Subscription),
            Origin::Timer(Timer::SettleRedemptions(of, _)) => (of, Side::Redemption),
            other => panic!("settled by {other:?}"),
        };
        assert_eq!(own, (instrument, side), "each event names the timer of its own fund and side");
    }
}

/// (rule: money/value)
#[test]
fn the_value_counts_a_subscription_under_way_exactly_once() {
    let mut bench = Bench::new(9, START);
    let anna = bench.account(bench.open("10000"));
    bench.order(bench.buy(&anna, DAILY, "4000"));
    for instant in ["2026-03-02T08:00:00+01:00", "2026-03-02T09:00:00+01:00", "2026-03-03T15:00:00+01:00"] {
        bench.to(instant);
        assert_eq!(query::value(&bench.world, &bench.again(&anna)), amount("10000"), "at {instant}");
    }
}

/// (rule: orders/subscription-execution)
#[test]
fn a_subscription_buys_all_the_units_that_its_amount_pays_for() {
    for (text, close, bought) in [
        ("1000", "125", "8"),
        ("1000.01", "125", "8"),
        ("999.99", "125", "7.9999"),
        ("100", "100", "1"),
        ("1234.5", "123.45", "10"),
        ("1000", "150", "6.6666"),
    ] {
        let mut bench = Bench::new(9, START);
        let mut open = bench.open("5000");
        open.positions = vec![(id(DAILY), units("1"))];
        let anna = bench.account(open);
        price(&mut bench, DAILY, "2026-03-02", close);
        let order = bench.order(bench.buy(&anna, DAILY, text));
        bench.to("2026-03-04T09:00:00+01:00");
        assert_eq!(bench.read(&order).units, Some(units(bought)), "{text} SEK at {close}");
        assert_eq!(bench.again(&anna).balance, amount("5000") - amount(text));
    }
}

/// (rule: orders/subscription-execution)
#[test]
fn a_subscription_buys_no_step_of_units_that_its_amount_falls_just_short_of() {
    // Both fall short of ...6501 by less than the digits of a decimal can show.
    for (text, bought) in [("9968233124146.52", "15824336420.16365"), ("99985310341075.81", "158724336420.16365")] {
        let mut setup = setup();
        setup.instruments = vec![Instrument { decimals_units: 7, ..fund(GLOBAL, "55.5") }];
        setup.rates[0].rate = Decimal::new(113_501, 4);
        setup.rates[0].volatility_bp = 0;
        let mut bench = Bench::of(&setup, 9, START);
        let anna = bench.account(bench.open("100000000000000"));
        price(&mut bench, GLOBAL, "2026-03-02", "55.500001");
        let order = bench.order(bench.buy(&anna, GLOBAL, text));
        bench.to("2026-03-02T08:00:01+01:00");
        let (partner, now) = (bench.scope.partner, bench.world.now());
        bench.world.apply(now, Command::ReleaseOrder { partner, order: order.id }).expect("so much is parked");
        bench.to("2026-03-04T09:00:00+01:00");
        assert_eq!(bench.read(&order).units, Some(units(bought)), "{text} SEK");
    }
}

/// (rule: orders/order-client-ref, money/fund-transaction-fields, orders/redemption-transfer, payments/bounced-payout)
#[test]
fn every_transaction_of_an_order_names_it_and_carries_its_reference_and_who_ordered_it() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10000");
    open.positions = vec![(id(DAILY), units("100"))];
    open.owner = Some(bench.owner(SSN));
    open.bank_accounts = vec![bench.bank("SE9350000000050000000094")];
    let (anna, target) = (bench.account(open.clone()), bench.account(open));
    let sell = bench.sell(&anna, DAILY, "10");
    let proceeds = [Proceeds::Keep, Proceeds::PayOut(anna.bank_accounts[0].id), Proceeds::Transfer(target.id)];
    let sales = proceeds.map(|proceeds| PlaceOrder { proceeds, ..sell.clone() });
    for (at, place) in sales.into_iter().chain([bench.buy(&anna, DAILY, "600")]).enumerate() {
        let executor = Some(PersonalNumber::parse(SSN).expect("valid"));
        bench.order(PlaceOrder { client_ref: Some(format!("mine {at}").into()), executor, ..place });
    }
    bench.to("2026-03-20T09:00:00+01:00");
    let all = Window::default();
    let client = bench.scope.client;
    for order in query::orders(&bench.world, client, &all, &OrderFilter::default()) {
        let filter = TransactionFilter { reference: Some(order.id.to_string()), ..TransactionFilter::default() };
        let cash = query::cash_transactions(&bench.world, client, &all, &filter);
        let funds = query::fund_transactions(&bench.world, client, &all, &filter);
        let kinds: Vec<CashType> = cash.iter().map(|one| one.kind).collect();
        let expected = match order.proceeds {
            _ if order.side == Side::Subscription => vec![CashType::Subscription],
            Proceeds::Keep => vec![CashType::Redemption],
            Proceeds::PayOut(_) => vec![CashType::Redemption, CashType::Withdrawal],
            Proceeds::Transfer(_) => vec![CashType::Redemption, CashType::TransferOut, CashType::TransferIn],
        };
        assert_eq!((kinds, funds.len()), (expected, 1), "{:?}", order.proceeds);
        for one in &cash {
            assert_eq!((&one.client_ref, one.executor), (&order.client_ref, order.executor), "{:?}", one.kind);
            let of_payout = TransactionFilter { reference: Some(one.id.to_string()), ..TransactionFilter::default() };
            let returned = query::cash_transactions(&bench.world, client, &all, &of_payout);
            assert_eq!(returned.len(), usize::from(one.kind == CashType::Withdrawal), "only payouts come back");
            for back in returned {
                assert_eq!((&back.client_ref, back.executor), (&order.client_ref, order.executor));
                assert_eq!((back.ref_type, back.amount), (CashRefType::Correction, one.amount));
            }
        }
        for one in &funds {
            assert_eq!((&one.client_ref, one.executor), (&order.client_ref, order.executor), "{:?}", one.kind);
            let trade = order.trade.expect("settled");
            assert_eq!((one.price, one.trade), (Some(trade.price), Some(trade.date)));
        }
    }
}

/// (rule: accounts/positions, money/units-and-settled-units)
#[test]
fn a_position_is_shown_until_the_last_of_it_has_settled() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(DAILY), units("10"))];
    let anna = bench.account(open);
    let shown = |bench: &Bench| -> Vec<(String, String)> {
        let views = query::positions(&bench.world, &bench.again(&anna), bench.world.now());
        views.iter().map(|view| (view.units.to_string(), view.units_settled.to_string())).collect()
    };
    let canceled = bench.order(bench.sell(&anna, DAILY, "10"));
    bench.to("2026-03-02T08:00:01+01:00");
    let pair = |units: &str, settled: &str| [(units.to_owned(), settled.to_owned())];
    assert_eq!(shown(&bench), pair("0", "10"));
    let cancel = Command::CancelOrder { scope: bench.scope, order: canceled.id };
    bench.world.apply(bench.world.now(), cancel).expect("in time");
    assert_eq!(shown(&bench), pair("10", "10"));
    bench.order(bench.sell(&anna, DAILY, "4"));
    bench.order(bench.sell(&anna, DAILY, "6"));
    bench.to("2026-03-02T08:00:02+01:00");
    assert_eq!(shown(&bench), pair("0", "10"));
    bench.to("2026-03-04T09:00:00+01:00");
    assert_eq!(shown(&bench), []);
}

/// (rule: money/average-acquisition-value)
#[test]
fn with_the_last_unit_what_was_paid_is_forgotten() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("2000"));
    price(&mut bench, DAILY, "2026-03-02", "100");
    bench.order(bench.buy(&anna, DAILY, "1000"));
    bench.to("2026-03-04T09:00:00+01:00");
    let gav = |bench: &Bench| {
        let views = query::positions(&bench.world, &bench.again(&anna), bench.world.now());
        views.iter().map(|view| (view.units_settled.to_string(), view.gav.normalize().to_string())).collect::<Vec<_>>()
    };
    assert_eq!(gav(&bench), [("10".to_owned(), "100".to_owned())]);
    bench.order(bench.sell(&anna, DAILY, "10"));
    bench.to("2026-03-06T09:00:00+01:00");
    assert_eq!(gav(&bench), []);
    price(&mut bench, DAILY, "2026-03-06", "125");
    bench.order(bench.buy(&anna, DAILY, "1000"));
    bench.to("2026-03-10T09:00:00+01:00");
    assert_eq!(gav(&bench), [("8".to_owned(), "125".to_owned())]);
}

/// (rule: orders/redemption-execution, orders/filled-in-later)
#[test]
fn a_sale_brings_its_units_times_the_price_rounded_half_up() {
    for (sold, close, brought) in [("50", "160.1234", "8006.17"), ("1", "150.005", "150.01"), ("1", "150.0049", "150")]
    {
        let mut bench = Bench::new(9, START);
        let mut open = bench.open("0");
        open.positions = vec![(id(DAILY), units("50"))];
        let anna = bench.account(open);
        price(&mut bench, DAILY, "2026-03-02", close);
        let order = bench.order(bench.sell(&anna, DAILY, sold));
        bench.to("2026-03-04T09:00:00+01:00");
        assert_eq!(bench.read(&order).amount, Some(amount(brought)), "{sold} at {close}");
        assert_eq!(bench.again(&anna).balance, amount(brought), "{sold} at {close}");
    }
}

/// (rule: money/value)
#[test]
fn the_value_counts_units_that_are_being_sold_once_and_at_the_last_price() {
    let mut bench = Bench::new(9, START);
    let mut open = bench.open("100");
    open.positions = vec![(id(DAILY), units("50"))];
    let anna = bench.account(open);
    price(&mut bench, DAILY, "2026-03-02", "150");
    price(&mut bench, DAILY, "2026-03-03", "160");
    let before = query::value(&bench.world, &anna);
    bench.order(bench.sell(&anna, DAILY, "20"));
    // Sold at 150: 3,000, while the other 30 units rise to 160.
    for (instant, value) in [
        ("2026-03-02T08:00:01+01:00", before.to_string().as_str()),
        ("2026-03-02T18:30:00+01:00", "7600"),
        ("2026-03-02T18:35:00+01:00", "7600"),
        ("2026-03-03T18:30:00+01:00", "8100"),
        ("2026-03-04T08:59:59.999+01:00", "8100"),
        ("2026-03-04T09:00:00+01:00", "7900"),
    ] {
        bench.to(instant);
        assert_eq!(query::value(&bench.world, &bench.again(&anna)), amount(value), "at {instant}");
    }
}
