//! Mutual funds and their prices as the partner sees them.

use super::number::{Money, Number};
use super::text::{CalendarDate, Currency, Day, InstrumentId, Isin, Timestamp};
use serde::ser::{Serialize, Serializer};
use sim::money::Price;
use sim::query::InstrumentView;
use sim::records;
use sim::time::{Date, Instant};
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A mutual fund with what is known of it now.
#[derive(serde::Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Instrument<'a> {
    id: InstrumentId,
    isincode: Isin,
    name: &'a str,
    currency: Currency,
    /// Last published price in the fund's currency; null while there is none.
    #[schema(required = true)]
    close_price: Option<Number>,
    /// Dealing day of the close price.
    #[schema(required = true)]
    price_date: Option<Day>,
    kiid: Vec<KeyDocument<'a>>,
    is_buyable: bool,
    is_sellable: bool,
    is_tradable: bool,
    cost: Cost,
    /// Basis points of the holding's value that come back to the customer each year.
    rebate: Number,
    /// Most decimals that ordered units may have.
    decimals_units: u32,
    #[serde(rename = "minInvestmentAmountSEK")]
    min_investment_amount: Money,
    /// Minimum of a first purchase, where it differs from `minInvestmentAmountSEK`.
    #[serde(rename = "minInitialAmountSek", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    min_initial_amount: Option<Money>,
    /// Minimum of later purchases, where it differs from `minInvestmentAmountSEK`.
    #[serde(rename = "minSubsequentAmountSek", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    min_subsequent_amount: Option<Money>,
    /// Whether buying needs an appropriateness answer.
    is_complex: bool,
    /// Whether the fund is open to professional clients only.
    is_raif: bool,
    cut_off_time: ClockTime,
    /// Bank days from trade to settlement.
    subscription_settlement_days: u32,
    /// Bank days from trade to settlement.
    redemption_settlement_days: u32,
    /// Next cut-off for subscriptions; null while they are closed.
    #[schema(required = true)]
    cut_off_date_sub: Option<Timestamp>,
    /// Next cut-off for redemptions; null while they are closed.
    #[schema(required = true)]
    cut_off_date_red: Option<Timestamp>,
}

/// A key information document.
#[derive(serde::Serialize, ToSchema)]
struct KeyDocument<'a> {
    /// ISO 639-1.
    language: &'a str,
    url: &'a str,
}

/// Costs in percent, a year or an event.
#[derive(serde::Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Cost {
    entry_fee: Number,
    exit_fee: Number,
    ongoing_fee: Number,
    transaction_fee: Number,
    performance_fee: Number,
}

/// One historical price.
#[derive(serde::Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoricalPrice {
    price_date: CalendarDate,
    /// In the fund's currency.
    close_price: Number,
}

/// `HH:MM`.
struct ClockTime(i8, i8);

/// What an `InstrumentView` shows, kept when the world has been let go.
pub struct Shown {
    record: Arc<records::Instrument>,
    close_price: Option<Price>,
    price_date: Option<Date>,
    cut_off_sub: Option<Instant>,
    cut_off_red: Option<Instant>,
}

impl Shown {
    /// Keeps what `view` shows.
    #[must_use]
    pub fn of(view: &InstrumentView<'_>) -> Self {
        let InstrumentView { record, close_price, price_date, cut_off_sub, cut_off_red, modified: _ } = view;
        Self {
            record: Arc::clone(record),
            close_price: *close_price,
            price_date: *price_date,
            cut_off_sub: *cut_off_sub,
            cut_off_red: *cut_off_red,
        }
    }
}

impl<'a> Instrument<'a> {
    /// The public shape of what was shown.
    #[must_use]
    pub fn of(shown: &'a Shown) -> Self {
        let Shown { record, close_price, price_date, cut_off_sub, cut_off_red } = shown;
        let records::Instrument {
            id,
            name,
            first_price: _,
            volatility_bp: _,
            cut_off_hour,
            cut_off_minute,
            subscription_settlement_days,
            redemption_settlement_days,
            nav_lag_days: _,
            dealing: _,
            calendars: _,
            closed_days: _,
            decimals_units,
            min_investment,
            min_initial,
            min_subsequent,
            is_complex,
            is_raif,
            is_buyable,
            is_sellable,
            is_tradable,
            rebate,
            cost,
            kiid,
        } = record.as_ref();
        Self {
            id: InstrumentId(*id),
            isincode: Isin(id.isin()),
            name,
            currency: Currency(id.currency()),
            close_price: close_price.map(Number::from),
            price_date: price_date.map(Day),
            kiid: kiid.iter().map(|records::KeyDocument { language, url }| KeyDocument { language, url }).collect(),
            // What is suspended can be neither bought nor sold (rule: orders/suspension).
            is_buyable: *is_buyable && *is_tradable,
            is_sellable: *is_sellable && *is_tradable,
            is_tradable: *is_tradable,
            cost: Cost::of(cost),
            rebate: Number(*rebate),
            decimals_units: *decimals_units,
            min_investment_amount: Money(*min_investment),
            min_initial_amount: min_initial.map(Money),
            min_subsequent_amount: min_subsequent.map(Money),
            is_complex: *is_complex,
            is_raif: *is_raif,
            cut_off_time: ClockTime(*cut_off_hour, *cut_off_minute),
            subscription_settlement_days: *subscription_settlement_days,
            redemption_settlement_days: *redemption_settlement_days,
            cut_off_date_sub: cut_off_sub.map(Timestamp),
            cut_off_date_red: cut_off_red.map(Timestamp),
        }
    }
}

impl Cost {
    fn of(cost: &records::Cost) -> Self {
        let records::Cost { entry_fee, exit_fee, ongoing_fee, transaction_fee, performance_fee } = cost;
        Self {
            entry_fee: Number(*entry_fee),
            exit_fee: Number(*exit_fee),
            ongoing_fee: Number(*ongoing_fee),
            transaction_fee: Number(*transaction_fee),
            performance_fee: Number(*performance_fee),
        }
    }
}

impl HistoricalPrice {
    /// The public shape of a price.
    #[must_use]
    pub fn of(&(day, price): &(Date, Price)) -> Self {
        Self { price_date: CalendarDate(day), close_price: Number::from(price) }
    }
}

impl Serialize for ClockTime {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:02}:{:02}", self.0, self.1))
    }
}

impl PartialSchema for ClockTime {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Local time in Stockholm."))
            .pattern(Some("^[0-2][0-9]:[0-5][0-9]$"))
            .examples(["14:00"])
            .into()
    }
}

impl ToSchema for ClockTime {}
