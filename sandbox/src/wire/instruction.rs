//! Payment instructions, their payments, and payments over bankgiro (rule: payments/payment-instruction,
//! payments/payment-states).
//!
//! Absent on purpose: which bank account a payment charges, and when it is tried again; codes and transactions tell what
//! came of it.

use super::number::Money;
use super::shape::{shape, text_of};
use super::text::{AccountRef, CalendarDate, Id, Ocr, Timestamp};
use super::words::{InstructionStatus, InstructionType, schema_of};
use serde::Serialize;
use sim::command::{PartialInstruction, PartialNewPayment};
use sim::machines::payment::State;
use sim::records::{self, Stamp};
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

/// A batch of payments into accounts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Instruction<'a> {
    id: Id,
    r#type: InstructionType,
    payments: Vec<Payment<'a>>,
    /// What the payer of a transfer gives as reference; null for autogiro.
    #[schema(required = true)]
    bank_transfer_ref: Option<AccountRef>,
    status: InstructionStatus,
}

impl<'a> Instruction<'a> {
    /// The public shape of `instruction` with its payments.
    #[must_use]
    pub fn of(instruction: &records::Instruction, payments: &'a [Arc<records::Payment>]) -> Self {
        let records::Instruction {
            id,
            client: _,
            kind,
            reference,
            payments: _,
            open: _,
            internal: _,
            state,
            stamp: Stamp { created: _, modified: _, revision: _ },
        } = instruction;
        Self {
            id: Id(id.as_uuid()),
            r#type: InstructionType(*kind),
            payments: payments.iter().map(|payment| Payment::of(payment)).collect(),
            bank_transfer_ref: reference.map(AccountRef),
            status: InstructionStatus(**state),
        }
    }
}

/// One payment of an instruction.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Payment<'a> {
    id: Id,
    /// Where the money goes.
    account: Id,
    amount: Money,
    /// The partner's own reference, copied to the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<&'a str>,
    status: PaymentStatus,
    /// Why it failed, or was not paid so far; null when it was paid, or not tried yet.
    #[schema(required = true)]
    reason_code: Option<&'static str>,
    /// The same in words.
    #[schema(required = true)]
    reason: Option<&'static str>,
}

impl<'a> Payment<'a> {
    /// The public shape of `payment`.
    #[must_use]
    pub fn of(payment: &'a records::Payment) -> Self {
        let records::Payment {
            id,
            sorted_id: _,
            client: _,
            instruction: _,
            account,
            amount,
            client_ref,
            savings: _,
            bank_account: _,
            due: _,
            attempts: _,
            reason,
            deposit: _,
            timer: _,
            state,
            stamp: Stamp { created: _, modified: _, revision: _ },
        } = payment;
        Self {
            id: Id(id.as_uuid()),
            account: Id(account.as_uuid()),
            amount: Money(*amount),
            client_ref: client_ref.as_deref(),
            status: PaymentStatus(**state),
            reason_code: reason.map(records::PaymentReason::code),
            reason: reason.map(records::PaymentReason::about),
        }
    }
}

/// Where a payment stands: `new`, or `completed` whether it was paid or not.
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
    /// A batch of payments, taken together or not at all.
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

/// A payment over bankgiro on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankgiroItem {
    id: Id,
    /// The bankgiro number that is paid to.
    bankgiro: &'static str,
    r#ref: Ocr,
    amount: Money,
    /// When it is booked.
    booking_date: Timestamp,
    created_date: Timestamp,
}

impl BankgiroItem {
    /// The public shape of `item`; nothing in it tells whose the reference is.
    #[must_use]
    pub fn of(item: &records::BankgiroItem) -> Self {
        let records::BankgiroItem {
            id,
            partner: _,
            reference,
            amount,
            books,
            stamp: Stamp { created, modified: _, revision: _ },
        } = item;
        Self {
            id: Id(id.as_uuid()),
            bankgiro: sim::query::PLATFORM_NUMBER,
            r#ref: Ocr(*reference),
            amount: Money(*amount),
            booking_date: Timestamp(*books),
            created_date: Timestamp(*created),
        }
    }
}

/// Money that no account could take, as the operator sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuspenseItem<'a> {
    id: Id,
    /// What the payer gave as reference: an OCR reference, or the id of a payment.
    r#ref: &'a str,
    amount: Money,
    /// The local day on which it came.
    day: CalendarDate,
    /// Why it is here.
    reason: &'static str,
    status: &'static str,
    /// The account that was meant, where that is known.
    #[schema(required = true)]
    account: Option<Id>,
    /// The deposit that it became.
    #[schema(required = true)]
    cash_transaction: Option<Id>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

impl<'a> SuspenseItem<'a> {
    /// The shape of `item`.
    #[must_use]
    pub fn of(item: &'a records::SuspenseItem) -> Self {
        let records::SuspenseItem {
            id,
            reference,
            amount,
            day,
            reason,
            meant_for,
            deposit,
            state,
            stamp: Stamp { created, modified, revision: _ },
        } = item;
        Self {
            id: Id(id.as_uuid()),
            r#ref: reference,
            amount: Money(*amount),
            day: CalendarDate(*day),
            reason: reason.name(),
            status: state.name(),
            account: meant_for.map(|account| Id(account.as_uuid())),
            cash_transaction: deposit.map(|deposit| Id(deposit.as_uuid())),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}
