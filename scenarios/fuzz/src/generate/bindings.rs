//! Who and what the names of a run mean, and what a step asks of a world.
//!
//! Invariant: a step turns into the same command whenever the run so far was the same; a step that names what was never
//! made turns into nothing. Absent on purpose: what the command should lead to, which the model decides.

mod accounts;
mod clients;
mod configurations;
mod days;
mod journeys;
mod mobile_payments;
mod money;
mod orders;
mod people;
mod securities;
mod waits;
mod withdrawals;

use super::step::{Buy, ClientNo, FundNo, Money, Name, OrderName, PersonNo, Sell, Step};
use sim::command::Scope;
use sim::event::{Change, Delta, Event};
use sim::identity::{InstrumentId, PersonalNumber};
use sim::ids::{AccountId, CashTransactionId, InstructionId, JourneyId, MobilePaymentId, OrderId};
use sim::money::Units;
use sim::query::{self, TransactionFilter};
use sim::records::{CashType, NaturalPerson, Owner, OwnerKey};
use sim::rng::Seed;
use sim::store::{Map, Window};
use sim::time::Instant;
use sim::{Command, Reply, World};
use std::sync::Arc;

/// What a step asks of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "an act is made and carried out at once, never kept in numbers")]
pub enum Act {
    /// A command.
    Do(Command),
    /// To let the time pass until then.
    Wait(Instant),
}

/// The names of a run, and what they name.
#[derive(Clone, Debug)]
pub struct Bindings {
    scopes: Vec<Scope>,
    funds: Vec<InstrumentId>,
    regulars: Vec<Owner>,
    company: Owner,
    other_person: PersonalNumber,
    accounts: Vec<Option<(ClientNo, AccountId)>>,
    orders: Vec<Option<(ClientNo, OrderId)>>,
    journeys: Vec<Option<(ClientNo, JourneyId)>>,
    mobile_payments: Vec<Option<(ClientNo, MobilePaymentId)>>,
    instructions: Vec<Option<(ClientNo, InstructionId)>>,
    names: Map<JourneyId, Name>,
    reference: Arc<str>,
    long_reference: Arc<str>,
}

impl Bindings {
    /// The bindings of a new world: its clients and funds, the regular customers of `seed`, and nothing made yet.
    ///
    /// # Panics
    /// Never: the numbers it is made of are constants.
    #[must_use]
    pub fn new(world: &World, seed: u64) -> Self {
        let mut people = Seed(seed).stream("regular customers");
        let mut person = |name: &str| NaturalPerson {
            first_name: Arc::from(name),
            last_name: Arc::from("Regular"),
            ssn: PersonalNumber::draw(&mut people),
        };
        let mut regulars: Vec<NaturalPerson> = ["Ada", "Bo", "Cia", "Dan", "Eva", "Finn"].map(&mut person).into();
        let signatories = [person("Gun"), person("Hans")];
        let other_person = person("Ida").ssn;
        regulars.extend(["Jan", "Kim"].map(&mut person));
        Self {
            scopes: query::clients(world).map(|c| Scope { partner: c.partner, client: c.id }).collect(),
            funds: world.setup().instruments.iter().map(|fund| fund.id).collect(),
            regulars: regulars.into_iter().map(Owner::NaturalPerson).collect(),
            company: people::company(&signatories),
            other_person,
            accounts: Vec::new(),
            orders: Vec::new(),
            journeys: Vec::new(),
            mobile_payments: Vec::new(),
            instructions: Vec::new(),
            names: Map::default(),
            reference: Arc::from("a reference of the partner"),
            long_reference: Arc::from("x".repeat(256)),
        }
    }

    /// What `step` asks of `world`; nothing when it names what was never made, or when its moment has passed.
    #[must_use]
    pub fn act(&self, world: &World, step: &Step) -> Option<Act> {
        let partner = |(client, _): (ClientNo, OrderId)| self.scope(client).partner;
        Some(Act::Do(match *step {
            Step::Open(open) => self.open(&open),
            Step::Buy(buy) => self.buy(world, &buy)?,
            Step::Sell(sell) => self.sell(world, &sell)?,
            Step::Cancel(name) => {
                let (client, order) = self.order(name)?;
                Command::CancelOrder { scope: self.scope(client), order }
            }
            Step::Hold(name) => self.order(name).map(|o| Command::HoldOrder { partner: partner(o), order: o.1 })?,
            Step::Release(name) => {
                self.order(name).map(|o| Command::ReleaseOrder { partner: partner(o), order: o.1 })?
            }
            Step::Reject(name) => self.order(name).map(|o| Command::RejectOrder { partner: partner(o), order: o.1 })?,
            Step::Bounce(name) => {
                let (client, order) = self.order(name)?;
                let transaction = payout_of(world, self.scope(client), order)?;
                Command::BouncePayout { partner: self.scope(client).partner, transaction }
            }
            Step::Withdraw(withdraw) => self.withdraw(world, withdraw)?,
            Step::SendBack(name) => self.send_back(world, name)?,
            Step::Price(set) => self.price(world, &set)?,
            Step::Trading(trading) => self.trading(&trading),
            Step::DelayNav { fund, bank_days } => {
                Command::DelayNav { instrument: self.fund(fund)?, bank_days: u32::from(bank_days) }
            }
            Step::Action(fund, action) => self.announce(world, fund, action)?,
            Step::Book(name, booked) => self.book(world, name, booked)?,
            Step::Close(name) => {
                let (client, account) = self.account(name)?;
                Command::CloseAccount { scope: self.scope(client), account }
            }
            Step::Start(start) => Command::CreateJourney(Box::new(self.start(world, &start)?)),
            Step::Journey(name, act) => self.journey_act(world, name, act)?,
            Step::Decide(name, decision) => self.decide(world, name, decision)?,
            Step::Check(name, passes) => {
                let (scope, bank) = self.newest_bank(world, name)?;
                Command::CheckBankAccount { partner: scope.partner, bank_account: bank.id, passes }
            }
            Step::Advise(name, code) => self.advise(world, name, code)?,
            Step::Custodian(name, act) => {
                let (client, account) = self.account(name)?;
                let all = query::transfers(world, account, &Window::default());
                let transfer = all.iter().find(|transfer| !transfer.state.is_terminal())?.id;
                Command::MoveTransfer { partner: self.scope(client).partner, transfer, act }
            }
            Step::Screen(who, hit) => Command::Screen { owner: self.person(who), hit },
            Step::Death(name) => {
                let (client, account) = self.account(name)?;
                let owner = query::account(world, self.scope(client).client, account)?.owner.key();
                // A company does not die.
                let OwnerKey::Ssn(ssn) = owner else { return None };
                Command::ReportDeath { ssn }
            }
            Step::Plan(name, change) => self.plan(world, name, change)?,
            Step::NewClient(client) => self.new_client(world, client),
            Step::ChangeClient(client, change) => self.change_client(world, client, change)?,
            Step::Purge(what) => self.purge(world, what)?,
            Step::Ask(ask) => self.ask(&ask)?,
            Step::Payers(name, code) => self.refuse_payers(name, code)?,
            Step::Payment(name, act) => self.payment_act(name, act)?,
            Step::Money(money) => self.money(world, money)?,
            Step::Wait(wait) => return self.wait(world, wait).map(Act::Wait),
        }))
    }

    /// Remembers what a step has made.
    pub fn note(&mut self, step: &Step, reply: &Reply) {
        match (*step, reply) {
            (Step::Open(open), Reply::Account(account)) => {
                put(&mut self.accounts, usize::from(open.name), (open.client, account.id));
            }
            (Step::Buy(Buy { name, account, .. }) | Step::Sell(Sell { name, account, .. }), Reply::Order(order)) => {
                if let Some((client, _)) = self.account(account) {
                    put(&mut self.orders, name as usize, (client, order.id));
                }
            }
            (Step::Start(start), Reply::Journey(journey)) => {
                put(&mut self.journeys, usize::from(start.name), (start.client, journey.id));
                self.names.insert(journey.id, start.name);
            }
            (Step::Ask(ask), Reply::MobilePaymentAsked(payment)) => {
                if let Some((client, _)) = self.account(ask.account) {
                    put(&mut self.mobile_payments, usize::from(ask.name), (client, payment.id));
                }
            }
            (Step::Money(Money::Instruct(new)), Reply::Instruction(instruction)) => {
                if let Some((client, _)) = self.account(new.account) {
                    put(&mut self.instructions, usize::from(new.name), (client, instruction.id));
                }
            }
            (Step::NewClient(_), Reply::Client(client)) => {
                self.scopes.push(Scope { partner: client.partner, client: client.id });
            }
            _ => {}
        }
    }

    /// Remembers the accounts that journeys have opened; to be called with every event.
    pub fn observe(&mut self, world: &World, events: &[Event]) {
        for event in events {
            let Change::Account(Delta::Created(account)) = &event.change else { continue };
            let journey = query::standing(world, account.id).and_then(|standing| standing.journey);
            let name = journey.and_then(|journey| self.names.get(&journey).copied());
            let Some(name) = name else { continue };
            if let Some((client, _)) = self.journey(name) {
                put(&mut self.accounts, usize::from(name), (client, account.id));
            }
        }
    }

    /// The journey of that name, with its client.
    #[must_use]
    pub fn journey(&self, name: Name) -> Option<(ClientNo, JourneyId)> {
        *self.journeys.get(usize::from(name))?
    }

    /// The number of a person who comes again: the fixed numbers first, then the regular customers, then the company.
    fn person(&self, who: PersonNo) -> OwnerKey {
        let (who, fixed) = (usize::from(who), people::PEOPLE.len());
        match self.regulars.get(who.wrapping_sub(fixed)) {
            Some(regular) => regular.key(),
            None if who == fixed + self.regulars.len() => self.company.key(),
            None => OwnerKey::Ssn(people::fixed_person(who)),
        }
    }

    /// The account of that name, with its client.
    #[must_use]
    pub fn account(&self, name: Name) -> Option<(ClientNo, AccountId)> {
        *self.accounts.get(usize::from(name))?
    }

    /// The order of that name, with its client.
    #[must_use]
    pub fn order(&self, name: OrderName) -> Option<(ClientNo, OrderId)> {
        *self.orders.get(name as usize)?
    }

    /// Every instruction that was taken, in order of its name.
    pub fn instructions(&self) -> impl Iterator<Item = InstructionId> {
        self.instructions.iter().flatten().map(|(_, id)| *id)
    }

    /// The fund of that number.
    #[must_use]
    pub fn fund(&self, number: FundNo) -> Option<InstrumentId> {
        self.funds.get(usize::from(number)).copied()
    }

    /// The scope of a client; numbers beyond the last begin anew.
    #[must_use]
    pub fn scope(&self, client: ClientNo) -> Scope {
        self.scopes[usize::from(client) % self.scopes.len()]
    }
}

fn put<T>(names: &mut Vec<Option<T>>, at: usize, value: T) {
    if names.len() <= at {
        names.resize_with(at + 1, || None);
    }
    names[at] = Some(value);
}

/// Somebody who may act for `owner`.
fn executor(owner: &Owner) -> PersonalNumber {
    match owner {
        Owner::NaturalPerson(person) => person.ssn,
        Owner::LegalEntity(entity) => entity.signatories[entity.signatories.len() - 1].ssn,
    }
}

/// A well-formed instrument that no setup has.
fn unknown_fund() -> InstrumentId {
    InstrumentId::parse("SE0SBX000016EUR").expect("a constant")
}

/// The payout that an order ended in.
fn payout_of(world: &World, scope: Scope, order: OrderId) -> Option<CashTransactionId> {
    let account = query::order(world, scope.client, order)?.account;
    let filter = TransactionFilter {
        account: Some(account),
        reference: Some(order.to_string()),
        cash_type: Some(CashType::Withdrawal),
        ..TransactionFilter::default()
    };
    let found = query::cash_transactions(world, scope.client, &Window::default(), &filter);
    found.first().map(|payout| payout.id)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn units(steps: u64) -> Units {
    let number = rust_decimal::Decimal::from_i128_with_scale(i128::from(steps), Units::MAX_DECIMALS);
    Units::from_decimal_exact(number).expect("seven decimals")
}
