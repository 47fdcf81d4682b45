//! Part of law 38: an update changes something that readers see, beside its date.
//!
//! Absent on purpose: whether it should have changed, which is the law of the resource.

use crate::model::Status;
use rust_decimal::Decimal;
use sim::event::{Change, Delta};
use sim::identity::InstrumentId;
use sim::money::Units;
use sim::records::{Account, CashTransaction, FundTransaction, Journey, Position, Progress};
use std::sync::Arc;

/// Whether an event is an update that shows the same before and after. A client is left out: a patch that says what is so
/// already counts as a change (rule: clients/client-patch).
pub(super) fn changes_nothing(change: &Change) -> bool {
    match change {
        Change::Account(Delta::Updated { previous, current }) => is_alike(previous, current),
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
            shown(previous) == shown(current) && previous.result == current.result
        }
        _ => false,
    }
}

/// The same, whenever the account was changed.
pub(super) fn is_alike(one: &Account, other: &Account) -> bool {
    fn shown(account: &Account) -> impl Iterator<Item = (InstrumentId, Units, Units, Decimal)> {
        let seen = |position: &&Position| !position.units.is_zero() || !position.settled.is_zero();
        account.positions.iter().filter(seen).map(|p| (p.instrument, p.units, p.settled, p.cost))
    }
    (one.id, one.sorted_id, one.client) == (other.id, other.sorted_id, other.client)
        && (one.status(), one.deleted) == (other.status(), other.deleted)
        && (one.balance, one.deposited, one.withdrawn) == (other.balance, other.deposited, other.withdrawn)
        && one.name == other.name
        && one.reference == other.reference
        && one.bank_accounts == other.bank_accounts
        && shown(one).eq(shown(other))
}

/// What the public sees of a journey, its result and stamp aside.
pub(super) fn shown(journey: &Journey) -> Journey {
    Journey {
        result: None,
        deleted: None,
        stamp: sim::records::Stamp::new(journey.stamp.created),
        progress: Arc::new(Progress::default()),
        timer: None,
        ..journey.clone()
    }
}
