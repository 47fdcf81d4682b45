//! An account has its turn in an action before a command looks at it (rule: calendar/slices).
//!
//! Invariant: a command finds each account that it concerns as the action leaves it, whatever slices it comes between; so its checks
//! and its bookings are about one state. Absent on purpose: what a turn is, which is `carrying_out`.

use super::carrying_out::catch_up;
use crate::command::Command;
use crate::flows::screening;
use crate::ids::{AccountId, JourneyId};
use crate::records::OwnerKey;
use crate::world::World;

/// Gives the accounts that `command` concerns their turn in the action that is under way, if there is one.
pub(crate) fn bring_up(world: &mut World, command: &Command) {
    if world.action_underway().is_none() {
        return;
    }
    for account in accounts_of(world, command) {
        if world.accounts.get(account).is_some() {
            catch_up(world, account);
        }
    }
}

/// The accounts whose cash, units or plans a command looks at or changes; ids that name nothing are left to the command.
fn accounts_of(world: &World, command: &Command) -> Vec<AccountId> {
    let of_journey = |id: &JourneyId| world.journeys.get(*id).and_then(|journey| journey.configuration.account);
    let one = match command {
        Command::PlaceOrder(order) | Command::ValidateOrder(order) => Some(order.account),
        Command::CancelOrder { order, .. } => world.orders.get(*order).map(|order| order.account),
        Command::Book(book) => Some(book.account),
        Command::BouncePayout { transaction, .. } => world.cash.get(*transaction).map(|payout| payout.account),
        Command::CreateJourney(journey) => journey.configuration.account,
        Command::OpenJourney { journey, .. }
        | Command::AnswerStep { journey, .. }
        | Command::SignJourney { journey, .. }
        | Command::CompleteJourney { journey, .. } => of_journey(journey),
        Command::DecideAccount { account, .. }
        | Command::CloseAccount { account, .. }
        | Command::DeleteSavingsPlan { account, .. }
        | Command::AllocateSuspense { account, .. } => Some(*account),
        Command::MoveTransfer { transfer, .. } => world.transfers.get(*transfer).map(|transfer| transfer.account),
        Command::PatchAllocationPlan { plan, .. } | Command::DeleteAllocationPlan { plan, .. } => {
            world.allocation_plans.get(*plan).map(|plan| plan.account)
        }
        Command::PayMobilePayment { payment, .. } => world.mobile_payments.get(*payment).map(|payment| payment.account),
        Command::FailPayment { payment, .. } | Command::RefundPayment { payment, .. } => {
            world.payments.get(*payment).map(|payment| payment.account)
        }
        Command::Withdraw(withdraw) => Some(withdraw.account),
        Command::Screen { owner, .. } => return screening::accounts_of(world, *owner),
        Command::ReportDeath { ssn } => return screening::accounts_of(world, OwnerKey::Ssn(*ssn)),
        // These bring the instant to its end before.
        Command::HoldOrder { .. }
        | Command::ReleaseOrder { .. }
        | Command::RejectOrder { .. }
        | Command::SetPrice(_)
        | Command::SetTrading(_)
        | Command::DelayNav { .. }
        | Command::Announce { .. }
        | Command::SetClientFees(_) => None,
        // These are about no account, or about none of what an action changes.
        Command::OpenAccount(_)
        | Command::AbortJourney { .. }
        | Command::CancelJourney { .. }
        | Command::FailJourney { .. }
        | Command::ExpireJourney { .. }
        | Command::CheckBankAccount { .. }
        | Command::AdviseMandate { .. }
        | Command::Purge { .. }
        | Command::CreateClient(_)
        | Command::PatchClient(_)
        | Command::CreateMobilePayment(_)
        | Command::OpenMobilePayment { .. }
        | Command::DeclineMobilePayment { .. }
        | Command::FailMobilePayment { .. }
        | Command::RefusePayers { .. }
        | Command::CreateInstruction(_)
        | Command::PayByBankgiro(_)
        | Command::ReturnSuspense { .. } => None,
    };
    one.into_iter().collect()
}
