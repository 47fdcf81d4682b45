//! The ledger as a balance sheet, as JSON or as text (rule: money/books).
//!
//! Absent on purpose: sums, which are the world's.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use sim::World;
use sim::query::{LedgerEntry, LedgerView};

use super::request::{Bearer, HandlerResult, Target};
use crate::planes::responses::json;
use utoipa::ToSchema;
use wire::values::number::Money;
use wire::values::text::{AccountRef, Id, Timestamp};

/// `GET /_sandbox/worlds/{worldId}/books`: text for those who accept `text/plain` and nothing else, JSON otherwise.
pub(super) async fn show(target: Target, headers: HeaderMap) -> HandlerResult {
    let suspense = matches!(target.bearer, Bearer::Operator) || !target.shared;
    let wants_text = headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes() == b"text/plain");
    let handle = Arc::clone(&target.world);
    let all = move |world: &World| {
        let books = sim::query::books(world, |partner| target.sees(partner), suspense);
        if wants_text { text(&books) } else { json(&shown(&books)) }
    };
    handle.read_apart(all).await
}

/// The ledger of a world.
#[derive(Serialize, ToSchema)]
#[schema(as = Books)]
pub(crate) struct BooksShown {
    at: Timestamp,
    /// The platform's own accounts.
    platform: Vec<PlatformLine>,
    /// The partners' customers' accounts.
    investors: Vec<InvestorLine>,
    totals: Totals,
}

#[derive(Serialize, ToSchema)]
struct PlatformLine {
    #[schema(value_type = String)]
    account: &'static str,
    debit: Money,
    credit: Money,
    balance: Money,
}

#[derive(Serialize, ToSchema)]
struct InvestorLine {
    account: Id,
    r#ref: AccountRef,
    debit: Money,
    credit: Money,
    balance: Money,
}

/// Sums that an account has paid and received.
#[derive(Serialize, ToSchema)]
struct BookEntry {
    debit: Money,
    credit: Money,
    balance: Money,
}

#[derive(Serialize, ToSchema)]
#[schema(as = BookTotals)]
struct Totals {
    platform: BookEntry,
    investors: BookEntry,
    all: BookEntry,
}

fn shown(books: &LedgerView) -> BooksShown {
    let platform = books.platform.iter().map(|(role, entry)| {
        let BookEntry { debit, credit, balance } = line(entry);
        PlatformLine { account: role.name(), debit, credit, balance }
    });
    let investors = books.investors.iter().map(|(account, entry)| {
        let BookEntry { debit, credit, balance } = line(entry);
        let (account, reference) = (Id(account.id.as_uuid()), AccountRef(account.reference));
        InvestorLine { account, r#ref: reference, debit, credit, balance }
    });
    BooksShown {
        at: Timestamp(books.at),
        platform: platform.collect(),
        investors: investors.collect(),
        totals: Totals {
            platform: line(&books.of_platform()),
            investors: line(&books.of_investors()),
            all: line(&books.total()),
        },
    }
}

fn line(entry: &LedgerEntry) -> BookEntry {
    BookEntry { debit: Money(entry.debit), credit: Money(entry.credit), balance: Money(entry.balance()) }
}

fn text(books: &LedgerView) -> Response {
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
