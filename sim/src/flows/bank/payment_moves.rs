//! Payment instructions on their way: opened with their payments, and moved along their tables (rule: payments/payment-states).
//!
//! Invariant: an instruction is completed with the last of its payments. Absent on purpose: what a partner may ask for, which is
//! `payments::instructions`; and charging, which is `payments::charges`.

use super::hours;
use crate::ids::{AccountId, ClientId, InstructionId, PaymentId};
use crate::machines::instruction::{State, Trigger};
use crate::machines::payment::{State as PaymentState, Trigger as PaymentTrigger};
use crate::machines::{Current, Noted, payment};
use crate::money::Amount;
use crate::records::{Instruction, InstructionType, Payment, PaymentReason, SavingsPart, Stamp};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour at which the file of a bank day is closed; at that instant it is (rule: calendar/deadlines-are-strict).
const FILE_HOUR: i8 = 15;

/// The charge of a savings plan: an instruction of one payment that no partner can read.
pub(crate) fn charge_savings(world: &mut World, account: AccountId, amount: Amount, part: SavingsPart) {
    let client = world.accounts.known(account).client;
    let id = open(world, client, InstructionType::Autogiro, 1, true);
    add(world, id, account, amount, None, Some(part));
}

/// A new instruction, so far without its `count` payments: one for autogiro waits for its file, one for a transfer has its reference.
pub(crate) fn open(
    world: &mut World,
    client: ClientId,
    kind: InstructionType,
    count: usize,
    internal: bool,
) -> InstructionId {
    let now = world.now;
    let reference = (kind == InstructionType::BankTransfer).then(|| world.id_sources.account_ref(now));
    let id = world.instructions.insert_new(|id| Instruction {
        id,
        client,
        kind,
        reference,
        payments: Vec::with_capacity(count),
        open: 0,
        internal,
        state: Current::first(State::New),
        stamp: Stamp::new(now),
    });
    world.visits.begun(client, State::New);
    match reference {
        Some(reference) => {
            world.awaited.insert(reference, id);
        }
        None => {
            world.timers.set(hours::next(now, FILE_HOUR, 0), Timer::CutFile(id));
        }
    }
    id
}

/// One more payment of an instruction.
pub(crate) fn add(
    world: &mut World,
    instruction: InstructionId,
    account: AccountId,
    amount: Amount,
    client_ref: Option<Arc<str>>,
    savings: Option<SavingsPart>,
) -> PaymentId {
    let now = world.now;
    let client = world.instructions.known(instruction).client;
    let account = world.accounts.known(account).id;
    let payment = world.payments.insert_new(now, |id, sorted_id| Payment {
        id,
        sorted_id,
        client,
        instruction,
        account,
        amount,
        client_ref,
        savings,
        bank_account: None,
        due: None,
        attempts: 0,
        reason: None,
        deposit: None,
        timer: None,
        state: Current::first(PaymentState::New),
        stamp: Stamp::new(now),
    });
    world.visits.begun(client, PaymentState::New);
    let record = world.instructions.change(instruction);
    record.payments.push(payment.id);
    record.open += 1;
    payment.id
}

/// Takes the instruction table's row for `on`.
pub(crate) fn move_instruction(world: &mut World, id: InstructionId, on: Trigger) {
    let now = world.now;
    let record = world.instructions.change(id);
    world.visits.take(&mut record.state, on, Some(record.client));
    record.stamp.touch(now);
    if let Some(reference) = record.reference {
        world.awaited.shift_remove(&reference);
    }
}

/// Takes the payment table's row for `on`, with the reason that it leaves; the last end completes the instruction.
/// Gives what the move does besides.
pub(crate) fn move_payment(
    world: &mut World,
    id: PaymentId,
    on: PaymentTrigger,
    reason: Option<PaymentReason>,
) -> payment::Effect {
    let now = world.now;
    let record = world.payments.change(id);
    let row = world.visits.take(&mut record.state, on, Some(record.client));
    record.reason = reason;
    if let Some(reason) = reason {
        world.visits.note(Some(record.client), Noted::Reason(payment::TABLE.name, reason.code()));
    }
    record.stamp.touch(now);
    let instruction = record.instruction;
    if let Some(key) = record.timer.take() {
        world.timers.cancel(key);
    }
    if row.from == PaymentState::New && row.to != PaymentState::New {
        let open = &mut world.instructions.change(instruction).open;
        *open -= 1;
        if *open == 0 {
            move_instruction(world, instruction, Trigger::Finish);
        }
    }
    row.effect
}

/// The instructions that still have a payment to come into the account (rule: accounts/delete-with-instructions).
pub(crate) fn pending_of(world: &World, account: AccountId) -> Vec<InstructionId> {
    let waiting = world.payments.of_account(account, None).filter(|payment| payment.state == PaymentState::New);
    let mut instructions: Vec<InstructionId> = waiting.map(|payment| payment.instruction).collect();
    instructions.dedup();
    instructions
}
