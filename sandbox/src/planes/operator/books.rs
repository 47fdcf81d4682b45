//! The ledger as a balance sheet, as JSON or as text (rule: money/books).
//!
//! Absent on purpose: sums, which are the world's.

use std::fmt::Write as _;

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use sim::query::{Books, LedgerEntry};

use super::request::{Bearer, HandlerResult, Target, json as answer};
use crate::wire::number::Money;

/// `GET /_sandbox/worlds/{worldId}/books`: text for those who accept `text/plain` and nothing else, JSON otherwise.
pub(super) async fn show(target: Target, headers: HeaderMap) -> HandlerResult {
    let suspense = matches!(target.bearer, Bearer::Operator) || !target.shared;
    let books = target.world.read(|world| sim::query::books(world, |partner| target.sees(partner), suspense))?;
    let wants_text = headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes() == b"text/plain");
    Ok(if wants_text { text(&books) } else { answer(&shown(&books)) })
}

fn shown(books: &Books) -> Value {
    let platform = books.platform.iter().map(|(role, entry)| line(json!({ "account": role.name() }), entry));
    let investors = books.investors.iter().map(|(account, entry)| {
        line(json!({ "account": account.id.to_string(), "ref": account.reference.to_string() }), entry)
    });
    json!({
        "at": books.at.to_string(),
        "platform": platform.collect::<Value>(),
        "investors": investors.collect::<Value>(),
        "totals": {
            "platform": line(json!({}), &books.of_platform()),
            "investors": line(json!({}), &books.of_investors()),
            "all": line(json!({}), &books.total()),
        },
    })
}

fn line(mut name: Value, entry: &LedgerEntry) -> Value {
    name["debit"] = json!(Money(entry.debit));
    name["credit"] = json!(Money(entry.credit));
    name["balance"] = json!(Money(entry.balance()));
    name
}

fn text(books: &Books) -> Response {
    let mut sheet =
        format!("Books at {}, SEK\n\n{:<36} {:>20} {:>20} {:>20}\n", books.at, "", "debit", "credit", "balance");
    for (role, entry) in &books.platform {
        row(&mut sheet, role.name(), entry);
    }
    row(&mut sheet, "platform", &books.of_platform());
    sheet.push('\n');
    for (account, entry) in &books.investors {
        row(&mut sheet, &account.id.to_string(), entry);
    }
    row(&mut sheet, "investors", &books.of_investors());
    sheet.push('\n');
    row(&mut sheet, "all", &books.total());
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], sheet).into_response()
}

fn row(sheet: &mut String, name: &str, entry: &LedgerEntry) {
    let [debit, credit, balance] = [entry.debit, entry.credit, entry.balance()].map(|amount| amount.to_string());
    writeln!(sheet, "{name:<36} {debit:>20} {credit:>20} {balance:>20}").expect("texts take what is written");
}
