//! Payers and their banks: a payment over bankgiro, a charge that is refused, a charge that is wanted back.

pub mod mobile;

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::PayByBankgiro;
use sim::identity::Ocr;
use sim::ids::PaymentId;
use sim::money::Amount;
use sim::records::PaymentReason;
use surface::auth::Caller;
use surface::extract::{Ids, Json, OptionalJson};
use wire::rows::fields::{Cursor, Unknown};
use wire::rows::shape::{Shape as _, described, reference, shape};
use wire::values::text;
use wire::words::of_words;

shape! {
    /// A payment over bankgiro.
    pub(crate) struct BankgiroRequest {
        reference: Ocr = required "ref" as described(ocr, reference::<text::Ocr>);
        amount: Amount = required "amount";
    }
}

fn ocr(cursor: Cursor<'_, '_>) -> Option<Ocr> {
    cursor.text_as("an OCR reference with right length and check digits", |text| Ocr::parse(text).ok())
}

shape! {
    /// A charge is refused.
    pub(crate) struct PaymentFailure {
        /// The scheme's code.
        reason: PaymentReason = required "reasonCode"
            as of_words(PaymentReason::by_lever().map(|reason| (reason.code(), reason)));
    }
}

shape! {
    /// The payer demands a refund of a charge.
    pub(crate) struct RefundRequest {
        /// Whether the payer denies having authorised the charge.
        unauthorised: bool = or(false) "unauthorised";
    }
}

/// `POST /simulations/bankgiro`: answers the payment on its way, whosever its reference is.
pub async fn bankgiro(caller: Caller, body: Json) -> HandlerResult {
    let BankgiroRequest { reference, amount } = body.read(Unknown::Refused, BankgiroRequest::rows)?;
    submitted(&caller, Command::PayByBankgiro(PayByBankgiro { partner: caller.partner, reference, amount })).await
}

/// `POST /simulations/payment/{paymentId}/fail`
pub async fn fail(caller: Caller, Ids(payment): Ids<PaymentId>, body: Json) -> HandlerResult {
    let PaymentFailure { reason } = body.read(Unknown::Refused, PaymentFailure::rows)?;
    submitted(&caller, Command::FailPayment { partner: caller.partner, payment, reason }).await
}

/// `POST /simulations/payment/{paymentId}/refund`: answers the transaction that pays it back.
pub async fn refund(caller: Caller, Ids(payment): Ids<PaymentId>, body: OptionalJson) -> HandlerResult {
    let RefundRequest { unauthorised } = body.read(Unknown::Refused, RefundRequest::rows)?;
    submitted(&caller, Command::RefundPayment { partner: caller.partner, payment, unauthorised }).await
}
