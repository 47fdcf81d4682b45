//! One step of a conversation, from a seed.
//!
//! Invariant: the same seed gives the same steps, whatever the server is; numbers choose among what is there. Absent on
//! purpose: ids and amounts, which only the server knows.

use crate::shrink::Shrink;
use sim::rng::{Seed, Stream};

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignStep {
    /// A purchase that must be taken: account, fund, how many times the least amount, and hundredths beside it.
    Buy(u8, u8, u8, u8),
    /// A purchase that must be refused.
    Refused(u8, u8, Wrong),
    /// An order is canceled, and once more in vain.
    Cancel(u8),
    /// An order is read, alone and in lists.
    Read(u8),
    /// The orders of an account, page by page.
    Pages(u8, u8),
    /// The orders of an account by a filter.
    Filter(u8, bool),
    /// The account, its value and its transactions.
    Account(u8),
    /// Something that is not there.
    Missing(u8),
    /// Something by somebody who may not see it.
    OtherClient(u8, u8),
    /// A journey begins, and is read.
    Journey,
}

/// What is wrong with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It costs more than there is.
    TooMuch,
    /// It is about nothing.
    Nothing,
    /// It is about less than nothing.
    Negative,
    /// More decimals than money has.
    Decimals,
    /// A fund that nobody knows.
    Fund,
    /// An account that nobody knows.
    Account,
    /// Neither amount nor units.
    Empty,
    /// It is no JSON.
    Unreadable,
    /// Less than the fund takes.
    TooLittle,
}

const WRONGS: &[Wrong] = &[
    Wrong::TooMuch,
    Wrong::Nothing,
    Wrong::Negative,
    Wrong::Decimals,
    Wrong::Fund,
    Wrong::Account,
    Wrong::Empty,
    Wrong::Unreadable,
    Wrong::TooLittle,
];

/// An endless conversation.
#[derive(Clone, Debug)]
pub struct ForeignSteps(Stream);

impl ForeignSteps {
    /// That of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Seed(seed).stream("conversation"))
    }

    fn small(&mut self, bound: u64) -> u8 {
        u8::try_from(self.0.below(bound)).unwrap_or(u8::MAX)
    }
}

impl Iterator for ForeignSteps {
    type Item = ForeignStep;

    fn next(&mut self) -> Option<ForeignStep> {
        let (account, other) = (self.small(3), self.small(8));
        Some(match self.small(20) {
            0..6 => ForeignStep::Buy(account, other, 1 + self.small(4), self.small(100)),
            6..9 => ForeignStep::Refused(account, other, *self.0.pick(WRONGS)),
            9..11 => ForeignStep::Cancel(other),
            11..13 => ForeignStep::Read(other),
            13 => ForeignStep::Pages(account, 1 + self.small(3)),
            14 => ForeignStep::Filter(account, self.0.chance(1, 2)),
            15 | 16 => ForeignStep::Account(account),
            17 => ForeignStep::Missing(other),
            18 => ForeignStep::OtherClient(account, other),
            _ => ForeignStep::Journey,
        })
    }
}

impl Shrink for ForeignStep {
    fn candidates(&self) -> Vec<Self> {
        match *self {
            Self::Buy(account, fund, times @ 2.., ore) => vec![Self::Buy(account, fund, times - 1, ore)],
            Self::Buy(account, fund, times, 1..) => vec![Self::Buy(account, fund, times, 0)],
            Self::Buy(account @ 1.., ..) => vec![Self::Buy(account - 1, 0, 1, 0)],
            Self::Refused(account @ 1.., _, wrong) => vec![Self::Refused(account - 1, 0, wrong)],
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match *self {
            Self::Buy(account, fund, times, ore) => {
                u32::from(account) * 100 + u32::from(fund) + u32::from(times) * 10 + u32::from(ore > 0)
            }
            Self::Refused(account, fund, _) => u32::from(account) * 100 + u32::from(fund),
            _ => 0,
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
