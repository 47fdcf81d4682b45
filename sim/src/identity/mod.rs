//! Numbers that name persons, companies, bank accounts, payments and securities, each with its own check.
//!
//! Owns: what makes such a number well formed, and which numbers of the sandbox have a fixed outcome.
//! Invariant: a value of one of these types has passed its check; one file a kind, `luhn` shared.
//! Absent on purpose: who holds a number. Banks here are fictive, and no number drawn belongs to anybody.

pub mod country;
pub mod iban;
pub mod isin;
pub mod luhn;
pub mod ocr;
pub mod organisation_number;
pub mod personal_number;

pub use country::is_country;
pub use iban::{Iban, IbanFault, IbanOutcome};
pub use isin::{Currency, InstrumentId, Isin, IsinFault};
pub use ocr::{AccountRef, Ocr, OcrFault, make_ref};
pub use organisation_number::{LegalForm, OrganisationNumber};
pub use personal_number::{PersonOutcome, PersonalNumber, PersonalNumberFault};
