//! A request to place an order.

use super::Scope;
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::AccountId;
use crate::money::{Amount, Units};
use crate::partial::partly;
use crate::records::{Proceeds, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

partly! {
    /// A subscription or a redemption, with what becomes of its cash.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct PlaceOrder or PartialOrder {
        /// The caller.
        pub scope: Scope,
        /// Account to work on.
        pub account: AccountId,
        /// Subscription or redemption.
        pub side: Side,
        /// Fund, as requested; may be unknown.
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
        pub proceeds: Proceeds,
    }
}
