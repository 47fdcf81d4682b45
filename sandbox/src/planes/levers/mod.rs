//! Levers: what people and companies outside the partner API cause, under `/simulations` and with a partner's token
//! (rule: auth/lever-scope).
//!
//! Invariant: every lever is a command and answers the changed resource in its public shape; what the state does not
//! allow is 409 and changes nothing. Absent on purpose: shortcuts into the world, and the machinery of the sandbox itself,
//! which is `operator`.

pub mod accounts;
pub mod bank_accounts;
pub mod bookings;
pub mod clients;
pub mod corporate_actions;
pub mod death;
pub mod instruments;
pub mod journeys;
pub mod mobile_payments;
pub mod orders;
pub mod payments;
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
        post("/simulations/account/{accountId}/approve", accounts::approve).writes(Resource::Account),
        post("/simulations/account/{accountId}/reject", accounts::reject).writes(Resource::Account),
        post("/simulations/account/{accountId}/confirm", accounts::confirm).writes(Resource::Account),
        post("/simulations/journey/{journeyId}/open", journeys::open).writes(Resource::Journey),
        get("/simulations/journey/{journeyId}/steps", journeys::steps).reads(Resource::Journey),
        post("/simulations/journey/{journeyId}/answer", journeys::answer).writes(Resource::Journey),
        post("/simulations/journey/{journeyId}/sign", journeys::sign).writes(Resource::Journey),
        post("/simulations/journey/{journeyId}/complete", journeys::complete).writes(Resource::Journey),
        post("/simulations/journey/{journeyId}/cancel", journeys::cancel).writes(Resource::Journey),
        post("/simulations/journey/{journeyId}/fail", journeys::fail).writes(Resource::Journey),
        post("/simulations/journey/{journeyId}/expire", journeys::expire).writes(Resource::Journey),
        post("/simulations/bankaccount/{bankAccountId}/check", bank_accounts::check).writes(Resource::Account),
        post("/simulations/bankaccount/{bankAccountId}/mandate", bank_accounts::mandate).writes(Resource::Account),
        post("/simulations/transfer/{transferId}/accept", transfers::accept).writes(Resource::Account),
        post("/simulations/transfer/{transferId}/reject", transfers::reject).writes(Resource::Account),
        post("/simulations/transfer/{transferId}/complete", transfers::complete).writes(Resource::Account),
        post("/simulations/screening", screening::screen).writes(Resource::Account),
        post("/simulations/death", death::report).writes(Resource::Account),
        post("/simulations/order/{orderId}/hold", orders::hold).writes(Resource::Order),
        post("/simulations/order/{orderId}/release", orders::release).writes(Resource::Order),
        post("/simulations/order/{orderId}/reject", orders::reject).writes(Resource::Order),
        post("/simulations/instrument/{instrumentId}/price", instruments::price).writes_anything(),
        post("/simulations/instrument/{instrumentId}/trading", instruments::trading).writes_anything(),
        post("/simulations/instrument/{instrumentId}/delay-nav", instruments::delay_nav).writes_anything(),
        post("/simulations/mobilepay/{mobilepayId}/pay", mobile_payments::pay).writes(Resource::Account),
        post("/simulations/mobilepay/{mobilepayId}/decline", mobile_payments::decline).writes(Resource::Account),
        post("/simulations/mobilepay/{mobilepayId}/fail", mobile_payments::fail).writes(Resource::Account),
        post("/simulations/account/{accountId}/mobilepay", mobile_payments::refuse_payers).writes(Resource::Account),
        post("/simulations/instrument/{instrumentId}/split", corporate_actions::split).writes_anything(),
        post("/simulations/instrument/{instrumentId}/merge", corporate_actions::merge).writes_anything(),
        post("/simulations/instrument/{instrumentId}/liquidate", corporate_actions::liquidate).writes_anything(),
        post("/simulations/account/{accountId}/book", bookings::book).writes(Resource::Account),
        post("/simulations/withdrawal/{transactionId}/bounce", payouts::bounce).writes(Resource::Account),
        post("/simulations/bankgiro", payments::bankgiro).writes(Resource::Account),
        post("/simulations/payment/{paymentId}/fail", payments::fail).writes(Resource::Instruction),
        post("/simulations/payment/{paymentId}/refund", payments::refund).writes(Resource::Instruction),
        post("/simulations/client/{clientId}/fees", clients::fees).writes(Resource::Client),
        post("/simulations/client/{clientId}/purge", purge::client).writes(Resource::Client),
        post("/simulations/account/{accountId}/purge", purge::account).writes(Resource::Account),
        post("/simulations/journey/{journeyId}/purge", purge::journey).writes(Resource::Journey),
        post("/simulations/order/{orderId}/purge", purge::order).writes(Resource::Order),
        post("/simulations/cashTransaction/{transactionId}/purge", purge::cash_transaction).writes(Resource::Transaction),
        post("/simulations/fundTransaction/{transactionId}/purge", purge::fund_transaction).writes(Resource::Transaction),
    ]
}
