//! The platform: what has ended is forgotten, and subscribers hear of it (rule: accounts/purging,
//! events/delete-events).

use crate::http::auth::Caller;
use crate::http::extract::{Ids, NoFields};
use crate::planes::partner::{HandlerResult, clients, journeys, json, orders, unexpected_reply};
use crate::wire::transaction::{CashTransaction, FundTransaction};
use sim::command::Purgeable;
use sim::ids::{CashTransactionId, ClientId, FundTransactionId, JourneyId, OrderId};
use sim::{Command, Reply};

/// `POST /simulations/client/{clientId}/purge`
pub async fn client(caller: Caller, Ids(client): Ids<ClientId>, _: NoFields) -> HandlerResult {
    clients::submitted(&caller, command(&caller, Purgeable::Client(client)))
}

/// `POST /simulations/journey/{journeyId}/purge`
pub async fn journey(caller: Caller, Ids(journey): Ids<JourneyId>, _: NoFields) -> HandlerResult {
    journeys::submitted(&caller, command(&caller, Purgeable::Journey(journey)))
}

/// `POST /simulations/order/{orderId}/purge`
pub async fn order(caller: Caller, Ids(order): Ids<OrderId>, _: NoFields) -> HandlerResult {
    orders::submitted(&caller, command(&caller, Purgeable::Order(order)))
}

/// `POST /simulations/cashTransaction/{transactionId}/purge`
pub async fn cash_transaction(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    transactions(&caller, Purgeable::CashTransaction(transaction))
}

/// `POST /simulations/fundTransaction/{transactionId}/purge`
pub async fn fund_transaction(caller: Caller, Ids(transaction): Ids<FundTransactionId>, _: NoFields) -> HandlerResult {
    transactions(&caller, Purgeable::FundTransaction(transaction))
}

const fn command(caller: &Caller, what: Purgeable) -> Command {
    Command::Purge { partner: caller.partner, what }
}

fn transactions(caller: &Caller, what: Purgeable) -> HandlerResult {
    match &caller.world.submit(command(caller, what), |_, reply| reply)? {
        Reply::CashTransaction(transaction) => Ok(json(&CashTransaction::of(transaction))),
        Reply::FundTransaction(transaction) => Ok(json(&FundTransaction::of(transaction))),
        other => Err(unexpected_reply(other)),
    }
}
