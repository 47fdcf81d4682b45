//! Bookings by lever: what each kind looks like, and what is refused.

use crate::common::{Bench, DAILY, amount, id, units};
use crate::securities::START;
use sim::command::{Booked, OpenAccount};
use sim::records::{CashRefType, CashType, FundRefType, FundType};
use sim::{Class, Command, Reply};

fn cash(kind: CashType, ref_type: CashRefType, text: &str) -> Booked {
    Booked::Cash { kind, ref_type, amount: amount(text) }
}

fn fund(kind: FundType, ref_type: FundRefType, text: &str, cost: Option<&str>) -> Booked {
    Booked::Units { kind, ref_type, instrument: id(DAILY), units: units(text), cost: cost.map(amount) }
}

/// (rule: accounts/corrections, accounts/dividends, money/lifetime-amounts)
#[test]
fn cash_by_lever_moves_the_balance_and_only_gifts_and_donations_are_counted() {
    use CashRefType::{Compensations, Correction, Dividend, Donation, Gift, Inheritance};
    use CashType::{Deposit, Fee, Settlement, Withdrawal};
    for (kind, ref_type, figures) in [
        (Settlement, Correction, ["1010.50", "1000.00", "0.00"]),
        (Settlement, Dividend, ["1010.50", "1000.00", "0.00"]),
        (Settlement, Compensations, ["1010.50", "1000.00", "0.00"]),
        (Fee, Correction, ["989.50", "1000.00", "0.00"]),
        (Deposit, Gift, ["1010.50", "1010.50", "0.00"]),
        (Deposit, Inheritance, ["1010.50", "1010.50", "0.00"]),
        (Withdrawal, Donation, ["989.50", "1000.00", "10.50"]),
    ] {
        let mut bench = Bench::new(1, START);
        let anna = bench.account(bench.open("1000"));
        let reply = bench.book(&anna, cash(kind, ref_type, "10.50")).expect("it can be booked");
        let Reply::CashTransaction(booked) = reply else { panic!("{reply:?}") };
        assert_eq!((booked.kind, booked.ref_type, booked.amount), (kind, ref_type, amount("10.50")));
        assert!(booked.settlement.is_some() && booked.text.as_deref() == Some("why"));
        let account = bench.again(&anna);
        let shown = [account.balance, account.deposited, account.withdrawn].map(|sum| sum.to_string());
        assert_eq!(shown, figures, "{kind:?} {ref_type:?}");
    }
}

/// (rule: accounts/corrections)
#[test]
fn units_by_lever_cost_what_is_given_or_what_they_are_worth_and_go_with_their_share() {
    use FundRefType::{Compensations, Correction, Dividend, Gift, Inheritance};
    use FundType::{Redemption, Subscription};
    for (kind, ref_type, text, cost, position) in [
        (Subscription, Correction, "10", Some("0"), Some(["20", "20", "61.725"])),
        (Subscription, Gift, "10", Some("234.55"), Some(["20", "20", "73.4525"])),
        (Subscription, Inheritance, "10", None, Some(["20", "20", "123.45"])),
        (Subscription, Compensations, "0.0000001", None, Some(["10.0000001", "10.0000001", "123.45"])),
        (Subscription, Dividend, "10", None, Some(["20", "20", "123.45"])),
        (Redemption, Correction, "4", None, Some(["6", "6", "123.45"])),
        (Redemption, Gift, "10", None, None),
        (Redemption, Inheritance, "9.9999999", None, Some(["0.0000001", "0.0000001", "123.45"])),
    ] {
        let mut bench = Bench::new(1, START);
        bench.set_price(DAILY, "2026-03-02", "123.45").expect("within bounds");
        bench.to("2026-03-03T08:00:00+01:00");
        let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("0") });
        let reply = bench.book(&anna, fund(kind, ref_type, text, cost)).expect("it can be booked");
        let Reply::FundTransaction(booked) = reply else { panic!("{reply:?}") };
        assert_eq!((booked.kind, booked.ref_type, booked.units), (kind, ref_type, units(text)));
        assert!(booked.settlement.is_some(), "it is settled at once");
        let shown = bench.position(&anna, DAILY);
        let shown = shown.as_ref().map(|[units, settled, gav, _]| [units.as_str(), settled, gav]);
        assert_eq!(shown, position, "{kind:?} {ref_type:?} {text}");
    }
}

/// (rule: accounts/corrections, money/reservations)
#[test]
fn more_than_orders_have_left_cannot_be_booked_out() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("1000") });
    bench.order(bench.buy(&anna, DAILY, "600"));
    bench.order(bench.sell(&anna, DAILY, "4"));
    for (what, complaint) in [
        (cash(CashType::Fee, CashRefType::Correction, "400.01"), "amount exceeds the available cash of 400.00 SEK"),
        (cash(CashType::Withdrawal, CashRefType::Donation, "1000"), "amount exceeds the available cash of 400.00 SEK"),
        (fund(FundType::Redemption, FundRefType::Gift, "6.0000001", None), "units exceeds the available 6 units"),
    ] {
        assert_eq!(bench.book(&anna, what), Err((Class::Conflict, complaint.to_owned())));
    }
    for what in
        [cash(CashType::Fee, CashRefType::Correction, "400"), fund(FundType::Redemption, FundRefType::Gift, "6", None)]
    {
        bench.book(&anna, what).expect("exactly what is left");
    }
}

/// (rule: accounts/corrections)
#[test]
fn other_kinds_figures_of_nothing_and_accounts_that_are_not_open_are_refused() {
    let (subscription, redemption) = (FundType::Subscription, FundType::Redemption);
    for (what, class) in [
        (cash(CashType::Deposit, CashRefType::Payment, "1"), Class::Malformed),
        (cash(CashType::Redemption, CashRefType::Order, "1"), Class::Malformed),
        (cash(CashType::Settlement, CashRefType::Ca, "1"), Class::Malformed),
        (cash(CashType::Settlement, CashRefType::Dividend, "0"), Class::Malformed),
        (fund(subscription, FundRefType::Order, "1", None), Class::Malformed),
        (fund(subscription, FundRefType::Gift, "0", None), Class::Malformed),
        (fund(subscription, FundRefType::Gift, "1", Some("-1")), Class::Malformed),
        (fund(redemption, FundRefType::Gift, "1", Some("1")), Class::Malformed),
        (fund(redemption, FundRefType::Dividend, "1", None), Class::Malformed),
    ] {
        let mut bench = Bench::new(1, START);
        let anna = bench.account(OpenAccount { positions: vec![(id(DAILY), units("10"))], ..bench.open("1000") });
        assert_eq!(bench.book(&anna, what.clone()).expect_err("refused").0, class, "{what:?}");
    }
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("0"));
    let close = Command::CloseAccount { scope: bench.scope, account: anna.id };
    bench.pull(close).expect("an empty account can be closed");
    let gift = cash(CashType::Deposit, CashRefType::Gift, "1");
    assert_eq!(bench.book(&anna, gift).expect_err("it is closed").0, Class::Conflict);
}

/// (rule: payments/bounced-payout)
#[test]
fn a_donation_is_no_payout_that_could_come_back() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("1000"));
    let reply = bench.book(&anna, cash(CashType::Withdrawal, CashRefType::Donation, "10")).expect("booked");
    let Reply::CashTransaction(booked) = reply else { panic!("{reply:?}") };
    let partner = bench.scope.partner;
    let refused = bench.pull(Command::BouncePayout { partner, transaction: booked.id }).expect_err("it stays");
    assert_eq!(refused, (Class::Conflict, "transactionId does not allow this while it is not a payout".to_owned()));
}

/// (rule: accounts/corrections, money/average-acquisition-value)
#[test]
fn figures_near_the_largest_are_booked_exactly_or_refused() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("0"));
    let (gift, most) = (FundRefType::Gift, "999999999999");
    bench.book(&anna, fund(FundType::Subscription, gift, most, Some("999999999999999"))).expect("it can be booked");
    let given = bench.again(&anna).positions[0].cost;
    bench.book(&anna, fund(FundType::Redemption, gift, "1", None)).expect("one of them goes");
    let left = bench.again(&anna).positions[0].cost;
    assert!(left < given && left > given - rust_decimal::Decimal::new(2_000, 0), "{given} {left}");
    let refusal = bench.book(&anna, fund(FundType::Subscription, gift, "999999999999999", None));
    assert_eq!(refusal.expect_err("worth too much").0, Class::OutsideLimits);
    // An order of more than anybody holds is refused for what it is.
    let mut sell = bench.sell(&anna, DAILY, "1");
    sell.units = Some(units("999999999999999"));
    let refusal = bench.does(Command::PlaceOrder(sell)).expect_err("not held");
    assert_eq!(refusal.class, Class::Insufficient);
}
