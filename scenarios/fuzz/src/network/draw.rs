//! Steps of a run over the network, from a seed.
//!
//! Owns: how often the network changes and for how long. Invariant: the same seed gives the same steps; outages ends
//! after a few steps. Absent on purpose: any look at a world.

use super::step::{
    LISTS, MidFlightOutage, NEAR, NetworkStep, PRIVATE, RESOURCES, RULES, Read, Resource, UnauthorisedCaller,
};
use crate::generate::step::Journey;
use crate::generate::{ClientNo, Generator, Profile, Step};
use language::ast::{Network, Server};
use runner::drivers::Outage;
use sim::rng::{Seed, Stream};

/// Steps in a thousand that begin a rare meeting: runs over the network are short.
const MEETINGS: u16 = 30;

/// An endless run of steps.
#[derive(Clone, Debug)]
pub struct NetworkSteps {
    steps: Generator,
    stream: Stream,
    clients: ClientNo,
    bad: Option<(NetworkStep, u8)>,
}

impl NetworkSteps {
    /// The steps of `seed`, with the profile of its stage but few accounts.
    #[must_use]
    pub fn new(seed: u64, profile: Profile) -> Self {
        let profile = Profile { accounts: Some(3), meetings: MEETINGS, ..profile };
        let stream = Seed(seed).stream("weather and looks");
        Self { steps: Generator::new(seed, profile), stream, clients: profile.clients, bad: None }
    }

    /// An outage begins, between two requests or in the middle of one, and lasts for a few steps.
    fn outage(&mut self) -> NetworkStep {
        let outage = *self.stream.pick(&[Outage::Cut, Outage::Held, Outage::Crash]);
        let (begins, ends) = turns(outage);
        self.bad = Some((ends, 1 + small(self.stream.below(3))));
        if self.stream.chance(1, 2) {
            return NetworkStep::MidFlightOutage(MidFlightOutage { outage, ticks: small(self.stream.below(4)) });
        }
        begins
    }

    fn look(&mut self) -> NetworkStep {
        let s = &mut self.stream;
        let (orders, accounts) = self.steps.named();
        let client = small(s.below(u64::from(self.clients)));
        let (list, item) = (*s.pick(LISTS), small(s.below(12)));
        NetworkStep::Read(match s.below(12) {
            0..3 if orders > 0 => {
                let back = s.below(u64::from(orders).min(12));
                Read::Order(orders - 1 - u32::try_from(back).unwrap_or(0))
            }
            3 if accounts > 0 => {
                let name = s.below(u64::from(accounts));
                Read::Account(u16::try_from(name).unwrap_or(0))
            }
            4..6 => {
                let further = if s.chance(1, 4) { (small(s.below(12)), small(s.below(4))) } else { (0, 0) };
                Read::Filtered { client, list, item, filter: small(s.below(12)), near: *s.pick(NEAR), further }
            }
            6 => {
                // Instructions are looked at again and again, as they are on their way for days.
                let resource = *s.pick(&[Resource::Instruction, Resource::Payments]);
                Read::Other { client, resource, item: small(s.below(3)) }
            }
            7..9 => Read::Other { client, resource: *s.pick(RESOURCES), item },
            9 => {
                let by = *s.pick(&[UnauthorisedCaller::Client, UnauthorisedCaller::Partner, UnauthorisedCaller::Token]);
                Read::Foreign { client, of: *s.pick(PRIVATE), item, by, remove: s.chance(1, 3) }
            }
            _ => Read::Pages { client, list, limit: 2 + small(s.below(4)) },
        })
    }
}

impl Iterator for NetworkSteps {
    type Item = NetworkStep;

    fn next(&mut self) -> Option<NetworkStep> {
        if let Some((ends, left)) = self.bad {
            self.bad = (left > 0).then(|| (ends, left - 1));
            if left == 0 {
                return Some(ends);
            }
        }
        let calm = self.bad.is_none();
        Some(match self.stream.below(100) {
            0..7 if calm => self.outage(),
            7..9 => NetworkStep::Network(Network::Latency { ms: 1 + u32::from(small(self.stream.below(100))) }),
            9..14 if calm => {
                let (count, pauses) = (2 + small(self.stream.below(3)), small(self.stream.below(256)));
                NetworkStep::AtOnce { count, pauses }
            }
            14..18 if calm => NetworkStep::Rule(*self.stream.pick(&RULES)),
            18..33 => self.look(),
            33..40 => match self.steps.newest_journey(usize::from(small(self.stream.below(2)))) {
                Some(newest) => NetworkStep::Do(Step::Journey(newest, Journey::Link)),
                None => return self.steps.next().map(NetworkStep::Do),
            },
            // Partners instruct more often than their customers' other steps would have them.
            40..43 => NetworkStep::Do(self.steps.instruct_beside(&mut self.stream)),
            _ => return self.steps.next().map(NetworkStep::Do),
        })
    }
}

/// The steps that begin and end an outage.
const fn turns(outage: Outage) -> (NetworkStep, NetworkStep) {
    match outage {
        Outage::Cut => (NetworkStep::Network(Network::Cut), NetworkStep::Network(Network::Repaired)),
        Outage::Held => (NetworkStep::Network(Network::Held), NetworkStep::Network(Network::Released)),
        Outage::Crash => (NetworkStep::Server(Server::Crashes), NetworkStep::Server(Server::Restarts)),
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
    fn a_seed_always_gives_the_same_steps_and_outages_end() {
        let steps = |seed| NetworkSteps::new(seed, Profile::of_seed(seed)).take(600).collect::<Vec<_>>();
        assert_eq!(steps(4), steps(4));
        assert_ne!(steps(4), steps(5));
        let count = |wanted: &dyn Fn(NetworkStep) -> bool| steps(4).iter().filter(|&&step| wanted(step)).count();
        for outage in [Outage::Cut, Outage::Held, Outage::Crash] {
            let (begins, ends) = turns(outage);
            let apart = count(&|step| step == begins);
            let inside = count(&|step| matches!(step, NetworkStep::MidFlightOutage(strike) if strike.outage == outage));
            assert!(apart > 0 && inside > 0, "{outage:?}: {apart} between requests, {inside} inside one");
            assert!(apart + inside - count(&|step| step == ends) <= 1, "{outage:?} ends");
        }
    }
}
