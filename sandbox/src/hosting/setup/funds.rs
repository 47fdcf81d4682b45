//! Funds, exchange rates and custodians.

use crate::wire::fields::{self, Fields, Spot};
use crate::wire::shape::by;
use rust_decimal::Decimal;
use sim::calendar::ForeignCalendar;
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

pub(super) fn instrument(spot: Spot<'_, '_>) -> Option<Instrument> {
    spot.object(fund)
}

fn fund(fund: &mut Fields<'_, '_>) -> Option<Instrument> {
    let id = fund.required("id", by(fields::instrument));
    let name = fund.required("name", by(fields::text));
    let first_price = fund.required("firstPrice", by(fields::price));
    let volatility_bp = fund.or("volatilityBp", USUAL_VOLATILITY_BP, by(fields::integer(0..=HIGHEST_VOLATILITY_BP)));
    let cut_off = fund.or("cutOffTime", (14, 0), by(clock_time));
    let subscription_settlement_days = fund.or("subscriptionSettlementDays", 2, by(fields::integer(1..=5)));
    let redemption_settlement_days = fund.or("redemptionSettlementDays", 2, by(fields::integer(1..=5)));
    let nav_lag_days = fund.or("navLagDays", 0, by(fields::integer(0..=5)));
    let dealing = fund.or("dealing", DealingDays::Daily, by(dealing));
    let calendars = fund.or("calendars", Vec::new(), by(|spot| spot.list(calendar)));
    let closed_days = fund.or("closedDays", Vec::new(), by(|spot| spot.list(fields::date)));
    let decimals_units = fund.or("decimalsUnits", 4, by(fields::integer(0..=7)));
    let min_investment = fund.or("minInvestmentAmountSEK", Amount::ZERO, by(fields::amount));
    let min_initial = fund.optional("minInitialAmountSek", by(fields::amount));
    let min_subsequent = fund.optional("minSubsequentAmountSek", by(fields::amount));
    let is_complex = fund.or("isComplex", false, by(fields::flag));
    let is_raif = fund.or("isRaif", false, by(fields::flag));
    let is_buyable = fund.or("isBuyable", true, by(fields::flag));
    let is_sellable = fund.or("isSellable", true, by(fields::flag));
    let is_tradable = fund.or("isTradable", true, by(fields::flag));
    let rebate = fund.or("rebate", Decimal::ZERO, by(fields::decimal(2)));
    let cost = fund.or("cost", free(), by(|spot| spot.object(cost)));
    let kiid = fund.or("kiid", Vec::new(), by(|spot| spot.list(|spot| spot.object(key_document))));
    let (cut_off_hour, cut_off_minute) = cut_off?;
    Some(Instrument {
        id: id?,
        name: name?,
        first_price: first_price?,
        volatility_bp: volatility_bp?,
        cut_off_hour,
        cut_off_minute,
        subscription_settlement_days: subscription_settlement_days?,
        redemption_settlement_days: redemption_settlement_days?,
        nav_lag_days: nav_lag_days?,
        dealing: dealing?,
        calendars: calendars?,
        closed_days: closed_days?,
        decimals_units: decimals_units?,
        min_investment: min_investment?,
        min_initial: min_initial?,
        min_subsequent: min_subsequent?,
        is_complex: is_complex?,
        is_raif: is_raif?,
        is_buyable: is_buyable?,
        is_sellable: is_sellable?,
        is_tradable: is_tradable?,
        rebate: rebate?,
        cost: cost?,
        kiid: kiid?,
    })
}

pub(super) fn rate(spot: Spot<'_, '_>) -> Option<RateSetup> {
    spot.object(|rate| {
        let currency = rate.required("currency", by(fields::currency));
        let value = rate.required("rate", by(fields::decimal(4)));
        let volatility_bp = rate.or("volatilityBp", 40, by(fields::integer(0..=HIGHEST_VOLATILITY_BP)));
        Some(RateSetup { currency: currency?, rate: value?, volatility_bp: volatility_bp? })
    })
}

pub(super) fn custodian(spot: Spot<'_, '_>) -> Option<Custodian> {
    spot.object(|custodian| {
        let form = "1 to 64 characters without outer blanks";
        let id = custodian.required("id", by(|spot| spot.text_as(form, |text| text.parse().ok())));
        let name = custodian.required("name", by(fields::text));
        Some(Custodian { id: id?, name: name? })
    })
}

/// `HH:MM`.
fn clock_time(spot: Spot<'_, '_>) -> Option<(i8, i8)> {
    let part = |text: &str, below: i8| -> Option<i8> {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&number| digits && number < below)
    };
    spot.text_as("a local time in the form HH:MM", |text| {
        let (hour, minute) = text.split_once(':')?;
        Some((part(hour, 24)?, part(minute, 60)?))
    })
}

/// `"daily"`, `{"weekly": 1-7}` or `{"monthly": 1-31}`.
fn dealing(spot: Spot<'_, '_>) -> Option<DealingDays> {
    use crate::wire::json::Node;
    if let Node::Text(_) = spot.node() {
        return spot.text_as("`daily` or an object", |text| (text == "daily").then_some(DealingDays::Daily));
    }
    spot.object(|days| {
        let weekly = days.optional("weekly", by(fields::integer(1..=7)));
        let monthly = days.optional("monthly", by(fields::integer(1..=31)));
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
    Cost {
        entry_fee: Decimal::ZERO,
        exit_fee: Decimal::ZERO,
        ongoing_fee: Decimal::ZERO,
        transaction_fee: Decimal::ZERO,
        performance_fee: Decimal::ZERO,
    }
}

fn cost(cost: &mut Fields<'_, '_>) -> Option<Cost> {
    let mut percent = |name| cost.or(name, Decimal::ZERO, by(fields::decimal(4)));
    let entry_fee = percent("entryFee");
    let exit_fee = percent("exitFee");
    let ongoing_fee = percent("ongoingFee");
    let transaction_fee = percent("transactionFee");
    let performance_fee = percent("performanceFee");
    Some(Cost {
        entry_fee: entry_fee?,
        exit_fee: exit_fee?,
        ongoing_fee: ongoing_fee?,
        transaction_fee: transaction_fee?,
        performance_fee: performance_fee?,
    })
}

fn key_document(document: &mut Fields<'_, '_>) -> Option<KeyDocument> {
    let language = document.required("language", by(fields::text));
    let url = document.required("url", by(fields::text));
    Some(KeyDocument { language: language?, url: url? })
}
