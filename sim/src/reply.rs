//! What a world answers to an accepted command.

use crate::identity::InstrumentId;
use crate::records::{
    Account, AllocationPlan, BankAccount, BankgiroItem, CashTransaction, Client, FundTransaction, Instruction, Journey,
    MobilePayment, Order, Payment, SavingsPlan, SuspenseItem, Transfer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The resource that a command made or changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reply {
    /// All checks passed; nothing was created.
    Valid,
    /// The order.
    Order(Arc<Order>),
    /// The account.
    Account(Arc<Account>),
    /// The instrument; read it through `query`.
    Instrument(InstrumentId),
    /// The cash transaction.
    CashTransaction(Arc<CashTransaction>),
    /// The fund transaction.
    FundTransaction(Arc<FundTransaction>),
    /// The journey.
    Journey(Arc<Journey>),
    /// The client.
    Client(Arc<Client>),
    /// The allocation plan; deleted ones say so.
    AllocationPlan(Arc<AllocationPlan>),
    /// The savings plan; deleted ones say so.
    SavingsPlan(Arc<SavingsPlan>),
    /// The transfer.
    Transfer(Arc<Transfer>),
    /// The bank account.
    BankAccount(Arc<BankAccount>),
    /// The mobile payment session, with what its payer needs.
    MobilePaymentAsked(Arc<MobilePayment>),
    /// The mobile payment session, as it is.
    MobilePayment(Arc<MobilePayment>),
    /// The payment instruction.
    Instruction(Arc<Instruction>),
    /// The payment.
    Payment(Arc<Payment>),
    /// The payment over bankgiro.
    BankgiroItem(Arc<BankgiroItem>),
    /// The money in suspense.
    SuspenseItem(Arc<SuspenseItem>),
    /// The accounts of an owner that an event outside concerns: a screening, a death.
    Accounts(Vec<Arc<Account>>),
}
