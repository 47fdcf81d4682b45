//! The yield tax of an endowment insurance, which the insurer takes from the account (rule: fees/insurance-charges).
//!
//! Invariant: by the end of a quarter a year's tax has been charged as far as the base of the year and the quarters so far
//! make it. Absent on purpose: booking it, which is `charging`.

use crate::ids::AccountId;
use crate::money::{Amount, nearest};
use crate::quarter::Quarter;
use crate::records::{AccountType, CashRefType, CashTransaction, CashType};
use crate::time::Date;
use crate::valuation::{Closings, MovementHistory};
use crate::world::World;
use rust_decimal::Decimal;

/// What is added to the government loan rate, in basis points.
const ADDED: i128 = 100;
/// The least yield, in basis points.
const LEAST: i128 = 125;

/// The tax of the year so far, at the end of `quarter`; nothing but for an insurance.
pub(crate) fn due(world: &World, id: AccountId, quarter: Quarter) -> Amount {
    if world.accounts.known(id).account_type != AccountType::Insurance {
        return Amount::ZERO;
    }
    let settings = &world.setup.settings;
    let loan_rate = i128::from(settings.government_loan_rate);
    let rate = (loan_rate + ADDED).max(LEAST) * i128::from(settings.insurance_tax_share);
    // The base is in halves of an ore, the rate in hundredths of a basis point, the quarters in fourths of a year.
    let tax = nearest(base(world, id, quarter) * rate * i128::from(quarter.number), 2 * 1_000_000 * 4);
    Amount::from_decimal_exact(Decimal::from_i128_with_scale(tax, Amount::MAX_DECIMALS)).expect("whole ore")
}

/// The last quarter for which an account is charged when `last` is the last day that accrues. The day after it, on which an
/// insurance closes, is the insurer's too: a quarter counts whole from its first day (rule: fees/insurance-charges).
pub(crate) fn last_quarter(world: &World, id: AccountId, last: Date) -> Quarter {
    let is_taxed = world.accounts.known(id).account_type == AccountType::Insurance;
    Quarter::of(if is_taxed { last.tomorrow().expect("dates stay within the calendar") } else { last })
}

/// The value when the year began, all premiums of its first half, and half of those after: in halves of an ore.
fn base(world: &World, id: AccountId, quarter: Quarter) -> i128 {
    let first = Quarter { year: quarter.year, number: 1 }.first_day();
    let second_half = Quarter { year: quarter.year, number: 3 }.first_day();
    let began = MovementHistory::of(world, id).values(world, &mut Closings::at(first))[0];
    let premiums = world.cash.of_account(id, None).filter(|cash| is_premium(cash));
    let counted = premiums.map(|cash| {
        let day: Date = cash.stamp.modified.local_date();
        let halves = if day < first || day > quarter.last_day() {
            0
        } else if day < second_half {
            2
        } else {
            1
        };
        cash.amount.steps() * halves
    });
    2 * began + counted.sum::<i128>()
}

/// Money that was paid into the insurance. What the insurer adds on a death is paid out by its risk, and a correction is
/// nobody's payment.
fn is_premium(cash: &CashTransaction) -> bool {
    let comes = matches!(cash.kind, CashType::Deposit | CashType::TransferIn) && cash.settlement.is_some();
    comes && !matches!(cash.ref_type, CashRefType::Correction | CashRefType::Endowment101)
}
