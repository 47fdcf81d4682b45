//! Where a move of the clock leads.
//!
//! Invariant: never back; a wait for what has passed, or was never made, leads nowhere.

use super::Bindings;
use super::days::days_after;
use crate::generate::step::{Edge, Season, TimerKind, Wait};
use sim::calendar::add_bank_days;
use sim::quarter::Quarter;
use sim::time::{Date, Instant, Millis, stockholm};
use sim::{World, query};

impl Bindings {
    pub(super) fn wait(&self, world: &World, wait: Wait) -> Option<Instant> {
        let now = world.now();
        let same_time = |day: Date| {
            let time = now.local().time();
            let into_minute = now.ms().rem_euclid(60_000);
            stockholm(day, time.hour(), time.minute()).plus(Millis(into_minute))
        };
        let to = match wait {
            Wait::Ms(ms) => now.plus(Millis(i64::from(ms))),
            Wait::Days(days) => same_time(days_after(now.local_date(), i32::from(days))),
            Wait::BankDays(days) => same_time(add_bank_days(now.local_date(), u32::from(days))),
            Wait::To(edge, offset_ms) => self.edge(world, edge)?.plus(Millis(i64::from(offset_ms))),
        };
        (to >= now && to < Instant::END).then_some(to)
    }

    fn edge(&self, world: &World, edge: Edge) -> Option<Instant> {
        let now = world.now();
        let today = now.local_date();
        match edge {
            Edge::CutOff(fund) => {
                let view = query::instrument(world, self.fund(fund)?)?;
                view.cut_off_sub.or(view.cut_off_red)
            }
            Edge::Due => world.next_happening().map(|(at, _)| at),
            Edge::Timer(kind) => next_of(world, kind),
            Edge::Midnight => Some(stockholm(days_after(today, 1), 0, 0)),
            Edge::Month => {
                let (year, month) =
                    if today.month() == 12 { (today.year() + 1, 1) } else { (today.year(), today.month() + 1) };
                Some(stockholm(Date::new(year, month, 1).ok()?, 0, 0))
            }
            Edge::Noon => {
                let noon = stockholm(today, 12, 0);
                Some(if noon > now { noon } else { stockholm(days_after(today, 1), 12, 0) })
            }
            Edge::Year => Some(stockholm(Date::new(today.year() + 1, 1, 1).ok()?, 0, 0)),
            Edge::Kyc(name) => {
                let (client, account) = self.account(name)?;
                let account = query::account(world, self.scope(client).client, account)?;
                Some(stockholm(days_after(account.kyc_valid_until, 1), 0, 0))
            }
            Edge::Season(season) => next_season(now, season),
            Edge::Expiry(name) => {
                let (client, journey) = self.journey(name)?;
                query::journey(world, self.scope(client).client, journey).map(|journey| journey.expiry)
            }
        }
    }
}

/// How far a move of the clock to a timer goes at most: what comes by the quarter is aimed at as a season.
const REACH: Millis = Millis::days(8);

/// When the next timer of a kind fires; where none is due soon, of the next kind that has one.
fn next_of(world: &World, kind: TimerKind) -> Option<Instant> {
    let (end, steps) = (world.now().plus(REACH), |what: &str| kind.steps_to(TimerKind::of(what)));
    let soon = world.timers().take_while(|(at, _)| *at <= end);
    soon.map(|(at, timer)| (steps(timer.what()), at)).min().map(|(_, at)| at)
}

/// The first instant after `now` at which something of the year comes.
fn next_season(now: Instant, season: Season) -> Option<Instant> {
    let today = now.local_date();
    let quarter = Quarter::of(today);
    let before = Quarter::of(quarter.first_day().yesterday().ok()?);
    let years = || (0..9).map(|more| today.year() + more);
    let midnight = |year, month, day| Some(stockholm(Date::new(year, month, day).ok()?, 0, 0));
    // The last Sunday of a month of 31 days, in the night.
    let clocks = |month| {
        years().filter_map(move |year| {
            let last = Date::new(year, month, 31).ok()?;
            let days = i32::from(last.weekday().to_monday_one_offset()) % 7;
            Some(Instant::at_utc_midnight(days_after(last, -days)).plus(Millis(3_600_000)))
        })
    };
    let after = |at: &Instant| *at > now;
    match season {
        Season::QuarterEnd => Some(stockholm(quarter.next().first_day(), 0, 0)),
        Season::Charges => [before, quarter].map(Quarter::fees_due).into_iter().find(after),
        Season::Retrocessions => [before, quarter].map(Quarter::retrocessions_due).into_iter().find(after),
        Season::Christmas => {
            years().filter_map(|year| Some(stockholm(Date::new(year, 12, 24).ok()?, 12, 0))).find(after)
        }
        Season::LeapDay => years().filter_map(|year| midnight(year, 2, 29)).find(after),
        Season::Forward => clocks(3).find(after),
        Season::Back => clocks(10).find(after),
    }
}
