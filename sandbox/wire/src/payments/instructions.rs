//! Payment instructions and their payments (rule: payments/payment-instruction, payments/payment-states).
//!
//! Absent on purpose: which bank account a payment charges, and when it is tried again; codes and transactions show the
//! outcome.

use crate::rows::shape::{shape, text_of};
use crate::rows::shown::shown;
use crate::values::number::Money;
use crate::values::text::{AccountRef, Id};
use crate::words::{InstructionStatus, InstructionType, schema_of};
use serde::Serialize;
use sim::command::{PartialInstruction, PartialNewPayment};
use sim::machines::payment::State;
use sim::records;
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

shown! {
    /// A batch of payments into accounts.
    pub Instruction<'a> of records::Instruction, with parts: &'a [Arc<records::Payment>] {
        id: Id = "id";
        kind: InstructionType = "type";
        also shown_payments: Vec<Payment<'a>> = "payments" by parts.iter().map(|payment| Payment::of(payment)).collect();
        /// Reference that the payer of a transfer gives; null for autogiro.
        reference: AccountRef = nullable "bankTransferRef";
        state: InstructionStatus = "status";
        hidden client, payments, open, internal, stamp;
    }
}

shown! {
    /// One payment of an instruction.
    pub Payment<'a> of records::Payment {
        id: Id = "id";
        /// The account that receives the money.
        account: Id = "account";
        amount: Money = "amount";
        /// The partner's own reference, copied to the transaction.
        #[schema(max_length = 255)]
        client_ref: &'a str = optional "clientRef";
        state: PaymentStatus = "status" by PaymentStatus(**state);
        /// Why it failed or is not paid yet; null if it is paid or was not attempted yet.
        also reason_code: &'static str = nullable "reasonCode" by reason.map(records::PaymentReason::code);
        /// The error in words.
        reason: &'static str = nullable "reason" by reason.map(records::PaymentReason::about);
        hidden sorted_id, client, instruction, savings, bank_account, due, attempts, deposit, timer, stamp;
    }
}

/// State of a payment: `new`, or `completed` whether it was paid or not.
struct PaymentStatus(State);

impl Serialize for PaymentStatus {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.name())
    }
}

impl PartialSchema for PaymentStatus {
    fn schema() -> RefOr<Schema> {
        schema_of(["new", "completed"])
    }
}

impl ToSchema for PaymentStatus {}

shape! {
    /// A batch of payments. All are accepted, or none.
    pub partial InstructionRequest of PartialInstruction {
        kind = required "type";
        /// 1 to 1,000 payments.
        payments = required "payments";
    }
}

shape! {
    /// One payment.
    partial PartialNewPayment as PaymentRequest {
        account = required "account";
        amount = required "amount";
        /// Your own reference, never used before for this client.
        client_ref = required "clientRef" as text_of(255);
    }
}
