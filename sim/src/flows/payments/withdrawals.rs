//! Payouts that partners ask for (rule: payments/withdrawal-request).
//!
//! Invariant: what is paid out lies within the limits, goes to a validated bank account of the owner, and has left the
//! balance when the request is answered (invariant 33). Absent on purpose: how the money reaches the bank, and how it comes
//! back, which `bank::payouts` knows.

use crate::command::{PartialWithdrawal, Withdraw, WithdrawalType};
use crate::flows::{bank, orders, screening};
use crate::ledger::NewCash;
use crate::money::Amount;
use crate::partial::Whole as _;
use crate::records::{Account, CashBooking};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::scope::must_be_active;
use crate::world::World;
use std::sync::Arc;

/// What the transaction of a partner's withdrawal refers to.
const WITHDRAWAL: &str = "withdrawal";

/// `Withdraw`: cash leaves for a bank account.
pub(crate) fn withdraw(world: &mut World, withdraw: Withdraw) -> Result<Reply, Refusal> {
    let amount = check(world, &withdraw)?;
    // Nothing below can fail.
    let Withdraw { scope, account, bank_account, client_ref, executor, kind: _, amount: _ } = withdraw;
    bank::payouts::use_grant(world, scope.client, account);
    let payout = world.change_account(account, |world| {
        world.book_cash(NewCash {
            reference: Some(Arc::from(WITHDRAWAL)),
            client_ref,
            executor: Some(executor),
            payout_to: Some(bank_account),
            ..NewCash::new(account, CashBooking::PartnerWithdrawal, amount)
        })
    });
    bank::payouts::plan(world, payout);
    Ok(Reply::CashTransaction(Arc::clone(world.cash.known(payout))))
}

/// All checks, in order of precedence (rule: payments/withdrawal-precedence); how much is paid out. Pure.
pub(crate) fn check(world: &World, withdraw: &Withdraw) -> Result<Amount, Refusal> {
    let client = world.client_that_may(withdraw.scope, |permissions| permissions.withdrawals)?;
    Refusal::unless_empty(Class::Malformed, problems(&withdraw.partial()))?;
    let account = world.account_in_scope(withdraw.scope, withdraw.account, "accountId")?;
    must_be_active(account, "accountId")?;
    if !account.owner.may_be_executed_by(withdraw.executor) {
        return Err(Refusal::one(Class::ExecutorMismatch, "executorRef", Fault::NotTheOwner));
    }
    let amount = within_limits(world, account, withdraw)?;
    bank::payouts::check_target(account, withdraw.bank_account)?;
    screening::check_payout(world, account)?;
    bank::payouts::check_grant(world, client, account.id)?;
    Ok(amount)
}

/// Everything that is known to be wrong with a withdrawal by itself.
#[must_use]
pub fn problems(withdrawal: &PartialWithdrawal) -> Vec<Problem> {
    let mut problems = Vec::new();
    match (withdrawal.kind, withdrawal.amount) {
        (Some(WithdrawalType::Amount), Some(None)) => problems.push(Problem::new("amount", Fault::Missing)),
        (Some(WithdrawalType::Full), Some(Some(_))) => {
            let because = "a full withdrawal takes all cash that can be spent";
            problems.push(Problem::new("amount", Fault::Forbidden { because }));
        }
        (_, Some(Some(amount))) if !amount.is_positive() => {
            problems.push(Problem::new("amount", Fault::NotPositive));
        }
        _ => {}
    }
    problems.extend(orders::client_ref_problem(withdrawal.client_ref.as_ref()));
    problems
}

/// How much is paid out; all that can be spent unless the request says otherwise (rule: payments/limits-are-inclusive).
fn within_limits(world: &World, account: &Account, withdraw: &Withdraw) -> Result<Amount, Refusal> {
    let limits = bank::withdrawal_limits::of_cash(world, account);
    let (amount, field) = match withdraw.amount {
        Some(amount) => (amount, "amount"),
        None => (account.spendable(), "withdrawalType"),
    };
    if amount.is_zero() {
        let because = "there is no cash that can be spent";
        return Err(Refusal::one(Class::OutsideLimits, field, Fault::Invalid { because }));
    }
    Refusal::unless_empty(Class::OutsideLimits, limits.check(amount, field))?;
    Ok(amount)
}
