//! Money that comes in: what a step about it asks of a world.

use super::Bindings;
use crate::generate::step::{Instruct, InstructionName, Money};
use sim::command::{CreateInstruction, NewPayment, PayByBankgiro};
use sim::identity::Ocr;
use sim::ids::PartnerId;
use sim::machines::suspense::State;
use sim::money::Amount;
use sim::query;
use sim::records::{Instruction, InstructionType, Payment, PaymentReason};
use sim::{Command, World};
use std::sync::Arc;

/// References that no account has: too short, too long, or with a body that is smaller than any clock.
const NOBODYS: [&str; 4] = ["1234574", "26", "034", "1234567890123456789012357"];

impl Bindings {
    pub(super) fn money(&self, world: &World, money: Money) -> Option<Command> {
        Some(match money {
            Money::Instruct(new) => self.instruct(new)?,
            Money::Bankgiro(name, ore) => {
                let (client, account) = self.account(name)?;
                let scope = self.scope(client);
                let reference = query::account(world, scope.client, account)?.reference;
                pay(scope.partner, reference.into(), i64::from(ore))
            }
            Money::ThroughOther(name, ore) => {
                let (client, account) = self.account(name)?;
                let scope = self.scope(client);
                let reference = query::account(world, scope.client, account)?.reference;
                pay(self.other_than(scope.partner)?, reference.into(), i64::from(ore))
            }
            Money::SendThroughOther(name) => {
                let (partner, instruction, payments) = self.instruction(world, name)?;
                let amount = payments.iter().map(|payment| payment.amount).sum();
                let partner = self.other_than(partner)?;
                Command::PayByBankgiro(PayByBankgiro { partner, reference: instruction.reference?.into(), amount })
            }
            Money::Nobodys(ore) => {
                let reference = Ocr::parse(NOBODYS[ore as usize % NOBODYS.len()]).ok()?;
                pay(self.scope(0).partner, reference, i64::from(ore))
            }
            Money::Send(name, exact) => {
                let (partner, instruction, payments) = self.instruction(world, name)?;
                let total: Amount = payments.iter().map(|payment| payment.amount).sum();
                let more = if exact { Amount::ZERO } else { Amount::from_ore(1) };
                let amount = total + more;
                Command::PayByBankgiro(PayByBankgiro { partner, reference: instruction.reference?.into(), amount })
            }
            Money::Fail(name, code) => {
                let (partner, _, payments) = self.instruction(world, name)?;
                // One instruction in thirteen is failed with a reason that the lever does not take: by its name, so that other steps
                // stay as they are.
                let reason = match name % 13 {
                    5 => PaymentReason::NoMoney,
                    _ => PaymentReason::by_lever().nth(usize::from(code))?,
                };
                Command::FailPayment { partner, payment: payments.first()?.id, reason }
            }
            Money::Refund(name, unauthorised) => {
                let (partner, _, payments) = self.instruction(world, name)?;
                Command::RefundPayment { partner, payment: payments.last()?.id, unauthorised }
            }
            Money::Allocate(name) => {
                let item = query::suspense(world).find(|item| item.state == State::Open)?.id;
                Command::AllocateSuspense { item, account: self.account(name)?.1 }
            }
            Money::Return => {
                Command::ReturnSuspense { item: query::suspense(world).find(|item| item.state == State::Open)?.id }
            }
        })
    }

    /// Another partner.
    fn other_than(&self, partner: PartnerId) -> Option<PartnerId> {
        self.scopes.iter().map(|scope| scope.partner).find(|other| *other != partner)
    }

    fn instruct(&self, new: Instruct) -> Option<Command> {
        let (client, account) = self.account(new.account)?;
        let batch = if new.again { new.name.saturating_sub(1) } else { new.name };
        let payment = |at: u8| NewPayment {
            account,
            amount: Amount::from_ore(i64::from(new.ore)),
            client_ref: Arc::from(format!("payment {at} of batch {batch}")),
        };
        let kind = if new.transfer { InstructionType::BankTransfer } else { InstructionType::Autogiro };
        let payments = (0..new.count).map(payment).collect();
        Some(Command::CreateInstruction(CreateInstruction { scope: self.scope(client), kind, payments }))
    }

    fn instruction(
        &self,
        world: &World,
        name: InstructionName,
    ) -> Option<(PartnerId, Arc<Instruction>, Vec<Arc<Payment>>)> {
        let (client, id) = self.instructions.get(usize::from(name)).copied().flatten()?;
        let scope = self.scope(client);
        let instruction = Arc::clone(query::instruction(world, scope.client, id)?);
        let payments = query::payments_of(world, &instruction);
        Some((scope.partner, instruction, payments))
    }
}

fn pay(partner: PartnerId, reference: Ocr, ore: i64) -> Command {
    Command::PayByBankgiro(PayByBankgiro { partner, reference, amount: Amount::from_ore(ore) })
}
