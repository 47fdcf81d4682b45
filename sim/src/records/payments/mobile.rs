//! A mobile payment session: a request to a payer, shown as a token (rule: payments/mobile-payment-session).
//! Its life is the table in `machines/mobile_payment.rs`.
//!
//! Absent on purpose: the deposit, which refers to the session by its `paymentId`.

use crate::ids::{AccountId, ClientId, MobilePaymentId, SortedId};
use crate::machines::Current;
use crate::machines::mobile_payment::State;
use crate::money::Amount;
use crate::records::Stamp;
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where the payer's app is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MobilePaymentType {
    /// Where the partner's page is.
    SameDevice,
    /// On another device, which reads a QR code.
    OtherDevice,
}

/// Form of a QR code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the formats' own")]
pub enum QrFormat {
    Png,
    Jpg,
    Svg,
}

/// Why a session was not paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MobilePaymentError {
    /// The payer declined.
    Declined,
    /// The payee withdrew the request.
    Cancelled,
    /// Declined by the bank, often because of a limit.
    Rf07,
    /// The payer stopped the electronic identity.
    BankIdCl,
    /// The electronic identity is busy elsewhere.
    BankIdOngoing,
    /// The electronic identity could not authorise.
    BankIdUnkn,
    /// A bank's system failed.
    Ff10,
    /// The payer's time was up.
    Tm01,
    /// The banks did not answer: the outcome is unknown.
    Ds24,
}

impl MobilePaymentError {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Declined,
        Self::Cancelled,
        Self::Rf07,
        Self::BankIdCl,
        Self::BankIdOngoing,
        Self::BankIdUnkn,
        Self::Ff10,
        Self::Tm01,
        Self::Ds24,
    ];

    /// What a bank, an electronic identity or time can cause.
    pub const FAILURES: [Self; 7] =
        [Self::Rf07, Self::BankIdCl, Self::BankIdOngoing, Self::BankIdUnkn, Self::Ff10, Self::Tm01, Self::Ds24];

    /// The scheme's own code.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declined => "DECLINED",
            Self::Cancelled => "CANCELLED",
            Self::Rf07 => "RF07",
            Self::BankIdCl => "BANKIDCL",
            Self::BankIdOngoing => "BANKIDONGOING",
            Self::BankIdUnkn => "BANKIDUNKN",
            Self::Ff10 => "FF10",
            Self::Tm01 => "TM01",
            Self::Ds24 => "DS24",
        }
    }

    /// What it means.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Declined => "the payer declined",
            Self::Cancelled => "the payee withdrew the request",
            Self::Rf07 => "declined by the bank, often because of a limit",
            Self::BankIdCl => "the payer stopped the electronic identity",
            Self::BankIdOngoing => "the electronic identity is busy elsewhere",
            Self::BankIdUnkn => "the electronic identity could not authorise",
            Self::Ff10 => "a bank's system failed",
            Self::Tm01 => "the payer's time was up",
            Self::Ds24 => "the banks did not answer: the outcome is unknown",
        }
    }
}

/// Why a session is refused when it is asked for (rule: payments/mobile-payment-refused-payers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MobilePaymentRefusal {
    /// The payer is not enrolled.
    Acmt03,
    /// The payee is not enrolled.
    Acmt07,
    /// The payer's number is none.
    Be18,
    /// The payer has been asked for another payment and has not answered yet.
    Rp06,
}

impl MobilePaymentRefusal {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Acmt03, Self::Acmt07, Self::Be18, Self::Rp06];

    /// The scheme's own code.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acmt03 => "ACMT03",
            Self::Acmt07 => "ACMT07",
            Self::Be18 => "BE18",
            Self::Rp06 => "RP06",
        }
    }

    /// The code and what it means.
    #[must_use]
    pub const fn code_and_meaning(self) -> &'static str {
        match self {
            Self::Acmt03 => "ACMT03, the payer is not enrolled",
            Self::Acmt07 => "ACMT07, the payee is not enrolled",
            Self::Be18 => "BE18, the payer's number is not valid",
            Self::Rp06 => "RP06, another request to the payer is active",
        }
    }

    /// What it means.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.code_and_meaning().split_once(", ").map_or("", |(_, meaning)| meaning)
    }
}

/// The outcome of a session without an act of the payer (rule: payments/mobile-payment-outcomes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MobilePaymentOutcome {
    /// Nothing: its time runs out.
    Waits,
    /// The payer pays.
    Pays,
    /// It ends so.
    Ends(MobilePaymentError),
    /// The banks do not answer at first; later they report that it was paid.
    PaysLate,
}

/// A mobile payment session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MobilePayment {
    /// Public id.
    pub id: MobilePaymentId,
    /// Order of creation.
    pub sorted_id: SortedId,
    /// Client of the account.
    pub client: ClientId,
    /// The account that receives the money.
    pub account: AccountId,
    /// Where the payer's app is.
    pub kind: MobilePaymentType,
    /// Form of the QR code; none where the app is on the same device.
    pub qr_format: Option<QrFormat>,
    /// How much is asked for.
    pub amount: Amount,
    /// Names the payment at the banks: 32 hexadecimal capitals.
    pub payment_id: Arc<str>,
    /// What the payer's app is opened with: 32 letters and digits.
    pub token: Arc<str>,
    /// Place in the table.
    pub state: Current<State>,
    /// Why it is not paid.
    pub error: Option<MobilePaymentError>,
    /// Its outcome without an act of the payer.
    pub outcome: MobilePaymentOutcome,
    /// Creation and change.
    pub stamp: Stamp,
    /// The timer of that outcome, or of the banks' late answer.
    pub answer_timer: Option<TimerKey>,
    /// The timer that ends the payer's time.
    pub lapse_timer: Option<TimerKey>,
}

impl MobilePayment {
    /// Its status in one word of the API: its error where it has one.
    #[must_use]
    pub fn status_word(&self) -> &'static str {
        self.error.map_or_else(|| self.state.name(), MobilePaymentError::name)
    }
}
