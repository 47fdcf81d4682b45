//! Orders: how much, how odd, and what becomes of them.

use super::{Generator, small};
use crate::generate::step::{
    Buy, Edge, Forgotten, Name, OrderName, PriceDay, Proceeds, Sell, SetPrice, Share, Slip, Step, Sum, Wait,
};

impl Generator {
    /// An order, most likely a young one.
    pub(super) fn order(&mut self) -> OrderName {
        let reach = if self.stream.chance(3, 4) { 6 } else { 60 };
        let back = small::<u32>(1 + self.stream.below(reach));
        self.orders.saturating_sub(back)
    }

    pub(super) fn next_order(&mut self) -> OrderName {
        let name = self.orders;
        self.orders = self.orders.saturating_add(1);
        name
    }

    pub(super) fn slip(&mut self) -> Slip {
        const ODD: &[Slip] = &[
            Slip::OtherClient,
            Slip::OtherPartner,
            Slip::UnknownAccount,
            Slip::UnknownFund,
            Slip::NoQuantity,
            Slip::BothQuantities,
            Slip::Zero,
            Slip::Negative,
            Slip::LongReference,
        ];
        match self.stream.below(1_000) {
            at if at < u64::from(self.profile.adverse_step / 2) => *self.stream.pick(ODD),
            at if at < 900 => Slip::None,
            at if at < 960 => Slip::Signed,
            _ => Slip::Dry,
        }
    }

    pub(super) fn buy(&mut self) -> Step {
        let account = self.account();
        let (fund, slip) = (self.fund_for(account), self.slip());
        let odd = u64::from(self.profile.adverse_step / 2);
        let sum = match self.stream.below(1_000) {
            at if at < odd => Sum::TooMuch,
            at if at < odd * 2 => Sum::Ore(self.stream.below(60_000)),
            at if at < odd * 2 + 6 => Sum::Everything,
            at if at < odd * 2 + 12 => Sum::Ore(400_000_000 + self.stream.below(200_000_000)),
            at if at < 700 => Sum::Part(small(1 + self.stream.below(16))),
            _ => Sum::Ore(50_000 + self.stream.below(450_000)),
        };
        if self.stream.chance(1, 4) {
            self.holdings.push((account, fund));
        }
        Step::Buy(Buy { name: self.next_order(), account, fund, sum, slip })
    }

    /// A small order for the account that a journey opens.
    pub(super) fn buy_for(&mut self, account: Name) -> Step {
        let (fund, sum) = (self.fund_for(account), Sum::Ore(60_000));
        self.holdings.push((account, fund));
        Step::Buy(Buy { name: self.next_order(), account, fund, sum, slip: Slip::None })
    }

    pub(super) fn sell(&mut self) -> Step {
        let ((account, fund), slip) = (self.holding(), self.slip());
        let odd = u64::from(self.profile.adverse_step / 2);
        let share = match self.stream.below(1_000) {
            at if at < odd => Share::TooMuch,
            at if at < 60 => Share::Steps(1 + self.stream.below(30_000_000)),
            at if at < 130 => Share::Everything,
            at if at < 700 => Share::Part(small(1 + self.stream.below(24))),
            _ => Share::Steps((1 + self.stream.below(40)) * 1_000_000),
        };
        let proceeds = match self.stream.below(10) {
            0 | 1 => Proceeds::PayOut,
            2 => Proceeds::Transfer(self.account()),
            _ => Proceeds::Keep,
        };
        let name = self.next_order();
        if proceeds == Proceeds::PayOut {
            self.paid.push(name);
        }
        Step::Sell(Sell { name, account, fund, share, proceeds, slip })
    }

    /// The least that can be sold, at a price that falls by half before it is dealt: the execution rounds to nothing.
    pub(super) fn sliver(&mut self) -> Step {
        let (account, fund) = self.holding();
        self.plot.push(Step::Wait(Wait::To(Edge::CutOff(fund), 60_000)));
        self.plot.push(Step::Price(SetPrice { fund, day: PriceDay::Next, of_close: 5_010 }));
        let (name, proceeds, slip) = (self.next_order(), Proceeds::Keep, Slip::None);
        Step::Sell(Sell { name, account, fund, share: Share::Least, proceeds, slip })
    }

    /// An order that its fund company refuses with all that its cut-off has taken.
    pub(super) fn refused_together(&mut self) -> Step {
        let account = self.account();
        let (fund, name) = (self.fund_for(account), self.next_order());
        self.plot.push(Step::Reject(name));
        self.plot.push(Step::Wait(Wait::To(Edge::CutOff(fund), 30_000)));
        Step::Buy(Buy { name, account, fund, sum: Sum::Ore(60_000), slip: Slip::None })
    }

    pub(super) fn hold(&mut self) -> Step {
        let name = self.order();
        self.held.push(name);
        Step::Hold(name)
    }

    /// What was canceled is sometimes forgotten, with what it had booked.
    pub(super) fn cancel(&mut self) -> Step {
        let name = self.order();
        if self.stream.chance(1, 10) {
            let what = [Forgotten::Order(name), Forgotten::Cash(name), Forgotten::Units(name), Forgotten::Units(name)];
            let what = *self.stream.pick(&what);
            self.plot.push(Step::Purge(what));
        }
        Step::Cancel(name)
    }
}
