//! What a public id names, for those who have nothing but the id, and what it is a part of.
//!
//! Absent on purpose: who may see it.

use crate::ids::{
    AccountId, AllocationPlanId, BankAccountId, BankgiroItemId, CashTransactionId, ClientId, FundTransactionId,
    InstructionId, JourneyId, MobilePaymentId, OrderId, PaymentId, SavingsPlanId, SubmissionId, SuspenseItemId,
    TransferId,
};
use crate::records::{CashTransaction, FundTransaction, Payment, Stamp};
use crate::time::Instant;
use crate::world::World;
use std::sync::Arc;
use uuid::Uuid;

/// A resource that was found by its id.
#[derive(Clone, Debug)]
pub struct Named {
    /// What it is, as events and comparisons call it.
    pub what: &'static str,
    /// Whose it is; none of what no account could take.
    pub client: Option<ClientId>,
    /// The account that its money is on, where it is one account.
    pub account: Option<AccountId>,
    /// When it came to be, where that is kept.
    pub created: Option<Instant>,
    /// What it was made by: journeys, the instruction of a payment.
    pub made_by: Vec<Uuid>,
    /// What it consists of.
    pub parts: Vec<Uuid>,
    /// What a transaction refers to: its order, payment, withdrawal.
    pub refers_to: Option<Uuid>,
}

impl Named {
    fn new(what: &'static str, client: ClientId, stamp: &Stamp) -> Self {
        let (client, created) = (Some(client), Some(stamp.created));
        Self { what, client, account: None, created, made_by: Vec::new(), parts: Vec::new(), refers_to: None }
    }

    fn of(self, account: AccountId) -> Self {
        Self { account: Some(account), ..self }
    }

    fn made_by(self, made_by: impl IntoIterator<Item = Uuid>) -> Self {
        Self { made_by: made_by.into_iter().collect(), ..self }
    }
}

fn reference(text: Option<&str>) -> Option<Uuid> {
    text.and_then(|text| Uuid::try_parse(text).ok())
}

/// The resource with this id, if there is one.
#[must_use]
pub fn named(world: &World, id: Uuid) -> Option<Named> {
    of_business(world, id).or_else(|| of_an_agreement(world, id)).or_else(|| of_payments(world, id))
}

/// Orders, accounts and what is booked.
fn of_business(world: &World, id: Uuid) -> Option<Named> {
    if let Some(record) = world.orders.get(OrderId::from_uuid(id)) {
        return Some(Named::new("order", record.client, &record.stamp).of(record.account));
    }
    if let Some(record) = world.accounts.get(AccountId::from_uuid(id)) {
        return Some(Named::new("account", record.client, &record.stamp).of(record.id));
    }
    if let Some(record) = world.cash.get(CashTransactionId::from_uuid(id)) {
        let transaction = Named::new("cashTransaction", record.client, &record.stamp).of(record.account);
        return Some(Named { refers_to: reference(record.reference.as_deref()), ..transaction });
    }
    if let Some(record) = world.funds.get(FundTransactionId::from_uuid(id)) {
        let transaction = Named::new("fundTransaction", record.client, &record.stamp).of(record.account);
        return Some(Named { refers_to: reference(record.reference.as_deref()), ..transaction });
    }
    let client = world.clients.get(&ClientId::from_uuid(id))?;
    Some(Named::new("client", client.id, &client.stamp))
}

/// Journeys and what is agreed on in them.
fn of_an_agreement(world: &World, id: Uuid) -> Option<Named> {
    if let Some(record) = world.journeys.get(JourneyId::from_uuid(id)) {
        return Some(Named::new("journey", record.client, &record.stamp));
    }
    let journeys = |client, account: AccountId| {
        let own = world.journeys.of_client(client, None).filter(move |journey| {
            let made = journey.result.as_ref().and_then(|result| result.account.as_ref()).map(|made| made.id);
            journey.configuration.account == Some(account) || made == Some(account)
        });
        own.map(|journey| journey.id.as_uuid())
    };
    if let Some(record) = world.allocation_plans.get(AllocationPlanId::from_uuid(id)) {
        let plan = Named::new("allocationPlan", record.client, &record.stamp).of(record.account);
        return Some(plan.made_by(journeys(record.client, record.account)));
    }
    if let Some(record) = world.savings_plans.get(SavingsPlanId::from_uuid(id)) {
        let plan = Named::new("savingsPlan", record.client, &record.stamp).of(record.account);
        return Some(plan.made_by(journeys(record.client, record.account)));
    }
    if let Some(record) = world.transfers.get(TransferId::from_uuid(id)) {
        let transfer = Named::new("transfer", record.client, &record.stamp).of(record.account);
        return Some(transfer.made_by([record.journey.as_uuid()]));
    }
    let record = world.submissions.get(SubmissionId::from_uuid(id))?;
    Some(Named::new("submission", record.client, &record.stamp).made_by([record.journey.as_uuid()]))
}

/// How money comes and goes.
fn of_payments(world: &World, id: Uuid) -> Option<Named> {
    if let Some(record) = world.mobile_payments.get(MobilePaymentId::from_uuid(id)) {
        // The reference that the payer's bank knows shows what was paid.
        let paid = world.cash.of_account(record.account, None);
        let paid = paid.filter(|cash| cash.reference.as_ref() == Some(&record.payment_id));
        let parts = paid.map(|cash| cash.id.as_uuid()).collect();
        return Some(Named { parts, ..Named::new("mobilePayment", record.client, &record.stamp).of(record.account) });
    }
    if let Some(record) = world.instructions.get(InstructionId::from_uuid(id)) {
        let payments = super::payments_of(world, record).into_iter();
        let parts = payments.flat_map(|payment| [Some(payment.id.as_uuid()), deposit(&payment)]).flatten().collect();
        return Some(Named { parts, ..Named::new("instruction", record.client, &record.stamp) });
    }
    if let Some(record) = world.payments.get(PaymentId::from_uuid(id)) {
        let payment = Named::new("payment", record.client, &record.stamp).of(record.account);
        let payment = payment.made_by([record.instruction.as_uuid()]);
        return Some(Named { parts: deposit(record).into_iter().collect(), ..payment });
    }
    let nobodys = |what, created| {
        let (made_by, parts) = (Vec::new(), Vec::new());
        Named { what, client: None, account: None, created, made_by, parts, refers_to: None }
    };
    if let Some(record) = world.banks.get(BankAccountId::from_uuid(id)) {
        return Some(Named { client: Some(record.client), ..nobodys("bankAccount", None) });
    }
    if let Some(record) = world.suspense.get(SuspenseItemId::from_uuid(id)) {
        return Some(nobodys("suspenseItem", Some(record.stamp.created)));
    }
    let record = world.bankgiro.get(BankgiroItemId::from_uuid(id))?;
    Some(nobodys("bankgiroItem", Some(record.stamp.created)))
}

/// What a payment became, once it was paid.
fn deposit(payment: &Payment) -> Option<Uuid> {
    payment.deposit.map(|id| id.as_uuid())
}

/// The transactions of an account, in order of creation: of cash and of units.
#[must_use]
pub fn transactions_of(world: &World, account: AccountId) -> (Vec<Arc<CashTransaction>>, Vec<Arc<FundTransaction>>) {
    let cash = world.cash.of_account(account, None).cloned().collect();
    (cash, world.funds.of_account(account, None).cloned().collect())
}
