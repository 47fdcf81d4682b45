//! What corporate actions refuse, and in which order.

use super::{START, liquidation, merger, split};
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, id};
use sim::command::SetTrading;
use sim::records::CorporateAct;
use sim::{Class, Command};

/// (rule: payments/corporate-action-day, payments/ended-funds)
#[test]
fn a_second_action_on_either_fund_is_a_conflict() {
    for (first, second, on, told) in [
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
        assert_eq!(refused, Err((Class::Conflict, told.to_owned())), "{second:?} after {first:?}");
        bench.to("2026-03-02T09:15:00+01:00");
        let (again, ended) = (bench.announce(on, second), !matches!(first, CorporateAct::Split { .. }));
        assert_eq!(again.is_err(), ended && on != GLOBAL, "{second:?} after {first:?} is over: {again:?}");
    }
}

/// (rule: payments/ended-funds, payments/corporate-action-day)
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

/// (rule: payments/corporate-action-day)
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
