//! Whether a plan can name its funds and their shares (rule: journeys/allocation-of-plans, securities/ended-funds).
//!
//! Invariant: what is not known breaks no rule. Absent on purpose: what becomes of a plan's funds later (`funds`).

use crate::identity::InstrumentId;
use crate::money::Percent;
use crate::records::{Client, PartialAllocation};
use crate::refusal::{Fault, Problem};
use crate::world::World;

/// Most entries of a list of funds.
pub(crate) const MAX_INSTRUMENTS: usize = 200;

/// Why a plan cannot name a fund: the client does not offer it, or it has ended (rule: securities/ended-funds).
pub(crate) fn fund_fault(world: &World, client: &Client, instrument: InstrumentId) -> Option<Fault> {
    match world.market.quote(instrument) {
        None => Some(Fault::NotFound),
        Some(_) if !client.universe.contains(instrument) => Some(Fault::NotInUniverse),
        Some(quote) => quote.ended.map(|_| Fault::Suspended),
    }
}

/// Shares of an allocation plan: positive, known funds, nothing twice, exactly 100.00 together (rule: journeys/allocation-of-plans).
pub(crate) fn allocation_problems(
    world: &World,
    client: &Client,
    field: &str,
    allocations: &[Option<PartialAllocation>],
) -> Vec<Problem> {
    if allocations.is_empty() || allocations.len() > MAX_INSTRUMENTS {
        let fault = if allocations.is_empty() { Fault::Empty } else { Fault::TooMany { max: MAX_INSTRUMENTS } };
        return vec![Problem::new(field.to_owned(), fault)];
    }
    let mut problems = Vec::new();
    let fund = |allocation: &Option<PartialAllocation>| allocation.as_ref().and_then(|known| known.instrument);
    let share = |allocation: &Option<PartialAllocation>| allocation.as_ref().and_then(|known| known.percent);
    for (at, allocation) in allocations.iter().enumerate() {
        let mut say = |name: &str, fault| problems.push(Problem::new(format!("{field}[{at}].{name}"), fault));
        if share(allocation).is_some_and(|percent| !percent.is_positive()) {
            say("allocation", Fault::NotPositive);
        }
        let Some(instrument) = fund(allocation) else { continue };
        if allocations[..at].iter().any(|earlier| fund(earlier) == Some(instrument)) {
            say("instrument", Fault::Duplicate);
        }
        fund_fault(world, client, instrument).into_iter().for_each(|fault| say("instrument", fault));
    }
    let percents: Option<Vec<Percent>> = allocations.iter().map(share).collect();
    let sum: Percent = percents.map_or(Percent::WHOLE, |percents| percents.into_iter().sum());
    if sum != Percent::WHOLE {
        problems.push(Problem::new(field.to_owned(), Fault::SumNotHundred { sum }));
    }
    problems
}
