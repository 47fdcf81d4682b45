//! Corporate actions, of which few end a fund, and bookings of the back office.

use super::{Generator, small};
use crate::generate::step::{Action, Booked, Share, Step};

/// Most funds that a run ends: orders need some.
const MOST_ENDED: u8 = 2;

impl Generator {
    pub(super) fn action(&mut self) -> Step {
        let fund = self.fund();
        let ends = self.ended < MOST_ENDED && self.stream.chance(1, 4);
        if !ends {
            return Step::Action(fund, Action::Split(small(self.stream.below(10))));
        }
        self.ended += 1;
        if self.stream.chance(1, 3) {
            let price = *self.stream.pick(&[0, 0, 9_000, 30_000]);
            return Step::Action(fund, Action::Liquidate(price));
        }
        let into = small(self.stream.below(u64::from(self.profile.funds)));
        let ratio = if self.stream.chance(1, 3) { small(1 + self.stream.below(5)) } else { 0 };
        Step::Action(fund, Action::Merge(into, ratio))
    }

    pub(super) fn booking(&mut self) -> Step {
        if self.stream.chance(1, 2) {
            let account = self.account();
            let ore = if self.stream.chance(1, 20) { 0 } else { 1 + self.stream.below(2_000_000) };
            return Step::Book(account, Booked::Cash(small(self.stream.below(8)), ore));
        }
        let (account, fund) = self.holding();
        let share = match self.stream.below(8) {
            0 => Share::TooMuch,
            1 => Share::Everything,
            2..5 => Share::Part(small(1 + self.stream.below(24))),
            _ => Share::Steps(1 + self.stream.below(100_000_000)),
        };
        let kind = small(self.stream.below(9));
        let cost = self.stream.chance(1, 4).then(|| small(self.stream.below(1_000_000)));
        Step::Book(account, Booked::Units { kind, fund, share, cost })
    }
}
