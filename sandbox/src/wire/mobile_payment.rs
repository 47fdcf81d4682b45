//! Mobile payment sessions: what is asked, what the payer's app needs, and where a session stands
//! (rule: payments/mobile-payment-session, payments/mobile-payment-states).

use super::number::Money;
use super::shape::shape;
use super::text::{Id, Timestamp};
use super::words::{MobilePaymentErrorCode, MobilePaymentType};
use serde::Serialize;
use sim::command::PartialMobilePayment;
use sim::records::{self, Stamp};
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

/// A mobile payment session that has begun.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MobilePaymentSession<'a> {
    id: Id,
    /// What the payer's app is opened with.
    token: &'a str,
    /// The token as a QR code, as a data address; with `other_device` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    qr_image: Option<String>,
    /// Names the payment; the deposit refers to it.
    payment_id: &'a str,
}

impl<'a> MobilePaymentSession<'a> {
    /// What the payer of `payment` needs, with its QR code.
    #[must_use]
    pub fn of(payment: &'a records::MobilePayment, qr_image: Option<String>) -> Self {
        Self { id: Id(payment.id.as_uuid()), token: &payment.token, qr_image, payment_id: &payment.payment_id }
    }
}

/// Where a mobile payment session stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MobilePayment<'a> {
    id: Id,
    payment_id: &'a str,
    r#type: MobilePaymentType,
    /// The account that gets the money.
    account: Id,
    amount: Money,
    status: MobilePaymentStatus,
    /// Why it is not paid: final, but for `DS24`, where the outcome is unknown.
    error_code: Option<MobilePaymentErrorCode>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

/// Where a mobile payment session stands.
#[derive(Serialize)]
struct MobilePaymentStatus(&'static str);

impl PartialSchema for MobilePaymentStatus {
    fn schema() -> RefOr<Schema> {
        let about = "Whether the money has moved. A session that has failed stays `pending`, with an `errorCode`; `error` in a world that shows it.";
        let words = ObjectBuilder::new().schema_type(Type::String).description(Some(about));
        words.enum_values(Some(["pending", "paid", "error"])).into()
    }
}

impl ToSchema for MobilePaymentStatus {}

impl<'a> MobilePayment<'a> {
    /// The public shape of `payment` in a world with these settings.
    #[must_use]
    pub fn of(payment: &'a records::MobilePayment, settings: &Settings) -> Self {
        let records::MobilePayment {
            id,
            sorted_id: _,
            client: _,
            account,
            kind,
            qr_format: _,
            amount,
            payment_id,
            token: _,
            state,
            error,
            outcome: _,
            stamp: Stamp { created, modified, revision: _ },
            answer_timer: _,
            lapse_timer: _,
        } = payment;
        Self {
            id: Id(id.as_uuid()),
            payment_id,
            r#type: MobilePaymentType(*kind),
            account: Id(account.as_uuid()),
            amount: Money(*amount),
            status: MobilePaymentStatus(state.shown(settings)),
            error_code: error.map(MobilePaymentErrorCode),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}
