//! The parts of a step that are about journeys.
//!
//! Absent on purpose: ids, and the texts that are filled in.

use super::{ClientNo, Name, PersonNo};
use sim::command::SignOutcome;

/// What happens to a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Journey {
    /// The customer opens it, by a lever.
    Open,
    /// The customer follows its link, as often as it leads anywhere.
    Link,
    /// The customer fills in the step that the journey is at; 0 takes what is suggested, other numbers choose for themselves.
    Answer(u16),
    /// The customer takes what is suggested at the step that the journey is at, unless it is one of the electronic identity.
    Next,
    /// The customer goes back to one of the steps that were answered, by its place, and answers it again as in `Answer`.
    Again(u8, u16),
    /// The customer uses the electronic identity.
    Sign(SignOutcome),
    /// The customer walks all that remains, with answers chosen as in `Answer`.
    Complete(u16),
    /// The customer leaves, by a lever.
    Cancel,
    /// The customer follows the link and leaves for good.
    Leave,
    /// Something else stops it, by the place of the code.
    Fail(u8),
    /// Its time is up.
    Expire,
}

/// A journey to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// How later steps call it.
    pub name: Name,
    /// Under which client.
    pub client: ClientNo,
    /// Place of its type among the eight.
    pub kind: u8,
    /// Place of the account type: ISK, depot, insurance.
    pub account: u8,
    /// Who comes.
    pub person: PersonNo,
    /// The account that it is about, or the journey whose submission.
    pub of: Name,
    /// What else is configured, a bit each.
    pub options: u16,
}

/// The bits of `Start::options`.
pub mod options {
    /// A mandate must be signed.
    pub const MANDATE: u16 = 1;
    /// A mandate may be signed.
    pub const MANDATE_OFFERED: u16 = 1 << 1;
    /// The bank account must be a new one.
    pub const NEW_BANK: u16 = 1 << 2;
    /// Something moves over from a custodian.
    pub const TRANSFER: u16 = 1 << 3;
    /// The customer may skip that.
    pub const TRANSFER_OPTIONAL: u16 = 1 << 4;
    /// The account there may be left out.
    pub const SOURCE_OPTIONAL: u16 = 1 << 5;
    /// A first page explains it.
    pub const WELCOME: u16 = 1 << 6;
    /// An allocation plan is asked for.
    pub const ALLOCATION: u16 = 1 << 7;
    /// A savings plan is asked for.
    pub const SAVINGS: u16 = 1 << 8;
    /// The partner's data are as long as they may be.
    pub const LONG_SCOPE: u16 = 1 << 9;
    /// They are one character longer.
    pub const TOO_LONG_SCOPE: u16 = 1 << 10;
    /// The shares of that plan are given.
    pub const SHARES: u16 = 1 << 11;
    /// How many bits there are.
    pub const COUNT: u32 = 12;
}
