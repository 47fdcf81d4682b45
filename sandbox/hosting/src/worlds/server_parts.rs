//! What all worlds of a server have in common: its clock, where it counts and logs, where long work is done, how
//! much memory there is, the way out for deliveries, and the journal.

use std::sync::{Arc, OnceLock};

use crate::journal::Writer;
use crate::long_work::LongWork;
use crate::memory::Memory;
use crate::telemetry::Telemetry;
use deliveries::egress_client::EgressClient;
use feed::transport::TransportClock;

/// What all worlds of a server have in common. Clones share it.
#[derive(Clone)]
pub(super) struct ServerParts {
    pub clock: TransportClock,
    pub telemetry: Arc<OnceLock<Telemetry>>,
    pub work: Arc<OnceLock<LongWork>>,
    pub memory: Arc<OnceLock<Memory>>,
    pub egress_client: Arc<OnceLock<EgressClient>>,
    /// Where what happens is kept, if anywhere.
    pub journal: Arc<OnceLock<Writer>>,
}

impl ServerParts {
    pub fn new(clock: TransportClock) -> Self {
        Self {
            clock,
            telemetry: Arc::default(),
            work: Arc::default(),
            memory: Arc::default(),
            egress_client: Arc::default(),
            journal: Arc::default(),
        }
    }

    /// Where long work is done.
    pub fn work(&self) -> LongWork {
        self.work.get().cloned().unwrap_or_default()
    }

    /// How much memory worlds may take.
    pub fn memory(&self) -> Memory {
        self.memory.get().cloned().unwrap_or_default()
    }
}
