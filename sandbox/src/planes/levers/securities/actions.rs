//! The fund companies: splits, mergers and liquidations. They act on the whole world (rule: securities/corporate-action-day).

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::identity::InstrumentId;
use sim::money::{Price, Ratio};
use sim::records::CorporateAct;
use surface::auth::Caller;
use surface::extract::{Ids, Json, OptionalJson};
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, shape};

shape! {
    /// A split of a fund.
    pub(crate) struct SplitRequest {
        /// New units for each unit.
        factor: Ratio = required "factor";
    }
}

shape! {
    /// A merger of a fund into another.
    pub(crate) struct MergerRequest {
        into: InstrumentId = required "into";
        /// Units of the other fund for each unit; determined by the prices of the day when left out.
        ratio: Option<Ratio> = optional "ratio";
    }
}

shape! {
    /// A liquidation of a fund.
    pub(crate) struct LiquidationRequest {
        /// Price paid for a unit; the price of the day when left out.
        price: Option<Price> = optional "price";
    }
}

/// `POST /simulations/instrument/{instrumentId}/split`
pub async fn split(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let SplitRequest { factor } = body.read(Unknown::Refused, SplitRequest::rows)?;
    submitted(&caller, Command::Announce { instrument, act: CorporateAct::Split { factor } }).await
}

/// `POST /simulations/instrument/{instrumentId}/merge`
pub async fn merge(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let MergerRequest { into, ratio } = body.read(Unknown::Refused, MergerRequest::rows)?;
    submitted(&caller, Command::Announce { instrument, act: CorporateAct::Merge { into, ratio } }).await
}

/// `POST /simulations/instrument/{instrumentId}/liquidate`
pub async fn liquidate(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: OptionalJson) -> HandlerResult {
    let LiquidationRequest { price } = body.read(Unknown::Refused, LiquidationRequest::rows)?;
    submitted(&caller, Command::Announce { instrument, act: CorporateAct::Liquidate { price } }).await
}
