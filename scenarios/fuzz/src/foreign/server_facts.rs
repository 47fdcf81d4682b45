//! What such a server has that a conversation can be about: funds that can be bought, and accounts to buy them for.
//!
//! Invariant: read anew before each run, since others use the server too. Absent on purpose: changing anything.

use language::exact;
use runner::drivers::{Choice, Driver, live, probe};
use runner::foreign::Foreign;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde_json::Value as Json;

/// Cash of an account that a lever opens.
pub(super) const CASH: u64 = 100_000;

/// Funds and accounts that a run chooses from, at most.
const MOST: usize = 8;

/// A fund that can be bought.
#[derive(Clone, Debug)]
pub(super) struct Fund {
    pub(super) id: String,
    /// Least amount of a purchase, in whole kronor.
    pub(super) least: u64,
}

/// Where accounts come from.
#[derive(Clone, Debug)]
pub(super) enum Accounts {
    /// A lever opens them.
    Opened,
    /// They are there: ids, and what is free on each in whole kronor.
    Found(Vec<(String, u64)>),
}

/// What a run can be about.
#[derive(Clone, Debug)]
pub struct ServerFacts {
    pub(super) funds: Vec<Fund>,
    pub(super) accounts: Accounts,
    /// Whether there is another client, of this or another partner, as stories write it.
    pub(super) other_client: Option<&'static str>,
}

impl ServerFacts {
    /// Looks around.
    ///
    /// # Errors
    /// Why there is nothing to talk about, in one line.
    pub fn of(choice: &Choice) -> Result<Self, String> {
        let (Choice::Live { server, timeout, .. }, Some(foreign)) = (choice, choice.foreign()) else {
            return Err("only servers other than fundsim are inspected".to_owned());
        };
        let looked = live::run(server, None, *timeout, async |mut driver| look(&mut driver, foreign).await);
        looked.map_err(|error| error.to_string())?.map_err(|why| format!("{} {why}", server.url))
    }
}

async fn look(driver: &mut dyn Driver, foreign: &Foreign) -> Result<ServerFacts, String> {
    let partner = &foreign.partners[0];
    let token = probe::token(driver, 0, partner).await?;
    let client = partner["clients"][0]["id"].as_str().unwrap_or_default();
    let mut read = async |path: &str| {
        let whole = format!("/v2/partner/client/{client}{path}");
        let answer = probe::patiently(driver, probe::question(&whole, Some(&token))).await;
        let answer = answer.map_err(|error| format!("does not answer a read of {path}: {error}"))?;
        match (answer.status, serde_json::from_slice(&answer.body)) {
            (200, Ok(Json::Array(items))) => Ok(items),
            (status, _) => Err(format!("answers {status} to a read of {path}, or no list")),
        }
    };
    let funds: Vec<Fund> = read("/instrument").await?.iter().filter_map(fund).take(MOST).collect();
    if funds.is_empty() {
        return Err("has no fund that the client could buy".to_owned());
    }
    let accounts = if foreign.levers.are_none() {
        let (orders, found) = (read("/order").await?, read("/account").await?);
        Accounts::Found(found.iter().filter_map(|account| free(account, &orders)).take(MOST).collect())
    } else {
        Accounts::Opened
    };
    if matches!(&accounts, Accounts::Found(found) if found.is_empty()) {
        return Err("has neither a lever that opens accounts nor an active account".to_owned());
    }
    let clients = partner["clients"].as_array().map_or(0, Vec::len);
    let other_client = match (foreign.partners.len(), clients) {
        (2.., _) => Some("partner 2"),
        (_, 2..) => Some("client 2"),
        _ => None,
    };
    Ok(ServerFacts { funds, accounts, other_client })
}

/// A fund that everybody can buy now.
fn fund(read: &Json) -> Option<Fund> {
    let is = |key: &str| read.get(key) == Some(&Json::Bool(true));
    let can_be_bought = is("isBuyable") && is("isTradable") && !is("isComplex") && !is("isRaif");
    let has_own_minimum = ["minInitialAmountSek", "minSubsequentAmountSek"].iter().any(|key| read.get(key).is_some());
    let is_open = read.get("cutOffDateSub").is_some_and(Json::is_string);
    let least = whole(read.get("minInvestmentAmountSEK")?)?.max(1);
    let id = read.get("id")?.as_str()?.to_owned();
    (can_be_bought && is_open && !has_own_minimum && least <= CASH / 10).then_some(Fund { id, least })
}

/// An active account, and what orders have not taken of its cash yet.
fn free(account: &Json, orders: &[Json]) -> Option<(String, u64)> {
    let text = |value: &Json, key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let id = text(account, "id");
    let takes = |order: &&Json| {
        text(order, "account") == id
            && text(order, "orderType") == "subscription"
            && ["received", "hold"].contains(&text(order, "status").as_str())
    };
    let amount = |order: &Json| order.get("amount").and_then(whole).map_or(0, |amount| amount + 1);
    let taken: u64 = orders.iter().filter(takes).map(amount).sum();
    let cash = whole(account.get("balance")?)?;
    (text(account, "status") == "active").then(|| (id, cash.saturating_sub(taken)))
}

/// A number, its fraction cut off.
fn whole(number: &Json) -> Option<u64> {
    let number: Decimal = exact::decimal(&number.to_string())?;
    number.trunc().to_u64()
}
