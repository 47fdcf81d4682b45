//! Laws of fund transactions.

use super::cash::settles_claim;
use super::movements::Movement;
use super::{Acts, Items, Judge, Law};
use crate::model::figures;
use crate::model::words::{Word as _, or_none};
use crate::model::{Status, calendar};
use rust_decimal::Decimal;
use sim::World;
use sim::command::Purgeable;
use sim::event::{Delta, Event};
use sim::records::{AccountStatus, FundRefType, FundTransaction, FundType, Side};
use sim::time::Instant;
use std::sync::Arc;

impl Judge {
    pub(super) fn on_units(&mut self, world: &World, event: &Event, delta: &Delta<FundTransaction>) {
        match delta {
            Delta::Created(units) => self.units_created(world, event, units),
            Delta::Updated { previous, current } => self.units_updated(event, previous, current),
            Delta::Deleted(units) => {
                let asked = units.aborted.is_some() && self.acts == Acts::Purges(Purgeable::FundTransaction(units.id));
                self.ensure(asked, Law::NoMutation, event.at, || format!("units {} were deleted", units.id));
                self.model.units.entry(units.id).and_modify(|file| file.purged = true);
            }
        }
    }

    fn units_created(&mut self, world: &World, event: &Event, units: &Arc<FundTransaction>) {
        let (at, id) = (event.at, units.id);
        self.created_now(at, &units.stamp, || format!("units {id}"));
        self.next_sorted(3, units.sorted_id, at);
        self.ensure(units.units.is_positive(), Law::UnitsIdentity, at, || format!("units {id} move {}", units.units));
        let owner = self.model.accounts.get(&units.account).map(|account| account.last.client);
        let same_client = event.client == Some(units.client) && owner == Some(units.client);
        self.ensure(same_client, Law::Isolation, at, || format!("units {id} belong to two clients"));
        self.ensure(units.aborted.is_none(), Law::AbortedMeansUnsettled, at, || {
            format!("units {id} were aborted at birth")
        });
        self.ensure(!self.model.units.contains_key(&id), Law::Identity, at, || {
            format!("two fund transactions have the id {id}")
        });
        let acted = units.ref_type == FundRefType::Ca;
        if acted {
            self.model.begin_actions(at);
        }
        let cost = self.model.accounts.get(&units.account).and_then(|account| account.holding(units.instrument));
        let cost = cost.map_or(Decimal::ZERO, |holding| holding.cost);
        self.model.book_units(units);
        self.touch_account(units.account);
        self.note_movement(Movement::Units(units.kind, units.ref_type), units.account);
        let transferred = units.ref_type == FundRefType::Transfer;
        if units.kind == FundType::Subscription && units.settlement.is_some() && !transferred && !acted {
            self.bring_in(units);
        }
        if acted {
            self.action_moves(at, units, cost);
        }
        if units.ref_type == FundRefType::Order {
            self.units_leg(at, units);
        }
        if transferred {
            self.units_transferred(world, at, units);
        }
        if units.ref_type == FundRefType::Correction && !matches!(self.acts, Acts::Books(_)) {
            self.written_off(at, units);
        }
    }

    /// Only a closing account's sliver, worth less than half an ore, is booked away.
    fn written_off(&mut self, at: Instant, units: &FundTransaction) {
        let steps = figures::steps(units.units);
        let closing = self.model.accounts.get(&units.account).map(|account| account.last.status());
        let worthless =
            self.model.close(units.instrument).is_some_and(|(price, rate)| figures::proceeds(steps, price, rate) == 0);
        let fits = closing == Some(AccountStatus::Closing) && worthless && units.kind == FundType::Redemption;
        self.ensure(fits, Law::UnitsConservation, at, || format!("units {} were booked away", units.id));
        *self.model.outside.register.entry(units.instrument).or_default() -= steps;
    }

    /// Units that an order brings in were bought for its amount; what an opening position cost is its worth then.
    fn bring_in(&mut self, units: &FundTransaction) {
        let order = self.model.units.get(&units.id).and_then(|file| file.order);
        match order.and_then(|order| self.model.orders.get(&order)).map(|file| file.figures.0 - self.model.fee_of(file))
        {
            Some(ore) => self.model.bought_in(units.account, units.instrument, Decimal::new(ore, 2)),
            None if let Acts::Books(Some(ore)) = self.acts => {
                self.model.bought_in(units.account, units.instrument, Decimal::new(ore, 2));
            }
            None => self.model.opened_with(units),
        }
    }

    fn units_leg(&mut self, at: Instant, units: &FundTransaction) {
        let id = units.id;
        let order = self.model.units.get(&id).and_then(|file| file.order);
        let Some((order, file)) = order.and_then(|order| Some((order, self.model.orders.get(&order)?.clone()))) else {
            return self.fail(Law::OneTransactionOfEachKind, at, || format!("units {id} refer to no order"), None);
        };
        let Some(fund) = self.model.funds.get(&file.last.instrument) else { return };
        let settles = file.settlement(fund, &self.model.settings).date;
        let steps = figures::steps(units.units);
        let fits = match (units.kind, file.last.side) {
            (FundType::Subscription, Side::Subscription) => {
                let trade = units.trade.map(calendar::day_of) == Some(file.day) && units.price.is_some();
                let price = file.last.trade.map(|trade| trade.price) == units.price;
                if units.settlement != Some(settles) {
                    let claim = settles_claim(units.account, Items::Units, id, units.settlement);
                    let what = || {
                        let shown = or_none(units.settlement);
                        format!("units {id} of order {order} have the settlement date: {shown}; expected: {settles}")
                    };
                    self.fail(Law::DateOrder, at, what, Some(claim));
                }
                file.status == Status::Sent && trade && price && steps == file.figures.1
            }
            (FundType::Redemption, Side::Redemption) => {
                let reserving = matches!(file.status, Status::Received | Status::Hold);
                let open = units.settlement.is_none() && units.price.is_none() && units.trade.is_none();
                reserving && open && steps == file.last.units.map_or(0, figures::steps)
            }
            _ => false,
        };
        let place = units.account == file.last.account && units.instrument == file.last.instrument;
        let copied = units.client_ref == file.last.client_ref && units.executor == file.last.executor;
        self.ensure(fits && place && copied && file.units.is_none(), Law::OneTransactionOfEachKind, at, || {
            format!(
                "order {order}, {}, made units {id}: `{}` of {}",
                file.status.word(),
                units.kind.word(),
                units.units
            )
        });
        if let Some(file) = self.model.orders.get_mut(&order) {
            file.units = Some(id);
        }
        self.touch_transactions(order);
    }

    fn units_updated(&mut self, event: &Event, previous: &Arc<FundTransaction>, current: &Arc<FundTransaction>) {
        let (at, id) = (event.at, current.id);
        let Some(file) = self.model.units.get_mut(&id) else {
            return self.fail(
                Law::EventCorrespondence,
                at,
                || format!("units {id} changed before their creation event"),
                None,
            );
        };
        let known = std::mem::replace(&mut file.last, Arc::clone(current));
        let order = file.order;
        let continues = Arc::ptr_eq(previous, &known) || **previous == *known;
        self.ensure(continues, Law::EventCorrespondence, at, || {
            format!("units {id}: an update began where no update had ended")
        });
        self.changed_now(at, &previous.stamp, &current.stamp, || format!("units {id}"));
        let was_pending = previous.settlement.is_none() && previous.aborted.is_none();
        let FundTransaction { settlement, aborted, stamp, price, trade, .. } = **current;
        let repriced = previous.price.is_some() && (previous.price, previous.trade) != (price, trade);
        let expected = FundTransaction { settlement, aborted, stamp, price, trade, ..(**previous).clone() };
        self.ensure(was_pending && !repriced && expected == **current, Law::NoMutation, at, || {
            format!("units {id} were altered")
        });
        self.ensure(settlement.is_none() || aborted.is_none(), Law::AbortedMeansUnsettled, at, || {
            format!("units {id} are settled and aborted")
        });
        self.met.note_if(Law::AbortedMeansUnsettled, aborted.is_some());
        self.met.note_if(Law::NoMutation, previous.price.is_none() && price.is_some() && settlement.is_none());
        self.take_out(at, current, order);
        self.touch_account(current.account);
        if let Some(order) = order {
            self.touch_transactions(order);
        }
    }

    /// Pending units out are priced, settled, or come back.
    fn take_out(&mut self, at: Instant, units: &FundTransaction, order: Option<sim::ids::OrderId>) {
        let steps = figures::steps(units.units);
        if let Some(account) = self.model.accounts.get_mut(&units.account) {
            let holding = account.holding_mut(units.instrument);
            if units.aborted.is_some() {
                holding.units += steps;
                self.met.note(Law::UnitsIdentity);
            }
            if units.settlement.is_some() {
                holding.settle_out(steps);
                self.met.note_if(Law::AverageAcquisitionValue, holding.settled > 0 && !holding.cost.is_zero());
            }
        }
        let Some(file) = order.and_then(|order| self.model.orders.get(&order)) else { return };
        let Some(fund) = self.model.funds.get(&file.last.instrument) else { return };
        let (day, id) = (file.day, units.id);
        let settles = file.settlement(fund, &self.model.settings).date;
        let order = file.last.id;
        if let Some(settlement) = units.settlement.filter(|&settlement| settlement != settles) {
            let claim = settles_claim(units.account, Items::Units, id, units.settlement);
            let what = || format!("units {id} of order {order} settle {settlement}, not {settles}");
            self.fail(Law::DateOrder, at, what, Some(claim));
        }
        if let Some(trade) = units.trade {
            self.ensure(calendar::day_of(trade) == day, Law::NoMissedCutOff, at, || {
                format!("units {id} traded on {trade}")
            });
        }
    }
}
