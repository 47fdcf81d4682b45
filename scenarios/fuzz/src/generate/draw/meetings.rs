//! The steps of rare meetings: something is begun, the clock goes to where a timer of it is due or just beside, and something else
//! changes there.
//!
//! Invariant: drawn from a stream of their own, so that the other steps of a seed stay as they are whatever a meeting has. Absent on
//! purpose: which meetings a run has, which its profile says, and any look at a world.

use super::{Generator, Opened, REGULARS, WITHOUT_BANK, small};
use crate::generate::meeting::Meeting;
use crate::generate::step::{
    Action, Ask, Bank, Booked, Buy, ClientChange, ClientNo, Device, Edge, FundNo, HolderKind, Holdings, Instruct,
    Journey, Limit, Money, Name, Open, OrderName, PersonNo, PriceDay, Proceeds, Season, Sell, SetPrice, Share, Slip,
    Start, Step, Sum, Taken, TimerKind, Trading, Wait, Withdraw, WithdrawalSlip, options,
};
use sim::command::{ScreeningHit, SignOutcome};
use sim::machines::mandate;
use sim::records::JourneyType;

/// A day in milliseconds.
const DAY: i32 = 86_400_000;
/// An hour in milliseconds.
const HOUR: i32 = 3_600_000;
/// Milliseconds before and after a deadline that make a difference.
const BESIDE: &[i32] = &[-DAY, -HOUR, -1, -1, 0, 0, 1, 1, HOUR, DAY];
/// Ore before and after a limit that make a difference.
const NEAR: &[i8] = &[-1, 0, 0, 0, 1];
/// A thousand units, in steps of 10^-7.
const A_THOUSAND_UNITS: u64 = 10_000_000_000;
/// Cash for orders larger than any that passes its first check: twelve million SEK, in ore.
const RICH: u64 = 1_200_000_000;
/// Cash for a few usual orders, in ore.
const USUAL: u64 = 5_000_000;
/// The place of the first regular customer among those who come again: after people with fixed numbers.
const FIRST_REGULAR: PersonNo = 11;
/// The places of bookings of units that come from outside or go there: gifts and inheritances, in and out.
const FROM_OUTSIDE: [u8; 4] = [4, 5, 6, 7];

/// Something that is under way for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Purchase,
    Sale,
    SaleToBank,
    SaleToAccount,
    Withdrawal,
    Charge,
    Transfer,
    MobilePayment,
    Deposit,
    NewBankAccount,
}

/// Each kind of work, with the timers that it waits for, in their order.
const WORK: &[(Work, &[&str])] = &[
    (
        Work::Purchase,
        &["order accepted or parked", "aggregated order routed", "executions confirmed", "subscriptions settled"],
    ),
    (
        Work::Sale,
        &["order accepted or parked", "aggregated order routed", "executions confirmed", "redemptions settled"],
    ),
    (Work::SaleToBank, &["order accepted or parked", "executions confirmed", "redemptions settled", "payout sent"]),
    (Work::SaleToAccount, &["order accepted or parked", "executions confirmed", "redemptions settled"]),
    (Work::Withdrawal, &["payout sent", "payout returned"]),
    (Work::Charge, &["payment file closed", "payment charged"]),
    (Work::Transfer, &["bankgiro payment booked"]),
    (Work::MobilePayment, &["mobile payment answered", "mobile payment times out"]),
    (Work::Deposit, &["bankgiro payment booked"]),
    (Work::NewBankAccount, &["bank account checked", "journey expires", "mandate answered"]),
];

impl Generator {
    /// A step of the meeting under way, or the first of another, now and then.
    pub(super) fn about_meetings(&mut self) -> Option<Step> {
        if !self.meeting_plot.is_empty() {
            // Others act between, seldom enough that what is aimed at is met.
            return if self.meetings.chance(7, 8) { self.meeting_plot.pop() } else { None };
        }
        if self.meetings.below(1_000) >= u64::from(self.profile.meetings) {
            return None;
        }
        let meeting = if self.meetings.chance(3, 4) {
            *self.meetings.pick(&self.profile.forced)
        } else {
            *self.meetings.pick(&Meeting::ALL)
        };
        let mut steps = self.steps_of(meeting);
        steps.reverse();
        self.meeting_plot = steps;
        self.meeting_plot.pop()
    }

    fn steps_of(&mut self, meeting: Meeting) -> Vec<Step> {
        match meeting {
            Meeting::Minimums => self.minimums(),
            Meeting::LargeOrder => self.large_order(),
            Meeting::Destination => self.destination(),
            Meeting::DealtPrice => self.dealt_price(),
            Meeting::LastEarnings => self.last_earnings(),
            Meeting::SignedOnce => self.signed_once(),
            Meeting::ForeignReference => self.foreign_reference(),
            Meeting::AgreedBefore => self.agreed_before(),
            Meeting::UnitsFromOutside => self.units_from_outside(),
            Meeting::FailedCharge => self.failed_charge(),
            Meeting::ClosingAmidWork => self.amid_work(true, |_, account| vec![Step::Close(account.name)]),
            Meeting::DeathAmidWork => self.amid_work(true, |_, account| vec![Step::Death(account.name)]),
            Meeting::SanctionsAmidWork => self.amid_work(false, |_, account| {
                let person = FIRST_REGULAR + account.owner.saturating_sub(1);
                let screen = |hit| Step::Screen(person, hit);
                vec![screen(ScreeningHit::Sanctions), Step::Wait(Wait::BankDays(1)), screen(ScreeningHit::Clear)]
            }),
            Meeting::SuspendedAmidWork => self.amid_work(false, Self::suspended),
            Meeting::SplitAmidWork => self.amid_work(false, |own, account| {
                let split = Action::Split(small(own.meetings.below(10)));
                vec![Step::Action(account.fund, split), Step::Wait(Wait::BankDays(4))]
            }),
            Meeting::LatePrices => self.late_prices(),
            Meeting::FeesAtMidnight => self.fees_at_midnight(),
            Meeting::LinkEnds => self.link_ends(),
            Meeting::SpanEnds => self.span_ends(),
            Meeting::AtTimer => self.at_timer(),
        }
    }

    /// An account of a regular customer with a thousand units of a fund that its client offers. It is one of those that other steps
    /// use too, every second time.
    fn fresh(&mut self, steps: &mut Vec<Step>, bank: Bank, ore: u64) -> Opened {
        let client = small(self.meetings.below(u64::from(self.profile.clients)));
        let fund = self.offered(client);
        let owner = small(1 + self.meetings.below(REGULARS));
        self.opened(steps, Opened { name: 0, client, fund, owner }, bank, ore, 1)
    }

    /// As `fresh`, of an account that the meeting does not end: one that an earlier meeting has left may come again.
    fn lasting(&mut self, steps: &mut Vec<Step>, bank: Bank, ore: u64) -> Opened {
        let left: Vec<Opened> = self
            .left
            .iter()
            .filter(|(known, cash, _)| (*known, *cash) == (bank, ore))
            .map(|(.., left)| *left)
            .collect();
        if !left.is_empty() && self.meetings.chance(2, 3) {
            return *self.meetings.pick(&left);
        }
        let account = self.fresh(steps, bank, ore);
        self.left.push((bank, ore, account));
        account
    }

    /// Another account of the same customer.
    fn sibling(&mut self, steps: &mut Vec<Step>, of: Opened, bank: Bank, ore: u64, funds: u8) -> Opened {
        self.opened(steps, of, bank, ore, funds)
    }

    fn opened(&mut self, steps: &mut Vec<Step>, like: Opened, bank: Bank, ore: u64, funds: u8) -> Opened {
        let name = self.next_name();
        let Opened { client, fund, owner, .. } = like;
        self.owners.push((name, client));
        if self.meetings.chance(1, 2) {
            self.open.push(name);
        }
        let kind = if self.meetings.chance(1, 6) { HolderKind::Pro } else { HolderKind::Retail };
        let holdings = Holdings { from: fund, count: funds, steps: A_THOUSAND_UNITS };
        steps.push(Step::Open(Open { name, client, owner, kind, ore, holdings, bank }));
        Opened { name, ..like }
    }

    /// A fund that a client offers.
    fn offered(&mut self, client: ClientNo) -> FundNo {
        let offered = self.profile.universes.get(usize::from(client)).copied().unwrap_or(0);
        self.one_of(offered)
    }

    /// One of these funds, a bit each; any where there is none.
    fn one_of(&mut self, funds: u64) -> FundNo {
        let all: Vec<FundNo> = (0..self.profile.funds).filter(|fund| funds >> fund & 1 == 1).collect();
        if all.is_empty() {
            small(self.meetings.below(u64::from(self.profile.funds)))
        } else {
            *self.meetings.pick(&all)
        }
    }

    fn near(&mut self) -> i8 {
        *self.meetings.pick(NEAR)
    }

    fn beside(&mut self) -> i32 {
        *self.meetings.pick(BESIDE)
    }

    /// A wait until the next timer of that kind is due, or until just beside.
    fn until_timer(&mut self, what: &str) -> Step {
        Step::Wait(Wait::To(Edge::Timer(TimerKind::of(what)), self.beside()))
    }

    fn days(&mut self, most: u64) -> Step {
        Step::Wait(Wait::BankDays(small(1 + self.meetings.below(most))))
    }

    /// A purchase of about as much as a limit, exactly or beside it.
    fn bought_near(&mut self, account: Opened, limit: Limit) -> Step {
        let beside = self.near();
        self.bought(account, Sum::Near(limit, beside)).1
    }

    fn bought(&mut self, account: Opened, sum: Sum) -> (OrderName, Step) {
        let name = self.next_order();
        (name, Step::Buy(Buy { name, account: account.name, fund: account.fund, sum, slip: Slip::None }))
    }

    fn sold(&mut self, account: Opened, share: Share, proceeds: Proceeds) -> (OrderName, Step) {
        let name = self.next_order();
        let Opened { name: account, fund, .. } = account;
        (name, Step::Sell(Sell { name, account, fund, share, proceeds, slip: Slip::None }))
    }

    /// An account that has none of the fund buys at the minimum of a first purchase, which comes to nothing, or is sold again; then at
    /// that of later ones.
    fn minimums(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let client = 0;
        let tiered = self.profile.universes[0] & self.profile.tiered;
        let funds = if self.meetings.chance(7, 8) { tiered } else { self.profile.universes[0] };
        let fund = self.one_of(funds);
        let owner = small(1 + self.meetings.below(REGULARS));
        let account = self.opened(&mut steps, Opened { name: 0, client, fund, owner }, Bank::Good, RICH, 0);
        let (limit, beside) = (Limit::FirstPurchase, self.near());
        let (order, buy) = self.bought(account, Sum::Near(limit, beside));
        steps.push(buy);
        let later = Step::Wait(Wait::Ms(2_000));
        steps.extend(match self.meetings.below(6) {
            0 | 1 => vec![Step::Cancel(order)],
            2 => vec![later, Step::Cancel(order)],
            3 => vec![later, Step::Hold(order), Step::Reject(order)],
            4 => vec![later, Step::Wait(Wait::To(Edge::CutOff(fund), 30_000)), Step::Reject(order)],
            _ => Vec::new(),
        });
        for _ in 0..2 {
            let again = self.bought_near(account, Limit::LaterPurchase);
            steps.push(again);
        }
        steps
    }

    fn large_order(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, RICH);
        for _ in 0..2 {
            let buy = self.bought_near(account, Limit::Large);
            steps.push(buy);
            steps.push(Step::Wait(Wait::To(Edge::Timer(TimerKind::of("order accepted or parked")), 0)));
        }
        let rest = self.bought_near(account, Limit::Cash);
        steps.extend([rest, Step::Wait(Wait::Ms(2_000))]);
        let (share, again) = (*self.meetings.pick(&[Share::AllBut, Share::Everything, Share::TooMuch]), Share::TooFew);
        for share in [again, share] {
            let (_, sell) = self.sold(account, share, Proceeds::Keep);
            steps.push(sell);
        }
        steps
    }

    /// The other account stays `closing` for days where it holds units, which are sold first.
    fn destination(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let from = self.fresh(&mut steps, Bank::Good, USUAL);
        let funds = small(self.meetings.below(2));
        let bank = *self.meetings.pick(&[Bank::Good, Bank::Good, Bank::None]);
        let to = self.sibling(&mut steps, from, bank, USUAL, funds);
        let (order, sell) = self.sold(from, Share::Part(20), Proceeds::Transfer(to.name));
        steps.push(sell);
        steps.push(Step::Wait(Wait::To(Edge::CutOff(from.fund), 60_000)));
        if self.meetings.chance(1, 2) {
            steps.push(self.until_timer("redemptions settled"));
        }
        let person = FIRST_REGULAR + from.owner.saturating_sub(1);
        steps.push(match self.meetings.below(8) {
            0 => Step::Screen(person, ScreeningHit::Sanctions),
            1 => Step::Close(from.name),
            2 => Step::Reject(order),
            _ => Step::Close(to.name),
        });
        steps.push(self.days(4));
        steps.extend([Step::Wait(Wait::BankDays(3)), Step::Screen(person, ScreeningHit::Clear)]);
        steps
    }

    /// The price of a dealing day, before and after it has executions.
    fn dealt_price(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, USUAL);
        let (fund, sells) = (account.fund, self.meetings.chance(1, 2));
        let (order, step) = if sells {
            self.sold(account, Share::Part(8), Proceeds::Keep)
        } else {
            self.bought(account, Sum::Ore(1_000_000))
        };
        steps.extend([step, Step::Wait(Wait::To(Edge::CutOff(fund), 60_000))]);
        let settled = if sells { "redemptions settled" } else { "subscriptions settled" };
        let set = |of_close| Step::Price(SetPrice { fund, day: PriceDay::Dealt(order), of_close });
        for what in ["executions confirmed", settled] {
            let beside = *self.meetings.pick(&[-1, 0, 0, 1, HOUR]);
            steps.push(Step::Wait(Wait::To(Edge::Timer(TimerKind::of(what)), beside)));
            steps.push(set(*self.meetings.pick(&[10_000, 10_050, 9_900])));
        }
        steps.extend([self.days(3), set(10_010)]);
        steps
    }

    /// Units and cash leave for another account; what remains is what has been earned and not paid.
    fn last_earnings(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let client = small(self.meetings.below(u64::from(self.profile.clients)));
        let (fund, owner) = (self.offered(client), *self.meetings.pick(&WITHOUT_BANK));
        let bank = if owner == WITHOUT_BANK[0] { Bank::None } else { Bank::Unchecked };
        let from = self.opened(&mut steps, Opened { name: 0, client, fund, owner }, bank, 0, 1);
        let to = self.sibling(&mut steps, from, Bank::None, USUAL, 0);
        steps.push(Step::Wait(Wait::Days(small(1 + self.meetings.below(8)))));
        let (_, sell) = self.sold(from, Share::Everything, Proceeds::Transfer(to.name));
        steps.push(sell);
        for _ in 0..3 {
            steps.extend([Step::Wait(Wait::BankDays(3)), Step::Close(from.name)]);
        }
        if self.meetings.chance(1, 8) {
            let beside = self.beside();
            steps.extend([Step::Wait(Wait::To(Edge::Season(Season::Retrocessions), beside)), Step::Close(from.name)]);
        }
        steps
    }

    /// Where the client needs it; elsewhere none is needed. The signature holds a day.
    fn signed_once(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, USUAL);
        let start = self.start_about(account.name, JourneyType::SignWithdrawal, 0);
        steps.extend([Step::Start(start), Step::Journey(start.name, Journey::Complete(0))]);
        if self.meetings.chance(1, 4) {
            let beside = *self.meetings.pick(&[-1, 0, 1]);
            steps.push(Step::Wait(Wait::Ms(small(u64::try_from(DAY + beside).unwrap_or_default()))));
        }
        for _ in 0..3 {
            let withdraw = Withdraw { account: account.name, sum: Taken::Ore(150_000), slip: WithdrawalSlip::None };
            let (_, sell) = self.sold(account, Share::Part(8), Proceeds::PayOut);
            steps.push(if self.meetings.chance(1, 3) { Step::Withdraw(withdraw) } else { sell });
        }
        steps
    }

    fn foreign_reference(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, USUAL);
        let ore = small(100 + self.meetings.below(300_000));
        let instruct = self.instructed(account.name, true);
        let Step::Money(Money::Instruct(Instruct { name, .. })) = instruct else { return steps };
        let paid =
            [Money::ThroughOther(account.name, ore), Money::SendThroughOther(name), Money::Bankgiro(account.name, ore)];
        let mut paid: Vec<Step> = paid.into_iter().map(Step::Money).collect();
        let first: usize = small(self.meetings.below(3));
        paid.rotate_left(first);
        steps.push(instruct);
        steps.extend(paid);
        steps.push(self.until_timer("bankgiro payment booked"));
        steps.extend([self.days(2), Step::Money(Money::Allocate(account.name)), Step::Money(Money::Return)]);
        steps
    }

    fn instructed(&mut self, account: Name, transfer: bool) -> Step {
        let name = self.instructions;
        self.instructions = self.instructions.saturating_add(1);
        let (count, ore) = (small(1 + self.meetings.below(3)), small(100 + self.meetings.below(300_000)));
        Step::Money(Money::Instruct(Instruct { name, account, count, ore, transfer, again: false }))
    }

    /// A journey is walked up to its signature; an earlier step is answered again, and it is signed.
    fn agreed_before(&mut self) -> Vec<Step> {
        let name = self.next_name();
        let client = small(self.meetings.below(u64::from(self.profile.clients)));
        let kind = if self.meetings.chance(3, 4) { 0 } else { 1 };
        self.journeys.names.push((name, client));
        self.journeys.openers.push(name);
        self.owners.push((name, client));
        let chosen = [
            0,
            0,
            options::ALLOCATION,
            options::MANDATE_OFFERED,
            options::SAVINGS,
            options::ALLOCATION | options::SHARES,
        ];
        let options = *self.meetings.pick(&chosen);
        // Those with the first numbers have no fixed outcome that ends a journey.
        let start = Start { name, client, kind, account: small(self.meetings.below(2)), person: 0, of: 0, options };
        let act = |act| Step::Journey(name, act);
        let sign = act(Journey::Sign(SignOutcome::Sign));
        let mut steps = vec![Step::Start(start), act(Journey::Open), sign];
        steps.extend([act(Journey::Next); 9]);
        for _ in 0..1 + self.meetings.below(2) {
            let (back, pick) = (small(self.meetings.below(6)), small(1 + self.meetings.below(140)));
            steps.push(act(Journey::Again(back, pick)));
        }
        steps.push(sign);
        if self.meetings.chance(1, 2) {
            steps.extend([act(Journey::Next), act(Journey::Next), sign]);
        }
        steps
    }

    fn units_from_outside(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::None, USUAL);
        for _ in 0..1 + self.meetings.below(3) {
            let kind = *self.meetings.pick(&FROM_OUTSIDE);
            let share = Share::Steps(10_000_000 * (1 + self.meetings.below(50)));
            let cost = self.meetings.chance(1, 4).then(|| small(self.meetings.below(1_000_000)));
            let booked = Booked::Units { kind, fund: account.fund, share, cost };
            steps.push(Step::Book(account.name, booked));
            let beside = self.beside();
            steps.push(if self.meetings.chance(1, 2) {
                Step::Wait(Wait::To(Edge::Midnight, beside))
            } else {
                Step::Wait(Wait::Days(1))
            });
        }
        steps.push(Step::Wait(Wait::Days(2)));
        steps
    }

    /// A bank that pays late, never or once; and what happens to the account between two tries.
    fn failed_charge(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let bank = *self.meetings.pick(&[Bank::Poor, Bank::Poor, Bank::PoorAtFirst, Bank::Revokes, Bank::Pays]);
        let account = self.fresh(&mut steps, bank, USUAL);
        let instruct = self.instructed(account.name, false);
        let Step::Money(Money::Instruct(Instruct { name, .. })) = instruct else { return steps };
        steps.extend([instruct, self.until_timer("payment file closed")]);
        for _ in 0..5 {
            let beside = *self.meetings.pick(&[-1, 0, 0, 1, HOUR]);
            steps.push(Step::Wait(Wait::To(Edge::Timer(TimerKind::of("payment charged")), beside)));
            let closed = mandate::CODES.iter().position(|code| code.1 == mandate::Trigger::Close);
            let act = match self.meetings.below(16) {
                0 => Some(Step::Close(account.name)),
                1 => Some(Step::Death(account.name)),
                2 => closed.map(|at| Step::Advise(account.name, small(at as u64))),
                3 => Some(Step::Money(Money::Fail(name, small(self.meetings.below(4))))),
                4 => Some(Step::Money(Money::Refund(name, self.meetings.chance(1, 2)))),
                _ => None,
            };
            steps.extend(act);
        }
        steps.push(Step::Money(Money::Refund(name, false)));
        steps
    }

    /// Something of an account is under way, and where its timers are due something happens, which may end the account.
    fn amid_work(&mut self, ends: bool, act: impl FnOnce(&mut Self, Opened) -> Vec<Step>) -> Vec<Step> {
        let mut steps = Vec::new();
        let (work, timers) = *self.meetings.pick(WORK);
        let bank = match work {
            Work::Charge => *self.meetings.pick(&[Bank::Pays, Bank::Poor, Bank::PoorAtFirst]),
            _ => *self.meetings.pick(&[Bank::Good, Bank::Good, Bank::Bounces, Bank::Pays]),
        };
        let account = if ends { self.fresh(&mut steps, bank, USUAL) } else { self.lasting(&mut steps, bank, USUAL) };
        let begun = self.begin(&mut steps, account, work);
        let deep: usize = small(self.meetings.below(timers.len() as u64));
        if deep > 0 && matches!(work, Work::Purchase | Work::Sale | Work::SaleToBank | Work::SaleToAccount) {
            steps.push(Step::Wait(Wait::To(Edge::CutOff(account.fund), 60_000)));
        }
        steps.push(self.until_timer(timers[deep]));
        let acts = act(self, account);
        steps.extend(acts);
        if let (Some(order), true) = (begun, self.meetings.chance(1, 4)) {
            steps.push(*self.meetings.pick(&[Step::Cancel(order), Step::Release(order), Step::Reject(order)]));
        }
        steps.push(self.days(4));
        steps
    }

    /// Begins work of this kind; the order, where it is one.
    fn begin(&mut self, steps: &mut Vec<Step>, account: Opened, work: Work) -> Option<OrderName> {
        let Opened { name, .. } = account;
        let (order, step) = match work {
            Work::Purchase => self.bought(account, Sum::Ore(1_000_000)),
            Work::Sale => self.sold(account, Share::Part(8), Proceeds::Keep),
            Work::SaleToBank => self.sold(account, Share::Part(8), Proceeds::PayOut),
            Work::SaleToAccount => {
                let to = self.sibling(steps, account, Bank::Good, 0, 0);
                self.sold(account, Share::Part(8), Proceeds::Transfer(to.name))
            }
            Work::Withdrawal => {
                let slip = WithdrawalSlip::None;
                steps.push(Step::Withdraw(Withdraw { account: name, sum: Taken::Ore(150_000), slip }));
                return None;
            }
            Work::Charge | Work::Transfer => {
                let instruct = self.instructed(name, work == Work::Transfer);
                steps.push(instruct);
                if let (Step::Money(Money::Instruct(new)), Work::Transfer) = (instruct, work) {
                    steps.push(Step::Money(Money::Send(new.name, true)));
                }
                return None;
            }
            Work::MobilePayment => {
                let payment = self.payments;
                self.payments = self.payments.saturating_add(1);
                let ore = 100 * (1 + self.meetings.below(2_000));
                steps.push(Step::Ask(Ask { name: payment, account: name, ore, device: Device::Same }));
                return None;
            }
            Work::Deposit => {
                steps.push(Step::Money(Money::Bankgiro(name, 50_000)));
                return None;
            }
            Work::NewBankAccount => {
                let start = self.start_about(name, JourneyType::AddBankAccount, options::MANDATE);
                steps.push(Step::Start(start));
                steps.push(Step::Journey(start.name, *self.meetings.pick(&[Journey::Complete(1), Journey::Open])));
                return None;
            }
        };
        steps.push(step);
        Some(order)
    }

    fn suspended(&mut self, account: Opened) -> Vec<Step> {
        let fund = account.fund;
        let (closed, open) = (Some(false), Some(true));
        let (buyable, sellable, tradable) = *self.meetings.pick(&[
            (closed, None, None),
            (None, closed, None),
            (None, None, closed),
            (None, None, closed),
        ]);
        let again = Step::Trading(Trading { fund, buyable: open, sellable: open, tradable: open });
        vec![Step::Trading(Trading { fund, buyable, sellable, tradable }), self.days(2), again]
    }

    fn late_prices(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, USUAL);
        for _ in 0..3 {
            let (_, buy) = self.bought(account, Sum::Ore(200_000));
            let bank_days = small(self.meetings.below(4));
            steps.extend([Step::DelayNav { fund: account.fund, bank_days }, buy]);
            steps.push(Step::Wait(Wait::To(Edge::CutOff(account.fund), 60_000)));
            if self.meetings.chance(1, 2) {
                steps.push(self.until_timer("price published"));
            }
        }
        steps.push(Step::Wait(Wait::BankDays(6)));
        steps
    }

    fn fees_at_midnight(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::None, USUAL);
        for _ in 0..2 {
            let beside = self.beside();
            steps.push(Step::Wait(Wait::To(Edge::Midnight, beside)));
            let number = small(self.meetings.below(59));
            let change = *self.meetings.pick(&[ClientChange::PartnerFee(number), ClientChange::ClientFee(number)]);
            steps.push(Step::ChangeClient(account.client, change));
        }
        steps.push(Step::Wait(Wait::Days(2)));
        steps
    }

    fn link_ends(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.lasting(&mut steps, Bank::Good, USUAL);
        let kinds = [JourneyType::AddBankAccount, JourneyType::KycRenewal, JourneyType::SignWithdrawal];
        let kind = *self.meetings.pick(&kinds);
        let start = self.start_about(account.name, kind, 0);
        let act = |act| Step::Journey(start.name, act);
        steps.extend([Step::Start(start), act(Journey::Open)]);
        let beside = *self.meetings.pick(&[-DAY, -1, -1, 0, 1]);
        steps.push(Step::Wait(Wait::To(Edge::Expiry(start.name), beside)));
        steps.push(act(*self.meetings.pick(&[
            Journey::Complete(0),
            Journey::Sign(SignOutcome::Sign),
            Journey::Link,
            Journey::Cancel,
        ])));
        steps.extend([Step::Wait(Wait::Ms(1)), act(Journey::Complete(0))]);
        steps
    }

    fn span_ends(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let account = self.fresh(&mut steps, Bank::Good, USUAL);
        // Most often the nearest: years would pass between the days of another length.
        let edge = match self.meetings.below(12) {
            0 => Edge::Season(*self.meetings.pick(&[Season::Forward, Season::Back])),
            1 => Edge::Season(Season::Charges),
            2 | 3 => Edge::Season(Season::QuarterEnd),
            4..6 => Edge::Midnight,
            _ => Edge::Month,
        };
        let (_, sell) = self.sold(account, Share::Everything, Proceeds::Keep);
        steps.extend([Step::Wait(Wait::To(edge, -4 * DAY)), sell]);
        steps.push(Step::Wait(Wait::To(edge, self.beside())));
        let ore = small(1_000 + self.meetings.below(300_000));
        let taken = Withdraw { account: account.name, sum: Taken::Full, slip: WithdrawalSlip::None };
        steps.push(match self.meetings.below(4) {
            0 => Step::Withdraw(taken),
            1 => Step::Money(Money::Bankgiro(account.name, ore)),
            2 => Step::Close(account.name),
            _ => Step::Book(account.name, Booked::Cash(small(self.meetings.below(7)), u64::from(ore))),
        });
        steps.push(self.days(3));
        steps
    }

    fn at_timer(&mut self) -> Vec<Step> {
        let kind = TimerKind::any(&mut self.meetings);
        let mut steps = vec![Step::Wait(Wait::To(Edge::Timer(kind), self.beside()))];
        for _ in 0..2 {
            let account = if self.open.is_empty() { 0 } else { *self.meetings.pick(&self.open) };
            let order = self.orders.saturating_sub(small(1 + self.meetings.below(8)));
            let known = self.instructions.saturating_sub(small(1 + self.meetings.below(4)));
            let back = small(self.meetings.below(3));
            let journey = self.newest_journey(back).unwrap_or(0);
            let acts = [
                Step::Cancel(order),
                Step::Hold(order),
                Step::Release(order),
                Step::Reject(order),
                Step::SendBack(account),
                Step::Withdraw(Withdraw { account, sum: Taken::Most, slip: WithdrawalSlip::None }),
                Step::Check(account, self.meetings.chance(1, 2)),
                Step::Money(Money::Send(known, true)),
                Step::Money(Money::Refund(known, false)),
                Step::Money(Money::Fail(known, 0)),
                Step::Journey(journey, Journey::Complete(0)),
                Step::Journey(journey, Journey::Cancel),
            ];
            steps.push(*self.meetings.pick(&acts));
        }
        steps
    }
}
