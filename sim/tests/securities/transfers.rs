//! Transfers from other custodians: their stages and what they book.

use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, id, units};
use crate::journeys::{ANNA, START, answers, moving, opening_by, transfer_of};
use rust_decimal::Decimal;
use sim::command::{CustodianAct, Decision};
use sim::money::Amount;
use sim::query::{self, TransactionFilter};
use sim::records::{
    Account, AccountType, Configuration, JourneyStep, Output, Transfer, TransferAccount, TransferConfiguration,
    TransferEnforce, TransferInstrument, TransferKind,
};
use sim::store::Window;
use sim::{Class, Command, Reply};
use std::sync::Arc;

fn listed(fund: &str, text: Option<&str>) -> TransferInstrument {
    TransferInstrument { instrument: id(fund), units: text.map(units) }
}

fn moved(bench: &mut Bench, number: &str, account: TransferAccount) -> (Arc<Account>, Arc<Transfer>) {
    let configuration =
        Configuration { transfer: Some(transfer_of(vec![account])), ..opening_by(number, AccountType::Isk) };
    let done = bench.walk(configuration, &[]);
    let account = bench.account_of(&done);
    let transfer = query::transfers(&bench.world, account.id, &Window::default()).remove(0);
    (account, transfer)
}

fn status(bench: &Bench, transfer: &Transfer) -> &'static str {
    query::transfer(&bench.world, bench.scope.client, transfer.id).expect("it exists").state.name()
}

/// Fund and cash transactions that name the transfer.
fn booked(bench: &Bench, account: &Account, transfer: &Transfer) -> (Vec<(String, String)>, Vec<Amount>) {
    let filter = TransactionFilter {
        account: Some(account.id),
        reference: Some(transfer.id.to_string()),
        ..TransactionFilter::default()
    };
    let client = bench.scope.client;
    let funds = query::fund_transactions(&bench.world, client, &Window::default(), &filter);
    let cash = query::cash_transactions(&bench.world, client, &Window::default(), &filter);
    let mut units: Vec<_> = funds.iter().map(|one| (one.instrument.to_string(), one.units.to_string())).collect();
    units.sort();
    (units, cash.iter().map(|one| one.amount).collect())
}

/// (rule: securities/transfer-timing, securities/transfer-deliveries, money/units-without-orders)
#[test]
fn a_transfer_is_sent_accepted_and_completed_on_its_bank_days_units_first() {
    let mut bench = Bench::new(1, START);
    let listing = TransferAccount {
        instruments: Some(vec![listed(DAILY, Some("12.345678")), listed(GLOBAL, Some("5"))]),
        default_units_output: vec![Output::Ignore],
        ..moving(AccountType::Isk)
    };
    let (account, transfer) = moved(&mut bench, ANNA, listing);
    let rows = [
        ("2026-03-03T08:59:59.999+01:00", "new"),
        ("2026-03-03T09:00:00+01:00", "sent"),
        ("2026-03-06T08:59:59.999+01:00", "sent"),
        ("2026-03-06T09:00:00+01:00", "accepted"),
        ("2026-03-20T08:59:59.999+01:00", "accepted"),
    ];
    for (instant, expected) in rows {
        bench.wait(instant);
        let now = query::transfer(&bench.world, bench.scope.client, transfer.id).expect("it exists");
        assert_eq!(now.external_ref.is_some(), expected != "new", "the custodian's reference at {instant}");
        assert_eq!(status(&bench, &transfer), expected, "at {instant}");
        assert_eq!(booked(&bench, &account, &transfer), (vec![], vec![]), "nothing is booked at {instant}");
    }
    bench.world.take_events();
    bench.wait("2026-03-20T09:00:00+01:00");
    assert_eq!(status(&bench, &transfer), "completed");
    let kinds: Vec<&str> = bench.event_kinds().into_iter().filter(|kind| !kind.starts_with("instrument")).collect();
    let expected = ["fundTransaction.create", "fundTransaction.create", "cashTransaction.create", "account.update"];
    assert_eq!(kinds, expected);
    let (moved, cash) = booked(&bench, &account, &transfer);
    let expected = [(GLOBAL.to_owned(), "5".to_owned()), (DAILY.to_owned(), "12.345678".to_owned())];
    assert_eq!(moved, expected);
    let account = bench.again(&account);
    assert_eq!((cash.len(), account.balance, account.deposited), (1, cash[0], cash[0]));
    let views = query::positions(&bench.world, &account, bench.world.now());
    for view in views {
        let close = view.close_price.expect("a price");
        assert_ne!(view.gav, close, "the custodian reports its own cost");
        assert!(view.gav >= close * Decimal::new(69, 2) && view.gav <= close * Decimal::new(111, 2));
    }
    assert_eq!(bench.callbacks().len(), 1);
}

/// (rule: journeys/untransferable-units)
#[test]
fn what_cannot_move_is_sold_or_left_as_the_customer_chose() {
    let mut setup = crate::common::setup();
    let offered = [DAILY, T_PLUS_ONE].into_iter().map(id).collect();
    setup.partners[0].clients[0].universe = sim::records::Universe::Only(offered);
    let cash = |untransferable, balance| {
        let mut bench = Bench::of(&setup, 1, START);
        let listing = TransferAccount {
            instruments: Some(vec![listed(DAILY, Some("10")), listed(GLOBAL, Some("100"))]),
            default_units_output: vec![Output::Ignore],
            untransferable_units_output: vec![untransferable],
            balance_output: vec![balance],
            ..moving(AccountType::Isk)
        };
        let (account, transfer) = moved(&mut bench, ANNA, listing);
        bench.wait("2026-03-20T09:00:00+01:00");
        let (moved, cash) = booked(&bench, &account, &transfer);
        assert_eq!(moved, [(DAILY.to_owned(), "10".to_owned())]);
        cash.into_iter().sum::<Amount>()
    };
    let nothing = cash(Output::Ignore, Output::Ignore);
    let sold = cash(Output::Cash, Output::Ignore);
    let balance = cash(Output::Ignore, Output::Cash);
    let both = cash(Output::Cash, Output::Cash);
    assert_eq!(nothing, Amount::ZERO);
    assert!(sold.is_positive() && balance.is_positive());
    assert_eq!(both, sold + balance);
}

#[test]
fn a_cash_transfer_brings_cash_alone() {
    let mut bench = Bench::new(1, START);
    let listing = TransferAccount { default_units_output: vec![Output::Cash], ..moving(AccountType::Isk) };
    let configuration =
        Configuration { transfer: Some(transfer_of(vec![listing])), ..opening_by(ANNA, AccountType::Isk) };
    let done = bench.walk(configuration, &[]);
    let shown = done.result.as_ref().and_then(|result| result.transfers.clone()).expect("a transfer");
    assert_eq!((shown[0].account.as_ref(), shown[0].kind), ("1234-567", TransferKind::Cash));
    let account = bench.account_of(&done);
    bench.wait("2026-03-20T09:00:00+01:00");
    let transfer = query::transfers(&bench.world, account.id, &Window::default()).remove(0);
    let (moved, cash) = booked(&bench, &account, &transfer);
    assert_eq!((moved.len(), cash.len()), (0, 1));
}

/// (rule: journeys/transfer-result)
#[test]
fn a_result_says_cash_where_no_instrument_of_the_transfer_can_arrive_as_units() {
    use TransferKind::{Cash, Units};
    let mut setup = crate::common::setup();
    let offered = [DAILY].into_iter().map(id).collect();
    setup.partners[0].clients[0].universe = sim::records::Universe::Only(offered);
    // What is listed there, what becomes of units that cannot move, and of funds that are not listed.
    for (instruments, untransferable, default, kind) in [
        (&[DAILY][..], Output::Cash, Output::Ignore, Units),
        (&[DAILY, GLOBAL], Output::Cash, Output::Ignore, Units),
        (&[GLOBAL], Output::Cash, Output::Ignore, Cash),
        (&[GLOBAL], Output::Ignore, Output::Ignore, Cash),
        (&[GLOBAL, T_PLUS_ONE], Output::Cash, Output::Cash, Cash),
    ] {
        let mut bench = Bench::of(&setup, 1, START);
        let listing = TransferAccount {
            instruments: Some(instruments.iter().map(|fund| listed(fund, Some("10"))).collect()),
            default_units_output: vec![default],
            untransferable_units_output: vec![untransferable],
            ..moving(AccountType::Isk)
        };
        let configuration =
            Configuration { transfer: Some(transfer_of(vec![listing])), ..opening_by(ANNA, AccountType::Isk) };
        let done = bench.walk(configuration, &[]);
        let shown = done.result.as_ref().and_then(|result| result.transfers.clone()).expect("a transfer");
        assert_eq!(shown[0].kind, kind, "{instruments:?}, {untransferable:?}, {default:?}");
        let account = bench.account_of(&done);
        bench.wait("2026-03-20T09:00:00+01:00");
        let transfer = query::transfers(&bench.world, account.id, &Window::default()).remove(0);
        let (moved, _) = booked(&bench, &account, &transfer);
        assert_eq!(moved.is_empty(), kind == Cash, "what arrives, with {instruments:?}");
    }
}

/// (rule: securities/transfer-deliveries)
#[test]
fn where_the_customer_may_choose_an_insurance_or_another_type_only_the_other_takes_units() {
    let types = [AccountType::Isk, AccountType::Insurance];
    let choices = &[Output::Units, Output::Cash];
    for (kind, offered, kinds) in [
        (AccountType::Isk, &["units", "cash"][..], TransferKind::Units),
        (AccountType::Insurance, &["cash"], TransferKind::Cash),
    ] {
        let mut bench = Bench::new(1, START);
        let either = TransferAccount {
            account_number: None,
            source_account_type: types.to_vec(),
            default_units_output: choices.to_vec(),
            allow_instrument_selection: true,
            instruments: Some(vec![listed(DAILY, Some("10"))]),
            ..moving(AccountType::Isk)
        };
        let configuration = Configuration {
            account_types: Some(types.to_vec()),
            transfer: Some(transfer_of(vec![either])),
            ..opening_by(ANNA, AccountType::Isk)
        };
        let journey = bench.opened(configuration);
        bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
        let details = answers(&[("accountType", kind.name())]);
        bench.answer(journey, JourneyStep::AccountDetails, details).expect("the details are answered");
        let step =
            query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Transfer);
        let fields = step.expect("the transfer is shown").fields;
        let field = |key: &str| fields.iter().find(|field| field.key == key);
        let words: Vec<&str> = field("defaultUnitsOutput")
            .expect("it is asked")
            .choices
            .iter()
            .map(|choice| choice.value.as_ref())
            .collect();
        assert_eq!(words, offered, "{kind:?}");
        assert_eq!(field("instruments").is_some(), kind == AccountType::Isk);
        let done = bench.complete(journey, &[]);
        let shown = done.result.as_ref().and_then(|result| result.transfers.clone()).expect("a transfer");
        assert_eq!(shown[0].kind, kinds, "{kind:?}");
        let account = bench.account_of(&done);
        if kind == AccountType::Insurance {
            bench
                .does(Command::DecideAccount {
                    partner: bench.scope.partner,
                    account: account.id,
                    decision: Decision::Confirm,
                })
                .expect("the insurer signs");
        }
        bench.wait("2026-03-20T09:00:00+01:00");
        let transfer = query::transfers(&bench.world, account.id, &Window::default()).remove(0);
        assert_eq!(status(&bench, &transfer), "completed", "{kind:?}");
        let (moved, cash) = booked(&bench, &account, &transfer);
        assert_eq!((moved.is_empty(), cash.len()), (kind == AccountType::Insurance, 1), "{kind:?}: {moved:?}");
    }
}

#[test]
fn a_later_refusal_touches_only_the_transfer() {
    let mut bench = Bench::new(1, START);
    let optional = TransferAccount { required: false, ..moving(AccountType::Isk) };
    let (account, transfer) = moved(&mut bench, "197001062384", optional);
    bench.wait("2026-03-06T09:00:00+01:00");
    assert_eq!(status(&bench, &transfer), "rejected");
    assert_eq!(query::account_status(bench.again(&account).status()), "active");
    bench.wait("2026-04-20T09:00:00+02:00");
    assert_eq!(booked(&bench, &account, &transfer), (vec![], vec![]));
}

#[test]
fn a_rejected_account_cancels_its_transfers() {
    let mut bench = Bench::new(1, START);
    let optional = TransferAccount { required: false, ..moving(AccountType::Isk) };
    let (account, transfer) = moved(&mut bench, "197001022388", optional);
    assert_eq!(status(&bench, &transfer), "new");
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(query::account_status(bench.again(&account).status()), "rejected");
    assert_eq!(status(&bench, &transfer), "canceled");
    bench.wait("2026-04-20T09:00:00+02:00");
    assert_eq!(status(&bench, &transfer), "canceled");
}

/// (rule: securities/transfer-timing)
#[test]
fn custodians_act_by_lever_once_they_have_been_asked() {
    type Row = (&'static str, CustodianAct, Result<&'static str, &'static [&'static str]>);
    let rows: &[Row] = &[
        ("2026-03-02T09:00:00+01:00", CustodianAct::Accept, Err(&[])),
        ("2026-03-02T09:00:00+01:00", CustodianAct::Reject, Err(&[])),
        ("2026-03-02T09:00:00+01:00", CustodianAct::Complete, Err(&[])),
        ("2026-03-03T08:59:59.999+01:00", CustodianAct::Reject, Err(&[])),
        ("2026-03-03T09:00:00+01:00", CustodianAct::Accept, Ok("accepted")),
        ("2026-03-03T09:00:00+01:00", CustodianAct::Reject, Ok("rejected")),
        ("2026-03-03T09:00:00+01:00", CustodianAct::Complete, Err(&["accept", "reject"])),
        ("2026-03-06T09:00:00+01:00", CustodianAct::Complete, Ok("completed")),
        ("2026-03-06T09:00:00+01:00", CustodianAct::Reject, Err(&["complete"])),
        ("2026-03-20T09:00:00+01:00", CustodianAct::Complete, Err(&[])),
    ];
    for (instant, act, expected) in rows {
        let mut bench = Bench::new(1, START);
        let (_, transfer) = moved(&mut bench, ANNA, moving(AccountType::Isk));
        bench.wait(instant);
        let (partner, before) = (bench.scope.partner, bench.world.digest());
        match (bench.does(Command::MoveTransfer { partner, transfer: transfer.id, act: *act }), expected) {
            (Ok(Reply::Transfer(moved)), Ok(to)) => assert_eq!(moved.state.name(), *to),
            (Err(refusal), Err(allowed)) => {
                assert_eq!(refusal.class, Class::Conflict);
                assert_eq!(refusal.conflict.expect("a conflict").allowed, *allowed, "{act:?} at {instant}");
                assert_eq!(bench.world.digest(), before);
            }
            (other, _) => panic!("{act:?} at {instant}: {other:?}"),
        }
        bench.wait("2026-05-20T09:00:00+02:00");
    }
}

/// (rule: journeys/transfer-configuration)
#[test]
fn an_account_without_a_number_gets_one_of_its_own_and_only_an_optional_step_can_be_skipped() {
    let numberless = TransferAccount { account_number: None, ..moving(AccountType::Isk) };
    let both = transfer_of(vec![moving(AccountType::Isk), numberless]);
    let configuration = Configuration { transfer: Some(both.clone()), ..opening_by(ANNA, AccountType::Isk) };
    let mut bench = Bench::new(1, START);
    let journey = bench.journey(configuration.clone());
    for (name, text, problem) in
        [("transfers[0].accounts[1].accountNumber", "1234-567", "is given twice"), ("skip", "yes", "is not known")]
    {
        let partner = bench.scope.partner;
        let given = vec![(JourneyStep::Transfer, answers(&[(name, text)]))];
        let refusal = bench.does(Command::CompleteJourney { partner, journey, answers: given }).expect_err(problem);
        assert_eq!(refusal.to_string(), format!("answers.transfer.{name} {problem}"));
    }
    let done = bench.complete(journey, &[]);
    let account = bench.account_of(&done);
    let numbers: Vec<String> = query::transfers(&bench.world, account.id, &Window::default())
        .iter()
        .map(|transfer| transfer.order.account_number.to_string())
        .collect();
    assert_eq!(numbers[0], "1234-567");
    assert!(numbers[1].len() == 9 && numbers[1].bytes().all(|digit| digit.is_ascii_digit()), "{numbers:?}");

    let optional = TransferConfiguration { enforce: TransferEnforce::Optional, ..both };
    let mut bench = Bench::new(1, START);
    let skipped = [(JourneyStep::Transfer, answers(&[("skip", "yes")]))];
    let done = bench.walk(Configuration { transfer: Some(optional), ..configuration }, &skipped);
    assert!(query::transfers(&bench.world, bench.account_of(&done).id, &Window::default()).is_empty());
}

/// (rule: securities/made-up-holdings)
#[test]
fn a_custodian_s_books_are_the_same_however_often_they_are_asked() {
    let run = || {
        let mut bench = Bench::new(9, START);
        let (account, transfer) = moved(&mut bench, ANNA, moving(AccountType::Isk));
        bench.wait("2026-03-20T09:00:00+01:00");
        (booked(&bench, &account, &transfer), bench.world.digest())
    };
    assert_eq!(run(), run());
}

/// (rule: securities/made-up-holdings, journeys/untransferable-units, journeys/transfer-configuration)
#[test]
fn what_the_customer_has_not_named_moves_is_sold_or_is_left_as_they_chose() {
    // What came as units, what those are worth, and what came as cash.
    let arrived = |default, untransferable, balance| {
        let mut bench = Bench::new(1, START);
        let choice = TransferAccount {
            default_units_output: vec![default],
            untransferable_units_output: vec![untransferable],
            balance_output: vec![balance],
            ..moving(AccountType::Isk)
        };
        let (account, transfer) = moved(&mut bench, ANNA, choice);
        bench.wait("2026-03-20T09:00:00+01:00");
        let (moved, cash) = booked(&bench, &account, &transfer);
        let views = query::positions(&bench.world, &bench.again(&account), bench.world.now());
        let worth: Amount = views.iter().map(|view| view.value.expect("a price")).sum();
        (moved.len(), worth, cash.into_iter().sum::<Amount>())
    };
    let nothing = (0, Amount::ZERO, Amount::ZERO);
    let (count, worth, none) = arrived(Output::Units, Output::Ignore, Output::Ignore);
    assert!(count > 0 && worth.is_positive() && none.is_zero());
    let (_, _, foreign) = arrived(Output::Units, Output::Cash, Output::Ignore);
    assert!(foreign.is_positive(), "there is a fund that nobody here knows");
    let (_, _, balance) = arrived(Output::Ignore, Output::Ignore, Output::Cash);
    assert!(balance.is_positive());
    for (default, untransferable, expected) in [
        (Output::Units, Output::Ignore, (count, worth, Amount::ZERO)),
        (Output::Units, Output::Cash, (count, worth, foreign)),
        (Output::Cash, Output::Ignore, (0, Amount::ZERO, worth + foreign)),
        (Output::Cash, Output::Cash, (0, Amount::ZERO, worth + foreign)),
        (Output::Ignore, Output::Ignore, nothing),
        (Output::Ignore, Output::Cash, nothing),
    ] {
        let case = format!("{default:?} and {untransferable:?}");
        assert_eq!(arrived(default, untransferable, Output::Ignore), expected, "{case}");
        let (count, worth, cash) = expected;
        assert_eq!(arrived(default, untransferable, Output::Cash), (count, worth, cash + balance), "{case}");
    }
}

/// (rule: securities/made-up-holdings)
#[test]
fn a_custodian_holds_each_fund_once_the_named_ones_in_any_case() {
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..20 {
        let mut bench = Bench::new(1, START);
        let listing = TransferAccount {
            account_number: Some(Arc::from(format!("1234-{number}"))),
            instruments: Some(vec![listed(DAILY, Some("10"))]),
            ..moving(AccountType::Isk)
        };
        let (account, transfer) = moved(&mut bench, ANNA, listing);
        bench.wait("2026-03-20T09:00:00+01:00");
        let (moved, _) = booked(&bench, &account, &transfer);
        let named: Vec<_> = moved.iter().filter(|(fund, _)| fund == DAILY).collect();
        assert_eq!(named, [&(DAILY.to_owned(), "10".to_owned())]);
        let mut funds: Vec<&String> = moved.iter().map(|(fund, _)| fund).collect();
        funds.dedup();
        assert_eq!(funds.len(), moved.len(), "{moved:?}");
        seen.insert(funds.len());
    }
    assert_eq!(seen, [1, 2, 3].into(), "up to two funds besides the named one");
}

/// (rule: securities/transfer-deliveries, money/units-without-orders)
#[test]
fn units_that_move_name_the_last_published_price_and_its_day() {
    let mut bench = Bench::new(1, START);
    let listing = TransferAccount {
        instruments: Some(vec![listed(DAILY, Some("10")), listed(GLOBAL, Some("5"))]),
        ..moving(AccountType::Isk)
    };
    let (account, transfer) = moved(&mut bench, ANNA, listing);
    bench.wait("2026-03-20T09:00:00+01:00");
    let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
    let funds = query::fund_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    assert!(funds.len() >= 2);
    for one in funds {
        let view = query::instrument(&bench.world, one.instrument).expect("a fund");
        assert_eq!((one.price, one.trade), (view.close_price, view.price_date), "{}", one.instrument);
        assert_eq!(one.reference.as_deref(), Some(transfer.id.to_string().as_str()));
        assert_eq!(one.settlement, Some(bench.world.now().local_date()));
    }
}

/// (rule: journeys/transfer-configuration)
#[test]
fn a_customer_may_pick_among_all_funds_of_the_client_where_that_is_allowed() {
    for (allowed, choices, read_only) in [(true, &[GLOBAL, DAILY, T_PLUS_ONE][..], false), (false, &[], true)] {
        let mut setup = crate::common::setup();
        let offered = [DAILY, T_PLUS_ONE, GLOBAL].into_iter().map(id).collect();
        setup.partners[0].clients[0].universe = sim::records::Universe::Only(offered);
        let mut bench = Bench::of(&setup, 1, START);
        let listing = TransferAccount {
            allow_instrument_selection: allowed,
            instruments: Some(vec![listed(DAILY, None)]),
            ..moving(AccountType::Isk)
        };
        let configuration =
            Configuration { transfer: Some(transfer_of(vec![listing])), ..opening_by(ANNA, AccountType::Isk) };
        let journey = bench.journey(configuration);
        let steps = query::journey_steps(&bench.world, journey);
        let fields = steps.into_iter().find(|view| view.step == JourneyStep::Transfer).expect("shown").fields;
        let field = fields.into_iter().find(|field| field.key == "instruments").expect("asked");
        let offered: Vec<&str> = field.choices.iter().map(|choice| choice.value.as_ref()).collect();
        assert_eq!((offered, field.read_only), (choices.to_vec(), read_only));
        assert_eq!(field.values, [Arc::from(DAILY)]);
    }
}
