//! Money on its way out to bank accounts (rule: payments/withdrawal-timing).
//!
//! Invariant: a payout leaves the balance when it is booked, is settled when it is paid, and may come back once as a
//! deposit that corrects it. Absent on purpose: what a partner may ask out, and refunds, which leave at once and for good.

use super::hours;
use crate::calendar::next_bank_day;
use crate::canary::Canary;
use crate::identity::IbanOutcome;
use crate::ids::{AccountId, BankAccountId, CashTransactionId, ClientId, PartnerId};
use crate::ledger::NewCash;
use crate::records::{Account, CashBooking, CashTransaction, Client};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::time::{Date, Instant, stockholm};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour until which a payout leaves on the next bank day.
const NOON: i8 = 12;
/// Local hour at which banks are paid and pay back.
const BANK_HOUR: i8 = 9;

/// Whether a signed withdrawal of the account may still be requested (rule: journeys/sign-withdrawal).
#[must_use]
pub fn has_withdrawal_grant(world: &World, account: AccountId) -> bool {
    let life = world.setup().settings.journeys.withdrawal_grant;
    let now = world.now();
    world.withdrawal_grants.get(&account).is_some_and(|grants| grants.iter().any(|at| now <= at.plus(life)))
}

/// Whether a client's partner may instruct a withdrawal of the account now: its customer has signed one, where that is
/// needed (rule: journeys/sign-withdrawal).
pub(crate) fn check_grant(world: &World, client: &Client, account: AccountId) -> Result<(), Refusal> {
    if !client.withdrawal_needs_signature || has_withdrawal_grant(world, account) {
        return Ok(());
    }
    let because = "the customer must sign the withdrawal first, in a signWithdrawal journey of the last 24 hours";
    Err(Refusal::one(Class::NotAllowedNow, "account", Fault::Invalid { because }))
}

/// Uses up the oldest signature that still holds, where one is needed: each covers one withdrawal.
pub(crate) fn use_grant(world: &mut World, client: ClientId, account: AccountId) {
    if !world.clients[&client].withdrawal_needs_signature {
        return;
    }
    let (life, now) = (world.setup.settings.journeys.withdrawal_grant, world.now);
    let grants = world.withdrawal_grants.get_mut(&account).expect("checked: there is one");
    grants.retain(|at| now <= at.plus(life));
    grants.remove(0);
}

/// Money is paid to bank accounts of the owner that have passed their check.
pub(crate) fn check_target(account: &Account, target: BankAccountId) -> Result<(), Refusal> {
    let usable = account.bank_accounts.iter().any(|bank| bank.id == target && bank.validated);
    if usable {
        return Ok(());
    }
    Err(Refusal::one(Class::BadTarget, "bankAccount", Fault::BankAccountNotValidated))
}

/// Whether cash is on its way to a bank account of the owner, or has gone there. Nothing else that is withdrawn can come
/// back.
pub(crate) const fn is_payout(cash: &CashTransaction) -> bool {
    cash.payout_to.is_some()
}

/// Since when a payout that was paid on `day` cannot come back any more.
pub(crate) fn final_since(day: Date) -> Instant {
    stockholm(next_bank_day(day), BANK_HOUR, 0)
}

/// When a payout that is requested at `now` is paid.
pub(crate) fn paid_at(now: Instant) -> Instant {
    hours::after_deadline(now, NOON, BANK_HOUR)
}

/// Sets the payout's timer.
pub(crate) fn plan(world: &mut World, payout: CashTransactionId) {
    let at = paid_at(world.now);
    world.timers.set(at, Timer::PayOut(payout));
}

/// Timer: the bank is paid. An account with that fixed outcome sends it back on the next bank day.
pub(crate) fn pay_out(world: &mut World, id: CashTransactionId) {
    let payout = Arc::clone(world.cash.known(id));
    let today = world.now.local_date();
    // The cash left the balance when the payout was requested: the account does not change now.
    world.settle_cash(id, today);
    let bounces = world
        .accounts
        .known(payout.account)
        .bank_accounts
        .iter()
        .any(|bank| Some(bank.id) == payout.payout_to && bank.iban.outcome() == IbanOutcome::PayoutsBounce);
    if bounces {
        world.timers.set(final_since(today), Timer::BouncePayout(id));
    }
}

/// When the payout has come back, if it has.
pub(crate) fn returned_at(world: &World, payout: &CashTransaction) -> Option<Instant> {
    let reference = payout.id.to_string();
    let returns = |later: &&Arc<CashTransaction>| {
        later.booking == CashBooking::PayoutReturned && later.reference.as_deref() == Some(reference.as_str())
    };
    let mut later = world.cash.of_account(payout.account, Some(payout.sorted_id));
    later.find(returns).map(|correction| correction.stamp.created)
}

/// Timer: a paid payout comes back, unless a lever sent it back before.
pub(crate) fn returned(world: &mut World, id: CashTransactionId) {
    let payout = Arc::clone(world.cash.known(id));
    if returned_at(world, &payout).is_none() {
        correct(world, &payout);
    }
}

/// `BouncePayout`: the bank sends a paid payout back at once.
pub(crate) fn bounce(world: &mut World, partner: PartnerId, id: CashTransactionId) -> Result<Reply, Refusal> {
    let payout = match world.cash.get(id) {
        Some(payout)
            if world.owns(partner, payout.client) && scope::cash_transaction(world, payout.client, id).is_some() =>
        {
            Arc::clone(payout)
        }
        _ => return Err(Refusal::one(Class::Unknown, "transactionId", Fault::NotFound)),
    };
    let status = match payout.settlement {
        _ if world.accounts.known(payout.account).deleted.is_some() => Some("final: the account is deleted"),
        _ if !is_payout(&payout) => Some("not a payout"),
        Some(_) if returned_at(world, &payout).is_some() => Some("returned"),
        Some(_) => None,
        None => Some("not yet paid"),
    };
    if let Some(status) = status {
        return Err(Refusal::conflict("transactionId", Fault::NotPossibleIn { status }, status, Vec::new()));
    }
    let correction = correct(world, &payout);
    Ok(Reply::CashTransaction(Arc::clone(world.cash.known(correction))))
}

fn correct(world: &mut World, payout: &CashTransaction) -> CashTransactionId {
    if world.planted.is(Canary::BounceBookedTwice) {
        book_return(world, payout);
    }
    book_return(world, payout)
}

fn book_return(world: &mut World, payout: &CashTransaction) -> CashTransactionId {
    world.change_account(payout.account, |world| {
        world.book_cash(NewCash {
            reference: Some(payout.id.text()),
            client_ref: payout.client_ref.clone(),
            executor: payout.executor,
            ..NewCash::new(payout.account, CashBooking::PayoutReturned, payout.amount)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SortedId;
    use crate::money::Amount;
    use crate::records::{CashRefType, CashType, LedgerAccount, PlatformAccount, Stamp};

    /// (rule: payments/bounced-payout)
    #[test]
    fn only_what_went_to_a_bank_account_of_the_owner_can_come_back() {
        let (now, account) = (Instant::from_ms(0), AccountId::from_u128(1));
        let withdrawal = |ref_type, payout_to| CashTransaction {
            id: CashTransactionId::from_u128(2),
            sorted_id: SortedId::from_u128(3),
            client: ClientId::from_u128(4),
            account,
            booking: CashBooking::PartnerWithdrawal,
            kind: CashType::Withdrawal,
            reference: None,
            ref_type,
            client_ref: None,
            executor: None,
            debit: LedgerAccount::Investor(account),
            credit: LedgerAccount::Platform(PlatformAccount::Bank),
            amount: Amount::from_ore(100),
            text: None,
            settlement: Some(now.local_date()),
            aborted: None,
            payout_to,
            stamp: Stamp::new(now),
        };
        assert!(is_payout(&withdrawal(CashRefType::Text, Some(BankAccountId::from_u128(5)))));
        assert!(!is_payout(&withdrawal(CashRefType::Correction, None)), "a payer who has a charge back keeps it");
    }

    /// (rule: calendar/deadlines-are-strict, payments/withdrawal-timing)
    #[test]
    fn what_is_requested_at_noon_is_late_and_half_days_change_nothing() {
        let rows = [
            ("2026-03-02T11:59:59.999+01:00", "2026-03-03T09:00:00+01:00"),
            ("2026-03-02T12:00:00+01:00", "2026-03-04T09:00:00+01:00"),
            // Maundy Thursday is half a day; Tuesday is the next bank day.
            ("2026-04-02T11:59:59.999+02:00", "2026-04-07T09:00:00+02:00"),
            // A Saturday counts as the Monday after it.
            ("2026-03-07T10:00:00+01:00", "2026-03-10T09:00:00+01:00"),
        ];
        let at = |text| Instant::parse(text).expect("an instant");
        for (requested, paid) in rows {
            assert_eq!(paid_at(at(requested)), at(paid), "requested at {requested}");
        }
    }
}
