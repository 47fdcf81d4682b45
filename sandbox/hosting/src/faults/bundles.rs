//! Bundles: rules that belong together, by the name of the kind of day that they make (rule: events/fault-bundles).
//!
//! Invariant: whatever a bundle does, a partner that retries, deduplicates and reconciles is well in the end: storms end,
//! and nothing is refused for good. Absent on purpose: rules that only a test of one thing wants.

use std::time::Duration;

use axum::http::StatusCode;

use super::{CERTAIN, DeliveryFault, EventPattern, FaultEffect, Match};
use feed::sockets::Ending;

/// Rules under a name.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// As it is asked for.
    pub name: &'static str,
    /// What the rules simulate.
    pub about: &'static str,
    rules: &'static [BundleRow],
}

/// One rule of a bundle: on what, how likely in hundredths, how often at most, and what happens.
type BundleRow = (On, u64, Option<u64>, FaultEffect);

/// What a row hits.
#[derive(Clone, Copy, Debug)]
enum On {
    /// Requests, or deliveries where the verdict is about those.
    All,
    /// Sockets that are about to send an event.
    Event,
}

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

const fn busy(retry_after: u32) -> FaultEffect {
    FaultEffect::Answer(StatusCode::SERVICE_UNAVAILABLE, Some(retry_after))
}

const fn deliveries(fault: DeliveryFault) -> FaultEffect {
    FaultEffect::Deliveries(fault)
}

/// All bundles.
pub const BUNDLES: [Bundle; 3] = [
    Bundle {
        name: "a bad day",
        about: "a little of everything: busy answers, lost answers, late ones, sockets that break, deliveries that come \
                twice, late, out of order, badly signed or not at all",
        rules: &[
            (On::All, 5, Some(200), busy(1)),
            (On::All, 2, Some(100), FaultEffect::DropAfter),
            (On::All, 2, Some(100), FaultEffect::DropBefore),
            (On::All, 5, None, FaultEffect::Delay(Duration::from_millis(1_500))),
            (On::Event, 2, None, FaultEffect::Sockets(Ending::Cut)),
            (On::Event, 2, None, FaultEffect::Sockets(Ending::CutInFrame)),
            (On::Event, 1, None, FaultEffect::Sockets(Ending::Stall)),
            (On::All, 5, None, deliveries(DeliveryFault::Drop)),
            (On::All, 10, None, deliveries(DeliveryFault::Duplicate)),
            (On::All, 10, None, deliveries(DeliveryFault::Reorder(seconds(20)))),
            (On::All, 5, None, deliveries(DeliveryFault::Delay(seconds(5)))),
            (On::All, 10, Some(200), deliveries(DeliveryFault::Fail)),
            (On::All, 3, Some(50), deliveries(DeliveryFault::CorruptSignature)),
        ],
    },
    Bundle {
        name: "a deploy",
        about: "the next event finds its socket closing as for a new version, then a few requests get 503 with Retry-After",
        rules: &[
            (On::Event, 100, Some(1), FaultEffect::Sockets(Ending::Graceful)),
            (On::All, 100, Some(3), busy(2)),
            (On::All, 100, Some(3), deliveries(DeliveryFault::Fail)),
        ],
    },
    Bundle {
        name: "a slow partner",
        about: "the partner's own server is slow: deliveries fail or come late, and its sockets stop reading",
        rules: &[
            (On::All, 30, Some(500), deliveries(DeliveryFault::Fail)),
            (On::All, 30, None, deliveries(DeliveryFault::Delay(seconds(8)))),
            (On::Event, 5, None, FaultEffect::Sockets(Ending::Stall)),
        ],
    },
];

impl Bundle {
    /// The bundle of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        BUNDLES.into_iter().find(|bundle| bundle.name == name)
    }

    /// Its rules, in the order in which they are tried.
    #[must_use]
    pub fn rules(self) -> Vec<(Match, FaultEffect)> {
        let rule = |&(on, hundredths, times, verdict): &BundleRow| {
            let event = match on {
                On::All => None,
                On::Event => EventPattern::read("*"),
            };
            let chance = (hundredths < 100).then_some(hundredths * CERTAIN / 100);
            (Match { event, chance, times, ..Match::default() }, verdict)
        };
        self.rules.iter().map(rule).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_are_found_by_name_and_what_answers_breaks_or_fails_comes_to_an_end() {
        for bundle in BUNDLES {
            assert_eq!(Bundle::named(bundle.name).map(|found| found.about), Some(bundle.about));
            for (on, verdict) in bundle.rules() {
                let blocks = matches!(
                    verdict,
                    FaultEffect::Answer(..)
                        | FaultEffect::DropBefore
                        | FaultEffect::DropAfter
                        | FaultEffect::Deliveries(DeliveryFault::Fail | DeliveryFault::CorruptSignature)
                );
                assert!(!blocks || on.times.is_some(), "{}: {verdict:?} goes on for ever", bundle.name);
                let for_good = matches!(verdict, FaultEffect::Deliveries(DeliveryFault::Refuse));
                assert!(!for_good, "{}: {verdict:?} is for good", bundle.name);
            }
        }
        assert!(Bundle::named("a good day").is_none());
    }
}
