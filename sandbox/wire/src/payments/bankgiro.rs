//! A payment over bankgiro, as the lever that makes it shows it.

use crate::rows::shown::shown;
use crate::values::number::Money;
use crate::values::text::{Id, Ocr, Timestamp};
use sim::records;

shown! {
    /// An accepted bankgiro payment.
    pub BankgiroItem of records::BankgiroItem {
        id: Id = "id";
        /// The bankgiro number that receives the payment.
        also bankgiro: &'static str = "bankgiro" by sim::query::PLATFORM_NUMBER;
        // The answer does not show whose the reference is.
        reference: Ocr = "ref";
        amount: Money = "amount";
        /// When it is booked.
        books: Timestamp = "bookingDate";
        stamp: Timestamp = "createdDate" by Timestamp(stamp.created);
        hidden partner;
    }
}
