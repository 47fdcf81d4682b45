//! The platform: what has ended is forgotten, and subscribers are sent events (rule: accounts/purging,
//! events/delete-events).

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::Purgeable;
use sim::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId, OrderId};
use surface::auth::Caller;
use surface::extract::{Ids, NoFields};

/// `POST /simulations/client/{clientId}/purge`
pub async fn client(caller: Caller, Ids(client): Ids<ClientId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::Client(client)).await
}

/// `POST /simulations/account/{accountId}/purge`
pub async fn account(caller: Caller, Ids(account): Ids<AccountId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::Account(account)).await
}

/// `POST /simulations/journey/{journeyId}/purge`
pub async fn journey(caller: Caller, Ids(journey): Ids<JourneyId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::Journey(journey)).await
}

/// `POST /simulations/order/{orderId}/purge`
pub async fn order(caller: Caller, Ids(order): Ids<OrderId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::Order(order)).await
}

/// `POST /simulations/cashTransaction/{transactionId}/purge`
pub async fn cash_transaction(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::CashTransaction(transaction)).await
}

/// `POST /simulations/fundTransaction/{transactionId}/purge`
pub async fn fund_transaction(caller: Caller, Ids(transaction): Ids<FundTransactionId>, _: NoFields) -> HandlerResult {
    purged(&caller, Purgeable::FundTransaction(transaction)).await
}

async fn purged(caller: &Caller, what: Purgeable) -> HandlerResult {
    submitted(caller, Command::Purge { partner: caller.partner, what }).await
}
