//! Refused orders: the first failing class, all its problems, and nothing changed.

use crate::common::{Bench, DAILY, GLOBAL, amount, fund, id, setup, units};
use sim::command::PlaceOrder;
use sim::ids::{AccountId, ClientId};
use sim::records::{Account, Category, Instrument, Proceeds};
use sim::{Class, Command};

const START: &str = "2026-03-02T08:00:00+01:00";

/// Places what `change` makes of a good order and expects a refusal of `class` with `text`, and an unchanged world.
fn refused(change: impl FnOnce(&mut PlaceOrder, &mut Bench), class: Class, text: &str) {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("1000");
    open.positions = vec![(id(DAILY), units("10"))];
    open.owner = Some(bench.owner("199001012385"));
    let anna = bench.account(open);
    let mut place = bench.buy(&anna, DAILY, "600");
    change(&mut place, &mut bench);
    let before = bench.world.digest();
    let now = bench.world.now();
    let refusal = bench.world.apply(now, Command::PlaceOrder(place)).expect_err(text);
    assert_eq!((refusal.class, refusal.to_string().as_str()), (class, text));
    assert_eq!(bench.world.digest(), before, "a refusal changes nothing");
}

/// (rule: orders/precedence, orders/executor, orders/minimums, orders/insufficient)
#[test]
fn each_check_refuses_in_its_own_words_and_in_order_of_precedence() {
    refused(
        |place, _| place.scope.client = ClientId::from_u128(1),
        Class::OutOfScope,
        "clientId is not within the scope of this token",
    );
    refused(|place, _| place.account = AccountId::from_u128(1), Class::Unknown, "account is not known");
    refused(
        |place, _| (place.amount, place.units) = (None, Some(units("1"))),
        Class::Malformed,
        "amount is required; units must be left out: a subscription is ordered by amount",
    );
    refused(|place, _| place.amount = Some(amount("0")), Class::Malformed, "amount must be greater than zero");
    refused(
        |place, _| place.client_ref = Some("x".repeat(256).into()),
        Class::Malformed,
        "clientRef must be at most 255 characters long",
    );
    refused(
        |place, _| place.executor = Some(sim::identity::PersonalNumber::parse("200002292399").expect("valid")),
        Class::ExecutorMismatch,
        "executorRef must be the account's owner or one of its signatories",
    );
    refused(|place, _| place.instrument = id("SE0SBX000081SEK"), Class::InstrumentUnknown, "instrument is not known");
    refused(
        |place, _| place.amount = Some(amount("99.99")),
        Class::OutsideLimits,
        "amount must be at least 100.00 SEK for this purchase",
    );
    refused(
        |place, _| (place.instrument, place.amount) = (id(GLOBAL), Some(amount("499.99"))),
        Class::OutsideLimits,
        "amount must be at least 500.00 SEK for this purchase",
    );
    refused(
        |place, _| place.amount = Some(amount("1000.01")),
        Class::Insufficient,
        "amount exceeds the available cash of 1000.00 SEK",
    );
}

/// The refusal of a purchase of 200.00 SEK, which is enough for any but the first.
fn small_purchase(bench: &mut Bench, account: &Account) -> Option<String> {
    let order = bench.buy(account, GLOBAL, "200");
    let checked = bench.world.apply(bench.world.now(), Command::ValidateOrder(order));
    checked.err().map(|refusal| refusal.to_string())
}

/// (rule: orders/minimums)
#[test]
fn a_purchase_is_the_first_until_one_is_ordered_or_units_have_come_and_never_again() {
    let too_small = Some("amount must be at least 500.00 SEK for this purchase".to_owned());
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("10000"));
    assert_eq!(small_purchase(&mut bench, &anna), too_small, "nothing was ever bought");
    let other = bench.order(bench.buy(&anna, DAILY, "600"));
    assert_eq!(small_purchase(&mut bench, &anna), too_small, "of another fund only");
    // One that is ordered counts before it settles, unless it is canceled.
    let first = bench.order(bench.buy(&anna, GLOBAL, "600"));
    assert_eq!(small_purchase(&mut bench, &anna), None, "one is under way");
    bench.does(Command::CancelOrder { scope: bench.scope, order: first.id }).expect("canceled");
    assert_eq!(small_purchase(&mut bench, &anna), too_small, "it was canceled");
    let again = bench.order(bench.buy(&anna, GLOBAL, "600"));
    bench.to("2026-03-06T10:00:00+01:00");
    assert_eq!([&again, &other].map(|order| bench.status(order)), ["settled", "settled"]);
    let held = bench.again(&anna).position(id(GLOBAL)).expect("it holds some").units.to_string();
    bench.order(bench.sell(&anna, GLOBAL, &held));
    bench.to("2026-03-12T10:00:00+01:00");
    assert!(bench.again(&anna).position(id(GLOBAL)).is_none(), "all is sold");
    assert_eq!(small_purchase(&mut bench, &anna), None, "what was bought once is no first purchase");
}

/// (rule: orders/minimums)
#[test]
fn units_that_came_without_an_order_make_the_next_purchase_a_later_one() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10000");
    open.positions = vec![(id(GLOBAL), units("10"))];
    let anna = bench.account(open);
    bench.order(bench.sell(&anna, GLOBAL, "10"));
    bench.to("2026-03-06T10:00:00+01:00");
    assert!(bench.again(&anna).position(id(GLOBAL)).is_none(), "all is sold");
    assert_eq!(small_purchase(&mut bench, &anna), None);
}

/// (rule: orders/decimals-of-units)
#[test]
fn a_redemption_is_refused_for_decimals_units_and_bad_targets() {
    let sell = |place: &mut PlaceOrder, text: &str| {
        place.side = sim::records::Side::Redemption;
        (place.amount, place.units) = (None, Some(units(text)));
    };
    refused(|place, _| sell(place, "1.00001"), Class::OutsideLimits, "units must have at most 4 decimals");
    refused(|place, _| sell(place, "10.0001"), Class::Insufficient, "units exceeds the available 10 units");
    refused(
        |place, _| {
            sell(place, "1");
            place.proceeds = Proceeds::PayOut(sim::ids::BankAccountId::from_u128(5));
        },
        Class::Malformed,
        "executorRef is required",
    );
    refused(
        |place, _| {
            sell(place, "1");
            place.executor = Some(sim::identity::PersonalNumber::parse("199001012385").expect("valid"));
            place.proceeds = Proceeds::Transfer(place.account);
        },
        Class::BadTarget,
        "destinationAccount must be another account",
    );
}

/// (rule: money/reservations, orders/insufficient)
#[test]
fn two_orders_cannot_use_the_same_cash() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("1000"));
    bench.order(bench.buy(&anna, DAILY, "600"));
    let now = bench.world.now();
    let second = bench.buy(&anna, DAILY, "600");
    let refusal = bench.world.apply(now, Command::PlaceOrder(second)).expect_err("only 400 are left");
    assert_eq!(refusal.to_string(), "amount exceeds the available cash of 400.00 SEK");
}

/// (rule: securities/raif)
#[test]
fn a_fund_for_professionals_is_bought_by_professionals_and_sold_by_anybody() {
    for (category, raif, fits) in [
        (Category::Retail, true, false),
        (Category::Pro, true, true),
        (Category::Retail, false, true),
        (Category::Pro, false, true),
    ] {
        let mut setup = setup();
        setup.instruments = vec![Instrument { is_raif: raif, ..fund(DAILY, "123.45") }];
        let mut bench = Bench::of(&setup, 1, START);
        let mut open = bench.open("1000");
        open.category = category;
        open.positions = vec![(id(DAILY), units("10"))];
        let account = bench.account(open);
        let buy = Command::ValidateOrder(bench.buy(&account, DAILY, "600"));
        let refused = bench.world.apply(bench.world.now(), buy).err();
        let refused = refused.map(|refusal| (refusal.class, refusal.to_string()));
        let expected = (Class::NotEligible, "instrument is open to professional clients only".to_owned());
        assert_eq!(refused, (!fits).then_some(expected), "{category:?}");
        let sell = Command::ValidateOrder(bench.sell(&account, DAILY, "10"));
        bench.world.apply(bench.world.now(), sell).expect("what is held can be sold");
    }
}

/// (rule: orders/rounds-to-nothing)
#[test]
fn what_is_worth_nothing_at_the_last_price_is_refused() {
    // Decimals of the fund's units, its price, what is ordered, and whether it rounds to nothing.
    for (decimals, price, bought, sold, fits) in [
        (0, "1000", Some("999.99"), None, false),
        (0, "1000", Some("1000"), None, true),
        (4, "10", None, Some("0.0004"), false),
        (4, "10", None, Some("0.0005"), true),
    ] {
        let mut setup = setup();
        let free = Instrument { decimals_units: decimals, min_initial: None, ..fund(DAILY, price) };
        setup.instruments = vec![Instrument { volatility_bp: 0, min_investment: amount("0.01"), ..free }];
        let mut bench = Bench::of(&setup, 1, START);
        let mut open = bench.open("5000");
        open.positions = vec![(id(DAILY), units("10"))];
        let anna = bench.account(open);
        let place = bought.map(|text| bench.buy(&anna, DAILY, text));
        let place = place.or(sold.map(|text| bench.sell(&anna, DAILY, text))).expect("one of them");
        let field = if place.amount.is_some() { "amount" } else { "units" };
        let before = bench.world.digest();
        let refused = bench.world.apply(bench.world.now(), Command::PlaceOrder(place)).err();
        let complaint = refused.map(|refusal| (refusal.class, refusal.to_string()));
        let expected = (Class::OutsideLimits, format!("{field} is worth nothing at the last published price"));
        assert_eq!(complaint, (!fits).then_some(expected), "{bought:?} {sold:?} at {price}");
        assert_eq!(bench.world.digest() == before, !fits);
    }
}
