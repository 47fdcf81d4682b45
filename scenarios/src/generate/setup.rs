//! The world that generated runs play in: two partners, three clients, twenty-five funds of every kind.
//!
//! Invariant: it holds at least one fund on each side of every rule that orders know (decimals, minimums, settlement
//! days, late prices, dealing days, foreign calendars and currencies, complex, RAIF, outside the universe, worth so little
//! or so much that an execution can round to nothing).

use rust_decimal::Decimal;
use sim::calendar::ForeignCalendar;
use sim::identity::{Currency, InstrumentId, Isin, OrganisationNumber};
use sim::money::{Amount, Price};
use sim::records::{
    AccountType, Category, Cost, DealingDays, Instrument, OwnerType, Permissions, ServiceType, Universe,
};
use sim::settings::Settings;
use sim::setup::{ClientSetup, PartnerSetup, RateSetup, Setup};
use sim::time::Instant;
use std::sync::Arc;

/// Where generated runs begin: a Monday morning in Stockholm, a month before Easter and the change to summer time.
///
/// # Panics
/// Never: the text is a constant.
#[must_use]
pub fn start() -> Instant {
    Instant::parse("2026-03-02T08:00:00+01:00").expect("a constant")
}

/// Price, cut-off hour, settlement days in and out, lag of the price, decimals of units, least purchase.
type Row = (&'static str, &'static str, i8, u32, u32, u32, u32, &'static str);

#[rustfmt::skip]
const FUNDS: &[Row] = &[
    // currency  price      cut-off  sub  red  lag  decimals  minimum
    ("SEK",      "123.45",  14,      2,   2,   0,   4,        "100"),
    ("SEK",      "98.7",    14,      1,   1,   1,   4,        "100"),
    ("SEK",      "1000",    14,      2,   2,   0,   4,        "500"),
    ("SEK",      "10",      15,      1,   2,   0,   2,        "100"),
    ("EUR",      "55.5",    12,      2,   2,   1,   4,        "100"),
    ("SEK",      "0.012",   14,      2,   2,   0,   7,        "100"),
    ("SEK",      "1400",    13,      2,   2,   0,   0,        "100"),
    ("USD",      "210.25",  11,      2,   2,   1,   3,        "100"),
    ("SEK",      "310.1",   14,      2,   2,   0,   4,        "100"),
    ("SEK",      "77.7777", 14,      1,   1,   0,   5,        "100"),
    ("SEK",      "150",     14,      2,   2,   0,   4,        "1000"),
    ("EUR",      "12.3456", 14,      2,   2,   0,   6,        "100"),
    ("SEK",      "2500",    14,      2,   2,   0,   4,        "100"),
    ("SEK",      "101.01",  9,       1,   1,   0,   4,        "100"),
    ("SEK",      "99.99",   14,      2,   2,   1,   4,        "100"),
    ("SEK",      "45",      14,      2,   1,   0,   4,        "100"),
    ("SEK",      "333.33",  14,      2,   2,   0,   3,        "100"),
    ("USD",      "18.5",    14,      2,   2,   0,   4,        "100"),
    ("SEK",      "64.2",    14,      2,   2,   0,   4,        "100"),
    ("SEK",      "500",     14,      1,   1,   0,   1,        "100"),
    ("SEK",      "88",      14,      2,   2,   0,   4,        "100"),
    ("SEK",      "140.14",  14,      2,   2,   0,   4,        "100"),
    ("EUR",      "100",     14,      2,   2,   1,   4,        "100"),
    ("SEK",      "20.2",    14,      2,   2,   0,   4,        "100"),
    ("SEK",      "1.5",     14,      2,   2,   0,   4,        "100"),
];

/// The setup.
///
/// # Panics
/// Never: everything it is made of is a constant.
#[must_use]
pub fn setup() -> Setup {
    let instruments: Vec<Instrument> = FUNDS.iter().enumerate().map(|(at, row)| fund(at, row)).collect();
    // The last fund is on the platform, and in the universe of the second partner only.
    let offered = instruments.iter().take(FUNDS.len() - 1).map(|fund| fund.id).collect();
    Setup {
        name: Arc::from("generated"),
        partners: vec![
            PartnerSetup {
                name: Arc::from("Northern Partner"),
                clients: vec![
                    client("Northern Savings", "5599900007", Universe::Only(offered)),
                    client("Northern Advice", "5599900015", Universe::All),
                ],
            },
            PartnerSetup {
                name: Arc::from("Southern Partner"),
                clients: vec![client("Southern Savings", "5599900023", Universe::All)],
            },
        ],
        instruments,
        rates: vec![rate("EUR", 113_500), rate("USD", 104_200)],
        custodians: Vec::new(),
        settings: Settings::default(),
    }
}

fn rate(currency: &str, ten_thousandths: i64) -> RateSetup {
    let currency = Currency::parse(currency).expect("a constant");
    RateSetup { currency, rate: Decimal::new(ten_thousandths, 4), volatility_bp: 40 }
}

fn client(name: &str, crn: &str, universe: Universe) -> ClientSetup {
    ClientSetup {
        id: None,
        name: Arc::from(format!("{name} AB")),
        display_name: Arc::from(name),
        crn: OrganisationNumber::parse(crn).expect("a constant"),
        country: Arc::from("SE"),
        bank_accounts: Vec::new(),
        service_types: vec![ServiceType::ExecutionOnly],
        permissions: Permissions {
            account_types: vec![AccountType::Isk, AccountType::Depot, AccountType::Insurance],
            service_types: vec![ServiceType::ExecutionOnly],
            categories: vec![Category::Retail, Category::Pro],
            owner_types: vec![OwnerType::NaturalPerson, OwnerType::LegalEntity],
            journey_types: Vec::new(),
            transfers: true,
            autogiro: true,
            mobile_payment: true,
            withdrawals: true,
            partner_fee: true,
        },
        universe,
        accounts: Vec::new(),
    }
}

fn fund(at: usize, row: &Row) -> Instrument {
    let &(currency, price, cut_off_hour, sub, red, nav_lag_days, decimals_units, minimum) = row;
    let isin = Isin::with_check_digit(&format!("SE0GEN{:05}", at + 1)).expect("eleven letters and digits");
    let minimum = Amount::parse(minimum).expect("a constant");
    Instrument {
        id: InstrumentId::new(isin, Currency::parse(currency).expect("a constant")),
        name: Arc::from(format!("Generated Fund {}", at + 1)),
        first_price: Price::parse(price).expect("a constant"),
        volatility_bp: 60 + u32::try_from(at).expect("few") * 10,
        cut_off_hour,
        cut_off_minute: if at % 5 == 3 { 30 } else { 0 },
        subscription_settlement_days: sub,
        redemption_settlement_days: red,
        nav_lag_days,
        dealing: match at {
            18 => DealingDays::Weekly(3),
            19 => DealingDays::Monthly(15),
            _ => DealingDays::Daily,
        },
        calendars: match at {
            7 | 17 => vec![ForeignCalendar::Us],
            11 => vec![ForeignCalendar::Luxembourg],
            16 => vec![ForeignCalendar::Uk, ForeignCalendar::Us],
            _ => Vec::new(),
        },
        closed_days: Vec::new(),
        decimals_units,
        min_investment: minimum,
        min_initial: (at % 4 == 1).then(|| Amount::from_ore(50_000)),
        min_subsequent: (at % 6 == 2).then(|| Amount::from_ore(20_000)),
        is_complex: matches!(at, 8 | 12),
        is_raif: matches!(at, 12 | 20),
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

#[cfg(test)]
mod tests {
    use super::*;
    use sim::World;
    use sim::rng::Seed;

    #[test]
    fn the_world_of_generated_runs_opens() {
        let world = World::new(&setup(), Seed(1), start()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(sim::query::clients(&world).count(), 3);
        assert_eq!(sim::query::instruments(&world, None).len(), 25);
    }
}
