//! Life of a fund order (rule: orders/order-states).
//!
//! Owns: the states an order may be in and the only ways between them. States distinguish more than the six public words:
//! whether the order's transaction exists, whether an aggregated order has taken it, whether its price is known. So the
//! existence of transactions (rule: orders/existence-of-transactions) is a function of the state (`State::books`), not
//! of the order's history.
//! Invariant: an order reserves cash or units in exactly the states whose books are `Nothing` and that are not terminal.
//! Absent on purpose: clocks, prices, who may ask.

use crate::settings::Settings;

machine! {
    /// Every move an order can make.
    "order", topic "orders", about "the states of an order", effects "books", first [Received];

    /// The state of an order.
    states State {
        /// Accepted; nothing booked, cash or units reserved.
        Received = "received",
        /// Parked before anything was booked; still reserving. Public `hold`.
        HoldUnbooked = "hold",
        /// Booked, waiting for the cut-off.
        Pending = "pending",
        /// Parked with its transaction in place. Public `hold`.
        HoldBooked = "hold",
        /// Taken by an aggregated order at the cut-off, not yet accepted outside. Public `pending`.
        Aggregated = "pending",
        /// The aggregated order was accepted by the routing intermediary.
        Sent = "sent",
        /// The price is known. Public `sent` (rule: orders/confirmed-is-inside-sent).
        Confirmed = "sent",
        /// Posted.
        Settled = "settled",
        /// Canceled before anything was booked. Public `canceled`.
        CanceledUnbooked = "canceled",
        /// Canceled later; its transaction is aborted. Public `canceled`.
        CanceledBooked = "canceled",
    }

    /// What moves an order.
    triggers Trigger {
        /// The checks of the first second are passed, or its cut-off has come.
        Accept,
        /// A rule or the back office parks it.
        Park,
        /// The back office releases it.
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
    effects Effect {
        /// Nothing.
        Nothing,
        /// The first transaction is created: cash of a subscription, units of a redemption. The reservation ends.
        Book,
        /// The reservation ends, nothing was booked.
        Unreserve,
        /// The first transaction is aborted, its cash or units come back.
        Abort,
        /// Price, trade date and the missing figure are filled in.
        Execute,
        /// The first transaction is settled, the second is created settled.
        Post,
    }

    rows {
        // from        on           to                 books
        Received,      Accept   =>  Pending,           Book;
        Received,      Park     =>  HoldUnbooked,      Nothing;
        Received,      Cancel   =>  CanceledUnbooked,  Unreserve;
        Received,      Stop     =>  CanceledUnbooked,  Unreserve;

        HoldUnbooked,  Release  =>  Pending,           Book;
        HoldUnbooked,  Cancel   =>  CanceledUnbooked,  Unreserve;
        HoldUnbooked,  Stop     =>  CanceledUnbooked,  Unreserve;
        HoldUnbooked,  Lapse    =>  CanceledUnbooked,  Unreserve;

        Pending,       CutOff   =>  Aggregated,        Nothing;
        Pending,       Park     =>  HoldBooked,        Nothing;
        Pending,       Cancel   =>  CanceledBooked,    Abort;
        Pending,       Stop     =>  CanceledBooked,    Abort;

        HoldBooked,    Release  =>  Pending,           Nothing;
        HoldBooked,    Cancel   =>  CanceledBooked,    Abort;
        HoldBooked,    Stop     =>  CanceledBooked,    Abort;
        HoldBooked,    Lapse    =>  CanceledBooked,    Abort;

        Aggregated,    Route    =>  Sent,              Nothing;
        Aggregated,    Refuse   =>  CanceledBooked,    Abort;
        Aggregated,    Park     =>  HoldBooked,        Nothing;

        Sent,          Price    =>  Confirmed,         Execute;
        Sent,          Void     =>  CanceledBooked,    Abort;

        Confirmed,     Settle   =>  Settled,           Post;
    }
}

/// Which transactions of an order exist, and how (rule: orders/existence-of-transactions). The first is the cash of a
/// subscription or the units of a redemption, the second its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookedSides {
    /// None.
    Nothing,
    /// The first, unsettled.
    First,
    /// Both, settled.
    Both,
    /// The first, aborted.
    Aborted,
}

impl State {
    /// The public word in a world with these settings (rule: orders/confirmed-is-inside-sent).
    #[must_use]
    pub const fn shown(self, settings: &Settings) -> &'static str {
        match self {
            Self::Confirmed if settings.expose_confirmed => "confirmed",
            other => other.name(),
        }
    }

    /// Which transactions exist in this state.
    #[must_use]
    pub const fn books(self) -> BookedSides {
        match self {
            Self::Received | Self::HoldUnbooked | Self::CanceledUnbooked => BookedSides::Nothing,
            Self::Pending | Self::HoldBooked | Self::Aggregated | Self::Sent | Self::Confirmed => BookedSides::First,
            Self::Settled => BookedSides::Both,
            Self::CanceledBooked => BookedSides::Aborted,
        }
    }

    /// Whether the order reserves cash or units (rule: money/reservations).
    #[must_use]
    pub const fn reserves(self) -> bool {
        matches!(self, Self::Received | Self::HoldUnbooked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: orders/existence-of-transactions)
    #[test]
    fn effects_lead_from_the_books_of_one_state_to_the_books_of_the_next() {
        for row in TABLE.rows {
            let expected = match row.effect {
                Effect::Nothing | Effect::Execute => row.from.books(),
                Effect::Book => BookedSides::First,
                Effect::Unreserve => BookedSides::Nothing,
                Effect::Abort => BookedSides::Aborted,
                Effect::Post => BookedSides::Both,
            };
            assert_eq!(row.to.books(), expected, "{row:?}");
            if matches!(row.effect, Effect::Unreserve | Effect::Book) {
                assert!(row.from.reserves() && !row.to.reserves(), "{row:?}");
            } else {
                assert_eq!(row.from.reserves(), row.to.reserves(), "{row:?}");
            }
        }
    }
}
