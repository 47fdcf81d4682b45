//! The moves of the account table, and what belongs to each (rule: accounts/approval, accounts/closing).
//!
//! Invariant: an account has one timer at most: the one that ends its waiting, or that looks at its closing. Absent on
//! purpose: when an account moves, which is onboarding's and closing's.

use super::submissions;
use crate::event::{Change, Delta};
use crate::flows::orders::step_order;
use crate::flows::{payments, plans, securities};
use crate::identity::PersonOutcome;
use crate::ids::AccountId;
use crate::machines::account::{Effect, State, Trigger};
use crate::machines::order::Trigger as OrderTrigger;
use crate::records::{Account, FeeFile, Owner};
use crate::time::Instant;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Takes the table's row for `on`, emits its event, and starts what belongs to it.
///
/// # Panics
/// When the table has no row: callers have checked that it has, or are timers that only live while it has.
pub(crate) fn move_account(world: &mut World, id: AccountId, on: Trigger) {
    securities::actions::catch_up(world, id);
    let previous = Arc::clone(world.accounts.known(id));
    wait(world, id, None);
    let account = world.accounts.change(id);
    let row = world.visits.take(&mut account.state, on, Some(account.client));
    if row.to.is_deleted() {
        account.deleted = Some(world.now);
        emit_deleted(world, previous);
    } else {
        world.account_changed(previous);
    }
    note_fees(world, id, row.to);
    match row.effect {
        Effect::Nothing => {}
        Effect::AskApproval => ask_approval(world, id),
        Effect::Begin => securities::transfers::begin(world, id),
        Effect::EndApplication => {
            let submission = world.standings.get(&id).and_then(|standing| standing.submission);
            submission.into_iter().for_each(|submission| submissions::reject(world, submission));
            securities::transfers::stop(world, id);
            plans::changes::remove_all(world, id);
        }
        Effect::WindUp => wind_up(world, id),
    }
}

/// Fees accrue from the day on which an account becomes active to the day before it is deleted (rule: accounts/daily-value).
fn note_fees(world: &mut World, id: AccountId, to: State) {
    let today = world.now.local_date();
    match to {
        State::Active => {
            world.fees.insert(id, Arc::new(FeeFile::beginning(today)));
        }
        State::Closed => {
            let last = today.yesterday().expect("dates stay within the calendar");
            if let Some(file) = world.fees.get_mut(&id) {
                Arc::make_mut(file).last = Some(last);
            }
        }
        _ => {}
    }
}

/// An account has been deleted.
fn emit_deleted(world: &mut World, previous: Arc<Account>) {
    let now = world.now;
    world.accounts.change(previous.id).stamp.touch(now);
    world.emit(Some(previous.client), Change::Account(Delta::Deleted(previous)));
}

/// The account has begun to close: what can be canceled is, plans, transfers and mobile payments end.
fn wind_up(world: &mut World, id: AccountId) {
    let open = world.orders.of_account(id, None);
    let open = open.filter(|order| order.state.allows(OrderTrigger::Stop)).map(|order| order.id);
    let open: Vec<_> = open.collect();
    open.into_iter().for_each(|order| step_order(world, order, OrderTrigger::Stop));
    plans::changes::remove_all(world, id);
    securities::transfers::stop(world, id);
    payments::mobile::stop(world, id);
}

/// Replaces the timer that ends the waiting.
pub(crate) fn wait(world: &mut World, id: AccountId, next: Option<(Instant, Timer)>) {
    let before = world.standings.get(&id).and_then(|standing| standing.timer);
    if let Some(key) = before {
        world.timers.cancel(key);
    }
    let timer = next.map(|(at, timer)| world.timers.set(at, timer));
    if timer != before {
        Arc::make_mut(world.standings.or_default(id)).timer = timer;
    }
}

/// The approval comes by itself, unless a person with that fixed outcome signs.
pub(crate) fn ask_approval(world: &mut World, id: AccountId) {
    let delayed = signs(&world.accounts.known(id).owner, PersonOutcome::ApprovalPending);
    let at = world.now.plus(world.setup.settings.journeys.approval_delay);
    wait(world, id, (!delayed).then_some((at, Timer::ApproveAccount(id))));
}

fn signs(owner: &Owner, outcome: PersonOutcome) -> bool {
    match owner {
        Owner::NaturalPerson(person) => person.ssn.outcome() == outcome,
        Owner::LegalEntity(entity) => entity.signatories.iter().any(|one| one.ssn.outcome() == outcome),
    }
}
