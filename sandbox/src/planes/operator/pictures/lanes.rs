//! Who acts and who is reached in a sequence: the lanes of routes, timers and accounts of the ledger.
//!
//! Invariant: the platform itself acts where nobody else is known. Absent on purpose: what happened (`sequence`, `refused`).

use drawing::sequence::Lane;
use sim::records::PlatformAccount;
use uuid::Uuid;

/// Letters of an id that distinguish it from its neighbours.
pub(super) const SHORT: usize = 8;

/// A request in words: without what every path of a client begins with, and with shortened ids.
pub(super) fn method_and_path(method: &str, path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let short = |part: &str| match Uuid::try_parse(part) {
        Ok(_) => part.chars().take(SHORT).collect(),
        Err(_) => part.to_owned(),
    };
    let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(short).collect();
    let skipped = match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["v2", "partner", "client", _, _, ..] => 4,
        ["v2", "partner", ..] => 2,
        ["_sandbox", "worlds", _, ..] => 3,
        _ => 0,
    };
    format!("{method} /{}", parts[skipped..].join("/"))
}

/// Whose account of the ledger it is.
pub(super) fn lane_of_account(name: &str) -> Lane {
    match PlatformAccount::ALL.into_iter().find(|role| role.name() == name) {
        Some(PlatformAccount::Bank) => Lane::Bank,
        Some(PlatformAccount::FundOrders) => Lane::Fund,
        Some(PlatformAccount::PartnerFees) => Lane::Partner,
        Some(_) | None => Lane::Platform,
    }
}

/// Who calls a route: customers the hosted pages, outsiders the levers, partners the rest of their API.
pub(super) fn lane_of_route(route: &str) -> Lane {
    let Some((_, lever)) = route.split_once("/simulations/") else {
        return if route.starts_with("/v2/partner") {
            Lane::Partner
        } else if route.starts_with("/_sandbox") {
            Lane::Platform
        } else {
            Lane::Customer
        };
    };
    match lever.split('/').next().unwrap_or_default() {
        "journey" | "mobilepay" => Lane::Customer,
        "bankaccount" | "bankgiro" | "payment" | "withdrawal" | "transfer" => Lane::Bank,
        "instrument" => Lane::Fund,
        _ => Lane::Platform,
    }
}

/// Who acts when a timer fires, and who is reached; the platform itself where a kind has no row.
const LANES_OF_TIMERS: &[(&str, Lane, Lane)] = &[
    ("aggregated order routed", Lane::Platform, Lane::Fund),
    ("price published", Lane::Fund, Lane::Platform),
    ("executions confirmed", Lane::Fund, Lane::Platform),
    ("subscriptions settled", Lane::Platform, Lane::Fund),
    ("redemptions settled", Lane::Fund, Lane::Platform),
    ("exchange rate published", Lane::Bank, Lane::Platform),
    ("payout sent", Lane::Platform, Lane::Bank),
    ("payout returned", Lane::Bank, Lane::Platform),
    ("bank account checked", Lane::Bank, Lane::Platform),
    ("mandate answered", Lane::Bank, Lane::Platform),
    ("transfer sent", Lane::Platform, Lane::Bank),
    ("transfer answered", Lane::Bank, Lane::Platform),
    ("transfer completed", Lane::Bank, Lane::Platform),
    ("retrocessions paid", Lane::Fund, Lane::Platform),
    ("mobile payment answered", Lane::Customer, Lane::Platform),
    ("bankgiro payment booked", Lane::Bank, Lane::Platform),
    ("payment file closed", Lane::Platform, Lane::Bank),
    ("payment charged", Lane::Bank, Lane::Platform),
];

pub(super) fn lanes_of_timer(what: &str) -> (Lane, Lane) {
    let found = LANES_OF_TIMERS.iter().find(|(word, ..)| *word == what);
    found.map_or((Lane::Platform, Lane::Platform), |&(_, from, to)| (from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::timers::Timer;

    #[test]
    fn every_row_of_lanes_is_a_kind_of_timer() {
        for (what, ..) in LANES_OF_TIMERS {
            assert!(Timer::ALL_WHAT.contains(what), "{what}");
        }
    }

    #[test]
    fn a_route_is_called_from_the_lane_of_its_caller() {
        for (route, lane) in [
            ("/v2/partner/client/{clientId}/order", Lane::Partner),
            ("/simulations/bankgiro", Lane::Bank),
            ("/simulations/journey/{journeyId}/sign", Lane::Customer),
            ("/simulations/instrument/{instrumentId}/price", Lane::Fund),
            ("/simulations/account/{accountId}/approve", Lane::Platform),
            ("/_sandbox/worlds/{worldId}/clock/advance", Lane::Platform),
            ("/journey/{token}/{page}", Lane::Customer),
        ] {
            assert_eq!(lane_of_route(route), lane, "{route}");
        }
    }
}
