//! Cash that partners ask out of accounts, from outside the world.

use crate::common::{Bench, DAILY, GLOBAL, amount, at, id, setup, units};
use crate::journeys::{ANNA, START, about, answers, opening_by, ssn};
use sim::command::{Command, PlaceOrder, Scope, ScreeningHit, Withdraw, WithdrawalType};
use sim::ids::{AccountId, BankAccountId, CashTransactionId};
use sim::money::{Amount, round_down};
use sim::query::{self, TransactionFilter};
use sim::records::{
    Account, AccountType, CashRefType, CashTransaction, CashType, JourneyType, KycStatus, OwnerKey, PlatformAccount,
    Proceeds,
};
use sim::store::Window;
use sim::{Class, Refusal, Reply};
use std::sync::Arc;

const HAPPY: &str = "SE8150000000050000000019";
const BOUNCES: &str = "SE9350000000050000000094";
/// A year after `START`.
const ANNIVERSARY: &str = "2027-03-02T00:00:00+01:00";

/// An account of Anna's with a validated bank account and units of a fund.
fn held(bench: &mut Bench, kind: AccountType, cash: &str, held: &str, iban: &str) -> Arc<Account> {
    let mut open = bench.open(cash);
    open.account_type = kind;
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = vec![bench.bank(iban)];
    open.positions = if held == "0" { Vec::new() } else { vec![(id(DAILY), units(held))] };
    bench.account(open)
}

fn asked(bench: &Bench, account: &Account, text: Option<&str>) -> Withdraw {
    Withdraw { client_ref: Some(Arc::from("mine")), ..bench.withdrawal(account, text) }
}

/// Asks for a withdrawal; one that is refused changes nothing.
fn ask(bench: &mut Bench, withdraw: Withdraw) -> Result<Arc<CashTransaction>, Refusal> {
    let before = bench.world.digest();
    match bench.does(Command::Withdraw(withdraw)) {
        Ok(Reply::CashTransaction(cash)) => Ok(cash),
        Ok(other) => panic!("another reply: {other:?}"),
        Err(refusal) => {
            assert_eq!(bench.world.digest(), before, "a refused withdrawal changes nothing");
            Err(refusal)
        }
    }
}

/// The refusal of a withdrawal.
fn complaint(bench: &mut Bench, withdraw: Withdraw) -> (Class, String) {
    let refusal = ask(bench, withdraw).expect_err("refused");
    (refusal.class, refusal.to_string())
}

fn limits(bench: &Bench, account: &Account) -> (String, String) {
    let limits = query::withdrawal_limits(&bench.world, &bench.again(account));
    (limits.min.to_string(), limits.max.to_string())
}

fn pair(min: &str, max: &str) -> (String, String) {
    (amount(min).to_string(), amount(max).to_string())
}

fn now_is(bench: &Bench, id: CashTransactionId) -> Arc<CashTransaction> {
    Arc::clone(query::cash_transaction(&bench.world, bench.scope.client, id).expect("it is listed"))
}

fn screen(bench: &mut Bench, hit: ScreeningHit) {
    bench.does(Command::Screen { owner: OwnerKey::Ssn(ssn(ANNA)), hit }).expect("screens");
}

/// (rule: payments/withdrawal-request, payments/withdrawal-timing, money/lifetime-amounts)
#[test]
fn a_withdrawal_leaves_the_balance_at_once_and_is_settled_when_it_is_paid() {
    for (text, left) in [(Some("400.50"), "599.50"), (None, "0")] {
        let mut bench = Bench::new(1, START);
        let anna = held(&mut bench, AccountType::Isk, "1000", "0", HAPPY);
        bench.event_kinds();
        let withdraw = asked(&bench, &anna, text);
        let cash = ask(&mut bench, withdraw).expect("taken");
        assert_eq!(bench.event_kinds(), ["cashTransaction.create", "account.update"]);
        assert_eq!(
            (cash.kind, cash.ref_type, cash.reference.as_deref()),
            (CashType::Withdrawal, CashRefType::Text, Some("withdrawal"))
        );
        assert_eq!((cash.client_ref.as_deref(), cash.executor), (Some("mine"), Some(ssn(ANNA))));
        assert_eq!(cash.credit, sim::records::LedgerAccount::Platform(PlatformAccount::Bank));
        assert_eq!((cash.settlement, cash.amount), (None, amount("1000") - amount(left)));
        let account = bench.again(&anna);
        assert_eq!((account.balance, account.withdrawn), (amount(left), cash.amount));
        bench.wait("2026-03-03T08:59:59+01:00");
        assert_eq!(now_is(&bench, cash.id).settlement, None);
        bench.wait("2026-03-03T09:00:00+01:00");
        assert_eq!(now_is(&bench, cash.id).settlement.map(|day| day.to_string()).as_deref(), Some("2026-03-03"));
        assert_eq!(bench.again(&anna).balance, amount(left));
    }
}

/// (rule: payments/withdrawal-request, money/reservations)
#[test]
fn a_full_withdrawal_leaves_orders_reservations_and_units() {
    let mut bench = Bench::new(1, START);
    let anna = held(&mut bench, AccountType::Depot, "1000", "5", HAPPY);
    let order = bench.order(bench.buy(&anna, DAILY, "600"));
    assert_eq!(limits(&bench, &anna), pair("0", "400"));
    let full = asked(&bench, &anna, None);
    assert_eq!(ask(&mut bench, full.clone()).expect("taken").amount, amount("400"));
    bench.wait("2026-03-02T08:00:01+01:00");
    assert_eq!(bench.status(&order), "pending");
    let account = bench.again(&anna);
    assert_eq!((account.balance, account.positions[0].units), (Amount::ZERO, units("5")));
    let nothing =
        (Class::OutsideLimits, "withdrawalType is not acceptable: there is no cash that can be spent".to_owned());
    assert_eq!(complaint(&mut bench, full), nothing);
}

/// (rule: payments/withdrawal-limits, payments/limits-are-inclusive)
#[test]
fn all_that_can_be_spent_may_be_taken_out_of_an_account_of_ones_own_and_not_an_ore_more() {
    for kind in [AccountType::Isk, AccountType::Depot] {
        let mut bench = Bench::new(1, START);
        let anna = held(&mut bench, kind, "1000", "10", HAPPY);
        assert_eq!(limits(&bench, &anna), pair("0", "1000"));
        let more = asked(&bench, &anna, Some("1000.01"));
        let expected = (Class::OutsideLimits, "amount must be at most 1000.00 SEK".to_owned());
        assert_eq!(complaint(&mut bench, more), expected);
        for text in ["0.01", "999.99"] {
            let withdraw = asked(&bench, &anna, Some(text));
            ask(&mut bench, withdraw).expect("within the limits");
        }
        assert_eq!(limits(&bench, &anna), pair("0", "0"));
    }
}

/// (rule: payments/withdrawal-limits, payments/limits-are-inclusive)
#[test]
fn an_insurance_pays_out_from_a_thousand_to_nine_tenths_of_its_value_after_its_first_year() {
    let mut bench = Bench::of(&crate::common::free(), 1, START);
    let anna = held(&mut bench, AccountType::Insurance, "9000.55", "1", HAPPY);
    let poor = held(&mut bench, AccountType::Insurance, "1111.11", "0", HAPPY);
    let rich = held(&mut bench, AccountType::Insurance, "1500", "1000", HAPPY);
    assert_eq!(limits(&bench, &anna), pair("1000", "0"));
    bench.wait("2027-03-01T23:59:59.999+01:00");
    let early = asked(&bench, &anna, Some("1000"));
    let expected = (Class::OutsideLimits, "amount must be at most 0.00 SEK".to_owned());
    assert_eq!(complaint(&mut bench, early), expected);
    bench.wait(ANNIVERSARY);
    let value = query::value(&bench.world, &bench.again(&anna));
    let tenths =
        Amount::from_decimal_exact(round_down(value.get() * rust_decimal::Decimal::new(9, 1), 2)).expect("money");
    assert!(tenths < amount("9000.55"), "the value decides, not the cash: {tenths}");
    assert_eq!(limits(&bench, &anna), pair("1000", &tenths.to_string()));
    assert_eq!(limits(&bench, &rich), pair("1000", "1500"), "the cash decides");
    // Nine tenths of 1,111.11 are 999.999: rounded down, which is below the least.
    assert_eq!(limits(&bench, &poor), pair("1000", "999.99"));
    let full = asked(&bench, &poor, None);
    let refused = complaint(&mut bench, full);
    assert_eq!(refused, (Class::OutsideLimits, "withdrawalType must be at most 999.99 SEK".to_owned()));
    let less = asked(&bench, &poor, Some("999.99"));
    assert_eq!(complaint(&mut bench, less).1, "amount must be at least 1000.00 SEK");
    for (account, text) in [(&anna, tenths.to_string()), (&rich, "1000".to_owned())] {
        let withdraw = asked(&bench, account, Some(&text));
        ask(&mut bench, withdraw).expect("both limits are allowed");
    }
}

/// (rule: payments/withdrawal-limits)
#[test]
fn an_insurance_of_the_29th_of_february_turns_one_on_the_28th() {
    let mut bench = Bench::of(&crate::common::free(), 1, "2024-02-29T12:00:00+01:00");
    let anna = held(&mut bench, AccountType::Insurance, "10000", "0", HAPPY);
    bench.wait("2025-02-27T23:59:59+01:00");
    assert_eq!(limits(&bench, &anna), pair("1000", "0"));
    bench.wait("2025-02-28T00:00:00+01:00");
    assert_eq!(limits(&bench, &anna), pair("1000", "9000"));
}

/// (rule: payments/withdrawal-limits)
#[test]
fn the_year_of_an_insurance_begins_with_its_creation_and_each_surrender_leaves_less() {
    let mut bench = Bench::of(&crate::common::free(), 1, START);
    let bank = answers(&[("iban", HAPPY)]);
    let autogiro =
        sim::records::Autogiro { enforce: sim::records::AutogiroEnforce::Required, force_new_bank_account: true };
    let configuration =
        sim::records::Configuration { autogiro: Some(autogiro), ..opening_by(ANNA, AccountType::Insurance) };
    let done = bench.walk(configuration, &[(sim::records::JourneyStep::BankAccount, bank)]);
    let anna = bench.account_of(&done);
    // The insurer signs a week later; that counts for nothing.
    bench.wait("2026-03-09T12:00:00+01:00");
    let (partner, account) = (bench.scope.partner, anna.id);
    let decision = sim::command::Decision::Confirm;
    bench.does(Command::DecideAccount { partner, account, decision }).expect("the insurer signs");
    bench.wait("2026-03-10T12:00:00+01:00");
    bench.pays(anna.reference, "10000");
    bench.wait("2027-03-01T23:59:59+01:00");
    assert_eq!(limits(&bench, &anna), pair("1000", "0"));
    bench.wait(ANNIVERSARY);
    // Nine tenths of what is left, until that is less than the least.
    for (most, taken) in [("9000", "8000"), ("1800", "1000"), ("900", "900")] {
        assert_eq!(limits(&bench, &anna), pair("1000", most));
        let withdraw = asked(&bench, &bench.again(&anna), Some(taken));
        assert_eq!(ask(&mut bench, withdraw).is_ok(), taken != "900", "{taken} of {most}");
    }
}

/// (rule: payments/withdrawal-limits)
#[test]
fn nothing_can_be_taken_out_while_the_account_is_not_active_or_its_owner_is_sanctioned() {
    let mut bench = Bench::new(1, START);
    let anna = held(&mut bench, AccountType::Depot, "1000", "5", HAPPY);
    screen(&mut bench, ScreeningHit::Sanctions);
    assert_eq!(limits(&bench, &anna), pair("0", "0"));
    let withdraw = asked(&bench, &anna, Some("100"));
    let stopped = (Class::BadTarget, "account is not acceptable: payouts of this account are stopped".to_owned());
    assert_eq!(complaint(&mut bench, withdraw.clone()), stopped);
    screen(&mut bench, ScreeningHit::Clear);
    assert_eq!(limits(&bench, &anna), pair("0", "1000"));
    let (scope, account) = (bench.scope, anna.id);
    bench.does(Command::CloseAccount { scope, account }).expect("closes");
    assert_eq!(limits(&bench, &anna), pair("0", "0"));
    let (class, _) = complaint(&mut bench, withdraw);
    assert_eq!(class, Class::AccountNotActive);
}

/// (rule: payments/withdrawal-request)
#[test]
fn a_withdrawal_says_how_much_in_one_way() {
    let mut bench = Bench::new(1, START);
    let anna = held(&mut bench, AccountType::Isk, "1000", "0", HAPPY);
    let plain = asked(&bench, &anna, Some("100"));
    let rows = [
        (Withdraw { amount: None, ..plain.clone() }, "amount is required"),
        (Withdraw { amount: Some(Amount::ZERO), ..plain.clone() }, "amount must be greater than zero"),
        (
            Withdraw { kind: WithdrawalType::Full, ..plain.clone() },
            "amount must be left out: a full withdrawal takes all cash that can be spent",
        ),
        (
            Withdraw { client_ref: Some(Arc::from("x".repeat(256))), ..plain.clone() },
            "clientRef must be at most 255 characters long",
        ),
    ];
    for (withdraw, expected) in rows {
        assert_eq!(complaint(&mut bench, withdraw), (Class::Malformed, expected.to_owned()));
    }
    ask(&mut bench, Withdraw { client_ref: Some(Arc::from("x".repeat(255))), ..plain.clone() }).expect("long enough");
    ask(&mut bench, Withdraw { client_ref: None, ..plain }).expect("it may be left out");
}

/// (rule: payments/withdrawal-precedence)
#[test]
fn a_withdrawal_is_refused_for_the_first_thing_that_is_wrong() {
    type Break = fn(&mut Withdraw);
    let mut setup = setup();
    setup.partners[0].clients[0].withdrawal_needs_signature = true;
    let mut bench = Bench::of(&setup, 1, START);
    let anna = held(&mut bench, AccountType::Isk, "1000", "0", HAPPY);
    screen(&mut bench, ScreeningHit::Sanctions);
    let closed = held(&mut bench, AccountType::Isk, "0", "0", HAPPY);
    let (scope, account) = (bench.scope, closed.id);
    bench.does(Command::CloseAccount { scope, account }).expect("closes");
    let mut withdraw = asked(&bench, &anna, Some("100"));
    // From the last check to the first; each refusal is reported although all later checks would fail, too.
    let rows: [(Class, &str, Break); 5] = [
        (Class::BadTarget, "bankAccount", |ask| ask.bank_account = BankAccountId::from_u128(1)),
        (Class::OutsideLimits, "amount", |ask| ask.amount = Some(amount("1000.01"))),
        (Class::ExecutorMismatch, "executorRef", |ask| ask.executor = ssn("200002292399")),
        (Class::Unknown, "accountId", |ask| ask.account = AccountId::from_u128(1)),
        (Class::Malformed, "amount", |ask| ask.amount = Some(Amount::ZERO)),
    ];
    let refusal_of = |bench: &mut Bench, withdraw: &Withdraw| {
        let refusal = ask(bench, withdraw.clone()).expect_err("refused");
        (refusal.class, refusal.problems[0].field.to_string())
    };
    assert_eq!(refusal_of(&mut bench, &withdraw), (Class::BadTarget, "account".to_owned()), "sanctions");
    for (class, field, wrong) in rows {
        if class == Class::Unknown {
            let inactive = Withdraw { account: closed.id, ..withdraw.clone() };
            assert_eq!(refusal_of(&mut bench, &inactive), (Class::AccountNotActive, "accountId".to_owned()));
        }
        wrong(&mut withdraw);
        assert_eq!(refusal_of(&mut bench, &withdraw), (class, field.to_owned()));
    }
    screen(&mut bench, ScreeningHit::Clear);
    let fine = asked(&bench, &anna, Some("100"));
    assert_eq!(refusal_of(&mut bench, &fine), (Class::NotAllowedNow, "account".to_owned()), "signature");
}

/// (rule: payments/payment-permissions)
#[test]
fn a_client_without_the_permission_pays_nothing_out() {
    let mut setup = setup();
    setup.partners[0].clients[0].permissions.withdrawals = false;
    let mut bench = Bench::of(&setup, 1, START);
    let anna = held(&mut bench, AccountType::Isk, "1000", "50", HAPPY);
    let malformed = Withdraw { amount: None, ..asked(&bench, &anna, Some("1")) };
    let expected = (Class::OutOfScope, "clientId is not permitted for this client".to_owned());
    assert_eq!(complaint(&mut bench, malformed), expected);
    let sale = bench.sell(&anna, DAILY, "10");
    let executor = Some(ssn(ANNA));
    let payout = PlaceOrder { executor, proceeds: Proceeds::PayOut(anna.bank_accounts[0].id), ..sale.clone() };
    let refusal = bench.does(Command::PlaceOrder(payout)).expect_err("refused");
    assert_eq!((refusal.class, refusal.to_string()), expected);
    let foreign = Scope { client: sim::ids::ClientId::from_u128(1), ..bench.scope };
    let elsewhere = Withdraw { scope: foreign, ..asked(&bench, &anna, Some("1")) };
    let (class, text) = complaint(&mut bench, elsewhere);
    assert_eq!((class, text.as_str()), (Class::OutOfScope, "clientId is not within the scope of this token"));
    bench.does(Command::PlaceOrder(sale)).expect("a sale pays nothing out");
}

/// (rule: journeys/sign-withdrawal)
#[test]
fn one_signature_covers_one_withdrawal_of_either_kind() {
    let mut setup = setup();
    setup.partners[0].clients[0].withdrawal_needs_signature = true;
    let mut bench = Bench::of(&setup, 1, START);
    let anna = held(&mut bench, AccountType::Isk, "1000", "50", HAPPY);
    let cash = asked(&bench, &anna, Some("1"));
    let proceeds = Proceeds::PayOut(anna.bank_accounts[0].id);
    let sale = PlaceOrder { executor: Some(ssn(ANNA)), proceeds, ..bench.sell(&anna, DAILY, "1") };
    let unsigned = "account is not acceptable: the customer must sign the withdrawal first, in a signWithdrawal journey of the last 24 hours";
    for first_is_cash in [true, false] {
        assert_eq!(complaint(&mut bench, cash.clone()), (Class::NotAllowedNow, unsigned.to_owned()));
        bench.walk(about(&anna, JourneyType::SignWithdrawal), &[]);
        let (wrong, right) = (asked(&bench, &anna, Some("5000")), cash.clone());
        assert_eq!(complaint(&mut bench, wrong).0, Class::OutsideLimits, "a refused one uses up no signature");
        if first_is_cash {
            ask(&mut bench, right).expect("signed");
            assert_eq!(bench.does(Command::PlaceOrder(sale.clone())).expect_err("used").class, Class::NotAllowedNow);
        } else {
            bench.does(Command::PlaceOrder(sale.clone())).expect("signed");
        }
    }
}

/// (rule: payments/bounced-payout, money/lifetime-amounts)
#[test]
fn a_withdrawal_that_comes_back_lowers_what_was_withdrawn_and_is_no_deposit() {
    for (iban, by_lever) in [(BOUNCES, false), (HAPPY, true)] {
        let mut bench = Bench::new(1, START);
        let anna = held(&mut bench, AccountType::Isk, "1000", "0", iban);
        let withdraw = asked(&bench, &anna, Some("400"));
        let cash = ask(&mut bench, withdraw).expect("taken");
        let bounce = Command::BouncePayout { partner: bench.scope.partner, transaction: cash.id };
        assert_eq!(bench.does(bounce.clone()).expect_err("not yet paid").class, Class::Conflict);
        bench.wait("2026-03-03T09:00:00+01:00");
        if by_lever {
            bench.does(bounce.clone()).expect("the bank sends it back");
        }
        bench.wait("2026-03-20T09:00:00+01:00");
        assert_eq!(bench.does(bounce).expect_err("once").class, Class::Conflict);
        let account = bench.again(&anna);
        let sums = (account.balance, account.withdrawn, account.deposited);
        assert_eq!(sums, (amount("1000"), Amount::ZERO, amount("1000")), "{iban}");
        let of_payout = TransactionFilter { reference: Some(cash.id.to_string()), ..TransactionFilter::default() };
        let back = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &of_payout);
        assert_eq!(back.len(), 1, "{iban}");
        let back = &back[0];
        assert_eq!(
            (back.kind, back.ref_type, back.amount),
            (CashType::Deposit, CashRefType::Correction, amount("400"))
        );
        assert_eq!((back.client_ref.as_deref(), back.executor), (Some("mine"), Some(ssn(ANNA))));
    }
}

/// (rule: orders/order-withdrawal, payments/withdrawal-limits)
#[test]
fn a_sale_that_is_paid_out_of_an_insurance_keeps_to_the_insurers_limits_by_its_estimate() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10");
    open.account_type = AccountType::Insurance;
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = vec![bench.bank(HAPPY)];
    open.positions = vec![(id(DAILY), units("100")), (id(GLOBAL), units("1"))];
    let anna = bench.account(open);
    let sold = |bench: &Bench, fund: &str, text: &str| PlaceOrder {
        executor: Some(ssn(ANNA)),
        proceeds: Proceeds::PayOut(anna.bank_accounts[0].id),
        ..bench.sell(&anna, fund, text)
    };
    let refusal_of = |bench: &mut Bench, place: PlaceOrder| {
        let refusal = bench.does(Command::PlaceOrder(place)).err();
        refusal.map(|refusal| {
            assert_eq!(refusal.class, Class::OutsideLimits);
            refusal.to_string()
        })
    };
    let early = sold(&bench, DAILY, "50");
    assert_eq!(refusal_of(&mut bench, early).as_deref(), Some("units must be at most 0.00 SEK"));
    bench.wait(ANNIVERSARY);
    let set = |bench: &mut Bench, text: &str| {
        let close_price = sim::money::Price::parse(text).expect("a price");
        let set = sim::command::SetPrice { instrument: id(DAILY), close_price, price_date: None };
        bench.does(Command::SetPrice(set)).expect("within half and double");
    };
    set(&mut bench, "125");
    let too_little = sold(&bench, DAILY, "7.9999");
    assert_eq!(refusal_of(&mut bench, too_little).as_deref(), Some("units must be at least 1000.00 SEK"));
    let too_much = sold(&bench, DAILY, "100");
    let complaint = refusal_of(&mut bench, too_much).expect("above nine tenths");
    let value = query::value(&bench.world, &bench.again(&anna));
    let tenths =
        Amount::from_decimal_exact(round_down(value.get() * rust_decimal::Decimal::new(9, 1), 2)).expect("money");
    assert_eq!(complaint, format!("units must be at most {tenths} SEK"));
    let least = sold(&bench, DAILY, "8");
    assert_eq!(refusal_of(&mut bench, least), None, "both limits are allowed");
    // Kept on the account, it is nobody's business.
    let kept = bench.sell(&anna, DAILY, "1");
    bench.does(Command::PlaceOrder(kept)).expect("a sale alone");
}

/// (rule: orders/order-withdrawal, accounts/closing)
#[test]
fn a_closing_is_not_bound_by_the_insurers_limits() {
    let mut bench = Bench::new(1, START);
    let anna = held(&mut bench, AccountType::Insurance, "10", "5", HAPPY);
    let (scope, account) = (bench.scope, anna.id);
    bench.does(Command::CloseAccount { scope, account }).expect("closes");
    bench.wait("2026-03-20T09:30:00+01:00");
    let closed = bench.again(&anna);
    assert_eq!((closed.deleted.is_some(), closed.balance), (true, Amount::ZERO));
    assert!(at(START) < closed.deleted.expect("deleted"));
}

/// (rule: events/updates-change-something, payments/withdrawal-timing)
#[test]
fn a_payout_that_is_sent_changes_no_account() {
    let mut bench = Bench::new(1, START);
    let account = held(&mut bench, AccountType::Isk, "500", "0", HAPPY);
    let withdraw = asked(&bench, &account, None);
    ask(&mut bench, withdraw).expect("all of it");
    let requested = bench.again(&account);
    bench.event_kinds();
    bench.wait("2026-03-03T09:00:00+01:00");
    assert_eq!(bench.event_kinds(), ["cashTransaction.update"]);
    assert_eq!(bench.again(&account), requested, "not even its date");
}

/// (rule: accounts/closing, payments/bounced-payout)
#[test]
fn an_account_is_not_deleted_while_its_last_payout_may_still_come_back() {
    let mut bench = Bench::new(1, START);
    let account = held(&mut bench, AccountType::Isk, "500", "0", BOUNCES);
    let withdraw = asked(&bench, &account, None);
    ask(&mut bench, withdraw).expect("all of it");
    // Asked on Monday, paid on Tuesday at 09:00; the bank sends it back on Wednesday at 09:00.
    bench.wait("2026-03-04T08:00:00+01:00");
    assert_eq!(bench.again(&account).balance, Amount::ZERO);
    let close = Command::CloseAccount { scope: bench.scope, account: account.id };
    bench.does(close).expect("there is a bank account");
    assert_eq!(bench.again(&account).deleted, None);
    bench.wait("2026-03-04T09:00:00+01:00");
    let now = bench.again(&account);
    assert_eq!((now.balance, now.deleted), (amount("500"), None));
}

/// (rule: accounts/kyc-renewal)
#[test]
fn money_may_be_taken_out_when_kyc_has_run_out() {
    let mut bench = Bench::new(1, START);
    let anna = held(&mut bench, AccountType::Isk, "1000", "10", HAPPY);
    bench.wait("2029-03-05T10:00:00+01:00");
    assert_eq!(query::kyc_status(&bench.world, &bench.again(&anna)).status, KycStatus::Expired);
    let order = bench.order(bench.sell(&anna, DAILY, "1"));
    bench.wait("2029-03-05T10:00:01+01:00");
    assert_eq!(bench.status(&order), "hold", "orders wait");
    let withdraw = asked(&bench, &anna, Some("400"));
    let cash = ask(&mut bench, withdraw).expect("it is the customer's");
    bench.wait("2029-03-06T09:00:00+01:00");
    assert!(now_is(&bench, cash.id).settlement.is_some());
}
