//! Judges: they hold what a world does against the laws, step by step.
//!
//! Invariant: a step's checks look only at what its events touched; `sweep` looks at everything. Absent on purpose: what
//! makes the steps, and what becomes of a violation.

mod accounts;
mod actions;
mod acts;
mod cases;
mod cash;
mod claim;
pub mod clock;
mod deaths;
mod effects;
mod fees;
mod identifiers;
mod isolation;
mod journeys;
mod listing;
mod mobile_payments;
mod money_in;
mod movements;
mod naming;
mod orders;
mod payments;
mod performance;
mod plans;
mod steps;
mod sweep;
mod units;
mod updates;
mod waiting;
mod withdrawals;

pub use crate::laws::{Checked, Law, Met};
pub use claim::{Claim, Fact, Fields, Items, ListQuery};
pub use naming::{COMMANDS, accepted_as, name_of, status_of};

use acts::{Acts, Ends};
use movements::{Moved, Movement};

use crate::model::words;
use crate::model::{Expected, Item, Model, Plan, Status};
use sim::command::{Command, Purgeable};
use sim::event::{Change, Delta, Event};
use sim::ids::{AccountId, JourneyId, OrderId};
use sim::outbox::Callback;
use sim::records::Client;
use sim::time::{Instant, Millis};
use sim::{Refusal, Reply, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use uuid::Uuid;

/// A law that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub invariant: Law,
    /// The instant at which it should have held.
    pub at: Instant,
    /// What was wrong, in a sentence.
    pub what: String,
    /// What a reader would see, if it can be seen from outside.
    pub claim: Option<Claim>,
}

/// Why events came.
#[derive(Clone, Debug)]
enum Cause {
    /// Time passed.
    Clock,
    /// A command was carried out that was to move these orders and nothing else.
    Command(Vec<(OrderId, Status)>),
    /// A command about which the model knows nothing.
    Unknown,
}

/// The judge of one world.
#[derive(Clone, Debug)]
pub struct Judge {
    /// What the world should be like.
    pub model: Model,
    /// How often the case of each law was met.
    pub met: Met,
    acts: Acts,
    touched_journeys: Vec<JourneyId>,
    new_accounts: Vec<AccountId>,
    callbacks: BTreeSet<Uuid>,
    cause: Cause,
    found: Vec<Violation>,
    accounts: Vec<AccountId>,
    orders: Vec<OrderId>,
    next_event: u64,
    cut_offs: Vec<Instant>,
    owners_seen: usize,
    moved: BTreeMap<Movement, Moved>,
    /// What the client of the patch under way should become.
    patched: Option<Client>,
    /// When the newest of accounts, orders, cash and fund transactions, journeys was made.
    made_at: [Instant; 5],
}

impl Judge {
    /// Judges of a world that has just begun.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            model: Model::new(world),
            met: Met::default(),
            acts: Acts::Nothing,
            touched_journeys: Vec::new(),
            new_accounts: Vec::new(),
            callbacks: BTreeSet::new(),
            cause: Cause::Clock,
            found: Vec::new(),
            accounts: Vec::new(),
            orders: Vec::new(),
            next_event: 0,
            cut_offs: Vec::new(),
            owners_seen: 0,
            moved: BTreeMap::new(),
            patched: None,
            made_at: [Instant::MIN; 5],
        }
    }

    /// What a command should lead to, asked for now.
    #[must_use]
    pub fn plan(&self, world: &World, command: &Command) -> Plan {
        self.model.plan(world, command)
    }

    /// After time has passed.
    pub fn after_wait(&mut self, world: &World, events: &[Event], callbacks: &[Callback]) {
        self.cause = Cause::Clock;
        self.model.read_long_wait_ahead(world);
        self.observe(world, events, callbacks);
        self.model.roll_fees(world, world.now());
        self.model.look_at_sales_of(world.now());
        self.model.roll_money(world, world.now());
        self.actions_in_time(world.now().plus(Millis(1)));
        self.finish(world);
        while let Some((at, item)) = self.model.overdue(world.now()) {
            self.overdue(world, at, item);
        }
        self.model.roll(world, world.now());
        self.model.forget_ahead();
    }

    /// After a command, asked for at a standing clock.
    pub fn after_command(
        &mut self,
        world: &World,
        command: &Command,
        plan: Plan,
        result: Result<&Reply, &Refusal>,
        events: &[Event],
        callbacks: &[Callback],
    ) {
        let now = world.now();
        self.compare_outcome(now, command, &plan, result);
        self.note_asked(command, result);
        if result.is_err() {
            if let Some(event) = events.first() {
                self.fail(
                    Law::RefusalsChangeNothing,
                    now,
                    || format!("a refused command sent `{}`", event.kind()),
                    None,
                );
            }
            self.ensure(callbacks.is_empty(), Law::RefusalsChangeNothing, now, || {
                "a refused command made a callback".to_owned()
            });
            return;
        }
        self.before_effects(now, command);
        if let (Command::AllocateSuspense { account, .. }, Ok(Reply::SuspenseItem(item))) = (command, result) {
            let ore = crate::model::figures::ore(item.amount);
            self.model.allocated(now, *account, ore, &item.id.to_string(), &item.reference);
        }
        if let Acts::Moves(transfer, state) = self.model.acts(command) {
            self.model.move_transfer(transfer, state, now);
        }
        self.cause = if plan.free { Cause::Unknown } else { Cause::Command(plan.moves) };
        self.acts = self.model.acts(command);
        if let (Command::CreateJourney(create), Ok(Reply::Journey(journey))) = (command, result) {
            self.journey_started(now, create, journey);
        }
        self.observe(world, events, callbacks);
        self.after_effects(now, command, result);
        self.agreement_holds(world, command);
        if let Some(expected) = &plan.keeps {
            self.answers_are_kept(world, expected);
        }
        if let (Command::CreateInstruction(_), Ok(Reply::Instruction(instruction))) = (command, result) {
            let payments = sim::query::payments_of(world, instruction);
            self.model.instructed(now, instruction, &payments);
        }
        if let Cause::Command(left) = std::mem::replace(&mut self.cause, Cause::Clock) {
            for (order, to) in left {
                let claim = Claim::Order(order, vec![("status", Fact::Text(to.word().to_owned()))]);
                self.fail(Law::StatusPath, now, || format!("order {order} did not become {}", to.word()), Some(claim));
            }
        }
        self.finish(world);
        self.acts = Acts::Nothing;
    }

    /// Violations since the last call.
    pub fn take(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.found)
    }

    /// How many records the world holds, as far as events have shown them.
    #[must_use]
    pub fn records(&self) -> u64 {
        (self.model.accounts.len() + self.model.orders.len() + self.model.cash.len() + self.model.units.len()) as u64
    }

    /// Takes over what a law outside these checkers found.
    pub fn add(&mut self, violation: Option<Violation>) {
        self.found.extend(violation);
    }

    fn compare_outcome(&mut self, now: Instant, command: &Command, plan: &Plan, result: Result<&Reply, &Refusal>) {
        let got = result.as_ref().err().map(|refusal| refusal.class);
        let expected = match plan.expected {
            Expected::Unsure => return,
            Expected::Accepted => None,
            Expected::Refused(class) => Some(class),
        };
        if got != expected {
            let what =
                || format!("{} was {}; expected: {}", name_of(command), words::outcome(got), words::outcome(expected));
            let claim = Claim::Answer(expected.map_or_else(|| accepted_as(command), status_of));
            self.fail(plan.law, now, what, Some(claim));
        }
    }

    fn observe(&mut self, world: &World, events: &[Event], callbacks: &[Callback]) {
        self.met.note_events(events);
        for event in events {
            if event.number != self.next_event {
                let expected = self.next_event;
                self.fail(
                    Law::EventIdentity,
                    event.at,
                    || format!("event {} came as number {expected}", event.number),
                    None,
                );
            }
            self.next_event = event.number + 1;
            self.actions_in_time(event.at);
            self.model.roll_fees(world, event.at);
            self.model.roll(world, event.at);
            self.model.roll_money(world, event.at);
            self.ensure(!updates::changes_nothing(&event.change), Law::ModifiedDate, event.at, || {
                format!("`{}` has no visible change", event.kind())
            });
            match &event.change {
                Change::Order(delta) => self.on_order(event, delta),
                Change::CashTransaction(delta) => self.on_cash(world, event, delta),
                Change::FundTransaction(delta) => self.on_units(world, event, delta),
                Change::Account(delta) => self.on_account(world, event, delta),
                Change::Journey(delta) => self.on_journey(world, event, delta),
                Change::Client(delta) => self.on_client(event, delta),
                Change::InstrumentsReloaded(funds) => self.reloaded(event.at, funds),
            }
        }
        callbacks.iter().for_each(|callback| self.on_callback(callback));
    }

    /// Clients change and are forgotten when a partner asks for it.
    fn on_client(&mut self, event: &Event, delta: &Delta<Client>) {
        let (at, id) = (event.at, delta.latest().id);
        match delta {
            Delta::Updated { previous, current } => {
                let known = self.model.clients.insert(id, Arc::clone(current));
                let continues = known.is_some_and(|known| *known == **previous);
                self.ensure(continues, Law::EventCorrespondence, at, || {
                    format!("client {id}: an update began where no update had ended")
                });
                self.changed_now(at, &previous.stamp, &current.stamp, || format!("client {id}"));
                self.ensure(event.client == Some(id), Law::Isolation, at, || {
                    format!("client {id}: an event was sent to another client")
                });
                self.model.pay_waiting_fees(at, id);
            }
            Delta::Deleted(_) => {
                let asked = self.acts == Acts::Purges(Purgeable::Client(id));
                self.ensure(asked, Law::DeletedIsEmpty, at, || format!("client {id} was forgotten unasked"));
                self.model.forgotten.insert(id);
            }
            Delta::Created(_) => {
                self.fail(Law::EventCorrespondence, at, || format!("client {id} sent an event of its creation"), None)
            }
        }
    }

    /// After a step, everything it touched must be as the model says.
    fn finish(&mut self, world: &World) {
        self.check_money(world);
        self.payments_stand(world);
        self.plan_runs_stand(world);
        self.fees_stand(world);
        for fault in self.model.take_faults() {
            self.fail(Law::OnePriceForAll, world.now(), || fault, None);
        }
        let mut accounts = std::mem::take(&mut self.accounts);
        for account in accounts.drain(..) {
            self.check_account(world, account);
        }
        self.accounts = accounts;
        let mut orders = std::mem::take(&mut self.orders);
        for order in orders.drain(..) {
            self.check_order(world, order);
        }
        self.orders = orders;
        let mut journeys = std::mem::take(&mut self.touched_journeys);
        journeys.sort_unstable();
        journeys.dedup();
        for journey in journeys.drain(..) {
            self.check_journey(world, journey);
            self.steps_are_shown(world, journey, false);
            self.kyc_of_journey_is_shown(world, journey);
        }
        self.touched_journeys = journeys;
        self.transfers_stand(world);
        self.mobile_payments_stand(world);
    }

    fn overdue(&mut self, world: &World, at: Instant, item: Item) {
        match item {
            Item::Journey(id) => self.journey_overdue(at, id),
            Item::Account(id) => self.account_overdue(at, id),
            Item::Check(id) => self.check_overdue(world, at, id),
            Item::Mandate(id) => self.mandate_overdue(at, id),
            Item::Order(id) => self.order_overdue(at, id),
            Item::PaidAgain(id) => {
                let late = self.model.is_paid_too_late(at, id);
                self.ensure(!late, Law::ActiveAccountsOnly, at, || {
                    format!("account {id} is closing and was not paid again")
                });
            }
            Item::Payout(id) => {
                self.fail(Law::DateOrder, at, || format!("payout {id} was neither paid nor returned in time"), None)
            }
        }
    }

    fn touch_account(&mut self, id: AccountId) {
        if !self.accounts.contains(&id) {
            self.accounts.push(id);
        }
    }

    /// An order's transactions have changed.
    fn touch_transactions(&mut self, id: OrderId) {
        if let Some(file) = self.model.orders.get_mut(&id) {
            file.looked_at = false;
        }
        self.touch_order(id);
    }

    fn touch_order(&mut self, id: OrderId) {
        if !self.orders.contains(&id) {
            self.orders.push(id);
        }
    }

    fn fail(&mut self, invariant: Law, at: Instant, what: impl FnOnce() -> String, claim: Option<Claim>) {
        // One fault can break a law at every later step; the first few are enough.
        if self.found.len() < 8 {
            self.found.push(Violation { invariant, at, what: what(), claim });
        }
    }

    fn ensure(&mut self, holds: bool, invariant: Law, at: Instant, what: impl FnOnce() -> String) {
        if !holds {
            self.fail(invariant, at, what, None);
        }
    }
}
