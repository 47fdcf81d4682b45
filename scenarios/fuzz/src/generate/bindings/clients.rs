//! What steps about clients, plans and purges ask of a world.

use super::Bindings;
use crate::generate::step::{ClientChange, ClientFlaw, ClientNo, Forgotten, Name, NewClient, OrderName, PlanChange};
use rust_decimal::Decimal;
use sim::command::{CreateClient, Patch, PatchClient, Purgeable, SetClientFees};
use sim::identity::{Iban, OrganisationNumber};
use sim::ids::{CashTransactionId, FundTransactionId};
use sim::money::Percent;
use sim::query::{self, TransactionFilter};
use sim::records::{Allocation, ClientBankAccount, FeeMode, FeeTerms, FeeType, ServiceType};
use sim::store::Window;
use sim::{Command, World};
use std::sync::Arc;

/// Countries that clients move to; the first is none.
const COUNTRIES: &[&str] = &["XYZ", "SE", "NO", "FI"];

impl Bindings {
    pub(super) fn new_client(&self, world: &World, client: NewClient) -> Command {
        let beside = query::client(world, self.scope(client.beside).client);
        let number = number_of(client.number);
        let name =
            if client.flaw == ClientFlaw::EmptyName { String::new() } else { format!("Client {}", client.number) };
        let once = vec![ServiceType::ExecutionOnly];
        Command::CreateClient(Box::new(CreateClient {
            partner: self.scope(client.beside).partner,
            id: None,
            name: Arc::from(name),
            display_name: Arc::from("A client of the run"),
            crn: beside.filter(|_| client.flaw == ClientFlaw::TakenCrn).map_or(number, |beside| beside.crn),
            country: Arc::from("SE"),
            bank_accounts: Vec::new(),
            service_types: if client.flaw == ClientFlaw::ServiceTwice { once.repeat(2) } else { once },
        }))
    }

    pub(super) fn change_client(&self, world: &World, client: ClientNo, change: ClientChange) -> Option<Command> {
        let scope = *self.scopes.get(usize::from(client))?;
        query::client(world, scope.client)?;
        let mut patch = PatchClient {
            scope,
            name: Patch::Keep,
            display_name: Patch::Keep,
            country: Patch::Keep,
            bank_accounts: Patch::Keep,
            service_types: Patch::Keep,
            names_id: false,
            names_crn: false,
            names_others: false,
        };
        match change {
            ClientChange::Name(0) => patch.name = Patch::Clear,
            ClientChange::Name(number) => patch.name = Patch::Set(Arc::from(format!("Renamed {number}"))),
            ClientChange::Country(number) => {
                patch.country = Patch::Set(Arc::from(COUNTRIES[usize::from(number) % COUNTRIES.len()]));
            }
            ClientChange::Nothing => {}
            ClientChange::Ignored => patch.names_others = true,
            ClientChange::Crn => patch.names_crn = true,
            ClientChange::NoBankAccounts => patch.bank_accounts = Patch::Clear,
            ClientChange::BankAccounts => patch.bank_accounts = Patch::Set(fee_accounts()),
            ClientChange::PartnerFee(number) => {
                let set = SetClientFees { scope, partner: Some(terms(number)), client: None };
                return Some(Command::SetClientFees(set));
            }
            ClientChange::ClientFee(number) => {
                let set = SetClientFees { scope, partner: None, client: Some(terms(number)) };
                return Some(Command::SetClientFees(set));
            }
        }
        Some(Command::PatchClient(Box::new(patch)))
    }

    pub(super) fn plan(&self, world: &World, name: Name, change: PlanChange) -> Option<Command> {
        let (client, account) = self.account(name)?;
        let scope = self.scope(client);
        let plan = || query::allocation_plan_of(world, account).map(|plan| plan.id);
        let (plan, bank_account, instruments) = match change {
            PlanChange::DeleteSavings => return Some(Command::DeleteSavingsPlan { scope, account }),
            PlanChange::DeleteAllocation => return self.end_of_a_plan(world, name),
            PlanChange::Shares(split) => (plan()?, Patch::Keep, Patch::Set(self.shares(world, client, split))),
            PlanChange::Paid => (plan()?, Patch::Set(self.newest_bank(world, name)?.1.id), Patch::Keep),
            PlanChange::Unpaid => (plan()?, Patch::Clear, Patch::Keep),
        };
        Some(Command::PatchAllocationPlan { scope, plan, bank_account, instruments })
    }

    /// The end of the allocation plan of an account, or of the first after it that has one: few have.
    fn end_of_a_plan(&self, world: &World, name: Name) -> Option<Command> {
        let count = Name::try_from(self.accounts.len()).unwrap_or(Name::MAX);
        let (client, plan) = (name..count).chain(0..name).find_map(|name| {
            let (client, account) = self.account(name)?;
            Some((client, query::allocation_plan_of(world, account)?.id))
        })?;
        Some(Command::DeleteAllocationPlan { scope: self.scope(client), plan })
    }

    /// Two or three funds of the client's, split by a number; 0 is a hundredth short.
    pub(super) fn shares(&self, world: &World, client: ClientNo, split: u8) -> Vec<Allocation> {
        let client = query::client(world, self.scope(client).client);
        let offered =
            |fund: &&sim::identity::InstrumentId| client.is_some_and(|client| client.universe.contains(**fund));
        let funds: Vec<_> = self.funds.iter().filter(offered).copied().take(2 + usize::from(split % 2)).collect();
        let mut left = if split == 0 { 9_999 } else { 10_000 };
        let last = funds.len().saturating_sub(1);
        let share = |(at, instrument)| {
            let part = if at == last { left } else { 1 + i64::from(split) * 13 };
            left -= part;
            Allocation {
                instrument,
                percent: Percent::from_decimal_exact(Decimal::new(part, 2)).expect("two decimals"),
            }
        };
        funds.into_iter().enumerate().map(share).collect()
    }

    pub(super) fn purge(&self, world: &World, what: Forgotten) -> Option<Command> {
        let (client, what) = match what {
            Forgotten::Order(name) => self.order(name).map(|(client, id)| (client, Purgeable::Order(id)))?,
            Forgotten::Account(name) => self.account(name).map(|(client, id)| (client, Purgeable::Account(id)))?,
            Forgotten::Journey(name) => self.journey(name).map(|(client, id)| (client, Purgeable::Journey(id)))?,
            Forgotten::Cash(name) => {
                let (client, id) = self.newest_cash(world, name)?;
                (client, Purgeable::CashTransaction(id))
            }
            Forgotten::Units(name) => {
                let (client, id) = self.newest_units(world, name)?;
                (client, Purgeable::FundTransaction(id))
            }
            Forgotten::Client(client) => (client, Purgeable::Client(self.scopes.get(usize::from(client))?.client)),
        };
        Some(Command::Purge { partner: self.scope(client).partner, what })
    }

    fn newest_cash(&self, world: &World, name: OrderName) -> Option<(ClientNo, CashTransactionId)> {
        let (client, filter) = self.of_order(name)?;
        let found = query::cash_transactions(world, self.scope(client).client, &Window::default(), &filter);
        Some((client, found.last()?.id))
    }

    fn newest_units(&self, world: &World, name: OrderName) -> Option<(ClientNo, FundTransactionId)> {
        let (client, filter) = self.of_order(name)?;
        let found = query::fund_transactions(world, self.scope(client).client, &Window::default(), &filter);
        Some((client, found.last()?.id))
    }

    fn of_order(&self, name: OrderName) -> Option<(ClientNo, TransactionFilter)> {
        let (client, order) = self.order(name)?;
        Some((client, TransactionFilter { reference: Some(order.to_string()), ..TransactionFilter::default() }))
    }
}

/// Two of three are withdrawn; rates are up to 6 %, and one of sixty is more than everything.
fn terms(number: u8) -> FeeTerms {
    let mode = match number % 6 {
        0 => FeeMode::None,
        1 => FeeMode::Calculated,
        _ => FeeMode::Withdrawn,
    };
    FeeTerms { basis_points: if number == 59 { FeeTerms::MOST + 1 } else { u32::from(number) * 10 }, mode }
}

fn fee_accounts() -> Vec<ClientBankAccount> {
    let of = |fee_type, iban| ClientBankAccount { fee_type, iban: Iban::parse(iban).expect("an iban") };
    vec![of(FeeType::PartnerFee, "SE8150000000050000000019"), of(FeeType::ClientFee, "SE1760000000000400000105")]
}

/// The organisation number of the client of that number.
fn number_of(client: ClientNo) -> OrganisationNumber {
    let with = |check: u8| OrganisationNumber::parse(&format!("556700{client:03}{check}")).ok();
    (0..10).filter_map(with).find(OrganisationNumber::luhn_ok).expect("one of ten digits fits")
}
