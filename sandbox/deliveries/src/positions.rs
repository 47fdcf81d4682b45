//! The order in which deliveries came, and the cursors of readers that go on from a place in it (rule: events/delivery-cursor).
//!
//! Invariant: a cursor holds only while the same deliveries came before it. Another order, as after a restart of the server, is found out
//! by the fingerprint, so that no reader misses one. A cursor of a partner says nothing of the deliveries of others.
//! Absent on purpose: which deliveries there are, which is the queue's.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound::{Excluded, Unbounded};
use std::str::FromStr;

use sim::ids::PartnerId;
use uuid::Uuid;

/// Begins with the oldest delivery that is kept.
const BEGINNING: &str = "start";

/// One place in the order. A delivery that is sent again takes another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Larger than those of all that came before.
    number: u64,
    /// How many places the delivery had before.
    count: u32,
    /// Fingerprint of all up to here.
    all: u64,
    /// The same of those of its partner.
    own: u64,
}

/// Up to where a reader has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeliveryCursor {
    /// Nothing was read.
    #[default]
    Beginning,
    /// Up to this delivery.
    Behind {
        /// The delivery.
        id: Uuid,
        /// How many places it had before.
        count: u32,
        /// Fingerprint of what the reader may see up to there.
        fingerprint: u64,
    },
}

impl fmt::Display for DeliveryCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beginning => f.write_str(BEGINNING),
            Self::Behind { id, count, fingerprint } => write!(f, "{id}.{count}.{fingerprint:016x}"),
        }
    }
}

/// A text is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACursor;

impl FromStr for DeliveryCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        if text == BEGINNING {
            return Ok(Self::Beginning);
        }
        let mut parts = text.splitn(3, '.');
        let mut part = || parts.next().ok_or(NotACursor);
        let id = part()?.parse().map_err(|_| NotACursor)?;
        let count = part()?.parse().map_err(|_| NotACursor)?;
        let fingerprint = u64::from_str_radix(part()?, 16).map_err(|_| NotACursor)?;
        Ok(Self::Behind { id, count, fingerprint })
    }
}

impl Position {
    /// The cursor of a reader of all deliveries, or of those of one partner, who has read up to here.
    pub(super) const fn cursor(self, id: Uuid, reads_all: bool) -> DeliveryCursor {
        let fingerprint = if reads_all { self.all } else { self.own };
        DeliveryCursor::Behind { id, count: self.count, fingerprint }
    }

    /// Its number.
    pub(super) const fn number(self) -> u64 {
        self.number
    }

    /// How many places the delivery had before.
    pub(super) const fn count(self) -> u32 {
        self.count
    }
}

/// The order of one queue.
#[derive(Debug)]
pub(super) struct Positions {
    next: u64,
    /// The fingerprint of nothing: another one for each log.
    nothing: u64,
    all: u64,
    own: BTreeMap<Option<PartnerId>, u64>,
    order: BTreeMap<u64, Uuid>,
}

impl Positions {
    /// An empty order. Cursors of one with another `log` do not hold in it.
    pub(super) const fn new(log: u64) -> Self {
        Self { next: 0, nothing: log, all: log, own: BTreeMap::new(), order: BTreeMap::new() }
    }

    /// The last place, for a delivery that has had `last` before.
    pub(super) fn take(&mut self, id: Uuid, partner: Option<PartnerId>, last: Option<Position>) -> Position {
        let count = last.map_or(0, |last| last.count.saturating_add(1));
        let number = self.next;
        self.next += 1;
        self.forget(last);
        self.order.insert(number, id);
        // The same set has the same fingerprint in every order.
        let (_, mark) = Uuid::new_v5(&id, &count.to_be_bytes()).as_u64_pair();
        self.all ^= mark;
        let own = self.own.entry(partner).or_insert(self.nothing);
        *own ^= mark;
        Position { number, count, all: self.all, own: *own }
    }

    /// A place that nobody has any more.
    pub(super) fn forget(&mut self, position: Option<Position>) {
        if let Some(position) = position {
            self.order.remove(&position.number);
        }
    }

    /// What came after this number, oldest first; all without one.
    pub(super) fn after(&self, number: Option<u64>) -> impl DoubleEndedIterator<Item = Uuid> {
        self.order.range((number.map_or(Unbounded, Excluded), Unbounded)).map(|(_, id)| *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: events/delivery-cursor)
    #[test]
    fn a_cursor_holds_where_the_same_came_before_it_in_any_order_and_nowhere_else() {
        let partner = |id: u128| Some(PartnerId::from_u128(id % 2));
        let last = |log, ids: &[u128], reads_all| {
            let mut positions = Positions::new(log);
            let taken =
                ids.iter().map(|id| (Uuid::from_u128(*id), positions.take(Uuid::from_u128(*id), partner(*id), None)));
            let (id, position) = taken.last().expect("some");
            position.cursor(id, reads_all)
        };
        let cursor = last(0, &[1, 2, 3, 4], true);
        assert_eq!(cursor, last(0, &[3, 2, 1, 4], true));
        for (log, others) in [(0, &[1, 2, 3][..]), (0, &[1, 2, 4]), (0, &[1, 2, 3, 5, 4]), (1, &[1, 2, 3, 4])] {
            assert_ne!(cursor, last(log, others, true), "{log} {others:?}");
        }
        // That of a partner is the same whatever others are sent.
        assert_eq!(last(0, &[1, 2, 3, 4], false), last(0, &[2, 5, 7, 4], false));
        assert_ne!(last(0, &[2, 4], false), last(0, &[6, 4], false));
    }

    /// (rule: events/delivery-cursor)
    #[test]
    fn a_cursor_is_read_back_from_its_text_and_nothing_else_is_one() {
        let behind = DeliveryCursor::Behind { id: Uuid::from_u128(7), count: 2, fingerprint: 0xAB };
        for cursor in [DeliveryCursor::Beginning, behind] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        let id = Uuid::from_u128(7);
        for text in ["", "0", "end", &format!("{id}"), &format!("{id}.1"), &format!("{id}.x.0"), &format!("{id}.1.g")] {
            assert_eq!(text.parse::<DeliveryCursor>(), Err(NotACursor), "{text}");
        }
    }
}
