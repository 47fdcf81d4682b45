//! Law 43 on what changes a world: whatever one asks, nobody else may ask in its place.
//!
//! Invariant: tried before the command itself, on the very world, since what is refused changes nothing. Absent on purpose:
//! reads, which `listing` asks as others, and acts of customers, whose links are their right.

use super::{Claim, Judge, Law, Violation, name_of, status_of};
use crate::model::Expected;
use crate::model::words;
use sim::command::{Command, Scope};
use sim::ids::PartnerId;
use sim::refusal::Class;
use sim::{World, query};

impl Judge {
    /// Has everybody else try `command`; `world` is as it was, unless a law does not hold.
    pub fn tried_by_others(&mut self, world: &mut World, command: &Command) {
        for foreign in asked_by_others(world, command) {
            let plan = self.plan(world, &foreign);
            let result = world.apply(world.now(), foreign.clone());
            self.met.note(Law::Isolation);
            let expected = match plan.expected {
                Expected::Refused(class) => Some(class),
                Expected::Accepted | Expected::Unsure => None,
            };
            let got = result.err().map(|refusal| refusal.class);
            if got.is_none() || expected.is_some_and(|class| got != Some(class)) {
                let due = expected.map_or("refused".to_owned(), |class| words::outcome(Some(class)));
                let (what, got) = (name_of(command), words::outcome(got));
                let what = format!("{what} in another client's name was {got}; expected: {due}");
                let claim = Claim::Foreign(Box::new(foreign), status_of(expected.unwrap_or(Class::Unknown)));
                let violation = Violation { invariant: Law::Isolation, at: world.now(), what, claim: Some(claim) };
                return self.add(Some(violation));
            }
        }
    }
}

/// By whose right a command is taken.
enum Right<'a> {
    /// A client's.
    Client(&'a mut Scope),
    /// A partner's, of whom it names something.
    Partner(&'a mut PartnerId),
    /// Anybody's who may ask at all, or a customer's who has the link.
    Open,
}

fn right(command: &mut Command) -> Right<'_> {
    match command {
        Command::PlaceOrder(place) | Command::ValidateOrder(place) => Right::Client(&mut place.scope),
        Command::OpenAccount(open) => Right::Client(&mut open.scope),
        Command::Withdraw(withdraw) => Right::Client(&mut withdraw.scope),
        Command::CreateJourney(create) => Right::Client(&mut create.scope),
        Command::PatchClient(patch) => Right::Client(&mut patch.scope),
        Command::SetClientFees(set) => Right::Client(&mut set.scope),
        Command::CreateMobilePayment(create) => Right::Client(&mut create.scope),
        Command::Book(book) => Right::Partner(&mut book.partner),
        Command::CreateInstruction(create) => Right::Client(&mut create.scope),
        Command::CancelOrder { scope, .. }
        | Command::CloseAccount { scope, .. }
        | Command::PatchAllocationPlan { scope, .. }
        | Command::DeleteAllocationPlan { scope, .. }
        | Command::DeleteSavingsPlan { scope, .. } => Right::Client(scope),
        Command::HoldOrder { partner, .. }
        | Command::ReleaseOrder { partner, .. }
        | Command::RejectOrder { partner, .. }
        | Command::BouncePayout { partner, .. }
        | Command::OpenJourney { partner: Some(partner), .. }
        | Command::AnswerStep { partner: Some(partner), .. }
        | Command::SignJourney { partner: Some(partner), .. }
        | Command::CompleteJourney { partner, .. }
        | Command::CancelJourney { partner, .. }
        | Command::FailJourney { partner, .. }
        | Command::ExpireJourney { partner, .. }
        | Command::DecideAccount { partner, .. }
        | Command::CheckBankAccount { partner, .. }
        | Command::AdviseMandate { partner, .. }
        | Command::MoveTransfer { partner, .. }
        | Command::PayMobilePayment { partner: Some(partner), .. }
        | Command::DeclineMobilePayment { partner: Some(partner), .. }
        | Command::FailMobilePayment { partner: Some(partner), .. }
        | Command::RefusePayers { partner, .. }
        | Command::FailPayment { partner, .. }
        | Command::RefundPayment { partner, .. }
        | Command::Purge { partner, .. } => Right::Partner(partner),
        Command::OpenJourney { partner: None, .. }
        | Command::AnswerStep { partner: None, .. }
        | Command::SignJourney { partner: None, .. }
        | Command::AbortJourney { .. }
        | Command::OpenMobilePayment { .. }
        | Command::PayMobilePayment { partner: None, .. }
        | Command::DeclineMobilePayment { partner: None, .. }
        | Command::FailMobilePayment { partner: None, .. }
        | Command::SetPrice(_)
        | Command::SetTrading(_)
        | Command::DelayNav { .. }
        | Command::Announce { .. }
        | Command::Screen { .. }
        | Command::ReportDeath { .. }
        | Command::PayByBankgiro(_)
        | Command::AllocateSuspense { .. }
        | Command::ReturnSuspense { .. }
        | Command::CreateClient(_) => Right::Open,
    }
}

/// Whether a command names nothing that is its client's: then every client may ask it, each for itself.
fn names_nothing(world: &World, command: &Command) -> bool {
    match command {
        Command::OpenAccount(_) | Command::PatchClient(_) | Command::SetClientFees(_) => true,
        Command::CreateJourney(create) => {
            let own = |id| query::account(world, create.scope.client, id).is_some();
            !create.configuration.account.is_some_and(own)
        }
        _ => false,
    }
}

/// The command as others would ask it: another client of the same partner, and another partner.
fn asked_by_others(world: &World, command: &Command) -> Vec<Command> {
    let all = || query::clients(world).map(|client| Scope { partner: client.partner, client: client.id });
    let elsewhere = |own: PartnerId| all().find(|scope| scope.partner != own);
    let mut foreign = command.clone();
    match right(&mut foreign) {
        Right::Open => Vec::new(),
        Right::Partner(partner) => match elsewhere(*partner) {
            Some(other) => {
                *partner = other.partner;
                vec![foreign]
            }
            None => Vec::new(),
        },
        Right::Client(scope) => {
            let own = *scope;
            // Somebody else asks already.
            if query::client(world, own.client).is_none_or(|client| client.partner != own.partner) {
                return Vec::new();
            }
            let other_partner = elsewhere(own.partner).map(|other| Scope { partner: other.partner, ..own });
            let beside = all().find(|scope| scope.partner == own.partner && scope.client != own.client);
            let beside = beside.filter(|_| !names_nothing(world, command));
            let as_other = |other| {
                let mut foreign = command.clone();
                if let Right::Client(scope) = right(&mut foreign) {
                    *scope = other;
                }
                foreign
            };
            other_partner.into_iter().chain(beside).map(as_other).collect()
        }
    }
}
