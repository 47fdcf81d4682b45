//! Funds, exchange rates and custodians.

use crate::wire::fields::{self, Spot, Unknown};
use crate::wire::json::Node;
use crate::wire::shape::{Shape as _, by, each, integer, line, shape};
use rust_decimal::Decimal;
use sim::calendar::ForeignCalendar;
use sim::ids::CustodianId;
use sim::money::Amount;
use sim::records::{Cost, DealingDays, Instrument, KeyDocument};
use sim::setup::{Custodian, RateSetup};

/// Markets whose holidays can close a fund, by their country.
const CALENDARS: &[(&str, ForeignCalendar)] =
    &[("US", ForeignCalendar::Us), ("LU", ForeignCalendar::Luxembourg), ("GB", ForeignCalendar::Uk)];

/// A fund that nothing is said about moves by so many basis points on a usual day.
const USUAL_VOLATILITY_BP: u32 = 90;
/// A walk may at most halve or double in a day (rule: orders/price-bounds), so more than this is no walk.
const HIGHEST_VOLATILITY_BP: u32 = 2_000;

shape! {
    /// A fund.
    whole Instrument as InstrumentSetup {
        id = required "id";
        name = required "name" as line();
        first_price = required "firstPrice";
        volatility_bp = or(USUAL_VOLATILITY_BP) "volatilityBp" as integer(0..=HIGHEST_VOLATILITY_BP);
        cut_off_hour = or(14) "cutOffTime" as by(|spot| clock_time(spot).map(|time| time.0));
        // The hour has told what is wrong.
        cut_off_minute = or(0) "cutOffTime" as by(|spot| Some(minute(spot)));
        subscription_settlement_days = or(2) "subscriptionSettlementDays" as integer(1..=5);
        redemption_settlement_days = or(2) "redemptionSettlementDays" as integer(1..=5);
        nav_lag_days = or(0) "navLagDays" as integer(0..=5);
        dealing = or(DealingDays::Daily) "dealing" as by(dealing);
        calendars = or(Vec::new()) "calendars" as each(by(calendar));
        closed_days = or(Vec::new()) "closedDays";
        decimals_units = or(4) "decimalsUnits" as integer(0..=7);
        min_investment = or(Amount::ZERO) "minInvestmentAmountSEK";
        min_initial = optional "minInitialAmountSek";
        min_subsequent = optional "minSubsequentAmountSek";
        is_complex = or(false) "isComplex";
        is_raif = or(false) "isRaif";
        is_buyable = or(true) "isBuyable";
        is_sellable = or(true) "isSellable";
        is_tradable = or(true) "isTradable";
        rebate = or(Decimal::ZERO) "rebate" as by(fields::decimal(2));
        cost = or(free()) "cost";
        kiid = or(Vec::new()) "kiid";
    }
}

shape! {
    /// First rate of a currency.
    whole RateSetup as RateSetup {
        currency = required "currency";
        rate = required "rate" as by(fields::decimal(4));
        volatility_bp = or(40) "volatilityBp" as integer(0..=HIGHEST_VOLATILITY_BP);
    }
}

shape! {
    /// An institution that holdings can be transferred from.
    whole Custodian as CustodianSetup {
        id = required "id" as by(custodian);
        name = required "name" as line();
    }
}

fn custodian(spot: Spot<'_, '_>) -> Option<CustodianId> {
    spot.text_as("1 to 64 characters without outer blanks", |text| text.parse().ok())
}

/// `HH:MM`.
fn clock_time(spot: Spot<'_, '_>) -> Option<(i8, i8)> {
    spot.text_as("a local time in the form HH:MM", hour_and_minute)
}

fn minute(spot: Spot<'_, '_>) -> i8 {
    match spot.node() {
        Node::Text(text) => hour_and_minute(text).map_or(0, |time| time.1),
        _ => 0,
    }
}

fn hour_and_minute(text: &str) -> Option<(i8, i8)> {
    let part = |text: &str, below: i8| -> Option<i8> {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&number| digits && number < below)
    };
    let (hour, minute) = text.split_once(':')?;
    Some((part(hour, 24)?, part(minute, 60)?))
}

/// `"daily"`, `{"weekly": 1-7}` or `{"monthly": 1-31}`.
fn dealing(spot: Spot<'_, '_>) -> Option<DealingDays> {
    if let Node::Text(_) = spot.node() {
        return spot.text_as("`daily` or an object", |text| (text == "daily").then_some(DealingDays::Daily));
    }
    spot.object(|days| {
        let weekly = days.optional("weekly", integer(1..=7));
        let monthly = days.optional("monthly", integer(1..=31));
        match (weekly?, monthly?) {
            (Some(day), None) => Some(DealingDays::Weekly(day)),
            (None, Some(day)) => Some(DealingDays::Monthly(day)),
            _ => spot.wrong("must have either `weekly` or `monthly`"),
        }
    })
}

fn calendar(spot: Spot<'_, '_>) -> Option<ForeignCalendar> {
    let of = |text: &str| CALENDARS.iter().find(|row| row.0 == text).map(|row| row.1);
    spot.text_as("one of `US`, `LU` or `GB`", of)
}

fn free() -> Cost {
    fields::read(&Node::Object(Vec::new()), Unknown::Refused, Cost::rows).expect("every row has a default")
}

shape! {
    /// What a fund costs, in percent.
    whole Cost as CostSetup {
        entry_fee = or(Decimal::ZERO) "entryFee" as by(fields::decimal(4));
        exit_fee = or(Decimal::ZERO) "exitFee" as by(fields::decimal(4));
        ongoing_fee = or(Decimal::ZERO) "ongoingFee" as by(fields::decimal(4));
        transaction_fee = or(Decimal::ZERO) "transactionFee" as by(fields::decimal(4));
        performance_fee = or(Decimal::ZERO) "performanceFee" as by(fields::decimal(4));
    }
}

shape! {
    /// A key document.
    whole KeyDocument as KeyDocumentSetup {
        language = required "language" as line();
        url = required "url" as line();
    }
}
