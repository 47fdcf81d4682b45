//! Laws of lists: filters select what they name, pages make the whole (39), `modifiedFrom` means what it says (40), and
//! nobody is shown another client's records, by whatever filter or id they are asked for (43).
//!
//! Invariant: what a list must hold comes from the model's own records. Looked at are the newest of each client; filters
//! are drawn from one of these, so that each selects something.

use super::{Claim, Judge, Law, ListQuery, Met};
use crate::model::{Model, calendar};
use sim::World;
use sim::ids::{ClientId, SortedId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Account, CashTransaction, FundTransaction, Journey, Order, OwnerKey};
use sim::store::Window;
use sim::time::Instant;
use std::sync::Arc;

/// Sizes of pages that are walked: the smallest that a walk can end with, and one that leaves a rest.
const PAGES: &[usize] = &[2, 7];
/// Records of a collection that are looked at.
const NEWEST: usize = 40;

/// What every listed record has.
trait Listed {
    fn place(&self) -> SortedId;
    fn modified(&self) -> Instant;
    fn client(&self) -> ClientId;
    fn id(&self) -> String;
}

macro_rules! listed {
    ($($record:ty),*) => {
        $(impl Listed for $record {
            fn place(&self) -> SortedId {
                self.sorted_id
            }
            fn modified(&self) -> Instant {
                self.stamp.modified
            }
            fn client(&self) -> ClientId {
                self.client
            }
            fn id(&self) -> String {
                self.id.to_string()
            }
        })*
    };
}

listed!(Order, CashTransaction, FundTransaction, Account, Journey);

/// Asks for a client's records within a window.
type List<'a, T> = Box<dyn Fn(ClientId, &Window) -> Vec<Arc<T>> + 'a>;

/// One question for a list: its name, the list, and what belongs to it.
struct Listing<'a, T> {
    name: &'static str,
    /// The same as the partner asks for it; none of lists that the API does not have.
    query: Option<ListQuery>,
    list: List<'a, T>,
    belongs: Box<dyn Fn(&T) -> bool + 'a>,
}

impl Judge {
    /// Laws 39, 40 and 43 on the newest records of a client.
    pub(super) fn listings(&mut self, world: &World, client: ClientId) {
        let (found, met) = Lists { world, client, model: &self.model, wrong: Vec::new(), met: Met::default() }.judged();
        self.met.add(&met);
        for (law, what, claim) in found {
            self.fail(law, world.now(), || what, claim);
        }
    }
}

/// A law that does not hold of a list, what is wrong, and what should be listed.
type Wrong = (Law, String, Option<Claim>);

/// The lists of one client, on the way to be judged.
struct Lists<'a> {
    world: &'a World,
    client: ClientId,
    model: &'a Model,
    wrong: Vec<Wrong>,
    met: Met,
}

impl Lists<'_> {
    fn judged(mut self) -> (Vec<Wrong>, Met) {
        self.orders();
        self.cash();
        self.units();
        self.accounts();
        self.journeys();
        (self.wrong, self.met)
    }

    /// The newest records of the client, oldest first.
    fn newest<'a, T: Listed + 'a>(&self, all: impl DoubleEndedIterator<Item = &'a Arc<T>>) -> Vec<Arc<T>> {
        let mut newest: Vec<Arc<T>> =
            all.rev().filter(|record| record.client() == self.client).take(NEWEST).cloned().collect();
        newest.sort_by_key(|record| record.place());
        newest
    }

    fn orders(&mut self) {
        let newest = self.newest(self.model.orders.values().filter(|file| !file.purged).map(|file| &file.last));
        let Some(one) = newest.get(newest.len() / 3).cloned() else { return };
        let world = self.world;
        let listing = |name, filter: OrderFilter, belongs: Box<dyn Fn(&Order) -> bool>| Listing {
            name,
            query: Some(ListQuery::Orders(filter.clone())),
            list: Box::new(move |client, window: &Window| query::orders(world, client, window, &filter)),
            belongs,
        };
        let any = OrderFilter::default;
        let (account, side, fund, reference) = (one.account, one.side, one.instrument, one.client_ref.clone());
        let status = crate::model::Status::of(*one.state);
        let mut listings = vec![
            listing("all orders", any(), Box::new(|_| true)),
            listing(
                "orders by account",
                OrderFilter { account: Some(account), ..any() },
                Box::new(move |order| order.account == account),
            ),
            listing(
                "orders by side",
                OrderFilter { side: Some(side), ..any() },
                Box::new(move |order| order.side == side),
            ),
            listing(
                "orders by fund",
                OrderFilter { instrument: Some(fund), ..any() },
                Box::new(move |order| order.instrument == fund),
            ),
            listing(
                "orders by status",
                OrderFilter { status: Some(status.word().to_owned()), ..any() },
                Box::new(move |order| crate::model::Status::of(*order.state) == status),
            ),
        ];
        if let Some(reference) = reference {
            let filter = OrderFilter { client_ref: Some(reference.to_string()), ..any() };
            listings.push(listing(
                "orders by reference",
                filter,
                Box::new(move |order| order.client_ref.as_ref() == Some(&reference)),
            ));
        }
        self.judge(&newest, &listings);
        let read = |client| query::order(world, client, one.id).is_some();
        self.isolated("an order", &read);
    }

    fn cash(&mut self) {
        let newest = self.newest(self.model.cash.values().filter(|file| !file.purged).map(|file| &file.last));
        let Some(one) = newest.get(newest.len() / 3).cloned() else { return };
        let (world, model) = (self.world, self.model);
        let listing = |name, filter: TransactionFilter, belongs: Box<dyn Fn(&CashTransaction) -> bool>| Listing {
            name,
            query: Some(ListQuery::Cash(filter.clone())),
            list: Box::new(move |client, window: &Window| query::cash_transactions(world, client, window, &filter)),
            belongs,
        };
        let any = TransactionFilter::default;
        let (account, kind, ref_type, reference) = (one.account, one.kind, one.ref_type, one.reference.clone());
        let day = calendar::local_day(one.stamp.created);
        let date = calendar::date_of(day);
        let fund_of = |cash: &CashTransaction| {
            let order = model.cash.get(&cash.id).and_then(|file| file.order);
            order.and_then(|order| model.orders.get(&order)).map(|order| order.last.instrument)
        };
        let fund = newest.iter().find_map(|cash| fund_of(cash));
        let mut listings: Vec<Listing<'_, CashTransaction>> = vec![
            listing("all cash", any(), Box::new(|_| true)),
            listing(
                "cash by account",
                TransactionFilter { account: Some(account), ..any() },
                Box::new(move |cash| cash.account == account),
            ),
            listing(
                "cash by type",
                TransactionFilter { cash_type: Some(kind), ..any() },
                Box::new(move |cash| cash.kind == kind),
            ),
            listing(
                "cash by refType",
                TransactionFilter { cash_ref_type: Some(ref_type), ..any() },
                Box::new(move |cash| cash.ref_type == ref_type),
            ),
            listing(
                "cash by ref",
                TransactionFilter { reference: reference.as_deref().map(str::to_owned), ..any() },
                Box::new(move |cash| reference.is_none() || cash.reference == reference),
            ),
            listing(
                "cash from a day",
                TransactionFilter { date_from: Some(date), ..any() },
                Box::new(move |cash| calendar::local_day(cash.stamp.created) >= day),
            ),
            listing(
                "cash to a day",
                TransactionFilter { date_to: Some(date), ..any() },
                Box::new(move |cash| calendar::local_day(cash.stamp.created) <= day),
            ),
        ];
        if let Some(fund) = fund {
            listings.push(Listing {
                name: "cash by fund",
                query: Some(ListQuery::Cash(TransactionFilter { instrument: Some(fund), ..any() })),
                list: Box::new(move |client, window: &Window| {
                    let filter = TransactionFilter { instrument: Some(fund), ..any() };
                    query::cash_transactions(world, client, window, &filter)
                }),
                belongs: Box::new(move |cash| fund_of(cash) == Some(fund)),
            });
        }
        self.judge(&newest, &listings);
        let read = |client| query::cash_transaction(world, client, one.id).is_some();
        self.isolated("a cash transaction", &read);
    }

    fn units(&mut self) {
        let newest = self.newest(self.model.units.values().filter(|file| !file.purged).map(|file| &file.last));
        let Some(one) = newest.get(newest.len() / 3).cloned() else { return };
        let world = self.world;
        let listing = |name, filter: TransactionFilter, belongs: Box<dyn Fn(&FundTransaction) -> bool>| Listing {
            name,
            query: Some(ListQuery::Units(filter.clone())),
            list: Box::new(move |client, window: &Window| query::fund_transactions(world, client, window, &filter)),
            belongs,
        };
        let any = TransactionFilter::default;
        let (account, kind, ref_type, fund, reference) =
            (one.account, one.kind, one.ref_type, one.instrument, one.reference.clone());
        let day = calendar::local_day(one.stamp.created);
        let date = calendar::date_of(day);
        let listings = [
            listing("all units", any(), Box::new(|_| true)),
            listing(
                "units by account",
                TransactionFilter { account: Some(account), ..any() },
                Box::new(move |units| units.account == account),
            ),
            listing(
                "units by type",
                TransactionFilter { fund_type: Some(kind), ..any() },
                Box::new(move |units| units.kind == kind),
            ),
            listing(
                "units by refType",
                TransactionFilter { fund_ref_type: Some(ref_type), ..any() },
                Box::new(move |units| units.ref_type == ref_type),
            ),
            listing(
                "units by fund",
                TransactionFilter { instrument: Some(fund), ..any() },
                Box::new(move |units| units.instrument == fund),
            ),
            listing(
                "units by ref",
                TransactionFilter { reference: reference.as_deref().map(str::to_owned), ..any() },
                Box::new(move |units| reference.is_none() || units.reference == reference),
            ),
            listing(
                "units from a day",
                TransactionFilter { date_from: Some(date), ..any() },
                Box::new(move |units| calendar::local_day(units.stamp.created) >= day),
            ),
            listing(
                "units to a day",
                TransactionFilter { date_to: Some(date), ..any() },
                Box::new(move |units| calendar::local_day(units.stamp.created) <= day),
            ),
        ];
        self.judge(&newest, &listings);
        let read = |client| query::fund_transaction(world, client, one.id).is_some();
        self.isolated("a fund transaction", &read);
    }

    fn accounts(&mut self) {
        let newest = self.newest(self.model.accounts.values().map(|file| &file.last));
        let Some(one) = newest.get(newest.len() / 3).cloned() else { return };
        let world = self.world;
        let mut listings: Vec<Listing<'_, Account>> = vec![Listing {
            name: "all accounts",
            query: Some(ListQuery::Accounts(None)),
            list: Box::new(move |client, window: &Window| query::accounts(world, client, window, None)),
            belongs: Box::new(|_| true),
        }];
        if let OwnerKey::Ssn(ssn) = one.owner.key() {
            listings.push(Listing {
                name: "accounts by owner",
                query: Some(ListQuery::Accounts(Some(ssn))),
                list: Box::new(move |client, window: &Window| query::accounts(world, client, window, Some(ssn))),
                belongs: Box::new(move |account| account.owner.key() == OwnerKey::Ssn(ssn)),
            });
        }
        self.judge(&newest, &listings);
        let read = |client| query::account(world, client, one.id).is_some();
        self.isolated("an account", &read);
    }

    fn journeys(&mut self) {
        let newest = self.newest(self.model.journeys.values().map(|file| &file.last));
        let Some(one) = newest.get(newest.len() / 3).cloned() else { return };
        let world = self.world;
        let listings = [Listing {
            name: "all journeys",
            query: None,
            list: Box::new(move |client, window: &Window| query::journeys(world, client, window)),
            belongs: Box::new(|_: &Journey| true),
        }];
        self.judge(&newest, &listings);
        let read = |client| query::journey(world, client, one.id).is_some();
        self.isolated("a journey", &read);
    }

    fn judge<T: Listed>(&mut self, newest: &[Arc<T>], listings: &[Listing<'_, T>]) {
        let Some(first) = newest.first().map(|record| record.place()) else { return };
        for listing in listings {
            let whole = Window { start: Some(first), ..Window::default() };
            let expected: Vec<&Arc<T>> = newest.iter().filter(|record| (listing.belongs)(record)).collect();
            let places: Vec<SortedId> = expected.iter().map(|record| record.place()).collect();
            let listed = |window: &Window| (listing.list)(self.client, window);
            let same = listed(&whole).iter().map(|record| record.place()).eq(places.iter().copied());
            let client = self.client;
            let claim = |window: &Window, records: &[&Arc<T>]| {
                let ids = records.iter().map(|record| record.id()).collect();
                Some(Claim::Listed(client, listing.query.clone()?, *window, ids))
            };
            let mut wrong = Vec::new();
            if !same {
                wrong.push((
                    Law::Paging,
                    format!("{} differ from their events", listing.name),
                    claim(&whole, &expected),
                ));
            }
            let is_part = expected.len() < newest.len();
            self.met.note_if(Law::Paging, is_part && PAGES.iter().all(|&limit| expected.len() > limit));
            for &limit in PAGES {
                if walked(first, limit, &listed) != places {
                    // The first page that is another: pages overlap in one record.
                    let pages = (0..expected.len()).step_by(limit - 1).map(|from| {
                        let page = &expected[from..expected.len().min(from + limit)];
                        (Window { start: Some(page[0].place()), limit: Some(limit), modified_from: None }, page)
                    });
                    let differs = |(window, page): &(Window, &[&Arc<T>])| {
                        !listed(window).iter().map(|record| record.place()).eq(page.iter().map(|record| record.place()))
                    };
                    let claim = pages.into_iter().find(differs).and_then(|(window, page)| claim(&window, page));
                    wrong.push((Law::Paging, format!("pages of {limit} do not make {}", listing.name), claim));
                }
            }
            if let Some(middle) = expected.get(expected.len() / 2).map(|record| record.modified()) {
                for from in [middle, Instant::from_ms(middle.ms() + 1)] {
                    let window = Window { modified_from: Some(from), ..whole };
                    let later = expected.iter().filter(|record| record.modified() >= from).copied();
                    let later: Vec<&Arc<T>> = later.collect();
                    self.met.note_if(Law::ModifiedFrom, (1..expected.len()).contains(&later.len()));
                    if !listed(&window)
                        .iter()
                        .map(|record| record.place())
                        .eq(later.iter().map(|record| record.place()))
                    {
                        let what = format!("{} changed since {from} are not those listed", listing.name);
                        wrong.push((Law::ModifiedFrom, what, claim(&window, &later)));
                    }
                }
            }
            for &other in self.model.clients.keys().filter(|&&other| other != self.client) {
                if (listing.list)(other, &whole).iter().any(|record| record.client() != other) {
                    wrong.push((Law::Isolation, format!("{} show another client's", listing.name), None));
                }
            }
            self.wrong.extend(wrong);
        }
    }

    /// A record that this client can read and no other can.
    fn isolated(&mut self, what: &str, read: &dyn Fn(ClientId) -> bool) {
        let own = read(self.client);
        let others = self.model.clients.keys().filter(|&&other| other != self.client && read(other)).count();
        if !own || others > 0 {
            let what = format!("{what} can be read by {others} other clients, by its own: {own}");
            self.wrong.push((Law::Isolation, what, None));
        }
    }
}

/// Walks a list: each page starts with the last item of the one before, which is dropped.
fn walked<T: Listed>(first: SortedId, limit: usize, list: &dyn Fn(&Window) -> Vec<Arc<T>>) -> Vec<SortedId> {
    let mut walked: Vec<SortedId> = Vec::new();
    let mut start = first;
    loop {
        let page = list(&Window { start: Some(start), limit: Some(limit), modified_from: None });
        let (known, before) = (walked.last().copied(), walked.len());
        let full = page.len() == limit;
        walked.extend(page.iter().map(|record| record.place()).filter(|place| Some(*place) > known));
        match walked.last() {
            Some(last) if full && walked.len() > before => start = *last,
            _ => return walked,
        }
    }
}
