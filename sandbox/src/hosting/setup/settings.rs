//! The tunables of a world, spelt as in `fixtures/README.md`.

use crate::wire::fields::{self, Fields, Spot};
use crate::wire::shape::by;
use serde_json::Value;
use sim::settings::{JourneySettings, Settings};
use sim::time::Millis;

/// Longest period a setting may name: a year.
const LONGEST: i64 = 366 * 24 * 3_600_000;

/// Reads settings; what is left out stays as in `base`.
pub fn settings(given: &mut Fields<'_, '_>, base: &Settings) -> Option<Settings> {
    let Settings {
        acceptance_delay,
        routing_delay,
        confirmation_delay,
        late_posting_delay,
        hold_above,
        hold_bank_days,
        strict_identifiers,
        kyc_years,
        expose_confirmed,
        journeys: base_of_journeys,
    } = base;
    let acceptance_delay = given.or("acceptanceDelayMs", *acceptance_delay, by(period));
    let routing_delay = given.or("routingDelayMs", *routing_delay, by(period));
    let confirmation_delay = given.or("confirmationDelayMs", *confirmation_delay, by(period));
    let late_posting_delay = given.or("latePostingDelayMs", *late_posting_delay, by(period));
    let hold_above = given.or("holdAbove", *hold_above, by(fields::amount));
    let hold_bank_days = given.or("holdBankDays", *hold_bank_days, by(fields::integer(1..=250)));
    let strict_identifiers = given.or("strictIdentifiers", *strict_identifiers, by(fields::flag));
    let kyc_years = given.or("kycYears", *kyc_years, by(fields::integer(1..=100)));
    let expose_confirmed = given.or("exposeConfirmed", *expose_confirmed, by(fields::flag));
    let journeys = journey_settings(given, base_of_journeys);
    Some(Settings {
        acceptance_delay: acceptance_delay?,
        routing_delay: routing_delay?,
        confirmation_delay: confirmation_delay?,
        late_posting_delay: late_posting_delay?,
        hold_above: hold_above?,
        hold_bank_days: hold_bank_days?,
        strict_identifiers: strict_identifiers?,
        kyc_years: kyc_years?,
        expose_confirmed: expose_confirmed?,
        journeys: journeys?,
    })
}

fn journey_settings(given: &mut Fields<'_, '_>, base: &JourneySettings) -> Option<JourneySettings> {
    let JourneySettings {
        kyc_high_risk_years,
        kyc_expiring_days,
        journey_life,
        long_journey_days,
        https_callbacks_only,
        approval_delay,
        confirm_days,
        account_check_delay,
        mandate_bank_days,
        mandate_silence_bank_days,
        transfer_send_bank_days,
        transfer_accept_bank_days,
        transfer_complete_bank_days,
        withdrawal_grant,
        result_account_id,
    } = base;
    let kyc_high_risk_years = given.or("kycHighRiskYears", *kyc_high_risk_years, by(fields::integer(1..=100)));
    let kyc_expiring_days = given.or("kycExpiringDays", *kyc_expiring_days, by(fields::integer(1..=366)));
    let journey_life = given.or("journeyLifeMs", *journey_life, by(period));
    let long_journey_days = given.or("longJourneyDays", *long_journey_days, by(fields::integer(1..=366)));
    let https_callbacks_only = given.or("httpsCallbacksOnly", *https_callbacks_only, by(fields::flag));
    let approval_delay = given.or("approvalDelayMs", *approval_delay, by(period));
    let confirm_days = given.or("confirmDays", *confirm_days, by(fields::integer(1..=366)));
    let account_check_delay = given.or("accountCheckDelayMs", *account_check_delay, by(period));
    let mandate_bank_days = given.or("mandateBankDays", *mandate_bank_days, by(bank_days));
    let mandate_silence_bank_days = given.or("mandateSilenceBankDays", *mandate_silence_bank_days, by(bank_days));
    let transfer_send_bank_days = given.or("transferSendBankDays", *transfer_send_bank_days, by(bank_days));
    let transfer_accept_bank_days = given.or("transferAcceptBankDays", *transfer_accept_bank_days, by(bank_days));
    let transfer_complete_bank_days = given.or("transferCompleteBankDays", *transfer_complete_bank_days, by(bank_days));
    let withdrawal_grant = given.or("withdrawalGrantMs", *withdrawal_grant, by(period));
    let result_account_id = given.or("resultAccountId", *result_account_id, by(fields::flag));
    Some(JourneySettings {
        kyc_high_risk_years: kyc_high_risk_years?,
        kyc_expiring_days: kyc_expiring_days?,
        journey_life: journey_life?,
        long_journey_days: long_journey_days?,
        https_callbacks_only: https_callbacks_only?,
        approval_delay: approval_delay?,
        confirm_days: confirm_days?,
        account_check_delay: account_check_delay?,
        mandate_bank_days: mandate_bank_days?,
        mandate_silence_bank_days: mandate_silence_bank_days?,
        transfer_send_bank_days: transfer_send_bank_days?,
        transfer_accept_bank_days: transfer_accept_bank_days?,
        transfer_complete_bank_days: transfer_complete_bank_days?,
        withdrawal_grant: withdrawal_grant?,
        result_account_id: result_account_id?,
    })
}

fn bank_days(spot: Spot<'_, '_>) -> Option<u32> {
    fields::integer(1..=250)(spot)
}

fn period(spot: Spot<'_, '_>) -> Option<Millis> {
    fields::integer(0..=LONGEST)(spot).map(Millis)
}

/// Settings as a setup spells them, in the order of their table.
#[must_use]
pub fn spelt(settings: &Settings) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    // A table of plain values has nothing that cannot be shown.
    collect(serde_json::to_value(settings).unwrap_or_default(), &mut all);
    all
}

fn collect(table: Value, all: &mut Vec<(String, Value)>) {
    let Value::Object(entries) = table else { return };
    for (name, value) in entries {
        match value {
            Value::Object(_) => collect(value, all),
            Value::String(digits) => all.push((camel(&name), digits.parse().map_or(Value::Null, Value::Number))),
            plain => all.push((camel(&name), plain)),
        }
    }
}

/// Camel case, and milliseconds say so.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut spelt = words.next().unwrap_or_default().to_owned();
    for word in words {
        spelt.extend(word.chars().enumerate().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }));
    }
    if ["_delay", "_life", "_grant"].iter().any(|ending| name.ends_with(ending)) {
        spelt.push_str("Ms");
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spelt_is_read_back_as_it_was() {
        let mut changed = Settings { expose_confirmed: true, hold_bank_days: 7, ..Settings::default() };
        changed.journeys.approval_delay = Millis(1_234);
        let settings: serde_json::Map<String, Value> = spelt(&changed).into_iter().collect();
        assert_eq!(settings.len(), 24);
        let read = crate::hosting::setup::parse(&serde_json::json!({ "settings": settings })).expect("a setup");
        assert_eq!(read.settings, changed);
    }
}
