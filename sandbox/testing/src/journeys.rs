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
    visits.take(&mut current, Trigger::Open, None);
    let end = TABLE.rows.iter().find(|row| row.from == State::Pending && row.to == state);
    visits.take(&mut current, end.expect("a journey can end so").on, None);
    current
}

/// A `createAccount` journey that has ended in `state`; complete, it opened an account.
///
/// # Panics
/// When a journey cannot end so.
#[must_use]
pub fn journey(state: State) -> Journey {
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
