//! Cash and fund transactions of a client or of one account: listed, read.

use crate::planes::responses::{HandlerResult, json, unknown};
use sim::command::Scope;
use sim::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId};
use sim::query::{self, TransactionFilter};
use sim::store::Window;
use surface::auth::Caller;
use surface::extract::{Ids, Query};
use wire::accounts::transactions::{CashTransaction, FundTransaction};
use wire::error::ApiError;
use wire::query::{Parameters, window};
use wire::words::Word;

/// What a listing is narrowed to.
type Filters = (Window, TransactionFilter);

/// `GET /v2/partner/client/{clientId}/transaction/cash`
pub async fn cash(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    cash_listed(&caller, scope, query.read(cash_transaction_filters)?)
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transaction/cash`
pub async fn cash_of_account(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let filters = of_account(&caller, scope, account, query.read(cash_transaction_filters_of_account)?)?;
    cash_listed(&caller, scope, filters)
}

/// `GET /v2/partner/client/{clientId}/transaction/cash/{transactionId}`
pub async fn cash_one(caller: Caller, Ids((client, id)): Ids<(ClientId, CashTransactionId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| query::cash_transaction(world, scope.client, id).cloned())?;
    Ok(json(&CashTransaction::of(&*found.ok_or_else(|| unknown(&caller, "transactionId"))?)))
}

/// `GET /v2/partner/client/{clientId}/transaction/fund`
pub async fn fund(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    fund_listed(&caller, scope, query.read(fund_transaction_filters)?)
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transaction/fund`
pub async fn fund_of_account(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let filters = of_account(&caller, scope, account, query.read(fund_transaction_filters_of_account)?)?;
    fund_listed(&caller, scope, filters)
}

/// `GET /v2/partner/client/{clientId}/transaction/fund/{transactionId}`
pub async fn fund_one(caller: Caller, Ids((client, id)): Ids<(ClientId, FundTransactionId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| query::fund_transaction(world, scope.client, id).cloned())?;
    Ok(json(&FundTransaction::of(&*found.ok_or_else(|| unknown(&caller, "transactionId"))?)))
}

fn cash_listed(caller: &Caller, scope: Scope, (window, filter): Filters) -> HandlerResult {
    let found = caller.world.read(|world| query::cash_transactions(world, scope.client, &window, &filter))?;
    Ok(json(&found.iter().map(|transaction| CashTransaction::of(transaction)).collect::<Vec<_>>()))
}

fn fund_listed(caller: &Caller, scope: Scope, (window, filter): Filters) -> HandlerResult {
    let found = caller.world.read(|world| query::fund_transactions(world, scope.client, &window, &filter))?;
    Ok(json(&found.iter().map(|transaction| FundTransaction::of(transaction)).collect::<Vec<_>>()))
}

/// The parameters of a listing of cash transactions.
pub(crate) fn cash_transaction_filters(query: &mut Parameters<'_>) -> Filters {
    let shared = filters(query, true);
    of_cash(query, shared)
}

/// The same where the account is in the path; one in the query is then just an unknown parameter.
pub(crate) fn cash_transaction_filters_of_account(query: &mut Parameters<'_>) -> Filters {
    let shared = filters(query, false);
    of_cash(query, shared)
}

/// The parameters of a listing of fund transactions.
pub(crate) fn fund_transaction_filters(query: &mut Parameters<'_>) -> Filters {
    let shared = filters(query, true);
    of_funds(query, shared)
}

/// The same where the account is in the path.
pub(crate) fn fund_transaction_filters_of_account(query: &mut Parameters<'_>) -> Filters {
    let shared = filters(query, false);
    of_funds(query, shared)
}

/// The parameters that both kinds share (rule: wire/transaction-filters).
fn filters(query: &mut Parameters<'_>, of_any_account: bool) -> Filters {
    let page = window(query);
    let filter = TransactionFilter {
        account: if of_any_account { query.id("account", "Only of this account.") } else { None },
        date_from: query.date("dateFrom", "Created on this day or later, in Stockholm time."),
        date_to: query.date("dateTo", "Created on this day or earlier."),
        reference: query.text("ref", "Only with exactly this `ref`."),
        instrument: query.instrument("instrument", "Only in this instrument."),
        ..TransactionFilter::default()
    };
    (page, filter)
}

fn of_cash(query: &mut Parameters<'_>, (window, mut filter): Filters) -> Filters {
    (filter.cash_type, filter.cash_ref_type) = types(query);
    (window, filter)
}

fn of_funds(query: &mut Parameters<'_>, (window, mut filter): Filters) -> Filters {
    (filter.fund_type, filter.fund_ref_type) = types(query);
    (window, filter)
}

/// `transactionType`, and `refType` or its older spelling, which is not described.
fn types<T: Word, R: Word>(query: &mut Parameters<'_>) -> (Option<T>, Option<R>) {
    let kind = query.word("transactionType", "Only of this type.");
    let ref_type = query.word("refType", "Only with this `refType`.");
    (kind, ref_type.or_else(|| query.word("reftype", "")))
}

/// `filters` for one account of the client.
fn of_account(
    caller: &Caller,
    scope: Scope,
    account: AccountId,
    (window, filter): Filters,
) -> Result<Filters, ApiError> {
    let is_known = caller.world.read(|world| query::account(world, scope.client, account).is_some())?;
    let filter = TransactionFilter { account: Some(account), ..filter };
    if is_known { Ok((window, filter)) } else { Err(unknown(caller, "accountId")) }
}
