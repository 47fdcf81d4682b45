//! Where new ids and codes come from: one labelled stream a purpose, so that a draw in one place shifts nothing elsewhere.
//!
//! Invariant: what is drawn depends on the seed, the purpose and how often it was drawn before. Absent on purpose: who
//! keeps what gets the id.

use crate::identity::{AccountRef, make_ref};
use crate::ids::{
    AccountId, AggregateId, AllocationPlanId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId,
    OrderId, PartnerId, SavingsPlanId, SortedId, SortedIdSource, SubmissionId, TransferId, draw_uuid,
};
use crate::rng::{Seed, Stream};
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Sources of ids and names: one labelled stream a purpose, so that a draw in one place shifts nothing elsewhere.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
pub(crate) struct IdSources {
    accounts: (Stream, SortedIdSource),
    orders: (Stream, SortedIdSource),
    cash: (Stream, SortedIdSource),
    funds: (Stream, SortedIdSource),
    journeys: (Stream, SortedIdSource),
    transfers: (Stream, SortedIdSource),
    allocation_plans: (Stream, SortedIdSource),
    savings_plans: (Stream, SortedIdSource),
    clients: (Stream, SortedIdSource),
    codes: Stream,
    submissions: Stream,
    bank_accounts: Stream,
    aggregates: Stream,
    last_ref: Option<AccountRef>,
    pub(crate) people: Stream,
}

impl IdSources {
    pub(crate) fn new(seed: Seed) -> Self {
        let pair = |noun: &str| {
            (seed.stream(&format!("{noun} ids")), SortedIdSource::new(seed.stream(&format!("{noun} sorted ids"))))
        };
        Self {
            accounts: pair("account"),
            orders: pair("order"),
            cash: pair("cash transaction"),
            funds: pair("fund transaction"),
            journeys: pair("journey"),
            transfers: pair("transfer"),
            allocation_plans: pair("allocation plan"),
            savings_plans: pair("savings plan"),
            clients: (seed.stream("partner and client ids"), SortedIdSource::new(seed.stream("client sorted ids"))),
            codes: seed.stream("activation codes"),
            submissions: seed.stream("submission ids"),
            bank_accounts: seed.stream("bank account ids"),
            aggregates: seed.stream("aggregate ids"),
            last_ref: None,
            people: seed.stream("people"),
        }
    }

    pub(crate) fn account(&mut self, now: Instant) -> (AccountId, SortedId, AccountRef) {
        let reference = make_ref(now, self.last_ref);
        self.last_ref = Some(reference);
        (AccountId::from_uuid(draw_uuid(&mut self.accounts.0)), self.accounts.1.next(now), reference)
    }

    pub(crate) fn order(&mut self, now: Instant) -> (OrderId, crate::ids::SortedId) {
        (OrderId::from_uuid(draw_uuid(&mut self.orders.0)), self.orders.1.next(now))
    }

    pub(crate) fn cash(&mut self, now: Instant) -> (CashTransactionId, crate::ids::SortedId) {
        (CashTransactionId::from_uuid(draw_uuid(&mut self.cash.0)), self.cash.1.next(now))
    }

    pub(crate) fn fund(&mut self, now: Instant) -> (FundTransactionId, crate::ids::SortedId) {
        (FundTransactionId::from_uuid(draw_uuid(&mut self.funds.0)), self.funds.1.next(now))
    }

    pub(crate) fn journey(&mut self, now: Instant) -> (JourneyId, SortedId) {
        (JourneyId::from_uuid(draw_uuid(&mut self.journeys.0)), self.journeys.1.next(now))
    }

    pub(crate) fn transfer(&mut self, now: Instant) -> (TransferId, SortedId) {
        (TransferId::from_uuid(draw_uuid(&mut self.transfers.0)), self.transfers.1.next(now))
    }

    pub(crate) fn allocation_plan(&mut self, now: Instant) -> (AllocationPlanId, SortedId) {
        let (ids, sorted) = &mut self.allocation_plans;
        (AllocationPlanId::from_uuid(draw_uuid(ids)), sorted.next(now))
    }

    pub(crate) fn savings_plan(&mut self, now: Instant) -> (SavingsPlanId, SortedId) {
        (SavingsPlanId::from_uuid(draw_uuid(&mut self.savings_plans.0)), self.savings_plans.1.next(now))
    }

    pub(crate) fn submission(&mut self) -> SubmissionId {
        SubmissionId::from_uuid(draw_uuid(&mut self.submissions))
    }

    pub(crate) fn partner(&mut self) -> PartnerId {
        PartnerId::from_uuid(draw_uuid(&mut self.clients.0))
    }

    pub(crate) fn client(&mut self, now: Instant) -> (ClientId, SortedId) {
        (ClientId::from_uuid(draw_uuid(&mut self.clients.0)), self.clients.1.next(now))
    }

    /// A six-digit activation code; whether it is new is the caller's question.
    pub(crate) fn code(&mut self) -> Arc<str> {
        Arc::from(format!("{:06}", self.codes.below(1_000_000)))
    }

    pub(crate) fn bank_account(&mut self) -> BankAccountId {
        BankAccountId::from_uuid(draw_uuid(&mut self.bank_accounts))
    }

    pub(crate) fn aggregate(&mut self) -> AggregateId {
        AggregateId::from_uuid(draw_uuid(&mut self.aggregates))
    }
}
