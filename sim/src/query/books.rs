//! The ledger as a balance sheet: every account of the platform and of investors, with what it paid and received.
//!
//! Invariant: it is summed up from cash transactions and suspense items, never from the balances that accounts keep; each
//! counts once on either side, so the sheet sums to 0.00 (invariant 1). A debit counts from the moment it is made, as it
//! does in an account's balance. Absent on purpose: market values, and units, which are no money.

use crate::ids::{ClientId, PartnerId};
use crate::machines::suspense::State as SuspenseState;
use crate::money::Amount;
use crate::records::{Account, CashTransaction, LedgerAccount, PlatformAccount};
use crate::time::Instant;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What one account of the ledger has paid and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Sum of what it paid.
    pub debit: Amount,
    /// Sum of what it received.
    pub credit: Amount,
}

impl LedgerEntry {
    /// What it received less what it paid.
    #[must_use]
    pub fn balance(&self) -> Amount {
        self.credit - self.debit
    }

    fn add(&mut self, other: Self) {
        self.debit += other.debit;
        self.credit += other.credit;
    }
}

/// The ledger at an instant.
#[derive(Clone, Debug)]
pub struct LedgerView {
    /// When.
    pub at: Instant,
    /// The platform's own accounts, every one of them.
    pub platform: Vec<(PlatformAccount, LedgerEntry)>,
    /// Investors' accounts, oldest first, those without a transaction included.
    pub investors: Vec<(Arc<Account>, LedgerEntry)>,
}

impl LedgerView {
    /// All investors' accounts together.
    #[must_use]
    pub fn of_investors(&self) -> LedgerEntry {
        sum(self.investors.iter().map(|(_, entry)| entry))
    }

    /// All of the platform's accounts together.
    #[must_use]
    pub fn of_platform(&self) -> LedgerEntry {
        sum(self.platform.iter().map(|(_, entry)| entry))
    }

    /// Everything together: debits and credits are equal.
    #[must_use]
    pub fn total(&self) -> LedgerEntry {
        let mut total = self.of_platform();
        total.add(self.of_investors());
        total
    }
}

fn sum<'a>(entries: impl Iterator<Item = &'a LedgerEntry>) -> LedgerEntry {
    entries.fold(LedgerEntry::default(), |mut sum, entry| {
        sum.add(*entry);
        sum
    })
}

/// Why money went from one account of the ledger to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostingReason<'w> {
    /// This cash transaction.
    Cash(&'w CashTransaction),
    /// Fees of clients are paid on to them.
    FeesPaidOn,
    /// Money came in for nobody.
    InSuspense,
}

/// An amount that one account of the ledger has paid, and another has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting<'w> {
    /// When it was made.
    pub at: Instant,
    /// Who paid.
    pub debit: LedgerAccount,
    /// Who received.
    pub credit: LedgerAccount,
    /// How much.
    pub amount: Amount,
    /// Why.
    pub reason: PostingReason<'w>,
}

/// All postings that the books are the sum of, by kind and not by time: those of accounts whose partner `sees`, and those of
/// money in suspense where `suspense` says so.
pub fn postings(
    world: &World,
    sees: impl Fn(PartnerId) -> bool + Copy,
    suspense: bool,
) -> impl Iterator<Item = Posting<'_>> {
    let own = move |client: &ClientId| sees(world.clients[client].partner);
    let cash = world.cash.iter().filter(move |cash| cash.aborted.is_none() && own(&cash.client));
    let cash = cash.map(|cash| Posting {
        at: cash.stamp.created,
        debit: cash.debit,
        credit: cash.credit,
        amount: cash.amount,
        reason: PostingReason::Cash(cash),
    });
    let [bank, fees, waiting] =
        [PlatformAccount::Bank, PlatformAccount::PartnerFees, PlatformAccount::Suspense].map(LedgerAccount::Platform);
    let pots = world.fee_pots.iter().filter(move |((client, _), _)| own(client));
    let paid = pots.flat_map(|(_, pot)| pot.paid.iter()).map(move |payment| Posting {
        at: payment.at,
        debit: fees,
        credit: bank,
        amount: payment.amount,
        reason: PostingReason::FeesPaidOn,
    });
    // What came in for nobody is the bank's and the suspense's; returned, it is gone from both.
    let held = |state: SuspenseState| state != SuspenseState::Returned;
    let items = world.suspense.iter().filter(move |item| suspense && held(*item.state)).map(move |item| Posting {
        at: item.stamp.created,
        debit: bank,
        credit: waiting,
        amount: item.amount,
        reason: PostingReason::InSuspense,
    });
    cash.chain(paid).chain(items)
}

/// The books of all accounts whose partner `sees`, and of money in suspense where `suspense` says so
/// (rule: money/books).
#[must_use]
pub fn books(world: &World, sees: impl Fn(PartnerId) -> bool + Copy, suspense: bool) -> LedgerView {
    let mut entries: BTreeMap<LedgerAccount, LedgerEntry> = BTreeMap::new();
    for posting in postings(world, sees, suspense) {
        entries.entry(posting.debit).or_default().debit += posting.amount;
        entries.entry(posting.credit).or_default().credit += posting.amount;
    }
    let of = |account| entries.get(&account).copied().unwrap_or_default();
    let own = |client: &ClientId| sees(world.clients[client].partner);
    let investor = |account: &Arc<Account>| (Arc::clone(account), of(LedgerAccount::Investor(account.id)));
    LedgerView {
        at: world.now(),
        platform: PlatformAccount::ALL.iter().map(|&role| (role, of(LedgerAccount::Platform(role)))).collect(),
        investors: world.accounts.iter().filter(|account| own(&account.client)).map(investor).collect(),
    }
}
