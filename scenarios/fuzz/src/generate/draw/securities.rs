//! Corporate actions, of which few end a fund, and bookings of the back office.

use super::{Generator, small};
use crate::generate::step::{Action, Booked, PriceDay, SetPrice, Share, Step, Trading};
use sim::rng::Stream;

/// Most funds that a run ends: orders need some.
const MOST_ENDED: u8 = 2;

impl Generator {
    pub(super) fn price(&mut self) -> Step {
        let day = match self.stream.below(12) {
            0..4 => PriceDay::Latest,
            4..8 => PriceDay::Next,
            8..10 => PriceDay::Last,
            10 => PriceDay::Sunday,
            _ => PriceDay::FarAhead,
        };
        let of_close = match self.stream.below(8) {
            0 => 0,
            1 => 30_000,
            2 | 3 => 19_990,
            4 => 5_010,
            _ => small(6_000 + self.stream.below(12_000)),
        };
        Step::Price(SetPrice { fund: self.fund(), day, of_close })
    }

    pub(super) fn trading(&mut self) -> Step {
        let flag = |s: &mut Stream, on: u32| s.chance(1, 2).then(|| s.chance(on, 4));
        if self.stream.chance(1, 30) {
            return Step::Trading(Trading {
                fund: self.profile.funds,
                buyable: Some(true),
                sellable: None,
                tradable: None,
            });
        }
        // A fund that was closed opens again soon, or no order would get through.
        if !self.closed.is_empty() && self.stream.chance(2, 3) {
            let fund = self.closed.remove(0);
            return Step::Trading(Trading { fund, buyable: Some(true), sellable: Some(true), tradable: Some(true) });
        }
        let fund = self.fund();
        self.closed.push(fund);
        let s = &mut self.stream;
        let (buyable, sellable, tradable) = (flag(s, 1), flag(s, 1), flag(s, 2));
        // A lever that sets nothing is refused before it reaches a world.
        let tradable = if buyable.or(sellable).is_none() { tradable.or(Some(false)) } else { tradable };
        Step::Trading(Trading { fund, buyable, sellable, tradable })
    }

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
