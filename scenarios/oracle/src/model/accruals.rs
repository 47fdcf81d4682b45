//! What accrues on an account, computed over many nights at once.
//!
//! Owns: what an account's accrual depends on (`Basis`), the prices of the nights since the quarter began (`Nights`), and the sums
//! over a span of them (rule: fees/distribution-fee, fees/partner-fee, fees/retrocession). Invariant: a sum is what adding night by
//! night gives, to the last step: each night is rounded for itself, and a night that equals the one before it is counted instead of
//! computed again. Absent on purpose: when a basis changes, and what becomes of the sums, which is `fees`.

use super::calendar::Day;
use super::figures::{self, Ore, Steps};
use rust_decimal::Decimal;
use sim::identity::InstrumentId;
use sim::records::{Account, CashRefType, FeeMode};
use std::ops::Range;
use std::sync::Arc;

/// What is charged, in the order in which it is paid (rule: fees/fees-together).
pub const KINDS: [CashRefType; 6] = [
    CashRefType::InsuranceTax,
    CashRefType::InsuranceFee,
    CashRefType::RiskpremiaFee,
    CashRefType::ServiceFee,
    CashRefType::PartnerFee,
    CashRefType::ClientFee,
];

/// What cash transactions of these kinds refer to, in the words of the API.
pub const KIND_WORDS: [&str; KINDS.len()] =
    ["insurance_tax", "insurance_fee", "riskpremia_fee", "service_fee", "partner_fee", "client_fee"];

/// The place of the first kind that is a client's own.
pub const OWN: usize = 4;

/// The place of the risk premium among the kinds.
pub(super) const RISK_PREMIUM: usize = 2;

/// A fund as nights note it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NightFund {
    pub(super) instrument: InstrumentId,
    /// What the fund company gives back in a year, and the power of ten that it is a part of.
    rebate: (i128, i128),
}

impl NightFund {
    pub(super) fn new(instrument: InstrumentId, rebate: Decimal) -> Self {
        Self { instrument, rebate: (rebate.mantissa(), 10_i128.pow(rebate.scale())) }
    }
}

/// What every fund was worth when days ended, in SEK.
#[derive(Clone, Debug, Default)]
pub(super) struct Nights {
    first: Day,
    funds: Vec<NightFund>,
    /// Last prices in millionths of SEK, a row for each night; nothing for a fund without a price.
    closes: Vec<i128>,
}

impl Nights {
    /// No nights yet; the first one to come is that of `first`.
    pub(super) const fn beginning(first: Day, funds: Vec<NightFund>) -> Self {
        Self { first, funds, closes: Vec::new() }
    }

    /// Forgets the nights before `first`, when everything of them is computed.
    pub(super) fn begin_again(&mut self, first: Day) {
        self.first = first;
        self.closes.clear();
    }

    /// Notes the closes of the next night, in order of the funds.
    pub(super) fn note(&mut self, closes: impl Iterator<Item = i128>) {
        self.closes.extend(closes);
    }

    /// The closes of a night.
    fn of(&self, day: Day) -> &[i128] {
        let (night, width) = (usize::try_from(day - self.first).unwrap_or(usize::MAX), self.funds.len());
        &self.closes[night * width..][..width]
    }
}

/// A holding as nights see it.
#[derive(Clone, Copy, Debug)]
struct HeldUnits {
    /// The place of the fund among those of `Nights`; none for a fund without prices.
    fund: Option<usize>,
    instrument: InstrumentId,
    settled: Steps,
}

/// An account as accruals see it.
pub(super) struct Accruing<'a, I> {
    /// Its latest state.
    pub(super) last: &'a Arc<Account>,
    /// The balance, with subscriptions under way.
    pub(super) cash: Ore,
    /// Settled units by fund, without those of which there are none.
    pub(super) held: I,
}

/// Settled units by fund.
pub(super) trait Holdings: Iterator<Item = (InstrumentId, Steps)> {}

impl<I: Iterator<Item = (InstrumentId, Steps)>> Holdings for I {}

/// What the accrual of an account depends on, prices aside, and since when it is so.
#[derive(Clone, Debug)]
pub struct Basis {
    /// The first night that is not computed yet.
    since: Day,
    last: Arc<Account>,
    assets: Assets,
    /// What the account was worth at the end of the last night that is computed.
    worth: Ore,
}

/// What an account has, and what it pays for it.
#[derive(Clone, Debug)]
struct Assets {
    /// The balance, with subscriptions under way.
    cash: Ore,
    held: Vec<HeldUnits>,
    terms: Terms,
}

/// What an account pays a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    /// Basis points by kind.
    pub(super) rates: [u32; KINDS.len()],
    /// How clients' own kinds are taken.
    pub(super) modes: [FeeMode; 2],
    /// The day from which the risk premium is taken.
    pub(super) old_from: Day,
}

/// What has accrued in some nights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Accrued {
    /// What is charged, by kind.
    pub(super) charged: [i128; KINDS.len()],
    /// What is only calculated, of clients' own kinds.
    pub(super) calculated: [i128; 2],
    /// How many charges of a night were only calculated.
    pub(super) calculated_nights: u64,
    /// Retrocessions by fund.
    pub(super) retrocessions: Vec<(InstrumentId, i128)>,
    /// What the account was worth at the end of the last night.
    pub(super) worth: Ore,
}

impl Basis {
    /// What the accrual of an account depends on from the night of `since` on.
    pub(super) fn new(account: Accruing<'_, impl Holdings>, since: Day, nights: &Nights, terms: Terms) -> Self {
        let Accruing { last, cash, held } = account;
        let held = held.map(|(instrument, settled)| HeldUnits {
            fund: nights.funds.iter().position(|fund| fund.instrument == instrument),
            instrument,
            settled,
        });
        Self { since, last: Arc::clone(last), assets: Assets { cash, held: held.collect(), terms }, worth: 0 }
    }

    /// Whether nothing has changed that the accrual of the account depends on, prices and terms aside.
    pub(super) fn is_still_of(&self, Accruing { last, cash, held }: Accruing<'_, impl Holdings>) -> bool {
        let known = self.assets.held.iter().map(|held| (held.instrument, held.settled));
        self.assets.cash == cash && Arc::ptr_eq(&self.last, last) && held.eq(known)
    }

    /// What accrues from the first night that is not computed until the one before `until`; nothing where there is none.
    pub(super) fn accrued(&self, nights: &Nights, until: Day) -> Option<Accrued> {
        (self.since < until).then(|| self.assets.accrued(nights, self.since..until))
    }

    /// As `accrued`; those nights are not computed again.
    pub(super) fn compute(&mut self, nights: &Nights, until: Day) -> Option<Accrued> {
        let sum = self.accrued(nights, until)?;
        (self.since, self.worth) = (until, sum.worth);
        Some(sum)
    }

    /// What the account was worth at the end of the last night that is computed.
    pub(super) const fn worth(&self) -> Ore {
        self.worth
    }
}

impl Assets {
    fn accrued(&self, nights: &Nights, span: Range<Day>) -> Accrued {
        let mut sum = Accrued::default();
        let mut day = span.start;
        while day < span.end {
            let (closes, rates) = (nights.of(day), self.terms.rates_on(day));
            let is_alike =
                |next: Day| self.terms.rates_on(next) == rates && self.has_same_closes(closes, nights.of(next));
            let next = (day + 1..span.end).find(|next| !is_alike(*next)).unwrap_or(span.end);
            self.add_night(&mut sum, nights, closes, rates, next - day);
            day = next;
        }
        sum
    }

    fn has_same_closes(&self, one: &[i128], other: &[i128]) -> bool {
        self.held.iter().filter_map(|held| held.fund).all(|fund| one[fund] == other[fund])
    }

    /// Adds a night, and those after it that are like it.
    fn add_night(&self, sum: &mut Accrued, nights: &Nights, closes: &[i128], rates: [u32; KINDS.len()], times: i32) {
        let mut worth = self.cash;
        for held in &self.held {
            let Some(fund) = held.fund else { continue };
            worth += figures::worth_in_sek(held.settled, closes[fund]);
            let steps = retrocession(held.settled.max(0), closes[fund], nights.funds[fund].rebate) * i128::from(times);
            if steps > 0 {
                match sum.retrocessions.iter_mut().find(|(instrument, _)| *instrument == held.instrument) {
                    Some((_, all)) => *all += steps,
                    None => sum.retrocessions.push((held.instrument, steps)),
                }
            }
        }
        sum.worth = worth.max(0);
        for (kind, basis_points) in rates.into_iter().enumerate() {
            let steps = accrual(sum.worth, basis_points) * i128::from(times);
            // What is only calculated is charged to nobody.
            if kind >= OWN && self.terms.modes[kind - OWN] == FeeMode::Calculated {
                sum.calculated[kind - OWN] += steps;
                sum.calculated_nights += u64::from(times.unsigned_abs());
            } else {
                sum.charged[kind] += steps;
            }
        }
    }
}

impl Terms {
    fn rates_on(&self, day: Day) -> [u32; KINDS.len()] {
        let mut rates = self.rates;
        if day < self.old_from {
            rates[RISK_PREMIUM] = 0;
        }
        rates
    }
}

/// What accrues on a value on one day.
pub(super) fn accrual(worth: Ore, basis_points: u32) -> i128 {
    if basis_points == 0 {
        return 0;
    }
    figures::divided(i128::from(worth) * i128::from(basis_points) * 10_000_000_000, 1_000_000 * 365)
}

/// What accrues on settled units on one day.
fn retrocession(settled: Steps, close: i128, (rebate, scale): (i128, i128)) -> i128 {
    // Units have 7 decimals and prices 6: three more than what accrues.
    figures::divided(i128::from(settled) * close * rebate, 1_000 * 3_650_000 * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::figures::PAR;
    use sim::rng::{Seed, Stream};

    /// One night after another, each by the words of the rules.
    fn night_by_night(assets: &Assets, nights: &Nights, span: Range<Day>) -> Accrued {
        let mut sum = Accrued::default();
        for day in span {
            let night = usize::try_from(day - nights.first).expect("a night that was noted");
            let close = |fund: usize| nights.closes[night * nights.funds.len() + fund];
            let worth = |held: &HeldUnits| {
                let (exact, by) = (i128::from(held.settled) * close(held.fund?), 100_000_000_000);
                Some(figures::narrow((2 * exact.abs() + by) / (2 * by) * exact.signum()))
            };
            sum.worth = (assets.cash + assets.held.iter().filter_map(worth).sum::<Ore>()).max(0);
            for kind in 0..KINDS.len() {
                let is_taken = kind != RISK_PREMIUM || day >= assets.terms.old_from;
                let rate = if is_taken { i128::from(assets.terms.rates[kind]) } else { 0 };
                let (exact, by) = (i128::from(sum.worth) * rate * 10_000_000_000, 365_000_000);
                let steps = (2 * exact + by) / (2 * by);
                if kind >= OWN && assets.terms.modes[kind - OWN] == FeeMode::Calculated {
                    sum.calculated[kind - OWN] += steps;
                    sum.calculated_nights += 1;
                } else {
                    sum.charged[kind] += steps;
                }
            }
            for held in assets.held.iter().filter(|held| held.settled > 0) {
                let Some(fund) = held.fund else { continue };
                let (rebate, scale) = nights.funds[fund].rebate;
                let (exact, by) = (i128::from(held.settled) * close(fund) * rebate, 3_650_000_000 * scale);
                let steps = (2 * exact + by) / (2 * by);
                let known = sum.retrocessions.iter().position(|(instrument, _)| *instrument == held.instrument);
                match known {
                    _ if steps == 0 => {}
                    Some(place) => sum.retrocessions[place].1 += steps,
                    None => sum.retrocessions.push((held.instrument, steps)),
                }
            }
        }
        sum
    }

    /// Up to so much, of any length in digits.
    fn any(draw: &mut Stream, digits: u64) -> i64 {
        let most = 10_u64.pow(u32::try_from(draw.below(digits + 1)).expect("a few digits"));
        i64::try_from(draw.below(most)).expect("few digits")
    }

    fn drawn_nights(draw: &mut Stream, instruments: &[InstrumentId], first: Day, count: Day) -> Nights {
        let rebate = |draw: &mut Stream| Decimal::new(any(draw, 4), u32::try_from(draw.below(5)).expect("a few"));
        let funds = instruments.iter().map(|&instrument| NightFund::new(instrument, rebate(draw)));
        let mut nights = Nights::beginning(first, funds.collect());
        let mut closes: Vec<i128> = vec![0; instruments.len()];
        for _ in 0..count {
            for close in &mut closes {
                // Most nights are like the one before.
                if draw.chance(1, 4) {
                    *close = figures::in_sek(any(draw, 11), if draw.chance(1, 2) { PAR } else { any(draw, 6) });
                }
            }
            nights.note(closes.iter().copied());
        }
        nights
    }

    fn drawn_assets(draw: &mut Stream, nights: &Nights) -> Assets {
        let sign = |draw: &mut Stream| if draw.chance(1, 6) { -1 } else { 1 };
        let held = (0..nights.funds.len()).filter(|_| draw.chance(1, 2)).collect::<Vec<_>>();
        let held = held.into_iter().map(|fund| HeldUnits {
            fund: (!draw.chance(1, 8)).then_some(fund),
            instrument: nights.funds[fund].instrument,
            settled: sign(draw) * any(draw, 13),
        });
        let held = held.collect();
        let days = i32::try_from(nights.closes.len() / nights.funds.len()).expect("a few");
        let modes = [FeeMode::None, FeeMode::Calculated, FeeMode::Withdrawn];
        let terms = Terms {
            rates: KINDS.map(|_| u32::try_from(any(draw, 4)).expect("four digits")),
            modes: [*draw.pick(&modes), *draw.pick(&modes)],
            old_from: nights.first + i32::try_from(any(draw, 2)).expect("two digits").min(days),
        };
        Assets { cash: sign(draw) * any(draw, 11), held, terms }
    }

    /// (rule: fees/distribution-fee, fees/partner-fee, fees/retrocession)
    #[test]
    fn many_nights_at_once_accrue_what_they_accrue_one_by_one() {
        let instruments: Vec<_> = hosting::setup::demo().instruments.iter().map(|fund| fund.id).take(5).collect();
        let mut draw = Seed(11).stream("nights");
        let mut alike = 0;
        for _ in 0..3_000 {
            let count = 1 + i32::try_from(draw.below(92)).expect("a quarter");
            let nights = drawn_nights(&mut draw, &instruments, 20_000, count);
            let assets = drawn_assets(&mut draw, &nights);
            let mut day = || 20_000 + i32::try_from(draw.below(count.unsigned_abs().into())).expect("a quarter");
            let (one, other) = (day(), day());
            let span = one.min(other)..one.max(other) + 1;
            let together = assets.accrued(&nights, span.clone());
            assert_eq!(together, night_by_night(&assets, &nights, span.clone()), "{assets:?} {span:?}");
            alike += i32::from(assets.held.is_empty() && span.len() > 1);
        }
        assert!(alike > 50, "accounts without units are among them");
    }

    #[test]
    fn spans_that_meet_accrue_what_they_accrue_as_one() {
        let instruments: Vec<_> = hosting::setup::demo().instruments.iter().map(|fund| fund.id).take(3).collect();
        let mut draw = Seed(12).stream("nights");
        for _ in 0..500 {
            let nights = drawn_nights(&mut draw, &instruments, 20_000, 90);
            let assets = drawn_assets(&mut draw, &nights);
            let between = 20_001 + i32::try_from(draw.below(89)).expect("a quarter");
            let parts = [20_000..between, between..20_090].map(|span| assets.accrued(&nights, span));
            let whole = assets.accrued(&nights, 20_000..20_090);
            for kind in 0..KINDS.len() {
                assert_eq!(parts[0].charged[kind] + parts[1].charged[kind], whole.charged[kind]);
            }
            assert_eq!(parts[1].worth, whole.worth);
        }
    }
}
