//! Faults that only tests can plant, to prove that the checkers can fail.
//!
//! Without the feature `canaries` every question is answered by a constant `false` and no fault can be planted.
//! The checks are inside the flows, the ledger and the machines, and for what is sent to partners in the surface's
//! feed and deliveries: each breaks a rule at the place that keeps it.

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Canary {
    /// The cut-off lets orders in a millisecond too long.
    CutOffEdgeMoved,
    /// A cancel forgets to give the reservation back.
    ReservationForgottenOnCancel,
    /// Units of a subscription are rounded up.
    UnitsRoundedUp,
    /// An order's update is sent twice.
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
    /// A mobile payment that is paid late is booked twice.
    LatePaidTwice,
    /// A daily return counts a deposit as gain.
    DepositIsGain,
    /// A split cuts off what is less than a whole unit.
    SplitChangesValue,
    /// A merger forgets what the units have cost.
    MergerLosesCost,
    /// A fee is cut off to the ore.
    FeeRoundedDown,
    /// The platform keeps a retrocession.
    RetrocessionKept,
    /// A savings plan runs again on the bank day after.
    SavedTwiceAMonth,
    /// A payout that comes back is booked twice.
    BounceBookedTwice,
    /// A charge is made without an active mandate.
    ChargedWithoutMandate,
    /// A socket that is not the first of its world begins one event late.
    EventDroppedAtReconnect,
    /// The id of an event depends on the socket that sends it.
    EventIdByConnection,
    /// Events are sent one change before readers are shown it.
    EventBeforeCommit,
    /// Posts that were under way when the server went down are not sent again.
    PostLostAtRestart,
    /// What is replayed is signed with the secret that a rotation has replaced.
    ReplaySignedWithOldSecret,
    /// A copy of a world's past is kept as if it had one input more.
    CheckpointLacksAnInput,
    /// KYC is shown as pending while any journey of the account is open.
    KycPendingInAnyJourney,
    /// A closing account goes while the bank may still send its payout back.
    ClosedBeforePayoutIsFinal,
    /// The bank account may be left out though something is charged.
    BankAccountLeftOut,
    /// A customer who goes back loses what was answered after that step.
    LaterAnswersForgotten,
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
    ("late-paid-twice", Canary::LatePaidTwice),
    ("deposit-is-gain", Canary::DepositIsGain),
    ("split-changes-value", Canary::SplitChangesValue),
    ("merger-loses-cost", Canary::MergerLosesCost),
    ("fee-rounded-down", Canary::FeeRoundedDown),
    ("retrocession-kept", Canary::RetrocessionKept),
    ("saved-twice-a-month", Canary::SavedTwiceAMonth),
    ("bounce-booked-twice", Canary::BounceBookedTwice),
    ("charged-without-mandate", Canary::ChargedWithoutMandate),
    ("event-dropped-at-reconnect", Canary::EventDroppedAtReconnect),
    ("event-id-by-connection", Canary::EventIdByConnection),
    ("event-before-commit", Canary::EventBeforeCommit),
    ("post-lost-at-restart", Canary::PostLostAtRestart),
    ("replay-signed-with-old-secret", Canary::ReplaySignedWithOldSecret),
    ("checkpoint-lacks-an-input", Canary::CheckpointLacksAnInput),
    ("kyc-pending-in-any-journey", Canary::KycPendingInAnyJourney),
    ("closed-before-payout-is-final", Canary::ClosedBeforePayoutIsFinal),
    ("bank-account-left-out", Canary::BankAccountLeftOut),
    ("later-answers-forgotten", Canary::LaterAnswersForgotten),
];

#[cfg(feature = "canaries")]
static BY_SEED: std::sync::Mutex<Vec<(crate::rng::Seed, Canary)>> = std::sync::Mutex::new(Vec::new());

/// Plants `fault` in every world of `seed` that is made from now on, until the guard is dropped: for tests that reach a
/// world only through its surface.
#[cfg(feature = "canaries")]
#[must_use]
pub fn plant_in_worlds_of(seed: crate::rng::Seed, fault: Canary) -> PlantedBySeed {
    by_seed().push((seed, fault));
    PlantedBySeed(seed)
}

#[cfg(feature = "canaries")]
fn by_seed() -> std::sync::MutexGuard<'static, Vec<(crate::rng::Seed, Canary)>> {
    BY_SEED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Ends a planting by seed.
#[cfg(feature = "canaries")]
#[derive(Debug)]
pub struct PlantedBySeed(crate::rng::Seed);

#[cfg(feature = "canaries")]
impl Drop for PlantedBySeed {
    fn drop(&mut self) {
        by_seed().retain(|(seed, _)| *seed != self.0);
    }
}

/// The fault planted in a world, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    #[cfg(feature = "canaries")]
    fault: Option<Canary>,
}

impl Planted {
    /// What was planted in the worlds of `seed`.
    #[cfg(feature = "canaries")]
    #[must_use]
    pub fn by_seed(seed: crate::rng::Seed) -> Self {
        Self { fault: by_seed().iter().find(|(planted, _)| *planted == seed).map(|&(_, fault)| fault) }
    }

    /// Nothing, in this build.
    #[cfg(not(feature = "canaries"))]
    #[must_use]
    pub const fn by_seed(_seed: crate::rng::Seed) -> Self {
        Self {}
    }

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
