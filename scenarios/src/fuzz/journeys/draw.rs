//! Steps about journeys, from a seed.
//!
//! Owns: how often each kind of step comes. Invariant: the same seed gives the same steps, whatever a world makes of them.

use super::step::{JourneyNo, Start, Walk, options};
use sim::command::{CustodianAct, Decision, ScreeningHit, SignOutcome};
use sim::machines::mandate;
use sim::records::{ErrorCode, JourneyType};
use sim::rng::{Seed, Stream};

/// Regular customers: the first is drawn twice as often as any other.
pub(super) const PEOPLE: &[&str] = &[
    "199001012385",
    "200002292399",
    "191212121212",
    "197001012389",
    "197001022388",
    "197001032387",
    "197001042386",
    "197001052385",
    "197001062384",
    "197001072383",
    "197001082382",
];

/// An endless run of steps.
#[derive(Clone, Debug)]
pub struct Walks {
    stream: Stream,
    journeys: JourneyNo,
    plot: Vec<Walk>,
    /// Journeys that have probably opened an account, newest last.
    openers: Vec<JourneyNo>,
    done: Vec<JourneyNo>,
}

impl Walks {
    /// The steps of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            stream: Seed(seed).stream("generated journeys"),
            journeys: 0,
            plot: Vec::new(),
            openers: Vec::new(),
            done: Vec::new(),
        }
    }

    /// How many journeys have been named so far.
    #[must_use]
    pub const fn named(&self) -> JourneyNo {
        self.journeys
    }

    fn start(&mut self) -> Walk {
        let name = self.journeys;
        let s = &mut self.stream;
        let opens = s.chance(1, 2);
        let mut chosen = 0;
        for (bit, one_in) in [
            (options::MANDATE, 2),
            (options::MANDATE_OFFERED, 4),
            (options::NEW_BANK, 3),
            (options::TRANSFER, 2),
            (options::TRANSFER_OPTIONAL, 2),
            (options::SOURCE_OPTIONAL, 2),
            (options::WELCOME, 2),
            (options::ALLOCATION, 3),
            (options::SAVINGS, 3),
            (options::LONG_SCOPE, 12),
            (options::TOO_LONG_SCOPE, 40),
        ] {
            chosen |= if s.chance(1, one_in) { bit } else { 0 };
        }
        let start = Start {
            name,
            kind: if opens { 0 } else { small(s.below(JourneyType::ALL.len() as u64)) },
            account: *s.pick(&[0, 1, 1, 2]),
            person: if s.chance(1, 6) { 0 } else { small(s.below(PEOPLE.len() as u64)) },
            of: 0,
            options: chosen,
        };
        if start.kind < 2 {
            self.openers.push(name);
        }
        let of = self.older();
        self.journeys = self.journeys.saturating_add(1);
        Walk::Start(Start { of, ..start })
    }

    /// A journey, most likely one of the newest.
    fn journey(&mut self) -> JourneyNo {
        let reach = if self.stream.chance(1, 8) { 30 } else { 4 };
        let back = 1 + u16::from(small(self.stream.below(reach)));
        self.journeys.saturating_sub(back)
    }

    /// A journey that has probably opened an account, most likely one of the newest.
    fn older(&mut self) -> JourneyNo {
        let recent = &self.done[self.done.len().saturating_sub(5)..];
        if recent.is_empty() || self.stream.chance(1, 10) { self.journey() } else { *self.stream.pick(recent) }
    }

    /// The customer walks all that remains; now and then the partner changes its mind before the account is approved.
    fn complete(&mut self, journey: JourneyNo) -> Walk {
        if self.openers.contains(&journey) && !self.done.contains(&journey) {
            self.done.push(journey);
        }
        match self.stream.below(20) {
            0 | 1 => self.plot.push(Walk::Close(journey)),
            // What moves over has been sent by then, and is not yet agreed to.
            2 | 3 => {
                let next = [Walk::Close(journey), Walk::Custodian(journey, CustodianAct::Reject)];
                self.plot = vec![*self.stream.pick(&next), Walk::Wait(26, 0)];
            }
            _ => {}
        }
        Walk::Complete(journey, self.pick())
    }

    /// A mandate advice, and often a journey in which the customer signs anew.
    fn advise(&mut self, of: JourneyNo) -> Walk {
        if self.stream.chance(1, 2) {
            let (name, pick) = (self.journeys, self.pick());
            self.journeys = self.journeys.saturating_add(1);
            let kind = JourneyType::ALL.iter().position(|kind| *kind == JourneyType::AddBankAccount);
            let kind = kind.map_or(0, |at| small(at as u64));
            let start = Start { name, kind, account: 0, person: 0, of, options: options::MANDATE };
            self.plot = vec![Walk::Complete(name, pick), Walk::Start(start)];
        }
        Walk::Advise(of, small(self.stream.below(mandate::CODES.len() as u64)))
    }

    /// Half of all picks are choices of their own.
    fn pick(&mut self) -> u16 {
        u16::from(small(self.stream.below(200))).saturating_sub(60)
    }
}

impl Iterator for Walks {
    type Item = Walk;

    fn next(&mut self) -> Option<Walk> {
        if self.journeys == 0 {
            return Some(self.start());
        }
        if let Some(walk) = self.plot.pop() {
            return Some(walk);
        }
        if self.stream.chance(1, 4) {
            let hours = *self.stream.pick(&[0, 0, 0, 1, 9, 24, 72, 400]);
            let ms = self.stream.below(40_000);
            return Some(Walk::Wait(hours, u32::try_from(ms).unwrap_or(0)));
        }
        let journey = self.journey();
        let older = self.older();
        Some(match self.stream.below(32) {
            0..=5 => self.start(),
            6 => Walk::Open(journey),
            7 => Walk::Link(journey),
            8..=11 => Walk::Answer(journey, self.pick()),
            12 | 13 => {
                let (sign, abort, fail) = (SignOutcome::Sign, SignOutcome::Abort, SignOutcome::Fail);
                Walk::Sign(journey, *self.stream.pick(&[sign, sign, abort, fail]))
            }
            14..=17 => self.complete(journey),
            18 if self.stream.chance(1, 3) => Walk::Cancel(journey),
            18 if self.stream.chance(1, 2) => {
                Walk::Fail(journey, small(self.stream.below(ErrorCode::ALL.len() as u64)))
            }
            18 => Walk::Expire(journey),
            19 | 20 => {
                let (approve, confirm) = (Decision::Approve, Decision::Confirm);
                Walk::Decide(older, *self.stream.pick(&[approve, confirm, confirm, Decision::Reject]))
            }
            21 | 22 => Walk::Check(older, self.stream.chance(2, 3)),
            23 | 24 | 30 => self.advise(older),
            25 | 26 | 31 => {
                let (accept, complete) = (CustodianAct::Accept, CustodianAct::Complete);
                Walk::Custodian(older, *self.stream.pick(&[accept, complete, CustodianAct::Reject]))
            }
            27 => {
                let (pep, clear) = (ScreeningHit::Pep, ScreeningHit::Clear);
                let hit = *self.stream.pick(&[pep, ScreeningHit::Sanctions, clear, clear]);
                Walk::Screen(small(self.stream.below(PEOPLE.len() as u64)), hit)
            }
            28 => Walk::Close(older),
            _ => Walk::Buy(journey),
        })
    }
}

/// A drawn number in a byte.
fn small(number: u64) -> u8 {
    u8::try_from(number).unwrap_or_else(|_| unreachable!("{number} was drawn below a byte's bound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_steps_and_names_come_in_order() {
        let steps = |seed| Walks::new(seed).take(400).collect::<Vec<_>>();
        assert_eq!(steps(4), steps(4));
        assert_ne!(steps(4), steps(5));
        let names = steps(4).into_iter().filter_map(|walk| match walk {
            Walk::Start(start) => Some(start.name),
            _ => None,
        });
        assert!(names.enumerate().all(|(at, name)| at == usize::from(name)));
    }
}
