//! What accrues by the day: fees on the value, each at its rate, and retrocessions on holdings.
//!
//! Invariant: a day accrues once, from what was known at the midnight that ends it (rule: accounts/daily-value); nothing is
//! stored by the day. Absent on purpose: charging and paying.

use crate::calendar::years_later;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::{Amount, Price, Units, nearest, ore_of, ten_to};
use crate::quarter::Quarter;
use crate::records::{Account, AccountType, Charge, Client, FeeMode, FeeTerms, Owner};
use crate::time::Date;
use crate::valuation::{Closings, MovementHistory};
use crate::world::World;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Decimals of what accrues on a day.
const ACCRUAL_SCALE: u32 = 10;
/// Days of every year (rule: fees/distribution-fee).
const DAYS_OF_A_YEAR: i128 = 365;
/// Age in years from which a person pays for the risk.
const RISK_AGE: u32 = 65;
/// Value beyond which nothing more accrues, in ore: 10^18 SEK, more than anybody holds.
const MOST_VALUE: i128 = 100_000_000_000_000_000_000;

/// The largest rebate that counts, in basis points: the whole.
const WHOLE: Decimal = Decimal::from_parts(10_000, 0, 0, false, 0);

/// A sum of each kind, as `Charge::ALL`.
pub(crate) type Accrued = [Decimal; Charge::ALL.len()];

/// What accrues in fees from the first day that has not to `last`, by kind.
pub(crate) fn fees(world: &World, id: AccountId, last: Date, closings: &mut Closings) -> Accrued {
    let (account, next) = (world.accounts.known(id), world.fees[&id].next);
    closings.cover(next, last);
    let values = MovementHistory::of(world, id).values(world, closings);
    let rates = Charge::ALL.map(|kind| Rate::of(world, account, kind));
    let of_days = |rate: Rate| -> i128 {
        let from = rate.from.map_or(next, |from| from.max(next));
        let values = if rate.basis_points == 0 { &[] } else { &values[closings.ends(from, last)] };
        values.iter().map(|&value| accrual(value, rate.basis_points)).sum()
    };
    rates.map(|rate| Decimal::from_i128_with_scale(of_days(rate), ACCRUAL_SCALE))
}

/// Yearly rates on `day`, in basis points, by kind.
pub(crate) fn rates(world: &World, account: &Account, day: Date) -> [u32; Charge::ALL.len()] {
    Charge::ALL.map(|kind| {
        let rate = Rate::of(world, account, kind);
        if rate.from.is_none_or(|from| from <= day) { rate.basis_points } else { 0 }
    })
}

/// A yearly rate of a value, and from when on it is taken.
struct Rate {
    basis_points: u32,
    from: Option<Date>,
}

impl Rate {
    fn of(world: &World, account: &Account, kind: Charge) -> Self {
        let fees = &world.setup.settings;
        let insured = account.account_type == AccountType::Insurance;
        let client = &world.clients[&account.client];
        let (basis_points, from) = match (kind, account.owner.as_ref()) {
            (Charge::Service, _) => (fees.distribution_fee, None),
            (Charge::InsuranceFee, _) if insured => (fees.insurance_fee, None),
            (Charge::RiskPremium, Owner::NaturalPerson(person)) if insured => {
                (fees.risk_premium, Some(years_later(person.ssn.birth_date(), RISK_AGE)))
            }
            // Insurance tax comes by the quarter.
            (Charge::InsuranceTax | Charge::InsuranceFee | Charge::RiskPremium, _) => (0, None),
            (Charge::Partner | Charge::Client, _) => (terms(client, kind).map_or(0, FeeTerms::accruing), None),
        };
        Self { basis_points, from }
    }
}

/// What a client has agreed on for a kind that is its own; without the permission there is no partner fee.
pub(crate) fn terms(client: &Client, kind: Charge) -> Option<FeeTerms> {
    match kind {
        Charge::Partner if client.permissions.partner_fee => Some(client.fees.partner),
        Charge::Partner => Some(FeeTerms::default()),
        Charge::Client => Some(client.fees.client),
        Charge::InsuranceTax | Charge::InsuranceFee | Charge::RiskPremium | Charge::Service => None,
    }
}

/// Whether what accrues now of a kind is only calculated (rule: fees/partner-fee).
pub(crate) fn is_calculated(client: &Client, kind: Charge) -> bool {
    terms(client, kind).is_some_and(|terms| terms.mode == FeeMode::Calculated)
}

/// What accrues on a value in ore on one day, in steps of 10^-10 SEK, halves rounded up.
fn accrual(ore: i128, basis_points: u32) -> i128 {
    let value = ore.clamp(0, MOST_VALUE);
    // Of an ore's 10^-2, a basis point's 10^-4 and the steps' 10^-10, 10^4 is left.
    nearest(value * i128::from(basis_points) * ten_to(ACCRUAL_SCALE - 6), DAYS_OF_A_YEAR)
}

/// What fund companies give back of each quarter up to `last` and was not paid, by fund; where it comes to less than half
/// an ore there is nothing (rule: fees/retrocession).
pub(crate) fn retrocessions(
    world: &World,
    id: AccountId,
    last: Date,
    closings: &mut Closings,
) -> BTreeMap<(Quarter, InstrumentId), Decimal> {
    let mut sums: BTreeMap<(Quarter, InstrumentId), i128> = BTreeMap::new();
    let history = MovementHistory::of(world, id);
    let mut first = world.fees[&id].next_retrocession;
    closings.cover(first, last);
    while first <= last {
        let quarter = Quarter::of(first);
        let end = quarter.last_day().min(last);
        history.held(world, closings, closings.ends(first, end), |instrument, units, closes| {
            let rebate = world.market.known(instrument).instrument.rebate;
            if units > 0 && !rebate.is_zero() {
                let days = closes.iter().map(given_back(units, rebate));
                *sums.entry((quarter, instrument)).or_default() += days.sum::<i128>();
            }
        });
        first = end.tomorrow().expect("dates stay within the calendar");
    }
    sums.into_iter().map(|(of, steps)| (of, Decimal::from_i128_with_scale(steps, ACCRUAL_SCALE))).collect()
}

/// What so many steps of units give back on one day at a price in millionths, in steps of 10^-10 SEK, halves rounded up.
fn given_back(units: i128, rebate: Decimal) -> impl Fn(&i128) -> i128 {
    let rebate = rebate.min(WHOLE);
    // What a worth of so many decimals is multiplied with and divided by.
    let of_worth = |decimals: u32| {
        let scale = decimals + rebate.scale();
        let (up, down) = (ACCRUAL_SCALE.saturating_sub(scale), scale.saturating_sub(ACCRUAL_SCALE));
        (rebate.mantissa() * ten_to(up), 10_000 * DAYS_OF_A_YEAR * ten_to(down))
    };
    let (exact, in_ore) = (of_worth(Units::MAX_DECIMALS + Price::MAX_DECIMALS), of_worth(Amount::MAX_DECIMALS));
    move |&close| {
        // Exact in integers, as long as anybody can hold it.
        let product = units.checked_mul(close).and_then(|worth| worth.checked_mul(exact.0));
        product.map_or_else(
            || {
                let product = ore_of(units, close).min(MOST_VALUE).checked_mul(in_ore.0);
                nearest(product.expect("the bound times a rate fits"), in_ore.1)
            },
            |product| nearest(product, exact.1),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::round_half_up;

    /// A quarter of days with the same value, in ore.
    fn sum(parts: &[(i128, i128)]) -> Decimal {
        let steps: i128 = parts.iter().map(|(days, ore)| days * accrual(*ore, 15)).sum();
        Decimal::from_i128_with_scale(steps, ACCRUAL_SCALE)
    }

    /// (rule: fees/distribution-fee)
    #[test]
    fn a_quarter_accrues_what_the_worked_examples_say() {
        let charged = |parts: &[(i128, i128)]| round_half_up(sum(parts), 2).to_string();
        assert_eq!(charged(&[(90, 10_000_000)]), "36.99");
        assert_eq!(charged(&[(91, 10_000_000)]), "37.40");
        assert_eq!(charged(&[(92, 10_000_000)]), "37.81");
        let mixed = [(31, 5_000_000), (28, 5_250_050), (31, 0)];
        assert_eq!(round_half_up(sum(&mixed), 6).to_string(), "12.411016");
        assert_eq!(charged(&mixed), "12.41");
    }

    /// (rule: fees/distribution-fee, fees/retrocession)
    #[test]
    fn a_day_accrues_ten_decimals_with_halves_up_and_a_worth_beyond_all_bounds_as_much_as_the_bound() {
        // 0.01 SEK at 15 basis points: 0.0000000411; 36.50 at 1 basis point: 0.00001.
        assert_eq!((accrual(1, 15), accrual(3_650, 1)), (411, 100_000));
        assert_eq!((accrual(-1, 15), accrual(0, 10_000)), (0, 0));
        assert_eq!(accrual(i128::MAX, 10_000), accrual(MOST_VALUE, 10_000));
        // 100 x 123.45 x 50 / 3,650,000.
        assert_eq!(given_back(1_000_000_000, Decimal::new(50, 0))(&123_450_000), 1_691_095_890);
        assert_eq!(given_back(1_000_000_000, Decimal::new(5_000, 2))(&123_450_000), 1_691_095_890);
        assert_eq!(given_back(10_000_000, Decimal::ONE)(&1_000_000), 2_740);
        let most = given_back(999_999_999_999_990_000_000, Decimal::new(99_999, 0))(&i128::from(i64::MAX));
        assert!(most > 0);
    }
}
