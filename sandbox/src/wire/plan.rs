//! Allocation plans and savings plans (rule: payments/allocation-plan-shape, payments/savings-plan-shape).
//!
//! Absent on purpose: `depositType` and the periodicity of an allocation plan, which the bank account tells.

use super::fields::Spot;
use super::number::{Money, Number};
use super::shape::{Kind, Readable, described, reference, shape};
use super::text::{CalendarDate, Id, InstrumentId, SortedId, Timestamp};
use serde::Serialize;
use sim::command::Patch;
use sim::ids::BankAccountId;
use sim::partial::Whole;
use sim::records::{self, Stamp};
use utoipa::ToSchema;
use utoipa::openapi::schema::ArrayBuilder;

/// How deposits into an account are distributed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllocationPlan {
    id: Id,
    client_id: Id,
    account: Id,
    /// Bank account that is charged by autogiro; null when nothing is charged.
    #[schema(required = true)]
    bank_account: Option<Id>,
    instruments: Vec<Allocation>,
    /// What came of its last run; null before the first.
    #[schema(required = true)]
    last_run: Option<PlanRun>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

/// A fund's share of every deposit.
#[derive(Serialize, ToSchema)]
struct Allocation {
    instrument: InstrumentId,
    /// Percent, at most two decimals; exactly 100 together.
    allocation: Number,
}

impl AllocationPlan {
    /// The public shape of `plan`.
    #[must_use]
    pub fn of(plan: &records::AllocationPlan) -> Self {
        let records::AllocationPlan {
            id,
            sorted_id: _,
            client,
            account,
            bank_account,
            instruments,
            deposit_type: _,
            periodicity: _,
            last_run,
            deleted: _,
            stamp: Stamp { created, modified, revision: _ },
        } = plan;
        let share = |share: &records::Allocation| {
            let records::Allocation { instrument, percent } = share;
            Allocation { instrument: InstrumentId(*instrument), allocation: Number(percent.get()) }
        };
        Self {
            id: Id(id.as_uuid()),
            client_id: Id(client.as_uuid()),
            account: Id(account.as_uuid()),
            bank_account: bank_account.map(|bank_account| Id(bank_account.as_uuid())),
            instruments: instruments.iter().map(share).collect(),
            last_run: last_run.as_ref().map(PlanRun::of),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}

/// What came of a plan's last run (rule: payments/last-run).
#[derive(Serialize, ToSchema)]
struct PlanRun {
    /// The local day of the run.
    date: CalendarDate,
    /// `done`, `partly` or `skipped`.
    status: &'static str,
    /// Why something was not done: a sentence for each fund or cause.
    #[schema(value_type = Vec<String>)]
    reasons: Vec<std::sync::Arc<str>>,
}

impl PlanRun {
    fn of(run: &records::PlanRun) -> Self {
        let records::PlanRun { date, status, reasons } = run;
        Self { date: CalendarDate(*date), status: status.name(), reasons: reasons.clone() }
    }
}

shape! {
    /// Changes an allocation plan: a merge patch (RFC 7396).
    pub(crate) struct AllocationPlanPatch {
        /// A bank account of the owner with an active or pending mandate; null ends automatic charging.
        bank_account: Patch<BankAccountId> = patch_or_null "bankAccount";
        /// Replaces all shares.
        instruments: Patch<Vec<records::Allocation>> = patch "instruments" as shares();
    }
}

/// Shares of a plan as its public shape has them.
fn shares() -> impl Kind<Value = Vec<records::Allocation>> {
    let read = |spot: Spot<'_, '_>| Whole::whole(Readable::read(spot)?);
    described(read, |known| ArrayBuilder::new().items(reference::<Allocation>(known)).into())
}

/// What is bought for an account every month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavingsPlan {
    id: Id,
    sorted_id: SortedId,
    account: Id,
    /// Bank account that is charged.
    bank_account: Id,
    /// Always `monthly`.
    periodicity: &'static str,
    /// Day of the month, 1 to 28.
    day: i8,
    instruments: Vec<Saving>,
    /// First day on which it may run.
    start_date: CalendarDate,
    /// What came of its last run; null before the first.
    #[schema(required = true)]
    last_run: Option<PlanRun>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

/// What is bought of one fund.
#[derive(Serialize, ToSchema)]
struct Saving {
    instrument: InstrumentId,
    /// SEK.
    amount: Money,
}

impl SavingsPlan {
    /// The public shape of `plan`.
    #[must_use]
    pub fn of(plan: &records::SavingsPlan) -> Self {
        let records::SavingsPlan {
            id,
            sorted_id,
            client: _,
            account,
            bank_account,
            day,
            instruments,
            start,
            last_run,
            ran: _,
            timer: _,
            deleted: _,
            stamp: Stamp { created, modified, revision: _ },
        } = plan;
        let saving =
            |(instrument, amount): &(_, _)| Saving { instrument: InstrumentId(*instrument), amount: Money(*amount) };
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            account: Id(account.as_uuid()),
            bank_account: Id(bank_account.as_uuid()),
            periodicity: "monthly",
            day: *day,
            instruments: instruments.iter().map(saving).collect(),
            start_date: CalendarDate(*start),
            last_run: last_run.as_ref().map(PlanRun::of),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}
