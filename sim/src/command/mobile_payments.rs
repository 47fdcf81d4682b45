//! A request for a mobile payment.

use super::Scope;
use crate::ids::AccountId;
use crate::money::Amount;
use crate::partial::{partly, undivided};
use crate::records::{MobilePaymentType, QrFormat};
use serde::{Deserialize, Serialize};

undivided! { MobilePaymentType, QrFormat }

partly! {
    /// Asks a payer for money.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CreateMobilePayment or PartialMobilePayment {
        /// The caller.
        pub scope: Scope,
        /// The account that gets the money.
        pub account: AccountId,
        /// Where the payer's app is.
        pub kind: MobilePaymentType,
        /// How much.
        pub amount: Amount,
        /// Form of the QR code, with another device only; PNG when none is named.
        pub qr_format: Option<QrFormat>,
    }
}
