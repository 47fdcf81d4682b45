//! The back office: cash or units booked on an account without an order (rule: accounts/corrections, accounts/dividends).

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::{Book, Booked};
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::money::{Amount, Units};
use sim::records::{CashRefType, CashType, FundRefType, FundType};
use std::sync::Arc;
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::rows::fields::{Fields, Unknown};
use wire::rows::shape::{Shape as _, line, shape};

shape! {
    /// Cash that is booked on an account.
    pub(crate) struct CashBookingRequest {
        kind: CashType = required "transactionType";
        ref_type: CashRefType = required "refType";
        /// Negative if the cash leaves the account.
        amount: Amount = required "amount";
        /// Text of the transaction.
        text: Option<Arc<str>> = optional "text" as line();
    }
}

shape! {
    /// Units that are booked on an account.
    pub(crate) struct UnitBookingRequest {
        kind: FundType = required "transactionType";
        ref_type: FundRefType = required "refType";
        instrument: InstrumentId = required "instrument";
        units: Units = required "units";
        /// Cost of the units.
        cost: Option<Amount> = optional "cost";
        /// Text of the transaction.
        text: Option<Arc<str>> = optional "text" as line();
    }
}

/// `POST /simulations/account/{accountId}/book`
pub async fn book(caller: Caller, Ids(account): Ids<AccountId>, body: Json) -> HandlerResult {
    let partner = caller.partner;
    let (what, text) = body.read(Unknown::Refused, booked)?;
    submitted(&caller, Command::Book(Box::new(Book { partner, account, what, text }))).await
}

/// Units where the body speaks of them, cash otherwise.
fn booked(body: &mut Fields<'_, '_>) -> Option<(Booked, Option<Arc<str>>)> {
    if body.has_field("instrument") || body.has_field("units") {
        let UnitBookingRequest { kind, ref_type, instrument, units, cost, text } = UnitBookingRequest::rows(body)?;
        return Some((Booked::Units { kind, ref_type, instrument, units, cost }, text));
    }
    let CashBookingRequest { kind, ref_type, amount, text } = CashBookingRequest::rows(body)?;
    Some((Booked::Cash { kind, ref_type, amount }, text))
}
