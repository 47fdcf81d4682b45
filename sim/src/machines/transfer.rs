//! Life of a transfer from another custodian (rule: securities/transfer-timing).
//!
//! Owns: the states a transfer may be in and the only ways between them.
//! Invariant: nothing is booked before `Completed`. Absent on purpose: what the ceding custodian holds.

machine! {
    /// Every move a transfer can make. One that the check before signing refuses begins as `Rejected`.
    "transfer", topic "transfers", about "the states of a transfer from another custodian", effects "effect",
    first [New, Rejected];

    /// The state of a transfer; the public words are the same.
    states State {
        /// Ordered; waits for the account to be active, and for the next bank day.
        New = "new",
        /// Sent to the ceding custodian.
        Sent = "sent",
        /// The ceding custodian has agreed.
        Accepted = "accepted",
        /// Units and cash are booked.
        Completed = "completed",
        /// The ceding custodian has refused, at signing or later.
        Rejected = "rejected",
        /// The account was rejected or closed.
        Canceled = "canceled",
    }

    /// What moves a transfer.
    triggers Trigger {
        /// It is sent.
        Send,
        /// The ceding custodian agrees.
        Accept,
        /// The ceding custodian refuses.
        Refuse,
        /// Units and cash arrive.
        Complete,
        /// The account is rejected or closed.
        Cancel,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// The external reference is set, the answer is awaited.
        Refer,
        /// The delivery is awaited.
        Expect,
        /// Units and cash are booked.
        Book,
    }

    rows {
        // from    on            to          effect
        New,       Send      =>  Sent,       Refer;
        New,       Cancel    =>  Canceled,   Nothing;

        Sent,      Accept    =>  Accepted,   Expect;
        Sent,      Refuse    =>  Rejected,   Nothing;
        Sent,      Cancel    =>  Canceled,   Nothing;

        Accepted,  Complete  =>  Completed,  Book;
    }
}
