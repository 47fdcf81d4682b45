//! Transfers from other custodians: their stages, and what they bring (rule: securities/transfer-timing,
//! securities/transfer-deliveries).
//!
//! Invariant: a transfer books once, when it is completed: units first, cash last, all with `refType` `transfer` and its
//! id. Absent on purpose: transfers out.

use super::custody;
use crate::calendar::add_bank_days;
use crate::command::CustodianAct;
use crate::identity::PersonOutcome;
use crate::ids::{AccountId, CustodianId, JourneyId, PartnerId, TransferId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::Current;
use crate::machines::transfer::{Effect, State, Trigger};
use crate::records::{Account, CashBooking, FundBooking, Owner, Stamp, Transfer, TransferOrder};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::stockholm;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour at which custodians act.
const CUSTODIAN_HOUR: i8 = 9;

/// Transfers of a new account: `New` ones wait until it is active, what the check before signing refused is `Rejected`.
pub(crate) fn create(
    world: &mut World,
    journey: JourneyId,
    account: AccountId,
    first: State,
    orders: Vec<(CustodianId, TransferOrder)>,
) -> Vec<Arc<Transfer>> {
    let &Account { id: account, client, .. } = &**world.accounts.known(account);
    let now = world.now;
    let created: Vec<_> = orders
        .into_iter()
        .map(|(custodian, order)| {
            world.transfers.insert_new(now, |id, sorted_id| Transfer {
                id,
                sorted_id,
                client,
                account,
                custodian,
                external_ref: None,
                state: Current::first(first),
                order: Arc::new(order),
                journey,
                stamp: Stamp::new(now),
                timer: None,
            })
        })
        .collect();
    created.iter().for_each(|transfer| world.visits.begun(client, *transfer.state));
    created
}

/// The account is active: its transfers are sent on the next bank day.
pub(crate) fn begin(world: &mut World, account: AccountId) {
    let days = world.setup.settings.journeys.transfer_send_bank_days;
    for id in waiting(world, account, &[State::New]) {
        plan(world, id, days, Timer::SendTransfer(id));
    }
}

/// The account is rejected or closed: what has not been accepted is canceled.
pub(crate) fn stop(world: &mut World, account: AccountId) {
    for id in waiting(world, account, &[State::New, State::Sent]) {
        move_transfer(world, id, Trigger::Cancel);
    }
}

/// Whether something agreed is still to come.
pub(crate) fn is_expected(world: &World, account: AccountId) -> bool {
    world.transfers.of_account(account, None).any(|transfer| transfer.state == State::Accepted)
}

fn waiting(world: &World, account: AccountId, states: &[State]) -> Vec<TransferId> {
    let all = world.transfers.of_account(account, None);
    all.filter(|transfer| states.contains(&*transfer.state)).map(|transfer| transfer.id).collect()
}

fn plan(world: &mut World, id: TransferId, bank_days: u32, timer: Timer) {
    let at = stockholm(add_bank_days(world.now.local_date(), bank_days), CUSTODIAN_HOUR, 0);
    let key = world.timers.set(at.max(world.now), timer);
    world.transfers.change(id).timer = Some(key);
}

/// Takes the table's row for `on`, with what it does besides.
fn move_transfer(world: &mut World, id: TransferId, on: Trigger) {
    let transfer = world.transfers.change(id);
    let row = world.visits.take(&mut transfer.state, on, Some(transfer.client));
    transfer.stamp.touch(world.now);
    if let Some(key) = transfer.timer.take() {
        world.timers.cancel(key);
    }
    let settings = &world.setup.settings.journeys;
    let (accept, complete) = (settings.transfer_accept_bank_days, settings.transfer_complete_bank_days);
    match row.effect {
        Effect::Nothing => {}
        Effect::Refer => {
            let (high, _) = id.as_uuid().as_u64_pair();
            transfer.external_ref = Some(Arc::from(format!("T{:010}", high % 10_000_000_000)));
            plan(world, id, accept, Timer::AnswerTransfer(id));
        }
        Effect::Expect => plan(world, id, complete, Timer::CompleteTransfer(id)),
        Effect::Book => book(world, id),
    }
}

/// Timer: sent to the ceding custodian.
pub(crate) fn sent(world: &mut World, id: TransferId) {
    move_transfer(world, id, Trigger::Send);
}

/// Timer: the ceding custodian answers; it refuses those whose number has that fixed outcome
/// (rule: money/fixed-outcomes-of-people).
pub(crate) fn answered(world: &mut World, id: TransferId) {
    let account = world.transfers.known(id).account;
    let refused = match world.accounts.known(account).owner.as_ref() {
        Owner::NaturalPerson(person) => person.ssn.outcome() == PersonOutcome::TransferRefused,
        Owner::LegalEntity(_) => false,
    };
    move_transfer(world, id, if refused { Trigger::Refuse } else { Trigger::Accept });
}

/// Timer: units and cash arrive.
pub(crate) fn completed(world: &mut World, id: TransferId) {
    move_transfer(world, id, Trigger::Complete);
}

/// `MoveTransfer`.
pub(crate) fn act(world: &mut World, partner: PartnerId, id: TransferId, act: CustodianAct) -> Result<Reply, Refusal> {
    let transfer = match world.transfers.get(id) {
        Some(transfer) if world.owns(partner, transfer.client) => Arc::clone(transfer),
        _ => return Err(Refusal::one(Class::Unknown, "transferId", Fault::NotFound)),
    };
    let on = match act {
        CustodianAct::Accept => Trigger::Accept,
        CustodianAct::Reject => Trigger::Refuse,
        CustodianAct::Complete => Trigger::Complete,
    };
    if !transfer.state.allows(on) {
        let levers = [("accept", Trigger::Accept), ("reject", Trigger::Refuse), ("complete", Trigger::Complete)];
        let allowed = levers.iter().filter(|lever| transfer.state.allows(lever.1)).map(|lever| lever.0).collect();
        let status = transfer.state.name();
        return Err(Refusal::conflict("transferId", Fault::NotPossibleIn { status }, status, allowed));
    }
    move_transfer(world, id, on);
    Ok(Reply::Transfer(Arc::clone(world.transfers.known(id))))
}

/// Books what the ceding custodian delivers: units first, cash last.
fn book(world: &mut World, id: TransferId) {
    let transfer = Arc::clone(world.transfers.known(id));
    let delivery = custody::delivery(world, &transfer);
    if delivery.is_empty() {
        return;
    }
    let reference: Option<Arc<str>> = Some(Arc::from(id.to_string()));
    world.change_account(transfer.account, |world| {
        for lot in delivery.units {
            world.book_fund(NewFund {
                reference: reference.clone(),
                trade: Some(lot.trade),
                cost: lot.cost,
                ..NewFund::new(transfer.account, FundBooking::TransferredIn, lot.instrument, lot.units)
            });
        }
        if delivery.cash.is_positive() {
            let cash = NewCash::new(transfer.account, CashBooking::TransferredIn, delivery.cash);
            world.book_cash(NewCash { reference, ..cash });
        }
    });
}
