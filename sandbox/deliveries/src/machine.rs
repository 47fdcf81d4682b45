//! Life of a delivery (rule: events/delivery-retries).
//!
//! Owns: the states a delivery may be in and the only ways between them. Invariant: a receiver that has answered 2xx or 400
//! is not called again unless the delivery is replayed. Absent on purpose: clocks, ordering and room, which are the
//! queue's.

sim::machine! {
    /// Every move. A delivery begins in `Queued`, or in `DeadLetter` where nothing more can be kept waiting.
    "delivery", topic "deliveries", about "the states of a delivery to a callback URL or a webhook", effects "effect",
    first [Queued, DeadLetter];

    /// The status of a delivery, by the words of the log of deliveries.
    states Status {
        /// Waiting for its turn or its time, or under way.
        Queued = "queued",
        /// The receiver answered 2xx.
        Delivered = "delivered",
        /// The receiver answered 400; the delivery is not repeated.
        Refused = "refused",
        /// Every attempt of the round failed, there was no room to make one, or its webhook is gone or disabled.
        DeadLetter = "deadLetter",
    }

    /// What moves a delivery.
    triggers Trigger {
        /// 2xx.
        Receive,
        /// 400.
        Refuse,
        /// Anything else, or nothing in time; the round has attempts left.
        Fail,
        /// The same at the last attempt of the round.
        Exhaust,
        /// 410, of a webhook: it wants nothing any more.
        Disable,
        /// Its webhook is gone or disabled.
        Abandon,
        /// Somebody wants it sent again.
        Replay,
    }

    /// What a move does besides.
    effects Effect {
        /// The delivery has ended.
        End,
        /// The next attempt is due after the wait.
        Wait,
        /// A new round of attempts, the first due at once.
        NewRound,
    }

    rows {
        // from      on           to           effect
        Queued,      Receive  =>  Delivered,   End;
        Queued,      Refuse   =>  Refused,     End;
        Queued,      Fail     =>  Queued,      Wait;
        Queued,      Exhaust  =>  DeadLetter,  End;
        Queued,      Disable  =>  DeadLetter,  End;
        Queued,      Abandon  =>  DeadLetter,  End;
        Queued,      Replay   =>  Queued,      NewRound;

        Delivered,   Replay   =>  Queued,      NewRound;
        Refused,     Replay   =>  Queued,      NewRound;
        DeadLetter,  Replay   =>  Queued,      NewRound;
    }
}

impl Status {
    /// The status of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TABLE.states.iter().copied().find(|status| status.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::machines::Machine;

    #[test]
    fn the_table_obeys_the_laws_of_tables() {
        assert_eq!(TABLE.faults(), Vec::<String>::new());
    }

    #[test]
    fn whatever_has_ended_moves_by_a_replay_alone() {
        for row in TABLE.rows.iter().filter(|row| row.from != Status::Queued) {
            assert_eq!((row.on, row.to, row.effect), (Trigger::Replay, Status::Queued, Effect::NewRound), "{row:?}");
        }
    }

    #[test]
    fn a_status_is_found_by_its_name() {
        for &status in TABLE.states {
            assert_eq!(Status::named(status.name()), Some(status));
        }
        assert_eq!(Status::named("sent"), None);
    }
}
