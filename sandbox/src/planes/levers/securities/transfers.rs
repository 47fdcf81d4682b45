//! The ceding custodians: a transfer agreed to, refused, delivered.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::CustodianAct;
use sim::ids::TransferId;
use surface::auth::Caller;
use surface::extract::{Ids, NoFields};

/// `POST /simulations/transfer/{transferId}/accept`
pub async fn accept(caller: Caller, Ids(transfer): Ids<TransferId>, _: NoFields) -> HandlerResult {
    moved(&caller, transfer, CustodianAct::Accept).await
}

/// `POST /simulations/transfer/{transferId}/reject`
pub async fn reject(caller: Caller, Ids(transfer): Ids<TransferId>, _: NoFields) -> HandlerResult {
    moved(&caller, transfer, CustodianAct::Reject).await
}

/// `POST /simulations/transfer/{transferId}/complete`
pub async fn complete(caller: Caller, Ids(transfer): Ids<TransferId>, _: NoFields) -> HandlerResult {
    moved(&caller, transfer, CustodianAct::Complete).await
}

async fn moved(caller: &Caller, transfer: TransferId, act: CustodianAct) -> HandlerResult {
    submitted(caller, Command::MoveTransfer { partner: caller.partner, transfer, act }).await
}
