//! Accounts and what they are worth.

use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, ClientId};
use crate::money::{Amount, Units, round_half_up};
use crate::records::{Account, AccountStatus, OwnerKey, Position};
use crate::store::Window;
use crate::time::Instant;
use crate::valuation::{PRICE_SCALE, price_held};
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// A position as a partner sees it, in account currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionView {
    /// The fund.
    pub instrument: InstrumentId,
    /// Includes unsettled redemptions.
    pub units: Units,
    /// Settled only.
    pub units_settled: Units,
    /// `units` at `close_price`, 2 decimals; none without a price.
    pub value: Option<Amount>,
    /// Last published price in SEK, 6 decimals; none without one.
    pub close_price: Option<Decimal>,
    /// Average acquisition value in SEK, 6 decimals.
    pub gav: Decimal,
}

/// An account of `client`; none when it is unknown or another client's.
#[must_use]
pub fn account(world: &World, client: ClientId, id: AccountId) -> Option<&Arc<Account>> {
    world.accounts.get(id).filter(|account| account.client == client)
}

/// The accounts of `client`, those of one person only when `ssn` is given (rule: wire/ssn-filter).
#[must_use]
pub fn accounts(world: &World, client: ClientId, window: &Window, ssn: Option<PersonalNumber>) -> Vec<Arc<Account>> {
    let wanted = ssn.map(OwnerKey::Ssn);
    window.of_client(&world.accounts, client, |account| wanted.is_none_or(|wanted| account.owner.key() == wanted))
}

/// The positions of `account` at the prices known at `at`; empty ones are left out (rule: accounts/positions). Units come
/// settled and leave before they are, so what has settled is never less than what is there.
#[must_use]
pub fn positions(world: &World, account: &Account, at: Instant) -> Vec<PositionView> {
    let shown = |position: &&Position| !position.settled.is_zero();
    account.positions.iter().filter(shown).map(|position| view(world, account.id, position, at)).collect()
}

fn view(world: &World, account: AccountId, position: &Position, at: Instant) -> PositionView {
    let close_price = price_held(world, account, position.instrument, at);
    let settled = position.settled.get();
    PositionView {
        instrument: position.instrument,
        units: position.units,
        units_settled: position.settled,
        value: close_price.map(|close| Amount::from_units(position.units, close)),
        close_price,
        gav: if settled.is_zero() { Decimal::ZERO } else { round_half_up(position.cost / settled, PRICE_SCALE) },
    }
}

/// The public word for an account's status.
#[must_use]
pub const fn account_status(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Pending => "pending",
        AccountStatus::Active => "active",
        AccountStatus::Rejected => "rejected",
        AccountStatus::Confirm => "confirm",
        AccountStatus::Closing => "closing",
    }
}
