//! Life of an account (rule: accounts/approval).
//!
//! Owns: the states an account may be in and the only ways between them. States distinguish more than the five public words:
//! a deleted account keeps the word it had (rule: accounts/deleted-accounts), and is a state of its own here.
//! Invariant: business is done in `Active` alone. Absent on purpose: clocks, who may ask, what is sold on closing.

machine! {
    /// Every move an account can make. It begins in `Confirm` or `Pending` (journeys), or in `Active` (setup and lever).
    "account", topic "accounts", about "the states of an account", effects "effect", first [Confirm, Pending, Active];

    /// The state of an account.
    states State {
        /// Waiting for the insurer's or further signatories' signatures.
        Confirm = "confirm",
        /// Waiting for approval.
        Pending = "pending",
        /// Open for business.
        Active = "active",
        /// Refused.
        Rejected = "rejected",
        /// Being closed.
        Closing = "closing",
        /// Closed for good. Public `closing`, deleted.
        Closed = "closing",
        /// Deleted before all had signed. Public `confirm`, deleted.
        ConfirmDeleted = "confirm",
        /// Deleted before it was approved. Public `pending`, deleted.
        PendingDeleted = "pending",
        /// Purged after its application was refused. Public `rejected`, deleted.
        RejectedDeleted = "rejected",
    }

    /// What moves an account.
    triggers Trigger {
        /// The last signature is given.
        Sign,
        /// A signatory or the insurer refuses to sign, or the platform refuses the application.
        Refuse,
        /// Two weeks passed without all signatures.
        Lapse,
        /// The platform approves.
        Approve,
        /// The partner closes it and something is left to wind up.
        Close,
        /// Nothing is left: it is deleted.
        Delete,
        /// The platform purges it (rule: accounts/purging).
        Purge,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// The approval is under way.
        AskApproval,
        /// Queued transfers start.
        Begin,
        /// The submission is refused; transfers that have not been accepted are canceled, plans removed.
        EndApplication,
        /// Orders are canceled or sold out, plans removed.
        WindUp,
    }

    rows {
        // from   on           to               effect
        Confirm,  Sign     =>  Pending,         AskApproval;
        Confirm,  Refuse   =>  Rejected,        EndApplication;
        Confirm,  Lapse    =>  Rejected,        EndApplication;
        Confirm,  Delete   =>  ConfirmDeleted,  EndApplication;

        Pending,  Approve  =>  Active,          Begin;
        Pending,  Refuse   =>  Rejected,        EndApplication;
        Pending,  Delete   =>  PendingDeleted,  EndApplication;

        Active,   Close    =>  Closing,         WindUp;
        Closing,  Delete   =>  Closed,          Nothing;

        Rejected, Purge    =>  RejectedDeleted, Nothing;
    }
}

impl State {
    /// Whether the account is deleted; it keeps the public word that it had.
    #[must_use]
    pub const fn is_deleted(self) -> bool {
        matches!(self, Self::Closed | Self::ConfirmDeleted | Self::PendingDeleted | Self::RejectedDeleted)
    }
}
