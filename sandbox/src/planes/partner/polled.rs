//! The texts of accounts that were read lately, because partners read the same account again and again.
//!
//! Invariant: a text is given only for what it was written from, the very record and equal valuations of its positions; so
//! nothing has to be told when something changes, and a world may be reset, forked or restored under it. Bounded: the
//! account that was first written gives way. Absent on purpose: lists, whose readers differ in what they ask for.

use super::accounts::Valued;
use crate::wire;
use bytes::Bytes;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::ids::AccountId;
use std::sync::{Mutex, PoisonError};

/// Accounts remembered in a world: two megabytes or so.
const MOST: usize = 1_024;

/// What was written of a world's accounts.
pub(crate) struct Polled {
    most: usize,
    texts: Mutex<IndexMap<AccountId, (Valued, Bytes), FxBuildHasher>>,
}

impl Default for Polled {
    fn default() -> Self {
        Self::of(MOST)
    }
}

impl Polled {
    /// Remembers at most so many accounts.
    fn of(most: usize) -> Self {
        Self { most, texts: Mutex::default() }
    }

    /// The JSON of `account`.
    pub(crate) fn text(&self, account: Valued) -> Bytes {
        if let Some(text) = self.known(&account) {
            return text;
        }
        let text = wire::to_json(&account.shape());
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() >= self.most && !texts.contains_key(&account.id()) {
            texts.shift_remove_index(0);
        }
        texts.insert(account.id(), (account, text.clone()));
        text
    }

    fn known(&self, account: &Valued) -> Option<Bytes> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.get(&account.id()).filter(|(written_from, _)| written_from.is(account)).map(|(_, text)| text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, at};
    use sim::query;

    /// The account as it stands: what readers get, and what is written anew.
    fn texts(bench: &Bench, polled: &Polled, account: AccountId) -> (Bytes, Bytes) {
        let client = bench.scope(0).client;
        let valued = || {
            let found = bench
                .world
                .read(|world| query::account(world, client, account).map(|account| Valued::of(world, account)));
            found.expect("a world").expect("an account")
        };
        (polled.text(valued()), wire::to_json(&valued().shape()))
    }

    #[test]
    fn what_is_given_is_always_what_would_be_written() {
        let bench = Bench::new();
        let polled = Polled::default();
        let account = bench.account(0);
        let mut seen = Vec::new();
        for change in 0..6 {
            match change {
                1 => drop(bench.subscribe(0, account)),
                // Traded, settled, and valued at the prices of later days.
                2.. => {
                    let goal = at(&format!("2026-03-{:02}T23:00:00+01:00", change + 1));
                    while !bench.world.jump(goal, &mut Vec::new()).expect("a jump") {}
                }
                _ => {}
            }
            let (given, written) = texts(&bench, &polled, account);
            assert_eq!(given, written, "after change {change}");
            assert_eq!(
                texts(&bench, &polled, account).0.as_ptr(),
                given.as_ptr(),
                "nothing has changed since {change}"
            );
            seen.push(given);
        }
        seen.dedup();
        assert!(seen.len() >= 4, "the changes are meant to show: {seen:?}");
    }

    #[test]
    fn the_first_account_written_gives_way() {
        let bench = Bench::new();
        let polled = Polled::of(3);
        let first = bench.account(0);
        let (given, _) = texts(&bench, &polled, first);
        for _ in 0..3 {
            let account = bench.account(0);
            texts(&bench, &polled, account);
        }
        assert_eq!(polled.texts.lock().expect("texts").len(), 3);
        assert_ne!(texts(&bench, &polled, first).0.as_ptr(), given.as_ptr());
    }
}
