//! What happens to funds at rest, as an advance lists it: their cut-offs and the publications of their prices (rule:
//! calendar/funds-at-rest).
//!
//! Invariant: what is listed of a span follows from the span, the funds and when they were at rest; funds that deal alike are looked
//! at once. Absent on purpose: prices.

use super::Market;
use crate::records::Instrument;
use crate::time::{Date, Instant};
use crate::timers::{Happening, Timer};

/// A dealing day with its cut-off and publication.
type DealingDay = (Date, Instant, Instant);

impl Market {
    /// The cut-offs and publications of funds at rest after `from` and until `to`, in order of time; those of one instant in
    /// order of the setup.
    pub(crate) fn happened_at_rest(&self, from: Instant, to: Instant) -> Vec<Happening> {
        let mut found = Vec::new();
        let mut known: Vec<(&Instrument, Vec<DealingDay>)> = Vec::new();
        for quote in self.quotes().filter(|_| from < to) {
            let fund = &*quote.instrument;
            let mut rests = quote.rests().filter(|rest| rest.0 < to && from < rest.1).peekable();
            if rests.peek().is_none() {
                continue;
            }
            let at = known.iter().position(|(other, _)| deals_like(fund, other)).unwrap_or_else(|| {
                known.push((fund, dealing_days(fund, from, to)));
                known.len() - 1
            });
            for rest in rests {
                let is_in = |at: Instant| from.max(rest.0) < at && at <= to.min(rest.1);
                for &(day, cut_off, published) in &known[at].1 {
                    let cut_off = Happening { at: cut_off, timer: Timer::CutOff(fund.id, day) };
                    let published = Happening { at: published, timer: Timer::PublishPrice(fund.id, day) };
                    found.extend([cut_off, published].into_iter().filter(|happening| is_in(happening.at)));
                }
            }
        }
        found.sort_by_key(|happening| happening.at);
        found
    }

    /// What comes next of the funds at rest.
    pub(crate) fn next_at_rest(&self, now: Instant) -> Option<(Instant, Timer)> {
        self.quotes().filter_map(|quote| quote.next_at_rest(now)).min_by_key(|(at, _)| *at)
    }
}

/// Whether two funds have the same cut-offs and publications.
fn deals_like(one: &Instrument, other: &Instrument) -> bool {
    let when = |fund: &Instrument| (fund.cut_off_hour, fund.cut_off_minute, fund.nav_lag_days);
    when(one) == when(other)
        && one.dealing == other.dealing
        && one.calendars == other.calendars
        && one.closed_days == other.closed_days
}

/// The dealing days that have anything after `from` and until `to`.
fn dealing_days(fund: &Instrument, from: Instant, to: Instant) -> Vec<DealingDay> {
    let first = fund.last_published(from);
    let days = std::iter::successors(Some(first), |day| day.tomorrow().ok()).take_while(|day| *day <= to.local_date());
    days.filter(|day| fund.is_dealing_day(*day))
        .map(|day| (day, fund.cut_off(day), fund.publication(day, 0)))
        .filter(|(_, _, published)| *published > from)
        .collect()
}
