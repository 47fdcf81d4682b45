//! Mobile payment sessions: what is asked, what the payer's app needs, and the state of a session (rule:
//! payments/mobile-payment-session, payments/mobile-payment-states).

use crate::rows::shape::shape;
use crate::rows::shown::shown;
use crate::values::number::Money;
use crate::values::text::Id;
use crate::words::{MobilePaymentErrorCode, MobilePaymentType};
use serde::Serialize;
use sim::command::PartialMobilePayment;
use sim::records;
use sim::settings::Settings;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

shape! {
    /// Asks the payer for a mobile payment.
    pub partial MobilePaymentRequest of PartialMobilePayment {
        kind = required "type";
        /// From 1.00 to 150,000.00 SEK.
        amount = required "amount";
        /// Form of the QR code, with `other_device` only; `png` when absent.
        qr_format = optional "qrFormat";
    }
}

/// A new mobile payment session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MobilePaymentSession<'a> {
    id: Id,
    /// Token that opens the payer's app.
    token: &'a str,
    /// The token as a QR code, as a data address; with `other_device` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    qr_image: Option<String>,
    /// Id of the payment. The deposit refers to it.
    payment_id: &'a str,
}

impl<'a> MobilePaymentSession<'a> {
    /// What the payer of `payment` needs, with its QR code.
    #[must_use]
    pub fn of(payment: &'a records::MobilePayment, qr_image: Option<String>) -> Self {
        Self { id: Id(payment.id.as_uuid()), token: &payment.token, qr_image, payment_id: &payment.payment_id }
    }
}

shown! {
    /// Status of a mobile payment session.
    pub MobilePayment<'a> of records::MobilePayment, with settings: &Settings {
        id: Id = "id";
        payment_id: &'a str = "paymentId";
        kind: MobilePaymentType = "type";
        /// The account that receives the money.
        account: Id = "account";
        amount: Money = "amount";
        state: MobilePaymentStatus = "status" by MobilePaymentStatus(state.shown(settings));
        /// Why it is not paid. Final, except `DS24`, which means that the outcome is unknown.
        error: Option<MobilePaymentErrorCode> = "errorCode";
        stamped;
        hidden sorted_id, client, qr_format, token, outcome, answer_timer, lapse_timer;
    }
}

/// Status of a mobile payment session.
#[derive(Serialize)]
struct MobilePaymentStatus(&'static str);

impl PartialSchema for MobilePaymentStatus {
    fn schema() -> RefOr<Schema> {
        let about = "Whether the payment is paid. A failed session stays `pending` with an `errorCode`; it is `error` if the world's `exposeMobilePaymentError` is on.";
        let words = ObjectBuilder::new().schema_type(Type::String).description(Some(about));
        words.enum_values(Some(["pending", "paid", "error"])).into()
    }
}

impl ToSchema for MobilePaymentStatus {}
