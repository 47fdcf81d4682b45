//! What a store needs to know of each resource: its ids, and by what it is found.
//!
//! Invariant: a row a resource; what it says of a record never changes, except its stamp. Absent on purpose: what else a record holds.

use crate::ids::{AccountId, ClientId, Drawn, SortedId};
use crate::records::{
    Account, AllocationPlan, CashTransaction, FundTransaction, Journey, MobilePayment, Order, Payment, SavingsPlan,
    Stamp, Transfer,
};
use std::hash::Hash;

/// What a store needs to know of a record.
pub trait Record: Clone + Hash {
    /// Its public id.
    type Id: Drawn;
    /// What it is called where ids are drawn.
    const NOUN: &'static str;
    /// Its public id.
    fn id(&self) -> Self::Id;
    /// Its place in listings.
    fn sorted_id(&self) -> SortedId;
    /// The client that may read it.
    fn client(&self) -> ClientId;
    /// The account under which it is found, if under one; an account is found by its id.
    fn account(&self) -> Option<AccountId>;
    /// Creation and change.
    fn stamp(&self) -> &Stamp;
}

macro_rules! record {
    ($record:ty, $noun:literal, $id:ty, $account:expr) => {
        impl Record for $record {
            type Id = $id;
            const NOUN: &'static str = $noun;
            fn id(&self) -> $id {
                self.id
            }
            fn sorted_id(&self) -> SortedId {
                self.sorted_id
            }
            fn client(&self) -> ClientId {
                self.client
            }
            fn account(&self) -> Option<AccountId> {
                let account: fn(&$record) -> Option<AccountId> = $account;
                account(self)
            }
            fn stamp(&self) -> &Stamp {
                &self.stamp
            }
        }
    };
}

#[cfg(test)]
pub(super) use record;

record!(Account, "account", AccountId, |_| None);
record!(Order, "order", crate::ids::OrderId, |order| Some(order.account));
record!(CashTransaction, "cash transaction", crate::ids::CashTransactionId, |transaction| Some(transaction.account));
record!(FundTransaction, "fund transaction", crate::ids::FundTransactionId, |transaction| Some(transaction.account));
record!(Journey, "journey", crate::ids::JourneyId, |journey| journey.configuration.account);
record!(Transfer, "transfer", crate::ids::TransferId, |transfer| Some(transfer.account));
record!(AllocationPlan, "allocation plan", crate::ids::AllocationPlanId, |plan| Some(plan.account));
record!(MobilePayment, "mobile payment", crate::ids::MobilePaymentId, |payment| Some(payment.account));
record!(Payment, "payment", crate::ids::PaymentId, |payment| Some(payment.account));
record!(SavingsPlan, "savings plan", crate::ids::SavingsPlanId, |plan| Some(plan.account));
