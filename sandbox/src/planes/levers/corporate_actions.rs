//! The fund companies: splits, mergers and liquidations. They act on the whole world (rule: payments/corporate-action-day).

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json, OptionalJson};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::of;
use sim::Command;
use sim::identity::InstrumentId;
use sim::records::CorporateAct;

/// `POST /simulations/instrument/{instrumentId}/split`
pub async fn split(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let act = body.read(Unknown::Refused, |body| {
        let factor = body.required("factor", of());
        Some(CorporateAct::Split { factor: factor? })
    })?;
    submitted(&caller, Command::Announce { instrument, act })
}

/// `POST /simulations/instrument/{instrumentId}/merge`
pub async fn merge(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: Json) -> HandlerResult {
    let act = body.read(Unknown::Refused, |body| {
        let into = body.required("into", of());
        let ratio = body.optional("ratio", of());
        Some(CorporateAct::Merge { into: into?, ratio: ratio? })
    })?;
    submitted(&caller, Command::Announce { instrument, act })
}

/// `POST /simulations/instrument/{instrumentId}/liquidate`
pub async fn liquidate(caller: Caller, Ids(instrument): Ids<InstrumentId>, body: OptionalJson) -> HandlerResult {
    let act = body.read(Unknown::Refused, |body| {
        let price = body.optional("price", of());
        Some(CorporateAct::Liquidate { price: price? })
    })?;
    submitted(&caller, Command::Announce { instrument, act })
}
