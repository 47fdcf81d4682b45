//! The values that a setup can have, each within its bounds, for readers of setups.
//!
//! A setup that comes in a file of a world was read from nobody's words: here it meets the same bounds. Absent on purpose: what
//! the parts of a setup have to do with each other, which is `Setup::check`, and walking through a setup.

use crate::records::{Cost, DealingDays, Instrument};
use rust_decimal::Decimal;

/// A walk may at most halve or double in a day (rule: securities/price-bounds), so more than this is no walk.
pub const HIGHEST_VOLATILITY_BP: u32 = 2_000;
/// Decimals of rates, and of costs in percent.
pub const RATE_DECIMALS: u32 = 4;
/// Decimals of a rebate in percent.
pub const REBATE_DECIMALS: u32 = 2;
/// Longest line of text.
const LONGEST_LINE: usize = 255;
/// Numbers are smaller than this.
const LARGEST: Decimal = Decimal::from_parts(0xA4C6_8000, 0x0003_8D7E, 0, false, 0);

/// Notes problems, each under a path.
pub(super) struct Notes<'n>(pub &'n mut Vec<String>);

impl Notes<'_> {
    pub(super) fn unless(&mut self, is_right: bool, path: &str, what: &str) {
        if !is_right {
            self.0.push(format!("{path} {what}"));
        }
    }

    pub(super) fn line(&mut self, path: &str, text: &str) {
        let is_right = (1..=LONGEST_LINE).contains(&text.chars().count()) && !text.contains(char::is_control);
        self.unless(is_right, path, "must be 1 to 255 characters without control characters");
    }

    pub(super) fn decimal(&mut self, path: &str, number: Decimal, decimals: u32) {
        self.unless(number.normalize().scale() <= decimals, path, &format!("must have at most {decimals} decimals"));
        self.unless(number.abs() < LARGEST, path, "must be less than 10^15");
    }

    pub(super) fn volatility(&mut self, path: &str, basis_points: u32) {
        let what = format!("must be at most {HIGHEST_VOLATILITY_BP}");
        self.unless(basis_points <= HIGHEST_VOLATILITY_BP, path, &what);
    }
}

/// Notes every value of a fund that is out of its bounds.
pub(super) fn check_fund(notes: &mut Notes<'_>, path: &str, fund: &Instrument) {
    notes.line(&format!("{path}.name"), &fund.name);
    notes.volatility(&format!("{path}.volatilityBp"), fund.volatility_bp);
    let days = match fund.dealing {
        DealingDays::Daily => true,
        DealingDays::Weekly(day) => (1..=7).contains(&day),
        DealingDays::Monthly(day) => (1..=31).contains(&day),
    };
    notes.unless(days, &format!("{path}.dealing"), "must name a day of the week, 1 to 7, or of the month, 1 to 31");
    notes.decimal(&format!("{path}.rebate"), fund.rebate, REBATE_DECIMALS);
    let Cost { entry_fee, exit_fee, ongoing_fee, transaction_fee, performance_fee } = fund.cost;
    for cost in [entry_fee, exit_fee, ongoing_fee, transaction_fee, performance_fee] {
        notes.decimal(&format!("{path}.cost"), cost, RATE_DECIMALS);
    }
    for document in &fund.kiid {
        notes.line(&format!("{path}.kiid"), &document.language);
        notes.line(&format!("{path}.kiid"), &document.url);
    }
}
