//! Lists as the reference world has them: their items, what each filter keeps, and what is read of every item.
//!
//! Invariant: filters are judged item by item, by the rules alone; the reference world's own filters, which the server uses too, are
//! not. Absent on purpose: requests.

use super::readable::{self, Readable, Word};
use super::step::{List, Near};
use oracle::model::Status;
use sim::ids::{ClientId, OrderId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Account, CashRefType, CashTransaction, FundTransaction, Order, Owner, Stamp};
use sim::store::Window;
use sim::time::{Date, Instant, Millis};
use sim::{World, ids::SortedId};
use std::sync::Arc;

/// An item of a list.
pub(super) enum Item {
    Account(Arc<Account>),
    Order(Arc<Order>),
    Cash(Arc<CashTransaction>),
    Units(Arc<FundTransaction>),
}

/// A whole list, in its order.
pub(super) fn items(world: &World, client: ClientId, list: List) -> Vec<Item> {
    let (window, any) = (Window::default(), TransactionFilter::default());
    match list {
        List::Accounts => query::accounts(world, client, &window, None).into_iter().map(Item::Account).collect(),
        List::Orders => {
            query::orders(world, client, &window, &OrderFilter::default()).into_iter().map(Item::Order).collect()
        }
        List::Cash => query::cash_transactions(world, client, &window, &any).into_iter().map(Item::Cash).collect(),
        List::Units => query::fund_transactions(world, client, &window, &any).into_iter().map(Item::Units).collect(),
    }
}

impl List {
    /// The filters it takes (rule: wire/order-filters, wire/transaction-filters, wire/ssn-filter, wire/modified-from).
    pub(super) const fn filters(self) -> &'static [&'static str] {
        match self {
            Self::Accounts => &["ssn", "modifiedFrom"],
            Self::Orders => &["account", "status", "orderType", "instrument", "clientRef", "modifiedFrom"],
            Self::Cash | Self::Units => &[
                "account",
                "transactionType",
                "refType",
                "reftype",
                "ref",
                "instrument",
                "dateFrom",
                "dateTo",
                "modifiedFrom",
            ],
        }
    }
}

impl Item {
    pub(super) fn sorted_id(&self) -> SortedId {
        match self {
            Self::Account(it) => it.sorted_id,
            Self::Order(it) => it.sorted_id,
            Self::Cash(it) => it.sorted_id,
            Self::Units(it) => it.sorted_id,
        }
    }

    pub(super) fn id(&self) -> String {
        match self {
            Self::Account(it) => it.id.to_string(),
            Self::Order(it) => it.id.to_string(),
            Self::Cash(it) => it.id.to_string(),
            Self::Units(it) => it.id.to_string(),
        }
    }

    /// What must be read of it.
    pub(super) fn body(&self, world: &World) -> Readable {
        match self {
            Self::Account(it) => readable::account(world, it, world.now()),
            Self::Order(it) => readable::order(it),
            Self::Cash(it) => readable::cash(it),
            Self::Units(it) => readable::units(it),
        }
    }

    fn stamp(&self) -> Stamp {
        match self {
            Self::Account(it) => it.stamp,
            Self::Order(it) => it.stamp,
            Self::Cash(it) => it.stamp,
            Self::Units(it) => it.stamp,
        }
    }

    /// What a filter looks at; nothing where the item has no such thing.
    pub(super) fn property(&self, world: &World, filter: &str) -> Option<String> {
        let stamp = self.stamp();
        match (self, filter) {
            (_, "modifiedFrom") => Some(text_of(stamp.modified)),
            (_, "dateFrom" | "dateTo") => Some(stamp.created.local_date().to_string()),
            (Self::Account(it), "ssn") => match &*it.owner {
                Owner::NaturalPerson(person) => Some(person.ssn.to_string()),
                Owner::LegalEntity(_) => None,
            },
            (Self::Order(it), _) => of_order(it, filter),
            (Self::Cash(it), _) => of_cash(world, it, filter),
            (Self::Units(it), _) => of_units(it, filter),
            (Self::Account(_), _) => None,
        }
    }

    /// The value of a filter that is so far from the item's own; nothing where the item has none, or the filter no such neighbour.
    pub(super) fn beside(&self, world: &World, filter: &str, near: Near) -> Option<String> {
        let own = self.property(world, filter)?;
        let is_text = matches!(filter, "clientRef" | "ref");
        match near {
            Near::Same | Near::Others => Some(own),
            Near::Short if is_text && own.chars().count() > 1 => {
                Some(own.chars().take(own.chars().count() - 1).collect())
            }
            Near::Long if is_text => Some(format!("{own}x")),
            Near::Short | Near::Long => None,
            Near::Earlier => moved(filter, &own, -1),
            Near::Later => moved(filter, &own, 1),
        }
    }

    /// Whether a filter with this value keeps it.
    pub(super) fn passes(&self, world: &World, filter: &str, value: &str) -> bool {
        // Moments and days are ordered like their texts.
        self.property(world, filter).is_some_and(|own| match filter {
            "modifiedFrom" | "dateFrom" => own.as_str() >= value,
            "dateTo" => own.as_str() <= value,
            _ => own == value,
        })
    }
}

/// An instant so many milliseconds on, or a day so many days on.
fn moved(filter: &str, own: &str, by: i64) -> Option<String> {
    match filter {
        "modifiedFrom" => Some(text_of(Instant::parse(own).ok()?.plus(Millis(by)))),
        "dateFrom" | "dateTo" => {
            let day: Date = own.parse().ok()?;
            Some(Instant::at_utc_midnight(day).plus(Millis::days(by)).utc_date().to_string())
        }
        _ => None,
    }
}

fn of_order(it: &Order, filter: &str) -> Option<String> {
    match filter {
        "account" => Some(it.account.to_string()),
        "status" => Some(Status::of(*it.state).word().to_owned()),
        "orderType" => Some(it.side.word().to_owned()),
        "instrument" => Some(it.instrument.to_string()),
        "clientRef" => it.client_ref.as_deref().map(str::to_owned),
        _ => None,
    }
}

fn of_cash(world: &World, it: &CashTransaction, filter: &str) -> Option<String> {
    match filter {
        "account" => Some(it.account.to_string()),
        "transactionType" => Some(it.kind.word().to_owned()),
        "refType" | "reftype" => Some(it.ref_type.word().to_owned()),
        "ref" => it.reference.as_deref().map(str::to_owned),
        // That of the order it belongs to.
        "instrument" if it.ref_type == CashRefType::Order => {
            let order = OrderId::parse(it.reference.as_deref()?).ok()?;
            query::order(world, it.client, order).map(|order| order.instrument.to_string())
        }
        _ => None,
    }
}

fn of_units(it: &FundTransaction, filter: &str) -> Option<String> {
    match filter {
        "account" => Some(it.account.to_string()),
        "transactionType" => Some(it.kind.word().to_owned()),
        "refType" | "reftype" => Some(it.ref_type.word().to_owned()),
        "ref" => it.reference.as_deref().map(str::to_owned),
        "instrument" => Some(it.instrument.to_string()),
        _ => None,
    }
}

fn text_of(at: Instant) -> String {
    at.to_string()
}
