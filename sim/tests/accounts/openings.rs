//! Accounts that open at once, with cash and positions.

use crate::common::{Bench, DAILY, GLOBAL, WEEKLY, amount, at, fund, id, setup, units};
use jiff::Span;
use rust_decimal::Decimal;
use sim::identity::Currency;
use sim::money::{Amount, round_half_up};
use sim::query::{self, TransactionFilter};
use sim::records::{Account, CashRefType, FundRefType, Instrument};
use sim::store::Window;
use sim::{Class, Command};

const START: &str = "2026-03-02T08:00:00+01:00";

/// The last published price of a fund in SEK.
fn in_sek(bench: &Bench, fund: &str) -> Decimal {
    let price = query::instrument(&bench.world, id(fund)).and_then(|view| view.close_price).expect("a price").get();
    let euro = Currency::parse("EUR").expect("a currency");
    if fund == GLOBAL { price * query::rate(&bench.world, euro, bench.world.now()) } else { price }
}

fn holding(bench: &mut Bench, cash: &str, held: &[(&str, &str)]) -> std::sync::Arc<Account> {
    let mut open = bench.open(cash);
    open.positions = held.iter().map(|(fund, text)| (id(fund), units(text))).collect();
    bench.account(open)
}

/// (rule: accounts/positions, money/value, money/converted-prices)
#[test]
fn an_account_is_worth_its_cash_and_its_units_at_the_last_price() {
    // With so many units of a converted fund, a rounded price and an exact one differ.
    let held = [(DAILY, "12.3456"), (GLOBAL, "4000000"), (WEEKLY, "0.5")];
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "1000", &held);
    for instant in [START, "2026-03-02T18:30:00+01:00", "2026-03-09T18:30:00+01:00"] {
        bench.to(instant);
        let mut value = amount("1000");
        for view in query::positions(&bench.world, &account, bench.world.now()) {
            let (fund, text) = *held.iter().find(|(fund, _)| id(fund) == view.instrument).expect("held");
            let price = in_sek(&bench, fund);
            let close = round_half_up(price, 6);
            let worth = Amount::from_decimal_exact(round_half_up(units(text).get() * close, 2)).expect("two decimals");
            assert_eq!((view.units, view.units_settled), (units(text), units(text)), "{fund}");
            assert_eq!((view.value, view.close_price), (Some(worth), Some(close)), "{fund}");
            value += worth;
        }
        assert_eq!(query::value(&bench.world, &account), value, "at {instant}");
    }
}

/// (rule: accounts/how-accounts-open, money/average-acquisition-value)
#[test]
fn what_an_account_opens_with_is_booked_at_the_last_price_and_settled() {
    let mut bench = Bench::new(1, START);
    let account = holding(&mut bench, "1000", &[(DAILY, "12.3456"), (GLOBAL, "40")]);
    for view in query::positions(&bench.world, &account, bench.world.now()) {
        assert_eq!(Some(view.gav), view.close_price, "{}", view.instrument);
    }
    let (filter, today) = (TransactionFilter::default(), Some(bench.world.now().local_date()));
    let cash = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    let cash: Vec<_> = cash.iter().map(|one| (one.amount, one.ref_type, one.settlement)).collect();
    assert_eq!(cash, [(amount("1000"), CashRefType::Text, today)]);
    let funds = query::fund_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    assert_eq!(funds.len(), 2);
    for one in funds {
        let view = query::instrument(&bench.world, one.instrument).expect("a fund");
        assert_eq!((one.price, one.trade), (view.close_price, view.price_date));
        assert_eq!((one.reference.as_deref(), one.ref_type), (Some("opening"), FundRefType::Text));
        assert_eq!(one.settlement, today);
    }
}

/// (rule: accounts/how-accounts-open)
#[test]
fn no_account_opens_with_units_of_a_fund_before_its_first_price() {
    let today = at(START).local_date();
    let before = (1..=400).map(|ago| today.checked_sub(Span::new().days(ago)).expect("a day")).collect();
    let mut setup = setup();
    setup.instruments = vec![fund(WEEKLY, "1000"), Instrument { closed_days: before, ..fund(DAILY, "123.45") }];
    let mut bench = Bench::of(&setup, 1, START);
    let mut open = bench.open("0");
    open.positions = vec![(id(WEEKLY), units("1")), (id(DAILY), units("1"))];
    let refusal = bench.world.apply(at(START), Command::OpenAccount(open.clone())).expect_err("it has no price");
    assert_eq!(
        (refusal.class, refusal.to_string().as_str()),
        (Class::InstrumentUnknown, "positions[1].instrument has no published price yet")
    );
    bench.to("2026-03-02T18:30:00+01:00");
    assert_eq!(bench.account(open).positions.len(), 2);
}
