//! Bank accounts, beside what every account of their owner shows.

use crate::ids::BankAccountId;
use crate::records::BankFile;
use crate::world::World;
use std::sync::Arc;

/// What is under way for a bank account.
#[must_use]
pub fn bank_file(world: &World, id: BankAccountId) -> Option<&Arc<BankFile>> {
    world.banks.get(id)
}
