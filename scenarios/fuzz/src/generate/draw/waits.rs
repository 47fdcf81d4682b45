//! How the clock moves: mostly a little, often to an instant at which something changes, now and then far.

use super::{Generator, small};
use crate::generate::step::{Edge, Season, Step, TimerKind, Wait};

/// Milliseconds before and after an instant that make a difference.
const BESIDE: &[i32] = &[-1, -1, 0, 0, 1, 20_000, 30_000, 59_999, 60_000, 60_001, -500];

/// The same of timers of any kind: also a day, so that what comes just before or after them is met.
const BESIDE_TIMERS: &[i32] = &[-86_400_000, -1, -1, 0, 0, 1, 1, 86_400_000];

impl Generator {
    pub(super) fn wait(&mut self) -> Step {
        if self.years.chance(1, self.profile.seasons.into()) {
            return Step::Wait(self.season());
        }
        let s = &mut self.stream;
        Step::Wait(match s.below(200) {
            0..50 => Wait::Ms(small(s.below(1_500))),
            50..80 => Wait::Ms(small(s.below(4 * 3_600_000))),
            80..140 => {
                let offset_ms = *s.pick(BESIDE);
                let fund = small(s.below(u64::from(self.profile.funds)));
                self.focus = (fund, 6);
                Wait::To(Edge::CutOff(fund), offset_ms)
            }
            140..148 => Wait::To(Edge::Due, *s.pick(&[0, 0, 0, -1, 1])),
            148..156 => Wait::To(Edge::Timer(TimerKind::any(s)), *s.pick(BESIDE_TIMERS)),
            156..160 => Wait::To(Edge::Noon, *s.pick(&[-1, 0, 1])),
            160..195 => Wait::BankDays(small(1 + s.below(2))),
            195 => Wait::Days(small(1 + s.below(4))),
            196 => Wait::To(*s.pick(&[Edge::Midnight, Edge::Midnight, Edge::Month]), *s.pick(BESIDE_TIMERS)),
            197 | 198 => Wait::BankDays(small(3 + s.below(4))),
            _ => self.far(),
        })
    }

    /// Months or years at once.
    fn far(&mut self) -> Wait {
        let offset = *self.stream.pick(&[-1, 0, 1]);
        match self.stream.below(self.profile.far.into()) {
            0 => Wait::To(Edge::Year, offset),
            1 => {
                let account = self.account();
                self.outlive_answers(account);
                Wait::To(Edge::Kyc(account), offset)
            }
            _ => Wait::Days(small(5 + self.stream.below(20))),
        }
    }

    /// To an instant of the year, or just beside it.
    fn season(&mut self) -> Wait {
        let s = &mut self.years;
        let season = match s.below(16) {
            0..3 => Season::QuarterEnd,
            3..7 => Season::Charges,
            7..11 => Season::Retrocessions,
            11 | 12 => Season::Christmas,
            13 => Season::Forward,
            14 => Season::Back,
            _ if s.chance(1, 3) => Season::LeapDay,
            _ => Season::QuarterEnd,
        };
        Wait::To(Edge::Season(season), *s.pick(&[-1, 0, 0, 1, -3_600_000, 3_600_000]))
    }

    /// As those who sign and pay wait: for hours, or for what is due.
    pub(super) fn wait_for_others(&mut self) -> Step {
        let journey = self.journey();
        let s = &mut self.stream;
        Step::Wait(match s.below(12) {
            0 => Wait::To(Edge::Due, *s.pick(&[-1, 0, 1])),
            1 => Wait::To(Edge::Expiry(journey), *s.pick(&[-1, 0, 1])),
            _ => {
                let hours = *s.pick(&[0, 0, 0, 1, 9, 24, 72, 400]);
                Wait::Ms(small(hours * 3_600_000 + s.below(40_000)))
            }
        })
    }
}
