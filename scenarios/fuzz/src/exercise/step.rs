//! One step of an exercise, from a seed.
//!
//! Invariant: the same seed gives the same steps for the same map; a step whose ground is missing does nothing, so that shrinking may take
//! away any other. Absent on purpose: texts (`story`).

use super::bad_days::BAD_DAYS;
use super::map::ApplicationMap;
use crate::shrink::Shrink;
use sim::rng::{Seed, Stream};

/// Moves of the clock, with the bank days that pass at least.
pub(super) const MOVES: &[(&str, u32)] =
    &[("1 day", 0), ("7 hours", 0), ("3 bank days", 3), ("2 days", 0), ("5 bank days", 5), ("1 month", 18)];

/// The move that lets a payout be paid.
const PAYS: u8 = 2;

/// Most customers of a run.
pub(super) const MOST_CUSTOMERS: usize = 3;

/// One step; customers and funds are numbers that choose among those that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseStep {
    /// Somebody signs and pays in so many thousands.
    Customer(u8),
    /// A customer pays in.
    Deposit(u8, u16),
    /// A customer buys, and asks so many times more with the same key.
    Buy(u8, u8, u16, u8),
    /// A customer sells all of a fund.
    Sell(u8, u8),
    /// A customer connects a bank account.
    Connect(u8),
    /// A customer takes money out.
    Withdraw(u8, u16),
    /// The bank sends the last payout back.
    Bounce,
    /// The night's work of the application.
    Night,
    /// Time passes.
    Move(u8),
    /// A bad day begins, perhaps of a fund.
    Bad(u8, u8),
}

/// How far the last payout is, as far as the draw knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payout {
    None,
    UnderWay,
    Paid,
}

/// Steps without an end.
#[derive(Clone, Debug)]
pub(super) struct ExerciseSteps<'m> {
    map: &'m ApplicationMap,
    stream: Stream,
    has_begun: bool,
    is_connected: bool,
    payout: Payout,
}

impl<'m> ExerciseSteps<'m> {
    /// Those of `seed`.
    pub(super) fn new(map: &'m ApplicationMap, seed: u64) -> Self {
        let stream = Seed(seed).stream("exercise");
        Self { map, stream, has_begun: false, is_connected: false, payout: Payout::None }
    }

    fn small(&mut self, bound: usize) -> u8 {
        u8::try_from(self.stream.below(bound.max(1) as u64)).unwrap_or(u8::MAX)
    }

    fn amount(&mut self) -> u16 {
        100 + u16::from(self.small(10)) * 50
    }

    fn drawn(&mut self) -> Option<ExerciseStep> {
        let who = self.small(MOST_CUSTOMERS);
        let fund = self.small(self.map.funds.len());
        Some(match self.small(24) {
            0..4 if self.map.can("buy") => ExerciseStep::Buy(who, fund, self.amount(), 0),
            4 if self.map.can("buy") => ExerciseStep::Buy(who, fund, self.amount(), 1),
            5..8 if self.map.can("deposit") => ExerciseStep::Deposit(who, self.amount()),
            8 if self.map.can("sell") => ExerciseStep::Sell(who, fund),
            // A payout is paid before it comes back.
            9..13 if self.payout == Payout::UnderWay => {
                self.payout = Payout::Paid;
                ExerciseStep::Move(PAYS)
            }
            9..13 if self.payout == Payout::Paid => {
                self.payout = Payout::None;
                ExerciseStep::Bounce
            }
            9..13 if self.map.can("withdraw") && self.is_connected => {
                self.payout = Payout::UnderWay;
                // The one whose bank account is connected: a run seldom has two of those.
                ExerciseStep::Withdraw(0, self.amount())
            }
            9..13 if self.map.can("connect") => {
                self.is_connected = true;
                ExerciseStep::Connect(0)
            }
            13 if self.map.can("rest") => ExerciseStep::Night,
            14 => ExerciseStep::Customer(1 + self.small(9)),
            15..18 => ExerciseStep::Bad(self.small(BAD_DAYS.len()), fund),
            18..24 => ExerciseStep::Move(self.small(MOVES.len())),
            _ => return None,
        })
    }
}

impl Iterator for ExerciseSteps<'_> {
    type Item = ExerciseStep;

    fn next(&mut self) -> Option<ExerciseStep> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Some(ExerciseStep::Customer(1 + self.small(9)));
        }
        loop {
            if let Some(step) = self.drawn() {
                return Some(step);
            }
        }
    }
}

impl Shrink for ExerciseStep {
    fn candidates(&self) -> Vec<Self> {
        match *self {
            Self::Customer(2..) => vec![Self::Customer(1)],
            Self::Deposit(who, amount) => {
                vec![Self::Deposit(0, 100), Self::Deposit(who, 100), Self::Deposit(0, amount)]
            }
            Self::Buy(who, fund, _, again) => vec![Self::Buy(0, 0, 100, 0), Self::Buy(who, fund, 100, again)],
            Self::Sell(_, _) => vec![Self::Sell(0, 0)],
            Self::Connect(_) => vec![Self::Connect(0)],
            Self::Withdraw(_, _) => vec![Self::Withdraw(0, 100)],
            Self::Move(_) => vec![Self::Move(0)],
            Self::Bad(row, _) => vec![Self::Bad(row, 0)],
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match *self {
            Self::Customer(cash) => u32::from(cash),
            Self::Deposit(who, amount) | Self::Withdraw(who, amount) => u32::from(who) * 1_000 + u32::from(amount),
            Self::Buy(who, fund, amount, again) => {
                u32::from(who) * 1_000 + u32::from(fund) * 10_000 + u32::from(amount) + u32::from(again) * 100_000
            }
            Self::Sell(who, fund) => u32::from(who) + u32::from(fund),
            Self::Connect(who) => u32::from(who),
            Self::Move(row) => u32::from(row),
            Self::Bad(_, fund) => u32::from(fund),
            Self::Bounce | Self::Night => 0,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    fn with_number(&self, _: usize, _: u64) -> Self {
        *self
    }

    fn folded(&self, _: &Self) -> Option<Self> {
        None
    }
}
