//! What a calendar shows of each day.
//!
//! Invariant: days are in order, without gaps. Absent on purpose: amounts.

use crate::frame::ink::{self, Ink};
use crate::frame::time_axis;
use jiff::civil::{Date, Weekday};
use serde::Serialize;
use sim::calendar::{holiday_name, is_bank_day, is_half_day};
use sim::ids::ClientId;
use sim::quarter::Quarter;
use sim::query;
use sim::time::Instant;
use sim::timers::Timer;
use sim::world::World;
use std::collections::BTreeMap;

/// What a day is for banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DayKind {
    /// Banks settle.
    BankDay,
    /// Banks settle, and cut-offs are early.
    HalfDay,
    /// A bank holiday from Monday to Friday.
    Holiday,
    /// Saturday and Sunday.
    Weekend,
}

impl DayKind {
    fn of(day: Date) -> Self {
        match (is_bank_day(day), is_half_day(day)) {
            (true, true) => Self::HalfDay,
            (true, false) => Self::BankDay,
            (false, _) if matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) => Self::Weekend,
            (false, _) => Self::Holiday,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::BankDay => "bank day",
            Self::HalfDay => "half-day",
            Self::Holiday => "holiday",
            Self::Weekend => "weekend",
        }
    }
}

/// What can be due on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DueKind {
    /// Funds whose cut-off is on that day.
    CutOffs,
    /// Prices that are published.
    Prices,
    /// Orders that settle, or are expected to.
    Settlements,
    /// Payments, payouts, files and savings plans.
    Payments,
    /// Fees of a quarter, and retrocessions.
    Fees,
    /// Everything else that is planned.
    Other,
}

impl DueKind {
    pub(super) const ALL: [Self; 6] =
        [Self::CutOffs, Self::Prices, Self::Settlements, Self::Payments, Self::Fees, Self::Other];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::CutOffs => "cut-offs",
            Self::Prices => "prices",
            Self::Settlements => "settlements",
            Self::Payments => "payments",
            Self::Fees => "fees",
            Self::Other => "other",
        }
    }

    pub(super) const fn ink(self) -> &'static Ink {
        match self {
            Self::CutOffs => &ink::BUY,
            Self::Prices => &ink::QUIET,
            Self::Settlements => &ink::DEPOSIT,
            Self::Payments => &ink::WITHDRAWAL,
            Self::Fees => &ink::FEE,
            Self::Other => &ink::TEXT,
        }
    }

    /// The kind of a timer; none of those that are counted from what they are about.
    const fn of(timer: &Timer) -> Option<Self> {
        Some(match timer {
            Timer::CutOff(..)
            | Timer::PublishPrice(..)
            | Timer::PublishRate(..)
            | Timer::Confirm(..)
            | Timer::SettleSubscriptions(..)
            | Timer::SettleRedemptions(..)
            | Timer::ChargeFees(_)
            | Timer::PayRetrocessions(_) => return None,
            Timer::PayOut(_)
            | Timer::BouncePayout(_)
            | Timer::BookBankgiro(_)
            | Timer::CutFile(_)
            | Timer::ChargePayment(_)
            | Timer::AnswerMobilePayment(_)
            | Timer::LapseMobilePayment(_)
            | Timer::RunSavings(..) => Self::Payments,
            _ => Self::Other,
        })
    }
}

/// One day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// Which.
    pub date: Date,
    /// What it is for banks.
    pub kind: DayKind,
    /// The name of a holiday.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holiday: Option<&'static str>,
    /// The earliest and the latest cut-off, as the clocks of Stockholm show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_offs_between: Option<[String; 2]>,
    /// How much is due, by kind; nothing where that is zero.
    pub due: BTreeMap<DueKind, usize>,
    /// The same in words of the world, for payments, fees and all else.
    pub what: BTreeMap<&'static str, usize>,
}

impl Day {
    pub(super) fn count(&self, kind: DueKind) -> usize {
        self.due.get(&kind).copied().unwrap_or(0)
    }

    /// Whether something is due that does not come every day.
    pub(super) fn is_special(&self) -> bool {
        let special = [DueKind::Settlements, DueKind::Payments, DueKind::Fees, DueKind::Other];
        matches!(self.kind, DayKind::Holiday | DayKind::HalfDay) || special.iter().any(|kind| self.count(*kind) > 0)
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// What the world's clock shows.
    pub now: Instant,
    /// Funds that are counted.
    pub funds: usize,
    /// Funds that are not, since there are more than a picture reads.
    pub funds_left_out: usize,
    /// Orders that are not counted, for the same reason: the oldest.
    pub orders_left_out: usize,
    /// The days, in order.
    pub days: Vec<Day>,
}

impl Facts {
    /// Days that a picture has at most.
    pub const MOST_DAYS: i32 = 400;
    const MOST_FUNDS: usize = 500;
    const MOST_ORDERS: usize = 50_000;

    /// From the first to the last day, both inclusive, with the orders and the timers that a reader may see.
    #[must_use]
    pub fn of(
        world: &World,
        (first, last): (Date, Date),
        sees_client: impl Fn(ClientId) -> bool,
        sees_timer: impl Fn(&Timer) -> bool,
    ) -> Self {
        let mut days: BTreeMap<Date, Day> = time_axis::all(first, last).map(|day| (day, Day::of(day))).collect();
        let mut add = |day: Date, kind: DueKind, what: Option<&'static str>| {
            let Some(day) = days.get_mut(&day) else { return };
            *day.due.entry(kind).or_default() += 1;
            if let Some(what) = what {
                *day.what.entry(what).or_default() += 1;
            }
        };
        let all = query::instruments(world, None);
        let funds: Vec<_> = all.iter().map(|fund| fund.record).take(Self::MOST_FUNDS).collect();
        let mut cut_offs: BTreeMap<Date, (Instant, Instant)> = BTreeMap::new();
        // A price is published some days after its dealing day.
        let before = sim::calendar::days_later(first, 0).checked_sub(jiff::Span::new().days(45)).unwrap_or(first);
        for fund in &funds {
            for day in time_axis::all(before, last).filter(|day| fund.is_dealing_day(*day)) {
                add(fund.publication(day, 0).local_date(), DueKind::Prices, None);
                if day >= first {
                    add(day, DueKind::CutOffs, None);
                    let at = fund.cut_off(day);
                    let (earliest, latest) = cut_offs.entry(day).or_insert((at, at));
                    (*earliest, *latest) = (at.min(*earliest), at.max(*latest));
                }
            }
        }
        let orders: Vec<_> = query::every_order(world).filter(|order| sees_client(order.client)).collect();
        let orders_left_out = orders.len().saturating_sub(Self::MOST_ORDERS);
        for order in &orders[orders_left_out..] {
            if let Some(day) = query::settlement_day(world, order.id) {
                add(day, DueKind::Settlements, None);
            }
        }
        for (at, timer) in world.timers() {
            if let Some(kind) = DueKind::of(timer).filter(|_| sees_timer(timer)) {
                add(at.local_date(), kind, Some(timer.what()));
            }
        }
        let quarters = std::iter::successors(Some(Quarter::of(before)), |quarter| Some(quarter.next()));
        for quarter in quarters.take_while(|quarter| quarter.first_day() <= last) {
            add(quarter.fees_due().local_date(), DueKind::Fees, Some("fees charged"));
            add(quarter.retrocessions_due().local_date(), DueKind::Fees, Some("retrocessions paid"));
        }
        for (day, (earliest, latest)) in cut_offs {
            if let Some(day) = days.get_mut(&day) {
                let hour = |at| time_axis::clock(at).chars().take(5).collect();
                day.cut_offs_between = Some([hour(earliest), hour(latest)]);
            }
        }
        let funds_left_out = all.len() - funds.len();
        Self {
            now: world.now(),
            funds: funds.len(),
            funds_left_out,
            orders_left_out,
            days: days.into_values().collect(),
        }
    }

    pub(super) fn sum(&self, kind: DueKind) -> usize {
        self.days.iter().map(|day| day.count(kind)).sum()
    }
}

impl Day {
    fn of(date: Date) -> Self {
        let kind = DayKind::of(date);
        let holiday = holiday_name(date).filter(|_| kind == DayKind::Holiday);
        Self { date, kind, holiday, cut_offs_between: None, due: BTreeMap::new(), what: BTreeMap::new() }
    }
}
