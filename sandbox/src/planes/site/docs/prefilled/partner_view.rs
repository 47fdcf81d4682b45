//! A part of a world as its partner sees it: the clients, accounts and funds that values are looked for among.
//!
//! Absent on purpose: which of them an operation is about.

use sim::World;
use sim::identity::{Currency, InstrumentId};
use sim::ids::{ClientId, PartnerId};
use sim::query;
use sim::records::{Account, Client};
use sim::store::Window;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many accounts of a client are looked at.
const MOST_ACCOUNTS: usize = 100;
/// How many accounts of all clients are looked at.
const MOST_ACCOUNTS_OF_ALL: usize = 500;

/// Why a page has no values that lead to success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// There is none of something that it needs.
    Resource(Missing),
    /// The checks of the operation refuse everything that was tried. This is the problem that the last of them named.
    Refused(String),
}

/// Something that an operation is about and that there is none of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The parameter that would name it.
    pub(super) parameter: &'static str,
    /// What it is.
    pub(crate) what: &'static str,
    /// The operation that makes one, or lists them.
    pub(crate) make: &'static str,
    /// Whether it is of a kind that the page does not look for.
    pub(crate) is_unseen: bool,
}

/// Ids, by the names of parameters and of fields.
pub(super) type Ids = BTreeMap<&'static str, String>;

/// A part of a world as its partner sees it.
pub(super) struct PartnerView<'w> {
    pub(super) world: &'w World,
    pub(super) partner: PartnerId,
}

impl<'w> PartnerView<'w> {
    /// The partner's clients.
    pub(super) fn clients(&self) -> impl Iterator<Item = &'w Arc<Client>> + use<'w> {
        query::clients_of(self.world, self.partner)
    }

    /// The accounts of a client that are open for business.
    pub(super) fn accounts(&self, client: ClientId) -> impl Iterator<Item = Arc<Account>> + use<'w> {
        self.all_accounts(client).filter(|account| account.is_active())
    }

    /// The accounts of a client, whatever their status.
    pub(super) fn all_accounts(&self, client: ClientId) -> impl Iterator<Item = Arc<Account>> + use<'w> {
        let window = Window { limit: Some(MOST_ACCOUNTS), ..Window::default() };
        query::accounts(self.world, client, &window, None).into_iter()
    }

    /// Every account that is open for business, with its client.
    pub(super) fn every_account(&self) -> impl Iterator<Item = (&'w Arc<Client>, Arc<Account>)> {
        let all = self.clients().flat_map(|client| self.accounts(client.id).map(move |account| (client, account)));
        all.take(MOST_ACCOUNTS_OF_ALL)
    }

    /// The funds that a client offers and that are open, those that anybody may buy for kronor first.
    pub(super) fn funds(&self, client: ClientId) -> Vec<InstrumentId> {
        let mut funds: Vec<_> = query::instruments(self.world, Some(client))
            .into_iter()
            .filter(|fund| fund.record.is_tradable && fund.record.is_buyable)
            .collect();
        // The same sums in kronor are the plainest.
        let is_foreign = |id: InstrumentId| id.currency() != Currency::SEK;
        funds.sort_by_key(|fund| (fund.record.is_complex, fund.record.is_raif, is_foreign(fund.record.id)));
        funds.into_iter().map(|fund| fund.record.id).collect()
    }
}
