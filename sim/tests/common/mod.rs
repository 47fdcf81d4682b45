//! A small world for tests: one partner, one client, a handful of funds of different kinds.

#![allow(dead_code, reason = "every test binary uses its own part")]

use rust_decimal::Decimal;
use serde_json::Value;
use sim::calendar::ForeignCalendar;
use sim::command::{OpenAccount, OpenBankAccount, PlaceOrder, Scope, Withdraw, WithdrawalType};
use sim::identity::{Currency, Iban, InstrumentId, OrganisationNumber, PersonalNumber};
use sim::ids::CustodianId;
use sim::money::{Amount, Price, Units};
use sim::records::{
    Account, AccountType, Category, ClientFees, Cost, DealingDays, Instrument, JourneyType, MandateStatus,
    NaturalPerson, Order, Owner, OwnerType, Permissions, Proceeds, ServiceType, Side, Universe,
};
use sim::rng::Seed;
use sim::setup::{ClientSetup, Custodian, PartnerSetup, RateSetup, Setup};
use sim::time::Instant;
use sim::{Command, Reply, World, query};
use std::sync::Arc;
use written::Written;

pub const DAILY: &str = "SE0SBX000016SEK";
pub const T_PLUS_ONE: &str = "SE0SBX000024SEK";
pub const GLOBAL: &str = "LU0SBX000058EUR";
pub const WEEKLY: &str = "SE0SBX000032SEK";
pub const COMPLEX: &str = "SE0SBX000040SEK";

pub fn id(text: &str) -> InstrumentId {
    InstrumentId::parse(text).expect("a valid instrument id")
}

pub fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

pub fn units(text: &str) -> Units {
    Units::parse(text).expect("units")
}

pub fn at(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

/// The world that is read from what was written of this one.
pub fn written_and_read(world: &World) -> World {
    World::read(&world.write().expect("a world can be written")).expect("what was written can be read")
}

/// What is written of a value, as a tree.
pub fn tree(of: &impl Written) -> Value {
    serde_json::from_str(of.write().expect("it can be written").get()).expect("JSON")
}

pub fn fund(text: &str, price: &str) -> Instrument {
    Instrument {
        id: id(text),
        name: Arc::from(format!("Fund {text}")),
        first_price: Price::parse(price).expect("a price"),
        volatility_bp: 80,
        cut_off_hour: 14,
        cut_off_minute: 0,
        subscription_settlement_days: 2,
        redemption_settlement_days: 2,
        nav_lag_days: 0,
        dealing: DealingDays::Daily,
        calendars: Vec::new(),
        closed_days: Vec::new(),
        decimals_units: 4,
        min_investment: amount("100"),
        min_initial: Some(amount("500")),
        min_subsequent: None,
        is_complex: false,
        is_raif: false,
        is_buyable: true,
        is_sellable: true,
        is_tradable: true,
        rebate: Decimal::from(50),
        cost: Cost {
            entry_fee: Decimal::ZERO,
            exit_fee: Decimal::ZERO,
            ongoing_fee: Decimal::ONE,
            transaction_fee: Decimal::ZERO,
            performance_fee: Decimal::ZERO,
        },
        kiid: Vec::new(),
    }
}

fn custodian(id: &str) -> Custodian {
    Custodian { id: CustodianId::parse(id).expect("an id"), name: Arc::from(format!("Custodian {id}")) }
}

pub fn setup() -> Setup {
    Setup {
        name: Arc::from("test"),
        partners: vec![PartnerSetup {
            name: Arc::from("Partner"),
            clients: vec![ClientSetup {
                id: None,
                name: Arc::from("Client AB"),
                display_name: Arc::from("Client"),
                crn: OrganisationNumber::parse("5599900007").expect("a number"),
                country: Arc::from("SE"),
                bank_accounts: Vec::new(),
                service_types: vec![ServiceType::ExecutionOnly],
                permissions: Permissions {
                    account_types: vec![AccountType::Isk, AccountType::Depot, AccountType::Insurance],
                    service_types: ServiceType::ALL.to_vec(),
                    categories: vec![Category::Retail, Category::Pro],
                    owner_types: vec![OwnerType::NaturalPerson, OwnerType::LegalEntity],
                    journey_types: JourneyType::ALL.iter().map(|kind| Arc::from(kind.name())).collect(),
                    transfers: true,
                    autogiro: true,
                    mobile_payment: true,
                    withdrawals: true,
                    partner_fee: true,
                },
                withdrawal_needs_signature: false,
                fees: ClientFees::default(),
                universe: Universe::All,
                accounts: Vec::new(),
            }],
        }],
        instruments: vec![
            fund(DAILY, "123.45"),
            Instrument {
                subscription_settlement_days: 1,
                redemption_settlement_days: 1,
                nav_lag_days: 1,
                ..fund(T_PLUS_ONE, "98.7")
            },
            Instrument { calendars: vec![ForeignCalendar::Us], ..fund(GLOBAL, "55.5") },
            Instrument { dealing: DealingDays::Weekly(3), ..fund(WEEKLY, "1000") },
            Instrument { is_complex: true, ..fund(COMPLEX, "10") },
        ],
        rates: vec![RateSetup {
            currency: Currency::parse("EUR").expect("a currency"),
            rate: Decimal::new(113_500, 4),
            volatility_bp: 30,
        }],
        custodians: ["alpha", "beta"].into_iter().map(custodian).collect(),
        history: None,
        settings: sim::settings::Settings::default(),
        rules: sim::input::RulesVersion::CURRENT,
    }
}

/// The same, with nothing that accrues: for tests of other things over a long time.
pub fn free() -> Setup {
    let mut setup = setup();
    let fees = &mut setup.settings;
    (fees.distribution_fee, fees.insurance_fee, fees.risk_premium, fees.insurance_tax_share) = (0, 0, 0, 0);
    setup.instruments.iter_mut().for_each(|fund| fund.rebate = Decimal::ZERO);
    setup
}

/// A world with its only client, moved and asked in the fewest words.
pub struct Bench {
    pub world: World,
    pub scope: Scope,
}

impl Bench {
    pub fn new(seed: u64, start: &str) -> Self {
        Self::of(&setup(), seed, start)
    }

    pub fn of(setup: &Setup, seed: u64, start: &str) -> Self {
        let world = World::new(setup, Seed(seed), at(start)).expect("a valid setup");
        let client = query::clients(&world).next().expect("one client");
        let scope = Scope { partner: client.partner, client: client.id };
        Self { world, scope }
    }

    pub fn open(&self, cash: &str) -> OpenAccount {
        OpenAccount {
            scope: self.scope,
            account_type: AccountType::Depot,
            owner: None,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: Category::Retail,
            cash: amount(cash),
            positions: Vec::new(),
            bank_accounts: Vec::new(),
            fund_knowledge: true,
        }
    }

    pub fn owner(&self, ssn: &str) -> Owner {
        Owner::NaturalPerson(NaturalPerson {
            first_name: Arc::from("Anna"),
            last_name: Arc::from("Prov"),
            ssn: PersonalNumber::parse(ssn).expect("a number"),
        })
    }

    pub fn bank(&self, iban: &str) -> OpenBankAccount {
        OpenBankAccount {
            iban: Iban::parse(iban).expect("an iban"),
            name: None,
            validated: true,
            mandate: MandateStatus::Missing,
        }
    }

    pub fn account(&mut self, open: OpenAccount) -> Arc<Account> {
        match self.world.apply(self.world.now(), Command::OpenAccount(open)) {
            Ok(Reply::Account(account)) => account,
            other => panic!("no account: {other:?}"),
        }
    }

    /// A withdrawal of so much, or of all, to the account's first bank account, by the person who owns it.
    pub fn withdrawal(&self, account: &Account, text: Option<&str>) -> Withdraw {
        let Owner::NaturalPerson(person) = &*account.owner else { panic!("no person owns it") };
        Withdraw {
            scope: self.scope,
            account: account.id,
            kind: if text.is_some() { WithdrawalType::Amount } else { WithdrawalType::Full },
            amount: text.map(amount),
            bank_account: account.bank_accounts[0].id,
            client_ref: None,
            executor: person.ssn,
        }
    }

    pub fn buy(&self, account: &Account, fund: &str, text: &str) -> PlaceOrder {
        PlaceOrder {
            scope: self.scope,
            account: account.id,
            side: Side::Subscription,
            instrument: id(fund),
            amount: Some(amount(text)),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        }
    }

    pub fn sell(&self, account: &Account, fund: &str, text: &str) -> PlaceOrder {
        PlaceOrder { side: Side::Redemption, amount: None, units: Some(units(text)), ..self.buy(account, fund, "1") }
    }

    pub fn order(&mut self, place: PlaceOrder) -> Arc<Order> {
        match self.world.apply(self.world.now(), Command::PlaceOrder(place)) {
            Ok(Reply::Order(order)) => order,
            other => panic!("no order: {other:?}"),
        }
    }

    pub fn read(&self, order: &Order) -> Arc<Order> {
        Arc::clone(query::order(&self.world, self.scope.client, order.id).expect("the order exists"))
    }

    pub fn again(&self, account: &Account) -> Arc<Account> {
        Arc::clone(query::account(&self.world, self.scope.client, account.id).expect("the account exists"))
    }

    pub fn status(&self, order: &Order) -> &'static str {
        self.read(order).state.name()
    }

    pub fn to(&mut self, text: &str) {
        self.world.advance(at(text));
    }
}
