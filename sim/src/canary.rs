//! Faults that only tests can plant, to prove that the checkers can fail.
//!
//! Without the feature `canaries` every question is answered `false` at compile time and no fault can be named.

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Canary {
    /// The cut-off lets orders in a millisecond too long.
    CutOffEdgeMoved,
    /// A cancel forgets to give the reservation back.
    ReservationForgottenOnCancel,
    /// Units of a subscription are rounded up.
    UnitsRoundedUp,
    /// An order's update is told twice.
    EventSentTwice,
    /// Settlement is posted one bank day early.
    SettledOneDayEarly,
    /// An aborted transaction still counts.
    AbortedStillCounts,
    /// A hold drops the order's reservation.
    HoldDropsReservation,
    /// A journey that ended notifies its callback twice.
    SecondCallback,
    /// A journey shows a result before it is complete.
    ResultBeforeCompletion,
    /// Opening the link of a journey that has ended opens it again.
    TerminalJourneyReopened,
    /// A scope may be one character too long.
    ScopeOneTooLong,
}

/// Every canary with the name it is planted by.
pub const CANARIES: &[(&str, Canary)] = &[
    ("cut-off-edge-moved", Canary::CutOffEdgeMoved),
    ("reservation-forgotten-on-cancel", Canary::ReservationForgottenOnCancel),
    ("units-rounded-up", Canary::UnitsRoundedUp),
    ("event-sent-twice", Canary::EventSentTwice),
    ("settled-one-day-early", Canary::SettledOneDayEarly),
    ("aborted-still-counts", Canary::AbortedStillCounts),
    ("hold-drops-reservation", Canary::HoldDropsReservation),
    ("second-callback", Canary::SecondCallback),
    ("result-before-completion", Canary::ResultBeforeCompletion),
    ("terminal-journey-reopened", Canary::TerminalJourneyReopened),
    ("scope-one-too-long", Canary::ScopeOneTooLong),
];

/// The fault planted in a world, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    #[cfg(feature = "canaries")]
    fault: Option<Canary>,
}

impl Planted {
    /// Plants `fault`.
    #[cfg(feature = "canaries")]
    pub const fn plant(&mut self, fault: Canary) {
        self.fault = Some(fault);
    }

    /// Whether `fault` is planted.
    #[cfg(feature = "canaries")]
    #[must_use]
    pub fn is(self, fault: Canary) -> bool {
        self.fault == Some(fault)
    }

    /// Whether `fault` is planted: never, in this build.
    #[cfg(not(feature = "canaries"))]
    #[must_use]
    pub const fn is(self, _fault: Canary) -> bool {
        false
    }
}
