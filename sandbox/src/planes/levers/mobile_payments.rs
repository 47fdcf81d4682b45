//! The payer and the banks: a mobile payment paid, declined, failed.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json, NoFields};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::by;
use crate::wire::words::{Word as _, one_of};
use sim::Command;
use sim::ids::MobilePaymentId;
use sim::records::MobilePaymentError;

/// `POST /simulations/mobilepay/{mobilepayId}/pay`: also the banks' late answer.
pub async fn pay(caller: Caller, Ids(payment): Ids<MobilePaymentId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::PayMobilePayment { payment, partner: Some(caller.partner) })
}

/// `POST /simulations/mobilepay/{mobilepayId}/decline`
pub async fn decline(caller: Caller, Ids(payment): Ids<MobilePaymentId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::DeclineMobilePayment { payment, partner: Some(caller.partner) })
}

/// `POST /simulations/mobilepay/{mobilepayId}/fail`
pub async fn fail(caller: Caller, Ids(payment): Ids<MobilePaymentId>, body: Json) -> HandlerResult {
    let codes = MobilePaymentError::FAILURES.map(|error| (error.word(), error));
    let error = body.read(Unknown::Refused, |body| body.required("errorCode", by(one_of(&codes))))?;
    submitted(&caller, Command::FailMobilePayment { payment, error, partner: Some(caller.partner) })
}
