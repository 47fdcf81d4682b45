//! What the tests of several crates share: files of earlier versions, laws, a small setup, a journey that has ended, and futures that wait for nothing.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! fixture, journeys, laws
//! ```

pub mod fixture;
pub mod journeys;
pub mod laws;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use sim::calendar::ForeignCalendar;
use sim::identity::{InstrumentId, OrganisationNumber};
use sim::money::{Amount, Price};
use sim::records::{
    AccountType, Category, Cost, DealingDays, Instrument, OwnerType, Permissions, ServiceType, Universe,
};
use sim::setup::{ClientSetup, PartnerSetup, Setup};
use sim::time::Instant;

/// A future that waits for nothing, as one of a world whose log is in memory.
pub trait Now: Future + Sized {
    /// What it answers.
    ///
    /// # Panics
    /// When it waits after all.
    fn now(self) -> Self::Output {
        match pin!(self).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer,
            Poll::Pending => panic!("it waits"),
        }
    }
}

impl<F: Future> Now for F {}

/// The test worlds' start, a Monday morning.
pub const START: &str = "2026-03-02T07:00:00Z";

/// The one fund of the small setup.
pub const FUND: &str = "SE0SBX000016SEK";

/// The instant that `text` names.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn at(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

/// The amount that `text` names.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn fund() -> Instrument {
    let zero = rust_decimal::Decimal::ZERO;
    Instrument {
        id: InstrumentId::parse(FUND).expect("an instrument id"),
        name: "Fund".into(),
        first_price: Price::parse("100").expect("a price"),
        volatility_bp: 80,
        cut_off_hour: 14,
        cut_off_minute: 0,
        subscription_settlement_days: 2,
        redemption_settlement_days: 2,
        nav_lag_days: 0,
        dealing: DealingDays::Daily,
        calendars: Vec::<ForeignCalendar>::new(),
        closed_days: Vec::new(),
        decimals_units: 4,
        min_investment: amount("100"),
        min_initial: None,
        min_subsequent: None,
        is_complex: false,
        is_raif: false,
        is_buyable: true,
        is_sellable: true,
        is_tradable: true,
        rebate: zero,
        cost: Cost { entry_fee: zero, exit_fee: zero, ongoing_fee: zero, transaction_fee: zero, performance_fee: zero },
        kiid: Vec::new(),
    }
}

fn client(name: &str, crn: &str) -> ClientSetup {
    ClientSetup {
        id: None,
        name: name.into(),
        display_name: name.into(),
        crn: OrganisationNumber::parse(crn).expect("a number"),
        country: "SE".into(),
        bank_accounts: Vec::new(),
        service_types: vec![ServiceType::ExecutionOnly],
        permissions: Permissions {
            account_types: vec![AccountType::Isk],
            service_types: vec![ServiceType::ExecutionOnly],
            categories: vec![Category::Retail],
            owner_types: vec![OwnerType::NaturalPerson],
            journey_types: Vec::new(),
            transfers: true,
            autogiro: true,
            mobile_payment: true,
            withdrawals: true,
            partner_fee: true,
        },
        withdrawal_needs_signature: false,
        fees: sim::records::ClientFees::default(),
        universe: Universe::All,
        accounts: Vec::new(),
    }
}

/// Two partners: the first with two clients, the second with one.
#[must_use]
pub fn setup() -> Setup {
    let partner = |name: &str, clients| PartnerSetup { name: name.into(), clients };
    Setup {
        name: "test".into(),
        partners: vec![
            partner("North", vec![client("One", "5599900007"), client("Two", "5599900015")]),
            partner("South", vec![client("Three", "5599900023")]),
        ],
        instruments: vec![fund()],
        rates: Vec::new(),
        custodians: Vec::new(),
        history: None,
        settings: sim::settings::Settings::default(),
        rules: sim::input::RulesVersion::CURRENT,
    }
}
