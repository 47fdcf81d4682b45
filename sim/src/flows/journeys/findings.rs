//! What is found to be wrong with a configuration, field by field.
//!
//! Invariant: what is not known breaks no rule. Absent on purpose: the rules.

use crate::flows::plans::checks::{MAX_INSTRUMENTS, fund_fault};
use crate::identity::InstrumentId;
use crate::records::Client;
use crate::refusal::{Fault, Problem};
use crate::world::World;

/// An optional field, where it is known and there.
pub(crate) fn given<T>(field: &Option<Option<T>>) -> Option<&T> {
    field.iter().flatten().next()
}

/// Problems found so far, each below `journey`.
pub(crate) struct Findings<'w> {
    pub(crate) world: &'w World,
    pub(crate) client: &'w Client,
    pub(crate) problems: Vec<Problem>,
}

impl Findings<'_> {
    pub(crate) fn say(&mut self, field: impl std::fmt::Display, fault: Fault) {
        self.problems.push(Problem::new(format!("journey.{field}"), fault));
    }

    pub(crate) fn note(&mut self, field: impl std::fmt::Display, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.say(field, fault);
        }
    }

    /// A choice: not empty, nothing twice.
    pub(crate) fn choice<T: PartialEq>(&mut self, field: &str, items: &[Option<T>]) {
        if items.is_empty() {
            self.say(field, Fault::Empty);
        }
        for (at, item) in items.iter().enumerate() {
            if item.is_some() && items[..at].contains(item) {
                self.say(format_args!("{field}[{at}]"), Fault::Duplicate);
            }
        }
    }

    /// A choice that the client's permissions bound.
    pub(crate) fn bounded<T: PartialEq>(&mut self, field: &str, items: &[Option<T>], permitted: &[T]) {
        self.choice(field, items);
        for (at, item) in items.iter().enumerate() {
            if item.as_ref().is_some_and(|item| !permitted.contains(item)) {
                self.say(format_args!("{field}[{at}]"), Fault::NotPermitted);
            }
        }
    }

    pub(crate) fn funds(&mut self, field: &str, instruments: &[Option<InstrumentId>]) {
        if instruments.len() > MAX_INSTRUMENTS {
            self.say(field, Fault::TooMany { max: MAX_INSTRUMENTS });
            return;
        }
        self.choice(field, instruments);
        for (at, &instrument) in instruments.iter().enumerate() {
            let fault = instrument.and_then(|instrument| fund_fault(self.world, self.client, instrument));
            self.note(format_args!("{field}[{at}].instrument"), fault);
        }
    }
}
