//! The last charges and retrocessions of accounts that close.

use super::{MARCH, charged, holding, still};
use crate::common::{Bench, DAILY, amount, id, units};
use sim::command::{Book, Booked};
use sim::records::{AccountType, FundRefType, FundType};
use sim::{Class, Command, Reply, query};

/// (rule: accounts/daily-value, fees/retrocession)
#[test]
fn an_account_that_closes_gets_and_pays_what_accrues_until_its_units_have_left() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1000", &[(DAILY, "100")]);
    bench.to("2026-03-12T12:00:00+01:00");
    let now = bench.world.now();
    bench.world.apply(now, Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-04-20T12:00:00+02:00");
    // Sold on the 12th, settled on the 16th. Fourteen days: 12,345.00 at 50 basis points, 13,345.00 at 15.
    let charges = charged(&bench, &anna);
    assert_eq!(charges, ["Retrocession Text SE0SBX000016SEK-2026Q1 2.37", "Fee ServiceFee 2026Q1 0.77"]);
    let closed = bench.again(&anna);
    assert!(closed.deleted.is_some() && closed.balance.is_zero());
}

/// (rule: accounts/arrears-at-closing)
#[test]
fn an_ore_of_retrocessions_keeps_an_account_from_being_deleted_at_once() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(DAILY, "100")]);
    bench.to("2026-03-12T12:00:00+01:00");
    let sold = bench.sell(&anna, DAILY, "100");
    let bank = anna.bank_accounts[0].id;
    bench.order(sim::command::PlaceOrder {
        proceeds: sim::records::Proceeds::PayOut(bank),
        executor: match &*anna.owner {
            sim::records::Owner::NaturalPerson(person) => Some(person.ssn),
            sim::records::Owner::LegalEntity(_) => None,
        },
        ..sold
    });
    bench.to("2026-03-20T12:00:00+01:00");
    let empty = bench.again(&anna);
    assert!(empty.positions.is_empty() && empty.balance.is_zero());
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    assert!(bench.again(&anna).deleted.is_none(), "retrocessions are on their way out");
    bench.to("2026-03-25T12:00:00+01:00");
    assert!(bench.again(&anna).deleted.is_some());
    let charges = charged(&bench, &anna);
    assert!(charges[0].starts_with("Retrocession Text SE0SBX000016SEK-2026Q1 ") && charges.len() == 2, "{charges:?}");
}

/// (rule: accounts/arrears-at-closing)
#[test]
fn without_a_bank_account_retrocessions_refuse_a_closing_and_a_sanctioned_owner_waits_for_them() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let mut open = bench.open("0");
    open.positions = vec![(crate::common::id(DAILY), crate::common::units("100"))];
    let anna = bench.account(open);
    bench.to("2026-03-12T12:00:00+01:00");
    let close = Command::CloseAccount { scope: bench.scope, account: anna.id };
    assert_eq!(bench.does(close.clone()).expect_err("where to?").class, Class::BadTarget);
    // Once the units are gone nothing is left but what fund companies will give back.
    let what = Booked::Units {
        kind: FundType::Redemption,
        ref_type: FundRefType::Gift,
        instrument: id(DAILY),
        units: units("100"),
        cost: None,
    };
    let book = Book { partner: bench.scope.partner, account: anna.id, what, text: None };
    bench.does(Command::Book(Box::new(book))).expect("given away");
    assert!(bench.again(&anna).positions.is_empty() && bench.again(&anna).balance.is_zero());
    assert_eq!(bench.does(close).expect_err("where to?").class, Class::BadTarget);
}

/// (rule: fees/distribution-fee, fees/retrocession)
#[test]
fn a_closing_between_a_quarter_and_its_fee_day_charges_and_gives_back_both_quarters_by_name() {
    let mut bench = Bench::of(&still(), 1, "2026-12-01T08:00:00+01:00");
    let anna = holding(&mut bench, AccountType::Depot, "100000", &[(DAILY, "1000")]);
    bench.to("2027-01-03T12:00:00+01:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2027-01-31T12:00:00+01:00");
    // Sold on the 4th, settled on the 7th: 31 days of December and six of January, at 223,450.00, of which 123,450.00 at 50
    // basis points. 0.0031 too much was charged for December.
    assert_eq!(
        charged(&bench, &anna),
        [
            "Retrocession Text SE0SBX000016SEK-2026Q4 52.42",
            "Retrocession Text SE0SBX000016SEK-2027Q1 10.15",
            "Fee ServiceFee 2026Q4 28.47",
            "Fee ServiceFee 2027Q1 5.51",
        ]
    );
    assert!(bench.again(&anna).deleted.is_some());
}

/// (rule: accounts/arrears-at-closing, fees/fee-booking)
#[test]
fn what_the_last_cash_does_not_reach_stays_as_arrears_in_the_books() {
    let mut setup = still();
    setup.instruments.iter_mut().for_each(|fund| fund.rebate = rust_decimal::Decimal::ZERO);
    let mut bench = Bench::of(&setup, 1, MARCH);
    let anna = holding(&mut bench, AccountType::Isk, "1000000", &[]);
    bench.to("2026-03-12T12:00:00+01:00");
    let all = bench.withdrawal(&anna, None);
    bench.does(Command::Withdraw(all)).expect("has the cash");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-03-20T12:00:00+01:00");
    assert!(bench.again(&anna).deleted.is_some());
    let file = query::fees_of(&bench.world, anna.id).expect("a file");
    // Ten days at 1,000,000.00.
    assert_eq!((file.owed[3].arrears, file.is_final), (amount("41.10"), true));
}

/// (rule: accounts/arrears-at-closing, accounts/payout-of-closing-returns)
#[test]
fn cash_that_has_come_back_accrues_and_pays_for_it_before_it_is_paid_again() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let mut open = bench.open("1000000");
    open.bank_accounts = ["SE8150000000050000000019", "SE4550000000058398257466"].map(|iban| bench.bank(iban)).into();
    let anna = bench.account(open);
    bench.to("2026-03-12T12:00:00+01:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-03-16T10:00:00+01:00");
    let cash = bench.cash_of(&anna);
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 41.10"]);
    let (partner, transaction) = (bench.scope.partner, cash.last().expect("paid out").id);
    bench.does(Command::BouncePayout { partner, transaction }).expect("it comes back");
    bench.to("2026-04-20T12:00:00+02:00");
    // Ten days at 1,000,000.00, of which 0.0041 was charged too much; then seven, the 16th to the 22nd, at 999,958.90.
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 41.10", "Fee ServiceFee 2026Q1 28.76"]);
    let closed = bench.again(&anna);
    assert!(closed.deleted.is_some() && closed.balance.is_zero());
}

/// (rule: accounts/arrears-at-closing, fees/retrocession)
#[test]
fn units_of_a_closed_fund_earn_and_pay_by_the_quarter_until_they_can_be_sold() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(DAILY, "1000")]);
    let trading = |is_sellable| {
        let (is_buyable, is_tradable) = (Some(true), Some(true));
        let instrument = id(DAILY);
        Command::SetTrading(sim::command::SetTrading { instrument, is_buyable, is_sellable, is_tradable })
    };
    bench.does(trading(Some(false))).expect("closed");
    bench.to("2026-03-12T12:00:00+01:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-10-05T12:00:00+02:00");
    assert_eq!(charged(&bench, &anna), [""; 0], "nothing is booked before the last payout");
    bench.does(trading(Some(true))).expect("open again");
    bench.to("2026-10-30T12:00:00+01:00");
    // Looked at and sold on the 6th, settled on the 8th: 30, 91, 92 and 7 days at 123,450.00.
    assert_eq!(
        charged(&bench, &anna),
        [
            "Retrocession Text SE0SBX000016SEK-2026Q1 50.73",
            "Retrocession Text SE0SBX000016SEK-2026Q2 153.89",
            "Retrocession Text SE0SBX000016SEK-2026Q3 155.58",
            "Retrocession Text SE0SBX000016SEK-2026Q4 11.84",
            "Fee ServiceFee 2026Q1 15.22",
            "Fee ServiceFee 2026Q2 46.17",
            "Fee ServiceFee 2026Q3 46.67",
            "Fee ServiceFee 2026Q4 3.55",
        ]
    );
    assert!(bench.again(&anna).deleted.is_some());
}

/// (rule: fees/insurance-charges)
#[test]
fn the_quarter_in_which_an_insurance_closes_is_taxed_whole() {
    let mut bench = Bench::of(&still(), 1, "2026-04-01T08:00:00+02:00");
    let anna = holding(&mut bench, AccountType::Insurance, "100000", &[]);
    bench.to("2026-04-11T12:00:00+02:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    // Two fourths of 1.065 %.
    assert_eq!(charged(&bench, &anna)[0], "Fee InsuranceTax 2026Q2 532.50");
}

/// (rule: fees/insurance-charges, accounts/endowment)
#[test]
fn what_the_insurer_adds_on_a_death_is_no_premium_and_is_not_taxed() {
    let mut bench = Bench::of(&still(), 1, "2026-03-02T08:00:00+01:00");
    let anna = holding(&mut bench, AccountType::Insurance, "100000", &[]);
    let sim::records::Owner::NaturalPerson(person) = &*anna.owner else { panic!("a person") };
    bench.does(Command::ReportDeath { ssn: person.ssn }).expect("the insurance ends");
    assert_eq!(bench.again(&anna).deposited, amount("101000"), "it counts as deposited");
    bench.to("2026-04-20T12:00:00+02:00");
    // A fourth of 1.065 % of the premium; with the thousand that was added it would be 268.91.
    assert_eq!(charged(&bench, &anna)[0], "Fee InsuranceTax 2026Q1 266.25");
}

/// (rule: fees/insurance-charges, payments/bounced-payout)
#[test]
fn a_payout_that_comes_back_to_an_insurance_is_no_premium() {
    let mut bench = Bench::of(&still(), 1, "2025-01-01T08:00:00+01:00");
    let mut insured = || {
        let mut open = bench.open("100000");
        (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner("199001012385")));
        open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
        bench.account(open)
    };
    let (plain, bounced) = (insured(), insured());
    bench.to("2026-01-02T08:00:00+01:00");
    let withdraw = bench.withdrawal(&bounced, Some("50000"));
    let paid = match bench.does(Command::Withdraw(withdraw)) {
        Ok(Reply::CashTransaction(paid)) => paid.id,
        other => panic!("not paid out: {other:?}"),
    };
    bench.to("2026-01-12T08:00:00+01:00");
    let partner = bench.scope.partner;
    bench.does(Command::BouncePayout { partner, transaction: paid }).expect("it comes back");
    bench.to("2026-04-10T08:00:00+02:00");
    let tax = |account| charged(&bench, account).into_iter().find(|charge| charge.contains("InsuranceTax 2026Q1"));
    assert!(tax(&plain).is_some());
    assert_eq!(tax(&bounced), tax(&plain), "both are taxed for what they were worth on 1 January");
}

/// (rule: fees/insurance-charges)
#[test]
fn an_insurance_that_closes_on_the_first_day_of_a_quarter_is_taxed_for_that_quarter() {
    for (closes, taxes) in [
        ("2026-03-31T23:59:59+02:00", &["2026Q1 266.25"][..]),
        // Before the charges of the first quarter fall due, and after them.
        ("2026-04-01T00:00:00+02:00", &["2026Q1 266.25", "2026Q2 266.25"]),
        ("2026-04-01T10:00:00+02:00", &["2026Q1 266.25", "2026Q2 266.25"]),
        ("2026-04-02T10:00:00+02:00", &["2026Q1 266.25", "2026Q2 266.25"]),
    ] {
        let mut bench = Bench::of(&still(), 1, MARCH);
        let anna = holding(&mut bench, AccountType::Insurance, "100000", &[]);
        bench.to(closes);
        bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
        let charges = charged(&bench, &anna);
        let taxed: Vec<_> = charges.iter().filter_map(|charge| charge.strip_prefix("Fee InsuranceTax ")).collect();
        assert_eq!(taxed, taxes, "closed at {closes}");
        let file = query::fees_of(&bench.world, anna.id).expect("a file");
        let statement = file.statement.as_ref().expect("charged");
        assert!(statement.first <= statement.last, "closed at {closes}: {statement:?}");
    }
}

/// (rule: fees/insurance-charges)
#[test]
fn an_insurance_that_opens_and_closes_on_the_first_day_of_a_year_is_taxed_for_its_first_quarter() {
    let mut bench = Bench::of(&still(), 1, "2026-01-01T08:00:00+01:00");
    let anna = holding(&mut bench, AccountType::Insurance, "100000", &[]);
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    assert_eq!(charged(&bench, &anna), ["Fee InsuranceTax 2026Q1 266.25"]);
}

/// (rule: fees/insurance-charges)
#[test]
fn other_accounts_that_close_on_the_first_day_of_a_quarter_are_charged_for_the_quarter_before() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    bench.to("2026-04-01T05:00:00+02:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 12.33"]);
}
