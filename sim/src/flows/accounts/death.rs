//! The death of a person whose life an insurance is on: the insurer's share, then the end of the insurance
//! (rule: accounts/endowment).
//!
//! Invariant: an insurance ends once, with one credit at most. Absent on purpose: how an account ends, which is
//! `closing`; the person's other accounts, which stay open until their partner closes them.

use super::closing;
use crate::flows::{payments, screening};
use crate::identity::PersonalNumber;
use crate::ids::AccountId;
use crate::ledger::NewCash;
use crate::money::{Amount, round_half_up};
use crate::records::{Account, AccountType, CashBooking, OwnerKey};
use crate::refusal::{Fault, Refusal};
use crate::reply::Reply;
use crate::valuation::value;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Percent of the value that the insurer adds: what is paid is 101 % of it.
const ENDOWMENT_PERCENT: i64 = 1;

/// `ReportDeath`: every active insurance that the person owns ends, with all clients.
pub(crate) fn report(world: &mut World, ssn: PersonalNumber) -> Result<Reply, Refusal> {
    let insurance = |account: &Account| account.account_type == AccountType::Insurance && account.is_active();
    let mut accounts = screening::accounts_of(world, OwnerKey::Ssn(ssn));
    accounts.retain(|&id| insurance(world.accounts.known(id)));
    if accounts.is_empty() {
        let because = "this person owns no active insurance account";
        return Err(Refusal::conflict("ssn", Fault::Invalid { because }, "no active insurance account", Vec::new()));
    }
    // Nothing below can fail.
    accounts.iter().for_each(|&id| end(world, id));
    Ok(Reply::Accounts(accounts.into_iter().map(|id| Arc::clone(world.accounts.known(id))).collect()))
}

fn end(world: &mut World, id: AccountId) {
    let credit = endowment(value(world, world.accounts.known(id)));
    if credit.is_positive() {
        world.change_account(id, |world| world.book_cash(NewCash::new(id, CashBooking::Endowment, credit)));
    }
    payments::charges::give_up(world, id);
    let now = world.now;
    Arc::make_mut(world.standings.or_default(id)).ended_by_death = Some(now);
    closing::begin(world, id);
}

/// What the insurer adds to that value.
fn endowment(value: Amount) -> Amount {
    let share = value.get() * Decimal::new(ENDOWMENT_PERCENT, 2);
    Amount::from_decimal_exact(round_half_up(share, Amount::MAX_DECIMALS)).expect("rounded to 2 decimals")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: accounts/endowment)
    #[test]
    fn the_insurer_adds_a_hundredth_rounded_half_up() {
        for (worth, added) in [("0", "0"), ("0.49", "0"), ("0.50", "0.01"), ("100000", "1000"), ("123.45", "1.23")] {
            let amount = |text| Amount::parse(text).expect("an amount");
            assert_eq!(endowment(amount(worth)), amount(added), "of {worth}");
        }
    }
}
