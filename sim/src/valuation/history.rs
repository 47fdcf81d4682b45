//! What has happened to one account: its value at midnights, what came and went between them, and what it held.
//!
//! Invariant: only what happened before a midnight counts at it. Days are not walked one by one: between two movements
//! nothing changes but prices. Absent on purpose: fees and returns, which follow from these figures.

use super::Closings;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::{ore_of, worth_in_ore};
use crate::movements::{Moved, Movement};
use crate::time::{Date, Instant};
use crate::world::World;
use std::ops::Range;

/// All that has ever changed what an account is worth, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovementHistory<'w> {
    movements: &'w [Movement],
}

/// So many steps of units of one fund, from one midnight on.
#[derive(Clone, Copy, Debug)]
struct Holding {
    instrument: InstrumentId,
    from: usize,
    units: i128,
}

impl<'w> MovementHistory<'w> {
    /// That of `account`.
    pub(crate) fn of(world: &'w World, account: AccountId) -> Self {
        Self { movements: world.movements.of(account, &world.cash, &world.funds, &world.planted) }
    }

    /// The day of the first movement.
    pub(crate) fn begin(&self) -> Option<Date> {
        self.movements.first().map(|first| first.at.local_date())
    }

    /// The day of the first flow from outside.
    pub(crate) fn first_flow(&self) -> Option<Date> {
        self.movements.iter().find(|movement| movement.external).map(|first| first.at.local_date())
    }

    /// The movements that count from one of some midnights on, with its place.
    fn placed(&self, midnights: &[Instant]) -> impl Iterator<Item = (usize, &Movement)> {
        let mut place = 0;
        self.movements.iter().map_while(move |movement| {
            if midnights.get(place).is_some_and(|&midnight| midnight <= movement.at) {
                place += midnights[place..].partition_point(|&midnight| midnight <= movement.at);
            }
            (place < midnights.len()).then_some((place, movement))
        })
    }

    /// The value at each midnight of `closings`, in ore; nothing before the account began.
    pub(crate) fn values(&self, world: &World, closings: &mut Closings) -> Vec<i128> {
        let midnights = closings.midnights();
        let mut values = vec![0; midnights.len()];
        for (place, movement) in self.placed(&midnights) {
            if let Moved::Cash(amount) = movement.what {
                values[place] += amount.steps();
            }
        }
        for place in 1..values.len() {
            values[place] += values[place - 1];
        }
        self.holdings(&midnights, |instrument, places, units| {
            let prices = closings.prices(world, instrument);
            worth_in_ore(units, &prices.millionths[places.clone()], prices.most, &mut values[places]);
        });
        values
    }

    /// What came from outside less what went there on the days that end at the midnights of `closings`, in ore
    /// (rule: accounts/external-flows).
    pub(crate) fn flows(&self, world: &World, closings: &mut Closings) -> Vec<i128> {
        let midnights = closings.midnights();
        let mut flows = vec![0; midnights.len()];
        for (place, movement) in self.placed(&midnights).filter(|(_, movement)| movement.external) {
            flows[place] += match movement.what {
                Moved::Cash(amount) => amount.steps(),
                Moved::Units(fund, units) => {
                    // They are counted as they are at the end, like the price.
                    let units = world.market.known(fund).after_splits(units, movement.at, midnights[place]);
                    ore_of(units.steps(), closings.prices(world, fund).millionths[place])
                }
            };
        }
        flows
    }

    /// Calls `take` for each run of midnights with the same units, of those of `closings` that have `places`: the fund, its
    /// units in steps, and the prices at these midnights in millionths.
    pub(crate) fn held(
        &self,
        world: &World,
        closings: &mut Closings,
        places: Range<usize>,
        mut take: impl FnMut(InstrumentId, i128, &[i128]),
    ) {
        self.holdings(&closings.midnights(), |instrument, held, units| {
            let held = held.start.max(places.start)..held.end.min(places.end);
            if held.start < held.end {
                take(instrument, units, &closings.prices(world, instrument).millionths[held]);
            }
        });
    }

    /// Calls `take` for each run of midnights with the same units of a fund, where there are any: the fund, the places of the
    /// midnights, the units in steps.
    fn holdings(&self, midnights: &[Instant], mut take: impl FnMut(InstrumentId, Range<usize>, i128)) {
        let mut open: Vec<Holding> = Vec::new();
        for (place, movement) in self.placed(midnights) {
            let Moved::Units(instrument, units) = movement.what else { continue };
            match open.iter_mut().find(|held| held.instrument == instrument) {
                Some(held) => {
                    if held.from < place && held.units != 0 {
                        take(instrument, held.from..place, held.units);
                    }
                    (held.from, held.units) = (place, held.units + units.steps());
                }
                None => open.push(Holding { instrument, from: place, units: units.steps() }),
            }
        }
        for held in open.into_iter().filter(|held| held.units != 0) {
            take(held.instrument, held.from..midnights.len(), held.units);
        }
    }
}
