//! Judges: they hold what a world does against the laws, step by step.
//!
//! Invariant: a step's checks look only at what its events touched; `sweep` looks at everything. Absent on purpose: what
//! makes the steps, and what becomes of a violation.

mod accounts;
mod actions;
mod acts;
mod cash;
mod claim;
pub mod clock;
mod fees;
mod identifiers;
mod invariants;
mod isolation;
mod journeys;
mod listing;
mod mobile_payments;
mod money_in;
mod orders;
mod performance;
mod sweep;
mod units;
mod waiting;
mod withdrawals;

pub use claim::{Claim, Fact};
pub use invariants::{Checked, INVARIANTS, Invariant, invariant};

use acts::{Acts, Ends};

use crate::model::{Item, Model, Outlook, Plan, Status};
use sim::command::{Command, Purgeable, ScreeningHit};
use sim::event::{Change, Delta, Event};
use sim::ids::{AccountId, JourneyId, OrderId};
use sim::outbox::Callback;
use sim::records::{Client, CorporateAct, OwnerKey};
use sim::refusal::Class;
use sim::time::{Instant, Millis};
use sim::{Refusal, Reply, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use uuid::Uuid;

/// A law that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Number of the law.
    pub invariant: u8,
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
}

impl Judge {
    /// Judges of a world that has just begun.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            model: Model::new(world),
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
        }
    }

    /// What should come of a command, asked for now.
    #[must_use]
    pub fn plan(&self, world: &World, command: &Command) -> Plan {
        self.model.plan(world, command)
    }

    /// After time has passed.
    pub fn after_wait(&mut self, world: &World, events: &[Event], callbacks: &[Callback]) {
        self.cause = Cause::Clock;
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
        if result.is_err() {
            if let Some(event) = events.first() {
                self.fail(49, now, || format!("a refused command told `{}`", event.kind()), None);
            }
            self.ensure(callbacks.is_empty(), 49, now, || "a refused command made a callback".to_owned());
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
        if let (Command::CreateInstruction(_), Ok(Reply::Instruction(instruction))) = (command, result) {
            let payments = sim::query::payments_of(world, instruction);
            self.model.instructed(now, instruction, &payments);
        }
        if let Cause::Command(left) = std::mem::replace(&mut self.cause, Cause::Clock) {
            for (order, to) in left {
                let claim = Claim::Order(order, vec![("status", Fact::Text(to.word().to_owned()))]);
                self.fail(20, now, || format!("order {order} did not become {}", to.word()), Some(claim));
            }
        }
        self.finish(world);
        self.acts = Acts::Nothing;
    }

    /// Violations since the last call.
    pub fn take(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.found)
    }

    /// Whether some law did not hold.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !self.found.is_empty()
    }

    /// How many records the world holds, as far as they were told.
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
        let expected = match plan.outlook {
            Outlook::Unsure => return,
            Outlook::Accepted => None,
            Outlook::Refused(class) => Some(class),
        };
        if got != expected {
            let say =
                |class: Option<Class>| class.map_or("accepted".to_owned(), |class| format!("refused as {class:?}"));
            let what = || format!("{} was {}, expected: {}", name_of(command), say(got), say(expected));
            let claim = Claim::Answer(expected.map_or_else(|| accepted_as(command), status_of));
            self.fail(plan.law, now, what, Some(claim));
        }
    }

    /// What the model itself takes over from an accepted command before its events are looked at.
    fn before_effects(&mut self, now: Instant, command: &Command) {
        match command {
            Command::SetTrading(set) => {
                if let Some(fund) = self.model.funds.get_mut(&set.instrument) {
                    fund.set_trading(now, set.is_buyable, set.is_sellable, set.is_tradable);
                }
            }
            Command::DelayNav { instrument, bank_days } => {
                if let Some(fund) = self.model.funds.get_mut(instrument) {
                    fund.delay(now, *bank_days);
                }
                self.model.plan_next_event();
            }
            Command::SetPrice(set) => {
                if let Some(fund) = self.model.funds.get_mut(&set.instrument) {
                    let day = Model::price_day(fund, set);
                    fund.set_price(day, crate::model::figures::millionths(set.close_price), now);
                }
            }
            Command::OpenAccount(open) => {
                self.model.outside.opened_with_cash(crate::model::figures::ore(open.cash));
                for (instrument, units) in &open.positions {
                    self.model.outside.opened_with_units(*instrument, crate::model::figures::steps(*units));
                }
            }
            Command::Announce { instrument, act } => self.model.announced(now, *instrument, *act),
            Command::Book(book) => self.model.booked_by_hand(book),
            Command::Screen { owner, hit } => self.screened(*owner, *hit),
            Command::AdviseMandate { bank_account, code, .. } => self.model.advised_unseen(*bank_account, code),
            Command::FailPayment { payment, .. } => self.model.payment_failed(*payment),
            Command::RefundPayment { payment, .. } => self.model.payment_refunded(now, *payment),
            _ => self.mobile_payment_moved(now, command),
        }
    }

    /// An owner is found on a list, or cleared.
    fn screened(&mut self, owner: OwnerKey, hit: ScreeningHit) {
        let listed = self.model.screened.entry(owner).or_insert_with(|| Model::listed_by_number(owner));
        match hit {
            ScreeningHit::Pep => listed.0 = true,
            ScreeningHit::Sanctions => listed.1 = true,
            ScreeningHit::Clear => *listed = (false, false),
        }
        if hit == ScreeningHit::Pep {
            self.model.shorten_kyc(owner);
        }
        let accounts = self.model.accounts.iter().filter(|(_, file)| file.last.owner.key() == owner);
        self.accounts.extend(accounts.map(|(id, _)| *id));
    }

    /// That a command did what it was asked to.
    fn after_effects(&mut self, now: Instant, command: &Command, result: Result<&Reply, &Refusal>) {
        match (command, result) {
            (Command::PlaceOrder(place), Ok(Reply::Order(order))) => self.placed_as_asked(now, place, order),
            (Command::CreateClient(_), Ok(Reply::Client(client))) => {
                self.created_now(now, &client.stamp, || format!("client {}", client.id));
                let known = self.model.clients.insert(client.id, Arc::clone(client));
                self.ensure(known.is_none(), 37, now, || format!("two clients have the id {}", client.id));
            }
            (Command::CheckBankAccount { bank_account, passes: false, .. }, _) => {
                if let Some(bank) = self.model.banks.get_mut(bank_account) {
                    (bank.passed, bank.check_at) = (Some(false), None);
                }
            }
            (Command::Book(book), Ok(reply)) => self.booked_as_asked(now, book, reply),
            (Command::CreateMobilePayment(_), Ok(Reply::MobilePaymentAsked(payment))) => {
                self.model.new_mobile_payment(payment, now);
            }
            (Command::OpenAccount(open), Ok(Reply::Account(account))) => self.opened_as_asked(now, open, account),
            (Command::Withdraw(asked), Ok(Reply::CashTransaction(cash))) => self.withdrawn_as_asked(now, asked, cash),
            (Command::PayByBankgiro(_), Ok(Reply::BankgiroItem(item))) => {
                let right = self.model.paid_over_bankgiro(now, item);
                self.ensure(right, 9, now, || format!("bankgiro item {} is booked at {}", item.id, item.books));
            }
            _ => {}
        }
    }

    fn observe(&mut self, world: &World, events: &[Event], callbacks: &[Callback]) {
        for event in events {
            if event.number != self.next_event {
                let expected = self.next_event;
                self.fail(42, event.at, || format!("event {} came as number {expected}", event.number), None);
            }
            self.next_event = event.number + 1;
            self.actions_in_time(event.at);
            self.model.roll_fees(world, event.at);
            self.model.roll(world, event.at);
            self.model.roll_money(world, event.at);
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
                self.ensure(continues, 41, at, || format!("client {id}: an update began where no update had ended"));
                self.changed_now(at, &previous.stamp, &current.stamp, || format!("client {id}"));
                self.ensure(event.client == Some(id), 43, at, || format!("client {id} was told to another"));
            }
            Delta::Deleted(_) => {
                let asked = self.acts == Acts::Purges(Purgeable::Client(id));
                self.ensure(asked, 32, at, || format!("client {id} was forgotten unasked"));
                self.model.forgotten.insert(id);
            }
            Delta::Created(_) => self.fail(41, at, || format!("the creation of client {id} was told"), None),
        }
    }

    /// After a step, everything it touched must stand as the model says.
    fn finish(&mut self, world: &World) {
        self.money_stands(world);
        self.fees_stand(world);
        for fault in self.model.take_faults() {
            self.fail(24, world.now(), || fault, None);
        }
        let mut accounts = std::mem::take(&mut self.accounts);
        for account in accounts.drain(..) {
            self.account_stands(world, account);
        }
        self.accounts = accounts;
        let mut orders = std::mem::take(&mut self.orders);
        for order in orders.drain(..) {
            self.order_stands(world, order);
        }
        self.orders = orders;
        let mut journeys = std::mem::take(&mut self.touched_journeys);
        journeys.sort_unstable();
        journeys.dedup();
        for journey in journeys.drain(..) {
            self.journey_stands(world, journey);
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
            Item::Payout(id) => {
                self.fail(23, at, || format!("payout {id} was neither paid nor returned in time"), None)
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

    fn fail(&mut self, invariant: u8, at: Instant, what: impl FnOnce() -> String, claim: Option<Claim>) {
        // One fault can break a law at every later step; the first few tell the story.
        if self.found.len() < 8 {
            self.found.push(Violation { invariant, at, what: what(), claim });
        }
    }

    fn ensure(&mut self, holds: bool, invariant: u8, at: Instant, what: impl FnOnce() -> String) {
        if !holds {
            self.fail(invariant, at, what, None);
        }
    }
}

macro_rules! names {
    ($($command:pat => $name:literal,)*) => {
        /// The command's name, as a person would say it.
        #[must_use]
        pub const fn name_of(command: &Command) -> &'static str {
            match command {
                $($command => $name,)*
            }
        }

        /// The name of every command.
        pub const COMMANDS: &[&str] = &[$($name),*];
    };
}

names! {
    Command::PlaceOrder(_) => "an order",
    Command::ValidateOrder(_) => "a validation",
    Command::CancelOrder { .. } => "a cancel",
    Command::OpenAccount(_) => "an opening",
    Command::HoldOrder { .. } => "a hold",
    Command::ReleaseOrder { .. } => "a release",
    Command::RejectOrder { .. } => "a rejection",
    Command::SetPrice(_) => "a price",
    Command::SetTrading(_) => "a change of trading",
    Command::DelayNav { .. } => "a delay",
    Command::Announce { act: CorporateAct::Split { .. }, .. } => "a split",
    Command::Announce { act: CorporateAct::Merge { .. }, .. } => "a merger",
    Command::Announce { act: CorporateAct::Liquidate { .. }, .. } => "a liquidation",
    Command::Book(_) => "a booking",
    Command::BouncePayout { .. } => "a bounce",
    Command::CreateJourney(_) => "a new journey",
    Command::OpenJourney { .. } => "the opening of a journey",
    Command::AnswerStep { .. } => "the answers of a step",
    Command::SignJourney { .. } => "a use of the electronic identity",
    Command::AbortJourney { .. } => "an abort by the customer",
    Command::CompleteJourney { .. } => "the rest of a journey",
    Command::CancelJourney { .. } => "the cancel of a journey",
    Command::FailJourney { .. } => "the failure of a journey",
    Command::ExpireJourney { .. } => "the end of a journey's time",
    Command::DecideAccount { .. } => "a decision about an account",
    Command::CloseAccount { .. } => "a closing",
    Command::CheckBankAccount { .. } => "a check of a bank account",
    Command::AdviseMandate { .. } => "an advice of a mandate",
    Command::MoveTransfer { .. } => "a move of a transfer",
    Command::Screen { .. } => "a screening",
    Command::Purge { what: Purgeable::Client(_), .. } => "a purge of a client",
    Command::Purge { what: Purgeable::Account(_), .. } => "a purge of an account",
    Command::Purge { what: Purgeable::Journey(_), .. } => "a purge of a journey",
    Command::Purge { what: Purgeable::Order(_), .. } => "a purge of an order",
    Command::Purge { what: Purgeable::CashTransaction(_), .. } => "a purge of a cash transaction",
    Command::Purge { what: Purgeable::FundTransaction(_), .. } => "a purge of a fund transaction",
    Command::CreateClient(_) => "a new client",
    Command::PatchClient(_) => "a change of a client",
    Command::PatchAllocationPlan { .. } => "a change of an allocation plan",
    Command::DeleteAllocationPlan { .. } => "the end of an allocation plan",
    Command::DeleteSavingsPlan { .. } => "the end of a savings plan",
    Command::CreateMobilePayment(_) => "a mobile payment",
    Command::OpenMobilePayment { .. } => "the opening of a mobile payment",
    Command::PayMobilePayment { .. } => "the payer's payment",
    Command::DeclineMobilePayment { .. } => "the payer's refusal",
    Command::FailMobilePayment { .. } => "the failure of a mobile payment",
    Command::Withdraw(_) => "a withdrawal",
    Command::CreateInstruction(_) => "an instruction",
    Command::PayByBankgiro(_) => "a payment over bankgiro",
    Command::FailPayment { .. } => "a refused payment",
    Command::RefundPayment { .. } => "a refund",
    Command::AllocateSuspense { .. } => "an allocation of suspense",
    Command::ReturnSuspense { .. } => "a return of suspense",
}

/// The status that an accepted command is answered with.
#[must_use]
pub const fn accepted_as(command: &Command) -> u16 {
    if matches!(command, Command::ValidateOrder(_)) { 204 } else { 200 }
}

/// The status that a refusal is answered with.
#[must_use]
pub const fn status_of(class: Class) -> u16 {
    match class {
        Class::OutOfScope => 403,
        Class::Conflict => 409,
        _ => 400,
    }
}
