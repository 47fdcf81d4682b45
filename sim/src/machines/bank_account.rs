//! Life of a connected bank account until it is known to be its owner's (rule: bank/bank-account-check).
//!
//! Owns: the states of the account check. Invariant: `validated` is true in `Active` and nowhere else, and never goes
//! back. Absent on purpose: the autogiro mandate, which is a life of its own.

machine! {
    /// Every move. A bank account begins in `Pending`, or validated as the setup or a lever says.
    "bankAccount", topic "bank-accounts", about "the states of a bank account check", effects "effect", first [Pending, Active];

    /// The state of the account check; the public words of a journey's result are the same.
    states State {
        /// Waiting for the check.
        Pending = "pending",
        /// Name and ownership match: ready for withdrawals.
        Active = "active",
        /// They do not.
        Rejected = "rejected",
    }

    /// What moves it.
    triggers Trigger {
        /// The check passes.
        Pass,
        /// The check fails.
        Fail,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// `validated` becomes true.
        Validate,
    }

    rows {
        // from     on        to         effect
        Pending,    Pass  =>  Active,    Validate;
        Pending,    Fail  =>  Rejected,  Nothing;
    }
}
