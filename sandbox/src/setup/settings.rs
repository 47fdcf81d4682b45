//! The tunables of a world, spelt as in `fixtures/README.md`.

use crate::wire::fields::{self, Fields, Spot};
use sim::settings::Settings;
use sim::time::Millis;

/// Longest period a setting may name: a year.
const LONGEST: i64 = 366 * 24 * 3_600_000;

/// Reads settings; what is left out stays as in `base`.
pub fn settings(given: &mut Fields<'_, '_>, base: &Settings) -> Option<Settings> {
    let Settings {
        acceptance_delay, routing_delay, confirmation_delay, late_posting_delay, hold_above, hold_bank_days,
        strict_identifiers, kyc_years,
    } = base;
    let acceptance_delay = given.or("acceptanceDelayMs", *acceptance_delay, period);
    let routing_delay = given.or("routingDelayMs", *routing_delay, period);
    let confirmation_delay = given.or("confirmationDelayMs", *confirmation_delay, period);
    let late_posting_delay = given.or("latePostingDelayMs", *late_posting_delay, period);
    let hold_above = given.or("holdAbove", *hold_above, fields::amount);
    let hold_bank_days = given.or("holdBankDays", *hold_bank_days, fields::integer(1..=250));
    let strict_identifiers = given.or("strictIdentifiers", *strict_identifiers, fields::flag);
    let kyc_years = given.or("kycYears", *kyc_years, fields::integer(1..=100));
    Some(Settings {
        acceptance_delay: acceptance_delay?,
        routing_delay: routing_delay?,
        confirmation_delay: confirmation_delay?,
        late_posting_delay: late_posting_delay?,
        hold_above: hold_above?,
        hold_bank_days: hold_bank_days?,
        strict_identifiers: strict_identifiers?,
        kyc_years: kyc_years?,
    })
}

fn period(spot: Spot<'_, '_>) -> Option<Millis> {
    fields::integer(0..=LONGEST)(spot).map(Millis)
}
