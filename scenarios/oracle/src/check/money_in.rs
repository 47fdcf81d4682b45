//! Laws of money that comes in (9, 34, 35, 36): every booking is one that is due, now, over its amount, once; and plans buy
//! with it what they should, to the ore.

use super::{Claim, Fact, Items, Judge, Law};
use crate::model::figures::{self, Ore};
use crate::model::money_files::{Booking, Reason};
use crate::model::words::{self, listed};
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, PaymentId};
use sim::query;
use sim::records::{CashTransaction, CashType, Order, PlacedBy};
use sim::time::Instant;

impl Judge {
    /// A booking that belongs to a payment: the one that is due next (laws 9 and 34).
    pub(super) fn money_booked(&mut self, world: &World, at: Instant, cash: &CashTransaction) {
        let Some(due) = self.model.money_in.bookings.pop_front() else {
            let what = || format!("cash {} is booked, and no money is due", cash.id);
            return self.fail(Law::DepositOnce, at, what, Some(Claim::not_booked(cash)));
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
        let cash_id = cash.id;
        if !fits {
            let claim = (due.at == at).then(|| booking_claim(&due));
            self.fail(
                Law::DepositOnce,
                at,
                || format!("cash {cash_id} over {} is booked where due is: {}", cash.amount, booking(&due)),
                claim,
            );
        }
        let settled = cash.settlement == Some(at.local_date());
        self.ensure(settled, Law::DateOrder, at, || format!("cash {cash_id} is not settled today"));
        self.model.booked_in(world, &due);
    }

    /// An order that a plan has placed: the one that is due next (laws 35 and 36).
    pub(super) fn plan_bought(&mut self, at: Instant, order: &Order) {
        if order.placed_by != PlacedBy::Plan {
            return;
        }
        let due = self.model.money_in.orders.pop_front();
        let got = order.amount.map(|amount| (order.account, order.instrument, figures::ore(amount)));
        if due.is_none() || due != got {
            let claim = due.map(plan_claim);
            let what = || {
                let due = due.map_or("nothing".to_owned(), purchase);
                format!(
                    "order {}: a plan placed {} where due is: {due}",
                    order.id,
                    got.map_or("units".to_owned(), purchase)
                )
            };
            self.fail(Law::WholePlans, at, what, claim);
        }
        let is_uneven = order.amount.is_some_and(|amount| figures::ore(amount) % 100 != 0);
        self.met.note_if(Law::WholePlans, is_uneven);
        let bare = order.client_ref.is_none() && order.executor.is_none();
        self.ensure(bare, Law::OnePlan, at, || format!("order {} of a plan carries references", order.id));
    }

    /// After a step, nothing that was due is missing.
    pub(super) fn check_money(&mut self, world: &World) {
        let now = world.now();
        let missing = std::mem::take(&mut self.model.money_in.bookings);
        if let Some(first) = missing.front() {
            let all: Vec<String> = missing.iter().map(booking).collect();
            let claim = Some(booking_claim(first));
            self.fail(Law::DepositOnce, now, || format!("money is due and was not booked: {}", all.join(", ")), claim);
        }
        let missing = std::mem::take(&mut self.model.money_in.orders);
        if let Some(first) = missing.front() {
            let all: Vec<String> = missing.iter().map(|due| purchase(*due)).collect();
            self.fail(
                Law::OnePlan,
                now,
                || format!("plans should have placed: {}", all.join(", ")),
                Some(plan_claim(*first)),
            );
        }
    }

    /// Law 9 from the other side: what went into suspense.
    pub(super) fn check_suspense(&mut self, world: &World) {
        let mut got: Vec<_> = query::suspense(world).map(|item| figures::ore(item.amount)).collect();
        let mut known = self.model.money_in.suspense.clone();
        // What came in one step came in an order that only the world knows.
        got.sort_unstable();
        known.sort_unstable();
        let same = got == known;
        self.ensure(same, Law::DepositOnce, world.now(), || {
            let [got, known] = [got, known].map(|all| listed(all.into_iter().map(words::cash)));
            format!("in suspense is {got}, expected: {known}")
        });
    }
}

/// A booking that must come, in words.
fn booking(due: &Booking) -> String {
    format!("{} on account {} at {}", figures::amount(due.ore), due.account, due.at)
}

fn booking_claim(due: &Booking) -> Claim {
    let mut fields = vec![
        ("transactionType", Fact::text("deposit")),
        ("refType", Fact::text("payment")),
        ("amount", Fact::money(due.ore)),
    ];
    if let Reason::Payment(Some(id)) = &due.reason {
        fields.push(("ref", Fact::text(id)));
    }
    Claim::Lists(due.account, Items::Cash, fields)
}

/// A purchase that a plan must make, in words.
fn purchase((account, fund, ore): (AccountId, InstrumentId, Ore)) -> String {
    format!("{} of {fund} on account {account}", figures::amount(ore))
}

fn plan_claim((account, fund, ore): (AccountId, InstrumentId, Ore)) -> Claim {
    let fields =
        vec![("orderType", Fact::text("subscription")), ("instrument", Fact::text(fund)), ("amount", Fact::money(ore))];
    Claim::Lists(account, Items::Orders, fields)
}
