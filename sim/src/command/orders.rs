//! What is asked when an order is placed.

use super::Scope;
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId};
use crate::money::{Amount, Units};
use crate::partial::{partly, undivided};
use crate::records::Side;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

partly! {
    /// A subscription or a redemption, with what becomes of its cash.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct PlaceOrder or PartialOrder {
        /// Who asks.
        pub scope: Scope,
        /// Account to work on.
        pub account: AccountId,
        /// Subscription or redemption.
        pub side: Side,
        /// Fund, as asked for; may be unknown.
        pub instrument: InstrumentId,
        /// Required on a subscription, forbidden on a redemption.
        pub amount: Option<Amount>,
        /// Required on a redemption, forbidden on a subscription.
        pub units: Option<Units>,
        /// Free text up to 255 characters.
        pub client_ref: Option<Arc<str>>,
        /// Who gives the order.
        pub executor: Option<PersonalNumber>,
        /// Where a redemption's cash goes.
        pub proceeds: AskedProceeds,
    }
}

/// What is asked to become of a redemption's cash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AskedProceeds {
    /// A plain order.
    Keep,
    /// `order/withdrawal`: requires an executor.
    PayOut(BankAccountId),
    /// `order/redemptionTransfer`: requires an executor.
    Transfer(AccountId),
}

undivided! { AskedProceeds }
