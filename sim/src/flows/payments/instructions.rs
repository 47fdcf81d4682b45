//! Payment instructions that partners give: taken together or not at all (rule: payments/payment-instruction).
//!
//! Invariant: a `clientRef` is used once for a client, for ever (rule: payments/payment-client-ref). Absent on purpose: charging,
//! which is `charges`, and how an instruction and its payments move on, which is `bank::payment_moves`.

use crate::command::{CreateInstruction, NewPayment, PartialInstruction};
use crate::flows::bank::payment_moves::{add, open};
use crate::ids::{ClientId, InstructionId};
use crate::partial::Whole as _;
use crate::records::{Instruction, Payment};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::world::World;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most payments in one instruction.
pub const MAX_PAYMENTS: usize = 1_000;
/// Longest `clientRef` of a payment.
const MAX_CLIENT_REF: usize = 255;

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
