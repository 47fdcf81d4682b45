//! Who and what the names of a run stand for, and what a step asks of a world.
//!
//! Invariant: a step turns into the same command whenever the run so far was the same; a step that names what was never
//! made turns into nothing. Absent on purpose: what should come of the command, which is the model's to say.

mod clients;
mod days;
mod journeys;
mod mobile_payments;
mod money;
mod people;
mod securities;
mod waits;
mod withdrawals;

use super::step::{
    Bank, Buy, ClientNo, FundNo, Kind, Money, Name, Open, OrderName, PersonNo, PriceDay, Proceeds, Sell, SetPrice,
    Share, Slip, Step, Sum, Trading,
};
use crate::model::figures;
use days::{day_before, days_after, sunday_after};
use sim::command::{OpenAccount, OpenBankAccount, PlaceOrder, Scope};
use sim::event::{Change, Delta, Event};
use sim::identity::{Iban, InstrumentId, OrganisationNumber, PersonalNumber};
use sim::ids::{AccountId, CashTransactionId, InstructionId, JourneyId, MobilePaymentId, OrderId};
use sim::money::{Amount, Price, Units};
use sim::query::{self, TransactionFilter};
use sim::records::{
    self, AccountType, CashType, Category, LegalEntity, MandateStatus, NaturalPerson, Owner, OwnerKey, ServiceType,
    Side, Signatory,
};
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

/// The names of a run and what they stand for.
#[derive(Clone, Debug)]
pub struct Bindings {
    scopes: Vec<Scope>,
    funds: Vec<InstrumentId>,
    regulars: Vec<Owner>,
    company: Owner,
    stranger: PersonalNumber,
    accounts: Vec<Option<(ClientNo, AccountId)>>,
    orders: Vec<Option<(ClientNo, OrderId)>>,
    journeys: Vec<Option<(ClientNo, JourneyId)>>,
    mobile_payments: Vec<Option<(ClientNo, MobilePaymentId)>>,
    instructions: Vec<Option<(ClientNo, InstructionId)>>,
    names: Map<JourneyId, Name>,
    reference: Arc<str>,
    long_reference: Arc<str>,
}

/// IBANs by what the banks do with them (rule: money/fixed-outcomes-of-ibans).
const GOOD_IBAN: &str = "SE8150000000050000000019";
const BOUNCING_IBAN: &str = "SE9350000000050000000094";
const UNCHECKED_IBAN: &str = "SE3750000000050000000035";
const POOR_IBAN: &str = "SE4050000000050000000078";
const POOR_AT_FIRST_IBAN: &str = "SE1850000000050000000086";
const REVOKING_IBAN: &str = "SE0650000000050000000108";
/// A company that no setup uses as a client.
const COMPANY: &str = "9699900008";

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
        let regulars: Vec<NaturalPerson> = ["Ada", "Bo", "Cia", "Dan", "Eva", "Finn"].map(&mut person).into();
        let signatories = [person("Gun"), person("Hans")];
        let stranger = person("Ida").ssn;
        Self {
            scopes: query::clients(world).map(|c| Scope { partner: c.partner, client: c.id }).collect(),
            funds: world.setup().instruments.iter().map(|fund| fund.id).collect(),
            regulars: regulars.into_iter().map(Owner::NaturalPerson).collect(),
            company: company(&signatories),
            stranger,
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
            Step::Late { fund, bank_days } => {
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
            Step::Plan(name, change) => self.plan(world, name, change)?,
            Step::NewClient(client) => self.new_client(world, client),
            Step::ChangeClient(client, change) => self.change_client(world, client, change)?,
            Step::Purge(what) => self.purge(world, what)?,
            Step::Ask(ask) => self.ask(&ask)?,
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

    /// Remembers the accounts that journeys have opened; to be told of every event.
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

    fn open(&self, open: &Open) -> Command {
        let owner = match (open.kind, open.owner) {
            (Kind::Company | Kind::CompanyIsk, _) => Some(self.company.clone()),
            (_, 0) => None,
            (_, regular) => Some(self.regulars[(usize::from(regular) - 1) % self.regulars.len()].clone()),
        };
        let funds = (0..open.holdings.count).filter_map(|at| self.fund(open.holdings.from.saturating_add(at)));
        Command::OpenAccount(OpenAccount {
            scope: self.scope(open.client),
            account_type: match open.kind {
                Kind::Retail | Kind::Unaware | Kind::CompanyIsk => AccountType::Isk,
                Kind::Pro | Kind::Company => AccountType::Depot,
                Kind::Insured => AccountType::Insurance,
            },
            owner,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: if open.kind == Kind::Pro { Category::Pro } else { Category::Retail },
            cash: Amount::from_ore(signed(open.ore)),
            positions: funds.map(|fund| (fund, units(open.holdings.steps))).collect(),
            bank_accounts: bank(open.bank).into_iter().collect(),
            fund_knowledge: open.kind != Kind::Unaware,
        })
    }

    fn buy(&self, world: &World, buy: &Buy) -> Option<Command> {
        let (client, account) = self.account(buy.account)?;
        let record = query::account(world, self.scope(client).client, account)?;
        let amount = match buy.sum {
            Sum::Ore(ore) => Amount::from_ore(signed(ore)),
            Sum::Part(part) => part_of_cash(record.spendable(), part)?,
            Sum::Everything => record.spendable(),
            Sum::TooMuch => record.spendable() + Amount::from_ore(1),
        };
        let place = self.plain(client, account, self.fund(buy.fund)?, Side::Subscription);
        Some(self.slipped(PlaceOrder { amount: Some(amount), ..place }, buy.slip, world))
    }

    fn sell(&self, world: &World, sell: &Sell) -> Option<Command> {
        let (client, account) = self.account(sell.account)?;
        let fund = self.fund(sell.fund)?;
        let record = query::account(world, self.scope(client).client, account)?;
        let sellable = record.position(fund).map_or(Units::ZERO, |position| position.sellable());
        let asked = match sell.share {
            Share::Steps(steps) => units(steps),
            Share::Part(part) => part_of_units(world, fund, sellable, part)?,
            Share::Least => least_of(world, fund)?,
            Share::Everything => sellable,
            Share::TooMuch => sellable + units(1),
        };
        let proceeds = match sell.proceeds {
            Proceeds::Keep => records::Proceeds::Keep,
            Proceeds::PayOut => {
                record.bank_accounts.first().map_or(records::Proceeds::Keep, |b| records::Proceeds::PayOut(b.id))
            }
            Proceeds::Transfer(to) => records::Proceeds::Transfer(self.account(to)?.1),
        };
        let executor = (proceeds != records::Proceeds::Keep).then(|| executor(&record.owner));
        let place = self.plain(client, account, fund, Side::Redemption);
        Some(self.slipped(PlaceOrder { units: Some(asked), proceeds, executor, ..place }, sell.slip, world))
    }

    fn plain(&self, client: ClientNo, account: AccountId, instrument: InstrumentId, side: Side) -> PlaceOrder {
        PlaceOrder {
            scope: self.scope(client),
            account,
            side,
            instrument,
            amount: None,
            units: None,
            client_ref: None,
            executor: None,
            proceeds: records::Proceeds::Keep,
        }
    }

    fn slipped(&self, mut place: PlaceOrder, slip: Slip, world: &World) -> Command {
        match slip {
            Slip::None => {}
            Slip::Dry => return Command::ValidateOrder(place),
            Slip::Signed => {
                place.client_ref = Some(Arc::clone(&self.reference));
                let owner = query::account(world, place.scope.client, place.account).map(|account| &account.owner);
                place.executor = owner.map(|owner| executor(owner));
            }
            Slip::Stranger => place.executor = Some(self.stranger),
            Slip::OtherPartner => {
                let partner = place.scope.partner;
                let other = self.scopes.iter().find(|scope| scope.partner != partner);
                place.scope.partner = other.map_or(partner, |scope| scope.partner);
            }
            Slip::UnknownAccount => place.account = AccountId::from_u128(0),
            Slip::UnknownFund => place.instrument = unknown_fund(),
            Slip::NoQuantity => (place.amount, place.units) = (None, None),
            // The other requests have no field for an amount.
            Slip::BothQuantities if place.proceeds != records::Proceeds::Keep => {}
            Slip::BothQuantities => {
                place.amount = place.amount.or(Some(Amount::from_ore(100)));
                place.units = place.units.or(Some(units(10_000_000)));
            }
            Slip::Zero => {
                place.amount = place.amount.map(|_| Amount::ZERO);
                place.units = place.units.map(|_| Units::ZERO);
            }
            Slip::Negative => {
                place.amount = place.amount.map(|amount| -amount);
                place.units = place.units.map(|units| -units);
            }
            Slip::LongReference => place.client_ref = Some(Arc::clone(&self.long_reference)),
        }
        Command::PlaceOrder(place)
    }

    fn price(&self, world: &World, set: &SetPrice) -> Option<Command> {
        let instrument = self.fund(set.fund)?;
        let view = query::instrument(world, instrument)?;
        let close = view.close_price?;
        let next = view.cut_off_sub.or(view.cut_off_red).map(Instant::local_date);
        let price_date = match set.day {
            PriceDay::Latest => None,
            PriceDay::Next => Some(next?),
            PriceDay::Last => Some(day_before(next?)),
            PriceDay::Sunday => Some(sunday_after(world.now().local_date())),
            PriceDay::FarAhead => Some(days_after(world.now().local_date(), 730)),
        };
        let moved = close.get() * rust_decimal::Decimal::new(i64::from(set.of_close), 4);
        let close_price = Price::from_decimal_exact(moved.round_dp(4)).unwrap_or(close);
        Some(Command::SetPrice(sim::command::SetPrice { instrument, close_price, price_date }))
    }

    fn trading(&self, trading: &Trading) -> Command {
        Command::SetTrading(sim::command::SetTrading {
            instrument: self.fund(trading.fund).unwrap_or_else(unknown_fund),
            is_buyable: trading.buyable,
            is_sellable: trading.sellable,
            is_tradable: trading.tradable,
        })
    }
}

fn put<T>(names: &mut Vec<Option<T>>, at: usize, value: T) {
    if names.len() <= at {
        names.resize_with(at + 1, || None);
    }
    names[at] = Some(value);
}

fn company(signatories: &[NaturalPerson]) -> Owner {
    let signatory = |person: &NaturalPerson| Signatory {
        name: Arc::from(format!("{} {}", person.first_name, person.last_name)),
        ssn: person.ssn,
        email: None,
    };
    Owner::LegalEntity(LegalEntity {
        name: Arc::from("Generated Trading"),
        crn: OrganisationNumber::parse(COMPANY).expect("a constant"),
        form: None,
        registration_country: Some(Arc::from("SE")),
        countries_of_taxation: None,
        address: None,
        contact_person: None,
        signatories: signatories.iter().map(signatory).collect(),
    })
}

/// Somebody who may act for `owner`.
fn executor(owner: &Owner) -> PersonalNumber {
    match owner {
        Owner::NaturalPerson(person) => person.ssn,
        Owner::LegalEntity(entity) => entity.signatories[entity.signatories.len() - 1].ssn,
    }
}

fn bank(bank: Bank) -> Option<OpenBankAccount> {
    use MandateStatus::{Active, Missing};
    let (iban, validated, mandate) = match bank {
        Bank::None => return None,
        Bank::Good => (GOOD_IBAN, true, Missing),
        Bank::Bounces => (BOUNCING_IBAN, true, Missing),
        Bank::Unchecked => (UNCHECKED_IBAN, false, Missing),
        Bank::Pays => (GOOD_IBAN, true, Active),
        Bank::Poor => (POOR_IBAN, true, Active),
        Bank::PoorAtFirst => (POOR_AT_FIRST_IBAN, true, Active),
        Bank::Revokes => (REVOKING_IBAN, true, Active),
    };
    let iban = Iban::parse(iban).expect("a constant");
    Some(OpenBankAccount { iban, name: None, validated, mandate })
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

/// Nothing when the part is less than an ore.
fn part_of_cash(spendable: Amount, part: u8) -> Option<Amount> {
    let ore = figures::ore(spendable) / 64 * i64::from(part);
    (ore > 0).then(|| Amount::from_ore(ore))
}

/// In the decimals that the fund deals in; nothing when the part is less than that.
fn part_of_units(world: &World, fund: InstrumentId, sellable: Units, part: u8) -> Option<Units> {
    let grain = grain_of(world, fund)?;
    let steps = figures::steps(sellable) / 64 * i64::from(part) / grain * grain;
    (steps > 0).then(|| figures::units(steps))
}

/// The least that can be sold for anything at the last price.
fn least_of(world: &World, fund: InstrumentId) -> Option<Units> {
    let (grain, (price, rate)) = (grain_of(world, fund)?, close(world, fund)?);
    let is_worthless = |grains: &i64| figures::proceeds(grains * grain, price, rate) == 0;
    let (mut nothing, mut something) = (0, 1);
    while is_worthless(&something) {
        (nothing, something) = (something, something * 2);
    }
    while something - nothing > 1 {
        let middle = nothing + (something - nothing) / 2;
        if is_worthless(&middle) { nothing = middle } else { something = middle }
    }
    Some(figures::units(something * grain))
}

/// The smallest number of units that a fund deals in, in steps of 10^-7.
fn grain_of(world: &World, fund: InstrumentId) -> Option<i64> {
    let decimals = query::instrument(world, fund)?.record.decimals_units;
    10_i64.checked_pow(Units::MAX_DECIMALS.checked_sub(decimals)?)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn units(steps: u64) -> Units {
    let number = rust_decimal::Decimal::from_i128_with_scale(i128::from(steps), Units::MAX_DECIMALS);
    Units::from_decimal_exact(number).expect("seven decimals")
}

/// The last published price of a fund in millionths, and the rate, as the world shows them.
fn close(world: &World, fund: InstrumentId) -> Option<(i64, i64)> {
    let price = query::instrument(world, fund)?.close_price?;
    let rate = query::rate(world, fund.currency(), world.now());
    Some((figures::millionths(price), figures::ten_thousandths(rate)))
}
