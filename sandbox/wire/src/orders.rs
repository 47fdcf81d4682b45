//! Orders: their public shape, and the three requests that place one (rule: orders/order-withdrawal,
//! orders/redemption-transfer).

use crate::rows::fields::{self, Cursor};
use crate::rows::shape::{FieldType, described, in_some, of, plain, reference, shape, text_of};
use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::raw;
use crate::values::text::{Id, InstrumentId, SortedId, Ssn, Timestamp};
use crate::words::{self, OrderType, Word as _};
use serde::{Serialize, Serializer};
use sim::command::PartialOrder;
use sim::ids::BankAccountId;
use sim::records::{self, Proceeds, Side};
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
pub fn schema_of_status(statuses: &[&'static str]) -> RefOr<Schema> {
    let about = "Status of an order. `confirmed` appears only if the world's `exposeConfirmed` is on.";
    let words = Some(statuses.iter().copied());
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).enum_values(words).into()
}

shown! {
    /// A fund order.
    pub Order<'a> of records::Order, with settings: &Settings {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        side: OrderType = "orderType";
        state: OrderStatus = "status" by OrderStatus(state.shown(settings));
        account: Id = "account";
        client: Id = "clientId";
        /// The partner's own reference, copied to the order's transactions.
        #[schema(max_length = 255)]
        client_ref: &'a str = optional "clientRef";
        /// Who gave the order.
        executor: Ssn = optional "executorRef";
        instrument: InstrumentId = "instrument";
        /// Ordered amount of a subscription; a redemption's is filled when its price is known.
        amount: Money = optional "amount";
        /// Ordered units of a redemption; a subscription's are filled when its price is known.
        units: Number = optional "units";
        stamped;
        canceled: Timestamp = optional "canceledDate";
        hidden proceeds, placed_by, ready_since, aggregate, trade, cash_transaction, fund_transaction, fee_transaction;
        hidden timer, canceled_on, parked_by;
    }
}

/// State of an order.
struct OrderStatus(&'static str);

impl Serialize for OrderStatus {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::text(self.0, to)
    }
}

impl PartialSchema for OrderStatus {
    fn schema() -> RefOr<Schema> {
        schema_of_status(STATUSES_WITH_CONFIRMED)
    }
}

impl ToSchema for OrderStatus {}

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
        units = required "units" as in_some(of());
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = required "executorRef" as in_some(of());
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
        units = required "units" as in_some(of());
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = optional "executorRef";
        proceeds = required "destinationAccount" as described(transfer, reference::<Id>);
    }
}

/// The only side that has proceeds.
fn redemption() -> impl FieldType<Value = ()> {
    let read = |cursor: Cursor<'_, '_>| match words::word::<Side>(cursor)? {
        Side::Redemption => Some(()),
        Side::Subscription => cursor.wrong("must be `redemption` here"),
    };
    described(read, |_| plain(Type::String).enum_values(Some([Side::Redemption.word()])).into())
}

fn pay_out(cursor: Cursor<'_, '_>) -> Option<Proceeds> {
    fields::id(cursor).map(Proceeds::PayOut)
}

fn transfer(cursor: Cursor<'_, '_>) -> Option<Proceeds> {
    fields::id(cursor).map(Proceeds::Transfer)
}
