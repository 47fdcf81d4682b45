//! Money in suspense, as the operator sees it.

use crate::rows::shown::shown;
use crate::values::number::Money;
use crate::values::text::{CalendarDate, Id};
use sim::records;

shown! {
    /// Money that no account could take, as the operator sees it.
    pub SuspenseItem<'a> of records::SuspenseItem {
        id: Id = "id";
        /// Reference that the payer gave: an OCR reference, or the id of a payment.
        reference: &'a str = "ref";
        amount: Money = "amount";
        /// The local day of arrival.
        day: CalendarDate = "day";
        /// Why it is in suspense.
        reason: &'static str = "reason" by reason.name();
        state: &'static str = "status" by state.name();
        /// The intended account, if it is known.
        meant_for: Id = nullable "account";
        /// The resulting deposit.
        deposit: Id = nullable "cashTransaction";
        stamped;
    }
}
