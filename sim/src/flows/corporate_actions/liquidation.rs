//! A fund becomes cash (rule: payments/liquidation).

use super::booked::{end, end_units, holders, pay};
use crate::market::Close;
use crate::money::{Amount, Price, product};
use crate::records::CorporateAction;
use crate::world::World;

/// All units become cash at the final price.
pub(super) fn carry_out(world: &mut World, action: &CorporateAction, price: Option<Price>) {
    let fund = action.instrument;
    let close = *world.market.known(fund).close().expect("checked: it has a price");
    let close = Close { price: price.unwrap_or(close.price), ..close };
    let in_sek = product(close.price.get(), world.market.rate_at(fund.currency(), world.now));
    for (account, held) in holders(world, fund) {
        world.change_account(account, |world| {
            pay(world, action, account, Amount::from_units(held.units, in_sek));
            end_units(world, action, account, &held, &close);
        });
    }
    end(world, fund, None);
}
