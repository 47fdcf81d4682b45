//! What the picture of money shows: nodes in five columns, and what flows between them.
//!
//! Owns: how postings become flows. Invariant: of each account before, and what it received, is what it paid, and after;
//! every posting of the period is in one flow on either side of its account, or among those of the platform alone; amounts are whole
//! ore. Absent on purpose: where anything is drawn.

use super::kinds::{MoneyKind, outsider};
use crate::frame::numbers::{ore, sek};
use crate::frame::time_axis::{begins, next};
use jiff::civil::Date;
use serde::Serialize;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, PartnerId};
use sim::query::{Posting, PostingReason, every_account, every_order, postings};
use sim::records::{Account, CashRefType, CashTransaction, LedgerAccount, PlatformAccount};
use sim::time::Instant;
use sim::world::World;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most accounts and most funds that have a node of their own; all others share one.
const MOST_ACCOUNTS: usize = 10;
const MOST_FUNDS: usize = 6;

/// The node of accounts, and of funds, that have none of their own.
const OTHERS: &str = "others";

/// A place that money comes from, passes or goes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node {
    /// Unique within the picture.
    pub(super) id: String,
    /// From 0, left to right: outsiders, kinds, accounts, kinds, outsiders.
    pub(super) column: usize,
    pub(super) name: String,
    /// What flows through it.
    #[serde(rename = "amount", serialize_with = "sek")]
    pub(super) ore: i64,
    /// Of kinds alone.
    #[serde(skip)]
    pub(super) kind: Option<MoneyKind>,
}

/// Money between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Flow {
    pub(super) from: String,
    pub(super) to: String,
    #[serde(rename = "amount", serialize_with = "sek")]
    pub(super) ore: i64,
    /// How many postings it sums up; none of what accounts have before and after.
    pub(super) postings: u64,
    #[serde(skip)]
    pub(super) kind: MoneyKind,
}

/// What one account of the platform has paid and received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LedgerLine {
    pub(super) account: String,
    #[serde(serialize_with = "sek")]
    pub(super) before: i64,
    #[serde(serialize_with = "sek")]
    pub(super) received: i64,
    #[serde(serialize_with = "sek")]
    pub(super) paid: i64,
    #[serde(serialize_with = "sek")]
    pub(super) after: i64,
}

/// A calendar day, as the API writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day(pub(super) Date);

impl Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The first day of the period; none where it goes back to the first posting.
    pub(super) from: Option<Day>,
    /// Its last day; none where it has not ended.
    pub(super) to: Option<Day>,
    /// What the clock of the world shows.
    pub(super) now: Instant,
    pub(super) currency: &'static str,
    pub(super) nodes: Vec<Node>,
    pub(super) flows: Vec<Flow>,
    /// Accounts of investors that share a node.
    pub(super) other_accounts: usize,
    /// Funds that share a node.
    pub(super) other_funds: usize,
    /// What flows between the platform's own accounts, which no node shows.
    pub(super) between: Vec<Flow>,
    /// The accounts of the platform, and the investors' together.
    pub(super) ledger: Vec<LedgerLine>,
}

/// Which postings are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Period {
    days: [Option<Date>; 2],
    /// From the first posting where there is none.
    from: Option<Instant>,
    /// Without end where there is none.
    before: Option<Instant>,
}

impl Period {
    /// From the beginning of the first day to the end of the last.
    #[must_use]
    pub fn of_days(first: Option<Date>, last: Option<Date>) -> Self {
        Self { days: [first, last], from: first.map(begins), before: last.map(|last| begins(next(last))) }
    }

    /// Whether it begins after an instant.
    fn is_after(self, at: Instant) -> bool {
        self.from.is_some_and(|from| at < from)
    }

    fn holds(self, at: Instant) -> bool {
        !self.is_after(at) && self.before.is_none_or(|end| at < end)
    }
}

#[derive(Clone, Copy, Default)]
struct Sum {
    ore: i64,
    postings: u64,
}

impl Sum {
    fn add(&mut self, ore: i64) {
        self.ore = self.ore.saturating_add(ore);
        self.postings += 1;
    }
}

/// Who is on the other side of an account: a fund where the posting is of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outsider {
    Fund(Option<InstrumentId>),
    Platform(PlatformAccount),
}

/// What was gathered from the postings.
#[derive(Default)]
struct Gathered {
    before: BTreeMap<LedgerAccount, i64>,
    /// Received and paid.
    moved: BTreeMap<LedgerAccount, [i64; 2]>,
    by_account: BTreeMap<(MoneyKind, AccountId), Sum>,
    by_outsider: BTreeMap<(MoneyKind, Outsider), Sum>,
    between: BTreeMap<(PlatformAccount, PlatformAccount, MoneyKind), Sum>,
}

impl Gathered {
    fn of<'w>(
        postings: impl Iterator<Item = Posting<'w>>,
        period: Period,
        fund: impl Fn(&CashTransaction) -> Option<InstrumentId>,
    ) -> Self {
        let mut all = Self::default();
        for posting in postings {
            let amount = ore(posting.amount);
            if period.is_after(posting.at) {
                *all.before.entry(posting.debit).or_default() -= amount;
                *all.before.entry(posting.credit).or_default() += amount;
            } else if period.holds(posting.at) {
                all.moved.entry(posting.credit).or_default()[0] += amount;
                all.moved.entry(posting.debit).or_default()[1] += amount;
                all.add(&posting, amount, &fund);
            }
        }
        all
    }

    fn add(&mut self, posting: &Posting<'_>, amount: i64, fund: impl Fn(&CashTransaction) -> Option<InstrumentId>) {
        let cash = match posting.reason {
            PostingReason::Cash(cash) => cash,
            PostingReason::FeesPaidOn | PostingReason::InSuspense => {
                let (LedgerAccount::Platform(from), LedgerAccount::Platform(to)) = (posting.debit, posting.credit)
                else {
                    return;
                };
                let kind = if posting.reason == PostingReason::FeesPaidOn {
                    MoneyKind::PartnerFees
                } else {
                    MoneyKind::FromSuspense
                };
                return self.between.entry((from, to, kind)).or_default().add(amount);
            }
        };
        let kind = MoneyKind::of(cash.booking);
        let against = match cash.booking.terms().against {
            PlatformAccount::FundOrders => Outsider::Fund(fund(cash)),
            other => Outsider::Platform(other),
        };
        self.by_account.entry((kind, cash.account)).or_default().add(amount);
        self.by_outsider.entry((kind, against)).or_default().add(amount);
    }

    fn line(&self, account: String, of: impl Fn(&LedgerAccount) -> bool) -> LedgerLine {
        let before = self.before.iter().filter(|(account, _)| of(account)).map(|(_, ore)| ore).sum::<i64>();
        let moved = self.moved.iter().filter(|(account, _)| of(account));
        let [received, paid] = moved.fold([0, 0], |[received, paid], (_, more)| [received + more[0], paid + more[1]]);
        LedgerLine { account, before, received, paid, after: before + received - paid }
    }

    /// Those with the most first; the ids decide between equals.
    fn largest<T: Ord + Copy>(sums: impl Iterator<Item = (T, i64)>, most: usize) -> (BTreeSet<T>, usize) {
        let mut by: BTreeMap<T, i64> = BTreeMap::new();
        sums.for_each(|(of, ore)| *by.entry(of).or_default() += ore);
        let mut order: Vec<_> = by.into_iter().filter(|(_, ore)| *ore > 0).collect();
        order.sort_by_key(|(of, ore)| (Reverse(*ore), *of));
        // A node that others share shows more than one of them.
        let own = if order.len() == most + 1 { most + 1 } else { most };
        let rest = order.len().saturating_sub(own);
        (order.into_iter().take(own).map(|(of, _)| of).collect(), rest)
    }
}

impl Facts {
    /// The money of the accounts whose partner `sees`, and of the platform in suspense where `suspense` says so.
    #[must_use]
    pub fn of(world: &World, period: Period, sees: impl Fn(PartnerId) -> bool + Copy, suspense: bool) -> Self {
        let orders: BTreeMap<String, InstrumentId> =
            every_order(world).map(|order| (order.id.to_string(), order.instrument)).collect();
        let fund = |cash: &CashTransaction| {
            let order = cash.reference.as_deref().filter(|_| cash.ref_type == CashRefType::Order);
            order.and_then(|id| orders.get(id)).copied()
        };
        let mut all = Gathered::of(postings(world, sees, suspense), period, fund);
        all.set_aside();
        let accounts: BTreeMap<AccountId, &Account> =
            every_account(world).map(|account| (account.id, &**account)).collect();
        let moved =
            all.by_account.iter().filter(|((kind, _), _)| kind.comes()).map(|((_, account), sum)| (*account, sum.ore));
        let (own_accounts, other_accounts) = Gathered::largest(moved, MOST_ACCOUNTS);
        let traded = all.by_outsider.iter().filter_map(|((_, outsider), sum)| match outsider {
            Outsider::Fund(Some(fund)) => Some((*fund, sum.ore)),
            Outsider::Fund(None) | Outsider::Platform(_) => None,
        });
        let (own_funds, other_funds) = Gathered::largest(traded, MOST_FUNDS);

        let account_node = |id: &AccountId| match accounts.get(id).filter(|_| own_accounts.contains(id)) {
            Some(account) => (id.to_string(), format!("{} {}", account.reference, account.name)),
            None => (OTHERS.to_owned(), format!("{other_accounts} other accounts")),
        };
        let outsider_node = |of: &Outsider| match of {
            Outsider::Platform(account) => (account.name().to_owned(), outsider(*account).to_owned()),
            Outsider::Fund(None) => {
                (PlatformAccount::FundOrders.name().to_owned(), outsider(PlatformAccount::FundOrders).to_owned())
            }
            Outsider::Fund(Some(fund)) if own_funds.contains(fund) => {
                let name = sim::query::instrument(world, *fund).map(|view| view.record.name.to_string());
                (fund.to_string(), name.unwrap_or_else(|| fund.to_string()))
            }
            Outsider::Fund(Some(_)) => ("otherFunds".to_owned(), format!("{other_funds} other funds")),
        };
        let mut flows = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        for ((kind, outsider), sum) in &all.by_outsider {
            let (id, name) = outsider_node(outsider);
            let column = if kind.comes() { 0 } else { 4 };
            let end = Node {
                id: format!("{}:{id}", if column == 0 { "from" } else { "to" }),
                column,
                name,
                ore: 0,
                kind: None,
            };
            connect(&mut nodes, &mut flows, end, *kind, *sum);
        }
        for ((kind, account), sum) in &all.by_account {
            let (id, name) = account_node(account);
            let end = Node { id: format!("account:{id}"), column: 2, name, ore: 0, kind: None };
            connect(&mut nodes, &mut flows, end, *kind, *sum);
        }
        Self {
            from: period.days[0].map(Day),
            to: period.days[1].map(Day),
            now: world.now(),
            currency: "SEK",
            nodes: ordered(nodes, &flows),
            flows,
            other_accounts,
            other_funds,
            between: all.between(),
            ledger: PlatformAccount::ALL
                .iter()
                .map(|role| all.line(role.name().to_owned(), |of| *of == LedgerAccount::Platform(*role)))
                .chain([all.line("investors".to_owned(), |of| matches!(of, LedgerAccount::Investor(_)))])
                .collect(),
        }
    }

    /// The nodes of a column.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.column == column)
    }

    /// What a node is called.
    pub(super) fn name_of<'n>(&'n self, id: &'n str) -> &'n str {
        self.nodes.iter().find(|node| node.id == id).map_or(id, |node| &node.name)
    }

    /// The same with all accounts as one node, and without outsiders.
    pub(super) fn without_outsiders(&self) -> Self {
        let account = "account:all";
        let accounts = self.nodes.iter().filter(|node| node.column == 2);
        let ore = accounts.clone().map(|node| node.ore).sum();
        let count = accounts.filter(|node| node.id != format!("account:{OTHERS}")).count() + self.other_accounts;
        let name = if count == 1 { "1 account".to_owned() } else { format!("{count} accounts") };
        let kinds = || self.nodes.iter().filter(|node| node.kind.is_some());
        let all = Node { id: account.to_owned(), column: 1, name, ore, kind: None };
        let column = |node: &Node| if node.column == 1 { 0 } else { 2 };
        let nodes = kinds().map(|node| Node { column: column(node), ..node.clone() });
        let flows = kinds().map(|node| {
            let own = |flow: &&Flow| if node.column == 1 { flow.from == node.id } else { flow.to == node.id };
            let postings = self.flows.iter().filter(own).map(|flow| flow.postings).sum();
            let (from, to) = if node.column == 1 {
                (node.id.clone(), account.to_owned())
            } else {
                (account.to_owned(), node.id.clone())
            };
            Flow { from, to, ore: node.ore, postings, kind: node.kind.unwrap_or(MoneyKind::After) }
        });
        let flows = flows.collect();
        Self { nodes: nodes.chain([all].into_iter().filter(|all| all.ore > 0)).collect(), flows, ..self.clone() }
    }
}

impl Gathered {
    /// What accounts have before comes into the period, and what they have after leaves it.
    fn set_aside(&mut self) {
        let investors: BTreeSet<AccountId> = self
            .before
            .keys()
            .chain(self.moved.keys())
            .filter_map(|of| match of {
                LedgerAccount::Investor(id) => Some(*id),
                LedgerAccount::Platform(_) => None,
            })
            .collect();
        for id in investors {
            let of = LedgerAccount::Investor(id);
            let before = self.before.get(&of).copied().unwrap_or_default();
            let [received, paid] = self.moved.get(&of).copied().unwrap_or_default();
            for (kind, ore) in [(MoneyKind::Before, before), (MoneyKind::After, before + received - paid)] {
                if ore > 0 {
                    self.by_account.insert((kind, id), Sum { ore, postings: 0 });
                }
            }
        }
    }

    fn between(&self) -> Vec<Flow> {
        let flow = |((from, to, kind), sum): (&(PlatformAccount, PlatformAccount, MoneyKind), &Sum)| Flow {
            from: from.name().to_owned(),
            to: to.name().to_owned(),
            ore: sum.ore,
            postings: sum.postings,
            kind: *kind,
        };
        self.between.iter().map(flow).collect()
    }
}

/// Adds what flows between a kind and `end`.
fn connect(nodes: &mut Vec<Node>, flows: &mut Vec<Flow>, end: Node, kind: MoneyKind, sum: Sum) {
    let (side, column) = if kind.comes() { ("in", 1) } else { ("out", 3) };
    let own =
        Node { id: format!("{side}:{}", kind.name()), column, name: kind.name().to_owned(), ore: 0, kind: Some(kind) };
    let (from, to) =
        if end.column < column { (end.id.clone(), own.id.clone()) } else { (own.id.clone(), end.id.clone()) };
    for node in [end, own] {
        if nodes.iter().all(|known| known.id != node.id) {
            nodes.push(node);
        }
    }
    match flows.iter_mut().find(|flow| flow.from == from && flow.to == to) {
        Some(known) => {
            known.ore += sum.ore;
            known.postings += sum.postings;
        }
        None => flows.push(Flow { from, to, ore: sum.ore, postings: sum.postings, kind }),
    }
}

/// The nodes by column, kinds in their order and others by what flows through them.
fn ordered(mut nodes: Vec<Node>, flows: &[Flow]) -> Vec<Node> {
    for node in &mut nodes {
        let came: i64 = flows.iter().filter(|flow| flow.to == node.id).map(|flow| flow.ore).sum();
        let went: i64 = flows.iter().filter(|flow| flow.from == node.id).map(|flow| flow.ore).sum();
        node.ore = came.max(went);
    }
    let is_rest = |node: &Node| node.id.ends_with(OTHERS) || node.id.ends_with("otherFunds");
    nodes.sort_by(|one, other| {
        let key = |node: &Node| (node.column, is_rest(node), node.kind, Reverse(node.ore));
        key(one).cmp(&key(other)).then_with(|| one.id.cmp(&other.id))
    });
    nodes
}
