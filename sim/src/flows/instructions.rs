//! Payment instructions: taken together or not at all, and moved along their tables (rule: payments/payment-instruction,
//! payments/payment-states).
//!
//! Invariant: an instruction is completed with the last of its payments; a `clientRef` is used once for a client, for ever
//! (rule: payments/payment-client-ref). Absent on purpose: charging, which is `charges`.

use crate::command::{CreateInstruction, NewPayment, PartialInstruction};
use crate::flows::bank_hours;
use crate::ids::{AccountId, ClientId, InstructionId, PaymentId};
use crate::machines::instruction::{State, Trigger};
use crate::machines::payment::{State as PaymentState, Trigger as PaymentTrigger};
use crate::machines::{Current, payment};
use crate::money::Amount;
use crate::partial::Whole as _;
use crate::records::{Instruction, InstructionType, Payment, PaymentReason, SavingsPart, Stamp};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::timers::Timer;
use crate::world::World;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most payments in one instruction.
pub const MAX_PAYMENTS: usize = 1_000;
/// Longest `clientRef` of a payment.
const MAX_CLIENT_REF: usize = 255;
/// Local hour at which the file of a bank day is closed; at that instant it is (rule: calendar/deadlines-are-strict).
const FILE_HOUR: i8 = 15;

/// Everything that is known to be wrong with an instruction by itself.
#[must_use]
pub fn problems(create: &PartialInstruction) -> Vec<Problem> {
    let Some(payments) = &create.payments else { return Vec::new() };
    if payments.is_empty() {
        return vec![Problem::new("payments", Fault::Empty)];
    }
    if payments.len() > MAX_PAYMENTS {
        return vec![Problem::new("payments", Fault::TooMany { max: MAX_PAYMENTS })];
    }
    let mut problems = Vec::new();
    for (at, payment) in payments.iter().enumerate() {
        let Some(payment) = payment else { continue };
        if payment.amount.is_some_and(|amount| !amount.is_positive()) {
            problems.push(Problem::new(format!("payments[{at}].amount"), Fault::NotPositive));
        }
        let length = payment.client_ref.as_ref().map(|text| text.chars().count());
        if length == Some(0) {
            problems.push(Problem::new(format!("payments[{at}].clientRef"), Fault::Empty));
        } else if length.is_some_and(|length| length > MAX_CLIENT_REF) {
            problems.push(Problem::new(format!("payments[{at}].clientRef"), Fault::TooLong { max: MAX_CLIENT_REF }));
        }
    }
    problems
}

/// All checks of an instruction, in order of precedence. Pure.
fn check(world: &World, create: &CreateInstruction) -> Result<(), Refusal> {
    let client = world.client_that_may(create.scope, |may| may.autogiro)?.id;
    Refusal::unless_empty(Class::Malformed, problems(&create.partial()))?;
    let mut seen = BTreeSet::new();
    let repeated =
        of_each(create, "clientRef", |payment| (!seen.insert(&*payment.client_ref)).then_some(Fault::Duplicate));
    Refusal::unless_empty(Class::Malformed, repeated)?;
    let taken = of_each(create, "clientRef", |payment| {
        world.payment_refs.contains_key(&(client, Arc::clone(&payment.client_ref))).then_some(Fault::Taken)
    });
    Refusal::unless_empty(Class::Malformed, taken)?;
    let unknown = of_each(create, "account", |payment| {
        world.account_in_scope(create.scope, payment.account, "account").is_err().then_some(Fault::NotFound)
    });
    Refusal::unless_empty(Class::Unknown, unknown)?;
    let closed = of_each(create, "account", |payment| {
        let account = world.accounts.known(payment.account);
        (!account.is_active()).then(|| Fault::NotActive { status: account.state.name() })
    });
    Refusal::unless_empty(Class::AccountNotActive, closed)
}

/// The problems that `fault` finds in one field of the payments.
fn of_each<'a>(
    create: &'a CreateInstruction,
    field: &'static str,
    mut fault: impl FnMut(&'a NewPayment) -> Option<Fault>,
) -> Vec<Problem> {
    let found = create.payments.iter().enumerate().filter_map(|(at, payment)| Some((at, fault(payment)?)));
    found.map(|(at, fault)| Problem::new(format!("payments[{at}].{field}"), fault)).collect()
}

/// `CreateInstruction`.
pub(crate) fn create(world: &mut World, create: CreateInstruction) -> Result<Reply, Refusal> {
    check(world, &create)?;
    // Nothing below can fail.
    let client = create.scope.client;
    let id = open(world, client, create.kind, create.payments.len(), false);
    for new in create.payments {
        let payment = add(world, id, new.account, new.amount, Some(Arc::clone(&new.client_ref)), None);
        world.payment_refs.insert((client, new.client_ref), payment);
    }
    Ok(Reply::Instruction(Arc::clone(world.instructions.known(id))))
}

/// The charge of a savings plan: an instruction of one payment that no partner can read.
pub(crate) fn charge_savings(world: &mut World, account: AccountId, amount: Amount, part: SavingsPart) {
    let client = world.accounts.known(account).client;
    let id = open(world, client, InstructionType::Autogiro, 1, true);
    add(world, id, account, amount, None, Some(part));
}

/// A new instruction, so far without its `count` payments: one for autogiro waits for its file, one for a transfer has its reference.
fn open(world: &mut World, client: ClientId, kind: InstructionType, count: usize, internal: bool) -> InstructionId {
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
    match reference {
        Some(reference) => {
            world.awaited.insert(reference, id);
        }
        None => {
            world.timers.set(bank_hours::next(now, FILE_HOUR, 0), Timer::CutFile(id));
        }
    }
    id
}

fn add(
    world: &mut World,
    instruction: InstructionId,
    account: AccountId,
    amount: Amount,
    client_ref: Option<Arc<str>>,
    savings: Option<SavingsPart>,
) -> PaymentId {
    let now = world.now;
    let client = world.instructions.known(instruction).client;
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
    let record = world.instructions.change(instruction);
    record.payments.push(payment.id);
    record.open += 1;
    payment.id
}

/// Takes the instruction table's row for `on`.
pub(crate) fn move_instruction(world: &mut World, id: InstructionId, on: Trigger) {
    let now = world.now;
    let record = world.instructions.change(id);
    world.visits.take(&mut record.state, on);
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
    let row = world.visits.take(&mut record.state, on);
    record.reason = reason;
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

/// An instruction of the client; none where it is unknown, another client's or the platform's own.
#[must_use]
pub fn of_client(world: &World, client: ClientId, id: InstructionId) -> Option<&Arc<Instruction>> {
    world.instructions.get(id).filter(|instruction| instruction.client == client && !instruction.internal)
}

/// The payments of an instruction, as they were given.
#[must_use]
pub fn payments_of(world: &World, instruction: &Instruction) -> Vec<Arc<Payment>> {
    instruction.payments.iter().map(|&id| Arc::clone(world.payments.known(id))).collect()
}
