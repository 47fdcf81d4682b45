//! The orders that plans place, and what a plan shows of its last run (rule: plans/plan-orders, plans/last-run).
//!
//! Invariant: a plan's order passes the checks of a partner's order; a part that would be refused stays as cash and its
//! reason is shown. Absent on purpose: when plans run, and how a deposit is split.

use crate::command::{PlaceOrder, Scope};
use crate::flows::orders;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::Amount;
use crate::records::{PlacedBy, PlanRun, PlanRunStatus, Proceeds, Side};
use crate::refusal::{Class, Refusal};
use crate::world::World;
use std::sync::Arc;

/// A subscription as a partner would place it.
fn order(world: &World, account: AccountId, instrument: InstrumentId, amount: Amount) -> PlaceOrder {
    let client = world.accounts.known(account).client;
    PlaceOrder {
        scope: Scope { partner: world.clients[&client].partner, client },
        account,
        side: Side::Subscription,
        instrument,
        amount: Some(amount),
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    }
}

/// Why a part is not bought.
fn reason(instrument: InstrumentId, refusal: &Refusal) -> Arc<str> {
    Arc::from(format!("{instrument}: {refusal}"))
}

/// Why a part could not be bought now, the cash for it aside.
pub(crate) fn refused(world: &World, account: AccountId, instrument: InstrumentId, amount: Amount) -> Option<Arc<str>> {
    let refusal = orders::check(world, &order(world, account, instrument, amount)).err()?;
    (refusal.class < Class::Insufficient).then(|| reason(instrument, &refusal))
}

/// Places one subscription a part, in order; parts of nothing are left out.
pub(crate) fn place(world: &mut World, account: AccountId, parts: &[(InstrumentId, Amount)]) -> PlanRun {
    let (mut placed, mut reasons) = (0, Vec::new());
    for &(instrument, amount) in parts.iter().filter(|part| part.1.is_positive()) {
        let order = order(world, account, instrument, amount);
        match orders::check(world, &order) {
            Ok(()) => {
                orders::accept(world, order, PlacedBy::Plan);
                placed += 1;
            }
            Err(refusal) => reasons.push(reason(instrument, &refusal)),
        }
    }
    let status = match (placed, reasons.len()) {
        (0, _) => PlanRunStatus::Skipped,
        (_, 0) => PlanRunStatus::Done,
        _ => PlanRunStatus::Partly,
    };
    PlanRun { date: world.now.local_date(), status, reasons }
}
