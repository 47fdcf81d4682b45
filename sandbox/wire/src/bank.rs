//! Bank accounts: as the partner sees them, and as a setup or a lever opens them.
//!
//! Absent on purpose: payouts and what may be paid out, which the world decides.

use crate::rows::shape::{line, shape};
use crate::rows::shown::shown;
use crate::values::text::{Iban, Id};
use crate::words::MandateStatus;
use sim::command::OpenBankAccount;
use sim::records;

shown! {
    /// A bank account of the owner.
    pub BankAccount<'a> of records::BankAccount {
        id: Id = "id";
        iban: Iban = "iban";
        /// The number as used within the country.
        also bban: String = "bban" by bban(iban);
        /// Name of the bank.
        also bank: &'static str = "bank" by iban.bank().unwrap_or("Unknown bank");
        /// The owner's name for it.
        name: &'a str = nullable "name";
        stamped;
        /// Whether the account check has confirmed name and ownership; withdrawals need it.
        validated: bool = "validated";
        mandate: MandateStatus = "mandateStatus";
    }
}

/// Clearing and account number as one run of digits; what follows the check digits where neither is known.
fn bban(iban: &sim::identity::Iban) -> String {
    match iban.domestic() {
        Some(domestic) => domestic.to_string().chars().filter(char::is_ascii_digit).collect(),
        None => iban.bban().to_owned(),
    }
}

shape! {
    /// A bank account of the owner.
    whole OpenBankAccount as BankAccountSetup {
        /// Its IBAN.
        iban = required "iban";
        /// The owner's name for it.
        name = optional "name" as line();
        /// Whether the bank has confirmed the owner. Default: true.
        validated = or(true) "validated";
        /// The state of its autogiro mandate. Default: `missing`.
        mandate = or(records::MandateStatus::Missing) "mandateStatus";
    }
}
