//! What a command or a timer does: checks in order of precedence, the point of no return, then step, book, tell.

pub(crate) mod accounts;
pub(crate) mod clients;
pub(crate) mod dealing;
pub(crate) mod journeys;
pub(crate) mod market;
pub(crate) mod opening;
pub(crate) mod orders;
pub(crate) mod payouts;

use crate::command::Command;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::timers::Timer;
use crate::world::World;

/// Hands a command to its flow.
pub(crate) fn carry_out(world: &mut World, command: Command) -> Result<Reply, Refusal> {
    match command {
        Command::PlaceOrder(place) => orders::place(world, place),
        Command::ValidateOrder(place) => orders::validate(world, &place),
        Command::CancelOrder { scope, order } => orders::cancel(world, scope, order),
        Command::OpenAccount(open) => accounts::open(world, open),
        Command::HoldOrder { partner, order } => orders::hold(world, partner, order),
        Command::ReleaseOrder { partner, order } => orders::release(world, partner, order),
        Command::RejectOrder { partner, order } => orders::reject(world, partner, order),
        Command::SetPrice(set) => market::set_price(world, &set),
        Command::SetTrading(set) => market::set_trading(world, &set),
        Command::DelayNav { instrument, bank_days } => market::delay_nav(world, instrument, bank_days),
        Command::BouncePayout { partner, transaction } => payouts::bounce(world, partner, transaction),
        Command::CreateClient(create) => clients::create(world, *create),
        Command::PatchClient(patch) => clients::patch(world, *patch),
        Command::CreateJourney(_)
        | Command::OpenJourney { .. }
        | Command::AnswerStep { .. }
        | Command::SignJourney { .. }
        | Command::AbortJourney { .. }
        | Command::CompleteJourney { .. }
        | Command::CancelJourney { .. }
        | Command::FailJourney { .. }
        | Command::ExpireJourney { .. }
        | Command::DecideAccount { .. }
        | Command::CloseAccount { .. }
        | Command::CheckBankAccount { .. }
        | Command::AdviseMandate { .. }
        | Command::MoveTransfer { .. }
        | Command::Screen { .. }
        | Command::PatchAllocationPlan { .. }
        | Command::DeleteAllocationPlan { .. }
        | Command::DeleteSavingsPlan { .. } => journeys::unavailable(),
    }
}

/// Hands a timer to its flow.
pub(crate) fn fire(world: &mut World, timer: Timer) {
    match timer {
        Timer::AcceptOrder(order) => orders::first_check(world, order),
        Timer::LapseOrder(order) => orders::lapse(world, order),
        Timer::CutOff(instrument, day) => dealing::cut_off(world, instrument, day),
        Timer::Route(aggregate) => dealing::route(world, aggregate),
        Timer::PublishPrice(instrument, day) => dealing::publish_price(world, instrument, day),
        Timer::Confirm(instrument, day) => dealing::confirm(world, instrument, day),
        Timer::SettleSubscriptions(instrument, day) => dealing::settle_subscriptions(world, instrument, day),
        Timer::SettleRedemptions(instrument, day) => dealing::settle_redemptions(world, instrument, day),
        Timer::PublishRate(currency, day) => market::publish_rate(world, currency, day),
        Timer::PayOut(transaction) => payouts::pay_out(world, transaction),
        Timer::BouncePayout(transaction) => payouts::returned(world, transaction),
        Timer::ExpireJourney(_)
        | Timer::ApproveAccount(_)
        | Timer::LapseAccount(_)
        | Timer::WindUpAccount(_)
        | Timer::CheckBankAccount(_)
        | Timer::AnswerMandate(_)
        | Timer::SendTransfer(_)
        | Timer::AnswerTransfer(_)
        | Timer::CompleteTransfer(_) => {}
    }
}
