//! The back office and the fund companies: an order put on hold, released, rejected.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::ids::OrderId;
use surface::auth::Caller;
use surface::extract::{Ids, NoFields};

/// `POST /simulations/order/{orderId}/hold`
pub async fn hold(caller: Caller, Ids(order): Ids<OrderId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::HoldOrder { partner: caller.partner, order }).await
}

/// `POST /simulations/order/{orderId}/release`
pub async fn release(caller: Caller, Ids(order): Ids<OrderId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::ReleaseOrder { partner: caller.partner, order }).await
}

/// `POST /simulations/order/{orderId}/reject`
pub async fn reject(caller: Caller, Ids(order): Ids<OrderId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::RejectOrder { partner: caller.partner, order }).await
}
