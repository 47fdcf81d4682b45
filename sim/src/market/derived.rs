//! Prices that nothing but the fund and the seed decides: those from before a world's start, and those of a fund at rest.
//!
//! Invariant: they are the same for every reader at any time, so they are no part of a fund's equality, fingerprint or
//! record. What was read is kept for the next reader, of this world or of a copy of it whose clock shows another time. Absent
//! on purpose: prices that a lever has touched, and timers.

use super::dealing_days::history;
use super::nav::Nav;
use crate::money::Price;
use crate::records::Instrument;
use crate::rng::Stream;
use crate::time::{Date, Instant};
use crate::walk;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard};

/// What was derived so far.
#[derive(Debug, Default)]
pub(super) struct Derived {
    /// Prices from before the start, the latest first.
    past: Option<Past>,
    /// Prices since the fund is at rest.
    rest: Option<Rest>,
}

/// Prices from before the start, as far back as somebody has read.
#[derive(Clone, Debug)]
pub(super) struct Past {
    /// The latest first.
    pub navs: Vec<Nav>,
    /// Days that were not looked at, the latest first.
    days: std::vec::IntoIter<Date>,
    stream: Stream,
    price: Price,
}

/// Where the past of a fund begins: the start, and the stream that goes back from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct PastSource {
    pub start: Instant,
    pub stream: Stream,
}

impl Past {
    fn new(source: &PastSource, fund: &Instrument) -> Self {
        let days: Vec<Date> = history(source.start).collect();
        Self { navs: Vec::new(), days: days.into_iter(), stream: source.stream.clone(), price: fund.first_price }
    }

    /// Goes back until a price `is_enough`, or to the end.
    pub(super) fn go_back(&mut self, source: &PastSource, fund: &Instrument, is_enough: impl Fn(&Nav) -> bool) {
        while !self.navs.last().is_some_and(&is_enough) {
            let Some(day) = self.days.next() else { return };
            if !fund.is_dealing_day(day) {
                continue;
            }
            let at = fund.publication(day, 0);
            if at > source.start {
                continue;
            }
            if !self.navs.is_empty() {
                self.price = walk::previous_price(&mut self.stream, self.price, fund.volatility_bp);
            }
            self.navs.push(Nav { day, price: self.price, published: Some(at) });
        }
    }
}

/// Prices of a fund at rest, until the latest instant at which somebody has read.
#[derive(Debug)]
pub(super) struct Rest {
    /// Struck prices, ascending, each with the instant of its publication, be it over or to come.
    pub navs: Vec<Nav>,
    /// The last cut-off.
    last: Option<Instant>,
    next: (Date, Instant),
    /// Where the walk is.
    pub stream: Stream,
    price: Price,
}

/// Prices of a fund at rest as they are at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtRest<'a> {
    /// Those that are struck, ascending, each with the instant of its publication, be it over or to come.
    pub navs: &'a [Nav],
    /// The next cut-off.
    pub next: (Date, Instant),
}

impl AtRest<'_> {
    /// How many of the prices are published by `now`.
    pub(super) fn published(&self, now: Instant) -> usize {
        self.navs.partition_point(|nav| nav.published.is_some_and(|at| at <= now))
    }
}

impl Rest {
    /// From the first of the dealing days from `first` on whose price is published after `after`.
    pub(super) fn new(fund: &Instrument, first: Date, after: Instant, stream: Stream, price: Price) -> Self {
        let mut day = first;
        while !fund.is_dealing_day(day) || fund.publication(day, 0) <= after {
            day = day.tomorrow().expect("a fund deals at least once in two years");
        }
        Self { navs: Vec::new(), last: None, next: (day, fund.cut_off(day)), stream, price }
    }

    /// Strikes what is due until `now`.
    pub(super) fn go_on(&mut self, fund: &Instrument, now: Instant) {
        while self.next.1 <= now {
            let (day, cut_off) = self.next;
            self.price = walk::next_price(&mut self.stream, self.price, fund.volatility_bp);
            self.navs.push(Nav { day, price: self.price, published: Some(fund.publication(day, 0)) });
            (self.last, self.next) = (Some(cut_off), fund.cut_off_after(day));
        }
    }

    /// Whether a copy of the world that is later than `now` has read more.
    pub(super) fn is_beyond(&self, now: Instant) -> bool {
        self.last.is_some_and(|last| now < last)
    }

    /// Its state at `now`, which it has reached or passed.
    pub(super) fn at(&self, fund: &Instrument, now: Instant) -> AtRest<'_> {
        if !self.is_beyond(now) {
            return AtRest { navs: &self.navs, next: self.next };
        }
        let struck = self.navs.partition_point(|nav| fund.cut_off(nav.day) <= now);
        let next = self.navs[struck].day;
        AtRest { navs: &self.navs[..struck], next: (next, fund.cut_off(next)) }
    }

    /// A price as it is known at `now`.
    pub(super) fn seen(nav: &Nav, now: Instant) -> Nav {
        Nav { published: nav.published.filter(|at| *at <= now), ..*nav }
    }
}

/// What was derived, behind a lock: a reader has no other right to change a fund.
#[derive(Debug, Default)]
pub(super) struct DerivedCell(Mutex<Derived>);

impl DerivedCell {
    fn lock(&self) -> MutexGuard<'_, Derived> {
        self.0.lock().expect("no reader breaks")
    }

    /// The past, for a reader.
    pub(super) fn past<R>(&self, source: &PastSource, fund: &Instrument, read: impl FnOnce(&mut Past) -> R) -> R {
        read(self.lock().past.get_or_insert_with(|| Past::new(source, fund)))
    }

    /// The prices at rest until `now`, for a reader; `begin` says where they begin.
    pub(super) fn rest<R>(
        &self,
        fund: &Instrument,
        now: Instant,
        begin: impl FnOnce() -> Rest,
        read: impl FnOnce(AtRest<'_>) -> R,
    ) -> R {
        let mut derived = self.lock();
        let rest = derived.rest.get_or_insert_with(begin);
        rest.go_on(fund, now);
        read(rest.at(fund, now))
    }

    /// Forgets what was derived: other prices are to follow.
    pub(super) fn forget_rest(&mut self) -> Option<Rest> {
        self.0.get_mut().expect("no reader breaks").rest.take()
    }
}

/// A fund that is changed apart from its copies derives its prices at rest anew: they may be of thousands of years.
impl Clone for DerivedCell {
    fn clone(&self) -> Self {
        Self(Mutex::new(Derived { past: self.lock().past.clone(), rest: None }))
    }
}

impl PartialEq for DerivedCell {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for DerivedCell {}

impl Hash for DerivedCell {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
