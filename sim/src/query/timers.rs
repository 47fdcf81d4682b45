//! Whom a timer concerns.
//!
//! Invariant: what is the market's concerns everybody. Absent on purpose: who may know, which whoever asks decides.

use crate::ids::PartnerId;
use crate::timers::Timer;
use crate::world::World;

/// Whom a timer concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concerned {
    /// The market, or the platform as a whole.
    Everybody,
    /// One partner.
    Partner(PartnerId),
    /// Somebody who is not known any more.
    Unknown,
}

/// Whom `timer` concerns.
#[must_use]
pub fn concerned(world: &World, timer: &Timer) -> Concerned {
    let client = match timer {
        Timer::CutOff(..)
        | Timer::PublishPrice(..)
        | Timer::Confirm(..)
        | Timer::SettleSubscriptions(..)
        | Timer::SettleRedemptions(..)
        | Timer::PublishRate(..)
        | Timer::ChargeFees(_)
        | Timer::PayRetrocessions(_)
        | Timer::CarryOut(_) => return Concerned::Everybody,
        Timer::AcceptOrder(id) | Timer::LapseOrder(id) => world.orders.get(*id).map(|order| order.client),
        Timer::PayOut(id) | Timer::BouncePayout(id) => world.cash.get(*id).map(|transaction| transaction.client),
        Timer::ExpireJourney(id) => world.journeys.get(*id).map(|journey| journey.client),
        Timer::ApproveAccount(id) | Timer::LapseAccount(id) | Timer::WindUpAccount(id) | Timer::EndFeeSale(id) => {
            world.accounts.get(*id).map(|account| account.client)
        }
        Timer::CheckBankAccount(id) | Timer::AnswerMandate(id) => world.banks.get(*id).map(|bank| bank.client),
        Timer::SendTransfer(id) | Timer::AnswerTransfer(id) | Timer::CompleteTransfer(id) => {
            world.transfers.get(*id).map(|transfer| transfer.client)
        }
        Timer::AnswerMobilePayment(id) | Timer::LapseMobilePayment(id) => {
            world.mobile_payments.get(*id).map(|payment| payment.client)
        }
        Timer::CutFile(id) => world.instructions.get(*id).map(|instruction| instruction.client),
        Timer::ChargePayment(id) => world.payments.get(*id).map(|payment| payment.client),
        Timer::RunSavings(id, _) => world.savings_plans.get(*id).map(|plan| plan.client),
        Timer::Route(id) => return of(world.aggregates.get(*id).map(|aggregate| aggregate.partner)),
        Timer::BookBankgiro(id) => return of(world.bankgiro.get(*id).map(|item| item.partner)),
    };
    of(client.and_then(|client| world.clients.get(&client)).map(|client| client.partner))
}

fn of(partner: Option<PartnerId>) -> Concerned {
    partner.map_or(Concerned::Unknown, Concerned::Partner)
}
