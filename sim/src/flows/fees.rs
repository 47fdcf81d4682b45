//! Fees: what accrues by the day, charged together after each quarter, from cash or from units that are sold for it
//! (rule: payments/distribution-fee, payments/fees-together, payments/forced-redemption, payments/fee-booking).
//!
//! Invariant: what was charged and is booked, waits for sales or is in arrears, together with the carry, is what accrued.
//! Nothing is stored by the day: a quarter is reckoned when it is charged. Absent on purpose: retrocessions, how insurance tax
//! is reckoned, and partner and client fees.

use crate::calendar::years_later;
use crate::command::{PlaceOrder, Scope};
use crate::flows::insurance_tax;
use crate::flows::orders::accept;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewCash;
use crate::money::{Amount, Units, nearest, round_half_up, round_up, ten_to};
use crate::quarter::Quarter;
use crate::records::{Account, AccountType, Charge, DueCharges, FeeFile, FeeSale, Owner, PlacedBy, Proceeds, Side};
use crate::time::Date;
use crate::timers::Timer;
use crate::valuation::{Closings, History, close_price};
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Decimals of what accrues on a day.
pub(crate) const ACCRUAL_SCALE: u32 = 10;
/// Days of every year (rule: payments/distribution-fee).
const DAYS_OF_A_YEAR: i128 = 365;
/// Age in years from which a person pays for the risk.
const RISK_AGE: u32 = 65;
/// How much more than the shortfall is sold, in hundredths (rule: payments/forced-redemption).
const MARGIN: Decimal = Decimal::from_parts(102, 0, 0, false, 2);

/// Timer: a quarter's charges fall due, for every active account.
pub(crate) fn charge_all(world: &mut World, quarter: Quarter) {
    world.timers.set(quarter.next().fees_due(), Timer::ChargeFees(quarter.next()));
    let accounts: Vec<AccountId> = world.fees.keys().copied().collect();
    let mut closings = Closings::new(quarter.first_day(), quarter.last_day());
    for id in accounts {
        if world.accounts.known(id).is_active() {
            charge(world, id, quarter, &mut closings);
        }
    }
}

fn charge(world: &mut World, id: AccountId, quarter: Quarter, closings: &mut Closings) {
    let amounts = draw_up(world, id, quarter.last_day(), closings);
    let file = file_mut(world, id);
    if file.due.is_some() {
        // Sales of the quarter before are still under way: the next fee day asks again.
        amounts.iter().zip(&mut file.owed).for_each(|(amount, owed)| owed.arrears += *amount);
        return;
    }
    let total: Amount = amounts.iter().sum();
    if total.is_zero() {
        return;
    }
    let reserved = world.accounts.known(id).spendable().min(total);
    let shortfall = (total - reserved).get();
    world.accounts.change(id).reserved += reserved;
    file_mut(world, id).due = Some(DueCharges { quarter, amounts, reserved, shortfall, sales: Vec::new() });
    sell(world, id);
    book_when_sold(world, id);
}

/// Lets everything up to `last`, the last day of `closings`, accrue, and takes out what is charged of each kind: arrears, and
/// what has accrued, to the ore.
fn draw_up(world: &mut World, id: AccountId, last: Date, closings: &mut Closings) -> [Amount; 4] {
    let history = History::of(world, id);
    let accrued = accrued(world, id, &history, closings);
    let tax = insurance_tax::due(world, id, Quarter::of(last), &history);
    let file = file_mut(world, id);
    let charged = if file.tax.0 == last.year() { file.tax.1 } else { Amount::ZERO };
    file.tax = (last.year(), charged.max(tax));
    file.owed[0].carry += (file.tax.1 - charged).get();
    file.next = file.next.max(last.tomorrow().expect("dates stay within the calendar"));
    let mut amounts = [Amount::ZERO; 4];
    for ((owed, accrued), amount) in file.owed.iter_mut().zip(accrued).zip(&mut amounts) {
        owed.carry += accrued;
        let whole = Amount::from_decimal_exact(round_half_up(owed.carry, 2)).expect("rounded to 2 decimals");
        if whole.is_positive() {
            owed.carry -= whole.get();
            *amount = whole;
        }
        *amount += std::mem::take(&mut owed.arrears);
    }
    amounts
}

/// What accrues from the first day that has not to the last of `closings`, by kind.
fn accrued(world: &World, id: AccountId, history: &History, closings: &mut Closings) -> [Decimal; 4] {
    let account = world.accounts.known(id);
    let next = world.fees[&id].next;
    let rates = Charge::ALL.map(|kind| Rate::of(world, account, kind));
    let mut steps = [0; 4];
    closings.reach_back_to(next);
    let values = history.course(&world.market, closings).values;
    for (steps, rate) in steps.iter_mut().zip(&rates).filter(|(_, rate)| rate.basis_points > 0) {
        let from = rate.from.map_or(next, |from| from.max(next));
        let ends = closings.ends_from(from).next().map_or(&[][..], |(_, end)| &values[end..]);
        *steps = ends.iter().map(|value| accrual((*value).max(0), rate.basis_points)).sum();
    }
    steps.map(|steps| Decimal::from_i128_with_scale(steps, ACCRUAL_SCALE))
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
        let (basis_points, from) = match (kind, account.owner.as_ref()) {
            (Charge::Service, _) => (fees.distribution_fee, None),
            (Charge::InsuranceFee, _) if insured => (fees.insurance_fee, None),
            (Charge::RiskPremium, Owner::NaturalPerson(person)) if insured => {
                (fees.risk_premium, Some(years_later(person.ssn.birth_date(), RISK_AGE)))
            }
            (Charge::InsuranceTax | Charge::InsuranceFee | Charge::RiskPremium, _) => (0, None),
        };
        Self { basis_points, from }
    }
}

/// What accrues on a value in ore on one day, in steps of 10^-10 SEK, halves rounded up.
fn accrual(ore: i128, basis_points: u32) -> i128 {
    // Of an ore's 10^-2, a basis point's 10^-4 and the steps' 10^-10, 10^4 is left.
    nearest(ore * i128::from(basis_points) * ten_to(ACCRUAL_SCALE - 6), DAYS_OF_A_YEAR)
}

/// Places sales, from the largest position down, until the shortfall is covered or nothing is left to sell.
fn sell(world: &mut World, id: AccountId) {
    let account = Arc::clone(world.accounts.known(id));
    for (instrument, units, close) in sellable(world, &account) {
        let due = file_mut(world, id).due.as_mut().expect("charges wait for sales");
        if due.shortfall <= Decimal::ZERO {
            return;
        }
        let decimals = world.market.known(instrument).instrument.decimals_units;
        let due = file_mut(world, id).due.as_mut().expect("charges wait for sales");
        let enough = round_up(due.shortfall * MARGIN / close, decimals);
        let units = Units::from_decimal_exact(enough).expect("at most 7 decimals").min(units);
        if Amount::from_units(units, close).is_zero() {
            continue;
        }
        let covers = units.get() * close / MARGIN;
        due.shortfall -= covers;
        let partner = world.clients[&account.client].partner;
        let order = accept(
            world,
            redemption(&account, Scope { partner, client: account.client }, instrument, units),
            PlacedBy::Platform,
        );
        file_mut(world, id)
            .due
            .as_mut()
            .expect("charges wait for sales")
            .sales
            .push(FeeSale { order: order.id, covers });
    }
}

/// What can be sold for charges, the largest first; a fund that was tried is passed over.
fn sellable(world: &World, account: &Account) -> Vec<(InstrumentId, Units, Decimal)> {
    let sales = world.fees[&account.id].due.iter().flat_map(|due| &due.sales);
    let tried: Vec<InstrumentId> = sales.map(|sale| world.orders.known(sale.order).instrument).collect();
    let mut found: Vec<(Amount, InstrumentId, Units, Decimal)> = account
        .positions
        .iter()
        .filter(|position| position.sellable().is_positive() && !tried.contains(&position.instrument))
        .filter(|position| world.market.known(position.instrument).instrument.open_for_redemption())
        .filter_map(|position| {
            let close = close_price(&world.market, position.instrument, world.now)?;
            let worth = Amount::from_units(position.settled, close);
            Some((worth, position.instrument, position.sellable(), close))
        })
        .collect();
    // Positions stand by their fund's id, so a stable sort leaves ties in that order.
    found.sort_by_key(|found| std::cmp::Reverse(found.0));
    found.into_iter().map(|(_, instrument, units, close)| (instrument, units, close)).collect()
}

fn redemption(account: &Account, scope: Scope, instrument: InstrumentId, units: Units) -> PlaceOrder {
    PlaceOrder {
        scope,
        account: account.id,
        side: Side::Redemption,
        instrument,
        amount: None,
        units: Some(units),
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    }
}

/// Timer: a sale of the account has ended. One that was canceled moves on to the next position.
pub(crate) fn sale_ended(world: &mut World, id: AccountId) {
    let Some(due) = world.fees.get(&id).and_then(|file| file.due.clone()) else { return };
    let fell = |sale: &&FeeSale| {
        let order = world.orders.known(sale.order);
        order.canceled.is_some() && !sale.covers.is_zero()
    };
    let fallen: Vec<FeeSale> = due.sales.iter().filter(fell).copied().collect();
    let due = file_mut(world, id).due.as_mut().expect("read above");
    for sale in due.sales.iter_mut().filter(|sale| fallen.contains(sale)) {
        due.shortfall += std::mem::take(&mut sale.covers);
    }
    if !fallen.is_empty() && world.accounts.known(id).is_active() {
        sell(world, id);
    }
    book_when_sold(world, id);
}

/// Books the charges once no sale is under way any more; what the cash does not reach for is in arrears.
fn book_when_sold(world: &mut World, id: AccountId) {
    let due = world.fees[&id].due.as_ref().expect("charges wait for sales");
    if due.sales.iter().any(|sale| !world.orders.known(sale.order).state.is_terminal()) {
        return;
    }
    let DueCharges { quarter, amounts, reserved, .. } = file_mut(world, id).due.take().expect("read above");
    world.accounts.change(id).reserved -= reserved;
    take(world, id, quarter, amounts);
}

/// Takes charges from the cash, in their order; the rest is in arrears.
fn take(world: &mut World, id: AccountId, quarter: Quarter, amounts: [Amount; 4]) {
    let mut left = world.accounts.known(id).spendable();
    let paid = amounts.map(|amount| {
        let paid = amount.min(left);
        left -= paid;
        paid
    });
    let file = file_mut(world, id);
    for ((owed, amount), paid) in file.owed.iter_mut().zip(amounts).zip(paid) {
        owed.arrears += amount - paid;
    }
    if paid.iter().all(|paid| paid.is_zero()) {
        return;
    }
    world.change_account(id, |world| {
        for (kind, paid) in Charge::ALL.into_iter().zip(paid).filter(|(_, paid)| paid.is_positive()) {
            let reference = Some(Arc::from(quarter.to_string()));
            world.book_cash(NewCash { reference, ..NewCash::new(id, kind.booking(), paid) });
        }
    });
}

/// The final charges of an account that is closing, as far as its cash reaches; once.
pub(crate) fn finish(world: &mut World, id: AccountId) {
    let Some(last) = world.fees.get(&id).filter(|file| !file.is_final).and_then(|file| file.last) else { return };
    let amounts = draw_up(world, id, last, &mut Closings::new(world.fees[&id].next, last));
    file_mut(world, id).is_final = true;
    take(world, id, Quarter::of(last), amounts);
}

fn file_mut(world: &mut World, id: AccountId) -> &mut FeeFile {
    Arc::make_mut(world.fees.get_mut(&id).expect("an account that was active has fees"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter of days with the same value, in ore.
    fn sum(parts: &[(i128, i128)]) -> Decimal {
        let steps: i128 = parts.iter().map(|(days, ore)| days * accrual(*ore, 15)).sum();
        Decimal::from_i128_with_scale(steps, ACCRUAL_SCALE)
    }

    /// (rule: payments/distribution-fee)
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
}
