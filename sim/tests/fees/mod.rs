//! Fees and retrocessions, over quarters.

mod clients;
mod closing;
mod currency;
mod refunds;
mod settings;

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, amount, id, setup, units};
use sim::Command;
use sim::command::SetTrading;
use sim::identity::PersonalNumber;
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Account, AccountType, CashType, ClientFees, FeeMode, FeeTerms, NaturalPerson, Order, Owner};
use sim::setup::Setup;
use sim::store::Window;
use std::sync::Arc;

const NEW_YEAR: &str = "2026-01-01T08:00:00+01:00";
const MARCH: &str = "2026-03-02T08:00:00+01:00";

/// The small world with prices that do not move.
fn still() -> Setup {
    let mut setup = setup();
    setup.instruments.iter_mut().for_each(|fund| fund.volatility_bp = 0);
    setup.rates.iter_mut().for_each(|rate| rate.volatility_bp = 0);
    setup
}

fn holding(bench: &mut Bench, kind: AccountType, cash: &str, held: &[(&str, &str)]) -> Arc<Account> {
    let mut open = bench.open(cash);
    open.account_type = kind;
    open.positions = held.iter().map(|(fund, text)| (id(fund), units(text))).collect();
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    bench.account(open)
}

/// What the platform has taken and given: type, reference, amount.
fn charged(bench: &Bench, account: &Account) -> Vec<String> {
    let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
    query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &filter)
        .iter()
        .filter(|cash| matches!(cash.kind, CashType::Fee | CashType::Retrocession))
        .map(|cash| {
            let reference = cash.reference.as_deref().unwrap_or_default();
            format!("{:?} {:?} {reference} {}", cash.kind, cash.ref_type, cash.amount)
        })
        .collect()
}

fn sales(bench: &Bench, account: &Account) -> Vec<Arc<Order>> {
    let filter = OrderFilter { account: Some(account.id), ..OrderFilter::default() };
    query::orders(&bench.world, bench.scope.client, &Window::default(), &filter)
}

/// (rule: fees/distribution-fee, accounts/daily-value)
#[test]
fn a_quarter_of_a_constant_value_is_charged_on_its_first_bank_day_and_the_rest_is_carried() {
    let mut bench = Bench::new(1, NEW_YEAR);
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    bench.to("2026-04-01T05:59:59+02:00");
    assert_eq!(charged(&bench, &anna), [""; 0]);
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 36.99"]);
    assert_eq!(bench.again(&anna).balance, amount("99963.01"));
    // 91 days of 99,963.01 are 37.3834..., and 0.0037 too much was charged before.
    bench.to("2026-07-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna)[1], "Fee ServiceFee 2026Q2 37.38");
    assert_eq!((bench.again(&anna).reserved, bench.again(&anna).withdrawn), (amount("0"), amount("0")));
}

/// (rule: fees/forced-redemption, fees/fee-booking)
#[test]
fn where_the_cash_does_not_reach_the_largest_position_is_sold_and_the_surplus_stays() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1", &[(DAILY, "1000"), (T_PLUS_ONE, "100")]);
    bench.to("2026-04-01T06:00:00+02:00");
    // 30 days of 133,321.00: 16.4368; 15.4368 of it, and 2 % more, are sold at 123.45.
    let placed = sales(&bench, &anna);
    let facts: Vec<_> = placed.iter().map(|order| (order.instrument, order.units)).collect();
    assert_eq!(facts, [(id(DAILY), Some(units("0.1276")))]);
    assert_eq!((bench.again(&anna).spendable(), charged(&bench, &anna).len()), (amount("0"), 0));
    let refused = Command::CancelOrder { scope: bench.scope, order: placed[0].id };
    let now = bench.world.now();
    bench.world.apply(now, refused).expect_err("the platform's own");
    bench.to("2026-04-07T12:00:00+02:00");
    assert_eq!(bench.status(&placed[0]), "settled");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 16.44"]);
    assert_eq!(bench.again(&anna).balance, amount("0.31"));
}

/// The small world without retrocessions, so that no cash comes by itself.
fn kept() -> Setup {
    let mut setup = still();
    setup.instruments.iter_mut().for_each(|fund| fund.rebate = rust_decimal::Decimal::ZERO);
    setup
}

/// (rule: fees/smallest-forced-sale)
#[test]
fn charges_below_the_smallest_forced_sale_stay_arrears_until_they_sum_to_it() {
    let mut bench = Bench::of(&kept(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(DAILY, "100")]);
    // 12,345.00 at 15 basis points: 30 days are 1.5220, 91 are 4.6167, 92 are 4.6674.
    for (at, arrears) in [("2026-04-01T06:00:00+02:00", "1.52"), ("2026-07-01T06:00:00+02:00", "6.14")] {
        bench.to(at);
        let file = query::fees_of(&bench.world, anna.id).expect("a file");
        assert_eq!((file.owed[3].arrears, file.due.is_some()), (amount(arrears), false), "at {at}");
        assert_eq!(sales(&bench, &anna).len(), 0, "at {at}");
    }
    bench.to("2026-10-01T06:00:00+02:00");
    // 10.81 and 2 % more, at 123.45.
    let placed: Vec<_> = sales(&bench, &anna).iter().map(|order| (order.instrument, order.units)).collect();
    assert_eq!(placed, [(id(DAILY), Some(units("0.0894")))]);
    bench.to("2026-10-10T12:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q3 10.81"]);
}

/// (rule: fees/smallest-forced-sale)
#[test]
fn what_the_cash_lacks_is_measured_by_the_setting_to_the_ore() {
    for (smallest, cash, sold) in
        [("0", "0", 1), ("1.52", "0", 1), ("1.53", "0", 0), ("1.52", "0.01", 0), ("1.51", "0.01", 1)]
    {
        let mut setup = kept();
        setup.settings.smallest_forced_sale = amount(smallest);
        let mut bench = Bench::of(&setup, 1, MARCH);
        let anna = holding(&mut bench, AccountType::Depot, cash, &[(DAILY, "100")]);
        bench.to("2026-04-01T06:00:00+02:00");
        assert_eq!(sales(&bench, &anna).len(), sold, "1.52 with {cash} there and {smallest} as the least");
    }
}

/// (rule: fees/smallest-forced-sale, fees/fee-booking)
#[test]
fn cash_pays_small_charges_as_far_as_it_reaches_and_a_closing_pays_the_rest() {
    let mut bench = Bench::of(&kept(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1", &[(DAILY, "100")]);
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!((charged(&bench, &anna), sales(&bench, &anna).len()), (vec!["Fee ServiceFee 2026Q1 1.00".into()], 0));
    assert_eq!(bench.again(&anna).reserved, amount("0"), "nothing is set aside for what is too little to sell for");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-05-01T12:00:00+02:00");
    let paid: rust_decimal::Decimal = charged(&bench, &anna)
        .iter()
        .map(|charge| charge.rsplit(' ').next().expect("an amount").parse::<rust_decimal::Decimal>().expect("a number"))
        .sum();
    assert!(paid >= amount("1.52").get(), "{:?}", charged(&bench, &anna));
    assert!(bench.again(&anna).deleted.is_some());
}

/// (rule: fees/forced-redemption)
#[test]
fn a_sale_that_falls_moves_on_to_the_next_position() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(DAILY, "1000"), (T_PLUS_ONE, "100")]);
    bench.to("2026-04-01T06:00:00+02:00");
    let partner = bench.scope.partner;
    let order = sales(&bench, &anna)[0].id;
    let now = bench.world.now();
    bench.world.apply(now, Command::RejectOrder { partner, order }).expect("still received");
    bench.to("2026-04-01T06:00:01+02:00");
    let tried: Vec<_> = sales(&bench, &anna).iter().map(|order| order.instrument).collect();
    assert_eq!(tried, [id(DAILY), id(T_PLUS_ONE)]);
    bench.to("2026-04-10T12:00:00+02:00");
    assert_eq!(charged(&bench, &anna).len(), 1);
    assert!(bench.again(&anna).balance.is_positive());
}

/// (rule: fees/fee-booking)
#[test]
fn what_cannot_be_paid_is_asked_for_again_on_the_next_day_of_fees() {
    let mut setup = still();
    setup.settings.smallest_forced_sale = amount("0");
    let mut bench = Bench::of(&setup, 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "5", &[(DAILY, "1000")]);
    let trading =
        |open| SetTrading { instrument: id(DAILY), is_buyable: None, is_sellable: Some(open), is_tradable: None };
    let now = bench.world.now();
    bench.world.apply(now, Command::SetTrading(trading(false))).expect("closes");
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 5.00"], "as far as the cash reaches");
    bench.to("2026-04-20T06:00:00+02:00");
    let given = bench.again(&anna).balance;
    assert!(given.is_positive(), "a retrocession does not pay arrears: {given}");
    let now = bench.world.now();
    bench.world.apply(now, Command::SetTrading(trading(true))).expect("opens");
    bench.to("2026-07-10T12:00:00+02:00");
    let fees: Vec<_> = charged(&bench, &anna).into_iter().filter(|charge| charge.starts_with("Fee")).collect();
    assert_eq!(fees.len(), 2, "{fees:?}");
    // 15.22 for 30 days, of which 5.00 were paid, and 46.18 for 91 days.
    assert_eq!(fees[1], "Fee ServiceFee 2026Q2 56.40");
}

/// (rule: fees/retrocession)
#[test]
fn what_fund_companies_give_back_is_paid_by_fund_on_the_tenth_bank_day() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1000", &[(DAILY, "100"), (GLOBAL, "10"), (T_PLUS_ONE, "0.01")]);
    bench.to("2026-04-16T08:59:59+02:00");
    assert_eq!(charged(&bench, &anna).len(), 1, "the fee alone");
    bench.to("2026-04-16T09:00:00+02:00");
    // 30 days: 100 x 123.45 and 10 x 55.5 x 11.35, at 50 basis points; the third comes to less than half an ore.
    let paid = charged(&bench, &anna).split_off(1);
    assert_eq!(
        paid,
        ["Retrocession Text LU0SBX000058EUR-2026Q1 2.59", "Retrocession Text SE0SBX000016SEK-2026Q1 5.07"]
    );
}

/// (rule: fees/insurance-charges, fees/fees-together)
#[test]
fn an_insurance_pays_its_insurer_first_and_for_the_risk_from_the_65th_birthday_on() {
    let mut bench = Bench::new(1, NEW_YEAR);
    let mut of = |ssn: &str| {
        let mut open = bench.open("100000");
        open.account_type = AccountType::Insurance;
        open.owner = Some(Owner::NaturalPerson(NaturalPerson {
            first_name: Arc::from("Vera"),
            last_name: Arc::from("Prov"),
            ssn: PersonalNumber::parse(ssn).expect("a number"),
        }));
        bench.account(open)
    };
    let (young, old) = (of("199001012385"), of("194508219385"));
    bench.to("2026-04-01T06:00:00+02:00");
    // A fourth of 30 % of 3.55 % of the premium of the first day.
    let [tax, fee, service] =
        ["Fee InsuranceTax 2026Q1 266.25", "Fee InsuranceFee 2026Q1 24.66", "Fee ServiceFee 2026Q1 36.99"];
    assert_eq!(charged(&bench, &young), [tax, fee, service]);
    assert_eq!(charged(&bench, &old), [tax, fee, "Fee RiskpremiaFee 2026Q1 2.47", service]);
}

/// (rule: fees/insurance-charges)
#[test]
fn insurance_tax_is_a_fourth_of_the_years_at_each_quarter_and_begins_anew_with_the_year() {
    let mut bench = Bench::of(&still(), 1, NEW_YEAR);
    let mut open = bench.open("100000");
    (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner("199001012385")));
    let anna = bench.account(open);
    bench.to("2027-04-01T06:00:00+02:00");
    let charges = charged(&bench, &anna);
    let taxes: Vec<_> = charges.iter().filter_map(|charge| charge.strip_prefix("Fee InsuranceTax ")).collect();
    // 1.065 % of 100,000.00; by 1 January 2027 three quarters are paid, and 99,014.88 are left.
    assert_eq!(taxes[..4], ["2026Q1 266.25", "2026Q2 266.25", "2026Q3 266.25", "2026Q4 266.25"]);
    assert_eq!(taxes[4], "2027Q1 263.63");
}

/// (rule: fees/fees-together, fees/fee-booking)
#[test]
fn all_kinds_are_booked_in_their_order_as_far_as_the_cash_reaches_and_each_keeps_its_own_arrears() {
    let mut setup = still();
    let client = &mut setup.partners[0].clients[0];
    let terms = FeeTerms { basis_points: 15, mode: FeeMode::Withdrawn };
    client.fees = ClientFees { partner: terms, client: terms };
    let mut bench = Bench::of(&setup, 1, NEW_YEAR);
    let mut open = bench.open("100000");
    (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner("199001012385")));
    let anna = bench.account(open);
    let now = bench.world.now();
    bench.world.apply(now, Command::PlaceOrder(bench.buy(&anna, DAILY, "99700"))).expect("has the cash");
    bench.to("2026-01-20T12:00:00+01:00");
    let shut = SetTrading { instrument: id(DAILY), is_buyable: None, is_sellable: Some(false), is_tradable: None };
    let now = bench.world.now();
    bench.world.apply(now, Command::SetTrading(shut)).expect("closes");
    bench.to("2026-04-01T06:00:00+02:00");
    // 300.00 for 266.25 + 24.66 + 36.98 + 36.98 + 36.98.
    let charges = charged(&bench, &anna);
    assert_eq!(charges[0], "Fee InsuranceTax 2026Q1 266.25");
    assert!(
        charges[1].starts_with("Fee InsuranceFee 2026Q1 24.6") && charges[2].starts_with("Fee ServiceFee 2026Q1 9.")
    );
    assert_eq!((charges.len(), bench.again(&anna).balance), (3, amount("0")));
    let file = query::fees_of(&bench.world, anna.id).expect("a file");
    let arrears: Vec<bool> = file.owed.iter().map(|owed| owed.arrears.is_positive()).collect();
    assert_eq!(arrears, [false, false, false, true, true, true]);
    assert!(file.owed.iter().all(|owed| owed.carry.abs() <= rust_decimal::Decimal::new(5, 3)));
}

/// (rule: fees/forced-redemption)
#[test]
fn ties_go_by_the_funds_id_and_one_position_after_the_other_is_sold() {
    let mut setup = still();
    setup.settings.distribution_fee = 10_000;
    let mut bench = Bench::of(&setup, 1, MARCH);
    // 10,000.00 SEK of each of two funds with the same price, and less of a third.
    let held = [(WEEKLY, "10"), (COMPLEX, "1000"), (DAILY, "1")];
    let anna = holding(&mut bench, AccountType::Depot, "0", &held);
    bench.to("2026-04-01T06:00:00+02:00");
    let tried: Vec<_> = sales(&bench, &anna).iter().map(|order| order.instrument).collect();
    let mut tied = [id(WEEKLY), id(COMPLEX)];
    tied.sort();
    assert_eq!(tried, tied[..1], "a month's fee is a twelfth of all");
    let mut bench = Bench::of(&setup, 1, "2025-12-31T08:00:00+01:00");
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(DAILY, "1"), (T_PLUS_ONE, "100")]);
    bench.to("2026-01-02T06:00:00+01:00");
    assert_eq!(sales(&bench, &anna).len(), 1, "the larger one alone");
}

/// (rule: fees/forced-redemption)
#[test]
fn each_sale_lowers_what_is_short_by_its_worth_less_the_margin_and_the_next_covers_the_rest() {
    let mut setup = still();
    setup.settings.distribution_fee = 10_000;
    let mut bench = Bench::of(&setup, 1, NEW_YEAR);
    // 10,000.00 SEK each of two funds with the same price, 9,999.45 and 9,968.70 of others.
    let held = [(COMPLEX, "1000"), (WEEKLY, "10"), (T_PLUS_ONE, "101"), (DAILY, "81")];
    let anna = holding(&mut bench, AccountType::Depot, "0.15", &held);
    bench.to("2026-04-01T06:00:00+02:00");
    let due = query::fees_of(&bench.world, anna.id).expect("a file").due.clone().expect("sales are under way");
    // 90 days of 39,968.30 at 100 %.
    assert_eq!((due.amounts[3], due.reserved), (amount("9855.20"), amount("0.15")));
    // 9,855.05 are short; 10,000.00 / 1.02 = 9,803.9216 cover all but 51.1284, and 52.1510 are 5.21510 units at 10.00.
    let placed: Vec<_> = sales(&bench, &anna).iter().map(|order| (order.instrument, order.units)).collect();
    assert_eq!(placed, [(id(WEEKLY), Some(units("10"))), (id(COMPLEX), Some(units("5.2151")))]);
    bench.to("2026-04-15T12:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 9855.20"]);
    assert_eq!(bench.again(&anna).balance, amount("197.10"), "what the margin has brought is left");
}

/// (rule: fees/forced-redemption)
#[test]
fn what_is_left_to_sell_is_exact_however_the_worth_of_the_first_sale_divides() {
    let mut setup = still();
    setup.settings.distribution_fee = 10_000;
    let mut bench = Bench::of(&setup, 1, NEW_YEAR);
    let held = [(COMPLEX, "900"), (WEEKLY, "9"), (T_PLUS_ONE, "91"), (DAILY, "72")];
    let anna = holding(&mut bench, AccountType::Depot, "0.17", &held);
    bench.to("2026-04-01T06:00:00+02:00");
    let due = query::fees_of(&bench.world, anna.id).expect("a file").due.clone().expect("sales are under way");
    assert_eq!((due.amounts[3], due.reserved), (amount("8844.72"), amount("0.17")));
    // 8,844.55 and 2 % more are 9,021.441, of which 9,000.00 come from the first: 2.1441 units at 10.00, and no step more.
    let placed: Vec<_> = sales(&bench, &anna).iter().map(|order| (order.instrument, order.units)).collect();
    assert_eq!(placed, [(id(WEEKLY), Some(units("9"))), (id(COMPLEX), Some(units("2.1441")))]);
}

/// (rule: fees/forced-redemption)
#[test]
fn a_position_that_would_bring_nothing_is_passed_over() {
    let mut setup = still();
    setup.instruments[4].first_price = sim::money::Price::parse("0.01").expect("a price");
    let mut bench = Bench::of(&setup, 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "0", &[(COMPLEX, "0.49")]);
    let partner = bench.scope.partner;
    let books = |bench: &mut Bench, at: &str, kind| {
        bench.to(at);
        let ref_type = sim::records::CashRefType::Correction;
        let what = sim::command::Booked::Cash { kind, ref_type, amount: amount("100000") };
        let book = sim::command::Book { partner, account: anna.id, what, text: None };
        bench.does(Command::Book(Box::new(book))).expect("booked");
    };
    books(&mut bench, MARCH, CashType::Settlement);
    books(&mut bench, "2026-03-31T12:00:00+02:00", CashType::Fee);
    bench.to("2026-04-01T06:00:00+02:00");
    assert!(sales(&bench, &anna).is_empty(), "half an ore cannot be sold");
    let file = query::fees_of(&bench.world, anna.id).expect("a file");
    // 29 days of 100,000.00.
    assert_eq!((file.due.is_none(), file.owed[3].arrears), (true, amount("11.92")));
}

/// (rule: fees/retrocession)
#[test]
fn less_than_half_an_ore_of_a_fund_is_never_given_back_however_many_quarters_it_comes() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    // 0.987 SEK at 50 basis points: 0.0012 a quarter, 0.0062 in five.
    let anna = holding(&mut bench, AccountType::Depot, "1000", &[(T_PLUS_ONE, "0.01")]);
    bench.to("2027-12-31T12:00:00+01:00");
    let given: Vec<_> = charged(&bench, &anna).into_iter().filter(|charge| charge.starts_with("Retro")).collect();
    assert_eq!(given, [""; 0], "nothing is carried");
}

/// (rule: fees/insurance-charges)
#[test]
fn premiums_up_to_the_30th_of_june_count_whole_and_later_ones_by_half() {
    let mut bench = Bench::of(&still(), 1, NEW_YEAR);
    let mut open = bench.open("100000");
    (open.account_type, open.owner) = (AccountType::Insurance, Some(bench.owner("199001012385")));
    let anna = bench.account(open);
    for (at, text) in [("2026-06-30T23:59:59+02:00", "10000"), ("2026-07-01T00:00:00+02:00", "20000")] {
        bench.to(at);
        let partner = bench.scope.partner;
        let what = sim::command::Booked::Cash {
            kind: CashType::Deposit,
            ref_type: sim::records::CashRefType::Gift,
            amount: amount(text),
        };
        let book = sim::command::Book { partner, account: anna.id, what, text: None };
        bench.does(Command::Book(Box::new(book))).expect("booked");
    }
    bench.to("2027-01-04T06:00:00+01:00");
    let charges = charged(&bench, &anna);
    let taxes: Vec<_> = charges.iter().filter_map(|charge| charge.strip_prefix("Fee InsuranceTax ")).collect();
    // 1.065 % of 100,000.00, of 110,000.00 and, twice, of 120,000.00: by fourths, less what was charged.
    assert_eq!(taxes, ["2026Q1 266.25", "2026Q2 319.50", "2026Q3 372.75", "2026Q4 319.50"]);
}

/// (rule: fees/forced-redemption, money/reservations)
#[test]
fn cash_set_aside_for_charges_cannot_be_spent_or_taken_out_while_sales_are_under_way() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "5", &[(DAILY, "1000")]);
    bench.to("2026-04-01T06:00:00+02:00");
    let now = bench.again(&anna);
    assert_eq!((now.balance, now.reserved, now.spendable()), (amount("5"), amount("5"), amount("0")));
    assert_eq!(query::withdrawal_limits(&bench.world, &now).max, amount("0"));
    let now = bench.world.now();
    let given = Command::Book(Box::new(sim::command::Book {
        partner: bench.scope.partner,
        account: anna.id,
        what: sim::command::Booked::Cash {
            kind: CashType::Withdrawal,
            ref_type: sim::records::CashRefType::Donation,
            amount: amount("0.01"),
        },
        text: None,
    }));
    bench.world.apply(now, given).expect_err("it is set aside");
    bench.to("2026-04-08T12:00:00+02:00");
    assert_eq!((bench.again(&anna).reserved, charged(&bench, &anna).len()), (amount("0"), 1));
}

/// (rule: fees/retrocession, securities/merger)
#[test]
fn a_merged_fund_gives_back_under_its_own_id() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1000", &[(DAILY, "100")]);
    bench.to("2026-03-11T20:00:00+01:00");
    bench.carry_out(DAILY, sim::records::CorporateAct::Merge { into: id(T_PLUS_ONE), ratio: None });
    bench.to("2026-04-16T09:00:00+02:00");
    let paid = charged(&bench, &anna).split_off(1);
    // Ten days under the one, twenty under the other, at 12,345.00 and 50 basis points.
    assert_eq!(
        paid,
        [
            "Retrocession Text SE0SBX000016SEK-2026Q1 1.69".to_owned(),
            format!("Retrocession Text {T_PLUS_ONE}-2026Q1 3.38")
        ]
    );
}

/// (rule: accounts/daily-value)
#[test]
fn the_29th_of_february_accrues_as_any_day_and_a_year_has_365() {
    let mut bench = Bench::new(1, "2028-01-01T08:00:00+01:00");
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    bench.to("2028-04-03T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2028Q1 37.40"]);
}

/// (rule: fees/fees-shown)
#[test]
fn what_is_shown_as_accrued_is_what_is_charged_the_next_day() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = holding(&mut bench, AccountType::Depot, "1000", &[(DAILY, "100")]);
    bench.to("2026-04-01T00:00:00+02:00");
    let shown = query::fees(&bench.world, anna.id).expect("it was active");
    assert_eq!(shown.through.to_string(), "2026-03-31");
    assert_eq!(sim::money::round_half_up(shown.accrued[3], 2).to_string(), "1.65");
    assert_eq!(shown.next.map(|next| next.0.to_string()).as_deref(), Some("2026-04-01T04:00:00.000Z"));
    let given: Vec<_> = shown.retrocessions.iter().map(|(quarter, fund, _)| (quarter.to_string(), *fund)).collect();
    assert_eq!(given, [("2026Q1".to_owned(), id(DAILY))]);
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 1.65"]);
    let file = query::fees_of(&bench.world, anna.id).expect("a file");
    let statement = file.statement.as_ref().expect("charged");
    assert_eq!((statement.first.to_string(), statement.last.to_string()), ("2026-03-02".into(), "2026-03-31".into()));
    let service = statement.kinds[3];
    assert_eq!(
        (service.amount, service.carried + service.accrued - service.amount.get()),
        (amount("1.65"), file.owed[3].carry)
    );
}
