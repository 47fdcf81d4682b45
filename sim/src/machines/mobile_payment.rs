//! Life of a mobile payment session (rule: payments/mobile-payment-states, payments/mobile-payment-late).
//!
//! Owns: the states a session may be in and the only ways between them. States distinguish more than the two public words: whether
//! a session that is not paid still waits, has failed for good, or nobody knows whether money moved.
//! Invariant: money is booked by the one row that leads to `Paid`, so once. Absent on purpose: why a session failed, which
//! the session says, and clocks.

use crate::settings::Settings;

machine! {
    /// Every move of a mobile payment session.
    "mobilePayment", topic "mobile-payments", about "the states of a mobile payment session", effects "effect", first [Pending];

    /// The state of a session.
    states State {
        /// Waits for the payer.
        Pending = "pending",
        /// The money has moved.
        Paid = "paid",
        /// Ended without money. Public `pending`, with an `errorCode`.
        Failed = "pending",
        /// The banks have not answered: money may still come. Public `pending`, with the `errorCode` `DS24`.
        Unknown = "pending",
    }

    /// What moves it.
    triggers Trigger {
        /// The payer pays, or a bank reports late that the payer has.
        Pay,
        /// The payer declines.
        Decline,
        /// The payer's bank or electronic identity refuses.
        Fail,
        /// The payer's time is up.
        TimeOut,
        /// The payee withdraws the request.
        Cancel,
        /// The banks do not answer.
        LoseAnswer,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// The money is booked as a deposit, or put into suspense.
        Deposit,
        /// A late answer is waited for.
        AwaitAnswer,
    }

    rows {
        // from   on             to        effect
        Pending,  Pay        =>  Paid,     Deposit;
        Pending,  Decline    =>  Failed,   Nothing;
        Pending,  Fail       =>  Failed,   Nothing;
        Pending,  TimeOut    =>  Failed,   Nothing;
        Pending,  Cancel     =>  Failed,   Nothing;
        Pending,  LoseAnswer =>  Unknown,  AwaitAnswer;

        Unknown,  Pay        =>  Paid,     Deposit;
    }
}

impl State {
    /// The public word in a world with these settings.
    #[must_use]
    pub const fn shown(self, settings: &Settings) -> &'static str {
        match self {
            Self::Failed | Self::Unknown if settings.mobile_payments.expose_error => "error",
            other => other.name(),
        }
    }
}
