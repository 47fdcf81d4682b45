//! Life of money whose account could not take it (rule: payments/suspense).
//!
//! Owns: the states of a suspense item and the only ways between them. Invariant: the money leaves suspense once, to an
//! account or back to its payer. Absent on purpose: why it could not be booked, which the item says.

machine! {
    /// Every move of a suspense item.
    "suspense", topic "suspense", about "the states of money in suspense", effects "effect", first [Open];

    /// The state of a suspense item; what the operator is shown is the same.
    states State {
        /// Waits for a decision of the operator.
        Open = "open",
        /// An active account has got it.
        Allocated = "allocated",
        /// It went back to its payer.
        Returned = "returned",
    }

    /// What moves it.
    triggers Trigger {
        /// The operator finds the account that was meant.
        Allocate,
        /// The operator sends it back.
        Return,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing: the money goes back over the bank it came from.
        Nothing,
        /// The account gets a deposit, and its plan runs.
        Deposit,
    }

    rows {
        // from   on            to          effect
        Open,     Allocate  =>  Allocated,  Deposit;
        Open,     Return    =>  Returned,   Nothing;
    }
}
