//! What accounts were worth at midnights, and what their days have returned.

use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, amount, id, setup, units};
use crate::securities::split;
use rust_decimal::Decimal;
use sim::Command;
use sim::command::{Book, Booked, Purgeable, SetPrice};
use sim::identity::{Currency, PersonalNumber};
use sim::ids::AccountId;
use sim::money::{Amount, Price, round_half_up};
use sim::query::{self, DailyReturn};
use sim::records::{Account, CashRefType, CashType, FundRefType, FundType, OwnerKey, Proceeds};
use sim::time::{Date, parse_date};

const START: &str = "2026-03-02T08:00:00+01:00";
const SSN: &str = "199001012385";

fn date(text: &str) -> Date {
    parse_date(text).expect("a date")
}

fn price(bench: &mut Bench, fund: &str, day: &str, text: &str) {
    let set = SetPrice {
        instrument: id(fund),
        close_price: Price::parse(text).expect("a price"),
        price_date: Some(date(day)),
    };
    let now = bench.world.now();
    bench.world.apply(now, Command::SetPrice(set)).expect("within half and double");
}

fn entries(bench: &Bench, account: AccountId) -> Vec<DailyReturn> {
    query::account_performance(&bench.world, account, None)
}

fn owned(bench: &Bench) -> Vec<DailyReturn> {
    let owner = OwnerKey::Ssn(PersonalNumber::parse(SSN).expect("a number"));
    query::owner_performance(&bench.world, bench.scope.client, owner, None)
}

fn rows_of(entries: &[DailyReturn]) -> Vec<String> {
    let row_of = |entry: &DailyReturn| {
        format!("{} {} {} {}", entry.date, entry.day_return, entry.day_result, entry.cumulative_return)
    };
    entries.iter().map(row_of).collect()
}

fn results(entries: &[DailyReturn]) -> Amount {
    entries.iter().map(|entry| entry.day_result).sum()
}

/// One account with an owner, cash and units.
fn holding(bench: &mut Bench, cash: &str, held: &[(&str, &str)]) -> std::sync::Arc<Account> {
    let mut open = bench.open(cash);
    open.owner = Some(bench.owner(SSN));
    open.positions = held.iter().map(|(fund, text)| (id(fund), units(text))).collect();
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    bench.account(open)
}

/// (rule: accounts/performance-entries, accounts/daily-value)
#[test]
fn every_calendar_day_from_the_first_flow_to_yesterday_has_an_entry() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "1000", &[(DAILY, "100")]);
    for (day, text) in [("2026-03-02", "120"), ("2026-03-03", "126"), ("2026-03-04", "113.4"), ("2026-03-05", "113.4")]
    {
        price(&mut bench, DAILY, day, text);
    }
    price(&mut bench, DAILY, "2026-03-06", "120");
    assert_eq!(rows_of(&entries(&bench, anna.id)), [""; 0], "the first day is not over");
    bench.to("2026-03-09T12:00:00+01:00");
    // The days are chained as they are shown, so a circle may miss by the last decimal.
    assert_eq!(
        rows_of(&entries(&bench, anna.id)),
        [
            "2026-03-02 0 0.00 0",
            "2026-03-03 0.0461538462 600.00 0.0461538462",
            "2026-03-04 -0.0926470588 -1260.00 -0.0507692307",
            "2026-03-05 0 0.00 -0.0507692307",
            "2026-03-06 0.0534846029 660.00 0.0000000001",
            "2026-03-07 0 0.00 0.0000000001",
            "2026-03-08 0 0.00 0.0000000001",
        ]
    );
}

/// (rule: accounts/performance-entries)
#[test]
fn a_range_is_cut_to_the_days_that_have_entries_and_begins_its_own_chain() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "1000", &[(DAILY, "100")]);
    bench.to("2026-03-20T12:00:00+01:00");
    let all = entries(&bench, anna.id);
    let range = |from: &str, to: &str| query::account_performance(&bench.world, anna.id, Some((date(from), date(to))));
    let part = range("2026-03-10", "2026-03-13");
    let days =
        |entries: &[DailyReturn]| entries.iter().map(|e| (e.date, e.day_return, e.day_result)).collect::<Vec<_>>();
    assert_eq!(days(&part), days(&all[8..12]));
    assert_eq!(part[0].cumulative_return, part[0].day_return);
    assert_eq!(range("2026-02-01", "2026-03-03"), all[..2]);
    assert_eq!(range("2026-03-19", "2030-01-01").len(), 1);
    assert_eq!(range("2026-02-01", "2026-03-01"), []);
    assert_eq!(range("2026-03-20", "2030-01-01"), []);
}

/// (rule: accounts/external-flows)
#[test]
fn buying_earns_nothing_and_money_that_moves_between_accounts_is_a_flow_of_both() {
    let mut bench = Bench::new(1, START);
    let mut source = bench.open("0");
    source.owner = Some(bench.owner(SSN));
    source.positions = vec![(id(DAILY), units("100"))];
    let source = bench.account(source);
    let target = holding(&mut bench, "0", &[]);
    let mut place = bench.sell(&source, DAILY, "40");
    place.executor = Some(PersonalNumber::parse(SSN).expect("valid"));
    place.proceeds = Proceeds::Transfer(target.id);
    bench.order(place);
    bench.to("2026-03-04T12:00:00+01:00");
    let bought = bench.buy(&bench.again(&target), T_PLUS_ONE, "1000");
    bench.order(bought);
    bench.to("2026-03-12T12:00:00+01:00");
    let (gave, got) = (entries(&bench, source.id), entries(&bench, target.id));
    assert_eq!(got[0].date, date("2026-03-04"), "the day on which the proceeds came");
    assert!(rows_of(&got[..1])[0].ends_with(" 0 0.00 0"), "{got:?}");
    // The purchase was settled on the second day, and lost what is less than one step of units.
    assert_eq!(got[1].day_result, -amount("0.01"), "{got:?}");
    let (worth, start) = (query::value(&bench.world, &bench.again(&source)), gave[0].day_result);
    assert!(start.is_zero() && worth.is_positive());
    // Together the transfer is no flow: the owner earned what the accounts did.
    let together = owned(&bench);
    assert_eq!(results(&together), results(&gave) + results(&got));
    let on = |entries: &[DailyReturn], day: &str| entries.iter().find(|e| e.date == date(day)).map(|e| e.day_result);
    let day = "2026-03-04";
    assert_eq!(on(&together, day), Some(on(&gave, day).expect("one") + on(&got, day).expect("one")));
}

/// (rule: accounts/external-flows, accounts/performance-entries)
#[test]
fn a_payout_leaves_on_the_day_it_is_asked_for_and_a_deleted_account_ends_with_its_deletion() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "1000", &[(DAILY, "10")]);
    let scope = bench.scope;
    let now = bench.world.now();
    bench.world.apply(now, Command::CloseAccount { scope, account: anna.id }).expect("closes");
    bench.to("2026-03-20T12:00:00+01:00");
    let deleted = bench.again(&anna).deleted.expect("deleted by then").local_date();
    let series = entries(&bench, anna.id);
    assert_eq!(series.last().map(|entry| entry.date), Some(deleted));
    let paid = query::cash_transactions(&bench.world, scope.client, &Default::default(), &Default::default());
    let payout = paid.last().expect("paid out").stamp.created.local_date();
    assert!(series.iter().filter(|e| e.date > payout).all(|e| e.day_result.is_zero() && e.day_return.is_zero()));
    assert!(series.iter().all(|entry| entry.day_return > Decimal::NEGATIVE_ONE), "no day lost everything");
    assert_eq!(owned(&bench), series);
    // Another account of the same owner stays open, and the deleted one counts as nothing.
    let other = holding(&mut bench, "500", &[(DAILY, "10")]);
    bench.to("2026-04-01T12:00:00+02:00");
    let (both, own) = (owned(&bench), entries(&bench, other.id));
    assert_eq!(both.len(), 30);
    assert_eq!(both.last().map(|entry| entry.date), Some(date("2026-03-31")));
    let tail = |entries: &[DailyReturn]| {
        entries.iter().rev().take(own.len()).map(|e| (e.date, e.day_return, e.day_result)).collect::<Vec<_>>()
    };
    assert_eq!(tail(&both), tail(&own));
}

/// (rule: accounts/daily-value)
#[test]
fn past_performance_is_not_changed_by_corrected_prices_or_by_purging() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "5000", &[(DAILY, "100"), (GLOBAL, "3.5")]);
    let placed = bench.buy(&anna, DAILY, "2000");
    let canceled = bench.order(placed);
    bench.to("2026-03-02T10:00:00+01:00");
    let (scope, now) = (bench.scope, bench.world.now());
    bench.world.apply(now, Command::CancelOrder { scope, order: canceled.id }).expect("still pending");
    bench.to("2026-03-06T12:00:00+01:00");
    let before = entries(&bench, anna.id);
    price(&mut bench, DAILY, "2026-03-05", "140");
    let partner = scope.partner;
    let cash = query::cash_transactions(&bench.world, scope.client, &Default::default(), &Default::default());
    let aborted = cash.iter().find(|cash| cash.aborted.is_some()).map(|cash| Purgeable::CashTransaction(cash.id));
    let now = bench.world.now();
    for what in aborted.into_iter().chain([Purgeable::Order(canceled.id)]) {
        bench.world.apply(now, Command::Purge { partner, what }).expect("it has ended");
    }
    assert_eq!(entries(&bench, anna.id), before);
    bench.to("2026-03-09T12:00:00+01:00");
    let after = entries(&bench, anna.id);
    assert_eq!(after[..before.len()], before);
    assert!(after[4].day_result > amount("1000"), "the correction was learned on Friday: {:?}", after[4]);
}

/// (rule: accounts/performance-entries, accounts/time-weighted-return)
#[test]
fn accounts_of_an_owner_are_summed_before_the_formula() {
    let mut bench = Bench::new(1, START);
    let large = holding(&mut bench, "0", &[(DAILY, "100")]);
    let small = holding(&mut bench, "1000", &[]);
    price(&mut bench, DAILY, "2026-03-02", "100");
    price(&mut bench, DAILY, "2026-03-03", "110");
    bench.to("2026-03-04T12:00:00+01:00");
    let returned = |entries: &[DailyReturn]| entries[1].day_return.to_string();
    assert_eq!(returned(&entries(&bench, large.id)), "0.1");
    assert_eq!(returned(&entries(&bench, small.id)), "0");
    // 1,000 of 11,000.
    assert_eq!(returned(&owned(&bench)), "0.0909090909");
    let nobody = OwnerKey::Ssn(PersonalNumber::parse("198112189876").expect("a number"));
    assert_eq!(query::owner_performance(&bench.world, bench.scope.client, nobody, None), []);
}

/// (rule: accounts/performance-entries)
#[test]
fn an_account_into_which_nothing_has_come_begins_no_series_but_counts_among_its_owners() {
    let mut bench = Bench::new(1, START);
    let (_, other) = (holding(&mut bench, "1000", &[]), holding(&mut bench, "0", &[]));
    let partner = bench.scope.partner;
    let books = |bench: &mut Bench, instant: &str, kind, ref_type| {
        bench.to(instant);
        let what = Booked::Cash { kind, ref_type, amount: amount("100") };
        let book = Book { partner, account: other.id, what, text: None };
        bench.world.apply(bench.world.now(), Command::Book(Box::new(book))).expect("booked");
    };
    books(&mut bench, "2026-03-03T12:00:00+01:00", CashType::Settlement, CashRefType::Correction);
    bench.to("2026-03-05T12:00:00+01:00");
    let rows_then = rows_of(&owned(&bench));
    assert_eq!(rows_then, ["2026-03-02 0 0.00 0", "2026-03-03 0.1 100.00 0.1", "2026-03-04 0 0.00 0.1"]);
    assert_eq!(entries(&bench, other.id), [], "its own begins with its first flow");
    // The first flow changes nothing of the days before.
    books(&mut bench, "2026-03-05T12:00:00+01:00", CashType::Deposit, CashRefType::Gift);
    bench.to("2026-03-07T12:00:00+01:00");
    let days = rows_of(&owned(&bench));
    assert_eq!((&days[..3], days.len()), (&rows_then[..], 5));
    assert_eq!(rows_of(&entries(&bench, other.id)), ["2026-03-05 0 0.00 0", "2026-03-06 0 0.00 0"]);
}

/// (rule: money/converted-prices)
#[test]
fn a_converted_price_is_rounded_before_it_is_multiplied() {
    let mut setup = setup();
    setup.instruments[2].first_price = Price::parse("55.512345").expect("a price");
    let mut bench = Bench::of(&setup, 1, START);
    let anna = holding(&mut bench, "0", &[(GLOBAL, "9000000")]);
    let view = query::positions(&bench.world, &anna, bench.world.now()).remove(0);
    let close = view.close_price.expect("a price");
    let euro = Currency::parse("EUR").expect("a currency");
    let exact = Decimal::new(55_512_345, 6) * query::rate(&bench.world, euro, bench.world.now());
    assert!(exact.normalize().scale() > 6 && close == round_half_up(exact, 6), "{exact} {close}");
    let worth = Amount::from_units(units("9000000"), close);
    assert_ne!(worth, Amount::from_units(units("9000000"), exact));
    assert_eq!((view.value, query::value(&bench.world, &anna)), (Some(worth), worth));
}

/// (rule: accounts/daily-value)
#[test]
fn a_history_has_the_value_and_the_balance_of_every_midnight_that_is_over() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "1000", &[(DAILY, "10")]);
    bench.to("2026-03-04T08:00:00+01:00");
    let buy = bench.buy(&anna, DAILY, "400");
    bench.order(buy);
    bench.to("2026-03-10T08:00:00+01:00");
    let history = query::history(&bench.world, anna.id).expect("it is known");
    let days: Vec<_> = history.days.iter().map(|day| (day.date.to_string(), day.balance.to_string())).collect();
    assert_eq!(days.first(), Some(&("2026-03-02".to_owned(), "1000.00".to_owned())));
    assert_eq!(days.last(), Some(&("2026-03-09".to_owned(), "600.00".to_owned())));
    let ordered = history.days.iter().find(|day| day.date == date("2026-03-04")).expect("a day");
    assert_eq!(ordered.balance, amount("600"), "a purchase leaves the balance when it is booked");
    let mut value = Amount::ZERO;
    for (day, entry) in history.days.iter().zip(entries(&bench, anna.id)) {
        value += entry.day_result + day.flow;
        assert_eq!((day.date, day.value), (entry.date, value));
    }
    assert_eq!((history.orders.len(), history.actions.len()), (1, 0));
    assert!(query::history(&bench.world, AccountId::from_u128(1)).is_none());
}

/// (rule: accounts/time-weighted-return, accounts/external-flows, accounts/performance-entries)
#[test]
fn the_days_of_the_worked_example_return_what_they_should() {
    let mut bench = Bench::new(1, START);
    let anna = holding(&mut bench, "0", &[(DAILY, "100")]);
    for (day, text) in
        [("2026-03-02", "100"), ("2026-03-03", "101"), ("2026-03-04", "102.515"), ("2026-03-05", "101.1899")]
    {
        price(&mut bench, DAILY, day, text);
    }
    let books = |bench: &mut Bench, instant: &str, kind, ref_type, text: &str| {
        bench.to(instant);
        let what = Booked::Cash { kind, ref_type, amount: amount(text) };
        let book = Book { partner: bench.scope.partner, account: anna.id, what, text: None };
        bench.world.apply(bench.world.now(), Command::Book(Box::new(book))).expect("booked");
    };
    // 10,000.00, 10,100.00, 15,251.50 with 5,000 that came, 13,118.99 with 2,000 that went.
    books(&mut bench, "2026-03-04T12:00:00+01:00", CashType::Deposit, CashRefType::Gift, "5000");
    books(&mut bench, "2026-03-05T12:00:00+01:00", CashType::Withdrawal, CashRefType::Donation, "2000");
    bench.to("2026-03-06T00:00:00+01:00");
    assert_eq!(query::value(&bench.world, &bench.again(&anna)), amount("13118.99"));
    let days = entries(&bench, anna.id);
    assert_eq!(
        rows_of(&days),
        [
            "2026-03-02 0 0.00 0",
            "2026-03-03 0.01 100.00 0.01",
            "2026-03-04 0.015 151.50 0.02515",
            "2026-03-05 -0.0086883257 -132.51 0.0162431629",
        ]
    );
    assert_eq!(results(&days), amount("13118.99") - amount("13000"));
}

/// (rule: accounts/external-flows)
#[test]
fn which_units_come_from_outside_and_which_are_earned() {
    use FundRefType::{Compensations, Correction, Dividend, Gift, Inheritance};
    use FundType::{Redemption, Subscription};
    for (kind, ref_type, earned) in [
        (Subscription, Gift, "0"),
        (Subscription, Inheritance, "0"),
        (Subscription, Correction, "400"),
        (Subscription, Compensations, "400"),
        (Subscription, Dividend, "400"),
        (Redemption, Gift, "0"),
        (Redemption, Inheritance, "0"),
        (Redemption, Correction, "-400"),
    ] {
        let mut bench = Bench::new(1, START);
        let anna = holding(&mut bench, "1000", &[(DAILY, "100")]);
        for day in ["2026-03-02", "2026-03-03"] {
            price(&mut bench, DAILY, day, "100");
        }
        bench.to("2026-03-03T08:00:00+01:00");
        let instrument = id(DAILY);
        let what = Booked::Units { kind, ref_type, instrument, units: units("4"), cost: None };
        bench.book(&anna, what).expect("booked");
        bench.to("2026-03-04T12:00:00+01:00");
        assert_eq!(entries(&bench, anna.id)[1].day_result, amount(earned), "{kind:?} {ref_type:?}");
    }
}

/// (rule: accounts/external-flows)
#[test]
fn insurance_tax_is_a_flow_and_fees_premiums_and_what_fund_companies_give_are_earned_or_lost() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("100000");
    open.account_type = sim::records::AccountType::Insurance;
    // Old enough to pay for the risk.
    open.owner = Some(bench.owner("194508219385"));
    let anna = bench.account(open);
    bench.to("2026-04-02T12:00:00+02:00");
    let cash = query::cash_transactions(&bench.world, bench.scope.client, &Default::default(), &Default::default());
    let taken: Vec<_> =
        cash.iter().filter(|cash| cash.kind == CashType::Fee).map(|cash| (cash.ref_type, cash.amount)).collect();
    let [(CashRefType::InsuranceTax, tax), lost @ ..] = &taken[..] else { panic!("taxed first: {taken:?}") };
    assert!(tax.is_positive() && lost.len() == 3, "{taken:?}");
    let lost: Amount = lost.iter().map(|(_, amount)| *amount).sum();
    let day = entries(&bench, anna.id).pop().expect("the first of April");
    assert_eq!((day.date, day.day_result), (date("2026-04-01"), -lost));
}

/// (rule: accounts/external-flows)
#[test]
fn a_payout_that_comes_back_is_a_flow_of_the_day_on_which_it_does() {
    let mut bench = Bench::of(&crate::common::free(), 1, START);
    let mut open = bench.open("1000");
    open.owner = Some(bench.owner(SSN));
    open.bank_accounts = vec![bench.bank("SE9350000000050000000094")];
    let anna = bench.account(open);
    let withdraw = bench.withdrawal(&anna, Some("400"));
    bench.to("2026-03-03T12:00:00+01:00");
    bench.world.apply(bench.world.now(), Command::Withdraw(withdraw)).expect("on its way");
    bench.to("2026-03-08T12:00:00+01:00");
    let history = query::history(&bench.world, anna.id).expect("it is known");
    let flows: Vec<_> = history.days.iter().map(|day| day.flow.to_string()).collect();
    // Asked for after noon on Tuesday, paid on Thursday, back on Friday.
    assert_eq!(flows, ["1000.00", "-400.00", "0.00", "0.00", "400.00", "0.00"]);
    assert!(entries(&bench, anna.id).iter().all(|day| day.day_result.is_zero() && day.day_return.is_zero()));
}

/// (rule: accounts/external-flows, securities/split)
#[test]
fn units_that_come_before_a_split_on_its_day_earn_nothing_by_it() {
    for (given_at, factor) in [
        ("2026-03-03T08:30:00+01:00", "2"),
        ("2026-03-03T08:30:00+01:00", "0.25"),
        ("2026-03-03T09:15:00+01:00", "2"),
        ("2026-03-03T15:00:00+01:00", "2"),
    ] {
        let mut setup = setup();
        setup.instruments[0].volatility_bp = 0;
        let mut bench = Bench::of(&setup, 1, START);
        let anna = holding(&mut bench, "1000", &[(DAILY, "100")]);
        bench.to("2026-03-02T20:00:00+01:00");
        bench.announce(DAILY, split(factor)).expect("it can be announced");
        bench.to(given_at);
        let what = Booked::Units {
            kind: FundType::Subscription,
            ref_type: FundRefType::Gift,
            instrument: id(DAILY),
            units: units("40"),
            cost: None,
        };
        bench.book(&anna, what).expect("booked");
        let out = Booked::Units {
            kind: FundType::Redemption,
            ref_type: FundRefType::Gift,
            instrument: id(DAILY),
            units: units("10"),
            cost: None,
        };
        bench.book(&anna, out).expect("booked");
        bench.to("2026-03-05T12:00:00+01:00");
        let days = entries(&bench, anna.id);
        let earned: Vec<_> = days.iter().map(|day| (day.day_return, day.day_result)).collect();
        assert_eq!(earned, [(Decimal::ZERO, amount("0")); 3], "given at {given_at}, split by {factor}");
    }
}
