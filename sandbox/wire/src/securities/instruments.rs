//! Mutual funds and their prices as the partner sees them.

use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::text::{CalendarDate, Currency, Day, InstrumentId, Isin, Timestamp};
use serde::ser::{Serialize, Serializer};
use sim::money::Price;
use sim::query::InstrumentView;
use sim::records;
use sim::time::{Date, Instant};
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

shown! {
    /// A mutual fund with its present data.
    pub Instrument<'a> of records::Instrument, with now: &Shown {
        id: InstrumentId = "id";
        also isincode: Isin = "isincode" by Isin(id.isin());
        name: &'a str = "name";
        also currency: Currency = "currency" by Currency(id.currency());
        /// Last published price in the fund's currency; null while there is none.
        also close_price: Number = nullable "closePrice" by now.close_price.map(Number::from);
        /// Dealing day of the close price.
        also price_date: Day = nullable "priceDate" by now.price_date.map(Day);
        kiid: Vec<KeyDocument<'a>> = "kiid";
        // What is suspended can be neither bought nor sold (rule: orders/suspension).
        is_buyable: bool = "isBuyable" by *is_buyable && *is_tradable;
        is_sellable: bool = "isSellable" by *is_sellable && *is_tradable;
        is_tradable: bool = "isTradable";
        cost: Cost = "cost";
        /// Basis points of the holding's value that are rebated to the customer each year.
        rebate: Number = "rebate";
        /// Largest number of decimals of ordered units.
        decimals_units: u32 = "decimalsUnits";
        min_investment: Money = "minInvestmentAmountSEK";
        /// Minimum of a first purchase, where it differs from `minInvestmentAmountSEK`.
        min_initial: Money = optional "minInitialAmountSek";
        /// Minimum of later purchases, where it differs from `minInvestmentAmountSEK`.
        min_subsequent: Money = optional "minSubsequentAmountSek";
        /// Whether buying needs an appropriateness answer.
        is_complex: bool = "isComplex";
        /// Whether the fund is open to professional clients only.
        is_raif: bool = "isRaif";
        also cut_off_time: ClockTime = "cutOffTime" by ClockTime(*cut_off_hour, *cut_off_minute);
        /// Bank days from trade to settlement.
        subscription_settlement_days: u32 = "subscriptionSettlementDays";
        /// Bank days from trade to settlement.
        redemption_settlement_days: u32 = "redemptionSettlementDays";
        /// Next cut-off for subscriptions; null while they are closed.
        also cut_off_date_sub: Timestamp = nullable "cutOffDateSub" by now.cut_off_sub.map(Timestamp);
        /// Next cut-off for redemptions; null while they are closed.
        also cut_off_date_red: Timestamp = nullable "cutOffDateRed" by now.cut_off_red.map(Timestamp);
        used cut_off_hour, cut_off_minute;
        hidden first_price, volatility_bp, nav_lag_days, dealing, calendars, closed_days;
    }
}

shown! {
    /// A key information document.
    KeyDocument<'a> of records::KeyDocument {
        /// ISO 639-1.
        language: &'a str = "language";
        url: &'a str = "url";
    }
}

shown! {
    /// Costs in percent, a year or an event.
    Cost of records::Cost {
        entry_fee: Number = "entryFee";
        exit_fee: Number = "exitFee";
        ongoing_fee: Number = "ongoingFee";
        transaction_fee: Number = "transactionFee";
        performance_fee: Number = "performanceFee";
    }
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
    /// The public shape of the instrument.
    #[must_use]
    pub fn shape(&self) -> Instrument<'_> {
        Instrument::of(&self.record, self)
    }

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
