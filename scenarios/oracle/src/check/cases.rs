//! Cases of laws that a command is by itself, whatever it leads to.
//!
//! Absent on purpose: cases that follow from what happens, each of which is counted beside the check of its law.

use super::{Judge, Law};
use sim::command::Command;
use sim::refusal::Class;
use sim::{Refusal, Reply};

/// Bytes of the partner's data that are many, and few less than are accepted.
const LONG_SCOPE: usize = 600;

impl Judge {
    /// Notes what a command puts to the test by being asked for, and by being refused.
    pub(super) fn note_asked(&mut self, command: &Command, result: Result<&Reply, &Refusal>) {
        match command {
            Command::CancelOrder { order, .. }
            | Command::HoldOrder { order, .. }
            | Command::ReleaseOrder { order, .. }
            | Command::RejectOrder { order, .. } => {
                let file = self.model.orders.get(order);
                let is_over = file.is_some_and(|file| file.status.is_over());
                self.met.note_if(Law::TerminalOrdersAreFrozen, is_over);
            }
            Command::CreateJourney(create) => {
                let length = create.partner_data.as_ref().map_or(0, |text| text.len());
                self.met.note_if(Law::Scope, length > LONG_SCOPE);
            }
            Command::AllocateSuspense { .. } => self.met.note_if(Law::DepositOnce, result.is_ok()),
            Command::CheckBankAccount { passes: false, .. } => {
                self.met.note_if(Law::ValidatedMeansChecked, result.is_ok());
            }
            Command::PlaceOrder(_) => {
                let is_closed = result.is_err_and(|refusal| refusal.class == Class::AccountNotActive);
                self.met.note_if(Law::ActiveAccountsOnly, is_closed);
            }
            _ => {}
        }
        if let Err(refusal) = result {
            self.met.note_refusal(refusal.class);
        }
    }
}
