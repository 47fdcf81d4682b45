//! The fund companies: prices, trading flags, late prices. They act on the whole world.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::{integer, of};
use sim::Command;
use sim::command::{MAX_LATE_BANK_DAYS, SetPrice, SetTrading};
use sim::identity::InstrumentId;

/// `POST /simulations/instrument/{instrumentId}/price`
pub async fn price(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let set = body.read(Unknown::Refused, |body| {
        let close_price = body.required("closePrice", of());
        let price_date = body.optional("priceDate", of());
        Some(SetPrice { instrument, close_price: close_price?, price_date: price_date? })
    })?;
    submitted(&caller, Command::SetPrice(set))
}

/// `POST /simulations/instrument/{instrumentId}/trading`
pub async fn trading(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let set = body.read(Unknown::Refused, |body| {
        let is_buyable = body.optional("isBuyable", of());
        let is_sellable = body.optional("isSellable", of());
        let is_tradable = body.optional("isTradable", of());
        let set =
            SetTrading { instrument, is_buyable: is_buyable?, is_sellable: is_sellable?, is_tradable: is_tradable? };
        if (set.is_buyable, set.is_sellable, set.is_tradable) == (None, None, None) {
            body.problem("isBuyable", "or isSellable or isTradable is required");
        }
        Some(set)
    })?;
    submitted(&caller, Command::SetTrading(set))
}

/// `POST /simulations/instrument/{instrumentId}/delay-nav`
pub async fn delay_nav(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let bank_days = body.read(Unknown::Refused, |body| body.required("bankDays", integer(1..=MAX_LATE_BANK_DAYS)))?;
    submitted(&caller, Command::DelayNav { instrument, bank_days })
}
