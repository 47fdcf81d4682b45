//! Part of law 38: an update changes something that readers see, beside its date.
//!
//! Absent on purpose: whether it should have changed, which is the law of the resource.

use super::{accounts, journeys};
use crate::model::Status;
use sim::event::{Change, Delta};
use sim::records::{CashTransaction, FundTransaction};

/// Whether an event is an update that shows the same before and after. A client is left out: a patch that says what is so
/// already counts as a change (rule: accounts/client-patch).
pub(super) fn changes_nothing(change: &Change) -> bool {
    match change {
        Change::Account(Delta::Updated { previous, current }) => accounts::is_alike(previous, current),
        Change::Order(Delta::Updated { previous, current }) => {
            (Status::of(*previous.state), previous.amount, previous.units)
                == (Status::of(*current.state), current.amount, current.units)
        }
        Change::CashTransaction(Delta::Updated { previous, current }) => {
            CashTransaction { stamp: previous.stamp, ..(**current).clone() } == **previous
        }
        Change::FundTransaction(Delta::Updated { previous, current }) => {
            FundTransaction { stamp: previous.stamp, ..(**current).clone() } == **previous
        }
        Change::Journey(Delta::Updated { previous, current }) => {
            journeys::shown(previous) == journeys::shown(current) && previous.result == current.result
        }
        _ => false,
    }
}
