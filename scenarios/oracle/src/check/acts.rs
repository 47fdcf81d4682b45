//! What commands do to what waits for others: who acts in a journey, decides about an account, ends a check.
//!
//! Invariant: derived from the command and the model alone, before its events are looked at.

use crate::model::figures::{self, Ore};
use crate::model::words::Word as _;
use crate::model::{Model, outcomes};
use sim::command::{Booked, Command, CustodianAct, Decision, Purgeable, SignOutcome};
use sim::ids::{AccountId, BankAccountId, JourneyId, TransferId};
use sim::machines::transfer;
use sim::records::{AccountStatus, ErrorCode, MandateStatus};
use std::fmt;

/// What the command of a step does to what waits for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acts {
    /// Nothing, or time passed.
    Nothing,
    /// The back office books cash, or units that have cost so many ore.
    Books(Option<Ore>),
    /// The platform opens an account without a journey.
    Opens,
    /// Somebody acts in a journey.
    Journey(JourneyId, Ends),
    /// The platform decides about an account, which becomes this.
    Decides(AccountId, AccountStatus),
    /// The partner closes an account.
    Closes(AccountId),
    /// A person has died.
    Dies,
    /// The bank ends a check.
    Checks(BankAccountId, bool),
    /// The bank advises of a mandate, which becomes this.
    Advises(BankAccountId, MandateStatus),
    /// A custodian moves a transfer there.
    Moves(TransferId, transfer::State),
    /// The partner takes cash out of an account.
    Withdraws(AccountId),
    /// Something is purged.
    Purges(Purgeable),
}

/// How somebody may end a journey by what they do in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// By the last step, or by a number that has a fixed outcome.
    Walks,
    /// The customer cancels the journey.
    Leaves,
    /// The customer will not sign.
    Refuses,
    /// The electronic identity fails.
    FailsToSign,
    /// It is made to fail with this code.
    Fails(ErrorCode),
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walks => f.write_str("a step"),
            Self::Leaves => f.write_str("a cancel"),
            Self::Refuses => f.write_str("a refusal to sign"),
            Self::FailsToSign => f.write_str("a failed signature"),
            Self::Fails(code) => write!(f, "a failure with {}", code.word()),
        }
    }
}

impl Model {
    /// What a command does to what waits for others.
    pub(super) fn acts(&self, command: &Command) -> Acts {
        match command {
            Command::Book(book) => match book.what {
                Booked::Units { cost: Some(cost), .. } => Acts::Books(Some(figures::ore(cost))),
                Booked::Units { cost: None, .. } | Booked::Cash { .. } => Acts::Books(None),
            },
            Command::OpenAccount(_) => Acts::Opens,
            Command::OpenJourney { journey, .. }
            | Command::AnswerStep { journey, .. }
            | Command::CompleteJourney { journey, .. }
            | Command::ExpireJourney { journey, .. } => Acts::Journey(*journey, Ends::Walks),
            Command::SignJourney { journey, outcome, .. } => {
                let ends = match outcome {
                    SignOutcome::Sign => Ends::Walks,
                    SignOutcome::Abort => Ends::Leaves,
                    SignOutcome::Fail => Ends::FailsToSign,
                    SignOutcome::Refuse => Ends::Refuses,
                };
                Acts::Journey(*journey, ends)
            }
            Command::AbortJourney { journey, .. } | Command::CancelJourney { journey, .. } => {
                Acts::Journey(*journey, Ends::Leaves)
            }
            Command::FailJourney { journey, code, .. } => Acts::Journey(*journey, Ends::Fails(*code)),
            Command::DecideAccount { account, decision, .. } => {
                let status = match decision {
                    Decision::Approve => AccountStatus::Active,
                    Decision::Reject => AccountStatus::Rejected,
                    Decision::Confirm => AccountStatus::Pending,
                };
                Acts::Decides(*account, status)
            }
            Command::CloseAccount { account, .. } => Acts::Closes(*account),
            Command::ReportDeath { .. } => Acts::Dies,
            Command::CheckBankAccount { bank_account, passes, .. } => Acts::Checks(*bank_account, *passes),
            Command::AdviseMandate { bank_account, code, .. } => {
                let from = self.banks.get(bank_account).map(|bank| bank.last.mandate);
                let to = from.and_then(|from| outcomes::advised(*from, code));
                to.map_or(Acts::Nothing, |to| Acts::Advises(*bank_account, to))
            }
            Command::MoveTransfer { transfer, act, .. } => {
                let state = match act {
                    CustodianAct::Accept => transfer::State::Accepted,
                    CustodianAct::Reject => transfer::State::Rejected,
                    CustodianAct::Complete => transfer::State::Completed,
                };
                Acts::Moves(*transfer, state)
            }
            Command::Withdraw(withdraw) => Acts::Withdraws(withdraw.account),
            Command::Purge { what, .. } => Acts::Purges(*what),
            _ => Acts::Nothing,
        }
    }
}
