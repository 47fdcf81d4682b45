//! Life of one payment of an instruction (rule: payments/payment-states, payments/payment-due-day).
//!
//! Owns: the states of a payment and the only ways between them, and what each code of the banks means. Invariant: a
//! payment is paid or fails, once; what is paid can go back once. Absent on purpose: how often a charge is tried.

machine! {
    /// Every move of a payment.
    "payment", topic "payments", about "the states of one payment of an instruction", effects "effect", first [New];

    /// The state of a payment; partners know of `new` and `completed` only.
    states State {
        /// Waits for money.
        New = "new",
        /// The money came.
        Paid = "completed",
        /// The money will not come.
        Failed = "completed",
        /// The money came, and the payer has had it back.
        Refunded = "completed",
    }

    /// What moves a payment.
    triggers Trigger {
        /// There was no money; it is tried again.
        Retry,
        /// The money comes.
        Pay,
        /// The charge is refused for good.
        Fail,
        /// The payer wants it back.
        Refund,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// It is tried again on the next bank day.
        Again,
        /// The account gets a deposit.
        Deposit,
        /// The account pays it back.
        Withdraw,
    }

    rows {
        // from   on          to         effect
        New,      Retry   =>  New,       Again;
        New,      Pay     =>  Paid,      Deposit;
        New,      Fail    =>  Failed,    Nothing;

        Paid,     Refund  =>  Refunded,  Withdraw;
    }
}
