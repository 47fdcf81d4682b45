//! Money, units and prices as exact decimals, and every rounding of them.
//!
//! Owns: how a number is read and written, and which way each quantity is rounded (decisions 1.1, 2.6, 2.10).
//! Invariant: an `Amount` has at most 2 decimals, `Units` at most 7, a `Price` at most 6; equal numbers hash alike.
//! Absent on purpose: binary floats, a currency inside the amount (all money is SEK), silent rounding on reading.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

use crate::ids::as_text;

/// Numbers are refused from here on: 10^15.
const MAX_WHOLE_DIGITS: i32 = 15;
/// A longer literal is refused, whatever its value.
const MAX_TEXT: usize = 64;

/// Why a text is no number of the kind asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NumberFault {
    /// Not in the grammar of a JSON number.
    NotANumber,
    /// A number, with digits other than zero after the last decimal allowed.
    TooManyDecimals {
        /// How many decimals are allowed.
        max: u32,
    },
    /// A number of 10^15 or more, or written with more than 64 characters.
    TooLarge,
}

impl fmt::Display for NumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberFault::NotANumber => f.write_str("not a number"),
            NumberFault::TooManyDecimals { max } => write!(f, "more than {max} decimals"),
            NumberFault::TooLarge => f.write_str("too large a number"),
        }
    }
}

impl std::error::Error for NumberFault {}

/// Reads a JSON number exactly. Zeros beyond `max_scale` decimals are dropped; the result has no trailing zeros.
///
/// # Errors
/// See [`NumberFault`]. `TooLarge` wins over `TooManyDecimals`. Time is linear in the text's length.
pub fn parse_decimal(text: &str, max_scale: u32) -> Result<Decimal, NumberFault> {
    let literal = Literal::read(text.as_bytes()).ok_or(NumberFault::NotANumber)?;
    if text.len() > MAX_TEXT {
        return Err(NumberFault::TooLarge);
    }
    let digits = || literal.whole.iter().chain(literal.fraction);
    let leading = digits().take_while(|d| **d == b'0').count();
    let count = literal.whole.len() + literal.fraction.len();
    if leading == count {
        return Ok(Decimal::ZERO);
    }
    let trailing = digits().rev().take_while(|d| **d == b'0').count();
    let length = |n: usize| i32::try_from(n).expect("at most 64 characters");
    let max = NumberFault::TooManyDecimals { max: max_scale };
    let exponent = match literal.exponent() {
        Some(exponent) => i32::from(exponent),
        None if literal.exponent_is_negative() => return Err(max),
        None => return Err(NumberFault::TooLarge),
    };
    // The value is `significant` digits, read as a whole number, times ten to the `power`.
    let significant = length(count - leading - trailing);
    let power = exponent - length(literal.fraction.len()) + length(trailing);
    if significant + power > MAX_WHOLE_DIGITS {
        return Err(NumberFault::TooLarge);
    }
    let scale = u32::try_from(-power).unwrap_or(0);
    if scale > max_scale {
        return Err(max);
    }
    let mut mantissa: i128 = 0;
    for digit in digits().skip(leading).take(count - leading - trailing) {
        mantissa = mantissa
            .checked_mul(10)
            .and_then(|m| m.checked_add(i128::from(digit - b'0')))
            .ok_or(NumberFault::TooLarge)?;
    }
    mantissa *= ten_to(u32::try_from(power).unwrap_or(0));
    let signed = if literal.negative { -mantissa } else { mantissa };
    Decimal::try_from_i128_with_scale(signed, scale).map_err(|_| NumberFault::TooLarge)
}

/// The parts of a JSON number.
struct Literal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: &'a [u8],
}

impl<'a> Literal<'a> {
    fn read(text: &'a [u8]) -> Option<Literal<'a>> {
        let (negative, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (whole, rest) = leading_digits(rest)?;
        if whole.len() > 1 && whole[0] == b'0' {
            return None;
        }
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => leading_digits(rest)?,
            rest => (&rest[..0], rest),
        };
        let exponent = match rest {
            [] => rest,
            [b'e' | b'E', rest @ ..] => {
                let unsigned = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
                match leading_digits(unsigned)? {
                    (_, []) => rest,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Literal { negative, whole, fraction, exponent })
    }

    /// `None` when it does not fit.
    fn exponent(&self) -> Option<i16> {
        let text = std::str::from_utf8(self.exponent).expect("a sign and digits");
        if text.is_empty() { Some(0) } else { text.parse().ok() }
    }

    fn exponent_is_negative(&self) -> bool {
        self.exponent.first() == Some(&b'-')
    }
}

fn leading_digits(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let n = text.iter().take_while(|c| c.is_ascii_digit()).count();
    (n > 0).then(|| text.split_at(n))
}

/// Rounds to `scale` decimals, halves away from zero.
pub fn round_half_up(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::MidpointAwayFromZero)
}

/// Rounds to `scale` decimals towards zero.
pub fn round_down(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::ToZero)
}

/// Rounds to `scale` decimals away from zero.
pub fn round_up(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::AwayFromZero)
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $decimals:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Decimal);

        impl $name {
            /// Nothing.
            pub const ZERO: $name = $name(Decimal::ZERO);
            /// The most decimals one may have.
            pub const MAX_DECIMALS: u32 = $decimals;

            /// Reads a JSON number.
            ///
            /// # Errors
            /// As [`parse_decimal`] with `MAX_DECIMALS`.
            pub fn parse(text: &str) -> Result<$name, NumberFault> {
                parse_decimal(text, $decimals).map($name)
            }

            /// `None` when `number` has too many decimals; nothing is rounded.
            pub fn from_decimal_exact(number: Decimal) -> Option<$name> {
                let number = number.normalize();
                (number.scale() <= $decimals).then_some($name(number))
            }

            /// The bare number.
            pub const fn get(self) -> Decimal {
                self.0
            }

            /// Whether it is nothing.
            pub fn is_zero(self) -> bool {
                self.0.is_zero()
            }

            /// Whether it is more than nothing.
            pub fn is_positive(self) -> bool {
                self > $name::ZERO
            }

            /// Whether it is less than nothing.
            pub fn is_negative(self) -> bool {
                self < $name::ZERO
            }

            /// As a whole number of its smallest step.
            fn steps(self) -> i128 {
                self.0.mantissa() * ten_to($decimals - self.0.scale())
            }
        }

        impl Add for $name {
            type Output = $name;
            fn add(self, other: $name) -> $name {
                $name(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = $name;
            fn sub(self, other: $name) -> $name {
                $name(self.0 - other.0)
            }
        }

        impl Neg for $name {
            type Output = $name;
            fn neg(self) -> $name {
                $name::ZERO - self
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                *self = *self + other;
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: $name) {
                *self = *self - other;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = $name>>(items: I) -> $name {
                items.fold($name::ZERO, Add::add)
            }
        }

        impl<'a> Sum<&'a $name> for $name {
            fn sum<I: Iterator<Item = &'a $name>>(items: I) -> $name {
                items.copied().sum()
            }
        }

        as_text!($name, NumberFault);
    };
}

quantity!(
    /// Money in SEK, at most 2 decimals. Text always has 2: `10000.00`. Overflow panics.
    Amount, 2
);
quantity!(
    /// Fund units, at most 7 decimals. Text has no trailing zeros: `81.0044`. Overflow panics.
    Units, 7
);
quantity!(
    /// The price of one unit, at most 6 decimals. Text has no trailing zeros: `123.45`. Overflow panics.
    Price, 6
);

impl Amount {
    /// `ore` hundredths of a krona.
    pub fn from_ore(ore: i64) -> Amount {
        Amount(Decimal::new(ore, 2))
    }

    /// What `units` are worth at `price`, halves of an ore rounded away from zero (decisions 2.10).
    ///
    /// # Panics
    /// When the exact product has more than 38 digits or the worth more than 28: a bug, as no holding comes near.
    pub fn from_units(units: Units, price: Price) -> Amount {
        // Exact in integers: a product of decimals would first be rounded to 28 digits.
        let product = units.steps().checked_mul(price.steps()).expect("a holding's worth fits");
        let per_ore = ten_to(Units::MAX_DECIMALS + Price::MAX_DECIMALS - Amount::MAX_DECIMALS);
        let whole = product.unsigned_abs().div_euclid(per_ore.unsigned_abs());
        let rest = product.unsigned_abs() % per_ore.unsigned_abs();
        let ore = i128::try_from(whole + u128::from(2 * rest >= per_ore.unsigned_abs())).expect("half the range");
        Amount(Decimal::from_i128_with_scale(ore * product.signum(), Amount::MAX_DECIMALS))
    }
}

impl Units {
    /// How many units `amount` buys at `price`, rounded towards zero to `decimals` (decisions 2.10).
    ///
    /// # Panics
    /// When `price` is not positive, or `decimals` is over 7: a bug in the caller.
    pub fn bought_for(amount: Amount, price: Price, decimals: u32) -> Units {
        assert!(price.is_positive(), "nothing is bought at {price}");
        assert!(decimals <= Units::MAX_DECIMALS, "units have no {decimals} decimals");
        // Exact in integers: a quotient of decimals is itself rounded, which could lift it over a step.
        let shift = ten_to(decimals + Price::MAX_DECIMALS - Amount::MAX_DECIMALS);
        let steps = amount.steps().checked_mul(shift).expect("an amount fits") / price.steps();
        Units(Decimal::from_i128_with_scale(steps, decimals).normalize())
    }

    /// How many decimals it takes to write the number.
    pub fn decimals(&self) -> u32 {
        self.0.normalize().scale()
    }
}

/// Splits `amount` by `percents`, in whole ore by largest remainder; a tie goes to the lower index (decisions 2.6).
/// The parts add up to `amount`.
///
/// # Panics
/// When `amount` or a percent is negative, or the percents do not add up to 100: a bug in the caller.
pub fn split_by_percent(amount: Amount, percents: &[Decimal]) -> Vec<Amount> {
    let sum: Decimal = percents.iter().sum();
    assert!(sum == Decimal::ONE_HUNDRED, "percents add up to {sum}");
    assert!(!amount.is_negative() && percents.iter().all(|p| *p >= Decimal::ZERO), "no part is negative");
    let scale = percents.iter().map(|p| p.normalize().scale()).max().unwrap_or(0);
    let whole = ten_to(scale + 2);
    let shares = percents.iter().map(|p| {
        let p = p.normalize();
        amount.steps().checked_mul(p.mantissa() * ten_to(scale - p.scale())).expect("a share fits")
    });
    let mut parts: Vec<(i128, i128)> = shares.map(|share| (share / whole, share % whole)).collect();
    let given: i128 = parts.iter().map(|(floor, _)| floor).sum();
    let left = usize::try_from(amount.steps() - given).expect("at most one ore a part");
    let mut order: Vec<usize> = (0..parts.len()).collect();
    // A stable sort, so equal remainders stay in index order.
    order.sort_by_key(|i| std::cmp::Reverse(parts[*i].1));
    for i in order.into_iter().take(left) {
        parts[i].0 += 1;
    }
    parts.into_iter().map(|(ore, _)| Amount(Decimal::from_i128_with_scale(ore, Amount::MAX_DECIMALS))).collect()
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = unsigned_zero(self.0);
        number.rescale(Amount::MAX_DECIMALS);
        fmt::Display::fmt(&number, f)
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&unsigned_zero(self.0).normalize(), f)
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&unsigned_zero(self.0).normalize(), f)
    }
}

/// A decimal remembers the sign of zero; no reader wants `-0.00`.
fn unsigned_zero(number: Decimal) -> Decimal {
    if number.is_zero() { Decimal::ZERO } else { number }
}

pub(crate) const fn ten_to(n: u32) -> i128 {
    10i128.pow(n)
}
