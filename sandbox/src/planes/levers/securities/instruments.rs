//! The fund companies: prices, trading flags, late prices. They act on the whole world.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::{MAX_LATE_BANK_DAYS, SetPrice, SetTrading};
use sim::identity::InstrumentId;
use sim::money::Price;
use sim::time::Date;
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, integer, shape};

shape! {
    /// A price of a fund.
    pub(crate) struct PriceRequest {
        close_price: Price = required "closePrice";
        /// Day of the price; the last possible day when left out.
        price_date: Option<Date> = optional "priceDate";
    }
}

shape! {
    /// Whether a fund can be bought, sold or traded at all: at least one of the three. Absent fields stay unchanged.
    pub(crate) struct TradingRequest {
        is_buyable: Option<bool> = optional "isBuyable";
        is_sellable: Option<bool> = optional "isSellable";
        is_tradable: Option<bool> = optional "isTradable";
    }
}

shape! {
    /// A delay of a fund's prices.
    pub(crate) struct DelayRequest {
        bank_days: u32 = required "bankDays" as integer(1..=MAX_LATE_BANK_DAYS);
    }
}

/// `POST /simulations/instrument/{instrumentId}/price`
pub async fn price(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let PriceRequest { close_price, price_date } = body.read(Unknown::Refused, PriceRequest::rows)?;
    submitted(&caller, Command::SetPrice(SetPrice { instrument, close_price, price_date })).await
}

/// `POST /simulations/instrument/{instrumentId}/trading`
pub async fn trading(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let set = body.read(Unknown::Refused, |body| {
        let TradingRequest { is_buyable, is_sellable, is_tradable } = TradingRequest::rows(body)?;
        let set = SetTrading { instrument, is_buyable, is_sellable, is_tradable };
        if (set.is_buyable, set.is_sellable, set.is_tradable) == (None, None, None) {
            body.problem("isBuyable", "or isSellable or isTradable is required");
        }
        Some(set)
    })?;
    submitted(&caller, Command::SetTrading(set)).await
}

/// `POST /simulations/instrument/{instrumentId}/delay-nav`
pub async fn delay_nav(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let DelayRequest { bank_days } = body.read(Unknown::Refused, DelayRequest::rows)?;
    submitted(&caller, Command::DelayNav { instrument, bank_days }).await
}
