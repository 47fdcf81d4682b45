//! The rules of `journey.transfer`: one valid base, one row for each rule broken.

use super::{START, moving, opening, transfer_of};
use crate::common::{Bench, DAILY, id, units};
use sim::ids::CustodianId;
use sim::money::Units;
use sim::records::{
    AccountType, Configuration, CustodianTransfers, Output, TransferAccount, TransferConfiguration, TransferInstrument,
    WelcomeScreen,
};
use std::sync::Arc;

fn base() -> Configuration {
    Configuration {
        account_types: Some(vec![AccountType::Isk, AccountType::Depot, AccountType::Insurance]),
        transfer: Some(transfer_of(vec![moving(AccountType::Depot)])),
        welcome_screen: Some(WelcomeScreen::Transfer),
        ..opening(AccountType::Depot)
    }
}

fn transfer(configuration: &mut Configuration) -> &mut TransferConfiguration {
    configuration.transfer.as_mut().expect("a transfer")
}

fn account(configuration: &mut Configuration) -> &mut TransferAccount {
    &mut transfer(configuration).transfers[0].accounts[0]
}

fn custodian(name: &str, accounts: Vec<TransferAccount>) -> CustodianTransfers {
    CustodianTransfers { custodian: CustodianId::parse(name).expect("an id"), accounts }
}

fn without_number() -> TransferAccount {
    TransferAccount { account_number: None, ..moving(AccountType::Depot) }
}

fn listed(fund: &str, units: Option<Units>) -> TransferInstrument {
    TransferInstrument { instrument: id(fund), units }
}

type Change = fn(&mut Configuration);

#[rustfmt::skip]
const BROKEN: &[(Change, &str)] = &[
    (|c| transfer(c).transfers.clear(), "transfers must not be empty"),
    (|c| transfer(c).transfers[0].accounts.clear(), "transfers[0].accounts must not be empty"),
    (|c| transfer(c).transfers[0].custodian = CustodianId::parse("nobody").expect("an id"), "transfers[0].custodian is not known"),
    (|c| account(c).account_number = Some(Arc::from("")), "transfers[0].accounts[0].accountNumber is not acceptable: 1 to 34 letters, digits, blanks, `-`, `.` or `/` are expected"),
    (|c| account(c).account_number = Some(Arc::from("<script>")), "transfers[0].accounts[0].accountNumber is not acceptable: 1 to 34 letters, digits, blanks, `-`, `.` or `/` are expected"),
    (|c| transfer(c).transfers[0].accounts = vec![without_number(), without_number()], "transfers[0].accounts[1].accountNumber is not acceptable: a custodian may have only one account without a number"),
    (|c| { account(c).account_number = None; transfer(c).transfers.push(custodian("alpha", vec![without_number()])); }, "transfers[1].accounts[0].accountNumber is not acceptable: a custodian may have only one account without a number"),
    (|c| transfer(c).transfers.push(custodian("alpha", vec![moving(AccountType::Depot)])), "transfers[1].accounts[0].accountNumber is given twice"),
    (|c| account(c).source_account_type = vec![], "transfers[0].accounts[0].sourceAccountType must not be empty"),
    (|c| account(c).source_account_type = vec![AccountType::Depot, AccountType::Isk], "transfers[0].accounts[0].sourceAccountType is not acceptable: exactly one entry fits an account whose number is given"),
    (|c| { account(c).account_number = None; account(c).source_account_type = vec![AccountType::Isk, AccountType::Isk]; }, "transfers[0].accounts[0].sourceAccountType[1] is given twice"),
    (|c| c.account_types = Some(vec![AccountType::Isk]), "transfers[0].accounts[0].sourceAccountType[0] is not acceptable: it is not one of the journey's `accountTypes`"),
    (|c| account(c).untransferable_units_output = vec![], "transfers[0].accounts[0].untransferableUnitsOutput must not be empty"),
    (|c| account(c).untransferable_units_output = vec![Output::Cash, Output::Cash], "transfers[0].accounts[0].untransferableUnitsOutput[1] is given twice"),
    (|c| account(c).untransferable_units_output = vec![Output::Units], "transfers[0].accounts[0].untransferableUnitsOutput is not acceptable: only `cash` and `ignore` fit here"),
    (|c| account(c).default_units_output = vec![], "transfers[0].accounts[0].defaultUnitsOutput must not be empty"),
    (|c| account(c).default_units_output = vec![Output::Units, Output::Units], "transfers[0].accounts[0].defaultUnitsOutput[1] is given twice"),
    (|c| account(c).balance_output = vec![], "transfers[0].accounts[0].balanceOutput must not be empty"),
    (|c| account(c).balance_output = vec![Output::Ignore, Output::Ignore], "transfers[0].accounts[0].balanceOutput[1] is given twice"),
    (|c| account(c).balance_output = vec![Output::Units], "transfers[0].accounts[0].balanceOutput is not acceptable: only `cash` and `ignore` fit here"),
    (|c| account(c).instruments = Some(vec![listed(DAILY, None), listed(DAILY, None)]), "transfers[0].accounts[0].instruments[1].instrument is given twice"),
    (|c| account(c).instruments = Some(vec![listed("SE0SBX000081SEK", None)]), "transfers[0].accounts[0].instruments[0].instrument is not known"),
    (|c| account(c).instruments = Some(vec![listed(DAILY, Some(Units::ZERO))]), "transfers[0].accounts[0].instruments[0].units must be greater than zero"),
    (|c| account(c).instruments = Some(vec![listed(DAILY, Some(units("1000000000.5")))]), "transfers[0].accounts[0].instruments[0].units is not acceptable: at most 1000000000 units are expected"),
    (|c| account(c).source_account_type = vec![AccountType::Insurance], "transfers[0].accounts[0].defaultUnitsOutput does not fit the account type: units cannot be moved into an insurance account"),
];

/// (rule: journeys/transfer-configuration)
#[test]
fn every_rule_of_the_transfer_is_refused_by_the_name_of_its_field() {
    let mut bench = Bench::new(1, START);
    assert_eq!(bench.complaint(base()), "");
    for (change, expected) in BROKEN {
        let mut configuration = base();
        change(&mut configuration);
        assert_eq!(bench.complaint(configuration), format!("journey.transfer.{expected}"));
    }
}

/// (rule: securities/transfer-deliveries, accounts/account-types)
#[test]
fn units_of_no_kind_can_be_moved_into_an_insurance_account() {
    let mut bench = Bench::new(1, START);
    let insured = |outputs: &[Output]| TransferAccount {
        source_account_type: vec![AccountType::Insurance],
        default_units_output: outputs.to_vec(),
        ..moving(AccountType::Depot)
    };
    let ask = |account| Configuration { transfer: Some(transfer_of(vec![account])), ..base() };
    for fine in [&[Output::Cash][..], &[Output::Ignore], &[Output::Cash, Output::Ignore]] {
        assert_eq!(bench.complaint(ask(insured(fine))), "");
    }
    let prefix = "journey.transfer.transfers[0].accounts[0].";
    let suffix = " does not fit the account type: units cannot be moved into an insurance account";
    let picks = TransferAccount { allow_instrument_selection: true, ..insured(&[Output::Cash]) };
    assert_eq!(bench.complaint(ask(picks)), format!("{prefix}allowInstrumentSelection{suffix}"));
    let lists =
        TransferAccount { instruments: Some(vec![listed(DAILY, Some(units("1")))]), ..insured(&[Output::Cash]) };
    assert_eq!(bench.complaint(ask(lists)), format!("{prefix}instruments{suffix}"));
}

/// (rule: securities/transfer-deliveries)
#[test]
fn beside_an_insurance_other_types_take_units_as_long_as_it_has_a_choice_left() {
    let mut bench = Bench::new(1, START);
    let either = |outputs: &[Output]| TransferAccount {
        account_number: None,
        source_account_type: vec![AccountType::Isk, AccountType::Insurance],
        default_units_output: outputs.to_vec(),
        allow_instrument_selection: true,
        instruments: Some(vec![listed(DAILY, Some(units("1")))]),
        ..moving(AccountType::Depot)
    };
    let ask = |account| Configuration { transfer: Some(transfer_of(vec![account])), ..base() };
    for fine in [&[Output::Cash][..], &[Output::Units, Output::Cash], &[Output::Ignore, Output::Units]] {
        assert_eq!(bench.complaint(ask(either(fine))), "");
    }
    let refused = "journey.transfer.transfers[0].accounts[0].defaultUnitsOutput does not fit the account type: units cannot be moved \
                   into an insurance account";
    assert_eq!(bench.complaint(ask(either(&[Output::Units]))), refused);
}

/// (rule: journeys/transfer-configuration)
#[test]
fn accounts_without_a_number_are_counted_a_custodian() {
    let mut bench = Bench::new(1, START);
    let mut configuration = base();
    transfer(&mut configuration).transfers = vec![
        custodian("alpha", vec![without_number(), moving(AccountType::Depot)]),
        custodian("beta", vec![without_number()]),
    ];
    assert_eq!(bench.complaint(configuration), "");
}

/// (rule: journeys/transfer-configuration)
#[test]
fn twenty_custodians_with_twenty_accounts_each_fit_and_no_more() {
    let mut bench = Bench::new(1, START);
    let entries = |custodians: usize, accounts: usize| -> Vec<CustodianTransfers> {
        let numbered = |of: usize, at: usize| TransferAccount {
            account_number: Some(Arc::from(format!("{of}-{at}"))),
            ..moving(AccountType::Depot)
        };
        (0..custodians).map(|of| custodian("alpha", (0..accounts).map(|at| numbered(of, at)).collect())).collect()
    };
    for (custodians, accounts, expected) in [
        (20, 20, ""),
        (21, 1, "journey.transfer.transfers must have at most 20 entries"),
        (1, 21, "journey.transfer.transfers[0].accounts must have at most 20 entries"),
    ] {
        let mut configuration = base();
        transfer(&mut configuration).transfers = entries(custodians, accounts);
        assert_eq!(bench.complaint(configuration), expected, "{custodians} of {accounts}");
    }
}

/// (rule: journeys/transfer-configuration)
#[test]
fn a_thousand_million_units_of_a_fund_can_be_named_and_no_more() {
    let mut bench = Bench::new(1, START);
    for (text, expected) in [
        ("0.0000001", ""),
        ("1000000000", ""),
        (
            "1000000000.0000001",
            "journey.transfer.transfers[0].accounts[0].instruments[0].units is not acceptable: at most 1000000000 \
             units are expected",
        ),
    ] {
        let mut configuration = base();
        account(&mut configuration).instruments = Some(vec![listed(DAILY, Some(units(text)))]);
        assert_eq!(bench.complaint(configuration), expected, "{text}");
    }
}
