//! The payer and the banks: a mobile payment paid, declined, failed, or not taken at all.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json, NoFields, OptionalJson};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::by;
use crate::wire::words::{Word as _, one_of};
use sim::Command;
use sim::ids::{AccountId, MobilePaymentId};
use sim::records::{MobilePaymentError, MobilePaymentRefusal};

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

/// `POST /simulations/account/{accountId}/mobilepay`: payers are refused with `errorCode`; without one, no longer.
pub async fn refuse_payers(caller: Caller, Ids(account): Ids<AccountId>, body: OptionalJson) -> HandlerResult {
    let codes = MobilePaymentRefusal::ALL.map(|refusal| (refusal.name(), refusal));
    let refusal = body.read(Unknown::Refused, |body| body.optional("errorCode", by(one_of(&codes))))?;
    submitted(&caller, Command::RefusePayers { partner: caller.partner, account, refusal })
}
