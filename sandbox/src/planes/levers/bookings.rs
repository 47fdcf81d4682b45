//! The back office: cash or units booked on an account without an order (rule: payments/corrections, payments/dividends).

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::{Fields, Unknown};
use crate::wire::shape::{line, of};
use sim::Command;
use sim::command::{Book, Booked};
use sim::ids::AccountId;

/// `POST /simulations/account/{accountId}/book`
pub async fn book(caller: Caller, Ids(account): Ids<AccountId>, body: Json) -> HandlerResult {
    let partner = caller.partner;
    let book = body.read(Unknown::Refused, |body| {
        let what = if body.names("instrument") || body.names("units") { units(body) } else { cash(body) };
        let text = body.optional("text", line());
        Some(Book { partner, account, what: what?, text: text? })
    })?;
    submitted(&caller, Command::Book(Box::new(book)))
}

fn cash(body: &mut Fields<'_, '_>) -> Option<Booked> {
    let kind = body.required("transactionType", of());
    let ref_type = body.required("refType", of());
    let amount = body.required("amount", of());
    Some(Booked::Cash { kind: kind?, ref_type: ref_type?, amount: amount? })
}

fn units(body: &mut Fields<'_, '_>) -> Option<Booked> {
    let kind = body.required("transactionType", of());
    let ref_type = body.required("refType", of());
    let instrument = body.required("instrument", of());
    let units = body.required("units", of());
    let cost = body.optional("cost", of());
    Some(Booked::Units { kind: kind?, ref_type: ref_type?, instrument: instrument?, units: units?, cost: cost? })
}
