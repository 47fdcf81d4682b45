//! What has happened to one account: its value at midnights, what came and went between them, and what it held.
//!
//! Invariant: only what happened before a midnight counts at it. Days are not walked one by one: between two movements
//! nothing changes but prices. Absent on purpose: fees and returns, which follow from these figures.

use super::Closings;
use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::market::Market;
use crate::money::{Amount, Units, ore_of, worth_in_ore};
use crate::records::{CashRefType, CashTransaction, CashType, Counts, FundRefType, FundTransaction, FundType};
use crate::time::{Date, Instant};
use crate::world::World;
use std::ops::Range;

/// Something that changed what an account is worth.
#[derive(Clone, Copy, Debug)]
struct Movement {
    at: Instant,
    what: Moved,
    /// Whether it came from outside or went there.
    external: bool,
}

#[derive(Clone, Copy, Debug)]
enum Moved {
    Cash(Amount),
    Units(InstrumentId, Units),
}

/// All that has ever changed what an account is worth, in order.
#[derive(Debug)]
pub(crate) struct History {
    movements: Vec<Movement>,
}

/// So many steps of units of one fund, from one midnight on.
#[derive(Clone, Copy, Debug)]
struct Holding {
    instrument: InstrumentId,
    from: usize,
    units: i128,
}

impl History {
    /// That of `account`.
    pub(crate) fn of(world: &World, account: AccountId) -> Self {
        let mut movements = Vec::new();
        let gain = world.planted.is(Canary::DepositIsGain);
        for cash in world.cash.of_account(account, None) {
            cash_movements(&mut movements, cash, gain);
        }
        movements.extend(world.funds.of_account(account, None).filter_map(|units| unit_movement(units)));
        // A stable sort: what happened at one instant stays in order.
        movements.sort_by_key(|movement| movement.at);
        Self { movements }
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
    pub(crate) fn values(&self, market: &Market, closings: &mut Closings) -> Vec<i128> {
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
            let prices = closings.prices(market, instrument);
            worth_in_ore(units, &prices.millionths[places.clone()], prices.most, &mut values[places]);
        });
        values
    }

    /// What came from outside less what went there on the days that end at the midnights of `closings`, in ore
    /// (rule: payments/external-flows).
    pub(crate) fn flows(&self, market: &Market, closings: &mut Closings) -> Vec<i128> {
        let midnights = closings.midnights();
        let mut flows = vec![0; midnights.len()];
        for (place, movement) in self.placed(&midnights).filter(|(_, movement)| movement.external) {
            flows[place] += match movement.what {
                Moved::Cash(amount) => amount.steps(),
                Moved::Units(fund, units) => {
                    // They are counted as they are at the end, like the price.
                    let units = market.known(fund).after_splits(units, movement.at, midnights[place]);
                    ore_of(units.steps(), closings.prices(market, fund).millionths[place])
                }
            };
        }
        flows
    }

    /// Tells what was held at the midnights of `closings` that have `places`: fund, so many steps of units, and prices in
    /// millionths.
    pub(crate) fn held(
        &self,
        market: &Market,
        closings: &mut Closings,
        places: Range<usize>,
        mut tell: impl FnMut(InstrumentId, i128, &[i128]),
    ) {
        self.holdings(&closings.midnights(), |instrument, held, units| {
            let held = held.start.max(places.start)..held.end.min(places.end);
            if held.start < held.end {
                tell(instrument, units, &closings.prices(market, instrument).millionths[held]);
            }
        });
    }

    /// Tells so many steps of units of a fund at a run of midnights, wherever there are any.
    fn holdings(&self, midnights: &[Instant], mut tell: impl FnMut(InstrumentId, Range<usize>, i128)) {
        let mut open: Vec<Holding> = Vec::new();
        for (place, movement) in self.placed(midnights) {
            let Moved::Units(instrument, units) = movement.what else { continue };
            match open.iter_mut().find(|held| held.instrument == instrument) {
                Some(held) => {
                    if held.from < place && held.units != 0 {
                        tell(instrument, held.from..place, held.units);
                    }
                    (held.from, held.units) = (place, held.units + units.steps());
                }
                None => open.push(Holding { instrument, from: place, units: units.steps() }),
            }
        }
        for held in open.into_iter().filter(|held| held.units != 0) {
            tell(held.instrument, held.from..midnights.len(), held.units);
        }
    }
}

/// What a cash transaction does to the value, and when. Purchases on their way still count, so they move nothing until
/// they are settled.
fn cash_movements(movements: &mut Vec<Movement>, cash: &CashTransaction, gain: bool) {
    let external = is_external(cash.kind, cash.ref_type) && !(gain && cash.kind == CashType::Deposit);
    let (made, ended) = (cash.stamp.created, cash.stamp.modified);
    let mut moves = |at, amount| movements.push(Movement { at, what: Moved::Cash(amount), external });
    if cash.kind.is_credit() {
        if cash.settlement.is_some() {
            moves(ended, cash.amount);
        }
    } else if cash.booking.terms().counts == Counts::OnItsWay {
        if cash.settlement.is_some() {
            moves(ended, -cash.amount);
        }
    } else {
        moves(made, -cash.amount);
        if cash.aborted.is_some() {
            moves(ended, cash.amount);
        }
    }
}

fn unit_movement(fund: &FundTransaction) -> Option<Movement> {
    fund.settlement?;
    let units = match fund.kind {
        FundType::Subscription => fund.units,
        FundType::Redemption => -fund.units,
    };
    let external = brings_units(fund.ref_type);
    Some(Movement { at: fund.stamp.modified, what: Moved::Units(fund.instrument, units), external })
}

/// Whether cash of this kind comes from outside or goes there (rule: payments/external-flows).
const fn is_external(kind: CashType, ref_type: CashRefType) -> bool {
    match kind {
        CashType::Deposit | CashType::Withdrawal | CashType::TransferIn | CashType::TransferOut => true,
        CashType::Fee => matches!(ref_type, CashRefType::InsuranceTax),
        CashType::Subscription
        | CashType::Redemption
        | CashType::Retrocession
        | CashType::FxFee
        | CashType::Settlement => false,
    }
}

/// Whether units of this kind come from outside or go there (rule: payments/external-flows).
const fn brings_units(ref_type: FundRefType) -> bool {
    match ref_type {
        FundRefType::Text | FundRefType::Transfer | FundRefType::Gift | FundRefType::Inheritance => true,
        FundRefType::Correction
        | FundRefType::Order
        | FundRefType::Ca
        | FundRefType::Internal
        | FundRefType::External
        | FundRefType::Compensations
        | FundRefType::Dividend
        | FundRefType::Endowment101 => false,
    }
}
