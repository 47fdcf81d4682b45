//! The body of a journey callback (specification, Journey callback).
//!
//! Invariant: it shows the journey as it was when it ended. `error` is there for `canceled` and `error` and left out for
//! `complete` (rule: events/callbacks); everything else is always there.

use bytes::Bytes;
use serde::Serialize;
use sim::records;
use sim::settings::Settings;
use utoipa::ToSchema;

use super::result::{self, JourneyResult};
use crate::values::text::Id;

/// What is posted to `callbackUrl` when a journey becomes canceled, error or complete.
#[derive(Serialize, ToSchema)]
pub struct CallbackBody<'a> {
    /// Journey.
    id: Id,
    status: &'static str,
    /// Where the user left.
    context: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<CallbackError>,
    /// The value given at creation, byte for byte.
    scope: Option<&'a str>,
    result: Option<JourneyResult<'a>>,
}

/// Why it was canceled or failed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CallbackError {
    code: &'static str,
    journey_type: &'static str,
}

impl<'a> CallbackBody<'a> {
    /// The callback of `journey` in a world with these settings.
    #[must_use]
    pub fn of(journey: &'a records::Journey, settings: &Settings) -> Self {
        let error =
            |code: records::ErrorCode| CallbackError { code: code.name(), journey_type: journey.journey_type().name() };
        Self {
            id: Id(journey.id.as_uuid()),
            status: journey.state.name(),
            context: journey.context.map(records::JourneyStep::name),
            error: journey.error_code.map(error),
            scope: journey.scope.as_deref(),
            result: result::of_journey(journey, settings),
        }
    }
}

/// The text of `journey`'s callback in a world with these settings.
#[must_use]
pub fn render(journey: &records::Journey, settings: &Settings) -> Bytes {
    crate::to_json(&CallbackBody::of(journey, settings))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sim::identity::{Iban, InstrumentId};
    use sim::ids::{BankAccountId, SubmissionId};
    use sim::machines::bank_account;
    use sim::machines::journey::State;
    use sim::money::{Amount, Percent};
    use sim::records::{
        Allocation, AllocationPlanResult, BankAccountResult, ErrorCode, JourneyResult, JourneyStep, SavingsPlanResult,
        SubmissionResult, SubmissionStatus, TransferKind, TransferResult,
    };

    use super::*;

    fn text(journey: &records::Journey) -> String {
        String::from_utf8(render(journey, &Settings::default()).to_vec()).expect("text")
    }

    #[test]
    fn a_complete_journey_has_its_result_and_no_error() {
        insta::assert_snapshot!(text(&testing::journeys::journey(State::Complete)), @r#"{"id":"00000000-0000-0000-0000-000000000001","status":"complete","context":null,"scope":"c2NvcGU=","result":{"journeyType":"createAccount","account":{"id":"00000000-0000-0000-0000-000000000007","status":"pending","accountType":"isk","serviceType":"executionOnly"}}}"#);
    }

    #[test]
    fn a_world_may_keep_the_account_s_id_to_itself() {
        let mut settings = Settings::default();
        settings.journeys.result_account_id = false;
        let shown = render(&testing::journeys::journey(State::Complete), &settings);
        let account = r#""account":{"status":"pending","accountType":"isk","serviceType":"executionOnly"}"#;
        assert!(std::str::from_utf8(&shown).expect("text").contains(account), "{shown:?}");
    }

    /// (rule: events/callbacks)
    #[test]
    fn a_canceled_and_a_failed_journey_have_an_error_with_its_step() {
        for (state, code, status, word) in [
            (State::Canceled, ErrorCode::User, "canceled", "USER_ERROR"),
            (State::Error, ErrorCode::Kyc, "error", "KYC_ERROR"),
        ] {
            let ended = testing::journeys::journey(state);
            let ended =
                records::Journey { error_code: Some(code), context: Some(JourneyStep::Kyc), scope: None, ..ended };
            let expected = format!(
                r#"{{"id":"00000000-0000-0000-0000-000000000001","status":"{status}","context":"kyc","error":{{"code":"{word}","journeyType":"createAccount"}},"scope":null,"result":null}}"#
            );
            assert_eq!(text(&ended), expected);
        }
    }

    #[test]
    fn every_part_of_a_result_has_its_public_shape() {
        let instrument = InstrumentId::parse("SE0SBX000016SEK").expect("an instrument");
        let iban = Iban::parse("SE4550000000058398257466").expect("an IBAN");
        let (percent, amount) = (Percent::parse("100").expect("percent"), Amount::parse("500").expect("an amount"));
        let result = JourneyResult {
            account: None,
            bank_accounts: Some(vec![BankAccountResult {
                id: BankAccountId::from_u128(3),
                status: bank_account::State::Pending,
                iban,
            }]),
            transfers: Some(vec![TransferResult { account: "12-3".into(), kind: TransferKind::Cash }]),
            allocation_plan: Some(AllocationPlanResult {
                payment_account: Some(iban),
                instruments: vec![Allocation { instrument, percent }],
            }),
            savings_plan: Some(SavingsPlanResult {
                day: 25,
                instruments: vec![(instrument, amount)],
                start: sim::time::parse_date("2026-04-01").expect("a day"),
            }),
            submission: Some(SubmissionResult { id: SubmissionId::from_u128(5), status: SubmissionStatus::Pending }),
        };
        let journey =
            records::Journey { result: Some(Arc::new(result)), ..testing::journeys::journey(State::Complete) };
        let shown = serde_json::to_value(super::result::of_journey(&journey, &Settings::default())).expect("JSON");
        insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"));
    }
}
