//! Inputs that a log has and that are not carried out yet, and the outcome of one that is.
//!
//! Absent on purpose: when it is their turn, which is `turns`'.

use crate::decision::Carried;
use feed::input_log::Position;
use feed::transport::TransportTime;
use sim::input::InputOutcome;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Notify;

/// The outcome of an input: the world's answer, or that of a decision.
#[derive(Debug)]
pub(super) enum Taken {
    World(InputOutcome),
    Host(Carried),
}

/// Inputs that are appended and not carried out, by their position.
pub(super) type Turns = BTreeMap<Position, Turn>;

/// An input that waits for its turn.
pub(super) struct Turn {
    /// When it was appended, by transport time.
    pub received: TransportTime,
    /// Who carries it out.
    pub caller: Caller,
}

/// Who carries an input out.
pub(super) enum Caller {
    /// The one that appended it, who is woken when everything before it has been carried out.
    Waits(Arc<Notify>),
    /// Nobody waits for the answer; whether the log keeps the input is not known yet.
    Left,
    /// Nobody waits for the answer, and the log keeps the input: the next at the world carries it out.
    LeftAndKept,
}
