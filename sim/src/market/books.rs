//! Orders that were sent, by dealing day.

use crate::ids::OrderId;
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Orders of one fund and dealing day that were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DayBook {
    /// In order of routing.
    pub orders: Vec<OrderId>,
    /// Whether executions at the day's price exist.
    pub executed: bool,
}

/// The books of a fund, in the order in which they were begun. Copies share those that neither has changed since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct DayBooks(Vec<(Date, Arc<DayBook>)>);

impl DayBooks {
    pub(super) fn of(&self, day: Date) -> Option<&DayBook> {
        self.0.iter().rev().find(|(at, _)| *at == day).map(|(_, book)| &**book)
    }

    pub(super) fn of_mut(&mut self, day: Date) -> &mut DayBook {
        let at = match self.0.iter().rposition(|(at, _)| *at == day) {
            Some(at) => at,
            None => {
                self.0.push((day, Arc::default()));
                self.0.len() - 1
            }
        };
        Arc::make_mut(&mut self.0[at].1)
    }
}
