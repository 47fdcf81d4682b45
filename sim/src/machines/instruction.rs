//! Life of a payment instruction (rule: payments/payment-states).
//!
//! Owns: the states of an instruction and the only ways between them. Invariant: it is completed when all its payments
//! are, and not before. Absent on purpose: its payments, which have a table of their own; cancelling, which nobody can.

machine! {
    /// Every move of a payment instruction.
    "instruction", topic "instructions", about "the states of a payment instruction", effects "effect", first [New];

    /// The state of an instruction; the public words are the same.
    states State {
        /// Waits for the file of the day, or for the payer's transfer.
        New = "new",
        /// Its file has gone to the banks.
        Processing = "processing",
        /// All its payments have an end.
        Completed = "completed",
    }

    /// What moves an instruction.
    triggers Trigger {
        /// The file of the day is closed.
        Cut,
        /// The last of its payments has an end.
        Finish,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// Each payment is given its bank account and its due day.
        Send,
    }

    rows {
        // from       on          to           effect
        New,          Cut     =>  Processing,  Send;
        New,          Finish  =>  Completed,   Nothing;

        Processing,   Finish  =>  Completed,   Nothing;
    }
}
