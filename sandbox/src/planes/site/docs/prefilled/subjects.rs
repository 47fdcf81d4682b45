//! Which thing an operation is about: of those that its path can name, one in a state in which it can be done.
//!
//! Absent on purpose: operations whose body decides what they are about, which are `bodies`.

use super::super::description::Operation;
use super::partner_view::{Ids, Missing, PartnerView};
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::ClientId;
use sim::query;
use sim::records::{Account, AccountStatus, CashTransaction, MobilePayment, Order, Owner, Payment};
use std::sync::Arc;

/// How many of a client's newest records are looked at, so that a page holds the world's lock for a short time only.
const LOOK_BACK: usize = 200;
/// How many records of all clients are looked at.
const MOST_RECORDS: usize = 2_000;

/// What a parameter names, and the operation that makes one.
const MISSING: &[Missing] = &[
    missing("clientId", "client", "createClient"),
    missing("accountId", "account", "openAccount"),
    missing("orderId", "order", "createOrder"),
    missing("journeyId", "journey", "createJourney"),
    missing(
        "allocationPlanId",
        "allocation plan; a journey with `allocationPlan` makes one when it is complete",
        "createJourney",
    ),
    missing("instructionId", "instruction", "createInstruction"),
    missing("paymentId", "payment of an instruction", "createInstruction"),
    missing("transactionId", "transaction of this kind", "book"),
    missing("bankAccountId", "bank account of an owner", "openAccount"),
    missing("transferId", "transfer; a journey with `transfer` makes one when it is complete", "createJourney"),
    missing("mobilepayId", "mobile payment", "createMobilePayment"),
    missing("agreementTypeKey", "agreement", "openAccount"),
    missing("instrumentId", "fund that is open", "setTrading"),
    missing("cash", "account with enough cash that can be spent", "payByBankgiro"),
    missing("position", "account with units of a fund", "createOrder"),
    missing("destinationAccount", "second account of one owner", "openAccount"),
    missing("autogiro", "client with the permission `autogiro`", "changeSettings"),
    missing("mobilePayment", "client with the permission `mobilePayment`", "changeSettings"),
    unseen("deliveryId", "delivery", "listDeliveries"),
    unseen("webhookId", "webhook", "registerWebhook"),
    unseen("suspenseId", "money in suspense", "payByBankgiro"),
    unseen("snapshotId", "snapshot", "keepSnapshot"),
    unseen("faultId", "fault rule", "addFault"),
    unseen("otherId", "other world", "makeWorld"),
];

const fn missing(parameter: &'static str, what: &'static str, make: &'static str) -> Missing {
    Missing { parameter, what, make, is_unseen: false }
}

const fn unseen(parameter: &'static str, what: &'static str, make: &'static str) -> Missing {
    Missing { parameter, what, make, is_unseen: true }
}

/// That there is none of what `parameter` names.
pub(super) fn none(parameter: &str) -> Missing {
    let row = MISSING.iter().find(|row| row.parameter == parameter);
    row.copied().unwrap_or(missing("id", "resource", "createOrder"))
}

/// Words of a list of ids.
fn ids<const N: usize>(pairs: [(&'static str, String); N]) -> Ids {
    pairs.into_iter().collect()
}

impl PartnerView<'_> {
    /// Ids of usual things: the first client with an account, a fund, an owner.
    pub(super) fn usual_ids(&self) -> Ids {
        let mut known = Ids::new();
        let first = self.every_account().next();
        let client = first.as_ref().map(|(client, _)| client.id).or(self.clients().next().map(|client| client.id));
        if let Some(client) = client {
            known.extend(of_client(client));
            let mut funds = self.funds(client).into_iter();
            known.extend(funds.next().map(|fund| ("instrumentId", fund.to_string())));
            known.extend(funds.next().map(|fund| ("otherInstrumentId", fund.to_string())));
        }
        if let Some((_, account)) = first {
            known.extend(of_account(&account));
        }
        known
    }

    /// The ids in the path of an operation.
    ///
    /// # Errors
    /// What there is none of.
    pub(super) fn subject(&self, operation: &Operation, usual: &Ids) -> Result<Ids, Missing> {
        let named: Vec<&str> = operation.parameters("path").filter_map(|it| it["name"].as_str()).collect();
        let Some(last) = named.last().copied() else { return Ok(Ids::new()) };
        // The world is the viewer's own.
        if last == "worldId" {
            return Ok(Ids::new());
        }
        let found = match last {
            "clientId" => self.clients().next().map(|_| Ids::new()),
            "instrumentId" => usual.contains_key("instrumentId").then(Ids::new),
            "accountId" => self.account_for(operation.id).map(|account| of_account(&account)),
            "orderId" => self.order_for(operation.id),
            "journeyId" => self.journey_for(operation.id),
            "mobilepayId" => self.mobile_payment_for(operation.id),
            "transactionId" => self.transaction_for(operation),
            "allocationPlanId" => self
                .newest(query::newest_allocation_plans, |_| true)
                .map(|plan| ids([("allocationPlanId", plan.id.to_string()), ("clientId", plan.client.to_string())])),
            "agreementTypeKey" => self.agreement(),
            "instructionId" | "paymentId" => self.instruction(),
            "bankAccountId" => self.bank_account(),
            "transferId" => self.transfer(),
            "id" => {
                self.order_for("readOrder").or_else(|| self.account_for("").map(|it| of_account(&it))).map(|found| {
                    let id = found.get("orderId").or(found.get("accountId")).cloned();
                    id.map(|id| ("id", id)).into_iter().collect()
                })
            }
            _ => None,
        };
        found.ok_or_else(|| none(last))
    }

    /// What an operation cannot do without in its query.
    pub(super) fn query_of(&self, id: &str) -> Vec<(String, String)> {
        if id != "readPerformanceOfOwner" {
            return Vec::new();
        }
        let owner = self.every_account().next().map(|(_, account)| owner_of(&account));
        owner.map(|(name, number)| (name.to_owned(), number)).into_iter().collect()
    }

    /// An account in the state in which the operation can be done.
    fn account_for(&self, id: &str) -> Option<Arc<Account>> {
        let status = |wanted: AccountStatus| {
            let mut all = self.clients().flat_map(|client| self.all_accounts(client.id));
            all.find(|account| account.status() == wanted && account.deleted.is_none())
        };
        match id {
            "approveAccount" | "rejectAccount" => status(AccountStatus::Pending),
            "confirmAccount" => status(AccountStatus::Confirm),
            "purgeAccount" => {
                self.clients().flat_map(|client| self.all_accounts(client.id)).find(|account| account.deleted.is_some())
            }
            "closeAccount" => {
                let pays_out = |account: &Account| account.bank_accounts.iter().any(|bank| bank.validated);
                let is_empty = |account: &Account| account.balance.is_zero() && account.positions.is_empty();
                let mut all: Vec<_> = self.every_account().map(|(_, account)| account).collect();
                all.retain(|account| pays_out(account) || is_empty(account));
                all.pop()
            }
            "readAllocationPlanOfAccount" => {
                self.every_account().map(|(_, it)| it).find(|it| query::allocation_plan_of(self.world, it.id).is_some())
            }
            "readSavingsPlan" | "deleteSavingsPlan" => {
                self.every_account().map(|(_, it)| it).find(|it| query::savings_plan_of(self.world, it.id).is_some())
            }
            _ => self.every_account().next().map(|(_, account)| account),
        }
    }

    fn order_for(&self, id: &str) -> Option<Ids> {
        let settings = &self.world.setup().settings;
        let states: &[&str] = match id {
            "cancelOrder" => &["received", "pending", "hold"],
            "holdOrder" => &["received", "pending"],
            "releaseOrder" => &["hold"],
            "rejectOrder" => &["received", "pending", "sent"],
            "purgeOrder" => &["settled", "canceled"],
            _ => &[],
        };
        let is_wanted = |order: &Order| states.is_empty() || states.contains(&order.state.shown(settings));
        let order = self.newest(query::newest_orders, is_wanted)?;
        let (id, client, account) = (order.id.to_string(), order.client.to_string(), order.account.to_string());
        Some(ids([("orderId", id), ("clientId", client), ("accountId", account)]))
    }

    fn journey_for(&self, id: &str) -> Option<Ids> {
        let is_open = |word: &str| matches!(word, "new" | "pending");
        let journey = self.newest(query::newest_journeys, |journey| match id {
            "readJourney" => true,
            "purgeJourney" => !is_open(journey.state.name()),
            _ => is_open(journey.state.name()),
        })?;
        Some(ids([("journeyId", journey.id.to_string()), ("clientId", journey.client.to_string())]))
    }

    fn mobile_payment_for(&self, id: &str) -> Option<Ids> {
        let is_wanted = |payment: &MobilePayment| id == "readMobilePayment" || payment.state.name() == "pending";
        let payment = self.newest(query::newest_mobile_payments, is_wanted)?;
        Some(ids([("mobilepayId", payment.id.to_string())]))
    }

    fn transaction_for(&self, operation: &Operation) -> Option<Ids> {
        let (id, client) = if operation.path.contains("fund") {
            let found = self.newest(query::newest_fund_transactions, |_| true)?;
            (found.id.to_string(), found.client)
        } else {
            let is_payout = operation.id == "bouncePayout";
            let is_wanted = |cash: &CashTransaction| !is_payout || cash.payout_to.is_some();
            let found = self.newest(query::newest_cash_transactions, is_wanted)?;
            (found.id.to_string(), found.client)
        };
        Some(ids([("transactionId", id), ("clientId", client.to_string())]))
    }

    fn agreement(&self) -> Option<Ids> {
        self.every_account().find_map(|(_, account)| {
            let mut kinds = query::agreement_types(&account).into_iter();
            let kind = kinds.find(|kind| query::agreement(self.world, &account, *kind).is_some())?;
            let mut known = of_account(&account);
            known.insert("agreementTypeKey", wire::words::Word::word(kind).to_owned());
            Some(known)
        })
    }

    fn instruction(&self) -> Option<Ids> {
        // What the platform itself makes is shown to no partner.
        let is_shown =
            |payment: &Payment| query::instruction(self.world, payment.client, payment.instruction).is_some();
        let payment = self.newest(query::newest_payments, is_shown)?;
        let (id, instruction) = (payment.id.to_string(), payment.instruction.to_string());
        Some(ids([("paymentId", id), ("instructionId", instruction), ("clientId", payment.client.to_string())]))
    }

    fn bank_account(&self) -> Option<Ids> {
        self.every_account().find_map(|(_, account)| {
            let bank = account.bank_accounts.first()?;
            Some(ids([("bankAccountId", bank.id.to_string()), ("accountId", account.id.to_string())]))
        })
    }

    fn transfer(&self) -> Option<Ids> {
        self.every_account().find_map(|(_, account)| {
            let transfer = query::newest_transfers(self.world, account.id).next()?;
            Some(ids([("transferId", transfer.id.to_string()), ("accountId", account.id.to_string())]))
        })
    }

    /// The newest record that is wanted, of the first client that has one. `records` gives a client's, newest first.
    pub(super) fn newest<'s, T: 's, I: Iterator<Item = &'s Arc<T>>>(
        &'s self,
        records: impl Fn(&'s World, ClientId) -> I,
        wanted: impl Fn(&T) -> bool,
    ) -> Option<&'s Arc<T>> {
        let all = self.clients().flat_map(|client| records(self.world, client.id).take(LOOK_BACK));
        all.take(MOST_RECORDS).find(|record| wanted(record))
    }
}

/// A client under the names of parameters.
pub(super) fn of_client(client: ClientId) -> Ids {
    ids([("clientId", client.to_string())])
}

/// An account, its client and its owner under the names of parameters.
pub(super) fn of_account(account: &Account) -> Ids {
    let mut known = ids([("accountId", account.id.to_string()), ("clientId", account.client.to_string())]);
    let (name, number) = owner_of(account);
    known.insert(name, number);
    known.extend(account.bank_accounts.first().map(|bank| ("bankAccountId", bank.id.to_string())));
    known
}

/// A fund under the names of parameters.
pub(super) fn of_fund(fund: InstrumentId) -> Ids {
    ids([("instrumentId", fund.to_string())])
}

/// The number of an account's owner with its name.
fn owner_of(account: &Account) -> (&'static str, String) {
    match account.owner.as_ref() {
        Owner::NaturalPerson(person) => ("ssn", person.ssn.to_string()),
        Owner::LegalEntity(entity) => ("crn", entity.crn.to_string()),
    }
}
