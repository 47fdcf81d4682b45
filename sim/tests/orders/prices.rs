//! Prices, rates and cut-offs as the days pass.

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, at, fund, id, setup};
use rust_decimal::Decimal;
use sim::calendar::ForeignCalendar;
use sim::command::{SetPrice, SetTrading};
use sim::identity::Currency;
use sim::machines::order::State;
use sim::money::{round_down, round_up};
use sim::records::{DealingDays, Instrument};
use sim::rng::Seed;
use sim::{Class, Command, World, query};

const START: &str = "2026-03-02T08:00:00+01:00";

fn price_date(bench: &Bench, fund: &str) -> String {
    let view = query::instrument(&bench.world, id(fund)).expect("a fund");
    view.price_date.map(|day| day.to_string()).unwrap_or_default()
}

/// (rule: securities/prices-in-order)
#[test]
fn later_prices_of_a_fund_wait_for_the_one_that_is_late() {
    let mut bench = Bench::new(9, START);
    let now = bench.world.now();
    bench.world.apply(now, Command::DelayNav { instrument: id(DAILY), bank_days: 2 }).expect("can be late");
    for (instant, shown) in [
        ("2026-03-02T19:00:00+01:00", "2026-02-27"),
        ("2026-03-03T19:00:00+01:00", "2026-02-27"),
        ("2026-03-04T18:29:59.999+01:00", "2026-02-27"),
        ("2026-03-04T18:30:00+01:00", "2026-03-04"),
        ("2026-03-05T18:30:00+01:00", "2026-03-05"),
    ] {
        bench.to(instant);
        assert_eq!(price_date(&bench, DAILY), shown, "at {instant}");
    }
    for day in ["2026-03-02", "2026-03-03"] {
        let day = sim::time::parse_date(day).expect("a day");
        assert!(query::price_of_day(&bench.world, id(DAILY), day).is_some(), "the price of {day} is listed");
    }
}

/// (rule: securities/prices-in-order)
#[test]
fn a_lever_pulled_late_moves_every_price_that_is_struck_and_they_come_in_order_of_their_days() {
    let mut bench = Bench::new(9, START);
    let delay = |bench: &mut Bench, bank_days| {
        let now = bench.world.now();
        bench.world.apply(now, Command::DelayNav { instrument: id(DAILY), bank_days }).expect("can be late");
    };
    bench.to("2026-03-02T15:00:00+01:00");
    delay(&mut bench, 1);
    // Two prices are struck, and both are due on Tuesday evening: they move together.
    bench.to("2026-03-03T15:00:00+01:00");
    delay(&mut bench, 1);
    bench.to("2026-03-04T18:29:59.999+01:00");
    assert_eq!(price_date(&bench, DAILY), "2026-02-27");
    bench.to("2026-03-04T18:30:00+01:00");
    assert_eq!(price_date(&bench, DAILY), "2026-03-04");
    let newest = query::price_of_day(&bench.world, id(DAILY), sim::time::parse_date("2026-03-04").expect("a day"));
    let view = query::instrument(&bench.world, id(DAILY)).expect("a fund");
    assert_eq!((view.close_price, newest.is_some()), (newest, true), "the latest of the three is known last");
}

/// (rule: securities/prices-in-order, calendar/settlement-day)
#[test]
fn orders_of_days_behind_a_late_price_are_executed_and_settled_after_it() {
    let mut bench = Bench::new(9, START);
    let anna = bench.account(bench.open("10000"));
    let monday = bench.order(bench.buy(&anna, DAILY, "1000"));
    let now = bench.world.now();
    bench.world.apply(now, Command::DelayNav { instrument: id(DAILY), bank_days: 4 }).expect("can be late");
    bench.to("2026-03-03T09:00:00+01:00");
    let tuesday = bench.order(bench.buy(&anna, DAILY, "1000"));
    bench.to("2026-03-06T18:34:59.999+01:00");
    assert_eq!([&monday, &tuesday].map(|order| bench.read(order).units), [None, None], "no price is known");
    bench.to("2026-03-06T18:35:00+01:00");
    assert!([&monday, &tuesday].iter().all(|order| bench.read(order).units.is_some()), "both prices are known");
    bench.to("2026-03-06T18:40:00+01:00");
    assert_eq!([&monday, &tuesday].map(|order| bench.status(order)), ["settled", "settled"]);
}

/// (rule: securities/prices-in-order, securities/split)
#[test]
fn a_split_divides_every_price_that_waits_behind_a_late_one() {
    let mut setup = setup();
    setup.instruments.iter_mut().for_each(|fund| fund.volatility_bp = 0);
    let mut bench = Bench::of(&setup, 9, START);
    let now = bench.world.now();
    bench.world.apply(now, Command::DelayNav { instrument: id(DAILY), bank_days: 3 }).expect("can be late");
    bench.to("2026-03-03T15:00:00+01:00");
    let factor = sim::money::Ratio::parse("2").expect("a ratio");
    let act = sim::records::CorporateAct::Split { factor };
    bench.world.apply(bench.world.now(), Command::Announce { instrument: id(DAILY), act }).expect("announced");
    bench.to("2026-03-05T20:00:00+01:00");
    for day in ["2026-03-02", "2026-03-03", "2026-03-05"] {
        let day = sim::time::parse_date(day).expect("a day");
        let price = query::price_of_day(&bench.world, id(DAILY), day).map(|price| price.to_string());
        assert_eq!(price.as_deref(), Some("61.725"), "on {day}");
    }
}

/// (rule: securities/prices-in-order)
#[test]
fn a_price_can_be_made_thirty_bank_days_late_and_no_more() {
    for (bank_days, fits) in [(0, false), (1, true), (30, true), (31, false)] {
        let mut bench = Bench::new(9, START);
        let before = bench.world.digest();
        let late = bench.world.apply(bench.world.now(), Command::DelayNav { instrument: id(DAILY), bank_days });
        assert_eq!(late.is_ok(), fits, "{bank_days} bank days: {late:?}");
        assert_eq!(bench.world.digest() == before, !fits, "{bank_days} bank days");
    }
}

/// (rule: calendar/rate-publication)
#[test]
fn rates_move_at_four_on_bank_days_and_at_no_other_time() {
    let mut bench = Bench::new(9, START);
    let euro = Currency::parse("EUR").expect("a currency");
    for (instant, moves) in [
        ("2026-03-02T15:59:59.999+01:00", false),
        ("2026-03-02T16:00:00+01:00", true),
        ("2026-03-03T15:59:59.999+01:00", false),
        ("2026-03-03T16:00:00+01:00", true),
        // Over the weekend.
        ("2026-03-06T16:00:00+01:00", true),
        ("2026-03-09T15:59:59.999+01:00", false),
        ("2026-03-09T16:00:00+01:00", true),
    ] {
        let before = query::rate(&bench.world, euro, bench.world.now());
        bench.to(instant);
        assert_eq!(query::rate(&bench.world, euro, bench.world.now()) != before, moves, "until {instant}");
    }
}

/// (rule: calendar/latest-cut-off)
#[test]
fn a_fund_takes_orders_until_half_past_three_at_the_latest() {
    for (minute, fine) in [(30, true), (31, false)] {
        let mut setup = setup();
        setup.instruments = vec![Instrument { cut_off_hour: 15, cut_off_minute: minute, ..fund(DAILY, "123.45") }];
        let made = World::new(&setup, Seed(1), at(START));
        assert_eq!(made.is_ok(), fine, "15:{minute}: {:?}", made.err());
    }
}

/// (rule: securities/tradable)
#[test]
fn a_suspended_fund_that_opens_one_side_is_tradable_again() {
    let mut bench = Bench::new(9, START);
    let trading = |is_buyable, is_tradable| {
        Command::SetTrading(SetTrading { instrument: id(DAILY), is_buyable, is_sellable: None, is_tradable })
    };
    for (command, tradable) in
        [(trading(None, Some(false)), false), (trading(Some(false), None), false), (trading(Some(true), None), true)]
    {
        let now = bench.world.now();
        bench.world.apply(now, command).expect("trading can be set");
        let view = query::instrument(&bench.world, id(DAILY)).expect("a fund");
        assert_eq!(view.record.is_tradable, tradable);
    }
}

/// (rule: securities/price-bounds, securities/set-price)
#[test]
fn a_price_set_long_before_comes_out_within_the_bounds_of_its_own_day() {
    for (far, near) in [("240", "62"), ("62", "240")] {
        let mut bench = Bench::new(9, START);
        // By Thursday the price has gone the other way.
        for (day, price) in [("2026-03-05", far), ("2026-03-04", near)] {
            let (now, price_date) = (bench.world.now(), Some(sim::time::parse_date(day).expect("a day")));
            let close_price = sim::money::Price::parse(price).expect("a price");
            let set = SetPrice { instrument: id(DAILY), close_price, price_date };
            bench.world.apply(now, Command::SetPrice(set)).expect("within the bounds of what is known");
        }
        bench.to("2026-03-05T19:00:00+01:00");
        let day = |text| sim::time::parse_date(text).expect("a day");
        let price = |text| query::price_of_day(&bench.world, id(DAILY), day(text)).expect("published").get();
        let bound = if near == "62" { price("2026-03-04") * Decimal::TWO } else { price("2026-03-04") / Decimal::TWO };
        assert_eq!((price("2026-03-04").to_string().as_str(), price("2026-03-05")), (near, bound));
    }
}

/// (rule: securities/price-bounds, securities/set-price)
#[test]
fn a_price_is_corrected_within_the_bounds_of_the_days_beside_it_whatever_it_was() {
    let step = Decimal::new(1, 6);
    for (day, beside) in [("2026-02-25", &["2026-02-24", "2026-02-26"][..]), ("2026-02-27", &["2026-02-26"])] {
        let mut bench = Bench::new(9, START);
        let parsed = |text| sim::time::parse_date(text).expect("a day");
        let of =
            |bench: &Bench, text| query::price_of_day(&bench.world, id(DAILY), parsed(text)).expect("published").get();
        let prices: Vec<Decimal> = beside.iter().map(|text| of(&bench, text)).collect();
        let (most, least) = (prices.iter().max().expect("one"), prices.iter().min().expect("one"));
        let (low, high) = (round_up(most / Decimal::TWO, 6), round_down(least * Decimal::TWO, 6));
        for (price, fits) in
            [(low - step, false), (low, true), (high + step, false), (high, true), (low - step, false), (low, true)]
        {
            let close_price = sim::money::Price::from_decimal_exact(price).expect("six decimals");
            let set = SetPrice { instrument: id(DAILY), close_price, price_date: Some(parsed(day)) };
            let answer = bench.world.apply(bench.world.now(), Command::SetPrice(set));
            assert_eq!(answer.is_ok(), fits, "{price} on {day} between {low} and {high}: {answer:?}");
            assert_eq!(of(&bench, day) == price, fits, "{price} on {day}");
        }
    }
}

/// (rule: calendar/rate-publication)
#[test]
fn a_day_has_the_rate_that_was_published_on_it_or_last_before_it() {
    let mut bench = Bench::new(9, START);
    let euro = Currency::parse("EUR").expect("a currency");
    let mut published = Vec::new();
    for day in ["2026-03-05", "2026-03-06", "2026-03-09"] {
        bench.to(&format!("{day}T16:00:00+01:00"));
        published.push(query::rate(&bench.world, euro, bench.world.now()));
    }
    let of = |day| query::rate_of_day(&bench.world, euro, sim::time::parse_date(day).expect("a day"));
    let days = ["2026-03-05", "2026-03-06", "2026-03-07", "2026-03-08", "2026-03-09"];
    assert_eq!(days.map(of), [0, 1, 1, 1, 2].map(|at: usize| published[at]));
    let krona = Currency::parse("SEK").expect("a currency");
    assert_eq!(query::rate_of_day(&bench.world, krona, bench.world.now().local_date()), Decimal::ONE);
}

/// (rule: calendar/price-publication)
#[test]
fn a_world_that_starts_after_a_cut_off_publishes_the_price_of_that_day_once() {
    for (fund, start, publications) in [
        (DAILY, "2026-03-02T13:59:59+01:00", [("2026-03-02T18:30:00+01:00", "2026-03-02"); 1]),
        (DAILY, "2026-03-02T14:00:00+01:00", [("2026-03-02T18:30:00+01:00", "2026-03-02")]),
        (DAILY, "2026-03-02T18:29:59+01:00", [("2026-03-02T18:30:00+01:00", "2026-03-02")]),
        (DAILY, "2026-03-02T18:30:00+01:00", [("2026-03-03T18:30:00+01:00", "2026-03-03")]),
        (T_PLUS_ONE, "2026-03-02T08:00:00+01:00", [("2026-03-02T10:00:00+01:00", "2026-02-27")]),
        (T_PLUS_ONE, "2026-03-02T10:00:00+01:00", [("2026-03-03T10:00:00+01:00", "2026-03-02")]),
        (T_PLUS_ONE, "2026-03-02T15:00:00+01:00", [("2026-03-03T10:00:00+01:00", "2026-03-02")]),
    ] {
        let mut bench = Bench::new(9, start);
        let until = at("2026-03-06T12:00:00+01:00").local_date();
        for (instant, day) in publications {
            let shown = |bench: &Bench| query::instrument(&bench.world, id(fund)).and_then(|view| view.price_date);
            let day = sim::time::parse_date(day).expect("a day");
            bench.world.advance(at(instant).plus(sim::time::Millis(-1)));
            assert!(shown(&bench) < Some(day), "{fund} from {start}");
            bench.to(instant);
            assert_eq!(shown(&bench), Some(day), "{fund} from {start}");
        }
        bench.to("2026-03-06T19:00:00+01:00");
        let from = sim::time::parse_date("2026-02-23").expect("a day");
        let days: Vec<i8> = query::prices(&bench.world, id(fund), from, until).iter().map(|one| one.0.day()).collect();
        let last = if fund == DAILY { &[6][..] } else { &[] };
        assert_eq!(days, [&[23, 24, 25, 26, 27, 2, 3, 4, 5], last].concat(), "{fund} from {start}");
    }
}

/// (rule: securities/set-price)
#[test]
fn a_day_that_has_executions_keeps_its_price() {
    let mut bench = Bench::new(9, START);
    let anna = bench.account(bench.open("10000"));
    bench.order(bench.buy(&anna, DAILY, "1000"));
    let monday = sim::time::parse_date("2026-03-02").expect("a day");
    for (instant, fund, fits) in [
        ("2026-03-02T18:34:59.999+01:00", DAILY, true),
        ("2026-03-02T18:35:00+01:00", DAILY, false),
        ("2026-03-10T12:00:00+01:00", DAILY, false),
        // Nobody has traded in this one.
        ("2026-03-10T12:00:00+01:00", COMPLEX, true),
    ] {
        bench.to(instant);
        let (before, price) = (bench.world.digest(), query::price_of_day(&bench.world, id(fund), monday));
        let set = SetPrice { instrument: id(fund), close_price: price.expect("published"), price_date: Some(monday) };
        let refused = bench.world.apply(bench.world.now(), Command::SetPrice(set)).err();
        let complaint = refused.map(|refusal| (refusal.class, refusal.to_string()));
        let expected = (Class::Conflict, "priceDate already has executions at its price".to_owned());
        assert_eq!(complaint, (!fits).then_some(expected), "{fund} at {instant}");
        assert!(fits || bench.world.digest() == before);
    }
}

/// (rule: calendar/fund-day, calendar/foreign-holidays, money/seeded-walks)
#[test]
fn a_fund_has_no_price_of_a_day_on_which_it_is_closed() {
    let mut bench = Bench::new(9, "2026-03-30T08:00:00+02:00");
    bench.to("2026-12-01T08:00:00+01:00");
    for (day, funds) in [
        ("2026-04-02", &[DAILY, GLOBAL][..]),
        ("2026-04-03", &[]),
        ("2026-04-06", &[]),
        ("2026-05-01", &[]),
        ("2026-05-14", &[]),
        ("2026-05-15", &[DAILY, GLOBAL]),
        ("2026-05-25", &[DAILY]),
        ("2026-06-19", &[]),
        ("2026-07-02", &[DAILY, GLOBAL]),
        ("2026-07-03", &[DAILY]),
        ("2026-07-04", &[]),
        ("2026-11-26", &[DAILY]),
        ("2026-11-27", &[DAILY, GLOBAL]),
    ] {
        let date = sim::time::parse_date(day).expect("a day");
        let priced = |fund: &&str| query::price_of_day(&bench.world, id(fund), date).is_some();
        assert_eq!([DAILY, GLOBAL].into_iter().filter(priced).collect::<Vec<_>>(), funds, "{day}");
    }
}

/// (rule: calendar/cut-off, calendar/fund-day, calendar/next-cut-off-shown, calendar/local-time)
#[test]
fn the_next_cut_off_is_that_of_the_first_dealing_day_that_is_not_over() {
    use DealingDays::{Daily, Monthly, Weekly};
    for (dealing, hour, abroad, now, cut_off) in [
        (Daily, 14, false, "2026-03-27T12:59:59.999Z", "2026-03-27T13:00:00Z"),
        (Daily, 14, false, "2026-03-27T13:00:00Z", "2026-03-30T12:00:00Z"),
        (Daily, 14, false, "2026-10-23T11:59:59.999Z", "2026-10-23T12:00:00Z"),
        (Daily, 14, false, "2026-10-23T12:00:00Z", "2026-10-26T13:00:00Z"),
        // On half-days at eleven, or before where the fund closes before.
        (Daily, 14, false, "2026-04-02T08:00:00Z", "2026-04-02T11:00:00+02:00"),
        (Daily, 14, false, "2026-04-02T11:00:00+02:00", "2026-04-07T14:00:00+02:00"),
        (Daily, 11, false, "2026-05-13T08:00:00Z", "2026-05-13T11:00:00+02:00"),
        (Daily, 10, false, "2026-04-30T07:00:00Z", "2026-04-30T10:00:00+02:00"),
        (Daily, 10, false, "2026-04-30T10:00:00+02:00", "2026-05-04T10:00:00+02:00"),
        (Daily, 14, true, "2026-07-02T14:00:00+02:00", "2026-07-06T14:00:00+02:00"),
        (Daily, 14, true, "2026-11-25T14:00:00+01:00", "2026-11-27T14:00:00+01:00"),
        (Weekly(3), 14, false, "2026-03-04T14:00:00+01:00", "2026-03-11T14:00:00+01:00"),
        // Midsummer Eve is a Friday.
        (Weekly(5), 14, false, "2026-06-12T14:00:00+02:00", "2026-06-22T14:00:00+02:00"),
        (Monthly(15), 14, false, "2026-03-02T08:00:00+01:00", "2026-03-16T14:00:00+01:00"),
        (Monthly(15), 14, false, "2026-03-16T14:00:00+01:00", "2026-04-15T14:00:00+02:00"),
        (Monthly(28), 14, false, "2026-02-28T08:00:00+01:00", "2026-03-02T14:00:00+01:00"),
    ] {
        let mut setup = setup();
        let calendars = if abroad { vec![ForeignCalendar::Us] } else { Vec::new() };
        setup.instruments = vec![Instrument { dealing, calendars, cut_off_hour: hour, ..fund(DAILY, "123.45") }];
        let bench = Bench::of(&setup, 9, now);
        let view = query::instrument(&bench.world, id(DAILY)).expect("a fund");
        assert_eq!((view.cut_off_sub, view.cut_off_red), (Some(at(cut_off)), Some(at(cut_off))), "at {now}");
    }
}

/// (rule: orders/confirmed-is-inside-sent, calendar/settlement-day)
#[test]
fn an_order_that_is_sent_after_its_price_is_executed_as_it_is_sent() {
    // Prices come at 18:30, confirmations five minutes later, the settlement of Monday's trade on Wednesday at 09:00.
    for (minutes, sent, confirmed, settled) in [
        (4 * 60 + 29, "2026-03-02T18:29:00+01:00", "2026-03-02T18:35:00+01:00", "2026-03-04T09:00:00+01:00"),
        (4 * 60 + 30, "2026-03-02T18:30:00+01:00", "2026-03-02T18:35:00+01:00", "2026-03-04T09:00:00+01:00"),
        (4 * 60 + 33, "2026-03-02T18:33:00+01:00", "2026-03-02T18:35:00+01:00", "2026-03-04T09:00:00+01:00"),
        (5 * 60, "2026-03-02T19:00:00+01:00", "2026-03-02T19:00:00+01:00", "2026-03-04T09:00:00+01:00"),
        (3 * 24 * 60, "2026-03-05T14:00:00+01:00", "2026-03-05T14:00:00+01:00", "2026-03-05T14:00:00+01:00"),
    ] {
        let mut setup = setup();
        setup.settings.routing_delay = sim::time::Millis(minutes * 60_000);
        let mut bench = Bench::of(&setup, 9, START);
        let anna = bench.account(bench.open("10000"));
        let orders = [bench.order(bench.buy(&anna, DAILY, "1000")), bench.order(bench.buy(&anna, DAILY, "2000"))];
        for (instant, reached) in [(sent, State::Sent), (confirmed, State::Confirmed), (settled, State::Settled)] {
            let has = |bench: &Bench| orders.iter().all(|order| *bench.read(order).state >= reached);
            let before = sim::time::Instant::from_ms(at(instant).ms() - 1);
            if before >= bench.world.now() {
                bench.world.advance(before);
                assert!(!has(&bench), "{minutes} minutes, before {instant}");
            }
            bench.to(instant);
            assert!(has(&bench), "{minutes} minutes, at {instant}");
        }
        let act = sim::records::CorporateAct::Split { factor: sim::money::Ratio::parse("2").expect("a ratio") };
        bench.world.apply(bench.world.now(), Command::Announce { instrument: id(DAILY), act }).expect("announced");
        bench.to("2026-03-09T12:00:00+01:00");
        let view = query::instrument(&bench.world, id(DAILY)).expect("a fund");
        assert!(view.record.is_tradable, "nothing holds the split back");
    }
}
