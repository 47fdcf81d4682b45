//! Mobile payment sessions: asked for, paid, failed, and of unknown outcome (rule: payments/mobile-payment-session,
//! payments/mobile-payment-states, payments/mobile-payment-late).
//!
//! Invariant: the outcome of a session without an act of the payer is decided at its creation, and a session that has left `pending` has no
//! timer but that of a late answer. Absent on purpose: QR codes, which are a matter of the surface.

use crate::canary::Canary;
use crate::command::{CreateMobilePayment, PartialMobilePayment};
use crate::flows::payments::deposits;
use crate::flows::payments::deposits::Payment;
use crate::ids::{AccountId, ClientId, MobilePaymentId, PartnerId};
use crate::machines::mobile_payment::{Effect, State, TABLE, Trigger};
use crate::machines::{Current, Noted};
use crate::money::Amount;
use crate::partial::Whole as _;
use crate::records::{
    CashBooking, MobilePayment, MobilePaymentError, MobilePaymentOutcome, MobilePaymentRefusal, MobilePaymentType,
    QrFormat, Stamp,
};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::scope::must_be_active;
use crate::settings::MobilePaymentSettings;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Smallest amount in ore, itself allowed (rule: payments/limits-are-inclusive).
const SMALLEST: i64 = 1_00;
/// Largest amount in ore, itself allowed.
const LARGEST: i64 = 15_000_000;

/// What the ore of an amount decide (rule: payments/mobile-payment-outcomes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fixed {
    /// Refused when it is asked for.
    NotEnrolled,
    /// It has this outcome.
    InputOutcome(MobilePaymentOutcome),
}

/// Amounts with fixed outcomes, by their ore (rule: payments/mobile-payment-outcomes).
#[rustfmt::skip]
const FIXED: [(i128, Fixed); 10] = [
    (1,  Fixed::NotEnrolled),
    (2,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::Rf07))),
    (3,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::BankIdCl))),
    (4,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::BankIdOngoing))),
    (5,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::BankIdUnkn))),
    (6,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::Ff10))),
    (7,  Fixed::InputOutcome(MobilePaymentOutcome::Waits)),
    (8,  Fixed::InputOutcome(MobilePaymentOutcome::PaysLate)),
    (9,  Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::Ds24))),
    (10, Fixed::InputOutcome(MobilePaymentOutcome::Ends(MobilePaymentError::Declined))),
];

fn fixed(settings: &MobilePaymentSettings, amount: Amount) -> Option<Fixed> {
    let ore = amount.steps() % 100;
    FIXED.iter().find(|(fixed, _)| settings.magic_amounts && *fixed == ore).map(|(_, fixed)| *fixed)
}

/// `CreateMobilePayment`.
pub(crate) fn create(world: &mut World, create: CreateMobilePayment) -> Result<Reply, Refusal> {
    world.client_that_may(create.scope, |permissions| permissions.mobile_payment)?;
    Refusal::unless_empty(Class::Malformed, problems(&create.partial()))?;
    let account = world.account_in_scope(create.scope, create.account, "accountId")?;
    must_be_active(account, "accountId")?;
    let account = account.id;
    let settings = world.setup.settings.mobile_payments.clone();
    let client = create.scope.client;
    if let Some(refusal) = world.refused_payers.get(&create.account).copied() {
        return Err(refuse(world, client, "accountId", refusal));
    }
    let outcome = match fixed(&settings, create.amount) {
        Some(Fixed::NotEnrolled) => return Err(refuse(world, client, "amount", MobilePaymentRefusal::Acmt07)),
        Some(Fixed::InputOutcome(outcome)) => outcome,
        None if settings.auto_pay => MobilePaymentOutcome::Pays,
        None => MobilePaymentOutcome::Waits,
    };
    // Nothing below can fail.
    let now = world.now;
    let (token, payment_id) = world.id_sources.mobile_payment();
    let qr_format = match create.kind {
        MobilePaymentType::SameDevice => None,
        MobilePaymentType::OtherDevice => Some(create.qr_format.unwrap_or(QrFormat::Png)),
    };
    let made = world.mobile_payments.insert_new(now, |id, sorted_id| MobilePayment {
        id,
        sorted_id,
        client,
        account,
        kind: create.kind,
        qr_format,
        amount: create.amount,
        payment_id,
        token,
        state: Current::first(State::Pending),
        error: None,
        outcome,
        stamp: Stamp::new(now),
        answer_timer: None,
        lapse_timer: None,
    });
    let id = made.id;
    world.visits.begun(client, State::Pending);
    let answers = outcome != MobilePaymentOutcome::Waits;
    let answer_timer =
        answers.then(|| world.timers.set(now.plus(settings.answer_delay), Timer::AnswerMobilePayment(id)));
    let lapse_timer = Some(world.timers.set(now.plus(settings.life), Timer::LapseMobilePayment(id)));
    let kept = world.mobile_payments.changed(id, |payment| {
        payment.answer_timer = answer_timer;
        payment.lapse_timer = lapse_timer;
    });
    Ok(Reply::MobilePaymentAsked(kept))
}

/// The refusal, which is noted as a reason; nothing else changes.
fn refuse(world: &mut World, client: ClientId, field: &'static str, refusal: MobilePaymentRefusal) -> Refusal {
    world.visits.note(Some(client), Noted::Reason(TABLE.name, refusal.name()));
    Refusal::one(Class::BadTarget, field, Fault::Invalid { because: refusal.code_and_meaning() })
}

/// `RefusePayers`: what the banks say of the payers of an account from now on
/// (rule: payments/mobile-payment-refused-payers).
pub(crate) fn refuse_payers(
    world: &mut World,
    partner: PartnerId,
    id: AccountId,
    refusal: Option<MobilePaymentRefusal>,
) -> Result<Reply, Refusal> {
    let account = world.account_of_partner(partner, id)?;
    must_be_active(&account, "accountId")?;
    // Nothing below can fail.
    match refusal {
        Some(refusal) => world.refused_payers.insert(id, refusal),
        None => world.refused_payers.shift_remove(&id),
    };
    Ok(Reply::Account(account))
}

/// Everything that is known to be wrong with a request by itself.
#[must_use]
pub fn problems(create: &PartialMobilePayment) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (min, max) = (Amount::from_ore(SMALLEST), Amount::from_ore(LARGEST));
    if create.amount.is_some_and(|amount| amount < min || amount > max) {
        problems.push(Problem::new("amount", Fault::NotBetween { min, max }));
    }
    if create.kind == Some(MobilePaymentType::SameDevice) && matches!(create.qr_format, Some(Some(_))) {
        let because = "a payment on the same device has no QR code";
        problems.push(Problem::new("qrFormat", Fault::Forbidden { because }));
    }
    problems
}

/// `OpenMobilePayment`: the payer looks at the payment and decides; nothing is paid by itself any more
/// (rule: payments/mobile-payment-outcomes). Opening twice is harmless.
pub(crate) fn open(world: &mut World, id: MobilePaymentId) -> Result<Reply, Refusal> {
    let payment = known(world, None, id)?;
    if payment.outcome != MobilePaymentOutcome::Pays || payment.state != State::Pending {
        return Ok(Reply::MobilePayment(payment));
    }
    // Nothing below can fail.
    let now = world.now;
    let payment = world.mobile_payments.change(id);
    payment.outcome = MobilePaymentOutcome::Waits;
    payment.stamp.touch(now);
    if let Some(key) = payment.answer_timer.take() {
        world.timers.cancel(key);
    }
    Ok(Reply::MobilePayment(Arc::clone(world.mobile_payments.known(id))))
}

/// `PayMobilePayment`.
pub(crate) fn pay(world: &mut World, partner: Option<PartnerId>, id: MobilePaymentId) -> Result<Reply, Refusal> {
    act(world, partner, id, Trigger::Pay, None)
}

/// `DeclineMobilePayment`.
pub(crate) fn decline(world: &mut World, partner: Option<PartnerId>, id: MobilePaymentId) -> Result<Reply, Refusal> {
    act(world, partner, id, Trigger::Decline, Some(MobilePaymentError::Declined))
}

/// `FailMobilePayment`.
pub(crate) fn fail(
    world: &mut World,
    partner: Option<PartnerId>,
    id: MobilePaymentId,
    error: MobilePaymentError,
) -> Result<Reply, Refusal> {
    if !MobilePaymentError::FAILURES.contains(&error) {
        return Err(Refusal::one(Class::Malformed, "errorCode", Fault::NotAChoice));
    }
    act(world, partner, id, trigger(error), Some(error))
}

/// What leads to `error`.
const fn trigger(error: MobilePaymentError) -> Trigger {
    match error {
        MobilePaymentError::Declined => Trigger::Decline,
        MobilePaymentError::Cancelled => Trigger::Cancel,
        MobilePaymentError::Tm01 => Trigger::TimeOut,
        MobilePaymentError::Ds24 => Trigger::LoseAnswer,
        MobilePaymentError::Rf07
        | MobilePaymentError::BankIdCl
        | MobilePaymentError::BankIdOngoing
        | MobilePaymentError::BankIdUnkn
        | MobilePaymentError::Ff10 => Trigger::Fail,
    }
}

/// The session, for the payer or for its own partner.
fn known(world: &World, partner: Option<PartnerId>, id: MobilePaymentId) -> Result<Arc<MobilePayment>, Refusal> {
    let found = world.mobile_payments.get(id);
    let found = found.filter(|payment| partner.is_none_or(|partner| world.owns(partner, payment.client)));
    found.cloned().ok_or_else(|| Refusal::one(Class::Unknown, "mobilepayId", Fault::NotFound))
}

fn act(
    world: &mut World,
    partner: Option<PartnerId>,
    id: MobilePaymentId,
    on: Trigger,
    error: Option<MobilePaymentError>,
) -> Result<Reply, Refusal> {
    let payment = known(world, partner, id)?;
    if !payment.state.allows(on) {
        let levers = [("pay", Trigger::Pay), ("decline", Trigger::Decline), ("fail", Trigger::Fail)];
        let allowed = levers.iter().filter(|lever| payment.state.allows(lever.1)).map(|lever| lever.0).collect();
        let status = payment.status_word();
        return Err(Refusal::conflict("mobilepayId", Fault::NotPossibleIn { status }, status, allowed));
    }
    // Nothing below can fail.
    move_mobile_payment(world, id, on, error);
    Ok(Reply::MobilePayment(Arc::clone(world.mobile_payments.known(id))))
}

/// Timer: the outcome of a session without an act of the payer, or the banks' late answer.
pub(crate) fn answered(world: &mut World, id: MobilePaymentId) {
    let payment = Arc::clone(world.mobile_payments.known(id));
    let error = match (*payment.state, payment.outcome) {
        (State::Pending, MobilePaymentOutcome::Ends(error)) => Some(error),
        (State::Pending, MobilePaymentOutcome::PaysLate) => Some(MobilePaymentError::Ds24),
        _ => None,
    };
    move_mobile_payment(world, id, error.map_or(Trigger::Pay, trigger), error);
}

/// Timer: the payer's time is up (rule: payments/mobile-payment-states).
pub(crate) fn lapse(world: &mut World, id: MobilePaymentId) {
    move_mobile_payment(world, id, Trigger::TimeOut, Some(MobilePaymentError::Tm01));
}

/// The account has begun to close: sessions that wait are withdrawn (rule: payments/mobile-payment-and-closing).
pub(crate) fn stop(world: &mut World, account: AccountId) {
    let waiting = world.mobile_payments.of_account(account, None).filter(|payment| payment.state == State::Pending);
    let waiting: Vec<_> = waiting.map(|payment| payment.id).collect();
    let error = MobilePaymentError::Cancelled;
    waiting.into_iter().for_each(|id| move_mobile_payment(world, id, trigger(error), Some(error)));
}

/// Takes the table's row for `on`, with what it does besides.
fn move_mobile_payment(world: &mut World, id: MobilePaymentId, on: Trigger, error: Option<MobilePaymentError>) {
    let payment = world.mobile_payments.change(id);
    let was_late = payment.state == State::Unknown;
    let row = world.visits.take(&mut payment.state, on, Some(payment.client));
    payment.error = error;
    if let Some(error) = error {
        world.visits.note(Some(payment.client), Noted::Reason(TABLE.name, error.name()));
    }
    payment.stamp.touch(world.now);
    for key in [payment.answer_timer.take(), payment.lapse_timer.take()].into_iter().flatten() {
        world.timers.cancel(key);
    }
    match row.effect {
        Effect::Nothing => {}
        Effect::AwaitAnswer => await_answer(world, id),
        Effect::Deposit => {
            deposit(world, id);
            if was_late && world.planted.is(Canary::LatePaidTwice) {
                deposit(world, id);
            }
        }
    }
}

/// The banks report late whether the money was paid, where the amount says that they do (rule: payments/mobile-payment-late).
fn await_answer(world: &mut World, id: MobilePaymentId) {
    let at = world.now.plus(world.setup.settings.mobile_payments.late_delay);
    let payment = world.mobile_payments.change(id);
    if payment.outcome == MobilePaymentOutcome::PaysLate {
        payment.answer_timer = Some(world.timers.set(at, Timer::AnswerMobilePayment(id)));
    }
}

/// The money has moved: it is booked on this very day, bank day or not (rule: payments/mobile-payment-states).
fn deposit(world: &mut World, id: MobilePaymentId) {
    let payment = world.mobile_payments.known(id);
    let reference = Arc::clone(&payment.payment_id);
    let received = Payment::new(payment.account, CashBooking::MobilePayment, payment.amount, reference);
    deposits::receive(world, received);
}
