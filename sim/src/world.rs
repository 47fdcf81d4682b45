//! The world: its state, its fingerprint, and the events of its changes.
//!
//! Invariant: (setup, seed, start, inputs in order) determines everything, to the last bit. Absent on purpose: what
//! changes it, which is the engine, and any rule about orders, accounts or money; those are flows.

use crate::canary::Planted;
use crate::command::Purgeable;
use crate::digest::{Digest, DigestHasher};
use crate::event::{Change, Delta, Event, PendingEvents};
use crate::id_sources::IdSources;
use crate::identity::{AccountRef, InstrumentId};
use crate::ids::{
    AccountId, AggregateId, BankAccountId, BankgiroItemId, ClientId, CorporateActionId, InstructionId, OrderId,
    PartnerId, PaymentId, SubmissionId, SuspenseItemId,
};
use crate::input::{Cause, Origin, RememberedAnswers, RulesVersion};
use crate::machines::{Moves, Noted, Visits};
use crate::market::Market;
use crate::movements::Movements;
use crate::outbox::Callback;
use crate::records::{
    Account, AccountOrigin, AllocationPlan, BankAccount, BankFile, BankgiroItem, CashTransaction, Client, CorporateAct,
    CorporateAction, FeeFile, FeePot, FeeType, FundTransaction, Instruction, Journey, MobilePayment,
    MobilePaymentRefusal, Order, OwnerKey, Partner, Payment, SavingsPlan, Side, Submission, SuspenseItem, Transfer,
};
use crate::rng::Seed;
use crate::setup::Setup;
use crate::store::{Map, Register, SharedMap, Store, hash_map};
use crate::time::{Date, Instant};
use crate::timers::{Cut, Timer, TimerProgress, Timers};
use indexmap::map::serde_seq;
use serde::{Deserialize, Serialize};
use std::hash::Hash;
use std::sync::Arc;

/// What a client knows of an owner: the accounts it holds and the bank accounts it has connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OwnerFile {
    /// Accounts, oldest first.
    pub accounts: Vec<AccountId>,
    /// Bank accounts, oldest first; shared by all those accounts.
    pub bank_accounts: Arc<Vec<Arc<BankAccount>>>,
}

/// Orders of one partner, fund, side and dealing day, sent as one (rule: orders/aggregation).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

/// The lists an owner was found on (rule: accounts/screening).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Listed {
    /// Politically exposed.
    pub exposed: bool,
    /// Sanctioned.
    pub sanctioned: bool,
}

/// A fund-distribution platform with its partners, customers, funds and calendar.
///
/// Written down and read back it has the same digest and continues equally; events and callbacks that were not taken yet
/// are kept. What only tests look at (rows visited, planted faults) begins anew.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    pub(crate) setup: Arc<Setup>,
    pub(crate) seed: Seed,
    pub(crate) start: Instant,
    pub(crate) now: Instant,
    #[serde(with = "serde_seq")]
    pub(crate) partners: Map<PartnerId, Partner>,
    #[serde(with = "serde_seq")]
    pub(crate) clients: Map<ClientId, Arc<Client>>,
    pub(crate) accounts: Store<Account>,
    pub(crate) orders: Store<Order>,
    pub(crate) cash: Store<CashTransaction>,
    pub(crate) funds: Store<FundTransaction>,
    pub(crate) owners: SharedMap<(ClientId, OwnerKey), OwnerFile>,
    pub(crate) aggregates: Register<AggregateId, Aggregate>,
    pub(crate) journeys: Store<Journey>,
    pub(crate) transfers: Store<Transfer>,
    pub(crate) allocation_plans: Store<AllocationPlan>,
    pub(crate) savings_plans: Store<SavingsPlan>,
    pub(crate) mobile_payments: Store<MobilePayment>,
    pub(crate) submissions: Register<SubmissionId, Submission>,
    pub(crate) suspense: Register<SuspenseItemId, SuspenseItem>,
    pub(crate) bankgiro: Register<BankgiroItemId, BankgiroItem>,
    pub(crate) instructions: Register<InstructionId, Instruction>,
    pub(crate) payments: Store<Payment>,
    /// Every `clientRef` that a payment of the client ever had (rule: payments/payment-client-ref).
    pub(crate) payment_refs: SharedMap<(ClientId, Arc<str>), PaymentId>,
    /// Instructions that wait for the payer's transfer, by its reference (rule: payments/payment-by-transfer).
    #[serde(with = "serde_seq")]
    pub(crate) awaited: Map<AccountRef, InstructionId>,
    pub(crate) corporate_actions: Register<CorporateActionId, CorporateAction>,
    pub(crate) standings: SharedMap<AccountId, Arc<AccountOrigin>>,
    pub(crate) banks: Register<BankAccountId, BankFile>,
    pub(crate) listed: SharedMap<OwnerKey, Listed>,
    pub(crate) withdrawal_grants: SharedMap<AccountId, Vec<Instant>>,
    /// Why the payers of an account are refused (rule: payments/mobile-payment-refused-payers).
    #[serde(with = "serde_seq")]
    pub(crate) refused_payers: Map<AccountId, MobilePaymentRefusal>,
    pub(crate) fees: SharedMap<AccountId, Arc<FeeFile>>,
    #[serde(with = "serde_seq")]
    pub(crate) fee_pots: Map<(ClientId, FeeType), FeePot>,
    pub(crate) purged: SharedMap<Purgeable, Instant>,
    pub(crate) market: Market,
    pub(crate) timers: Timers,
    /// What is left of the present instant, where a slice has cut it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cut: Option<Cut>,
    pub(crate) id_sources: IdSources,
    pub(crate) answered: RememberedAnswers,
    pub(crate) cause: Cause,
    /// Follow from the transactions.
    #[serde(skip)]
    pub(crate) movements: Movements,
    #[serde(skip)]
    pub(crate) planted: Planted,
    events: PendingEvents,
    event_number: u64,
    callbacks: Vec<Callback>,
    #[serde(skip)]
    pub(crate) visits: Visits,
}

impl World {
    /// Where every clock ends: [`Instant::END`].
    pub const END: Instant = Instant::END;

    /// A world with its market and nothing else.
    pub(crate) fn empty(setup: &Setup, seed: Seed, start: Instant) -> Self {
        let begin = setup.begin(start);
        Self {
            setup: Arc::new(setup.clone()),
            seed,
            start,
            now: begin,
            partners: Map::default(),
            clients: Map::default(),
            accounts: Store::new(seed),
            orders: Store::new(seed),
            cash: Store::new(seed),
            funds: Store::new(seed),
            owners: SharedMap::default(),
            aggregates: Register::new(seed, "aggregate"),
            journeys: Store::new(seed),
            transfers: Store::new(seed),
            allocation_plans: Store::new(seed),
            savings_plans: Store::new(seed),
            mobile_payments: Store::new(seed),
            submissions: Register::new(seed, "submission"),
            suspense: Register::new(seed, "suspense item"),
            bankgiro: Register::new(seed, "bankgiro item"),
            instructions: Register::new(seed, "instruction"),
            payments: Store::new(seed),
            payment_refs: SharedMap::default(),
            awaited: Map::default(),
            corporate_actions: Register::new(seed, "corporate action"),
            standings: SharedMap::default(),
            banks: Register::new(seed, "bank account"),
            listed: SharedMap::default(),
            withdrawal_grants: SharedMap::default(),
            refused_payers: Map::default(),
            fees: SharedMap::default(),
            fee_pots: Map::default(),
            purged: SharedMap::default(),
            market: Market::new(setup, seed, begin),
            timers: Timers::default(),
            cut: None,
            id_sources: IdSources::new(seed),
            answered: RememberedAnswers::default(),
            cause: Cause::OPENING,
            movements: Movements::default(),
            planted: Planted::by_seed(seed),
            events: PendingEvents::new(),
            event_number: 0,
            callbacks: Vec::new(),
            visits: Visits::default(),
        }
    }

    /// The history of a world begins after its opening, which has no events.
    pub(crate) fn opened(&mut self) {
        self.events.clear();
        self.event_number = 0;
        self.callbacks.clear();
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

    /// Number of the last input that was carried out; 0 when there was none.
    #[must_use]
    pub const fn last_input(&self) -> u64 {
        self.cause.input
    }

    /// How many records it holds: what a copy of it costs by.
    #[must_use]
    pub fn records(&self) -> u64 {
        let stores = [
            self.accounts.len(),
            self.orders.len(),
            self.cash.len(),
            self.funds.len(),
            self.journeys.len(),
            self.transfers.len(),
            self.allocation_plans.len(),
            self.savings_plans.len(),
            self.mobile_payments.len(),
            self.payments.len(),
        ];
        stores.iter().sum::<usize>() as u64
    }

    /// Shares with no copy what is derived when it is read: a reader of one neither waits for a reader of the other nor fills its
    /// memory. For a copy that another host or another partner works with.
    pub fn separate(&mut self) {
        self.market.separate();
    }

    /// Where the clock began.
    #[must_use]
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// Decides by the rules of this build from now on, where it was made by those of an earlier one.
    pub fn adopt_rules(&mut self) {
        Arc::make_mut(&mut self.setup).rules = RulesVersion::CURRENT;
    }

    /// What the world was made from.
    #[must_use]
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Takes the events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.events.take()
    }

    /// The events that were not taken yet.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.as_slice()
    }

    /// Bounds the events that were not taken, also within one change: of more than `most`, the oldest are dropped. Whether
    /// anybody listens is no matter of the world's, so this is outside the digest.
    pub fn keep_events(&mut self, most: usize) {
        self.events.keep(most);
    }

    /// How many events have given way since the last ones were taken.
    #[must_use]
    pub const fn events_let_go(&self) -> u64 {
        self.events.let_go()
    }

    /// How many events have happened since the start.
    #[must_use]
    pub const fn events_so_far(&self) -> u64 {
        self.event_number
    }

    /// Drops the events that were not taken, and keeps their memory for the next ones.
    pub fn forget_events(&mut self) {
        self.events.clear();
    }

    /// Takes the callbacks since the last call, in order.
    pub fn take_callbacks(&mut self) -> Vec<Callback> {
        std::mem::take(&mut self.callbacks)
    }

    /// The callbacks that were not taken yet.
    #[must_use]
    pub fn callbacks(&self) -> &[Callback] {
        &self.callbacks
    }

    /// The next timer, if any; one that is begun comes first.
    #[must_use]
    pub fn next_timer(&self) -> Option<(Instant, &Timer)> {
        self.timers().next()
    }

    /// What happens next: the next timer, or the next cut-off or price of a fund at rest (rule: calendar/funds-at-rest).
    #[must_use]
    pub fn next_happening(&self) -> Option<(Instant, Timer)> {
        let fires = self.next_timer().map(|(at, timer)| (at, *timer));
        let comes = self.market.next_at_rest(self.now);
        match (fires, comes) {
            (Some(fires), Some(comes)) => Some(if fires.0 < comes.0 { fires } else { comes }),
            (fires, comes) => fires.or(comes),
        }
    }

    /// All pending timers in firing order, one that is begun included.
    pub fn timers(&self) -> impl Iterator<Item = (Instant, &Timer)> {
        let begun = self.cut.iter().filter_map(|cut| cut.underway.as_ref());
        begun.map(|underway| (self.now, &underway.timer)).chain(self.timers.iter())
    }

    /// Whether a slice ended in the middle of the present instant: timers of it are still to fire.
    #[must_use]
    pub const fn is_within_instant(&self) -> bool {
        self.cut.is_some()
    }

    /// Whether the cut-off of the fund is at the present instant, and has not ended (rule: calendar/slices).
    pub(crate) fn is_cutting_off(&self, instrument: InstrumentId) -> bool {
        self.cut.is_some() && self.market.known(instrument).next_cut_off(self.now).1 <= self.now
    }

    /// The corporate action that is begun and not ended, where a slice has cut it.
    pub(crate) fn action_underway(&self) -> Option<CorporateActionId> {
        match self.cut.as_ref()?.underway.as_ref()?.timer {
            Timer::CarryOut(action) => Some(action),
            _ => None,
        }
    }

    /// Whether the account is still to have its turn in the corporate action that is under way (rule: calendar/slices).
    pub(crate) fn awaits_its_turn(&self, account: AccountId) -> bool {
        let underway = self.cut.as_ref().and_then(|cut| cut.underway.as_ref());
        let waits = |underway: &TimerProgress| {
            let place = self.accounts.known(account).sorted_id;
            let of = |id: &AccountId| self.accounts.known(*id).sorted_id;
            let found = underway.accounts.binary_search_by_key(&place, of);
            found.is_ok_and(|at| underway.done <= underway.orders.len() + at) && !underway.early.contains(&account)
        };
        underway.is_some_and(waits)
    }

    /// Whether a split of the fund is under way in which the account is still to have its turn: its units are those from before.
    pub(crate) fn awaits_split(&self, account: AccountId, instrument: InstrumentId) -> bool {
        let action = self.action_underway().map(|id| self.corporate_actions.known(id));
        let splits = |action: &Arc<CorporateAction>| {
            action.instrument == instrument && matches!(action.act, CorporateAct::Split { .. })
        };
        action.is_some_and(splits) && self.awaits_its_turn(account)
    }

    /// An order waits for its fund's cut-off: the next one, where that of the present instant has not ended.
    pub(crate) fn wait_for_cut_off(&mut self, instrument: InstrumentId, order: OrderId) {
        let by_request = matches!(self.cause.by, Origin::Request(_));
        match &mut self.cut {
            Some(cut) if by_request && self.market.known(instrument).next_cut_off(self.now).1 <= self.now => {
                cut.late.push((instrument, order));
            }
            _ => self.wait(instrument, order),
        }
    }

    /// Ends the rest of a fund: something needs its timers, which are set now (rule: calendar/funds-at-rest).
    pub(crate) fn wake_fund(&mut self, instrument: InstrumentId) {
        let quote = self.market.change(instrument);
        let Some(unpublished) = quote.wake(self.now) else { return };
        for day in unpublished {
            let at = quote.instrument.publication(day, 0);
            quote.publications.push((day, self.timers.set(at, Timer::PublishPrice(instrument, day))));
        }
        self.plan_cut_off(instrument);
    }

    /// Plans the next cut-off of a fund.
    pub(crate) fn plan_cut_off(&mut self, instrument: InstrumentId) {
        let (day, at) = self.market.change(instrument).plan_cut_off(self.now);
        self.timers.set(at, Timer::CutOff(instrument, day));
    }

    /// An order waits for the next cut-off of its fund, which has timers from now on.
    pub(crate) fn wait(&mut self, instrument: InstrumentId, order: OrderId) {
        self.wake_fund(instrument);
        self.market.change(instrument).waiting.push(order);
    }

    /// How often each row of each table has been taken; outside the digest.
    #[must_use]
    pub const fn visits(&self) -> &Visits {
        &self.visits
    }

    /// Notes from now on what happens to records of clients, until that is taken; outside the digest, and no part of a snapshot file.
    pub fn note_visits(&mut self) {
        self.visits.listen();
    }

    /// What has happened to records of clients since `note_visits`, in order; nothing more is noted.
    pub fn take_noted(&mut self) -> impl Iterator<Item = (ClientId, Noted)> {
        self.visits.take_noted()
    }

    /// A stable fingerprint of the business state: clock, records, market, timers, the ids to come and the answers
    /// remembered. Equal worlds behave equally for ever.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hasher = DigestHasher::new();
        self.each_part(|_, part| part(&mut hasher));
        hasher.digest()
    }

    /// The names of the parts of the business state in which `other` is not equal.
    #[must_use]
    pub fn differing_parts(&self, other: &Self) -> Vec<&'static str> {
        let digests = |world: &Self| {
            let mut digests = Vec::new();
            world.each_part(|name, part| {
                let mut hasher = DigestHasher::new();
                part(&mut hasher);
                digests.push((name, hasher.digest()));
            });
            digests
        };
        let pairs = digests(self).into_iter().zip(digests(other));
        pairs.filter(|(one, another)| one != another).map(|((name, _), _)| name).collect()
    }

    /// What the fingerprint is taken of, part by part.
    fn each_part(&self, mut take: impl FnMut(&'static str, &dyn Fn(&mut DigestHasher))) {
        // By name and without a rest, so that a new field has to say whether it counts.
        let Self {
            setup,
            seed,
            start,
            now,
            partners,
            clients,
            accounts,
            orders,
            cash,
            funds,
            owners,
            aggregates,
            journeys,
            transfers,
            allocation_plans,
            savings_plans,
            mobile_payments,
            submissions,
            suspense,
            awaited,
            bankgiro,
            corporate_actions,
            instructions,
            payment_refs,
            payments,
            standings,
            banks,
            listed,
            withdrawal_grants,
            refused_payers,
            fees,
            fee_pots,
            purged,
            market,
            timers,
            cut,
            id_sources,
            answered,
            event_number,
            // How the inputs were cut: two short jumps are worth one long one.
            cause: _,
            // Events that were emitted and not taken yet are for the subscribers.
            events: _,
            callbacks: _,
            // They follow from the transactions.
            movements: _,
            // Only tests look at these.
            planted: _,
            visits: _,
        } = self;
        let mut part = |name, write: &dyn Fn(&mut DigestHasher)| take(name, write);
        part("setup", &|state| setup.hash(state));
        part("seed", &|state| seed.hash(state));
        part("start", &|state| start.hash(state));
        part("now", &|state| now.hash(state));
        part("partners", &|state| hash_map(partners, state));
        part("clients", &|state| hash_map(clients, state));
        part("accounts", &|state| accounts.hash(state));
        part("orders", &|state| orders.hash(state));
        part("cashTransactions", &|state| cash.hash(state));
        part("fundTransactions", &|state| funds.hash(state));
        part("owners", &|state| owners.hash(state));
        part("aggregates", &|state| aggregates.hash(state));
        part("journeys", &|state| journeys.hash(state));
        part("transfers", &|state| transfers.hash(state));
        part("allocationPlans", &|state| allocation_plans.hash(state));
        part("savingsPlans", &|state| savings_plans.hash(state));
        part("submissions", &|state| submissions.hash(state));
        part("suspense", &|state| suspense.hash(state));
        part("banks", &|state| banks.hash(state));
        part("mobilePayments", &|state| mobile_payments.hash(state));
        part("bankgiro", &|state| bankgiro.hash(state));
        part("instructions", &|state| instructions.hash(state));
        part("payments", &|state| payments.hash(state));
        part("paymentRefs", &|state| payment_refs.hash(state));
        part("awaitedPayments", &|state| hash_map(awaited, state));
        part("standings", &|state| standings.hash(state));
        part("screening", &|state| listed.hash(state));
        part("withdrawalGrants", &|state| withdrawal_grants.hash(state));
        part("refusedPayers", &|state| hash_map(refused_payers, state));
        part("fees", &|state| fees.hash(state));
        part("feePots", &|state| hash_map(fee_pots, state));
        part("purged", &|state| purged.hash(state));
        part("corporateActions", &|state| corporate_actions.hash(state));
        part("market", &|state| market.hash(state));
        part("timers", &|state| {
            timers.hash(state);
            cut.iter().for_each(|cut| cut.hash(state));
        });
        part("idsToCome", &|state| id_sources.hash(state));
        part("answersRemembered", &|state| answered.hash(state));
        part("eventsTold", &|state| event_number.hash(state));
    }

    /// Plants a fault that the checkers must find.
    #[cfg(feature = "canaries")]
    pub fn plant(&mut self, fault: crate::canary::Canary) {
        self.planted.plant(fault);
    }

    pub(crate) fn emit(&mut self, client: Option<ClientId>, change: Change) {
        let moves = match &change {
            Change::Order(Delta::Updated { previous, current }) => self.visits.led(*previous.state, *current.state),
            Change::Account(Delta::Updated { previous, current }) => self.visits.led(*previous.state, *current.state),
            Change::Journey(Delta::Updated { previous, current }) => self.visits.led(*previous.state, *current.state),
            _ => Moves::default(),
        };
        let event = Event { number: self.event_number, at: self.now, cause: self.cause, client, change, moves };
        self.event_number += 1;
        self.events.push(event);
    }

    /// Ends a change: puts its events in order.
    pub(crate) fn finish_change(&mut self) {
        self.events.put_in_order();
        self.visits.begin_change();
    }

    pub(crate) fn send(&mut self, callback: Callback) {
        self.callbacks.push(callback);
    }

    /// What is kept of an account's fees, to be changed.
    ///
    /// # Panics
    /// When the account was never active.
    pub(crate) fn fee_file_mut(&mut self, account: AccountId) -> &mut FeeFile {
        Arc::make_mut(self.fees.get_mut(&account).expect("an account that was active has fees"))
    }

    /// Stamps an account that shows something else than `previous`, and emits its event (rule: events/updates-change-something).
    pub(crate) fn account_changed(&mut self, previous: Arc<Account>) {
        if self.accounts.known(previous.id).shows_the_same_as(&previous) {
            return;
        }
        let now = self.now;
        let current = self.accounts.changed(previous.id, |account| account.stamp.touch(now));
        self.emit(Some(current.client), Change::Account(Delta::Updated { previous, current }));
    }
}
