//! What ceding custodians hold and deliver (rule: securities/made-up-holdings, journeys/untransferable-units).
//!
//! A custodian's books are made up from the seed, the custodian and the account number, so that asking twice gives the
//! same holdings. Funds that the configuration lists are held there in any case. Invariant: what is delivered as units
//! can be traded here and is offered by the client; anything else is sold or left, as the customer chose.

use super::fund_checks;
use crate::digest::digest_of;
use crate::identity::InstrumentId;
use crate::money::{Amount, Price, Units, product, round_half_up};
use crate::records::{Output, Transfer, TransferOrder};
use crate::rng::Stream;
use crate::time::Date;
use crate::world::World;
use rust_decimal::Decimal;

/// Most funds that a made-up account holds besides the listed ones.
const MOST_FUNDS: u64 = 2;
/// Decimals kept of acquisition costs.
const COST_SCALE: u32 = 12;

/// Units of one fund on their way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lot {
    pub(crate) instrument: InstrumentId,
    pub(crate) units: Units,
    /// Price and day of the last published price; information only.
    pub(crate) trade: (Price, Date),
    /// Acquisition cost in SEK as the custodian reports it (rule: money/average-acquisition-value).
    pub(crate) cost: Decimal,
}

/// What arrives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) units: Vec<Lot>,
    pub(crate) cash: Amount,
}

impl Delivery {
    pub(crate) fn is_empty(&self) -> bool {
        self.units.is_empty() && self.cash.is_zero()
    }
}

/// A holding at the custodian.
struct Holding {
    instrument: InstrumentId,
    units: Units,
    /// What it was bought for, in percent of what it is worth.
    cost_percent: i64,
    listed: bool,
}

/// What a transfer brings today, by the customer's choices.
pub(crate) fn delivery(world: &World, transfer: &Transfer) -> Delivery {
    let order = &transfer.order;
    let mut stream = books(world, transfer);
    let mut delivery = Delivery::default();
    for holding in holdings(world, order, &mut stream) {
        deliver(world, transfer, &holding, &mut delivery);
    }
    // A fund that nobody here knows, worth something there: untransferable by nature.
    let foreign = Amount::from_ore(stream.between(100_000, 2_000_000));
    let wanted = order.default_units_output != Output::Ignore;
    let sold = order.default_units_output == Output::Cash || order.untransferable_units_output == Output::Cash;
    if wanted && sold {
        delivery.cash += foreign;
    }
    let balance = Amount::from_ore(stream.between(50_000, 1_500_000));
    if order.balance_output == Output::Cash {
        delivery.cash += balance;
    }
    delivery
}

/// Whether a transfer that was delivered today would bring any units (rule: journeys/transfer-result).
pub(crate) fn brings_units(world: &World, transfer: &Transfer) -> bool {
    !delivery(world, transfer).units.is_empty()
}

fn books(world: &World, transfer: &Transfer) -> Stream {
    let key = digest_of(&(transfer.custodian.as_str(), transfer.order.account_number.as_ref()));
    let index = u64::try_from(key.0 & u128::from(u64::MAX)).expect("masked to 64 bits");
    world.seed.child("books of custodians", index)
}

/// Listed funds first, then made-up ones; each fund once.
fn holdings(world: &World, order: &TransferOrder, stream: &mut Stream) -> Vec<Holding> {
    let mut holdings = Vec::new();
    for wanted in &order.instruments {
        let drawn = Units::from_decimal_exact(Decimal::new(stream.between(100_000, 2_000_000), 4));
        let drawn = drawn.expect("four decimals");
        let cost_percent = stream.between(70, 110);
        let units = wanted.units.unwrap_or(drawn);
        holdings.push(Holding { instrument: wanted.instrument, units, cost_percent, listed: true });
    }
    let funds: Vec<InstrumentId> = world.market.quotes().map(|quote| quote.instrument.id).collect();
    let made_up = if funds.is_empty() { 0 } else { MOST_FUNDS };
    for _ in 0..made_up {
        let instrument = *stream.pick(&funds);
        let units = Units::from_decimal_exact(Decimal::new(stream.between(100_000, 2_000_000), 4));
        let cost_percent = stream.between(70, 110);
        if !holdings.iter().any(|held: &Holding| held.instrument == instrument) {
            holdings.push(Holding { instrument, units: units.expect("four decimals"), cost_percent, listed: false });
        }
    }
    holdings
}

fn deliver(world: &World, transfer: &Transfer, holding: &Holding, delivery: &mut Delivery) {
    let order = &transfer.order;
    let wanted = order.output_of(holding.listed);
    let quote = world.market.known(holding.instrument);
    // What a split has made of them while they were under way (rule: securities/ended-funds).
    let units = quote.after_splits(holding.units, transfer.stamp.created, world.now);
    let offered = world.clients[&transfer.client].universe.contains(holding.instrument);
    let transferable = offered && quote.instrument.is_tradable;
    let (Some(close), Some(in_sek)) =
        (quote.close(world.now), world.market.close_in_sek(holding.instrument, world.now))
    else {
        return;
    };
    // Beyond what can be booked here, they stay where they are.
    if !fund_checks::fits_api(world, holding.instrument, units) {
        return;
    }
    let worth = product(units.get(), in_sek);
    let output = match wanted {
        Output::Units if !transferable => order.untransferable_units_output,
        other => other,
    };
    match output {
        Output::Units => delivery.units.push(Lot {
            instrument: holding.instrument,
            units,
            trade: (close.price, close.day),
            cost: round_half_up(worth * Decimal::new(holding.cost_percent, 2), COST_SCALE),
        }),
        Output::Cash => {
            delivery.cash += Amount::from_decimal_exact(round_half_up(worth, 2)).expect("rounded to 2 decimals");
        }
        Output::Ignore => {}
    }
}
