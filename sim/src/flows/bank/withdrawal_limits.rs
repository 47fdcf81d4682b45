//! How much may be taken out of an account (rule: payments/withdrawal-limits).
//!
//! Invariant: limits are inclusive, `min` is never negative and `max` never more than can be spent. Absent on purpose: who
//! may ask, and where the money goes; a closing and a death, which are not bound by limits.

use crate::calendar::years_later;
use crate::flows::screening;
use crate::identity::InstrumentId;
use crate::money::{Amount, Units, round_down};
use crate::records::{Account, AccountType};
use crate::refusal::{Fault, Problem};
use crate::valuation::{close_price, value};
use crate::world::World;
use rust_decimal::Decimal;

/// The least that the insurer pays out.
const INSURER_MIN_KRONOR: i64 = 1_000;
/// Percent of its value that can be taken out of an insurance.
const INSURER_PERCENT: i64 = 90;
/// Years for which nothing can be taken out of a new insurance.
const INSURER_YEARS: u32 = 1;

/// The least and the most that can be taken out of an account; both are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithdrawalLimits {
    /// The least.
    pub min: Amount,
    /// The most; below `min` when nothing can be taken out.
    pub max: Amount,
}

impl WithdrawalLimits {
    /// The problem of taking out `amount`, with `field` as its field.
    pub(crate) fn check(&self, amount: Amount, field: &'static str) -> Vec<Problem> {
        let mut problems = Vec::new();
        if amount < self.min {
            problems.push(Problem::new(field, Fault::BelowLimit { min: self.min }));
        }
        if amount > self.max {
            problems.push(Problem::new(field, Fault::AboveLimit { max: self.max }));
        }
        problems
    }
}

/// What may be taken out in cash, for any caller and target.
pub(crate) fn of_cash(world: &World, account: &Account) -> WithdrawalLimits {
    match insurer(world, account) {
        Some(insurer) => WithdrawalLimits { max: insurer.max.min(account.spendable()), ..insurer },
        None => WithdrawalLimits { min: Amount::ZERO, max: account.spendable() },
    }
}

/// The same as a partner is shown it: nothing while the account is not active, or its owner is sanctioned.
#[must_use]
pub fn shown(world: &World, account: &Account) -> WithdrawalLimits {
    let limits = of_cash(world, account);
    if account.is_active() && !screening::parks_orders(world, account) {
        return limits;
    }
    WithdrawalLimits { max: Amount::ZERO, ..limits }
}

/// What is wrong with selling `units` of a fund to pay them out, judged by the last price (rule: orders/order-withdrawal).
pub(crate) fn check_sale(world: &World, account: &Account, instrument: InstrumentId, units: Units) -> Vec<Problem> {
    let estimate = close_price(&world.market, instrument, world.now()).map(|close| Amount::from_units(units, close));
    let insurer = insurer(world, account);
    insurer.zip(estimate).map_or_else(Vec::new, |(insurer, estimate)| insurer.check(estimate, "units"))
}

/// The insurer's own limits; none where no insurer is asked.
fn insurer(world: &World, account: &Account) -> Option<WithdrawalLimits> {
    if account.account_type != AccountType::Insurance {
        return None;
    }
    let min = Amount::from_ore(INSURER_MIN_KRONOR * 100);
    let anniversary = years_later(account.stamp.created.local_date(), INSURER_YEARS);
    if world.now().local_date() < anniversary {
        return Some(WithdrawalLimits { min, max: Amount::ZERO });
    }
    let share = value(world, account).get() * Decimal::new(INSURER_PERCENT, 2);
    let max = Amount::from_decimal_exact(round_down(share, Amount::MAX_DECIMALS)).expect("rounded to 2 decimals");
    Some(WithdrawalLimits { min, max })
}
