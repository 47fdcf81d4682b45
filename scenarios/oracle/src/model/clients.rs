//! Whether requests about clients, plans, suspense and purges are accepted, and what a client is afterwards (rule:
//! clients/client-identity, clients/client-patch, fees/partner-fee, plans/allocation-plan-shape, payments/suspense, accounts/purging).
//!
//! Invariant: decided before the world is asked, from the model's own books; whether a plan or an item in suspense exists is
//! read. Absent on purpose: requests about accounts, which `expected` has.

use super::Model;
use super::expected::{Expected, unless};
use super::figures::luhn;
use rust_decimal::Decimal;
use sim::command::{CreateClient, Patch, PatchClient, Purgeable, Scope, SetClientFees};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, AllocationPlanId, BankAccountId, ClientId, PartnerId, SuspenseItemId};
use sim::records::{AccountStatus, Allocation, AllocationPlan, Client, ClientBankAccount, MandateStatus, ServiceCode};
use sim::refusal::Class;
use sim::{World, query};
use std::sync::Arc;

/// Longest name of a client.
const LONGEST_CLIENT_NAME: usize = 255;
/// The highest rate of a fee: everything.
const HIGHEST_RATE: u32 = 10_000;
/// Most funds of a list.
pub(super) const MOST_FUNDS: usize = 200;
/// Countries that runs name.
pub(super) const COUNTRIES: [&str; 4] = ["SE", "NO", "FI", "DK"];

/// Whether a request is in order, or the class in which it is refused.
pub(super) type Checked = Result<(), Expected>;

impl Model {
    /// The client of a scope, if it is the partner's own and was not forgotten.
    pub(super) fn in_scope(&self, scope: Scope) -> Result<&Arc<Client>, Expected> {
        unless(self.partner_of(scope.client) == Some(scope.partner), Class::OutOfScope)?;
        Ok(&self.clients[&scope.client])
    }

    /// The first client of a partner, which new ones take after.
    fn first_of(&self, partner: PartnerId) -> Option<&Arc<Client>> {
        self.clients.values().find(|client| client.partner == partner)
    }

    /// A new client: no other client of its partner has its organisation number, and its services are ones that its partner's first
    /// client may have.
    pub(super) fn create_client(&self, create: &CreateClient) -> Checked {
        let first = self.first_of(create.partner).ok_or(Expected::Refused(Class::OutOfScope))?;
        let is_taken = self.clients.values().any(|known| known.partner == create.partner && known.crn == create.crn);
        let has_id = create.id.is_some_and(|id| self.clients.contains_key(&id));
        let names = [&create.name, &create.display_name].into_iter().all(|name| is_name(name));
        let services = is_chosen_from(&create.service_types, &first.permissions.service_types);
        let digits: Option<Vec<u32>> = create.crn.to_string().chars().map(|c| c.to_digit(10)).collect();
        let is_number = !self.settings.strict_identifiers || digits.is_some_and(|digits| luhn(&digits));
        let is_new = !is_taken && !has_id;
        let is_well_formed = names && services && is_new && is_number && are_fee_accounts(&create.bank_accounts);
        unless(is_well_formed, Class::Malformed)?;
        is_country(&create.country)
    }

    /// A change of a client.
    pub(super) fn patch_client(&self, patch: &PatchClient) -> Checked {
        let client = self.in_scope(patch.scope)?;
        let text = |text: &Patch<Arc<str>>| match text {
            Patch::Keep => true,
            Patch::Clear => false,
            Patch::Set(name) => is_name(name),
        };
        let accounts = match &patch.bank_accounts {
            Patch::Keep | Patch::Clear => true,
            Patch::Set(accounts) => are_fee_accounts(accounts),
        };
        let services = match &patch.service_types {
            Patch::Keep => true,
            Patch::Clear => false,
            Patch::Set(services) => is_chosen_from(services, &client.permissions.service_types),
        };
        let names_what_stays = patch.names_id || patch.names_crn;
        let is_well_formed = text(&patch.name) && text(&patch.display_name) && accounts && services;
        unless(is_well_formed && !names_what_stays && patch.country != Patch::Clear, Class::Malformed)?;
        match &patch.country {
            Patch::Set(country) => is_country(country),
            Patch::Keep | Patch::Clear => Ok(()),
        }
    }

    /// A client after a patch that is in order, but for its dates and the codes of services that are new.
    pub(crate) fn patched(&self, patch: &PatchClient) -> Option<Client> {
        let mut client = Client::clone(self.clients.get(&patch.scope.client)?);
        let fields = [
            (&mut client.name, &patch.name),
            (&mut client.display_name, &patch.display_name),
            (&mut client.country, &patch.country),
        ];
        for (field, patch) in fields {
            if let Patch::Set(text) = patch {
                *field = Arc::clone(text);
            }
        }
        match &patch.bank_accounts {
            Patch::Keep => {}
            Patch::Clear => client.bank_accounts.clear(),
            Patch::Set(accounts) => client.bank_accounts.clone_from(accounts),
        }
        Some(client)
    }

    /// The client that a request for a new one should make, but for its id, its dates and its codes.
    pub(crate) fn created(&self, create: &CreateClient, made: &Client) -> Option<Client> {
        let first = self.first_of(create.partner)?;
        Some(Client {
            id: create.id.unwrap_or(made.id),
            sorted_id: made.sorted_id,
            partner: create.partner,
            name: Arc::clone(&create.name),
            display_name: Arc::clone(&create.display_name),
            crn: create.crn,
            country: Arc::clone(&create.country),
            bank_accounts: create.bank_accounts.clone(),
            service_types: made.service_types.clone(),
            permissions: first.permissions.clone(),
            withdrawal_needs_signature: first.withdrawal_needs_signature,
            fees: first.fees,
            universe: first.universe.clone(),
            stamp: made.stamp,
        })
    }

    /// Whether no other client has one of these codes, and each has six digits.
    pub(crate) fn are_new_codes(&self, own: ClientId, codes: &[ServiceCode]) -> bool {
        let others = self.clients.values().filter(|client| client.id != own).flat_map(|client| &client.service_types);
        let all: Vec<&str> = others.chain(codes).map(|service| &*service.code).collect();
        codes.iter().all(|service| {
            let is_code = service.code.len() == 6 && service.code.bytes().all(|byte| byte.is_ascii_digit());
            is_code && all.iter().filter(|code| ***code == *service.code).count() == 1
        })
    }

    /// Other fees of a client: without the permission its partner's stay.
    pub(super) fn set_fees(&self, set: &SetClientFees) -> Checked {
        let client = self.in_scope(set.scope)?;
        unless(set.partner.is_none() || client.permissions.partner_fee, Class::OutOfScope)?;
        let terms = [set.partner, set.client].into_iter().flatten();
        let is_possible = terms.map(|terms| terms.basis_points).all(|points| points <= HIGHEST_RATE);
        unless(is_possible, Class::Malformed)
    }

    /// Other shares of an allocation plan, or another bank account that pays it.
    pub(super) fn patch_plan(
        &self,
        world: &World,
        scope: Scope,
        plan: AllocationPlanId,
        bank_account: &Patch<BankAccountId>,
        shares: &Patch<Vec<Allocation>>,
    ) -> Checked {
        let client = self.in_scope(scope)?;
        let whole = match shares {
            Patch::Keep => true,
            Patch::Clear => false,
            Patch::Set(shares) => self.are_shares(client, shares),
        };
        unless(whole, Class::Malformed)?;
        let account = plan_of(world, scope.client, plan)?.account;
        let Patch::Set(bank) = bank_account else { return Ok(()) };
        let banks = self.accounts.get(&account).map(|file| &file.last.bank_accounts);
        let known = banks.into_iter().flat_map(|banks| banks.iter()).find(|known| known.id == *bank);
        let pays = known.is_some_and(|bank| can_be_charged(*bank.mandate));
        unless(pays, Class::BadTarget)
    }

    /// Whether shares are of funds that the client offers and that go on, each once, and make a whole.
    pub(super) fn are_shares(&self, client: &Client, shares: &[Allocation]) -> bool {
        let funds: Vec<_> = shares.iter().map(|share| share.instrument).collect();
        let sum: Decimal = shares.iter().map(|share| share.percent.get()).sum();
        is_choice(&funds)
            && shares.len() <= MOST_FUNDS
            && shares
                .iter()
                .all(|share| share.percent.get() > Decimal::ZERO && self.is_offered(client, share.instrument))
            && sum == Decimal::ONE_HUNDRED
    }

    /// Whether a client offers a fund that has not ended.
    pub(super) fn is_offered(&self, client: &Client, fund: InstrumentId) -> bool {
        client.universe.contains(fund) && self.funds.get(&fund).is_some_and(|fund| !fund.has_ended)
    }

    /// The end of an allocation plan.
    pub(super) fn delete_plan(&self, world: &World, scope: Scope, plan: AllocationPlanId) -> Checked {
        self.in_scope(scope)?;
        plan_of(world, scope.client, plan).map(|_| ())
    }

    /// The end of a savings plan.
    pub(super) fn delete_savings(&self, world: &World, scope: Scope, account: AccountId) -> Checked {
        self.in_scope(scope)?;
        let own = self.accounts.get(&account).filter(|file| file.last.client == scope.client);
        unless(own.is_some() && query::savings_plan_of(world, account).is_some(), Class::Unknown)
    }

    /// Money in suspense goes to an account that is active, or back to its payer: once.
    pub(super) fn leaves_suspense(&self, world: &World, item: SuspenseItemId, to: Option<AccountId>) -> Checked {
        let account = to.map(|id| self.accounts.get(&id).filter(|file| self.partner_of(file.last.client).is_some()));
        unless(account.is_none_or(|known| known.is_some()), Class::Unknown)?;
        unless(query::suspense(world).any(|known| known.id == item), Class::Unknown)?;
        unless(!self.released.contains(&item), Class::Conflict)?;
        unless(account.flatten().is_none_or(super::AccountFile::is_open), Class::Conflict)
    }

    /// What is to be forgotten has ended, and has not been forgotten.
    pub(super) fn purge(&self, partner: PartnerId, what: Purgeable) -> Checked {
        let is_own = |client: ClientId| self.partner_of(client) == Some(partner);
        let (is_known, has_ended) = match what {
            Purgeable::Client(client) => {
                unless(is_own(client), Class::OutOfScope)?;
                let accounts = self.accounts.values().filter(|file| file.last.client == client);
                let is_over = |file: &super::AccountFile| {
                    file.last.deleted.is_some() || file.last.status() == AccountStatus::Rejected
                };
                let mut journeys = self.journeys.values().filter(|file| file.client == client);
                (true, accounts.into_iter().all(is_over) && journeys.all(|file| file.state.is_terminal()))
            }
            Purgeable::Account(account) => {
                let file = self.accounts.get(&account).map(|file| &file.last);
                let is_refused = |account: &&Arc<sim::records::Account>| {
                    account.status() == AccountStatus::Rejected && account.deleted.is_none()
                };
                (file.is_some_and(|account| is_own(account.client)), file.filter(is_refused).is_some())
            }
            Purgeable::Journey(journey) => {
                let file = self.journeys.get(&journey);
                let is_over = file.is_some_and(|file| file.state.is_terminal() && !file.purged);
                (file.is_some_and(|file| is_own(file.client)), is_over)
            }
            Purgeable::Order(order) => {
                let file = self.orders.get(&order);
                let is_over = file.is_some_and(|file| file.status.is_over());
                (file.is_some_and(|file| is_own(file.last.client) && !file.purged), is_over)
            }
            Purgeable::CashTransaction(cash) => {
                let file = self.cash.get(&cash);
                let is_aborted = file.is_some_and(|file| file.last.aborted.is_some());
                (file.is_some_and(|file| is_own(file.last.client) && !file.purged), is_aborted)
            }
            Purgeable::FundTransaction(units) => {
                let file = self.units.get(&units);
                let is_aborted = file.is_some_and(|file| file.last.aborted.is_some());
                (file.is_some_and(|file| is_own(file.last.client) && !file.purged), is_aborted)
            }
        };
        unless(is_known, Class::Unknown)?;
        unless(has_ended, Class::Conflict)
    }
}

/// A plan of a client that was not deleted.
fn plan_of(world: &World, client: ClientId, plan: AllocationPlanId) -> Result<Arc<AllocationPlan>, Expected> {
    let known = query::allocation_plans(world, client).into_iter().find(|known| known.id == plan);
    known.ok_or(Expected::Refused(Class::Unknown))
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= LONGEST_CLIENT_NAME
}

/// Not empty, and nothing twice.
pub(super) fn is_choice<T: PartialEq>(items: &[T]) -> bool {
    !items.is_empty() && (0..items.len()).all(|at| !items[..at].contains(&items[at]))
}

/// A choice of what is permitted.
pub(super) fn is_chosen_from<T: PartialEq>(items: &[T], permitted: &[T]) -> bool {
    is_choice(items) && items.iter().all(|item| permitted.contains(item))
}

/// Each kind of fee once.
fn are_fee_accounts(accounts: &[ClientBankAccount]) -> bool {
    let kinds: Vec<_> = accounts.iter().map(|account| account.fee_type).collect();
    kinds.is_empty() || is_choice(&kinds)
}

/// Whether a bank account with this mandate can pay for a plan.
pub(super) const fn can_be_charged(mandate: MandateStatus) -> bool {
    matches!(mandate, MandateStatus::Active | MandateStatus::Pending)
}

/// Two capital letters are needed; of which others are countries nothing is known.
fn is_country(text: &str) -> Checked {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    unless(is_code, Class::Malformed)?;
    if COUNTRIES.contains(&text) { Ok(()) } else { Err(Expected::Unsure) }
}
