//! The rules of a configuration's transfer part (rule: journeys/transfer-configuration).

use super::findings::{Findings, given};
use crate::ids::CustodianId;
use crate::money::Units;
use crate::records::{
    AccountType, Output, PartialConfiguration, PartialTransferAccount, PartialTransferConfiguration, may_be_given,
};
use crate::refusal::Fault;
use rust_decimal::Decimal;

/// Most custodians, accounts at one of them, and funds of an account.
const MAX_ENTRIES: usize = 20;
const MAX_FUNDS: usize = 200;
/// More units of one fund than any account holds.
const MOST_UNITS: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);
/// Longest account number at a custodian.
pub(crate) const MAX_ACCOUNT_NUMBER: usize = 34;
/// What an account number at a custodian looks like.
pub(crate) const ACCOUNT_NUMBER_FORM: &str = "1 to 34 letters, digits, blanks, `-`, `.` or `/` are expected";

/// Every problem of `transfer` and of `welcomeScreen`.
pub(crate) fn check(found: &mut Findings<'_>, configuration: &PartialConfiguration) {
    let Some(transfer) = given(&configuration.transfer) else {
        if !may_be_given(&configuration.transfer) && given(&configuration.welcome_screen).is_some() {
            found.say("welcomeScreen", Fault::Invalid { because: "it is only allowed together with `transfer`" });
        }
        return;
    };
    if !found.client.permissions.transfers {
        found.say("transfer", Fault::NotPermitted);
    }
    let entries = "transfer.transfers";
    let Some(transfers) = &transfer.transfers else { return };
    if transfers.is_empty() {
        found.say(entries, Fault::Empty);
    }
    if transfers.len() > MAX_ENTRIES {
        found.say(entries, Fault::TooMany { max: MAX_ENTRIES });
        return;
    }
    for (at, entry) in transfers.iter().enumerate() {
        let Some(entry) = entry else { continue };
        let path = format!("{entries}[{at}]");
        let is_known = |id: &CustodianId| found.world.setup.custodians.iter().any(|known| known.id == *id);
        if !entry.custodian.as_ref().is_none_or(is_known) {
            found.say(format_args!("{path}.custodian"), Fault::NotFound);
        }
        let Some(accounts) = &entry.accounts else { continue };
        if accounts.is_empty() {
            found.say(format_args!("{path}.accounts"), Fault::Empty);
        }
        if accounts.len() > MAX_ENTRIES {
            found.say(format_args!("{path}.accounts"), Fault::TooMany { max: MAX_ENTRIES });
            continue;
        }
        for (of, account) in accounts.iter().enumerate() {
            if let Some(account) = account {
                check_account(found, configuration, &format!("{path}.accounts[{of}]"), account);
            }
        }
    }
    check_numbers(found, transfer);
}

/// Per custodian, over all entries: at most one account without a number, and no number twice.
fn check_numbers(found: &mut Findings<'_>, transfer: &PartialTransferConfiguration) {
    let mut seen = Vec::new();
    for (at, entry) in transfer.transfers.iter().flatten().enumerate() {
        let Some(custodian) = entry.as_ref().and_then(|entry| entry.custodian.as_ref()) else { continue };
        let accounts = entry.iter().flat_map(|entry| entry.accounts.iter().flatten());
        for (of, account) in accounts.take(MAX_ENTRIES).enumerate() {
            let Some(number) = account.as_ref().and_then(|account| account.account_number.as_ref()) else { continue };
            let key = (custodian, number.as_deref());
            if seen.contains(&key) {
                let fault = match key.1 {
                    Some(_) => Fault::Duplicate,
                    None => Fault::Invalid { because: "a custodian may have only one account without a number" },
                };
                found.say(format_args!("transfer.transfers[{at}].accounts[{of}].accountNumber"), fault);
            }
            seen.push(key);
        }
    }
}

fn check_account(
    found: &mut Findings<'_>,
    configuration: &PartialConfiguration,
    path: &str,
    account: &PartialTransferAccount,
) {
    if given(&account.account_number).is_some_and(|number| !is_account_number(number)) {
        found.say(format_args!("{path}.accountNumber"), Fault::Invalid { because: ACCOUNT_NUMBER_FORM });
    }
    check_source(found, configuration, path, account);
    let no_units = "only `cash` and `ignore` fit here";
    for (name, outputs, units) in [
        ("untransferableUnitsOutput", &account.untransferable_units_output, false),
        ("defaultUnitsOutput", &account.default_units_output, true),
        ("balanceOutput", &account.balance_output, false),
    ] {
        let field = format!("{path}.{name}");
        let Some(outputs) = outputs else { continue };
        found.choice(&field, outputs);
        if !units && outputs.contains(&Some(Output::Units)) {
            found.say(&field, Fault::Invalid { because: no_units });
        }
    }
    check_funds(found, path, account);
    check_insurance(found, path, account);
}

fn check_source(
    found: &mut Findings<'_>,
    configuration: &PartialConfiguration,
    path: &str,
    account: &PartialTransferAccount,
) {
    let field = format!("{path}.sourceAccountType");
    let Some(sources) = &account.source_account_type else { return };
    found.choice(&field, sources);
    if given(&account.account_number).is_some() && sources.iter().flatten().count() > 1 {
        found.say(&field, Fault::Invalid { because: "exactly one entry fits an account whose number is given" });
    }
    // A journey without `accountTypes` has that problem already.
    let allowed = given(&configuration.account_types).unwrap_or(sources);
    for (at, source) in sources.iter().enumerate() {
        if source.is_some() && !allowed.contains(source) && !allowed.contains(&None) {
            let because = "it is not one of the journey's `accountTypes`";
            found.say(format_args!("{field}[{at}]"), Fault::Invalid { because });
        }
    }
}

fn check_funds(found: &mut Findings<'_>, path: &str, account: &PartialTransferAccount) {
    let Some(instruments) = given(&account.instruments) else { return };
    if instruments.len() > MAX_FUNDS {
        found.say(format_args!("{path}.instruments"), Fault::TooMany { max: MAX_FUNDS });
        return;
    }
    for (at, wanted) in instruments.iter().enumerate() {
        let Some(wanted) = wanted else { continue };
        let fund = wanted.instrument;
        if fund.is_some() && instruments[..at].iter().flatten().any(|earlier| earlier.instrument == fund) {
            found.say(format_args!("{path}.instruments[{at}].instrument"), Fault::Duplicate);
        }
        // A fund outside the universe is untransferable when it comes to it (rule: journeys/untransferable-units), not a mistake.
        if fund.is_some_and(|fund| found.world.market.quote(fund).is_none()) {
            found.say(format_args!("{path}.instruments[{at}].instrument"), Fault::NotFound);
        }
        let field = format_args!("{path}.instruments[{at}].units");
        match wanted.units.flatten().map(Units::get) {
            Some(units) if units <= Decimal::ZERO => found.say(field, Fault::NotPositive),
            Some(units) if units > MOST_UNITS => {
                found.say(field, Fault::Invalid { because: "at most 1000000000 units are expected" })
            }
            _ => {}
        }
    }
}

/// Units cannot be moved into an endowment insurance (rule: securities/transfer-deliveries). Where the customer may choose
/// another type besides, something must be left to choose for the insurance.
fn check_insurance(found: &mut Findings<'_>, path: &str, account: &PartialTransferAccount) {
    let insured = |source: &Option<AccountType>| *source == Some(AccountType::Insurance);
    let sources = account.source_account_type.as_deref().unwrap_or_default();
    if !sources.iter().any(insured) {
        return;
    }
    let only = sources.iter().all(insured);
    let outputs = account.default_units_output.as_deref().unwrap_or_default();
    let units = |output: &Option<Output>| *output == Some(Output::Units);
    let nothing_left = !outputs.is_empty() && outputs.iter().all(units);
    let because = "units cannot be moved into an insurance account";
    let fault = || Fault::NotForThisAccountType { because };
    if nothing_left || (only && outputs.iter().any(units)) {
        found.say(format_args!("{path}.defaultUnitsOutput"), fault());
    }
    if !only {
        return;
    }
    if given(&account.instruments).is_some_and(|instruments| !instruments.is_empty()) {
        found.say(format_args!("{path}.instruments"), fault());
    }
    if account.allow_instrument_selection == Some(true) {
        found.say(format_args!("{path}.allowInstrumentSelection"), fault());
    }
}

/// What an account at a custodian may be called.
pub(crate) fn is_account_number(text: &str) -> bool {
    (1..=MAX_ACCOUNT_NUMBER).contains(&text.len())
        && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b' ' | b'-' | b'.' | b'/'))
        && text.trim() == text
}
