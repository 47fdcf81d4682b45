//! Orders: their public shape, and the three requests that place one (rule: orders/order-withdrawal,
//! orders/redemption-transfer).

use super::fields::{self, Spot};
use super::number::{Money, Number};
use super::shape::{Kind, described, of, plain, reference, shape, text_of};
use super::text::{Id, InstrumentId, SortedId, Ssn, Timestamp};
use super::words::{self, OrderType, Word as _};
use serde::Serialize;
use sim::command::PartialOrder;
use sim::ids::BankAccountId;
use sim::records::{self, Proceeds, Side, Stamp};
use sim::settings::Settings;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Every public status of an order, in the order of a life.
pub const STATUSES: &[&str] = &["received", "pending", "sent", "settled", "hold", "canceled"];
/// The same where `confirmed` is shown (rule: orders/confirmed-is-inside-sent).
const STATUSES_WITH_CONFIRMED: &[&str] = &["received", "pending", "sent", "confirmed", "settled", "hold", "canceled"];

/// Every status that an order can show in a world with these settings.
#[must_use]
pub const fn statuses(settings: &Settings) -> &'static [&'static str] {
    if settings.expose_confirmed { STATUSES_WITH_CONFIRMED } else { STATUSES }
}

/// The schema of a status in a world whose orders show `statuses`.
pub(crate) fn schema_of_status(statuses: &[&'static str]) -> RefOr<Schema> {
    let about = "Where an order stands; `confirmed` in a world that shows it.";
    let words = Some(statuses.iter().copied());
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).enum_values(words).into()
}

/// A fund order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order<'a> {
    id: Id,
    sorted_id: SortedId,
    order_type: OrderType,
    status: OrderStatus,
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
#[derive(Serialize)]
struct OrderStatus(&'static str);

impl PartialSchema for OrderStatus {
    fn schema() -> RefOr<Schema> {
        schema_of_status(STATUSES_WITH_CONFIRMED)
    }
}

impl ToSchema for OrderStatus {}

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
            placed_by: _,
            state,
            stamp: Stamp { created, modified, revision: _ },
            canceled,
            ready_since: _,
            aggregate: _,
            trade: _,
            cash_transaction: _,
            fund_transaction: _,
            fee_transaction: _,
            timer: _,
            canceled_on: _,
            parked_by: _,
        } = order;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            order_type: OrderType(*side),
            status: OrderStatus(state.shown(settings)),
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

shape! {
    /// Places a subscription or a redemption.
    pub partial OrderRequest of PartialOrder {
        account = required "account";
        // Without a side there is nothing to judge the amount and the units by.
        side = required "orderType";
        instrument = required "instrument";
        /// Required on a subscription, forbidden on a redemption.
        amount = optional "amount";
        /// Required on a redemption, forbidden on a subscription.
        units = optional "units";
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = optional "executorRef";
        .. with { proceeds: Proceeds::Keep, }
    }
}

shape! {
    /// Sells units and pays the proceeds out to a bank account of the owner.
    pub partial OrderWithdrawalRequest of PartialOrder {
        /// Always `redemption`.
        side = fixed(Side::Redemption) "orderType" as redemption();
        account = required "account";
        instrument = required "instrument";
        // Read so that it is refused, as for any redemption (rule: orders/amount-or-units).
        amount = hidden "amount";
        units = demanded "units";
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = demanded "executorRef";
        /// A validated bank account of the owner.
        proceeds = required "bankAccount" as described(pay_out, reference::<Id>);
        .. also {
            /// Accepted and ignored.
            optional "paymentAccount" as of::<BankAccountId>();
        }
    }
}

shape! {
    /// Sells units and moves the proceeds to another account of the same owner and client.
    pub partial RedemptionTransferRequest of PartialOrder {
        /// Always `redemption`.
        side = fixed(Side::Redemption) "orderType" as redemption();
        account = required "account";
        instrument = required "instrument";
        amount = hidden "amount";
        units = demanded "units";
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = optional "executorRef";
        proceeds = required "destinationAccount" as described(transfer, reference::<Id>);
    }
}

/// The only side that has proceeds.
fn redemption() -> impl Kind<Value = ()> {
    let read = |spot: Spot<'_, '_>| match words::word::<Side>(spot)? {
        Side::Redemption => Some(()),
        Side::Subscription => spot.wrong("must be `redemption` here"),
    };
    described(read, |_| plain(Type::String).enum_values(Some([Side::Redemption.word()])).into())
}

fn pay_out(spot: Spot<'_, '_>) -> Option<Proceeds> {
    fields::id(spot).map(Proceeds::PayOut)
}

fn transfer(spot: Spot<'_, '_>) -> Option<Proceeds> {
    fields::id(spot).map(Proceeds::Transfer)
}
