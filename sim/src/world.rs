//! The world: its state and the only two doors for change, `apply` and `advance`.
//!
//! Invariant: (setup, seed, start, list of (instant, command)) determines everything, to the last bit. A refused command
//! changes nothing beside the clock. Bugs panic; refusals never do. Absent on purpose: any rule about orders, accounts
//! or money; those are flows.

use crate::canary::Planted;
use crate::command::{Command, Purgeable};
use crate::digest::{Digest, DigestHasher};
use crate::event::{Change, Delta, Event};
use crate::flows;
use crate::identity::{AccountRef, InstrumentId, make_ref};
use crate::ids::{
    AccountId, AggregateId, AllocationPlanId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId,
    OrderId, PartnerId, SavingsPlanId, SortedId, SortedIdSource, SubmissionId, TransferId, draw_uuid,
};
use crate::machines::order as order_machine;
use crate::machines::{account, bank_account, journey, mandate, transfer};
use crate::market::Market;
use crate::outbox::Callback;
use crate::records::{
    Account, AllocationPlan, BankAccount, BankFile, CashTransaction, Client, FundTransaction, Journey, Order, OwnerKey,
    Partner, SavingsPlan, Side, Standing, Submission, Transfer,
};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::rng::{Seed, Stream};
use crate::setup::{Setup, SetupError};
use crate::store::{Map, Store};
use crate::time::{Date, Instant};
use crate::timers::{Timer, Timers};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Something that a timer made happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When.
    pub at: Instant,
    /// What; `Timer::what` and `Timer::resource` put it into words.
    pub timer: Timer,
}

/// What a client knows of an owner: the accounts it holds and the bank accounts it has connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OwnerFile {
    /// Accounts, oldest first.
    pub accounts: Vec<AccountId>,
    /// Bank accounts, oldest first; shared by all those accounts.
    pub bank_accounts: Arc<Vec<Arc<BankAccount>>>,
}

/// Orders of one partner, fund, side and dealing day, sent as one (`decisions 2.10`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// Internal id.
    pub id: AggregateId,
    /// Whose orders.
    pub partner: PartnerId,
    /// Which fund.
    pub instrument: InstrumentId,
    /// Which side.
    pub side: Side,
    /// Dealing day.
    pub day: Date,
    /// Members, in order of arrival; one that was parked since has left.
    pub orders: Vec<OrderId>,
}

/// The lists an owner was found on (`decisions 1.2/17`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Listed {
    /// Politically exposed.
    pub exposed: bool,
    /// Sanctioned.
    pub sanctioned: bool,
}

/// Sources of ids and names: one labelled stream a purpose, so that a draw in one place shifts nothing elsewhere.
#[derive(Clone, Debug, Hash)]
pub(crate) struct IdSources {
    accounts: (Stream, SortedIdSource),
    orders: (Stream, SortedIdSource),
    cash: (Stream, SortedIdSource),
    funds: (Stream, SortedIdSource),
    journeys: (Stream, SortedIdSource),
    transfers: (Stream, SortedIdSource),
    allocation_plans: (Stream, SortedIdSource),
    savings_plans: (Stream, SortedIdSource),
    clients: (Stream, SortedIdSource),
    codes: Stream,
    submissions: Stream,
    bank_accounts: Stream,
    aggregates: Stream,
    last_ref: Option<AccountRef>,
    pub(crate) people: Stream,
}

/// How often each row of the tables beside the order's has been taken, in table order; outside the digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsVisited {
    /// Rows of `machines::journey`.
    pub journey: [u64; journey::TABLE.len()],
    /// Rows of `machines::account`.
    pub account: [u64; account::TABLE.len()],
    /// Rows of `machines::bank_account`.
    pub bank_account: [u64; bank_account::TABLE.len()],
    /// Rows of `machines::mandate`.
    pub mandate: [u64; mandate::TABLE.len()],
    /// Rows of `machines::transfer`.
    pub transfer: [u64; transfer::TABLE.len()],
}

impl Default for RowsVisited {
    fn default() -> Self {
        Self {
            journey: [0; journey::TABLE.len()],
            account: [0; account::TABLE.len()],
            bank_account: [0; bank_account::TABLE.len()],
            mandate: [0; mandate::TABLE.len()],
            transfer: [0; transfer::TABLE.len()],
        }
    }
}

/// A fund-distribution platform with its partners, customers, funds and calendar.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) setup: Arc<Setup>,
    pub(crate) seed: Seed,
    pub(crate) start: Instant,
    pub(crate) now: Instant,
    pub(crate) partners: Map<PartnerId, Partner>,
    pub(crate) clients: Map<ClientId, Arc<Client>>,
    pub(crate) accounts: Store<Account>,
    pub(crate) orders: Store<Order>,
    pub(crate) cash: Store<CashTransaction>,
    pub(crate) funds: Store<FundTransaction>,
    pub(crate) owners: Map<(ClientId, OwnerKey), OwnerFile>,
    pub(crate) aggregates: Map<AggregateId, Aggregate>,
    pub(crate) journeys: Store<Journey>,
    pub(crate) transfers: Store<Transfer>,
    pub(crate) allocation_plans: Store<AllocationPlan>,
    pub(crate) savings_plans: Store<SavingsPlan>,
    pub(crate) submissions: Map<SubmissionId, Arc<Submission>>,
    pub(crate) standings: Map<AccountId, Arc<Standing>>,
    pub(crate) banks: Map<BankAccountId, Arc<BankFile>>,
    pub(crate) listed: Map<OwnerKey, Listed>,
    pub(crate) withdrawal_grants: Map<AccountId, Vec<Instant>>,
    pub(crate) purged: Map<Purgeable, Instant>,
    pub(crate) market: Market,
    pub(crate) timers: Timers,
    pub(crate) id_sources: IdSources,
    pub(crate) planted: Planted,
    events: Vec<Event>,
    event_number: u64,
    callbacks: Vec<Callback>,
    visited: [u64; order_machine::TABLE.len()],
    pub(crate) rows: RowsVisited,
}

impl World {
    /// The last instant of every world: its clock stands still there. The years up to [`Instant::MAX`] are left to what a
    /// world plans ahead: cut-offs, settlements, expiries.
    pub const END: Instant = Instant::from_ms(253_086_768_000_000);

    /// A world as `setup` describes it, at `start`.
    ///
    /// # Errors
    /// What is wrong with the setup, by path.
    pub fn new(setup: &Setup, seed: Seed, start: Instant) -> Result<Self, SetupError> {
        setup.check(start)?;
        let mut world = Self {
            setup: Arc::new(setup.clone()),
            seed,
            start,
            now: start,
            partners: Map::default(),
            clients: Map::default(),
            accounts: Store::default(),
            orders: Store::default(),
            cash: Store::default(),
            funds: Store::default(),
            owners: Map::default(),
            aggregates: Map::default(),
            journeys: Store::default(),
            transfers: Store::default(),
            allocation_plans: Store::default(),
            savings_plans: Store::default(),
            submissions: Map::default(),
            standings: Map::default(),
            banks: Map::default(),
            listed: Map::default(),
            withdrawal_grants: Map::default(),
            purged: Map::default(),
            market: Market::new(setup, seed, start),
            timers: Timers::default(),
            id_sources: IdSources::new(seed),
            planted: Planted::by_seed(seed),
            events: Vec::new(),
            event_number: 0,
            callbacks: Vec::new(),
            visited: [0; order_machine::TABLE.len()],
            rows: RowsVisited::default(),
        };
        flows::opening::open(&mut world)?;
        world.events.clear();
        world.event_number = 0;
        Ok(world)
    }

    /// Brings the world up to `now` and carries `command` out.
    ///
    /// # Errors
    /// Why the command is refused; then nothing but the clock has moved.
    pub fn apply(&mut self, now: Instant, command: Command) -> Result<Reply, Refusal> {
        self.run_until(now);
        flows::carry_out(self, command)
    }

    /// Brings the world up to `to`, firing every timer at its own instant, and tells what happened. An instant that has
    /// passed changes nothing; one beyond `END` is `END`.
    pub fn advance(&mut self, to: Instant) -> Vec<Happening> {
        let mut happened = Vec::new();
        while !self.advance_slice(to, usize::MAX, &mut happened) {}
        happened
    }

    /// As `advance`, but stops after `most` timers; `true` when `to` is reached. Slices compose: any split gives the same
    /// world.
    pub fn advance_slice(&mut self, to: Instant, most: usize, happened: &mut Vec<Happening>) -> bool {
        let to = to.min(Self::END);
        for _ in 0..most {
            let Some((at, timer)) = self.timers.take_due(to) else {
                self.now = self.now.max(to);
                return true;
            };
            self.now = at;
            flows::fire(self, timer);
            happened.push(Happening { at, timer });
        }
        false
    }

    fn run_until(&mut self, to: Instant) {
        let to = to.min(Self::END);
        while let Some((at, timer)) = self.timers.take_due(to) {
            self.now = at;
            flows::fire(self, timer);
        }
        self.now = self.now.max(to);
    }

    /// The business clock.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// The seed that everything random comes from.
    #[must_use]
    pub const fn seed(&self) -> Seed {
        self.seed
    }

    /// Where the clock began.
    #[must_use]
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// What the world was made from.
    #[must_use]
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Takes the events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The events that nobody has taken yet.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Drops the events that nobody has taken, keeping their memory for the next ones.
    pub fn forget_events(&mut self) {
        self.events.clear();
    }

    /// Takes what is to be told to partners' servers since the last call, in order.
    pub fn take_callbacks(&mut self) -> Vec<Callback> {
        std::mem::take(&mut self.callbacks)
    }

    /// The callbacks that nobody has taken yet.
    #[must_use]
    pub fn callbacks(&self) -> &[Callback] {
        &self.callbacks
    }

    /// The next timer, if any.
    #[must_use]
    pub fn next_timer(&self) -> Option<(Instant, &Timer)> {
        self.timers.next()
    }

    /// All pending timers in firing order.
    pub fn timers(&self) -> impl Iterator<Item = (Instant, &Timer)> {
        self.timers.iter()
    }

    /// How often each row of the order table has been taken, in table order; outside the digest.
    #[must_use]
    pub const fn order_rows_visited(&self) -> &[u64; order_machine::TABLE.len()] {
        &self.visited
    }

    /// How often each row of the other tables has been taken; outside the digest.
    #[must_use]
    pub const fn rows_visited(&self) -> &RowsVisited {
        &self.rows
    }

    /// A stable fingerprint of the business state: clock, records, market, timers and the ids to come. Equal worlds
    /// behave equally for ever.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hasher = DigestHasher::new();
        self.seed.hash(&mut hasher);
        self.now.hash(&mut hasher);
        self.setup.hash(&mut hasher);
        self.partners.iter().for_each(|entry| entry.hash(&mut hasher));
        self.clients.values().for_each(|client| client.hash(&mut hasher));
        self.accounts.hash(&mut hasher);
        self.orders.hash(&mut hasher);
        self.cash.hash(&mut hasher);
        self.funds.hash(&mut hasher);
        self.owners.iter().for_each(|entry| entry.hash(&mut hasher));
        self.aggregates.values().for_each(|aggregate| aggregate.hash(&mut hasher));
        self.journeys.hash(&mut hasher);
        self.transfers.hash(&mut hasher);
        self.allocation_plans.hash(&mut hasher);
        self.savings_plans.hash(&mut hasher);
        self.submissions.values().for_each(|submission| submission.hash(&mut hasher));
        self.standings.iter().for_each(|entry| entry.hash(&mut hasher));
        self.banks.iter().for_each(|entry| entry.hash(&mut hasher));
        self.listed.iter().for_each(|entry| entry.hash(&mut hasher));
        self.withdrawal_grants.iter().for_each(|entry| entry.hash(&mut hasher));
        self.purged.iter().for_each(|entry| entry.hash(&mut hasher));
        self.market.hash(&mut hasher);
        self.timers.hash(&mut hasher);
        self.id_sources.hash(&mut hasher);
        hasher.write_u64(self.event_number);
        hasher.digest()
    }

    /// Whether a fault is planted; never in a build without canaries. For surfaces with faults of their own.
    #[must_use]
    pub fn is_planted(&self, fault: crate::canary::Canary) -> bool {
        self.planted.is(fault)
    }

    /// Plants a fault that the checkers must find.
    #[cfg(feature = "canaries")]
    pub fn plant(&mut self, fault: crate::canary::Canary) {
        self.planted.plant(fault);
    }

    pub(crate) const fn note_row(&mut self, row: usize) {
        self.visited[row] += 1;
    }

    pub(crate) fn emit(&mut self, client: Option<ClientId>, change: Change) {
        let event = Event { number: self.event_number, at: self.now, client, change };
        self.event_number += 1;
        self.events.push(event);
    }

    pub(crate) fn send(&mut self, callback: Callback) {
        self.callbacks.push(callback);
    }

    /// Runs `f`, which may book on `account`, and tells the account's change after the bookings (`decisions 1.13/175`).
    pub(crate) fn change_account<R>(&mut self, account: AccountId, f: impl FnOnce(&mut Self) -> R) -> R {
        let previous = Arc::clone(self.accounts.known(account));
        let result = f(self);
        self.account_changed(previous);
        result
    }

    /// Stamps an account that has changed since `previous` and tells it.
    pub(crate) fn account_changed(&mut self, previous: Arc<Account>) {
        let now = self.now;
        let current = self.accounts.changed(previous.id, |account| account.stamp.touch(now));
        self.emit(Some(current.client), Change::Account(Delta::Updated { previous, current }));
    }
}

impl IdSources {
    fn new(seed: Seed) -> Self {
        let pair = |noun: &str| {
            (seed.stream(&format!("{noun} ids")), SortedIdSource::new(seed.stream(&format!("{noun} sorted ids"))))
        };
        Self {
            accounts: pair("account"),
            orders: pair("order"),
            cash: pair("cash transaction"),
            funds: pair("fund transaction"),
            journeys: pair("journey"),
            transfers: pair("transfer"),
            allocation_plans: pair("allocation plan"),
            savings_plans: pair("savings plan"),
            clients: (seed.stream("partner and client ids"), SortedIdSource::new(seed.stream("client sorted ids"))),
            codes: seed.stream("activation codes"),
            submissions: seed.stream("submission ids"),
            bank_accounts: seed.stream("bank account ids"),
            aggregates: seed.stream("aggregate ids"),
            last_ref: None,
            people: seed.stream("people"),
        }
    }

    pub(crate) fn account(&mut self, now: Instant) -> (AccountId, crate::ids::SortedId, AccountRef) {
        let reference = make_ref(now, self.last_ref);
        self.last_ref = Some(reference);
        (AccountId::from_uuid(draw_uuid(&mut self.accounts.0)), self.accounts.1.next(now), reference)
    }

    pub(crate) fn order(&mut self, now: Instant) -> (OrderId, crate::ids::SortedId) {
        (OrderId::from_uuid(draw_uuid(&mut self.orders.0)), self.orders.1.next(now))
    }

    pub(crate) fn cash(&mut self, now: Instant) -> (CashTransactionId, crate::ids::SortedId) {
        (CashTransactionId::from_uuid(draw_uuid(&mut self.cash.0)), self.cash.1.next(now))
    }

    pub(crate) fn fund(&mut self, now: Instant) -> (FundTransactionId, crate::ids::SortedId) {
        (FundTransactionId::from_uuid(draw_uuid(&mut self.funds.0)), self.funds.1.next(now))
    }

    pub(crate) fn journey(&mut self, now: Instant) -> (JourneyId, SortedId) {
        (JourneyId::from_uuid(draw_uuid(&mut self.journeys.0)), self.journeys.1.next(now))
    }

    pub(crate) fn transfer(&mut self, now: Instant) -> (TransferId, SortedId) {
        (TransferId::from_uuid(draw_uuid(&mut self.transfers.0)), self.transfers.1.next(now))
    }

    pub(crate) fn allocation_plan(&mut self, now: Instant) -> (AllocationPlanId, SortedId) {
        let (ids, sorted) = &mut self.allocation_plans;
        (AllocationPlanId::from_uuid(draw_uuid(ids)), sorted.next(now))
    }

    pub(crate) fn savings_plan(&mut self, now: Instant) -> (SavingsPlanId, SortedId) {
        (SavingsPlanId::from_uuid(draw_uuid(&mut self.savings_plans.0)), self.savings_plans.1.next(now))
    }

    pub(crate) fn submission(&mut self) -> SubmissionId {
        SubmissionId::from_uuid(draw_uuid(&mut self.submissions))
    }

    pub(crate) fn partner(&mut self) -> PartnerId {
        PartnerId::from_uuid(draw_uuid(&mut self.clients.0))
    }

    pub(crate) fn client(&mut self, now: Instant) -> (ClientId, SortedId) {
        (ClientId::from_uuid(draw_uuid(&mut self.clients.0)), self.clients.1.next(now))
    }

    /// A six-digit activation code; whether it is new is the caller's question.
    pub(crate) fn code(&mut self) -> Arc<str> {
        Arc::from(format!("{:06}", self.codes.below(1_000_000)))
    }

    pub(crate) fn bank_account(&mut self) -> BankAccountId {
        BankAccountId::from_uuid(draw_uuid(&mut self.bank_accounts))
    }

    pub(crate) fn aggregate(&mut self) -> AggregateId {
        AggregateId::from_uuid(draw_uuid(&mut self.aggregates))
    }
}
