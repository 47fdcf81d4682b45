//! Orders: their public shape, and the three requests that place one.

use super::configuration::unreadable_fund;
use super::faulty::{self, Faulty};
use super::fields::{self, Fields, Unknown};
use super::json::Node;
use super::number::{Money, Number};
use super::text::{Id, InstrumentId, SortedId, Ssn, Timestamp};
use super::words::{self, OrderType};
use serde::Serialize;
use sim::command::{AskedProceeds, PlaceOrder, Scope};
use sim::ids::{AccountId, BankAccountId};
use sim::query::shown_order_status;
use sim::records::{self, Side, Stamp};
use sim::settings::Settings;
use std::sync::Arc;
use utoipa::ToSchema;

/// Every public status of an order, in the order of a life.
const STATUSES: &[&str] = &["received", "pending", "sent", "settled", "hold", "canceled"];
/// The same where `confirmed` is shown (rule: orders/confirmed-is-inside-sent).
const STATUSES_WITH_CONFIRMED: &[&str] = &["received", "pending", "sent", "confirmed", "settled", "hold", "canceled"];

/// Every status that an order can show in a world with these settings.
#[must_use]
pub const fn statuses(settings: &Settings) -> &'static [&'static str] {
    if settings.expose_confirmed { STATUSES_WITH_CONFIRMED } else { STATUSES }
}

/// A fund order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order<'a> {
    id: Id,
    sorted_id: SortedId,
    order_type: OrderType,
    #[schema(value_type = OrderStatus)]
    status: &'static str,
    account: Id,
    client_id: Id,
    /// The partner's own reference, copied to the order's transactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<&'a str>,
    /// Who gave the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    executor_ref: Option<Ssn>,
    instrument: InstrumentId,
    /// Ordered amount of a subscription; a redemption's is filled when its price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<Money>,
    /// Ordered units of a redemption; a subscription's are filled when its price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    units: Option<Number>,
    created_date: Timestamp,
    modified_date: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    canceled_date: Option<Timestamp>,
}

/// Where an order stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes the words; the world spells them")]
pub(crate) enum OrderStatus {
    Received,
    Pending,
    Sent,
    Settled,
    Hold,
    Canceled,
}

impl<'a> Order<'a> {
    /// The public shape of `order` in a world with these settings.
    #[must_use]
    pub fn of(order: &'a records::Order, settings: &Settings) -> Self {
        let records::Order {
            id,
            sorted_id,
            client,
            account,
            side,
            instrument,
            amount,
            units,
            proceeds: _,
            client_ref,
            executor,
            state,
            stamp: Stamp { created, modified, revision: _ },
            canceled,
            ready_since: _,
            aggregate: _,
            trade: _,
            cash_transaction: _,
            fund_transaction: _,
            timer: _,
        } = order;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            order_type: OrderType(*side),
            status: shown_order_status(settings, *state),
            account: Id(account.as_uuid()),
            client_id: Id(client.as_uuid()),
            client_ref: client_ref.as_deref(),
            executor_ref: executor.map(Ssn),
            instrument: InstrumentId(*instrument),
            amount: amount.map(Money),
            units: units.map(Number::from),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            canceled_date: canceled.map(Timestamp),
        }
    }
}

/// Places a subscription or a redemption.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `place` reads it")]
pub(crate) struct OrderRequest {
    account: Id,
    order_type: OrderType,
    instrument: InstrumentId,
    /// Required on a subscription, forbidden on a redemption.
    #[schema(nullable = false)]
    amount: Option<Money>,
    /// Required on a redemption, forbidden on a subscription.
    #[schema(nullable = false)]
    units: Option<Number>,
    /// Your own reference.
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<String>,
    /// The owner, or a signatory of the owner.
    #[schema(nullable = false)]
    executor_ref: Option<Ssn>,
}

/// Sells units and pays the proceeds out to a bank account of the owner.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `withdraw` reads it")]
pub(crate) struct OrderWithdrawalRequest {
    /// Always `redemption`.
    order_type: OrderType,
    account: Id,
    instrument: InstrumentId,
    units: Number,
    /// A validated bank account of the owner.
    bank_account: Id,
    /// Accepted and ignored.
    #[schema(nullable = false)]
    payment_account: Option<Id>,
    /// Your own reference.
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<String>,
    /// The owner, or a signatory of the owner.
    executor_ref: Ssn,
}

/// Sells units and moves the proceeds to another account of the same owner and client.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `transfer` reads it")]
pub(crate) struct RedemptionTransferRequest {
    /// Always `redemption`.
    order_type: OrderType,
    account: Id,
    destination_account: Id,
    instrument: InstrumentId,
    units: Number,
    /// Your own reference.
    #[schema(nullable = false, max_length = 255)]
    client_ref: Option<String>,
    /// The owner, or a signatory of the owner.
    #[schema(nullable = false)]
    executor_ref: Option<Ssn>,
}

/// An order that is read, or what is wrong with it.
pub type Read = Result<PlaceOrder, Box<Faulty<PlaceOrder>>>;

/// Reads a plain order.
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn place(body: &Node<'_>, unknown: Unknown, scope: Scope) -> Read {
    faulty::read(body, unknown, |order| {
        let account = order.required("account", fields::id);
        let side = order.required("orderType", words::word::<Side>);
        let instrument = order.required("instrument", fields::instrument);
        let amount = order.optional("amount", fields::amount);
        let units = order.optional("units", fields::units);
        let client_ref = client_ref(order);
        let executor = order.optional("executorRef", fields::personal_number);
        Some(PlaceOrder {
            scope,
            account: account.unwrap_or(NO_ACCOUNT),
            // Without a side there is nothing to judge the rest by.
            side: side?,
            instrument: instrument.or_else(unreadable_fund)?,
            amount: amount.flatten(),
            units: units.flatten(),
            client_ref: client_ref.flatten(),
            executor: executor.flatten(),
            proceeds: AskedProceeds::Keep,
        })
    })
}

/// Reads a redemption whose proceeds are paid out (rule: orders/order-withdrawal).
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn withdraw(body: &Node<'_>, unknown: Unknown, scope: Scope) -> Read {
    faulty::read(body, unknown, |order| {
        let redemption = redemption(order, scope);
        let executor = order.required("executorRef", fields::personal_number);
        let bank_account = order.required("bankAccount", fields::id);
        // Accepted, checked for its shape, and ignored.
        let _ignored = order.optional("paymentAccount", fields::id::<BankAccountId>);
        let bank_account = bank_account.unwrap_or(BankAccountId::from_u128(0));
        Some(PlaceOrder { proceeds: AskedProceeds::PayOut(bank_account), executor, ..redemption? })
    })
}

/// Reads a redemption whose proceeds move to another account (rule: orders/redemption-transfer).
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn transfer(body: &Node<'_>, unknown: Unknown, scope: Scope) -> Read {
    faulty::read(body, unknown, |order| {
        let redemption = redemption(order, scope);
        let executor = order.optional("executorRef", fields::personal_number).flatten();
        let destination = order.required("destinationAccount", fields::id).unwrap_or(NO_ACCOUNT);
        Some(PlaceOrder { proceeds: AskedProceeds::Transfer(destination), executor, ..redemption? })
    })
}

/// Stands in for an account that cannot be read.
const NO_ACCOUNT: AccountId = AccountId::from_u128(0);

/// What the two special redemptions have in common.
fn redemption(order: &mut Fields<'_, '_>, scope: Scope) -> Option<PlaceOrder> {
    let _redemption = order.required("orderType", |spot| match words::word::<Side>(spot)? {
        Side::Redemption => Some(()),
        Side::Subscription => spot.wrong("must be `redemption` here"),
    });
    let account = order.required("account", fields::id);
    let instrument = order.required("instrument", fields::instrument);
    // Read so that it is refused, as for any redemption (rule: orders/amount-or-units).
    let amount = order.optional("amount", fields::amount).flatten();
    let units = order.required("units", fields::units);
    let client_ref = client_ref(order);
    Some(PlaceOrder {
        scope,
        account: account.unwrap_or(NO_ACCOUNT),
        side: Side::Redemption,
        instrument: instrument.or_else(unreadable_fund)?,
        amount,
        units,
        client_ref: client_ref.flatten(),
        executor: None,
        proceeds: AskedProceeds::Keep,
    })
}

/// Free text; how long it may be is the world's rule.
fn client_ref(order: &mut Fields<'_, '_>) -> Option<Option<Arc<str>>> {
    order.optional("clientRef", fields::free_text)
}
