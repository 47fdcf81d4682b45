//! Wrong secrets: how many a source has shown, and how long it waits for the answers.
//!
//! Invariant: a right secret is answered at once and never costs a caller anything, unless as many wrong ones of the same source
//! for the same name are being waited for as may; a wait continues when its caller hangs up. What is kept is bounded, and
//! follows from transport time and the order of requests alone (rule: auth/wrong-secrets). Absent on purpose: the secrets.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use uuid::Uuid;

use feed::transport::{TransportClock, TransportTime};
use wire::error::ApiError;

/// Wrong secrets that are answered at once: a slip of the hand, or a program that was just set up.
const AT_ONCE: u32 = 5;
/// The first wait; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Wrong secrets of one source for one name that are waited for at a time.
const AT_A_TIME: usize = 8;
/// For how long the last wrong secret of a source is remembered.
const REMEMBERED: Duration = Duration::from_secs(900);
/// Sources and names that are remembered.
const MOST: usize = 10_000;

/// Whose secret is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretOwner {
    /// That of the partner with this client id, whether or not there is one.
    Client(Uuid),
    /// That of a client id which nobody can have.
    Nobody,
    /// The operator's token.
    Operator,
}

/// Where guesses come from: an address, or a network of the kind that one customer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GuessSource(Option<IpAddr>);

impl GuessSource {
    fn of(peer: Option<IpAddr>) -> Self {
        Self(peer.map(|peer| match peer.to_canonical() {
            // One customer has 2^64 addresses.
            IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() >> 64 << 64).into()),
            v4 @ IpAddr::V4(_) => v4,
        }))
    }
}

/// What is remembered of one source and one name.
#[derive(Debug, Default)]
struct GuessCount {
    wrong: u32,
    last: TransportTime,
    /// When the answers that are waited for are due.
    due: VecDeque<TransportTime>,
}

/// Wrong secrets of all sources.
#[derive(Debug, Default)]
pub struct Guesses {
    rows: Mutex<IndexMap<(GuessSource, SecretOwner), GuessCount, FxBuildHasher>>,
}

/// A secret that is about to be looked at.
#[must_use = "a wrong secret is to be noted"]
#[derive(Debug)]
pub struct Guess<'g> {
    of: &'g Guesses,
    key: (GuessSource, SecretOwner),
}

impl Guesses {
    fn rows(&self) -> MutexGuard<'_, IndexMap<(GuessSource, SecretOwner), GuessCount, FxBuildHasher>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a secret of `whose` from `peer` be looked at.
    ///
    /// # Errors
    /// 503 while too many wrong ones are being waited for, with the time after which one is not.
    pub fn begin(
        &self,
        peer: Option<IpAddr>,
        whose: SecretOwner,
        clock: &TransportClock,
    ) -> Result<Guess<'_>, ApiError> {
        let (key, now) = ((GuessSource::of(peer), whose), clock.now());
        if let Some(row) = self.rows().get_mut(&key) {
            row.due.retain(|due| *due > now);
            let next = row.due.front().filter(|_| row.due.len() >= AT_A_TIME);
            if let Some(next) = next {
                let seconds = next.since(now).as_millis().div_ceil(1_000).max(1);
                let words = "too many wrong secrets have come from this address; try again later";
                return Err(ApiError::try_again(words, u32::try_from(seconds).unwrap_or(u32::MAX)));
            }
        }
        Ok(Guess { of: self, key })
    }
}

impl Guess<'_> {
    /// The secret was right: the wrong ones before it were slips.
    pub fn right(self) {
        if let Some(row) = self.of.rows().get_mut(&self.key) {
            row.wrong = 0;
        }
    }

    /// The secret was wrong: waits until it may be answered.
    pub async fn wrong(self, clock: &TransportClock) {
        if let Some(due) = self.note(clock.now()) {
            clock.until(due).await;
        }
    }

    /// The secret was wrong, and its answer cannot wait: it counts as one that does.
    pub fn wrong_at_once(self, clock: &TransportClock) {
        self.note(clock.now());
    }

    /// Notes a wrong secret; when it may be answered, if not at once.
    fn note(&self, now: TransportTime) -> Option<TransportTime> {
        let mut rows = self.of.rows();
        if !rows.contains_key(&self.key) && rows.len() >= MOST {
            rows.retain(|_, row| now.since(row.last) < REMEMBERED);
            if rows.len() >= MOST {
                rows.shift_remove_index(0);
            }
        }
        let row = rows.entry(self.key).or_default();
        if now.since(row.last) >= REMEMBERED {
            row.wrong = 0;
        }
        row.wrong = row.wrong.saturating_add(1);
        row.last = now;
        let doublings = row.wrong.checked_sub(AT_ONCE + 1)?;
        let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_WAIT);
        let due = now.plus(wait);
        let place = row.due.partition_point(|other| *other <= due);
        row.due.insert(place, due);
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: SecretOwner = SecretOwner::Client(Uuid::nil());

    fn peer(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    fn clock() -> TransportClock {
        TransportClock::starting_at(Duration::ZERO)
    }

    /// How long a wrong secret waits for its answer.
    async fn wait(guesses: &Guesses, peer: Option<IpAddr>, whose: SecretOwner, clock: &TransportClock) -> Duration {
        let before = clock.now();
        guesses.begin(peer, whose, clock).expect("there is room").wrong(clock).await;
        clock.now().since(before)
    }

    /// (rule: auth/wrong-secrets)
    #[tokio::test(start_paused = true)]
    async fn wrong_secrets_wait_ever_longer_and_others_do_not() {
        let (guesses, clock) = (Guesses::default(), clock());
        let here = peer("192.0.2.7");
        let mut waits = Vec::new();
        for _ in 0..14 {
            waits.push(wait(&guesses, here, CLIENT, &clock).await.as_millis());
        }
        assert_eq!(waits, [0, 0, 0, 0, 0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
        // Another address, another name, and the same address once it was right.
        assert_eq!(wait(&guesses, peer("192.0.2.8"), CLIENT, &clock).await, Duration::ZERO);
        assert_eq!(wait(&guesses, here, SecretOwner::Operator, &clock).await, Duration::ZERO);
        guesses.begin(here, CLIENT, &clock).expect("a right one is looked at").right();
        assert_eq!(wait(&guesses, here, CLIENT, &clock).await, Duration::ZERO);
    }

    /// (rule: auth/wrong-secrets)
    #[tokio::test(start_paused = true)]
    async fn who_hangs_up_gains_nothing_and_a_wait_bounds_the_next_try() {
        let (guesses, clock) = (Guesses::default(), clock());
        let here = peer("192.0.2.7");
        let hangs_up = || guesses.begin(here, CLIENT, &clock).map(|guess| guess.note(clock.now()));
        let looked_at = (0..1_000).filter(|_| hangs_up().is_ok()).count();
        assert_eq!(looked_at, AT_ONCE as usize + AT_A_TIME);
        let refused = hangs_up().expect_err("too many wait");
        assert_eq!((refused.status.as_u16(), refused.error), (503, "service_unavailable"));
        // Over a minute no more are looked at than the longest wait lets pass.
        let mut looked_at = 0;
        for _ in 0..600 {
            tokio::time::sleep(FIRST_WAIT).await;
            looked_at += usize::from(hangs_up().is_ok());
        }
        assert!((60..=110).contains(&looked_at), "{looked_at}");
        // Once the guessing ends, a right one is looked at within the longest wait.
        tokio::time::sleep(LONGEST_WAIT).await;
        guesses.begin(here, CLIENT, &clock).expect("it is looked at").right();
    }

    /// (rule: auth/wrong-secrets)
    #[tokio::test(start_paused = true)]
    async fn wrong_secrets_are_forgotten_after_a_quarter_of_an_hour_and_memory_is_bounded() {
        let (guesses, clock) = (Guesses::default(), clock());
        let here = peer("2001:db8::1");
        for _ in 0..=AT_ONCE {
            wait(&guesses, here, CLIENT, &clock).await;
        }
        assert!(wait(&guesses, peer("2001:db8::ffff"), CLIENT, &clock).await > Duration::ZERO, "the same network");
        tokio::time::sleep(REMEMBERED).await;
        assert_eq!(wait(&guesses, here, CLIENT, &clock).await, Duration::ZERO);
        for id in 0..MOST as u128 + 100 {
            wait(&guesses, here, SecretOwner::Client(Uuid::from_u128(id)), &clock).await;
        }
        assert_eq!(guesses.rows().len(), MOST);
    }
}
