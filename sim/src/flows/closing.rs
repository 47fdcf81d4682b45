//! Closing accounts (`decisions 1.10/138-139`, `3.2`).
//!
//! Absent so far: winding up what an active account holds.

use crate::command::Scope;
use crate::event::{Change, Delta};
use crate::ids::AccountId;
use crate::records::Account;
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::world::World;
use std::sync::Arc;

/// `CloseAccount`.
pub(crate) fn close(world: &mut World, scope: Scope, id: AccountId) -> Result<Reply, Refusal> {
    let _ = (world, scope, id);
    Err(Refusal::one(Class::NotAllowedNow, "accountId", Fault::Invalid { because: "this world does not do it yet" }))
}

/// An account has been deleted.
pub(crate) fn tell_deleted(world: &mut World, previous: Arc<Account>) {
    let now = world.now;
    let account = world.accounts.change(previous.id);
    account.stamp.touch(now);
    let gone = Arc::clone(world.accounts.known(previous.id));
    world.emit(Some(gone.client), Change::Account(Delta::Deleted(gone)));
}

/// Looks at what is left of an account that is being closed.
pub(crate) fn wind_up(world: &mut World, id: AccountId) {
    let _ = (world, id);
}
