//! Payers and their banks: a payment over bankgiro, a charge that is refused, a charge that is wanted back.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json, OptionalJson};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::{by, of};
use crate::wire::words::choices;
use sim::Command;
use sim::command::PayByBankgiro;
use sim::identity::Ocr;
use sim::ids::PaymentId;
use sim::records::PaymentReason;
use std::fmt;

/// `POST /simulations/bankgiro`: answers the payment on its way, whosever its reference is.
pub async fn bankgiro(caller: Caller, body: Json) -> HandlerResult {
    let pay = body.read(Unknown::Refused, |body| {
        let form = "an OCR reference with right length and check digits";
        let reference = body.required("ref", by(|spot| spot.text_as(form, |text| Ocr::parse(text).ok())));
        let amount = body.required("amount", of());
        Some(PayByBankgiro { partner: caller.partner, reference: reference?, amount: amount? })
    })?;
    submitted(&caller, Command::PayByBankgiro(pay))
}

/// `POST /simulations/payment/{paymentId}/fail`
pub async fn fail(caller: Caller, Ids(payment): Ids<PaymentId>, body: Json) -> HandlerResult {
    let form = fmt::from_fn(|f| {
        let codes: Vec<_> = PaymentReason::by_lever().map(PaymentReason::code).collect();
        write!(f, "one of {}", choices(codes.into_iter()))
    });
    let named = |text: &str| PaymentReason::by_lever().find(|reason| reason.code() == text);
    let reason =
        body.read(Unknown::Refused, |body| body.required("reasonCode", by(|spot| spot.text_as(&form, named))))?;
    submitted(&caller, Command::FailPayment { partner: caller.partner, payment, reason })
}

/// `POST /simulations/payment/{paymentId}/refund`: answers the transaction that pays it back.
pub async fn refund(caller: Caller, Ids(payment): Ids<PaymentId>, body: OptionalJson) -> HandlerResult {
    let unauthorised = body.read(Unknown::Refused, |body| body.or("unauthorised", false, of()))?;
    submitted(&caller, Command::RefundPayment { partner: caller.partner, payment, unauthorised })
}
