//! What happens around a consumer: traffic, levers, time, outages and faults, drawn from a seed.
//!
//! Invariant: a step names what earlier steps have made by number and does nothing where there is none, so any list of
//! steps can be run. Absent on purpose: carrying steps out.

use crate::shrink::Shrink;
use sim::rng::{Seed, Stream};

/// Funds of the demo world that everybody may buy.
pub(super) const FUNDS: [&str; 3] = ["SE0SBX000016SEK", "SE0SBX000024SEK", "SE0SBX000032SEK"];

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumerStep {
    /// An account is opened with cash and units.
    OpenAccount,
    /// An order for an amount, by the account of this number.
    Subscribe(u8, u8),
    /// An order to sell units.
    Redeem(u8),
    /// The order of this number is canceled.
    Cancel(u8),
    /// The order of this number is canceled, and the platform forgets it.
    PurgeOrder(u8),
    /// The account of this number is closed.
    CloseAccount(u8),
    /// The client takes another name.
    PatchClient(u8),
    /// Cash is withdrawn.
    Withdraw(u8),
    /// A journey of the account of this number is started.
    StartJourney(u8),
    /// The journey of this number is completed.
    CompleteJourney(u8),
    /// The journey of this number is left.
    CancelJourney(u8),
    /// The platform forgets the journey of this number.
    PurgeJourney(u8),
    /// A price is published anew.
    SetPrice(u8, u8),
    /// So many orders at once, the first by the account of this number.
    AtOnce(u8, u8),
    /// Business time passes.
    Advance(Span),
    /// Transport time passes, in milliseconds.
    Wait(u16),
    /// The way between partner and service.
    NetworkState(NetworkState),
    /// The server crashes.
    Crash,
    /// The server comes back.
    Restart,
    /// Rules of faults.
    Bundle(u8),
    /// One rule of faults: a verdict of this number, so often in ten.
    Fault(u8, u8),
    /// No rules any more.
    ClearFaults,
    /// Sockets end in this way.
    EndSockets(u8),
    /// The webhook gets another secret.
    RotateSecret,
    /// All events are sent to the webhook once more.
    Replay,
}

/// How far the business clock goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// To where an order is accepted.
    Seconds,
    /// A few hours.
    Hours,
    /// A bank day.
    BankDay,
}

/// The way between partner and service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkState {
    /// Nothing gets through, and what was on its way is lost.
    Cut,
    /// Everything waits.
    Held,
    /// All is well.
    Clear,
}

/// Verdicts of single rules, as a story writes them, and how often a rule strikes. What nobody can know to be untrue
/// strikes once.
pub(super) const VERDICTS: [(&str, u8); 14] = [
    ("{ answer: { status: 503, retryAfter: 1 } }", 10),
    ("{ answer: { status: 404 } }", 1),
    ("{ answer: { status: 400 } }", 1),
    ("{ drop: before }", 10),
    ("{ drop: after }", 10),
    ("{ delay: { ms: 300 } }", 10),
    ("{ sockets: close }", 10),
    ("{ sockets: cutInFrame }", 10),
    ("{ sockets: stall }", 10),
    ("{ deliveries: fail }", 10),
    ("{ deliveries: drop }", 10),
    ("{ deliveries: duplicate }", 10),
    ("{ deliveries: reorder, ms: 700 }", 10),
    ("{ deliveries: delay, ms: 400 }", 10),
];

/// Ways in which sockets end.
pub(super) const ENDINGS: [&str; 5] = ["graceful", "close", "stall", "cutInFrame", "cap"];

/// Steps without end.
#[derive(Clone, Debug)]
pub struct ConsumerSteps {
    stream: Stream,
    made: usize,
    is_down: bool,
    network_state: NetworkState,
}

impl ConsumerSteps {
    /// The steps of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { stream: Seed(seed).stream("consumer"), made: 0, is_down: false, network_state: NetworkState::Clear }
    }

    fn below(&mut self, end: u64) -> u8 {
        u8::try_from(self.stream.below(end)).unwrap_or_default()
    }
}

impl Iterator for ConsumerSteps {
    type Item = ConsumerStep;

    fn next(&mut self) -> Option<ConsumerStep> {
        self.made += 1;
        if self.made <= 2 {
            return Some(ConsumerStep::OpenAccount);
        }
        if self.is_down && self.stream.below(2) == 0 {
            self.is_down = false;
            return Some(ConsumerStep::Restart);
        }
        if self.network_state != NetworkState::Clear && self.stream.below(4) == 0 {
            self.network_state = NetworkState::Clear;
            return Some(ConsumerStep::NetworkState(NetworkState::Clear));
        }
        let number = self.below(8);
        Some(match self.stream.below(100) {
            0..4 => ConsumerStep::OpenAccount,
            4..16 => ConsumerStep::Subscribe(number, self.below(3)),
            16..21 => ConsumerStep::Redeem(number),
            21..24 => ConsumerStep::Cancel(number),
            24..30 => ConsumerStep::PurgeOrder(number),
            30..31 => ConsumerStep::CloseAccount(number),
            31..33 => ConsumerStep::PatchClient(number),
            33..35 => ConsumerStep::Withdraw(number),
            35..38 => ConsumerStep::StartJourney(number),
            38..41 => ConsumerStep::CompleteJourney(number),
            41..42 => ConsumerStep::CancelJourney(number),
            42..44 => ConsumerStep::PurgeJourney(number),
            44..46 => ConsumerStep::SetPrice(self.below(3), self.below(100)),
            46..51 => ConsumerStep::AtOnce(number, 2 + self.below(3)),
            51..63 => {
                ConsumerStep::Advance(*self.stream.pick(&[Span::Seconds, Span::Seconds, Span::Hours, Span::BankDay]))
            }
            63..70 => ConsumerStep::Wait(200 + 100 * u16::from(self.below(30))),
            70..76 => {
                self.network_state = *self.stream.pick(&[NetworkState::Cut, NetworkState::Held]);
                ConsumerStep::NetworkState(self.network_state)
            }
            76..79 => {
                self.is_down = true;
                ConsumerStep::Crash
            }
            79..81 => ConsumerStep::Bundle(self.below(3)),
            81..89 => ConsumerStep::Fault(self.below(VERDICTS.len() as u64), 1 + self.below(9)),
            89..91 => ConsumerStep::ClearFaults,
            91..95 => ConsumerStep::EndSockets(self.below(ENDINGS.len() as u64)),
            95..97 => ConsumerStep::RotateSecret,
            _ => ConsumerStep::Replay,
        })
    }
}

impl Shrink for ConsumerStep {
    fn candidates(&self) -> Vec<Self> {
        match *self {
            Self::AtOnce(account, count @ 3..) => vec![Self::AtOnce(account, count - 1)],
            Self::Wait(ms @ 201..) => vec![Self::Wait(200), Self::Wait(ms / 2)],
            Self::Advance(Span::BankDay) => vec![Self::Advance(Span::Seconds), Self::Advance(Span::Hours)],
            Self::Advance(Span::Hours) => vec![Self::Advance(Span::Seconds)],
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match *self {
            Self::AtOnce(_, count) => u32::from(count),
            Self::Wait(ms) => u32::from(ms),
            Self::Advance(Span::BankDay) => 2,
            Self::Advance(Span::Hours) => 1,
            _ => 0,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    fn with_number(&self, _at: usize, _value: u64) -> Self {
        *self
    }

    fn folded(&self, _next: &Self) -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_step_is_drawn_and_what_goes_down_comes_back() {
        let steps: Vec<ConsumerStep> = ConsumerSteps::new(1).take(3_000).collect();
        let kinds: std::collections::BTreeSet<String> =
            steps.iter().map(|step| format!("{step:?}").split('(').next().unwrap_or_default().to_owned()).collect();
        assert_eq!(kinds.len(), 25, "{kinds:?}");
        let count = |wanted: ConsumerStep| steps.iter().filter(|step| **step == wanted).count();
        assert!(count(ConsumerStep::Restart) + 1 >= count(ConsumerStep::Crash) / 3);
    }
}
