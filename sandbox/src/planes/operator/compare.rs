//! What differs between two worlds, by resource.
//!
//! Invariant: a resource is compared as the API shows it, so that what differs can be seen there too; what both worlds share in
//! memory is not looked at; where the fingerprints are not equal, the answer names the parts of the worlds. Absent on purpose:
//! links, which are secret and each world's own.

use std::sync::Arc;

use axum::extract::State;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use serde_json::Value;
use sim::ids::JourneyId;
use sim::query;
use sim::settings::Settings;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::{HandlerResult, Target};
use super::values::limit;
use crate::planes::responses::json;
use hosting::world_id::WorldId;
use surface::App;
use surface::extract::Query;
use wire::accounts::Account;
use wire::accounts::transactions::{CashTransaction, FundTransaction};
use wire::clients::Client;
use wire::error::ApiError;
use wire::journeys::Journey;
use wire::journeys::links::JourneyLinks;
use wire::orders::Order;
use wire::payments::instructions::{Instruction, Payment};
use wire::payments::mobile::MobilePayment;
use wire::payments::suspense::SuspenseItem;
use wire::plans::{AllocationPlan, SavingsPlan};
use wire::query::Parameters;
use wire::securities::instruments::Shown;
use wire::securities::transfers::Transfer;
use wire::setup::settings::shown;
use wire::values::text::Timestamp;

/// Comparison of this world with another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comparison {
    /// Whether the digests of the two worlds are equal.
    same: bool,
    now: Timestamp,
    other_now: Timestamp,
    /// Parts of the worlds that differ, such as `now`, `timers` or `market`, also those that no resource shows.
    parts: Vec<&'static str>,
    /// Number of equal and of different resources, by kind.
    pub(super) counts: Vec<Count>,
    /// The differences, up to the requested limit.
    pub(super) differences: Vec<Difference>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ComparisonCount)]
pub(super) struct Count {
    #[schema(value_type = String, examples("order"))]
    pub(super) resource: &'static str,
    pub(super) alike: usize,
    pub(super) different: usize,
    /// Number that only this world has.
    pub(super) only_here: usize,
    /// Number that only the other world has.
    pub(super) only_there: usize,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ComparisonDifference)]
pub(super) struct Difference {
    #[schema(value_type = String, examples("order"))]
    pub(super) resource: &'static str,
    /// Id of the resource; `world` for settings.
    pub(super) id: String,
    /// `here` or `there`, when only one of the worlds has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, examples("here"))]
    pub(super) only: Option<&'static str>,
    /// The fields that differ, when both have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(super) fields: Vec<FieldDifference>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ComparisonField)]
pub(super) struct FieldDifference {
    /// Path in the resource, such as `messages[0].text`.
    pub(super) path: String,
    /// Value in that world; null when absent.
    #[schema(required = true)]
    pub(super) here: Option<Value>,
    /// Value in that world; null when absent.
    #[schema(required = true)]
    pub(super) there: Option<Value>,
}

/// Differences of which a picture is made, at most.
const MOST_DIFFERENCES: usize = 20_000;

/// No way to any journey.
struct NoLinks;

impl JourneyLinks for NoLinks {
    fn journey(&self, _: JourneyId) -> String {
        String::new()
    }
}

/// What of a comparison is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    most: usize,
    without_prices: bool,
}

/// The parameters of a comparison.
pub(crate) fn wanted(query: &mut Parameters<'_>) -> Wanted {
    let about =
        "Whether to leave out what time alone changes: prices and cut-offs of funds, and the values of positions.";
    Wanted { most: limit(query), without_prices: query.flag("withoutPrices", about) }
}

impl Wanted {
    /// Whether a field that differs is listed (rule: wire/comparison).
    fn shows_field(self, resource: &str, path: &str) -> bool {
        let is_price = match resource {
            "instrument" => matches!(path, "closePrice" | "priceDate" | "cutOffDateSub" | "cutOffDateRed"),
            "account" => {
                path.starts_with("positions[") && (path.ends_with("].closePrice") || path.ends_with("].value"))
            }
            _ => false,
        };
        !(self.without_prices && is_price)
    }
}

/// `GET /_sandbox/worlds/{worldId}/compare/{otherId}`
pub(super) async fn show(State(app): State<App>, target: Target, asked: Query) -> HandlerResult {
    let wanted = asked.read(wanted)?;
    let other = target.item.as_deref().unwrap_or_default().parse::<WorldId>().ok();
    let other = other.and_then(|id| app.worlds.get(id));
    let other = other.ok_or_else(|| ApiError::not_found("otherId names no world"))?;
    let (here, there) = (target.world.copy()?, other.copy()?);
    Ok(json(&app.worlds.work().carry_out(move || compare(&here, &there, wanted)).await))
}

/// All that differs, and not by time alone.
pub(super) fn all_differences(here: &sim::World, there: &sim::World) -> Comparison {
    compare(here, there, Wanted { most: MOST_DIFFERENCES, without_prices: true })
}

fn compare(here: &sim::World, there: &sim::World, wanted: Wanted) -> Comparison {
    let mut found = Found { counts: Vec::new(), differences: Vec::new(), wanted };
    macro_rules! compared {
        ($($resource:literal $every:path, |$world:ident, $record:ident| $shown:expr;)*) => {$({
            let key = |record| Compared { id: Key::key(record), record };
            let as_shown = |$world: &sim::World, $record: &_| value(&$shown);
            found.kind(
                $resource,
                $every(here).map(key).collect(),
                $every(there).map(key).collect(),
                &|record, is_here| as_shown(if is_here { here } else { there }, record),
            );
        })*};
    }
    compared! {
        "client" query::clients, |_world, client| Client::of(client);
        "account" query::every_account, |world, account| Account::of(account, &query::positions(world, account, world.now()));
        "order" query::every_order, |world, order| Order::of(order, &world.setup().settings);
        "cashTransaction" query::every_cash_transaction, |_world, transaction| CashTransaction::of(transaction);
        "fundTransaction" query::every_fund_transaction, |_world, transaction| FundTransaction::of(transaction);
        "journey" query::every_journey, |world, journey| Journey::of(journey, &NoLinks, &world.setup().settings);
        "transfer" query::every_transfer, |_world, transfer| Transfer::of(transfer);
        "allocationPlan" query::every_allocation_plan, |_world, plan| AllocationPlan::of(plan);
        "savingsPlan" query::every_savings_plan, |_world, plan| SavingsPlan::of(plan);
        "mobilePayment" query::mobile_payments, |world, payment| MobilePayment::of(payment, &world.setup().settings);
        "instruction" query::every_instruction, |_world, instruction| Instruction::of(instruction, &[]);
        "payment" query::every_payment, |_world, payment| Payment::of(payment);
        "suspenseItem" query::suspense, |_world, item| SuspenseItem::of(item);
    }
    found.values("instrument", instruments(here), instruments(there));
    found.values("settings", settings(here), settings(there));
    let parts = here.differing_parts(there);
    Comparison {
        same: parts.is_empty(),
        now: Timestamp(here.now()),
        other_now: Timestamp(there.now()),
        parts,
        counts: found.counts,
        differences: found.differences,
    }
}

/// The funds as everybody sees them.
fn instruments(world: &sim::World) -> Vec<(String, Value)> {
    let views = query::instruments(world, None);
    views.iter().map(|view| (view.record.id.to_string(), value(&Shown::of(view).shape()))).collect()
}

/// Settings of the world itself.
fn settings(world: &sim::World) -> Vec<(String, Value)> {
    vec![("world".to_owned(), shown(Settings::ROWS, &world.setup().settings).into())]
}

fn value(shape: &impl Serialize) -> Value {
    serde_json::to_value(shape).unwrap_or_default()
}

/// What a resource is found by in both worlds.
trait Key {
    fn key(&self) -> Uuid;
}

macro_rules! keyed {
    ($($record:ident)*) => {$(
        impl Key for Arc<sim::records::$record> {
            fn key(&self) -> Uuid {
                self.id.as_uuid()
            }
        }
    )*};
}

keyed! { Client Account Order CashTransaction FundTransaction Journey Transfer AllocationPlan SavingsPlan MobilePayment
Instruction Payment SuspenseItem }

struct Compared<'w, T> {
    id: Uuid,
    record: &'w Arc<T>,
}

struct Found {
    counts: Vec<Count>,
    differences: Vec<Difference>,
    wanted: Wanted,
}

impl Found {
    fn kind<T>(
        &mut self,
        resource: &'static str,
        here: Vec<Compared<'_, T>>,
        there: Vec<Compared<'_, T>>,
        shown: &dyn Fn(&T, bool) -> Value,
    ) {
        let mut count = Count { resource, alike: 0, different: 0, only_here: 0, only_there: 0 };
        let others = there.iter().map(|one| (one.id, one.record));
        let mut others: IndexMap<Uuid, &Arc<T>, FxBuildHasher> = others.collect();
        for Compared { id, record } in here {
            let Some(other) = others.swap_remove(&id) else {
                count.only_here += 1;
                self.add(resource, id.to_string(), Some("here"), Vec::new());
                continue;
            };
            let mut fields = Vec::new();
            if !Arc::ptr_eq(record, other) {
                differing("", Some(&shown(record, true)), Some(&shown(other, false)), &mut fields);
                fields.retain(|field| self.wanted.shows_field(resource, &field.path));
            }
            if fields.is_empty() {
                count.alike += 1;
            } else {
                count.different += 1;
                self.add(resource, id.to_string(), None, fields);
            }
        }
        for Compared { id, .. } in there.into_iter().filter(|one| others.contains_key(&one.id)) {
            count.only_there += 1;
            self.add(resource, id.to_string(), Some("there"), Vec::new());
        }
        self.counts.push(count);
    }

    /// As `kind`, of what is no record.
    fn values(&mut self, resource: &'static str, here: Vec<(String, Value)>, there: Vec<(String, Value)>) {
        let mut count = Count { resource, alike: 0, different: 0, only_here: 0, only_there: 0 };
        let mut others: IndexMap<String, Value, FxBuildHasher> = there.into_iter().collect();
        for (id, value) in here {
            let mut fields = Vec::new();
            match others.shift_remove(&id) {
                Some(other) => {
                    differing("", Some(&value), Some(&other), &mut fields);
                    fields.retain(|field| self.wanted.shows_field(resource, &field.path));
                }
                None => {
                    count.only_here += 1;
                    self.add(resource, id, Some("here"), fields);
                    continue;
                }
            }
            if fields.is_empty() {
                count.alike += 1;
            } else {
                count.different += 1;
                self.add(resource, id, None, fields);
            }
        }
        for (id, _) in others {
            count.only_there += 1;
            self.add(resource, id, Some("there"), Vec::new());
        }
        self.counts.push(count);
    }

    fn add(&mut self, resource: &'static str, id: String, only: Option<&'static str>, fields: Vec<FieldDifference>) {
        if self.differences.len() < self.wanted.most {
            self.differences.push(Difference { resource, id, only, fields });
        }
    }
}

/// The paths at which two values differ, as deep as possible.
pub(super) fn differing(path: &str, here: Option<&Value>, there: Option<&Value>, found: &mut Vec<FieldDifference>) {
    match (here, there) {
        (Some(here), Some(there)) if here == there => {}
        (Some(Value::Object(here)), Some(Value::Object(there))) => {
            let dot = if path.is_empty() { "" } else { "." };
            let further = there.keys().filter(|key| !here.contains_key(*key));
            for key in here.keys().chain(further) {
                differing(&format!("{path}{dot}{key}"), here.get(key), there.get(key), found);
            }
        }
        (Some(Value::Array(here)), Some(Value::Array(there))) => {
            for at in 0..here.len().max(there.len()) {
                differing(&format!("{path}[{at}]"), here.get(at), there.get(at), found);
            }
        }
        _ => found.push(FieldDifference { path: path.to_owned(), here: here.cloned(), there: there.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_differ_at_the_deepest_path_where_they_differ() {
        let here = json!({ "a": 1, "b": { "c": [1, 2], "d": "x" }, "e": null, "f": 1 });
        let there = json!({ "a": 1, "b": { "c": [1, 3, 4], "d": "x" }, "e": {}, "g": 2 });
        let mut found = Vec::new();
        differing("", Some(&here), Some(&there), &mut found);
        let listed: Vec<_> = found.into_iter().map(|one| (one.path, one.here, one.there)).collect();
        let rows = [
            ("b.c[1]", Some(json!(2)), Some(json!(3))),
            ("b.c[2]", None, Some(json!(4))),
            ("e", Some(json!(null)), Some(json!({}))),
            ("f", Some(json!(1)), None),
            ("g", None, Some(json!(2))),
        ];
        assert_eq!(listed, rows.map(|(path, here, there)| (path.to_owned(), here, there)));
    }
}
