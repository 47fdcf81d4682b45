//! A world's clock against transport time: frozen, or paced by a factor.
//!
//! Invariant: a world's time never goes back, and follows from (mode, anchor, transport time) alone. Absent on
//! purpose: waiting, what happens when a timer fires, and jumps by `advance`, which only set a new anchor.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sim::World;
use sim::time::{Instant, Millis};

use feed::transport::{TransportTime, millis};

/// Seconds of business time in a second of transport time, exact to a millionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(u64);

const UNIT: u64 = 1_000_000;
const LARGEST: u64 = 10_000_000 * UNIT;

/// The text is no factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorError;

impl fmt::Display for FactorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a number from 0.000001 to 10000000 with at most 6 decimals")
    }
}

impl std::error::Error for FactorError {}

impl Factor {
    /// As fast as transport time.
    pub const REAL: Self = Self(UNIT);

    /// How much business time passes in `span` of transport time.
    fn business(self, span: Duration) -> Millis {
        let ms = u128::from(millis(span)) * u128::from(self.0) / u128::from(UNIT);
        Millis(i64::try_from(ms).unwrap_or(i64::MAX))
    }

    /// How much transport time passes until `span` of business time has.
    fn transport(self, span: Millis) -> Duration {
        let ms = (u128::from(span.0.max(0).unsigned_abs()) * u128::from(UNIT)).div_ceil(u128::from(self.0));
        Duration::from_millis(u64::try_from(ms).unwrap_or(u64::MAX))
    }

    /// The exact number.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        Decimal::new(i64::try_from(self.0).unwrap_or(i64::MAX), 6).normalize()
    }
}

impl FromStr for Factor {
    type Err = FactorError;

    fn from_str(text: &str) -> Result<Self, FactorError> {
        let number = Decimal::from_str_exact(text).map_err(|_| FactorError)?;
        let units = number.checked_mul(Decimal::from(UNIT)).ok_or(FactorError)?.normalize();
        let units = if units.scale() == 0 { units.to_u64() } else { None };
        units.filter(|units| (1..=LARGEST).contains(units)).map(Self).ok_or(FactorError)
    }
}

/// How a world's time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only by `advance`.
    Frozen,
    /// With transport time, times a factor.
    Paced(Factor),
}

impl Mode {
    /// With transport time.
    pub const REAL: Self = Self::Paced(Factor::REAL);

    /// The mode's name; paced by 1 is `real`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frozen => "frozen",
            Self::Paced(Factor::REAL) => "real",
            Self::Paced(_) => "paced",
        }
    }

    /// The factor of a mode that has one.
    #[must_use]
    pub const fn factor(self) -> Option<Factor> {
        match self {
            Self::Frozen => None,
            Self::Paced(factor) => Some(factor),
        }
    }

    /// The mode that a name and a factor beside it mean: all that `name` and `factor` say, and either where it is enough.
    ///
    /// # Errors
    /// When the two do not go together, or are none.
    pub fn of(name: Option<&str>, factor: Option<&str>) -> Result<Self, ModeError> {
        let factor = factor.map(str::parse).transpose().map_err(ModeError::Factor)?;
        match (name, factor) {
            (Some("frozen"), None) => Ok(Self::Frozen),
            (Some("real"), None | Some(Factor::REAL)) => Ok(Self::Paced(Factor::REAL)),
            (Some("paced") | None, Some(factor)) => Ok(Self::Paced(factor)),
            (Some("frozen" | "real"), Some(_)) => Err(ModeError::Unfit),
            (Some("paced"), None) => Err(ModeError::NoFactor),
            _ => Err(ModeError::Name),
        }
    }
}

/// The words mean no mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeError {
    /// One word that is neither a name nor a factor.
    Word,
    /// There is no mode of that name.
    Name,
    /// `paced` by what?
    NoFactor,
    /// A factor beside a mode that has none, or another.
    Unfit,
    /// The factor is none.
    Factor(FactorError),
}

impl fmt::Display for ModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word => write!(f, "must be frozen, real or a factor; a factor {FactorError}"),
            Self::Name => f.write_str("mode must be frozen, real or paced"),
            Self::NoFactor => f.write_str("factor is required with paced"),
            Self::Unfit => f.write_str("factor goes with paced only"),
            Self::Factor(error) => write!(f, "factor {error}"),
        }
    }
}

impl std::error::Error for ModeError {}

impl fmt::Display for Mode {
    /// One word, which `from_str` reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paced(factor) if *factor != Factor::REAL => write!(f, "{}", factor.decimal()),
            named => f.write_str(named.name()),
        }
    }
}

impl FromStr for Mode {
    type Err = ModeError;

    /// `frozen`, `real`, or a factor such as `1440`, a day a minute.
    fn from_str(text: &str) -> Result<Self, ModeError> {
        match text {
            "frozen" | "real" => Self::of(Some(text), None),
            factor => Self::of(None, Some(factor)).map_err(|_| ModeError::Word),
        }
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The offset of a world's time from transport time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    mode: Mode,
    business: Instant,
    transport: TransportTime,
}

impl Clock {
    /// A clock in `mode` that shows `business` when transport time is `transport`.
    pub(crate) const fn anchored(mode: Mode, business: Instant, transport: TransportTime) -> Self {
        Self { mode, business, transport }
    }

    pub(crate) const fn mode(&self) -> Mode {
        self.mode
    }

    /// What a paced clock shows at `at`, at most the end of worlds; `None` when it is frozen.
    pub(crate) fn shows(&self, at: TransportTime) -> Option<Instant> {
        match self.mode {
            Mode::Frozen => None,
            Mode::Paced(factor) => {
                let shown = self.business.plus(factor.business(at.since(self.transport)));
                Some(shown.min(World::END))
            }
        }
    }

    /// When a paced clock will show `business`; `None` when it is frozen, or reaches the end of worlds before.
    pub(crate) fn reaches(&self, business: Instant) -> Option<TransportTime> {
        match self.mode {
            Mode::Frozen => None,
            Mode::Paced(_) if business > World::END => None,
            Mode::Paced(factor) => Some(self.transport.plus(factor.transport(business.since(self.business)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Instant::parse(text).expect("an instant")
    }

    #[test]
    fn factors_are_exact_and_bounded() {
        for (text, shown) in
            [("1", "1"), ("1440", "1440"), ("0.5", "0.5"), ("0.000001", "0.000001"), ("10000000", "10000000")]
        {
            assert_eq!(text.parse::<Factor>().map(|f| f.decimal().to_string()), Ok(shown.to_owned()));
        }
        for text in ["0", "-1", "0.0000001", "10000001", "", "fast", "1e3", "1.0000005"] {
            assert_eq!(text.parse::<Factor>(), Err(FactorError), "{text}");
        }
    }

    #[test]
    fn modes_are_printed_as_they_are_read() {
        for (text, name, printed) in [
            ("frozen", "frozen", "frozen"),
            ("real", "real", "real"),
            ("1", "real", "real"),
            ("1.0", "real", "real"),
            ("1440", "paced", "1440"),
            ("0.50", "paced", "0.5"),
        ] {
            let mode: Mode = text.parse().expect("a mode");
            assert_eq!((mode.name(), mode.to_string()), (name, printed.to_owned()), "{text}");
            assert_eq!(printed.parse(), Ok(mode));
            let factor = mode.factor().map(|factor| factor.decimal().to_string());
            assert_eq!(Mode::of(Some(name), factor.as_deref()), Ok(mode), "both words beside each other");
        }
        for text in ["", "paced", "Frozen", "0", "-1", "1e3"] {
            assert_eq!(text.parse::<Mode>(), Err(ModeError::Word), "{text}");
        }
    }

    #[test]
    fn a_paced_clock_shows_its_anchor_plus_the_factor_times_what_has_passed() {
        let start = at("2026-03-02T07:00:00Z");
        for (factor, ms, shown) in [
            ("1", 1_500, "2026-03-02T07:00:01.500Z"),
            ("1440", 60_000, "2026-03-03T07:00:00.000Z"),
            ("0.5", 3, "2026-03-02T07:00:00.001Z"),
        ] {
            let clock = Clock::anchored(factor.parse().expect("a mode"), start, TransportTime(1_000));
            assert_eq!(clock.shows(TransportTime(1_000 + ms)).expect("paced").to_string(), shown);
        }
        assert_eq!(Clock::anchored(Mode::Frozen, start, TransportTime(0)).shows(TransportTime(9)), None);
    }

    #[test]
    fn a_paced_clock_stops_at_the_end_of_worlds() {
        let clock = Clock::anchored("10000000".parse().expect("a mode"), at("9989-12-31T00:00:00Z"), TransportTime(0));
        assert_eq!(clock.shows(TransportTime(86_400_000)), Some(World::END));
        assert!(clock.reaches(World::END).is_some());
        assert_eq!(clock.reaches(World::END.plus(Millis(1))), None);
    }

    #[test]
    fn a_clock_shows_an_instant_as_soon_as_it_reaches_it_and_not_before() {
        let start = at("2026-03-02T07:00:00Z");
        for factor in ["1", "1440", "0.5", "0.3", "7.7"] {
            let clock = Clock::anchored(factor.parse().expect("a mode"), start, TransportTime(5));
            for ms in [1, 2, 999, 86_400_000] {
                let goal = start.plus(Millis(ms));
                let when = clock.reaches(goal).expect("paced");
                assert!(clock.shows(when).expect("paced") >= goal, "{factor} {ms}");
                assert!(clock.shows(TransportTime(when.0 - 1)).expect("paced") < goal, "{factor} {ms}");
            }
        }
    }
}
