//! Life of an autogiro mandate (rule: bank/mandate-answer, bank/mandate-codes).
//!
//! Owns: the states of a mandate, the only ways between them, and what each code of the bank means.
//! Invariant: charges are possible in `Active` alone. Absent on purpose: how long a bank takes.

use Trigger::{Accept, Close, Note, Refuse, Revoke};

machine! {
    /// Every move a mandate can make. It begins in `Missing`, or as the setup or a lever says.
    "mandate", topic "mandates", about "the states of an autogiro mandate", effects "effect",
    first [Missing, Invalid, Pending, Active];

    /// The state of a mandate; the public words are the same.
    states State {
        /// None was ever signed, or it was revoked.
        Missing = "missing",
        /// Refused by the bank, or its account was closed.
        Invalid = "invalid",
        /// Signed, waiting for the bank.
        Pending = "pending",
        /// Charges may be made.
        Active = "active",
    }

    /// What moves a mandate.
    triggers Trigger {
        /// The customer signs one.
        Sign,
        /// The bank accepts it.
        Accept,
        /// The bank refuses it, or never answers.
        Refuse,
        /// The bank already knows it or still looks into it.
        Note,
        /// Payer, bank or payee revoke it.
        Revoke,
        /// The payer's account is closed.
        Close,
    }

    /// What a move does besides.
    effects Effect {
        /// Nothing.
        Nothing,
        /// The bank gets it, and will answer.
        Register,
    }

    rows {
        // from   on          to        effect
        Missing,  Sign    =>  Pending,  Register;

        Pending,  Accept  =>  Active,   Nothing;
        Pending,  Refuse  =>  Invalid,  Nothing;
        Pending,  Note    =>  Pending,  Nothing;

        Active,   Revoke  =>  Missing,  Nothing;
        Active,   Close   =>  Invalid,  Nothing;

        Invalid,  Sign    =>  Pending,  Register;
    }
}

/// Codes of a mandate advice, what each does, and what it means.
#[rustfmt::skip]
pub const CODES: &[(&str, Trigger, &str)] = &[
    ("32", Accept, "new mandate accepted"),
    ("03", Refuse, "account type not allowed"),
    ("05", Refuse, "wrong account or person data"),
    ("07", Refuse, "no answer from the bank, removed"),
    ("20", Refuse, "wrong person or organisation number"),
    ("21", Refuse, "wrong payer number"),
    ("23", Refuse, "wrong account number"),
    ("10", Note,   "already registered or under enquiry"),
    ("01", Revoke, "cancelled by the bank"),
    ("02", Revoke, "cancelled by the payer or the payer's bank"),
    ("33", Revoke, "cancelled by the payee"),
    ("98", Close,  "the payer's bankgiro is closed"),
];

/// What a code does, with its place in the table of codes.
#[must_use]
pub fn trigger_of(code: &str) -> Option<Trigger> {
    CODES.iter().find(|row| row.0 == code).map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use State::{Active, Invalid, Missing, Pending};

    /// (rule: bank/mandate-codes)
    #[test]
    fn every_code_leads_to_the_status_that_it_should() {
        let rows = [
            ("32", Some(Active), None),
            ("03", Some(Invalid), None),
            ("05", Some(Invalid), None),
            ("07", Some(Invalid), None),
            ("20", Some(Invalid), None),
            ("21", Some(Invalid), None),
            ("23", Some(Invalid), None),
            ("10", Some(Pending), None),
            ("01", None, Some(Missing)),
            ("02", None, Some(Missing)),
            ("33", None, Some(Missing)),
            ("98", None, Some(Invalid)),
        ];
        assert_eq!(rows.len(), CODES.len());
        for (code, pending, active) in rows {
            let on = trigger_of(code).expect("a known code");
            assert_eq!(TABLE.step(Pending, on).map(|row| row.to), pending, "{code} while pending");
            assert_eq!(TABLE.step(Active, on).map(|row| row.to), active, "{code} while active");
        }
        assert_eq!(trigger_of("99"), None);
    }
}
