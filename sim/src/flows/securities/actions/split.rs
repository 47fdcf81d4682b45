//! One unit becomes so many (rule: securities/split).

use super::booked::explained;
use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewFund;
use crate::money::{Price, Ratio, Units, round_down};
use crate::records::{CorporateAction, FundBooking, Position};
use crate::world::World;

/// What every account gets.
pub(super) struct Terms {
    factor: Ratio,
    in_whole_units: bool,
}

impl Terms {
    pub(super) fn of(world: &World, factor: Ratio) -> Self {
        Self { factor, in_whole_units: world.planted.is(Canary::SplitChangesValue) }
    }
}

/// The prices are divided at once.
pub(super) fn begin(world: &mut World, fund: InstrumentId, factor: Ratio) {
    let now = world.now;
    world.wake_fund(fund);
    world.market.change(fund).split(factor, now);
}

/// The difference is booked at price 0, what was paid for all of it stays.
pub(super) fn carry_out(
    world: &mut World,
    action: &CorporateAction,
    terms: &Terms,
    account: AccountId,
    held: &Position,
) {
    let mut after = held.units.scaled(terms.factor);
    if terms.in_whole_units {
        after = Units::from_decimal_exact(round_down(after.get(), 0)).expect("whole units");
    }
    let (booking, difference) = match after - held.units {
        more if more.is_positive() => (FundBooking::SplitUp, more),
        less if less.is_negative() => (FundBooking::SplitDown, -less),
        _ => return,
    };
    let trade = (Price::ZERO, world.now.local_date());
    let new = explained(action, trade, NewFund::new(account, booking, held.instrument, difference));
    world.change_account(account, |world| world.book_fund(new));
}
