//! What commands are called, and which statuses answer them.

use sim::command::{Command, Purgeable};
use sim::records::CorporateAct;
use sim::refusal::Class;

macro_rules! names {
    ($($command:pat => $name:literal,)*) => {
        /// The command's name, as a person would say it.
        #[must_use]
        pub const fn name_of(command: &Command) -> &'static str {
            match command {
                $($command => $name,)*
            }
        }

        /// The name of every command.
        pub const COMMANDS: &[&str] = &[$($name),*];
    };
}

names! {
    Command::PlaceOrder(_) => "an order",
    Command::ValidateOrder(_) => "a validation",
    Command::CancelOrder { .. } => "a cancel",
    Command::OpenAccount(_) => "an opening",
    Command::HoldOrder { .. } => "a hold",
    Command::ReleaseOrder { .. } => "a release",
    Command::RejectOrder { .. } => "a rejection",
    Command::SetPrice(_) => "a price",
    Command::SetTrading(_) => "a change of trading",
    Command::DelayNav { .. } => "a delay",
    Command::Announce { act: CorporateAct::Split { .. }, .. } => "a split",
    Command::Announce { act: CorporateAct::Merge { .. }, .. } => "a merger",
    Command::Announce { act: CorporateAct::Liquidate { .. }, .. } => "a liquidation",
    Command::Book(_) => "a booking",
    Command::BouncePayout { .. } => "a bounce",
    Command::CreateJourney(_) => "a new journey",
    Command::OpenJourney { .. } => "the opening of a journey",
    Command::AnswerStep { .. } => "the answers of a step",
    Command::SignJourney { .. } => "a use of the electronic identity",
    Command::AbortJourney { .. } => "an abort by the customer",
    Command::CompleteJourney { .. } => "the rest of a journey",
    Command::CancelJourney { .. } => "the cancel of a journey",
    Command::FailJourney { .. } => "the failure of a journey",
    Command::ExpireJourney { .. } => "the end of a journey's time",
    Command::DecideAccount { .. } => "a decision about an account",
    Command::CloseAccount { .. } => "a closing",
    Command::CheckBankAccount { .. } => "a check of a bank account",
    Command::AdviseMandate { .. } => "an advice of a mandate",
    Command::MoveTransfer { .. } => "a move of a transfer",
    Command::Screen { .. } => "a screening",
    Command::ReportDeath { .. } => "a death",
    Command::Purge { what: Purgeable::Client(_), .. } => "a purge of a client",
    Command::Purge { what: Purgeable::Account(_), .. } => "a purge of an account",
    Command::Purge { what: Purgeable::Journey(_), .. } => "a purge of a journey",
    Command::Purge { what: Purgeable::Order(_), .. } => "a purge of an order",
    Command::Purge { what: Purgeable::CashTransaction(_), .. } => "a purge of a cash transaction",
    Command::Purge { what: Purgeable::FundTransaction(_), .. } => "a purge of a fund transaction",
    Command::CreateClient(_) => "a new client",
    Command::PatchClient(_) => "a change of a client",
    Command::SetClientFees(_) => "a change of a client's fees",
    Command::PatchAllocationPlan { .. } => "a change of an allocation plan",
    Command::DeleteAllocationPlan { .. } => "the end of an allocation plan",
    Command::DeleteSavingsPlan { .. } => "the end of a savings plan",
    Command::CreateMobilePayment(_) => "a mobile payment",
    Command::OpenMobilePayment { .. } => "the opening of a mobile payment",
    Command::PayMobilePayment { .. } => "the payer's payment",
    Command::DeclineMobilePayment { .. } => "the payer's refusal",
    Command::FailMobilePayment { .. } => "the failure of a mobile payment",
    Command::RefusePayers { .. } => "a refusal of payers",
    Command::Withdraw(_) => "a withdrawal",
    Command::CreateInstruction(_) => "an instruction",
    Command::PayByBankgiro(_) => "a payment over bankgiro",
    Command::FailPayment { .. } => "a refused payment",
    Command::RefundPayment { .. } => "a refund",
    Command::AllocateSuspense { .. } => "an allocation of suspense",
    Command::ReturnSuspense { .. } => "a return of suspense",
}

/// The status that an accepted command is answered with.
#[must_use]
pub const fn accepted_as(command: &Command) -> u16 {
    if matches!(command, Command::ValidateOrder(_)) { 204 } else { 200 }
}

/// The status that a refusal is answered with.
#[must_use]
pub const fn status_of(class: Class) -> u16 {
    match class {
        Class::OutOfScope => 403,
        Class::Conflict => 409,
        _ => 400,
    }
}
