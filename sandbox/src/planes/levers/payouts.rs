//! The banks: a payout that comes back.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, NoFields};
use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::ids::CashTransactionId;

/// `POST /simulations/withdrawal/{transactionId}/bounce`: answers the transaction that brings the money back.
pub async fn bounce(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::BouncePayout { partner: caller.partner, transaction })
}
