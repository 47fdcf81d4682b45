//! What goes wrong with an attempt on purpose, and what is known of one that is about to be made.
//!
//! Absent on purpose: the rules that decide it, which the host keeps.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sim::ids::PartnerId;

/// What becomes of an attempt to deliver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeliveryFault {
    /// It is not sent, as if the receiver had answered 400.
    Refuse,
    /// It is not sent, as if there had been no answer.
    Fail,
    /// It is not sent and counts as received: something before the receiver has taken it and lost it.
    Drop,
    /// It is sent twice.
    Duplicate,
    /// It is sent so much later, and what comes behind it waits.
    Delay(Duration),
    /// It is sent so much later, and what comes behind it may overtake it.
    Reorder(Duration),
    /// It is sent with a signature that is not its own.
    CorruptSignature,
}

impl DeliveryFault {
    /// As rules name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Fail => "fail",
            Self::Drop => "drop",
            Self::Duplicate => "duplicate",
            Self::Delay(_) => "delay",
            Self::Reorder(_) => "reorder",
            Self::CorruptSignature => "corruptSignature",
        }
    }

    /// By how much it is put off, if it is.
    #[must_use]
    pub const fn puts_off(self) -> Option<Duration> {
        match self {
            Self::Delay(span) | Self::Reorder(span) => Some(span),
            Self::Refuse | Self::Fail | Self::Drop | Self::Duplicate | Self::CorruptSignature => None,
        }
    }
}

/// An attempt to deliver that is about to be made.
#[derive(Clone, Copy, Debug)]
pub struct DueAttempt<'a> {
    /// Whose delivery it is.
    pub partner: Option<PartnerId>,
    /// The receiver's path.
    pub path: &'a str,
    /// The type of its event.
    pub event_type: &'a str,
    /// Whether a rule has put it off before in its round: it is not put off twice.
    pub was_put_off: bool,
}
