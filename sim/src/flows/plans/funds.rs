//! What has become of the funds that a plan names (rule: securities/merger, securities/liquidation).
//!
//! Invariant: what a plan puts into two funds that have become one is put into that one whole. Absent on purpose: which
//! plans there are, and when they run.

use crate::identity::InstrumentId;
use crate::money::Amount;
use crate::records::Allocation;
use crate::world::World;
use std::ops::AddAssign;

/// `parts` with what each merged fund has become; what falls on one fund is one part, where the first of it stood.
pub(crate) fn followed<T: Copy + AddAssign>(world: &World, parts: &[(InstrumentId, T)]) -> Vec<(InstrumentId, T)> {
    let mut followed: Vec<(InstrumentId, T)> = Vec::new();
    for &(mut fund, part) in parts {
        while let Some(into) = world.market.known(fund).ended.and_then(|ended| ended.into) {
            fund = into;
        }
        match followed.iter_mut().find(|known| known.0 == fund) {
            Some(known) => known.1 += part,
            None => followed.push((fund, part)),
        }
    }
    followed
}

/// The shares of an allocation plan as mergers have left them; none where a fund was liquidated, as they would not make a
/// whole.
pub(crate) fn shares_left(world: &World, shares: &[Allocation]) -> Option<Vec<Allocation>> {
    let parts: Vec<_> = shares.iter().map(|share| (share.instrument, share.percent)).collect();
    let left = followed(world, &parts);
    let share = |&(instrument, percent)| has_not_ended(world, instrument).then_some(Allocation { instrument, percent });
    left.iter().map(share).collect()
}

/// The amounts of a savings plan as mergers have left them, without those of funds that were liquidated.
pub(crate) fn amounts_left(world: &World, amounts: &[(InstrumentId, Amount)]) -> Vec<(InstrumentId, Amount)> {
    let mut amounts = followed(world, amounts);
    amounts.retain(|&(fund, _)| has_not_ended(world, fund));
    amounts
}

fn has_not_ended(world: &World, fund: InstrumentId) -> bool {
    world.market.known(fund).ended.is_none()
}
