//! The partner API on one screen, in the order of its specification, and the levers beside it.
//!
//! Invariant: `ROUTES` names exactly the routes that `routes` serves, because one list makes both. What is neither in the
//! list nor among the others is 404 with the error body, an unknown method too (rule: wire/unknown-routes).
//! Absent on purpose: the socket and the token endpoint, which `feed` and `auth` serve, and the machinery of `operator`.

use crate::App;
use crate::http::directory::Directory;
use crate::http::openapi;
use crate::planes::levers;
use crate::planes::partner::{
    accounts, agreements, clients, instruments, journeys, orders, plans, system, transactions,
};
use crate::wire::error::ApiError;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use axum::routing::get;

macro_rules! routes {
    ($($method:ident $path:literal => $handler:path;)*) => {
        /// Method and path of every route, in order.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        /// The routes with their handlers.
        #[must_use]
        pub fn routes() -> Directory {
            Directory::default()$(.with(verb(stringify!($method)), $path, $handler))*
        }
    };
}

#[rustfmt::skip]
routes! {
    get    "/ping"                                                                     => system::ping;

    get    "/v2/partner/client/{clientId}/account"                                     => accounts::list;
    get    "/v2/partner/client/{clientId}/account/{accountId}"                         => accounts::read;
    delete "/v2/partner/client/{clientId}/account/{accountId}"                         => accounts::close;
    get    "/v2/partner/client/{clientId}/account/{accountId}/value"                   => accounts::value;
    get    "/v2/partner/client/{clientId}/account/{accountId}/transaction/cash"        => transactions::cash_of_account;
    get    "/v2/partner/client/{clientId}/account/{accountId}/transaction/fund"        => transactions::fund_of_account;

    get    "/v2/partner/client/{clientId}/kycstatus/account/{accountId}"               => accounts::kyc;
    get    "/v2/partner/client/{clientId}/account/{accountId}/transfer"                => accounts::transfers;
    get    "/v2/partner/client/{clientId}/account/{accountId}/agreement-types"         => agreements::types;
    get    "/v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}" => agreements::read;

    get    "/v2/partner/client/{clientId}/allocationplan"                              => plans::list;
    get    "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"           => plans::read;
    patch  "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"           => plans::patch;
    delete "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"           => plans::delete;
    get    "/v2/partner/client/{clientId}/allocationplan/account/{accountId}"          => plans::of_account;
    get    "/v2/partner/client/{clientId}/account/{accountId}/savingsplan"             => plans::savings;
    delete "/v2/partner/client/{clientId}/account/{accountId}/savingsplan"             => plans::delete_savings;

    get    "/v2/partner/client"                                                        => clients::list;
    post   "/v2/partner/client"                                                        => clients::create;
    get    "/v2/partner/client/{clientId}"                                             => clients::read;
    patch  "/v2/partner/client/{clientId}"                                             => clients::patch;
    get    "/v2/partner/client/{clientId}/instrument"                                  => instruments::universe;

    get    "/v2/partner/client/{clientId}/custodian"                                   => clients::custodians;

    post   "/v2/partner/client/{clientId}/journey"                                     => journeys::create;
    get    "/v2/partner/client/{clientId}/journey/{journeyId}"                         => journeys::read;

    get    "/v2/partner/instrument"                                                    => instruments::list;
    get    "/v2/partner/instrument/{instrumentId}"                                     => instruments::read;
    get    "/v2/partner/client/{clientId}/instrument/{instrumentId}/prices"            => instruments::prices;

    post   "/v2/partner/client/{clientId}/order"                                       => orders::create;
    get    "/v2/partner/client/{clientId}/order"                                       => orders::list;
    get    "/v2/partner/client/{clientId}/order/{orderId}"                             => orders::read;
    delete "/v2/partner/client/{clientId}/order/{orderId}"                             => orders::cancel;
    post   "/v2/partner/client/{clientId}/order/withdrawal"                            => orders::withdraw;
    post   "/v2/partner/client/{clientId}/order/redemptionTransfer"                    => orders::transfer;

    get    "/v2/partner/client/{clientId}/transaction/cash"                            => transactions::cash;
    get    "/v2/partner/client/{clientId}/transaction/cash/{transactionId}"            => transactions::cash_one;
    get    "/v2/partner/client/{clientId}/transaction/fund"                            => transactions::fund;
    get    "/v2/partner/client/{clientId}/transaction/fund/{transactionId}"            => transactions::fund_one;

    post   "/simulations/account"                                                      => levers::accounts::open;
    post   "/simulations/account/{accountId}/approve"                                  => levers::accounts::approve;
    post   "/simulations/account/{accountId}/reject"                                   => levers::accounts::reject;
    post   "/simulations/account/{accountId}/confirm"                                  => levers::accounts::confirm;
    post   "/simulations/journey/{journeyId}/open"                                     => levers::journeys::open;
    get    "/simulations/journey/{journeyId}/steps"                                    => levers::journeys::steps;
    post   "/simulations/journey/{journeyId}/answer"                                   => levers::journeys::answer;
    post   "/simulations/journey/{journeyId}/sign"                                     => levers::journeys::sign;
    post   "/simulations/journey/{journeyId}/complete"                                 => levers::journeys::complete;
    post   "/simulations/journey/{journeyId}/cancel"                                   => levers::journeys::cancel;
    post   "/simulations/journey/{journeyId}/fail"                                     => levers::journeys::fail;
    post   "/simulations/journey/{journeyId}/expire"                                   => levers::journeys::expire;
    post   "/simulations/bankaccount/{bankAccountId}/check"                            => levers::bank_accounts::check;
    post   "/simulations/bankaccount/{bankAccountId}/mandate"                          => levers::bank_accounts::mandate;
    post   "/simulations/transfer/{transferId}/accept"                                 => levers::transfers::accept;
    post   "/simulations/transfer/{transferId}/reject"                                 => levers::transfers::reject;
    post   "/simulations/transfer/{transferId}/complete"                               => levers::transfers::complete;
    post   "/simulations/screening"                                                    => levers::screening::screen;
    post   "/simulations/order/{orderId}/hold"                                         => levers::orders::hold;
    post   "/simulations/order/{orderId}/release"                                      => levers::orders::release;
    post   "/simulations/order/{orderId}/reject"                                       => levers::orders::reject;
    post   "/simulations/instrument/{instrumentId}/price"                              => levers::instruments::price;
    post   "/simulations/instrument/{instrumentId}/trading"                            => levers::instruments::trading;
    post   "/simulations/instrument/{instrumentId}/delay-nav"                          => levers::instruments::delay_nav;
    post   "/simulations/withdrawal/{transactionId}/bounce"                            => levers::payouts::bounce;
    post   "/simulations/client/{clientId}/purge"                                      => levers::purge::client;
    post   "/simulations/journey/{journeyId}/purge"                                    => levers::purge::journey;
    post   "/simulations/order/{orderId}/purge"                                        => levers::purge::order;
    post   "/simulations/cashTransaction/{transactionId}/purge"                        => levers::purge::cash_transaction;
    post   "/simulations/fundTransaction/{transactionId}/purge"                        => levers::purge::fund_transaction;
}

fn verb(word: &str) -> Method {
    Method::from_bytes(word.to_uppercase().as_bytes()).expect("methods are tokens")
}

/// What stands beside the partner API: `others`, the description, and an answer for what nobody knows.
pub fn complete(others: Router<App>) -> Router<App> {
    others.route("/_sandbox/openapi.json", get(description)).fallback(not_found).method_not_allowed_fallback(not_found)
}

async fn description() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], openapi::document())
}

async fn not_found(method: Method, uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is no {method} {}", uri.path()))
}
