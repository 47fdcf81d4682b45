//! What actions book on the accounts that hold a fund, and the end of a fund.

use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::{NewCash, NewFund};
use crate::market::Close;
use crate::money::{Amount, Price};
use crate::records::{CashBooking, CorporateAction, FundBooking, Position};
use crate::time::Date;
use crate::timers::Timer;
use crate::world::World;

/// A booking, explained by its action.
pub(super) fn explained(action: &CorporateAction, trade: (Price, Date), new: NewFund) -> NewFund {
    NewFund { reference: Some(action.id.text()), trade: Some(trade), ..new }
}

/// Cash that an action pays; nothing where it is nothing.
pub(super) fn pay(world: &mut World, action: &CorporateAction, account: AccountId, amount: Amount) {
    if amount.is_positive() {
        let cash = NewCash::new(account, CashBooking::ActionPaid, amount);
        world.book_cash(NewCash { reference: Some(action.id.text()), ..cash });
    }
}

/// All units of an ending fund go.
pub(super) fn end_units(
    world: &mut World,
    action: &CorporateAction,
    account: AccountId,
    held: &Position,
    close: &Close,
) {
    let new = NewFund::new(account, FundBooking::Ended, held.instrument, held.units);
    world.book_fund(explained(action, (close.price, close.day), new));
}

/// The fund has ended: no further cut-offs and prices (rule: securities/ended-funds).
pub(super) fn end_fund(world: &mut World, fund: InstrumentId, into: Option<InstrumentId>) {
    let now = world.now;
    world.wake_fund(fund);
    world.timers.cancel_all(|timer| matches!(timer, Timer::CutOff(of, _) | Timer::PublishPrice(of, _) if *of == fund));
    world.market.change(fund).end(now, into);
}
