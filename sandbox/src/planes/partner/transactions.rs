//! Cash and fund transactions of a client or of one account: listed, read.

use super::{Answer, json, unknown};
use crate::http::auth::{Access, Caller, Resource};
use crate::http::extract::{Ids, Query};
use crate::wire::error::ApiError;
use crate::wire::query::Parameters;
use crate::wire::transaction::{CashTransaction, FundTransaction};
use crate::wire::words::Word;
use sim::World;
use sim::command::Scope;
use sim::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId};
use sim::query::{self, TransactionFilter};
use sim::store::Window;

/// `GET /v2/partner/client/{clientId}/transaction/cash`
pub async fn cash(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> Answer {
    cash_listed(&caller, client, None, &query)
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transaction/cash`
pub async fn cash_of_account(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> Answer {
    cash_listed(&caller, client, Some(account), &query)
}

/// `GET /v2/partner/client/{clientId}/transaction/cash/{transactionId}`
pub async fn cash_one(caller: Caller, Ids((client, id)): Ids<(ClientId, CashTransactionId)>) -> Answer {
    let scope = caller.client(client, Resource::Transaction, Access::Read)?;
    let found = caller.world.read(|world| query::cash_transaction(world, scope.client, id).cloned())?;
    Ok(json(&CashTransaction::of(&*found.ok_or_else(|| unknown(&caller, "transactionId"))?)))
}

/// `GET /v2/partner/client/{clientId}/transaction/fund`
pub async fn fund(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> Answer {
    fund_listed(&caller, client, None, &query)
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transaction/fund`
pub async fn fund_of_account(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> Answer {
    fund_listed(&caller, client, Some(account), &query)
}

/// `GET /v2/partner/client/{clientId}/transaction/fund/{transactionId}`
pub async fn fund_one(caller: Caller, Ids((client, id)): Ids<(ClientId, FundTransactionId)>) -> Answer {
    let scope = caller.client(client, Resource::Transaction, Access::Read)?;
    let found = caller.world.read(|world| query::fund_transaction(world, scope.client, id).cloned())?;
    Ok(json(&FundTransaction::of(&*found.ok_or_else(|| unknown(&caller, "transactionId"))?)))
}

fn cash_listed(caller: &Caller, client: ClientId, account: Option<AccountId>, query: &Query) -> Answer {
    let scope = caller.client(client, Resource::Transaction, Access::Read)?;
    let (window, filter) = asked(query, account, |query, filter| {
        filter.cash_type = query.word("transactionType");
        filter.cash_ref_type = ref_type(query);
    })?;
    let found = caller.world.read(|world| {
        known(world, scope, account).then(|| query::cash_transactions(world, scope.client, &window, &filter))
    })?;
    let found = found.ok_or_else(|| unknown(caller, "accountId"))?;
    Ok(json(&found.iter().map(|transaction| CashTransaction::of(transaction)).collect::<Vec<_>>()))
}

fn fund_listed(caller: &Caller, client: ClientId, account: Option<AccountId>, query: &Query) -> Answer {
    let scope = caller.client(client, Resource::Transaction, Access::Read)?;
    let (window, filter) = asked(query, account, |query, filter| {
        filter.fund_type = query.word("transactionType");
        filter.fund_ref_type = ref_type(query);
    })?;
    let found = caller.world.read(|world| {
        known(world, scope, account).then(|| query::fund_transactions(world, scope.client, &window, &filter))
    })?;
    let found = found.ok_or_else(|| unknown(caller, "accountId"))?;
    Ok(json(&found.iter().map(|transaction| FundTransaction::of(transaction)).collect::<Vec<_>>()))
}

/// The filters that both kinds share (rule: wire/transaction-filters), and those that `own` adds.
fn asked(
    query: &Query,
    account: Option<AccountId>,
    own: impl FnOnce(&mut Parameters<'_>, &mut TransactionFilter),
) -> Result<(Window, TransactionFilter), ApiError> {
    query.read(|query| {
        let window = query.window();
        let mut filter = TransactionFilter {
            // The account in the path wins over one in the query, which there is just an unknown parameter.
            account: account.or_else(|| query.id("account")),
            date_from: query.date("dateFrom"),
            date_to: query.date("dateTo"),
            reference: query.text("ref"),
            instrument: query.instrument("instrument"),
            ..TransactionFilter::default()
        };
        own(query, &mut filter);
        (window, filter)
    })
}

/// `refType`, or its older spelling.
fn ref_type<W: Word>(query: &mut Parameters<'_>) -> Option<W> {
    query.word("refType").or_else(|| query.word("reftype"))
}

/// Whether the account in the path, if there is one, is the client's.
fn known(world: &World, scope: Scope, account: Option<AccountId>) -> bool {
    account.is_none_or(|account| query::account(world, scope.client, account).is_some())
}
