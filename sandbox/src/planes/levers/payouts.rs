//! The banks: a payout that comes back.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, NoFields};
use crate::planes::partner::{HandlerResult, json, unexpected_reply};
use crate::wire::transaction::CashTransaction;
use sim::ids::CashTransactionId;
use sim::{Command, Reply};

/// `POST /simulations/withdrawal/{transactionId}/bounce`: answers the transaction that brings the money back.
pub async fn bounce(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    let command = Command::BouncePayout { partner: caller.partner, transaction };
    let reply = caller.world.submit(command, |_, reply| reply)?;
    match &reply {
        Reply::CashTransaction(transaction) => Ok(json(&CashTransaction::of(transaction))),
        other => Err(unexpected_reply(other)),
    }
}
