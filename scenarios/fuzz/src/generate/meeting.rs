//! Rare meetings: a change of one thing while a timer, a limit or a right of another is about to act.
//!
//! Owns: which meetings there are. Which of them a run begins again and again is its profile's, what steps each has is `draw/meetings.rs`'s.

/// A meeting that steps drawn one by one have hardly ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meeting {
    /// A first purchase at its minimum is undone, and a later one comes at the lower minimum.
    Minimums,
    /// An order of exactly the amount up to which orders pass their first check, and one ore beside it.
    LargeOrder,
    /// Where the cash of a sale is to go changes before the sale settles.
    Destination,
    /// The price of a day is set when orders have been dealt at it.
    DealtPrice,
    /// All of an account goes elsewhere, and what it has earned is still due.
    LastEarnings,
    /// Two payouts follow one signature.
    SignedOnce,
    /// A payment with a reference comes through a partner whose reference it is not.
    ForeignReference,
    /// A step of a journey is answered otherwise after what follows from it was agreed to.
    AgreedBefore,
    /// Units come from outside or go there without an order.
    UnitsFromOutside,
    /// A charge fails and is tried again, while something happens to its account.
    FailedCharge,
    /// An account closes while something of it is under way.
    ClosingAmidWork,
    /// The owner of an account dies while something of it is under way.
    DeathAmidWork,
    /// The owner of an account is found on a list while something of it is under way.
    SanctionsAmidWork,
    /// A fund is closed or suspended while orders are under way.
    SuspendedAmidWork,
    /// Something is done to a fund's units while orders are under way.
    SplitAmidWork,
    /// Prices come late one after the other, with orders between them.
    LatePrices,
    /// Fees change beside a midnight.
    FeesAtMidnight,
    /// A journey is signed where its link ends.
    LinkEnds,
    /// Cash comes and goes where a quarter, a month or a day of another length ends.
    SpanEnds,
    /// Anything where a timer is due.
    AtTimer,
}

impl Meeting {
    /// Every meeting.
    pub const ALL: [Self; 20] = [
        Self::Minimums,
        Self::LargeOrder,
        Self::Destination,
        Self::DealtPrice,
        Self::LastEarnings,
        Self::SignedOnce,
        Self::ForeignReference,
        Self::AgreedBefore,
        Self::UnitsFromOutside,
        Self::FailedCharge,
        Self::ClosingAmidWork,
        Self::DeathAmidWork,
        Self::SanctionsAmidWork,
        Self::SuspendedAmidWork,
        Self::SplitAmidWork,
        Self::LatePrices,
        Self::FeesAtMidnight,
        Self::LinkEnds,
        Self::SpanEnds,
        Self::AtTimer,
    ];

    /// How many a run begins again and again.
    pub const OF_A_RUN: usize = 3;

    /// Those that the run of a seed begins again and again: seeds take them in turn, so that seven seeds in a row have all.
    #[must_use]
    pub fn of_seed(seed: u64) -> [Self; Self::OF_A_RUN] {
        let all = Self::ALL.len() as u64;
        [0, 1, 2].map(|nth| Self::ALL[usize::try_from((seed % all * Self::OF_A_RUN as u64 + nth) % all).unwrap_or(0)])
    }
}

#[cfg(test)]
mod tests {
    use super::Meeting;
    use std::collections::BTreeSet;

    #[test]
    fn seven_seeds_in_a_row_have_every_meeting() {
        for first in [0, 5, 17, 1_000] {
            let met: BTreeSet<Meeting> = (first..first + 7).flat_map(Meeting::of_seed).collect();
            assert_eq!(met.len(), Meeting::ALL.len(), "from seed {first}");
        }
    }
}
