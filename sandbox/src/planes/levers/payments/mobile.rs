//! The payer and the banks: a mobile payment paid, declined, failed, or not taken at all.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::ids::{AccountId, MobilePaymentId};
use sim::records::{MobilePaymentError, MobilePaymentRefusal};
use surface::auth::Caller;
use surface::extract::{Ids, Json, NoFields, OptionalJson};
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, shape};
use wire::words::{Word as _, of_words};

shape! {
    /// A mobile payment fails.
    pub(crate) struct MobilePaymentFailure {
        error: MobilePaymentError = required "errorCode"
            as of_words(MobilePaymentError::FAILURES.map(|error| (error.word(), error)));
    }
}

shape! {
    /// Refusal of the mobile payments into an account.
    pub(crate) struct PayerRefusal {
        /// Reason of the refusal; when left out, refusals end.
        refusal: Option<MobilePaymentRefusal> = optional "errorCode"
            as of_words(MobilePaymentRefusal::ALL.map(|refusal| (refusal.name(), refusal)));
    }
}

/// `POST /simulations/mobilepay/{mobilepayId}/pay`: also the banks' late answer.
pub async fn pay(caller: Caller, Ids(payment): Ids<MobilePaymentId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::PayMobilePayment { payment, partner: Some(caller.partner) }).await
}

/// `POST /simulations/mobilepay/{mobilepayId}/decline`
pub async fn decline(caller: Caller, Ids(payment): Ids<MobilePaymentId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::DeclineMobilePayment { payment, partner: Some(caller.partner) }).await
}

/// `POST /simulations/mobilepay/{mobilepayId}/fail`
pub async fn fail(caller: Caller, Ids(payment): Ids<MobilePaymentId>, body: Json) -> HandlerResult {
    let MobilePaymentFailure { error } = body.read(Unknown::Refused, MobilePaymentFailure::rows)?;
    submitted(&caller, Command::FailMobilePayment { payment, error, partner: Some(caller.partner) }).await
}

/// `POST /simulations/account/{accountId}/mobilepay`: payers are refused with `errorCode`; without one, no longer.
pub async fn refuse_payers(caller: Caller, Ids(account): Ids<AccountId>, body: OptionalJson) -> HandlerResult {
    let PayerRefusal { refusal } = body.read(Unknown::Refused, PayerRefusal::rows)?;
    submitted(&caller, Command::RefusePayers { partner: caller.partner, account, refusal }).await
}
