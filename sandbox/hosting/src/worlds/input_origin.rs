//! What is known of an input beside the log: the request that caused it, and what it made or changed.
//!
//! Absent on purpose: finding it, which is the handle's.

use crate::world_id::WorldId;
use feed::input_log::Position;
use feed::log::Numbered;
use sim::time::Instant;
use sim::{Input, Reply};
use std::collections::VecDeque;
use std::sync::Arc;
use uuid::Uuid;

/// The request that made an input.
#[derive(Clone, Copy, Debug)]
pub struct InputRequest {
    /// The `request-id` of its answer.
    pub request: u64,
    /// The pattern of the route that answered it.
    pub route: Option<&'static str>,
    /// The resource that it made or changed, where it was accepted.
    pub about: Option<Uuid>,
    /// What the world's clock showed then.
    pub at: Instant,
}

/// Where in the past of a world a request belongs that changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestPlace {
    /// The last input before it, or the one that it made; 0 where there is none.
    pub after: u64,
    /// What the world's clock showed.
    pub at: Instant,
}

/// An input and the request that made it, if one did.
#[derive(Clone, Debug)]
pub struct InputOrigin {
    /// Its number.
    pub number: u64,
    /// The input.
    pub input: Arc<Input>,
    /// The request; none for what the clock or the host did.
    pub request: Option<InputRequest>,
}

/// What a fork knows of what led to its beginning, beside the inputs, whose log it shares.
#[derive(Debug, Default)]
pub(crate) struct InheritedHistory {
    pub events: Vec<Numbered>,
    /// The requests that made the inputs.
    pub requests: VecDeque<(Position, InputRequest)>,
    pub partial: PartialAdvance,
    /// Where it began; none of a world that is no fork.
    pub fork_of: Option<ForkOf>,
}

/// The world and the moment that a fork began from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForkOf {
    /// The other world.
    pub world: WorldId,
    /// The last input that had led there.
    pub input: u64,
    /// What its clock showed.
    pub at: Instant,
}

/// The advance in whose middle a fork begins. Its input number is reused in the fork, so it is kept here.
#[derive(Debug, Default)]
pub(crate) struct PartialAdvance {
    pub origin: Option<InputOrigin>,
    /// The number of the first event that something else caused.
    pub end: u64,
}

/// The resource that a reply shows, where it is one.
pub(crate) fn resource_of(reply: &Reply) -> Option<Uuid> {
    Some(match reply {
        Reply::Order(record) => record.id.as_uuid(),
        Reply::Account(record) => record.id.as_uuid(),
        Reply::CashTransaction(record) => record.id.as_uuid(),
        Reply::FundTransaction(record) => record.id.as_uuid(),
        Reply::Journey(record) => record.id.as_uuid(),
        Reply::Client(record) => record.id.as_uuid(),
        Reply::AllocationPlan(record) => record.id.as_uuid(),
        Reply::SavingsPlan(record) => record.id.as_uuid(),
        Reply::Transfer(record) => record.id.as_uuid(),
        Reply::BankAccount(record) => record.id.as_uuid(),
        Reply::MobilePaymentAsked(record) | Reply::MobilePayment(record) => record.id.as_uuid(),
        Reply::Instruction(record) => record.id.as_uuid(),
        Reply::Payment(record) => record.id.as_uuid(),
        Reply::BankgiroItem(record) => record.id.as_uuid(),
        Reply::SuspenseItem(record) => record.id.as_uuid(),
        Reply::Valid | Reply::Instrument(_) | Reply::Accounts(_) => return None,
    })
}
