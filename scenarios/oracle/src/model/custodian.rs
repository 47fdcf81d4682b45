//! What another custodian sends: its books, reckoned a second time from the seed (rule: securities/made-up-holdings,
//! journeys/untransferable-units).
//!
//! Invariant: prices, rates, rounding and universes are the model's own; taken from the world are the seed's draws and
//! what the customer chose.

use super::books::Model;
use super::figures::{self, Steps};
use super::journey_files::{Delivery, Lot};
use rust_decimal::{Decimal, RoundingStrategy};
use sim::World;
use sim::digest::digest_of;
use sim::identity::InstrumentId;
use sim::records::{AccountType, Output, Transfer};

/// One holding there: fund, steps, cost in percent of its worth, whether the customer was asked about it.
type Holding = (InstrumentId, Steps, i64, bool);

impl Model {
    /// What a transfer brings at the instant up to which the model has come.
    #[must_use]
    pub fn delivery(&self, world: &World, transfer: &Transfer) -> Delivery {
        let order = &transfer.order;
        let key = digest_of(&(transfer.custodian.as_str(), order.account_number.as_ref())).0;
        let mut stream =
            world.seed().child("books of custodians", u64::try_from(key & u128::from(u64::MAX)).unwrap_or(0));
        let mut held: Vec<Holding> = Vec::new();
        for wanted in &order.instruments {
            // Ten-thousandths of a unit.
            let drawn = stream.between(100_000, 2_000_000) * 1_000;
            let percent = stream.between(70, 110);
            held.push((wanted.instrument, wanted.units.map_or(drawn, figures::steps), percent, true));
        }
        let funds: Vec<InstrumentId> = world.setup().instruments.iter().map(|fund| fund.id).collect();
        for _ in 0..2 {
            let fund = *stream.pick(&funds);
            let (steps, percent) = (stream.between(100_000, 2_000_000) * 1_000, stream.between(70, 110));
            if held.iter().all(|known| known.0 != fund) {
                held.push((fund, steps, percent, false));
            }
        }
        let mut delivery = Delivery::default();
        held.into_iter().for_each(|holding| self.deliver(transfer, holding, &mut delivery));
        let foreign = stream.between(100_000, 2_000_000);
        let sold = order.default_units_output == Output::Cash
            || (order.default_units_output == Output::Units && order.untransferable_units_output == Output::Cash);
        delivery.ore += if sold { foreign } else { 0 };
        let balance = stream.between(50_000, 1_500_000);
        delivery.ore += if order.balance_output == Output::Cash { balance } else { 0 };
        delivery
    }

    fn deliver(&self, transfer: &Transfer, (instrument, steps, percent, asked): Holding, delivery: &mut Delivery) {
        let order = &transfer.order;
        let steps = self.funds.get(&instrument).map_or(steps, |fund| fund.after_splits(steps, transfer.stamp.created));
        let Some(fund) = self.funds.get(&instrument) else { return };
        let (Some(close), Some((price, rate))) = (fund.prices.close(), self.close(instrument)) else { return };
        let moves = fund.facts.is_tradable
            && self.clients.get(&transfer.client).is_some_and(|client| client.universe.contains(instrument));
        let moved = asked && order.source_account_type != AccountType::Insurance;
        let chosen = if moved { Output::Units } else { order.default_units_output };
        match if chosen == Output::Units && !moves { order.untransferable_units_output } else { chosen } {
            Output::Units => {
                let exact = i128::from(steps) * i128::from(price) * i128::from(rate);
                let worth = Decimal::from_i128_with_scale(exact, 17) * Decimal::new(percent, 2);
                let cost = worth.round_dp_with_strategy(12, RoundingStrategy::MidpointAwayFromZero);
                delivery.lots.push(Lot { instrument, steps, cost, close });
            }
            Output::Cash => delivery.ore += figures::proceeds(steps, price, rate),
            Output::Ignore => {}
        }
    }
}
