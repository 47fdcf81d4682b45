//! Steps from a seed.
//!
//! Owns: how often each kind of step comes and which numbers it gets. Invariant: the same seed and profile give the same
//! steps, whatever a world makes of them; names are handed out once, in order. Absent on purpose: any look at a world.

mod journeys;
mod mobile_payments;
mod securities;
mod waits;

use super::Profile;
use super::step::{
    Bank, Buy, ClientChange, ClientFlaw, ClientNo, Edge, Forgotten, FundNo, Holdings, Instruct, InstructionName, Kind,
    Money, Name, NewClient, Open, OrderName, PaymentName, PlanChange, PriceDay, Proceeds, Sell, SetPrice, Share, Slip,
    Step, Sum, Taken, Trading, Wait, Withdraw, WithdrawalSlip,
};
use sim::rng::{Seed, Stream};

/// An endless run of steps.
#[derive(Clone, Debug)]
pub struct Generator {
    stream: Stream,
    profile: Profile,
    opening: u16,
    names: Name,
    orders: OrderName,
    journeys: Journeys,
    clients: ClientNo,
    instructions: InstructionName,
    holdings: Vec<(Name, FundNo)>,
    closed: Vec<FundNo>,
    held: Recent,
    paid: Recent,
    focus: (FundNo, u8),
    owners: Vec<(Name, ClientNo)>,
    open: Vec<Name>,
    plot: Vec<Step>,
    money: Stream,
    years: Stream,
    payments: PaymentName,
    payment_plot: Vec<Step>,
    /// How many funds have been announced to end.
    ended: u8,
}

/// What the generator remembers of journeys.
#[derive(Clone, Debug, Default)]
struct Journeys {
    /// In order, with the client of each.
    names: Vec<(Name, ClientNo)>,
    /// What comes next, last first.
    plot: Vec<Step>,
    /// Journeys that have probably opened an account, newest last.
    openers: Vec<Name>,
    done: Vec<Name>,
}

/// The last few orders something was done to.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    names: [OrderName; 8],
    count: usize,
}

impl Recent {
    fn push(&mut self, name: OrderName) {
        self.names[self.count % 8] = name;
        self.count += 1;
    }

    fn pick(&self, stream: &mut Stream) -> OrderName {
        *stream.pick(&self.names[..self.count.clamp(1, 8)])
    }
}

/// Most people who own several accounts.
const REGULARS: u64 = 6;
/// Most clients that a run adds to those of the setup.
const MOST_NEW_CLIENTS: ClientNo = 4;

impl Generator {
    /// The steps of `seed`.
    #[must_use]
    pub fn new(seed: u64, profile: Profile) -> Self {
        let mut stream = Seed(seed).stream("generated steps");
        let few = 2 + small::<u16>(stream.below(6));
        Self {
            stream,
            profile,
            opening: profile.accounts.unwrap_or(few),
            names: 0,
            orders: 0,
            journeys: Journeys::default(),
            clients: profile.clients,
            instructions: 0,
            holdings: Vec::new(),
            closed: Vec::new(),
            held: Recent::default(),
            paid: Recent::default(),
            focus: (0, 0),
            owners: Vec::new(),
            open: Vec::new(),
            plot: Vec::new(),
            money: Seed(seed).stream("generated payments"),
            years: Seed(seed).stream("generated years"),
            payments: 0,
            payment_plot: Vec::new(),
            ended: 0,
        }
    }

    /// How many orders, and how many accounts and journeys, have been named so far.
    #[must_use]
    pub const fn named(&self) -> (OrderName, Name) {
        (self.orders, self.names)
    }

    /// The newest journey, or one so many before it, if there is one.
    #[must_use]
    pub fn newest_journey(&self, back: usize) -> Option<Name> {
        let names = &self.journeys.names;
        names.get(names.len().checked_sub(1 + back)?).map(|(name, _)| *name)
    }

    fn next_name(&mut self) -> Name {
        let name = self.names;
        self.names = self.names.saturating_add(1);
        name
    }

    fn open(&mut self) -> Step {
        let name = self.next_name();
        let s = &mut self.stream;
        let kind = match s.below(16) {
            0 => Kind::Unaware,
            1 | 2 => Kind::Pro,
            3 => Kind::Company,
            4 if s.chance(1, 8) => Kind::CompanyIsk,
            5 | 6 => Kind::Insured,
            _ => Kind::Retail,
        };
        let holdings =
            Holdings { from: small(s.below(u64::from(self.profile.funds))), count: small(s.below(4)), steps: units(s) };
        let funds = holdings.from..holdings.from.saturating_add(holdings.count).min(self.profile.funds);
        self.holdings.extend(funds.map(|fund| (name, fund)));
        let bank = match s.below(12) {
            8 | 9 => Bank::Pays,
            10 => Bank::PoorAtFirst,
            11 => {
                if s.chance(1, 2) {
                    Bank::Revokes
                } else {
                    Bank::Poor
                }
            }
            0..3 => Bank::Good,
            3 | 4 => Bank::Bounces,
            5 => Bank::Unchecked,
            _ => Bank::None,
        };
        let client = small(s.below(u64::from(self.profile.clients)));
        self.owners.push((name, client));
        self.open.push(name);
        Step::Open(Open {
            name,
            client,
            owner: if s.chance(1, 2) { small(1 + s.below(REGULARS)) } else { 0 },
            kind,
            ore: if s.chance(1, 12) { s.below(2) * 1_000 } else { 500_000 + s.below(100_000_000) },
            holdings,
            bank,
        })
    }

    /// An account, most likely one that was not closed.
    fn account(&mut self) -> Name {
        if !self.open.is_empty() && !self.stream.chance(1, 60) {
            return *self.stream.pick(&self.open);
        }
        small(self.stream.below(u64::from(self.names.max(1))))
    }

    fn client_of(&self, account: Name) -> ClientNo {
        self.owners.binary_search_by_key(&account, |owner| owner.0).map_or(0, |at| self.owners[at].1)
    }

    fn fund(&mut self) -> FundNo {
        if self.focus.1 > 0 && self.stream.chance(3, 4) {
            self.focus.1 -= 1;
            return self.focus.0;
        }
        small(self.stream.below(u64::from(self.profile.funds)))
    }

    /// A fund for an account: nearly always one that its client offers.
    fn fund_for(&mut self, account: Name) -> FundNo {
        let fund = self.fund();
        let client = self.client_of(account);
        let offered = self.profile.universes.get(usize::from(client)).copied().unwrap_or(0);
        if offered == 0 || offered >> fund & 1 == 1 || self.stream.chance(1, 40) {
            return fund;
        }
        let nth = self.stream.below(u64::from(offered.count_ones()));
        let offered = (0..self.profile.funds).filter(|fund| offered >> fund & 1 == 1);
        offered.clone().nth(small(nth)).unwrap_or(fund)
    }

    /// An account and a fund that it probably holds.
    fn holding(&mut self) -> (Name, FundNo) {
        if self.holdings.is_empty() || self.stream.chance(1, 40) {
            let account = self.account();
            return (account, self.fund_for(account));
        }
        *self.stream.pick(&self.holdings)
    }

    /// An order, most likely a young one.
    fn order(&mut self) -> OrderName {
        let reach = if self.stream.chance(3, 4) { 6 } else { 60 };
        let back = small::<u32>(1 + self.stream.below(reach));
        self.orders.saturating_sub(back)
    }

    fn next_order(&mut self) -> OrderName {
        let name = self.orders;
        self.orders = self.orders.saturating_add(1);
        name
    }

    fn slip(&mut self) -> Slip {
        const ODD: &[Slip] = &[
            Slip::Stranger,
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
            at if at < u64::from(self.profile.mischief / 2) => *self.stream.pick(ODD),
            at if at < 900 => Slip::None,
            at if at < 960 => Slip::Signed,
            _ => Slip::Dry,
        }
    }

    fn buy(&mut self) -> Step {
        let account = self.account();
        let (fund, slip) = (self.fund_for(account), self.slip());
        let odd = u64::from(self.profile.mischief / 2);
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
    fn buy_for(&mut self, account: Name) -> Step {
        let (fund, sum) = (self.fund_for(account), Sum::Ore(60_000));
        self.holdings.push((account, fund));
        Step::Buy(Buy { name: self.next_order(), account, fund, sum, slip: Slip::None })
    }

    fn sell(&mut self) -> Step {
        let ((account, fund), slip) = (self.holding(), self.slip());
        let odd = u64::from(self.profile.mischief / 2);
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

    /// Cash out of an account; now and then the bank sends it back.
    fn withdraw(&mut self) -> Step {
        const ODD: &[WithdrawalSlip] = &[
            WithdrawalSlip::LongReference,
            WithdrawalSlip::ForeignBank,
            WithdrawalSlip::Stranger,
            WithdrawalSlip::OtherPartner,
            WithdrawalSlip::UnknownAccount,
            WithdrawalSlip::NoAmount,
            WithdrawalSlip::Twice,
        ];
        let account = self.account();
        if self.stream.chance(1, 6) {
            self.plot.push(Step::SendBack(account));
            self.plot.push(Step::Wait(Wait::BankDays(2)));
        }
        let s = &mut self.stream;
        let sum = match s.below(16) {
            0 => Taken::Full,
            1 => Taken::Least,
            2 => Taken::TooLittle,
            3 => Taken::Most,
            4 => Taken::TooMuch,
            5..12 => Taken::Part(small(1 + s.below(16))),
            _ => Taken::Ore(100_000 + s.below(400_000)),
        };
        let slip = match s.below(16) {
            0 | 1 => *s.pick(ODD),
            2..5 => WithdrawalSlip::Referenced,
            _ => WithdrawalSlip::None,
        };
        Step::Withdraw(Withdraw { account, sum, slip })
    }

    fn hold(&mut self) -> Step {
        let name = self.order();
        self.held.push(name);
        Step::Hold(name)
    }

    fn price(&mut self) -> Step {
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

    fn trading(&mut self) -> Step {
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

    /// The least that can be sold, at a price that falls by half before it is dealt: the execution rounds to nothing.
    fn sliver(&mut self) -> Step {
        let (account, fund) = self.holding();
        self.plot.push(Step::Wait(Wait::To(Edge::CutOff(fund), 60_000)));
        self.plot.push(Step::Price(SetPrice { fund, day: PriceDay::Next, of_close: 5_010 }));
        let (name, proceeds, slip) = (self.next_order(), Proceeds::Keep, Slip::None);
        Step::Sell(Sell { name, account, fund, share: Share::Least, proceeds, slip })
    }

    fn close(&mut self) -> Step {
        let name = self.account();
        self.open.retain(|open| *open != name);
        self.holdings.retain(|(account, _)| *account != name);
        Step::Close(name)
    }

    fn mischief(&mut self) -> Step {
        match self.stream.below(37) {
            34 => self.action(),
            35 | 36 => self.booking(),
            26.. => self.money(),
            24 => self.client(),
            25 => self.purge(),
            20 | 21 => self.sliver(),
            22 if self.open.len() > 2 && self.stream.chance(1, 4) => self.close(),
            22 => self.open(),
            23 => self.trading(),
            0..5 => self.hold(),
            5..9 => Step::Release(self.held.pick(&mut self.stream)),
            9 => Step::Reject(self.held.pick(&mut self.stream)),
            10..13 => Step::Reject(self.order()),
            13 | 14 => self.price(),
            15 | 16 => self.trading(),
            17 => Step::Late { fund: self.fund(), bank_days: *self.stream.pick(&[0, 1, 1, 2, 3, 40]) },
            18 => Step::Bounce(self.paid.pick(&mut self.stream)),
            _ => Step::Plan(self.account(), self.plan_change()),
        }
    }

    /// Money comes in; what was instructed last is more often paid, refused or undone than what is old.
    fn money(&mut self) -> Step {
        let ore = |s: &mut Stream| small::<u32>(if s.chance(1, 20) { s.below(2) } else { 100 + s.below(300_000) });
        let at = self.stream.below(16);
        let back = small::<InstructionName>(1 + self.stream.below(5));
        let known = self.instructions.saturating_sub(back);
        Step::Money(match at {
            0..6 => {
                let name = self.instructions;
                self.instructions = self.instructions.saturating_add(1);
                let account = self.account();
                let (count, ore) = (small(1 + self.stream.below(3)), ore(&mut self.stream));
                let (transfer, again) = (self.stream.chance(1, 4), self.stream.chance(1, 12));
                // What comes of it is waited for now and then, and undone.
                match self.stream.below(8) {
                    0 => self.plot.push(Step::Money(Money::Fail(name, small(self.stream.below(4))))),
                    1 | 2 => {
                        self.plot.push(Step::Money(Money::Refund(name, self.stream.chance(1, 2))));
                        self.plot.push(Step::Wait(Wait::BankDays(2)));
                        if transfer {
                            self.plot.push(Step::Money(Money::Send(name, true)));
                        }
                    }
                    3 if transfer => self.plot.push(Step::Money(Money::Send(name, true))),
                    _ => {}
                }
                Money::Instruct(Instruct { name, account, count, ore, transfer, again })
            }
            6..9 => Money::Bankgiro(small(self.stream.below(u64::from(self.names.max(1)))), ore(&mut self.stream)),
            9 => Money::Nobodys(ore(&mut self.stream)),
            10 => Money::Send(known, self.stream.chance(3, 4)),
            11 => Money::Fail(known, small(self.stream.below(4))),
            12 | 13 => Money::Refund(known, self.stream.chance(1, 2)),
            14 => Money::Allocate(self.account()),
            _ => Money::Return,
        })
    }

    fn plan_change(&mut self) -> PlanChange {
        match self.stream.below(8) {
            0..4 => PlanChange::Shares(small(self.stream.below(20))),
            4 => PlanChange::Paid,
            5 => PlanChange::Unpaid,
            6 => PlanChange::DeleteAllocation,
            _ => PlanChange::DeleteSavings,
        }
    }

    fn client(&mut self) -> Step {
        let beside = small(self.stream.below(u64::from(self.profile.clients)));
        if self.clients < self.profile.clients + MOST_NEW_CLIENTS && self.stream.chance(1, 3) {
            let flaws = [
                ClientFlaw::None,
                ClientFlaw::None,
                ClientFlaw::TakenCrn,
                ClientFlaw::EmptyName,
                ClientFlaw::ServiceTwice,
            ];
            let flaw = *self.stream.pick(&flaws);
            let number = self.clients;
            if flaw == ClientFlaw::None {
                self.clients += 1;
                if self.stream.chance(1, 4) {
                    self.plot.push(Step::Purge(Forgotten::Client(number)));
                }
            }
            return Step::NewClient(NewClient { beside, number, flaw });
        }
        let client = small(self.stream.below(u64::from(self.clients)));
        let change = match self.stream.below(8) {
            0..3 => ClientChange::Name(small(self.stream.below(5))),
            3 | 4 => ClientChange::Country(small(self.stream.below(4))),
            5 => ClientChange::Nothing,
            6 => ClientChange::Crn,
            _ => ClientChange::NoBankAccounts,
        };
        Step::ChangeClient(client, change)
    }

    fn purge(&mut self) -> Step {
        Step::Purge(match self.stream.below(12) {
            0..4 => Forgotten::Order(self.order()),
            4 => Forgotten::Cash(self.order()),
            5 => Forgotten::Units(self.order()),
            6 | 7 => Forgotten::Journey(self.journey()),
            8 | 9 => Forgotten::Account(self.account()),
            // Those of the setup have accounts.
            _ => Forgotten::Client(self.clients.saturating_sub(small(1 + self.stream.below(2)))),
        })
    }

    /// What was canceled is sometimes forgotten, with what it had booked.
    fn cancel(&mut self) -> Step {
        let name = self.order();
        if self.stream.chance(1, 10) {
            let what = [Forgotten::Order(name), Forgotten::Cash(name), Forgotten::Units(name), Forgotten::Units(name)];
            let what = *self.stream.pick(&what);
            self.plot.push(Step::Purge(what));
        }
        Step::Cancel(name)
    }
}

impl Iterator for Generator {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.opening > 0 {
            self.opening -= 1;
            return Some(self.open());
        }
        if let Some(step) = self.about_payments() {
            return Some(step);
        }
        if !self.plot.is_empty() && self.stream.chance(1, 2) {
            return self.plot.pop();
        }
        if let Some(step) = self.next_plot() {
            return Some(step);
        }
        let (waits, mischief) = (u64::from(self.profile.waits), u64::from(self.profile.mischief));
        let journeys = u64::from(self.profile.journeys);
        if journeys > 0 && self.stream.below(1_000) < journeys {
            return Some(self.about_journeys());
        }
        let at = self.stream.below(1_000);
        Some(match at {
            _ if at < waits => self.wait(),
            _ if at < waits + mischief => self.mischief(),
            _ if at < waits + mischief + 5 => self.open(),
            _ if at < waits + mischief + 30 => self.withdraw(),
            _ => match self.stream.below(10) {
                0..5 => self.buy(),
                5..8 => self.sell(),
                _ => self.cancel(),
            },
        })
    }
}

/// A holding of up to ten thousand units, now and then with more decimals than any fund deals in.
fn units(stream: &mut Stream) -> u64 {
    if stream.chance(1, 4) { 1 + stream.below(100_000_000_000) } else { (1 + stream.below(1_000)) * 10_000_000 }
}

/// A drawn number in the width it is kept in.
fn small<T: TryFrom<u64>>(number: u64) -> T {
    T::try_from(number).unwrap_or_else(|_| unreachable!("{number} was drawn below the width's bound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_steps_and_another_gives_others() {
        let steps = |seed| Generator::new(seed, Profile::wide()).take(500).collect::<Vec<_>>();
        assert_eq!(steps(7), steps(7));
        assert_ne!(steps(7), steps(8));
    }

    #[test]
    fn names_are_handed_out_once_and_in_order() {
        let mut orders = Vec::new();
        let mut names = Vec::new();
        for step in Generator::new(3, Profile::wide()).take(2_000) {
            match step {
                Step::Buy(Buy { name, .. }) | Step::Sell(Sell { name, .. }) => orders.push(name),
                Step::Open(open) => names.push(open.name),
                Step::Start(start) => names.push(start.name),
                _ => {}
            }
        }
        assert!(orders.iter().copied().eq(0..u32::try_from(orders.len()).expect("few")));
        // The plot of a mandate starts a journey whose name was handed out before that of the next account.
        names.sort_unstable();
        assert!(names.iter().copied().eq(0..u16::try_from(names.len()).expect("few")));
    }

    #[test]
    fn a_step_is_small() {
        assert!(std::mem::size_of::<Step>() <= 40, "{}", std::mem::size_of::<Step>());
    }
}
