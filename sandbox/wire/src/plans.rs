//! Allocation plans and savings plans (rule: plans/allocation-plan-shape, plans/savings-plan-shape).
//!
//! Absent on purpose: `depositType` and the periodicity of an allocation plan, which the bank account shows.

use crate::rows::fields::Cursor;
use crate::rows::shape::{FieldType, Readable, described, reference, shape};
use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::shows::Shows;
use crate::values::text::{CalendarDate, Id, InstrumentId, SortedId};
use serde::Serialize;
use sim::command::Patch;
use sim::ids::BankAccountId;
use sim::money::Amount;
use sim::partial::Whole;
use sim::records;
use utoipa::ToSchema;
use utoipa::openapi::schema::ArrayBuilder;

shown! {
    /// How deposits into an account are distributed.
    pub AllocationPlan of records::AllocationPlan {
        id: Id = "id";
        client: Id = "clientId";
        account: Id = "account";
        /// Bank account that is charged by autogiro; null when nothing is charged.
        bank_account: Id = nullable "bankAccount";
        instruments: Vec<Allocation> = "instruments";
        /// Result of its last run; null before the first run.
        last_run: PlanRun = nullable "lastRun";
        stamped;
        hidden sorted_id, deposit_type, periodicity, deleted;
    }
}

shown! {
    /// A fund's share of every deposit.
    Allocation of records::Allocation {
        instrument: InstrumentId = "instrument";
        /// Percent, at most two decimals; exactly 100 together.
        percent: Number = "allocation";
    }
}

shown! {
    /// Result of a plan's last run (rule: plans/last-run).
    PlanRun of records::PlanRun {
        /// The local day of the run.
        date: CalendarDate = "date";
        /// `done`, `partly` or `skipped`.
        status: &'static str = "status" by status.name();
        /// Why parts of the run were skipped: one sentence for each fund or cause.
        #[schema(value_type = Vec<String>)]
        reasons: Vec<std::sync::Arc<str>> = "reasons" by reasons.clone();
    }
}

shape! {
    /// Changes an allocation plan: a merge patch (RFC 7396).
    pub struct AllocationPlanPatch {
        /// A bank account of the owner with an active or pending mandate; null ends automatic charging.
        bank_account: Patch<BankAccountId> = nullable_patch "bankAccount";
        /// Replaces all shares.
        instruments: Patch<Vec<records::Allocation>> = patch "instruments" as shares();
    }
}

/// Shares of a plan as its public shape has them.
fn shares() -> impl FieldType<Value = Vec<records::Allocation>> {
    let read = |cursor: Cursor<'_, '_>| Whole::whole(Readable::read(cursor)?);
    described(read, |known| ArrayBuilder::new().items(reference::<Allocation>(known)).into())
}

shown! {
    /// Monthly purchases for an account.
    pub SavingsPlan of records::SavingsPlan {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        account: Id = "account";
        /// Bank account that is charged.
        bank_account: Id = "bankAccount";
        /// Always `monthly`.
        also periodicity: &'static str = "periodicity" by "monthly";
        /// Day of the month, 1 to 28.
        day: i8 = "day";
        instruments: Vec<Saving> = "instruments";
        /// First day on which it may run.
        start: CalendarDate = "startDate";
        /// Result of its last run; null before the first run.
        last_run: PlanRun = nullable "lastRun";
        stamped;
        hidden client, ran, timer, deleted;
    }
}

/// Monthly amount for one fund.
#[derive(Serialize, ToSchema)]
struct Saving {
    instrument: InstrumentId,
    /// SEK.
    amount: Money,
}

impl Shows<'_, (sim::identity::InstrumentId, Amount)> for Saving {
    fn shown(&(instrument, amount): &(sim::identity::InstrumentId, Amount)) -> Self {
        Self { instrument: InstrumentId(instrument), amount: Money(amount) }
    }
}
