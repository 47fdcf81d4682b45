//! Life of a delivery (rule: events/delivery-retries).
//!
//! Owns: the states a delivery may be in and the only ways between them. Invariant: a receiver that has answered 2xx or 400
//! is not asked again unless somebody replays. Absent on purpose: clocks, keys_waiting and room, which are the queue's.

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waiting for its turn or its time, or under way.
    Queued,
    /// The receiver answered 2xx.
    Delivered,
    /// The receiver answered 400; it is not asked again.
    Refused,
    /// Every attempt of the round failed, or there was no room to make one.
    DeadLetter,
}

/// What moves a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// 2xx.
    Receive,
    /// 400.
    Refuse,
    /// Anything else, or nothing in time; the round has attempts left.
    Fail,
    /// The same at the last attempt of the round.
    Exhaust,
    /// Its webhook is gone.
    Abandon,
    /// Somebody wants it sent again.
    Replay,
}

/// What a move does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The next attempt is due after the wait.
    Wait,
    /// A new round of attempts, the first due at once.
    NewRound,
}

/// One way from one state to another.
pub type Row = (Status, Trigger, Status, Effect);

use Effect::{NewRound, Nothing, Wait};
use Status::{DeadLetter, Delivered, Queued, Refused};
use Trigger::{Abandon, Exhaust, Fail, Receive, Refuse, Replay};

/// Every move. A delivery begins in `Queued`, or in `DeadLetter` where nothing more can be kept waiting.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from       on        to           effect
    (Queued,      Receive,  Delivered,   Nothing),
    (Queued,      Refuse,   Refused,     Nothing),
    (Queued,      Fail,     Queued,      Wait),
    (Queued,      Exhaust,  DeadLetter,  Nothing),
    (Queued,      Abandon,  DeadLetter,  Nothing),
    (Queued,      Replay,   Queued,      NewRound),

    (Delivered,   Replay,   Queued,      NewRound),
    (Refused,     Replay,   Queued,      NewRound),
    (DeadLetter,  Replay,   Queued,      NewRound),
];

/// Every state, in the order of a life.
pub const STATES: &[Status] = &[Queued, Delivered, Refused, DeadLetter];

/// The row for `on` in `from`; `None` when the move is forbidden.
#[must_use]
pub fn step(from: Status, on: Trigger) -> Option<(Status, Effect)> {
    TABLE.iter().find(|row| (row.0, row.1) == (from, on)).map(|row| (row.2, row.3))
}

impl Status {
    /// The status of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        STATES.iter().copied().find(|status| status.as_str() == name)
    }

    /// As shown in the log of deliveries.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Delivered => "delivered",
            Self::Refused => "refused",
            Self::DeadLetter => "deadLetter",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIGGERS: &[Trigger] = &[Receive, Refuse, Fail, Exhaust, Abandon, Replay];

    #[test]
    fn no_pair_of_state_and_trigger_has_two_rows_and_every_trigger_moves_something() {
        for &on in TRIGGERS {
            let rows = |from: Status| TABLE.iter().filter(move |row| (row.0, row.1) == (from, on)).count();
            assert!(STATES.iter().all(|&from| rows(from) <= 1), "{on:?}");
            assert!(STATES.iter().any(|&from| rows(from) == 1), "{on:?}");
        }
    }

    #[test]
    fn whatever_has_ended_moves_by_a_replay_alone() {
        for &from in STATES.iter().filter(|&&status| status != Queued) {
            for &on in TRIGGERS {
                assert_eq!(step(from, on), (on == Replay).then_some((Queued, NewRound)), "{from:?} {on:?}");
            }
        }
    }

    #[test]
    fn a_status_is_found_by_its_name() {
        for &status in STATES {
            assert_eq!(Status::named(status.as_str()), Some(status));
        }
        assert_eq!(Status::named("sent"), None);
    }
}
