//! Money in suspense on its way out: to the account that was meant, or back to its payer (rule: payments/suspense).
//!
//! Invariant: it leaves once, whole. Absent on purpose: how it came there, which is `deposits`.

use crate::flows::payments::deposits;
use crate::flows::payments::deposits::Payment;
use crate::ids::{AccountId, SuspenseItemId};
use crate::machines::suspense::{Effect, Trigger};
use crate::records::{CashBooking, SuspenseItem};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::world::World;
use std::sync::Arc;

fn open_item(world: &World, id: SuspenseItemId, on: Trigger) -> Result<Arc<SuspenseItem>, Refusal> {
    let found = world.suspense.get(id).map(Arc::clone);
    let item = found.ok_or_else(|| Refusal::one(Class::Unknown, "suspenseItemId", Fault::NotFound))?;
    if item.state.allows(on) {
        return Ok(item);
    }
    let status = item.state.name();
    Err(Refusal::conflict("suspenseItemId", Fault::NotPossibleIn { status }, status, Vec::new()))
}

/// `AllocateSuspense`: an active account gets the money at once.
pub(crate) fn allocate(world: &mut World, id: SuspenseItemId, account: AccountId) -> Result<Reply, Refusal> {
    let found = world.accounts.get(account);
    let Some(found) = found.filter(|account| scope::client(world, account.client).is_some()) else {
        return Err(Refusal::one(Class::Unknown, "account", Fault::NotFound));
    };
    let status = found.state.name();
    let active = found.is_active();
    open_item(world, id, Trigger::Allocate)?;
    if !active {
        return Err(Refusal::conflict("account", Fault::NotActive { status }, status, vec!["return"]));
    }
    move_suspense(world, id, Trigger::Allocate, Some(account));
    Ok(Reply::SuspenseItem(Arc::clone(world.suspense.known(id))))
}

/// `ReturnSuspense`.
pub(crate) fn give_back(world: &mut World, id: SuspenseItemId) -> Result<Reply, Refusal> {
    open_item(world, id, Trigger::Return)?;
    move_suspense(world, id, Trigger::Return, None);
    Ok(Reply::SuspenseItem(Arc::clone(world.suspense.known(id))))
}

/// Takes the suspense table's row for `on`.
fn move_suspense(world: &mut World, id: SuspenseItemId, on: Trigger, account: Option<AccountId>) {
    let now = world.now;
    let item = world.suspense.change(id);
    // No client's: the operator decides what becomes of it.
    let row = world.visits.take(&mut item.state, on, None);
    item.stamp.touch(now);
    let (amount, text) = (item.amount, Arc::clone(&item.reference));
    match (row.effect, account) {
        (Effect::Deposit, Some(account)) => {
            let payment = Payment::new(account, CashBooking::FromSuspense, amount, id.text());
            let payment = Payment { text: Some(text), ..payment };
            if let Some(deposit) = deposits::receive(world, payment) {
                world.suspense.change(id).deposit = Some(deposit);
            }
        }
        (Effect::Deposit | Effect::Nothing, _) => {}
    }
}
