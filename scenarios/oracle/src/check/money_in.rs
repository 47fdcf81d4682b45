//! Laws of money that comes in (9, 34, 35, 36): every booking is one that is due, now, over its amount, once; and plans buy
//! with it what they should, to the ore.

use super::Judge;
use crate::model::figures;
use crate::model::money_files::Reason;
use sim::World;
use sim::ids::PaymentId;
use sim::query;
use sim::records::{CashTransaction, CashType, Order, PlacedBy};
use sim::time::Instant;

impl Judge {
    /// A booking that belongs to a payment: the one that is due next (laws 9 and 34).
    pub(super) fn money_booked(&mut self, world: &World, at: Instant, cash: &CashTransaction) {
        let Some(due) = self.model.money_in.bookings.pop_front() else {
            let claim = self.balance_claim(cash.account, &[], figures::ore(cash.amount));
            return self.fail(9, at, || format!("cash {} is booked, and no money is due", cash.id), claim);
        };
        let text = cash.reference.as_deref();
        let refers = match &due.reason {
            Reason::Payment(Some(id)) => text == Some(&*id.to_string()),
            Reason::Payment(None) => text.is_some_and(|text| PaymentId::parse(text).is_ok()),
            Reason::Other(reference, shown) => text == Some(&**reference) && cash.text.as_deref() == Some(&**shown),
        };
        let fits = (due.at, due.account, due.ore) == (at, cash.account, figures::ore(cash.amount))
            && due.client_ref == cash.client_ref
            && cash.kind == CashType::Deposit
            && refers;
        let told = cash.id;
        self.ensure(fits, 9, at, || format!("cash {told} is booked where {due:?} is due"));
        let settled = cash.settlement == Some(at.local_date());
        self.ensure(settled, 23, at, || format!("cash {told} is not settled today"));
        self.model.booked_in(world, &due);
    }

    /// An order that a plan has placed: the one that is due next (laws 35 and 36).
    pub(super) fn plan_bought(&mut self, at: Instant, order: &Order) {
        if order.placed_by != PlacedBy::Plan {
            return;
        }
        let due = self.model.money_in.orders.pop_front();
        let got = order.amount.map(|amount| (order.account, order.instrument, figures::ore(amount)));
        self.ensure(due.is_some() && due == got, 35, at, || format!("a plan placed {got:?} where {due:?} is due"));
        let bare = order.client_ref.is_none() && order.executor.is_none();
        self.ensure(bare, 36, at, || format!("order {} of a plan carries references", order.id));
    }

    /// After a step, nothing that was due is missing.
    pub(super) fn check_money(&mut self, world: &World) {
        let now = world.now();
        let missing = std::mem::take(&mut self.model.money_in.bookings);
        self.ensure(missing.is_empty(), 9, now, || format!("money is due and was not booked: {missing:?}"));
        let missing = std::mem::take(&mut self.model.money_in.orders);
        self.ensure(missing.is_empty(), 36, now, || format!("plans should have placed {missing:?}"));
    }

    /// Law 9 from the other side: what went into suspense.
    pub(super) fn check_suspense(&mut self, world: &World) {
        let mut told: Vec<_> = query::suspense(world).map(|item| figures::ore(item.amount)).collect();
        let mut known = self.model.money_in.suspense.clone();
        // What came in one step came in an order that only the world knows.
        told.sort_unstable();
        known.sort_unstable();
        let same = told == known;
        self.ensure(same, 9, world.now(), || format!("{told:?} is in suspense, expected {known:?}"));
    }
}
