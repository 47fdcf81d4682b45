//! A fund becomes cash (rule: securities/liquidation).

use super::booked::{end_fund, end_units, pay};
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::market::Close;
use crate::money::{Amount, Price, product};
use crate::records::{CorporateAction, Position};
use crate::world::World;
use rust_decimal::Decimal;

/// What every account gets.
pub(super) struct Terms {
    close: Close,
    in_sek: Decimal,
}

impl Terms {
    pub(super) fn of(world: &World, fund: InstrumentId, price: Option<Price>) -> Self {
        let close = world.market.known(fund).close(world.now).expect("checked: it has a price");
        let close = Close { price: price.unwrap_or(close.price), ..close };
        let in_sek = product(close.price.get(), world.market.rate_at(fund.currency(), world.now));
        Self { close, in_sek }
    }
}

/// The fund ends.
pub(super) fn begin(world: &mut World, fund: InstrumentId) {
    end_fund(world, fund, None);
}

/// All units become cash at the final price.
pub(super) fn carry_out(
    world: &mut World,
    action: &CorporateAction,
    terms: &Terms,
    account: AccountId,
    held: &Position,
) {
    world.change_account(account, |world| {
        pay(world, action, account, Amount::from_units(held.units, terms.in_sek));
        end_units(world, action, account, held, &terms.close);
    });
}
