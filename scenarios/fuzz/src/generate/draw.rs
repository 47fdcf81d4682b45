//! Steps from a seed.
//!
//! Owns: how often each kind of step comes and which numbers it gets. Invariant: the same seed and profile give the same
//! steps, whatever a world makes of them; names are handed out once, in order. Absent on purpose: any look at a world.

mod accounts;
mod journeys;
mod meetings;
mod mobile_payments;
mod orders;
mod payments;
mod securities;
mod waits;

use super::Profile;
use super::step::{Bank, ClientNo, FundNo, InstructionName, Name, OrderName, PaymentName, Step};
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
    meetings: Stream,
    /// The rest of the meeting under way, last first.
    meeting_plot: Vec<Step>,
    /// Accounts that meetings have left as they were, with their bank and their cash at first.
    left: Vec<(Bank, u64, Opened)>,
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

/// Most people who own several accounts, and banks.
const REGULARS: u64 = 6;
/// People who own several accounts and, until a journey gives them one, no bank account or none that was checked.
const WITHOUT_BANK: [u8; 2] = [7, 8];
/// Most clients that a run adds to those of the setup.
const MOST_NEW_CLIENTS: ClientNo = 4;

/// An account that a meeting has opened.
#[derive(Clone, Copy, Debug)]
struct Opened {
    name: Name,
    client: ClientNo,
    fund: FundNo,
    owner: u8,
}

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
            meetings: Seed(seed).stream("generated meetings"),
            meeting_plot: Vec::new(),
            left: Vec::new(),
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

    fn adverse_step(&mut self) -> Step {
        match self.stream.below(37) {
            34 => self.action(),
            35 | 36 => self.booking(),
            26.. => self.money(),
            24 => self.client(),
            25 => self.purge(),
            20 | 21 => self.sliver(),
            22 if self.open.len() > 2 && self.stream.chance(1, 4) => self.close(),
            22 if self.stream.chance(1, 6) => Step::Death(self.account()),
            22 => self.open(),
            23 => self.trading(),
            0..5 => self.hold(),
            5..9 => Step::Release(self.held.pick(&mut self.stream)),
            9 => Step::Reject(self.held.pick(&mut self.stream)),
            10 => self.refused_together(),
            11 | 12 => Step::Reject(self.order()),
            13 | 14 => self.price(),
            15 | 16 => self.trading(),
            17 => Step::DelayNav { fund: self.fund(), bank_days: *self.stream.pick(&[0, 1, 1, 2, 3, 40]) },
            18 => Step::Bounce(self.paid.pick(&mut self.stream)),
            _ => Step::Plan(self.account(), self.plan_change()),
        }
    }
}

impl Iterator for Generator {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.opening > 0 {
            self.opening -= 1;
            return Some(self.open());
        }
        if let Some(step) = self.about_meetings() {
            return Some(step);
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
        let (waits, adverse_step) = (u64::from(self.profile.waits), u64::from(self.profile.adverse_step));
        let journeys = u64::from(self.profile.journeys);
        if journeys > 0 && self.stream.below(1_000) < journeys {
            return Some(self.about_journeys());
        }
        let at = self.stream.below(1_000);
        Some(match at {
            _ if at < waits => self.wait(),
            _ if at < waits + adverse_step => self.adverse_step(),
            _ if at < waits + adverse_step + 5 => self.open(),
            _ if at < waits + adverse_step + 30 => self.withdraw(),
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
    use super::super::step::{Buy, Sell};
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_steps_and_another_gives_others() {
        let steps = |seed| Generator::new(seed, Profile::wide()).take(500).collect::<Vec<_>>();
        assert_eq!(steps(7), steps(7));
        assert_ne!(steps(7), steps(8));
    }

    #[test]
    fn names_are_handed_out_once_and_none_is_left_out() {
        let mut orders = Vec::new();
        let mut names = Vec::new();
        let mut generator = Generator::new(3, Profile::wide());
        let mut steps: Vec<Step> = generator.by_ref().take(2_000).collect();
        // What has been given a name and has not come yet.
        let [plot, payments, meeting, journeys] =
            [&generator.plot, &generator.payment_plot, &generator.meeting_plot, &generator.journeys.plot];
        steps.extend(plot.iter().chain(payments).chain(meeting).chain(journeys));
        for step in steps {
            match step {
                Step::Buy(Buy { name, .. }) | Step::Sell(Sell { name, .. }) => orders.push(name),
                Step::Open(open) => names.push(open.name),
                Step::Start(start) => names.push(start.name),
                _ => {}
            }
        }
        // A plot has its names before the steps that come between its own.
        orders.sort_unstable();
        assert!(orders.iter().copied().eq(0..u32::try_from(orders.len()).expect("few")));
        names.sort_unstable();
        assert!(names.iter().copied().eq(0..u16::try_from(names.len()).expect("few")));
    }

    #[test]
    fn a_step_is_small() {
        assert!(std::mem::size_of::<Step>() <= 40, "{}", std::mem::size_of::<Step>());
    }
}
