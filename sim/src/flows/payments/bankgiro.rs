//! Payments over bankgiro: on their way for a bank day, then booked on the account, the instruction or nobody's that their
//! reference names (rule: payments/bankgiro-deposit, payments/payment-by-transfer).
//!
//! Invariant: each is booked once (invariant 9), and its payer learns nothing of whose the reference is. Absent on
//! purpose: references that fail their checks, which are no references and never arrive.

use super::charges;
use crate::command::PayByBankgiro;
use crate::flows::bank;
use crate::flows::payments::deposits;
use crate::flows::payments::deposits::Payment;
use crate::ids::{BankgiroItemId, InstructionId};
use crate::machines::payment::Trigger;
use crate::money::Amount;
use crate::records::{BankgiroItem, CashBooking, Stamp, SuspenseReason};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::Instant;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// The platform's own bankgiro number: fictive, with a valid check digit.
pub const PLATFORM_NUMBER: &str = "5999-0010";
/// Local hour until which a payment is booked on the next bank day.
const CLEARING_HOUR: i8 = 15;
/// Local hour at which payments are booked.
const BOOKING_HOUR: i8 = 9;

/// When a payment that is made at `now` is booked.
fn booked_at(now: Instant) -> Instant {
    bank::hours::after_deadline(now, CLEARING_HOUR, BOOKING_HOUR)
}

/// `PayByBankgiro`.
pub(crate) fn pay(world: &mut World, pay: &PayByBankgiro) -> Result<Reply, Refusal> {
    let &PayByBankgiro { partner, reference, amount } = pay;
    if !amount.is_positive() {
        return Err(Refusal::one(Class::Malformed, "amount", Fault::NotPositive));
    }
    // Nothing below can fail.
    let (now, books) = (world.now, booked_at(world.now));
    let id =
        world.bankgiro.insert_new(|id| BankgiroItem { id, partner, reference, amount, books, stamp: Stamp::new(now) });
    world.timers.set(books, Timer::BookBankgiro(id));
    Ok(Reply::BankgiroItem(Arc::clone(world.bankgiro.known(id))))
}

/// Timer: the payment is booked.
pub(crate) fn book(world: &mut World, id: BankgiroItemId) {
    let item = Arc::clone(world.bankgiro.known(id));
    let own = |client| world.clients[&client].partner == item.partner;
    let reference = item.reference.account_ref();
    let awaited = reference.and_then(|reference| world.awaited.get(&reference).copied());
    if let Some(instruction) = awaited.filter(|&id| own(world.instructions.known(id).client)) {
        return complete(world, instruction, &item);
    }
    let of = |reference| world.accounts.search(|account| account.reference.cmp(&reference));
    let account = reference.and_then(of);
    let text: Arc<str> = Arc::from(item.reference.to_string());
    match account.filter(|account| own(account.client)).map(|account| account.id) {
        Some(account) => {
            let payment = Payment::new(account, CashBooking::Bankgiro, item.amount, id.text());
            deposits::receive(world, Payment { text: Some(text), ..payment });
        }
        None => deposits::suspend(world, text, item.amount, SuspenseReason::UnknownReference, None),
    }
}

/// The transfer of an instruction has come: it pays all of it or, over another amount, none.
fn complete(world: &mut World, instruction: InstructionId, item: &BankgiroItem) {
    let payments = world.instructions.known(instruction).payments.clone();
    let total = payments.iter().map(|&payment| world.payments.known(payment).amount).sum::<Amount>();
    if total != item.amount {
        let text = Arc::from(item.reference.to_string());
        deposits::suspend(world, text, item.amount, SuspenseReason::OtherAmount, None);
        return;
    }
    for payment in payments {
        let (account, amount) = (world.payments.known(payment).account, world.payments.known(payment).amount);
        if world.payments.known(payment).state.allows(Trigger::Pay) {
            charges::pay(world, payment);
        } else {
            // Its account has ended meanwhile, and the payment with it (rule: accounts/endowment).
            let text = Arc::from(item.reference.to_string());
            deposits::suspend(world, text, amount, SuspenseReason::AccountNotActive, Some(account));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: calendar/deadlines-are-strict, payments/bankgiro-deposit)
    #[test]
    fn what_is_paid_at_three_is_late_and_half_days_change_nothing() {
        let rows = [
            ("2026-03-02T14:59:59.999+01:00", "2026-03-03T09:00:00+01:00"),
            ("2026-03-02T15:00:00+01:00", "2026-03-04T09:00:00+01:00"),
            ("2026-03-06T16:00:00+01:00", "2026-03-10T09:00:00+01:00"),
            ("2026-03-07T10:00:00+01:00", "2026-03-10T09:00:00+01:00"),
            ("2026-04-02T14:59:59.999+02:00", "2026-04-07T09:00:00+02:00"),
        ];
        let at = |text| Instant::parse(text).expect("an instant");
        for (paid, booked) in rows {
            assert_eq!(booked_at(at(paid)), at(booked), "paid at {paid}");
        }
    }
}
