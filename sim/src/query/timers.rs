//! What a timer is about, and whom it concerns.
//!
//! Invariant: timers of the market concern every partner. Absent on purpose: who may see a timer, which the caller decides.

use crate::identity::InstrumentId;
use crate::ids::{AccountId, AggregateId, ClientId, OrderId, PartnerId};
use crate::time::Date;
use crate::timers::Timer;
use crate::world::{Aggregate, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use uuid::Uuid;

/// Whom a timer concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concerned {
    /// Those whose orders are dealt on that day of the fund; `Dealings` says whose.
    Dealers,
    /// The market, or the platform as a whole.
    Everybody,
    /// One partner.
    Partner(PartnerId),
    /// Somebody who is not known any more.
    Unknown,
}

/// What a timer is about, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The client whose record it is.
    pub client: Option<ClientId>,
    /// The account that the record belongs to.
    pub account: Option<AccountId>,
    /// The fund.
    pub instrument: Option<InstrumentId>,
}

/// What `timer` is about: its record's client and account, and the fund of an order or a dealing day.
#[must_use]
pub fn about(world: &World, timer: &Timer) -> About {
    let of = |record: Option<(ClientId, AccountId)>| About {
        client: record.map(|record| record.0),
        account: record.map(|record| record.1),
        instrument: None,
    };
    let client = |client| About { client, ..About::default() };
    let fund = |instrument| About { instrument, ..About::default() };
    match timer {
        Timer::CutOff(instrument, _)
        | Timer::PublishPrice(instrument, _)
        | Timer::Confirm(instrument, _)
        | Timer::SettleSubscriptions(instrument, _)
        | Timer::SettleRedemptions(instrument, _) => fund(Some(*instrument)),
        Timer::Route(id) => fund(world.aggregates.get(*id).map(|aggregate| aggregate.instrument)),
        Timer::PublishRate(..) | Timer::ChargeFees(_) | Timer::PayRetrocessions(_) | Timer::BookBankgiro(_) => {
            About::default()
        }
        Timer::CarryOut(id) => fund(world.corporate_actions.get(*id).map(|action| action.instrument)),
        Timer::AcceptOrder(id) | Timer::LapseOrder(id) => {
            let order = world.orders.get(*id);
            let instrument = order.map(|order| order.instrument);
            About { instrument, ..of(order.map(|order| (order.client, order.account))) }
        }
        Timer::PayOut(id) | Timer::BouncePayout(id) => {
            of(world.cash.get(*id).map(|transaction| (transaction.client, transaction.account)))
        }
        Timer::ExpireJourney(id) => client(world.journeys.get(*id).map(|journey| journey.client)),
        Timer::ApproveAccount(id) | Timer::LapseAccount(id) | Timer::WindUpAccount(id) | Timer::EndFeeSale(id) => {
            of(world.accounts.get(*id).map(|account| (account.client, account.id)))
        }
        Timer::CheckBankAccount(id) | Timer::AnswerMandate(id) => client(world.banks.get(*id).map(|bank| bank.client)),
        Timer::SendTransfer(id) | Timer::AnswerTransfer(id) | Timer::CompleteTransfer(id) => {
            of(world.transfers.get(*id).map(|transfer| (transfer.client, transfer.account)))
        }
        Timer::AnswerMobilePayment(id) | Timer::LapseMobilePayment(id) => {
            of(world.mobile_payments.get(*id).map(|payment| (payment.client, payment.account)))
        }
        Timer::CutFile(id) => client(world.instructions.get(*id).map(|instruction| instruction.client)),
        Timer::ChargePayment(id) => of(world.payments.get(*id).map(|payment| (payment.client, payment.account))),
        Timer::RunSavings(id, _) => of(world.savings_plans.get(*id).map(|plan| (plan.client, plan.account))),
    }
}

/// Whom `timer` concerns.
#[must_use]
pub fn concerned(world: &World, timer: &Timer) -> Concerned {
    match timer {
        Timer::CutOff(..)
        | Timer::PublishPrice(..)
        | Timer::PublishRate(..)
        | Timer::ChargeFees(_)
        | Timer::PayRetrocessions(_)
        | Timer::CarryOut(_) => Concerned::Everybody,
        Timer::Confirm(..) | Timer::SettleSubscriptions(..) | Timer::SettleRedemptions(..) => Concerned::Dealers,
        Timer::Route(id) => of(world.aggregates.get(*id).map(|aggregate| aggregate.partner)),
        Timer::BookBankgiro(id) => of(world.bankgiro.get(*id).map(|item| item.partner)),
        record => {
            let client = about(world, record).client;
            of(client.and_then(|client| world.clients.get(&client)).map(|client| client.partner))
        }
    }
}

fn of(partner: Option<PartnerId>) -> Concerned {
    partner.map_or(Concerned::Unknown, Concerned::Partner)
}

/// The dealings that some orders have a part in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealings {
    aggregates: BTreeSet<AggregateId>,
    days: BTreeSet<(InstrumentId, Date)>,
}

impl Dealings {
    /// Of a partner's orders.
    #[must_use]
    pub fn of_partner(world: &World, partner: PartnerId) -> Self {
        Self::of(world.aggregates.iter().filter(|aggregate| aggregate.partner == partner))
    }

    /// Of one order, or of those of an account or a client, whichever `id` names; of `partner` alone, if one asks.
    #[must_use]
    pub fn of_subject(world: &World, id: Uuid, partner: Option<PartnerId>) -> Self {
        let account = world.orders.of_account(AccountId::from_uuid(id), None);
        let client = world.orders.of_client(ClientId::from_uuid(id), None);
        let orders = world.orders.get(OrderId::from_uuid(id)).into_iter().chain(account).chain(client);
        let aggregates = orders.filter_map(|order| world.aggregates.get(order.aggregate?));
        Self::of(aggregates.filter(|aggregate| partner.is_none_or(|partner| aggregate.partner == partner)))
    }

    fn of<'w>(aggregates: impl Iterator<Item = &'w Arc<Aggregate>>) -> Self {
        let mut dealings = Self::default();
        for aggregate in aggregates {
            dealings.aggregates.insert(aggregate.id);
            dealings.days.insert((aggregate.instrument, aggregate.day));
        }
        dealings
    }

    /// Whether a timer routes, executes or settles one of them, or cuts off its day.
    #[must_use]
    pub fn have(&self, timer: &Timer) -> bool {
        match timer {
            Timer::Route(id) => self.aggregates.contains(id),
            Timer::CutOff(fund, day)
            | Timer::Confirm(fund, day)
            | Timer::SettleSubscriptions(fund, day)
            | Timer::SettleRedemptions(fund, day) => self.days.contains(&(*fund, *day)),
            _ => false,
        }
    }
}
