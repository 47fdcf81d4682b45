//! Life of a submission, the application of a legal entity (rule: journeys/submissions).
//!
//! Owns: the states a submission may be in and the only ways between them. Invariant: a complete submission stays so.
//! Absent on purpose: signatures in
//! between, which move inside `Pending`, and the account that waits.

machine! {
    /// Every move a submission can make.
    "submission", topic "submissions", about "the states of a legal entity's application", effects "effect", first [New];

    /// The state of a submission; the public words are the same.
    states State {
        /// Filled in, signed by nobody.
        New = "new",
        /// Some signatures are missing.
        Pending = "pending",
        /// Signed by all.
        Complete = "complete",
        /// Refused, or not signed in time.
        Rejected = "rejected",
    }

    /// What moves a submission.
    triggers Trigger {
        /// The first signatory signs, and others are missing.
        Begin,
        /// The last signatory signs.
        Finish,
        /// The application is refused, or its time is up.
        Refuse,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
    }

    rows {
        // from   on          to         effect
        New,      Begin   =>  Pending,   Nothing;
        New,      Finish  =>  Complete,  Nothing;

        Pending,  Finish  =>  Complete,  Nothing;
        Pending,  Refuse  =>  Rejected,  Nothing;
    }
}
