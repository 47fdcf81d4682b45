//! Life of a fund order (rule: orders/order-states).
//!
//! Owns: the states an order may be in and the only ways between them. States tell more than the six public words:
//! whether the order's transaction exists, whether an aggregated order has taken it, whether its price is known. So the
//! existence of transactions (rule: orders/existence-of-transactions) is a function of the state (`State::books`), not
//! of the order's history. Invariant: an order reserves cash or units in exactly the states whose books are `Nothing`
//! and that are not terminal. Absent on purpose: clocks, prices, who may ask.

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Accepted; nothing booked, cash or units reserved.
    Received,
    /// Parked before anything was booked; still reserving. Public `hold`.
    HoldUnbooked,
    /// Booked, waiting for the cut-off.
    Pending,
    /// Parked with its transaction in place. Public `hold`.
    HoldBooked,
    /// Taken by an aggregated order at the cut-off, not yet accepted outside. Public `pending`.
    Aggregated,
    /// The aggregated order was accepted by the routing intermediary.
    Sent,
    /// The price is known. Public `sent` (rule: orders/confirmed-is-inside-sent).
    Confirmed,
    /// Posted.
    Settled,
    /// Canceled before anything was booked. Public `canceled`.
    CanceledUnbooked,
    /// Canceled later; its transaction is aborted. Public `canceled`.
    CanceledBooked,
}

/// What moves an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// The checks of the first second are passed, or its cut-off has come.
    Accept,
    /// A rule or the back office parks it.
    Park,
    /// The back office lets it go on.
    Release,
    /// The partner cancels it.
    Cancel,
    /// The system or the back office cancels it (suspension, closing, corporate action, rejection).
    Stop,
    /// Five bank days on hold have passed.
    Lapse,
    /// The cut-off aggregates it.
    CutOff,
    /// The routing intermediary accepts the aggregated order.
    Route,
    /// The routing intermediary refuses the aggregated order.
    Refuse,
    /// The price of its dealing day is published.
    Price,
    /// That price makes it nothing (rule: orders/rounds-to-nothing).
    Void,
    /// The settlement is confirmed.
    Settle,
}

/// What a move does to money and units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The first leg is created: cash of a subscription, units of a redemption. The reservation ends.
    Book,
    /// The reservation ends, nothing was booked.
    Unreserve,
    /// The first leg is aborted, its cash or units come back.
    Abort,
    /// Price, trade date and the missing figure are filled in.
    Execute,
    /// The first leg is settled, the second leg is created settled.
    Post,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{Abort, Book, Execute, Nothing, Post, Unreserve};
use State::{
    Aggregated, CanceledBooked, CanceledUnbooked, Confirmed, HoldBooked, HoldUnbooked, Pending, Received, Sent, Settled,
};
use Trigger::{Accept, Cancel, CutOff, Lapse, Park, Price, Refuse, Release, Route, Settle, Stop, Void};

/// Every move an order can make. An order begins in `Received`.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from           on        to                 books
    (Received,        Accept,   Pending,           Book),
    (Received,        Park,     HoldUnbooked,      Nothing),
    (Received,        Cancel,   CanceledUnbooked,  Unreserve),
    (Received,        Stop,     CanceledUnbooked,  Unreserve),

    (HoldUnbooked,    Release,  Pending,           Book),
    (HoldUnbooked,    Cancel,   CanceledUnbooked,  Unreserve),
    (HoldUnbooked,    Stop,     CanceledUnbooked,  Unreserve),
    (HoldUnbooked,    Lapse,    CanceledUnbooked,  Unreserve),

    (Pending,         CutOff,   Aggregated,        Nothing),
    (Pending,         Park,     HoldBooked,        Nothing),
    (Pending,         Cancel,   CanceledBooked,    Abort),
    (Pending,         Stop,     CanceledBooked,    Abort),

    (HoldBooked,      Release,  Pending,           Nothing),
    (HoldBooked,      Cancel,   CanceledBooked,    Abort),
    (HoldBooked,      Stop,     CanceledBooked,    Abort),
    (HoldBooked,      Lapse,    CanceledBooked,    Abort),

    (Aggregated,      Route,    Sent,              Nothing),
    (Aggregated,      Refuse,   CanceledBooked,    Abort),
    (Aggregated,      Park,     HoldBooked,        Nothing),

    (Sent,            Price,    Confirmed,         Execute),
    (Sent,            Void,     CanceledBooked,    Abort),

    (Confirmed,       Settle,   Settled,           Post),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[
    Received,
    HoldUnbooked,
    Pending,
    HoldBooked,
    Aggregated,
    Sent,
    Confirmed,
    Settled,
    CanceledUnbooked,
    CanceledBooked,
];

/// Every trigger.
pub const TRIGGERS: &[Trigger] =
    &[Accept, Park, Release, Cancel, Stop, Lapse, CutOff, Route, Refuse, Price, Void, Settle];

/// The row for `on` in `from`, with its place in the table; `None` when the move is forbidden.
#[must_use]
pub fn step(from: State, on: Trigger) -> Option<(usize, State, Effect)> {
    TABLE.iter().position(|row| (row.0, row.1) == (from, on)).map(|at| (at, TABLE[at].2, TABLE[at].3))
}

/// Which legs of an order exist, and how (rule: orders/existence-of-transactions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Books {
    /// No transaction.
    Nothing,
    /// The first leg, unsettled.
    FirstLeg,
    /// Both legs, settled.
    BothLegs,
    /// The first leg, aborted.
    AbortedLeg,
}

impl State {
    /// Which legs exist in this state.
    #[must_use]
    pub const fn books(self) -> Books {
        match self {
            Received | HoldUnbooked | CanceledUnbooked => Books::Nothing,
            Pending | HoldBooked | Aggregated | Sent | Confirmed => Books::FirstLeg,
            Settled => Books::BothLegs,
            CanceledBooked => Books::AbortedLeg,
        }
    }

    /// Whether no row leads on.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Settled | CanceledUnbooked | CanceledBooked)
    }

    /// Whether the order reserves cash or units (rule: money/reservations).
    #[must_use]
    pub const fn reserves(self) -> bool {
        matches!(self, Received | HoldUnbooked)
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[Received]);

    /// (rule: orders/existence-of-transactions)
    #[test]
    fn effects_lead_from_the_books_of_one_state_to_the_books_of_the_next() {
        for &(from, on, to, effect) in TABLE {
            let expected = match effect {
                Nothing | Execute => from.books(),
                Book => Books::FirstLeg,
                Unreserve => Books::Nothing,
                Abort => Books::AbortedLeg,
                Post => Books::BothLegs,
            };
            assert_eq!(to.books(), expected, "{from:?} {on:?}");
            if effect == Unreserve || effect == Book {
                assert!(from.reserves() && !to.reserves(), "{from:?} {on:?}");
            } else {
                assert_eq!(from.reserves(), to.reserves(), "{from:?} {on:?}");
            }
        }
    }
}
