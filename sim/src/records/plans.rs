//! Plans of an account: how deposits are distributed, and what is bought every month.
//!
//! Invariant: the shares of an allocation plan add up to exactly 100.00 at any time (invariant 35); an account has at
//! most one plan of each kind that is not deleted (invariant 36). Absent on purpose: running them, which
//! is `flows/plans/allocation_runs.rs` and `flows/plans/savings_runs.rs`.

use super::{Allocation, DepositType, Periodicity, Stamp};
use crate::identity::InstrumentId;
use crate::ids::{AccountId, AllocationPlanId, BankAccountId, ClientId, SavingsPlanId, SortedId};
use crate::money::Amount;
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The outcome of a plan's last run (rule: plans/last-run).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlanRun {
    /// The local day on which it ran.
    pub date: Date,
    /// How much of it could be done.
    pub status: PlanRunStatus,
    /// Why a part stayed as cash, or why nothing was done: a sentence each.
    pub reasons: Vec<Arc<str>>,
}

/// How much of a run could be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlanRunStatus {
    /// All of it.
    Done,
    /// A part of it.
    Partly,
    /// Nothing.
    Skipped,
}

impl PlanRunStatus {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Partly => "partly",
            Self::Skipped => "skipped",
        }
    }
}

/// How deposits into an account are distributed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AllocationPlan {
    /// Public id.
    pub id: AllocationPlanId,
    /// Order of creation; not public.
    pub sorted_id: SortedId,
    /// Client of the account.
    pub client: ClientId,
    /// The account.
    pub account: AccountId,
    /// Bank account that is charged, if any.
    pub bank_account: Option<BankAccountId>,
    /// Shares.
    pub instruments: Vec<Allocation>,
    /// Where the money comes from.
    pub deposit_type: DepositType,
    /// How often.
    pub periodicity: Periodicity,
    /// The outcome of its last run.
    pub last_run: Option<PlanRun>,
    /// When it was deleted.
    pub deleted: Option<Instant>,
    /// Creation and change.
    pub stamp: Stamp,
}

/// Monthly purchases.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SavingsPlan {
    /// Public id.
    pub id: SavingsPlanId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client of the account.
    pub client: ClientId,
    /// The account.
    pub account: AccountId,
    /// Bank account that is charged.
    pub bank_account: BankAccountId,
    /// Day of the month, 1-28.
    pub day: i8,
    /// Amount a fund, SEK.
    pub instruments: Arc<[(InstrumentId, Amount)]>,
    /// First day on which it may run.
    pub start: Date,
    /// The outcome of its last run.
    pub last_run: Option<PlanRun>,
    /// The latest month that has had its run, by its first day; kept when the plan is replaced.
    pub ran: Option<Date>,
    /// The timer of the next run.
    pub timer: Option<TimerKey>,
    /// When it was deleted.
    pub deleted: Option<Instant>,
    /// Creation and change.
    pub stamp: Stamp,
}
