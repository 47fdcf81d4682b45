//! One unit becomes so many (rule: payments/split).

use super::booked::{explained, holders};
use crate::canary::Canary;
use crate::ledger::NewFund;
use crate::money::{Price, Ratio, Units, round_down};
use crate::records::{CorporateAction, FundBooking};
use crate::world::World;
use std::sync::Arc;

/// The difference is booked at price 0, what was paid for all of it stays.
pub(super) fn carry_out(world: &mut World, action: &CorporateAction, factor: Ratio) {
    let fund = action.instrument;
    for (account, held) in holders(world, fund) {
        let mut after = held.units.scaled(factor);
        if world.planted.is(Canary::SplitChangesValue) {
            after = Units::from_decimal_exact(round_down(after.get(), 0)).expect("whole units");
        }
        let (booking, difference) = match after - held.units {
            more if more.is_positive() => (FundBooking::SplitUp, more),
            less if less.is_negative() => (FundBooking::SplitDown, -less),
            _ => continue,
        };
        let trade = (Price::ZERO, world.now.local_date());
        let new = explained(action, trade, NewFund::new(account, booking, fund, difference));
        world.change_account(account, |world| world.book_fund(new));
    }
    let now = world.now;
    let quote = world.market.change(fund);
    quote.split(factor, now);
    Arc::make_mut(&mut quote.instrument).set_trading(action.trading_before);
}
