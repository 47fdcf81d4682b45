//! Where a move of the clock leads.
//!
//! Invariant: never back; a wait for what has passed, or was never made, leads nowhere.

use super::Bindings;
use super::days::days_after;
use crate::generate::step::{Edge, Wait};
use sim::calendar::add_bank_days;
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
            Edge::Due => world.next_timer().map(|(at, _)| at),
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
            Edge::Expiry(name) => {
                let (client, journey) = self.journey(name)?;
                query::journey(world, self.scope(client).client, journey).map(|journey| journey.expiry)
            }
        }
    }
}
