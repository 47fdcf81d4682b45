//! Money in and out, mobile payments aside.

use super::{Generator, small};
use crate::generate::step::{Edge, Instruct, InstructionName, Money, Step, Taken, Wait, Withdraw, WithdrawalSlip};
use sim::machines::mandate;
use sim::rng::Stream;

/// From noon until the files of the day have gone, in milliseconds.
const AFTERNOON: i32 = 5 * 3_600_000;

impl Generator {
    /// Cash out of an account; now and then the bank sends it back.
    pub(super) fn withdraw(&mut self) -> Step {
        const ODD: &[WithdrawalSlip] = &[
            WithdrawalSlip::LongReference,
            WithdrawalSlip::ForeignBank,
            WithdrawalSlip::OtherClient,
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

    /// An instruction of one to three payments into an account, drawn from `stream`, so that all other steps stay as they are.
    pub fn instruct_beside(&mut self, stream: &mut Stream) -> Step {
        let name = self.instructions;
        self.instructions = self.instructions.saturating_add(1);
        let account = small(stream.below(u64::from(self.names.max(1))));
        let (count, ore) = (small(1 + stream.below(3)), small(100 + stream.below(300_000)));
        let (transfer, again) = (stream.chance(1, 4), false);
        Step::Money(Money::Instruct(Instruct { name, account, count, ore, transfer, again }))
    }

    /// Money comes in; what was instructed last is more often paid, refused or undone than what is old.
    pub(super) fn money(&mut self) -> Step {
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
                // Now and then its outcome is waited for, and undone.
                match self.stream.below(8) {
                    0 => self.plot.push(Step::Money(Money::Fail(name, small(self.stream.below(4))))),
                    1 | 2 => {
                        self.plot.push(Step::Money(Money::Refund(name, self.stream.chance(1, 2))));
                        if name % 2 == 1 {
                            // The cash is gone by then.
                            let (sum, slip) = (Taken::Full, WithdrawalSlip::None);
                            self.plot.push(Step::Withdraw(Withdraw { account, sum, slip }));
                        }
                        self.plot.push(Step::Wait(Wait::BankDays(2)));
                        if transfer {
                            self.plot.push(Step::Money(Money::Send(name, true)));
                        }
                    }
                    // The owner dies before a bank has received it; what is transferred comes all the same.
                    4 => {
                        self.plot.extend(transfer.then_some(Step::Money(Money::Send(name, true))));
                        self.plot.push(Step::Death(account));
                    }
                    // The bank closes the payer's account after the file has gone.
                    5 if !transfer => {
                        let closed = mandate::CODES.iter().position(|code| code.1 == mandate::Trigger::Close);
                        let closed = closed.map_or(0, |at| small(at as u64));
                        self.plot.push(Step::Wait(Wait::BankDays(1)));
                        self.plot.push(Step::Advise(account, closed));
                        self.plot.push(Step::Wait(Wait::To(Edge::Noon, AFTERNOON)));
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
}
