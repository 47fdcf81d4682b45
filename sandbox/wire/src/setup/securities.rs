//! Funds, exchange rates and custodians.

use crate::json::Node;
use crate::rows::fields::{self, Cursor, Unknown};
use crate::rows::shape::{FieldType, Schemas, Shape as _, described, each, integer, line, plain, shape};
use rust_decimal::Decimal;
use sim::calendar::ForeignCalendar;
use sim::ids::CustodianId;
use sim::money::Amount;
use sim::records::{Cost, DealingDays, Instrument, KeyDocument};
use sim::setup::values::{HIGHEST_VOLATILITY_BP, RATE_DECIMALS, REBATE_DECIMALS};
use sim::setup::{Custodian, HistorySetup, RateSetup};
use utoipa::openapi::schema::{OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

/// Markets whose holidays can close a fund, by their country.
const CALENDARS: &[(&str, ForeignCalendar)] =
    &[("US", ForeignCalendar::Us), ("LU", ForeignCalendar::Luxembourg), ("GB", ForeignCalendar::Uk)];

/// A fund without a volatility of its own moves by so many basis points on a usual day.
const USUAL_VOLATILITY_BP: u32 = 90;

shape! {
    /// Accounts with a history before the start: opening, deposits, purchases and sales, drawn from the seed.
    whole HistorySetup as HistorySetup {
        /// Number of accounts, distributed over all clients in turn. Times `days` it is at most 1,830,000.
        accounts = required "accounts" as integer(1..=HistorySetup::MOST_ACCOUNTS);
        /// How many days before its start the world begins.
        days = required "days" as integer(1..=HistorySetup::MOST_DAYS);
    }
}

shape! {
    /// A fund.
    whole Instrument as InstrumentSetup {
        /// ISIN with its check digit, followed by a currency code.
        id = required "id";
        /// Its name.
        name = required "name" as line();
        /// Price of a unit on the first day, in the fund's currency.
        first_price = required "firstPrice";
        /// How much a price moves on a usual day, in hundredths of a percent. Default: 90.
        volatility_bp = or(USUAL_VOLATILITY_BP) "volatilityBp" as integer(0..=HIGHEST_VOLATILITY_BP);
        /// Cut-off for orders of the day, local time. Default: 14:00.
        cut_off_hour = or(14) "cutOffTime" as described(|cursor| clock_time(cursor).map(|time| time.0), clock_time_schema);
        // The hour has reported the problem.
        /// Cut-off for orders of the day, local time. Default: 14:00.
        cut_off_minute = or(0) "cutOffTime" as described(|cursor| Some(minute(cursor)), clock_time_schema);
        /// Bank days from the cut-off to the settlement of a purchase. Default: 2.
        subscription_settlement_days = or(2) "subscriptionSettlementDays" as integer(1..=5);
        /// Bank days from the cut-off to the settlement of a sale. Default: 2.
        redemption_settlement_days = or(2) "redemptionSettlementDays" as integer(1..=5);
        /// 0: priced on the dealing day at 18:30; 1: on the next bank day at 10:00, and so on. Default: 0.
        nav_lag_days = or(0) "navLagDays" as integer(0..=5);
        /// Dealing days. Default: `daily`.
        dealing = or(DealingDays::Daily) "dealing" as described(dealing, dealing_schema);
        /// Markets on whose holidays it is closed.
        calendars = or(Vec::new()) "calendars" as each(described(calendar, calendar_schema));
        /// Other days on which it is closed.
        closed_days = or(Vec::new()) "closedDays";
        /// Decimals of its units. Default: 4.
        decimals_units = or(4) "decimalsUnits" as integer(0..=7);
        /// Smallest purchase in SEK.
        min_investment = or(Amount::ZERO) "minInvestmentAmountSEK";
        /// Smallest first purchase in SEK, where that differs.
        min_initial = optional "minInitialAmountSek";
        /// Smallest later purchase in SEK, where that differs.
        min_subsequent = optional "minSubsequentAmountSek";
        /// Whether buying needs an appropriateness answer.
        is_complex = or(false) "isComplex";
        /// Whether it is for professional clients only.
        is_raif = or(false) "isRaif";
        /// Whether it can be bought. Default: true.
        is_buyable = or(true) "isBuyable";
        /// Whether it can be sold. Default: true.
        is_sellable = or(true) "isSellable";
        /// Whether it can be traded at all. Default: true.
        is_tradable = or(true) "isTradable";
        /// Percent of its fee that is rebated, a year.
        rebate = or(Decimal::ZERO) "rebate" as decimal(REBATE_DECIMALS);
        /// Costs in percent. Default: none.
        cost = or(free()) "cost";
        /// Its key documents.
        kiid = or(Vec::new()) "kiid";
    }
}

shape! {
    /// First rate of a currency.
    whole RateSetup as RateSetup {
        /// The currency.
        currency = required "currency";
        /// SEK for one unit of the currency.
        rate = required "rate" as decimal(RATE_DECIMALS);
        /// How much a price moves on a usual day, in hundredths of a percent. Default: 40.
        volatility_bp = or(40) "volatilityBp" as integer(0..=HIGHEST_VOLATILITY_BP);
    }
}

shape! {
    /// An institution that holdings can be transferred from.
    whole Custodian as CustodianSetup {
        /// Its id.
        id = required "id" as described(custodian, |_| plain(Type::String).min_length(Some(1)).max_length(Some(64)).into());
        /// Its name.
        name = required "name" as line();
    }
}

fn custodian(cursor: Cursor<'_, '_>) -> Option<CustodianId> {
    cursor.text_as("1 to 64 characters without outer blanks", |text| text.parse().ok())
}

/// `HH:MM`.
fn clock_time(cursor: Cursor<'_, '_>) -> Option<(i8, i8)> {
    cursor.text_as("a local time in the form HH:MM", hour_and_minute)
}

fn minute(cursor: Cursor<'_, '_>) -> i8 {
    match cursor.node() {
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
fn dealing(cursor: Cursor<'_, '_>) -> Option<DealingDays> {
    if let Node::Text(_) = cursor.node() {
        return cursor.text_as("`daily` or an object", |text| (text == "daily").then_some(DealingDays::Daily));
    }
    cursor.object(|days| {
        let weekly = days.optional("weekly", integer(1..=7));
        let monthly = days.optional("monthly", integer(1..=31));
        match (weekly?, monthly?) {
            (Some(day), None) => Some(DealingDays::Weekly(day)),
            (None, Some(day)) => Some(DealingDays::Monthly(day)),
            _ => cursor.wrong("must have either `weekly` or `monthly`"),
        }
    })
}

fn calendar(cursor: Cursor<'_, '_>) -> Option<ForeignCalendar> {
    let of = |text: &str| CALENDARS.iter().find(|row| row.0 == text).map(|row| row.1);
    cursor.text_as("one of `US`, `LU` or `GB`", of)
}

fn decimal(decimals: u32) -> impl FieldType<Value = Decimal> {
    described(fields::decimal(decimals), |_| plain(Type::Number).into())
}

fn clock_time_schema(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).pattern(Some("^([01][0-9]|2[0-3]):[0-5][0-9]$")).into()
}

fn calendar_schema(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).enum_values(Some(CALENDARS.iter().map(|row| row.0))).into()
}

fn dealing_schema(_: &mut Schemas) -> RefOr<Schema> {
    let day = |name, last: i64| {
        let day = plain(Type::Integer).minimum(Some(1)).maximum(Some(last));
        plain(Type::Object).property(name, day).required(name)
    };
    let daily = plain(Type::String).enum_values(Some(["daily"]));
    OneOfBuilder::new().item(daily).item(day("weekly", 7)).item(day("monthly", 31)).into()
}

fn free() -> Cost {
    fields::read(&Node::Object(Vec::new()), Unknown::Refused, Cost::rows).expect("every row has a default")
}

shape! {
    /// What a fund costs, in percent.
    whole Cost as CostSetup {
        /// Fee on a purchase.
        entry_fee = or(Decimal::ZERO) "entryFee" as decimal(RATE_DECIMALS);
        /// Fee on a sale.
        exit_fee = or(Decimal::ZERO) "exitFee" as decimal(RATE_DECIMALS);
        /// Ongoing fee, a year.
        ongoing_fee = or(Decimal::ZERO) "ongoingFee" as decimal(RATE_DECIMALS);
        /// Cost of the fund's own trades, a year.
        transaction_fee = or(Decimal::ZERO) "transactionFee" as decimal(RATE_DECIMALS);
        /// Fee on the fund's gains.
        performance_fee = or(Decimal::ZERO) "performanceFee" as decimal(RATE_DECIMALS);
    }
}

shape! {
    /// A key document.
    whole KeyDocument as KeyDocumentSetup {
        /// Two letters.
        language = required "language" as line();
        /// Address of the document.
        url = required "url" as line();
    }
}
