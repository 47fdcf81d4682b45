//! Journeys: a partner creates one, a customer (or a lever) walks it, its end changes the world.
//!
//! Owns the moves of the journey table and their events. Invariant: a journey that ends canceled, in error or complete
//! sends one callback, at that moment, and never another. Absent on purpose: the link's secret and the pages.
//!
//! # Files
//!
//! One `Form` (world, journey, answers so far) says which steps are shown, what each asks and which step is next. The
//! page, the script, the completing lever and the effects at the end all look through it, so they cannot disagree.
//!
//! | file | owns |
//! |---|---|
//! | `records/journeys/configuration.rs` | the typed configuration and `FIELDS`: which type takes which field |
//! | `records/journeys/journey.rs` | the journey, its answers (`Answers`, `Progress`) and its result |
//! | `flows/journeys/create.rs` `configuration.rs` `transfer_rules.rs` `texts.rs` | the checks of a creation, all reported at once |
//! | `flows/journeys/form.rs` `field_view.rs` `fields*.rs` `answers.rs` | the form: steps, fields, whether an answer can be taken, which step is next |
//! | `sim/src/register.rs` `records/accounts/company.rs` | the simulated company register, and what is kept of a company |
//! | `flows/journeys/fields_company.rs` | the steps `company` and `beneficialOwners`, and who a company's people are |
//! | `flows/journeys/people.rs` | the names of a journey's people, and who signs for a company |
//! | `flows/journeys/drive.rs` `levers.rs` `walk.rs` | the customer's acts, the levers, the answers on their way into the journey |
//! | `flows/journeys/complete.rs` | what a signature does, and the result that shows it |
//! | `flows/journeys/mod.rs` `flows/journey_changes.rs` | the moves of the table, the only place where a callback is sent; other changes, and the event of each |
//! | `flows/accounts/` `flows/bank/accounts.rs` `flows/plans/` `flows/securities/{custody,transfers}.rs` `flows/screening.rs` | what journeys set in motion |
//!
//! **Driving one.** `Command::CreateJourney` makes it. A customer's acts are `OpenJourney`, `AnswerStep { step, answers }`,
//! `SignJourney { signer, outcome }` (the electronic identity, at authentication and at signing) and `AbortJourney`. Levers are
//! `CompleteJourney { answers }` (walks what is not answered, sensibly where nothing is given, all or nothing), `CancelJourney`,
//! `FailJourney`, `ExpireJourney`; around it `DecideAccount`, `CheckBankAccount`, `AdviseMandate`, `MoveTransfer`, `Screen`.
//!
//! **Rendering one.** `query::journey_steps(world, id)` gives the steps shown, in order, each `Done`, `Current` or `Ahead`, with its
//! fields: `name` (key in `Answers` and in refusals), `key` (what kind of question, the same for every fund or account), `subject`
//! (which fund or account), `kind`, `choices`, `values`, `read_only`, `required`, `suggestion`. `query::journey_step_with` shows
//! answers that were refused, with the fault beside each field. `Answers` maps names to texts: a form post and a script have the same
//! shape. Names of repeated questions: `allocation.<fund>`, `amount.<fund>`, `transfers[0].accounts[1].accountNumber`.
//! The world knows `JourneyId` only; the secret in a link is the surface's.
//!
//! **Telling the outside.** `World::take_callbacks`: one `Callback` for a journey that ended canceled, in error or complete, none
//! otherwise, with the journey as it was at that moment and an id that stays the same over attempts and repetitions.

mod answers;
mod complete;
mod configuration;
mod create;
mod drive;
mod field_view;
mod fields;
mod fields_company;
mod fields_money;
mod fields_transfer;
mod findings;
mod form;
mod levers;
mod people;
mod texts;
mod transfer_rules;
mod walk;

pub(crate) use answers::{check as check_answers, current};
pub(crate) use create::{create, problems};
pub(crate) use drive::{abort, answer, open, sign};
pub use field_view::{Choice, FieldKind, FieldView};
pub(crate) use fields::of as fields_of;
pub(crate) use fields_company::record as company_record;
pub(crate) use fields_money::{BankChoice, bank_choice};
pub(crate) use form::Form;
pub(crate) use levers::{cancel, complete, expire, fail, lapse, purge};
pub use texts::is_redirect;

use crate::canary::Canary;
use crate::flows::journey_changes::emit_update;
use crate::ids::JourneyId;
use crate::machines::Noted;
use crate::machines::account::State as AccountState;
use crate::machines::journey::{Effect, State, TABLE, Trigger};
use crate::outbox::Callback;
use crate::records::{Account, ErrorCode, Journey, JourneyResult, JourneyStep, JourneyType};
use crate::refusal::{Class, Fault, Refusal};
use crate::world::World;
use std::sync::Arc;

/// How a journey ends.
pub(crate) enum End {
    /// Signed, with what it produced.
    Complete(JourneyResult),
    /// The customer left.
    Aborted(JourneyStep),
    /// It failed.
    Failed(ErrorCode, JourneyStep),
    /// Its time was up.
    Expired,
}

impl End {
    const fn trigger(&self) -> Trigger {
        match self {
            Self::Complete(_) => Trigger::Complete,
            Self::Aborted(_) => Trigger::Abort,
            Self::Failed(..) => Trigger::Fail,
            Self::Expired => Trigger::Expire,
        }
    }
}

/// Ends a journey.
///
/// # Panics
/// When the table has no row: callers have checked that it has.
pub(crate) fn end(world: &mut World, id: JourneyId, how: End) {
    let on = how.trigger();
    let timer = world.journeys.change(id).timer.take();
    if let Some(key) = timer {
        world.timers.cancel(key);
    }
    move_journey(world, id, on, |journey| match how {
        End::Complete(result) => journey.result = Some(Arc::new(result)),
        End::Aborted(context) => (journey.error_code, journey.context) = (Some(ErrorCode::User), Some(context)),
        End::Failed(code, context) => (journey.error_code, journey.context) = (Some(code), Some(context)),
        End::Expired => {}
    });
}

/// Takes the table's row for `on`, changes the record by `f`, and emits: the event first, then the callback.
fn move_journey(world: &mut World, id: JourneyId, on: Trigger, f: impl FnOnce(&mut Journey)) {
    let previous = Arc::clone(world.journeys.known(id));
    let journey = world.journeys.change(id);
    let client = journey.client;
    let row = world.visits.take(&mut journey.state, on, Some(client));
    f(journey);
    if let Some(code) = journey.error_code {
        world.visits.note(Some(client), Noted::Reason(TABLE.name, code.name()));
    }
    emit_update(world, previous);
    match row.effect {
        Effect::Nothing => {}
        Effect::Notify => notify(world, id),
    }
}

fn notify(world: &mut World, id: JourneyId) {
    let callback = Callback::of(world.seed, world.now, world.journeys.known(id));
    if world.planted.is(Canary::SecondCallback) {
        let id = crate::ids::event_id(world.seed, "journey.callback", &id.as_uuid(), 1);
        world.send(Callback { id, ..callback.clone() });
    }
    world.send(callback);
}

/// Whether the account takes journeys of that type: an active one takes all, and one that is closing can still be given a
/// bank account (rule: journeys/bank-account-while-closing).
fn takes_journeys(account: &Account, kind: JourneyType) -> bool {
    account.is_active() || (account.state == AccountState::Closing && kind == JourneyType::AddBankAccount)
}

/// A journey by its id.
fn known(world: &World, id: JourneyId) -> Result<Arc<Journey>, Refusal> {
    match world.journeys.get(id) {
        Some(journey) => Ok(Arc::clone(journey)),
        None => Err(Refusal::one(Class::Unknown, "journeyId", Fault::NotFound)),
    }
}

/// Why a journey cannot be moved, with the levers that could move it.
fn refuse_move(journey: &Journey) -> Refusal {
    let levers = [
        ("open", Trigger::Open),
        ("complete", Trigger::Complete),
        ("cancel", Trigger::Abort),
        ("fail", Trigger::Fail),
        ("expire", Trigger::Expire),
    ];
    // Levers open a journey first, as a person would.
    let opened = if journey.state.allows(Trigger::Open) { State::Pending } else { *journey.state };
    let allowed = levers.iter().filter(|(_, on)| journey.state.allows(*on) || opened.allows(*on));
    let allowed = allowed.map(|(lever, _)| *lever).collect();
    let status = journey.state.name();
    Refusal::conflict("journeyId", Fault::NotPossibleIn { status }, status, allowed)
}
