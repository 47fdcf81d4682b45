//! Which levers a server that is no fundsim has, as far as its answers have shown.
//!
//! Invariant: a lever that was once answered is there for good: what it answers later is judged. Absent on purpose: which step is a
//! lever (`run::foreign`).

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What is known; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Levers {
    /// It has none at all.
    none: bool,
    there: Arc<Mutex<BTreeSet<String>>>,
}

impl Levers {
    /// Of a server that has none.
    #[must_use]
    pub fn none() -> Self {
        Self { none: true, ..Self::default() }
    }

    /// Whether it has none at all.
    #[must_use]
    pub const fn are_none(&self) -> bool {
        self.none
    }

    /// A lever was answered.
    pub(crate) fn answered(&self, lever: &str) {
        self.there.lock().unwrap_or_else(PoisonError::into_inner).insert(lever.to_owned());
    }

    /// Whether it was answered before.
    pub(crate) fn has(&self, lever: &str) -> bool {
        self.there.lock().unwrap_or_else(PoisonError::into_inner).contains(lever)
    }
}

impl PartialEq for Levers {
    /// Two servers may be equal whatever levers each has shown so far.
    fn eq(&self, other: &Self) -> bool {
        self.none == other.none
    }
}

impl Eq for Levers {}
