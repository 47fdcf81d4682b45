//! What signs for one receiver: its key, and the one before while that is still good (rule: events/secret-rotation).
//!
//! Invariant: a signer asks for the keys at that moment, so nothing is ever sent with a key that is no longer valid,
//! replays included. Absent on purpose: the scheme itself (`signature`).

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::signature::SigningKey;
use feed::transport::TransportTime;

/// The keys of one receiver.
pub struct SigningKeys(Mutex<Keys>);

#[derive(Clone)]
struct Keys {
    current: SigningKey,
    previous: Option<(SigningKey, TransportTime)>,
}

impl SigningKeys {
    /// One key.
    #[must_use]
    pub const fn new(current: SigningKey) -> Self {
        Self(Mutex::new(Keys { current, previous: None }))
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key that new messages are known by.
    #[must_use]
    pub fn current(&self) -> SigningKey {
        self.keys().current.clone()
    }

    /// Until when the key before still signs beside it, if it does at `now`.
    #[must_use]
    pub fn previous_until(&self, now: TransportTime) -> Option<TransportTime> {
        self.keys().previous.as_ref().map(|(_, until)| *until).filter(|until| *until > now)
    }

    /// The key before, whether or not it is still good.
    #[must_use]
    pub fn replaced(&self) -> Option<SigningKey> {
        self.keys().previous.as_ref().map(|(key, _)| key.clone())
    }

    /// The keys that sign at `now`, the current one first.
    #[must_use]
    pub fn at(&self, now: TransportTime) -> Vec<SigningKey> {
        let Keys { current, previous } = self.keys().clone();
        let previous = previous.filter(|(_, until)| *until > now).map(|(key, _)| key);
        [current].into_iter().chain(previous).collect()
    }

    /// Replaces the current key by `key`. The old one signs beside it until `until`.
    pub fn rotate(&self, key: SigningKey, until: TransportTime) {
        let mut keys = self.keys();
        let before = std::mem::replace(&mut keys.current, key);
        keys.previous = Some((before, until));
    }
}

impl std::fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKeys(masked)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: events/secret-rotation)
    #[test]
    fn two_keys_sign_until_the_older_ones_time_is_over_and_a_third_takes_the_place_of_the_first() {
        let [first, second, third] = [1, 2, 3].map(|byte| SigningKey::from_bytes([byte; 32]));
        let keys = SigningKeys::new(first.clone());
        assert_eq!(keys.at(TransportTime(0)), std::slice::from_ref(&first));
        keys.rotate(second.clone(), TransportTime(10));
        assert_eq!((keys.current(), keys.previous_until(TransportTime(9))), (second.clone(), Some(TransportTime(10))));
        assert_eq!(keys.at(TransportTime(9)), [second.clone(), first]);
        assert_eq!((keys.at(TransportTime(10)), keys.previous_until(TransportTime(10))), (vec![second.clone()], None));
        keys.rotate(third.clone(), TransportTime(20));
        assert_eq!(keys.at(TransportTime(11)), [third, second]);
        assert_eq!(format!("{keys:?}"), "SigningKeys(masked)");
    }
}
