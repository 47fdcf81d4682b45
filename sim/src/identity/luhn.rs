//! The mod 10 check digit that Swedish numbers, payment references and ISINs share.
//!
//! Owns: the doubling rule. Invariant: `check_digit(d)` appended to `d` makes `is_valid` true.
//! Absent on purpose: parsing; callers hand in ASCII digits.

/// The digit (0-9) to append to the ASCII digits `body`.
pub fn check_digit(body: &[u8]) -> u8 {
    (10 - weighted(body, true) % 10) % 10
}

/// Whether the last of the ASCII digits is the check digit of the others.
pub fn is_valid(digits: &[u8]) -> bool {
    weighted(digits, false).is_multiple_of(10)
}

/// The sum of digits, every second one doubled, modulo 10. From the right, the last digit is doubled when `double` says so.
fn weighted(digits: &[u8], mut double: bool) -> u8 {
    let mut sum = 0_usize;
    for digit in digits.iter().rev() {
        let n = usize::from(digit - b'0') << u8::from(double);
        // The digits of a number below twenty add up to it, less nine from ten on.
        sum += if n > 9 { n - 9 } else { n };
        double = !double;
    }
    u8::try_from(sum % 10).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    /// (rule: money/luhn)
    #[test]
    fn a_number_with_its_check_digit_is_valid_and_no_other_digit_will_do() {
        laws::holds("[0-9]{1,30}", |body| {
            let check = check_digit(body.as_bytes());
            for digit in 0..10 {
                let whole = format!("{body}{digit}");
                proptest::prop_assert_eq!(is_valid(whole.as_bytes()), digit == check);
            }
            Ok(())
        });
    }
}
