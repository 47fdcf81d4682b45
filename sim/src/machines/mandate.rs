//! Life of an autogiro mandate (rule: payments/mandate-answer, payments/mandate-codes).
//!
//! Owns: the states of a mandate, the only ways between them, and what each code of the bank means.
//! Invariant: charges are possible in `Active` alone. Absent on purpose: how long a bank takes.

use crate::records::MandateStatus as State;

/// What moves a mandate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
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

/// What a move does besides: nothing; who charges asks the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The bank is asked.
    Register,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{Nothing, Register};
use State::{Active, Invalid, Missing, Pending};
use Trigger::{Accept, Close, Note, Refuse, Revoke, Sign};

/// Every move a mandate can make. It begins in `Missing`, or as the setup or a lever says.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from     on       to        effect
    (Missing,   Sign,    Pending,  Register),

    (Pending,   Accept,  Active,   Nothing),
    (Pending,   Refuse,  Invalid,  Nothing),
    (Pending,   Note,    Pending,  Nothing),

    (Active,    Revoke,  Missing,  Nothing),
    (Active,    Close,   Invalid,  Nothing),

    (Invalid,   Sign,    Pending,  Register),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[Missing, Pending, Active, Invalid];

/// Every trigger.
pub const TRIGGERS: &[Trigger] = &[Sign, Accept, Refuse, Note, Revoke, Close];

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

/// The row for `on` in `from`, with its place in the table; `None` when the move is forbidden.
#[must_use]
pub fn step(from: State, on: Trigger) -> Option<(usize, State, Effect)> {
    TABLE.iter().position(|row| (row.0, row.1) == (from, on)).map(|at| (at, TABLE[at].2, TABLE[at].3))
}

impl State {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Missing => "missing",
            Invalid => "invalid",
            Pending => "pending",
            Active => "active",
        }
    }

    /// Whether no row leads on: a mandate can always be signed anew.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[Missing]);

    /// (rule: payments/mandate-codes)
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
            assert_eq!(step(Pending, on).map(|row| row.1), pending, "{code} while pending");
            assert_eq!(step(Active, on).map(|row| row.1), active, "{code} while active");
        }
        assert_eq!(trigger_of("99"), None);
    }
}
