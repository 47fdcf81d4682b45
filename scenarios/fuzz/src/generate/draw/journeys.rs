//! Steps about journeys and about accounts that wait for others.
//!
//! Owns: how often each kind comes. Invariant: the same seed gives the same steps, whatever a world makes of them.

use super::{Generator, small};
use crate::generate::step::{Buy, Forgotten, Journey, Name, Start, Step, Wait, options};
use sim::command::{CustodianAct, Decision, ScreeningHit, SignOutcome};
use sim::machines::mandate;
use sim::records::{ErrorCode, JourneyType};

/// People who come again: with fixed numbers, the regular customers, a company.
const PEOPLE: u64 = 20;
/// Those of them who have fixed numbers.
const FIXED_PEOPLE: u64 = 11;

impl Generator {
    pub(super) fn next_plot(&mut self) -> Option<Step> {
        self.journeys.plot.pop()
    }

    pub(super) fn about_journeys(&mut self) -> Step {
        if self.journeys.names.is_empty() {
            return self.start();
        }
        if self.stream.chance(1, 4) {
            return self.wait_for_others();
        }
        let (journey, older) = (self.journey(), self.older());
        match self.stream.below(33) {
            0..=5 => self.start(),
            6 => Step::Journey(journey, Journey::Open),
            7 => Step::Journey(journey, Journey::Link),
            8..=11 => Step::Journey(journey, Journey::Answer(self.pick())),
            12 | 13 => {
                let (sign, abort, fail) = (SignOutcome::Sign, SignOutcome::Abort, SignOutcome::Fail);
                Step::Journey(journey, Journey::Sign(*self.stream.pick(&[sign, sign, abort, fail])))
            }
            14..=17 => self.complete(journey),
            18 if self.stream.chance(1, 3) => {
                Step::Journey(journey, *self.stream.pick(&[Journey::Cancel, Journey::Leave]))
            }
            18 if self.stream.chance(1, 2) => {
                Step::Journey(journey, Journey::Fail(small(self.stream.below(ErrorCode::ALL.len() as u64))))
            }
            18 => Step::Journey(journey, Journey::Expire),
            19 | 20 => {
                let (approve, confirm) = (Decision::Approve, Decision::Confirm);
                Step::Decide(older, *self.stream.pick(&[approve, confirm, confirm, Decision::Reject]))
            }
            21 | 22 => Step::Check(older, self.stream.chance(2, 3)),
            23 | 24 | 30 => self.advise(older),
            25 | 26 | 31 => {
                let (accept, complete) = (CustodianAct::Accept, CustodianAct::Complete);
                Step::Custodian(older, *self.stream.pick(&[accept, complete, CustodianAct::Reject]))
            }
            27 => {
                let (pep, clear) = (ScreeningHit::Pep, ScreeningHit::Clear);
                let hit = *self.stream.pick(&[pep, ScreeningHit::Sanctions, clear, clear]);
                Step::Screen(small(self.stream.below(PEOPLE)), hit)
            }
            28 if self.stream.chance(1, 4) => Step::Death(older),
            28 => Step::Close(older),
            29 => Step::Plan(older, self.plan_change()),
            _ => self.buy_for(journey),
        }
    }

    fn start(&mut self) -> Step {
        let of = self.older();
        let name = self.next_name();
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
            (options::SHARES, 2),
        ] {
            chosen |= if s.chance(1, one_in) { bit } else { 0 };
        }
        let kind = if opens { 0 } else { small(s.below(JourneyType::ALL.len() as u64)) };
        let account = *s.pick(&[0, 1, 1, 2]);
        let person = match s.below(12) {
            0 | 1 => 0,
            2 => small(FIXED_PEOPLE + s.below(PEOPLE - FIXED_PEOPLE)),
            _ => small(s.below(FIXED_PEOPLE)),
        };
        // Whatever is about an account comes from its client, nearly always.
        let client = match kind {
            2.. if !s.chance(1, 40) => self.client_of(of),
            _ if s.chance(3, 4) => 0,
            _ => small(s.below(u64::from(self.profile.clients))),
        };
        self.journeys.names.push((name, client));
        if kind < 2 {
            self.journeys.openers.push(name);
            self.owners.push((name, client));
        }
        self.stroll(name);
        Step::Start(Start { name, client, kind, account, person, of, options: chosen })
    }

    /// Some customers walk a journey step by step as soon as it is there, and some of those leave.
    fn stroll(&mut self, name: Name) {
        if !self.stream.chance(1, 3) {
            return;
        }
        let sign = Step::Journey(name, Journey::Sign(SignOutcome::Sign));
        let refuse = Step::Journey(name, Journey::Sign(SignOutcome::Refuse));
        // By the name and not by a draw, so that the other steps of a seed stay as they are.
        let mut walk = vec![if name % 12 == 5 { refuse } else { sign }];
        for _ in 0..5 {
            walk.push(Step::Journey(name, Journey::Answer(self.pick() / 20)));
        }
        walk.extend([sign, Step::Journey(name, *self.stream.pick(&[Journey::Open, Journey::Link]))]);
        if self.stream.chance(1, 8) {
            let left: usize = small(self.stream.below(6));
            walk.drain(..left);
            walk.insert(0, Step::Journey(name, Journey::Leave));
        }
        self.journeys.plot = walk;
    }

    /// A journey, most likely one of the newest.
    pub(super) fn journey(&mut self) -> Name {
        let reach = if self.stream.chance(1, 8) { 30 } else { 4 };
        let back: usize = small(1 + self.stream.below(reach));
        let names = &self.journeys.names;
        names.get(names.len().saturating_sub(back)).map_or(0, |(name, _)| *name)
    }

    /// A journey that has probably opened an account, most likely one of the newest; now and then any account.
    fn older(&mut self) -> Name {
        if self.stream.chance(1, 16) {
            return self.account();
        }
        let recent = &self.journeys.done[self.journeys.done.len().saturating_sub(5)..];
        if recent.is_empty() || self.stream.chance(1, 10) { self.journey() } else { *self.stream.pick(recent) }
    }

    /// The customer walks all that remains; now and then the partner changes its mind before the account is approved.
    fn complete(&mut self, journey: Name) -> Step {
        if self.journeys.openers.contains(&journey) && !self.journeys.done.contains(&journey) {
            self.journeys.done.push(journey);
            if self.stream.chance(1, 3) {
                self.open.push(journey);
            }
        }
        match self.stream.below(20) {
            0 | 1 => self.journeys.plot.push(Step::Close(journey)),
            // What moves over has been sent by then, and is not yet agreed to.
            2 | 3 => {
                let next = [Step::Close(journey), Step::Custodian(journey, CustodianAct::Reject)];
                let wait = Step::Wait(Wait::Ms(26 * 3_600_000));
                self.journeys.plot = vec![*self.stream.pick(&next), wait];
            }
            4..7 => {
                let decisions = [Decision::Approve, Decision::Confirm, Decision::Confirm, Decision::Reject];
                let decision = *self.stream.pick(&decisions);
                // Only an account that was rejected can be purged.
                if decision == Decision::Reject {
                    self.journeys.plot.push(Step::Purge(Forgotten::Account(journey)));
                }
                self.journeys.plot.push(Step::Decide(journey, decision));
            }
            7 | 8 => self.journeys.plot.push(Step::Check(journey, self.stream.chance(1, 2))),
            // Those who have not signed for the company do.
            9..12 => {
                let start = self.start_about(journey, JourneyType::SignSubmission, 0);
                self.journeys.plot = vec![Step::Journey(start.name, Journey::Complete(0)), Step::Start(start)];
            }
            _ => {}
        }
        Step::Journey(journey, Journey::Complete(self.pick()))
    }

    /// A mandate advice, and often a journey in which the customer signs anew.
    fn advise(&mut self, of: Name) -> Step {
        if self.stream.chance(1, 2) {
            let start = self.start_about(of, JourneyType::AddBankAccount, options::MANDATE);
            let complete = Step::Journey(start.name, Journey::Complete(self.pick()));
            self.journeys.plot = vec![complete, Step::Start(start)];
        }
        Step::Advise(of, small(self.stream.below(mandate::CODES.len() as u64)))
    }

    /// Once the answers of an owner have expired: an order that must wait, and often the renewal and the release.
    pub(super) fn outlive_answers(&mut self, of: Name) {
        let buy = self.buy_for(of);
        let Step::Buy(Buy { name: order, .. }) = buy else { return };
        let mut next = vec![buy, Step::Wait(Wait::Ms(2_000))];
        if self.stream.chance(2, 3) {
            let start = self.start_about(of, JourneyType::KycRenewal, 0);
            next.push(Step::Start(start));
            next.push(Step::Journey(start.name, Journey::Complete(self.pick())));
            next.push(Step::Release(order));
        }
        next.reverse();
        self.journeys.plot = next;
    }

    /// A journey of this type about what an earlier one has opened, from the same client. Draws nothing.
    pub(super) fn start_about(&mut self, of: Name, wanted: JourneyType, options: u16) -> Start {
        let (name, client) = (self.next_name(), self.client_of(of));
        self.journeys.names.push((name, client));
        let kind = JourneyType::ALL.iter().position(|kind| *kind == wanted);
        let kind = kind.map_or(0, |at| small(at as u64));
        Start { name, client, kind, account: 0, person: 0, of, options }
    }

    /// Half of all picks are choices of their own.
    fn pick(&mut self) -> u16 {
        small::<u16>(self.stream.below(200)).saturating_sub(60)
    }
}
