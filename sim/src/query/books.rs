//! The ledger as a balance sheet: every account of the platform and of investors, with what it paid and received.
//!
//! Invariant: it is summed up from cash transactions and suspense items, never from the balances that accounts keep; each
//! counts once on either side, so the sheet sums to 0.00 (invariant 1). A debit counts from the moment it is made, as it
//! does in an account's balance. Absent on purpose: market values, and units, which are no money.

use crate::ids::{ClientId, PartnerId};
use crate::machines::suspense::State as SuspenseState;
use crate::money::Amount;
use crate::records::{Account, LedgerAccount, PlatformAccount};
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

/// The books of all accounts whose partner `sees`, and of money in suspense where `suspense` says so
/// (rule: money/books).
#[must_use]
pub fn books(world: &World, sees: impl Fn(PartnerId) -> bool, suspense: bool) -> LedgerView {
    let mut entries: BTreeMap<LedgerAccount, LedgerEntry> = BTreeMap::new();
    let mut book = |debit, credit, amount| {
        entries.entry(debit).or_default().debit += amount;
        entries.entry(credit).or_default().credit += amount;
    };
    let own = |client: &ClientId| sees(world.clients[client].partner);
    for cash in world.cash.iter().filter(|cash| cash.aborted.is_none() && own(&cash.client)) {
        book(cash.debit, cash.credit, cash.amount);
    }
    for ((_, _), pot) in world.fee_pots.iter().filter(|((client, _), _)| own(client)) {
        let [fees, bank] = [PlatformAccount::PartnerFees, PlatformAccount::Bank].map(LedgerAccount::Platform);
        pot.paid.iter().for_each(|payment| book(fees, bank, payment.amount));
    }
    // What came in for nobody is the bank's and the suspense's; returned, it is gone from both.
    let held = |state: SuspenseState| state != SuspenseState::Returned;
    for item in world.suspense.iter().filter(|item| suspense && held(*item.state)) {
        let [bank, waiting] = [PlatformAccount::Bank, PlatformAccount::Suspense].map(LedgerAccount::Platform);
        book(bank, waiting, item.amount);
    }
    let of = |account| entries.get(&account).copied().unwrap_or_default();
    let investor = |account: &Arc<Account>| (Arc::clone(account), of(LedgerAccount::Investor(account.id)));
    LedgerView {
        at: world.now(),
        platform: PlatformAccount::ALL.iter().map(|&role| (role, of(LedgerAccount::Platform(role)))).collect(),
        investors: world.accounts.iter().filter(|account| own(&account.client)).map(investor).collect(),
    }
}
