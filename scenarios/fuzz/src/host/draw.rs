//! Steps of a run on a host, from a seed.
//!
//! Invariant: the same seed gives the same steps. Absent on purpose: any look at a world.

use super::model::{PACES, PERMISSIONS, SURFACE, WORLD};
use super::rights::RIGHTS;
use super::step::HostStep;
use crate::generate::{ClientNo, Generator, Profile};
use sim::rng::{Seed, Stream};

/// What runs on hosts do beside a partner's work, as their coverage counts it.
#[cfg(test)]
pub(super) const ACTS: &[&str] = &[
    "rewinds",
    "resets",
    "snapshots",
    "restores",
    "forks",
    "settings changed",
    "permissions changed",
    "webhooks changed",
    "fault rules",
    "requests hit by a rule",
    "sockets closed",
    "requests with few rights",
    "worlds made again",
    "recordings played",
    "explanations",
    "clocks set going",
];

/// An endless run of steps.
#[derive(Clone, Debug)]
pub struct HostSteps {
    steps: Generator,
    stream: Stream,
    clients: ClientNo,
}

impl HostSteps {
    /// The steps of `seed`, with the profile of its stage but few accounts.
    #[must_use]
    pub fn new(seed: u64, profile: Profile) -> Self {
        let profile = Profile { accounts: Some(2), seasons: u16::MAX, ..profile };
        let stream = Seed(seed).stream("acts of a host");
        Self { steps: Generator::new(seed, profile), stream, clients: profile.clients }
    }
}

impl Iterator for HostSteps {
    type Item = HostStep;

    fn next(&mut self) -> Option<HostStep> {
        let s = &mut self.stream;
        let few = |s: &mut Stream, below: usize| u8::try_from(s.below(below as u64)).unwrap_or(0);
        let act = s.below(100);
        let client = few(s, usize::from(self.clients));
        Some(match act {
            0..5 => HostStep::Rewind { back: 1 + few(s, 6), by_instant: s.chance(1, 2) },
            5 => HostStep::Reset,
            6..9 => HostStep::Snapshot,
            9..12 => HostStep::Restore(few(s, 3)),
            12..17 => HostStep::Fork { back: few(s, 5) },
            17..21 => HostStep::Surface(few(s, SURFACE.len()), few(s, 2)),
            21..24 => HostStep::World(few(s, WORLD.len()), few(s, 3)),
            24..27 => HostStep::Permit(client, few(s, PERMISSIONS.len()), s.chance(1, 2)),
            27..29 => HostStep::Sign(client, s.chance(1, 2)),
            29..32 => HostStep::Webhook(client, few(s, 3)),
            32..34 => HostStep::ChangeWebhook(few(s, 3), s.chance(1, 2)),
            34 => HostStep::RemoveWebhook(few(s, 3)),
            35..38 => HostStep::Rule(1 + few(s, 2)),
            38..41 => HostStep::Read(client),
            41 => HostStep::RemoveRule(few(s, 3)),
            42..45 => HostStep::Socket(client),
            45..48 => HostStep::Rights(few(s, RIGHTS.len()), few(s, RIGHTS.len()), s.chance(1, 2)),
            48 => HostStep::KeepMarket,
            49 => HostStep::MakeAgain,
            50 => HostStep::KeepEvents,
            51 => HostStep::PlayRecording,
            52..55 => HostStep::Explain(few(s, 4)),
            55..57 => HostStep::SetGoing(few(s, PACES.len())),
            _ => return self.steps.next().map(HostStep::Do),
        })
    }
}
