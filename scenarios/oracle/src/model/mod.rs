//! A small reference model: what a world should be like, from the commands it was given and the events it has sent.
//!
//! Owns: its own books of every account, order and transaction, its own calendar, its own record of prices and rates, and
//! its own arithmetic. Invariant: nothing here calls a flow of `sim`; of the world it reads only what no model can know
//! (drawn prices and rates, once each). Absent on purpose: judging, which is `check`.

pub mod accruals;
mod actions;
mod answers;
mod asked;
mod booking;
mod books;
pub mod calendar;
mod clients;
pub mod closings;
mod counterparties;
mod custodian;
pub mod days;
mod deaths;
mod expected;
mod expected_others;
pub mod fee_files;
mod fee_pots;
mod fee_sales;
pub mod fees;
mod field_texts;
pub mod figures;
mod files;
mod fund;
mod journey_files;
mod journey_requests;
mod kept_answers;
mod kept_texts;
mod legs;
mod mobile_payment_files;
mod mobile_payments;
pub mod money_files;
mod money_in;
pub mod outcomes;
mod plan_runs;
pub mod prices;
mod step_rules;
pub mod waiting;
mod walks;
mod withdrawals;
pub mod words;

pub use asked::{asks_kyc, opens_account};
pub use books::{Item, Model};
pub use counterparties::{AggregateBooking, CounterpartyBooks};
pub use expected::{Expected, Plan};
pub use files::{AccountFile, CashFile, Due, Holding, Move, OrderFile, Payout, Status, UnitsFile, is_credit};
pub use fund::Fund;
pub use journey_files::{BankFile, Delivery, JourneyFile, Lot, TransferFile};
pub use kept_texts::{KeptAnswer, KeptSteps};
pub use legs::{Action, Cost, Leg};
pub use mobile_payment_files::{MobilePaymentFile, SessionState};

use indexmap::IndexSet;
use prices::Rates;
use rust_decimal::Decimal;
use sim::World;
use sim::identity::{Currency, InstrumentId};
use sim::ids::{AccountId, CashTransactionId, ClientId, OrderId, PartnerId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{FundTransaction, Side};
use sim::store::{Map, Window};
use sim::time::{Instant, Millis};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// From how many days on the prices of a wait are read at once.
const LONG_WAIT: Millis = Millis::days(4);

impl Model {
    /// The model of a world as it is; it may hold accounts, but no orders yet.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let now = world.now();
        let begun = Arc::new(world.clone());
        let funds: Map<_, _> = query::instruments(world, None)
            .iter()
            .map(|view| (view.record.id, Fund::new(&begun, view.record)))
            .collect();
        let mut model = Self {
            settings: world.setup().settings.clone(),
            clients: query::clients(world).map(|client| (client.id, Arc::clone(client))).collect(),
            next_event: now,
            forgotten: BTreeSet::new(),
            released: BTreeSet::new(),
            rates: world
                .setup()
                .rates
                .iter()
                .map(|rate| (rate.currency, Rates::before(world, rate.currency, now)))
                .collect(),
            faults: Vec::new(),
            funds,
            accounts: Map::default(),
            orders: Map::default(),
            cash: Map::default(),
            units: Map::default(),
            payouts: Map::default(),
            endowments: Map::default(),
            actions: Vec::new(),
            fees: fee_files::Fees::beginning(now),
            outside: CounterpartyBooks::default(),
            journeys: Map::default(),
            banks: Map::default(),
            transfers: Map::default(),
            mobile_payments: Map::default(),
            open_mobile_payments: BTreeSet::new(),
            refused_payers: BTreeSet::new(),
            grants: Map::default(),
            companies: Map::default(),
            screened: Map::default(),
            money_in: money_files::MoneyIn::default(),
            sent: Map::default(),
            newest: [None; 5],
            settled_last: None,
            swept: IndexSet::default(),
            agenda: BinaryHeap::new(),
        };
        model.roll(world, now);
        model.take_over(world);
        model
    }

    /// Takes over what the setup has opened.
    fn take_over(&mut self, world: &World) {
        let window = Window::default();
        let clients: Vec<_> = self.clients.keys().copied().collect();
        for client in clients {
            assert!(
                query::orders(world, client, &window, &OrderFilter::default()).is_empty(),
                "a world without orders"
            );
            for account in query::accounts(world, client, &window, None) {
                self.newest[0] = self.newest[0].max(Some(account.sorted_id));
                self.accounts.insert(account.id, AccountFile::new(&account));
                self.begin_fees(account.id, world.now());
                self.note_owner(&account);
                account.bank_accounts.iter().for_each(|bank| self.new_bank(bank, account.id, None));
            }
            for cash in query::cash_transactions(world, client, &window, &TransactionFilter::default()) {
                self.newest[2] = self.newest[2].max(Some(cash.sorted_id));
                self.book_cash(&cash);
                self.outside.opened_with_cash(figures::ore(cash.amount));
            }
            for units in query::fund_transactions(world, client, &window, &TransactionFilter::default()) {
                self.newest[3] = self.newest[3].max(Some(units.sorted_id));
                self.book_units(&units);
                self.outside.opened_with_units(units.instrument, figures::steps(units.units));
                self.opened_with(&units);
            }
        }
    }

    /// Units that an account was opened with cost what they were worth.
    pub fn opened_with(&mut self, units: &FundTransaction) {
        if let Some((price, rate)) = self.close(units.instrument) {
            let exact = i128::from(figures::steps(units.units)) * i128::from(price) * i128::from(rate);
            self.bought_in(units.account, units.instrument, Decimal::from_i128_with_scale(exact, 17));
        }
    }

    /// The partner of a client that was not forgotten.
    #[must_use]
    pub fn partner_of(&self, client: ClientId) -> Option<PartnerId> {
        self.clients.get(&client).filter(|client| !self.forgotten.contains(&client.id)).map(|client| client.partner)
    }

    /// The signatures of withdrawals of an account that still hold, where its client needs one.
    #[must_use]
    pub fn signatures(&self, client: ClientId, account: AccountId, now: Instant) -> Option<Vec<Instant>> {
        self.clients.get(&client).filter(|client| client.withdrawal_needs_signature)?;
        let life = self.settings.journeys.withdrawal_grant;
        let signed = self.grants.get(&account).map_or(&[][..], Vec::as_slice);
        Some(signed.iter().copied().filter(|at| now <= at.plus(life)).collect())
    }

    /// Lets cut-offs and publications up to `now` pass.
    pub fn roll(&mut self, world: &World, now: Instant) {
        if now < self.next_event {
            return;
        }
        for fund in self.funds.values_mut() {
            if fund.roll(world, now, &mut self.faults) {
                fund.waiting.clear();
            }
        }
        self.rates.values_mut().for_each(|rates| rates.roll(world, now));
        self.plan_next_event();
    }

    /// Reads the prices of a wait at once, if it was one of many days; [`Model::forget_ahead`] follows before the next command.
    pub fn read_long_wait_ahead(&mut self, world: &World) {
        if world.now().since(self.next_event) > LONG_WAIT {
            let due = self.funds.values_mut().filter(|fund| fund.next_event() <= world.now());
            due.for_each(|fund| fund.read_ahead(world));
        }
    }

    /// Forgets prices that were read ahead.
    pub fn forget_ahead(&mut self) {
        self.funds.values_mut().for_each(|fund| fund.prices.forget_ahead());
    }

    /// Notes when something comes out or is cut off next; to be called when that has been moved.
    pub fn plan_next_event(&mut self) {
        let funds = self.funds.values().map(Fund::next_event);
        self.next_event = funds.chain(self.rates.values().map(Rates::next_at)).min().unwrap_or(Instant::MAX);
    }

    /// Prices that did not come out as they had to, since the last call.
    pub fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// What moves an order next by itself, and when.
    #[must_use]
    pub fn due(&self, order: &OrderFile) -> Option<Due> {
        let fund = self.funds.get(&order.last.instrument)?;
        order.due(fund, &self.settings)
    }

    /// Notes that an order must move by itself later on.
    pub fn expect_order(&mut self, id: OrderId) {
        let Some(order) = self.orders.get_mut(&id) else { return };
        let Some(fund) = self.funds.get_mut(&order.last.instrument) else { return };
        if order.status == Status::Sent {
            fund.plan(order.day, files::after_price(&self.settings));
        }
        order.due = order.due(fund, &self.settings).map(|due| due.at);
        if let Some(at) = order.due {
            self.agenda.push(Reverse((at, Item::Order(id))));
        }
    }

    /// Notes that a payout must be paid or come back later on.
    pub fn expect_payout(&mut self, id: CashTransactionId) {
        if let Some(due) = self.payouts.get(&id).and_then(|payout| payout.due()) {
            self.agenda.push(Reverse((due, Item::Payout(id))));
        }
    }

    /// The next item that should have happened by `now` and, as far as the model knows, has not.
    pub fn overdue(&mut self, now: Instant) -> Option<(Instant, Item)> {
        while let Some(&Reverse((noted, item))) = self.agenda.peek() {
            if noted > now {
                return None;
            }
            self.agenda.pop();
            let due = match item {
                // A later move has noted a later instant.
                Item::Order(id) if self.orders.get(&id).is_none_or(|order| order.due != Some(noted)) => None,
                Item::Order(id) => self.orders.get(&id).and_then(|order| self.due(order)).map(|due| due.at),
                Item::Payout(id) => self.payouts.get(&id).and_then(Payout::due),
                Item::Journey(_) | Item::Account(_) | Item::Check(_) | Item::Mandate(_) | Item::PaidAgain(_) => {
                    Some(noted)
                }
            };
            match (due, item) {
                (Some(at), Item::Order(id)) if at > now => {
                    self.orders.entry(id).and_modify(|order| order.due = Some(at));
                    self.agenda.push(Reverse((at, item)));
                }
                (Some(at), Item::Payout(_)) if at > now => self.agenda.push(Reverse((at, item))),
                (Some(at), _) => return Some((at, item)),
                (None, _) => {}
            }
        }
        None
    }

    /// The members of the aggregated order that took `order` at its cut-off and has not been answered yet.
    #[must_use]
    pub fn together_with(&self, order: &OrderFile) -> Vec<OrderId> {
        let partner = self.partner_of(order.last.client);
        let same = |other: &OrderFile| {
            other.status == Status::Pending
                && (other.day, other.last.instrument) == (order.day, order.last.instrument)
                && other.last.side == order.last.side
                && self.partner_of(other.last.client) == partner
        };
        // Several cut-offs may pass before an aggregated order is answered.
        self.orders.iter().filter(|(_, other)| same(other)).map(|(id, _)| *id).collect()
    }

    /// Price and rate of the executions of a dealing day, once the price is published; it does not change from then on.
    pub fn execution(&mut self, instrument: InstrumentId, day: calendar::Day) -> Option<(i64, i64)> {
        let fund = self.funds.get_mut(&instrument)?;
        let price = fund.prices.of(day)?;
        if fund.executed.last() != Some(&day) && !fund.executed.contains(&day) {
            fund.executed.push(day);
        }
        Some((price, self.rates.get(&instrument.currency()).map_or(figures::PAR, |rates| rates.of(day))))
    }

    /// What is taken of an amount for changing money; nothing in the accounts' own currency.
    #[must_use]
    pub fn fx_fee(&self, instrument: InstrumentId, ore: figures::Ore) -> figures::Ore {
        let percent = figures::ten_thousandths(self.settings.fx_fee.get()) / 100;
        if instrument.currency() == Currency::SEK { 0 } else { figures::share(ore, percent) }
    }

    /// What is taken for changing money of an order that buys, or of one whose execution is known.
    #[must_use]
    pub fn fee_of(&self, order: &OrderFile) -> figures::Ore {
        let ore = match order.last.side {
            Side::Subscription => order.last.amount.map_or(0, figures::ore),
            Side::Redemption => order.figures.0,
        };
        self.fx_fee(order.last.instrument, ore)
    }

    /// The last published price of a fund in millionths, and the rate, as known now.
    #[must_use]
    pub fn close(&self, instrument: InstrumentId) -> Option<(i64, i64)> {
        let close = self.funds.get(&instrument)?.prices.close()?;
        Some((close.price, self.rates.get(&instrument.currency()).map_or(figures::PAR, Rates::last)))
    }

    /// Whether a sweep has seen the order as it will stay.
    #[must_use]
    pub fn is_swept(&self, id: &OrderId) -> bool {
        self.swept.contains(id)
    }

    /// Notes that a sweep has seen an order as it will stay.
    pub fn note_swept(&mut self, id: OrderId) {
        self.swept.insert(id);
    }
}
