//! Life of a journey (rule: journeys/opening, journeys/error-codes).
//!
//! Owns: the states a journey may be in, the only ways between them, and which of them send the partner's callback.
//! Invariant: no row leads out of a terminal state, so a journey notifies at most once. Absent on purpose: steps and
//! answers, which move inside `Pending`.

machine! {
    /// Every move a journey can make.
    "journey", topic "journeys", about "the states of a journey", effects "callback", first [New];

    /// The state of a journey; the public words are the same.
    states State {
        /// Created, not yet opened by the end customer.
        New = "new",
        /// Opened.
        Pending = "pending",
        /// Signed; what it was for has happened.
        Complete = "complete",
        /// The end customer aborted.
        Canceled = "canceled",
        /// It failed.
        Error = "error",
        /// Its time ran out.
        Expired = "expired",
    }

    /// What moves a journey.
    triggers Trigger {
        /// The end customer opens the link.
        Open,
        /// The end customer signs the last step.
        Complete,
        /// The end customer aborts.
        Abort,
        /// A fault or a rule stops it.
        Fail,
        /// Its time runs out.
        Expire,
    }

    /// What a move sends besides the event.
    effects Effect {
        /// Nothing.
        Nothing,
        /// One callback.
        Notify,
    }

    rows {
        // from   on            to         callback
        New,      Open      =>  Pending,   Nothing;
        New,      Fail      =>  Error,     Notify;
        New,      Expire    =>  Expired,   Nothing;

        Pending,  Complete  =>  Complete,  Notify;
        Pending,  Abort     =>  Canceled,  Notify;
        Pending,  Fail      =>  Error,     Notify;
        Pending,  Expire    =>  Expired,   Nothing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callback_hears_of_canceled_error_and_complete_and_of_nothing_else() {
        for row in TABLE.rows {
            let is_notified = matches!(row.to, State::Complete | State::Canceled | State::Error);
            assert_eq!(row.effect == Effect::Notify, is_notified, "{row:?}");
        }
    }
}
