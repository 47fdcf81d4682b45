//! Orders: how much of what, with what is odd about the request.

use super::{Bindings, executor, signed, units, unknown_fund};
use crate::generate::step::{Buy, ClientNo, Limit, Proceeds, Sell, Share, Slip, Sum};
use oracle::model::figures;
use sim::command::PlaceOrder;
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::money::{Amount, Units};
use sim::query;
use sim::records::{self, Side};
use sim::{Command, World};
use std::sync::Arc;

impl Bindings {
    pub(super) fn buy(&self, world: &World, buy: &Buy) -> Option<Command> {
        let (client, account) = self.account(buy.account)?;
        let record = query::account(world, self.scope(client).client, account)?;
        let amount = match buy.sum {
            Sum::Ore(ore) => Amount::from_ore(signed(ore)),
            Sum::Part(part) => part_of_cash(record.spendable(), part)?,
            Sum::Everything => record.spendable(),
            Sum::TooMuch => record.spendable() + Amount::from_ore(1),
            Sum::Near(limit, beside) => {
                let fund = &query::instrument(world, self.fund(buy.fund)?)?.record;
                let at = match limit {
                    Limit::FirstPurchase => fund.min_initial.unwrap_or(fund.min_investment),
                    Limit::LaterPurchase => fund.min_subsequent.unwrap_or(fund.min_investment),
                    Limit::Large => world.setup().settings.hold_above,
                    Limit::Cash => record.spendable(),
                };
                at + Amount::from_ore(i64::from(beside))
            }
        };
        let place = self.plain(client, account, self.fund(buy.fund)?, Side::Subscription);
        Some(self.slipped(PlaceOrder { amount: Some(amount), ..place }, buy.slip, world))
    }

    pub(super) fn sell(&self, world: &World, sell: &Sell) -> Option<Command> {
        let (client, account) = self.account(sell.account)?;
        let fund = self.fund(sell.fund)?;
        let record = query::account(world, self.scope(client).client, account)?;
        let sellable = record.position(fund).map_or(Units::ZERO, |position| position.sellable());
        let asked = match sell.share {
            Share::Steps(steps) => units(steps),
            Share::Part(part) => part_of_units(world, fund, sellable, part)?,
            Share::Least => least_of(world, fund)?,
            Share::Everything => sellable,
            Share::TooMuch => sellable + units(1),
            Share::AllBut => sellable - figures::units(grain_of(world, fund)?),
            Share::TooFew => least_of(world, fund)? - figures::units(grain_of(world, fund)?),
        };
        let proceeds = match sell.proceeds {
            Proceeds::Keep => records::Proceeds::Keep,
            Proceeds::PayOut => {
                record.bank_accounts.first().map_or(records::Proceeds::Keep, |b| records::Proceeds::PayOut(b.id))
            }
            Proceeds::Transfer(to) => records::Proceeds::Transfer(self.account(to)?.1),
        };
        let executor = (proceeds != records::Proceeds::Keep).then(|| executor(&record.owner));
        let place = self.plain(client, account, fund, Side::Redemption);
        Some(self.slipped(PlaceOrder { units: Some(asked), proceeds, executor, ..place }, sell.slip, world))
    }

    pub(super) fn plain(
        &self,
        client: ClientNo,
        account: AccountId,
        instrument: InstrumentId,
        side: Side,
    ) -> PlaceOrder {
        PlaceOrder {
            scope: self.scope(client),
            account,
            side,
            instrument,
            amount: None,
            units: None,
            client_ref: None,
            executor: None,
            proceeds: records::Proceeds::Keep,
        }
    }

    pub(super) fn slipped(&self, mut place: PlaceOrder, slip: Slip, world: &World) -> Command {
        match slip {
            Slip::None => {}
            Slip::Dry => return Command::ValidateOrder(place),
            Slip::Signed => {
                place.client_ref = Some(Arc::clone(&self.reference));
                let owner = query::account(world, place.scope.client, place.account).map(|account| &account.owner);
                place.executor = owner.map(|owner| executor(owner));
            }
            Slip::OtherClient => place.executor = Some(self.other_person),
            Slip::OtherPartner => {
                let partner = place.scope.partner;
                let other = self.scopes.iter().find(|scope| scope.partner != partner);
                place.scope.partner = other.map_or(partner, |scope| scope.partner);
            }
            Slip::UnknownAccount => place.account = AccountId::from_u128(0),
            Slip::UnknownFund => place.instrument = unknown_fund(),
            Slip::NoQuantity => (place.amount, place.units) = (None, None),
            // The other requests have no field for an amount.
            Slip::BothQuantities if place.proceeds != records::Proceeds::Keep => {}
            Slip::BothQuantities => {
                place.amount = place.amount.or(Some(Amount::from_ore(100)));
                place.units = place.units.or(Some(units(10_000_000)));
            }
            Slip::Zero => {
                place.amount = place.amount.map(|_| Amount::ZERO);
                place.units = place.units.map(|_| Units::ZERO);
            }
            Slip::Negative => {
                place.amount = place.amount.map(|amount| -amount);
                place.units = place.units.map(|units| -units);
            }
            Slip::LongReference => place.client_ref = Some(Arc::clone(&self.long_reference)),
        }
        Command::PlaceOrder(place)
    }
}

/// Nothing when the part is less than an ore.
pub(super) fn part_of_cash(spendable: Amount, part: u8) -> Option<Amount> {
    let ore = figures::ore(spendable) / 64 * i64::from(part);
    (ore > 0).then(|| Amount::from_ore(ore))
}

/// In the decimals that the fund deals in; nothing when the part is less than that.
pub(super) fn part_of_units(world: &World, fund: InstrumentId, sellable: Units, part: u8) -> Option<Units> {
    let grain = grain_of(world, fund)?;
    let steps = figures::steps(sellable) / 64 * i64::from(part) / grain * grain;
    (steps > 0).then(|| figures::units(steps))
}

/// The least that can be sold for anything at the last price.
pub(super) fn least_of(world: &World, fund: InstrumentId) -> Option<Units> {
    let (grain, (price, rate)) = (grain_of(world, fund)?, close(world, fund)?);
    let is_worthless = |grains: &i64| figures::proceeds(grains * grain, price, rate) == 0;
    let (mut nothing, mut something) = (0, 1);
    while is_worthless(&something) {
        (nothing, something) = (something, something * 2);
    }
    while something - nothing > 1 {
        let middle = nothing + (something - nothing) / 2;
        if is_worthless(&middle) { nothing = middle } else { something = middle }
    }
    Some(figures::units(something * grain))
}

/// The smallest number of units that a fund deals in, in steps of 10^-7.
pub(super) fn grain_of(world: &World, fund: InstrumentId) -> Option<i64> {
    let decimals = query::instrument(world, fund)?.record.decimals_units;
    10_i64.checked_pow(Units::MAX_DECIMALS.checked_sub(decimals)?)
}

/// The last published price of a fund in millionths, and the rate, as the world shows them.
fn close(world: &World, fund: InstrumentId) -> Option<(i64, i64)> {
    let price = query::instrument(world, fund)?.close_price?;
    let rate = query::rate(world, fund.currency(), world.now());
    Some((figures::millionths(price), figures::ten_thousandths(rate)))
}
