//! Fees that a client takes besides the platform's, as a setup or a lever sets them (rule: fees/partner-fee).
//!
//! Absent on purpose: what is charged, which cash transactions show.

use crate::rows::shape::{integer, shape};
use sim::records::FeeTerms;

shape! {
    /// A fee of a client beside the platform's.
    whole FeeTerms as FeeTermsSetup {
        /// Basis points of the value, a year.
        basis_points = required "basisPoints" as integer(0..=FeeTerms::MOST);
        /// What happens to the fee on the day of fees.
        mode = required "mode";
    }
}
