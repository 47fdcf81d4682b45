//! Levers: what people and companies outside the partner API cause, under `/simulations` and with a partner's token.
//!
//! Invariant: every lever is a command and answers the changed resource in its public shape; what the state does not
//! allow is 409 and changes nothing. Absent on purpose: shortcuts into the world, and the machinery of the sandbox itself,
//! which is `operator`.

pub mod accounts;
pub mod bank_accounts;
pub mod instruments;
pub mod journeys;
pub mod orders;
pub mod payouts;
pub mod purge;
pub mod screening;
pub mod transfers;

use crate::http::auth::Resource;
use crate::http::route::{Route, get, post};

/// The routes, a row each: who may call it, who answers.
#[rustfmt::skip]
pub(crate) fn routes() -> Vec<Route> {
    vec![
        post("/simulations/account", accounts::open).writes(Resource::Account),
        post("/simulations/account/{accountId}/approve", accounts::approve),
        post("/simulations/account/{accountId}/reject", accounts::reject),
        post("/simulations/account/{accountId}/confirm", accounts::confirm),
        post("/simulations/journey/{journeyId}/open", journeys::open),
        get("/simulations/journey/{journeyId}/steps", journeys::steps),
        post("/simulations/journey/{journeyId}/answer", journeys::answer),
        post("/simulations/journey/{journeyId}/sign", journeys::sign),
        post("/simulations/journey/{journeyId}/complete", journeys::complete),
        post("/simulations/journey/{journeyId}/cancel", journeys::cancel),
        post("/simulations/journey/{journeyId}/fail", journeys::fail),
        post("/simulations/journey/{journeyId}/expire", journeys::expire),
        post("/simulations/bankaccount/{bankAccountId}/check", bank_accounts::check),
        post("/simulations/bankaccount/{bankAccountId}/mandate", bank_accounts::mandate),
        post("/simulations/transfer/{transferId}/accept", transfers::accept),
        post("/simulations/transfer/{transferId}/reject", transfers::reject),
        post("/simulations/transfer/{transferId}/complete", transfers::complete),
        post("/simulations/screening", screening::screen),
        post("/simulations/order/{orderId}/hold", orders::hold),
        post("/simulations/order/{orderId}/release", orders::release),
        post("/simulations/order/{orderId}/reject", orders::reject),
        post("/simulations/instrument/{instrumentId}/price", instruments::price),
        post("/simulations/instrument/{instrumentId}/trading", instruments::trading),
        post("/simulations/instrument/{instrumentId}/delay-nav", instruments::delay_nav),
        post("/simulations/withdrawal/{transactionId}/bounce", payouts::bounce),
        post("/simulations/client/{clientId}/purge", purge::client),
        post("/simulations/journey/{journeyId}/purge", purge::journey),
        post("/simulations/order/{orderId}/purge", purge::order),
        post("/simulations/cashTransaction/{transactionId}/purge", purge::cash_transaction),
        post("/simulations/fundTransaction/{transactionId}/purge", purge::fund_transaction),
    ]
}
