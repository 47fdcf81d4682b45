//! The transfer part of a configuration: what moves over from other custodians.
//!
//! Absent on purpose: its rules (rule: journeys/transfer-configuration), which are the world's.

use super::each;
use super::read::unreadable_fund;
use crate::wire::fields::{self, Fields, Spot};
use crate::wire::number::Number;
use crate::wire::text::InstrumentId;
use crate::wire::words::{AccountType, Output, TransferEnforce, word};
use serde::Serialize;
use sim::records;
use utoipa::ToSchema;

/// What moves over from other custodians.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyTransfer)]
pub(super) struct Transfer<'a> {
    /// Whether the customer may skip the step.
    enforce: TransferEnforce,
    /// One entry for each custodian; a custodian may be named again.
    transfers: Vec<Custodian<'a>>,
}

/// What is asked of one custodian.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyTransferCustodian)]
struct Custodian<'a> {
    /// Id from the client's list of custodians.
    custodian: &'a str,
    accounts: Vec<Account<'a>>,
}

/// An account at a custodian. In every list, one entry locks the choice and several let the customer pick.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JourneyTransferAccount)]
struct Account<'a> {
    /// Null lets the customer enter it; at most one null for each custodian.
    #[schema(required = true)]
    account_number: Option<&'a str>,
    source_account_type: Vec<AccountType>,
    /// Null lets the customer decide.
    #[schema(required = true)]
    close_account_and_savingsplans: Option<bool>,
    /// Whether the customer must complete this transfer.
    required: bool,
    /// For units that cannot move: `cash` or `ignore`.
    untransferable_units_output: Vec<Output>,
    /// For funds that `instruments` does not list.
    default_units_output: Vec<Output>,
    /// For the cash: `cash` or `ignore`.
    balance_output: Vec<Output>,
    /// Whether the customer may add funds.
    allow_instrument_selection: bool,
    /// Funds to move as units; `defaultUnitsOutput` handles all when they are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    instruments: Option<Vec<Fund>>,
}

/// A fund to move.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyTransferInstrument)]
struct Fund {
    instrument: InstrumentId,
    /// Null moves all.
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

/// Reads the transfer part.
pub(super) fn read(transfer: &mut Fields<'_, '_>) -> Option<records::TransferConfiguration> {
    let enforce = transfer.required("enforce", word);
    let transfers = transfer.required("transfers", |spot| spot.list(|spot| spot.object(custodian)));
    Some(records::TransferConfiguration {
        enforce: enforce.unwrap_or(records::TransferEnforce::Optional),
        transfers: transfers.unwrap_or_default(),
    })
}

fn custodian(entry: &mut Fields<'_, '_>) -> Option<records::CustodianTransfers> {
    let custodian = entry.required("custodian", |spot| spot.text_as("a custodian's id", |text| text.parse().ok()));
    let accounts = entry.required("accounts", |spot| spot.list(|spot| spot.object(account)));
    // A custodian that cannot be read is like no other.
    let custodian = custodian.or_else(|| entry.path().parse().ok());
    Some(records::CustodianTransfers { custodian: custodian?, accounts: accounts.unwrap_or_default() })
}

fn account(account: &mut Fields<'_, '_>) -> Option<records::TransferAccount> {
    let account_number = account.nullable("accountNumber", fields::free_text);
    let source_account_type = account.required("sourceAccountType", |spot| spot.list(word));
    let close_account_and_savingsplans = account.nullable("closeAccountAndSavingsplans", fields::flag);
    let required = account.required("required", fields::flag);
    let untransferable_units_output = account.required("untransferableUnitsOutput", |spot| spot.list(word));
    let default_units_output = account.required("defaultUnitsOutput", |spot| spot.list(word));
    let balance_output = account.required("balanceOutput", |spot| spot.list(word));
    let allow_instrument_selection = account.required("allowInstrumentSelection", fields::flag);
    let instruments = account.optional("instruments", |spot| spot.list(fund));
    Some(records::TransferAccount {
        // An account number that cannot be read is there, and like no other.
        account_number: account_number.unwrap_or_else(|| Some(account.path().into())),
        source_account_type: source_account_type.unwrap_or_default(),
        close_account_and_savingsplans: close_account_and_savingsplans.flatten(),
        required: required.unwrap_or(false),
        untransferable_units_output: untransferable_units_output.unwrap_or_default(),
        default_units_output: default_units_output.unwrap_or_default(),
        balance_output: balance_output.unwrap_or_default(),
        allow_instrument_selection: allow_instrument_selection.unwrap_or(false),
        instruments: instruments.flatten(),
    })
}

fn fund(spot: Spot<'_, '_>) -> Option<records::TransferInstrument> {
    spot.object(|fund| {
        let instrument = fund.required("instrument", fields::instrument);
        let units = fund.optional("units", fields::units);
        Some(records::TransferInstrument { instrument: instrument.or_else(unreadable_fund)?, units: units.flatten() })
    })
}
