//! Charges by autogiro: the file of the day, the attempts, their outcomes, and what banks and payers do besides
//! (rule: payments/payment-due-day, payments/charged-bank-account).
//!
//! Invariant: money is charged only where the mandate was active when the file was cut and is active at the attempt
//! (invariant 34); a paid payment becomes one deposit or one suspense item (invariant 9). Absent on purpose: taking
//! instructions, which is `instructions`.

use super::deposits;
use crate::calendar::{days_later, next_bank_day};
use crate::flows::bank::payment_moves::{move_instruction, move_payment};
use crate::flows::{bank, fees, plans};
use crate::ids::{AccountId, BankAccountId, InstructionId, PartnerId, PaymentId};
use crate::machines::instruction::Trigger as InstructionTrigger;
use crate::machines::payment::{Effect, State, Trigger};
use crate::records::{CashBooking, InstructionType, Payment, PaymentReason};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::{Date, stockholm};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour at which charges have their result.
const CHARGE_HOUR: i8 = 10;
/// How often a charge is tried: on the due day and on three more bank days.
const ATTEMPTS: u32 = 4;
/// Days from the due day in which a payer may have an authorised charge back.
const REFUND_DAYS: u32 = 56;
/// Months from the due day in which a payer may have back what was never authorised.
const UNAUTHORISED_REFUND_MONTHS: i64 = 13;

/// Timer: the file is closed. Each payment that still waits is given its bank account and its due day.
pub(crate) fn cut(world: &mut World, id: InstructionId) {
    if !world.instructions.known(id).state.allows(InstructionTrigger::Cut) {
        return;
    }
    move_instruction(world, id, InstructionTrigger::Cut);
    // A file is closed on a bank day, and due on the next (rule: payments/payment-due-day).
    let due = next_bank_day(world.now.local_date());
    for payment in world.instructions.known(id).payments.clone() {
        let record = Arc::clone(world.payments.known(payment));
        if record.state == State::New {
            let bank_account = charged(world, &record);
            let timer = world.timers.set(stockholm(due, CHARGE_HOUR, 0), Timer::ChargePayment(payment));
            let record = world.payments.change(payment);
            (record.bank_account, record.due, record.timer) = (bank_account, Some(due), Some(timer));
        }
    }
}

/// The bank account that a payment charges: its plan's, or else the account's newest; none without an active mandate.
fn charged(world: &World, payment: &Payment) -> Option<BankAccountId> {
    let of_plan = match &payment.savings {
        Some(part) => Some(world.savings_plans.known(part.plan).bank_account),
        None => plans::changes::allocation_plan_of(world, payment.account).and_then(|plan| plan.bank_account),
    };
    match of_plan {
        Some(bank) => bank::accounts::can_be_charged(world, bank).then_some(bank),
        None => bank::accounts::newest_chargeable(world, payment.account),
    }
}

/// Timer: an attempt to charge.
pub(crate) fn attempt(world: &mut World, id: PaymentId) {
    let payment = Arc::clone(world.payments.known(id));
    world.payments.change(id).timer = None;
    let Some(bank) = payment.bank_account else { return fail(world, id, PaymentReason::NoMandate) };
    let attempt = payment.attempts + 1;
    world.payments.change(id).attempts = attempt;
    match bank::accounts::charge(world, bank) {
        Ok(()) => {
            pay(world, id);
            bank::accounts::charge_paid(world, bank);
        }
        Err(PaymentReason::NoMoneyYet) if attempt == ATTEMPTS => fail(world, id, PaymentReason::NoMoney),
        Err(PaymentReason::NoMoneyYet) => again(world, id),
        Err(reason) => fail(world, id, reason),
    }
}

/// The charge is tried again on the next bank day.
fn again(world: &mut World, id: PaymentId) {
    let Effect::Again = move_payment(world, id, Trigger::Retry, Some(PaymentReason::NoMoneyYet)) else { return };
    let at = stockholm(next_bank_day(world.now.local_date()), CHARGE_HOUR, 0);
    world.payments.change(id).timer = Some(world.timers.set(at, Timer::ChargePayment(id)));
}

/// The money of a payment has come: a deposit, or suspense where the account can take none.
pub(crate) fn pay(world: &mut World, id: PaymentId) {
    let Effect::Deposit = move_payment(world, id, Trigger::Pay, None) else { return };
    let payment = Arc::clone(world.payments.known(id));
    let received = deposits::receive(
        world,
        deposits::Payment {
            client_ref: payment.client_ref.clone(),
            runs_plan: payment.savings.is_none(),
            ..deposits::Payment::new(payment.account, CashBooking::Instructed, payment.amount, id.text())
        },
    );
    if let Some(deposit) = received {
        world.payments.change(id).deposit = Some(deposit);
        if let Some(part) = &payment.savings {
            plans::savings_runs::buy(world, payment.account, part);
        }
    }
}

fn fail(world: &mut World, id: PaymentId, reason: PaymentReason) {
    move_payment(world, id, Trigger::Fail, Some(reason));
    if let Some(part) = world.payments.known(id).savings.clone() {
        plans::savings_runs::skip(world, &part, reason);
    }
}

/// Ends the payments into an account that ends itself, as far as no bank has them yet (rule: accounts/endowment).
pub(crate) fn give_up(world: &mut World, account: AccountId) {
    let unsent = |payment: &&Arc<Payment>| payment.state == State::New && payment.due.is_none();
    let unsent: Vec<_> = world.payments.of_account(account, None).filter(unsent).map(|payment| payment.id).collect();
    unsent.into_iter().for_each(|payment| fail(world, payment, PaymentReason::NotApproved));
}

/// A payment of the lever's own partner.
fn of_partner(world: &World, partner: PartnerId, id: PaymentId) -> Result<Arc<Payment>, Refusal> {
    match world.payments.get(id) {
        Some(payment) if world.owns(partner, payment.client) => Ok(Arc::clone(payment)),
        _ => Err(Refusal::one(Class::Unknown, "paymentId", Fault::NotFound)),
    }
}

fn is_charge(world: &World, payment: &Payment) -> bool {
    world.instructions.known(payment.instruction).kind == InstructionType::Autogiro
}

/// Why a lever cannot move a payment, with the levers that could.
fn refuse_lever(world: &World, payment: &Payment, status: &'static str) -> Refusal {
    let mut allowed = Vec::new();
    if is_charge(world, payment) && payment.state.allows(Trigger::Fail) {
        allowed.push("fail");
    }
    if refund_problem(world, payment, false).is_none() {
        allowed.push("refund");
    }
    Refusal::conflict("paymentId", Fault::NotPossibleIn { status }, payment.state.name(), allowed)
}

/// `FailPayment`: the bank refuses the charge, whether its file is closed or not.
pub(crate) fn refuse(
    world: &mut World,
    partner: PartnerId,
    id: PaymentId,
    reason: PaymentReason,
) -> Result<Reply, Refusal> {
    if !reason.is_by_lever() {
        let because = "a code that banks alone decide about is expected: 2, 03, 12 or 24";
        return Err(Refusal::one(Class::Malformed, "reasonCode", Fault::Invalid { because }));
    }
    let payment = of_partner(world, partner, id)?;
    if !payment.state.allows(Trigger::Fail) {
        return Err(refuse_lever(world, &payment, payment.state.name()));
    }
    if !is_charge(world, &payment) {
        return Err(refuse_lever(world, &payment, "waiting for a transfer"));
    }
    fail(world, id, reason);
    Ok(Reply::Payment(Arc::clone(world.payments.known(id))))
}

/// The last day on which a payer may have a charge back.
fn refund_until(due: Date, unauthorised: bool) -> Date {
    if unauthorised {
        due.checked_add(jiff::Span::new().months(UNAUTHORISED_REFUND_MONTHS)).unwrap_or(Date::MAX)
    } else {
        days_later(due, REFUND_DAYS)
    }
}

/// Why a payment cannot be paid back now.
fn refund_problem(world: &World, payment: &Payment, unauthorised: bool) -> Option<&'static str> {
    let account = world.accounts.known(payment.account);
    let today = world.now.local_date();
    match payment.due {
        _ if !payment.state.allows(Trigger::Refund) => Some(match *payment.state {
            State::Refunded => "refunded",
            State::Failed => "failed",
            State::New | State::Paid => "new",
        }),
        None => Some("paid by a transfer, which has no refund"),
        Some(_) if payment.deposit.is_none() => Some("in suspense"),
        Some(due) if today > refund_until(due, unauthorised) => Some("too old to be refunded"),
        Some(_) if account.deleted.is_some() => Some("final: the account is deleted"),
        Some(_) => None,
    }
}

/// `RefundPayment`: the payer has a paid charge back (rule: payments/payment-refund).
pub(crate) fn refund(
    world: &mut World,
    partner: PartnerId,
    id: PaymentId,
    unauthorised: bool,
) -> Result<Reply, Refusal> {
    let payment = of_partner(world, partner, id)?;
    if let Some(status) = refund_problem(world, &payment, unauthorised) {
        return Err(refuse_lever(world, &payment, status));
    }
    // Nothing below can fail.
    let Effect::Withdraw = move_payment(world, id, Trigger::Refund, None) else { unreachable!("the row requires it") };
    let booked = fees::refunds::take_back(world, &payment);
    Ok(match booked {
        Some(refund) => Reply::CashTransaction(Arc::clone(world.cash.known(refund))),
        None => Reply::Payment(Arc::clone(world.payments.known(id))),
    })
}
