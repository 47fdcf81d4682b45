//! What corporate actions refuse, and in which order.

use super::{START, liquidation, merger, split};
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, id, setup, units};
use rust_decimal::Decimal;
use sim::command::{OpenAccount, SetTrading};
use sim::money::Price;
use sim::records::CorporateAct;
use sim::{Class, Command};

/// (rule: securities/corporate-action-day, securities/ended-funds)
#[test]
fn a_second_action_on_either_fund_is_a_conflict() {
    for (first, second, on, expected) in [
        (split("2"), split("2"), DAILY, "instrumentId does not allow this while it is in a split"),
        (merger(GLOBAL, None), split("2"), GLOBAL, "instrumentId does not allow this while it is in a merger"),
        (merger(GLOBAL, None), merger(DAILY, None), WEEKLY, "into does not allow this while it is in a merger"),
        (
            liquidation(None),
            merger(GLOBAL, None),
            DAILY,
            "instrumentId does not allow this while it is in a liquidation",
        ),
    ] {
        let mut bench = Bench::new(1, START);
        bench.announce(DAILY, first).expect("it can be announced");
        let refused = bench.announce(on, second);
        assert_eq!(refused, Err((Class::Conflict, expected.to_owned())), "{second:?} after {first:?}");
        bench.to("2026-03-02T09:15:00+01:00");
        let (again, ended) = (bench.announce(on, second), !matches!(first, CorporateAct::Split { .. }));
        assert_eq!(again.is_err(), ended && on != GLOBAL, "{second:?} after {first:?} is over: {again:?}");
    }
}

/// (rule: securities/ended-funds, securities/corporate-action-day)
#[test]
fn levers_on_trading_wait_for_an_action_and_are_conflicts_for_an_ended_fund() {
    let trading =
        |fund| SetTrading { instrument: id(fund), is_buyable: Some(false), is_sellable: None, is_tradable: None };
    for (act, while_it_waits, afterwards) in [
        (split("2"), [true, false, false], [false, false, false]),
        (liquidation(None), [true, false, false], [true, true, true]),
    ] {
        let mut bench = Bench::new(1, START);
        let refused = |bench: &mut Bench| {
            let trading = bench.pull(Command::SetTrading(trading(DAILY)));
            let price = bench.set_price(DAILY, "2026-03-06", &bench.close(DAILY));
            let delay = bench.pull(Command::DelayNav { instrument: id(DAILY), bank_days: 1 });
            [trading, price, delay].map(|answer| answer.is_err_and(|refusal| refusal.0 == Class::Conflict))
        };
        bench.announce(DAILY, act).expect("it can be announced");
        assert_eq!(refused(&mut bench), while_it_waits, "{act:?}");
        bench.to("2026-03-02T09:15:00+01:00");
        assert_eq!(refused(&mut bench), afterwards, "{act:?}");
    }
}

/// (rule: securities/corporate-action-day)
#[test]
fn actions_with_figures_that_mean_nothing_are_refused() {
    let into_nothing = merger("SE0SBX000099SEK", None);
    for (fund, act, class) in [
        (DAILY, split("0"), Class::Malformed),
        (DAILY, split("1"), Class::Malformed),
        (DAILY, split("0.0009"), Class::Malformed),
        (DAILY, split("1000.0001"), Class::Malformed),
        (DAILY, merger(DAILY, None), Class::Malformed),
        (DAILY, merger(GLOBAL, Some("0")), Class::Malformed),
        (DAILY, liquidation(Some("0")), Class::Malformed),
        ("SE0SBX000099SEK", split("2"), Class::Unknown),
        (DAILY, into_nothing, Class::Unknown),
        (DAILY, liquidation(Some("30")), Class::OutsideLimits),
        (DAILY, liquidation(Some("500")), Class::OutsideLimits),
    ] {
        let mut bench = Bench::new(1, START);
        let refused = bench.announce(fund, act).expect_err("nothing can be done with it");
        assert_eq!(refused.0, class, "{act:?}: {refused:?}");
    }
    for act in [split("0.001"), split("1000"), merger(T_PLUS_ONE, Some("0.001"))] {
        let mut bench = Bench::new(1, START);
        bench.announce(DAILY, act).expect("the limits themselves are possible");
    }
}

/// A world whose prices do not move: `DAILY` and `T_PLUS_ONE` at these.
fn standing(daily: &str, other: &str) -> Bench {
    let mut setup = setup();
    for (at, price) in [daily, other].into_iter().enumerate() {
        let fund = &mut setup.instruments[at];
        (fund.first_price, fund.volatility_bp) = (Price::parse(price).expect("a price"), 0);
    }
    Bench::of(&setup, 1, START)
}

/// (rule: securities/merger)
#[test]
fn the_ratio_that_prices_make_has_the_bounds_of_one_that_is_given() {
    for (left, joined, possible) in [
        ("1", "1000", true),
        ("1", "1001", false),
        ("1000", "1", true),
        ("1001", "1", false),
        ("0.5", "0.000001", false),
        ("0.000001", "999999999999999", false),
    ] {
        let mut bench = standing(left, joined);
        let answer = bench.announce(DAILY, merger(T_PLUS_ONE, None));
        assert_eq!(answer.is_ok(), possible, "{left} into {joined}: {answer:?}");
        let expected = "ratio is not acceptable: the prices of the funds make a ratio that is not from 0.001 to 1000";
        assert!(answer.is_ok() || answer == Err((Class::OutsideLimits, expected.to_owned())), "{answer:?}");
    }
}

/// (rule: securities/split)
#[test]
fn a_split_that_leads_out_of_the_bounds_of_prices_is_refused() {
    for (price, factor, possible) in [
        ("10", "1000", true),
        ("9.999999", "1000", false),
        ("0.02", "2", true),
        ("0.02", "2.0000000001", false),
        ("0.001", "0.1", true),
        ("100000000000", "0.001", true),
        ("100000000000.1", "0.001", false),
    ] {
        let mut bench = standing(price, "1");
        let answer = bench.announce(DAILY, split(factor));
        assert_eq!(answer.is_ok(), possible, "{price} by {factor}: {answer:?}");
        assert!(answer.is_ok() || answer.is_err_and(|refusal| refusal.0 == Class::OutsideLimits));
    }
}

/// (rule: securities/split)
#[test]
fn prices_that_the_public_does_not_know_yet_bound_a_split_too() {
    // Monday's price of this fund is out on Tuesday at 10:00; Tuesday's is set in advance.
    for (struck, ahead, possible) in [("15", "12", true), ("9.9", "12", false), ("15", "9.9", false)] {
        let mut bench = standing("10", "12");
        bench.to("2026-03-02T15:00:00+01:00");
        bench.set_price(T_PLUS_ONE, "2026-03-02", struck).expect("within bounds");
        bench.set_price(T_PLUS_ONE, "2026-03-03", ahead).expect("within bounds");
        let answer = bench.announce(T_PLUS_ONE, split("1000"));
        assert_eq!(answer.is_ok(), possible, "{struck}, {ahead}: {answer:?}");
    }
}

/// (rule: securities/split)
#[test]
fn at_the_bounds_a_split_changes_worth_by_no_more_than_its_roundings() {
    for (price, factor, held) in [
        ("12.3456", "1000", "1000"),
        ("99999999999.9999", "0.001", "0.1234567"),
        ("0.012346", "1.2345678", "12345678.9"),
        ("0.02", "1.9999999999", "1000000"),
    ] {
        let mut bench = standing(price, "1");
        let open = OpenAccount { positions: vec![(id(DAILY), units(held))], ..bench.open("0") };
        let anna = bench.account(open);
        bench.announce(DAILY, split(factor)).expect("it can be announced");
        let before = bench.value(&anna).get();
        bench.to("2026-03-02T09:15:00+01:00");
        let after = bench.value(&anna).get();
        let position = bench.position(&anna, DAILY).expect("a position");
        let (units, close) = (units(&position[0]).get(), bench.close(DAILY).parse::<Decimal>().expect("a number"));
        let off = units * Decimal::new(5, 7) + close * Decimal::new(5, 8) + Decimal::new(1, 2);
        assert!((after - before).abs() <= off, "{before} became {after}, {off} could be lost");
    }
}
