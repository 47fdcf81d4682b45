//! The banks: a payout that comes back.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::ids::CashTransactionId;
use surface::auth::Caller;
use surface::extract::{Ids, NoFields};

/// `POST /simulations/withdrawal/{transactionId}/bounce`: answers the transaction that brings the money back.
pub async fn bounce(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::BouncePayout { partner: caller.partner, transaction })
}
