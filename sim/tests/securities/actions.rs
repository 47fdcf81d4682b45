//! When actions are carried out, and what they do to orders, positions and prices.

use super::{START, example, liquidation, merger, split};
use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, id, units};
use sim::command::{Booked, OpenAccount};
use sim::event::Change;
use sim::identity::InstrumentId;
use sim::query;
use sim::records::{FundRefType, FundType};
use sim::{Class, World};

fn reloaded(world: &mut World) -> Vec<Vec<InstrumentId>> {
    let funds_of = |event: sim::Event| match event.change {
        Change::InstrumentsReloaded(funds) => Some(funds.to_vec()),
        _ => None,
    };
    world.take_events().into_iter().filter_map(funds_of).collect()
}

fn trading(bench: &Bench, fund: &str) -> (bool, bool, bool, bool) {
    let view = query::instrument(&bench.world, id(fund)).expect("a fund");
    let open = view.cut_off_sub.is_some() && view.cut_off_red.is_some();
    (view.record.is_buyable, view.record.is_sellable, view.record.is_tradable, open)
}

/// (rule: money/average-acquisition-value, securities/split)
#[test]
fn a_split_divides_the_average_acquisition_value_as_the_worked_example_has_it() {
    let mut bench = Bench::new(1, START);
    let anna = example(&mut bench);
    let before = bench.position(&anna, DAILY).expect("a position");
    assert_eq!(before[..3], ["64.3377", "64.3377", "131.190325"]);
    bench.carry_out(DAILY, split("3"));
    let after = bench.position(&anna, DAILY).expect("a position");
    assert_eq!(after[..3], ["193.0131", "193.0131", "43.730108"]);
    let last = bench.funds(&anna).pop().expect("a transaction");
    assert_eq!(last, format!("{DAILY} Subscription Ca 128.6754 at 0"));
    assert_eq!(bench.cash(&anna).len(), 4, "a split pays nothing");
}

/// (rule: money/average-acquisition-value, securities/merger)
#[test]
fn a_merger_moves_all_that_was_paid_as_the_worked_example_has_it() {
    let mut bench = Bench::new(1, START);
    let anna = example(&mut bench);
    bench.carry_out(DAILY, merger(T_PLUS_ONE, Some("1.2345")));
    assert_eq!(bench.position(&anna, DAILY), None);
    let after = bench.position(&anna, T_PLUS_ONE).expect("a position");
    assert_eq!(after[..3], ["79.4248", "79.4248", "106.270129"]);
    let kinds: Vec<_> = bench.funds(&anna).iter().rev().take(2).map(|one| one.contains(" Ca ")).collect();
    assert_eq!(kinds, [true, true]);
}

/// (rule: securities/split)
#[test]
fn a_split_that_makes_fewer_units_takes_some_away_and_leaves_what_was_paid() {
    let mut bench = Bench::new(1, START);
    let anna = example(&mut bench);
    bench.carry_out(DAILY, split("0.3"));
    // 64.3377 x 0.3 = 19.30131, and 131.190325 / 0.3 = 437.301083.
    let after = bench.position(&anna, DAILY).expect("a position");
    assert_eq!(after[..3], ["19.30131", "19.30131", "437.301083"]);
    assert_eq!(bench.funds(&anna).pop(), Some(format!("{DAILY} Redemption Ca 45.03639 at 0")));
}

/// (rule: securities/split)
#[test]
fn units_of_a_split_are_rounded_half_up_and_what_rounds_to_nothing_is_gone() {
    for (held, factor, after) in [
        ("1", "0.3333333", Some("0.3333333")),
        ("0.5", "0.0012345", Some("0.0006173")),
        ("0.0000001", "0.4", None),
        ("0.0000001", "0.5", Some("0.0000001")),
        ("7.1234567", "2.5", Some("17.8086418")),
    ] {
        let mut bench = Bench::new(1, START);
        let open = OpenAccount { positions: vec![(id(DAILY), units(held))], ..bench.open("0") };
        let anna = bench.account(open);
        bench.carry_out(DAILY, split(factor));
        let units = bench.position(&anna, DAILY).map(|[units, ..]| units);
        assert_eq!(units.as_deref(), after, "{held} x {factor}");
    }
}

/// (rule: securities/split, securities/price-bounds)
#[test]
fn a_split_divides_the_last_price_and_those_to_come_and_leaves_the_list_as_it_was() {
    let mut bench = Bench::new(1, "2026-03-03T08:00:00+01:00");
    bench.to("2026-03-03T15:00:00+01:00");
    // The price of Tuesday is struck, and published on Wednesday at 10:00; Monday's is out.
    let (before, monday) = (bench.close(T_PLUS_ONE), sim::time::parse_date("2026-03-02").expect("a day"));
    bench.set_price(T_PLUS_ONE, "2026-03-03", "120").expect("within bounds");
    bench.set_price(T_PLUS_ONE, "2026-03-04", "100").expect("within bounds");
    bench.carry_out(T_PLUS_ONE, split("4"));
    let quarter = |text: &str| {
        let number: rust_decimal::Decimal = text.parse().expect("a number");
        sim::money::round_half_up(number / rust_decimal::Decimal::from(4), 6).normalize().to_string()
    };
    assert_eq!(bench.close(T_PLUS_ONE), quarter(&before));
    let view = query::instrument(&bench.world, id(T_PLUS_ONE)).expect("a fund");
    assert_eq!(view.price_date, Some(monday), "its day stays");
    let listed = query::price_of_day(&bench.world, id(T_PLUS_ONE), monday).expect("listed");
    assert_eq!(listed.to_string(), before, "the list stays");
    bench.to("2026-03-04T10:00:00+01:00");
    assert_eq!(bench.close(T_PLUS_ONE), "30");
    bench.to("2026-03-05T10:00:00+01:00");
    assert_eq!(bench.close(T_PLUS_ONE), "25", "what was set in advance is divided as well");
    let late = bench.set_price(T_PLUS_ONE, "2026-03-02", "100").expect_err("it is history");
    assert_eq!(late.0, Class::Conflict);
    assert!(late.1.contains("published before a split"), "{late:?}");
}

/// (rule: securities/split, securities/price-bounds)
#[test]
fn the_walk_and_the_bounds_go_on_from_the_divided_price() {
    let mut bench = Bench::new(5, START);
    bench.carry_out(DAILY, split("10"));
    let close = bench.close(DAILY).parse::<rust_decimal::Decimal>().expect("a number");
    let beyond = bench.set_price(DAILY, "2026-03-03", "100").expect_err("far above the double");
    assert_eq!(beyond.0, Class::OutsideLimits);
    let twice = (close * rust_decimal::Decimal::TWO).normalize().to_string();
    bench.set_price(DAILY, "2026-03-03", &twice).expect("the double of the divided price");
    // Friday's price is the last one struck, and it was published before the split.
    let mut at_once = Bench::new(5, START);
    at_once.announce(DAILY, split("10")).expect("it can be announced");
    at_once.to("2026-03-02T09:15:00+01:00");
    let beyond = at_once.set_price(DAILY, "2026-03-02", "100").expect_err("far above the double");
    assert_eq!(beyond.0, Class::OutsideLimits);
    at_once.set_price(DAILY, "2026-03-02", "10").expect("within the bounds of the divided price");
    let mut walked = Bench::new(5, START);
    walked.carry_out(DAILY, split("10"));
    walked.to("2026-03-03T19:00:00+01:00");
    let next = walked.close(DAILY).parse::<rust_decimal::Decimal>().expect("a number");
    assert!(next < close * rust_decimal::Decimal::new(12, 1) && next > close * rust_decimal::Decimal::new(8, 1));
}

/// (rule: securities/corporate-action-day)
#[test]
fn an_action_waits_for_a_quarter_past_nine_on_a_bank_day_without_an_order_on_its_way() {
    for (announced, carried_out) in [
        ("2026-03-02T08:00:00+01:00", "2026-03-02T09:15:00+01:00"),
        ("2026-03-02T09:14:59.999+01:00", "2026-03-02T09:15:00+01:00"),
        ("2026-03-02T09:15:00+01:00", "2026-03-03T09:15:00+01:00"),
        ("2026-03-06T17:00:00+01:00", "2026-03-09T09:15:00+01:00"),
        ("2026-04-02T17:00:00+02:00", "2026-04-07T09:15:00+02:00"),
    ] {
        let mut bench = Bench::of(&crate::common::free(), 1, START);
        let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("0") });
        bench.to(announced);
        bench.announce(DAILY, split("2")).expect("it can be announced");
        let units = |bench: &Bench| bench.position(&anna, DAILY).expect("a position")[0].clone();
        let at = crate::common::at(carried_out);
        bench.world.advance(sim::time::Instant::from_ms(at.ms() - 1));
        assert_eq!(units(&bench), "10", "announced {announced}");
        bench.world.advance(at);
        assert_eq!(units(&bench), "20", "announced {announced}");
    }
}

/// (rule: securities/corporate-action-day)
#[test]
fn orders_are_canceled_unless_the_cut_off_has_taken_them_and_those_are_settled_first() {
    let mut bench = Bench::new(1, START);
    let open = OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("50000") };
    let anna = bench.account(open);
    let sent = bench.order(bench.buy(&anna, DAILY, "1000"));
    bench.to("2026-03-02T14:00:30+01:00");
    let (held, pending) = (bench.order(bench.sell(&anna, DAILY, "2")), bench.order(bench.buy(&anna, DAILY, "700")));
    let partner = bench.scope.partner;
    bench.pull(sim::Command::HoldOrder { partner, order: held.id }).expect("it can be held");
    bench.to("2026-03-02T14:00:40+01:00");
    let received = bench.order(bench.sell(&anna, DAILY, "1"));
    let other = bench.order(bench.buy(&anna, T_PLUS_ONE, "900"));
    assert_eq!(
        [&sent, &held, &pending, &received].map(|one| bench.status(one)),
        ["pending", "hold", "pending", "received"]
    );
    bench.world.take_events();
    bench.announce(DAILY, split("2")).expect("it can be announced");
    assert_eq!(
        [&sent, &held, &pending, &received, &other].map(|one| bench.status(one)),
        ["pending", "canceled", "canceled", "canceled", "received"]
    );
    assert_eq!(trading(&bench, DAILY), (false, false, false, false));
    assert_eq!(reloaded(&mut bench.world), [[id(DAILY)]]);
    let closed = bench.world.apply(bench.world.now(), sim::Command::PlaceOrder(bench.buy(&anna, DAILY, "700")));
    assert_eq!(closed.expect_err("trading has stopped").class, Class::NotTradable);
    // Settled on Wednesday at 09:00.
    bench.to("2026-03-04T09:00:00+01:00");
    assert_eq!(bench.status(&sent), "settled");
    let before = bench.position(&anna, DAILY).expect("a position");
    bench.to("2026-03-04T09:15:00+01:00");
    let after = bench.position(&anna, DAILY).expect("a position");
    let (before, after) = (units(&before[0]), units(&after[0]));
    assert_eq!(after, before + before);
    assert_eq!(reloaded(&mut bench.world), [[id(DAILY)]]);
    assert_eq!(trading(&bench, DAILY), (true, true, true, true), "it opens as it was");
}

/// (rule: securities/corporate-action-day)
#[test]
fn an_order_that_is_parked_after_the_cut_off_has_taken_it_is_canceled_with_the_action() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("0") });
    let taken = bench.order(bench.sell(&anna, DAILY, "3"));
    bench.to("2026-03-02T14:00:30+01:00");
    bench.announce(DAILY, split("2")).expect("it can be announced");
    let partner = bench.scope.partner;
    bench.pull(sim::Command::HoldOrder { partner, order: taken.id }).expect("an aggregated order can be held");
    bench.to("2026-03-03T09:15:00+01:00");
    assert_eq!(bench.status(&taken), "canceled");
    assert_eq!(bench.position(&anna, DAILY).expect("a position")[0], "20");
}

/// (rule: securities/corporate-action-day)
#[test]
fn every_action_emits_an_event_when_announced_and_when_carried_out() {
    for (act, after) in [
        (split("2"), vec![id(DAILY)]),
        (merger(T_PLUS_ONE, None), vec![id(DAILY), id(T_PLUS_ONE)]),
        (liquidation(None), vec![id(DAILY)]),
    ] {
        let mut bench = Bench::new(1, START);
        bench.announce(DAILY, act).expect("it can be announced");
        assert_eq!(reloaded(&mut bench.world), [[id(DAILY)]], "{act:?}");
        bench.to("2026-03-02T09:14:59.999+01:00");
        assert_eq!(reloaded(&mut bench.world), [[]; 0], "{act:?}");
        bench.to("2026-03-02T09:15:00+01:00");
        assert_eq!(reloaded(&mut bench.world), [after], "{act:?}");
    }
}

/// (rule: securities/merger)
#[test]
fn a_merger_at_the_ratio_of_the_prices_keeps_what_positions_are_worth() {
    for (left, joined) in [(DAILY, T_PLUS_ONE), (DAILY, GLOBAL), (GLOBAL, DAILY), (T_PLUS_ONE, COMPLEX)] {
        let mut bench = Bench::new(3, START);
        let held = vec![(id(left), units("12.3456789")), (id(joined), units("1"))];
        let anna = bench.account(OpenAccount { positions: held, ..bench.open("0") });
        bench.announce(left, merger(joined, None)).expect("it can be announced");
        bench.to("2026-03-02T09:14:59.999+01:00");
        let before = bench.value(&anna);
        bench.to("2026-03-02T09:15:00+01:00");
        let off = (bench.value(&anna) - before).get().abs();
        assert!(off <= rust_decimal::Decimal::new(2, 2), "{left} into {joined}: off by {off}");
        assert_eq!(bench.position(&anna, left), None);
        assert_eq!(bench.cash(&anna).len(), usize::from(bench.value(&anna) != before || !bench.cash(&anna).is_empty()));
    }
}

/// (rule: securities/merger)
#[test]
fn the_surviving_fund_takes_no_orders_until_midnight_and_keeps_those_it_has() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("50000") });
    bench.announce(DAILY, merger(T_PLUS_ONE, None)).expect("it can be announced");
    let early = bench.order(bench.buy(&anna, T_PLUS_ONE, "1000"));
    bench.to("2026-03-02T09:15:00+01:00");
    for (instant, open) in [
        ("2026-03-02T09:15:00+01:00", false),
        ("2026-03-02T23:59:59.999+01:00", false),
        ("2026-03-03T00:00:00+01:00", true),
    ] {
        bench.to(instant);
        let buy = sim::Command::ValidateOrder(bench.buy(&anna, T_PLUS_ONE, "1000"));
        let answer = bench.pull(buy);
        assert_eq!(answer.is_ok(), open, "at {instant}: {answer:?}");
        let sell = sim::Command::ValidateOrder(bench.sell(&anna, T_PLUS_ONE, "1"));
        assert_eq!(bench.pull(sell).is_ok(), open, "at {instant}");
    }
    assert_eq!(bench.status(&early), "sent");
}

/// (rule: securities/merger)
#[test]
fn a_fraction_is_paid_in_cash_and_nothing_when_it_is_worth_nothing() {
    for (held, given, cash) in [
        // 10 x 0.33333 = 3.3333 and a rest of 0.00000; 10.00019 x 0.5 = 5.0000 and 0.000095 at some 98.7.
        ("10", "0.33333", Vec::new()),
        ("10.00019", "0.5", vec!["Settlement Ca 0.01".to_owned()]),
    ] {
        let mut bench = Bench::new(1, START);
        let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units(held))], ..bench.open("0") });
        bench.carry_out(DAILY, merger(T_PLUS_ONE, Some(given)));
        assert_eq!(bench.cash(&anna), cash, "{held} x {given}");
    }
}

/// (rule: securities/liquidation)
#[test]
fn a_liquidation_pays_the_last_price_or_the_one_that_is_given() {
    for (given, paid) in [(None, None), (Some("100"), Some("1000.00"))] {
        let mut bench = Bench::new(1, START);
        let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("0") });
        let last = units(&bench.close(DAILY));
        bench.carry_out(DAILY, liquidation(given));
        let worth = sim::money::Amount::from_units(last, rust_decimal::Decimal::TEN).to_string();
        let paid = paid.map_or(worth, str::to_owned);
        assert_eq!(bench.cash(&anna), [format!("Settlement Ca {paid}")]);
        assert_eq!(bench.position(&anna, DAILY), None);
        let account = bench.again(&anna);
        assert!(account.positions.is_empty() && account.deposited.is_zero(), "{account:?}");
    }
}

/// (rule: securities/ended-funds)
#[test]
fn a_fund_that_has_ended_gets_no_price_and_takes_no_order() {
    for act in [merger(GLOBAL, None), liquidation(None)] {
        let mut bench = Bench::new(1, START);
        let anna = bench.account(OpenAccount { positions: vec![(id(T_PLUS_ONE), units("10"))], ..bench.open("900") });
        bench.to("2026-03-02T15:00:00+01:00");
        // Monday's price is struck and would come on Tuesday at 10:00.
        bench.carry_out(T_PLUS_ONE, act);
        let last = bench.close(T_PLUS_ONE);
        bench.to("2026-03-20T12:00:00+01:00");
        assert_eq!(bench.close(T_PLUS_ONE), last);
        assert_eq!(trading(&bench, T_PLUS_ONE), (false, false, false, false));
        let buy = sim::Command::PlaceOrder(bench.buy(&anna, T_PLUS_ONE, "700"));
        assert_eq!(bench.pull(buy).expect_err("it has ended").0, Class::NotTradable);
        let what = Booked::Units {
            kind: FundType::Subscription,
            ref_type: FundRefType::Correction,
            instrument: id(T_PLUS_ONE),
            units: units("1"),
            cost: None,
        };
        assert_eq!(bench.book(&anna, what).expect_err("it has ended").0, Class::Conflict);
        let open = OpenAccount { positions: vec![(id(T_PLUS_ONE), units("1"))], ..bench.open("0") };
        assert_eq!(bench.pull(sim::Command::OpenAccount(open)).expect_err("it has ended").0, Class::InstrumentUnknown);
    }
}
