//! The transfer part of a configuration, as it is shown back: what moves over from other custodians.
//!
//! Absent on purpose: its rules (rule: journeys/transfer-configuration), which are the world's.

use crate::values::number::Number;
use crate::values::text::InstrumentId;
use crate::words::each;
use crate::words::{AccountType, Output, TransferEnforce};
use serde::Serialize;
use sim::records;

/// Transfers from other custodians.
#[derive(Serialize)]
pub(super) struct Transfer<'a> {
    enforce: TransferEnforce,
    transfers: Vec<Custodian<'a>>,
}

/// Transfers from one custodian.
#[derive(Serialize)]
struct Custodian<'a> {
    custodian: &'a str,
    accounts: Vec<Account<'a>>,
}

/// An account at a custodian. In every list, one entry locks the choice and several let the customer pick.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account<'a> {
    account_number: Option<&'a str>,
    source_account_type: Vec<AccountType>,
    close_account_and_savingsplans: Option<bool>,
    required: bool,
    untransferable_units_output: Vec<Output>,
    default_units_output: Vec<Output>,
    balance_output: Vec<Output>,
    allow_instrument_selection: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruments: Option<Vec<Fund>>,
}

/// A fund to transfer.
#[derive(Serialize)]
struct Fund {
    instrument: InstrumentId,
    units: Option<Number>,
}

impl<'a> Transfer<'a> {
    pub(super) fn of(transfer: &'a records::TransferConfiguration) -> Self {
        let records::TransferConfiguration { enforce, transfers } = transfer;
        let custodian = |entry: &'a records::CustodianTransfers| {
            let records::CustodianTransfers { custodian, accounts } = entry;
            Custodian { custodian: custodian.as_str(), accounts: accounts.iter().map(Account::of).collect() }
        };
        Self { enforce: TransferEnforce(*enforce), transfers: transfers.iter().map(custodian).collect() }
    }
}

impl<'a> Account<'a> {
    fn of(account: &'a records::TransferAccount) -> Self {
        let records::TransferAccount {
            account_number,
            source_account_type,
            close_account_and_savingsplans,
            required,
            untransferable_units_output,
            default_units_output,
            balance_output,
            allow_instrument_selection,
            instruments,
        } = account;
        let outputs = |outputs: &[records::Output]| outputs.iter().copied().map(Output).collect();
        let fund = |fund: &records::TransferInstrument| {
            let records::TransferInstrument { instrument, units } = fund;
            Fund { instrument: InstrumentId(*instrument), units: units.map(Number::from) }
        };
        Self {
            account_number: account_number.as_deref(),
            source_account_type: each(source_account_type),
            close_account_and_savingsplans: *close_account_and_savingsplans,
            required: *required,
            untransferable_units_output: outputs(untransferable_units_output),
            default_units_output: outputs(default_units_output),
            balance_output: outputs(balance_output),
            allow_instrument_selection: *allow_instrument_selection,
            instruments: instruments.as_ref().map(|funds| funds.iter().map(fund).collect()),
        }
    }
}
