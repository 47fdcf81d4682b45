//! Laws of orders: their path, its instants, their transactions, their execution.

use super::{Acts, Cause, Claim, Fact, Judge, Law};
use crate::model::figures::{self, Ore, Steps};
use crate::model::words::{self, or_none};
use crate::model::{Move, OrderFile, Status, calendar};
use indexmap::map::Entry;
use sim::World;
use sim::command::{PlaceOrder, Purgeable};
use sim::event::{Delta, Event};
use sim::ids::OrderId;
use sim::query;
use sim::records::{Order, Proceeds, Side};
use sim::time::{Instant, Millis};
use std::sync::Arc;

impl Judge {
    pub(super) fn on_order(&mut self, event: &Event, delta: &Delta<Order>) {
        match delta {
            Delta::Created(order) => self.order_created(event, order),
            Delta::Updated { previous, current } => self.order_updated(event, previous, current),
            Delta::Deleted(order) => {
                let over = Status::of(*order.state).is_over();
                let asked = over && self.acts == Acts::Purges(Purgeable::Order(order.id));
                self.ensure(asked, Law::TerminalOrdersAreFrozen, event.at, || {
                    format!("order {} was deleted", order.id)
                });
                self.model.orders.entry(order.id).and_modify(|file| file.purged = true);
            }
        }
    }

    fn order_created(&mut self, event: &Event, order: &Arc<Order>) {
        let at = event.at;
        self.ensure(event.client == Some(order.client), Law::Isolation, at, || {
            format!("order {}: an event was sent to another client", order.id)
        });
        let fresh = Status::of(*order.state) == Status::Received && order.canceled.is_none() && order.trade.is_none();
        self.ensure(fresh, Law::StatusPath, at, || {
            format!("order {} began as {}", order.id, Status::of(*order.state).word())
        });
        self.created_now(at, &order.stamp, || format!("order {}", order.id));
        self.next_sorted(1, order.sorted_id, at);
        self.plan_bought(at, order);
        self.platform_sold(at, order);
        let Some(fund) = self.model.funds.get_mut(&order.instrument) else {
            return self.fail(Law::Identifiers, at, || format!("order {} is in an unknown fund", order.id), None);
        };
        fund.waiting.push(order.id);
        let mut file = OrderFile::new(order, fund);
        self.met.note_if(Law::NoMissedCutOff, file.cut_off.since(at) < Millis::hours(1));
        file.large = self.model.is_large(order);
        let known = self.model.orders.insert(order.id, file);
        self.ensure(known.is_none(), Law::Identity, at, || format!("two orders have the id {}", order.id));
        match self.model.accounts.get_mut(&order.account) {
            Some(account) if account.last.client == order.client => account.reserve(order, 1),
            _ => self.fail(Law::Isolation, at, || format!("order {} is on another client's account", order.id), None),
        }
        self.touch_account(order.account);
        self.touch_order(order.id);
        self.model.expect_order(order.id);
    }

    fn order_updated(&mut self, event: &Event, previous: &Arc<Order>, current: &Arc<Order>) {
        let (at, id) = (event.at, current.id);
        let Some(file) = self.model.orders.get(&id) else {
            return self.fail(
                Law::EventCorrespondence,
                at,
                || format!("order {id} changed before its creation event"),
                None,
            );
        };
        let (from, to) = (file.status, Status::of(*current.state));
        let file = file.clone();
        if !same(previous, &file.last) {
            let again = file.last.stamp.revision == current.stamp.revision
                || previous.stamp.revision < file.last.stamp.revision;
            let claim = again.then(|| Claim::Events(id, vec![to.word()]));
            self.fail(
                Law::EventCorrespondence,
                at,
                || format!("order {id}: an update began where no update had ended"),
                claim,
            );
            return;
        }
        self.ensure(event.client == Some(current.client), Law::Isolation, at, || {
            format!("order {id}: an event was sent to another client")
        });
        self.changed_now(at, &previous.stamp, &current.stamp, || format!("order {id}"));
        self.ensure(same_identity(previous, current), Law::EventCorrespondence, at, || {
            format!("order {id} became another order")
        });
        if from.is_over() {
            return self.fail(
                Law::TerminalOrdersAreFrozen,
                at,
                || format!("order {id} changed after it was {}", from.word()),
                None,
            );
        }
        if !from.may_become(to) {
            let what = || format!("order {id} went from {} to {}", from.word(), to.word());
            return self.fail(Law::StatusPath, at, what, None);
        }
        self.move_is_due(at, &file, to);
        if to == Status::Settled {
            self.settles_in_turn(at, &file);
        }
        self.take_over(at, file, current);
        if from == Status::Sent {
            self.execution(at, id, to);
        }
        self.existence(at, id);
        if to.is_over() {
            self.model.ended_for_fees(at, current, to == Status::Canceled);
        }
        self.touch_account(current.account);
        self.touch_order(id);
        self.model.expect_order(id);
    }

    /// That the move was to happen now, or was asked for by the command of this step.
    fn move_is_due(&mut self, at: Instant, file: &OrderFile, to: Status) {
        let id = file.last.id;
        match &mut self.cause {
            Cause::Unknown => {}
            Cause::Command(moves) => match moves.iter().position(|&planned| planned == (id, to)) {
                Some(planned) => {
                    moves.swap_remove(planned);
                }
                None => {
                    let claim = status_claim(id, file.status);
                    self.fail(Law::StatusPath, at, || format!("order {id} became {} unasked", to.word()), Some(claim));
                }
            },
            // What was parked after its cut-off goes when a corporate action ends its fund's waiting.
            Cause::Clock
                if (file.status, to) == (Status::Hold, Status::Canceled)
                    && self.model.ends_orders(file.last.instrument, at) => {}
            Cause::Clock => {
                let Some(due) = self.model.due(file) else { return };
                if due.at != at {
                    let early = at < due.at;
                    let claim = status_claim(id, if early { file.status } else { after(due.what, to) });
                    let what = || format!("order {id} became {} at {at} instead of {}", to.word(), due.at);
                    return self.fail(law_of(due.what), at.min(due.at), what, Some(claim));
                }
                let expected = match due.what {
                    Move::FirstCheck => match self.model.is_parked(file, at) {
                        Some(true) => to == Status::Hold,
                        Some(false) => to == Status::Pending,
                        None => matches!(to, Status::Hold | Status::Pending),
                    },
                    Move::Route => to == Status::Sent,
                    Move::Confirm => matches!(to, Status::Sent | Status::Canceled),
                    Move::Settle => to == Status::Settled,
                    Move::Lapse => to == Status::Canceled,
                };
                if !expected {
                    let claim = status_claim(id, after(due.what, to));
                    self.fail(
                        Law::StatusPath,
                        at,
                        || format!("order {id} became {} where {} was due", to.word(), due.what),
                        Some(claim),
                    );
                }
            }
        }
    }

    /// Orders that settle at one instant do so in order of creation, whatever their side and fund (rule:
    /// orders/settlement-order). One whose price was confirmed at this very instant was not known to settle at it.
    fn settles_in_turn(&mut self, at: Instant, file: &OrderFile) {
        let order = &file.last;
        if order.stamp.modified == at {
            return;
        }
        let before = self.model.settled_last.replace((at, order.sorted_id));
        self.met.note_if(Law::DateOrder, before.is_some_and(|(then, _)| then == at));
        let out_of_turn = before.is_some_and(|(then, other)| then == at && other > order.sorted_id);
        self.ensure(!out_of_turn, Law::DateOrder, at, || {
            format!("order {} settled after one that was placed later", order.id)
        });
    }

    /// Takes the order's new state into the model's books.
    fn take_over(&mut self, at: Instant, mut file: OrderFile, current: &Arc<Order>) {
        let to = Status::of(*current.state);
        let (id, reserved) = (current.id, file.reserves());
        match to {
            Status::Pending => file.booked = true,
            Status::Hold => file.held = at,
            Status::Sent if file.status == Status::Sent => file.confirmed = true,
            _ => {}
        }
        self.met.note_if(Law::StatusPath, (file.status, to) == (Status::Hold, Status::Pending));
        self.met.note_if(Law::ExistenceTable, to == Status::Canceled && file.booked);
        if file.status == Status::Hold
            && to == Status::Pending
            && let Some(fund) = self.model.funds.get_mut(&current.instrument)
        {
            (file.day, file.cut_off) = fund.next;
            fund.waiting.push(id);
        }
        if (file.status, to) == (Status::Pending, Status::Sent)
            && let Some(partner) = self.model.partner_of(current.client)
        {
            let sent = self.model.sent.entry((partner, current.instrument, current.side, file.day));
            self.met.note_if(Law::AggregationUnity, matches!(sent, Entry::Occupied(_)));
            let together = *sent.or_insert(at);
            self.ensure(together == at, Law::AggregationUnity, at, || {
                format!("order {id} was sent apart from those of {together}")
            });
        }
        let ended = to == Status::Canceled;
        let shown = current.canceled == ended.then_some(at);
        self.ensure(shown, Law::StatusPath, at, || {
            format!("order {id} is {} and shows as its cancellation: {}", to.word(), or_none(current.canceled))
        });
        file.status = to;
        file.last = Arc::clone(current);
        let reserves = file.reserves();
        if reserved
            && !reserves
            && let Some(account) = self.model.accounts.get_mut(&current.account)
        {
            account.reserve(current, -1);
        }
        let settled = (to == Status::Settled).then(|| file.clone());
        self.model.orders.insert(id, file);
        if let Some(file) = settled {
            self.register(&file);
        }
    }

    /// The fund company's own books take the order over, at the model's figures.
    fn register(&mut self, file: &OrderFile) {
        let payouts_and_transfers = match file.last.proceeds {
            Proceeds::PayOut(_) => [1, 0, 0],
            // A destination that takes no money any more leaves it where it is.
            Proceeds::Transfer(to) if self.model.accounts.get(&to).is_some_and(|to| to.is_open()) => [0, 1, 1],
            Proceeds::Keep | Proceeds::Transfer(_) => [0; 3],
        };
        self.met.note_if(Law::OneTransactionOfEachKind, payouts_and_transfers[0] > 0);
        self.met.note_if(Law::InternalTransferPair, payouts_and_transfers[1] > 0);
        if let Some(file) = self.model.orders.get_mut(&file.last.id) {
            file.payouts_and_transfers_due = payouts_and_transfers;
        }
        let Some(partner) = self.model.partner_of(file.last.client) else { return };
        let key = (partner, file.last.instrument, file.last.side, file.day);
        let (ore, fee) = (file.figures.0, self.model.fee_of(file));
        let changed = if file.last.side == Side::Subscription { ore - fee } else { ore };
        self.model.outside.settled(key, changed, file.figures.1);
        if let (Proceeds::PayOut(_), Side::Redemption) = (file.last.proceeds, file.last.side) {
            self.model.outside.to_be_paid += ore - fee;
        }
    }

    /// Price, units and amount of an execution (laws 13, 14, 24), and what a worthless one becomes.
    fn execution(&mut self, at: Instant, id: OrderId, to: Status) {
        let Some(file) = self.model.orders.get(&id) else { return };
        if to == Status::Settled {
            return;
        }
        let (order, day) = (Arc::clone(&file.last), file.day);
        let fee = self.model.fee_of(file);
        let decimals = self.model.funds.get(&order.instrument).map_or(0, |fund| fund.facts.decimals_units);
        let Some((price, rate)) = self.model.execution(order.instrument, day) else {
            return self.fail(
                Law::OnePriceForAll,
                at,
                || format!("order {id} was executed without a published price"),
                None,
            );
        };
        let figures = executed(&order, fee, price, rate, decimals);
        let worthless = figures.0 == 0 || figures.1 == 0;
        if worthless != (to == Status::Canceled) {
            let claim = status_claim(id, if worthless { Status::Canceled } else { Status::Sent });
            let what = || format!("order {id} over {} became {}", shown(figures), to.word());
            return self.fail(Law::StatusPath, at, what, Some(claim));
        }
        if worthless {
            return;
        }
        if let Some(file) = self.model.orders.get_mut(&id) {
            file.figures = figures;
        }
        self.note_execution(&order, day, fee, (price, rate));
        let trade = order.trade.map(|trade| (calendar::day_of(trade.date), figures::millionths(trade.price)));
        if trade != Some((day, price)) {
            let law =
                if trade.is_some_and(|(traded, _)| traded != day) { Law::NoMissedCutOff } else { Law::OnePriceForAll };
            let what = || {
                let got = order.trade.map(|trade| format!("on {} at {}", trade.date, trade.price));
                let due = (calendar::date_of(day), words::price(price));
                format!("order {id} traded {}, expected: on {} at {}", or_none(got), due.0, due.1)
            };
            self.fail(law, at, what, None);
        }
        let got = (order.amount.map_or(0, figures::ore), order.units.map_or(0, figures::steps));
        if got != figures {
            let (law, claim) = match order.side {
                Side::Subscription => (Law::SubscriptionExecution, ("units", number(figures::units(figures.1)))),
                Side::Redemption => (Law::RedemptionExecution, ("amount", number(figures::amount(figures.0)))),
            };
            let what = || format!("order {id} was executed as {}, not {}", shown(got), shown(figures));
            self.fail(law, at, what, Some(Claim::Order(id, vec![claim])));
        }
    }

    /// Notes what the execution of an order puts to the test: figures that do not come out even, and both sides of a day.
    fn note_execution(&mut self, order: &Order, day: calendar::Day, fee: Ore, (price, rate): (i64, i64)) {
        let Some(file) = self.model.orders.get(&order.id) else { return };
        let (ore, steps) = file.figures;
        let (law, ore, other) = match order.side {
            Side::Subscription => (Law::SubscriptionExecution, ore - fee, Side::Redemption),
            Side::Redemption => (Law::RedemptionExecution, ore, Side::Subscription),
        };
        self.met.note_if(law, !figures::is_exactly(ore, steps, price, rate));
        let Some(partner) = self.model.partner_of(order.client) else { return };
        let is_beside = self.model.sent.contains_key(&(partner, order.instrument, other, day));
        self.met.note_if(Law::OnePriceForAll, is_beside);
    }

    /// The existence table (laws 17 and 18).
    pub(super) fn existence(&mut self, at: Instant, id: OrderId) {
        let Some(file) = self.model.orders.get_mut(&id) else { return };
        file.looked_at = true;
        let transaction = |settled: bool, aborted: bool| Some((settled, aborted));
        let cash = file
            .cash
            .and_then(|id| self.model.cash.get(&id))
            .map(|cash| settled_and_aborted(&cash.last.settlement, cash.last.aborted.is_some()));
        let units = file
            .units
            .and_then(|id| self.model.units.get(&id))
            .map(|units| settled_and_aborted(&units.last.settlement, units.last.aborted.is_some()));
        let first = match (file.status, file.booked) {
            (Status::Settled, _) => transaction(true, false),
            (_, false) => None,
            (Status::Canceled, true) => transaction(false, true),
            (_, true) => transaction(false, false),
        };
        let second = if file.status == Status::Settled { transaction(true, false) } else { None };
        let expected = match file.last.side {
            Side::Subscription => (first, second),
            Side::Redemption => (second, first),
        };
        let fee = file.fee.and_then(|id| self.model.cash.get(&id)).map(|cash| &cash.last);
        let fee = fee.map(|fee| settled_and_aborted(&fee.settlement, fee.aborted.is_some()));
        let (status, made, due, proceeds) =
            (file.status, file.payouts_and_transfers, file.payouts_and_transfers_due, file.last.proceeds);
        let changes = self.model.orders.get(&id).is_some_and(|file| self.model.fee_of(file) > 0);
        self.ensure(fee == expected.0.filter(|_| changes), Law::ExistenceTable, at, || {
            let [got, due] = [fee, expected.0.filter(|_| changes)].map(existence);
            format!("order {id} is {} with a fee for changing money: {got}; expected: {due}", status.word())
        });
        if (cash, units) != expected {
            let what = || {
                let [cash, units, due_cash, due_units] = [cash, units, expected.0, expected.1].map(existence);
                let got = format!("cash {cash} and units {units}");
                format!("order {id} is {} with {got}, expected: cash {due_cash} and units {due_units}", status.word())
            };
            let fields = |transaction: Option<(bool, bool)>| {
                transaction.map(|(_, aborted)| vec![("aborted", Fact::Flag(aborted))])
            };
            let claim = Claim::Transactions { order: id, cash: fields(expected.0), units: fields(expected.1) };
            self.fail(Law::ExistenceTable, at, what, Some(claim));
        }
        self.ensure(
            made == due,
            if matches!(proceeds, Proceeds::Transfer(_)) {
                Law::InternalTransferPair
            } else {
                Law::OneTransactionOfEachKind
            },
            at,
            || {
                let [got, due] = [made, due].map(|[payouts, out, into]| {
                    format!("{payouts} payouts, {out} transfers out and {into} transfers in")
                });
                format!("order {id}, {}, has {got}; expected: {due}", status.word())
            },
        );
    }

    /// After a step: the order reads as in its last event.
    pub(super) fn check_order(&mut self, world: &World, id: OrderId) {
        let Some(file) = self.model.orders.get(&id) else { return };
        let (client, last, transactions) = (file.last.client, Arc::clone(&file.last), (file.cash, file.units));
        let (fee, purged) = (file.fee, file.purged);
        let Some(record) = query::order(world, client, id) else {
            if purged {
                return;
            }
            return self.fail(
                Law::EventCorrespondence,
                world.now(),
                || format!("order {id} has events and cannot be read"),
                None,
            );
        };
        if !Arc::ptr_eq(record, &last) && !same(record, &last) {
            let frozen = Status::of(*last.state).is_over();
            let claim = status_claim(id, Status::of(*last.state));
            let what = || format!("order {id} differs from its events");
            self.fail(
                if frozen { Law::TerminalOrdersAreFrozen } else { Law::EventCorrespondence },
                world.now(),
                what,
                Some(claim),
            );
        }
        let linked =
            (record.cash_transaction, record.fund_transaction) == transactions && record.fee_transaction == fee;
        self.ensure(linked, Law::OneTransactionOfEachKind, world.now(), || {
            format!("order {id} does not know its transactions")
        });
        if self.model.orders.get(&id).is_some_and(|file| !file.looked_at) {
            self.existence(world.now(), id);
        }
    }

    pub(super) fn order_overdue(&mut self, at: Instant, id: OrderId) {
        let Some(file) = self.model.orders.get(&id) else { return };
        let Some(due) = self.model.due(file) else { return };
        let status = file.status;
        let claim = match due.what {
            Move::FirstCheck if self.model.is_parked(file, at) == Some(true) => Some(status_claim(id, Status::Hold)),
            Move::Confirm => None,
            what => Some(status_claim(id, after(what, Status::Pending))),
        };
        let what = || format!("order {id} is still {} though at {at} {} was due", status.word(), due.what);
        self.fail(law_of(due.what), at, what, claim);
    }

    pub(super) fn placed_as_asked(&mut self, at: Instant, place: &PlaceOrder, order: &Order) {
        if let (Proceeds::PayOut(_), Some(mut signed)) =
            (place.proceeds, self.model.signatures(place.scope.client, place.account, at))
        {
            self.ensure(!signed.is_empty(), Law::RefusalsChangeNothing, at, || {
                format!("order {} pays out without a signature", order.id)
            });
            signed.drain(..1.min(signed.len()));
            self.model.grants.insert(place.account, signed);
        }
        let asked = (
            place.scope.client,
            place.account,
            place.side,
            place.instrument,
            place.amount,
            place.units,
            place.proceeds,
        );
        let got =
            (order.client, order.account, order.side, order.instrument, order.amount, order.units, order.proceeds);
        let texts = place.client_ref == order.client_ref && place.executor == order.executor;
        self.ensure(asked == got && texts, Law::RefusalsChangeNothing, at, || {
            format!("order {} is not what was asked for", order.id)
        });
        let known = self.model.orders.get(&order.id).is_some_and(|file| same(&file.last, order));
        self.ensure(known, Law::EventCorrespondence, at, || {
            format!("order {} was answered and has no event", order.id)
        });
    }
}

/// What the public sees of two states of an order is the same.
fn same(one: &Order, other: &Order) -> bool {
    same_identity(one, other)
        && (one.amount, one.units) == (other.amount, other.units)
        && Status::of(*one.state) == Status::of(*other.state)
        && (one.stamp, one.canceled) == (other.stamp, other.canceled)
}

fn same_identity(one: &Order, other: &Order) -> bool {
    (one.id, one.sorted_id, one.client, one.account) == (other.id, other.sorted_id, other.client, other.account)
        && (one.side, one.instrument, one.proceeds) == (other.side, other.instrument, other.proceeds)
        && one.client_ref == other.client_ref
        && one.executor == other.executor
        && one.stamp.created == other.stamp.created
}

fn executed(order: &Order, fee: Ore, price: i64, rate: i64, decimals: u32) -> (Ore, Steps) {
    match order.side {
        Side::Subscription => {
            let ore = order.amount.map_or(0, figures::ore);
            (ore, figures::bought(ore - fee, price, rate, decimals))
        }
        Side::Redemption => {
            let steps = order.units.map_or(0, figures::steps);
            (figures::proceeds(steps, price, rate), steps)
        }
    }
}

fn settled_and_aborted<T>(settlement: &Option<T>, aborted: bool) -> (bool, bool) {
    (settlement.is_some(), aborted)
}

/// Whether a transaction is there, and whether it is settled or aborted.
fn existence(transaction: Option<(bool, bool)>) -> &'static str {
    match transaction {
        None => "none",
        Some((false, false)) => "pending",
        Some((true, false)) => "settled",
        Some((false, true)) => "aborted",
        Some((true, true)) => "both settled and aborted",
    }
}

fn shown((ore, steps): (Ore, Steps)) -> String {
    format!("{} SEK for {} units", figures::amount(ore), figures::units(steps))
}

fn number(number: impl ToString) -> Fact {
    Fact::Number(number.to_string())
}

fn status_claim(order: OrderId, status: Status) -> Claim {
    Claim::Order(order, vec![("status", Fact::Text(status.word().to_owned()))])
}

/// The status after a move; the first check leads to `checked`.
const fn after(what: Move, checked: Status) -> Status {
    match what {
        Move::FirstCheck => checked,
        Move::Route | Move::Confirm => Status::Sent,
        Move::Settle => Status::Settled,
        Move::Lapse => Status::Canceled,
    }
}

const fn law_of(what: Move) -> Law {
    match what {
        Move::FirstCheck | Move::Lapse => Law::StatusPath,
        Move::Route => Law::NoMissedCutOff,
        Move::Confirm | Move::Settle => Law::DateOrder,
    }
}
