//! The body of a journey callback (specification, Journey callback).
//!
//! Invariant: it tells the journey as it was when it ended. `error` is there for `canceled` and `error` and left out for
//! `complete` (rule: events/callbacks); everything else is always there.

use bytes::Bytes;
use serde::Serialize;
use sim::records;
use sim::settings::Settings;
use utoipa::ToSchema;

use super::journey_result::{self, JourneyResult};
use super::text::Id;

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
    /// As given at creation, byte for byte.
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
            result: journey_result::of_journey(journey, settings),
        }
    }
}

/// The text of `journey`'s callback in a world with these settings.
#[must_use]
pub fn render(journey: &records::Journey, settings: &Settings) -> Bytes {
    super::to_json(&CallbackBody::of(journey, settings))
}

#[cfg(test)]
pub(crate) mod testing {
    //! A journey as the world leaves it, made by hand.

    use std::sync::Arc;

    use sim::ids::{AccountId, ClientId, JourneyId, SortedId};
    use sim::machines::journey::{State, TABLE, Trigger};
    use sim::machines::{Current, Visits};
    use sim::records::{
        AccountResult, AccountStatus, AccountType, Configuration, Journey, JourneyResult, JourneyType, Progress,
        ServiceType, Stamp,
    };
    use sim::time::{Instant, Millis};

    /// The state of a journey that was opened and then ended in `state`.
    fn ended(state: State) -> Current<State> {
        let (mut current, mut visits) = (Current::first(State::New), Visits::default());
        visits.take(&mut current, Trigger::Open);
        let end = TABLE.rows.iter().find(|row| row.from == State::Pending && row.to == state);
        visits.take(&mut current, end.expect("a journey can end so").on);
        current
    }

    /// A `createAccount` journey that has ended in `state`; complete, it opened an account.
    pub(crate) fn journey(state: State) -> Journey {
        let now = Instant::parse("2026-03-02T07:00:00Z").expect("a moment");
        let result = JourneyResult {
            account: Some(AccountResult {
                id: AccountId::from_u128(7),
                status: AccountStatus::Pending,
                account_type: AccountType::Isk,
                service_type: ServiceType::ExecutionOnly,
            }),
            ..JourneyResult::default()
        };
        Journey {
            id: JourneyId::from_u128(1),
            sorted_id: SortedId::from_u128(1),
            client: ClientId::from_u128(2),
            configuration: Arc::new(Configuration::empty(JourneyType::CreateAccount)),
            state: ended(state),
            expiry: now.plus(Millis::DAY),
            submission: None,
            callback_url: "http://receiver.test/callback".into(),
            redirect_url: None,
            completion_redirect_url: None,
            scope: Some("c2NvcGU=".into()),
            error_code: None,
            context: None,
            result: (state == State::Complete).then(|| Arc::new(result)),
            deleted: None,
            stamp: Stamp::new(now),
            progress: Arc::new(Progress::default()),
            timer: None,
        }
    }
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
    fn a_complete_journey_tells_its_result_and_no_error() {
        insta::assert_snapshot!(text(&testing::journey(State::Complete)), @r#"{"id":"00000000-0000-0000-0000-000000000001","status":"complete","context":null,"scope":"c2NvcGU=","result":{"journeyType":"createAccount","account":{"id":"00000000-0000-0000-0000-000000000007","status":"pending","accountType":"isk","serviceType":"executionOnly"}}}"#);
    }

    #[test]
    fn a_world_may_keep_the_account_s_id_to_itself() {
        let mut settings = Settings::default();
        settings.journeys.result_account_id = false;
        let shown = render(&testing::journey(State::Complete), &settings);
        let account = r#""account":{"status":"pending","accountType":"isk","serviceType":"executionOnly"}"#;
        assert!(std::str::from_utf8(&shown).expect("text").contains(account), "{shown:?}");
    }

    /// (rule: events/callbacks)
    #[test]
    fn a_canceled_and_a_failed_journey_tell_why_and_where() {
        for (state, code, status, word) in [
            (State::Canceled, ErrorCode::User, "canceled", "USER_ERROR"),
            (State::Error, ErrorCode::Kyc, "error", "KYC_ERROR"),
        ] {
            let ended = testing::journey(state);
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
        let journey = records::Journey { result: Some(Arc::new(result)), ..testing::journey(State::Complete) };
        let shown = serde_json::to_string_pretty(&super::journey_result::of_journey(&journey, &Settings::default()))
            .expect("JSON");
        insta::assert_snapshot!(shown);
    }
}
