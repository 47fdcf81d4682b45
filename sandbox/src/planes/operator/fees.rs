//! Why a fee is what it is: what has accrued on an account, what was charged and for which days, what is being charged with
//! the sales for it, what is carried and in arrears, and what comes back (rule: payments/fees-shown).
//!
//! Also what was taken for clients and where it went. Absent on purpose: sums, which are the world's.

use serde_json::{Value, json};
use sim::World;
use sim::ids::AccountId;
use sim::query::{self, FeesView};
use sim::records::{CashTransaction, CashType, Charge, DueCharges, DueRefund, FeeTerms, Sales, Statement};
use sim::store::Window;
use std::sync::Arc;

use super::request::{HandlerResult, Target, bad, json as answer};
use crate::wire::error::ApiError;
use crate::wire::number::{Money, Number};
use crate::wire::words::Word;

/// `GET /_sandbox/worlds/{worldId}/fees`: what was taken for each client.
pub(super) async fn of_clients(target: Target) -> HandlerResult {
    let shown = target.world.read(|world| {
        let pots = query::fee_pots(world, |partner| target.sees(partner)).map(|(client, kind, pot)| {
            let paid = pot.paid.iter().map(|payment| {
                json!({
                    "amount": Money(payment.amount),
                    "iban": payment.iban.to_string(),
                    "at": payment.at.to_string(),
                })
            });
            json!({
                "client": client.to_string(),
                "feeType": kind.word(),
                "waiting": Money(pot.waiting),
                "paid": paid.collect::<Value>(),
            })
        });
        let clients = query::clients(world).filter(|client| target.sees(client.partner)).map(|client| {
            json!({
                "client": client.id.to_string(),
                "partnerFee": terms(client.fees.partner),
                "clientFee": terms(client.fees.client),
            })
        });
        json!({ "clients": clients.collect::<Value>(), "taken": pots.collect::<Value>() })
    })?;
    Ok(answer(&shown))
}

/// `GET /_sandbox/worlds/{worldId}/fees/{accountId}`
pub(super) async fn of_account(target: Target) -> HandlerResult {
    let text = target.item.as_deref().unwrap_or_default();
    let id = AccountId::parse(text).map_err(|_| bad("accountId", "must be a UUID"))?;
    let shown = target.world.read(|world| {
        let own = query::clients(world).filter(|client| target.sees(client.partner));
        let account = own.into_iter().find_map(|client| query::account(world, client.id, id))?;
        let booked = query::cash_transactions(world, account.client, &Window::default(), &of(id));
        Some(query::fees(world, id).map_or(Value::Null, |view| account_fees(world, id, &view, &booked)))
    })?;
    match shown {
        None => Err(ApiError::not_found("accountId names no account")),
        Some(Value::Null) => Err(ApiError::not_found("accountId names an account that was never active")),
        Some(shown) => Ok(answer(&shown)),
    }
}

fn of(account: AccountId) -> query::TransactionFilter {
    query::TransactionFilter { account: Some(account), ..query::TransactionFilter::default() }
}

fn account_fees(world: &World, id: AccountId, view: &FeesView<'_>, booked: &[Arc<CashTransaction>]) -> Value {
    let file = view.file;
    let kinds = Charge::ALL.iter().enumerate().map(|(at, kind)| {
        json!({
            "refType": kind.name(),
            "basisPoints": view.rates[at],
            "mode": view.terms[at].map(|terms| terms.mode.name()),
            "accrued": Number(view.accrued[at]),
            "carry": Number(file.owed[at].carry - file.owed[at].accrued),
            "arrears": Money(file.owed[at].arrears),
        })
    });
    let coming = view.retrocessions.iter().map(|(quarter, fund, accrued)| {
        json!({ "quarter": quarter.to_string(), "instrument": fund.to_string(), "accrued": Number(*accrued) })
    });
    let taken = booked.iter().filter(|cash| matches!(cash.kind, CashType::Fee | CashType::Retrocession)).map(|cash| {
        json!({
            "id": cash.id.to_string(),
            "transactionType": cash.kind.word(),
            "refType": cash.ref_type.word(),
            "ref": cash.reference.as_deref(),
            "amount": Money(cash.amount),
            "createdDate": cash.stamp.created.to_string(),
        })
    });
    json!({
        "account": id.to_string(),
        "at": world.now().to_string(),
        "accruing": {
            "from": file.since.to_string(),
            "through": (view.through >= file.since).then(|| view.through.to_string()),
            "chargedAt": view.next.map(|next| next.0.to_string()),
            "kinds": kinds.collect::<Value>(),
        },
        "charging": file.due.as_ref().map(|due| charging(world, due)),
        "refunds": file.refunds.iter().map(|refund| refunding(world, refund)).collect::<Value>(),
        "lastCharge": file.statement.as_deref().map(charged),
        "isFinal": file.is_final,
        "retrocessions": {
            "paidAt": view.next.map(|next| next.1.to_string()),
            "accrued": coming.collect::<Value>(),
        },
        "transactions": taken.collect::<Value>(),
    })
}

/// Charges that wait for sales.
fn charging(world: &World, due: &DueCharges) -> Value {
    let amounts = Charge::ALL.iter().zip(due.amounts).filter(|(_, amount)| amount.is_positive());
    let refunds = due.refunds.iter();
    json!({
        "ref": due.quarter.to_string(),
        "amounts": amounts.map(|(kind, amount)| json!({ "refType": kind.name(), "amount": Money(amount) })).collect::<Value>(),
        "refunds": refunds.map(|(payment, amount)| json!({ "payment": payment.to_string(), "amount": Money(*amount) })).collect::<Value>(),
        "reserved": Money(due.reserved),
        "sales": sales(world, &due.sales),
    })
}

/// What a payer has back and is not booked yet.
fn refunding(world: &World, refund: &DueRefund) -> Value {
    json!({
        "payment": refund.payment.to_string(),
        "left": Money(refund.left),
        "inArrears": refund.is_arrears,
        "sales": sales(world, &refund.sales),
    })
}

fn sales(world: &World, sales: &Sales) -> Value {
    let placed = sales.placed.iter().map(|sale| {
        let order = query::sale(world, sale.order);
        json!({
            "order": sale.order.to_string(),
            "instrument": order.instrument.to_string(),
            "units": order.units.map(Number::from),
            "status": order.state.name(),
            "covers": Number(sale.covers()),
        })
    });
    placed.collect()
}

/// How the last charges came about.
fn charged(statement: &Statement) -> Value {
    let kinds = Charge::ALL.iter().zip(&statement.kinds).map(|(kind, of)| {
        json!({
            "refType": kind.name(),
            "mode": of.mode.name(),
            "carried": Number(of.carried),
            "accrued": Number(of.accrued),
            "amount": Money(of.amount),
            "arrears": Money(of.arrears),
        })
    });
    json!({
        "ref": statement.quarter.to_string(),
        "from": statement.first.to_string(),
        "through": statement.last.to_string(),
        "kinds": kinds.collect::<Value>(),
    })
}

fn terms(terms: FeeTerms) -> Value {
    json!({ "basisPoints": terms.basis_points, "mode": terms.mode.name() })
}
