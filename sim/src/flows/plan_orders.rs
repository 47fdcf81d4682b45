//! The orders that plans place, and what a plan tells of its last run (rule: payments/plan-orders, payments/last-run).
//!
//! Invariant: a plan's order passes the checks of a partner's order; a part that would be refused stays as cash and its
//! reason is told. Absent on purpose: when plans run, and how a deposit is split.

use crate::command::{PlaceOrder, Scope};
use crate::flows::orders;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::Amount;
use crate::records::{PlacedBy, PlanRun, PlanRunStatus, Proceeds, Side};
use crate::world::World;
use std::sync::Arc;

/// Places one subscription a part, in order; parts of nothing are left out.
pub(crate) fn place(world: &mut World, account: AccountId, parts: &[(InstrumentId, Amount)]) -> PlanRun {
    let client = world.accounts.known(account).client;
    let scope = Scope { partner: world.clients[&client].partner, client };
    let (mut placed, mut reasons) = (0, Vec::new());
    for &(instrument, amount) in parts {
        let order = PlaceOrder {
            scope,
            account,
            side: Side::Subscription,
            instrument,
            amount: Some(amount),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        };
        match orders::check(world, &order) {
            Ok(()) => {
                orders::accept(world, order, PlacedBy::Plan);
                placed += 1;
            }
            Err(refusal) => reasons.push(Arc::from(format!("{instrument}: {refusal}"))),
        }
    }
    let status = match (placed, reasons.len()) {
        (0, _) => PlanRunStatus::Skipped,
        (_, 0) => PlanRunStatus::Done,
        _ => PlanRunStatus::Partly,
    };
    PlanRun { date: world.now.local_date(), status, reasons }
}
